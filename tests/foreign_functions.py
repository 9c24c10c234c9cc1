"""What a reading process may be told to do, for tests/test_foreign.py: it imports little."""

from __future__ import annotations

import os
import re
from pathlib import Path


def echo(data: bytes) -> bytes:
    return data


def variables(_data: bytes) -> bytes:
    return " ".join(sorted(os.environ)).encode()


def spin(_data: bytes) -> bytes:
    re.match(r"(?:a+)+b", "a" * 100)  # holds up the whole interpreter
    return b""


def grow(_data: bytes) -> bytes:
    return bytes(3_000_000_000)


def grow_slowly(_data: bytes) -> bytes:
    return b"".join(bytes(1_000_000) for _ in range(3_000))


def nest(_data: bytes) -> bytes:
    return nest(b"")


def flood(_data: bytes) -> bytes:
    return bytes(60_000_000)


def end(_data: bytes) -> bytes:
    os._exit(0)


def fail(_data: bytes) -> bytes:
    raise KeyError("x")


def begun(data: bytes) -> bytes:
    Path(os.fsdecode(data)).write_text(str(os.getpid()))
    return spin(b"")
