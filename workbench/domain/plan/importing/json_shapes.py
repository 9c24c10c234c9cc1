"""Objects of trackers made flat: what a field holds as an object, or as a list of them, is its name.

    {"assignee": {"login": "ada", "id": 7}}      ─▶ {"assignee": "ada", "assignee id": 7}
    {"labels": [{"name": "bug"}, {"name": "ui"}]} ─▶ {"labels": ["bug", "ui"]}
    {"content": {"title": …}} · {"fields": {"summary": …}}   ─▶ what is within them, beside the rest

GitHub's issues and projects, Jira, Asana and Trello have such objects. Of a board of Trello the cards are read, with
the names of all that they name by its id, and not its settings and its history; no other value is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from workbench.domain.plan.importing.labels import column_field

_NAMES = ("login", "displayName", "fullName", "name", "title", "username", "key", "value", "gid")
"""Keys of what an object is called, the best first."""
_NAMED = frozenset({"owner", "status", "workstream", "tags", "kind", "priority"})
"""Fields that hold names."""
_OTHERS = frozenset({"milestone", "user", "author", "creator", "reporter", "projects", "memberships", "resolution"})
"""Further keys that do."""
_WITHIN = ("content", "fields")
"""Keys below which a tracker has the task itself."""
_FILE_NAMES, _FILE_PLACES = ("name", "filename", "title"), ("url", "content", "href")
"""Keys of the name and the address of what is attached to a task."""
_SETTINGS_OF_A_CARD = frozenset(
    ("closed", "limits", "badges", "descData", "cover", "pluginData", "checkItemStates", "nodeId", "email", "pos",
     "subscribed", "manualCoverAttachment", "pinned", "isTemplate", "actions", "dueReminder", "url", "shortLink",
     "creationMethod", "staticMapUrl", "customFieldItems", "labels")
)  # fmt: skip
_OF_PROGRAMS = ("id", "date")
"""How keys of a card begin that are its places in a program, and moments: "idBoard", "dateLastActivity"."""
_KINDS_OF_LINKS = {"blocks": "dependencies", "parent-child": "parent"}
_DEEPEST = 12


def made_flat(value: Any, depth: int = 0) -> Any:
    """Return a JSON value in which the objects of trackers are flat."""
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [made_flat(one, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    if is_board(value):
        value = _of_trello(value)
    return {key: made_flat(one, depth + 1) for key, one in _flat(value).items()}


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
        if key == "comments" and isinstance(one, int):
            flat["comment count"] = one
        elif key in ("annotations", "comments") and isinstance(one, list):  # of Taskwarrior and beads
            flat[key] = [
                " · ".join(text for text in each.values() if isinstance(text, str)) if isinstance(each, dict) else each
                for each in one
            ]
        elif key in ("attachments", "attachment") and isinstance(one, list):
            flat[key] = _attached(one)
        elif key == "dependencies" and isinstance(one, list) and any(map(_is_link, one)):
            flat |= _of_beads(one)
        elif key == "issuelinks" and isinstance(one, list):
            flat |= _links(one)
        elif column_field(key) in _NAMED or key in _OTHERS:
            flat |= _named(key, one)
        else:
            flat[key] = one
    return flat


def _named(key: str, value: Any) -> dict[str, Any]:
    """Return a field with the name of its object, or the names of its objects, and what else they say."""
    objects = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
    if not objects or not all(isinstance(one, dict) for one in objects):
        return {key: value}
    if key == "memberships":  # of a task of Asana in sections of projects
        found: dict[str, Any] = {}
        for name in ("section", "project"):
            inner = [one[name] for one in objects if isinstance(one.get(name), dict)]
            found |= _named(name, inner) if inner else {}
        return found
    names = [
        next((one[name] for name in _NAMES if isinstance(one.get(name), str) and one[name]), "") for one in objects
    ]
    rest: dict[str, list[str]] = {}
    for one, name in zip(objects, names, strict=True):
        for inner, said in one.items():
            if isinstance(said, str | int | float) and not isinstance(said, bool) and said not in ("", name):
                rest.setdefault(f"{key} {inner}", []).append(str(said))
    head = "milestone name" if key == "milestone" else key
    told = {("milestone deadline" if inner == "milestone name" else inner): texts for inner, texts in rest.items()}
    return {head: names if isinstance(value, list) else names[0]} | {
        inner: ", ".join(texts) for inner, texts in told.items()
    }


def _is_link(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("depends_on_id"), str)


def _of_beads(links: list[Any]) -> dict[str, Any]:
    """Return the links of an issue of beads by their kind: what it needs, what it is a part of, and any other."""
    found: dict[str, list[str]] = {}
    for link in filter(_is_link, links):
        kind = str(link.get("type") or "blocks")
        found.setdefault(_KINDS_OF_LINKS.get(kind, kind), []).append(link["depends_on_id"])
    return dict(found)


def _links(links: list[Any]) -> dict[str, Any]:
    """Return Jira's links between issues: what an issue is blocked by, and what it blocks."""
    found: dict[str, list[str]] = {}
    for link in links:
        kind = link.get("type") if isinstance(link, dict) else None
        for way in ("inward", "outward"):
            issue = link.get(f"{way}Issue") if isinstance(link, dict) else None
            if isinstance(issue, dict) and isinstance(kind, dict) and isinstance(issue.get("key"), str):
                found.setdefault(str(kind.get(way) or kind.get("name") or "linked to"), []).append(issue["key"])
    return dict(found)


