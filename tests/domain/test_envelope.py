"""The hash chain: whatever is changed, left out, swapped or put in is found, and where."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.log.envelope import (
    Draft,
    Event,
    Head,
    Turn,
    body_digest,
    first_broken_link,
    genesis,
    seal,
)
from workbench.domain.log.ids import AgentId, SessionId

START = Head(epoch="e", seq=0, hash=genesis("s-1"))
OTHER: dict[str, object] = {
    "id": "s-1:99",
    "kind": "goal.invented",
    "v": 2,
    "origin": "derived",
    "session": "s-2",
    "agent": "planner",
    "actor": "model",
    "person": "mallory",
    "workspace": "w-2",
    "turn": 7,
    "cause": "s-1:98",
    "time": "2027-01-01T00:00:00.000000Z",
    "body_hash": "0" * 64,
    "body": msgspec.Raw(b'{"n":99}'),
    "hash": "0" * 64,
    "redacted": "0" * 64,
    "seq": 99,
}


def draft(number: int, event_id: str = "", cause: str = "") -> Draft:
    return Draft(
        kind="goal.given",
        v=1,
        origin="given",
        session="s-1",
        agent=None,
        actor="person",
        person="ada",
        workspace="w-1",
        turn=1,
        cause=cause,
        time="2026-11-23T10:00:00.000000Z",
        body=msgspec.Raw(b'{"n":%d}' % number),
        id=event_id,
    )


def log(length: int) -> tuple[Event, ...]:
    return seal([draft(number) for number in range(length)], START)


@given(st.integers(0, 6), st.integers(0, 6))
def test_sealing_in_two_batches_gives_the_same_chain(first, second):
    drafts = [draft(number) for number in range(first + second)]
    start = seal(drafts[:first], START)
    head = Head(epoch="e", seq=first, hash=start[-1].hash if start else START.hash)
    assert (*start, *seal(drafts[first:], head)) == seal(drafts, START)


@pytest.mark.parametrize("field", Event.__struct_fields__)
@given(place=st.integers(0, 4))
def test_any_field_that_is_changed_is_found_where_it_is(field, place):
    events = list(log(5))
    events[place] = msgspec.structs.replace(events[place], **{field: OTHER[field]})
    assert first_broken_link(events, START) is events[place]


def test_every_field_has_another_value_to_be_tried():
    assert set(OTHER) == set(Event.__struct_fields__)
    assert all(getattr(log(1)[0], field) != value for field, value in OTHER.items())


@given(st.permutations(range(5)))
def test_any_other_order_is_found(order):
    events = log(5)
    broken = first_broken_link([events[place] for place in order], START)
    first_wrong = next((n for n, place in enumerate(order) if n != place), None)
    assert broken is (None if first_wrong is None else events[order[first_wrong]])


@given(st.integers(0, 3))
def test_an_event_left_out_or_told_twice_is_found(place):
    events = log(5)
    assert first_broken_link((*events[:place], *events[place + 1 :]), START) is events[place + 1]
    assert first_broken_link((*events[: place + 1], *events[place:]), START) is events[place]


def test_a_body_that_is_put_back_with_its_hash_still_breaks_the_chain():
    events = list(log(3))
    body = msgspec.Raw(b'{"n":7}')
    events[1] = msgspec.structs.replace(events[1], body=body, body_hash=body_digest(body))
    assert first_broken_link(events, START) is events[1]


def test_a_turn_is_narrowed_and_not_changed():
    turn = Turn(session=SessionId("s-1"), person="ada", workspace="w-1")
    narrowed = turn.for_agent(AgentId("planner"))
    assert (turn.agent, narrowed.agent, narrowed.session) == (None, "planner", "s-1")
