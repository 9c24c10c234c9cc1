"""Items by kind in JSON, as a model answers and our schema names them: each field is used, or what it says is told."""

from __future__ import annotations

from typing import Any

import msgspec

from workbench.domain.loop.answers.coercion import Coercion, Unfit
from workbench.domain.loop.answers.fresh_ids import give_item_ids
from workbench.domain.loop.answers.item_changes import HOMES, SECTIONS
from workbench.domain.loop.answers.item_reply import LISTS
from workbench.domain.loop.answers.replies import LETTERS_OF_LISTS
from workbench.domain.loop.answers.reply_rules import RULES
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Item, Plan, Section
from workbench.domain.text.cleaning import shorten

_OUR_FIELDS = frozenset(["waiting", "waits_working", "lags", "not_before", "duration_elapsed", "each", "condition"])
"""Fields of steps that no other tool calls so."""


def is_of_items(value: Any) -> bool:
    """Tell whether JSON holds steps as we have them."""
    steps = value.get("steps") if isinstance(value, dict) else None
    some = [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    return any(isinstance(one.get("effort"), dict) or not _OUR_FIELDS.isdisjoint(one) for one in some)


def plan_of_items(value: dict[str, Any]) -> tuple[Plan, tuple[str, ...]]:
    """Return the plan of such JSON, and what of it could not be used, each in a sentence."""
    coercion = Coercion(RULES)
    for name, kind in LISTS.items():
        if isinstance(listed := value.get(name), list):
            value[name] = [{**one, **_as_spoken(kind, one)} if isinstance(one, dict) else one for one in listed]
    coercion.notes += give_item_ids(value, None, LETTERS_OF_LISTS)
    found: dict[str, list[Item]] = {}
    for name, kind in LISTS.items():
        listed = value.pop(name, None)
        for at, one in enumerate(listed if isinstance(listed, list) else filter(None, [listed])):
            try:
                item = coercion.read(kind, one, f"{name}[{at}]")
            except Unfit as unfit:
                coercion.notes.append(f"{unfit.place} was left out: it {unfit.reason}.")
            else:
                found.setdefault(HOMES.get(name, name), []).append(item)
    title = value.pop("title", "")
    texts = {name: value.pop(name) for name in SECTIONS if isinstance(value.get(name), str)}
    for prose in value.pop("sections", None) or ():
        if isinstance(prose, dict) and prose.get("id") in SECTIONS and isinstance(prose.get("text"), str):
            texts[prose["id"]] = prose["text"]
        else:
            coercion.notes.append(f"A section was left out: {shorten(str(prose), 60)}.")
    if more := [name for name in value if name not in ("schema", "task")]:
        coercion.notes.append(f"{', '.join(more)} stayed out: no list of items is called so.")
    sections = (
        Section(id=one, title=SECTIONS[one], text=texts.get(one, ""), items=tuple(found.get(one, ())))
        for one in SECTIONS
        if one in found or texts.get(one)
    )
    return Plan(title=str(title), sections=tuple(sections)), tuple(coercion.notes)


def _as_spoken(kind: type[Item], one: dict[str, Any]) -> dict[str, Any]:
    """Return the values of fields that are texts as people write them: ``4 hours``, ``400 EUR``, ``S1 + 2 days``."""
    found: dict[str, Any] = {}
    texts = {field.name for field in msgspec.structs.fields(kind) if field.default == ""}
    for field in FIELDS[kind].values():
        said = one.get(field.name)
        if isinstance(said, str) and field.name not in texts and (read := field.read(said)) is not None:
            named = dict(zip(field.names, read if field.further else (read,), strict=True))
            values = msgspec.json.decode(msgspec.json.encode(named))  # lists, and no tuples
            found |= {name: value for name, value in values.items() if name == field.name or not one.get(name)}
    return found
