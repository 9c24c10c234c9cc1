"""An imported plan as a JSON value, and in words: what was read as what, what was guessed, what has no place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Literal

import msgspec
from msgspec import Struct

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.checks import check_plan, is_conflict
from workbench.domain.plan.figures import Figures, figures, first_day, short_day
from workbench.domain.plan.importing.imported import FULL, Fate, FateKind, Format, Imported, NotPlaced
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Item, Plan, Section, Step
from workbench.domain.plan.telling.schedule_told import with_missing_dates
from workbench.domain.text.tables import Table, without_empty_columns
from workbench.export.figures import calendar_text, headline
from workbench.export.gates import in_short

_FORMATS: dict[Format, str] = {
    "workbench": "a plan of this workbench", "markdown": "Markdown", "checklist": "a Markdown task list",
    "spec-kit": "tasks.md of spec-kit", "task-master": "tasks.json of Task Master", "csv": "a table (CSV)",
    "json": "JSON", "mermaid": "a Mermaid Gantt chart", "ms-project": "MS-Project XML",
    "ganttproject": "a file of GanttProject", "icalendar": "a calendar (iCalendar)", "text": "plain text",
}  # fmt: skip


class ImportObject(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as it was read from a file, and what became of each line."""

    schema: Literal["workbench.import/1"] = "workbench.import/1"
    file: str
    """Its name; "-" for standard input."""
    format: Format
    title: str
    sections: tuple[Section, ...]
    """The plan; what has no place is in the section "Not placed"."""
    markdown: str
    """The same as Markdown."""
    lines: tuple[Fate, ...]
    """One for each line of the file."""
    counts: dict[str, int]
    """Lines by what they became."""
    guesses: tuple[str, ...]
    not_placed: tuple[NotPlaced, ...]
    source_ids: dict[str, str]
    """What the file calls steps that have another id here, by the id here."""
    figures: Figures | None
    """What a session that begins from it would calculate; None if it is compared with a session."""
    conflicts: tuple[str, ...]
    """What is late, and what else cannot be as the file says; () if it is compared with a session."""
    session: str = ""
    """The session it was compared with; "" for none."""
    changes: tuple[str, ...] = ()
    """What it changes in that session's plan, a few words each."""
    version: int | None = None
    """The version of the plan in which the changes are; None if they were not made."""


class Preview(Struct, frozen=True):
    """What a session would begin with that starts from a file."""

    plan: Plan
    """With the dates that follow from it."""
    figures: Figures
    conflicts: tuple[str, ...]

    @classmethod
    def from_imported(cls, imported: Imported, today: date) -> Preview:
        """Calculate it."""
        plan = with_missing_dates(imported.plan, today)
        found = check_plan(plan, today=today)
        told = sorted((one for one in found if one.severity == "major" or is_conflict(one)), key=_is_minor)
        return cls(plan, figures(plan), tuple(one.text for one in in_short(told)))


def _is_minor(finding: Finding) -> bool:
    return finding.severity == "minor"


def import_object(
    imported: Imported,
    file: str,
    *,
    preview: Preview | None = None,
    session: str = "",
    changes: tuple[str, ...] = (),
    version: int | None = None,
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
            source_ids=imported.source_ids,
            figures=preview.figures if preview else None,
            conflicts=preview.conflicts if preview else (),
            session=str(session),
            changes=changes,
            version=version,
        )
    )
    return told


def left_out(imported: Imported) -> str:
    """Return how many tasks have no room in the plan, and how to continue; "" if all have."""
    count = sum(one.why == FULL for one in imported.not_placed)
    return (
        f"{count:,} tasks are left out, as a plan holds {len(imported.plan.steps)}: they stand in the section “Not "
        "placed”. Put them into a file of their own, and begin a second session from it."
        if count
        else ""
    )


def what_was_read(imported: Imported) -> str:
    """Return in a line what a file was read as: its format, its lines, its steps and other items."""
    parts = counted_kinds(imported.plan.items)
    lines = f"{len(imported.lines):,} line{'' if len(imported.lines) == 1 else 's'}"
    return f"{_FORMATS[imported.format]}, {lines}: {', '.join(parts) or 'no step and no other item'}"


def counted_kinds(items: Iterable[Item]) -> list[str]:
    """Return how many items there are of each kind: "3 steps"."""
    kinds = Counter(str(item.__struct_config__.tag).replace("-", " ") for item in items)
    return [f"{count:,} {noun if count == 1 else _PLURALS.get(noun, f'{noun}s')}" for noun, count in kinds.items()]


def what_became_of_lines(imported: Imported) -> str:
    """Return how many lines became what, in words."""
    counts = Counter(fate.kind for fate in imported.lines)
    told = [f"{counts[kind]:,} {words[counts[kind] != 1]}" for kind, words in _FATES.items() if counts.get(kind)]
    return " · ".join(told)


_FATES: dict[FateKind, tuple[str, str]] = {
    "step": ("with a step", "with steps"), "field": ("field of a step or an item", "fields of steps and items"),
    "item": ("other item", "other items"), "heading": ("heading", "headings"), "prose": ("text", "text"),
    "structure": ("mark of the format", "marks of the format"), "not-placed": ("not placed", "not placed"),
    "blank": ("blank", "blank"),
}  # fmt: skip
"""One of them, and several."""


_PLURALS = {"criterion": "criteria", "person": "people", "days off": "days off"}


def step_table(imported: Imported, preview: Preview | None) -> Table:
    """Return the steps: id here and in the file, title, owner, effort, what it says of days, dates, what else it says.

    Columns of which no step says anything are left out.
    """
    steps = preview.plan.steps if preview else imported.plan.steps
    rows = (
        (
            step.id,
            imported.source_ids.get(step.id, ""),
            f"  {step.title}" if step.parent else step.title,
            step.owner,
            FIELDS[Step]["Effort"].text_of(step),
            _dates_text(step),
            *((step.start or "", step.end or "") if preview else ("", "")),
            _other_fields(step),
        )
        for step in steps
    )
    columns = ("step", "in the file", "title", "owner", "effort", "says", "start", "end", "")
    return without_empty_columns(Table("Steps", columns, tuple(rows)))


def schedule_lines(preview: Preview) -> Iterator[str]:
    """Yield when the work would begin and end, how that stands to its deadline, and days off."""
    told, first = preview.figures, first_day(preview.plan)
    if told.unsound:
        yield told.unsound
    elif first is None:
        yield "No step has a date."
    else:
        yield f"begins {short_day(first)} · {headline(told)}"
        if days := calendar_text(told.calendar):
            yield days


def _dates_text(step: Step) -> str:
    parts = [f"from {step.not_before}" if step.not_before else "", f"on {step.on}" if step.on else ""]
    return " ".join([*filter(None, parts), *([f"by {step.deadline}"] if step.deadline else [])])


def _other_fields(step: Step) -> str:
    status = "" if step.status == "todo" else step.status
    needs = f"needs {', '.join(step.needs)}" if step.needs else ""
    return " · ".join(filter(None, ("milestone" if step.milestone else "", status, needs)))


def item_rows(imported: Imported) -> Iterator[tuple[str, str, str]]:
    """Yield the items that are no steps as rows: id, text, and the section they are in."""
    for section in imported.plan.sections:
        yield from ((item.id, item.text, section.title) for item in section.items if not isinstance(item, Step))


ITEM_COLUMNS = ("item", "text", "section")
