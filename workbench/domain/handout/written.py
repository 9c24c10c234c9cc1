"""The page that a model wrote, with what it takes from the program, so that there is one set of dates and sums.

A page is its writer's own, tables too. It takes dates and sums by reference, names in brackets which steps and
decisions it tells, ``(S14)``, and says in its first line which language it is in: ``<!-- language: de -->``. Open
decisions and steps that it does not name are added at its end. Pages of earlier versions take tables of the program as
well:

    {S12.end}  {money.left}  {plan.ready}  …                       domain/plan/references.py
    {table.steps}  {table.steps S3..S9, S12}  {table.steps Book}   steps: all, some, those of a phase or a tag
    {table.decisions}  {table.money}  {table.people}  {table.risks}
    {table.day}  {table.day 2027-03-26}                            hour by hour: all days, or one of them
    {open}                                                         what is not settled

A table is whole, no text in it is cut, and it stands once: a step that has a row above has none below. What must be
read, and the page does not take, is added: what is not settled on top, steps in no table below. A reference that
nothing answers to stays as it is, and a note names it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator
from datetime import date

from msgspec import Struct, field
from msgspec.structs import replace

from workbench.domain.handout.choice import (
    ACTIONS,
    HOURS,
    LATER,
    MINOR,
    RISKS,
    TOGETHER,
    by_latest,
    how_many_left_out,
    least_valuable_first,
)
from workbench.domain.handout.content import Content, lines, most_words, part, table, words
from workbench.domain.handout.money import money_table
from workbench.domain.handout.open_points import (
    conflicts,
    decided,
    decisions,
    questions,
)
from workbench.domain.handout.steps import step_table
from workbench.domain.handout.tables import hour_table, people_table, risk_table
from workbench.domain.loop.last_round import older_version
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.plan import Decision, Risk, Row, Step
from workbench.domain.plan.references import filled, values_told
from workbench.domain.review.lines import document
from workbench.domain.text.languages import ENGLISH, LANGUAGES, Language, signs_in
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import closed
from workbench.domain.text.tables import one_line

_LEAST_ROOM, _MOST_ROOM = 250, 500
"""Words of prose that a page may have, whatever its tables need."""
_FOOT = 40
"""About how many words stand at the foot of a page."""
_CALENDAR = 300
"""About how many words the calendar of what a page does not name has, with what stands at the foot."""
NOTHING = "None."
"""What stands for a table without rows."""
OPEN = "{open}"
_TABLES = "steps|decisions|money|people|day|risks"
_TABLE = lazy_pattern(rf"\{{(?:table\.({_TABLES})(?: ([^{{}}\n]{{1,200}}))?|open)\}}")
_ANY = lazy_pattern(r"\{(?:(?:[A-Z]\d{1,9}|money|plan|table)\.[^{}\n]{1,200}|open)\}", re.ASCII)
"""What looks like a reference, known or not."""
_NAMED = 10
"""Unknown references that are named; the others are counted."""
_RANGE = lazy_pattern(r"([A-Z]+)(\d{1,9})\.\.([A-Z]+)(\d{1,9})", re.ASCII)
_ID = lazy_pattern(r"([A-Z]+)(\d{1,9})", re.ASCII)
_HEADING = lazy_pattern(r"^#{1,6} ", re.MULTILINE)
_TITLE = lazy_pattern(r"\A\s*# +(.*)")
_PART = lazy_pattern(r"^## ", re.MULTILINE)
_LEAST_PARTS = 2
_LANGUAGE = lazy_pattern(r"\A\s*<!-- *language: *([A-Za-z]{2})\b[^\n>]{0,20}-->")
_NAMES = lazy_pattern(r"\b[DS][1-9]\d{0,8}\b", re.ASCII)
_ID_MARKS = lazy_pattern(r" ?\((?:[A-Z][1-9]\d{0,8}(?:, ?| ?[-–] ?|\.\.)?){1,20}\)", re.ASCII)
"""Ids in brackets alone."""


def is_page(text: str) -> bool:
    """Tell whether a document is a whole page: one with a title and parts, or with tables of the program.

    Another one is a summary.
    """
    return _takes_tables(text) or is_own(text)


def _takes_tables(text: str) -> bool:
    return any(match[1] for match in _TABLE.finditer(text))


def language_of(text: str) -> Language:
    """Return the language that a page says it is in; English where it says nothing."""
    return _split_language(text)[0]


def is_own(text: str) -> bool:
    """Tell whether a document is a page with a title and parts that takes no table of the program."""
    has_parts = len(_PART.findall(text)) >= _LEAST_PARTS
    return has_parts and _TITLE.match(_split_language(text)[1]) is not None and not _takes_tables(text)


def written_page(content: Content, text: str, *, keeps_ids: bool = False) -> str:
    """Return a page as it is read; with ``keeps_ids``, with the ids that a page of its writer's own has in brackets."""
    if not _takes_tables(text):
        return _own_page(content, text, keeps_ids=keeps_ids)
    prose = filled(text.replace("\r\n", "\n").replace("\r", "\n"), content.plan)
    title = _TITLE.match(prose)
    name = title[1] if title else content.plan.title or content.state.name
    tables = _Tables(replace(content, left_out=content.left_out | {ACTIONS}))
    body = _without_empty_parts(tables.filled(prose[title.end() :] if title else prose))
    unknown = dict.fromkeys(match[0] for match in _ANY.finditer(prose) if match[0] not in tables.known)
    on_top = part("## Not settled", _on_top(content, prose))
    settled = () if "{table.decisions" in prose else part("## Decided", decided(content))
    verdict, more = _verdict_apart(body)
    blocks = (
        f"# {one_line(name)}",
        verdict,
        *on_top,
        closed(more),
        *settled,
        *tables.others(),
        *_notes(content, list(unknown)),
    )
    return "\n\n".join(block for block in blocks if block)


