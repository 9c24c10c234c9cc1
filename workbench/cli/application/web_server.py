"""The application for browsers: Textual's protocol and textual-serve's page script, behind a guard of our own.

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
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import cast

import textual_serve
from aiohttp import WSCloseCode, WSMessage, WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestHandler
from msgspec import Struct

from workbench.cli.application.web_process import NotAnswering, WebProcess
from workbench.domain.text.cleaning import clean, shorten
from workbench.domain.text.patterns import lazy_pattern

_STATIC = Path(textual_serve.__file__).parent / "static"
_PAGE = Path(__file__).parent / "web_page.html"
_SCRIPT = _PAGE.with_suffix(".js")
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
_HOST = lazy_pattern(r"(?P<name>[A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?")
_MOST_CELLS = 1_000
"""Columns or rows, however large a browser says that it is."""
_UNTIL_CLOSED = 0.4
"""Seconds that a browser has to agree to the end of its connection."""
_UNTIL_LEFT = 0.4
"""Seconds for all applications to leave when the server ends: what was said and typed in them is kept already."""


class Limits(Struct, frozen=True, kw_only=True):
    """What pages may take."""

    pages: int = 8
    message: int = 65_536
    """Bytes of one message of a page. `web_page.js` knows it, too."""
    reads_within: float = 15.0
    """Seconds for an application to take what was typed, before it is ended."""
    ends_within: float = 5.0
    """Seconds for an application to leave, before it is killed."""
    connections: int = 64
    connection: float = 30.0
    """Seconds for a connection that is not an open page: for a request and its answer."""


_LIMITS = Limits()


class WebServer:
    """Serves the application that a command starts, a process for each page."""

    def __init__(self, command: Sequence[str], token: str, *, is_local: bool, limits: Limits = _LIMITS) -> None:
        """``token``: what a browser has to know; "" for nothing. ``is_local``: only this machine reaches it."""
        self._command = command
        self._token = token
        self._is_local = is_local
        self._limits = limits
        self._processes: set[WebProcess] = set()
        """Of open pages, and of those that were closed and have not ended yet."""
        self._open: set[RequestHandler] = set()
        """Connections of open pages."""

    def application(self) -> web.Application:
        """Return what answers requests."""
        application = web.Application(middlewares=[self._guard])
        application.router.add_get("/", self._page)
        application.router.add_get("/ws", self._connect)
        application.router.add_get("/page.js", _script)
        application.router.add_static("/static", _STATIC)
        application.on_response_prepare.append(_add_headers)
        application.on_shutdown.append(self._end_processes)
        return application

    async def listen(self, host: str, port: int, ready: Callable[[int], None], is_over: asyncio.Event) -> None:
        """Serve until it is over; ``ready`` is told the port. Raises OSError if nobody can listen there."""
        runner = web.AppRunner(
            self.application(),
            access_log=None,
            logger=_quiet_log(),
            shutdown_timeout=_UNTIL_CLOSED,
            handler_cancellation=True,
        )
        await runner.setup()
        try:
            serve = cast("web.Server", runner.server)
            loop = asyncio.get_running_loop()

            def connection() -> RequestHandler:
                handler = serve()
                is_full = len(serve.connections) >= self._limits.connections
                loop.call_later(0 if is_full else self._limits.connection, self._drop, handler)
                return handler

            async with await loop.create_server(connection, host, port) as server:
                ready(server.sockets[0].getsockname()[1])
                await is_over.wait()
                server.close()
                await runner.cleanup()  # before waiting for connections, as it ends them
        finally:
            await runner.cleanup()

    def _drop(self, connection: RequestHandler) -> None:
        """End a connection that is slow, half open, or one too many; not that of an open page."""
        if connection not in self._open and connection.transport is not None:
            connection.transport.abort()

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        hosts, origins = request.headers.getall("Host", []), request.headers.getall("Origin", [])
        host = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if host is None:
            return web.Response(status=400, text="The request names no host.\n")
        if self._is_local and not _names_this_machine(host["name"]):
            return _refused("This address is served for this machine alone.")
        if any(origin.partition("://")[2] != host[0] for origin in origins):
            return _refused("Another page asked for this.")
        if self._token:
            cookie = _COOKIE.format(port=host["port"] or 80)
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
        return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._token.encode())

    async def _page(self, request: web.Request) -> web.Response:
        scheme = "wss" if request.headers.get("X-Forwarded-Proto") == "https" else "ws"
        page = _PAGE.read_text().replace("SOCKET", html.escape(f"{scheme}://{request.host}/ws"))
        return web.Response(text=page, content_type="text/html")

    async def _connect(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=self._limits.message, timeout=_UNTIL_CLOSED)
        await socket.prepare(request)
        if len(self._processes) >= self._limits.pages:
            await _close(socket, f"{self._limits.pages} pages are open, and more are not. Close one of them first.")
            return socket
        process = WebProcess(
            socket.send_bytes,
            socket.close,
            reads_within=self._limits.reads_within,
            ends_within=self._limits.ends_within,
        )
        self._processes.add(process)
        self._open.add(request.protocol)
        try:
            width, height = _cells(request.query.get("width"), 80), _cells(request.query.get("height"), 24)
            await process.start(self._command, width, height)
            async for message in socket:
                await _pass_on(message, process, socket)
        except OSError as error:
            await _close(socket, f"The application was not started: {clean(error.strerror or '')}.")
        except NotAnswering:
            await _close(socket, "The application did not answer, and was ended. What was saved is kept.")
        finally:
            self._open.discard(request.protocol)
            ending = process.stop()
            ending.add_done_callback(lambda _: self._processes.discard(process))
            await asyncio.shield(ending)  # whoever waits for it is cancelled when the page is gone
        return socket

    async def _end_processes(self, _application: web.Application) -> None:
        """End the processes of all pages, which closes the pages."""
        await asyncio.gather(*(process.stop(min(_UNTIL_LEFT, self._limits.ends_within)) for process in self._processes))


async def run(server: WebServer, host: str, port: int, ready: Callable[[int], None]) -> None:
    """Listen until Ctrl+C; ``ready`` is told the port. Raises OSError if nobody can listen there."""
    is_over = asyncio.Event()
    for ending in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows Ctrl+C interrupts
            asyncio.get_running_loop().add_signal_handler(ending, is_over.set)
    await server.listen(host, port, ready, is_over)


def _quiet_log() -> logging.Logger:
    """Return a log that says that a request failed, and nothing of what it said."""
    log = logging.getLogger("workbench.serve")
    log.propagate = False
    log.handlers = [_OneLine(logging.ERROR)]
    return log


class _OneLine(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        """Name a fault of ours; a malformed request is none."""
        kind = record.exc_info[0] if record.exc_info else None
        if kind is not None and not issubclass(kind, HttpProcessingError):
            sys.stderr.write(f"A request failed ({kind.__name__}).\n")


async def _pass_on(message: WSMessage, process: WebProcess, socket: web.WebSocketResponse) -> None:
    """Hand to the application what a page says; what is said wrongly is not heard. Raises NotAnswering."""
    if message.type is not WSMsgType.TEXT:
        return
    try:
        match message.json():
            case ["stdin", str(typed)]:
                await process.type(typed.encode())
            case ["resize", {"width": int(width), "height": int(height)}]:
                await process.tell("resize", width=_cells(width, 80), height=_cells(height, 24))
            case ["ping", str(stamp)]:
                await socket.send_json(["pong", stamp])
            case ["focus" | "blur" as kind]:
                await process.tell(kind)
    except (ValueError, RecursionError):  # no JSON, or no Unicode
        return


async def _close(socket: web.WebSocketResponse, why: str) -> None:
    """Close a page, which then says why."""
    await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=shorten(why, 120).encode())


async def _add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


async def _script(_request: web.Request) -> web.Response:
    return web.Response(text=_SCRIPT.read_text(), content_type="text/javascript")


def _refused(why: str) -> web.Response:
    return web.Response(status=403, text=f"{why}\n")


def _names_this_machine(name: str) -> bool:
    with suppress(ValueError):
        return ip_address(name.strip("[]")).is_loopback
    return name.lower() == "localhost"


def _cells(given: object, otherwise: int) -> int:
    """Return columns or rows that a page names."""
    try:
        return min(max(int(str(given)), 1), _MOST_CELLS)
    except ValueError:
        return otherwise
