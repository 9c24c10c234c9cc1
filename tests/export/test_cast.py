"""Casts: what a player shows of a session, when, and that nothing of the session steers its terminal."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import created, plan_changed, told
from tests.tui.hostile import ITEMS, obeyed
from tests.tui.hostile_session import SESSION, bodies
from workbench.domain.plan.plan import Plan, Section
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.export.cast import A_LINE, LONGEST_PAUSE, session_cast
from workbench.export.told import Size
from workbench.replay.course import course
from workbench.storage.files.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))
SIZE = Size(100, 30)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def cast(events, size=SIZE, speed=1.0):
    """The header and the outputs, each line read as JSON of its own."""
    header, *outputs = [json.loads(line) for line in session_cast(course(events), size, speed=speed)]
    return header, outputs


def screens(header, outputs):
    """What the screen shows after each output."""
    screen = pyte.Screen(header["width"], header["height"])
    stream = pyte.Stream(screen)
    for _, _, text in outputs:
        stream.feed(text)
        yield list(screen.display)


@pytest.mark.full
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_player_shows_the_goal_each_event_and_each_plan(sample: Path) -> None:
    events = list(read_session_file(sample))
    header, outputs = cast(events)
    assert (header["version"], header["width"], header["height"]) == (2, 100, 30)
    assert header["timestamp"] > 1_700_000_000
    assert all(kind == "o" for _, kind, _ in outputs)
    times = [seconds for seconds, _, _ in outputs]
    assert times == sorted(times)
    shown = list(screens(header, outputs))
    seen = {line.strip() for display in shown for line in display}
    final = [event for event in events if event.kind == "plan.changed"][-1]
    plan = fold(events).plan
    assert " ".join(shown[0]).startswith(say.content(events[0]).goal[:40])
    assert any(f"Plan, version {say.content(final).version}:" in line for line in seen)
    assert any(line.strip("│┃ ") == plan.title or plan.title[:60] in line for line in seen)
    for section in plan.sections:
        assert any(section.title in line for line in seen), section.title
    for event in events:
        assert any(re.match(rf"{event.seq}\s+\S+\s+{re.escape(event.kind)}", line) for line in seen), event.kind


def paced(*gaps: float):
    """Events so many seconds apart."""
    from datetime import UTC, datetime, timedelta

    events, at = told(created(), *(say.SessionRenamed(name=str(number)) for number in range(len(gaps)))), 0.0
    start = datetime(2026, 3, 2, tzinfo=UTC)
    for number, event in enumerate(events):
        at += gaps[number - 1] if number else 0.0
        yield msgspec.structs.replace(event, time=(start + timedelta(seconds=at)).isoformat())


def test_it_goes_at_the_recorded_pace_and_pauses_are_cut() -> None:
    _, outputs = cast(paced(0.5, 3600, 1, -50, 0.25))
    assert [seconds for seconds, _, _ in outputs] == [0, 0, 0.5, 0.5 + LONGEST_PAUSE, 3.5, 3.5, 3.75]
    _, faster = cast(paced(0.5, 3600, 1, -50, 0.25), speed=5)
    assert [seconds for seconds, _, _ in faster] == [0, 0, 0.1, 0.5, 0.7, 0.7, 0.75]


@pytest.mark.parametrize("time", ["", "\x1b[2Jnoon", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59"])
def test_times_that_are_none_take_no_time(time: str) -> None:
    header, outputs = cast(msgspec.structs.replace(event, time=time) for event in paced(1, 1))
    assert header["timestamp"] >= 0
    assert len(outputs) == 4
    assert {seconds for seconds, _, _ in outputs} == {0}


def test_a_plan_rolls_by_when_it_changed_and_only_then() -> None:
    plan = Plan(title="Move", sections=(Section(id="goal", title="Goal", text="\n\n".join("abcdefgh")),))
    changed = plan_changed(version=1, plan=plan, by="planner", change=1.0)
    same = plan_changed(version=1, plan=plan, by="planner", change=0.0)
    _, outputs = cast(told(created(), changed, same))
    rules = [index for index, (_, _, text) in enumerate(outputs) if "Plan, version 1" in text]
    assert len(rules) == 1
    rolled = [seconds for seconds, _, _ in outputs[rules[0] :]]
    steps = [round(b - a, 3) for a, b in pairwise(rolled)]
    assert steps.count(A_LINE) > 10


def test_a_smaller_terminal_is_not_written_over_its_edge() -> None:
    header, outputs = cast(read_session_file(SAMPLES[0]), Size(60, 18))
    assert (header["width"], header["height"]) == (60, 18)
    from rich.cells import cell_len

    assert max(cell_len(line) for _, _, text in outputs for line in _COLOURS.sub("", text).split("\r\n")) <= 60


def steered(outputs) -> list[str]:
    """What a terminal would obey beside colours and line ends."""
    return [sign for _, _, text in outputs for sign in obeyed(_COLOURS.sub("", text).replace("\r\n", ""))]


@pytest.mark.parametrize("until", ["question", "approach", "checkpoint", "failed", "stopped", "finished"])
def test_nothing_of_a_hostile_session_steers_the_terminal(until) -> None:
    header, outputs = cast(told(*bodies(until=until), session=SESSION))
    assert not steered(outputs)
    assert not obeyed(header["title"])


HOSTILE = [item.text for item in ITEMS if "\ud83d" not in item.text]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=["Cs"])), max_size=6).map("".join))
def test_whatever_is_said_the_terminal_is_not_steered(text: str) -> None:
    plan = Plan(title=text, sections=(Section(id="s", title=text, text=f"{text}\n\n```{text}\n{text}\n```\n&#27;[2J"),))
    events = told(
        say.SessionCreated(goal=text, name=text, options=say.Options(), today="2026-03-02", workbench="0"),
        plan_changed(version=1, plan=plan, by=text, change=1.0),
        say.RatingGiven(stars=3, note=text),
    )
    assert not steered(cast(events)[1])


def test_the_same_session_is_the_same_cast_in_any_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    events = list(read_session_file(SAMPLES[0]))
    usual = cast(events)
    for name, value in (("NO_COLOR", "1"), ("COLUMNS", "40"), ("TERM", "dumb"), ("COLORTERM", "truecolor")):
        monkeypatch.setenv(name, value)
    assert cast(events) == usual
