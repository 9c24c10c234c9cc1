"""``workbench replay --verify``: what was reproduced, the first difference, and exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.replay.verified_sessions import SESSIONS, Events, changed, first, redacted, rewritten
from workbench import Workspace
from workbench.domain.log import rules
from workbench.storage.files.session_file import session_file

NOW = rules.CURRENT
NEXT = NOW + 1


def written(events: Events, folder: Path) -> str:
    """The events in a file, as somebody else may send it."""
    file = folder / "sent.jsonl"
    file.write_bytes(session_file(list(events)))
    return str(file)


@pytest.fixture
def doctored(tmp_path: Path) -> str:
    events = SESSIONS["guided"]()
    return written(changed(events, first(events, "plan.changed"), '"version":1', '"version":2'), tmp_path)


def test_a_session_of_the_workspace_is_verified(workbench: Command, finished: str) -> None:
    result = workbench("replay", finished, "--verify")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"{finished}  verified · ")
    [line] = workbench("replay", finished, "--verify", "--json").lines
    assert (line["schema"], line["session"], line["verified"]) == ("workbench.verified/1", finished, True)
    assert (line["first_difference"], line["unchecked"]) == (None, [])
    assert line["events"] > line["reproduced"] > 15


def test_a_difference_is_told_and_makes_the_exit_code_1(workbench: Command, doctored: str) -> None:
    result = workbench("replay", doctored, "--verify")
    assert result.code == 1
    seq = first(SESSIONS["guided"](), "plan.changed")
    assert f"not verified · event {seq} (plan.changed)" in result.out
    assert "body.version" in result.out
    assert "recorded  2" in result.out
    assert "expected  1" in result.out
    [line] = workbench("replay", doctored, "--verify", "--json").lines
    assert (line["verified"], line["first_difference"]["seq"]) == (False, seq)
    assert (line["first_difference"]["recorded"], line["first_difference"]["expected"]) == ("2", "1")


def test_what_could_not_be_checked_is_told_with_its_reason(workbench: Command, tmp_path: Path) -> None:
    result = workbench("replay", written(redacted(), tmp_path), "--verify")
    assert result.code == 0
    assert "events could not be checked" in result.out
    assert "not checked: 1 · What it says was forgotten." in result.out
    assert "It follows from words that were forgotten." in result.out


def test_a_torn_end_is_said_with_its_size_and_is_no_difference(workbench: Command, tmp_path: Path) -> None:
    file = written(SESSIONS["guided"](), tmp_path)
    assert workbench("replay", file, "--verify", "--json").last["torn_bytes"] == 0
    data = Path(file).read_bytes()
    last = data.rstrip(b"\n").rindex(b"\n") + 1
    Path(file).write_bytes(data[:-30])
    result = workbench("replay", file, "--verify")
    assert result.code == 0
    assert f"{len(data) - 30 - last:,} bytes at the end" in result.out
    found = workbench("replay", file, "--verify", "--json").last
    assert (found["torn_bytes"], found["verified"]) == (len(data) - 30 - last, True)
    assert found["events"] == len(SESSIONS["guided"]()) - 1


# --- sessions of older rules ------------------------------------------------------------------------------------------


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Raises the current rules: what was planned before is of older ones."""
    return lambda: monkeypatch.setattr(rules, "CURRENT", NEXT)


SAID = f"This session was planned under rules {NOW}; from here on rules {NEXT} apply."


def test_an_older_session_is_sound_with_both_numbers_and_not_verified(
    workbench: Command, finished: str, newer: Callable[[], None]
) -> None:
    derived = sum(event.origin == "derived" for event in Workspace.open().session(finished).events())
    newer()
    result = workbench("replay", finished, "--verify")
    words = f"{finished}  sound: {derived} events recorded under rules {NOW}, 0 executed again; chain and order hold\n"
    assert (result.code, result.out) == (1, words)
    assert "verified" not in result.out
    [line] = workbench("replay", finished, "--verify", "--json").lines
    assert {name: line[name] for name in ("verified", "sound", "recorded", "reproduced", "older_rules")} == {
        "verified": False,
        "sound": True,
        "recorded": derived,
        "reproduced": 0,
        "older_rules": [NOW],
    }


def test_a_changed_file_gains_nothing_by_calling_itself_old(
    workbench: Command, doctored: str, newer: Callable[[], None]
) -> None:
    newer()
    result = workbench("replay", doctored, "--verify")
    assert result.code == 1
    assert "verified" not in result.out


def test_a_difference_in_an_older_file_says_how_far_it_was_sound(
    workbench: Command, tmp_path: Path, newer: Callable[[], None]
) -> None:
    events = SESSIONS["guided"]()
    seq = first(events, "plan.changed")
    newer()
    result = workbench("replay", written(rewritten(events, seq, turn=9), tmp_path), "--verify")
    assert result.code == 1
    assert f"not verified · event {seq} (plan.changed)" in result.out
    assert f" events recorded under rules {NOW}, 0 executed again." in result.out


def test_resuming_begins_the_newer_rules_and_says_so_once(
    workbench: Command, finished: str, newer: Callable[[], None]
) -> None:
    newer()
    result = workbench("resume", finished, "--feedback", "Tell the auditors in May.", "--approve", "all")
    assert (result.code, result.err.count(SAID)) == (0, 1)
    again = workbench("resume", finished, "--feedback", "Tell the bank, too.", "--approve", "all", "--json")
    assert (again.code, SAID in again.err) == (0, False)
    line = workbench("replay", finished, "--verify", "--json").last
    assert (line["sound"], line["verified"], line["older_rules"]) == (True, False, [NOW])
    assert line["reproduced"] > 10
    assert line["recorded"] > 10
    told = f"Planned under rules {NOW} and {NEXT}: events under rules {NOW} are recorded, and cannot be executed again."
    assert told in " ".join(workbench("sessions", "show", finished).out.split())
    assert workbench("sessions", "show", finished, "--json").last["rules"] == [NOW, NEXT]


@pytest.mark.parametrize(
    "command",
    [("replay", "{}", "--verify"), ("replay", "{}", "--plain"), ("audit", "{}"), ("sessions", "import", "{}")],
    ids=lambda command: " ".join(command[:2]),
)
def test_newer_rules_are_refused_in_a_sentence(workbench: Command, tmp_path: Path, command: tuple[str, ...]) -> None:
    file = written(changed(SESSIONS["guided"](), 1, f'"rules":{NOW}', f'"rules":{NOW + 1}'), tmp_path)
    result = workbench(*(part.format(file) for part in command))
    assert result.code == 1
    assert f"was recorded by a newer version of the workbench (rules {NOW + 1}; this one knows rules up to {NOW})" in (
        result.out + result.err
    )


@pytest.mark.parametrize("command", [("resume",), ("sessions", "show"), ("sessions", "fork"), ("sessions", "repair")])
def test_a_session_of_newer_rules_is_kept_as_it_is(
    workbench: Command, finished: str, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Workspace.open().folder.sessions / f"{finished}.jsonl"
    monkeypatch.setattr(rules, "CURRENT", NEXT)
    assert workbench("resume", finished, "--feedback", "Tell the auditors.", "--approve", "all").code == 0
    monkeypatch.setattr(rules, "CURRENT", NOW)
    before = file.read_bytes()
    result = workbench(*command, finished)
    assert result.code == 1
    assert f"rules {NEXT}; this one knows rules up to {NOW}" in result.err
    assert file.read_bytes() == before
    assert finished in workbench("sessions", "list").out
