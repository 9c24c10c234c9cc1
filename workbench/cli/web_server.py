"""The application for browsers: textual-serve's protocol and page script, behind a guard of our own.

    browser ─ GET / ─▶ guard ─▶ page.html, which loads textual-serve's script and font from here
            ─ GET /ws ─▶ guard ─▶ a process of the application for each page ─▶ frames

The guard refuses other names of this machine (a foreign page could point one of its own at it), requests that another
page sends, and, where there is a token, whoever does not know it. A policy lets the page load from here alone.
"""

from __future__ import annotations

import asyncio
import hmac
import html
import logging
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import redirect_stdout, suppress
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import textual_serve
from aiohttp import WSCloseCode, WSMessage, WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

_STATIC = Path(textual_serve.__file__).parent / "static"
_PAGE = Path(__file__).parent / "web_page.html"
_FOCUS = """\
addEventListener("load", () => {
  const look = new MutationObserver(() => {
    const field = document.querySelector("textarea");
    if (field && document.body.classList.contains("-first-byte")) { look.disconnect(); field.focus(); }
  });
  look.observe(document.body, { attributes: true, childList: true, subtree: true });
});
"""
"""What is typed goes to the application without a click."""
_COOKIE = "workbench-{port}"
"""Cookies are shared by all ports of a host."""
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_END_WITHIN = 10.0
"""Seconds that a page's process has to end when its page is closed."""
_MOST_CELLS = 1_000
"""Columns or rows, however large a browser says that it is."""
_LONGEST_MESSAGE = 1_000_000


class WebServer:
    """Serves the application that a command starts, a process for each page."""

    def __init__(self, command: Sequence[str], token: str, *, is_local: bool) -> None:
        """``token``: what a browser has to know; "" for nothing. ``is_local``: only this machine reaches it."""
        self._command = command
        self._token = token
        self._is_local = is_local
        self._pages: set[web.WebSocketResponse] = set()
        self._endings: set[asyncio.Task[None]] = set()
        """What sees to the end of a process: whoever waits for it is cancelled when its page is gone."""

    def application(self) -> web.Application:
        """Return what answers requests."""
        application = web.Application(middlewares=[self._guard])
        application.router.add_get("/", self._page)
        application.router.add_get("/ws", self._connect)
        application.router.add_get("/focus.js", _focus)
        application.router.add_static("/static", _STATIC)
        application.on_response_prepare.append(_add_headers)
        application.on_shutdown.append(self._close_pages)
        application.on_cleanup.append(self._end_processes)
        return application

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if self._is_local and not _names_this_machine(request.host):
            return _refused("This address is served for this machine alone.")
        if origin is not None and urlsplit(origin).netloc != request.host:
            return _refused("Another page asked for this.")
        if self._token:
            cookie = _COOKIE.format(port=_port(request.host))
            if self._knows_token(request.query.get("token", "")):
                response = web.Response(
                    status=303, headers={"Location": "/"}
                )  # the token leaves the address bar, and the history
                response.set_cookie(cookie, self._token, httponly=True, samesite="Strict", path="/")
                return response
            if not self._knows_token(request.cookies.get(cookie, "")):
                return _refused("Open the address that `workbench serve` printed: it has a token.")
        return await handler(request)

    def _knows_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())

    async def _page(self, request: web.Request) -> web.Response:
        scheme = "wss" if request.headers.get("X-Forwarded-Proto") == "https" else "ws"
        page = _PAGE.read_text().replace("SOCKET", html.escape(f"{scheme}://{request.host}/ws"))
        return web.Response(text=page, content_type="text/html")

    async def _connect(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=_LONGEST_MESSAGE)
        await socket.prepare(request)
        program = _Program(
            "",
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=lambda: _closed(socket),
            download_manager=DownloadManager(),
        )
        program.arguments = self._command
        self._pages.add(socket)
        try:
            await program.start(_cells(request.query.get("width"), 80), _cells(request.query.get("height"), 24))
            async for message in socket:
                await _pass_on(message, program, socket)
        finally:
            self._pages.discard(socket)
            ending = asyncio.create_task(program.stop())
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)
            await asyncio.shield(ending)
        return socket

    async def _close_pages(self, _application: web.Application) -> None:
        await asyncio.gather(*(socket.close(code=WSCloseCode.GOING_AWAY) for socket in list(self._pages)))

    async def _end_processes(self, _application: web.Application) -> None:
        await asyncio.gather(*self._endings)


class _Program(AppService):
    """The application's process of one page."""

    arguments: Sequence[str] = ()

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """Start it without a shell."""
        environment = self._build_environment(width, height)
        process = await asyncio.create_subprocess_exec(
            *self.arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment
        )
        self._process, self._stdin = process, process.stdin
        return process

    async def run(self) -> None:
        """Run it, and close the page when it ends, however it does."""
        await super().run()
        await self.remote_close()

    async def stop(self) -> None:
        """Ask it to leave, and see that it does: what nobody reads any more must not hold it up."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            async with asyncio.timeout(_END_WITHIN):
                with suppress(ConnectionError):
                    await super().stop()
                await process.communicate()
        except TimeoutError:
            process.kill()
            await process.communicate()


async def run(server: WebServer, host: str, port: int, ready: Callable[[int], None]) -> None:
    """Listen until Ctrl+C; ``ready`` is told the port. Raises OSError where nobody can listen there."""
    log = logging.getLogger("textual-serve")
    log.addHandler(logging.NullHandler())  # it prints tracebacks
    log.propagate = False
    runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=_END_WITHIN)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        is_over = asyncio.Event()
        for ending in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # on Windows Ctrl+C interrupts
                asyncio.get_running_loop().add_signal_handler(ending, is_over.set)
        ready(runner.addresses[0][1])
        with redirect_stdout(sys.stderr):  # what the processes of pages say of failures
            await is_over.wait()
    finally:
        await runner.cleanup()


async def _pass_on(message: WSMessage, program: _Program, socket: web.WebSocketResponse) -> None:
    """Hand to the application what a page says; what is said wrongly is not heard."""
    if message.type is not WSMsgType.TEXT:
        return
    try:
        match message.json():
            case ["stdin", str(typed)]:
                await program.send_bytes(typed.encode())
            case ["resize", {"width": int(width), "height": int(height)}]:
                await program.set_terminal_size(_cells(width, 80), _cells(height, 24))
            case ["ping", str(stamp)]:
                await socket.send_json(["pong", stamp])
            case ["focus"]:
                await program.focus()
            case ["blur"]:
                await program.blur()
    except (ValueError, RecursionError):  # no JSON, or no Unicode
        return


async def _closed(socket: web.WebSocketResponse) -> None:
    await socket.close()


async def _add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


async def _focus(_request: web.Request) -> web.Response:
    return web.Response(text=_FOCUS, content_type="text/javascript")


def _refused(why: str) -> web.Response:
    return web.Response(status=403, text=f"{why}\n")


def _names_this_machine(host: str) -> bool:
    name = urlsplit(f"//{host}").hostname or ""
    with suppress(ValueError):
        return ip_address(name).is_loopback
    return name == "localhost"


def _port(host: str) -> int:
    with suppress(ValueError):
        return urlsplit(f"//{host}").port or 80
    return 80


def _cells(given: object, otherwise: int) -> int:
    """Return columns or rows that a page names."""
    try:
        return min(max(int(str(given)), 1), _MOST_CELLS)
    except ValueError:
        return otherwise
