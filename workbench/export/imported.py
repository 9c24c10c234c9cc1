"""An imported plan as a JSON value, and in words: what was read as what, what was guessed, what has no place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from workbench.domain.plan.importing.imported import FULL, Fate, FateKind, Format, Imported, NotPlaced
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.open_points import questions_of
from workbench.domain.plan.plan import Item, Section, Step

_FORMATS: dict[Format, str] = {
    "workbench": "a plan of this workbench",
    "markdown": "Markdown",
    "checklist": "a Markdown task list",
    "spec-kit": "tasks.md of spec-kit",
    "task-master": "tasks.json of Task Master",
    "csv": "a table (CSV)",
    "json": "JSON",
    "mermaid": "a Mermaid Gantt chart",
    "ms-project": "MS-Project XML",
    "icalendar": "a calendar (iCalendar)",
    "text": "plain text",
}


class ImportObject(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as it was read from a file, and what became of each line."""

    schema: Literal["workbench.import/1"] = "workbench.import/1"
    file: str
    """Its name; "-" for standard input."""
    format: Format
    title: str
    sections: tuple[Section, ...]
    """The plan; what has no place stands in the section "Not placed"."""
    markdown: str
    """The same as Markdown."""
    lines: tuple[Fate, ...]
    """One for each line of the file."""
    counts: dict[str, int]
    """Lines by what they became."""
    guesses: tuple[str, ...]
    not_placed: tuple[NotPlaced, ...]
    questions: tuple[str, ...]
    session: str = ""
    """The session it was compared with; "" for none."""
    changes: tuple[str, ...] = ()
    """What it changes in that session's plan, a few words each."""
    version: int | None = None
    """The version of the plan in which the changes are; None where they were not made."""


def import_object(
    imported: Imported, file: str, *, session: str = "", changes: tuple[str, ...] = (), version: int | None = None
) -> dict[str, Any]:
    """Return an imported plan as JSON values; docs/json/workbench.import-1.json is their schema."""
    told: dict[str, Any] = msgspec.to_builtins(
        ImportObject(
            file=file,
            format=imported.format,
            title=imported.plan.title,
            sections=imported.plan.sections,
            markdown=to_markdown(imported.plan),
            lines=imported.lines,
            counts={str(kind): count for kind, count in Counter(fate.kind for fate in imported.lines).items()},
            guesses=tuple(filter(None, (left_out(imported), *imported.guesses))),
            not_placed=imported.not_placed,
            questions=questions_of(imported.plan),
            session=str(session),
            changes=changes,
            version=version,
        )
    )
    return told


def left_out(imported: Imported) -> str:
    """Return how many tasks have no room in the plan, and how to go on; "" where all have."""
    count = sum(one.why == FULL for one in imported.not_placed)
    return (
        f"{count:,} tasks are left out, as a plan holds {len(imported.plan.steps)}: they stand in the section “Not "
        "placed”. Put them into a file of their own, and begin a second session from it."
        if count
        else ""
    )


def what_was_read(imported: Imported) -> str:
    """Return in a line what a file was read as: its format, its lines, its steps and other items."""
    kinds = Counter(_noun(item) for item in imported.plan.items)
    parts = [f"{count:,} {noun if count == 1 else _plural(noun)}" for noun, count in kinds.items()]
    lines = f"{len(imported.lines):,} line{'' if len(imported.lines) == 1 else 's'}"
    return f"{_FORMATS[imported.format]}, {lines}: {', '.join(parts) or 'no step and no other item'}"


def what_became_of_lines(imported: Imported) -> str:
    """Return how many lines became what, in words."""
    counts = Counter(fate.kind for fate in imported.lines)
    told = [f"{counts[kind]:,} {words[counts[kind] != 1]}" for kind, words in _FATES.items() if counts.get(kind)]
    return " · ".join(told)


_FATES: dict[FateKind, tuple[str, str]] = {
    "step": ("step", "steps"),
    "field": ("field of a step or an item", "fields of steps and items"),
    "item": ("other item", "other items"),
    "heading": ("heading", "headings"),
    "prose": ("text", "text"),
    "structure": ("mark of the format", "marks of the format"),
    "not-placed": ("not placed", "not placed"),
    "blank": ("blank", "blank"),
}
"""One of them, and several."""


def _noun(item: Item) -> str:
    return {"working-time": "working time", "days-off": "days off"}.get(_tag(item), _tag(item))


def _tag(item: Item) -> str:
    return str(item.__struct_config__.tag)


def _plural(noun: str) -> str:
    return {"criterion": "criteria", "person": "people", "days off": "days off", "working time": "working times"}.get(
        noun, f"{noun}s"
    )


def step_rows(imported: Imported) -> Iterator[tuple[str, str, str, str, str, str]]:
    """Yield the steps as rows: id, title, owner, effort, when, and what else is known."""
    for step in imported.plan.steps:
        title = f"  {step.title}" if step.parent else step.title
        yield step.id, title, step.owner, _written(step, "effort"), _when(step), _rest(step)


STEP_COLUMNS = ("step", "title", "owner", "effort", "when", "")


def _when(step: Step) -> str:
    parts = [f"from {step.not_before}" if step.not_before else "", f"on {step.on}" if step.on else ""]
    return " ".join([*filter(None, parts), *([f"by {step.deadline}"] if step.deadline else [])])


def _rest(step: Step) -> str:
    status = "" if step.status == "todo" else step.status
    needs = f"needs {', '.join(step.needs)}" if step.needs else ""
    return " · ".join(filter(None, ("milestone" if step.milestone else "", status, needs)))


def _written(step: Step, name: str) -> str:
    field = next(one for one in FIELDS[Step].values() if one.name == name)
    return field.of(step)


def item_rows(imported: Imported) -> Iterator[tuple[str, str, str]]:
    """Yield the items that are no steps as rows: id, text, and the section they stand in."""
    for section in imported.plan.sections:
        yield from ((item.id, item.text, section.title) for item in section.items if not isinstance(item, Step))


ITEM_COLUMNS = ("item", "text", "section")
