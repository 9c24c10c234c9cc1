"""``workbench mcp``: another program takes part, by the SDK's own client, over both transports and with rights."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.conftest import Command
from tests.waiting import eventually
from workbench import Workspace
from workbench.bootstrap import clients
from workbench.bootstrap.clients import PERMISSIONS, Client, NotAllowed, allow, allowed, deny
from workbench.cli.other_programs import mcp as command_of
from workbench.cli.other_programs.mcp_server import COMMANDS, SHARED
from workbench.domain.errors import NotFound, UsageError
from workbench.domain.session import events as say
from workbench.planning.beside_the_loop import offering

PLAN = "# Move the office\n\n## Steps\n\n- S1 · Book a van\n  - Owner: Anna\n- S2 · Load it\n  - Needs: S1\n"
TOOLS = {
    "plans", "plan", "next_steps", "due", "propose_changes", "offers", "report", "claim", "release", "shared_get",
    "shared_set", "shared_delete", "shared_log", "recall", "say", "start_session",
}  # fmt: skip


def planned(workspace: Workspace, *, private: bool = False) -> str:
    """Return a session that has a plan, and waits for its person."""
    from workbench.planning.policies import approving_all

    manager = workspace.start("Move the office", proposal=PLAN, private=private)
    asyncio.run(manager.run(approving_all()))
    return str(manager.state.session)


@pytest.fixture
def command(workbench: Command) -> Command:
    """Run a command in the folder of the workspace."""
    return workbench


@pytest.fixture
def workspace(command: Command, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace where commands run."""
    assert command
    with Workspace.open(tmp_path) as opened:
        yield opened


@pytest.fixture
def session(workspace: Workspace) -> str:
    return planned(workspace)


@pytest.fixture
def claude(workspace: Workspace) -> Client:
    allow(workspace, "claude", PERMISSIONS)
    return Client(workspace, "claude")


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def owner(workspace: Workspace, session: str, step: str) -> str:
    plan = workspace.session(session).state().plan
    assert plan is not None
    return next(one.owner for one in plan.steps if one.id == step)


# what it is allowed


def test_it_joins_and_hears_of_values_once_a_person_allowed_that(workspace: Workspace, session: str) -> None:
    heard: list[Any] = []
    heard_by_all: list[Any] = []
    client, other = Client(workspace, "claude"), Client(workspace, "codex")
    allow(workspace, "codex", ["read", "offer"])

    def joined() -> bool:
        return any(one.session_id == client.id for one in workspace.sharing_sessions())

    client.join(heard.extend)
    other.join(heard_by_all.extend)
    with pytest.raises(NotAllowed):
        client.plans()
    assert not joined()
    allow(workspace, "claude", ["read"], session)
    client.plan(session)
    assert joined()
    count = len(heard_by_all)
    other.shared_set("a", 1)
    eventually(lambda: len(heard_by_all) > count)
    assert not heard
    allow(workspace, "claude", ["read"])
    other.shared_set("a", 2)
    eventually(lambda: heard)
    client.leave()
    other.leave()


def test_what_is_allowed_goes_by_name_session_and_kind(workspace: Workspace, session: str) -> None:
    other = planned(workspace)
    allow(workspace, "claude", ["read"], session)
    client = Client(workspace, "claude")
    assert [one["session"] for one in client.plans()] == [session]
    for refused in (
        lambda: client.plan(other),
        lambda: client.propose_changes(session, "S1 owner Ben", "why"),
        lambda: Client(workspace, "codex").plan(session),
    ):
        with pytest.raises(NotAllowed):
            refused()
    assert allowed(workspace) == [("claude", session, "read")]
    allow(workspace, "claude", ["offer"], session)
    assert client.claim("task", f"{session}/S1")["outcome"] == "granted"
    assert client.release("task", f"{session}/S1")["outcome"] == "released"
    client.leave()
    deny(workspace, "claude", ["offer"], session)
    deny(workspace, "claude", ["read"], session)
    with pytest.raises(NotAllowed):
        client.plan(session)


def test_it_reads_what_people_said_and_no_replies(workspace: Workspace, session: str, claude: Client) -> None:
    log = workspace.session(session).log()
    log.record_given([say.MessageGiven(role="user", text="The van must be electric")], actor="person")
    log.record_given([say.MessageGiven(role="assistant", text="Electric vans are dear")], actor="nova", agent="nova")
    texts = [one["text"] for one in claude.recall(session, "electric van")]
    assert "The van must be electric" in texts
    assert "Electric vans are dear" not in texts


