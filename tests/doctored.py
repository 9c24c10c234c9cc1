"""Session files as somebody else may write them: checksums, numbers and hash chain hold, whatever the events say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from workbench.domain.log.envelope import Draft, Event, Head, genesis, seal
from workbench.storage import codec

OPTIONS = {"max_iterations": 5, "checkpoint_interval": 2, "model": "guided", "base_url": "", "bounds": {}}
CREATED = {"goal": "Move billing", "name": "Billing", "options": OPTIONS, "today": "2026-11-21", "workbench": "0"}
DEEP = b"[" * 100_000 + b"]" * 100_000


def said(kind: str, body: bytes | dict[str, Any] | list[Any], **header: Any) -> dict[str, Any]:
    """An event that says this, in JSON values or in bytes of any kind."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return {"kind": kind, "body": msgspec.Raw(raw), **header}


def created(**changes: Any) -> dict[str, Any]:
    return said("session.created", {**CREATED, **changes})


def sealed(stream: str, *events: dict[str, Any]) -> tuple[Event, ...]:
    usual = {
        "v": 1, "origin": "given", "session": stream, "agent": None, "actor": "person", "person": "ada",
        "workspace": "w-1", "turn": 1, "cause": "", "time": "2026-11-21T10:00:00.000000Z",
    }  # fmt: skip
    return seal([Draft(**{**usual, **event}) for event in events], Head("e", 0, genesis(stream)))


def write_session(path: Path, *events: dict[str, Any], stream: str = "") -> Path:
    """Write a file of one batch for each event; the stream is what the file is called unless it is given."""
    stream = stream or path.stem
    path.parent.mkdir(parents=True, exist_ok=True)
    header = codec.encode_header(codec.FileHeader(codec.FORMAT, codec.VERSION, stream, "e"))
    path.write_bytes(header + b"".join(codec.encode_events([event]) for event in sealed(stream, *events)))
    return path
