"""JSON as language models write it: objects and lists found in a text, and read also if they are not quite JSON.

    text ─▶ each place where one begins ─┬ it is JSON ─▶ read as it is
                                         └ it is not ─▶ comments, trailing commas, single quotes, bare words, raw
                                                        newlines, quotes within strings, ends that are missing

The time grows with the length of the text alone, whatever it holds: a reply may be hostile. Libraries that repair JSON
take half a minute for 20,000 quotation marks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from workbench.domain.text.patterns import lazy_pattern

DEEPEST = 100
"""Levels of objects and lists within each other."""
MOST_VALUES = 20_000
"""Objects and lists of one text that are read, the first ones."""
_MOST_FAILURES = 20
"""After so many beginnings that are not JSON, nothing more of a text is tried as such: to say where JSON ends, Python
counts the lines from the beginning of the text each time."""

_OPENING = lazy_pattern(r"[{\[]")
_SPACE = lazy_pattern(r"\s*")
_COMMENT = lazy_pattern(r"//[^\n]*|#[^\n]*|/\*")
_STOPS = {quote: lazy_pattern(rf"[{quote}\\]") for quote in "\"'”"}
_CLOSING_QUOTES = {'"': '"', "'": "'", "“": "”"}
_BARE_KEY = lazy_pattern(r"[^\s:{}\[\],\"'“]+")
_BARE_VALUE = lazy_pattern(r"[^,\]}\n]*")
_STARTS_A_VALUE = lazy_pattern(r"[\"'“{}\[\]\d/#-]|(?:true|false|null|True|False|None)\b|\w+\s{0,9}:|\Z")
_HEXADECIMAL = lazy_pattern(r"([0-9a-fA-F]{4})(?:\\u([0-9a-fA-F]{4}))?")
_WORDS = {"true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class TooDeep(ValueError):
    """Objects and lists stand deeper within each other than anybody needs."""


class LooseValue(NamedTuple):
    """An object or a list within a text."""

    value: dict[str, Any] | list[Any]
    is_mended: bool = False
    """Whether it was not JSON as it was."""
    is_cut: bool = False
    """Whether the text ends within it; a string that is cut off ends in an ellipsis."""


def json_values(text: str) -> Iterator[LooseValue]:
    """Yield the objects and lists that a text holds, one after the other; empty ones too. Raises TooDeep."""
    at = failures = 0
    for _ in range(MOST_VALUES):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        loose = _strict_value(text, opening.start()) if failures < _MOST_FAILURES else None
        if loose is None:
            failures += 1
            reader = _Reader(text, opening.start())
            value = reader.container(0)
            loose = LooseValue(value, is_mended=True, is_cut=reader.is_cut), reader.at
        yield loose[0]
        at = loose[1]


_STRICT = json.JSONDecoder(strict=False, parse_constant=lambda _name: None)


def _strict_value(text: str, at: int) -> tuple[LooseValue, int] | None:
    """Return the JSON that begins at a place, and where it ends; None if it is not JSON. Raises TooDeep."""
    try:
        value, end = _STRICT.raw_decode(text, at)
    except RecursionError as error:
        raise TooDeep from error
    except ValueError:  # no JSON, or a number that Python refuses to read
        return None
    _check_depth(value)
    return LooseValue(value), end


def _check_depth(value: dict[str, Any] | list[Any]) -> None:
    """Raise TooDeep where the reader would: whatever room the caller has left on the stack."""
    level, depth = [value], 0
    while level:
        if depth > DEEPEST:
            raise TooDeep
        parts = (part for one in level for part in (one.values() if isinstance(one, dict) else one))
        level, depth = [part for part in parts if isinstance(part, dict | list)], depth + 1


class _Reader:
    """Reads one object or list, whatever it looks like; always goes forward."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self.at = at
        self.is_cut = False

    def container(self, depth: int) -> dict[str, Any] | list[Any]:
        """Read the object or list that begins here."""
        if depth > DEEPEST:
            raise TooDeep
        opening = self._text[self.at]
        self.at += 1
        return self._object(depth) if opening == "{" else self._list(depth)

    def _object(self, depth: int) -> dict[str, Any] | list[Any]:
        read: dict[str, Any] = {}
        while (sign := self._next()) != "":
            if sign in "}]":
                self.at += sign == "}"  # a list around it is closed there, too
                return read
            if sign in "{[":  # a brace of the prose before it, or a value without a name
                inner = self.container(depth + 1)
                if not read:
                    return inner
                continue
            key = self._key(sign)
            if key is None:
                self.at += 1
                continue
            if self._next() == ":":
                self.at += 1
                read[key] = self._value(depth)
        self.is_cut = True
        return read

    def _list(self, depth: int) -> list[Any]:
        read: list[Any] = []
        while (sign := self._next()) != "":
            if sign in "]}":
                self.at += sign == "]"
                return read
            if sign == ":":
                self.at += 1
                continue
            value = self._value(depth)
            if value != "" or sign in _CLOSING_QUOTES:
                read.append(value)
        self.is_cut = True
        return read

    def _key(self, sign: str) -> str | None:
        if sign in _CLOSING_QUOTES:
            return self._string(sign, is_key=True)
        bare = _BARE_KEY.match(self._text, self.at)
        if bare is None:
            return None
        self.at = bare.end()
        return bare[0]

    def _value(self, depth: int) -> Any:
        sign = self._next(commas=False)
        if sign in ("{", "["):
            return self.container(depth + 1)
        if sign in _CLOSING_QUOTES:
            return self._string(sign)
        bare = _BARE_VALUE.match(self._text, self.at)
        self.at = bare.end() if bare is not None else self.at
        return _unquoted_value("" if bare is None else bare[0])

    def _next(self, *, commas: bool = True) -> str:
        """Return the next sign that means something, and are before it; "" at the end of the text."""
        while True:
            space = _SPACE.match(self._text, self.at)
            self.at = space.end() if space is not None else self.at
            sign = self._text[self.at : self.at + 1]
            comment = _COMMENT.match(self._text, self.at) if sign in ("/", "#") else None
            if comment is not None:
                end = self._text.find("*/", comment.end()) + 2 if comment[0] == "/*" else comment.end()
                self.at = end if end > 1 else len(self._text)
            elif sign == "," and commas:
                self.at += 1
            else:
                return sign

    def _string(self, quote: str, *, is_key: bool = False) -> str:
        closing = _CLOSING_QUOTES[quote]
        parts: list[str] = []
        at = self.at + 1
        while (stop := _STOPS[closing].search(self._text, at)) is not None:
            parts.append(self._text[at : stop.start()])
            at = stop.end()
            if stop[0] == "\\":
                sign, at = self._escaped(at)
                parts.append(sign)
            elif self._ends_string(at, is_key=is_key):
                self.at = at
                return "".join(parts)
            else:
                parts.append(stop[0])
        self.at = len(self._text)
        self.is_cut = True
        return "".join([*parts, self._text[at:], "…"])

    def _escaped(self, at: int) -> tuple[str, int]:
        sign = self._text[at : at + 1]
        if sign != "u":
            return _ESCAPES.get(sign, sign), at + 1
        code = _HEXADECIMAL.match(self._text, at + 1)
        if code is None:
            return "u", at + 1
        high, low = int(code[1], 16), int(code[2] or "0", 16)
        if 0xD800 <= high < 0xDC00 <= low < 0xE000:
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), code.end()
        return chr(high), at + 5

    def _ends_string(self, at: int, *, is_key: bool) -> bool:
        """Tell whether the quotation mark before a place ends its string: else it is a part of it."""
        space = _SPACE.match(self._text, at)
        after = space.end() if space is not None else at
        sign = self._text[after : after + 1]
        if is_key:
            return sign in (":", "", "}", ",")
        if sign == ",":
            space = _SPACE.match(self._text, after + 1)
            return _STARTS_A_VALUE.match(self._text, space.end() if space is not None else after) is not None
        if sign in ("", "}", "]"):
            return True
        is_new_line = "\n" in self._text[at:after]
        return sign in ("/", "#") or (is_new_line and sign in _CLOSING_QUOTES)


def _unquoted_value(text: str) -> Any:
    """Return what a value without quotation marks says."""
    word = text.partition(" //")[0].partition(" /*")[0].strip()
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    try:
        return int(word) if word.lstrip("-").isdecimal() else float(word)
    except ValueError:
        return "" if not word.strip(".…") else word
