"""A stand-in for the hub on the loopback, which gives one file, well or badly."""

import hashlib
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "c" * 40


class FakeHub(ThreadingHTTPServer):
    """Gives ``data`` as any file of any repository, as it is told to."""

    daemon_threads = True

    def __init__(self, data):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.data = data
        self.status = 200
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.size = len(data)
        self.redirects = False
        self.cut_after = None
        """Bytes of each answer after which the connection is lost; None: it is not."""
        self.give_up_after = None
        """Answers after which nothing more is given; None: all are."""
        self.pause = None
        """What happens in an answer, after so many bytes of it: it is given the connection."""
        self.pause_after = len(data) // 2
        self.requests = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_request):
        """A client that hangs up is part of the tests."""


@contextmanager
def fake_hub(data):
    hub = FakeHub(data)
    thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self._answer(b"")

    def do_GET(self):
        self._answer(self.server.data)

    def _answer(self, data):
        hub, asked = self.server, self.headers.get("range", "")
        hub.requests.append((self.command, self.path, asked, self.headers.get("authorization", "")))
        self.close_connection = True
        if hub.status != 200:
            self.send_response(hub.status)
            self.send_header("content-length", "0")
            self.send_header("connection", "close")
            self.end_headers()
            return
        if hub.redirects and not self.path.startswith("/elsewhere"):
            self.send_response(302)
            self.send_header("location", f"{hub.url}/elsewhere{self.path}")
            self._describe(0)
            return
        start = int(asked.removeprefix("bytes=").partition("-")[0] or 0) if asked else 0
        rest = data[start:]
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("content-range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self._describe(len(rest) if data else hub.size)
        with suppress(ConnectionError):
            answers = sum(command == "GET" for command, *_ in hub.requests)
            is_over = hub.cut_after is not None and hub.give_up_after is not None and answers >= hub.give_up_after
            given = b"" if is_over else rest[: hub.cut_after]
            if given and hub.pause is not None:
                self.wfile.write(given[: hub.pause_after])
                self.wfile.flush()
                hub.pause(self.connection)
                given = given[hub.pause_after :]
            self.wfile.write(given)

    def _describe(self, length):
        hub = self.server
        self.send_header("x-repo-commit", COMMIT)
        self.send_header("etag", f'"{hub.sha256}"')
        self.send_header("x-linked-etag", f'"{hub.sha256}"')
        self.send_header("x-linked-size", str(hub.size))
        self.send_header("accept-ranges", "bytes")
        self.send_header("content-length", str(length))
        self.send_header("connection", "close")
        self.end_headers()
