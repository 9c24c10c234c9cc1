"""A model whose answers are kept in a script, and a stream as one answer: for tests of what is played again."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
from workbench.domain.errors import ModelError
from workbench.domain.text.cleaning import clean
from workbench.models.answers import Answer, ended, gathered
from workbench.models.ports import Done, LanguageModel, Part, Request, window_of
from workbench.models.scripted import Recorded, recorded

_encode = msgspec.json.Encoder(order="deterministic").encode


async def collect(stream: AsyncIterator[Part]) -> Answer:
    """Return a stream as one answer. Raises what the stream raises, and ModelReplyInvalid when Done is missing."""
    async with ended(stream):
        return gathered([part async for part in stream])


class RecordingModel:
    """Passes requests on to another model and keeps each complete answer in a script file.

    An answer is one line, written by one write and synced before Done is handed on, so a crash costs at most the answer
    that was under way. Failed and cancelled requests leave nothing.
    """

    def __init__(self, inner: LanguageModel, path: str | os.PathLike[str]) -> None:
        self.name = inner.name
        self._inner = inner
        self._path = Path(path)
        self._writing = threading.Lock()

    @property
    def window(self) -> int:
        """The other model's."""
        return self._inner.window

    def inquire(self) -> None:
        """Let the other model ask its server."""
        window_of(self._inner)

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer as the other model does. Raises ModelError as it does, and when the script cannot be written."""
        parts: list[Part] = []
        async with ended(self._inner.stream(request)) as stream:
            async for part in stream:
                parts.append(part)
                if isinstance(part, Done):
                    await asyncio.to_thread(self._keep, recorded(request, gathered(parts)))
                yield part

    def _keep(self, record: Recorded) -> None:
        try:
            with self._writing:
                _append_line(self._path, _encode(record))
        except OSError as error:
            raise ModelError(
                f"The script {clean(str(self._path))} cannot be written: {error.strerror}.",
                "Record into a file in a folder you may write to, on a disk with space left.",
            ) from error


def _append_line(path: Path, line: bytes) -> None:
    """Append one line behind the last whole line, in one write, and wait until it is on the disk."""
    with open(path, "ab", buffering=0, opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        _drop_torn_tail(path, file.tell())
        file.write(line + b"\n")
        os.fsync(file.fileno())


def _drop_torn_tail(path: Path, size: int) -> None:
    """Cut off what a crash left behind the last newline."""
    if size == 0:
        return
    with path.open("r+b") as file:
        file.seek(size - 1)
        if file.read(1) == b"\n":
            return
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
