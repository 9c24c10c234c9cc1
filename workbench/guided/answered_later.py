"""Steps that a person tells when the plan is there already: “Q2: call the bank; then sign” adds them to it."""

from __future__ import annotations

import re

import msgspec

from workbench.domain.loop.tasks import Answered, Feedback, Handled
from workbench.domain.plan.operations import RemoveItem, applied
from workbench.domain.plan.plan import Amendment, Origin, Plan, Question, Section, Step, amend
from workbench.guided.account import NO_STEPS_YET, TOLD_LATER
from workbench.guided.brief import Brief, read_brief
from workbench.guided.draft import Draft
from workbench.guided.parts import TELL
from workbench.guided.phrases import listed
from workbench.guided.placement import tell
from workbench.guided.work import steps_of

_ANSWER = re.compile(r"\W*(?P<question>Q\d+)\s*[:,–-]\s*(?P<steps>.+)", re.DOTALL)


def with_steps_told(plan: Plan, said: Feedback, brief: Brief) -> tuple[Plan, Handled] | None:
    """Return the plan with the steps that answer its question for them; None for any other feedback."""
    match = _ANSWER.fullmatch(said.text)
    asked = next((item for item in plan.items if match and item.id == match["question"]), None)
    if match is None or not isinstance(asked, Question) or TELL not in asked.text:
        return None
    told = (Answered(question=asked.text, answer=match["steps"].strip()),)
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


def _moved(step: Step, by: int, origin: Origin) -> Step:
    """Return a step with ids after those that the plan has."""
    needs = tuple(f"S{int(need[1:]) + by}" for need in step.needs)
    return msgspec.structs.replace(step, id=f"S{int(step.id[1:]) + by}", needs=needs, origin=origin)
