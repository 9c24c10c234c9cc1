"""The shared context's fold: what peers say is checked once more, and never believed about itself."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workbench.domain.errors import UsageError
from workbench.domain.log.bodies import Unknown
from workbench.domain.log.envelope import Head, Turn, genesis, seal
from workbench.domain.log.ids import SessionId
from workbench.domain.session import events as session_events
from workbench.domain.shared import events as say
from workbench.domain.shared.context import Folding, SharedState, fold, lost
from workbench.domain.shared.input import MOST_KEYS, MOST_MEMBERS, MOST_OF_A_VALUE, clean_value
from workbench.domain.shared.merge import ABSENT, Loser

START = Head("e", 0, genesis("events"))


def said(body, session="a"):
    """A body as the draft of a peer."""
    turn = Turn(session=SessionId(session), person="eve", workspace="w-1")
    return say.draft(body, turn, actor="workbench", time="2026-11-22T08:00:00.000000Z")


def put(value, key="k", **fields):
    return say.KeySet(**({"key": key, "value": value, "base_version": 0, "version": 1, "rule": "unchanged"} | fields))


def folded(*drafts):
    """The state, and what is shown of each event."""
    folding = Folding(SharedState())
    told = [folding.take(event) for event in seal(drafts, START)]
    return folding.state(), told


def raw(kind, body, session="a"):
    """A draft that says whatever a peer may write into a file."""
    return msgspec.structs.replace(said(put(1)), kind=kind, body=msgspec.Raw(body), session=session)


@pytest.mark.parametrize(
    "hostile",
    [
        raw("key.set", b"{}"),
        raw("key.set", b"[]"),
        raw("key.set", b'{"key":"k","base_version":-1,"version":1,"rule":""}'),
        raw("key.set", b'{"key":"k","value":1e999,"base_version":0,"version":1,"rule":""}'),
        raw("key.set", b'{"key":"k","value":' + b"[" * 40 + b"]" * 40 + b',"base_version":0,"version":1,"rule":""}'),
        raw("key.set", b'{"key":"k","value":1' + b"0" * 20 + b',"base_version":0,"version":1,"rule":""}'),
        raw("gate.answered", b'{"gate":"g1","answer":{"kind":"approve"}}'),
        raw("from.tomorrow", b"{}"),
        raw("key.set", bytes(said(put(1)).body), session="Not An Id"),
        raw("key.set", bytes(said(put(1)).body), session="a\x1b[2J"),
        said(put(1, key="")),
        said(put(1, key="a\u202eb")),
        said(put(1, key=" k")),
        said(put(1, key="k" * 121)),
        said(put("a\x1b[2J")),
        said(put("x" * MOST_OF_A_VALUE)),
        said(put(1, rule="\x1b[2J")),
        said(put(1, losers=(Loser(path=("\x07",), value=1),))),
        said(put(1, losers=(Loser(value="x" * 3 * MOST_OF_A_VALUE),))),
    ],
    ids=range(19),
)
def test_what_no_workbench_would_have_let_in_has_no_effect_and_is_shown(hostile):
    state, told = folded(said(put("mine")), hostile, said(put("later")))
    assert [one.event_type for one in told] == ["update", "disregarded", "update"]
    assert state.context().data == {"k": "later"}
    assert state.entry("k").version == 2
    assert state.seq == 3


def test_versions_and_previous_values_are_counted_whatever_an_event_claims():
    lies = put("new", version=10**9, previous_value="never there", base_version=77)
    state, told = folded(said(put("old")), said(lies))
    assert state.entry("k").version == 2
    assert (told[1].version, told[1].previous_value) == (2, "old")


def test_no_event_of_the_shared_stream_is_an_event_of_a_session():
    assert say.KINDS.keys().isdisjoint(session_events.KINDS)
    for kind in say.KINDS:
        (event,) = seal([raw(kind, b"{}")], START)
        assert isinstance(session_events.content(event), Unknown), "a peer approves nothing"


def test_a_peer_cannot_fill_the_memory_of_others():
    many = [said(put(n, key=f"k{n}")) for n in range(MOST_KEYS + 2)]
    state, told = folded(*many)
    assert (state.live, len(state.entries)) == (MOST_KEYS, MOST_KEYS)
    assert [one.event_type for one in told[-2:]] == ["disregarded"] * 2
    state, told = folded(
        *many, said(put(7, key="k1")), said(say.KeyDeleted(key="k0", base_version=1, version=2, rule=""))
    )
    assert (state.live, state.entry("k1").value) == (MOST_KEYS - 1, 7)
    joins = [said(say.SessionJoined(), session=f"s{n}") for n in range(MOST_MEMBERS + 1)]
    state, told = folded(*joins)
    assert (len(state.members), told[-1].event_type) == (MOST_MEMBERS, "disregarded")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("kl"), st.integers(0, 3) | st.just(ABSENT)), max_size=12), st.integers(0, 12))
def test_folding_in_parts_is_folding_at_once_and_changes_no_earlier_state(changes, cut):
    events = seal([said(put(value, key=key)) for key, value in changes], START)
    before = fold(events[:cut])
    copy = msgspec.json.encode(before)
    assert fold(events[cut:], before) == fold(events)
    assert msgspec.json.encode(before) == copy
    assert fold((), before) is before
    there = {key: value for key, value in dict(changes).items() if value is not ABSENT}
    assert fold(events).context().data == there
    assert fold(events).live == len(there)


@pytest.mark.parametrize(
    ("losers", "shape"),
    [
        ((), ABSENT),
        ((Loser(value="x"),), "x"),
        ((Loser(rule="edit-over-delete"),), None),
        ((Loser(path=("a", "b"), value=1), Loser(path=("a", "c")), Loser(path=("d",), value=[])), None),
        ((Loser(path=("a",), value=1), Loser(path=("a", "b"), value=2)), {"a": {"b": 2}}),
    ],
)
def test_what_lost_is_shown_in_the_shape_of_the_value(losers, shape):
    if len(losers) == 3:
        shape = {"a": {"b": 1, "c": None}, "d": []}
    assert lost(losers) == shape


def test_a_value_of_another_program_is_kept_as_json():
    assert clean_value((1, {"a": ()})) == [1, {"a": []}]
    with pytest.raises(UsageError):
        clean_value(object())
