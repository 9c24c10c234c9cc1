"""Leases, folded: who has a file or a task for itself, who waits for it, and what peers cannot make of that."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import Head, Turn, genesis, seal
from workbench.domain.log.ids import SessionId
from workbench.domain.shared import events as say
from workbench.domain.shared.context import Folding, SharedState, fold
from workbench.domain.shared.leases import MOST_LEASES, MOST_OF_A_NAME, MOST_WAITING, clean_lease
from workbench.sharing.snapshot import Snapshot

START = Head("e", 0, genesis("events"))
PLAN = "file:docs/plan.md"


def said(session, body):
    """A body as the draft of a peer."""
    turn = Turn(session=SessionId(session), person="eve", workspace="w-1")
    return say.draft(body, turn, actor="workbench", time="2026-11-22T08:00:00.000000Z")


def join(*sessions):
    return [said(session, say.SessionJoined()) for session in sessions]


def leave(session):
    return said(session, say.SessionLeft())


def claim(session, name="docs/plan.md", *, of="file", over=""):
    return said(session, say.LeaseClaimed(of=of, name=name, over=over))


def queue(session, name="docs/plan.md", *, of="file"):
    return said(session, say.LeaseQueued(of=of, name=name))


def refuse(session, holder, name="docs/plan.md"):
    return said(session, say.LeaseRefused(of="file", name=name, holder=holder))


def release(session, name="docs/plan.md", *, of="file"):
    return said(session, say.LeaseReleased(of=of, name=name))


def folded(*drafts):
    """The state, and what is shown of each event."""
    folding = Folding(SharedState())
    told = [folding.take(event) for event in seal(drafts, START)]
    return folding.state(), told


def types(told):
    return [one.event_type for one in told]


def held_by_a():
    return [*join("a", "b"), claim("a")]


@pytest.mark.parametrize(
    "hostile",
    [
        claim("stranger", "free.md"),
        queue("stranger"),
        refuse("stranger", "a"),
        release("stranger"),
        claim("b"),
        claim("b", over="a:1"),
        claim("b", over="a:99"),
        claim("a", over="a:3"),
        claim("b", "docs//free.md"),
        queue("a"),
        queue("b", "free.md"),
        refuse("b", "a", "free.md"),
        refuse("b", "stranger"),
        refuse("a", "a"),
        release("b"),
        release("b", "free.md"),
        claim("b", ""),
        claim("b", "/"),
        claim("b", "./free.md"),
        claim("b", "a/../free.md"),
        claim("b", " free.md"),
        claim("b", "a\x1b[2J"),
        claim("b", "a\u202eb"),
        claim("b", "x" * (MOST_OF_A_NAME + 1)),
        claim("b", " ", of="task"),
        msgspec.structs.replace(claim("b"), body=msgspec.Raw(b'{"of":"person","name":"ada"}')),
        msgspec.structs.replace(claim("b"), body=msgspec.Raw(b'{"of":"file"}')),
        msgspec.structs.replace(claim("b"), body=msgspec.Raw(b'{"of":"file","name":7}')),
    ],
    ids=range(28),
)
def test_what_no_workbench_would_have_said_of_a_lease_has_no_effect_and_is_shown(hostile):
    state, told = folded(*held_by_a(), hostile)
    assert told[-1].event_type == "disregarded"
    assert (told[-1].lease, told[-1].holder) == ("", "")
    assert state.leases == folded(*held_by_a())[0].leases


def test_a_peer_cannot_claim_without_end():
    claims = [claim("a", f"f{number}") for number in range(MOST_LEASES + 1)]
    state, told = folded(*join("a", "b"), *claims, claim("b", "f0", over="a:3"))
    assert types(told[-3:]) == ["claim", "disregarded", "claim"]
    assert len(state.leases) == MOST_LEASES
    names = [f"s{number}" for number in range(MOST_WAITING + 1)]
    state, told = folded(*join("a", *names), claim("a"), *(queue(name) for name in names))
    assert types(told[-2:]) == ["queue", "disregarded"]
    assert len(state.leases[PLAN].waiting) == MOST_WAITING


# names


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("docs/plan.md", "docs/plan.md"),
        ("./docs//plan.md", "docs/plan.md"),
        ("docs/./plan.md/", "docs/plan.md"),
        ("/etc//hosts", "/etc/hosts"),
        (" /etc/hosts ", "/etc/hosts"),
        ("./ ./a", "a"),
        ("..a", "..a"),
        ("a\x1b b", "a␛ b"),
        ("x" * MOST_OF_A_NAME, "x" * MOST_OF_A_NAME),
    ],
)
def test_a_file_has_one_name_however_it_is_written(given, kept):
    assert clean_lease("file", given) == ("file", kept)


def test_a_task_is_not_a_path():
    assert clean_lease("task", " ../ write\n./docs ") == ("task", "../ write ./docs")


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("file", "", "1 to 400 characters"),
        ("file", "./", "1 to 400 characters"),
        ("file", "/", "1 to 400 characters"),
        ("file", "x" * (MOST_OF_A_NAME + 1), "1 to 400 characters"),
        ("file", "../secrets", "without `..`"),
        ("file", "a/ .. /b", "without `..`"),
        ("task", "\n", "1 to 400 characters"),
        ("task", "x" * (MOST_OF_A_NAME + 1), "1 to 400 characters"),
        ("person\x1b", "ada", "'person␛' cannot be claimed"),
        ("", "ada", "cannot be claimed"),
    ],
)
def test_what_cannot_be_claimed_is_said(kind, name, why):
    with pytest.raises(UsageError, match=why) as failure:
        clean_lease(kind, name)
    assert failure.value.remedy


@given(st.sampled_from(["file", "task"]), st.text(st.sampled_from("./ \t\na\x1b\u202e") | st.characters(), max_size=20))
def test_a_name_that_is_clean_stays_as_it_is(kind, name):
    try:
        kept = clean_lease(kind, name)
    except UsageError:
        return
    assert clean_lease(*kept) == kept


# whatever happens

SESSIONS = ("a", "b", "c")
HAPPENINGS = st.lists(
    st.tuples(
        st.sampled_from(["join", "leave", "claim", "over", "over what is held", "queue", "refuse", "release"]),
        st.sampled_from(SESSIONS),
        st.sampled_from(["x", "y"]),
        st.sampled_from(SESSIONS),
    ),
    max_size=40,
)


def happened(happenings):
    """Events of sessions that do anything at any moment; a claim over what is held names the claim that holds it."""
    events, state = [], SharedState()
    for what, session, name, other in happenings:
        match what:
            case "join":
                (draft,) = join(session)
            case "leave":
                draft = leave(session)
            case "claim":
                draft = claim(session, name)
            case "over":
                draft = claim(session, name, over=f"{other}:{len(events)}")
            case "over what is held":
                lease = state.leases.get(f"file:{name}")
                draft = claim(session, name, over=lease.event if lease else "")
            case "queue":
                draft = queue(session, name)
            case "refuse":
                draft = refuse(session, other, name)
            case _:
                draft = release(session, name)
        head = Head("e", len(events), events[-1].hash if events else START.hash)
        events += seal([draft], head)
        state = fold(events[-1:], state)
        assert_sound(state)
    return events, state


def assert_sound(state):
    for key, lease in state.leases.items():
        assert key == lease.key
        assert set(lease.line) <= state.members.keys(), "only who takes part has it or waits"
        assert len(set(lease.line)) == len(lease.line), "nobody waits twice, nor for what it has"


@settings(max_examples=150, deadline=None)
@given(HAPPENINGS, st.integers(0, 40))
def test_leases_are_sound_whatever_happens_and_a_pure_fold(happenings, cut):
    events, state = happened(happenings)
    before = fold(events[:cut])
    copy = msgspec.json.encode(before)
    assert fold(events[cut:], before) == fold(events) == state
    assert msgspec.json.encode(before) == copy, "no earlier state is changed"


@settings(max_examples=40, deadline=None)
@given(HAPPENINGS)
def test_a_snapshot_brings_leases_back_as_they_were(tmp_path_factory, happenings):
    _, state = happened([("join", "a", "", ""), ("claim", "a", "x", ""), *happenings])
    snapshot = Snapshot(tmp_path_factory.mktemp("kept") / "shared_context.json")
    snapshot.keep(state, "e")
    assert snapshot.load() == (state, "e", None)
