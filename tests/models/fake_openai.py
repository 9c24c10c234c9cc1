"""A server on the loopback that answers like a provider, well or badly, as the test tells it."""

import gzip
import itertools
import json
import sys
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COUNTED: dict = {}
"""In place of usage: the prompt is counted, and the answer takes 7."""


def counted(handler, usage=COUNTED):
    """Return usage, about as a server counts it."""
    if usage is not COUNTED:
        return usage
    prompt = len(json.dumps(handler.server.requests[-1]["body"].get("messages", []))) // 4 + 11
    return {"prompt_tokens": prompt, "completion_tokens": 7, "total_tokens": prompt + 7}


class FakeServer(ThreadingHTTPServer):
    """Answers each request with the next behaviour; the last one stays."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests = []
        self.pages = {}
        """What is answered to a look at a path, as a JSON object."""
        self.behaviours = [text("hello")]
        self.hung_up = threading.Event()
        self._turn = threading.Lock()

    @property
    def base_url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    def will(self, *behaviours):
        self.behaviours = list(behaviours)

    def next_behaviour(self, request):
        with self._turn:
            self.requests.append(request)
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]

    def handle_error(self, *_request):
        """A client that hangs up is part of the tests, also while it is being answered."""
        if isinstance(sys.exception(), ConnectionError):
            self.hung_up.set()


@contextmanager
def fake_server():
    server = FakeServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        page = self.server.pages.get(self.path)
        self.whole(404 if page is None else 200, page or {"error": {"message": "not found"}})
        self.close_connection = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.startswith("/api/"):  # a look that Ollama wants posted
            self.do_GET()
            return
        request = {"path": self.path, "headers": dict(self.headers), "body": json.loads(body), "raw": body}
        self.server.next_behaviour(request)(self)
        self.close_connection = True

    def log_message(self, *_):
        pass

    def whole(self, status, body, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def begin_events(self):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.send_header("connection", "close")
        self.end_headers()

    def event(self, data, name=None):
        line = f"event: {name}\n" if name else ""
        self.raw(f"{line}data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode())

    def raw(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def end_events(self):
        self.wfile.write(b"0\r\n\r\n")


def chunk(delta=None, *, finish=None, usage=None):
    """An event of OpenAI's stream; ``delta`` is its text and whatever else it brings."""
    choices = [] if delta is None and finish is None else [{"index": 0, "delta": delta or {}, "finish_reason": finish}]
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "fake-1",
        "choices": choices,
        "usage": usage,
    }


def text(*pieces, finish="stop", usage=COUNTED):
    """A streamed answer of these pieces."""

    def behave(handler):
        handler.begin_events()
        for piece in pieces:
            handler.event(chunk({"role": "assistant", "content": piece}))
        if finish:
            handler.event(chunk({}, finish=finish))
        if usage is not None:
            handler.event(chunk(usage=counted(handler, usage)))
        handler.event("[DONE]")
        handler.end_events()

    return behave


