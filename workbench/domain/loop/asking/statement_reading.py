"""Statements in the loop: cut from what the person said, told to the roles, and settled by replies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from workbench.domain.loop.answers.coercion import as_id
from workbench.domain.loop.asking.tasks import Handled, Said
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.plan import Plan, deadline_of
from workbench.domain.session import events as say
from workbench.domain.session.said import BEGIN, said_in
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import GOAL, Account, Settled, account, cuts_of, still_holding
from workbench.domain.values.calendar_words import FEASTS, MONTHS, spoken_day
from workbench.domain.values.dates import read_dates
from workbench.domain.values.plain import plain_text

_LONGEST_READ = 2_000
"""Characters of a statement in which days are looked for."""


def uncut(state: SessionState) -> say.StatementsRead | None:
    """Return the statements of the first text of the person that was not cut yet; None if all are.

    What they typed to begin with are commands, which become items without a model.
    """
    became_items = plans_without_model(state) or state.plan is not None
    known = set(state.cut)
    uncut_texts = ((source, text) for source, text in said_in(state) if source not in known)
    source, text = next((one for one in uncut_texts if not (became_items and one[0].startswith(BEGIN))), ("", ""))
    if not source:
        return None
    return say.StatementsRead(source=source, statements=cuts_of(text, len(state.statements)))


def statements_for_role(state: SessionState, plan: Plan | None) -> tuple[Said, ...]:
    """Return the statements that still hold, as a role is told them."""
    pinned = {one.id: one.section for one in state.feedback if one.section}
    began, years = date.fromisoformat(state.first_day), _event_years(state, plan)
    return tuple(_statement_text(one, pinned, began, years) for one in still_holding(state.accounts_in(plan)))


def goal_as_replaced(state: SessionState, plan: Plan) -> tuple[Said, ...]:
    """Return what the goal says, with all that replaced words of it or of one another; () if nothing did."""
    replacing = {part.by for one in state.accounts_in(plan) for part in one.replaced}
    told = statements_for_role(state, plan) if replacing else ()
    return tuple(one for one in told if one.source == GOAL or one.replaced or one.id in replacing)


def _statement_text(one: Account, pinned: Mapping[str, str], began: date, years: frozenset[int]) -> Said:
    statement = one.statement
    where = pinned.get(statement.source, "")
    return Said(
        id=statement.id,
        source=f"{_called(statement.source)} on {where}" if where else _called(statement.source),
        text=statement.text,
        state=one.state,
        items=one.items,
        note=one.note if one.state != "used" else "",
        replaced=tuple((part.part, part.by) for part in one.replaced),
        days=tuple(_days(statement.text[:_LONGEST_READ], began, years)),
    )


def _called(source: str) -> str:
    """Return what a role is told of where a statement stands; A1 is the name of an approach, too."""
    kind = {"A": "answer", "B": "own steps and values", "F": "feedback"}.get(source[:1])
    return f"{kind} {source[1:]}" if kind else source


def _event_years(state: SessionState, plan: Plan | None) -> frozenset[int]:
    """Return the years that the goal names, and the one in which the plan has to be done."""
    goal, began = state.goal[:_LONGEST_READ], date.fromisoformat(state.first_day)
    named = (date.fromisoformat(one.value.last) for one in read_dates(goal, plain_text(goal), began) if one.value.last)
    by = deadline_of(plan) if plan is not None else None
    return frozenset(day.year for day in (*(day for day in named if str(day.year) in goal), *([by] if by else ())))


def _days(text: str, began: date, years: frozenset[int]) -> Iterator[str]:
    """Yield the single days that a text names beyond doubt, each with its words and its weekday.

    ``began``: the day on which the session began.

    A day without a year may be the next one only if it is in the year of the event: the whole of what was said
    tells what a model has to read, and a wrong hint is worse than none.
    """
    for named in read_dates(text, plain_text(text), began):
        first = named.value.first
        if not first or first != named.value.last or named.doubt or named.value.recurs:
            continue
        day = date.fromisoformat(first)
        is_certain = str(day.year) in named.text or (day >= began and years <= {day.year})
        if is_certain and _says_month_and_day(named.text, day):
            yield f"{' '.join(named.text.split())} = {day:%a} {spoken_day(day)}"


def _says_month_and_day(text: str, day: date) -> bool:
    """Tell whether words name a day by its month and number, or as a feast; no weekday and no distance does."""
    plain = plain_text(text)
    numbers = set(map(int, re.findall(r"[0-9]{1,4}", plain)))
    has_month = day.month in numbers or not MONTHS.keys().isdisjoint(re.findall(r"[a-z]+", plain))
    return (day.day in numbers and has_month) or any(feast in plain for feast in FEASTS)


def settled_by(state: SessionState, plan: Plan, reply: Any) -> tuple[tuple[Settled, ...], tuple[str, ...]]:
    """Return what a reply by item says became of statements, and notes of what cannot be so.

    ``plan`` is the one that the reply makes: what is used has to name an item that is there.
    """
    known = {one.id: one for one in state.statements}
    items = {item.id for item in plan.items} | {section.id for section in plan.sections}
    before = {item.id for item in state.plan.items} if state.plan is not None else set()
    settled: list[Settled] = []
    notes: list[str] = []
    for one in reply.replaced:
        said = known.get(one.statement)
        if said is None or one.by not in known or one.by == one.statement:
            notes.append(f"What replaces {one.statement[:20]} was left out: both have to be statements.")
        elif one.part and one.part not in said.text:
            notes.append(f"What replaces {said.id} was left out: “{one.part[:60]}” does not stand in it.")
        else:
            part = "" if one.part == said.text else one.part
            settled.append(Settled(statement=said.id, state="replaced", part=part, by=one.by))
    dismissed = {one.statement.id for one in state.accounts if one.state == "dismissed"}
    for one in reply.statements:
        if one.id in dismissed:
            continue  # the person has said so
        if one.id not in known:
            notes.append(f"{one.id[:20]} is no statement.")
            continue
        told = tuple(item if item in items else as_id(item.strip(), "S") or item for item in one.items)
        named = tuple(item for item in told if item in items)
        gone = tuple(item for item in told if item in before and item not in items)
        acts = bool(named or gone) or any(one.id in item.causes for item in plan.items)
        if one.state in ("used", "partly") and not acts:
            where = f"{', '.join(one.items)} is not in the plan" if one.items else "no item of the plan names it"
            notes.append(f"{one.id} stays open: {where}.")
        elif one.state in ("answered", "declined") and not one.note.strip():
            notes.append(f"{one.id} stays open: {one.state} needs a note.")
        else:
            settled.append(Settled(statement=one.id, state=one.state, note=one.note.strip(), items=named))
    return tuple(settled), tuple(notes)


def handled_by(state: SessionState, plan: Plan, settled: Sequence[Settled]) -> tuple[Handled, ...]:
    """Return what became of each open piece of feedback that the planner was asked with: of all of its statements."""
    received = state.received
    asked_with = state.feedback if received is None else state.feedback[: received.call.feedback]
    citing = [(item.id, item.causes) for item in plan.items if item.causes]
    accounts = account(tuple(state.statements), (*state.settled, *settled), citing)
    return tuple(
        _handled(feedback.id, [one for one in accounts if one.statement.source == feedback.id])
        for feedback in state.open_feedback
        if feedback in asked_with
    )


def _handled(feedback: str, accounts: Sequence[Account]) -> Handled:
    is_open = [one.is_open for one in accounts]
    outcome: Any = "partly" if any(is_open) and not all(is_open) else "not done" if any(is_open) else "done"
    items = dict.fromkeys(item for one in accounts for item in one.items)
    told = [f"in {', '.join(items)}"] if items else []
    told += [f"“{_shortened(one.statement.text)}” {one.state}: {one.note}" for one in accounts if one.note]
    told += [f"“{_shortened(one.statement.text)}” is not used yet" for one in accounts if one.state == "open"]
    return Handled(feedback=feedback, kind="change", note="; ".join(told), outcome=outcome)


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else f"{words[:59]}…"
