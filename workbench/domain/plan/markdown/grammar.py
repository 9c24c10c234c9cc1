r"""What writing and reading a plan's Markdown agree on: labels, marks and escapes.

Texts are inline Markdown and are passed on as they are. Only what would be read as another part of the grammar gets a
backslash, which renders as nothing; what already has backslashes there gets one more, so that reading undoes exactly
what writing did:

    prose      a line that begins like a section or an item       ``## x`` → ``\## x``,  ``- S1 · x`` → ``\- S1 · x``
    prose      a last line that begins like a workstream          ``### x`` → ``\### x``
    prose      a line that is a mark of an export                 ``<!-- end-of-plan -->`` → ``\<!-- end-of-plan -->``
    bullet     a text that begins like a priority                 ``Must: x`` → ``Must\: x``
    field      a value that continues like another field            ``a · Due: x`` → ``a · Due\: x``
"""

from __future__ import annotations

import re

from workbench.domain.plan.markdown.fields import LABELS
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Fund,
    Item,
    Person,
    Place,
    Question,
    Risk,
    Row,
    Step,
    WorkingTime,
)
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import QUOTED_MARK

LETTERS: dict[str, type[Item]] = {
    "C": Criterion, "K": Constraint, "S": Step, "R": Risk, "D": Decision, "Q": Question, "B": Bullet, "P": Person,
    "W": WorkingTime, "H": DaysOff, "M": Fund, "L": Place, "T": Row, "A": Bullet,
}  # fmt: skip
"""Kinds of items by the letter of their ids; the first letter of a kind is that of new ones. Others write A1 for an
assumption."""

PRIORITIES = {"must": "Must", "should": "Should", "could": "Could", "won't": "Won't"}
"""MoSCoW, as written before a bullet's text."""

_ANY_LABEL = rf"(?:{'|'.join(LABELS)}|[A-Z][A-Za-z]*(?:[ -][a-z]+){{0,2}})"
"""Ours, and any that looks like one: what nobody knows must not become a part of the value before it."""
_ANY_PRIORITY = "|".join(PRIORITIES.values())

MARK = lazy_pattern(r"(?<!\s)\s*<!-- (\S+) -->$")
"""The id of a section after its title, where the title does not give it; a comment, invisible when rendered."""

NUMBERED = lazy_pattern(r"([A-Z])(\d{1,9})", re.ASCII)
"""An id by its letter and number."""

FIELD_SEPARATOR = lazy_pattern(rf" · (?=(?:{_ANY_LABEL}):)")
"""Between two fields of one line."""

FIELD = lazy_pattern(rf"({_ANY_LABEL}): ?(.*)", re.DOTALL)
PRIORITY = lazy_pattern(rf"({_ANY_PRIORITY}):(?: (.*))?", re.DOTALL)

END = "<!-- end-of-plan -->"
"""A line of an export: what is below it was calculated, and is not read."""

HANDED_OUT = "<!-- handed-out -->"
"""A line of the page that is handed out: it is not a plan to edit, and is not read as one."""

CALCULATED = "<!-- calculated -->"
"""At the end of a line above the first section of an export: it is not read."""

_OF_AN_EXPORT = f"(?:{END}|{HANDED_OUT}|{QUOTED_MARK})"
_STRUCTURE_IN_PROSE = lazy_pattern(rf"^(\\*)(?=##(?:\s|$)|[-*+] +\S+ ·|{_OF_AN_EXPORT}[^\S\n]*$)", re.MULTILINE)
_HEADING_AT_END = lazy_pattern(r"^(\\*)(?=###\s[^\n]*\Z)", re.MULTILINE)
_PRIORITY_IN_TEXT = lazy_pattern(rf"^((?:{_ANY_PRIORITY})\\*)(?=:)")
_LABEL_IN_VALUE = lazy_pattern(rf"(?<=· )((?:{_ANY_LABEL})\\*)(?=:)")


def on_lines(text: str, indent: str = "") -> str:
    """Return text without spaces around its line breaks, every line but the first after ``indent``.

    Blank lines go. (A pattern for it looks at every space of a long run once for each that is before it.)
    """
    first, *more = text.split("\n")
    if not more:
        return text
    lines = [first.rstrip(), *filter(None, map(str.strip, more[:-1])), more[-1].lstrip()]
    return f"\n{indent}".join(lines)


def block_lines(text: str, indent: str = "") -> str:
    """Return the text of a field: ``indent`` before each further line that is not blank; its own indentation stays."""
    first, *more = text.rstrip().split("\n")
    return "\n".join([first.rstrip(), *(f"{indent}{line.rstrip()}".rstrip(" ") for line in more)])


def escaped_prose(text: str, *, before_items: bool) -> str:
    """Return a section's text with no line that would be read as structure."""
    text = _STRUCTURE_IN_PROSE.sub(_one_more, text)
    return _HEADING_AT_END.sub(_one_more, text) if before_items else text


def plain_prose(text: str, *, before_items: bool) -> str:
    """Undo ``escaped_prose``."""
    text = _HEADING_AT_END.sub(_one_less, text) if before_items else text
    return _STRUCTURE_IN_PROSE.sub(_one_less, text)


def escaped_text(text: str) -> str:
    """Return a bullet's text so that it does not begin like a priority."""
    return _PRIORITY_IN_TEXT.sub(_one_more, text)


def plain_text(text: str) -> str:
    """Undo ``escaped_text``."""
    return _PRIORITY_IN_TEXT.sub(_one_less, text)


def escaped_value(value: str) -> str:
    """Return a field's value so that it does not continue like another field."""
    return _LABEL_IN_VALUE.sub(_one_more, value)


def plain_value(value: str) -> str:
    """Undo ``escaped_value``."""
    return _LABEL_IN_VALUE.sub(_one_less, value)


def _one_more(match: re.Match[str]) -> str:
    return match[1] + "\\"


def _one_less(match: re.Match[str]) -> str:
    return match[1].removesuffix("\\")
