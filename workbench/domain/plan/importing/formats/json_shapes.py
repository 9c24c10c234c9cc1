"""Objects of trackers made flat: what a field holds as an object, or as a list of them, is its name.

    {"assignee": {"login": "ada", "id": 7}}      ─▶ {"assignee": "ada", "assignee id": 7}
    {"labels": [{"name": "bug"}, {"name": "ui"}]} ─▶ {"labels": ["bug", "ui"]}
    {"content": {"title": …}} · {"fields": {"summary": …}}   ─▶ what is within them, beside the rest

GitHub's issues and projects have such objects, and so have the answers of other trackers. No value is left out. A board
of Trello has its lists, members and checklists apart from its cards: each card is given its own.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from workbench.domain.plan.importing.lines.labels import column_field
from workbench.domain.plan.importing.lines.values import status_of

_NAMES = ("login", "displayName", "fullName", "name", "title", "username", "key", "value", "gid")
"""Keys of what an object is called, the best first."""
_NAMED = frozenset({"owner", "status", "workstream", "tags", "kind", "priority"})
"""Fields that hold names."""
_OTHERS = frozenset({"milestone", "user", "author", "creator", "reporter", "projects", "resolution"})
"""Further keys that do."""
_WITHIN = ("content", "fields")
"""Keys below which a tracker has the task itself."""
_OF_BOARD = ("lists", "members", "checklists")
"""Keys of a board of Trello below which stands what its cards name by ids."""
_DEEPEST = 12
_ById = dict[str, dict[str, Any]]


def made_flat(value: Any, depth: int = 0) -> Any:
    """Return a JSON value in which the objects of trackers are flat."""
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [made_flat(one, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: made_flat(one, depth + 1) for key, one in _flat(value).items()}


def is_board(value: Any) -> bool:
    """Tell whether a JSON value is a board of Trello."""
    return isinstance(value, dict) and all(isinstance(value.get(key), list) for key in ("cards", "lists"))


def cards_of(board: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cards of a board as tasks, in the order of its lists, without those that were archived."""
    lists, people, checklists = ({str(one.get("id")): one for one in _open(board, key)} for key in _OF_BOARD)
    cards = [one for one in _open(board, "cards") if str(one.get("idList")) in lists]
    return [
        _card(card, listed, people, checklists)
        for name, listed in lists.items()
        for card in cards
        if str(card.get("idList")) == name
    ]


def _card(card: dict[str, Any], listed: dict[str, Any], people: _ById, checklists: _ById) -> dict[str, Any]:
    of_list = str(listed.get("name", ""))
    state = status_of(of_list)
    task = {
        "id": card.get("idShort"), "name": card.get("name"), "start": card.get("start"), "due": card.get("due"),
        "status": "done" if card.get("dueComplete") else state, "list name": "" if state else of_list,
        "members": [one.get("fullName") for one in _named(card, "idMembers", people)],
        "labels": [one.get("name") or one.get("color") for one in _open(card, "labels")],
        "desc": card.get("desc"), "url": card.get("shortUrl"),
        "checklist": [
            {key: one[key] for key in ("name", "state", "due") if one.get(key)}
            for of in _named(card, "idChecklists", checklists)
            for one in _open(of, "checkItems")
        ],
    }  # fmt: skip
    return {key: one for key, one in task.items() if one not in (None, "", [])}


def _open(of: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the objects below a key in their order, without those that were archived."""
    there = [one for one in _list(of.get(key)) if isinstance(one, dict) and one.get("closed") is not True]
    return sorted(there, key=lambda one: one["pos"] if isinstance(one.get("pos"), int | float) else 0)


def _named(card: dict[str, Any], key: str, there: _ById) -> list[dict[str, Any]]:
    return [there[name] for name in map(str, _list(card.get(key))) if name in there]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _flat(task: dict[str, Any]) -> dict[str, Any]:
    for key in _WITHIN:
        inner = task.get(key)
        if isinstance(inner, dict) and ("title" in inner or "summary" in inner):
            named = {"key": task["key"]} if "key" in task else {}  # what people say goes before the number within
            task = {**named, **inner, **{name: one for name, one in task.items() if name != key}}
    if "number" in task and "title" in task and "id" in task:
        task = {("node id" if key == "id" else key): one for key, one in task.items()}  # people say the number
    flat: dict[str, Any] = {}
    for key, one in task.items():
        objects = one if isinstance(one, list) else [one]
        if (column_field(key) in _NAMED or key in _OTHERS) and objects and all(isinstance(of, dict) for of in objects):
            names, rest = _names_of_objects(key, objects)
            head = "milestone name" if key == "milestone" else key
            flat |= {head: names if isinstance(one, list) else names[0]} | rest
        else:
            flat["comment count" if key == "comments" and isinstance(one, int) else key] = one
    return flat


def _names_of_objects(key: str, objects: list[dict[str, Any]]) -> tuple[list[str], dict[str, str]]:
    """Return the names of the objects of a field, and what else they say."""
    names: list[str] = []
    rest: dict[str, list[str]] = defaultdict(list)
    for one in objects:
        name = next((one[name] for name in _NAMES if isinstance(one.get(name), str) and one[name]), "")
        names.append(name)
        for inner, said in one.items():
            if isinstance(said, str | int | float) and not isinstance(said, bool) and said not in ("", name):
                rest[f"{key} {inner}"].append(str(said))
    return names, {inner: ", ".join(texts) for inner, texts in rest.items()}
