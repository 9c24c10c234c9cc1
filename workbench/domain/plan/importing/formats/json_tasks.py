"""Lists of tasks in JSON as plans: ``tasks.json`` of Task Master, and objects with titles of any kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.formats.json_shapes import cards_of, is_board, made_flat
from workbench.domain.plan.importing.formats.tables import Columns, RowReader
from workbench.domain.plan.importing.imported import Format, Imported
from workbench.domain.plan.importing.lines.labels import column_field
from workbench.domain.plan.importing.own import KEY, as_text, step_of_task
from workbench.domain.text.cleaning import clean_json

_NOT_JSON = "Give a list of tasks, each with a title."
_DEEPEST = 12
_DEEPEST_TEXT = 40
_MOST_DIGITS = 15
_NEAR = 4_000
"""Characters from the beginning of an object within which its title stands."""
_PARTS = ("subtasks", "children", "tasks", "items", "steps", "subitems", "checklist", "todos")
_OF_TASK_MASTER = frozenset(
    ("id", "title", "description", "status", "dependencies", "priority", "details", "testStrategy", "metadata")
)
_OF_OURS = ("title", "testStrategy", "details")
"""What a task of ours says in its own words; the rest is in its metadata, too."""
_STATES = ("pending", "in-progress", "deferred", "done", "cancelled")
"""Its words for states that are ours, too."""


def read_json(assembly: Assembly, today: date) -> Imported:
    """Return the plan of a JSON file. Raises UsageError for one that is not JSON, or holds no tasks."""
    try:
        value = clean_json(json.loads(_as_list(assembly.lines), parse_int=_as_integer))
        if is_board(value):
            value = {"name": value.get("name"), "cards": cards_of(value)}
            assembly.guess("cards and lists that were archived are left out")
        value = made_flat(value)
    except json.JSONDecodeError as error:
        raise UsageError(f"The file is not JSON: {error.msg} in line {error.lineno}.", _NOT_JSON) from error
    except RecursionError:
        raise UsageError("The JSON is nested too deeply.", _NOT_JSON) from None
    if any('"depends_on_id":' in line for line in assembly.lines):
        raise UsageError("Issues of beads cannot be read as a plan.", "Give id, title and needs of each as CSV.")
    lists = list(_lists(value, "", 0))
    if not lists and isinstance(value, dict) and _title_key(value) and "status" in value:
        lists = [("", [value])]
    if not lists:
        raise UsageError("The JSON holds no list of tasks with titles.", _NOT_JSON)
    title = value.get("title", value.get("name")) if isinstance(value, dict) else None
    assembly.title = title if isinstance(title, str) else ""
    tasks = {id(task) for _, listed in lists for task in listed}
    named: list[dict[str, Any]] = []
    is_whole = isinstance(value, dict) and id(value) not in tasks
    if not any(_own_task(task) for _, listed in lists for task in listed):  # whose program counts its tasks there
        parts = [value, *value.values()] if isinstance(value, dict) else []
        named += [one["metadata"] for one in parts if isinstance(one, dict) and isinstance(one.get("metadata"), dict)]
    _keep_other_objects([value, *named] if is_whole else named, assembly)
    return _Reader(assembly, today).read(lists, value)


def _as_list(lines: Sequence[str]) -> str:
    """Return a text as JSON: an object in each line is a list of them."""
    objects = [line for line in lines if line.strip()]
    is_list = len(objects) > 1 and all(re.fullmatch(r"\s*\{.*\}\s*", line) for line in objects)
    return f"[{','.join(objects)}]" if is_list else "\n".join(lines)


def _as_integer(digits: str) -> int | str:
    """Return a whole number; one that is too long to be calculated with stays as it is written."""
    return int(digits) if len(digits) <= _MOST_DIGITS else digits


def _lists(value: Any, name: str, depth: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the lists of tasks in a value, each with the name of what it is in."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        tasks = [one for one in value if isinstance(one, dict) and _title_key(one)]
        if tasks and len(tasks) * 2 >= len(value):
            yield name, tasks
            return
        for one in value:
            yield from _lists(one, name, depth + 1)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key not in ("figures", "metadata"):
                yield from _lists(one, name if key in _PARTS else str(key), depth + 1)


def _title_key(task: dict[str, Any]) -> str:
    return next((key for key in task if column_field(key) == "title" and isinstance(task[key], str)), "")


def _part_keys(task: dict[str, Any]) -> list[str]:
    """Return the keys below which the parts of a task stand."""
    return [
        key
        for key, listed in task.items()
        if isinstance(listed, list)
        and (key in _PARTS or (listed and all(isinstance(part, dict) and _title_key(part) for part in listed)))
        and key not in ("figures", "metadata")
    ]


def _keep_other_objects(objects: Sequence[dict[str, Any]], assembly: Assembly) -> None:
    """Put what objects say that are no tasks into a text of its own."""
    for one in objects:
        said = {key: [str(text)] for key, text in one.items() if isinstance(text, str | int)}
        said |= {
            key: texts
            for key, texts in one.items()
            if isinstance(texts, list) and all(isinstance(text, str) for text in texts)
        }
        said = {key: texts for key, texts in said.items() if texts not in ([], [""], [assembly.title])}
        if any(re.search(r"\w", text) for texts in said.values() for text in texts):
            forms = {
                f"{json.dumps(key)}: " + json.dumps(one[key], ensure_ascii=False).removesuffix("]") for key in said
            }
            of_lists = (text for key, texts in said.items() if isinstance(one[key], list) for text in texts)
            forms |= {json.dumps(text, ensure_ascii=False) for text in of_lists}
            lines = [at for at, line in enumerate(assembly.lines) if any(form in line for form in forms)]
            text = " · ".join(f"{key}: {'; '.join(texts)}" for key, texts in said.items())
            assembly.text(assembly.section("about-this-file"), text, lines[: len(forms)])


def _common_key(key: str, task: dict[str, Any]) -> str:
    """Return a key of a task as others call it: beside its details, its description says in short what is made."""
    return "outcome" if key == "description" and "details" in task else key


class _Reader:
    """Reads lists of tasks."""

    def __init__(self, assembly: Assembly, today: date) -> None:
        self._assembly = assembly
        self._today = today
        self._is_master = False
        self._own_task: dict[str, StepDraft] = {}
        """Steps of ours by the numbers of their tasks."""

    def read(self, lists: list[tuple[str, list[dict[str, Any]]]], value: Any) -> Imported:
        places = _Places(self._assembly.lines)
        tags = [value, *value.values()] if isinstance(value, dict) else []
        self._is_master = is_master = any(isinstance(one, dict) and "tasks" in one for one in tags) and any(
            "testStrategy" in task or "dependencies" in task for _, tasks in lists for task in tasks
        )
        for name, tasks in lists:
            space = name if len(lists) > 1 else ""
            self._list(tasks, space, places, space=space)
        for draft in self._assembly.steps:
            if self._own_task and draft.parent is None:  # a part's numbers are those of the parts beside it
                draft.needs = [(line, self._as_ours(numbers)) for line, numbers in draft.needs]
        self._assembly.says_all(list(self._leaves(value)))
        how: Format = "task-master" if is_master else "json"
        return self._assembly.build(how)

    def _as_ours(self, numbers: str) -> str:
        """Return the numbers of tasks, as "3, 5", with our ids instead of those of our steps."""
        named = ((number, self._own_task.get(number)) for number in numbers.split(", "))
        return ", ".join(step.ids[0] if step is not None and step.ids else number for number, step in named)

    def _list(
        self,
        tasks: list[dict[str, Any]],
        workstream: str,
        places: _Places,
        parent: StepDraft | None = None,
        *,
        space: str = "",
        number: str = "",
    ) -> None:
        """Add the steps of a list; the ids of parts continue from those of what they are a part of.

        ``space`` is the list in which ids are unique: a tag of Task Master, a project. ``number``: of what they are a
        part of.
        """
        columns, rows = self._columns(tasks)
        reader = RowReader(self._assembly, columns, self._today, space)
        scope = parent.ids[0] if parent is not None and parent.ids else ""
        for task, row in zip(tasks, rows, strict=True):
            line, own = places.next_of(task[_title_key(task)], behind=r":\s{0,7}"), _own_task(task)
            if own is None and not _part_keys(task) and reader.item(line, row):
                continue
            if own is not None:
                draft = self._assembly.step(step_of_task(line, task, own, self._today))
            else:
                draft = reader.step(line, row, workstream=workstream, parent=parent and parent.top)
            if draft is None:
                continue
            draft.space = space
            draft.ids = [f"{scope}.{name}" if scope and re.fullmatch(r"\d+", name) else name for name in draft.ids]
            self._note_rest(draft, task, own, number)
            self._parts(draft, task, places)
            self._assembly.fates(places.around(line), "field", draft)
        reader.put_below()

    def _columns(self, tasks: list[dict[str, Any]]) -> tuple[Columns, list[list[str]]]:
        plain = [
            {_common_key(key, task): one for key, one in task.items() if key not in (*_part_keys(task), "metadata")}
            for task in tasks
        ]
        heads, rows = _as_rows(plain)
        return Columns.from_heads(heads, rows, self._assembly, are_typed=True), rows

    def _parts(self, parent: StepDraft, task: dict[str, Any], places: _Places) -> None:
        """Add the parts of a task, and those in its named lists."""
        for listed in (task[key] for key in _part_keys(task)):
            parts = [part for part in listed if isinstance(part, dict) and _title_key(part)]
            number = _as_cell(task.get("id"))
            self._list(parts, parent.workstream, places, parent, space=parent.space, number=number)

    def _note_rest(self, draft: StepDraft, task: dict[str, Any], own: dict[str, Any] | None, number: str) -> None:
        """Note what else is below ``metadata``; let a task of ours be needed by its number, too."""
        if own is not None:
            self._own_task[_numbered_name(task.get("id"), number)] = draft
            needs = task.get("dependencies")
            draft.need(_numbered_name(one, number) for one in (needs if isinstance(needs, list) else ()))
            further = own.get("needs")
            draft.need(map(_as_cell, further if isinstance(further, list) else ()))
        elif task.get("metadata"):
            draft.notes.append(f"metadata: {json.dumps(task['metadata'], ensure_ascii=False)}")
        if own is None and self._is_master:
            further = {key: said for key, said in task.items() if key not in _OF_TASK_MASTER | set(_part_keys(task))}
            if task.get("status") not in _STATES:
                further["status"] = task.get("status")
            kept = {key: as_text(said) for key, said in further.items() if said not in (None, "", [], {})}
            if kept:
                draft.values["other"] = draft.values.get("other", {}) | kept

    def _leaves(self, value: Any) -> Iterator[tuple[int, str]]:
        """Yield the values, and not the keys, each with its line: they have to be in the plan."""
        places, line = _Places(self._assembly.lines), 0
        for leaf in _texts(value, 0):
            line = places.next_of(leaf, reach=_NEAR) or line
            yield line, leaf


def _numbered_name(name: Any, number: str) -> str:
    """Return what a task is called: a part by the number of what it is a part of, too, as 3.1."""
    cell = _as_cell(name)
    return f"{number}.{cell}" if number and "." not in cell else cell


def _own_task(task: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a task of ours says in its metadata; None for one of others."""
    metadata = task.get("metadata")
    own = metadata.get(KEY) if isinstance(metadata, dict) else None
    return own if isinstance(own, dict) and isinstance(own.get("id"), str) else None


