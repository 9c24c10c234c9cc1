"""What a person misses, put in: a step in its place, or a line in the section it belongs to."""

from __future__ import annotations

import re
from datetime import date

import msgspec

from workbench.domain.loop.tasks import Feedback
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Effort,
    Item,
    Plan,
    Question,
    Risk,
    Step,
)
from workbench.guided.dates import NUMBER_WORDS
from workbench.guided.drafting import place_for, with_constraint
from workbench.guided.editing import log_decision, next_id, put_item, replace_item
from workbench.guided.feedback import Subject, as_title, asks_for_something, phrase_of, subject_of
from workbench.guided.setting import Setting
from workbench.guided.wording import capital, sentence

USUAL = Effort(low=1, likely=2, high=3)
"""Working days of a step whose length nobody named."""

Result = tuple[Plan, str, date | None]


def add(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result:
    """Put in what is missing."""
    phrase = phrase_of(said.text)
    kind: type[Item] | str = subject.kind if subject.named or said.section else Step
    if kind is Step and not asks_for_something(said.text) and _states_a_limit(phrase):
        kind = Constraint
    if kind is Risk:
        plan, item_id = _add_risk(plan, phrase, said, setting)
    elif kind is Criterion:
        plan, item_id = _add_criterion(plan, phrase)
    elif kind is Constraint:
        plan, item_id = add_constraint(plan, capital(phrase), setting.today)
    elif kind is Question:
        plan, item_id = add_question(plan, phrase, setting.decider)
    elif isinstance(kind, str) or kind is Decision:
        plan, item_id = _add_line(plan, phrase, kind, said)
    else:
        plan, item_id = _add_step(plan, phrase, said, setting)
    note = f"{item_id} was added: {phrase}."
    return log_decision(plan, f"Added {item_id}: {phrase}.", f"Asked for in {said.id}.", (said.id,)), note, None


def _states_a_limit(phrase: str) -> bool:
    """Tell whether a sentence states what must hold, rather than asking for something to be done."""
    return _LIMIT.search(phrase) is not None


_LIMIT = re.compile(
    r"\b(?:must|may|can)\s+not\b|\bcannot\b|\bcan['’]t\b|\b(?:is|are)\s+(?:away|closed|absent|on\s+leave|only)\b|"
    r"\brequires?\b|\bno\s+more\s+than\b|\bat\s+most\b|\bonly\s+(?:on|in|at|from|between)\b|\bmust\s+(?:be|stay|remain)\b",
    re.IGNORECASE,
)


# ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _add_step(plan: Plan, phrase: str, said: Feedback, setting: Setting) -> tuple[Plan, str]:
    step_id = next_id(plan, "S")
    bare, after, before = _place(plan, phrase)
    last = _last(plan)
    step = Step(
        id=step_id,
        title=as_title(bare),
        outcome=f"In place, as asked for: {bare}",
        check=f"The person who asked for it ({said.id}) has seen the result and agrees",
        owner=_usual_owner(plan, setting),
        effort=length_in(said.text) or USUAL,
        needs=after,
        workstream=next((one.workstream for one in plan.steps if one.id in after), "") or "Added",
        answers=(said.id,),
    )
    plan = put_item(plan, "steps", step, title="Steps", before=before or (last.id if last else ""))
    waiting = before or (last.id if last and last.id not in after else "")
    if waiting:
        waits = next(one for one in plan.steps if one.id == waiting)
        needs = tuple(need for need in waits.needs if not (before and need in after))
        plan = replace_item(plan, msgspec.structs.replace(waits, needs=(*needs, step_id)))
    return plan, step_id


def _place(plan: Plan, phrase: str) -> tuple[str, tuple[str, ...], str]:
    """Return the phrase, the steps the new one needs, and the step it comes right before; "" for no such."""
    match = re.search(
        r"[,\s]+(?P<how>before|after|right\s+after|following|prior\s+to)\s+(?P<what>.+)$", phrase, re.IGNORECASE
    )
    if match is not None:
        other = subject_of(match["what"], plan, "steps").item
        if isinstance(other, Step):
            bare = phrase[: match.start()]
            if match["how"].lower() in {"before", "prior to"}:
                return bare, other.needs, other.id
            return bare, (other.id,), ""
    by_words = subject_of(phrase, plan, "steps").item
    last = _last(plan)
    if isinstance(by_words, Step) and by_words != last:
        return phrase, (by_words.id,), ""
    return phrase, tuple(step.id for step in plan.steps[:1] if step != last), ""


def _last(plan: Plan) -> Step | None:
    """Return the step that everything leads to: the last one that nothing else needs."""
    needed = {need for step in plan.steps for need in step.needs}
    return next((step for step in reversed(plan.steps) if step.id not in needed), None)


def _usual_owner(plan: Plan, setting: Setting) -> str:
    owners = [step.owner for step in plan.steps if step.owner]
    return "Project lead" if "Project lead" in owners or not owners else owners[0] or setting.decider


_NUMBERS = "|".join(sorted(filter(str.isascii, NUMBER_WORDS), key=len, reverse=True))
_LENGTH = re.compile(
    rf"\b(?P<count>\d{{1,3}}(?:[.,]\d)?|half\s+an?|{_NUMBERS})"
    r"[\s-]+(?:working\s+|more\s+|extra\s+)?(?P<unit>hours?|days?|weeks?|months?)\b",
    re.IGNORECASE,
)


def length_in(text: str, *, last: bool = False) -> Effort | None:
    """Return the effort that a text names ("two weeks", "5 days"), as three points; None where it names none."""
    matches = list(_LENGTH.finditer(text))
    if not matches:
        return None
    match = matches[-1 if last else 0]
    count = match["count"].lower()
    number = 0.5 if count.startswith("half") else NUMBER_WORDS.get(count) or float(count.replace(",", "."))
    days = number * {"h": 0.125, "d": 1, "w": 5, "m": 20}[match["unit"][0].lower()]
    likely = min(500.0, max(0.5, round(days * 2) / 2))
    return Effort(low=max(0.5, round(likely * 0.8 * 2) / 2), likely=likely, high=round(likely * 1.2 * 2) / 2 or 0.5)


# ── other sections ────────────────────────────────────────────────────────────────────────────────────────────────────


def _add_risk(plan: Plan, phrase: str, said: Feedback, setting: Setting) -> tuple[Plan, str]:
    risk_id = next_id(plan, "R")
    touched = subject_of(phrase, plan, "steps").item
    where = touched.id if isinstance(touched, Step) else (plan.steps[0].id if plan.steps else "the first step")
    risk = Risk(
        id=risk_id,
        text=sentence(phrase),
        likelihood="medium",
        impact="medium",
        sign=f"It is mentioned as likely in a weekly review, or {where} is put off because of it.",
        response=f"Before {where} begins, it is settled who acts if it happens and what is done instead; "
        f"that is for {setting.the_decider}.",
        answers=(said.id,),
    )
    return put_item(plan, "risks", risk, title="Risks"), risk_id


def _add_criterion(plan: Plan, phrase: str) -> tuple[Plan, str]:
    criterion_id = next_id(plan, "C")
    due = next((item.due for item in plan.items if isinstance(item, Criterion) and item.due), None)
    criterion = Criterion(
        id=criterion_id,
        text=capital(phrase),
        measure="cases in which it is so, out of all cases",
        target="100 %",
        due=due,
    )
    return put_item(plan, "criteria", criterion, title="Success criteria"), criterion_id


def add_constraint(plan: Plan, text: str, today: date, place: int | None = None) -> tuple[Plan, str]:
    """Return the plan with a constraint more, and with a step that answers it."""
    constraint = Constraint(id=next_id(plan, "K"), text=text)
    section = plan.section("constraints")
    if section is not None and not section.items and section.text.startswith("The goal names none"):
        plan = msgspec.structs.replace(
            plan,
            sections=tuple(msgspec.structs.replace(one, text="") if one is section else one for one in plan.sections),
        )
    plan = put_item(plan, "constraints", constraint, title="Constraints")
    steps = plan.steps
    if steps:
        at = place_for(text, steps, steps[max(0, len(steps) - 2)].id) if place is None else place
        plan = replace_item(plan, with_constraint(steps[at], constraint, today))
    return plan, constraint.id


def add_question(plan: Plan, text: str, owner: str) -> tuple[Plan, str]:
    """Return the plan with an open question more."""
    question = Question(
        id=next_id(plan, "Q"),
        text=capital(text.strip().rstrip("?.! ")) + "?",
        assumption="The plan goes on as it stands until somebody answers.",
        owner=owner,
    )
    return put_item(plan, "questions", question, title="Open questions"), question.id


def _add_line(plan: Plan, phrase: str, kind: type[Item] | str, said: Feedback) -> tuple[Plan, str]:
    section = kind if isinstance(kind, str) else "notes"
    bullet = Bullet(
        id=next_id(plan, "B"),
        text=capital(phrase),
        priority="must" if section == "scope" else None,
        answers=(said.id,),
    )
    return put_item(plan, section, bullet), bullet.id
