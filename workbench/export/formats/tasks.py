"""Steps as task lists: of GitHub and GitLab, of spec-kit, of Task Master."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby
from typing import Any

from workbench.domain.loop.answers.item_changes import SECTIONS
from workbench.domain.plan.importing.assembly import NOT_PLACED
from workbench.domain.plan.importing.lines.labels import column_field
from workbench.domain.plan.importing.lines.values import effort_of, priority_of, status_of
from workbench.domain.plan.importing.own import as_value, cells_of
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.text.cleaning import clean_name, escaped
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import quoted
from workbench.export.formats.calendars import is_of_file

_LONGEST = 500
_TASK_MASTER = {
    "todo": "pending", "under-way": "in-progress", "waiting": "deferred", "done": "done", "dropped": "cancelled",
}  # fmt: skip


def as_task_list(plan: Plan) -> str:
    """Return the steps as a Markdown task list of GitHub and GitLab; dropped ones are crossed out."""
    lines = [f"# {_line(plan.title or 'Plan')}"]
    before = ""
    for heading, steps in _by_workstream(plan):
        lines += [*_headings(before, heading), ""]
        before = heading
        for step in steps:
            lines += _task(step, "  " if step.parent else "")
    return quoted("\n".join(lines) + "\n")


def _task(step: Step, indent: str) -> Iterator[str]:
    owner = f" @{_handle(step.owner)}" if step.owner else ""
    needs = f" (needs {', '.join(step.needs)})" if step.needs else ""
    effort = f"{number(step.effort.likely)} d" if step.effort else ""
    due = f"due {_line(step.deadline)}" if step.deadline else ""
    more = ", ".join(filter(None, (effort, due)))
    box = "x" if step.status in ("done", "dropped") else " "
    yield f"{indent}- [{box}] **{step.id}** {_title(step)}{owner}{needs}{f' — {more}' if more else ''}"
    if step.check:
        yield f"{indent}  - [{'x' if step.status == 'done' else ' '}] {_text(step.check)}"


def as_spec_kit(plan: Plan) -> str:
    """Return the steps as spec-kit's ``tasks.md``: S4 is T004; ``[P]`` marks what nothing of its phase waits for.

    What came from such a file keeps its ids and marks.
    """
    names = _spec_kit_ids(plan)
    is_of_spec_kit = any(map(_spec_kit_id, plan.steps))
    title = _line(plan.title or "Plan").removeprefix("Tasks: ")
    lines = [f"# Tasks: {title}"]
    opening, closing = _prose(plan) if is_of_spec_kit else ([], {})
    lines += opening
    if not is_of_spec_kit:
        lines += ["", "## Format: `[ID] [P?] [Story] Description`"]
    before = ""
    for place, (heading, steps) in enumerate(_by_workstream(plan), start=1):
        phase = heading if is_of_spec_kit else f"Phase {place}: {_PHASE.sub('', heading) or 'Steps'}"
        lines += [*_headings(before, phase), "", *closing.pop(phase.rpartition(" / ")[2], ())]
        before = phase
        here = {step.id for step in steps}
        for step in steps:
            is_parallel = "P" in step.tags if is_of_spec_kit else not here & set(step.needs)
            stories = [f" [{tag}]" for tag in step.tags if _STORY.fullmatch(tag)]
            needs = [names[need] for need in step.needs if need in names]
            depends = f" (depends on {', '.join(needs)})" if needs else ""
            box = "X" if step.status in ("done", "dropped") else " "
            marks = f"{names[step.id]}{' [P]' if is_parallel else ''}{''.join(stories)}"
            lines.append(f"- [{box}] {marks} {_title(step)}{depends}")
    lines += [line for name, text in closing.items() for line in ("", f"## {name}", "", *text[:-1])]
    return quoted("\n".join(lines) + "\n")


def _prose(plan: Plan) -> tuple[list[str], dict[str, list[str]]]:
    """Return the text that was before the steps of a file, and what was behind their headings, by these."""
    opening: list[str] = []
    closing: dict[str, list[str]] = {}
    is_behind = False
    for section in plan.sections:
        if any(isinstance(item, Step) for item in section.items):
            is_behind = True
        elif section.text and not section.items and section.id not in (*SECTIONS, NOT_PLACED.id):
            name = _line(section.title)
            if is_behind or any(name == part for step in plan.steps for part in step.workstream.split(" / ")):
                closing.setdefault(name, []).extend((*section.text.split("\n"), ""))
            else:
                opening += [
                    *(["", f"## {name}"] if section.id != "introduction" else []),
                    "",
                    *section.text.split("\n"),
                ]
    return opening, closing


_NUMBER = lazy_pattern(r"\d{1,6}")
_PHASE = lazy_pattern(r"^Phase \d+: ")
_STORY = lazy_pattern(r"US\d+")
_TASK = lazy_pattern(r"T\d{3,}")


def _spec_kit_id(step: Step) -> str:
    """Return the id of a step that came from spec-kit; "" for another."""
    return next((tag for tag in step.tags[:1] if _TASK.fullmatch(tag)), "")


def _spec_kit_ids(plan: Plan) -> dict[str, str]:
    given = {step.id: name for step in plan.steps if (name := _spec_kit_id(step))}
    if given:  # new ones continue behind the highest
        new = count(max(int(name[1:]) for name in given.values()) + 1)
        return {step.id: given.get(step.id) or f"T{next(new):0>3}" for step in plan.steps}
    return {step.id: f"T{step.id[1:]:0>3}" for step in plan.steps if step.id[1:].isdigit()} | {
        step.id: f"T9{place:0>3}" for place, step in enumerate(plan.steps) if not step.id[1:].isdigit()
    }


def as_task_master(plan: Plan) -> str:
    """Return the steps as Task Master's ``tasks.json``; what it does not know is in ``metadata``.

    What came from such a file keeps its numbers, its parts and its other fields.
    """
    parts = _parts(plan)
    below = [step.id for steps in parts.values() for step in steps]
    tops = [step for step in plan.steps if step.id not in below]
    numbers = _numbers(tops, parts)
    tasks = [
        _task_of(top, numbers) | {"subtasks": [_task_of(part, numbers) for part in parts.get(top.id, ())]}
        for top in tops
    ]
    return escaped(json.dumps({"master": {"tasks": tasks}}, ensure_ascii=False, indent=2)) + "\n"


def _parts(plan: Plan) -> dict[str, list[Step]]:
    """Return the parts of the steps that have some, by id; parts have no parts there."""
    wholes = {step.id for step in plan.steps if not step.parent}
    parts: dict[str, list[Step]] = {}
    for step in plan.steps:
        if step.parent in wholes and step.id not in wholes:
            parts.setdefault(step.parent, []).append(step)
    return parts


def _numbers(tops: Sequence[Step], parts: Mapping[str, Sequence[Step]]) -> dict[str, str]:
    """Return the number of each step, 3, and of each part, 3.1: those that they have there, else free ones."""
    numbers = dict(zip((top.id for top in tops), _free_numbers(tops, ""), strict=True))
    for name, steps in parts.items():
        below = _free_numbers(steps, f"{numbers[name]}.")
        numbers |= zip((step.id for step in steps), below, strict=True)
    return numbers


def _free_numbers(steps: Sequence[Step], scope: str) -> Iterator[str]:
    tags = [step.tags[0] if step.tags else "" for step in steps]
    given = [tag if tag.startswith(scope) and _NUMBER.fullmatch(tag, len(scope)) else "" for tag in tags]
    used = set(given)
    new = (f"{scope}{number}" for number in count(1) if f"{scope}{number}" not in used)
    seen: set[str] = set()
    for name in given:
        yield name if name and name not in seen else next(new)
        seen.add(name)


def _task_of(step: Step, numbers: Mapping[str, str]) -> dict[str, Any]:
    number = numbers[step.id]
    above = number.rpartition(".")[0]
    needs = [numbers[need] for need in step.needs if need in numbers]
    further = [
        need for need in step.needs if above and "." not in numbers.get(need, ".")
    ]  # 1 is a part beside it there
    task = {
        "id": int(number.rpartition(".")[2]),
        "title": step.title,
        "description": step.outcome,
        "status": _status(step),
        "dependencies": [_dependency(need, above) for need in needs if "." in need or not above],
        "priority": step.priority or "medium",
        "details": "\n".join(filter(None, (f"Owner: {step.owner}" if step.owner else "", step.notes))),
        "testStrategy": step.check,
        "metadata": {"workbench": _other_cells(step) | ({"needs": further} if further else {})},
    }
    if (word := step.other.get("priority", "")) and (priority_of(word) or "") == step.priority:
        task["priority"] = word
    other = {name: as_value(text) for name, text in step.other.items() if _is_still(name, text, step)}
    return task | {name: value for name, value in other.items() if name not in task}


def _is_still(name: str, text: str, step: Step) -> bool:
    """Tell whether a field that a step came with still says what the step says."""
    match column_field(name):
        case "hours":
            given = effort_of(text, unit="h")
            return given is None or given == step.effort
        case "finished":
            return text[:10] == (step.finished or text[:10])
        case "parent" | "workstream":
            return bool(step.parent) or text == step.workstream
    return True


def _status(step: Step) -> str:
    """Return the state there: the word that it came with, while that says what the step's state is."""
    word = step.other.get("status", "")
    return word if word and status_of(word) == step.status else _TASK_MASTER[step.status]


