"""``workbench shared``: what sessions share, from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from workbench import Workspace
from workbench.domain.shared.merge import same

ROW = {
    "schema", "seq", "event_id", "session_id", "timestamp", "event_type", "key", "value", "previous_value",
    "base_version", "version", "rule", "loser", "context_hash",
}  # fmt: skip


@pytest.fixture
def workbench(workbench: Command, tmp_path: Path) -> Command:
    """Run a command where there is a workspace."""
    Workspace.open(tmp_path)
    return workbench


def test_a_value_is_set_and_got(workbench: Command) -> None:
    done = workbench("shared", "set", "phase", "Phase 2", "--json")
    assert done.code == 0, done.err
    expected = {"key": "phase", "value": "Phase 2", "version": 1, "outcome": "committed", "rule": "unchanged"}
    assert expected.items() <= done.last.items()
    got = workbench("shared", "get", "phase", "--json").last
    assert got == {"schema": "workbench.shared/1", "key": "phase", "value": "Phase 2", "version": 1}
    assert workbench("shared", "get", "phase").out == "Phase 2\n"


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("7", 7),
        ("-7.5", -7.5),
        ("true", True),
        ("null", None),
        ('["a"]', ["a"]),
        ('{"a": {"b": 1}}', {"a": {"b": 1}}),
        ('"7"', "7"),
        ("plain words", "plain words"),
        ("not json]", "not json]"),
    ],
)
def test_a_value_is_json_else_a_text(workbench: Command, given: str, value: object) -> None:
    workbench("shared", "set", "k", given)
    assert same(workbench("shared", "get", "k", "--json").last["value"], value)


@pytest.mark.parametrize(("given", "what"), [('["a","b"', "a list"), (' {"a": 1,}', "an object")])
def test_what_begins_like_json_and_is_none_does_not_replace_a_list(workbench: Command, given: str, what: str) -> None:
    workbench("shared", "set", "list", '["a"]')
    for arguments, stdin in ((given, ""), ("-", given)):
        refused = workbench("shared", "set", "list", arguments, stdin=stdin)
        assert (refused.code, refused.out) == (2, "")
        assert f"begins like {what} but is not JSON. Correct it, or take it as a text with --text." in refused.err
    assert workbench("shared", "get", "list", "--json").last["value"] == ["a"]


@pytest.mark.parametrize("given", ['["a","b"', "7", '["a"]'])
def test_a_value_is_a_text_where_that_is_said(workbench: Command, given: str) -> None:
    workbench("shared", "set", "by argument", given, "--text")
    workbench("shared", "set", "by input", "-", "--text", stdin=given)
    assert [row["value"] for row in workbench("shared", "get", "--json").lines] == [given, given]


def test_it_says_whether_it_committed_merged_or_refused(workbench: Command) -> None:
    assert workbench("shared", "set", "files", '["a"]').out == 'committed: files = ["a"] (version 1)\n'
    workbench("shared", "set", "files", '["a", "b"]')
    merged = workbench("shared", "set", "files", '["a", "c"]', "--base", "1")
    assert merged.code == 0
    assert merged.out.startswith("merged with the change of cli-")
    assert merged.out.endswith('(list-union): files = ["a", "b", "c"] (version 3)\n')
    refused = workbench("shared", "set", "files", "1", "--base", "9")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("workbench: refused: files has no version 9: the last one is 3.")
    told = workbench("shared", "set", "", "1", "--json")
    assert told.code == 2
    assert told.last["outcome"] == "refused"
    assert told.last["version"] == 0


def test_a_loser_is_shown_and_can_be_brought_back(workbench: Command) -> None:
    for value in ("plan", "auth"):
        workbench("shared", "set", "task", value)
    merged = workbench("shared", "set", "task", "database", "--base", "1")
    assert 'lost: "auth"; bring it back with `workbench shared undo ' in merged.out
    event = workbench("shared", "log", "--json").last
    assert (event["event_type"], event["rule"], event["loser"]) == ("merge", "last-write", "auth")
    undone = workbench("shared", "undo", event["event_id"], "--json")
    assert (undone.code, undone.last["value"], undone.last["outcome"]) == (0, "auth", "committed")
    assert workbench("shared", "undo", "nothing:1").code == 2


def test_a_deletion(workbench: Command) -> None:
    workbench("shared", "set", "k", "1")
    assert workbench("shared", "delete", "k").out == "committed: k is deleted (version 2)\n"
    assert workbench("shared", "get", "k").code == 2
    refused = workbench("shared", "delete", "k", "--json")
    assert (refused.code, refused.last["outcome"]) == (2, "refused")
    workbench("shared", "set", "k", "2")
    stays = workbench("shared", "delete", "k", "--base", "1", "--json").last
    assert (stays["outcome"], stays["rule"], stays["value"]) == ("merged", "edit-over-delete", 2)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("activ_files", "Nothing is shared as 'activ_files'. Did you mean 'active_files'?\n"),
        ("zzz", "Nothing is shared as 'zzz'. See what there is with `workbench shared get`.\n"),
        ("", "A key has 1 to 120 characters. Give a short name, like active_files.\n"),
    ],
)
def test_a_wrong_key_is_told_alike(workbench: Command, key: str, why: str) -> None:
    workbench("shared", "set", "active_files", "[]")
    for verb in ("get", "delete"):
        refused = workbench("shared", verb, key)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.endswith(why)


def test_the_log_is_every_change_with_its_hash(workbench: Command) -> None:
    for number in range(3):
        workbench("shared", "set", "k", str(number))
    rows = workbench("shared", "log", "--json").lines
    assert all(row.keys() >= ROW for row in rows)
    assert [row["seq"] for row in rows] == [1, 2, 3]
    assert [row["previous_value"] for row in rows] == [None, 0, 1]
    assert len({row["context_hash"] for row in rows}) == 3
    assert [row["value"] for row in workbench("shared", "log", "--limit", "1", "--json").lines] == [2]
    assert len(workbench("shared", "log").out.splitlines()) == 4
    assert workbench("shared", "log", "--limit", "0").code == 2


@pytest.mark.parametrize("after", ["-1", "2", "9007199254740992"])
def test_watch_does_not_wait_behind_an_event_that_there_is_not(workbench: Command, after: str) -> None:
    workbench("shared", "set", "k", "1")
    refused = workbench("shared", "watch", "--after", after, "--limit", "1")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == f"workbench: There is no event {after} to start after. Name one from 0 to 1.\n"


def test_watch_sees_what_another_process_sets(workbench: Command, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "workbench", "shared", "watch", "--after", "0", "--limit", "1", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as watching:
        workbench("shared", "set", "k", "live")
        assert watching.stdout is not None
        assert json.loads(watching.stdout.readline())["value"] == "live"
    assert watching.returncode == 0


def test_a_change_can_be_made_for_a_session_that_exists(workbench: Command, finished: str) -> None:
    workbench("shared", "set", "k", "1", "--session", finished)
    assert workbench("shared", "log", "--json").last["session_id"] == finished
    missed = workbench("shared", "set", "k", "2", "--session", f"{finished}x")
    assert missed.code == 2
    assert f"Did you mean {finished}?" in missed.err
    assert workbench("shared", "set", "k", "2", "--session", "*").code == 2


@pytest.fixture
def open_session(finished: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The id of a session that is open in this process, and takes part; its heart is slower than any machine."""
    monkeypatch.setattr("workbench.sharing.coordinator.BEAT_EVERY", 3_600.0)
    monkeypatch.setattr("workbench.sharing.presence.IDLE_AFTER", 3_600.0)
    coordinator = Workspace.open(tmp_path).session(finished).coordinator()
    coordinator.start()
    coordinator.publish({"phase": "asks", "iteration": 2, "question": "Which provider?"}, works=False)
    yield finished
    coordinator.stop()


