"""The page that a model wrote, with what it takes from the program, so that there is one set of dates and sums.

A page is its writer's own, tables too. It takes dates and sums by reference (domain/plan/references.py), names in
brackets which steps and decisions it tells, ``(S14)``, and says in its first line which language it is in:
``<!-- language: de -->``. Open decisions and steps that it does not name are added at its end. A reference that nothing
answers to stays as it is, and a note names it.

Pages of earlier versions took tables of the program, ``{table.steps S3..S9}``: its own page is in their place.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from datetime import date

from msgspec.structs import replace

from workbench.domain.handout.choice import MINOR, by_latest
from workbench.domain.handout.content import Content, lines, most_words, part, table, words
from workbench.domain.handout.open_points import conflicts
from workbench.domain.handout.summary import OLD_TABLE
from workbench.domain.loop.asking.last_round import older_version
from workbench.domain.plan.references import filled, reference_value_lines
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.text.languages import ENGLISH, LANGUAGES, Language, signs_in
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import closed
from workbench.domain.text.tables import one_line

_CALENDAR = 300
"""About how many words the calendar of what a page does not name has, with what is at the foot."""
_ANY = lazy_pattern(r"\{(?:(?:[A-Z]\d{1,9}|money|plan|table)\.[^{}\n]{1,200}|open)\}", re.ASCII)
"""What looks like a reference, known or not."""
_NAMED = 10
"""Unknown references that are named; the others are counted."""
_HEADING = lazy_pattern(r"^#{1,6} ", re.MULTILINE)
_TITLE = lazy_pattern(r"\A\s*# +(.*)")
_PART = lazy_pattern(r"^## ", re.MULTILINE)
_LEAST_PARTS = 2
_LANGUAGE = lazy_pattern(r"\A\s*<!-- *language: *([A-Za-z]{2})\b[^\n>]{0,20}-->")
_NAMES = lazy_pattern(r"\b[DS][1-9]\d{0,8}\b", re.ASCII)
_ID_MARKS = lazy_pattern(r" ?\((?:[A-Z][1-9]\d{0,8}(?:, ?| ?[-–] ?|\.\.)?){1,20}\)", re.ASCII)
"""Ids in brackets alone."""


def is_page(text: str) -> bool:
    """Tell whether a document is a whole page: one with a title and parts, or of an earlier version.

    Another one is a summary.
    """
    return is_own(text) or OLD_TABLE.search(text) is not None


def language_of(text: str) -> Language:
    """Return the language that a page says it is in; English if it says nothing."""
    return _split_language(text)[0]


def is_own(text: str) -> bool:
    """Tell whether a document is a page with a title and parts that is its writer's own."""
    has_parts = len(_PART.findall(text)) >= _LEAST_PARTS
    return has_parts and _TITLE.match(_split_language(text)[1]) is not None and OLD_TABLE.search(text) is None


def written_page(content: Content, text: str, *, keeps_ids: bool = False) -> str:
    """Return the page to hand out, from a model's text; ``keeps_ids`` keeps its ids in brackets, for the verifier."""
    language, prose = _split_language(text.replace("\r\n", "\n").replace("\r", "\n"))
    named, signs = set(_NAMES.findall(prose)), signs_in(prose)
    unknown = [match[0] for match in _ANY.finditer(filled(prose, content.plan, language, signs))]
    prose = prose if keeps_ids else _ID_MARKS.sub("", prose)
    title = _TITLE.match(prose)
    body = filled(prose[title.end() :] if title else prose, content.plan, language, signs)
    verdict, more = _verdict_apart(body)
    blocks = (
        f"# {one_line(filled(title[1], content.plan, language, signs) if title else content.plan.title)}",
        verdict,
        *part(f"## {language.not_settled}", conflicts(_without_minors(content), judged=True, language=language)),
        closed(more),
        *part(f"## {language.more}", _calendar(content, named, language)),
        *_notes(content, list(dict.fromkeys(unknown))),
    )
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip())


def _without_minors(content: Content) -> Content:
    """Return what a page is made from, without the minor findings: the person was told them at the finish."""
    return replace(content, left_out=content.left_out | {MINOR})


def _calendar(content: Content, named: Container[str], language: Language) -> Iterator[str]:
    """Yield a table of the open decisions and the steps that a page does not name, by day."""
    ends = {row.step: row.end for row in content.figures.steps}
    rows = [
        (day_of(decision.latest), decision.text, decision.owner)
        for decision in by_latest(content.plan)
        if decision.id not in named
    ]
    rows += [
        (ends.get(step.id), step.title, ", ".join(step.owners))
        for step in content.plan.steps
        if step.id not in named and step.status not in ("done", "dropped")
    ]
    rows.sort(key=lambda row: row[0] or date.max)
    days = (language.day_text(day, content.figures.finish) if day else "" for day, *_ in rows)
    yield from table(language.columns, [(day, what, who) for day, (_, what, who) in zip(days, rows, strict=True)])


def _split_language(text: str) -> tuple[Language, str]:
    """Return the language that a page says it is in, and the page without that line."""
    declared = _LANGUAGE.match(text)
    if declared is None:
        return ENGLISH, text
    return LANGUAGES.get(declared[1].lower(), ENGLISH), text[declared.end() :]


def _verdict_apart(body: str) -> tuple[str, str]:
    """Return what is above the first heading of a page, and the rest; "" first where a page has no such part."""
    heading = _HEADING.search(body)
    verdict = body[: heading.start()].strip("\n") if heading else ""
    is_whole = heading is not None and verdict == closed(verdict)
    return (verdict, body[heading.start() :]) if heading and is_whole else ("", body)


def reference_lines(content: Content, page: str = "") -> str:
    """Return what a page can take from the program, a line each: values as they are now; then how long it can be.

    ``page``: one that was written before.
    """
    return "\n".join((*reference_value_lines(content.plan), _room_text(content, page)))


def _room_text(content: Content, page: str) -> str:
    """Return how many words a page has."""
    had = f" `document` has {len(words(written_page(content, page))):,}." if page else ""
    most = f"At most {most_words(content.plan) - _CALENDAR:,} words, as the page is read: ids in brackets are none."
    return f"{most} A sheet of its own that the person asked for comes on top.{had}"


def _notes(content: Content, unknown: list[str]) -> Iterator[str]:
    notes = []
    if version := older_version(content.state, "deliverable"):
        now = f"dates, sums and tables are those of version {content.state.version}"
        notes.append(f"The text was written for version {version} of the plan; {now}.")
    if unknown:
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        notes.append(f"Nothing in the plan answers to {', '.join(unknown[:_NAMED])}{more}.")
    yield from lines(notes)
