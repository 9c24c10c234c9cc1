"""Redacting what sessions share: the text is gone, what holds a body together stays, and no peer is in the way."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workbench.domain.log.bodies import Unknown
from workbench.domain.log.envelope import Head, Turn, genesis, seal
from workbench.domain.log.ids import SessionId
from workbench.domain.session.events import ContentForgotten, Redacted
from workbench.domain.session.forgetting import MARK, first_unvouched, without
from workbench.domain.shared import events as say
from workbench.domain.shared.context import Folding, SharedState, fold
from workbench.domain.shared.forgetting import beginnings, shared_redactions, with_beginnings
from workbench.domain.shared.input import OWN
from workbench.domain.shared.leases import key_of
from workbench.domain.shared.merge import ABSENT, Loser
from workbench.domain.text.mentions import Mentions
from workbench.storage.admission import redacted

SECRET = "sk-4711-of-the-billing"  # a text of no worth


def said(body, session="a"):
    turn = Turn(session=SessionId(session), person="eve", workspace="w-1")
    return say.draft(body, turn, actor="workbench", time="2026-11-22T08:00:00.000000Z")


def put(value, key="k", **fields):
    return say.KeySet(**({"key": key, "value": value, "base_version": 0, "version": 1, "rule": "unchanged"} | fields))


def raw(body, kind="key.set"):
    return msgspec.structs.replace(said(put(1)), kind=kind, body=msgspec.Raw(body))


def sealed(*drafts):
    return seal(drafts, Head("e", 0, genesis("events")))


def without_it(events, *texts):
    bodies = shared_redactions(events, texts or (SECRET,))
    return bodies, [redacted(event, bodies) for event in events]


def test_keys_values_names_and_what_lost_say_it_no_more():
    events = sealed(
        said(put({"key": f"is {SECRET}", f"{SECRET}!": [1, [SECRET]]}, key=f"the {SECRET}")),
        said(put("harmless", key="other")),
        said(
            say.KeyMerged(
                key="k",
                value=1,
                mine=SECRET,
                previous_value=[SECRET],
                base_version=0,
                version=2,
                rule="last-write",
                losers=(Loser(path=(SECRET,), value=SECRET),),
            )
        ),
        said(say.SessionLeft(reason=f"because of {SECRET}")),
    )
    bodies, after = without_it(events)
    assert list(bodies) == ["a:1", "a:3", "a:4"]
    assert not any(Mentions([SECRET]).within(bytes(event.body).decode()) for event in after)
    state = fold(after)
    assert state.entry(f"the {MARK}").value == {"key": f"is {MARK}", f"{MARK}!": [1, [MARK]]}
    assert state.entry("other").value == "harmless"
    assert [event.hash for event in after] == [event.hash for event in events]


def test_what_holds_a_body_together_stays():
    """Its fields, the ids of sessions and events, and the key of a session's course, whatever text is forgotten."""
    session = "move-the-billing-x1y2"
    events = sealed(
        said(say.SessionJoined(), session),
        said(put({"goal": "Move the billing"}, key=OWN + session), session),
        said(say.LeaseClaimed(of="file", name="billing.md"), session),
        said(say.KeyUndone(key="k", undone=f"{session}:2", base_version=0, version=1, rule="unchanged"), session),
    )
    for text in ("billing", "file", "value", "undone", "base_version", "billing-x1y2"):
        bodies, after = without_it(events, text)
        folding = Folding(SharedState())
        assert [folding.take(event).event_type for event in after] == ["join", "update", "claim", "undo"], text
        state = folding.state()
        assert isinstance(state.entry(OWN + session).value, dict)
        if text == "billing":
            assert state.entry(OWN + session).value == {"goal": f"Move the {MARK}"}
            assert key_of("file", f"{MARK}.md") in state.leases
            assert list(bodies) == [f"{session}:2", f"{session}:3"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"value":' + b"[" * 700 + b'"sk-4711-of-the-billing"' + b"]" * 700 + b"}",
        b'["sk-4711-of-the-billing"]',
        b'"sk-4711-of-the-billing"',
        b'{"key":7,"sk-4711-of-the-billing":"x"}',
    ],
)
@pytest.mark.parametrize("kind", ["key.set", "made.up"])
def test_no_peer_keeps_anybody_from_forgetting(body, kind):
    events = sealed(raw(body, kind), raw(b"[" * 100_000 + b"]" * 100_000, kind), said(put(SECRET)))
    bodies, after = without_it(events)
    assert set(bodies) == {"a:1", "a:3"}
    assert SECRET.encode() not in b"".join(bytes(event.body) for event in after)
    assert fold(after).entry("k").value == MARK


def test_the_event_that_vouches_has_no_effect_and_is_shown():
    before = fold(sealed(said(put(SECRET))))
    (event,) = seal([said(ContentForgotten(item="message:a:1"))], Head("e", before.seq, before.hash))
    folding = Folding(before)
    shown = folding.take(event)
    assert (shown.event_type, shown.key, shown.value) == ("forget", "", ABSENT)
    assert folding.state() == msgspec.structs.replace(before, seq=2, hash=event.hash)
    assert not shared_redactions([event], ["message:a:1"]), "nothing may redact it"
    assert not isinstance(say.content(event), Unknown)


def test_who_vouches_for_a_shared_event():
    (event,) = sealed(said(put(SECRET)))
    _, (after,) = without_it([event])
    vouching = said(ContentForgotten(item="i", redacted=(Redacted(event="a:1", body=after.redacted),)))
    (later,) = seal([vouching], Head("e", event.seq, event.hash))
    assert first_unvouched([after, later], say.FORGOTTEN, say.content) is None
    assert first_unvouched([after], say.FORGOTTEN, say.content) == after
    assert first_unvouched([after, later]) == after, "in a session it vouches for nothing"


def test_nothing_to_forget_changes_nothing():
    assert shared_redactions(sealed(said(put(SECRET))), []) == {}


def test_a_string_that_was_cut_in_the_middle_of_it():
    text = "Our new address is\n 12 Long Road, behind the old mill"
    assert list(beginnings("feedback: Our new address is 12 Long…", [text])) == ["Our new address is 12 Long"]
    assert list(beginnings("feedback: Our new address is 12 Long", [text])) == [], "it was not cut"
    assert list(beginnings("feedback: Our new add…", [text])) == [], "too short to stand for it"
    assert with_beginnings([text], [{"decisions": ["answer Our new address…"]}, None]) == (text, "Our new address")
    events = sealed(said(put({"decisions": ["answer Our new address…"]})))
    _, after = without_it(events, *with_beginnings([text], [msgspec.json.decode(events[0].body)]))
    assert fold(after).entry("k").value == {"decisions": [f"answer {MARK}"]}


values = st.recursive(
    st.none() | st.integers(-9, 9) | st.text(max_size=9) | st.just(f"x {SECRET}"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.just(SECRET), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.lists(values, max_size=5))
def test_whatever_was_shared_no_stored_value_says_it_any_more(shared):
    events = sealed(*(said(put(value, key=f"k{number}")) for number, value in enumerate(shared)))
    bodies, after = without_it(events)
    said_by = {event.id for event in events if SECRET in bytes(event.body).decode()}
    assert set(bodies) == said_by
    for event, redacted_event in zip(events, after, strict=True):
        value = msgspec.json.decode(redacted_event.body)
        assert without(value, Mentions([SECRET])) == value
        assert (redacted_event == event) == (event.id not in bodies)
