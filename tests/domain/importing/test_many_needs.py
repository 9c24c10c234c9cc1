"""A step needs so many others and no more, in whatever form they are given; the rest is told."""

from __future__ import annotations

import json
import time
from datetime import date

import pytest
from workbench.domain.loop.limits import MOST_NEEDS
from workbench.domain.plan.importing.reading import import_plan

TODAY = date(2026, 3, 2)


def as_json(count: int) -> str:
    tasks = [{"id": one, "title": f"t{one}", "dependencies": list(range(1, one))} for one in range(1, count + 1)]
    return json.dumps({"tasks": tasks})


def as_table(count: int) -> str:
    rows = (f'{one},t{one},"{", ".join(map(str, range(1, one)))}"' for one in range(1, count + 1))
    return "\n".join(["id,title,depends on", *rows])


@pytest.mark.parametrize(
    ("name", "text"), [("tasks.json", as_json(150)), ("tasks.csv", as_table(150))], ids=["JSON", "CSV"]
)
def test_more_needs_than_a_step_can_have_are_told(name: str, text: str) -> None:
    read = import_plan(text, name=name, today=TODAY)
    assert [len(step.needs) for step in read.plan.steps] == [min(number, MOST_NEEDS) for number in range(150)]
    told = [one.text for one in read.not_placed if "needs more than 100 steps" in one.why]
    assert told == [f"{number} more" for number in range(1, 50)]


@pytest.mark.untraced
def test_a_cell_of_a_hundred_thousand_needs_takes_no_time() -> None:
    text = f'id,title,depends on\n1,a,\n2,b,"{", ".join(map(str, range(100_000)))}"'
    begun = time.process_time()
    import_plan(text, name="tasks.csv", today=TODAY)
    assert time.process_time() - begun < 10
