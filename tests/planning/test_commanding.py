"""Commands do the same in every state of a session: all of them or nothing, previewed, and taken back exactly."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import (
    CHOOSE,
    FINISH,
    FIRST_DRAFT,
    Script,
    again,
    answering,
    begin,
    cut,
    events_of,
    log_of,
    other_handle,
    plan_reply,
    verify_reply,
)
from tests.replay.test_verification import verified
from workbench.domain.commands.errors import NoCommand
from workbench.domain.errors import StaleHead, UsageError
from workbench.domain.loop.asking.tasks import MODEL, Finding
from workbench.domain.plan.changing.operations import MoveItem
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState
from workbench.planning.beside_the_loop.commanding import carry_out, goes_behind_save, way_back
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.session_log import SessionLog
from workbench.storage.files.session_file import read_session_file

TODAY = date(2026, 3, 2)
FILES = Path(__file__).parent.parent.parent


def at_a_gate() -> IterationManager:
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, title="P"))
    manager = begin("Move billing in 15 working days", script=script, checkpoint_interval=1)
    asyncio.run(manager.run(answering(CHOOSE)))
    return manager


def finished() -> IterationManager:
    manager = at_a_gate()
    asyncio.run(manager.run(answering(FINISH)))
    return manager


def stopped() -> IterationManager:
    manager = at_a_gate()
    asyncio.run(manager.stop("stopped by you"))
    return manager


def up_to(kind: str) -> IterationManager:
    """A session that ends with the first event of a kind after its plan was drafted."""
    manager = at_a_gate()
    events = events_of(manager)
    drafted = next(event.seq for event in events if event.kind == "plan.changed")
    end = next(event.seq for event in events if event.kind == kind and event.seq >= drafted)
    return again(cut(events, end), manager.session_id)


def imported(file: str) -> IterationManager:
    events = list(read_session_file(FILES / file))
    return again(cut(events, len(events)), events[0].session)


STATES = {
    "open": lambda: up_to("plan.changed"),
    "at a gate": at_a_gate,
    "asked by another process": lambda: up_to("call.started"),
    "stopped": stopped,
    "finished": finished,
    "imported": lambda: imported("sessions/run-city-trees-demo.jsonl"),
    "imported, of older rules": lambda: imported("tests/replay/older/move-billing-provider-demo.jsonl"),
}


def log(manager: IterationManager) -> SessionLog:
    return other_handle(log_of(manager), manager.session_id)


def owners(state: SessionState) -> dict[str, str]:
    return {step.id: step.owner for step in state.plan.steps} if state.plan is not None else {}


@pytest.mark.parametrize("state", STATES)
def test_a_command_is_carried_out_and_taken_back_in_every_state(state):
    manager = STATES[state]()
    session = log(manager)
    before = session.state
    assert before.plan is not None
    wanted, known = owners(before) | {"S2": "Anna"}, verified(events_of(manager)).difference
    carry_out(session, "S2 owner Anna", TODAY)
    if before.pending is not None:  # its driver takes it in before anything else
        assert owners(session.state) == owners(before)
        asyncio.run(again(log_of(manager), manager.session_id, script=Script()).run(answering()))
        assert owners(session.refresh()) == wanted
        return
    assert owners(session.state) == wanted
    assert session.state.version == before.version + 1
    assert session.state.status == before.status
    if not before.stopped:  # what stands still asks again when it goes on
        assert (session.state.gate is None) == (before.gate is None)
    changed = session.state.plan
    carry_out(session, "undo", TODAY)
    assert session.state.plan == before.plan
    carry_out(session, "redo", TODAY)
    assert session.state.plan == changed
    assert verified(events_of(manager)).difference == known


def test_what_another_process_drives_is_changed_by_that_process():
    manager = at_a_gate()
    session = log(manager)
    carry_out(session, "S1 owner Anna", TODAY)
    with manager.driving():
        carry_out(session, "S2 owner Anna; S2 by 3 May", TODAY)
        commanded = carry_out(session, "S2 owner Ben", TODAY)
        assert owners(session.state) == {"S1": "Anna", "S2": "Billing lead"}
        with pytest.raises(UsageError, match="The last change is not in the plan yet"):
            carry_out(session, "undo", TODAY)
    assert commanded.done == ("S2 owner: Anna → Ben",)
    asyncio.run(manager.run(answering()))
    assert owners(session.refresh()) == {"S1": "Anna", "S2": "Ben"}


def test_who_changes_the_plan_meanwhile_is_not_overwritten(monkeypatch):
    manager = at_a_gate()
    session, rival = log(manager), log(manager)
    record, raced = SessionLog.record, []

    def after_somebody(self: SessionLog, bodies, **more):
        if self is session and not raced:
            raced.append(carry_out(rival, 'S1 title "Copy all customers"', TODAY))
            with pytest.raises(StaleHead):
                record(self, bodies, **more)
            raise StaleHead("…")
        return record(self, bodies, **more)

    monkeypatch.setattr(SessionLog, "record", after_somebody)
    carry_out(session, '"copy" owner Anna', TODAY)
    state = session.refresh()
    assert state.plan is not None
    assert (state.plan.steps[0].title, state.plan.steps[0].owner) == ("Copy all customers", "Anna")


REFUSED = [
    ("S1 ownr Anna", NoCommand, "S1 ownr Anna\n   ^ “ownr” is not read here."),
    ("S1 done; U9 dismiss", UsageError, "There is no statement U9."),
    ("S1 needs S2", UsageError, "These steps wait for one another: S1 → S2 → S1."),
    ("S1 needs S2", UsageError, "as in: `S2 needs not S1`."),
    ("S2 under S1", UsageError, "S2 would wait for itself. A part cannot need its whole, nor what needs that."),
    ("S2 under S1", UsageError, "Take one of these back first: `S2 needs not S1`."),
    ('add "Oil" end 9 Apr', UsageError, "is worked out, not set."),
    ("S1 done; undo", UsageError, "Undo and redo are commands of their own."),
    ("undo", UsageError, "There is nothing to undo: the plan is as it was first drafted."),
    ("redo", UsageError, "There is nothing to redo."),
    ("undo to v9", UsageError, "There is no version 9. Name one from 1 to 1."),
    ("S1 done; holidays XX", UsageError, "No public holidays are known for 'XX'."),
    ('V9 dispute "no"', UsageError, "There is no finding V9."),
    ("S1 start 9 Apr", UsageError, "The start of S1 is worked out, not set. Say `S1 not before 2026-04-09`"),
]


@pytest.mark.parametrize(("text", "error", "words"), REFUSED, ids=[text for text, *_ in REFUSED])
def test_what_cannot_be_carried_out_changes_nothing(text, error, words):
    manager = at_a_gate()
    session = log(manager)
    if text in (
        "S1 needs S2",
        "S2 under S1",
        "S1 start 9 Apr",
        'add "Oil" end 9 Apr',
    ):  # before there are dates, it is a finding
        carry_out(session, "replan", TODAY)
    seq = session.state.seq
    with pytest.raises(error) as refused:
        carry_out(session, text, TODAY)
    assert words in str(refused.value)
    assert session.refresh().seq == seq


def test_statements_are_settled_beside_what_changes():
    manager = at_a_gate()
    session = log(manager)
    commanded = carry_out(session, "U1 used in S1, S2; S1 owner Anna", TODAY)
    assert commanded.done == ("S1 owner: Data lead → Anna", "U1 used S1, S2")
    [account] = session.state.accounts
    assert (account.state, account.items) == ("used", ("S1", "S2"))
    gate = session.state.gate
    carry_out(session, "U1 dismiss", TODAY)
    assert session.state.accounts[0].state == "dismissed"
    assert session.state.gate == gate
    assert verified(events_of(manager)).difference is None


def test_undo_goes_back_change_by_change_and_redo_forward():
    session = log(at_a_gate())
    plans = [session.state.plan]
    for text in ("S1 owner Anna", 'add "Tell Bob" 2d', "remove S1"):
        carry_out(session, text, TODAY)
        plans.append(session.state.plan)
    for expected in reversed(plans[:-1]):
        carry_out(session, "undo", TODAY)
        assert session.state.plan == expected
    for expected in plans[1:]:
        carry_out(session, "redo", TODAY)
        assert session.state.plan == expected
    carry_out(session, "undo to v2", TODAY)
    assert session.state.plan == plans[1]
    carry_out(session, "redo", TODAY)
    assert session.state.plan == plans[-1]
    carry_out(session, "undo", TODAY)
    carry_out(session, "S2 done", TODAY)
    with pytest.raises(UsageError, match="nothing to redo"):
        carry_out(session, "redo", TODAY)


def test_dropping_a_step_hands_its_needs_on_and_undo_takes_both_back():
    session = log(at_a_gate())
    carry_out(session, 'add "Send it" 1d needs S2; S2 needs S1', TODAY)
    before = session.state.plan
    dropped = carry_out(session, "S2 dropped", TODAY)
    steps = {step.id: step for step in dropped.plan.steps}
    assert steps["S3"].needs == ("S1",)
    assert steps["S3"].start > steps["S1"].end
    assert dropped.notes == ("S3 needed S2, and needs what that needed: S1.",)
    assert {change.cause.kind for change in dropped.changes} == {"person"}
    assert session.state.plan == dropped.plan
    carry_out(session, "undo", TODAY)
    assert session.state.plan == before


def test_a_new_item_never_has_the_id_of_one_that_is_gone():
    session = log(at_a_gate())
    carry_out(session, 'add "Tell Bob" 2d', TODAY)
    carry_out(session, "undo", TODAY)
    carry_out(session, 'add "Tell Eve" 2d', TODAY)
    assert session.state.plan is not None
    assert [step.id for step in session.state.plan.steps] == ["S1", "S2", "S4"]


EDITS = [
    "S1 owner Anna", "S2 takes 5d", "S1 by 3 May", "S1 dropped", 'add "New" 1d needs S1', "remove S1", "S2 needs none",
    "replan",
    'split S2 "a" 1d, "b" 2d', "move S2 first", "@Anna away 3-14 May", "days off 4-6 Mar", "S2 done", "all late 1w",
    'add risk "Rain"', 'merge S1 S2 "Both"', "budget 4,000 EUR", "deadline 30 June", "S1 clear effort", "undo", "redo",
    "U1 dismiss", "U1 used in S2; S2 @Kim",
]  # fmt: skip
STARTED = at_a_gate()


@pytest.mark.cases(12)
@given(st.lists(st.sampled_from(EDITS), min_size=1, max_size=6))
@settings(deadline=None, max_examples=200)
def test_every_command_is_undone_exactly(texts):
    events = events_of(STARTED)
    session = other_handle(cut(events, len(events)), STARTED.session_id)
    for text in texts:
        before = session.state.plan
        try:
            commanded = carry_out(session, text, TODAY)
        except UsageError:
            assert session.state.plan == before
            continue
        after = session.state.plan
        assert after == commanded.plan
        if commanded.does_something and text not in ("undo", "redo"):
            settled = session.state.accounts
            carry_out(session, "undo", TODAY)
            assert session.state.plan == before
            carry_out(session, "redo", TODAY)
            assert (session.state.plan, session.state.accounts) == (after, settled)


def test_a_command_stands_in_the_log_as_it_was_given():
    manager = at_a_gate()
    carry_out(log(manager), "  S1 owner Anna ", TODAY)
    [body] = [say.content(event) for event in events_of(manager) if event.kind == "status.reported"]
    assert isinstance(body, say.StatusReported)
    assert body.text == "S1 owner Anna"
    assert {change.cause.kind for change in body.changes} == {"person"}


def with_a_finding() -> tuple[IterationManager, int]:
    """A session whose verifier found something, and the number of that."""
    wrong = Finding(rule=MODEL, severity="major", text="The clamp holds nothing.")
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, title="P"), *[plan_reply()] * 3)
    manager = begin(script=script.then("verify", *[verify_reply(wrong)] * 3), max_iterations=2)
    asyncio.run(manager.run(answering(CHOOSE)))
    return manager, next(n for n, one in enumerate(manager.state.findings, 1) if one.text == wrong.text)


def test_a_finding_is_disputed_by_its_number():
    manager, number = with_a_finding()
    session = log(manager)
    commanded = carry_out(session, f'V{number} dispute "it is certified"', TODAY)
    assert commanded.done == ("disputed: The clamp holds nothing.",)
    state = session.refresh()
    assert state.findings[number - 1].disputed == "it is certified"
    assert state.findings[number - 1] not in state.open_findings
    assert verified(events_of(manager)).difference is None


def shown(state: SessionState) -> tuple[object, ...]:
    """All that commands change."""
    return state.plan, state.accounts, state.findings


def test_undo_takes_back_the_last_command_of_whatever_kind():
    manager, number = with_a_finding()
    session = log(manager)
    stages = [shown(session.state)]
    for text in (
        "S1 owner Anna",
        "U1 dismiss",
        f'V{number} dispute "it is certified"',
        "S2 owner Ben; U1 used in S1",
        f'V{number} dispute "it is new"; U1 dismiss',
    ):
        carry_out(session, text, TODAY)
        stages.append(shown(session.state))
        assert way_back(session.state) == "undo"
    for expected in reversed(stages[:-1]):
        assert carry_out(session, "undo", TODAY).does_something
        assert shown(session.state) == expected
        assert way_back(session.state) == "redo"
    with pytest.raises(UsageError, match="nothing to undo"):
        carry_out(session, "undo", TODAY)
    for expected in stages[1:]:
        assert carry_out(session, "redo", TODAY).does_something
        assert shown(session.state) == expected
    carry_out(session, "undo to v2", TODAY)
    assert shown(session.state) == stages[1]
    carry_out(session, "redo", TODAY)
    assert shown(session.state) == stages[-1]
    assert verified(events_of(manager)).difference is None


def test_what_was_done_before_a_save_is_not_undone_without_a_question():
    manager = at_a_gate()
    carry_out(log(manager), "S1 owner Anna", TODAY)
    carry_out(log(manager), "U1 dismiss", TODAY)
    asyncio.run(manager.run(answering(FINISH)))
    session = log(manager)
    session.refresh()
    assert goes_behind_save(session.state, "undo", TODAY)
    carry_out(session, "U1 used in S1", TODAY)
    assert not goes_behind_save(session.state, "undo", TODAY)
    carry_out(session, "undo", TODAY)
    assert goes_behind_save(session.state, "undo", TODAY)
    assert not goes_behind_save(session.state, "S1 owner Ben", TODAY)


@pytest.mark.parametrize(("command", "moved"), [("move S1 below S2", "S1"), ("move S2 first", "S2")])
def test_what_a_person_moves_is_what_is_recorded_as_moved(command, moved):
    session = log(at_a_gate())
    done = carry_out(session, command, TODAY)
    assert [one.operation.item for one in done.changes if isinstance(one.operation, MoveItem)] == [moved]
    assert [step.id for step in session.refresh().plan.steps][:2] == ["S2", "S1"]


def test_the_first_steps_of_a_plan_are_dated():
    session = log(at_a_gate())
    names = " ".join(step.id for step in session.refresh().plan.steps)
    carry_out(session, f"remove {names}", TODAY)
    carry_out(session, 'add "Pack" 2d by 30 Mar', TODAY)
    carry_out(session, 'add "Move" 1d', TODAY)
    assert all(step.start and step.end for step in session.refresh().plan.steps)
