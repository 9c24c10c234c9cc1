"""The grammar of commands, loaded when the first one is read, and how each of its terminals is matched.

commands.lark ─▶ lark (LALR) ─▶ tables of states ─▶ which terminals a state accepts ─▶ reader.py, completion.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from workbench.domain.plan.markdown.fields import FIELDS as WRITTEN_BELOW
from workbench.domain.plan.markdown.fields import OTHER_LABELS, Field
from workbench.domain.plan.markdown.grammar import PRIORITIES
from workbench.domain.plan.plan import Bullet, Item
from workbench.domain.plan.spoken import READERS

if TYPE_CHECKING:  # loaded with the grammar
    from lark import Lark

_MOSCOW = Field(
    "Priority", "priority", lambda value: value or "", lambda text: text if text in PRIORITIES else None,
    choices=tuple(PRIORITIES),
)  # fmt: skip
Parser = Any
"""lark's interactive parser, which has no types: a parser in the middle of a command."""
FIELDS: Mapping[type[Item], Mapping[str, Field]] = {
    **WRITTEN_BELOW, Bullet: {**WRITTEN_BELOW[Bullet], "Priority": _MOSCOW},
}  # fmt: skip
"""The fields of each kind of item, by label; Markdown writes the priority of a bullet before its text."""
LOOSE = ("NAME", "WORD", "REST", "PHRASE", "BESIDE")
"""Texts without a mark of their own: read if nothing else fits."""
NAMED_KEYWORDS = ("MINE", "ALL", "PASSING_NEEDS")
"""Keywords that say something themselves."""
_IN_VALUES = frozenset("after all at before day days first for from goal hours in late on to until working".split())  # noqa: SIM905 – a list of words
"""First words of keywords that a value may hold, too."""

HINTS: Mapping[str, str] = {
    "FIELD": "a field",
    "ATTRIBUTE": "a field",
    "DAY": "a date, such as 3 May",
    "PAST": "a date up to today, such as last Tue",
    "PERIOD": "days, such as 3-14 May",
    "EVERY": "days that come again, such as every Mon",
    "WEEKDAYS": "weekdays, such as Mon-Thu",
    "CLOCK": "a time, such as 13:00",
    "SPAN": "a length of time, such as 2w",
    "DELAY": "a delay, such as 2w late",
    "WORK": "an effort, such as 2d or 1-2-4d",
    "MONEY": "an amount with its currency, such as 7,900 EUR",
    "SHARE": "a share, such as 40%",
    "COUNT": "a count, such as 5 of 8",
    "RATE": "hours, such as 8/week",
    "ITEM": "an item, such as S3",
    "RANGE": "items, such as S3..S9",
    "QUOTED": "a text in quotes",
    "PERSON": "a person, such as @Anna",
    "NAME": "a name",
    "SECTION": "a section, such as section risks",
    "TAG": "a tag, such as +print",
    "WORD": "a word",
    "BESIDE": "a word about it",
    "REST": "a value",
    "PHRASE": "a few words",
    "ANSWER": "an answer, such as Q2: next week",
    "KIND": "a kind of item",
    "COUNTRY": "a country, such as DE-BY",
    "VERSION": "a version, such as v3",
}
"""What a terminal is, in words."""


class Word(Struct, frozen=True):
    """A word as the grammar takes it: a keyword, a text or a value."""

    type: str
    """Its terminal."""
    text: str
    start: int
    """Index of its first character in what was given."""
    end: int
    value: Any = None
    """What it is, where it is a date, an amount or the like."""
    is_keyword: bool = False
    """Whether it only says what the others are."""


class Said:
    """A part of a command: the rule that it fits, with its words and further parts; keywords are left out."""

    def __init__(self, rule: str, children: list[Word | Said]) -> None:
        self.rule = str(rule)
        self.children = children
        """All that it is made of, keywords too; the parser takes them from here."""
        self.start: int = children[0].start if children else -1
        """Index of its first character in what was given; -1 if it is nothing."""
        self.end: int = children[-1].end if children else -1

    @property
    def words(self) -> list[Word]:
        """The words of this part alone."""
        return [child for child in self.children if isinstance(child, Word) and not child.is_keyword]

    @property
    def parts(self) -> list[Said]:
        """The parts that are made of words, too."""
        return [child for child in self.children if isinstance(child, Said)]

    def value(self, at: int = 0) -> Any:
        """Return what one of the words is."""
        return self.words[at].value

    def all_words(self) -> list[Word]:
        """Return the words of all parts, too."""
        return [*self.words, *(word for part in self.parts for word in part.all_words())]


def spoken(said: Word | Said) -> str:
    """Return a part of a command in a person's words, one blank between two."""
    return said.text if isinstance(said, Word) else " ".join(map(spoken, said.children))


