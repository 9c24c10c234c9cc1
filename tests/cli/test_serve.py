"""``workbench serve``: who is let in, what is sent along, and what a person is told where it cannot be."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from aiohttp import ClientResponse, ClientSession, CookieJar, WSServerHandshakeError
from aiohttp.test_utils import TestClient, TestServer
from tests.cli.conftest import Command
from tests.json_schemas import FOLDER
from tests.processes import is_there
from tests.waiting import eventually
from workbench.cli.application import serve
from workbench.cli.application.web_server import Limits, WebServer

WORKBENCH = str(Path(sys.executable).with_name("workbench"))
TOKEN = "a-token-of-this-test"
SAYS_WHAT_IT_HEARS = """
import sys

heard, said = sys.stdin.buffer, sys.stdout.buffer
said.write(b"__GANGLION__\\n")
said.flush()
while (head := heard.read(5)) and head[:1] == b"D":
    said.write(head + heard.read(int.from_bytes(head[1:], "big")))
    said.flush()
"""
"""An application that says back what is typed, and ends when it is told anything else."""


IS_STUCK = """
import os, signal, subprocess, sys

for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(one, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "600"])
said = f"{os.getpid()} {child.pid}".encode()
sys.stdout.buffer.write(b"__GANGLION__\\nD" + len(said).to_bytes(4, "big") + said)
sys.stdout.flush()
if "stop" in sys.argv:
    os.kill(os.getpid(), signal.SIGSTOP)
while True:
    signal.pause()
"""
"""An application that says its process and that of a child, and then neither reads nor leaves."""
SERVES = """
import asyncio, sys
from workbench.cli.application.web_server import Limits, WebServer, run

