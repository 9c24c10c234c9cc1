"""A person in front of a real browser: keys go to headless Chromium, and what reaches its page is read from a screen.

press, type, click ─▶ Chromium ─▶ page ─▶ WebSocket ─▶ frames ─▶ pyte's screen ─▶ until(words)

Driven over the DevTools protocol. Nothing is slept for: every wait is for a message of the browser.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pyte
from aiohttp import ClientSession, ClientWebSocketResponse

PATIENCE = 90.0
"""Seconds until something that never came is a failure: a busy machine is slow."""
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
)
_KEYS = {"Enter": (13, "\r"), "Escape": (27, "")}


class Browser:
    """A page in Chromium."""

    def __init__(self, socket: ClientWebSocketResponse, columns: int, rows: int) -> None:
        self.requests: list[str] = []
        """Every address that the page asked for."""
        self.problems: list[str] = []
        """What the browser's console says is wrong."""
        self._socket = socket
        self._ids = count(1)
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def shown(self) -> str:
        """What the application has drawn."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    async def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """Send a command, and return its result."""
        wanted = next(self._ids)
        await self._socket.send_json({"id": wanted, "method": method, "params": parameters})
        while (message := await self._next()).get("id") != wanted:
            pass
        assert "error" not in message, message
        return dict(message["result"])

    async def until(self, *words: str) -> None:
        """Read what the page receives until all these words stand on the screen."""
        while not all(one in self.shown for one in words):
            try:
                await self._next()
            except TimeoutError:
                raise AssertionError(f"Waited for {words}; there was:\n{self.shown}") from None

    async def _next(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            message: dict[str, Any] = json.loads(await self._socket.receive_str())
        told = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(told["request"]["url"])
            case "Network.webSocketCreated":
                self.requests.append(told["url"])
            case "Network.webSocketFrameReceived" if told["response"]["opcode"] == 2:
                self._stream.feed(base64.b64decode(told["response"]["payloadData"]))
            case "Log.entryAdded" if told["entry"]["level"] == "error":
                self.problems.append(told["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.problems.append(str(told["exceptionDetails"]["exception"]))
        return message

    async def type(self, words: str) -> None:
        """Type words."""
        await self.ask("Input.insertText", text=words)

    async def press(self, key: str) -> None:
        """Press a key: a letter, ``Enter``, ``Escape``, or ``ctrl+`` a letter."""
        letter = key.removeprefix("ctrl+")
        code, typed = _KEYS[key] if key in _KEYS else (ord(letter.upper()), letter if letter == key else "")
        told = {"key": letter, "code": letter if key in _KEYS else f"Key{letter.upper()}"}
        told |= {"windowsVirtualKeyCode": code, "modifiers": 2 if letter != key else 0}
        pressed = {"type": "keyDown", "text": typed} if typed else {"type": "rawKeyDown"}
        await self.ask("Input.dispatchKeyEvent", **told, **pressed)
        await self.ask("Input.dispatchKeyEvent", **told, type="keyUp")

    async def picture(self) -> bytes:
        """Return what the page looks like, as PNG."""
        return base64.b64decode((await self.ask("Page.captureScreenshot"))["data"])


@asynccontextmanager
async def chromium(program: str, profile: Path, *, size: tuple[int, int] = (1280, 800)) -> AsyncIterator[Browser]:
    """Run Chromium with an empty profile and one empty page."""
    environ = os.environ | {"TMPDIR": "/tmp"}  # below a test's own folder the path of its socket is too long
    process = await asyncio.create_subprocess_exec(
        program, *_FLAGS, f"--user-data-dir={profile}", "about:blank", stdout=DEVNULL, stderr=PIPE, env=environ
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            said = b""
            while not (address := re.search(rb"ws://([\d.:]+)/", line := await process.stderr.readline())):
                said += line
                assert line, f"Chromium ended before it could be asked: {said.decode(errors='replace')}"
        async with ClientSession() as client:
            page = await (await client.put(f"http://{address[1].decode()}/json/new?about:blank")).json()
            async with client.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                browser = Browser(socket, 200, 100)
                for domain in ("Network", "Page", "Log", "Runtime"):
                    await browser.ask(f"{domain}.enable")
                width, height = size
                await browser.ask(
                    "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
                )
                await browser.ask("Emulation.setFocusEmulationEnabled", enabled=True)
                yield browser
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()
