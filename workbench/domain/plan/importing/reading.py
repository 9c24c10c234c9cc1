"""A file as a plan: its format is told by what it holds, and by the end of its name if that does not tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from functools import partial

from workbench.domain.errors import UsageError
from workbench.domain.loop.limits import MOST_OF_AN_EDIT
from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.formats.delimited import is_table, read_table
from workbench.domain.plan.importing.formats.documents import read_document
from workbench.domain.plan.importing.formats.gantt import read_gantt
from workbench.domain.plan.importing.formats.gantt_project import read_gantt_project
from workbench.domain.plan.importing.formats.icalendar import read_icalendar
from workbench.domain.plan.importing.formats.json_tasks import read_json
from workbench.domain.plan.importing.formats.ms_project import read_ms_project
from workbench.domain.plan.importing.imported import Format, Imported
from workbench.domain.plan.importing.own import is_own, read_own, read_own_json
from workbench.domain.plan.markdown.reading import refuse_handed_out
from workbench.domain.plan.plan import Plan
from workbench.domain.text.cleaning import clean
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import restored

_OTHERS = "Give Markdown, CSV, JSON or plain text."
_NOT_READ = (
    (lazy_pattern(r"<!doctype html|<html\b", re.IGNORECASE), "An HTML page", _OTHERS),
    (lazy_pattern(r"<\?xml|<svg\b"), "XML that is not of MS Project or GanttProject", _OTHERS),
    (
        lazy_pattern(r"---\n(?:(?!---).*\n){0,20}?id: *['\"]?[A-Za-z]+-\d.*\n(?:(?!---).*\n){0,40}?status:"),
        "A task of Backlog.md",
        "Give the board as Markdown, as `backlog board export` writes it.",
    ),
    (lazy_pattern(r"@start(?:gantt|uml)\b"), "A diagram of PlantUML", _OTHERS),
    (
        lazy_pattern(
            r'(?:(?:project|task)[ \t]+[\w.]+[ \t]+"[^"]{0,200}"|supplement[ \t]+\w+[ \t]+[\w.]+)[^{]{0,60}\{'
        ),
        "A project of TaskJuggler",
        _OTHERS,
    ),
    (lazy_pattern(r"ERMHDR\t"), "A project of Primavera (XER)", _OTHERS),
    (lazy_pattern(r"%PDF-"), "A PDF", _OTHERS),
    (lazy_pattern(r"\{\\rtf"), "A text of a word processor (RTF)", _OTHERS),
    (lazy_pattern(r'\{"version": ?2, ?"width"'), "A recording of a terminal", _OTHERS),
    (lazy_pattern(r'\{"format": ?"workbench'), "A session's file", _OTHERS),
)
"""How a file begins whose format is not read, what it is, and what to give in its place."""
_TODO_TXT = lazy_pattern(r"x (?=[A-Z\d(])|\([A-Z]\) ")
_ONLY_TODO_TXT = lazy_pattern(r"x |\([A-Z]\) \d{4}-\d\d-\d\d ")
"""How its tasks begin that are done, or say when they were written; others may just have a letter."""
_MS_PROJECT = "http://schemas.microsoft.com/project"
"""What is near the beginning of MS-Project XML."""
_GANTT_PROJECT = lazy_pattern(
    r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?(?:<!DOCTYPE[^>]*>[^<]*)?<project[\s>]", re.DOTALL
)
"""How GanttProject begins."""
MOST_LINES = 30_000
"""Lines that are looked at; those after them are kept."""


def import_plan(text: str, *, name: str = "", today: date, base: Plan | None = None) -> Imported:
    """Return the plan that a file's text is, and what became of each of its lines.

    ``name`` is the file's, whose end tells its format if the text does not; ``base`` is the plan that our own
    Markdown was written from. Raises UsageError for a text that is empty, too long, no text, or the page to hand out.
    """
    if "\0" in text:
        raise UsageError("The file is not text.", "Give a plan as Markdown, CSV, JSON or plain text.")
    text = restored(clean(text.removeprefix("\ufeff"))).replace("\u00a0", " ")
    if not text.strip():
        raise UsageError("The file is empty.", "Give a file with a plan in it.")
    if len(text) > MOST_OF_AN_EDIT:
        raise UsageError(
            f"The file has {len(text):,} characters; {MOST_OF_AN_EDIT:,} are the most.", "Give a part of it."
        )
    refuse_handed_out(text)
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    known = base.steps if base else ()
    if _GANTT_PROJECT.match(text.lstrip()[:5_000]) and "<tasks" in text:
        return read_gantt_project(Assembly(lines, name, known))
    if text.lstrip().startswith("<") and _MS_PROJECT in text[:5_000]:
        return read_ms_project(Assembly(lines, name, known))
    _refuse_other_formats(lines, name)
    if text.lstrip().startswith("BEGIN:VCALENDAR"):
        return read_icalendar(Assembly(lines, name, known), today)
    how = format_of(lines, name)
    if how == "workbench":
        with suppress(UsageError):  # it holds more than a plan may
            return read_own(text, lines, base or Plan(title=""))
        how = "markdown"
    if how == "json":
        if (own := read_own_json(text, lines)) is not None:
            return own
        try:
            return read_json(Assembly(lines, name, known), today)
        except UsageError as error:
            if name.casefold().endswith(".json") or not isinstance(error.__cause__, ValueError):
                raise  # it is JSON, or is meant to be
        how = "text"
    begin = partial(Assembly, lines, name, known, most=MOST_LINES)
    match how:
        case "csv":
            return read_table(begin(), today)
        case "mermaid":
            return read_gantt(begin(), today)
        case _:
            return read_document(begin, today, how)


def _refuse_other_formats(lines: Sequence[str], name: str) -> None:
    """Raise UsageError for a text in a format that is not read."""
    begin = next((at for at, line in enumerate(lines[:1_000]) if line.strip() and line.lstrip()[0] != "#"), 0)
    beginning = "\n".join(lines[begin : begin + 80])[:5_000].lstrip()
    for pattern, kind, remedy in _NOT_READ:
        if pattern.match(beginning):
            raise UsageError(f"{kind} cannot be read as a plan.", remedy)
    filled = [line for line in lines if line.strip()]
    tasks = [line for line in filled if _TODO_TXT.match(line)]
    is_todo_txt = name.casefold().endswith("todo.txt") or any(map(_ONLY_TODO_TXT.match, tasks))
    if is_todo_txt and len(filled) > 1 and 3 * len(tasks) >= len(filled):
        remedy = "Write each task as - [ ] Task, or - [x] Task where it is done, with due:DAY and @owner behind it."
        raise UsageError("A list of todo.txt cannot be read as a plan.", remedy)


def format_of(lines: Sequence[str], name: str) -> Format:
    """Return what a text is."""
    end = name.rpartition(".")[2].casefold() if "." in name else ""
    first = next((line.strip() for line in lines if line.strip()), "")
    if end in ("json", "jsonl") or (first[0] in "{[" and end not in ("md", "csv", "txt") and _ends_like_json(lines)):
        return "json"
    if re.fullmatch(r"gantt\b.*|%%\{init.*", first) or (end in ("mmd", "mermaid")):
        return "mermaid"
    if end not in ("csv", "tsv") and is_own(lines):
        return "workbench"
    is_sheet = end in ("csv", "tsv") or (end == "xlsx" and not first.startswith("## "))
    if is_sheet or (end not in ("md", "markdown") and is_table(lines)):
        return "csv"
    if any(re.match(r"\s*[-*+] \[[ xX]\] \[?T\d{3,}\]? ", line) for line in lines):
        return "spec-kit"
    if any(re.match(r"\s*(?:[-*+]|\d+[.)]) \[[ xX]\] ", line) for line in lines):
        return "checklist"
    is_markdown = any(re.match(r"#{1,6} |\s*[-*+] |\s*\d+[.)] |\|.*\|", line) for line in lines)
    return "markdown" if is_markdown else "text"


def _ends_like_json(lines: Sequence[str]) -> bool:
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return (
        last[-1:] in ("}", "]")
        and re.match(r"[\[{]\s*(?:[\[{\"\]}]|$)", next(line.strip() for line in lines if line.strip())) is not None
    )
