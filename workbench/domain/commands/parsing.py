"""A text of commands, all or nothing."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import date

from msgspec.structs import replace

from workbench.domain.commands.changes import Commands
from workbench.domain.commands.errors import Misread, Unread
from workbench.domain.commands.reader import MOST_CHARACTERS, Reader, readable
from workbench.domain.commands.results import Parsed
from workbench.domain.commands.suggestions import keeps_numbers_and_negations, suggested
from workbench.domain.loop.limits import excess
from workbench.domain.plan.changing.operations import operations_between
from workbench.domain.plan.plan import Plan, Section


def parse(text: str, plan: Plan, today: date, *, me: str = "", taken: Collection[str] = ()) -> Parsed | Unread:
    """Return what the commands of a text do to a plan; the first error if one of them cannot be read.

    ``today`` is the day that "tomorrow" and days without a year are counted from. ``me``: whose steps "mine" are.
    ``taken``: ids that new items do not get, of items that the plan once had.

    >>> parsed = parse("S3 done; S4 owner Anna", plan, date(2026, 11, 29))
    >>> session.edit("S3 done; S4 owner Anna")
    """
    if len(text) > MOST_CHARACTERS:
        return Unread(text[:200], 0, 0, f"Give at most {MOST_CHARACTERS:,} characters of commands at once.")
    text = readable(text)
    try:
        return carried_out(text, plan, today, me, taken=taken)
    except Misread as error:
        return Unread(
            text, error.start, error.end, error.why, error.expected, _suggestion(error, text, plan, today, me)
        )


def carried_out(
    text: str, plan: Plan, today: date, me: str = "", *, explains: bool = True, taken: Collection[str] = ()
) -> Parsed:
    """Return what the commands of a text do. Raises Misread, which says what was expected if that is wanted."""
    reader, commands = Reader(text, today, explains=explains), Commands(plan, today, me, taken)
    for clause in reader.clauses():
        commands.run(clause)
    return result(reader, commands, plan)


def result(reader: Reader, commands: Commands, plan: Plan, assumed: tuple[str, ...] = ()) -> Parsed:
    """Return what commands come to. Raises Misread for more than a plan holds."""
    after = commands.draft.plan()
    if too_much := excess(_changed_sections(plan, after)):
        raise Misread(0, len(reader.text), f"{too_much}.")
    return Parsed(
        after,
        operations_between(plan, after, moved=commands.moved),
        tuple(commands.actions),
        tuple(reader.doubts),
        tuple(commands.notes),
        assumed,
        tuple(commands.moved),
    )


def _changed_sections(plan: Plan, after: Plan) -> tuple[Section, ...]:
    """Return the sections of a plan with the items alone that another did not have."""
    old = {id(item) for item in plan.items}
    return tuple(
        replace(section, items=tuple(item for item in section.items if id(item) not in old))
        for section in after.sections
    )


def _suggestion(error: Misread, text: str, plan: Plan, today: date, me: str) -> str:
    """Return the line, corrected so that it can be carried out; if no correction can be, only the right word."""
    begin, end = text.rfind("\n", 0, error.start) + 1, text.find("\n", error.end)
    line = text[begin:] if end < 0 else text[begin:end]
    named = {line[: error.start - begin] + one + line[error.end - begin :] for one in error.instead}
    for one in suggested(error, line, error.start - begin, error.end - begin):
        if not keeps_numbers_and_negations(one, line, may_add_numbers=one in named):
            continue
        with suppress(Misread):
            carried_out(one, plan, today, me, explains=False)
            return one.strip()
    words = (word for word in error.instead if word in error.expected)
    return next((word for word in words if keeps_numbers_and_negations(word, line, may_add_numbers=True)), "")
