"""What is unsound about a plan, found by rules: the same plan always gives the same findings.

    completeness    criteria and steps, with outcome, check, owner, effort; ids
    criteria        can they be measured, and when
    dependencies    every need and every id that is named exists, nothing waits for itself
    dates           order, dependencies, deadlines
    working_days    days off, absences, effort, lags, windows
    spans           time that the plan's own words speak of: deliveries, notice
    people          owners who are known, have time, and do one thing at a time
    fields          days that are set, parts, lags
    costs           sums against limits, prices in texts
    progress        what is done has ended, what is under way has begun
    coverage        constraints, feedback and scope are answered somewhere
    counts          places and people, groups and the whole, targets and the goal, a pace and the time for it
    kinds           what is of a kind: an excavator is a machine
    limits          days, amounts and times that constraints name
    acts            what a step does to what, and what has to come before
    order           the order that the plan itself asks for
    waits           steps that wait for one another in their words
    risks           signs and responses, which can still work
    duplicates      nothing stands there twice
    contradictions  nothing excluded is done; one date for a thing

A rule that is wrong once is believed never again, so each would rather miss a defect than raise a false alarm; what
needs knowledge of the world is a verifier's work. The rules about wording know English only.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from workbench.domain.loop.tasks import Feedback, Finding, Handled
from workbench.domain.plan.checks import (
    acts,
    completeness,
    contradictions,
    costs,
    counts,
    coverage,
    criteria,
    dates,
    dependencies,
    duplicates,
    fields,
    limits,
    order,
    people,
    progress,
    risks,
    spans,
    waits,
    working_days,
)
from workbench.domain.plan.checks.case import Case, Check
from workbench.domain.plan.plan import Plan

CHECKS: tuple[Check, ...] = (
    completeness.has_criteria_and_steps,
    completeness.ids_are_unique,
    criteria.criteria_are_measurable,
    criteria.criteria_are_ahead,
    criteria.comparisons_have_a_baseline,
    completeness.steps_are_complete,
    completeness.checks_prove_something,
    completeness.efforts_are_ordered,
    dependencies.needs_are_steps,
    dependencies.no_step_waits_for_itself,
    dependencies.answers_name_items,
    dependencies.ids_in_texts_are_known,
    dates.dates_are_dates,
    working_days.weekdays_fit_their_dates,
    dates.steps_end_after_they_start,
    dates.steps_start_after_what_they_need,
    working_days.lags_are_kept,
    dates.steps_end_in_time,
    working_days.windows_are_open,
    working_days.what_is_to_do_lies_ahead,
    working_days.work_is_on_working_days,
    working_days.events_find_their_people,
    working_days.efforts_fit_their_days,
    dates.time_is_enough,
    spans.waiting_is_as_long_as_said,
    people.owners_are_known,
    people.people_have_time,
    people.nobody_judges_their_own_work,
    people.nobody_does_two_things_at_once,
    progress.progress_is_possible,
    coverage.constraints_are_listed,
    coverage.constraints_are_answered,
    coverage.answers_speak_of_what_is_asked,
    coverage.scope_is_worked_on,
    coverage.what_is_used_is_made,
    coverage.goal_is_worked_on,
    coverage.feedback_is_answered,
    fields.days_that_are_set_are_kept,
    fields.spans_are_in_order,
    fields.parts_and_lags_fit,
    costs.money_is_enough,
    costs.stated_sums_agree,
    acts.nothing_irreversible_comes_first,
    order.the_order_is_kept_that_is_said,
    waits.nothing_waits_for_what_needs_it,
    spans.notice_is_given_in_time,
    risks.risks_have_signs_and_responses,
    risks.signs_come_in_time,
    risks.responses_can_work,
    duplicates.nothing_stands_twice,
    duplicates.nothing_is_done_twice,
    contradictions.scope_is_one_thing,
    contradictions.nothing_excluded_is_done,
    limits.what_is_ruled_out_in_time_is_not_done,
    contradictions.what_ends_does_not_have_to_stay,
    contradictions.limits_of_money_agree,
    contradictions.deadlines_agree,
    counts.places_are_enough,
    counts.groups_make_the_whole,
    counts.targets_are_those_of_the_goal,
    counts.efforts_fit_their_counts,
    limits.fields_say_what_their_words_say,
    limits.goal_and_constraints_agree,
)
"""All checks, in the order of their findings."""


def check_plan(
    plan: Plan,
    *,
    today: date,
    constraints: Sequence[str] = (),
    feedback: Sequence[Feedback] = (),
    handled: Sequence[Handled] = (),
    told: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """Return everything that the rules find wrong with a plan; () for a sound one.

    ``constraints`` are those that were told, whether or not the plan lists them; ``feedback`` is all that was said.
    ``told`` is what the person answered, where a planner takes steps over in the person's own words.
    """
    case = Case(plan, today, tuple(constraints), tuple(feedback), tuple(handled), tuple(told))
    return tuple(finding for check in CHECKS for finding in check(case))


__all__ = ["CHECKS", "check_plan"]