def _own_page(content: Content, text: str, *, keeps_ids: bool) -> str:
    """Return a page that is its writer's own."""
    language, prose = _split_language(text.replace("\r\n", "\n").replace("\r", "\n"))
    told, signs = set(_NAMES.findall(prose)), signs_in(prose)
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
        *part(f"## {language.more}", _calendar(content, told, language)),
        *_notes(content, list(dict.fromkeys(unknown))),
    )
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip())


def _without_minors(content: Content) -> Content:
    """Return what a page is made from, without the minor findings: the person was told them at the finish."""
    return replace(content, left_out=content.left_out | {MINOR})


def _calendar(content: Content, told: Container[str], language: Language) -> Iterator[str]:
    """Yield a table of the open decisions and the steps that a page does not name, by day."""
    ends = {row.step: row.end for row in content.figures.steps}
    rows = [
        (day_of(decision.latest), decision.text, decision.owner)
        for decision in by_latest(content.plan)
        if decision.id not in told
    ]
    rows += [
        (ends.get(step.id), step.title, ", ".join(step.owners))
        for step in content.plan.steps
        if step.id not in told and step.status not in ("done", "dropped")
    ]
    rows.sort(key=lambda row: row[0] or date.max)
    days = (language.told_day(day, content.figures.finish) if day else "" for day, *_ in rows)
    yield from table(language.columns, [(day, what, who) for day, (_, what, who) in zip(days, rows, strict=True)])


def _split_language(text: str) -> tuple[Language, str]:
    """Return the language that a page says it is in, and the page without that line."""
    declared = _LANGUAGE.match(text)
    if declared is None:
        return ENGLISH, text
    return LANGUAGES.get(declared[1].lower(), ENGLISH), text[declared.end() :]


def _without_empty_parts(body: str) -> str:
    """Return a page without headings that nothing stands below, as of a table whose steps stand in one above."""
    page = document(body)
    headings = {one.line for one in page.headings}
    told = [at for at, line in enumerate(page.lines, 1) if line.strip() and at not in headings]
    empty = {one.line for one in page.headings if bisect_right(told, one.line) == bisect_right(told, one.last)}
    return "\n".join(line for at, line in enumerate(page.lines, 1) if at not in empty)


