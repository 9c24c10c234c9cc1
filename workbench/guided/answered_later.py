"""Answers that come when the plan is there already.

“Q2: call the bank; then sign”   adds the steps that the question asked for
“Q1: 23 February”                gives what could be read as two days the one that was meant
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date, timedelta

import msgspec

from workbench.domain.facts.calendar_words import spoken_day
from workbench.domain.facts.fact import Value
from workbench.domain.facts.reader import read_facts
from workbench.domain.loop.tasks import Answered, Feedback, Handled
from workbench.domain.plan.operations import RemoveItem, SetField, applied
from workbench.domain.plan.plan import Amendment, Item, Origin, Plan, Question, Section, Step, amend
from workbench.guided.account import NO_STEPS_YET, TOLD_LATER
from workbench.guided.brief import MEANT, Brief, read_brief
from workbench.guided.draft import Draft
from workbench.guided.parts import TELL
from workbench.guided.phrases import listed
from workbench.guided.placement import tell
from workbench.guided.work import steps_of

_ANSWER = re.compile(r"\W*(?P<question>Q\d+)\s*[:,–-]\s*(?P<said>.+)", re.DOTALL)
_DAYS = ("day", "on", "deadline", "not_before", "due")
"""Fields that hold a day that somebody said."""


def with_steps_told(plan: Plan, said: Feedback, brief: Brief) -> tuple[Plan, Handled] | None:
    """Return the plan with the steps that answer its question for them; None for any other feedback."""
    match = _ANSWER.fullmatch(said.text)
    asked = next((item for item in plan.items if match and item.id == match["question"]), None)
    if match is None or not isinstance(asked, Question) or TELL not in asked.text:
        return None
    told = (Answered(question=asked.text, answer=match["said"].strip()),)
    draft = Draft(read_brief(brief.goal, brief.today.isoformat(), told))
    tell(draft)
    if not draft.work:
        return None
    origin = Origin("feedback", said.id)
    first = max((int(step.id[1:]) for step in plan.steps if step.id[1:].isdigit()), default=0)
    new = [_moved(step, first, origin) for step in steps_of(draft.work)]
    old = plan.section("steps") or Section(id="steps", title="Steps")
    after = applied(plan, [RemoveItem(item=asked.id)])
    approach = after.section("approach")
    amendments = [Amendment(section=msgspec.structs.replace(old, items=(*old.items, *new)))]
    if approach is not None:
        text = approach.text.replace(NO_STEPS_YET, TOLD_LATER)
        amendments.append(Amendment(section=msgspec.structs.replace(approach, text=text)))
    noted = [f"“{one.text}” is no step." for one in draft.notes]
    note = " ".join([f"{listed([one.id for one in new])} added.", *noted])
    handled = Handled(
        feedback=said.id, kind="add", sections=("steps", "questions"), note=note, request=said.text, outcome="done"
    )
    return amend(after, tuple(amendments)), handled


def with_day_meant(plan: Plan, said: Feedback, brief: Brief) -> tuple[Plan, Handled] | None:
    """Return the plan with the day that answers its question which one is meant; None for any other feedback."""
    match = _ANSWER.fullmatch(said.text)
    asked = next((item for item in plan.items if match and item.id == match["question"]), None)
    quoted = MEANT.match(asked.text) if isinstance(asked, Question) else None
    if match is None or asked is None or quoted is None:
        return None
    days = (fact for fact in read_facts(match["said"], brief.today) if fact.type == "date" and not fact.doubt)
    meant = next((fact.value.first for fact in days if fact.value.first), "")
    known = next((one for one in brief.facts if one.id in _facts_of(asked)), None)
    value = known.fact.value if known is not None else Value()
    if known is None or known.source == "goal" or not meant or value.first is None:
        return None  # on a day of the goal all the others depend
    moved = date.fromisoformat(meant) - date.fromisoformat(value.first)
    before = {value.first, value.last, value.limit} - {"", None}
    field = {"deadline": "deadline", "start": "not_before"}.get(known.fact.role, "on")
    changes = [
        SetField(item=item.id, field=name, value=_moved_day(getattr(item, name, None), moved) or meant)
        for item in plan.items
        if item != asked
        for name in (_held(item, before) if _facts_of(asked) & _facts_of(item) else [])
        or ([field] if isinstance(item, Step) and quoted["words"] in item.title else [])
    ]
    if not changes:
        return None
    after = applied(plan, [*changes, RemoveItem(item=asked.id)])
    note = f"{listed(sorted({one.item for one in changes}))}: {spoken_day(date.fromisoformat(meant))} now."
    sections = tuple(dict.fromkeys(part.id for part in after.sections if part != plan.section(part.id)))
    return after, Handled(
        feedback=said.id, kind="change", sections=sections, note=note, request=said.text, outcome="done"
    )


def _moved_day(day: str | None, by: timedelta) -> str:
    return (date.fromisoformat(day) + by).isoformat() if day else ""


def _held(item: Item, days: Collection[str | None]) -> list[str]:
    """Return the fields of an item that hold one of these days."""
    return [name for name in _DAYS if getattr(item, name, None) in days]


def _facts_of(item: Item) -> frozenset[str]:
    return frozenset(item.origin.source.split() if item.origin is not None else ())


def _moved(step: Step, by: int, origin: Origin) -> Step:
    """Return a step with ids after those that the plan has."""
    needs = tuple(f"S{int(need[1:]) + by}" for need in step.needs)
    return msgspec.structs.replace(step, id=f"S{int(step.id[1:]) + by}", needs=needs, origin=origin)