def is_board(value: Any) -> bool:
    """Tell whether a JSON value is a board of Trello."""
    return isinstance(value, dict) and all(isinstance(value.get(key), list) for key in ("cards", "lists"))


def as_board(value: Any) -> Any:
    """Return a card of Trello that stands alone as a board with this card; any other value as it is."""
    if not isinstance(value, dict) or not {"idList", "idBoard", "name"} <= value.keys():
        return value
    told = {key: value.get(key) or [] for key in ("checklists", "members", "actions", "customFields")}
    lists = [value["list"]] if isinstance(value.get("list"), dict) else []
    return {"name": value["name"], "cards": [value], "lists": lists} | told


def _of_trello(board: dict[str, Any]) -> dict[str, Any]:
    """Return a board of Trello as its cards, each with all that people said of it."""
    lists, actions = _objects(board, "lists"), _objects(board, "actions")
    said = [data for one in actions if isinstance(data := one.get("data"), dict)]
    seen = [one[key] for one in actions for key in ("memberCreator", "member") if isinstance(one.get(key), dict)]
    people = {
        str(one.get("id")): one.get("fullName") or one.get("username") for one in (*seen, *_objects(board, "members"))
    }
    heads = {str(one.get("id")): one for one in lists}
    checklists, comments = defaultdict(list), defaultdict(list)
    for one in _objects(board, "checklists"):
        checklists[str(one.get("idCard"))].append(_checklist(one, people))
    for one in said:
        if isinstance(one.get("text"), str) and isinstance(card := one.get("card"), dict):
            comments[str(card.get("id"))].append(one["text"])
    definitions = _objects(board, "customFields")
    names = {str(one.get("id")): str(one.get("name")) for one in definitions}
    names |= {str(one.get("id")): _said(one) for field in definitions for one in _objects(field, "options")}
    cards = []
    for card in _objects(board, "cards"):
        head = heads.get(str(card.get("idList")), {})
        plain = {
            key: one
            for key, one in card.items()
            if key == "id" or not (key in _SETTINGS_OF_A_CARD or key.startswith(_OF_PROGRAMS))
        }
        told = plain | {
            "list": head.get("name"),
            "members": [people.get(one) or one for one in map(str, card.get("idMembers") or ())],
            "labels": [one.get("name") or one.get("color") for one in _objects(card, "labels")],
            "comments": comments[str(card.get("id"))],
            "checklists": checklists[str(card.get("id"))] or card.get("checklists"),
            "dueComplete": card.get("dueComplete") is True,
            "archived": card.get("closed") is True or head.get("closed") is True,
        }
        for one in _objects(card, "customFieldItems"):
            name, value = names.get(str(one.get("idCustomField"))), one.get("idValue")
            told.setdefault(name or "field", names.get(str(value), value) if value else _said(one))
        cards.append({key: one for key, one in told.items() if one})
    used = {str(card.get("idList")) for card in _objects(board, "cards")}
    empty = ", ".join(str(one.get("name")) for one in lists if str(one.get("id")) not in used)
    named = {key: board[key] for key in ("id", "name", "desc", "url") if board.get(key)}
    return named | ({"lists without cards": empty} if empty else {}) | {"cards": cards}


def _objects(value: dict[str, Any], key: str) -> list[dict[str, Any]]:
    return [one for one in value.get(key) or () if isinstance(one, dict)]


def _checklist(one: dict[str, Any], people: Mapping[str, Any]) -> dict[str, Any]:
    items = [
        {key: item[key] for key in ("id", "name", "state", "due") if item.get(key)}
        | ({"member": people.get(str(item["idMember"]), item["idMember"])} if item.get("idMember") else {})
        for item in _objects(one, "checkItems")
    ]
    return {"name": one.get("name") or "Checklist", "checkItems": items}


def _said(field: dict[str, Any]) -> str:
    """Return the value of a custom field of a card, whose kind is its one key: {"value": {"number": "2"}}."""
    value = field.get("value")
    return ", ".join(map(str, value.values())) if isinstance(value, dict) else str(value or "")


def _attached(files: list[Any]) -> list[Any]:
    """Return what is attached to a task: of each file its name and address."""
    found: list[Any] = []
    for one in files:
        named = one if isinstance(one, dict) else {"name": one}
        texts = [next((named[key] for key in keys if named.get(key)), "") for keys in (_FILE_NAMES, _FILE_PLACES)]
        found.append(" ".join(dict.fromkeys(str(text) for text in texts if text)))
    return [text for text in found if text]
