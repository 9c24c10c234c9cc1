"""The figures of a plan in words: a line for its head, and tables. The same words in every interface.

    Figures ─┬▶ headline   finish 12 Mar 2027 · 50% by 15 Mar, 80% by 22 Mar · …
             └▶ tables     schedule with why · costs by step · costs by kind · people

A table of which there is nothing to say is left out, and so is a column.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from workbench.domain.plan.changing.change import percent
from workbench.domain.plan.checks.case import listed
from workbench.domain.plan.figures import (
    FIXED_DAY,
    CalendarFigures,
    Figures,
    figures,
    short_day,
    with_forecast,
)
from workbench.domain.plan.markdown.fields import number, spans
from workbench.domain.plan.money import Limit, amount_text, money_text
from workbench.domain.plan.plan import Money, Plan
from workbench.domain.plan.references import with_references
from workbench.domain.plan.scheduling.calendar import day_number
from workbench.domain.plan.scheduling.forecast import Forecast
from workbench.domain.plan.telling.figures_told import KINDS, STATUS, nested, time_of, weekdays, work_of
from workbench.domain.session.state import SessionState
from workbench.domain.text.tables import Table, without_empty_columns

SCHEDULE = "Schedule"
"""Title of the table of dates."""
_SOME_DAY = date(2000, 1, 1)
_NEARLY_SURE = 0.995
"""Share of the simulated courses above which none is named: estimates are not that good."""


def figures_of(state: SessionState, plan: Plan) -> Figures:
    """Return the figures of a session's plan with its forecast; references have their values. Imports numpy."""
    return _beside_agreed(state, plan, with_forecast(with_references(plan)))


def quick_figures_of(state: SessionState, plan: Plan | None) -> Figures | None:
    """Return the figures of a session's plan without a forecast; None before there is a plan."""
    if plan is None:
        return None
    return _beside_agreed(state, plan, figures(with_references(plan)))


def _beside_agreed(state: SessionState, plan: Plan, told: Figures) -> Figures:
    """Return figures with the finish that was agreed, if the plan is another one by now."""
    agreed = [made.plan for made in state.versions if made.version == state.saved_version]
    if not agreed or agreed[-1] == plan:
        return told
    finish = figures(agreed[-1]).finish
    return msgspec.structs.replace(told, agreed=finish)


def today_of(state: SessionState) -> date:
    """Return the day on which a session began; some day if a file from somebody else says something else there."""
    day = day_number(state.today)
    return _SOME_DAY if day is None else date.fromordinal(day)


# --- lines ------------------------------------------------------------------------------------------------------------


def headline(told: Figures) -> str:
    """Return what a plan comes to, in a line; "" if nothing is scheduled and nothing costs anything."""
    return " · ".join(_parts(told))


def _parts(told: Figures) -> Iterator[str]:
    if told.done:
        yield f"{told.done} of {told.count} steps done"
    yield from ["the dates are not sound"] if told.unsound else _finish_parts(told)
    yield from money_lines(told)


def _finish_parts(told: Figures) -> Iterator[str]:
    is_late = told.distance is not None and told.distance[1] == "after"
    first, fixed = (None, None) if is_late else _fixed_days(told)
    if first is not None and fixed is not None:
        yield f"on {short_day(fixed)}" if first == fixed else f"{short_day(first, fixed)} to {short_day(fixed)}"
    if undated := [step.step for step in told.steps if step.status == "todo" and step.start is None and told.start]:
        yield f"{'no finish: ' if fixed is None else ''}{undated[0]} has no estimate"
    if told.finish is not None and (fixed is None or told.finish > fixed):
        yield f"{'finish' if fixed is None else 'the rest until'} {short_day(told.finish, fixed)}"
        if told.calculated is not None:
            yield f"{short_day(told.calculated, told.finish)} as calculated"
    if told.agreed is not None and told.finish is not None and told.finish != told.agreed:
        yield _days_from_agreed(told.finish, told.agreed)
    if fixed is not None or told.finish is None:
        pass  # what happens on a day is neither late nor early
    elif 2 * told.origins.get("practice", 0) > sum(told.origins.values()):
        yield "efforts assumed"  # no share of courses says anything of them
        if told.distance is not None and told.distance[1] == "after":
            yield _to_deadline(told)
    elif told.forecast is not None and (told.forecast.varies or told.calculated is not None):
        if told.assumed:
            yield _without_estimate(told)
        yield _course(told.forecast, told.finish)
        if told.forecast.chance is not None and told.deadline is not None:
            what = f" that {told.held} is done" if told.held else ""
            yield f"{_chance(told.forecast.chance)}{what} by {told.day}, {short_day(told.deadline, told.finish)}"
    else:  # no course differs from the dates
        if told.assumed:
            yield _without_estimate(told)
        if told.distance is not None:
            yield _to_deadline(told)


