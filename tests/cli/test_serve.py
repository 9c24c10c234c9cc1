"""``workbench serve``: who is let in, what is sent along, and what a person is told where it cannot be."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientResponse, CookieJar, WSServerHandshakeError
from aiohttp.test_utils import TestClient, TestServer
from tests.cli.conftest import Command
from tests.json_schemas import FOLDER
from workbench.cli import serve
from workbench.cli.web_server import WebServer

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


@asynccontextmanager
async def served(
    *, token: str = "", is_local: bool = True, program: str = SAYS_WHAT_IT_HEARS
) -> AsyncIterator[TestClient]:
    server = WebServer([sys.executable, "-c", program], token, is_local=is_local)
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
    async with served(program="raise SystemExit('no such session')") as client, client.ws_connect("/ws") as page:
        assert (await page.receive()).type.name == "CLOSE"
    assert "no such session" in capsys.readouterr().out


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


def test_a_port_that_is_taken_is_told(workbench: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused = workbench("serve", "--port", str(taken.getsockname()[1]))
    assert refused.code == 2
    assert "--port" in refused.err


def test_without_the_extra_it_says_how_to_get_it(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    monkeypatch.delitem(sys.modules, "workbench.cli.web_server")
    refused = workbench("serve")
    assert refused.code == 2
    assert "pip install 'planning-workbench[serve]'" in refused.err


def test_a_weak_token_is_refused(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(serve.TOKEN, "short")
    refused = workbench("serve", "--host", "0.0.0.0")
    assert refused.code == 2
    assert serve.TOKEN in refused.err


def test_a_port_beyond_all_is_wrong_use(workbench: Command) -> None:
    assert workbench("serve", "--port", "65536").code == 2
