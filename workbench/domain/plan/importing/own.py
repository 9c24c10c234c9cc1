"""Our own Markdown and JSON, exactly as written: items keep their ids, and sections theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import msgspec

from workbench.domain.plan.importing.imported import Fate, FateKind, Imported
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.markdown.grammar import CALCULATED, END, FIELD_SEPARATOR, LETTERS, NUMBERED
from workbench.domain.plan.plan import Item, Person, Plan, Step
from workbench.domain.text.cleaning import clean_json
from workbench.domain.text.patterns import lazy_pattern

_ITEM = lazy_pattern(r"[-*+] +(?P<id>[A-Z]\d{1,9}) ·(?:\s|$)")


def is_own(lines: Sequence[str]) -> bool:
    """Tell whether Markdown was written by this workbench: items with ids below sections, or our mark of the end."""
    return END in lines or (any(line.startswith("## ") for line in lines) and any(map(_item_of, lines)))


def _item_of(line: str) -> str:
    match = _ITEM.match(line)
    numbered = NUMBERED.fullmatch(match["id"]) if match else None
    return match["id"] if match and numbered and numbered[1] in LETTERS else ""


def read_own(text: str, lines: Sequence[str], base: Plan) -> Imported:
    """Return the plan of our own Markdown; ``base`` is the plan it was written from, or an empty one.

    Raises UsageError where it holds more than a plan may.
    """
    plan = from_markdown(text, base)
    fates = tuple(_fates(lines, plan))
    unread = (fate for fate, line in zip(fates, lines, strict=True) if fate.kind == "prose" and line[:1].isspace())
    return Imported(
        plan=plan,
        format="workbench",
        lines=fates,
        guesses=tuple(f"line {fate.line} is no field of {fate.of}, and kept in its words" for fate in unread),
        given_ids=frozenset(item.id for item in plan.items),
    )


def read_own_json(text: str, lines: Sequence[str]) -> Imported | None:
    """Return the plan in our own JSON of a session or a plan; None for other JSON."""
    try:
        value = clean_json(json.loads(text))
        value = value["plan"] if str(value["schema"]).startswith("workbench.session/") else value
        if not str(value["schema"]).startswith("workbench.plan/"):
            return None
        plan = msgspec.convert({"title": value["title"], "sections": value["sections"]}, Plan)
    except (ValueError, LookupError, TypeError, RecursionError, msgspec.ValidationError):
        return None
    return Imported(
        plan=plan,
        format="workbench",
        lines=tuple(Fate(line=at, kind="field" if line.strip() else "blank") for at, line in enumerate(lines, start=1)),
        given_ids=frozenset(item.id for item in plan.items),
    )


def _words(item: Item) -> str:
    """Return where an item keeps what fits no field."""
    return item.notes if isinstance(item, Step) else item.role if isinstance(item, Person) else item.text


def _fates(lines: Sequence[str], plan: Plan) -> Iterator[Fate]:
    steps = {item.id for item in plan.items if isinstance(item, Step)}
    ids = {item.id for item in plan.items}
    sections = iter(plan.sections)
    words = {one.id: _words(one).split("\n") for one in plan.items}
    section, item, ended = "", "", False
    for number, line in enumerate(lines, start=1):
        ended = ended or line.rstrip() == END
        kind: FateKind = "prose"
        of = section
        name = _item_of(line)
        if not line.strip() or ended or line.rstrip().endswith(CALCULATED):
            kind, of = "blank", ""
        elif re.match(r"#{1,2}(?:\s|$)", line):
            kind, of, item = "heading", "", ""
            if line.startswith("##"):
                section = next((one.id for one in sections), section)
        elif name in ids and name:
            item = name
            kind, of = ("step" if name in steps else "item"), name
        elif item and line[:1].isspace():
            bullet = re.fullmatch(r"\s+[-*+] +(.*)", line.rstrip())
            pieces = FIELD_SEPARATOR.split(bullet[1]) if bullet else ()
            kind, of = ("prose" if any(piece in words[item] for piece in pieces) else "field"), item
        elif line.startswith("### "):
            kind, of = "heading", ""
        yield Fate(line=number, kind=kind, of=of)