def _without_estimate(told: Figures) -> str:
    return f"{listed(told.assumed)} {'has' if len(told.assumed) == 1 else 'have'} no estimate"


def _days_from_agreed(finish: date, agreed: date) -> str:
    """Return how many days of the calendar a plan ends after, or before, the day that was agreed."""
    days = (finish - agreed).days
    much = f"{abs(days):,} day{'' if abs(days) == 1 else 's'} {'later' if days > 0 else 'earlier'}"
    return f"{much} than agreed, {short_day(agreed, finish)}"


def _fixed_days(told: Figures) -> tuple[date | None, date | None]:
    """Return the first and last day of what all is planned back from, or of all that is known; None for none."""
    is_planned_back = told.finish is None or told.calendar.backward
    fixed = [step for step in told.steps if is_planned_back and step.why.startswith(FIXED_DAY)]
    return next(((one.start, one.end) for one in fixed if told.deadline in (one.start, one.end)), (None, None))


def money_lines(told: Figures) -> Iterator[str]:
    """Yield what the steps cost against each limit: ``12,300 of 14,000 EUR``; else what they cost in all."""
    limited = {limit.most.currency for limit in told.limits if not limit.fund}
    for limit in told.limits:
        over = f", {amount_text(limit.over)} over" if limit.over > 0 else ""
        if limit.planned.amount:
            whose = f" from {limit.fund}" if limit.fund else ""
            yield f"{amount_text(limit.planned.amount)} of {money_text(limit.most)}{whose}{over}"
    yield from (money_text(total) for total in told.costs.totals if total.currency not in limited)
    yield from (f"{money_text(total)} more that no fund pays" for total in told.costs.uncovered)


def _course(told: Forecast, finish: date) -> str:
    p50, p80 = (short_day(day, finish) for day in (told.p50, told.p80))
    return f"80% by {p80}" if p50 == p80 else f"50% by {p50}, 80% by {p80}"


def _chance(share: float) -> str:
    return f"over {percent(0.99)}" if share > _NEARLY_SURE else percent(share) if share else "under 1%"


def _to_deadline(told: Figures) -> str:
    """Return how far from the deadline a plan ends, or the step that is held to it."""
    what = f"{told.held} " if told.held else ""
    by = short_day(told.deadline, told.finish) if told.deadline else ""
    return f"{what}{' '.join(filter(None, told.distance or ()))} {told.day}, {by}"


def change_line(old: Figures | None, new: Figures | None) -> str:
    """Return what a change does to finish and costs; "" if it does nothing to them."""
    if old is None or new is None:
        return ""
    parts = []
    if old.finish != new.finish:
        was, now = (short_day(one.finish) if one.finish else "no date" for one in (old, new))
        parts.append(f"finish {was} → {now}")
    was, now = (" · ".join(money_lines(one)) or "no costs" for one in (old, new))
    if was != now:
        parts.append(f"{was} → {now}")
    return " · ".join(parts)


# --- tables -----------------------------------------------------------------------------------------------------------


def tables(told: Figures) -> tuple[Table, ...]:
    """Return the schedule, the costs and the people of a plan; those of which there is nothing to say are left out."""
    return tuple(map(without_empty_columns, _tables(told)))


