"""A loopback proxy in front of a server: a network that is cut, also in the middle of a reply, and comes back.

client ─▶ CuttingProxy ─▶ server        every connection has two threads, one for each direction
              │ cut(), cut_replies()
"""

import socket
import threading
from contextlib import suppress
from typing import Self


class CuttingProxy:
    """Forwards connections to a port until it is told otherwise."""

    def __init__(self, port: int) -> None:
        self._server = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}"
        self.replies_cut = 0
        self._lock = threading.Lock()
        self._is_cut = False
        self._keep: list[int] = []
        self._sockets: set[socket.socket] = set()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join()

    def cut(self) -> None:
        """Close every connection, and every new one at once."""
        with self._lock:
            self._is_cut = True
            for one in self._sockets:
                _shut(one)

    def restore(self) -> None:
        """Let connections through again."""
        self._is_cut = False

    def cut_replies(self, *keep: int) -> None:
        """Of the next replies let only so many bytes through, and close the connection behind them."""
        self._keep += keep

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed: the test is over
                return
            self._forward(client)

    def _forward(self, client: socket.socket) -> None:
        with self._lock:
            if self._is_cut:
                client.close()
                return
            try:
                server = socket.create_connection(self._server)
            except OSError:  # the server itself is away
                client.close()
                return
            self._sockets |= {client, server}
            pair = [
                threading.Thread(target=self._pump, args=(client, server, False)),
                threading.Thread(target=self._pump, args=(server, client, True)),
            ]
            self._threads += pair
        for thread in pair:
            thread.start()

    def _pump(self, source: socket.socket, target: socket.socket, is_reply: bool) -> None:
        try:
            while data := source.recv(1 << 16):
                if is_reply and self._keep:
                    target.sendall(data[: self._keep.pop(0)])
                    self.replies_cut += 1
                    break
                target.sendall(data)
        except OSError:  # the other direction has closed it
            pass
        _shut(source)
        _shut(target)
        if is_reply:
            with self._lock:
                self._sockets -= {source, target}
            # the other thread leaves its recv because of the shutdown; it holds no lock, so both can be closed here
            source.close()
            target.close()


def _shut(one: socket.socket) -> None:
    with suppress(OSError):  # closed already
        one.shutdown(socket.SHUT_RDWR)
