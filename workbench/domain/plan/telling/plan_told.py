"""A plan as a prompt has it: a line for each item, with nothing but what is set, and the dates of each step beside it.

    ## steps
    [Rooms]
    S4 | Survey | A list of what is missing | All have signed | Mira | 1.5 (1–3) | needs S2 || Tue 1 Dec – Tue 8 Dec | 5

What a line is there for is not told: the statements name their items. ``to_markdown`` is the form that people edit.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from datetime import date

from msgspec.structs import replace

from workbench.domain.plan.figures import Figures, StepFigures, figures
from workbench.domain.plan.markdown.fields import LINES, number
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Effort,
    Item,
    Plan,
    Question,
    Risk,
    Row,
    Section,
    Step,
    wording,
)
from workbench.domain.plan.references import weekday_and_day
from workbench.domain.text.tables import one_line

_COLUMNS = "id | title | outcome | check | owner | days of work (low–high) | more || from – to | slack"
_ELSEWHERE = frozenset({"From", "Because of", "Answers"})
"""Labels of fields that statements tell of, or nobody is asked for."""
_IN_COLUMNS = _ELSEWHERE - {"Answers"} | {"Outcome", "Check", "Owner", "Effort", "Start", "End", "Workstream"}
"""The same of a step, with those that have a column."""
_PLAIN: Mapping[type[Item], frozenset[str]] = {
    Step: frozenset({"Cost", "Basis", "Mode"}),
    Risk: frozenset({"Likelihood", "Impact"}),
    Row: frozenset({"Day", "Time", "Who"}),
    Constraint: frozenset({"Limits", "Day"}),
    Criterion: frozenset({"Measure", "Target"}),
    Decision: frozenset({"Owner"}),
    Question: frozenset({"Owner"}),
}
"""Fields whose value says what it is."""
_LABELS: Mapping[str, str] = {"Needs decision": "decisions", "Only if": "condition", "No way back": "no_return"}
"""What an answer calls fields that have another label."""


def plan_told(
    plan: Plan, only: Container[str] | None = None, brief: Container[str] = (), today: date | None = None
) -> str:
    """Return a plan in lines; with ``only``, the items that have one of these ids, those of ``brief``, and no prose.

    Brief is a step without outcome and check. Dates are told without a year in that of ``today``, by default in the
    year that the plan ends in.
    """
    told = figures(plan)
    beside = today or told.finish
    if only is not None:
        kept = [(section, [_visible_part(item, only, brief) for item in section.items]) for section in plan.sections]
        plan = replace(plan, sections=tuple(replace(one, items=tuple(filter(None, items))) for one, items in kept))
    sections = (_section(section, told, only, beside) for section in plan.sections)
    title = [f"# {one_line(plan.title)}"] if plan.title and only is None else []
    return "\n\n".join([*title, *(section for section in sections if section)])


def _visible_part(item: Item, only: Container[str], brief: Container[str]) -> Item | None:
    """Return an item as far as it is shown; None if it is not."""
    if item.id not in brief:
        return item if item.id in only else None
    return replace(item, outcome="", check="") if isinstance(item, Step) else item


def _section(section: Section, told: Figures, only: Container[str] | None, beside: date | None) -> str:
    """Return a section below its id; "" if nothing of it is told."""
    prose = section.text.strip() if only is None else ""
    if only is not None and not section.items:
        return ""
    return "\n".join([f"## {section.id}", *([prose] if prose else []), *_lines(section.items, told, beside)])


def _lines(items: tuple[Item, ...], told: Figures, beside: date | None) -> Iterator[str]:
    rows = {step.step: step for step in told.steps}
    has_dates = told.start is not None
    stream = ""
    if any(isinstance(item, Step) for item in items):
        yield _COLUMNS if has_dates else _COLUMNS.partition(" ||")[0]
    for item in items:
        if isinstance(item, Step) and item.workstream != stream:
            stream = item.workstream
            yield f"[{one_line(stream)}]"
        yield item_line(item, rows.get(item.id), beside)


def item_line(item: Item, row: StepFigures | None = None, beside: date | None = None) -> str:
    """Return an item in a line; a step with its dates, where ``row`` has any."""
    if not isinstance(item, Step):
        said = f"{item.priority}: {item.text}" if isinstance(item, Bullet) and item.priority else wording(item)
        return _line((item.id, said, *_fields(item, _ELSEWHERE)))
    columns = (item.id, item.title, item.outcome, item.check, item.owner, _effort(item.effort, item.each))
    line = _line((*columns, *_fields(item, _IN_COLUMNS)), least=len(columns))
    dates = "" if row is None else dates_of(row, beside)
    return f"{line} || {dates}" if dates else line


def field_text(item: Item, field: str) -> str:
    """Return a field as an item's line has it; "" if it is empty."""
    value = getattr(item, field)
    if isinstance(value, Effort):
        return _effort(value, is_each=False)
    written = next((one for line in LINES[type(item)] for one in line if field in one.names), None)
    if written is None or (isinstance(value, bool) and written.name == field):
        return one_line(str(value))
    return one_line(written.text_of(item))


def dates_of(row: StepFigures, beside: date | None) -> str:
    """Return from when to when a step goes, and its slack: ``Tue 1 – Tue 8 Dec | 5``; "" without dates."""
    first, last = row.start, row.end
    if first is None or last is None:
        return ""
    until = weekday_and_day(last, beside)
    days = until if first == last else f"{weekday_and_day(first, last)} – {until}"
    slack = "" if row.slack is None else f" | {row.slack}" if row.slack >= 0 else f" | late by {-row.slack}"
    return f"{days}{slack}"


def _effort(effort: Effort | None, is_each: bool) -> str:
    if effort is None:
        return ""
    each = " each" if is_each else ""
    low, likely, high = map(number, (effort.low, effort.likely, effort.high))
    if low == likely == high:
        return f"{likely} exactly{each}"
    is_usual = (low, high) == tuple(number(round(effort.likely * share, 6)) for share in (0.5, 1.5))
    return f"{likely}{each}" if is_usual else f"{likely} ({low}–{high}){each}"


def _fields(item: Item, left_out: Container[str]) -> Iterator[str]:
    """Yield the fields of an item that say something, each with its label if that is not clear."""
    plain = _PLAIN.get(type(item), frozenset())
    for line in LINES[type(item)]:
        for field in line:
            value = "" if field.label in left_out else one_line(field.text_of(item))
            if value:
                yield value if field.label in plain else f"{_label(field.label)} {value}"


def _label(label: str) -> str:
    return _LABELS.get(label, label.lower().replace(" ", "_"))


def _line(cells: tuple[str, ...], least: int = 0) -> str:
    """Return cells as a line; the first ones stay in their place, empty ones after them are left out."""
    told = [one_line(cell) for place, cell in enumerate(cells) if cell or place < least]
    return " | ".join(told)
