"""A log that goes back under a live process: it ends with a sentence, and what it knew is in a session file."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest
from msgspec import Raw
from msgspec.structs import replace
from tests.builders import SESSION, as_draft, begin, events_of, other_handle
from tests.chains import is_sound
from tests.memory_log import MemoryLog
from tests.processes import seconds_of
from tests.redis_server import a_server, new_workspace
from tests.sharing.managers import manager
from tests.waiting import eventually
from workbench.bootstrap import Workspace
from workbench.domain.log.envelope import Head, first_broken_link, genesis
from workbench.domain.session import events as say
from workbench.planning.beside_the_loop.forking import fork
from workbench.planning.policies import approving_all, nobody
from workbench.planning.ports import SystemClock
from workbench.storage.files.log import FileLog
from workbench.storage.files.session_file import read_session_file

PATIENCE = 30.0
"""Seconds until a process that does not end is a failure: it takes well under one, on a machine with nothing to do."""
LITTLE = 0.5
"""Seconds of CPU to notice, to write the file and to end; a process that spun took all there was."""


class Driven:
    """A process that drives a session, and waits for a line whenever it is about to go on."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "tests.faults.went_back_process", *map(str, arguments)]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen(command, text=True, **pipes)

    def until(self, wanted):
        while (line := self.process.stdout.readline().strip()) != wanted:
            assert line, self.process.stderr.read()
            self.go_on()

    def go_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def end(self):
        """Let it go on, and return its exit code and what it says; it must not have worked for long."""
        used = before = seconds_of(self.process.pid)

        def has_ended():
            nonlocal used
            used = max(used, seconds_of(self.process.pid))
            return self.process.poll() is not None

        self.go_on()
        eventually(has_ended, within=PATIENCE)
        assert used - before < LITTLE
        return self.process.returncode, self.process.stderr.read()


@contextmanager
def driven(*arguments):
    running = Driven(*arguments)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


def write_another_history(log):
    """Write a session of the same id that somebody else drove to its end: it is longer than what went back."""
    other = begin("Move our billing to another provider", log=MemoryLog())
    asyncio.run(other.run(approving_all()))
    drafts = [replace(as_draft(event), session=str(SESSION), id="", cause="") for event in events_of(other)]
    log.append(SESSION, drafts, expected=0)


# --- files: how a path comes to have older content -----------------------------------------------------------


def renamed(path, older):
    aside = path.with_name("copy")
    aside.write_bytes(older)
    aside.replace(path)


def truncated(path, older):
    os.truncate(path, len(older))


def rewritten(path, older):
    path.write_bytes(older)


def put_back(path, older):
    path.unlink()
    path.write_bytes(older)


def exchanged(path, _older):
    elsewhere = FileLog(path.parent.parent / "elsewhere" / "sessions")
    write_another_history(elsewhere)
    (elsewhere.folder / path.name).replace(path)


def emptied(path, _older):
    path.write_bytes(b"")


def removed(path, _older):
    path.unlink()


WAYS = [renamed, truncated, rewritten, put_back, exchanged, emptied, removed]
MOMENTS = [("asked 3", "call.finished"), ("gate 1", "gate.answered")]
"""When the log goes back: with a reply on its way, and while a person is asked; and what cannot be written then."""


def check_end(end, known, folder, unsaved):
    """The process ended with a sentence that names a file with everything it knew, from which a session can be made."""
    code, said = end
    assert code == 1
    assert "Traceback" not in said
    assert said.count("\n") == 1
    (file,) = (folder / "trash").glob("*.unsaved-*.jsonl")
    assert f"import --new-id {file}" in said
    assert f"workbench resume {SESSION}" in said
    kept = list(read_session_file(file))
    assert kept[: len(known)] == known
    assert [event.kind for event in kept[len(known) :]] == [unsaved]
    assert first_broken_link(kept, Head("", 0, genesis(SESSION))) is None
    made = FileLog(folder / "made")
    copy = fork(made, kept, len(kept), person="ada", workspace="w-1", clock=SystemClock())
    assert is_sound(made, copy)
    assert len(list(made.read(copy))) > len(known)


@pytest.mark.full
@pytest.mark.parametrize(("moment", "unsaved"), MOMENTS)
@pytest.mark.parametrize("go_back", WAYS)
def test_a_file_that_goes_back_ends_its_driver(tmp_path, go_back, moment, unsaved):
    path = tmp_path / "sessions" / f"{SESSION}.jsonl"
    with driven(tmp_path) as driver:
        driver.until("asked 1")
        older = path.read_bytes()
        driver.go_on()
        driver.until(moment)
        known = list(FileLog(path.parent).read(SESSION))
        go_back(path, older)
        there = path.read_bytes() if path.exists() else b""
        check_end(driver.end(), known, tmp_path, unsaved)
    assert (path.read_bytes() if path.exists() else b"") == there, "nothing is written after what is there now"


# --- Redis: how a server comes to have older content -----------------------------------------------------------


class Server:
    """A server, and one workspace on it, at two moments."""

    def __init__(self, server):
        self.server = server
        self.workspace = new_workspace()
        self.keys = self.store().keys.stream("sessions", SESSION)[:3]

    def store(self):
        return self.server.store(self.workspace)

    def dump(self):
        with self.server.client() as client:
            return {key: client.dump(key) for key in self.keys}

    def restore(self, dumped):
        with self.server.client() as client:
            for key, value in dumped.items():
                client.restore(key, 0, value, replace=True)


def dump_restored(there, remember):
    there.restore(remember["dump"])


def deleted_and_restored(there, remember):
    with there.server.client() as client:
        client.delete(*there.keys)
    there.restore(remember["dump"])


