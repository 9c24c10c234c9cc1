"""Sessions of older rules: what is proved of them, what is only recorded, and that calling itself old gains nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.builders import FixedClock, again, begin, cut, events_of
from tests.planning.test_resume import scripted
from tests.replay.audited_sessions import calls, resent, with_messages
from tests.replay.test_verification import difference, nowhere, verified
from tests.replay.verified_sessions import SESSIONS, Events, changed, first, rewritten, swapped, without
from workbench.domain.errors import LogDamaged, LogTooNew
from workbench.domain.log import rules
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.domain.session.session import fold
from workbench.planning.policies import approving_all
from workbench.replay.audit import audit
from workbench.replay.verification import verify
from workbench.storage.files.session_file import read_session_file

NOW = rules.CURRENT
NEXT = NOW + 1
OLDER = sorted((Path(__file__).parent / "older").glob("*.jsonl"))
UNNUMBERED = [path for path in OLDER if not path.stem.startswith("rules-")]


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the current rules, after all of SESSIONS were planned under what are the current ones."""
    for make in SESSIONS.values():
        make()
    monkeypatch.setattr(rules, "CURRENT", NEXT)


def derived(events: Events) -> int:
    return sum(event.origin == "derived" for event in events)


def under(number: int, monkeypatch: pytest.MonkeyPatch) -> Events:
    """A session with every step, planned under rules of this number."""
    with monkeypatch.context() as patch:
        patch.setattr(rules, "CURRENT", number)
        manager = begin(script=scripted())
        asyncio.run(manager.run(approving_all()))
        return tuple(events_of(manager))


def resumed_at(events: Events, length: int, *, resume: bool = True) -> Events:
    """A copy that ended after an event and goes on under the current rules."""
    manager = again(cut(events, length), events[0].session, script=scripted(), clock=FixedClock())
    if resume:
        asyncio.run(manager.resume())
    asyncio.run(manager.run(approving_all()))
    return tuple(events_of(manager))


def without_rules(events: Events) -> Events:
    """The same session as it would be written before rules had a number."""
    for event in events:
        if b',"rules":' in bytes(event.body):
            number = say.content(event).rules
            events = changed(events, event.seq, f',"rules":{number}', "")
    return events


# --- what the number is -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recording", UNNUMBERED, ids=lambda path: path.stem)
def test_a_recording_without_a_number_is_of_rules_1(recording: Path) -> None:
    events = tuple(read_session_file(recording))
    assert not any(b'"rules":' in bytes(event.body) for event in events)
    assert fold(events).rules == (1,)


@pytest.mark.parametrize("number", [1, 2, 7])
def test_a_new_session_names_the_current_rules(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "CURRENT", number)
    manager = begin()
    created = say.content(events_of(manager)[0])
    assert isinstance(created, say.SessionCreated)
    assert (created.rules, manager.state.rules) == (number, (number,))


@pytest.mark.cases(2)
@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize("read", [fold, verified, audit])
def test_newer_rules_are_refused_with_a_remedy(read) -> None:
    events = changed(SESSIONS["guided"](), 1, f'"rules":{NOW}', f'"rules":{NEXT + 1}')
    with pytest.raises(LogTooNew, match=f"rules {NEXT + 1}; this one knows rules up to {NEXT}") as error:
        read(events)
    assert error.value.remedy == "Update the workbench to open it."


@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize("read", [fold, audit])
def test_rules_that_go_down_are_damage(read) -> None:
    events = changed(SESSIONS["failed_and_resumed"](), 1, f'"rules":{NOW}', f'"rules":{NEXT}')
    seq = first(events, "session.resumed")
    with pytest.raises(LogDamaged, match=f":{seq} goes back from rules {NEXT} to rules {NOW}"):
        read(events)


def test_verification_names_where_rules_go_down(monkeypatch: pytest.MonkeyPatch) -> None:
    events = SESSIONS["failed_and_resumed"]()
    monkeypatch.setattr(rules, "CURRENT", NEXT)
    seq = first(events, "session.resumed")
    lying = changed(changed(events, 1, f'"rules":{NOW}', f'"rules":{NEXT}'), seq, f'"rules":{NOW}', f'"rules":{NEXT}')
    later = first(lying, "session.resumed", 2)
    found = difference(lying)
    assert (found.seq, f"goes back from rules {NEXT} to rules {NOW}" in found.why) == (later, True)


@pytest.mark.parametrize("number", ["0", "-1", "99999999999999999999999", "1.5", "true", '"1"', "null", "[1]"])
def test_a_number_that_is_none_is_damage(number: str) -> None:
    events = changed(SESSIONS["guided"](), 1, f'"rules":{NOW}', f'"rules":{number}')
    with pytest.raises(LogDamaged, match=r"session\.created\) does not say what its kind should.*rules"):
        fold(events)


# --- what is recorded -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_of_older_rules_is_sound_and_recorded(name: str) -> None:
    events = SESSIONS[name]()
    found = verify(events, nowhere)
    assert (found.difference, found.unchecked) == (None, ())
    assert (found.reproduced, found.recorded, found.older_rules) == (0, derived(events), (NOW,))
    assert (found.sound, found.verified) == (True, False)


@pytest.mark.cases(20)
@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize("recording", OLDER, ids=lambda path: path.stem)
def test_an_older_recording_is_sound_and_recorded(recording: Path) -> None:
    events = tuple(read_session_file(recording))
    found = verified(events)
    assert (found.difference, found.recorded, found.verified) == (None, derived(events), False)


@pytest.mark.usefixtures("raised")
def test_a_file_that_calls_itself_old_is_never_verified() -> None:
    """Also where it holds nothing that could be executed again."""
    found = verified(SESSIONS["guided"]()[:1])
    assert (found.sound, found.recorded, found.verified) == (True, 0, False)


