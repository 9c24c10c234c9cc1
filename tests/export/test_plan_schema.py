"""The JSON of a plan fits its schema, and the schema fits the types that it is generated from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from tests.full_plan import PLAN, state_with
from tests.json_schemas import FOLDER, TITLES, file_of, schema_of, written
from tests.properties.plans import plans
from workbench.domain.session.session import SessionState, fold
from workbench.export.objects import PlanObject, plan_object
from workbench.storage.files.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))
VALIDATOR = jsonschema.Draft202012Validator(schema_of(PlanObject))


def exported(state: SessionState) -> Any:
    """Return a session's plan as a program reads it."""
    return json.loads(json.dumps(plan_object(state, state.versions[-1])))


@pytest.mark.cases(20)
@pytest.mark.parametrize("printed", TITLES, ids=lambda printed: printed.__name__)
def test_a_published_schema_is_that_of_its_types(printed):
    """Where it fails, ``python -m tests.json_schemas`` writes it again."""
    schema = schema_of(printed)
    assert file_of(schema).read_text(encoding="utf-8") == written(schema)


def test_every_published_schema_is_one_and_says_which_command_prints_it():
    for file in FOLDER.iterdir():
        schema = json.loads(file.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        assert file.name == f"{schema['properties']['schema']['const'].replace('/', '-')}.json"
        assert schema["title"]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_plan_of_a_sample_fits(sample):
    VALIDATOR.validate(exported(fold(read_session_file(sample))))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_any_plan_fits(plan):
    VALIDATOR.validate(exported(state_with(plan)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), "1"),
        (("sections", 6, "items", 0, "status"), "begun"),
        (("sections", 6, "items", 0, "cost", "amount"), 1200.1),
        (("sections", 6, "items", 0, "surprise"), 1),
        (("figures", "finish"), 7),
    ],
)
def test_what_is_no_plan_does_not_fit(path, value):
    told = exported(state_with(PLAN))
    VALIDATOR.validate(told)
    place = told
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not VALIDATOR.is_valid(told)
