"""The application's process behind one page, in the protocol of Textual's WebDriver.

    page ─ D, M ─▶ standard input ─▶ process ─▶ standard output ─ D, M ─▶ page

It is a process group of its own, so that whatever it started ends with it. It is ended when it takes no input any more,
and when it does not leave within seconds.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import cast

import msgspec

from workbench.domain.text.cleaning import clean

_PRELUDE, _MOST_PRELUDE = b"__GANGLION__\n", 10
"""The line that begins the protocol, and the lines that may be before it."""
_MOST_ERRORS = 8_192
"""Bytes of standard error that are shown."""
_UNTIL_REAPED = 1.0
"""Seconds for a killed process to be gone: what it started elsewhere may hold its pipes for longer."""


class NotAnswering(Exception):
    """The process takes no input."""


class _Told(msgspec.Struct, frozen=True):
    type: str = ""


class WebProcess:
    """The application of one page."""

    def __init__(
        self,
        show: Callable[[bytes], Awaitable[None]],
        close: Callable[[], Awaitable[object]],
        *,
        reads_within: float,
        ends_within: float,
    ) -> None:
        """``show`` is given what is drawn, ``close`` is called when the application is over."""
        self._show = show
        self._close = close
        self._reads_within = reads_within
        self._ends_within = ends_within
        self._process: Process | None = None
        self._stdin: asyncio.StreamWriter | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping: asyncio.Task[None] | None = None

    async def start(self, command: Sequence[str], width: int, height: int) -> None:
        """Start it, without a shell. Raises OSError."""
        environment = os.environ | _environment(width, height)
        self._process = process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, start_new_session=True
        )
        self._stdin = process.stdin
        stdout, stderr = (cast("asyncio.StreamReader", pipe) for pipe in (process.stdout, process.stderr))
        self._tasks = [asyncio.create_task(one) for one in (self._draw(stdout), _tell_errors(stderr))]

    async def type(self, typed: bytes) -> None:
        """Hand on what is typed. Raises NotAnswering."""
        await self._send(b"D", typed)

    async def tell(self, kind: str, **more: int) -> None:
        """Hand on what happened to the page: ``resize``, ``focus``, ``blur``. Raises NotAnswering."""
        await self._send(b"M", msgspec.json.encode({"type": kind, **more}))

    def stop(self, within: float | None = None) -> asyncio.Task[None]:
        """Ask it to leave, and see that it does, in less seconds if that is said; the task ends when it is gone."""
        self._stopping = self._stopping or asyncio.create_task(self._stop(within or self._ends_within))
        return self._stopping

    async def _stop(self, within: float) -> None:
        process = self._process
        if process is None:
            return
        self._write(b"M", b'{"type":"quit"}')
        try:
            async with asyncio.timeout(within):
                await process.wait()
                await asyncio.wait(self._tasks)
        except TimeoutError:
            _kill_group(process)
            with suppress(TimeoutError):
                async with asyncio.timeout(_UNTIL_REAPED):
                    await process.wait()
        for task in self._tasks:
            task.cancel()

    def _write(self, kind: bytes, payload: bytes) -> asyncio.StreamWriter | None:
        if self._stdin is not None:
            with suppress(ConnectionError, RuntimeError):  # it has ended, which `_draw` finds out
                self._stdin.write(kind + len(payload).to_bytes(4, "big") + payload)
        return self._stdin

    async def _send(self, kind: bytes, payload: bytes) -> None:
        stdin = self._write(kind, payload)
        if stdin is None:
            return
        try:
            async with asyncio.timeout(self._reads_within):
                with suppress(ConnectionError):
                    await stdin.drain()
        except TimeoutError:
            raise NotAnswering from None

    async def _draw(self, stdout: asyncio.StreamReader) -> None:
        """Show what it draws, and close the page when it is over. What nobody reads any more does not hold it up."""
        with suppress(asyncio.IncompleteReadError, ValueError):  # its end, or a line without one
            await _read_prelude(stdout)
            while True:
                head = await stdout.readexactly(5)
                payload = await stdout.readexactly(int.from_bytes(head[1:], "big"))
                with suppress(ConnectionError):
                    if head[:1] == b"D":
                        await self._show(payload)
                    elif head[:1] == b"M" and msgspec.json.decode(payload, type=_Told).type == "exit":
                        await self._close()
        await self._close()


async def _read_prelude(stdout: asyncio.StreamReader) -> None:
    """Read on to where the protocol begins. Raises ValueError if it does not."""
    for _ in range(_MOST_PRELUDE):
        if await stdout.readline() == _PRELUDE:
            return
    raise ValueError("it is no application")


async def _tell_errors(stderr: asyncio.StreamReader) -> None:
    """Say on our standard error what a process said on its own, cleaned."""
    said = b""
    while portion := await stderr.read(4096):
        said += portion[: _MOST_ERRORS - len(said)]
    if said:
        sys.stderr.write(clean(said.decode("utf-8", "replace")))
        sys.stderr.flush()


def _kill_group(process: Process) -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _environment(width: int, height: int) -> Mapping[str, str]:
    return {
        "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver",
        "TEXTUAL_FPS": "60",
        "TEXTUAL_COLOR_SYSTEM": "truecolor",
        "TERM_PROGRAM": "textual",
        "COLUMNS": str(width),
        "ROWS": str(height),
    }