def _texts(value: Any, depth: int) -> Iterator[str]:
    """Yield the texts of a value, without what tasks of ours say twice, and what Task Master counts."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list) and depth < _DEEPEST_TEXT:
        for one in value:
            yield from _texts(one, depth + 1)
    elif isinstance(value, dict) and depth < _DEEPEST_TEXT:
        is_own = _own_task(value) is not None
        for key, one in value.items():
            if key in _OF_OURS if is_own else key != "metadata" or "tasks" not in value:
                yield from _texts(one, depth + 1)


def _as_rows(objects: Sequence[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Return objects as a table: the heads are their keys, in the order in which they come."""
    heads = list(dict.fromkeys(key for one in objects for key in one))
    return heads, [[_as_cell(one.get(head)) for head in heads] for one in objects]


def _as_cell(value: Any) -> str:
    if value is None or value in ([], {}):
        return ""
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return ", ".join(map(str, value))
    if isinstance(value, list) and all(isinstance(one, dict) and _named_by(one) for one in value):
        return ", ".join(str(_named_by(one)) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


def _named_by(value: dict[str, Any]) -> Any:
    """Return what an object within a list stands for: what it says, or is called."""
    keys = ("body", "text", "description", "name", "login", "gid", "key", "number", "id")
    return next((value[key] for key in keys if value.get(key)), None)


class _Places:
    """Where texts are in JSON, one after the other."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._text = "\n".join(lines)
        self._at = self._line = 0

    def next_of(self, text: str, behind: str = "", reach: int | None = None) -> int:
        """Return the line at which a text stands next, after a pattern and within reach; 0 for nowhere."""
        forms = "|".join(re.escape(json.dumps(text, ensure_ascii=is_ascii)) for is_ascii in (False, True))
        end = len(self._text) if reach is None else self._at + reach
        found = re.compile(f"{behind}(?:{forms})").search(self._text, self._at, end)
        if found is None:
            return 0
        self._line += self._text.count("\n", self._at, found.end())
        self._at = found.end()
        return self._line

    def around(self, line: int) -> range:
        """Return the lines of the object with a title, up to the next object or list that begins."""
        first = next((at for at in range(line, -1, -1) if "{" in self._lines[at]), line)
        following = (at for at in range(line + 1, len(self._lines)) if re.search(r"[{\[]", self._lines[at]))
        return range(first, next(following, len(self._lines)))
