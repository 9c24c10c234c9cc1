"""What .gitignore and its relatives leave out: all patterns of a file are matched against a path at once.

    "*.log", "!keep.log", "docs/**/draft?" ─▶ one row of positions, a bit each ─▶ a path is read once, letter by letter

A folder's patterns may be hostile. Regular expressions take the longer the more stars a pattern has, and each pattern
by itself; here a letter costs the same whatever the patterns are (the shift-and method of Baeza-Yates and Gonnet, 1992,
with loops for ``*`` and ``**``). What may be too large to be matched quickly is refused, and never cut: patterns that
are passed over would let be read what they leave out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from workbench.domain.text.patterns import lazy_pattern
from workbench.named_files import read_named_file

MOST_POSITIONS, MOST_RANGES = 20_000, 200
"""Letters, stars and so on of all patterns of a file together; ranges of letters (``[a-z]``) among them."""
MOST_OF_A_PATTERN = 1_000
"""Letters."""
MOST_OF_A_CONFIG = 200_000
"""Bytes of a configuration of Git."""


class TooManyPatterns(ValueError):
    """There are more patterns than can be matched quickly."""


class _Wild(Enum):
    LETTER = "?"
    LETTERS = "*"
    FOLDERS = "**/"
    REST = "**"
    """Behind a slash, at the end."""


class _Set(NamedTuple):
    """One letter of those in some ranges, or not in them."""

    ranges: tuple[tuple[str, str], ...]
    is_negated: bool

    def has(self, letter: str) -> bool:
        return any(low <= letter <= high for low, high in self.ranges) != self.is_negated


_Token = str | _Wild | _Set
_CLASS = lazy_pattern(r"\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\]){0,100}+)\]")
_NAME = lazy_pattern(rf"((?:{_CLASS.pattern}|\\.|[^/])*+)(?:/|$)")
"""The pattern of a name; a slash within a set parts nothing."""
_SEVERAL = lazy_pattern(r"^\*{3,}+$")
_MEMBER = lazy_pattern(r"\[:(\w+):\]|(\\.|[^\\])(?:-(\\.|[^\\]))?")
_NAMED = {
    "alnum": "09AZaz", "alpha": "AZaz", "digit": "09", "lower": "az", "upper": "AZ", "xdigit": "09AFaf",
    "space": "\t\r  ", "blank": "\t\t  ", "punct": "!/:@[`{~", "graph": "!~", "print": " ~", "cntrl": "\0\x1f\x7f\x7f",
}  # fmt: skip
"""First and last letters of the ranges that a set may name."""


class IgnoreRules:
    """The patterns of one file, in Git's language. Raises TooManyPatterns."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.size = 0
        """Positions."""
        self._start = self._ends = self._file_ends = self._negated = 0
        self._slashes = self._letters = self._stars = self._rests = self._folders = 0
        self._fixed: dict[str, int] = {}
        self._sets: dict[_Set, int] = {}
        for pattern in filter(None, map(_parsed, lines)):
            self._add(pattern)
        self._start = self._settled(self._start)
        self._before = ("", self._start)
        self._mask: Callable[[str], int] = lru_cache(1024)(self._mask_of)

    def _add(self, pattern: _Pattern) -> None:
        self._start |= 1 << self.size
        for token in pattern.tokens:
            bit = 1 << self.size
            match token:
                case _Wild.LETTER:
                    self._letters |= bit
                case _Wild.LETTERS:
                    self._stars |= bit
                case _Wild.REST:
                    self._rests |= bit
                case _Wild.FOLDERS:  # its second position is within the name of a folder
                    self._folders |= bit
                    self.size += 1
                case "/":
                    self._slashes |= bit
                case str():
                    self._fixed[token] = self._fixed.get(token, 0) | bit
                case _:
                    self._sets[token] = self._sets.get(token, 0) | bit
            self.size += 1
        if self.size > MOST_POSITIONS or sum(len(one.ranges) for one in self._sets) > MOST_RANGES:
            raise TooManyPatterns
        end = 1 << self.size
        self._ends |= end
        self._file_ends |= 0 if pattern.is_of_folders else end
        self._negated |= end if pattern.is_negated else 0
        self.size += 1

    def says(self, path: str, *, is_folder: bool = False) -> bool | None:
        """Tell whether the last pattern that a path fits leaves it out; None if it fits none.

        The path is below the folder of the file, and no folder above it is left out.
        """
        folder, slash, name = path.rpartition("/")
        above = folder + slash
        known, state = self._before
        if not above.startswith(known):
            known, state = "", self._start
        state = self._after(state, above[len(known) :])
        self._before = (above, state)
        ends = self._after(state, name) & (self._ends if is_folder else self._file_ends)
        return not self._negated >> (ends.bit_length() - 1) & 1 if ends else None

    def _after(self, state: int, text: str) -> int:
        """Return the positions that are reached from some others by a text."""
        loops = self._stars | self._rests | self._folders << 1
        for letter in text:
            if letter == "/":
                in_folders = state >> 1 & self._folders
                state = (state & self._slashes) << 1 | state & self._rests | in_folders
            else:
                state = (state & self._mask(letter)) << 1 | state & loops
            state = self._settled(state)
        return state

    def _settled(self, state: int) -> int:
        """Return positions with those after what may stand for nothing."""
        state |= (state & self._folders) << 2
        return state | (state & (self._stars | self._rests)) << 1

    def _mask_of(self, letter: str) -> int:
        mask = self._fixed.get(letter, 0) | self._letters | self._folders
        for letters, bits in self._sets.items():
            mask |= bits if letters.has(letter) else 0
        return mask


