"""No date ends the application or keeps it busy: plans go from 1900 to 2199, and what says otherwise is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import msgspec
import pytest
from tests.full_plan import PLAN, TODAY, state_with
from tests.pace import took
from workbench.domain.errors import LogDamaged, UsageError, WorkbenchError
from workbench.domain.log.envelope import said_at
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.due import due_steps
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import DaysOff, Effort, Item, Person, Place, Plan, Rule, Section, Step
from workbench.domain.plan.scheduling.rescheduling import replanned, rescheduled
from workbench.domain.plan.telling.schedule_told import with_computed_dates
from workbench.domain.session.session import SessionState
from workbench.domain.values.dates import read_dates
from workbench.domain.values.plain import plain_text
from workbench.export.figures import figures_of
from workbench.export.formats import FORMATS
from workbench.export.markdown import session_markdown
from workbench.export.plan_page import plan_page
from workbench.planning.beside_the_loop.commanding import worked_out
from workbench.planning.beside_the_loop.public_holidays import with_holidays
from workbench.templates.from_plan import template_from_plan
from workbench.tui.marks import Marks
from workbench.tui.table import Timescale

FAR = ("9999-12-31", "9999-12-27", "9998-01-01", "0001-01-01", "0001-01-04", "2199-12-31", "2199-12-30", "1900-01-01")
SECONDS = 2.0
"""That anything may take of any of these plans."""
RAW = msgspec.json.encode(PLAN).decode()
ISO = re.compile(r"\d{4}-\d\d-\d\d")
STARTS = [found.start() for found in ISO.finditer(RAW)]


def timeline(state: SessionState, plan: Plan) -> None:
    told = figures_of(state, plan)
    if (scale := Timescale.from_steps(told.steps, told, 90, today=TODAY)) is not None:
        scale.months()
        assert all(scale.bar(step, Marks()) for step in told.steps)


USES: dict[str, Callable[[SessionState, Plan], object]] = {
    "check": lambda _, plan: check_plan(plan, today=TODAY),
    "compute": lambda _, plan: with_computed_dates(plan, plan, TODAY),
    "replan": lambda _, plan: replanned(plan, TODAY),
    "reschedule": lambda _, plan: rescheduled(PLAN, plan, today=TODAY),
    "due": lambda _, plan: due_steps(plan, TODAY),
    "holidays": lambda state, plan: with_holidays(state, plan, "DE"),
    "page": lambda state, _: plan_page(state),
    "markdown": lambda state, _: session_markdown(state),
    "template": lambda _, plan: template_from_plan(plan, "t", TODAY),
    "timeline": timeline,
    **{
        name: lambda state, plan, made=made: made(plan, said_at(state.updated), state.session)
        for name, made in FORMATS.items()
    },
}


def used(use: str, state: SessionState, plan: Plan) -> None:
    with suppress(WorkbenchError):
        USES[use](state, plan)


def plans(use: str) -> Iterator[tuple[str, Plan]]:
    """Yield plans of somebody else's session: all dates are one far day, or one of them is; others for each use."""
    for far in FAR:
        yield f"{far} everywhere", msgspec.json.decode(ISO.sub(far, RAW), type=Plan)
    shift = list(USES).index(use)
    for place, at in enumerate(STARTS):
        far = FAR[(place + shift) % len(FAR)]
        yield f"{far} as date {place}", msgspec.json.decode(RAW[:at] + far + RAW[at + len(far) :], type=Plan)


@pytest.mark.untraced
@pytest.mark.cases(5)
@pytest.mark.parametrize("use", USES)
def test_a_plan_with_a_far_date_is_used_in_no_time(use: str) -> None:
    for name, plan in plans(use):
        state = state_with(plan)
        assert took(lambda state=state, plan=plan: used(use, state, plan), within=SECONDS) < SECONDS, name  # type: ignore[misc]


LASTING = {
    "far ends": {},
    "thousands of days": {"duration": 3_000.0},
    "a century of waiting": {"waiting": 30_000.0},
    "begun long ago": {"status": "under-way", "started": "1900-01-01"},
}


@pytest.mark.cases(2)
@pytest.mark.untraced
@pytest.mark.parametrize("lasting", LASTING)
def test_steps_of_a_century_keep_nothing_busy(lasting: str, full_counts: bool) -> None:
    far, people = (
        "2150-06-01",
        (Person(id="P1", text="Anna", hours=20, weekdays=(1, 2, 3)), Person(id="P2", text="Ben")),
    )
    step = Step(id="", title="Do it", effort=Effort(1, 2, 3), start="2026-03-02", end=far, deadline=far)
    step = msgspec.structs.replace(step, **LASTING[lasting])
    count = 40 if full_counts else 10
    steps = [msgspec.structs.replace(step, id=f"S{n}", owner="Ben" if n % 2 else "Anna") for n in range(1, count + 1)]
    sections = (
        Section(id="steps", title="Steps", items=tuple(steps)),
        Section(id="people", title="People", items=people),
    )
    plan = Plan(title="Far", sections=sections)
    state = state_with(plan)
    for use in USES:
        within = (SECONDS if use.startswith("re") else 3 * SECONDS) * count / 40
        assert took(lambda use=use: used(use, state, plan), within=within) < within, use  # type: ignore[misc]


def every(n: int, **more: Any) -> Rule:
    return Rule(**({"every": "day", "first": f"{TODAY + timedelta(days=n)}"} | more))