command = [sys.executable, "-c", *sys.argv[1:]]
server = WebServer(command, "", is_local=True, limits=Limits())
asyncio.run(run(server, "127.0.0.1", 0, lambda port: print(port, flush=True)))
"""


@asynccontextmanager
async def served(
    *, token: str = "", is_local: bool = True, program: str = SAYS_WHAT_IT_HEARS, limits: Limits | None = None
) -> AsyncIterator[TestClient]:
    server = WebServer([sys.executable, "-c", program], token, is_local=is_local, limits=limits or Limits())
    async with TestClient(TestServer(server.application()), cookie_jar=CookieJar(unsafe=True)) as client:
        yield client


async def refusal(response: ClientResponse) -> str:
    assert response.status == 403
    return await response.text()


async def test_a_page_says_what_is_typed_and_closes_with_its_program() -> None:
    async with served() as client, client.ws_connect("/ws?width=90&height=x") as page:
        for nonsense in ("{", "[]", '["stdin", 7]', '["resize", {"width": "wide"}]', '["stdin", "\\ud800"]'):
            await page.send_str(nonsense)
        await page.send_json(["stdin", "héllo"])
        assert (await page.receive_bytes()) == "héllo".encode()
        await page.send_json(["focus"])
        assert (await page.receive()).type.name == "CLOSE"


async def test_a_program_that_cannot_begin_closes_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    said = r"raise SystemExit('no such session \x1b]0;owned\x07' + 'x' * 100_000)"
    async with served(program=said) as client, client.ws_connect("/ws") as page:
        assert (await page.receive()).type.name == "CLOSE"
    told = capsys.readouterr()
    assert told.err.startswith("no such session ")
    assert "\x1b" not in told.err
    assert len(told.err) < 10_000
    assert not told.out


async def gone(*processes: int) -> None:
    """Wait until there are no such processes."""
    await asyncio.to_thread(eventually, lambda: not any(map(is_there, processes)), within=20)


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")


@needs_proc
async def test_a_process_that_does_not_leave_is_killed_with_its_group() -> None:
    async with served(program=IS_STUCK, limits=Limits(ends_within=0.1)) as client:
        async with client.ws_connect("/ws") as page:
            processes = [int(one) for one in (await page.receive_bytes()).split()]
        await gone(*processes)


@needs_proc
async def test_a_process_that_takes_no_input_is_ended_and_its_page_says_so() -> None:
    limits = Limits(reads_within=0.1, ends_within=0.1)
    async with served(program=IS_STUCK, limits=limits) as client, client.ws_connect("/ws") as page:
        processes = [int(one) for one in (await page.receive_bytes()).split()]
        for _ in range(8):
            await page.send_json(["stdin", "x" * 50_000])
        closed = await page.receive()
        assert "did not answer" in str(closed.extra)
        await gone(*processes)


async def test_there_are_no_more_pages_than_a_bound() -> None:
    async with served(limits=Limits(pages=2)) as client:
        async with client.ws_connect("/ws"), client.ws_connect("/ws"), client.ws_connect("/ws") as refused:
            assert "2 pages are open" in str((await refused.receive()).extra)
        async with asyncio.timeout(20):  # closed pages make room
            while True:
                async with client.ws_connect("/ws") as page:
                    await page.send_json(["stdin", "again"])
                    if (await page.receive()).data == b"again":
                        break


async def test_a_message_that_is_too_large_ends_its_page() -> None:
    async with served() as client, client.ws_connect("/ws") as page:
        await page.send_json(["stdin", "x" * 60_000])
        assert len(await page.receive_bytes()) == 60_000
        await page.send_json(["stdin", "x" * 70_000])
        assert (await page.receive()).data == 1009


@needs_proc
@pytest.mark.parametrize(("ending", "state"), [(signal.SIGTERM, "stop"), (signal.SIGINT, "ignore")])
async def test_the_server_ends_whatever_its_pages_do(ending: signal.Signals, state: str) -> None:
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVES, IS_STUCK, state, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    port = int(await server.stdout.readline())
    async with ClientSession() as client, client.ws_connect(f"http://127.0.0.1:{port}/ws") as page:
        processes = [int(one) for one in (await page.receive_bytes()).split()]
        server.send_signal(ending)
        async with asyncio.timeout(Limits().ends_within):  # the server waits less than for a page that is closed
            said = await server.communicate()
    assert (server.returncode, said) == (0, (b"", b""))
    await gone(*processes)


@asynccontextmanager
async def listening(limits: Limits, token: str = "") -> AsyncIterator[int]:
    """Serve as the command does, and yield the port."""
    port, is_over = asyncio.get_running_loop().create_future(), asyncio.Event()
    server = WebServer([sys.executable, "-c", SAYS_WHAT_IT_HEARS], token, is_local=True, limits=limits)
    task = asyncio.create_task(server.listen("127.0.0.1", 0, port.set_result, is_over))
    yield await port
    is_over.set()
    await task


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX"])
async def test_a_connection_that_asks_slowly_is_closed(begun: bytes) -> None:
    async with listening(Limits(connection=0.05)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begun)
        with suppress(ConnectionResetError):
            assert await asyncio.wait_for(reader.read(), 20) == b""
        writer.close()


async def test_an_open_page_stays_while_others_come_and_go() -> None:
    limits = Limits(connection=0.05, connections=2)
    async with (
        listening(limits) as port,
        ClientSession() as client,
        client.ws_connect(f"http://127.0.0.1:{port}/ws") as page,
    ):
        for _ in range(4):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with suppress(ConnectionResetError):
                assert await asyncio.wait_for(reader.read(), 20) == b""
            writer.close()
        await page.send_json(["stdin", "still here"])
        assert await page.receive_bytes() == b"still here"


@pytest.mark.parametrize("head", [
    b"Host: [::1", b"Host: [::1]:x", b"Host: local\xffhost", b"Host: localhost:999999",
    b"Host: localhost\r\nHost: localhost", b"Host: ", b"X: y", b"Host: localhost\r\nOrigin: http://[::1",
    b"Host: localhost\r\nOrigin: null", b"Host: localhost\r\nOrigin: \xff://localhost",
    b"Host: localhost\r\nCookie: workbench-80=\xff", b"Host: 127.0.0.1\r\nOrigin: http://127.0.0.1@evil.example",
])  # fmt: skip
async def test_malformed_headers_are_refused_without_a_traceback(
    head: bytes, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async with listening(Limits(), TOKEN) as port:
        for path in (b"/", b"/?token=\xff", b"/ws", b"/%ff?token=%ff"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET %s HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n" % (path, head))
            answer = await asyncio.wait_for(reader.read(), 20)
            assert answer.split()[1] in (b"400", b"403"), answer
            assert b"Traceback" not in answer
            writer.close()
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


async def test_another_name_for_this_machine_is_refused() -> None:
    async with served() as client:
        assert (await client.get("/")).status == 200
        assert "this machine alone" in await refusal(await client.get("/", headers={"Host": "evil.example"}))


async def test_another_page_cannot_connect() -> None:
    async with served() as client:
        foreign = {"Origin": "https://evil.example"}
        with pytest.raises(WSServerHandshakeError) as refused:
            await client.ws_connect("/ws", headers=foreign)
        assert refused.value.status == 403
        own = {"Origin": str(client.make_url("/").origin())}
        async with client.ws_connect("/ws", headers=own):
            pass


async def test_without_the_token_nothing_is_served() -> None:
    async with served(token=TOKEN, is_local=False) as client:
        for path in ("/", "/ws", "/static/js/textual.js", "/?token=another", "/?token=h%C3%A9"):
            assert "has a token" in await refusal(await client.get(path))


async def test_the_token_becomes_a_cookie_that_no_script_reads() -> None:
    async with served(token=TOKEN, is_local=False) as client:
        page = await client.get(f"/?token={TOKEN}")
        assert page.status == 200
        assert page.url.query_string == ""
        cookie = page.history[0].headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        async with client.ws_connect("/ws"):
            pass


async def test_a_page_loads_from_here_alone() -> None:
    async with served() as client:
        for path in ("/", "/static/css/xterm.css"):
            response = await client.get(path)
            policy = response.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'")
            assert "http" not in policy
        assert "://" not in (await (await client.get("/")).text()).replace("ws://", "", 1)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("localhost", True), ("127.0.0.9", True), ("::1", True), ("0.0.0.0", False), ("::", False), ("box.lan", False)],
)
def test_only_loopback_needs_no_token(host: str, expected: bool) -> None:
    assert serve.is_loopback(host) is expected


def test_it_listens_and_says_where(tmp_path: Path) -> None:
    told = (FOLDER / "workbench.serve-1.json").read_text()
    command = [
        WORKBENCH,
        "serve",
        "--port",
        "0",
        "--host",
        "localhost",
        "--token",
        "--json",
        "--workspace",
        str(tmp_path),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {serve.TOKEN: TOKEN}) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        assert set(ready) == set(json.loads(told)["properties"])
        assert ready["needs_token"]
        assert ready["url"] == f"http://localhost:{ready['port']}/?token={TOKEN}"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
    assert not (tmp_path / ".workbench").exists()


def test_a_weak_token_is_refused(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(serve.TOKEN, "short")
    refused = workbench("serve", "--host", "0.0.0.0")
    assert refused.code == 2
    assert serve.TOKEN in refused.err
