"""Objects of trackers made flat: what a field holds as an object, or as a list of them, is its name.

    {"assignee": {"login": "ada", "id": 7}}      ─▶ {"assignee": "ada", "assignee id": 7}
    {"labels": [{"name": "bug"}, {"name": "ui"}]} ─▶ {"labels": ["bug", "ui"]}
    {"content": {"title": …}} · {"fields": {"summary": …}}   ─▶ what is within them, beside the rest

GitHub's issues and projects have such objects, and so have the answers of other trackers. No value is left out.
"""

from __future__ import annotations

from typing import Any

from workbench.domain.plan.importing.labels import column_field

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
        if key == "comments" and isinstance(one, int):
            flat["comment count"] = one
        elif column_field(key) in _NAMED or key in _OTHERS:
            flat |= _names_of_objects(key, one)
        else:
            flat[key] = one
    return flat


def _names_of_objects(key: str, value: Any) -> dict[str, Any]:
    """Return a field with the name of its object, or the names of its objects, and what else they say."""
    objects = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
    if not objects or not all(isinstance(one, dict) for one in objects):
        return {key: value}
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