MANY = range(600)
OFTEN: dict[str, Callable[[int], Item]] = {
    "each second day": lambda n: DaysOff(id=f"X{n}", text=f"Off {n}", again=(every(n, interval=2),)),
    "for years": lambda n: DaysOff(id=f"X{n}", text=f"Off {n}", again=(every(n, interval=9, length=3_000),)),
    "each week": lambda n: DaysOff(id=f"X{n}", text=f"Off {n}", again=(every(n, every="week"),)),
    "of people": lambda n: Person(id=f"P{n}", text=f"Person {n}", away_again=(every(n),)),
    "of a place": lambda n: Place(id=f"L{n}", text="Hall", again=(every(n, interval=3),) * 60),
    "for tags": lambda n: DaysOff(id=f"X{n}", text="Off", again=(every(n),), who=tuple(f"t{n}" for n in MANY)),
}


@pytest.mark.cases(2)
@pytest.mark.untraced
@pytest.mark.parametrize("often", OFTEN)
def test_hundreds_of_recurring_days_off_are_used_or_named_in_no_time(often: str, full_counts: bool) -> None:
    count = 100 if often == "of people" else 600 if full_counts else 200
    items = tuple(map(OFTEN[often], MANY[:count]))
    plan = msgspec.structs.replace(PLAN, sections=(*PLAN.sections, Section(id="off", title="Off", items=items)))
    state = state_with(plan)
    for use in ("check", "reschedule", "page"):
        assert took(lambda use=use: USES[use](state, plan), within=SECONDS) < SECONDS, use  # type: ignore[misc]
    assert any("are not calculated with" in one.text for one in check_plan(plan, today=TODAY))


@pytest.mark.parametrize("today", ["9999-12-31", "0001-01-01"])
def test_a_session_of_a_far_day_is_refused(today: str) -> None:
    from tests.builders import created, told
    from workbench.domain.session.session import fold

    with pytest.raises(LogDamaged, match="no date of a plan"):
        fold(told(msgspec.structs.replace(created(), today=today)))


def test_a_far_date_of_a_plan_is_named() -> None:
    plan = msgspec.json.decode(ISO.sub("9999-12-31", RAW), type=Plan)
    told = [one.text for one in check_plan(plan, today=TODAY) if one.rule == "dates.format"]
    assert "“9999-12-31” of S6 is too far: plans go from 1900 to 2199." in told


WORDS = (
    "9999-12-31", "31 Dec 9999", "9999-W52", "9999-W52-7", "9999-W53", "week 53", "3 weeks after 9999-12-30",
    "the Monday after 9999-12-31", "the week after 9999-12-31", "2 weeks before 0001-01-02", "in 9999999 weeks",
    "in 8000 years", "29-31 Dec 2199", "from 2199-12-31 for 3 weeks", "next week", "end of the year", "easter",
    "9999-12-29 to 9999-12-31", "before 0001-01-01", "tomorrow", "every Monday", "every year on 31 Dec",
)  # fmt: skip


@pytest.mark.cases(16)
@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("today", [TODAY, date(2199, 12, 31), date(1900, 1, 1)])
def test_words_of_far_days_are_read_or_refused(words: str, today: date) -> None:
    for text in (f"We must be ready by {words}, then more.", f"by {words}", words):
        for named in read_dates(text, plain_text(text), today):
            days = (named.value.first, named.value.last, named.value.limit)
            assert all("1899-12-31" <= day <= "2199-12-31" for day in days if day), (text, named)
    state = state_with(PLAN)
    for command in ("S6 by", "S6 on", "S6 not before", "S6 late", "S1 done", "Anna away", "freeze print", "goal day"):
        try:
            told = worked_out(state, f"{command} {words}", today)
        except WorkbenchError:
            continue
        assert all(day <= "2201" for day in ISO.findall(repr(told.changes))), command


@pytest.mark.parametrize("words", ["9999-12-31", "0001-01-01"])
def test_a_command_with_a_far_day_says_so(words: str) -> None:
    with pytest.raises(UsageError, match="plans go from 1900 to 2199"):
        worked_out(state_with(PLAN), f"S6 by {words}", TODAY)


CALENDAR = """BEGIN:VCALENDAR
BEGIN:VTODO
SUMMARY:A
DUE:99991231
RRULE:FREQ=WEEKLY;BYDAY=MO
END:VTODO
BEGIN:VEVENT
SUMMARY:B
DTSTART:99991231
RRULE:FREQ=YEARLY
END:VEVENT
END:VCALENDAR
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "id;title;due\n1;Copy;9999-12-31\n"),
        ("a.ics", CALENDAR),
        ("a.mmd", "gantt\n section One\n Copy :a, 9999-12-31, 2d\n Move :b, 0001-01-01, 0001-01-01\n"),
        (
            "a.gan",
            '<project name="A"><tasks><task id="1" name="Copy" start="9999-12-31" duration="3"/></tasks></project>',
        ),
        ("a.json", '{"tasks": [{"id": 1, "title": "Copy", "due": "9999-12-31"}]}'),
        ("a.md", "# A\n\n- [ ] Copy by 9999-12-31\n- [ ] Move from 9999-12-30 for 3 weeks\n"),
    ],
)
def test_a_plan_file_with_far_days_is_read_without_them(name: str, text: str) -> None:
    try:
        read = import_plan(text, name=name, today=TODAY)
    except UsageError:
        return
    assert not re.search(r'"(?:9999|0001)-', msgspec.json.encode(read.plan).decode())
