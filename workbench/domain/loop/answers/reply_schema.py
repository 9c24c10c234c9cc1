"""The JSON schema of the answer to a task: all that must hold, so that no rule is known to the reader alone.

types ─▶ msgspec's schema ─┬ without what no model is asked for, or this task cannot use
                           ├ first sentences of the fields' docstrings as descriptions
                           ├ patterns, enums and least counts (reply_rules.py)
                           └ what many fields are, once (``_share``)

It goes with each request, and is paid for each time: what the prompt says is not said here again.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import Any

import msgspec

from workbench.domain.loop.answers.item_reply import ABOUT, ABOUT_REPLY, ANSWERS, CHANGES, ItemReply, change_name
from workbench.domain.loop.answers.reply_rules import DATES, IDS, SECTION_IDS, WEEKDAYS
from workbench.domain.loop.asking import tasks
from workbench.domain.loop.asking.tasks import (
    KINDS_NOT_IN_SECTIONS,
    ChatTask,
    CondenseTask,
    GenerateTask,
    PlanTask,
    ProposeTask,
    Task,
    fields_not_in_sections,
    reply_type,
)
from workbench.domain.plan import plan
from workbench.domain.plan.plan import Bullet, Item, Row, Step
from workbench.domain.text.patterns import lazy_pattern

_SECTION_ID = "^[a-z0-9]+(-[a-z0-9]+)*$"
_DATE = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_NOT_EMPTY = {"minLength": 1}
_KEYWORDS: dict[tuple[str, str], dict[str, Any]] = {
    ("ProposeReply", "approaches"): {"maxItems": 5, "description": "Three, if you can; none beside questions."},
    ("ProposeReply", "questions"): {"items": {"type": "string"} | _NOT_EMPTY},
    ("Approach", "title"): _NOT_EMPTY,
    ("Approach", "summary"): _NOT_EMPTY,
    ("Finding", "text"): _NOT_EMPTY,
    ("Effort", "low"): {"description": "Left out: half of it."},
    ("Effort", "likely"): {"description": "Working days."},
    ("Effort", "high"): {"description": "Left out: one and a half of it."},
    ("Action", "text"): _NOT_EMPTY,
    ("Step", "title"): _NOT_EMPTY,
    ("Section", "title"): _NOT_EMPTY,
    ("Money", "currency"): {"pattern": "^[A-Z]{3}$"},
}
_ABOUT = {("ItemReply", name): told for name, told in ABOUT_REPLY.items()} | {
    (change_name(Step), name): told for name, told in (ABOUT | {"answers": ANSWERS}).items()
}
"""What fields of answers by item mean; those that every kind of change has are told once."""
IN_PROMPT = frozenset(
    {
        *((change_name(Step), name) for name in (
            "owner", "also", "effort", "duration", "duration_elapsed", "waiting", "waits_working", "needs", "lags",
            "not_before", "on", "deadline", "condition", "no_return", "cost", "fund", "basis", "decisions", "because",
        )),
        *(("ItemReply", name) for name in ("statements", "replaced", "remove")),
        *(("StatementReply", name) for name in ("id", "state", "items")),
        *(("Replaced", name) for name in ("statement", "by")),
        ("Removal", "because"),
        ("Lag", "step"),
        ("Money", "currency"),
    }
)  # fmt: skip
"""Fields that the planner's prompt explains, or that their names and types do."""
_ORDERED = frozenset({change_name(Step), change_name(Bullet), change_name(Row)})
"""Changes of items whose order a reader sees; others' may say it, too, and are not asked to."""
_SELDOM = {"criteria": "C", "constraints": "K", "working_time": "W", "places": "L", "funds": "M"}
"""Lists that nothing is mended by where none of their items, whose ids begin so, is in question."""
_MOST_QUESTIONS = 10
_OFTEN: dict[str, dict[str, Any]] = {
    "Date": {"type": "string", "pattern": _DATE, "description": "ISO date."},
    "Texts": {"type": "array", "items": {"type": "string"}},
    "Weekdays": {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 7},
        "description": "1 for Monday to 7 for Sunday.",
    },
}
"""What many fields are, by the name that the schema gives it once; so are ids of kinds that several fields hold."""
_CHANGING = frozenset({"Lag", *map(change_name, CHANGES)})
"""Types whose fields may name an item that is new."""


@cache
def _needed(kind: type[Item]) -> tuple[str, ...]:
    """Return the fields that every item of a kind has: msgspec reads the types of all of them for that."""
    return tuple(field.encode_name for field in msgspec.structs.fields(kind) if field.required)


