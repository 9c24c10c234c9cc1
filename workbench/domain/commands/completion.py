"""What may come next in a command: keywords, items, people and fields, and what kind of value is in a place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from typing import Literal

from msgspec import Struct

from workbench.domain.commands.changes import KINDS
from workbench.domain.commands.draft import Draft
from workbench.domain.commands.errors import Misread
from workbench.domain.commands.grammar import (
    FIELDS,
    HINTS,
    LOOSE,
    Parser,
    Word,
    copied,
    field_called,
    grammar,
    takes_word,
)
from workbench.domain.commands.naming import Names, quoted
from workbench.domain.commands.reader import Reader
from workbench.domain.plan.plan import Item, Plan, wording
from workbench.domain.text.patterns import lazy_pattern

Kind = Literal["keyword", "item", "person", "field", "value", "end"]
MOST_OFFERED = 50
"""Items, people or fields that are offered at once."""
MOST_BEFORE = 2_000
"""Characters before the cursor that are looked at."""
_ORDER: tuple[Kind, ...] = ("keyword", "item", "person", "field", "value", "end")
_BEGINS: Mapping[str, re.Pattern[str]] = {
    "ITEM": lazy_pattern(r"(?:s|st|ste|step\s*)?(?:[a-z]\d*)?$", re.IGNORECASE),
    "RANGE": lazy_pattern(r"[a-z](\d+[.…]*\s?([a-z]\d*)?)?$", re.IGNORECASE),
    "ANSWER": lazy_pattern(r"q\d*\s*(:|$)", re.IGNORECASE),
    "QUOTED": lazy_pattern(r"[\"“„«]"),
    "PERSON": lazy_pattern("@"),
    "SECTION": lazy_pattern(r"s(e(c(t(i(on?(\s+[\w-]*)?)?)?)?)?)?$", re.IGNORECASE),
    "TAG": lazy_pattern(r"[+-]"),
    "COUNTRY": lazy_pattern(r"[a-z]{1,2}(-\w*)?$", re.IGNORECASE),
    "VERSION": lazy_pattern(r"v?\d*$", re.IGNORECASE),
}
"""How texts begin; what begins otherwise is none of them."""
_VALUES = ("WORD", "REST")
"""Terminals of the values that a field with choices has."""
_MARKED = frozenset(HINTS[terminal] for terminal in _BEGINS)
_PLAIN = lazy_pattern(r"[\w.-]+")


class Completion(Struct, frozen=True):
    """Something that may come next."""

    text: str
    """What it puts instead of the text from ``start`` to the cursor; "" for a value that a person types."""
    hint: str
    """A step's title, or what kind of value is here: ``a date, such as 3 May``."""
    kind: Kind
    start: int
    """Index in the text before the cursor."""


def complete(before: str, plan: Plan, today: date) -> tuple[Completion, ...]:
    """Return what may come next at the cursor, after a text that begins a command, or continues with what it ends in.

    >>> [one.text for one in complete("S3 ow", plan, date(2026, 11, 29))]
    ['owned by', 'owner']
    """
    cut = before.find("\n", len(before) - MOST_BEFORE) + 1 if len(before) > MOST_BEFORE else 0
    place = _Place(Reader(before[cut:], today, explains=False), _Offers(plan, cut))
    with suppress(Misread):
        place.read()
    return place.offered()


class _Place:
    """The end of a text: the parser there, and the one before the last word, which may be a part of a longer one."""

    def __init__(self, reader: Reader, offers: _Offers) -> None:
        self._reader = reader
        self._offers = offers
        self._parser = grammar().begin()
        self._earlier: Parser | None = None
        self._lists: list[Parser] = []
        """Parsers after the comma of a list that may continue."""
        self._last = ""
        """Terminal of the last word."""

    def read(self) -> None:
        """Read up to the end, or to what cannot be read. Raises Misread."""
        previous: Word | None = None
        while True:
            word = self._reader.word(self._parser, previous)
            if word is not None:
                self._earlier = copied(self._parser)
                self._reader.feed(self._parser, word)
                self._offers.note(word)
                self._last = word.type
            elif separator := self._reader.skip_separator():
                self._begin_again(separator)
            else:
                return
            previous = word

    def _begin_again(self, separator: str) -> None:
        is_end = self._reader.at == len(self._reader.text)
        self._lists = _parsers_after_comma(self._parser) if is_end and separator.strip() == "," else []
        if not is_end:
            self._earlier, self._last = None, ""
        self._parser = grammar().begin("command" if re.search(r"[;\n.!]", separator) else "continued")

    def offered(self) -> tuple[Completion, ...]:
        """Return what the last word may become, and what may come after it."""
        typed = self._reader.text[self._reader.last :]
        known = {HINTS.get(self._last), *_MARKED}
        longer = [
            one
            for one in (self._offers.completions(self._earlier, typed, self._reader.last) if self._earlier else ())
            if one.text != typed and (one.kind != "value" or one.text or one.hint in known)
        ]
        is_open = typed == typed.rstrip()
        return tuple(dict.fromkeys([*longer, *self._next()] if is_open else [*self._next(), *longer]))

    def _next(self) -> Iterator[Completion]:
        text, at = self._reader.text, self._reader.at
        for parser in (*self._lists, self._parser):
            yield from self._offers.completions(parser, text[at:], at)
        if self._last in LOOSE and at == len(text):  # the last of a few words may begin what comes after them
            begin = text.rfind(" ") + 1
            yield from (
                one for one in self._offers.completions(self._parser, text[begin:], begin) if one.kind == "keyword"
            )


