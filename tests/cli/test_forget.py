"""``workbench forget``: a pasted secret is gone from every file of the workspace, and who quoted it is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import INSIGHT, Command, Once
from workbench import Workspace
from workbench.domain.text.mentions import Mentions

SECRET = 'sk-47"11<input>-ümlaut'
SAID = f"The key of the billing is {SECRET}, keep it."


def files_that_say_it(folder: Path, text: str = SECRET) -> list[str]:
    """The files of a workspace that hold a text, plain or escaped in any way."""
    mentions = Mentions([text])
    files = [file for file in folder.rglob("*") if file.is_file() and ".workbench" in file.parts]
    assert files
    found = [file for file in files if mentions.within(file.read_bytes().decode("utf-8", "replace"))]
    return sorted(str(file.relative_to(folder / ".workbench")) for file in found)


def remembered(workbench: Command, session: str, text: str = SAID) -> str:
    """The id of a message that was brought in."""
    return str(workbench("remember", "--session", session, text, "--json").last["id"])


@pytest.fixture
def session(workbench: Command, once: Once) -> str:
    """A session with the secret in its goal, planned with to its end."""

    def make() -> str:
        goal = f"Move our billing with the key {SECRET} to the new provider by 30 June 2028"
        return str(workbench("run", goal, "--approve", "all", "--json").last["session"])

    return once("session of forget", make)


def test_a_pasted_secret_is_in_no_file_any_more(workbench: Command, session: str, tmp_path: Path) -> None:
    asking = str(workbench("run", "Sell lamps", "--private", "--no-recall", "--json").last["session"])
    assert workbench("sessions", "list").code == 0
    assert workbench("recall", "billing", "--across", "--asking", session, "--reason", "r").code == 0
    assert workbench("recall", "lamps", "--across", "--asking", asking, "--reason", "r").code == 0
    copy = tmp_path / ".workbench" / "trash" / f"{session}.deleted-20260101T000000000000Z.jsonl"
    file = tmp_path / ".workbench" / "sessions" / f"{session}.jsonl"
    copy.write_bytes(file.read_bytes())
    said_by = files_that_say_it(tmp_path)
    assert {f"sessions/{session}.jsonl", f"cache/items/{session}.json", "cache/sessions.json"} < set(said_by)
    result = workbench("forget", f"message:{session}:1", "--text", SECRET, "--yes", "--json")
    assert result.code == 0, result.err
    assert files_that_say_it(tmp_path) == []
    for plain in (SECRET, json.dumps(SECRET), json.dumps(SECRET, ensure_ascii=False)):
        assert plain.strip('"').encode() not in file.read_bytes()
    told = result.last
    assert (told["schema"], told["session"], told["item"]) == ("workbench.forgotten/1", session, f"message:{session}:1")
    assert f"{session}:1" in told["events"]
    assert f"trash/{copy.name}" in told["copies"]
    assert (told["part"], told["quoted_by"], told["in_names"], told["summaries"]) == (True, [], False, [])
    replayed = workbench("replay", session, "--plain").out
    assert f"forgot a part of message:{session}:1 in {len(told['events'])} events" in replayed
    assert SECRET not in replayed
    assert "[forgotten]" in workbench("sessions", "show", session).out
    found = workbench("recall", SECRET, "--session", session, "--json", "--limit", "50").out
    assert SECRET not in found
    assert workbench("sessions", "repair", session).out.startswith("The session is sound")
    assert workbench("resume", session, "--feedback", "Tell the auditors.", "--approve", "all").code == 0


def test_a_whole_message_and_an_insight(workbench: Command, taught: str, tmp_path: Path) -> None:
    item = remembered(workbench, taught)
    result = workbench("forget", item, "--yes")
    assert result.code == 0, result.err
    assert result.out == f"Forgot {item}: 1 event of {taught} redacted.\n"
    assert files_that_say_it(tmp_path) == []
    assert INSIGHT in workbench("sessions", "show", taught, "--json").out
    result = workbench("forget", "insight:2.1", "--session", taught, "--yes")
    assert result.code == 0, result.err
    assert INSIGHT not in workbench("sessions", "show", taught, "--json").out


def quoted_elsewhere(workbench: Command, session: str, query: str = "the key of the billing") -> str:
    """A session that has searched the others."""
    asking = str(workbench("run", "Sell lamps", "--json").last["session"])
    found = workbench("recall", query, "--across", "--asking", asking, "--reason", "r", "--json")
    assert SECRET in found.out.encode().decode("utf-8").replace('\\"', '"')
    assert session in found.out
    return asking


def test_who_quoted_it_is_named_with_the_command_that_forgets_it_there(
    workbench: Command, finished: str, tmp_path: Path
) -> None:
    item = remembered(workbench, finished)
    asking = quoted_elsewhere(workbench, finished)
    result = workbench("forget", item, "--yes")
    assert f"{asking} quoted it, and still says it in 1 event." in result.out
    command = f"workbench forget {item} --everywhere"
    assert result.out.endswith(f"Forget it there too: {command}\n")
    assert SECRET not in result.out
    assert files_that_say_it(tmp_path) == [f"sessions/{asking}.jsonl"]
    nothing_left = workbench("forget", item, "--yes")
    assert (nothing_left.code, "Add --everywhere" in nothing_left.err) == (2, True)
    result = workbench(*command.split()[1:], "--yes")
    assert (result.code, result.err) == (0, "")
    assert f"{asking} quoted it: 1 event redacted there." in result.out
    assert files_that_say_it(tmp_path) == []
    assert f"forgot {item} of {finished}, quoted here, in 1 event" in workbench("replay", asking, "--plain").out
    assert workbench("forget", item, "--everywhere", "--yes").code == 2


def test_a_part_from_standard_input_and_everywhere_at_once(workbench: Command, finished: str, tmp_path: Path) -> None:
    item = remembered(workbench, finished)
    asking = quoted_elsewhere(workbench, finished)
    result = workbench("forget", item, "--text", "-", "--everywhere", "--yes", "--json", stdin=f"{SECRET}\n")
    assert result.code == 0, result.err
    assert [(one["session"], one["forgotten"]) for one in result.last["quoted_by"]] == [(asking, True)]
    assert files_that_say_it(tmp_path) == []
    assert "The key of the billing is [forgotten], keep it." in workbench("replay", finished, "--plain").out
    assert workbench("forget", item, "--text", SECRET, "--yes").code == 2


def test_a_session_in_use_is_left_as_it_is(workbench: Command, finished: str, tmp_path: Path) -> None:
    item = remembered(workbench, finished)
    asking = quoted_elsewhere(workbench, finished)
    workspace = Workspace.open(tmp_path)
    with workspace.log.drive(finished):
        result = workbench("forget", item, "--everywhere", "--yes")
        assert (result.code, "is driven by process" in result.err) == (1, True)
    assert len(files_that_say_it(tmp_path)) > 1
    with workspace.log.drive(asking):
        result = workbench("forget", item, "--everywhere", "--yes")
        assert (result.code, f"{asking}: Session {asking} is driven by" in result.out) == (1, True)
        assert f"workbench forget {item} --everywhere" in result.out
    assert files_that_say_it(tmp_path) == [f"sessions/{asking}.jsonl"]


def sharing(workbench: Command, session: str, other: str) -> None:
    """Let a session, another one, and a command of no session say it in what sessions share."""
    for options in (("--session", session), ("--session", other), ()):
        key = f"hint of {options[1] if options else 'nobody'}"
        assert workbench("shared", "set", key, f"use {SECRET}", *options).code == 0


def test_the_command_that_forgets_what_others_share_asks_for_the_text(workbench: Command, finished: str) -> None:
    """A whole item says it no more when it is forgotten: nobody could find it by the item."""
    item = remembered(workbench, finished)
    other = str(workbench("run", "Sell lamps", "--json").last["session"])
    assert workbench("shared", "set", "hint", SAID, "--session", other).code == 0
    result = workbench("forget", item, "--yes")
    assert result.code == 0, result.err
    assert f"{other} still says it in 1 event of what sessions share." in result.out
    assert result.out.endswith(f"Forget it there too: workbench forget {item} --text … --everywhere\n")
    assert workbench("forget", item, "--text", SAID, "--everywhere", "--yes").code == 0
    assert workbench("shared", "get", "hint").out == "[forgotten]\n"


def test_with_sharing_switched_off_what_was_shared_before_is_reached(
    workbench: Command, finished: str, tmp_path: Path
) -> None:
    item = remembered(workbench, finished)
    assert workbench("shared", "set", "hint", SECRET, "--session", finished).code == 0
    (tmp_path / ".workbench" / "config.toml").write_text('shared = "off"\n')
    assert workbench("shared", "get").code != 0
    assert workbench("forget", item, "--text", SECRET, "--yes").code == 0
    assert files_that_say_it(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("insight:1.1",), "does not say whose it is"),
        (("nonsense",), "does not say whose it is"),
        (("message:7",), "does not say whose it is"),
        (("message:{id}:1", "--session", "other"), "no session 'other'"),
        (("message:{id}:999",), "There is no item"),
        (("message:nobody:1",), "no session"),
        (("message:{id}:1", "--text", "abc"), "fewer than 6 characters"),
        (("message:{id}:1", "--text", " "), "is empty"),
        (("message:{id}:1", "--text", "never said here"), "is not in"),
        (("message:{id}:1",), "Nothing was forgotten. Say yes, or use --yes."),
        (("message:{id}:1", "--json"), "Nothing was forgotten. Say yes, or use --yes."),
    ],
)
def test_wrong_use_changes_nothing(
    workbench: Command, finished: str, tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    file = tmp_path / ".workbench" / "sessions" / f"{finished}.jsonl"
    before = file.read_bytes()
    yes = [] if "Say yes" in why else ["--yes"]
    result = workbench("forget", *(one.format(id=finished) for one in arguments), *yes)
    assert result.code == 2
    assert why in result.err
    assert len(result.err.splitlines()) == 1
    assert file.read_bytes() == before


@pytest.mark.parametrize(("typed", "is_done"), [("y", True), ("yes", True), ("n", False), ("", False), (None, False)])
def test_in_a_terminal_it_says_what_will_happen_and_asks(
    workbench: Command, finished: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str | None, is_done: bool
) -> None:
    item = remembered(workbench, finished)
    asking = quoted_elsewhere(workbench, finished)

    def answer(prompt: str) -> str:
        print(prompt)
        if typed is None:
            raise EOFError
        return typed

    monkeypatch.setattr("builtins.input", answer)
    for place in ("output", "memory_and_sharing.forget"):
        monkeypatch.setattr(f"workbench.cli.{place}.has_terminal", lambda: True)
    result = workbench("forget", item)
    assert f"1 event of {finished} will be redacted." in result.out
    assert f"1 event of {asking}: quoted it, and will keep it without --everywhere." in result.out
    assert f"cache/items/{finished}.json says it, and will be deleted." in result.out
    assert "This cannot be undone." in result.out
    assert result.code == (0 if is_done else 2)
    assert (f"sessions/{finished}.jsonl" not in files_that_say_it(tmp_path)) == is_done


def test_what_somebody_deleted_is_not_lost_because_it_shares_a_word(workbench: Command, finished: str) -> None:
    deleted = str(workbench("run", "Plan the frobnicator by May 2029", "--json").last["session"])
    workbench("remember", "--session", deleted, "The frobnicator is red.")
    workbench("sessions", "delete", deleted)
    item = workbench("remember", "--session", finished, "Look at the frobnicator.", "--json").last["id"]
    assert workbench("forget", item, "--text", "frobnicator", "--yes").code == 0
    assert workbench("sessions", "restore", deleted).code == 0
    assert "frobnicator is red" in workbench("recall", "frobnicator", "--session", deleted).out


def test_forks_forget_it_too_and_so_does_what_was_rewound(workbench: Command, session: str, tmp_path: Path) -> None:
    said = remembered(workbench, session)
    fork = str(workbench("sessions", "fork", session, "--json").last["session"])
    again = str(workbench("sessions", "fork", fork, "--json").last["session"])
    workbench("sessions", "rewind", session)

    result = workbench("forget", said, "--text", SECRET, "--everywhere", "--yes", "--json")

    assert result.code == 0, result.err
    assert {one["session"]: one["ways"] for one in result.last["quoted_by"]} == {fork: ["fork"], again: ["fork"]}
    assert files_that_say_it(tmp_path) == []
    for one in (session, fork, again):
        assert workbench("sessions", "show", one).code == 0
        assert workbench("audit", one).code == 0, one
        assert SECRET not in workbench("replay", one, "--plain").out
