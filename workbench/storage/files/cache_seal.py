"""Seals of caches: a cache is used only where this person's workbench wrote it, of this workspace, and nothing changed.

A seal is the BLAKE2b of a content and what it is a cache of, with the person's secret: 32 random bytes beside their
settings, and in no workspace. A cache that came with a folder never verifies. Neither does one that is damaged, of
another session, or from before the secret was drawn: it is made again.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path

from workbench.named_files import UnusableFile, read_named_file
from workbench.storage.files.opening import Files, create_whole

LARGEST_CACHE = 256_000_000
"""Bytes of a cache that is read; a larger one is made again."""
SEAL_SIZE = 32
"""Bytes of a seal."""
_SECRET_SIZE = 32
_MEMBER = b'{"seal":"%b",'
_MEMBER_SIZE = len(_MEMBER % bytes(2 * SEAL_SIZE))


class CacheSeal:
    """Seals the caches of one workspace."""

    def __init__(self, secret: Callable[[], bytes], workspace: str) -> None:
        """``secret`` is asked for at the first use; ``workspace`` is an id."""
        self._secret = cache(secret)
        self._workspace = workspace

    def seal(self, content: bytes | memoryview, *subject: str) -> bytes:
        """Return the seal of a content, ``SEAL_SIZE`` bytes; ``subject`` says what it is a cache of."""
        return self.of_parts((content,), *subject)

    def of_parts(self, parts: Iterable[bytes | memoryview], *subject: str) -> bytes:
        """Return the seal of a content that comes in parts."""
        digest = blake2b(key=self._secret(), digest_size=SEAL_SIZE)
        for part in (self._workspace, *subject):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big") + data)
        for content in parts:
            digest.update(content)
        return digest.digest()

    def holds(self, seal: bytes | memoryview, content: bytes | memoryview, *subject: str) -> bool:
        """Tell whether a seal is that of a content."""
        return compare_digest(seal, self.seal(content, *subject))

    def sealed_object(self, content: bytes, *subject: str) -> bytes:
        """Return a JSON object, which has members, with its seal as the first one."""
        return _MEMBER % self.seal(content, *subject).hex().encode() + content[1:]

    def opened_object(self, data: bytes, *subject: str) -> bytes | None:
        """Return the JSON object that ``sealed_object`` was given; None if the seal does not hold."""
        content = b"{" + data[_MEMBER_SIZE:]
        start = _MEMBER % self.seal(content, *subject).hex().encode()
        return content if compare_digest(data[:_MEMBER_SIZE], start) else None


def secret_in(file: Path) -> Callable[[], bytes]:
    """Return what reads the secret from a file, drawn at the first use; if that fails, one for this process."""

    def secret() -> bytes:
        with suppress(OSError):
            return _read_secret(file)
        with suppress(OSError):  # also if another process was first
            create_whole(Files(), file, os.urandom(_SECRET_SIZE))
        with suppress(OSError):
            return _read_secret(file)
        return PROCESS_SECRET

    return secret


def _read_secret(file: Path) -> bytes:
    secret = read_named_file(file, _SECRET_SIZE)
    if len(secret) < _SECRET_SIZE:
        raise UnusableFile(errno.EINVAL, "it holds no secret", file, "Delete it.")
    return secret


PROCESS_SECRET = os.urandom(_SECRET_SIZE)
PROCESS_SEAL = CacheSeal(lambda: PROCESS_SECRET, "")
"""For caches that no other process reads."""
