"""Public holidays of a country, put into a plan as days off.

    DE-BY ─▶ days of the plan's years ─▶ "H1 · Public holidays" in the plan ─▶ new dates for what is still to do

The days stand in the plan from then on: a replay does not change with the package that knew them. That is an extra, and
is imported when somebody asks for holidays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING

from msgspec.structs import replace

from workbench.domain.commands.draft import Draft
from workbench.domain.errors import PlanUnsound, UsageError
from workbench.domain.plan.figures import first_day
from workbench.domain.plan.plan import LONGEST_SPAN, Days, DaysOff, Origin, Plan, Section, Step, deadline_of
from workbench.domain.plan.scheduling.calendar import day_number
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name

if TYPE_CHECKING:  # an extra
    from holidays import HolidayBase

_BEYOND = timedelta(days=31)
"""How much longer than the plan its holidays are looked up, so that what they move stays among them."""
_YEARS = timedelta(days=LONGEST_SPAN)
"""How far from today, or from the plan's first day, holidays are looked up."""


def public_holidays(country: str, first: date, last: date) -> tuple[Days, ...]:
    """Return the public holidays of a country (``DE``) or region (``DE-BY``) from the first day to the end of a year.

    ``last`` is any day of that year. Raises UsageError for one of which none are known, and without the extra.
    """
    days = _calendar(country, range(first.year, last.year + 1))
    return tuple(_stretches(sorted(day for day in days if day >= first)))


def _calendar(country: str, years: Iterable[int]) -> HolidayBase:
    try:
        import holidays
    except ImportError as error:
        raise UsageError(
            "Public holidays need the package holidays, which is not installed.",
            "Install it: pip install 'planning-workbench[holidays]'.",
        ) from error
    code, _, region = country.upper().partition("-")
    known = holidays.list_supported_countries()
    if code not in known:
        raise UsageError(
            f"No public holidays are known for {clean_name(country)!r}.",
            "Give the ISO code of a country, as DE or US, or of a region, as DE-BY.",
        )
    if region and region not in known[code]:
        regions = ", ".join(f"{code}-{name}" for name in known[code] if name.isupper())
        raise UsageError(
            f"No public holidays are known for {clean_name(country)!r}.",
            f"Give one of {regions}." if regions else f"Give {code}: it has no regions with holidays of their own.",
        )
    return holidays.country_holidays(code, subdiv=region or None, years=list(years))


def _stretches(days: Iterable[date]) -> Iterator[Days]:
    """Yield ascending days, those that follow one another as one stretch."""
    first = last = None
    for day in days:
        if last is not None and day - last > timedelta(days=1):
            yield Days(f"{first}", f"{last}")
            first = day
        first, last = first or day, day
    if last is not None:
        yield Days(f"{first}", f"{last}")


def with_holidays(state: SessionState, plan: Plan, country: str) -> Plan:
    """Return a plan with the public holidays of its years, its dates moved out of their way; the same if it has them.

    Raises UsageError as ``public_holidays`` does.
    """
    today = date.fromisoformat(state.today)
    first = first_day(plan) or today
    last = min(_last_day(plan, today), max(first, today) + _YEARS)
    days = public_holidays(country, max(first, last - 2 * _YEARS), last)
    changed = _with_days(state, plan, country.upper().removesuffix("-"), days)
    if changed == plan:
        return plan
    try:
        moved = rescheduled(plan, changed, today=today).plan
    except PlanUnsound:
        return changed  # what is unsound about it is what the checks say
    return moved


def _last_day(plan: Plan, today: date) -> date:
    ends = [date.fromordinal(day) for step in plan.steps if (day := day_number(step.end)) is not None]
    last = max([*ends, deadline_of(plan) or today])
    return last + _BEYOND


def _with_days(state: SessionState, plan: Plan, country: str, days: tuple[Days, ...]) -> Plan:
    """Return the plan with the days in the item of this country; with a new item, beside what else is about time."""
    draft = Draft(plan, [item.id for version in state.versions for item in version.plan.items])
    known = next((item for item in plan.items if isinstance(item, DaysOff) and item.country == country), None)
    if known is not None:
        draft.put(replace(known, days=days))
        return draft.plan()
    if plan.section("calendar") is None:
        names = list(draft.sections)
        with_steps = (at for at, one in enumerate(plan.sections) if any(isinstance(item, Step) for item in one.items))
        first = next(with_steps, len(names))
        draft.place_section(Section(id="calendar", title="Calendar"), "".join(names[first - 1 : first]))
    origin = Origin(kind="calculated", source="public holidays")
    new = DaysOff(id=draft.new_id(DaysOff), text="Public holidays", days=days, country=country, origin=origin)
    draft.add(new, "calendar", None)
    return draft.plan()