def reply_schema(task: Task) -> dict[str, Any] | None:
    """Return the JSON schema of the answer to a task, with every definition inside it; None for free text."""
    if isinstance(task, ChatTask | CondenseTask | GenerateTask):
        return None
    by_item = isinstance(task, PlanTask) and task.by_item
    schema: dict[str, Any] = msgspec.json.decode(_written(ItemReply if by_item else reply_type(task)))
    fields = schema["$defs"][schema["$ref"].removeprefix("#/$defs/")]["properties"]
    if isinstance(task, PlanTask) and by_item:
        if task.plan is None:
            fields["steps"]["minItems"] = 1
            del fields["remove"]  # there is nothing yet that could go
            for kind in CHANGES:  # and every item is new: it has all that one must have, in the order it is written
                definition = schema["$defs"][change_name(kind)]
                definition["required"] = list(_needed(kind))
                for name in ("clear", "below"):
                    definition["properties"].pop(name, None)
            needs = ["title", "steps", "statements"]
        else:
            needs = [] if task.mends else ["statements"]
            if task.mends and not task.statements:
                del fields["statements"], fields["replaced"]  # nothing is left to account for
        schema["$defs"]["ItemReply"]["required"] = needs
        if not task.only:
            del fields["show"]
        elif task.mends:
            shown = {name[0] for name in (*task.only, *task.near)}
            for name in [name for name, letter in _SELDOM.items() if letter not in shown]:
                del fields[name]
        if days_off := schema["$defs"].get("DaysOffChange"):
            del days_off["properties"]["country"]  # it only names whose holidays the program put in: a command does
        _leave_out_unnamed(schema)
    if isinstance(task, ProposeTask):
        if task.may_ask:
            _ask_or_propose(schema, fields)
        else:
            del fields["questions"]
        fields["approaches"]["minItems"] = 1
        schema["$defs"]["ProposeReply"]["required"] = ["approaches"]
    elif isinstance(task, PlanTask) and task.plan is None and not by_item:
        fields["amendments"]["minItems"] = 1
        schema["$defs"]["Amendment"]["properties"]["remove"]["enum"] = [False]  # there is nothing yet that could go
    if task.tools:
        schema["$defs"]["ToolCall"] = {
            "type": "object",
            "properties": {"tool": {"enum": [tool.name for tool in task.tools]}, "arguments": {"type": "object"}},
            "required": ["tool", "arguments"],
        }
        _one_of(schema, "ToolCall")
    return schema


