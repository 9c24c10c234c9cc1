"""A schema in words says all that it holds, in fewer tokens."""

import json

import pytest
from tests.domain.test_tasks import TASKS
from workbench.domain.loop.answers.reply_schema import reply_schema
from workbench.models.schema_words import in_words
from workbench.models.tokens import estimate_tokens


@pytest.mark.parametrize("task", TASKS[:4], ids=lambda task: type(task).__name__)
def test_every_field_and_kind_is_named(task):
    schema = reply_schema(task)
    words = in_words(schema)
    for name, definition in schema["$defs"].items():
        assert f"type {name} = {'{' if 'properties' in definition else ''}" in words
        for field in definition.get("properties", ()):
            required = field in definition.get("required", ())
            assert f"  {field}{'' if required else '?'}: " in words
    assert estimate_tokens(words) < estimate_tokens(json.dumps(schema)) * 0.6


def test_what_must_hold_is_said():
    schema = {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "string", "pattern": "^A[1-9]$", "minLength": 1},
            "level": {"enum": ["low", "high"], "description": "How bad."},
            "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 3},
            "day": {"anyOf": [{"type": "string", "pattern": "^[0-9]$"}, {"type": "null"}], "description": "ISO date."},
            "n": {"type": "integer", "minimum": 1, "maximum": 7},
            "inner": {"$ref": "#/$defs/Inner"},
            "any": {},
            "gone": {"enum": [False]},
        },
        "$defs": {"Inner": {"enum": ["x"]}, "Id": {"type": "string", "pattern": "^B$"}},
    }
    assert in_words(schema).splitlines()[2:] == [
        "type Answer = {",
        "  id: string  // matches ^A[1-9]$; not empty",
        '  level?: "low" | "high"  // How bad',
        '  tags?: ("a" | "b")[]  // at least 1; at most 3',
        "  day?: string | null  // ISO date",
        "  n?: number  // from 1; to 7",
        "  inner?: Inner",
        "  any?: any",
        "  gone?: false",
        "}",
        'type Inner = "x"',
        "type Id = string  // matches ^B$",
    ]