def _dependency(need: str, above: str) -> int | str:
    """Return a dependency: a step, or a part beside it, by its own number; any other part by the whole one, 3.1."""
    scope, _, name = need.rpartition(".")
    return int(name) if scope == above else need


_OF_TASKS = frozenset({"title", "status", "needs", "outcome", "check", "notes", "priority"})
"""Heads of columns that are fields of a task."""


def _other_cells(step: Step) -> dict[str, Any]:
    return {head: cell for head, cell in cells_of(step).items() if cell and head not in _OF_TASKS}


def _headings(before: str, name: str) -> Iterator[str]:
    """Yield the headings above steps of a workstream, below those of the one before: ``Phase 1 / Models`` is two."""
    above, parts = before.split(" / "), name.split(" / ")
    is_same = True
    for level, part in enumerate(parts):
        is_same = is_same and part == (above[level] if level < len(above) else "") and level < len(parts) - 1
        if part and not is_same:
            yield from ("", f"##{'#' * min(level, 4)} {part}")


def _by_workstream(plan: Plan) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Yield neighbouring steps of the same workstream, under its name."""
    for name, steps in groupby(plan.steps, key=lambda step: step.workstream):
        yield _line(name), tuple(steps)


def _line(text: str) -> str:
    return clean_name(text, _LONGEST)


def _title(step: Step) -> str:
    """Return a step's title: as its file had it, where it came from one; what is dropped is crossed out."""
    title = _line(step.title) if is_of_file([step]) else _text(step.title)
    return f"~~{title}~~" if step.status == "dropped" else title


def _text(text: str) -> str:
    """Return text on one line in which Markdown means nothing; ``quoted`` sees to tags."""
    return re.sub(r"([\\`*_\[\]>#|~])", r"\\\1", _line(text))


def _handle(owner: str) -> str:
    return re.sub(r"[^\w.-]+", "-", owner.strip()).strip("-").lower()
