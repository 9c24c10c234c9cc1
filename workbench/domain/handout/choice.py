"""What a page that would be too long leaves out, the least valuable first.

The most urgent decisions, those taken, the gravest risks, and points at which one may stop always stay. Steps that cost
nothing and have no deadline are told together, in a line for each group, before anything else goes that a reader needs;
then the options of decisions, the reasons of those taken, further decisions, also in a line, and at last steps that
have no more than a deadline.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.structs import astuple

from workbench.domain.handout.content import Content, most_words, words
from workbench.domain.handout.names import ids_in
from workbench.domain.plan.plan import (
    LEVELS,
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Plan,
    Question,
    Risk,
    Row,
    Step,
    name_key,
)
from workbench.domain.text.patterns import lazy_pattern

CHECKS, ACTIONS, NOTES, PEOPLE = "checks", "actions", "notes of steps", "people"
WORK, NEEDS, MINOR = "work", "needs", "minor conflicts"
"""Things that are left out as a whole."""
REASONS = "reasons"
MERGED = "merged"
"""Steps that an hour begins."""
PROSE = ("assumptions", "scope")
"""Sections whose prose and bullets say what the plan assumes and leaves out."""
_QUESTIONS, _RISKS, _ASSUMPTIONS, _DECISIONS = 5, 6, 6, 5
"""How many of each are worth more than anything else that can be left out."""
_DAY = lazy_pattern(r"\b\d{1,2}\.? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|\b\d{4}-\d\d-\d\d\b")


_GRAVEST = 2
"""Risks that always stay."""
TOGETHER, LATER, RISKS, HOURS = "steps in short", "decisions in short", "risks", "hours"
"""What steps and decisions are called that are told together, and rows of tables that go."""
_ONE = {"criteria": "criterion", TOGETHER: "step in short", LATER: "decision in short"}


def least_valuable_first(content: Content, text: str) -> list[tuple[str, str]]:
    """Return ids of items with what these are, and other things with "", in the order in which they are left out.

    ``text``: the document, as its model wrote it. Steps that it names stay.
    """
    plan = content.plan
    questions, risks = ([item.id for item in items] for items in (by_need(plan), gravest_first(plan)))
    rows = sorted((item for item in plan.items if isinstance(item, Row)), key=lambda row: (row.day, row.time))
    begun, firsts = begun_by_row(plan), {row.day: row.id for row in reversed(rows)}.values()
    prose = (section for name in PROSE if (section := plan.section(name)))
    assumed = [item.id for section in prose for item in section.items if isinstance(item, Bullet)]
    later = [item.id for item in by_latest(plan)[_DECISIONS:]]
    ordered = (
        ("", [CHECKS, ACTIONS, NOTES]),
        ("notes", [item.id for item in plan.items if isinstance(item, Bullet) and item.id not in assumed]),
        ("criteria", [item.id for item in plan.items if isinstance(item, Criterion)]),
        ("limits", [item.id for item in plan.items if isinstance(item, Constraint | DaysOff)]),
        ("questions", questions[_QUESTIONS:]),
        (RISKS, risks[_RISKS:]),
        ("assumptions", assumed[_ASSUMPTIONS:]),
        ("assumptions", assumed[:_ASSUMPTIONS]),
        ("", [PEOPLE, MERGED, WORK, NEEDS]),
        (TOGETHER, _small_steps(content, text)),
        (RISKS, risks[_GRAVEST:_RISKS]),
        ("options", [options_of(item.id) for item in by_latest(plan)[_DECISIONS:] if item.options]),
        ("questions", questions[:_QUESTIONS]),
        (HOURS, [row.id for row in rows if not (row.stop or row.id in begun or row.id in firsts)]),
        ("", [MINOR]),
        ("options", [options_of(item.id) for item in by_latest(plan)[:_DECISIONS] if item.options]),
        ("", [REASONS]),
        (LATER, later if len(later) > 1 else []),
        (TOGETHER, _small_steps(content, text, "deadline", "parent")),
    )
    return [(key, name) for name, keys in ordered for key in reversed(keys)]


_LOOKED_OUT_FOR = (
    "cost", "deadline", "parent", "on", "condition", "decisions", "no_return", "milestone", "repeat",
)  # fmt: skip
"""Fields of steps that a reader looks for."""


def _small_steps(content: Content, text: str, *all_the_same: str) -> list[str]:
    """Return the steps without cost, deadline or anything else to look out for, those last that are worth least.

    ``all_the_same``: fields that make none of them stay.

    What the page or an item speaks of is none of them; what can slip least is worth most, what is done least.
    """
    plan = content.plan
    others = (value for item in plan.items if not isinstance(item, Step) for value in astuple(item))
    named = ids_in(" ".join([text, *map(str, others)]))
    wholes = {step.parent for step in plan.steps}
    told = {one.step: one for one in content.figures.steps if not one.critical}
    plain = [
        step
        for step in plan.steps
        if step.id in told and step.id not in named | wholes and step.status in ("todo", "waiting", "done")
        if not any(getattr(step, field) for field in _LOOKED_OUT_FOR if field not in all_the_same)
    ]
    slack = {step.id: told[step.id].slack or 0 for step in plain}
    return [step.id for step in sorted(plain, key=lambda step: (step.status == "done", slack[step.id]))]


def how_many_left_out(plan: Plan, keys: Sequence[tuple[str, str]], page: Callable[[int], str]) -> int:
    """Return how many of the least valuable things a page leaves out, so that it is short enough."""
    most = most_words(plan)
    return bisect_left(range(len(keys)), True, key=lambda count: len(words(page(count))) <= most)


def options_of(decision: str) -> str:
    """Return what the options of a decision are called that are left out."""
    return f"options of {decision}"


def by_latest(plan: Plan) -> list[Decision]:
    """Return the decisions that have still to be taken, the earliest first."""
    decisions = (item for item in plan.items if isinstance(item, Decision) and item.is_open)
    return sorted(decisions, key=lambda item: item.latest or "~")


def in_the_whole_plan(left_out: Sequence[tuple[str, str]]) -> str:
    """Say in a line which items a page leaves out: ``4 criteria, 6 questions``; "" for none."""
    counts = Counter(name for name in dict(left_out).values() if name)
    return ", ".join(
        f"{count} {name if count > 1 else _ONE.get(name, name.removesuffix('s'))}" for name, count in counts.items()
    )


def begun_by_row(plan: Plan) -> dict[str, Step]:
    """Return the steps that begin with a row of the timetable, at its day and time and by one of its people."""
    rows = {(row.day, row.time[:5]): row for row in plan.items if isinstance(row, Row) and row.time}
    begun: dict[str, Step] = {}
    for step in plan.steps:
        row = rows.get((step.on or step.start or "", step.hours.partition("-")[0].strip()))
        who = {name_key(name) for name in row.who.split(",")} if row else set()
        is_plain = not (step.parent or step.condition) and step.status != "dropped"
        if row and is_plain and any(name_key(owner) in who for owner in step.owners):
            begun.setdefault(row.id, step)
    return begun


def by_need(plan: Plan) -> list[Question]:
    """Return the questions: first those that name a day, then those with the most causes that open decisions have."""
    causes = Counter(cause for item in by_latest(plan) for cause in item.causes)
    questions = [item for item in plan.items if isinstance(item, Question)]
    return sorted(questions, key=lambda item: (not _DAY.search(item.text), -sum(causes[one] for one in item.causes)))


def gravest_first(plan: Plan) -> list[Risk]:
    """Return the risks by likelihood and impact."""
    risks = [item for item in plan.items if isinstance(item, Risk)]
    return sorted(risks, key=lambda risk: -LEVELS.index(risk.likelihood) - LEVELS.index(risk.impact))
