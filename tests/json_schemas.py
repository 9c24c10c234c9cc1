"""The JSON Schema of a plan, from its types: ``python -m tests.json_schemas`` writes it into ``docs/json/``."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from workbench.domain.plan import figures, forecast, money, plan
from workbench.export.objects import PlanObject

FILE = Path(__file__).parent.parent / "docs" / "json" / "workbench.plan-1.json"


def plan_schema() -> dict[str, Any]:
    """Return the schema of what ``workbench plan --json`` prints."""
    generated = msgspec.json.schema(PlanObject)
    definitions = generated["$defs"]
    for name, field, said in (one for module in (plan, money, forecast, figures) for one in _said_of_fields(module)):
        if name in definitions:
            definitions[name]["properties"][field]["description"] = said
    whole = definitions.pop(PlanObject.__name__)
    whole["properties"]["schema"] = {"const": PlanObject.__struct_defaults__[0]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:planning-workbench:json:plan-1",
        **whole,
        "title": "workbench plan --json: a version of a plan, with everything that is calculated from it",
        "required": list(whole["properties"]),
        "$defs": dict(sorted(definitions.items())),
    }


def _said_of_fields(module: ModuleType) -> Iterator[tuple[str, str, str]]:
    """Yield class, field and the docstring below it."""
    classes = [node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.ClassDef)]
    for owner in classes:
        for field, below in pairwise(owner.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
                said = ast.literal_eval(below.value)
                yield owner.name, field.target.id, " ".join(said.split())


def written(schema: dict[str, Any]) -> str:
    """Return a schema as its file holds it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(plan_schema()), encoding="utf-8")
