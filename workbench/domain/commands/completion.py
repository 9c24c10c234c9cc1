"""What may come next in a command: keywords, items, people and fields, and what kind of value stands in a place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from workbench.domain.commands.changes import KINDS
from workbench.domain.commands.draft import Draft
from workbench.domain.commands.errors import Misread
from workbench.domain.commands.grammar import FIELDS, HINTS, LOOSE, Parser, grammar
from workbench.domain.commands.naming import Names, quoted, words_of
from workbench.domain.commands.reader import Reader
from workbench.domain.commands.words import Word
from workbench.domain.plan.plan import Item, Plan

Kind = Literal["keyword", "item", "person", "field", "value", "end"]
MOST_OFFERED = 50
"""Items, people or fields that are offered at once."""
MOST_BEFORE = 2_000
"""Characters before the cursor that are looked at."""
_ORDER: tuple[Kind, ...] = ("keyword", "item", "person", "field", "value", "end")
_BEGINS: Mapping[str, re.Pattern[str]] = {
    "ITEM": re.compile(r"(?:s|st|ste|step\s*)?(?:[a-z]\d*)?$", re.IGNORECASE),
    "RANGE": re.compile(r"[a-z](\d+[.…]*\s?([a-z]\d*)?)?$", re.IGNORECASE),
    "ANSWER": re.compile(r"q\d*\s*(:|$)", re.IGNORECASE),
    "QUOTED": re.compile(r"[\"“„«]"),
    "PERSON": re.compile("@"),
    "SECTION": re.compile(r"s(e(c(t(i(on?(\s+[\w-]*)?)?)?)?)?)?$", re.IGNORECASE),
    "TAG": re.compile(r"[+-]"),
    "COUNTRY": re.compile(r"[a-z]{1,2}(-\w*)?$", re.IGNORECASE),
    "VERSION": re.compile(r"v?\d*$", re.IGNORECASE),
}
"""How texts begin; what begins otherwise is none of them."""
_MARKED = frozenset(HINTS[terminal] for terminal in _BEGINS)
_PLAIN = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Completion:
    """Something that may come next."""

    text: str
    """What it puts in place of the text from ``start`` to the cursor; "" for a value that a person types."""
    hint: str
    """A step's title, or what kind of value stands here: ``a date, such as 3 May``."""
    kind: Kind
    start: int
    """Index in the text before the cursor."""


def complete(before: str, plan: Plan, today: date) -> tuple[Completion, ...]:
    """Return what may come next at the cursor, behind a text that begins a command, or goes on with what it ends in.

    >>> [one.text for one in complete("S3 ow", plan, date(2026, 11, 29))]
    ['owned by', 'owner']
    """
    cut = before.find("\n", len(before) - MOST_BEFORE) + 1 if len(before) > MOST_BEFORE else 0
    reader, offers = Reader(before[cut:], today, explains=False), _Offers(plan, cut)
    parser = grammar().begin()
    earlier: Parser | None = None
    lists: list[Parser] = []
    previous: Word | None = None
    last = ""
    try:
        while True:
            word = reader.word(parser, previous)
            if word is not None:
                earlier = parser.copy()
                reader.feed(parser, word)
                offers.note(word)
                last = word.type
            elif separator := reader.skip_separator():
                is_end = reader.at == len(reader.text)
                lists = _going_on(parser) if is_end and separator.strip() == "," else []
                earlier, last = (earlier, last) if is_end else (None, "")
                parser = grammar().begin("command" if re.search(r"[;\n.!]", separator) else "continued")
            else:
                break
            previous = word
    except Misread:
        pass
    typed, rest = reader.text[reader.last :], reader.text[reader.at :]
    longer = [
        one
        for one in (offers.of(earlier, typed, reader.last) if earlier else ())
        if one.text != typed and (one.kind != "value" or one.hint in {HINTS.get(last), *_MARKED})
    ]
    next_ones = [one for other in lists for one in offers.of(other, rest, reader.at)]
    next_ones += offers.of(parser, rest, reader.at)
    if last in LOOSE and not rest:  # the last of a few words may begin what comes behind them
        begin = reader.text.rfind(" ") + 1
        next_ones += [one for one in offers.of(parser, reader.text[begin:], begin) if one.kind == "keyword"]
    is_open = typed == typed.rstrip()
    return tuple(dict.fromkeys([*longer, *next_ones] if is_open else [*next_ones, *longer]))


def _going_on(parser: Parser) -> list[Parser]:
    """Return parsers behind the comma of a list that may go on."""
    found = []
    for symbol in sorted(name for name in parser.accepts() if name.startswith("_ALSO")):
        other = parser.copy()
        if other.feed(Word(symbol, ",", 0, 0)):
            found.append(other)
    return found


class _Offers:
    """What a plan has to offer."""

    def __init__(self, plan: Plan, cut: int) -> None:
        self._plan = plan
        self._cut = cut
        self._kind: type[Item] | None = None
        """Of the item that was named last."""

    def note(self, token: Word) -> None:
        """Remember which kind of item is spoken of."""
        if token.type == "ITEM":
            name = token.text.upper()
            self._kind = next((type(item) for item in self._plan.items if item.id == name), None)

    def of(self, parser: Parser, typed: str, at: int) -> list[Completion]:
        """Return what a parser accepts that begins with what is typed, keywords first."""
        found = (one for terminal in sorted(parser.accepts()) for one in self._of(terminal, typed, at + self._cut))
        return sorted(
            dict.fromkeys(found), key=lambda one: (_ORDER.index(one.kind), one.kind == "keyword" and one.text)
        )

    def _of(self, terminal: str, typed: str, start: int) -> Iterator[Completion]:
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

    def _items(self, typed: str, start: int) -> Iterator[Completion]:
        wanted = typed.casefold()
        fits = (
            Completion(item.id, words_of(item), "item", start)
            for item in self._plan.items
            if item.id.casefold().startswith(wanted) or (len(wanted) > 1 and wanted in words_of(item).casefold())
        )
        yield from (one for _, one in zip(range(MOST_OFFERED), fits, strict=False))


def _beginning(known: Iterable[str], typed: str, kind: Kind, start: int) -> list[Completion]:
    fits = dict.fromkeys(text for text in known if text.casefold().startswith(typed.casefold()))
    return [Completion(text, "", kind, start) for text in list(fits)[:MOST_OFFERED]]
