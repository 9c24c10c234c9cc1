"""What a role's reply says, for people: in a sentence, or as Markdown.

    '{"findings": […]}' ─▶ gist: "Rounding of tax differs."      tell: a list of findings with their remedies

A reply that is not one of ours is told as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from workbench.domain.text.cleaning import clean, clean_json

_NOTHING, _NO_FINDING = "Nothing to add.", "No findings of its own."
_OF_ITEMS = frozenset({
    "criteria", "constraints", "scope", "assumptions", "notes", "people", "working_time", "days_off", "places", "funds",
    "decisions", "steps", "timetable", "risks", "questions", "sections",
})  # fmt: skip
"""What a planner that answers by item changes, each in a list."""
_OURS = _OF_ITEMS | {
    "actions", "amendments", "answer", "approaches", "deliverable", "findings", "handled", "insights", "open_questions",
    "remove", "replaced", "statements",
}  # fmt: skip
"""What replies to the tasks of the workbench have in them."""
_READ_AT_MOST = 1_000_000  # characters of a reply that is read for what it says; a longer one is told as it is


def gist(reply: str) -> str:
    """Return what a reply says in a sentence; the reply itself if it is not a JSON object of ours."""
    return next((short for short, _ in _parts_of_reply(_read(reply)) if short), "") or _fallback_text(reply)


def tell(reply: str) -> str:
    """Return what a reply says as Markdown; the reply itself if it is not a JSON object of ours."""
    return "\n\n".join(whole for _, whole in _parts_of_reply(_read(reply)) if whole) or _fallback_text(reply)


def _fallback_text(reply: str) -> str:
    return _NOTHING if _read(reply).keys() & _OURS else clean(reply)


def _read(reply: str) -> dict[str, Any]:
    start, end = reply.find("{"), reply.rfind("}")
    if start < 0 or end < start or len(reply) > _READ_AT_MOST:
        return {}
    try:
        said = clean_json(msgspec.json.decode(reply[start : end + 1].encode()))
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _parts_of_reply(said: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each part of a reply: in a sentence, "" if it is told as a whole only, and as Markdown."""
    questions = _words(said, "questions") if "approaches" in said else []
    if approaches := _objects(said, "approaches"):
        titles = "Approaches: " + "; ".join(_word(approach, "title") for approach in approaches)
        yield titles, "\n\n".join(map(_approach, approaches))
    elif "approaches" in said:
        yield "Asks: " + " ".join(questions) if questions else "Proposed nothing.", ""
    if questions:
        yield "", "Asks first:\n\n" + _listed(questions)
    if "amendments" in said:
        sections = ", ".join(_word(section, "title") for section in _sections(said))
        yield (f"Amended {sections}", f"Amended {sections}.") if sections else ("Changed nothing.",) * 2
    if changed := list(_items(said)):
        yield f"Changes {'; '.join(changed)}.", f"Changes:\n\n{_listed(changed)}"
    if removed := [_word(one, "id") for one in _objects(said, "remove")]:
        yield (f"Takes out {', '.join(removed)}.",) * 2
    for name, line in _LISTS.items():
        told = _listed(line(one) for one in _objects(said, name))
        if name == "findings" and name in said:
            found = " ".join(_word(one, "text") for one in _objects(said, name))
            yield found or _NO_FINDING, told or _NO_FINDING
        elif told:
            count = len(_objects(said, name))
            yield f"{count} action{'s' if count > 1 else ''}." if name == "actions" else "", told
    if deliverable := _word(said, "deliverable").strip():
        yield deliverable.split("\n")[0].lstrip("# "), deliverable
    if answer := _word(said, "answer").strip():
        yield answer, answer
    for name, title in (("open_questions", "Open"), ("insights", "Insights")):
        if words := _words(said, name):
            yield "", f"{title}:\n\n{_listed(words)}"


def _items(said: dict[str, Any]) -> Iterator[str]:
    """Yield what is changed, a list at a time: the ids of what was there, and how much is new."""
    for name in (one for one in said if one in _OF_ITEMS and "approaches" not in said):
        ids = [_word(one, "id") or _word(one, "title") for one in _objects(said, name)]
        known = [item_id for item_id in ids if not item_id.startswith("new")]
        new = [f"{len(ids) - len(known)} new"] if len(ids) > len(known) else []
        if ids:
            yield f"{name.replace('_', ' ')}: {', '.join((*known, *new))}"


def _approach(said: dict[str, Any]) -> str:
    outline = _listed(_words(said, "outline"))
    return f"**{_word(said, 'title')}**: {_word(said, 'summary')}\n\n{outline}".strip()


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


_LISTS: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "statements": lambda one: f"{_word(one, 'id')} {_word(one, 'state')}: {_word(one, 'note')}",
    "handled": lambda one: f"{_word(one, 'feedback')} {_word(one, 'outcome')}".rstrip() + f": {_word(one, 'note')}",
    "findings": lambda one: f"{_word(one, 'severity')}: {_word(one, 'text')}",
    "actions": lambda one: f"{_word(one, 'step')}: {_word(one, 'text')}",
}
"""What lists of a reply say of each of their entries."""


def _list(said: dict[str, Any], name: str) -> list[Any]:
    value = said.get(name)
    return value if isinstance(value, list) else []


def _words(said: dict[str, Any], name: str) -> list[str]:
    return [one for one in _list(said, name) if isinstance(one, str)]


def _objects(said: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [one for one in _list(said, name) if isinstance(one, dict)]


def _sections(said: dict[str, Any]) -> list[dict[str, Any]]:
    sections = (amendment.get("section") for amendment in _objects(said, "amendments"))
    return [section for section in sections if isinstance(section, dict)]


def _word(said: dict[str, Any], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""
