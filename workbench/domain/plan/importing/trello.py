"""A board of Trello in JSON, as its menu exports it: its cards as tasks, with names in place of ids."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.values import status_of


def as_tasks(value: Any, assembly: Assembly) -> Any:
    """Return a board's cards as a list of tasks; any other value as it is. What is no card is not read, and told."""
    if not isinstance(value, dict) or not all(isinstance(value.get(key), list) for key in ("cards", "lists")):
        return value
    lists, members = ({str(one.get("id")): one for one in _objects(value, key)} for key in ("lists", "members"))
    parts, comments = defaultdict[str, list[dict[str, Any]]](list), defaultdict[str, list[str]](list)
    for checklist in _objects(value, "checklists"):
        parts[str(checklist.get("idCard"))] += [
            {
                "title": item.get("name"),
                "due": item.get("due"),
                "status": _state(is_done=item.get("state") == "complete"),
            }
            for item in _objects(checklist, "checkItems")
        ]
    for action in _objects(value, "actions"):
        data = action.get("data")
        if isinstance(data, dict) and isinstance(data.get("card"), dict) and isinstance(data.get("text"), str):
            comments[str(data["card"].get("id"))].append(data["text"])
    tasks, archived = [], 0
    for card in _objects(value, "cards"):
        in_list, is_done = lists.get(str(card.get("idList")), {}), card.get("dueComplete") is True
        is_archived = card.get("closed") is True or in_list.get("closed") is True
        archived += is_archived and not is_done
        state = _state(is_done=is_done, is_dropped=is_archived)
        known = (members.get(str(one), {}) for one in card.get("idMembers") or ())
        task = {
            "title": card.get("name"),
            "list": state or in_list.get("name"),  # a list can be a state, and that of the card is surer
            "section": in_list.get("name") if state and status_of(str(in_list.get("name"))) != state else None,
            "description": card.get("desc"),
            "start": card.get("start"),
            "due": card.get("due"),
            "assignee": ", ".join(str(one.get("fullName") or one.get("username")) for one in known if one),
            "labels": [one.get("name") or one.get("color") for one in _objects(card, "labels")],
            "comments": comments[str(card.get("id"))],
            "checklist": parts[str(card.get("id"))],
        }
        tasks.append({key: one for key, one in task.items() if one})
    assembly.guess("the cards of a board are read, with their lists, members and comments, and nothing else of it")
    if archived:
        assembly.guess(f"what is archived and not done is read as dropped: {archived} of {len(tasks)} cards")
    return {"name": value.get("name"), "cards": tasks}


def _objects(value: dict[str, Any], key: str) -> list[dict[str, Any]]:
    return [one for one in value.get(key) or () if isinstance(one, dict)]


def _state(*, is_done: bool, is_dropped: bool = False) -> str:
    return "done" if is_done else "dropped" if is_dropped else ""
