"""Objects of trackers made flat: what a field holds as an object, or as a list of them, is its name.

    {"assignee": {"login": "ada", "id": 7}}      ─▶ {"assignee": "ada", "assignee id": 7}
    {"labels": [{"name": "bug"}, {"name": "ui"}]} ─▶ {"labels": ["bug", "ui"]}
    {"content": {"title": …}} · {"fields": {"summary": …}}   ─▶ what is within them, beside the rest

GitHub's issues and projects have such objects, and so have the answers of other trackers. No value is left out.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from workbench.domain.plan.importing.lines.labels import column_field

_NAMES = ("login", "displayName", "fullName", "name", "title", "username", "key", "value", "gid")
"""Keys of what an object is called, the best first."""
_NAMED = frozenset({"owner", "status", "workstream", "tags", "kind", "priority"})
"""Fields that hold names."""
_OTHERS = frozenset({"milestone", "user", "author", "creator", "reporter", "projects", "resolution"})
"""Further keys that do."""
_WITHIN = ("content", "fields")
"""Keys below which a tracker has the task itself."""
_DEEPEST = 12


def made_flat(value: Any, depth: int = 0) -> Any:
    """Return a JSON value in which the objects of trackers are flat."""
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [made_flat(one, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
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
