"""What is a step and what is none, in plans of many shapes; and that no word of any of them is missing."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.domain.importing.labelled import PLANS, lines_of_steps
from workbench.domain.plan.importing.assembly import text_of, without_marks
from workbench.domain.plan.importing.words import words


@pytest.mark.parametrize("name", PLANS)
def test_the_steps_are_those_that_a_person_would_tick_off(name: str) -> None:
    plan = PLANS[name]
    found = lines_of_steps(plan.read())

    assert len(found ^ plan.steps) <= len(plan.steps) // 6


def test_precision_and_recall_of_steps_over_all_plans() -> None:
    right = wrong = missing = 0
    for plan in PLANS.values():
        found = lines_of_steps(plan.read())
        right += len(found & plan.steps)
        wrong += len(found - plan.steps)
        missing += len(plan.steps - found)

    assert right / (right + wrong) >= 0.97
    assert right / (right + missing) >= 0.97


@pytest.mark.parametrize("name", [name for name in PLANS if not name.endswith((".json", ".mmd"))])
def test_every_line_has_one_fate_and_no_word_is_missing(name: str) -> None:
    plan = PLANS[name]
    imported = plan.read()
    lines = plan.text.removesuffix("\n").split("\n")

    assert [fate.line for fate in imported.lines] == list(range(1, len(lines) + 1))
    said = Counter(word for line in lines for word in words(without_marks(line)))
    assert not said - Counter(words(text_of(imported.plan)))


@pytest.mark.parametrize("name", [name for name in PLANS if not name.endswith(".json")])
def test_ordinary_plans_leave_nothing_without_a_place(name: str) -> None:
    assert not PLANS[name].read().not_placed