def _parsers_after_comma(parser: Parser) -> list[Parser]:
    """Return parsers after the comma of a list that may continue."""
    found = []
    for symbol in sorted(name for name in parser.accepts() if name.startswith("_ALSO")):
        other = copied(parser)
        if takes_word(other, Word(symbol, ",", 0, 0)):
            found.append(other)
    return found


class _Offers:
    """What a plan has to offer."""

    def __init__(self, plan: Plan, cut: int) -> None:
        self._plan = plan
        self._cut = cut
        self._kind: type[Item] | None = None
        """Of the item that was named last, or is added."""
        self._field = ""
        """What the field was called whose value comes now."""

    def note(self, token: Word) -> None:
        """Remember which kind of item is spoken of, and which of its fields."""
        if token.type == "ITEM":
            name = token.text.upper()
            self._kind = next((type(item) for item in self._plan.items if item.id == name), None)
        elif token.type == "KIND":
            self._kind = KINDS.get(token.text.lower())
        if token.type in ("FIELD", "ATTRIBUTE"):
            self._field = token.value
        elif token.type not in _VALUES:  # of which the last may be half written
            self._field = ""

    def completions(self, parser: Parser, typed: str, at: int) -> list[Completion]:
        """Return what a parser accepts that begins with what is typed: keywords, then values before their hints."""
        found = (
            one
            for terminal in sorted(parser.accepts())
            for one in self._completions_for(terminal, typed, at + self._cut)
        )
        return sorted(
            dict.fromkeys(found),
            key=lambda one: (_ORDER.index(one.kind), one.text if one.kind == "keyword" else "", not one.text),
        )

    def _completions_for(self, terminal: str, typed: str, start: int) -> Iterator[Completion]:
        if (word := grammar().keywords.get(terminal)) is not None:
            yield from _beginning((word,), typed, "keyword", start)
        elif terminal == "$END":
            yield from _beginning(("; ",), typed, "end", start)
        elif terminal in HINTS:
            yield from self._texts(terminal, typed, start)
            if not typed or terminal not in _BEGINS or _BEGINS[terminal].match(typed):
                yield Completion("", HINTS[terminal], "value", start)

    def _texts(self, terminal: str, typed: str, start: int) -> Iterator[Completion]:
        match terminal:
            case "ITEM":
                yield from self._items(typed, start)
            case "PERSON" | "NAME":
                mark = "@" if terminal == "PERSON" else ""
                names = filter(None, Names(Draft(self._plan)).people())
                written = (f"{mark}{name if _PLAIN.fullmatch(name) else quoted(name)}" for name in names)
                yield from _beginning(written, typed, "person", start)
            case "FIELD" | "ATTRIBUTE":
                kinds = [self._kind] if self._kind else FIELDS
                labels = (label.lower() for kind in kinds for label in FIELDS[kind])
                yield from _beginning(labels, typed, "field", start)
            case "SECTION":
                written = (f"section {section.id}" for section in self._plan.sections)
                yield from _beginning(written, typed, "item", start)
            case "KIND":
                yield from _beginning(KINDS, typed, "keyword", start)
            case _ if terminal in _VALUES and self._field:
                kinds = [self._kind] if self._kind else FIELDS
                fields = (field for kind in kinds if (field := field_called(kind, self._field)))
                yield from _beginning((choice for field in fields for choice in field.choices), typed, "value", start)

    def _items(self, typed: str, start: int) -> Iterator[Completion]:
        wanted = typed.casefold()
        fits = (
            Completion(item.id, wording(item), "item", start)
            for item in self._plan.items
            if item.id.casefold().startswith(wanted) or (len(wanted) > 1 and wanted in wording(item).casefold())
        )
        yield from (one for _, one in zip(range(MOST_OFFERED), fits, strict=False))


def _beginning(known: Iterable[str], typed: str, kind: Kind, start: int) -> list[Completion]:
    fits = dict.fromkeys(text for text in known if text.casefold().startswith(typed.casefold()))
    return [Completion(text, "", kind, start) for text in list(fits)[:MOST_OFFERED]]
