"""A text cut into commands, each a tree of the grammar.

What a word is depends on what the parser can take there: after ``by`` a date comes first, so that "H1" and "W06" are
dates there, and items elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from workbench.domain.commands.errors import Misread
from workbench.domain.commands.grammar import (
    FIELDS,
    HINTS,
    Parser,
    Said,
    Word,
    ended,
    field_pattern,
    grammar,
    takes_word,
)
from workbench.domain.commands.results import Doubtful
from workbench.domain.commands.suggestions import GLUE, nearest, spelled_out
from workbench.domain.plan.spoken import READERS, WINDOW
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import NO_SUCH_DAY, plannable_day
from workbench.domain.values.plain import plain_text

MOST_CHARACTERS = 65_536
MOST_COMMANDS = 1_000
_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_BLANK = lazy_pattern(r"[^\S\n]+")
_SEPARATOR = lazy_pattern(r"[^\S\n]*(?:[;,\n]|[.!](?=\s|\Z)|and(?!\w))(?:[\s;,]|and(?!\w))*", re.IGNORECASE)
_SMALL = lazy_pattern(r"(?:is|are|to|the)(?!\w)|[=:]", re.IGNORECASE)
_BAD = lazy_pattern(r"[^\s;,]+|\S")
_ISO = lazy_pattern(r"\d{4}-\d\d-\d\d", re.ASCII)
_UNCLOSED = lazy_pattern(r"@?[\"“„«][^;\n\"“”„«»]*(?=[;\n]|\Z)")
_CLOSING = {'"': '"', "«": "»"}
_THINGS = ("ITEM", "RANGE", "QUOTED")
_BEFORE_SMALL = frozenset((*_THINGS, "PERSON", "FIELD", "ATTRIBUTE"))
"""Words, beside keywords, after which "is" and "the" change nothing; never between two things."""
_BEGINNINGS = ("add", "budget", "deadline", "undo")
_MOST_EXPECTED = 6


class Clause(Struct, frozen=True):
    """One command."""

    said: Said
    start: int
    end: int
    is_continued: bool
    """Whether a comma or "and" leads to it, and no end of a command."""


class Reader:
    """Reads the words of a text, from its beginning to its end."""

    def __init__(self, text: str, today: date, *, explains: bool = True) -> None:
        self.text = text
        self.today = today
        self._explains = explains
        """Whether somebody wants to know what was expected."""
        self.at = 0
        self.last = 0
        """Where the word begins that was read last."""
        self.doubts: list[Doubtful] = []
        self._plain = plain_text(text)

    def clauses(self) -> Iterator[Clause]:
        """Yield the commands of the text. Raises Misread."""
        is_continued = False
        count = 0
        while True:
            if separator := self.skip_separator():
                is_continued = not re.search(r"[;\n.!]", separator)
            self._skip_blanks()
            if self.at >= len(self.text):
                return
            count += 1
            if count > MOST_COMMANDS:
                raise Misread(self.at, self.at + 1, f"Give at most {MOST_COMMANDS:,} commands at once.")
            start = self.at
            said = self.tree(grammar().begin("continued" if is_continued else "command"))
            yield Clause(said, start, self.at, is_continued)

    def skip_separator(self) -> str:
        """Go on after what parts two commands, and return it; "" if nothing does."""
        separator = _SEPARATOR.match(self.text, self.at)
        if separator is None:
            return ""
        self.at = separator.end()
        return separator[0]

    def tree(self, parser: Parser) -> Said:
        """Return what is read up to the end of a command. Raises Misread."""
        previous: Word | None = None
        while (word := self.word(parser, previous)) is not None:
            self.feed(parser, word)
            previous = word
        if (said := ended(parser)) is None:
            raise self._misread(parser)
        return said

    def feed(self, parser: Parser, word: Word) -> None:
        """Let the parser go on. Raises Misread."""
        if not takes_word(parser, word):
            self.at = word.start
            raise self._misread(parser)

    def word(self, parser: Parser, previous: Word | None) -> Word | None:
        """Return the next word as the parser takes it; None at the end of a command. Raises Misread."""
        first_small = len(self.text)
        while True:
            self._skip_blanks()
            is_end = self.at >= len(self.text)
            found = None if is_end or self._is_glued() else self._match(parser)
            is_end = is_end or (found is None and _SEPARATOR.match(self.text, self.at) is not None)
            is_between = found is not None and previous is not None and {found.type, previous.type} <= {*_THINGS}
            if first_small < self.at and (is_between or (is_end and ended(parser) is not None)):
                self.at = first_small
                raise self._misread(parser)
            if found is not None or is_end:
                return found
            may_be_small = previous is not None and (previous.is_keyword or previous.type in _BEFORE_SMALL)
            small = _SMALL.match(self.text, self.at) if may_be_small else None
            if small is None or (small.end() == len(self.text) and not self._explains):
                if self._explains and parser.accepts() == {"QUOTED"}:  # they begin a text without its quotes
                    self.at = min(first_small, self.at)
                raise self._misread(parser)
            first_small, self.at = min(first_small, self.at), small.end()

    def _is_glued(self) -> bool:
        return self.at > 0 and self.text[self.at] in GLUE and self.text[self.at - 1].isalnum()

    def _match(self, parser: Parser) -> Word | None:
        accepted = grammar().accepted(parser)
        at = self.at
        matches = [(match.end(), name) for name, pattern in accepted.exact if (match := pattern.match(self.text, at))]
        end, name = max(matches, default=(at, ""))
        field = field_pattern(accepted.field).match(self.text, at) if accepted.field else None
        if end > at and (field is None or field.end() <= end):
            return self._word(name, end)
        window = self._window()
        readings = [
            (name, reading) for name in accepted.values if (reading := READERS[name](window, self.today)) is not None
        ]
        if field and all(at + reading.end <= field.end() for _, reading in readings):
            return self._word(accepted.field, field.end(), re.sub(r"[\s_]+", " ", field[0]).lower())
        if readings:
            name, reading = max(readings, key=lambda pair: pair[1].end)
            if reading.wrong:
                raise Misread(at, at + reading.end, reading.wrong)
            if reading.doubt:
                self._doubt(at, at + reading.end, reading.doubt)
            return self._word(name, at + reading.end, reading.value)
        for name, pattern in accepted.loose:
            if name in ("NAME", "WORD") and _SMALL.match(self.text, at):
                continue
            if match := pattern.match(self.text, at):
                return self._word(name, match.end())
        return None

    def _word(self, name: str, end: int, value: Any = None) -> Word:
        word = Word(name, self.text[self.at : end], self.at, end, value, name in grammar().unsaid)
        self.last, self.at = self.at, end
        return word

    def _window(self) -> str:
        stretch = self._plain[self.at : self.at + WINDOW]
        cut = grammar().cut.search(stretch, 1)
        return stretch[: cut.start()].rstrip() if cut else stretch

    def _doubt(self, start: int, end: int, doubt: str) -> None:
        self.doubts.append(Doubtful(self.text[start:end], start, end, doubt))

    def _skip_blanks(self) -> None:
        if blank := _BLANK.match(self.text, self.at):
            self.at = blank.end()

    def _misread(self, parser: Parser) -> Misread:
        if not self._explains:
            return Misread(self.at, self.at, "")
        if unclosed := _UNCLOSED.match(self.text, self.at):
            closed = f"{unclosed[0].rstrip()}{_CLOSING.get(unclosed[0].lstrip('@')[0], '”')}"
            return Misread(self.at, unclosed.end(), "This quote is not closed.", instead=(closed,))
        names = sorted(parser.accepts() - {"$END"})
        keywords = [word for name, word in grammar().keywords.items() if name in names]
        bad = _BAD.match(self.text, self.at)
        end = bad.end() if bad else self.at
        near = nearest(bad[0], keywords) if bad else ()
        expected = tuple(dict.fromkeys((*near, *_in_order(names, keywords))))
        why = f": {NO_SUCH_DAY}" if bad and _ISO.fullmatch(bad[0]) and plannable_day(bad[0]) is None else ""
        said = f"“{bad[0][:30]}” is not read here{why}" if bad else "Something is missing here"
        shown = ", ".join(expected[:_MOST_EXPECTED]) or "the end of the command"
        more = " …" if len(expected) > _MOST_EXPECTED else ""
        instead = (*near, *spelled_out(bad[0], self.text[end:], names, self.today)) if bad else self._only_flag_value()
        return Misread(self.at, end, f"{said}. Expected: {shown}{more}", expected, instead=instead)

    def _only_flag_value(self) -> tuple[str, ...]:
        """Return the one value of the field that ends the text, if it has no other."""
        label = self.text[self.last : self.at].strip().casefold()
        fields = (field for labels in FIELDS.values() for field in labels.values() if field.label.casefold() == label)
        return (" yes",) if any(field.read("yes") is True for field in fields) else ()


def _in_order(names: Collection[str], keywords: Sequence[str]) -> Iterator[str]:
    """Yield what can be at a place: first what most commands begin with, then values, then keywords."""
    if "ITEM" in names and "add" in keywords:
        yield from (HINTS["ITEM"], *_BEGINNINGS)
    yield from (hint for name, hint in HINTS.items() if name in names)
    yield from keywords


def readable(text: str) -> str:
    """Return a text, as long as it is, whose every character can be written."""
    return _SURROGATE.sub("\ufffd", text)
