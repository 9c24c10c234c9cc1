"""What is long in a plan file costs little time, and a step needs so many others and no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

import pytest
from tests.domain.importing.cases import TODAY
from tests.pace import took
from workbench.domain.errors import UsageError
from workbench.domain.loop.limits import MOST_NEEDS
from workbench.domain.plan.importing.lines import values
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.values.dates import read_dates
from workbench.domain.values.named_value import NamedValue


def as_json(count: int) -> str:
    tasks = [{"id": one, "title": f"t{one}", "dependencies": list(range(1, one))} for one in range(1, count + 1)]
    return json.dumps({"tasks": tasks})


def as_table(count: int) -> str:
    rows = (f'{one},t{one},"{", ".join(map(str, range(1, one)))}"' for one in range(1, count + 1))
    return "\n".join(["id,title,depends on", *rows])


@pytest.mark.parametrize(("name", "made"), [("tasks.json", as_json), ("tasks.csv", as_table)])
def test_more_needs_than_a_step_can_have_are_told(name: str, made: Callable[[int], str]) -> None:
    read = import_plan(made(150), name=name, today=TODAY)
    assert [len(step.needs) for step in read.plan.steps] == [min(number, MOST_NEEDS) for number in range(150)]
    told = [one.text for one in read.not_placed if "needs more than 100 steps" in one.why]
    assert told == [f"{number} more" for number in range(1, 50)]


@pytest.mark.parametrize("column", ["owner", "depends on"])
def test_more_owners_and_needs_than_a_plan_can_have_are_refused(column: str) -> None:
    links = ", ".join(f"P{one}" for one in range(24))
    rows = (f'{one},Dig {one},"{links}"' for one in range(1, 4_601))
    with pytest.raises(UsageError, match="owners and needs of steps; 20,000 are the most"):
        import_plan("\n".join([f"id,title,{column}", *rows]), name="plan.csv", today=TODAY)


def test_a_table_that_says_the_same_days_again_is_looked_at_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def read(text: str, plain: str, today: date) -> tuple[NamedValue, ...]:
        looked.append(text)
        return read_dates(text, plain, today)

    monkeypatch.setattr(values, "read_dates", read)
    rows = (
        f"T{one},Sand floor {one},Ann,2027-01-{one % 20 + 1:02},2027-02-{one % 20 + 1:02},Open" for one in range(200)
    )
    read_plan = import_plan("\n".join(["ID,Name,Owner,Start,Finish,Status", *rows]), name="plan.csv", today=TODAY)
    assert len(read_plan.plan.steps) == 200
    assert len(looked) < 260  # 200 titles, 40 days, and a state


FOLDED = "\n of a long description" * 150_000
LONG = {
    "needs.csv": (f'id,title,depends on\n1,a,\n2,b,"{", ".join(map(str, range(40_000)))}"', 4),
    "owners.csv": (f'Task,Owner\nDig,"x{", a" * 16_000}"\nCut,"y{", a" * 16_000}"\n', 4),
    "empty.md": (f"# Plan\n{chr(10) * 32_000}- [ ] Paint\n", 4),
    "figures.md": (f"# {'7' * 32_000}\n- [ ] Paint\n", 4),
    "folded.ics": (
        f"BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:Paint\nDESCRIPTION:x{FOLDED}\nEND:VTODO\nEND:VCALENDAR",
        2.5,
    ),
    "asterisks.md": (f"- [ ] Paint\n- {'*' * 5_000} x\n", 1),
}
"""Texts, and the seconds within which each is read; the last took time that doubled with each asterisk."""


@pytest.mark.cases(5)
@pytest.mark.untraced
@pytest.mark.parametrize("name", LONG)
def test_what_is_long_takes_no_time(name: str) -> None:
    text, within = LONG[name]
    assert took(lambda: import_plan(text, name=name, today=TODAY), within=within) < within
