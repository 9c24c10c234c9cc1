"""A server of somebody else on the loopback: it counts who connects, and answers nothing.

model, embedder, log, agent ─┐
HTTP(S)_PROXY, ALL_PROXY    ─┴─▶ 127.0.0.1:PORT ─▶ connections
any other connect or look-up of a name in this process ─▶ attempts
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

KEY = "sk-canary-0123456789abcdef"
"""The key in every provider's variable."""
KEY_VARIABLES = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY")
_PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


class Trap:
    """Counts connections, and attempts of this process to reach anything but a local socket file."""

    def __init__(self) -> None:
        self.connections: list[bytes] = []
        """The first bytes of each connection."""
        self.attempts: list[str] = []
        """Network calls of this process, as the interpreter audits them."""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Address of an OpenAI-compatible server."""
        return f"http://{self.address}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """Variables of a person with keys, whose public addresses lead here, too."""
        return dict.fromkeys(KEY_VARIABLES, KEY) | dict.fromkeys(_PROXY_VARIABLES, f"http://{self.address}")

    def take(self) -> list[object]:
        """Return everything that tried to leave since the last call."""
        caught = [*self.connections, *self.attempts]
        self.connections.clear()
        self.attempts.clear()
        return caught

    def close(self) -> None:
        """Accept nothing any more."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:  # closed
                return
            with connection:
                connection.settimeout(1)
                try:
                    self.connections.append(connection.recv(4096))
                except OSError:
                    self.connections.append(b"")


_traps: list[Trap] = []


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    """Note a connection or a look-up of a name. An audit hook stays for the process: without a trap it does nothing."""
    if not _traps or event not in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
        return
    target = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    if event == "socket.getaddrinfo" or isinstance(target, tuple):  # the address of a local socket file is a text
        _traps[-1].attempts.append(f"{event} {target}")


sys.addaudithook(_audit)


@contextmanager
def opened_trap() -> Iterator[Trap]:
    """Give a trap that watches this process until the end of the block."""
    trap = Trap()
    _traps.append(trap)
    try:
        yield trap
    finally:
        _traps.remove(trap)
        trap.close()