def whole(content, **message):
    """An answer of a server that does not stream."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content, **message}}
    body = {"id": "c1", "object": "chat.completion", "created": 1, "model": "fake-1", "choices": [choice]}
    return lambda handler: handler.whole(200, json.dumps({**body, "usage": counted(handler)}, indent=1).encode())


def tool_call(name, arguments):
    def behave(handler):
        handler.begin_events()
        call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments[:4]}}
        handler.event(chunk({"role": "assistant", "tool_calls": [call]}))
        handler.event(chunk({"tool_calls": [{"index": 0, "function": {"arguments": arguments[4:]}}]}))
        handler.event(chunk({}, finish="tool_calls"))
        handler.event(chunk(usage=counted(handler)))
        handler.event("[DONE]")
        handler.end_events()

    return behave


def status(code, message="no", kind="application/json", **headers):
    return lambda handler: handler.whole(
        code, {"error": {"message": message, "type": "t", "code": None}}, kind, **headers
    )


def page(code=200):
    return lambda handler: handler.whole(code, b"<html><body>Welcome to nginx!</body></html>", "text/html")


def refusal(words):
    def behave(handler):
        handler.begin_events()
        handler.event(chunk({"role": "assistant", "refusal": words}))
        handler.event(chunk({}, finish="stop"))
        handler.event("[DONE]")
        handler.end_events()

    return behave


def cut_off(*pieces):
    """Sends the beginning of an answer and drops the connection."""

    def behave(handler):
        handler.begin_events()
        for piece in pieces:
            handler.event(chunk({"role": "assistant", "content": piece}))

    return behave


def events(*data):
    """Sends events as they are."""

    def behave(handler):
        handler.begin_events()
        for item in data:
            handler.event(item)
        handler.end_events()

    return behave


def endless(piece):
    """Goes on until the client hangs up."""

    def behave(handler):
        handler.begin_events()
        try:
            while True:
                handler.raw(piece)
        except OSError:
            handler.server.hung_up.set()

    return behave


def many(event_of):
    """Sends the event of each number until the client hangs up."""

    def behave(handler):
        handler.begin_events()
        try:
            for number in itertools.count():
                handler.event(event_of(number))
        except OSError:
            handler.server.hung_up.set()

    return behave


def call_chunk(number, **function):
    """An event that brings the tool call of this number."""
    call = {"index": number, "id": f"c{number}", "type": "function", "function": {"arguments": "{}", **function}}
    return chunk({"tool_calls": [call]})


def compressed(data):
    """Sends events in gzip, asked for or not."""
    return lambda handler: handler.whole(200, gzip.compress(data), "text/event-stream", content_encoding="gzip")


def hanging(*pieces, until, rest=(" late",)):
    """Sends some pieces, then nothing until the event is set or the client hangs up; then the rest."""

    def behave(handler):
        handler.begin_events()
        for piece in pieces:
            handler.event(chunk({"role": "assistant", "content": piece}))
        handler.connection.settimeout(0.01)
        while not until.is_set():
            try:
                if handler.connection.recv(1) == b"":
                    handler.server.hung_up.set()
                    return
            except TimeoutError:
                continue
        handler.connection.settimeout(5)
        for piece in rest:
            handler.event(chunk({"content": piece}))
        handler.event(chunk({}, finish="stop"))
        handler.event("[DONE]")
        handler.end_events()

    return behave


def hints(handler):
    """Sends early hints for ever, until the client hangs up."""
    with suppress(OSError):
        while True:
            handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
            handler.wfile.flush()
    handler.server.hung_up.set()


def drop(handler):
    """Hangs up without an answer."""
    handler.connection.close()


def anthropic_text(*pieces, stop="end_turn", thinking="", usage=None):
    """A streamed answer of Anthropic's messages."""
    start = {
        "id": "m1", "type": "message", "role": "assistant", "model": "claude-fake", "content": [], "stop_reason": None,
    }  # fmt: skip

    def behave(handler):
        handler.begin_events()
        message = {**start, "stop_sequence": None, "usage": {"input_tokens": 5, "output_tokens": 1, **(usage or {})}}
        handler.event({"type": "message_start", "message": message}, "message_start")
        index = 0
        if thinking:
            block = {"type": "thinking", "thinking": "", "signature": ""}
            handler.event({"type": "content_block_start", "index": 0, "content_block": block}, "content_block_start")
            delta = {"type": "thinking_delta", "thinking": thinking}
            handler.event({"type": "content_block_delta", "index": 0, "delta": delta}, "content_block_delta")
            handler.event({"type": "content_block_stop", "index": 0}, "content_block_stop")
            index = 1
        block = {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
        handler.event(block, "content_block_start")
        for piece in pieces:
            delta = {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": piece}}
            handler.event(delta, "content_block_delta")
        handler.event({"type": "content_block_stop", "index": index}, "content_block_stop")
        end = {"stop_reason": stop, "stop_sequence": None}
        handler.event({"type": "message_delta", "delta": end, "usage": {"output_tokens": 4}}, "message_delta")
        handler.event({"type": "message_stop"}, "message_stop")
        handler.end_events()

    return behave


def google_text(*pieces, finish="STOP", thought=""):
    """A streamed answer of Google's generateContent."""

    def behave(handler):
        handler.begin_events()
        if thought:
            content = {"role": "model", "parts": [{"text": thought, "thought": True}]}
            handler.event({"candidates": [{"content": content, "index": 0}], "modelVersion": "gemini-fake"})
        for number, piece in enumerate(pieces, start=1):
            candidate = {"content": {"role": "model", "parts": [{"text": piece}]}, "index": 0}
            if number == len(pieces):
                candidate["finishReason"] = finish
            counts = {"promptTokenCount": 6, "candidatesTokenCount": 3, "totalTokenCount": 9}
            handler.event({"candidates": [candidate], "usageMetadata": counts, "modelVersion": "gemini-fake"})
        handler.end_events()

    return behave
