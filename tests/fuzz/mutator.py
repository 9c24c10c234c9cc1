"""Mutations of files: the same for the same seed, some of them behind checksums that their caller seals again.

damage(bytes)        flips, cuts, insertions, lines doubled and swapped, NULs, BOM, CRLF, nothing at all
change_json(bytes)   a value of another type, removed, doubled or out of any range; a key that is none
edit(bytes)          the same for words, numbers and quoted texts of TOML, Markdown and lines of JSON
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

Path = list[str | int]

DEEP = 20_000
"""Brackets: more than any decoder that recurses can open."""
LONG = 300_000
"""Characters of a very long line."""
HUGE = 2_000_000_000_000
"""Bytes that a file claims to hold."""

NUMBERS = (
    *(b"0", b"-1", b"1", b"0.1", b"-0.0", b"10000", b"4294967296", b"9007199254740993", b"9223372036854775807"),
    *(b"18446744073709551616", b"1e308", b"1e-400", b"-1e308", b"5e17"),
)
NO_NUMBERS = (b"1e400", b"-1e400", b"NaN", b"Infinity", b"nan", b"inf", b"-inf", b"0x10", b"01", b"9" * 5000)
TEXTS = (
    *(b'""', b'" "', b'"\\u0000"', b'"\\u001b[2J"', b'"\\ud800"', b'"\\udc00\\ud800"', b'"\xe2\x80\xae"', b'"\\n\\n"'),
    *(b'"../../etc/passwd"', b'"/dev/zero"', b'"9999-99-99"', b'"0000-00-00T00:00:00Z"', b'"a" "b"', b'"-"'),
    *(b'"\\r## Goal"', b'"[red]x[/]"', b'"2026-02-30"', b'"1e400"', b'"NaN"', b'"None"', b'"scripted:/dev/zero"'),
    *(b'"auto 87%"', b'"ansi_blue"', b'"transparent"', b'"#12345678"', b'"rgb(999,-1,3)"', b'"hsl(0,0%,0%) 20%"'),
    b'"#fff 20%"',
    b'"' + b"\xcc\x81" * 200 + b'"',
)
NO_TEXTS = (b'"\xff\xfe"', b'"\x00"', b'"\x1b]0;x\x07"', b"'", b'"', b'"""', b"\\", b"\xed\xa0\x80")
OTHERS = (b"null", b"true", b"false", b"[]", b"{}", b"[[]]", b'{"":{}}', b"[null]", b"{}{}", b"1979-05-27", b"07:32:00")
WORDS = (b"=", b"[", b"]", b"[[", b"{", b",", b"#", b"##", b"- ", b"\n", b"\r\n", b"\t", b"a.b.c", b"[a]", b"\xc2\x85")


