"""What is unsound about a plan, found by rules: the same plan always gives the same findings.

    completeness    criteria and steps, with outcome, check, owner, effort; ids
    criteria        can they be measured, and when
    proof           checks that prove something, while somebody is there
    dependencies    every need is a step, nothing waits for itself, answers name something
    dates           order, dependencies, deadlines
    working_days    days off, absences, effort, lags, windows
    people          owners who are known, have time, and do one thing at a time
    fields          days that are set, parts, lags
    costs           sums against limits, prices in texts
    progress        what is done has ended, what is under way has begun
    coverage        constraints, feedback, scope and the goal's days are answered somewhere
    counts          places and people, offers, hours for so many things
    limits          approvals that somebody asks for; days, weekdays and hours that are ruled out
    irreversible    nothing that cannot be undone before what it depends on
    order           the order that the plan itself asks for
    results         what a step relies on is made before
    risks           signs and responses, in time
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
    efforts_are_ordered,
    has_criteria_and_steps,
    ids_are_unique,
    steps_are_complete,
)
from workbench.domain.plan.checks.contradictions import (
    amounts_agree,
    deadlines_agree,
    nothing_excluded_is_done,
    places_are_left_alone,
    scope_is_one_thing,
    what_is_free_is_not_sold,
)
from workbench.domain.plan.checks.costs import money_is_enough, prices_agree, sums_that_are_named_are_right
from workbench.domain.plan.checks.counts import (
    counts_of_constraints_are_kept,
    efforts_fit_their_counts,
    everybody_has_a_place,
    places_are_enough,
)
from workbench.domain.plan.checks.coverage import (
    constraints_are_answered,
    constraints_are_listed,
    feedback_is_answered,
    goal_is_covered,
    open_questions_are_cleared,
    scope_is_worked_on,
)
from workbench.domain.plan.checks.criteria import (
    comparisons_have_a_baseline,
    criteria_are_ahead,
    criteria_are_measurable,
)
from workbench.domain.plan.checks.dates import (
    dates_are_dates,
    steps_end_after_they_start,
    steps_end_in_time,
    steps_start_after_what_they_need,
    time_is_enough,
)
from workbench.domain.plan.checks.dependencies import answers_name_items, needs_are_steps, no_step_waits_for_itself
from workbench.domain.plan.checks.duplicates import nothing_is_done_twice, nothing_stands_twice
from workbench.domain.plan.checks.fields import days_that_are_set_are_kept, parts_and_lags_fit, spans_are_in_order
from workbench.domain.plan.checks.irreversible import nothing_irreversible_comes_first
from workbench.domain.plan.checks.limits import (
    approvals_are_steps,
    constraints_can_be_tested,
    days_of_constraints_are_kept,
    events_are_on_one_day,
    fields_say_what_their_words_say,
    goal_and_constraints_agree,
    papers_are_obtained,
    what_has_to_stay_stays,
    what_is_ruled_out_in_time_is_not_done,
)
from workbench.domain.plan.checks.order import (
    approvals_hold_something_back,
    nothing_is_taken_from_what_has_ended,
    nothing_runs_ahead_of_its_approval,
    notice_is_given_in_time,
    one_thing_goes_its_way,
    one_thing_is_in_one_place,
    the_order_is_kept_that_is_said,
    what_goes_in_comes_first,
    what_has_to_rest_rests,
)
from workbench.domain.plan.checks.people import (
    nobody_does_two_things_at_once,
    nobody_judges_their_own_work,
    owners_are_known,
    owners_are_still_there,
    people_have_time,
)
from workbench.domain.plan.checks.progress import progress_is_possible
from workbench.domain.plan.checks.proof import checks_prove_something
from workbench.domain.plan.checks.results import ids_in_texts_are_known, results_are_made
from workbench.domain.plan.checks.risks import responses_come_in_time, risks_have_signs_and_responses
from workbench.domain.plan.checks.working_days import (
    efforts_fit_their_days,
    events_find_their_people,
    lags_are_kept,
    waiting_is_as_long_as_said,
    weekdays_fit_their_dates,
    what_is_to_do_lies_ahead,
    windows_are_open,
    work_is_on_working_days,
)
from workbench.domain.plan.plan import Plan

CHECKS: tuple[Check, ...] = (
    has_criteria_and_steps,
    ids_are_unique,
    criteria_are_measurable,
    criteria_are_ahead,
    comparisons_have_a_baseline,
    steps_are_complete,
    checks_prove_something,
    efforts_are_ordered,
    needs_are_steps,
    no_step_waits_for_itself,
    answers_name_items,
    ids_in_texts_are_known,
    dates_are_dates,
    weekdays_fit_their_dates,
    steps_end_after_they_start,
    steps_start_after_what_they_need,
    lags_are_kept,
    steps_end_in_time,
    windows_are_open,
    what_is_to_do_lies_ahead,
    work_is_on_working_days,
    events_find_their_people,
    efforts_fit_their_days,
    time_is_enough,
    waiting_is_as_long_as_said,
    owners_are_known,
    people_have_time,
    owners_are_still_there,
    nobody_judges_their_own_work,
    nobody_does_two_things_at_once,
    progress_is_possible,
    constraints_are_listed,
    constraints_are_answered,
    constraints_can_be_tested,
    approvals_are_steps,
    papers_are_obtained,
    days_of_constraints_are_kept,
    scope_is_worked_on,
    goal_is_covered,
    open_questions_are_cleared,
    feedback_is_answered,
    days_that_are_set_are_kept,
    spans_are_in_order,
    parts_and_lags_fit,
    money_is_enough,
    prices_agree,
    sums_that_are_named_are_right,
    nothing_irreversible_comes_first,
    the_order_is_kept_that_is_said,
    notice_is_given_in_time,
    nothing_is_taken_from_what_has_ended,
    approvals_hold_something_back,
    nothing_runs_ahead_of_its_approval,
    one_thing_goes_its_way,
    what_goes_in_comes_first,
    what_has_to_rest_rests,
    one_thing_is_in_one_place,
    results_are_made,
    risks_have_signs_and_responses,
    responses_come_in_time,
    nothing_stands_twice,
    nothing_is_done_twice,
    scope_is_one_thing,
    nothing_excluded_is_done,
    places_are_left_alone,
    what_is_ruled_out_in_time_is_not_done,
    what_has_to_stay_stays,
    amounts_agree,
    deadlines_agree,
    what_is_free_is_not_sold,
    places_are_enough,
    everybody_has_a_place,
    counts_of_constraints_are_kept,
    efforts_fit_their_counts,
    fields_say_what_their_words_say,
    events_are_on_one_day,
    goal_and_constraints_agree,
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