def test_a_session_that_is_open_claims_and_releases(workbench: Command, open_session: str) -> None:
    granted = workbench("shared", "claim", "./docs//plan.md", "--session", open_session)
    assert (granted.code, granted.out) == (0, f"granted: file docs/plan.md is {open_session}'s\n")
    again = workbench("shared", "claim", "docs/plan.md", "--session", open_session, "--json")
    assert again.code == 0
    expected = {"schema": "workbench.shared-claim/1", "outcome": "granted", "kind": "file", "name": "docs/plan.md"}
    assert again.last == expected | {"holder": open_session, "waiting": 0, "taken_over": "", "event_id": None}
    task = workbench("shared", "claim", "write the plan", "--session", open_session, "--task", "--json").last
    assert (task["outcome"], task["kind"], task["name"]) == ("granted", "task", "write the plan")
    row = workbench("shared", "log", "--json").last
    assert (row["event_type"], row["lease"], row["holder"]) == ("claim", "task:write the plan", open_session)
    assert "\ttask:write the plan\t" in workbench("shared", "log").out
    released = workbench("shared", "release", "docs/plan.md", "--session", open_session)
    assert (released.code, released.out) == (0, "released: file docs/plan.md\n")


def test_a_file_has_one_name_however_its_path_is_written(
    workbench: Command, open_session: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    link = tmp_path_factory.mktemp("elsewhere") / "link"
    link.symlink_to(tmp_path)
    for folder in (tmp_path, link):
        for path in ("docs/plan.md", f"{tmp_path}/docs/plan.md", f"{tmp_path}//docs/./plan.md", f"{link}/docs/plan.md"):
            options = ("--workspace", str(folder), "--session", open_session, "--json")
            claimed = workbench("shared", "claim", path, *options).last
            assert (claimed["outcome"], claimed["name"]) == ("granted", "docs/plan.md")
    released = workbench("shared", "release", f"{tmp_path}/docs/plan.md", "--session", open_session)
    assert released.out == "released: file docs/plan.md\n"
    (tmp_path / "assets").symlink_to(link.parent)
    asset = workbench("shared", "claim", f"{tmp_path}/assets/a.svg", "--session", open_session, "--json").last
    assert asset["name"] == "assets/a.svg"
    for path in (f"{tmp_path}x/plan.md", "/", f"{tmp_path}/../plan.md"):
        for verb in ("claim", "release"):
            told = workbench("shared", verb, path, "--session", open_session, "--json")
            assert (told.code, told.last["outcome"]) == (2, "refused")
    refused = workbench("shared", "claim", "/etc/hosts", "--session", open_session)
    assert f"/etc/hosts is not in the project {tmp_path}. Give the path of a file in it." in refused.err
    task = workbench("shared", "claim", "/etc/hosts", "--task", "--session", open_session, "--json").last
    assert (task["outcome"], task["name"]) == ("granted", "/etc/hosts")


def test_a_claim_is_refused_queued_and_handed_over(workbench: Command, open_session: str, tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path)
    shared = workspace.shared()
    with workspace.parts.lives.live("other"):
        shared.subscribe("other")
        shared.claim("other", "file", "plan.md")
        refused = workbench("shared", "claim", "plan.md", "--session", open_session)
        assert (refused.code, refused.out) == (1, "")
        assert refused.err.startswith("workbench: refused: other has the file plan.md. Wait until it is released")
        told = workbench("shared", "claim", "plan.md", "--session", open_session, "--json")
        assert (told.code, told.last["outcome"], told.last["holder"]) == (1, "refused", "other")
        assert told.last["error"] == "other has the file plan.md."
        seq = workbench("shared", "log", "--json").last["seq"]
        watched = workbench("shared", "watch", "--after", str(seq - 1), "--limit", "1").out
        assert watched == f"{told.last['event_id']}  refuse  file:plan.md (other has it)\n"
        listed = workbench("shared", "log", "--limit", "1").out.splitlines()[-1]
        assert listed.split("\t")[2:5] == ["refuse", "file:plan.md", "other has it"]
        queued = workbench("shared", "claim", "plan.md", "--session", open_session, "--queue")
        assert (queued.code, queued.out) == (0, "queued: other has the file plan.md; 1 waiting\n")
        refused = workbench("shared", "release", "free.md", "--session", open_session)
        assert refused.code == 2
        assert "nobody has it. See `workbench shared sessions`." in refused.err
    handed = workbench("shared", "claim", "plan.md", "--session", open_session)
    expected = f"granted: file plan.md is {open_session}'s; other, which had it, is open nowhere any more\n"
    assert (handed.code, handed.out) == (0, expected)
    with workspace.parts.lives.live("other"):
        shared.claim("other", "file", "plan.md", queue=True)
        released = workbench("shared", "release", "plan.md", "--session", open_session)
        assert released.out == "released: file plan.md; other has it now\n"


def test_who_is_open_and_has_claimed_what_is_listed(workbench: Command, open_session: str, tmp_path: Path) -> None:
    workbench("shared", "claim", "plan.md", "--session", open_session)
    workbench("shared", "claim", "write", "--task", "--session", open_session)
    shared = Workspace.open(tmp_path).shared()
    shared.subscribe("crashed")
    rows = {row["session"]: row for row in workbench("shared", "sessions", "--json").lines}
    assert rows.keys() == {open_session, "crashed"}
    row = rows[open_session]
    assert (row["schema"], row["status"]) == ("workbench.shared-session/1", "active")
    assert (row["assigned_files"], row["assigned_tasks"], row["current_task"]) == (["plan.md"], ["write"], "write")
    assert (row["phase"], row["iteration"], row["question"]) == ("asks", 2, "Which provider?")
    assert rows["crashed"]["status"] == "crashed"
    head, *lines = (line.split("\t") for line in workbench("shared", "sessions").out.splitlines())
    assert head == ["session", "status", "at", "joined", "last seen", "changes", "has claimed"]
    told = {line[0]: (line[1], line[2], line[5], line[6]) for line in lines}
    assert told[open_session] == ("active", "round 2 · asks", "1", "plan.md, write")
    assert told["crashed"] == ("crashed", "", "0", "")


def test_what_cannot_be_claimed_is_said_with_what_to_do(workbench: Command, finished: str) -> None:
    for arguments, why, remedy in [
        (["plan.md"], f"{finished} is not open anywhere", f"`workbench open {finished}`"),
        (["../x"], "without `..`", "path in the project"),
        ([""], "1 to 400 characters", "like docs/plan.md"),
        ([" ", "--task"], "1 to 400 characters", "Name the task"),
    ]:
        refused = workbench("shared", "claim", *arguments, "--session", finished)
        assert (refused.code, refused.out) == (2, "")
        assert why in refused.err
        assert remedy in refused.err
    missed = workbench("shared", "claim", "plan.md", "--session", f"{finished}x")
    assert missed.code == 2
    assert f"Did you mean {finished}?" in missed.err
    for verb in ("claim", "release"):
        assert workbench("shared", verb, "plan.md").code == 2, "it says for which session"


@pytest.mark.parametrize(
    "command",
    [
        *("get", "set k 1", "delete k", "log", "watch", "undo a:1", "sessions"),
        *("claim plan.md --session a", "release plan.md --session a"),
    ],
)
def test_no_command_creates_a_workspace(
    workbench: Command, command: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    empty = tmp_path_factory.mktemp("empty")
    refused = workbench("shared", *command.split(), "--workspace", str(empty))
    assert refused.code == 2
    assert "There is no workspace here or in a folder above." in refused.err
    assert not list(empty.iterdir())


@pytest.mark.parametrize("command", ["get k", "set k 1", "delete k", "log", "watch", "undo a:1", "sessions"])
def test_it_can_be_switched_off(workbench: Command, tmp_path: Path, command: str) -> None:
    workbench("shared", "set", "k", "0")
    (tmp_path / ".workbench/config.toml").write_text('shared = "off"\n')
    refused = workbench("shared", *command.split())
    assert refused.code == 2
    file = tmp_path / ".workbench/config.toml"
    why = f'The shared context is switched off by {file}. Put the line `shared = "on"` into {file}.'
    assert refused.err == f"workbench: {why}\n"
    (tmp_path / ".workbench/config.toml").write_text('shared = "durable"\n')
    assert workbench("shared", "get", "k").out == "0\n"


def test_untrusted_text_reaches_no_terminal(workbench: Command) -> None:
    workbench("shared", "set", "a\x1b]52;c;x\x07", json.dumps({"b\x1b[2J": "\x9b1m"}))
    for command in (("get",), ("log",), ("log", "--json"), ("watch", "--after", "0", "--limit", "1")):
        out = workbench("shared", *command).out
        assert out
        assert not any((one < " " and one not in "\n\t") or one == "\x9b" for one in out)