# what it does


def test_plans_and_steps(workspace: Workspace, session: str, claude: Client) -> None:
    whole = claude.plan(session)
    assert "Book a van" in whole
    assert "Load it" in whole
    assert claude.plan(session, "s2").count("S1") >= 1
    assert "Move the office" in json.dumps(claude.plan(session, format="json"))
    assert [one["step"] for one in claude.next_steps(session)] == ["S1"]
    assert claude.next_steps(session, "Ben") == []
    with pytest.raises(NotFound, match="There is no part 'S9'"):
        claude.plan(session, "S9")
    workspace.session(session).edit("S1 effort 300 days")
    assert re.search(r"^S2 .* \|\| .* 20\d\d", claude.plan(session), re.MULTILINE)  # not this year's


def test_no_command_accepts_an_offer_in_the_shell_of_an_agent(
    workspace: Workspace, session: str, claude: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = workspace.session(session)
    claude.propose_changes(session, "S1 owner Ben", "Anna is away")
    monkeypatch.setenv("CLAUDECODE", "1")
    for command in ("O1 accept", "O1  ACCEPT", "o1 accept"):
        with pytest.raises(UsageError, match="from within an agent"):
            handle.edit(command)
    assert owner(workspace, session, "S1") != "Ben"
    handle.edit("S2 owner Cleo")
    monkeypatch.delenv("CLAUDECODE")
    handle.edit("O1 accept")
    assert owner(workspace, session, "S1") == "Ben"


def test_an_offer_changes_nothing_until_it_is_accepted(workspace: Workspace, session: str, claude: Client) -> None:
    handle = workspace.session(session)
    before = handle.state().plan
    assert "offered as O1" in claude.propose_changes(session, "S1 owner Ben", "Anna is away")
    assert "offered as O2" in claude.propose_changes(session, "S2 owner Cleo", "why")
    assert handle.state().plan == before
    assert [one["decided"] for one in claude.offers(session)] == ["waits for a person"] * 2
    handle.edit("o1 accept")
    handle.edit('O2 decline "Cleo has left"')
    assert (owner(workspace, session, "S1"), owner(workspace, session, "S2")) == ("Ben", "")
    state = handle.state()
    assert {str(one.cause.kind) for one in state.versions[-1].changes} == {"client"}
    assert [(one["decided"], one["note"]) for one in claude.offers(session)] == [
        ("accepted", ""),
        ("declined", "Cleo has left"),
    ]
    assert claude.offers(session)[0]["reason"] == "Anna is away"
    for wrong, why in (
        ("O1 accept", "was accepted"),
        ("O9 accept", "no offer"),
        ("O2 accept; S1 done", "one offer at a time|beside"),
    ):
        with pytest.raises(UsageError, match=why):
            handle.edit(wrong)
    handle.edit("undo")
    assert owner(workspace, session, "S1") == "Anna"
    assert handle.verify().sound
    assert Client(workspace, "codex").name != claude.name


@pytest.mark.parametrize(
    "commands",
    [
        "make it better",
        "S9 owner Ben",
        "",
        "S1 owner Anna",
        "S1 owner Ben; S1 owner Anna",
        "x" * 5_000,
        "undo",
        "U1 dismiss",
    ],
)
def test_what_cannot_be_done_is_not_offered(workspace: Workspace, session: str, claude: Client, commands: str) -> None:
    with pytest.raises(UsageError):
        claude.propose_changes(session, commands, "why")
    with pytest.raises(UsageError, match="needs a reason"):
        claude.propose_changes(session, "S1 owner Ben", " ")
    assert workspace.session(session).state().offers == ()


@pytest.mark.parametrize("commands", [*COMMANDS, "\n".join(COMMANDS)])
def test_the_examples_that_a_program_is_told_are_commands(session: str, claude: Client, commands: str) -> None:
    assert "offered as O1" in claude.propose_changes(session, commands, "why")


def test_a_report_is_done_where_that_is_allowed(workspace: Workspace, session: str, claude: Client) -> None:
    assert claude.report(session, "S1 done").startswith("done")
    assert {one.cause.source for one in workspace.session(session).state().versions[-1].changes} == {"claude"}
    assert claude.report(session, "S1 done").startswith("done already")
    claude.propose_changes(session, "S2 started", "why")
    for more in (
        "S1 owner Ben",
        "S1 done; S2 owner Ben",
        "undo",
        'step "New"',
        "S2 dropped",
        "O1 accept",
        "U1 dismiss",
    ):
        with pytest.raises(UsageError):
            claude.report(session, more)
    assert owner(workspace, session, "S1") == "Anna"
    deny(workspace, "claude", ["report"])
    with pytest.raises(UsageError, match="how far steps are"):
        claude.report(session, "S1 owner Ben")
    assert "offered as O1" in claude.report(session, "S2 started")  # as it was offered before
    assert "offered as O2" in claude.report(session, "S2 50%")
    assert all("S1 done" not in one.text for one in workspace.session(session).state().history)
    assert [one["step"] for one in claude.next_steps(session)] == ["S2"]
    workspace.session(session).edit("S2 done")
    with pytest.raises(UsageError, match="by their names alone"):  # of no step, as all are done
        claude.propose_changes(session, "all done", "why")


def test_reports_and_values_are_bounded(
    session: str, claude: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offering, "MOST_REPORTED", 3)
    claude.report(session, "S1 started")
    workspace.session(session).edit("S1 50%")
    claude.report(session, "S1 60%")
    with pytest.raises(UsageError, match="reported 3 changes already"):
        [claude.report(session, f"S1 {one}%") for one in (70, 80, 90)]
    monkeypatch.setattr(clients, "MOST_OF_VALUES", 30)
    with pytest.raises(UsageError, match="shared 30 characters already"):
        [claude.shared_set("a", "x" * 10) for _ in range(3)]
    monkeypatch.setattr(clients, "MOST_RETURNED", 40)
    assert claude.shared_get() == {"a": {"characters": 12, "version": 2}}
    assert claude.shared_get("a")["a"]["value"] == "x" * 10
    page = claude.shared_log()
    assert [one["seq"] for one in page + claude.shared_log(page[0]["seq"])][:1] == [page[0]["seq"]]
    assert len(page) == 1


def test_what_it_says_reaches_people_and_no_model(workspace: Workspace, session: str, claude: Client) -> None:
    claude.say(session, "I \x1b[31mbegan")
    state = workspace.session(session).state()
    assert [one.text for one in state.client_messages] == ["I ␛[31mbegan"]
    assert all("began" not in one.text for one in state.history)
    assert state.gate is None or state.gate == workspace.session(session).state().gate


def test_too_much_of_one_client_is_refused(
    workspace: Workspace, session: str, claude: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, most in (("MOST_BEGUN", 2), ("MOST_KEYS", 9), ("MOST_CLAIMS", 4)):
        monkeypatch.setattr(clients, limit, most)
    monkeypatch.setattr(offering, "MOST_OPEN", 3)
    for number in range(3):
        claude.propose_changes(session, f"S1 owner Ben{number}", "why")
    with pytest.raises(UsageError, match="are waiting already"):
        claude.propose_changes(session, "S1 owner Zoe", "why")
    for _ in range(10):
        claude.say(session, "x" * 4_000)
    with pytest.raises(UsageError, match="said 40,000 characters already"):
        claude.say(session, "More")
    for _ in range(2):
        Client(workspace, "claude").start_session("Another @notes.txt")
    with pytest.raises(UsageError, match="2 sessions of claude wait"):
        claude.start_session("Another")
    allow(workspace, "claude-code", PERMISSIONS)
    Client(workspace, "claude-code").shared_set("of another", 1)
    for number in range(9):
        claude.shared_set(f"k{number}", number)
    for refused in (lambda: claude.shared_set("more", 1), lambda: claude.shared_set("k1", "x" * 20_000)):
        with pytest.raises(UsageError, match=r" 9 keys|characters at most"):
            refused()
    for number in range(4):
        Client(workspace, "claude").claim("task", f"t{number}")
    with pytest.raises(UsageError, match="claimed 4"):
        Client(workspace, "claude").claim("task", "more")
    with pytest.raises(UsageError, match="too much at once"):
        next(one for one in (claude.shared_set("k1", 1) for _ in range(1_000)) if not one)


def test_a_session_that_it_began_is_private_and_reads_nothing(
    workspace: Workspace, claude: Client, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("a secret")
    begun = workspace.session(claude.start_session("Another @notes.txt")).state()
    assert (begun.private, begun.files, begun.name) == (True, (), "claude asks: Another @notes.txt")


def test_sharing_and_claims(workspace: Workspace, session: str, claude: Client) -> None:
    claude.join()
    assert claude.shared_set("phase", "testing")["outcome"] == "committed"
    assert claude.shared_get("phase") == {"phase": {"value": "testing", "version": 1}}
    name = f"{session}/S1"
    assert claude.claim("task", name)["outcome"] == "granted"
    assert claude.next_steps(session)[0]["claimed by"] == "you"
    other = Client(workspace, "claude")
    assert other.claim("task", name)["outcome"] == "refused"
    assert other.next_steps(session)[0]["claimed by"] == claude.id
    for wrong, why in ((f"{session}/S9", "no step S9"), ("S1", "which plan"), ("nothing-here/S1", "no session")):
        with pytest.raises((UsageError, NotFound), match=why):
            claude.claim("task", wrong)
    assert {one.session_id for one in workspace.sharing_sessions()} >= {str(claude.id), str(other.id)}
    claude.leave()
    assert other.claim("task", name)["outcome"] == "granted"
    assert claude.shared_log()
    other.leave()


# the server


@asynccontextmanager
async def connected(workspace: Workspace, **options: Any) -> AsyncIterator[Any]:
    import mcp  # it takes a second, in each worker

    root = workspace.parts.folder.root.parent
    args = ["-P", "-m", "workbench", "mcp", "--client", "claude", "--workspace", str(root)]
    parameters = mcp.StdioServerParameters(command=sys.executable, args=args, env=dict(os.environ))
    async with mcp.Client(mcp.stdio_client(parameters), **options) as client:
        yield client


def text_of(result: Any) -> str:
    return "\n".join(part.text for part in result.content)


ARGUMENTS: dict[str, dict[str, Any]] = {
    "plans": {}, "plan": {"part": "S1"}, "next_steps": {}, "due": {},
    "propose_changes": {"commands": "S1 owner Ben", "reason": "r"}, "offers": {}, "report": {"commands": "S1 started"},
    "claim": {"kind": "task", "name": "t"}, "release": {"kind": "task", "name": "t"}, "shared_get": {},
    "shared_set": {"key": "a", "value": {"b": 1}}, "shared_delete": {"key": "a"}, "shared_log": {},
    "recall": {"query": "van"}, "say": {"text": "Hello"}, "start_session": {"goal": "Move the kitchen"},
}  # fmt: skip
OF_A_SESSION = {"plan", "next_steps", "propose_changes", "offers", "report", "recall", "say"}


async def all_tools(client: Any, session: str) -> None:
    """List and call every tool, read the resource, and render the prompts."""
    assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS == ARGUMENTS.keys()
    for name, arguments in ARGUMENTS.items():
        given = arguments | ({"session": session} if name in OF_A_SESSION else {})
        result = await client.call_tool(name, given)
        assert not result.is_error, (name, text_of(result))
    refused = await client.call_tool("propose_changes", {"session": session, "commands": "make it so", "reason": "r"})
    assert refused.is_error
    assert "Nothing was recorded" in text_of(refused)
    resources = (await client.list_resources()).resources
    assert [str(one.uri) for one in resources] == [SHARED]
    shared = json.loads((await client.read_resource(SHARED)).contents[0].text)
    assert [one["value"]["phase"] for one in shared.values()] == ["joined"]
    assert {one.name for one in (await client.list_prompts()).prompts} == {"plan-this", "next-step"}
    assert session in str(await client.get_prompt("next-step", {"session": session}))
    with pytest.raises(Exception, match="Missing required arguments"):
        await client.get_prompt("next-step", {})


async def test_the_sdks_client_calls_every_tool_of_a_process_and_is_told_of_a_change(
    command: Command, workspace: Workspace, session: str, tmp_path: Path, claude: Client
) -> None:
    command("sessions", "export", session, "--format", "agents", "-o", "PLAN.md")
    async with connected(workspace) as client:
        assert "offer" in (client.instructions or "")
        await all_tools(client, session)
        await asyncio.to_thread(eventually, lambda: "under way" in (tmp_path / "PLAN.md").read_text())
        members = await asyncio.to_thread(workspace.sharing_sessions)
        assert any(one.session_id.startswith("claude-") for one in members)
        async with client.listen(resource_subscriptions=[SHARED]) as told:
            await asyncio.to_thread(claude.shared_set, "phase", "two")
            assert SHARED in str(await asyncio.wait_for(anext(aiter(told)), 10))
    assert workspace.session(session).state().offers[0].client == "claude"


@pytest.mark.usefixtures("claude")
async def test_over_http_a_token_is_needed(
    workspace: Workspace, session: str, opened: ExitStack, full_counts: bool
) -> None:
    root = str(workspace.parts.folder.root.parent)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "workbench", "mcp", "--client", "claude", "--http", "0", "--json",
        "--workspace", root, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        told = json.loads(await asyncio.wait_for(process.stdout.readline(), 30))
        port = httpx.URL(told["url"]).port
        addresses = [("127.0.0.1", port or 0)] * (600 if full_counts else 160)  # they say nothing
        held = [opened.enter_context(socket.create_connection(one)) for one in addresses]
        async with httpx.AsyncClient(timeout=30) as http:
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                assert (await http.post(told["url"], json={}, headers=headers)).status_code == 401
        import mcp
        from mcp.client.streamable_http import streamable_http_client

        headers = {"Authorization": f"Bearer {told['token']}"}
        async with (
            httpx.AsyncClient(headers=headers, timeout=30) as http,
            mcp.Client(streamable_http_client(told["url"], http_client=http)) as client,
        ):
            await all_tools(client, session)
            begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"},
            }}  # fmt: skip
            accepts = {"Accept": "application/json, text/event-stream"}
            codes = {(await http.post(told["url"], json=begin, headers=accepts)).status_code for _ in range(66)}
            assert codes == {200}  # who was idle for longest makes room
        assert held.pop(0).recv(1) == b""  # and so does the oldest connection that showed no token
        process.send_signal(signal.SIGINT)
        await asyncio.wait_for(process.wait(), 10)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.usefixtures("claude")
async def test_calls_that_wait_for_no_answer_are_carried_out_in_order(workspace: Workspace, session: str) -> None:
    async with connected(workspace) as client:
        calls = [
            call
            for one in range(1, 7)
            for call in (
                client.call_tool("report", {"session": session, "commands": f"S1 {one}0%"}),
                client.call_tool("shared_set", {"key": "a", "value": one}),
            )
        ]
        told = await asyncio.gather(*calls)
        wrong = text_of(await client.call_tool("claim", {"kind": "nothing"}))
        assert json.loads(text_of(await client.call_tool("shared_get", {"key": "a"})))["a"]["value"] == 6
    assert [text_of(one).rpartition(" ")[2] for one in told[::2]] == list("234567")
    assert wrong == "claim cannot be called like that: kind: input should be 'task' or 'file'; name: field required."


async def test_a_killed_client_has_crashed_and_its_claim_is_free(workspace: Workspace, claude: Client) -> None:
    root = str(workspace.parts.folder.root.parent)
    program = (
        "import signal, sys\nfrom workbench import Workspace\nfrom workbench.bootstrap.clients import Client\n"
        "client = Client(Workspace.open(sys.argv[1]), 'claude')\nclient.claim('task', 'x')\n"
        "print(client.id, flush=True)\nsignal.pause()\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, root, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    name = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().strip()
    process.kill()
    await process.wait()

    def crashed() -> bool:
        return any(one.session_id == name and one.status == "crashed" for one in workspace.sharing_sessions())

    await asyncio.to_thread(eventually, crashed)
    assert claude.claim("task", "x")["outcome"] == "granted"
    claude.leave()


@pytest.mark.usefixtures("claude")
async def test_a_program_that_has_gone_is_no_defect(workspace: Workspace) -> None:
    reading, writing = os.pipe()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "workbench", "mcp", "--client", "claude",
        "--workspace", str(workspace.parts.folder.root.parent),
        stdin=asyncio.subprocess.PIPE, stdout=writing, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    os.close(reading)
    os.close(writing)
    _, errors = await process.communicate(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 3)
    assert (process.returncode, errors) == (0, b"")


# the commands


def test_allowing_by_command(command: Command, session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command("mcp", "clients").out.startswith("No program is allowed anything")
    assert command("mcp", "allow", "claude", "read").code == 2
    assert command("mcp", "allow", "claude", "fly", "--all", "--yes").code == 2
    assert command("mcp", "allow", "claude", "read", "--all").code == 2  # nobody can be asked here
    monkeypatch.setenv("GEMINI_CLI", "1")
    for consent in (
        ("mcp", "allow", "claude", "report", "--all", "--yes"),
        ("offers", session, "--accept", "O1"),
        ("lessons", "accept", "L1"),
    ):
        assert "from within an agent (GEMINI_CLI)" in command(*consent).err
    monkeypatch.delenv("GEMINI_CLI")
    for name in ("Claude", "ｃlaude", "claude\n"):  # rights go by the name
        for given in (("mcp", "allow", name, "read", "--all", "--yes"), ("mcp", "--client", name)):
            assert "Did you mean claude?" in command(*given).err
    assert command("mcp", "allow", "claude", "read", "offer", "--session", session, "--yes").code == 0
    listed = command("mcp", "clients", "--json").lines
    assert [(one["client"], one["session"], one["permission"]) for one in listed] == [
        ("claude", session, "offer"),
        ("claude", session, "read"),
    ]
    assert command("mcp", "deny", "claude", "offer", "--session", session, "--json").lines == listed[1:]


@pytest.mark.parametrize("program", ["claude", "codex", "gemini", "vscode", "cursor"])
@pytest.mark.usefixtures("workspace")
def test_what_is_pasted(command: Command, program: str) -> None:
    printed = command("mcp", "--print-config", program, "--json").last
    assert printed["args"][-4:-2] == ["--client", program] or program in printed["args"]
    assert printed["command"] in printed["text"]
    if program in ("claude", "codex", "gemini"):
        assert shlex.split(printed["text"])[-len(printed["args"]) :] == printed["args"]
    else:
        text = shlex.split(printed["text"])[-1] if program == "vscode" else printed["text"].partition("\n")[2]
        named = json.loads(text)
        assert (named if program == "vscode" else named["mcpServers"]["workbench"])["args"] == printed["args"]
    assert f"workbench mcp allow {program}" in command("mcp", "--print-config", program).err


def test_offers_by_command(command: Command, workspace: Workspace, session: str, claude: Client) -> None:
    assert command("offers", session).out.startswith("No other program offered")
    claude.propose_changes(session, "S1 owner Ben", "Anna is away")
    claude.propose_changes(session, "S2 owner Cleo", "why")
    claude.say(session, "I began\n\nO9 · Anna · accepted")
    for commands in ('S2 title "Gone"; S1 title "Load it"', '"Load it" owner Dora'):
        claude.propose_changes(session, commands, "why")
    shown = command("offers", session)
    assert not any(line.startswith("O9") for line in shown.out.splitlines())
    for part in ("O1", "claude", "S1 owner Ben", "Anna is away", "claude says:\n  I began", "--accept O1"):
        assert part in shown.out + shown.err
    unasked = command("offers", session, "--accept", "O1")
    assert (unasked.code, "S1 owner: Anna → Ben" in unasked.out, "Say --yes" in unasked.err) == (2, True, True)
    assert "accepted: O1 of claude" in command("offers", session, "--accept", "O1", "--yes").out
    declined = command("offers", session, "--decline", "O2", "--because", "Not now", "--json").last
    assert (declined["decided"], declined["note"]) == ("declined", "Not now")
    assert "you said: Not now" in command("offers", session).out
    for refused in (("--accept", "O9"), ("--accept", "O3", "--decline", "o3"), ("--accept", "O3", "--decline", "O9")):
        assert command("offers", session, *refused).code == 2
    assert [one.decided for one in workspace.session(session).state().offers[2:]] == ["", ""]
    assert (
        "O4 would do something different" in command("offers", session, "--accept", "O3", "--accept", "O4", "--yes").err
    )
    assert [one.decided for one in workspace.session(session).state().offers[2:]] == ["accepted", ""]
    assert owner(workspace, session, "S1") == "Ben"


@pytest.mark.usefixtures("workspace")
def test_an_unsafe_token_is_refused(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(command_of.TOKEN, "short")
    assert "is not a safe token" in command("mcp", "--http", "0").err