@pytest.mark.usefixtures("raised")
def test_a_session_of_the_current_rules_is_executed_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    events = under(NEXT, monkeypatch)
    found = verified(events)
    assert (found.reproduced, found.recorded, found.verified) == (derived(events), 0, True)


def test_lying_about_rules_turns_verified_into_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed plan shows where it is executed again; where the file says it is old, nothing vouches for it."""
    honest = under(NEXT, monkeypatch)
    monkeypatch.setattr(rules, "CURRENT", NEXT)
    forged = changed(honest, first(honest, "plan.changed"), "Switch invoices over", "Pay the mallory account")
    assert not verified(forged).sound
    for lying in (without_rules(forged), changed(forged, 1, f'"rules":{NEXT}', f'"rules":{NOW}')):
        found = verified(lying)
        assert (found.verified, found.reproduced, found.recorded) == (False, 0, derived(lying))


@pytest.mark.usefixtures("raised")
def test_a_file_that_calls_itself_old_is_audited_by_every_rule() -> None:
    events = SESSIONS["with_agents"]()
    secret = Message(role="user", content="Nobody said this, word for word, in all of the session")
    planted = resent(events, calls(events, "planner")[0], lambda call: with_messages(call, secret))
    assert audit(events).ok
    assert not audit(planted).ok


# --- what has to fit --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize(
    ("missing", "shown", "why"),
    [
        ("gate.opened", "gate.answered", "is not open"),
        ("call.started", "call.finished", "is waiting for a result"),
        ("call.finished", "call.started", "waits for a result"),
        ("gate.answered", "gate.opened", "is open"),
    ],
)
def test_what_answers_something_has_to_fit(missing: str, shown: str, why: str) -> None:
    events = SESSIONS["every_step"]()
    found = difference(without(events, first(events, missing)))
    assert (found.kind, why in found.why) == (shown, True)


@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize("kind", ["plan.changed", "call.started", "gate.opened", "gate.answered", "call.finished"])
@pytest.mark.parametrize(
    ("field", "value"), [("turn", 9), ("cause", "nowhere-a-a1a1:1"), ("session", "other-b-b2b2"), ("id", "x:1")]
)
def test_headers_have_to_fit(kind: str, field: str, value: object) -> None:
    events = SESSIONS["every_step"]()
    seq = first(events, kind)
    if field == "id" and events[seq - 1].origin == "given":
        value, field = 9, "turn"
    assert difference(rewritten(events, seq, **{field: value})).seq == seq


@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize(("old", "new"), [('"call":"c1"', '"call":"c7"'), ('"id":"g1"', '"id":"g5"')])
def test_numbers_of_calls_and_gates_have_to_fit(old: str, new: str) -> None:
    events = SESSIONS["every_step"]()
    seq = first(events, "call.started" if "call" in old else "gate.opened")
    assert difference(changed(events, seq, old, new)).seq == seq


@pytest.mark.usefixtures("raised")
def test_the_order_has_to_fit() -> None:
    events = SESSIONS["every_step"]()
    assert difference(swapped(events, first(events, "call.started")))


@pytest.mark.usefixtures("raised")
def test_the_chain_has_to_hold() -> None:
    events = SESSIONS["guided"]()
    seq = first(events, "plan.changed")
    other = changed(events, seq, '"version":1', '"version":1 ')
    found = difference((*events[: seq - 1], other[seq - 1], *events[seq:]))
    assert "hash chain breaks" in found.why


@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize(
    ("name", "kind", "old", "new", "why"),
    [
        (
            "failing_searches",
            "guidance.recalled",
            '"source":"fallback"',
            '"source":"search"',
            "the search for it failed",
        ),
        ("sharing", "shared.observed", '"for_call":"c1"', '"for_call":"c7"', "c1 is next"),
        ("with_agents", "others.searched", '"for_call":"c1"', '"for_call":"c7"', "c1 is next"),
    ],
)
def test_a_look_outside_has_to_fit(name: str, kind: str, old: str, new: str, why: str) -> None:
    events = SESSIONS[name]()
    seq = next(event.seq for event in events if event.kind == kind and old.encode() in bytes(event.body))
    found = difference(changed(events, seq, old, new))
    assert (found.seq, why in found.why) == (seq, True)


# --- where newer rules begin ------------------------------------------------------------------------------------------


@pytest.mark.cases(6)
@pytest.mark.usefixtures("raised")
@pytest.mark.parametrize("resume", [True, False])
@pytest.mark.parametrize("length", range(2, 60, 7))
def test_from_a_resumption_on_everything_is_executed_again(length: int, resume: bool) -> None:
    """Also where a program drives the session on without resuming it first."""
    old = SESSIONS["every_step"]()
    events = resumed_at(old, length, resume=resume)
    found = verified(events)
    before = next(event.seq for event in events if event.seq > length and event.kind == "session.resumed")
    assert (found.difference, found.verified, found.older_rules) == (None, False, (NOW,))
    assert found.recorded == derived(events[:before])
    assert found.reproduced == derived(events[before:]) > 0
    assert fold(events).rules == (NOW, NEXT)


# --- how it is told ---------------------------------------------------------------------------------------------------


def test_a_change_of_rules_is_told_and_no_change_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "CURRENT", 2)
    said = "This session was planned under rules 1; from here on rules 2 apply."
    assert rules.rules_change_text((1,), (1, 2)) == said
    assert rules.rules_change_text((1, 2), (1, 2)) == ""
    assert rules.told((2,)) == "Planned under rules 2."
    assert rules.told((1, 2)) == (
        "Planned under rules 1 and 2: events under rules 1 are recorded, and cannot be executed again."
    )