def server_restarted_older(there, remember):
    there.server.kill()
    shutil.rmtree(there.server.folder / "appendonlydir")
    shutil.copytree(remember["folder"], there.server.folder / "appendonlydir")
    there.server.start()


def history_exchanged(there, _remember):
    with there.server.client() as client:
        client.delete(*there.keys)
    write_another_history(there.store().log())


@pytest.mark.cases(1)
@pytest.mark.parametrize(("moment", "unsaved"), MOMENTS)
@pytest.mark.parametrize("go_back", [dump_restored, deleted_and_restored, server_restarted_older, history_exchanged])
def test_a_server_that_goes_back_ends_its_driver(tmp_path, go_back, moment, unsaved):
    with a_server("--appendfsync", "always") as server:
        there = Server(server)
        with driven(tmp_path, server.url, there.workspace) as driver:
            driver.until("asked 1")
            shutil.copytree(server.folder / "appendonlydir", tmp_path / "older")
            remember = {"dump": there.dump(), "folder": tmp_path / "older"}
            driver.go_on()
            driver.until(moment)
            known = list(there.store().log().read(SESSION))
            go_back(there, remember)
            now = list(there.store().log().read(SESSION))
            check_end(driver.end(), known, tmp_path, unsaved)
        assert list(there.store().log().read(SESSION)) == now, "nothing is written after what is there now"


# --- what must not be taken for it ------------------------------------------------------------------------------------


def waiting_session(folder):
    """A session that waits at its first gate; nobody drives it meanwhile, so that it can be repaired and redacted."""
    session = begin(log=FileLog(folder / "sessions"))
    asyncio.run(session.run(nobody))
    return session


def check_it_goes_on(session, folder):
    state = asyncio.run(session.run(approving_all()))
    assert state.status == "finished"
    assert is_sound(FileLog(folder / "sessions"), SESSION)
    assert not list((folder / "trash").glob("*.unsaved-*"))


def test_a_session_goes_on_after_a_repair_took_its_last_event(tmp_path):
    session = waiting_session(tmp_path)
    other = FileLog(tmp_path / "sessions")
    path = other.file(SESSION).path
    content = path.read_bytes()
    path.write_bytes(content[:-20] + b"~" + content[-19:])
    assert other.repair(SESSION).lost > 0
    assert other.head(SESSION).seq < session.state.seq
    check_it_goes_on(session, tmp_path)


def test_a_session_goes_on_after_something_was_forgotten(tmp_path):
    session = waiting_session(tmp_path)
    other = other_handle(FileLog(tmp_path / "sessions"), SESSION)
    first = other.events()[0]
    body = Raw(bytes(first.body).replace(b"billing", b"[forgotten]"))
    other.redact({first.id: body}, say.ContentForgotten(item="x"), seen=other.state)
    check_it_goes_on(session, tmp_path)
    assert "billing" not in session.state.goal


def test_sharing_goes_on_after_others_archived_what_it_knows(tmp_path):
    def opened():
        return FileLog(tmp_path / "shared", shared=True, durable=False, archive_at=2_000)

    one, other = manager(opened()), manager(opened())
    one.update_context("a", "k", 0)
    seen = []
    one.subscribe("a", seen.extend)
    for number in range(1, 40):
        other.update_context("b", "k", number)
    assert len(list((tmp_path / "shared" / "archive").iterdir())) > 1
    eventually(lambda: seen[-1].value == 39 if seen else False)
    assert one.update_context("a", "end", True).outcome == "committed"
    one.unsubscribe("a")
    assert [event.seq for event in seen] == list(range(seen[0].seq, seen[-1].seq + 1)), "each once, in order"


# --- those who follow -------------------------------------------------------------------------------------------------


@contextmanager
def watching(folder):
    """A command that prints what is shared, as it is shared."""
    command = [sys.executable, "-m", "workbench", "shared", "watch", "--after", "0", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=folder, text=True, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.cases(1)
@pytest.mark.parametrize("go_back", [renamed, truncated, rewritten])
def test_who_watches_what_is_shared_is_told_once_and_goes_on(tmp_path, go_back):
    shared = Workspace.open(tmp_path, environ={}).shared()
    shared.update_context("a", "k", "first")
    path = tmp_path / ".workbench" / "shared" / "events.jsonl"
    older = path.read_bytes()
    shared.update_context("a", "k", "second")
    with watching(tmp_path) as process:
        values = (json.loads(line)["value"] for line in process.stdout)
        assert [next(values), next(values)] == ["first", "second"]
        before = seconds_of(process.pid)
        go_back(path, older)
        assert next(values) == "first", "it is read again from the start"
        Workspace.open(tmp_path, environ={}).shared().update_context("b", "k2", "third")
        assert next(values) == "third"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)  # it goes on, and hardly works
        assert seconds_of(process.pid) - before < LITTLE
        process.kill()
        said = process.stderr.read()
    assert said.count("went back") + said.count("was replaced, truncated or restored") == 1
    assert said.count("\n") == 1


@pytest.mark.parametrize("go_back", [renamed, truncated, rewritten])
def test_the_list_of_sessions_shows_what_is_there_now(tmp_path, go_back):
    workspace = Workspace.open(tmp_path, environ={})
    session = begin(log=workspace.log)
    path = tmp_path / ".workbench" / "sessions" / f"{SESSION}.jsonl"
    older = path.read_bytes()
    asyncio.run(session.run(nobody))
    (listed,) = workspace.sessions()
    assert listed.status == "waiting"
    go_back(path, older)
    (listed,) = workspace.sessions()
    assert (listed.error, listed.status) == ("", "interrupted")
