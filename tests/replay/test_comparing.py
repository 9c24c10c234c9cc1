"""Two points compared: what came and went, and that a comparison has no preferred side."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import SESSION
from tests.memory_log import MemoryLog
from tests.replay.audited_sessions import asked, with_others
from tests.sample_sessions import FOLDER
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import fold
from workbench.replay.comparing import (
    Comparison,
    Place,
    compare_places,
    point_at,
)
from workbench.storage.files.session_file import read_session_file

BILLING, WEDDING = "move-billing-provider-demo", "organise-wedding-80-demo"
unhurried = settings(max_examples=15, deadline=None)


@cache
def sample(name: str = BILLING) -> tuple[Event, ...]:
    return tuple(read_session_file(FOLDER / f"{name}.jsonl"))


SECOND, THIRD = (version.seq for version in fold(sample()).versions[1:3])
"""The events that made the second and the third version of the plan."""


def between(a: str, b: str) -> Comparison:
    """Compare two points of the samples, each named as on the command line."""
    first, second = Place.parse(a), Place.parse(b)
    return compare_places(first, sample(first.session), second, sample(second.session))


# --- places -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("launch", Place(session="launch")),
        ("launch@12", Place(session="launch", seq=12)),
        ("launch@v3", Place(session="launch", version=3)),
        ("@v3", Place(session="other", version=3)),
        ("@3", Place(session="other", seq=3)),
        ("./a@home/x@v2.jsonl", Place(session="./a@home/x@v2.jsonl")),
        ("./a@home/x.jsonl@7", Place(session="./a@home/x.jsonl", seq=7)),
        ("launch@", Place(session="launch@")),
        ("launch@v", Place(session="launch@v")),
        ("launch@" + "9" * 5000, Place(session="launch@" + "9" * 5000)),
        ("", Place(session="other")),
    ],
)
def test_a_place_is_a_session_and_where_in_it(text, place):
    assert Place.parse(text, session="other") == place


def test_a_point_is_the_session_as_it_was_then():
    events = sample()
    whole = point_at(Place.parse(BILLING), events)
    assert whole.state.seq == len(events)
    assert point_at(Place.parse(f"{BILLING}@{len(events)}"), events) == whole
    second = point_at(Place.parse(f"{BILLING}@v2"), events)
    assert (second.state.version, second.state.seq) == (2, SECOND)
    assert second.context is not None
    assert second.context.heading.seq < SECOND
    assert point_at(Place.parse(f"{BILLING}@1"), events).context is None


# --- what differs -----------------------------------------------------------------------------------------------------


def test_what_was_sent_came_and_went_and_why(tmp_path: Path):
    log = MemoryLog()
    manager = asyncio.run(asked(log, with_others(log, tmp_path)))
    events = tuple(log.read(manager.session_id))
    calls = [event.seq for event in events if event.kind == "call.started"]
    before, after = (Place(session=SESSION, seq=calls[number]) for number in (1, 6))
    compared = compare_places(before, events, after, events)
    went = {one.item.id: one for one in compared.context.went}
    assert set(went) == {"message:look-back-old-o1o1:2"}
    left_out = went["message:look-back-old-o1o1:2"].not_sent
    assert left_out is not None
    assert left_out.why_not == "excluded"
    assert "Others, please" in {one.item.text for one in compared.context.came}
    assert {one.name for one in compared.by_source} == {"session", "semantic", "everything else"}
    back = compare_places(after, events, before, events)
    assert [one.not_sent.why_not for one in back.context.came if one.not_sent] == ["excluded"]


places = st.tuples(st.sampled_from([BILLING, WEDDING]), st.integers(1, 58)).map(lambda one: f"{one[0]}@{one[1]}")


@unhurried
@given(places, places)
def test_everything_of_both_is_in_a_comparison_once(a, b):
    compared = between(a, b)
    first, second = compared.a.state, compared.b.state
    assert sorted((*compared.insights.went, *compared.insights.stayed)) == sorted(first.insights)
    assert sorted((*compared.insights.came, *compared.insights.stayed)) == sorted(second.insights)
    plans = [state.plan for state in (first, second) if state.plan is not None]
    names = {section.id for plan in plans for section in plan.sections}
    assert sorted(one.change.section for one in compared.plan.sections) == sorted(names)
