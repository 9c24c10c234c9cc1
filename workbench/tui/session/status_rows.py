"""How the work of an agreed plan stands, as rows: what is late, due today, next and done, agreed beside now.

ready 3 May 2027 · 5 working days before 12 May · 21,750 of 40,000 EUR
Done    1 of 10 steps  ━━──────────────────   1 of them on time
LATE
! S4  Contract the caterer          Tom       26 Feb    4 Mar   +4          ▄▄▄▄
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.due import due_steps, missed
from workbench.domain.plan.plan import Step
from workbench.domain.text.cleaning import clean_name
from workbench.tui.lines import Row, cut, joined, text
from workbench.tui.marks import DIM, FAILED, FOCUS, Marks
from workbench.tui.session.main_rows import first_block
from workbench.tui.session.plan_page import Page, Standing, StepTable, headline_of
from workbench.tui.session.plan_tables import NOT_SCHEDULED, costs_and_people
from workbench.tui.told import EMPTY, counted, words_row

_METER = 20


def status_rows(page: Page) -> list[Row]:
    """Return how the work stands: a head, the steps by how urgent they are, what late ones hold up, and what it costs.

    ``page`` is the agreed plan on a day: its ``standing`` is set.
    """
    stands = page.standing
    if stands is None or not stands.told.steps or stands.told.start is None:
        return [EMPTY, words_row(NOT_SCHEDULED, page.width)]
    width, marks = page.width, page.shown.marks
    head = [Row(headline_of(page)), _done(stands, width, marks), EMPTY]
    rows = [*head, *_groups(page, stands), *_held_up(stands, width, marks)]
    return [*rows, *costs_and_people(stands.told, width)]


def _done(stands: Standing, width: int, marks: Marks) -> Row:
    """Return how much is done, and how much of that was on time."""
    told = stands.told
    done = [step for step in told.steps if step.status == "done"]
    own = {step.id: day_of(step.deadline) for step in stands.plan.steps}
    over = [
        f", {clean_name(step.step)} {counted((step.end - last).days, 'day')} late"
        for step in done
        if step.end and (last := missed(step.end, stands.ends.get(step.step), own.get(step.step)))
    ]
    full = round(told.done / told.count * _METER) if told.count else 0
    meter = joined(text(marks.meter_full * full, FOCUS), text(marks.meter_empty * (_METER - full), DIM))
    kept = text(f"   {len(done) - len(over) or 'none'} of them on time{''.join(over)}" if done else "", DIM)
    of_all = text(f"{told.done} of {told.count} steps  ")
    return Row((cut(joined(text("Done    ", f"bold {FOCUS}"), of_all, meter, kept), width),))


def _groups(page: Page, stands: Standing) -> Iterator[Row]:
    """Yield the names of the columns, then the steps in their groups."""
    table = StepTable(page)
    yield Row((cut(table.head, page.width),))
    due = {one.step: one.kind for one in due_steps(stands.plan, stands.today, soon=0)}
    places = {
        item.id: (item, f"place:{section.id}:{first_block(section) + place}")
        for section in page.plan.sections
        for place, item in enumerate(section.items)
        if isinstance(item, Step) and item.status != "dropped"
    }
    steps = [places[one.step] for one in stands.told.steps if one.step in places]
    is_open = [one for one in steps if one[0].status != "done"]
    today = f"  {stands.today:%A} {stands.today.day} {stands.today:%B}"
    for name, of_group in (
        ("LATE", [one for one in is_open if due.get(one[0].id) == "late"]),
        ("TODAY", [one for one in is_open if due.get(one[0].id) == "today"]),
        ("NEXT", [one for one in is_open if due.get(one[0].id) not in ("late", "today")]),
        ("DONE", [one for one in reversed(steps) if one[0].status == "done"]),
    ):
        if of_group:
            yield EMPTY
            title = joined(
                text(f"  {name}", FAILED if name == "LATE" else DIM), text(today if name == "TODAY" else "", DIM)
            )
            yield Row((cut(title, page.width),))
            yield from (table.row(step, key) for step, key in of_group)


def _held_up(stands: Standing, width: int, marks: Marks) -> Iterator[Row]:
    """Yield what the late steps hold up, and what can be done about it."""
    late = [one.step for one in due_steps(stands.plan, stands.today, soon=0) if one.kind == "late"]
    waits = {name: [step.id for step in stands.plan.steps if name in step.needs] for name in late}
    for name, held in waits.items():
        if held:
            names = f"{', '.join(held[:-1])} and {held[-1]}" if held[1:] else held[0]
            told = text(clean_name(f"{name} holds up {names}.", 200), "bold")
            yield from (EMPTY, Row((cut(joined(text(f"{marks.found} ", FAILED), told), width),)))
    if late:
        yield words_row("R plans again what is open, from today on; you see first what moves.", width)
