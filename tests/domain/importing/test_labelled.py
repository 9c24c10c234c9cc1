"""What is a step and what is none, in plans of many shapes; and that no word of any of them is missing."""

from __future__ import annotations

import random

import pytest
from tests.domain.importing.labelled import PLANS, TODAY, lines_of_steps, lost_words
from tests.domain.importing.made_files import lost, made
from workbench.domain.plan.importing.reading import import_plan

UNTOLD = {"chat.txt", "deep.md", "outline.txt", "umzug.md"}
"""Plans of which structure does not tell each step: a list below "what worries me", one below "Am Umzugstag"."""


@pytest.mark.parametrize("name", [name for name in PLANS if name not in UNTOLD])
def test_the_steps_are_those_that_a_person_would_tick_off(name: str) -> None:
    plan = PLANS[name]

    assert lines_of_steps(plan.read()) == plan.steps


def test_precision_and_recall_of_steps_over_all_plans() -> None:
    right = wrong = missing = 0
    for plan in PLANS.values():
        found = lines_of_steps(plan.read())
        right += len(found & plan.steps)
        wrong += len(found - plan.steps)
        missing += len(plan.steps - found)

    assert right / (right + wrong) >= 0.95
    assert right / (right + missing) >= 0.95


@pytest.mark.parametrize("name", [name for name in PLANS if not name.endswith((".json", ".mmd"))])
def test_every_line_has_one_fate_and_no_word_is_missing(name: str) -> None:
    plan = PLANS[name]
    imported = plan.read()
    lines = plan.text.removesuffix("\n").split("\n")

    assert [fate.line for fate in imported.lines] == list(range(1, len(lines) + 1))
    assert not lost_words(plan.text, imported)


@pytest.mark.parametrize("name", [name for name in PLANS if not name.endswith(".json")])
def test_ordinary_plans_leave_nothing_without_a_place(name: str) -> None:
    unknown = ["2FA"] if name == "release.md" else []

    assert [one.text for one in PLANS[name].read().not_placed] == unknown


@pytest.mark.cases(40)
@pytest.mark.parametrize("seed", range(400))
def test_no_made_file_loses_a_word(seed: int) -> None:
    assert not lost(*made(seed))


@pytest.mark.cases(15)
@pytest.mark.parametrize("seed", range(60))
def test_no_word_is_lost_in_lines_that_come_in_any_order(seed: int) -> None:
    chance = random.Random(seed)
    lines = [line for plan in PLANS.values() if plan.name.endswith((".md", ".txt")) for line in plan.text.split("\n")]
    text = "\n".join(
        " " * chance.choice((0, 0, 0, 2, 4)) + chance.choice(lines).strip() for _ in range(chance.randint(2, 60))
    )
    assert not lost_words(text, import_plan(text, name="plan.txt", today=TODAY))