def part_of_schema(schema: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the schema of an answer by item that has these fields alone."""
    whole = schema["$defs"]["ItemReply"]
    fields = {name: field for name, field in whole["properties"].items() if name in names}
    needed = [name for name in whole["required"] if name in names]
    part = {**schema, "$defs": schema["$defs"] | {"ItemReply": whole | {"properties": fields, "required": needed}}}
    _leave_out_unnamed(part)
    return part


def _ask_or_propose(schema: dict[str, Any], fields: dict[str, Any]) -> None:
    """Let a proposal hold questions or approaches, so that none holds neither."""
    asked = fields.pop("questions") | {"minItems": 1, "maxItems": _MOST_QUESTIONS}
    also = {name: fields[name] for name in ("constraints", "assumptions")}
    schema["$defs"]["Questions"] = {
        "type": "object",
        "properties": {"questions": asked, **also},
        "required": ["questions"],
    }
    _one_of(schema, "Questions")


def _one_of(schema: dict[str, Any], other: str) -> None:
    """Let another definition be an answer, too. That the root is an object is said, since providers insist on it."""
    answers = schema["anyOf"] if "anyOf" in schema else [{"$ref": schema.pop("$ref")}]
    schema |= {"type": "object", "anyOf": [*answers, {"$ref": f"#/$defs/{other}"}]}


@cache
def _written(reply: type[Any]) -> bytes:
    """Return the schema of a reply as JSON: it is the same for all tasks of a kind."""
    schema = msgspec.json.schema(reply)
    docstrings = _descriptions()
    for owner, definition in schema["$defs"].items():
        for keyword in ("title", "description", "additionalProperties"):  # fields are described; others mended or noted
            definition.pop(keyword, None)
        if "type" in definition.get("properties", {}):
            definition["properties"] = {
                name: field
                for name, field in definition["properties"].items()
                if name not in fields_not_in_sections(owner)
            }
        if owner.endswith("Change") and owner not in _ORDERED:
            del definition["properties"]["below"]
        if owner == "Approach":
            for name in ("template", "besides"):  # only templates offer one
                del definition["properties"][name]
        kind = owner.removesuffix("Change")
        for name, field in definition.get("properties", {}).items():
            _without_null(field)
            _restrict(owner, name, field)
            told = _ABOUT.get((owner, name)) or _in_brief(docstrings.get((kind, name), ""))
            if told and (owner, name) not in IN_PROMPT and not (kind != owner and name == "id"):
                field.setdefault("description", told)
    if "Effort" in schema["$defs"]:
        schema["$defs"]["Effort"]["required"] = ["likely"]
    if "Finding" in schema["$defs"]:  # what a verifier finds is its own judgement
        finding = schema["$defs"]["Finding"]
        finding["required"].remove("rule")
        for name in ("rule", "disputed"):
            del finding["properties"][name]
    _leave_out_kinds(schema)
    _share(schema)
    return msgspec.json.encode(schema)


def _in_brief(told: str) -> str:
    """Return the first sentence of a docstring, without what leaving the field out means."""
    return _LEFT_OUT.split(_NEXT_SENTENCE.split(told, maxsplit=1)[0], maxsplit=1)[0]


_NEXT_SENTENCE = lazy_pattern(r"(?<=\.) ")
_LEFT_OUT = lazy_pattern(r'[;,] (?:null|\[\]|"")(?=[ ,.])')


def _share(schema: dict[str, Any]) -> None:
    """Say once what many fields are, in place."""
    fields = [
        part
        for definition in schema["$defs"].values()
        for field in definition.get("properties", {}).values()
        for part in (field, field.get("items", {}))
    ]
    ids = Counter(part["pattern"] for part in fields if part.get("type") == "string" and "pattern" in part)
    names = {pattern: re.split(r"[|\[]", pattern)[0].strip("^(") for pattern in ids if ids[pattern] > 1}
    often = _OFTEN | {f"{name}Id": {"type": "string", "pattern": pattern} for pattern, name in names.items() if name}
    for name, part in often.items():
        bare = _undescribed(part)
        for field in fields:
            if _undescribed(field) == bare:
                told = field.get("description", "")
                field.clear()
                field["$ref"] = f"#/$defs/{name}"
                left = told.removeprefix(part.get("description", ".")[:-1]).lstrip(":., ")
                if left:
                    field["description"] = left[0].upper() + left[1:]
        schema["$defs"][name] = part
    _leave_out_unnamed(schema)


def _without_null(field: dict[str, Any]) -> None:
    """Take null out of what a field may be: it means what leaving the field out means."""
    others = [one for one in field.get("anyOf", ()) if one.get("type") != "null"]
    if len(others) == 1 and len(field["anyOf"]) > 1:
        del field["anyOf"]
        field |= others[0]


def _leave_out_kinds(schema: dict[str, Any]) -> None:
    """Take out the kinds of items that no model is asked for, and what only they or left out fields are made of."""
    parts = schema["$defs"]
    if "Section" in parts:
        kinds = parts["Section"]["properties"]["items"]["items"]["anyOf"]
        kinds[:] = [kind for kind in kinds if kind["$ref"].rpartition("/")[2] not in KINDS_NOT_IN_SECTIONS]
    _leave_out_unnamed(schema)


def _leave_out_unnamed(schema: dict[str, Any]) -> None:
    """Take out the definitions that nothing refers to."""
    parts = schema["$defs"]
    left, named = set(parts), _referenced_definitions({name: part for name, part in schema.items() if name != "$defs"})
    while named & left:
        left -= named
        named = set().union(*(_referenced_definitions(parts[name]) for name in named))
    for name in left:
        del parts[name]


def _undescribed(part: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key != "description"}


def _referenced_definitions(value: Any) -> set[str]:
    """Return the definitions that a part of a schema refers to."""
    return set(_REFERENCE.findall(msgspec.json.encode(value).decode()))


_REFERENCE = lazy_pattern(r'"\$ref":"#/\$defs/([^"]+)"')


def _restrict(owner: str, name: str, field: dict[str, Any]) -> None:
    """Put what must hold of a field into its schema."""
    field |= _KEYWORDS.get((owner, name), {})
    if (owner, name) in WEEKDAYS:
        least, most = WEEKDAYS[owner, name]
        field["items"] |= {"minimum": least, "maximum": most}
    letters = IDS.get((owner, name))
    pattern = _SECTION_ID if (owner, name) in SECTION_IDS else _DATE if (owner, name) in DATES else ""
    if letters:
        kinds = letters if len(letters) == 1 else f"[{letters}]"
        pattern = f"^{f'({kinds}|new)' if owner in _CHANGING else kinds}[1-9][0-9]{{0,3}}$"
    if field.get("format") == "decimal":
        field.clear()
        field["type"] = "number"
    if pattern:
        text = _text_of(field)
        text["pattern"] = f"^({pattern[1:-1]})?$" if field.get("default") == "" else pattern
    field.pop("default", None)  # what is not required has one
    field.get("items", {}).pop("discriminator", None)  # said by the enum of each type


def _text_of(field: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a field's schema that says it is a text."""
    parts = [field, field.get("items", {}), *field.get("anyOf", ())]
    return next(part for part in parts if part.get("type") == "string")


@cache
def _descriptions() -> dict[tuple[str, str], str]:
    """Return the docstrings of fields, by class and field; none where the program came without its source."""
    try:
        return {(owner, name): text for module in (tasks, plan) for owner, name, text in field_descriptions(module)}
    except OSError:
        return {}


def field_descriptions(module: ModuleType) -> Iterator[tuple[str, str, str]]:
    """Yield class, field and the docstring below it, on one line and in JSON's words, of every class of a module."""
    classes = [node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.ClassDef)]
    for owner in classes:
        for field, below in pairwise(owner.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
                words = " ".join(str(ast.literal_eval(below.value)).split())
                yield owner.name, field.target.id, words.replace("None", "null").replace("()", "[]")