def _verdict_apart(body: str) -> tuple[str, str]:
    """Return what stands above the first heading of a page, and the rest; "" first where a page has no such part."""
    heading = _HEADING.search(body)
    verdict = body[: heading.start()].strip("\n") if heading else ""
    is_whole = heading is not None and verdict == closed(verdict)
    return (verdict, body[heading.start() :]) if heading and is_whole else ("", body)


def references_told(content: Content, page: str = "") -> str:
    """Return what a page can take from the program, a line each: values as they are now, and tables.

    ``page``: one that was written before; tables that it takes are not told again.
    """
    if not page or not _takes_tables(page):
        return "\n".join((*values_told(content.plan), _own_room_told(content, page)))
    tables = (one for one in _tables_told(content) if one.partition("}")[0] not in page)
    return "\n".join((*values_told(content.plan), *tables, _room_told(content, page)))


def _own_room_told(content: Content, page: str) -> str:
    """Return how many words a page has that is its writer's own."""
    had = f" `document` has {len(words(written_page(content, page))):,}." if page else ""
    most = f"At most {most_words(content.plan) - _CALENDAR:,} words, as the page is read: ids in brackets are none."
    return f"{most} A sheet of its own that the person asked for comes on top.{had}"


def _room_told(content: Content, page: str) -> str:
    """Return how many words a page has for prose beside its tables, these as short as they become."""
    keys = least_valuable_first(content, "")
    short = replace(content, left_out=frozenset(key for key, _ in keys))
    tables = (step_table(short), _decisions(short), money_table(short), hour_table(short), risk_table(short))
    room = most_words(content.plan) - sum(len(words(block)) for table in tables for block in table)
    own, room = len(words(_TABLE.sub("", page))), min(max(room, _LEAST_ROOM), _MOST_ROOM)
    had = f" `document` has {own:,}." if own else ""
    folded = ", ".join(_folded(content, page))
    return f"At most {room} words of your own.{had}{f' Folded at that length: {folded}.' if folded else ''}"


def _folded(content: Content, page: str) -> list[str]:
    """Return the items of tables that a page has no room for: they are told together, or not at all."""
    keys = least_valuable_first(content, page)

    def with_out(count: int) -> str:
        short = replace(content, left_out=frozenset(key for key, _ in keys[:count]))
        return f"{written_page(short, page)}{' word' * _FOOT}"

    count = how_many_left_out(content.plan, keys, with_out)
    gone = {key for key, kind in keys[:count] if kind in (TOGETHER, LATER, RISKS, HOURS)}
    return [item.id for item in content.plan.items if item.id in gone]


def _tables_told(content: Content) -> Iterator[str]:
    plan = content.plan
    steps = [step for step in plan.steps if step.status != "dropped"]
    if steps:
        yield f"{{table.steps}} all {len(steps)} steps: no., step, who, work, when, needs, cost, check"
        yield f"{{table.steps {steps[0].id}..{steps[-1].id}}} steps by their ids: ids and ranges, with commas"
    phases = dict.fromkeys(step.workstream for step in steps if _GROUP.fullmatch(step.workstream))
    if phases:
        yield f"{' '.join(f'{{table.steps {phase}}}' for phase in phases)} the steps of a phase"
    if any(isinstance(item, Decision) and item.is_open for item in plan.items):
        yield "{table.decisions} who decides what until when, options, what holds until then; you tell the advice"
    if any(step.cost for step in steps):
        yield "{table.money} the sums, known and estimated, against funds and limits; the costs stand with the steps"
    if content.figures.people:
        yield "{table.people} everybody with their time, work, fullest week and absences"
    if any(isinstance(item, Row) for item in plan.items):
        yield "{table.day} the critical days by the hour: when, what, who, stop if"
    if any(isinstance(item, Risk) for item in plan.items):
        yield "{table.risks} likelihood, impact, sign, answer"
    yield f"{OPEN} all that is open, as a list: decisions, conflicts, questions; in place of the table of decisions"


_GROUP = lazy_pattern(r"[^{}\n]{1,200}")


