"""Playbooks of earlier versions, read as templates: what was filled from the goal is a plain word now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.domain.text.patterns import lazy_pattern
from workbench.templates.template import Template, read_table, template_of

NOTE = "was written for an earlier version: it is used as a template, without its patterns."
"""What a person is told of each, behind the file's name."""
_SAME = ("title", "words", "measure", "target", "risks")
_OF_A_STEP = {
    "title": "title", "out": "outcome", "check": "check", "days": "effort", "wait": "waiting", "needs": "needs",
}  # fmt: skip
_OF_A_VARIANT = {"title": "title", "summary": "fits", "drawback": "drawback", "steps": "steps"}
_OPTIONAL = lazy_pattern(r"\[([^\[\]]*)\]")
"""Words of the file that were left out where the goal did not say a slot in them."""
_SLOT = lazy_pattern(r"\{(\w+)\}")


def read_playbook(text: str, name: str, place: str = "") -> Template:
    """Return the template that a playbook comes to. Raises UnusableTemplate as ``read_template`` does."""
    place = place or f"{name}.toml"
    raw = read_table(text, place)
    return template_of(_as_template(raw), name, text, place)


def _as_template(raw: Mapping[str, Any]) -> dict[str, Any]:
    slots = {"thing": str(raw.get("thing", "it"))}
    found = {field: raw[field] for field in _SAME if field in raw}
    found |= {"fits": raw.get("name", ""), "day": raw.get("deadline", "")}
    steps, ways = raw.get("steps"), raw.get("approaches", [])
    if isinstance(steps, dict):
        is_event = raw.get("event") is True
        found["steps"] = {key: _step(step, slots, is_event=is_event) for key, step in steps.items()}
    if isinstance(ways, list):
        found["variants"] = {f"way-{at}": _translated_keys(way, _OF_A_VARIANT, slots) for at, way in enumerate(ways, 1)}
    return found


def _step(step: object, slots: Mapping[str, str], *, is_event: bool) -> object:
    found = _translated_keys(step, _OF_A_STEP, slots)
    if isinstance(step, dict) and isinstance(found, dict):
        if step.get("day") is True:
            found["on" if is_event else "before"] = 0
        elif "lead" in step:
            found["before"] = step["lead"]
    return found


def _translated_keys(table: object, names: Mapping[str, str], slots: Mapping[str, str]) -> object:
    if not isinstance(table, dict):
        return table
    return {new: _plain(table[old], slots) for old, new in names.items() if old in table}


def _plain(value: object, slots: Mapping[str, str]) -> object:
    """Return a text without what was filled from a goal: an optional part goes, a slot becomes its plain word."""
    if not isinstance(value, str):
        return value
    whole = _OPTIONAL.sub(lambda part: "" if _SLOT.search(part[1]) else part[0], value)
    return _SLOT.sub(lambda slot: slots.get(slot[1], f"the {slot[1]}"), whole)
