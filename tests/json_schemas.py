"""JSON Schemas of what commands print, from their types: ``python -m tests.json_schemas`` writes ``docs/json/``.

The schemas of objects that have no type, as their commands build them by hand, are kept in that folder itself.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from workbench.bootstrap import known_models
from workbench.bootstrap.known_models import KnownModel, TriedModel
from workbench.cli.application import serve as cli_serve
from workbench.cli.application.serve import ServeObject
from workbench.cli.carry_out import due as cli_due
from workbench.cli.carry_out.due import DueObject
from workbench.cli.other_programs import mcp as cli_mcp
from workbench.cli.other_programs import offers as cli_offers
from workbench.cli.other_programs import review as cli_review
from workbench.cli.other_programs.mcp import ClientObject, McpConfigObject, McpObject
from workbench.cli.other_programs.offers import OfferObject
from workbench.cli.other_programs.review import ReviewObject
from workbench.cli.plan import research as cli_research
from workbench.cli.plan import template as cli_template
from workbench.cli.plan.research import SourceObject
from workbench.cli.plan.template import TemplateObject
from workbench.domain.loop.answers.reply_schema import field_descriptions
from workbench.domain.loop.asking import tasks
from workbench.domain.plan import due, figures, money, plan
from workbench.domain.plan.changing import operations
from workbench.domain.plan.importing import imported
from workbench.domain.plan.scheduling import forecast
from workbench.domain.statements import statement
from workbench.domain.values import named_value
from workbench.export import edits, learned, statements, values
from workbench.export import imported as imports
from workbench.export.edits import EditObject
from workbench.export.imported import ImportObject
from workbench.export.learned import LearnedObject, LessonObject
from workbench.export.objects import PlanObject
from workbench.export.statements import StatementObject
from workbench.export.values import ValueObject
from workbench.models.local import files as local_files
from workbench.models.local.files import LocalModelObject
from workbench.planning.learning import lessons, patterns

FOLDER = Path(__file__).parent.parent / "docs" / "json"
TITLES: dict[type[msgspec.Struct], str] = {
    PlanObject: "workbench plan --json: a version of a plan, with everything that is calculated from it",
    ValueObject: "workbench read --json: a value that a text names; a line each",
    StatementObject: "a part of what a person said, and what became of it, in workbench sessions show --json",
    ImportObject: "workbench import --json: a file read as a plan, the fate of each line, and what it changes",
    EditObject: "workbench edit --json, and status: commands, what they do to the plan, and which dates move",
    KnownModel: "workbench models --json: a model that can be named; a line each",
    LocalModelObject: "workbench models list --json, and get: a model that runs on this machine; a line each",
    TriedModel: "workbench models --try NAME --json: what one word of a model takes",
    ServeObject: "workbench serve --json: where a browser finds the application",
    McpObject: "workbench mcp --http N --json: where another program connects",
    McpConfigObject: "workbench mcp --print-config PROGRAM --json: what another program is given to connect",
    ClientObject: "workbench mcp clients --json: what a program is allowed; a line each",
    OfferObject: "workbench offers --json: changes that another program offers, and what was decided; a line each",
    ReviewObject: "workbench review --json: a reviewed plan, its notes and the last answer; a line each",
    DueObject: "workbench due --json: a line for each step that wants attention",
    TemplateObject: "workbench template --json: a template to plan with; a line each in a list",
    SourceObject: "workbench research --json: where something was found; a line each",
    LearnedObject: "workbench learn --json: patterns over saved sessions, each with its number of cases",
    LessonObject: "workbench lessons --json: what notes and patterns teach, and what was decided; a line each",
}
"""What is printed as JSON and has a type, and by which command."""
_COMMANDS = (due, tasks, cli_due, known_models, cli_mcp, cli_offers, cli_research, cli_review, cli_serve, cli_template)
_PLANS = (plan, money, forecast, figures, named_value, values, imported, imports, operations, edits)
_DESCRIBED = (*_COMMANDS, *_PLANS, local_files, statement, statements, learned, patterns, lessons)


def schema_of(printed: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON Schema of what a command prints."""
    generated = msgspec.json.schema(printed)
    definitions = generated["$defs"]
    docstrings = _docstrings()
    for name, field, said in docstrings:
        if name in definitions and field in definitions[name]["properties"]:
            definitions[name]["properties"][field]["description"] = said
    whole = definitions.pop(printed.__name__)
    inherited = {field: said for name, field, said in docstrings if name in {base.__name__ for base in printed.__mro__}}
    for field, said in inherited.items():
        if field not in whole["properties"]:
            continue  # another module's struct of the same name
        whole["properties"][field].setdefault("description", said)
    (name,) = whole["properties"]["schema"]["enum"]
    whole["properties"]["schema"] = {"const": name}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:planning-workbench:json:{_file_name(name)}",
        **whole,
        "title": TITLES[printed],
        "required": list(whole["properties"]),
        "$defs": dict(sorted(definitions.items())),
    }


@cache
def _docstrings() -> tuple[tuple[str, str, str], ...]:
    return tuple(said for module in _DESCRIBED for said in field_descriptions(module))


def _file_name(schema: str) -> str:
    return schema.removeprefix("workbench.").replace("/", "-")


def file_of(schema: dict[str, Any]) -> Path:
    """Return where a schema is kept."""
    name = schema["properties"]["schema"]["const"]
    return FOLDER / f"workbench.{_file_name(name)}.json"


def written(schema: dict[str, Any]) -> str:
    """Return a schema as its file holds it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for kind in TITLES:
        schema = schema_of(kind)
        file_of(schema).write_text(written(schema), encoding="utf-8")
