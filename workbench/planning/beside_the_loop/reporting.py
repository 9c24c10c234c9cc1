"""What a person changes in a plan is recorded, whether or not anybody plans on. Needs no model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from workbench.domain.errors import LogBusy, StaleHead, UsageError
from workbench.domain.log import rules
from workbench.domain.loop.steps import Record
from workbench.domain.loop.workflow import next_step
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import Settled
from workbench.domain.text.cleaning import clean_json
from workbench.planning.session_log import SessionLog


def mark_statement(session: SessionLog, statement: str, state: Literal["dismissed", "open"]) -> None:
    """Record that a person dismissed a statement, or wants it accounted for again. Raises UsageError."""
    name = statement.strip().upper()
    known = session.refresh()
    if all(one.id != name for one in known.statements):
        raise UsageError(
            f"There is no statement {name[:20]!r}.", f"List them: workbench sessions show {session.session}"
        )
    settled = Settled(statement=name, state=state)
    session.record_given([say.StatementMarked(settled=settled, number=next_number(known))], actor="person")


def next_number(state: SessionState) -> int:
    """Return the number of the next command that marks something."""
    return state.markings[-1].body.number + 1 if state.markings else 1


def record_changes(
    session: SessionLog, bodies: Callable[[SessionState], Sequence[say.Body]], *, actor: str = "person"
) -> bool:
    """Record what a person changes in one batch, and carry it out; return whether the plan is changed by now.

    ``actor`` is another program where that changes it, as the person allowed.
    ``bodies`` returns it for a state, again if somebody else was first. Raises what that raises.
    """
    if rules.is_older(session.refresh().rules):  # what older rules would derive is not known any more
        session.record_given([say.SessionResumed(rules=rules.CURRENT)], actor="person", next_turn=True)
    while True:
        state = session.state
        asks = state.gate is not None
        given = [msgspec.convert(clean_json(msgspec.to_builtins(one)), type(one)) for one in bodies(state)]
        try:
            given = [*session.new_day(), *given]
            session.record(given, actor=actor, origin="given", seen=state)
            break
        except StaleHead:
            session.refresh(given)
    with suppress(LogBusy), session.driving():
        while (state := session.refresh()).changing or asks:
            step = next_step(state)
            if not isinstance(step, Record):
                break
            with suppress(StaleHead):  # somebody came first: what follows is derived again
                session.record(step.bodies, actor="workbench", origin="derived", seen=state)
                asks = asks and session.state.gate is None
    return not session.state.changing
