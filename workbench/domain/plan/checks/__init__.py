"""What is unsound about a plan, found by rules: the same plan always gives the same findings.

    completeness    criteria that can be measured, steps with outcome and check, owners, efforts, ids
    dependencies    every need is a step, nothing waits for itself, answers name something
    dates           order, dependencies, effort, deadlines
    fields          days that are set, parts, lags, sums of money
    coverage        every constraint and every piece of feedback is answered somewhere
    duplicates      nothing stands there twice
    contradictions  nothing excluded is done; one value for a quantity, one date for a thing

A rule that is wrong once is believed never again, so each would rather miss a defect than raise a false alarm; what
needs knowledge of the world is a verifier's work. The rules about wording know English only.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from workbench.domain.loop.tasks import Feedback, Finding, Handled
from workbench.domain.plan.checks.case import Case, Check
from workbench.domain.plan.checks.completeness import (
    criteria_are_measurable,
    efforts_are_ordered,
    has_criteria_and_steps,
    ids_are_unique,
    steps_are_complete,
)
from workbench.domain.plan.checks.contradictions import (
    amounts_agree,
    deadlines_agree,
    nothing_excluded_is_done,
    scope_is_one_thing,
)
from workbench.domain.plan.checks.coverage import constraints_are_answered, constraints_are_listed, feedback_is_answered
from workbench.domain.plan.checks.dates import (
    criteria_are_ahead,
    dates_are_dates,
    steps_end_after_they_start,
    steps_end_in_time,
    steps_start_after_what_they_need,
    time_is_enough,
)
from workbench.domain.plan.checks.dependencies import answers_name_items, needs_are_steps, no_step_waits_for_itself
from workbench.domain.plan.checks.duplicates import nothing_stands_twice
from workbench.domain.plan.checks.fields import (
    days_that_are_set_are_kept,
    money_is_enough,
    parts_and_lags_fit,
    spans_are_in_order,
)
from workbench.domain.plan.plan import Plan

CHECKS: tuple[Check, ...] = (
    has_criteria_and_steps,
    ids_are_unique,
    criteria_are_measurable,
    criteria_are_ahead,
    steps_are_complete,
    efforts_are_ordered,
    needs_are_steps,
    no_step_waits_for_itself,
    answers_name_items,
    dates_are_dates,
    steps_end_after_they_start,
    steps_start_after_what_they_need,
    steps_end_in_time,
    time_is_enough,
    constraints_are_listed,
    constraints_are_answered,
    feedback_is_answered,
    days_that_are_set_are_kept,
    spans_are_in_order,
    parts_and_lags_fit,
    money_is_enough,
    nothing_stands_twice,
    scope_is_one_thing,
    nothing_excluded_is_done,
    amounts_agree,
    deadlines_agree,
)
"""All checks, in the order of their findings."""


def check_plan(
    plan: Plan,
    *,
    today: date,
    constraints: Sequence[str] = (),
    feedback: Sequence[Feedback] = (),
    handled: Sequence[Handled] = (),
) -> tuple[Finding, ...]:
    """Return everything that the rules find wrong with a plan; () for a sound one.

    ``constraints`` are those that were told, whether or not the plan lists them; ``feedback`` is all that was said.
    """
    case = Case(plan, today, tuple(constraints), tuple(feedback), tuple(handled))
    return tuple(finding for check in CHECKS for finding in check(case))


__all__ = ["CHECKS", "check_plan"]
