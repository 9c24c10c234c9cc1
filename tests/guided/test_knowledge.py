"""The tables hold together: every flow leads to its end, every word has a value, every step is used."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from workbench.guided import knowledge
from workbench.guided.knowledge import field, kind_of, kinds, topic_words

SHARED = {"thing", "decider", "Decider"}


def _flow(lines: tuple[str, ...]) -> dict[str, list[str]]:
    return {line.partition(":")[0].rstrip("?"): line.partition(":")[2].split() for line in lines}


def test_there_are_many_kinds_of_goals_and_a_generic_one():
    assert len(kinds()) >= 17
    assert kinds()[-1] == "generic"
    assert kind_of("Zzz") == "generic"


@pytest.mark.parametrize("kind", kinds())
def test_flows_name_steps_that_exist_in_an_order_that_works(kind):
    table = field(kind)
    used: set[str] = set()
    for approach in table.approaches:
        seen: list[str] = []
        for key, needs in _flow(approach.flow).items():
            assert key in table.steps
            assert set(needs) <= set(seen)
            seen.append(key)
        needed = {need for needs in _flow(approach.flow).values() for need in needs}
        assert set(seen) - needed == {seen[-1]}
        assert approach.proof in seen
        used |= set(seen)
    assert used == set(table.steps)
    assert len(table.approaches) == 3


@pytest.mark.parametrize("kind", kinds())
def test_every_word_in_a_table_has_a_value(kind):
    text = (files(knowledge.__package__) / "knowledge" / f"{kind}.toml").read_text(encoding="utf-8")

    assert set(re.findall(r"\{(\w+)\}", text)) <= SHARED | set(field(kind).words)


@pytest.mark.parametrize("kind", kinds())
def test_estimates_are_ordered_and_risks_enough(kind):
    table = field(kind)

    for step in table.steps.values():
        low, likely, high = step.days
        assert low <= likely <= high
        assert high > 0
    assert len(table.risks) >= 5
    assert len(table.criteria) >= 2
    assert len(table.questions) >= 2


def test_a_topic_gives_its_own_words():
    assert topic_words("Move our payroll")["units"] == "payslips"
    assert topic_words("Paint the fence") == {}