class Accepted(Struct, frozen=True):
    """Terminals of the grammar that may come next, in the order in which they are tried."""

    exact: tuple[tuple[str, re.Pattern[str]], ...]
    """Terminals with a form of their own, such as keywords and ids."""
    values: tuple[str, ...]
    """Terminals that a reader of values takes, such as dates and sums."""
    loose: tuple[tuple[str, re.Pattern[str]], ...]
    """Terminals that take any words; see ``LOOSE``."""
    field: str
    """FIELD where a field is called by its label, ATTRIBUTE where by any name; "" if there is none."""


def takes_word(parser: Parser, word: Word) -> bool:
    """Let a parser continue with a word; return whether it may be there."""
    from lark.exceptions import UnexpectedInput

    try:
        parser.feed_token(word)
    except UnexpectedInput:
        return False
    return True


def ended(parser: Parser) -> Said | None:
    """Return the whole command; None if more is needed."""
    from lark.exceptions import UnexpectedInput

    try:
        said: Said = copied(parser).feed_eof()
    except UnexpectedInput:
        return None
    return said


def copied(parser: Parser) -> Parser:
    """Return a parser in the same state."""
    copy: Parser = parser.copy(deepcopy_values=False)
    return copy


class Grammar:
    """The parser's tables, with a pattern for each terminal that has one."""

    def __init__(self) -> None:
        from lark import Lark
        from lark.lexer import Lexer

        class NoLexer(Lexer):
            """Words are cut by ``reader.py``, which knows what the parser accepts."""

            def __init__(self, _conf: object) -> None: ...

            def lex(self, _state: object, _parser_state: object = None) -> Iterator[Any]:
                yield from ()

        self.lark: Lark = Lark.open_from_package(
            __package__, "commands.lark", ("",), parser="lalr", lexer=NoLexer, start=["command", "continued", "suffix"],
            maybe_placeholders=False, tree_class=Said, keep_all_tokens=True,
        )  # fmt: skip
        strings = {terminal.name: terminal.pattern.value for terminal in self.lark.terminals
            if terminal.pattern.type == "str"}  # fmt: skip
        self.keywords: Mapping[str, str] = strings
        """What a person writes, by terminal."""
        self.patterns = {
            terminal.name: _compiled(strings.get(terminal.name), terminal.pattern.to_regexp())
            for terminal in self.lark.terminals
        }
        self.unsaid = frozenset(
            name for name in self.patterns if name.startswith("_") or (name in strings and name not in NAMED_KEYWORDS)
        )
        """Terminals that only say what the others are."""
        self._accepted: dict[int, Accepted] = {}

    def begin(self, start: str = "command") -> Parser:
        """Return a parser at the beginning of a command."""
        return self.lark.parse_interactive(start=start)

    def accepted(self, parser: Parser) -> Accepted:
        """Return the terminals that a parser's state lists: what may come next, and some that it refuses then."""
        position: int = parser.parser_state.position
        if position not in self._accepted:
            names = [name for name in parser.choices() if name.isupper()]
            self._accepted[position] = Accepted(
                tuple((name, self.patterns[name]) for name in names if name in self.patterns and name not in LOOSE),
                tuple(name for name in READERS if name in names),
                tuple((name, self.patterns[name]) for name in LOOSE if name in names),
                next((name for name in ("FIELD", "ATTRIBUTE") if name in names), ""),
            )
        return self._accepted[position]

    @cached_property
    def cut(self) -> re.Pattern[str]:
        """What ends the stretch in which a value is looked for: a mark, or a word that begins another part."""
        words = {words.split()[0] for words in self.keywords.values()} - _IN_VALUES
        return re.compile(rf"[;\n\"“„«@]|\s\+|(?<!\w)(?:{'|'.join(sorted(words))})(?!\w)", re.IGNORECASE)


def _compiled(keyword: str | None, pattern: str) -> re.Pattern[str]:
    if keyword is None:
        return re.compile(pattern, re.IGNORECASE)
    return re.compile(r"\s+".join(map(re.escape, keyword.split())) + r"(?!\w)", re.IGNORECASE)


@cache
def grammar() -> Grammar:
    """Return the grammar, built once for each process."""
    return Grammar()


def field_called(kind: type[Item], name: str) -> Field | None:
    """Return a kind's field by what a person calls it, in small letters: its label, its attribute, another label."""
    others = {other.lower(): label.lower() for other, label in OTHER_LABELS.get(kind, {}).items()}
    for field in FIELDS[kind].values():
        labels = {field.label.lower(), *(one.replace("_", " ") for one in field.names)}
        if name in labels or others.get(name) == field.label.lower():
            return field
    return None


@cache
def field_pattern(terminal: str) -> re.Pattern[str]:
    """Return what the fields of items are called: by label, and as an ATTRIBUTE by what they are in JSON, too."""
    known = {label for labels in (*FIELDS.values(), *OTHER_LABELS.values()) for label in labels}
    if terminal == "ATTRIBUTE":
        names = {name for fields in FIELDS.values() for field in fields.values() for name in field.names}
        known |= {"text", "title", *names}
    words = sorted(known, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})(?!\w)".replace("\\ ", r"[\s_]+"), re.IGNORECASE)