def _tables(told: Figures) -> Iterator[Table]:
    if told.start is not None:
        yield _schedule(told)
    if told.costs.totals:
        yield _costs(told)
        if told.limits or len(told.costs.by_kind) > 1:
            yield _kinds(told)
    if told.people:
        yield _people(told)
    if told.origins:
        yield _origins(told)


def _origins(told: Figures) -> Table:
    count = sum(told.origins.values())
    rows = tuple((kind, str(items), percent(items / count)) for kind, items in told.origins.items())
    return Table("Where its lines come from", ("from", "lines", "share"), rows, ("lines", "share"))


def _schedule(told: Figures) -> Table:
    has_status = any(step.status != "todo" for step in told.steps)
    rows = (
        (
            f"└ {step.step}" if is_part else step.step,
            step.title + KINDS[step.kind],
            step.owner,
            *([STATUS.get(step.status, step.status)] if has_status else []),
            step.start.isoformat() if step.start else "",
            step.end.isoformat() if step.end else "",
            "" if step.slack is None else number(step.slack).replace("-", "−"),
            step.why,
        )
        for step, is_part in nested(told.steps)
    )
    status = ("status",) if has_status else ()
    columns = ("step", "title", "owner", *status, "start", "end", "slack", "why then")
    return Table(SCHEDULE, columns, tuple(rows), ("slack",), tuple(_schedule_notes(told)))


def _schedule_notes(told: Figures) -> Iterator[str]:
    """Yield what holds for the schedule as a whole."""
    if len(told.critical_path) > 1:
        yield f"Critical path: {' → '.join(told.critical_path)}."
    is_on_its_day = _fixed_days(told)[0] is not None
    if told.distance is not None and told.deadline is not None and not is_on_its_day:
        end = (
            f"on {short_day(told.ends, told.deadline)}, "
            if told.ends and told.distance[0] and not told.slack_days
            else ""
        )
        stands = " ".join(filter(None, told.distance))
        yield f"{told.held or 'It'} ends {end}{stands} {told.day}, {short_day(told.deadline)}."
    if calendar := calendar_text(told.calendar):
        yield calendar
    if told.unsound:
        yield told.unsound


def calendar_text(told: CalendarFigures) -> str:
    """Return when work happens, as far as that is not Monday to Friday."""
    parts = []
    if told.weekdays != (1, 2, 3, 4, 5):
        parts.append(f"Work on {weekdays(told.weekdays)}.")
    parts += [
        f"{off.text}{f' ({off.country})' if off.country else ''}: {off.days} day{'' if off.days == 1 else 's'} off."
        for off in told.days_off
        if off.days
    ]
    if told.backward:
        parts.append("Every step as late as the deadline allows.")
    return " ".join(parts)


def _costs(told: Figures) -> Table:
    rows = [
        (step.step, step.title, step.cost_kind, money_text(step.cost))
        for step in told.steps
        if step.cost is not None and step.status != "dropped"
    ]
    return Table("Costs", ("step", "title", "for", "cost"), tuple(rows), ("cost",))


def _kinds(told: Figures) -> Table:
    rows = [(kind or "other", money_text(one)) for kind, sums in told.costs.by_kind.items() for one in sums]
    rows += [("all", money_text(total)) for total in told.costs.totals]
    for limit in told.limits:
        rows += [(f"limit {limit.constraint}", money_text(limit.most)), _left(limit)]
    return Table("Costs by kind", ("for", "cost"), tuple(rows), ("cost",))


def _left(limit: Limit) -> tuple[str, str]:
    return "over" if limit.over > 0 else "left", money_text(Money(abs(limit.over), limit.most.currency))


def _people(told: Figures) -> Table:
    rows = (
        (
            person.name,
            person.role,
            time_of(person),
            ", ".join(person.steps),
            work_of(person),
            "" if person.load is None else percent(person.load),
            spans(person.away),
        )
        for person in told.people
    )
    return Table("People", ("name", "role", "time", "steps", "days", "load", "away"), tuple(rows), ("days", "load"))