class Mutator:
    """Draws mutations from one seed."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def chance(self, share: float) -> bool:
        """Draw true in this share of the cases."""
        return self.random.random() < share

    # bytes

    def damage(self, data: bytes) -> bytes:
        """Return bytes that are damaged in one to four places."""
        for _ in range(self.random.choice((1, 1, 2, 4))):
            data = self.random.choice(_DAMAGES)(self.random, data)
        return data

    def edited(self, data: bytes, damaged: float) -> bytes:
        """Return an edited text; in this share of the cases, damaged bytes."""
        return self.damage(data) if self.chance(damaged) else self.edit(data)

    def changed(self, data: bytes, damaged: float) -> bytes:
        """Return changed JSON; in this share of the cases, damaged bytes."""
        return self.damage(data) if self.chance(damaged) else self.change_json(data)

    # words, numbers and quoted texts

    def edit(self, data: bytes) -> bytes:
        """Return a text with one to four of its words, numbers or quoted texts replaced."""
        for _ in range(self.random.choice((1, 1, 2, 4))):
            tokens = list(_TOKEN.finditer(data))
            if not tokens:
                return self.damage(data)
            start, end = self.random.choice(tokens).span()
            other = self.random.choice(tokens)[0] if self.chance(0.2) else self.odd(WORDS)
            data = data[:start] + other + data[end:]
        return data

    def odd(self, *more: tuple[bytes, ...]) -> bytes:
        """Return a value that few readers expect, as it stands in a file."""
        if self.chance(0.03):
            return self.random.choice(
                (b"[" * DEEP + b"]" * DEEP, b'{"a":' * DEEP + b"1" + b"}" * DEEP, b'"' + b"x" * LONG + b'"', b"[" * 900)
            )
        return self.random.choice(self.random.choice((NUMBERS, NO_NUMBERS, TEXTS, NO_TEXTS, OTHERS, *more)))

    # JSON

    def change_json(self, data: bytes) -> bytes:
        """Return JSON with one to three of its values or keys changed; what is no JSON is damaged."""
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):  # mutated before
            return self.damage(data)
        raw: list[bytes] = []

        def marked(text: bytes) -> str:
            raw.append(text)
            return f"\ue000{len(raw) - 1}\ue000"

        for _ in range(self.random.choice((1, 1, 2, 3))):
            value = self._changed(value, marked)
        encoded = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")
        for number, text in enumerate(raw):
            encoded = encoded.replace(f'"\ue000{number}\ue000"'.encode(), text)
        return encoded

    def _changed(self, value: Any, marked: Callable[[bytes], str]) -> Any:
        places = list(_places(value, []))
        path = self.random.choice(places)
        if not path:
            return marked(self.odd()) if self.chance(0.3) else value
        *above, last = path
        holder = value
        for part in above:
            holder = holder[part]
        before = holder[last]
        match self.random.randrange(10):
            case 0 | 1:
                holder[last] = marked(self.odd())
            case 2:
                holder[last] = self._of_another_type(before)
            case 3:
                del holder[last]
            case 4 if isinstance(holder, dict):
                holder[marked(json.dumps(last).encode())] = self._of_another_type(before)  # the same key once more
            case 4:
                holder[int(last) :] = [before] * self.random.choice((2, 50))
            case 5 if isinstance(holder, dict):
                holder[marked(self.random.choice((b"1", b"null", b'"\\ud800"', b"[]", b'""')))] = holder.pop(last)
            case 5:
                holder.reverse()
            case 6 | 7:
                holder[last] = _scalar(value, self.random.choice(places))  # an id, a time, a number from another place
            case _:
                holder[last] = self._near(before)
        return value

    def _of_another_type(self, value: Any) -> Any:
        others = [
            other for other in ("text", 7, -1, 1.5, None, True, [value], {"a": value}) if type(other) is not type(value)
        ]
        return self.random.choice(others)

    def _near(self, value: Any) -> Any:
        if isinstance(value, bool):
            return not value
        if isinstance(value, int | float):
            return self.random.choice((value + 1, value - 1, -value, value * 10**6, float(value)))
        if isinstance(value, str):
            return self.random.choice(
                ("", value[:-1], value + "x", value * 2, value.upper(), "\x1b" + value, "x" * 5000)
            )
        return self.random.choice(([], {}, None))


_TOKEN = re.compile(rb'"[^"\n]*"|[\w.:+-]+|[^\s\w]')


def _places(value: Any, path: Path) -> Any:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, [*path, key])
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _places(item, [*path, number])


def _scalar(value: Any, path: Path) -> Any:
    """Return what stands at a place; None for lists and objects, which could come to hold themselves."""
    for part in path:
        try:
            value = value[part]
        except (LookupError, TypeError):  # changed since the places were listed
            return None
    return None if isinstance(value, dict | list) else value


def _place(draw: random.Random, data: bytes) -> int:
    return draw.randrange(len(data) + 1)


def _flip(draw: random.Random, data: bytes) -> bytes:
    at = _place(draw, data)
    return data[:at] + bytes(byte ^ (1 << draw.randrange(8)) for byte in data[at : at + 1]) + data[at + 1 :]


def _cut(draw: random.Random, data: bytes) -> bytes:
    return data[: _place(draw, data)]


def _leave_out(draw: random.Random, data: bytes) -> bytes:
    at = _place(draw, data)
    return data[:at] + data[at + draw.choice((1, 3, 30, 300)) :]


def _insert(draw: random.Random, data: bytes) -> bytes:
    at = _place(draw, data)
    odd = draw.choice(draw.choice((NUMBERS, NO_NUMBERS, TEXTS, NO_TEXTS, OTHERS, WORDS)))
    return data[:at] + odd + data[at:]


def _lines(change: Callable[[random.Random, list[bytes]], object]) -> Callable[[random.Random, bytes], bytes]:
    def changed(draw: random.Random, data: bytes) -> bytes:
        lines = data.split(b"\n")
        change(draw, lines)
        return b"\n".join(lines)

    return changed


def _double(draw: random.Random, lines: list[bytes]) -> None:
    at = draw.randrange(len(lines))
    lines[at:at] = [lines[at]] * draw.choice((1, 1, 20))


def _swap(draw: random.Random, lines: list[bytes]) -> None:
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _lose(draw: random.Random, lines: list[bytes]) -> None:
    del lines[draw.randrange(len(lines))]


_DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    *(_flip, _flip, _cut, _leave_out, _insert, _insert, _lines(_double), _lines(_swap), _lines(_lose)),
    lambda draw, _data: draw.choice((b"", b"\n", b"\n" * 1000, b"\x00" * 100, b"\xff", b"{}", b"[]", b"\xef\xbb\xbf")),
    lambda _draw, data: b"\xef\xbb\xbf" + data,
    lambda _draw, data: data.replace(b"\n", b"\r\n"),
    lambda _draw, data: data.replace(b"\n", b""),
    lambda draw, data: data + draw.choice((b"\x00" * 512, b"\n" * 500, b"x" * LONG, b"{" * DEEP)),
    lambda draw, data: data[::-1] if draw.random() < 0.1 else data,
)
