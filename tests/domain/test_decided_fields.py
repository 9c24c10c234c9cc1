"""Of each field of a step it is decided who says it and what becomes of it: no new one is asked of models unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import find
from tests.domain.test_plan_markdown import FIELDS as EVERY_FIELD
from tests.properties import plans
from workbench.domain.commands import parts
from workbench.domain.loop.asking.tasks import NOT_BY_ITEM, NOT_FOR_MODELS, fields_not_in_sections
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Step

ASKED = {
    "of every model": "title outcome check owner effort needs lags not_before on deadline milestone waiting "
    "parent cost cost_kind workstream",
    "of models that answer by item": "also each duration duration_elapsed hours waits_working waits_hours mode splits "
    "priority repeat place decisions condition no_return fund basis optional not_covered "
    "tags",
    "of models that answer in sections": "start end answers",
    "of no model": "id causes origin status started finished left progress notes other",
}
MERGED = {
    "worked out": "effort cost owner also status started finished left start end origin outcome check "
    "notes needs answers tags decisions causes deadline not_before priority each lags",
    "where all say the same": "milestone waiting splits condition repeat optional not_covered progress "
    "waits_working waits_hours",
    "of the first that says it": "duration duration_elapsed workstream mode place on hours no_return cost_kind fund "
    "basis other",
    "of the first": "id title parent",
}
SPLIT = {
    "stays with the first part": "lags on hours not_before start end answers cost status started finished left "
    "progress milestone waiting waits_working repeat notes outcome check duration "
    "duration_elapsed waits_hours",
    "every part has it": "owner also each mode splits priority place decisions condition no_return parent "
    "cost_kind fund basis optional not_covered other tags workstream",
    "worked out": "id title effort needs origin causes deadline",
}
HOW = 'decide about it: docs/architecture.md, "Add a field of a step"'


@pytest.mark.parametrize("decided", [ASKED, MERGED, SPLIT], ids=["asked", "merged", "split"])
def test_each_field_of_a_step_is_decided_upon_once(decided):
    named = [name for names in decided.values() for name in names.split()]
    assert sorted(named) == sorted(Step.__struct_fields__), HOW


def test_models_are_asked_for_what_is_decided():
    every, by_item, in_sections, nobody = (set(names.split()) for names in ASKED.values())
    fields = {*Step.__struct_fields__} - {"id"}
    assert fields - fields_not_in_sections("Step") == every | in_sections, HOW
    assert fields - NOT_BY_ITEM == every | by_item, HOW
    assert fields & (NOT_FOR_MODELS - {"tags"}) == nobody - {"id"}, HOW


def test_steps_are_merged_and_split_as_is_decided():
    worked_out, if_all, first_said, _ = (set(names.split()) for names in MERGED.values())
    fields = FIELDS[Step].values()

    def names_of(wanted: frozenset[str]) -> set[str]:
        return {name for field in fields if field.name in wanted for name in field.names}

    assert names_of(parts._WORKED_OUT) == worked_out, HOW
    assert names_of(parts._IF_ALL) == if_all, HOW
    kept = frozenset(field.name for field in fields) - parts._WORKED_OUT - parts._IF_ALL - {"parent"}
    assert names_of(kept) == first_said, HOW
    assert set(parts._EMPTY_IN_LATER_PARTS) == set(SPLIT["stays with the first part"].split()), HOW


def test_each_field_of_a_step_stands_among_those_that_are_written_and_read():
    samples = [json.loads(text.splitlines()[-1]) for text in EVERY_FIELD]
    said = {name for sample in samples if sample.pop("type") == "step" for name in sample}
    missing = {*Step.__struct_fields__} - said - {"workstream"}  # a heading above the step
    assert not missing, "put it into tests/domain/every_field.txt"


def test_each_field_of_a_step_is_drawn_in_properties(monkeypatch):
    drawn = set(plans.NEWER_STEP_FIELDS)

    def recorded(**fields: Any) -> Step:
        drawn.update(fields)
        return Step(**fields)

    monkeypatch.setattr(plans, "Step", recorded)
    find(plans.steps(1), lambda _: True)
    assert drawn == {*Step.__struct_fields__}, "draw it in tests/properties/plans.py"