class _Pattern(NamedTuple):
    tokens: list[_Token]
    is_negated: bool
    is_of_folders: bool


def _parsed(line: str) -> _Pattern | None:
    """Return a line as a pattern; None if it is none, and fits nothing."""
    line = re.sub(r"(?<![\\ ]) ++$", "", line.removesuffix("\r"))
    is_negated, line = line.startswith("!"), line.removeprefix("!")
    is_of_folders, line = line.endswith("/"), line.removesuffix("/")
    if not line or line.endswith("/") or (line.startswith("#") and not is_negated):
        return None
    if len(line) > MOST_OF_A_PATTERN:
        raise TooManyPatterns
    *folders, last = (name[1] for name in _NAME.finditer(line, int(line.startswith("/"))) if name[0])
    folders, last = [_SEVERAL.sub("**", name) for name in folders], _SEVERAL.sub("**", last)
    tokens: list[_Token] = [] if "/" in line else [_Wild.FOLDERS]
    try:
        for name in folders:
            if name != "**":
                tokens += [*_tokens(name), "/"]
            elif tokens[-1:] != [_Wild.FOLDERS]:
                tokens.append(_Wild.FOLDERS)
        tokens += [_Wild.LETTER, _Wild.REST] if "/" in line and last == "**" else _tokens(last)
    except ValueError:
        return None
    return _Pattern(tokens, is_negated, is_of_folders)


def _tokens(name: str) -> Iterator[_Token]:
    """Yield what the pattern of a name stands for. Raises ValueError if it stands for nothing."""
    at = 0
    while at < len(name):
        letter = name[at]
        if letter == "[":
            found = _CLASS.match(name, at)
            if found is None:
                raise ValueError(name)
            yield _Set(tuple(_ranges(found[2])), bool(found[1]))
            at = found.end()
            continue
        if letter == "\\":
            at += 1
            yield name[at : at + 1] or _no_pattern(name)
        elif letter == "*":
            if name[at - 1 : at] != "*" or at == 0:
                yield _Wild.LETTERS
        else:
            yield _Wild.LETTER if letter == "?" else letter
        at += 1


def _no_pattern(name: str) -> str:
    raise ValueError(name)


def _ranges(members: str) -> Iterator[tuple[str, str]]:
    for named, first, last in _MEMBER.findall(members):
        if named:
            ends = _NAMED.get(named) or _no_pattern(members)
            yield from zip(ends[::2], ends[1::2], strict=True)
        else:
            yield first[-1], max(first[-1], (last or first)[-1])  # Git takes the first of a range that goes back


def global_ignore_file(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the file in which a person keeps what Git ignores in all of their projects; there may be none.

    It is what ``core.excludesFile`` says in their own configuration. Other files that this includes are not read.
    """
    home = Path(environ.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111  # raises nothing if there is none
    git = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "git"
    named = ""
    chosen = environ.get("GIT_CONFIG_GLOBAL")
    for file in (Path(chosen),) if chosen else (git / "config", home / ".gitconfig"):
        try:
            named = _excludes_file(read_named_file(file, MOST_OF_A_CONFIG).decode(errors="surrogateescape")) or named
        except OSError:
            continue  # there is none, or none that can be read
    if not named:
        return git / "ignore"
    return home / (named.removeprefix("~/") if named.startswith("~/") else os.path.expanduser(named))  # noqa: PTH111


_SECTION = lazy_pattern(r"\[\s*+([\w.-]++)\s*+(\"[^\"]*+\")?\s*+\]\s*+(.*)")
_EXCLUDES = lazy_pattern(r"excludesfile\s*+=\s*+(?:\"([^\"]*+)\"|([^#;]*))", re.IGNORECASE)


def _excludes_file(config: str) -> str:
    """Return what a configuration of Git says of ``core.excludesFile``, last of all; else ""."""
    section, named = "", ""
    for line in map(str.strip, config.splitlines()):
        header = _SECTION.match(line)
        if header is not None:
            section = "" if header[2] else header[1].lower()
        told = _EXCLUDES.match(header[3] if header is not None else line) if section == "core" else None
        named = (told[1] or told[2] or "").strip() if told is not None else named
    return named
