"""What plans say of time, capacity and money, in a table, on a page, and in a program's hands."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal

import msgspec
from workbench.domain.plan.importing.own import step_of_row
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import (
    Effort,
    Item,
    Money,
    Plan,
    Progress,
    Rule,
    Section,
    Step,
)
from workbench.export.formats import FORMATS
from workbench.export.formats.losses import left_out
from workbench.export.formats.tables import BYTE_ORDER_MARK, COLUMNS, as_csv

STEP = Step(
    id="S1",
    title="Switch",
    owner="Anna",
    also=("Ben",),
    effort=Effort(1, 2, 3),
    each=True,
    duration=4,
    waiting=10,
    waits_working=True,
    duration_elapsed=True,
    mode="together",
    repeat=Rule("week", "2027-01-05", weekdays=(2,)),
    on="2027-05-03",
    hours="02:00-06:00",
    fund="M1",
    basis="quote",
    optional=True,
    progress=Progress(5, 8),
    other={"Sprint": "12; 13"},
    causes=("F2",),
)


def plan_of(*items: Item) -> Plan:
    return Plan(title="Night", sections=(Section(id="steps", title="Steps", items=items),))


def rows_of(plan: Plan) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_csv(plan).removeprefix(BYTE_ORDER_MARK), newline="")))


def test_columns_are_added_behind_the_others_where_a_step_says_something() -> None:
    other = Step(id="S2", title="Rest")
    [first, second] = rows_of(plan_of(STEP, other))
    assert tuple(first)[: len(COLUMNS)] == COLUMNS
    more = {name: cell for name, cell in first.items() if name not in COLUMNS}
    assert more == {
        "each": "yes",
        "also": "Ben",
        "duration": "4 calendar days",
        "mode": "together",
        "repeats": "weekly on Tue from 2027-01-05",
        "hours": "02:00-06:00",
        "fund": "M1",
        "basis": "quote",
        "optional": "yes",
        "progress": "5 of 8",
        "other": 'Sprint = "12; 13"',
        "because of": "F2",
    }
    assert not any(second[name] for name in more)


def test_tasks_of_task_master_hold_all_that_a_table_does() -> None:
    step = msgspec.structs.replace(STEP, cost=Money(Decimal("12.50"), "EUR"), cost_kind="tills", needs=(), causes=())
    text = FORMATS["tasks.json"](plan_of(step), datetime(2027, 1, 4, tzinfo=UTC), "night")
    [read] = import_plan(text, name="tasks.json", today=date(2027, 1, 4)).plan.steps
    assert msgspec.structs.replace(read, origin=None, start=None, end=None) == step
    assert left_out(plan_of(step), "tasks.json") == ""


def test_a_row_of_a_table_is_read_back() -> None:
    draft = step_of_row(1, rows_of(plan_of(STEP))[0], date(2027, 1, 1), month_first=False)
    assert draft is not None
    assert draft.notes == []
    read = {name: draft.values.get(name) for name in STEP.__struct_fields__ if name not in ("id", "title", "status")}
    assert {name: value for name, value in read.items() if value not in (None, "", (), False)} == {
        name: value
        for name in read
        if (value := getattr(STEP, name)) not in (None, "", (), False, {})
    }  # fmt: skip


def test_fields_that_say_nothing_are_not_in_the_json_of_a_plan() -> None:
    """The bytes of recorded plans depend on it."""
    assert msgspec.json.encode(Step(id="S1", title="x")) == b'{"type":"step","id":"S1","title":"x"}'
