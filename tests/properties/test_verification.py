"""Whatever a model, a person and somebody else do: the session is reproduced; a byte of what was derived is not."""

from __future__ import annotations

from itertools import islice

import msgspec
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import as_draft
from tests.properties.sessions import Play, courses
from tests.properties.test_session import relaxed
from tests.replay.test_verification import here
from tests.replay.verified_sessions import SESSIONS, fork_of, sealed, without_words
from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Event
from workbench.domain.session.events import content
from workbench.domain.session.forgetting import MARK
from workbench.replay.verification import verify


@relaxed(60)
@given(courses)
def test_every_course_of_a_session_is_reproduced(course):
    play = Play(course)
    state = play.run()
    events = tuple(play.log.read(state.session))
    found = verify(events, here)
    assert (found.difference, found.unchecked) == (None, ())
    assert found.reproduced == sum(event.origin == "derived" for event in events)


FORGOTTEN = ["provider", "changes", "covers", "26-03-10", "executor", "or_call", "ledger", "customers", "The auditors"]
"""Words that people say, and that stand in what bodies are made of, too."""


@pytest.mark.cases(3)
@relaxed(60)
@given(
    st.sampled_from(["every_step", "guided", "edited", "from_proposal", "with_workers", "sharing", "rewound"]),
    st.lists(st.sampled_from(FORGOTTEN), min_size=1, max_size=2, unique=True),
    st.sampled_from(["", "before", "behind"]),
    st.integers(2, 30),
)
@example(course="from_proposal", words=["26-03-10", "customers"], forked="", at=2)
@example(course="with_workers", words=["executor"], forked="", at=2)
@example(course="with_workers", words=["covers"], forked="before", at=30)
def test_nothing_that_was_forgotten_is_held_against_a_session(course, words, forked, at):
    events = SESSIONS[course]()
    events = without_words(fork_of(events, at) if forked == "before" else events, words)
    events = fork_of(events, at) if forked == "behind" else events
    found = verify(events, here)
    assert found.difference is None
    redacted = [event.seq for event in events if event.redacted or MARK.encode() in bytes(event.body)]
    assert [one.seq for one in found.unchecked if one.seq < min(redacted, default=len(events) + 1)] == []


def with_a_byte(events: tuple[Event, ...], seq: int, place: int, byte: int) -> tuple[Event, ...]:
    """The same events; in a body one byte is another one, and everything else is made right again."""
    drafts = [as_draft(event) for event in events]
    body = bytearray(bytes(drafts[seq - 1].body))
    assume(body[place % len(body)] != byte)
    body[place % len(body)] = byte
    drafts[seq - 1] = replace(drafts[seq - 1], body=msgspec.Raw(bytes(body)))
    return sealed(events[0].session, drafts)


def is_readable(event: Event) -> bool:
    try:
        content(event)
    except LogDamaged:
        return False
    return True


@relaxed(60)
@given(
    st.sampled_from(["every_step", "edited", "with_agents", "with_workers", "sharing", "bounded", "rewound"]),
    st.integers(0),
    st.integers(0),
    st.sampled_from(b'0123456789abcxyzABC "{}[],:\\'),
)
@example(course="rewound", which=32, place=287, byte=ord("0"))
def test_a_byte_of_what_was_derived_is_found_where_it_stands(course, which, place, byte):
    events = SESSIONS[course]()
    derived = [event.seq for event in events if event.origin == "derived"]
    seq = derived[which % len(derived)]
    found = verify(with_a_byte(events, seq, place, byte), here)
    if found.difference is None:  # the byte stood in the name of the embedder: nobody here can search with that one
        assert [(one.seq, "which is not here" in one.why) for one in found.unchecked] == [(seq, True)]
    else:
        assert found.difference.seq == seq


@relaxed(60)
@given(
    st.sampled_from(["every_step", "edited", "with_agents", "with_workers", "sharing", "bounded", "rewound"]),
    st.integers(0),
    st.integers(0),
    st.sampled_from(b"0123456789abcxyzABC "),
)
def test_a_byte_of_what_was_given_shows_at_that_event_or_behind_it_or_nowhere(course, which, place, byte):
    """Not everything that was given has consequences: a rating has none."""
    events = SESSIONS[course]()
    given_ones = [event.seq for event in events if event.origin == "given"]
    seq = given_ones[which % len(given_ones)]
    changed = with_a_byte(events, seq, place, byte)
    found = verify(changed, here)
    if found.difference is not None:
        assert found.difference.seq >= seq
    else:
        assert is_readable(changed[seq - 1])


def test_the_courses_that_are_changed_have_something_to_change():
    assert all(len(list(islice(SESSIONS[name](), 40))) == 40 for name in ("every_step", "bounded", "rewound"))
