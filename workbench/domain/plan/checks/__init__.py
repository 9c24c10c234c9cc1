"""What is unsound about a plan, found in its typed fields: the same plan always gives the same findings.

    structure   ids, needs, parts, answers; fields that are missing
    dates       order, needs, lags, windows, days off, what has passed
    deadlines   date constraints against the steps that answer them
    people      owners who are known, have time, and do one thing at a time
    money       sums against limits
    progress    what is done has ended, what is under way has begun

No check reads prose but for its references: what needs words is the verifier's work. A rule that is wrong once is never
believed again, so each would rather miss a defect than raise a false alarm.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from msgspec.structs import replace

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.checks import dates, deadlines, money, people, progress, structure
from workbench.domain.plan.checks.case import Case, Check, listed
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.references import filler

CHECKS: tuple[Check, ...] = (
    structure.has_steps,
    structure.ids_are_unique,
    structure.needs_are_steps,
    structure.no_step_waits_for_itself,
    structure.parts_and_lags_fit,
    structure.references_name_items,
    structure.efforts_are_ordered,
    dates.dates_are_dates,
    dates.spans_are_in_order,
    dates.dates_are_in_order,
    dates.windows_are_open,
    dates.set_days_are_kept,
    dates.steps_start_after_what_they_need,
    dates.lags_are_kept,
    dates.hours_follow_what_they_need,
    dates.decisions_are_taken_before,
    deadlines.date_constraints_are_met,
    deadlines.nothing_ends_after_the_day,
    dates.what_is_to_do_lies_ahead,
    dates.work_is_on_working_days,
    dates.set_days_are_working_days,
    dates.efforts_fit_their_days,
    dates.durations_have_room,
    people.owners_are_known,
    people.people_have_time,
    people.times_are_read,
    people.nobody_does_two_things_at_once,
    people.rows_have_their_people,
    people.weeks_have_room,
    money.money_is_enough,
    progress.progress_is_possible,
    structure.references_are_known,
    structure.fields_are_filled,
)
"""All checks, in the order of their findings."""


def check_plan(plan: Plan, *, today: date) -> tuple[Finding, ...]:
    """Return everything that the rules find wrong with a plan; () for a sound one."""
    case = Case(plan, today)
    found, fill = (finding for check in CHECKS for finding in check(case)), filler(plan)
    return tuple(replace(one, text=fill(one.text)) if "{" in one.text else one for one in found)


_GAPS = (
    "criteria.measure", "criteria.target", "people.unknown", "steps.none", "steps.owner", "steps.effort",
    "status.finish", "status.start",
)  # fmt: skip
"""Rules about what a plan does not say."""
_FAMILIES = frozenset(["dates", "people", "money", "ids", "answers", "steps", "status", "criteria"])
"""What rules begin with that calculate; the others are about words and files."""


def is_conflict(finding: Finding) -> bool:
    """Tell whether a finding is calculated and names what cannot be as the plan says, and no field that is missing."""
    return finding.rule.partition(".")[0] in _FAMILIES and finding.rule not in _GAPS


def minor_in_short(findings: Iterable[Finding]) -> str:
    """Return the minor findings that are not disputed in a line, ``Minor: …``, one of each kind; "" for none."""
    kinds: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.severity == "minor" and not finding.disputed:
            kinds.setdefault(finding.rule, []).append(finding)
    texts = [" ".join(filter(None, (first.text, _likewise(first, more)))) for first, *more in kinds.values()]
    left = f" And {len(texts) - _MOST_TOLD} more." if len(texts) > _MOST_TOLD else ""
    return f"Minor: {' '.join(texts[:_MOST_TOLD])}{left}" if texts else ""


def _likewise(first: Finding, more: Iterable[Finding]) -> str:
    items = [item for item in dict.fromkeys(one.item for one in more) if item and item != first.item]
    return f"Likewise {listed(items)}." if items else ""


_MOST_TOLD = 6
"""Kinds of minor conflicts that are told in a line."""

__all__ = ["CHECKS", "check_plan", "is_conflict", "minor_in_short"]
