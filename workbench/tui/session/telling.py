"""What a role's reply says, for people: in a sentence, or as Markdown.

    '{"findings": […]}' ─▶ gist: "Rounding of tax differs."      tell: a list of findings with their remedies

A reply that is none of ours is told as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    """Return what a reply says in a sentence; the reply itself where it is no JSON object of ours."""
    said = _read(reply)
    return next(_gists(said), _NOTHING if said.keys() & _OURS else clean(reply))


def tell(reply: str) -> str:
    """Return what a reply says as Markdown; the reply itself where it is no JSON object of ours."""
    said = _read(reply)
    return "\n\n".join(_told(said)) or (_NOTHING if said.keys() & _OURS else clean(reply))


def _read(reply: str) -> dict[str, Any]:
    start, end = reply.find("{"), reply.rfind("}")
    if start < 0 or end < start or len(reply) > _READ_AT_MOST:
        return {}
    try:
        said = clean_json(msgspec.json.decode(reply[start : end + 1].encode()))
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _gists(said: dict[str, Any]) -> Iterator[str]:
    if approaches := _objects(said, "approaches"):
        yield "Approaches: " + "; ".join(_word(one, "title") for one in approaches)
    elif "approaches" in said:
        yield "Asks: " + " ".join(_words(said, "questions")) if said.get("questions") else "Proposed nothing."
    if "amendments" in said:
        sections = [_word(section, "title") for section in _sections(said)]
        yield "Amended " + ", ".join(sections) if sections else "Changed nothing."
    if "findings" in said:
        found = [_word(one, "text") for one in _objects(said, "findings")]
        yield " ".join(found) if found else _NO_FINDING
    if changed := "; ".join(_items(said)):
        yield f"Changes {changed}."
    if removed := [_word(one, "id") for one in _objects(said, "remove")]:
        yield f"Takes out {', '.join(removed)}."
    if actions := _objects(said, "actions"):
        yield f"{len(actions)} action{'s' if len(actions) > 1 else ''}."
    if deliverable := _word(said, "deliverable").strip():
        yield deliverable.split("\n")[0].lstrip("# ")
    if answer := _word(said, "answer").strip():
        yield answer


def _told(said: dict[str, Any]) -> Iterator[str]:
    if approaches := _objects(said, "approaches"):
        yield from (_approach(one) for one in approaches)
    if "approaches" in said and (questions := _words(said, "questions")):
        yield "Asks first:\n\n" + _listed(questions)
    if "amendments" in said:
        sections = [_word(section, "title") for section in _sections(said)]
        yield f"Amended {', '.join(sections)}." if sections else "Changed nothing."
    if changed := list(_items(said)):
        yield f"Changes:\n\n{_listed(changed)}"
    if removed := [_word(one, "id") for one in _objects(said, "remove")]:
        yield f"Takes out {', '.join(removed)}."
    if statements := _objects(said, "statements"):
        yield _listed(f"{_word(one, 'id')} {_word(one, 'state')}: {_word(one, 'note')}" for one in statements)
    if handled := _objects(said, "handled"):
        yield _listed(
            f"{_word(one, 'feedback')} {_word(one, 'outcome')}".rstrip() + f": {_word(one, 'note')}" for one in handled
        )
    if "findings" in said:
        found = _objects(said, "findings")
        yield _listed(f"{_word(one, 'severity')}: {_word(one, 'text')}" for one in found) or _NO_FINDING
    if actions := _objects(said, "actions"):
        yield _listed(f"{_word(one, 'step')}: {_word(one, 'text')}" for one in actions)
    if deliverable := _word(said, "deliverable").strip():
        yield deliverable
    if answer := _word(said, "answer").strip():
        yield answer
    if still_open := _words(said, "open_questions"):
        yield "Open:\n\n" + _listed(still_open)
    if insights := _words(said, "insights"):
        yield "Insights:\n\n" + _listed(insights)


def _items(said: dict[str, Any]) -> Iterator[str]:
    """Yield what is changed, a list at a time: the ids of what was there, and how much is new."""
    for name in (one for one in said if one in _OF_ITEMS and "approaches" not in said):
        ids = [_word(one, "id") or _word(one, "title") for one in _objects(said, name)]
        known = [one for one in ids if not one.startswith("new")]
        new = [f"{len(ids) - len(known)} new"] if len(ids) > len(known) else []
        if ids:
            yield f"{name.replace('_', ' ')}: {', '.join((*known, *new))}"


def _approach(said: dict[str, Any]) -> str:
    outline = _listed(_words(said, "outline"))
    return f"**{_word(said, 'title')}**: {_word(said, 'summary')}\n\n{outline}".strip()


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


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