class _Tables(Struct):
    """Fills tables in, and knows afterwards which steps stand in one."""

    content: Content
    known: set[str] = field(default_factory=set)
    """References that were filled in."""
    shown: set[str] = field(default_factory=set)
    """Ids of the steps that stand in a table."""

    def filled(self, text: str) -> str:
        """Return a text with its tables, each a block of its own."""
        blocks: list[str] = []
        made: tuple[str, ...] | None
        end = 0
        has_decisions = "{table.decisions" in text
        for match in _TABLE.finditer(text):
            if match[0] in self.known:
                made = ("",)
            elif match[0] == OPEN:
                made = self._open(has_decisions=has_decisions)
            else:
                made = self._table(match[1], match[2])
            if made is not None:
                self.known.add(match[0])
                blocks += [text[end : match.start()], "\n\n".join(made) if made else NOTHING]
                end = match.end()
        return "\n\n".join(block for part in (*blocks, text[end:]) if (block := part.strip(" \n")))

    def others(self) -> Iterator[str]:
        """Yield a part with the steps that stand in no table."""
        missing = {step.id for step in self.content.plan.steps} - self.shown
        yield from part("## Other steps" if self.shown else "## Steps", step_table(self.content, missing))

    def _open(self, *, has_decisions: bool) -> tuple[str, ...]:
        decided = () if has_decisions else decisions(self.content)
        return *decided, *conflicts(self.content, judged=True), *questions(self.content)

    def _table(self, name: str, selection: str | None) -> tuple[str, ...] | None:
        """Return a table; None where nothing answers to what is asked for."""
        if name == "steps":
            return self._steps(selection)
        if name == "day":
            days = {item.day for item in self.content.plan.items if isinstance(item, Row)}
            return tuple(hour_table(self.content, selection or "")) if not selection or selection in days else None
        plain = {"decisions": _decisions, "money": money_table, "people": people_table, "risks": risk_table}
        return None if selection else tuple(plain[name](self.content))

    def _steps(self, selection: str | None) -> tuple[str, ...] | None:
        steps = self.content.plan.steps
        chosen = _chosen(steps, selection.strip()) if selection else {step.id for step in steps}
        new, is_first = chosen - self.shown, not self.shown
        self.shown |= chosen
        if not chosen and selection:
            return None
        if not new:
            return ("",) if chosen else ()
        return tuple(step_table(self.content, new if selection or not is_first else None))


def _decisions(content: Content) -> Iterator[str]:
    """Yield the table of what is open, and what is decided."""
    yield from decisions(content, has_advice=False)
    yield from decided(content)


def _chosen(steps: tuple[Step, ...], selection: str) -> set[str]:
    """Return the steps of a phase or a tag, else those that ids and ranges of them name; none where a name is wrong."""
    name = selection.casefold()
    if group := {step.id for step in steps if name in (step.workstream.casefold(), *map(str.casefold, step.tags))}:
        return group
    parts = [_steps_named(steps, name.strip()) for name in selection.split(",")]
    return set().union(*parts) if all(parts) else set()


def _steps_named(steps: tuple[Step, ...], name: str) -> set[str]:
    """Return the step with an id, or the steps of a range of ids; with their parts."""
    if (match := _RANGE.fullmatch(name)) and match[1] == match[3]:
        first, last = int(match[2]), int(match[4])
        ids = {step.id for step in steps if _is_within(step.id, match[1], first, last)}
    else:
        ids = {step.id for step in steps if step.id == name}
    return ids | {step.id for step in steps if step.parent in ids}


def _is_within(name: str, letters: str, first: int, last: int) -> bool:
    match = _ID.fullmatch(name)
    return match is not None and match[1] == letters and first <= int(match[2]) <= last


def _on_top(content: Content, text: str) -> Iterator[str]:
    """Yield what must be read first and the page does not take: conflicts, and decisions that are open."""
    if OPEN in text:
        return
    if "{table.decisions" not in text and by_latest(content.plan):
        yield from decisions(content)
    yield from conflicts(content, judged=True)


def _notes(content: Content, unknown: list[str]) -> Iterator[str]:
    notes = []
    if version := older_version(content.state, "deliverable"):
        now = f"dates, sums and tables are those of version {content.state.version}"
        notes.append(f"The text was written for version {version} of the plan; {now}.")
    if unknown:
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        notes.append(f"Nothing in the plan answers to {', '.join(unknown[:_NAMED])}{more}.")
    yield from lines(notes)
