r"""A key that cannot be shown by accident, and the removal of keys from other people's words.

A server may send a key back, in an error say, or because a model repeats what it reads. So texts are compared by their
letters and digits alone, without case, once ``%73`` and ``\u0073`` are decoded: that finds the key with spaces,
hyphens, newlines or invisible characters in it. Any part that is nearly all of the key is found as well, and so is the
key in hexadecimal and in Base64, there also within a longer text that was encoded as a whole (``Authorization: Basic
…``). In other spellings it is not found: who has the key and wants to spread it needs no reply of ours for that.
"""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import msgspec

from workbench.domain.text.patterns import lazy_pattern
from workbench.models.ports import Done, Noted, Part, Retried, TextDelta, Thought, ToolCall

HIDDEN = "[key]"

_LOOKS_LIKE_A_KEY = lazy_pattern(
    r"\b(?:sk|pk|rk|xai|gsk)-[\w*.-]{6,}"  # OpenAI, Anthropic and their kin, also where a provider masked the middle
    r"|\bAIza[\w-]{10,}"  # Google
    r"|(?i:\bbearer\s+)[\w.~+/=-]{6,}"
)
_UNITS = lazy_pattern(
    r"%(?P<percent>[0-9a-f]{2})|\\u00(?P<json>[0-9a-f]{2})"
    r"|\\[nrtbf]|⟨[^⟨⟩]{1,20}⟩"  # ends of lines in JSON, and what domain/text/cleaning.py made visible
    r"|[^\W_]",
    re.IGNORECASE,
)
_BEGUN_UNIT = lazy_pattern(r"(?:%[0-9a-f]?|\\(?:u0{0,2}[0-9a-f]?)?|⟨[^⟨⟩]{0,20})\Z", re.IGNORECASE)
_SHORTEST = 8
"""Letters and digits of a key that is looked for in replies, and of the part of one that is hidden at their end."""
_SHORTEST_WORD = 20
"""The same of a key without digits: a shorter one is a placeholder like ``lm-studio``."""
_SHORTEST_PART = 12
"""Letters and digits of a part of a key that is looked for, if that is three quarters of the key."""
_LONGEST_HELD = 2_000
"""Characters that a stream is held back at most until it is known whether they belong to the key."""


class Secret:
    """A key. Its text, representation and pickle never hold it; only ``reveal`` does."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key, for the one place that sends it."""
        return self._value

    def scrub(self, text: str) -> str:
        """Return text without this key and without anything that looks like a key: for a server's messages."""
        if len(self._value) >= 4:  # a shorter placeholder is no secret, and would tear words apart
            text = text.replace(self._value, HIDDEN)
        return _LOOKS_LIKE_A_KEY.sub(HIDDEN, self.redact(text))

    def redact(self, text: str) -> str:
        """Return text without this key in any form: for replies. What else looks like a key stays."""
        stream = KeyRedactor(self)
        return stream.feed(text) + stream.finish()

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The letters and digits of each form of the key, lower-case; none of a placeholder such as ``none``."""
        letters = _letters(self._value)
        if not _is_telling(letters, _SHORTEST):
            return ()
        return tuple(dict.fromkeys((letters, *_parts(letters), *_spellings(self._value))))

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """What each form may begin with, without the whole forms."""
        return frozenset(form[:length] for form in self.forms for length in range(1, len(form)))

    @cached_property
    def longest(self) -> int:
        """Letters and digits of the longest form."""
        return max(map(len, self.forms), default=0)

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    def __reduce__(self) -> tuple[type[Secret], tuple[str]]:
        return Secret, ("",)


async def without_key(parts: AsyncIterator[Part], key: Secret) -> AsyncIterator[Part]:
    """Yield the parts of an answer without the key, also if it is split over several. Raises what they raise."""
    stream, thoughts = KeyRedactor(key), KeyRedactor(key)
    try:
        async for part in parts:
            if isinstance(part, TextDelta):
                if text := stream.feed(part.text):
                    yield TextDelta(text)
                continue
            if isinstance(part, Thought) and not part.takes_back:
                if text := thoughts.feed(part.text):
                    yield Thought(text)
                continue
            if text := stream.finish():
                yield TextDelta(text)
            if text := thoughts.finish():
                yield Thought(text)
            yield _redacted(part, key)
    except Exception:
        if text := stream.finish():  # what arrived before an error is kept
            yield TextDelta(text)
        raise


class KeyRedactor:
    """Hides a key in text that arrives in pieces. What may be the beginning of the key is held back."""

    def __init__(self, key: Secret) -> None:
        self._key = key
        self._held = ""

    def feed(self, piece: str) -> str:
        """Return the text that is certain after one more piece."""
        if not self._key.forms:
            return piece
        text = self._held + piece
        reading = _reading(text)
        spans = _merge_spans(reading.spans(self._key.forms))
        end = reading.begun(self._key.beginnings, self._key.longest)
        end = next((start for start, last in spans if start < end < last), end)  # a form may continue into another one
        end = len(text) if len(text) - end > _LONGEST_HELD else end
        self._held = text[end:]
        return _cut_spans(text[:end], [span for span in spans if span[1] <= end])

    def finish(self) -> str:
        """Return the rest. The beginning of a key, as of a text that was cut off, is hidden as well."""
        rest, self._held = self._held, ""
        reading = _reading(rest)
        spans = reading.spans(self._key.forms)
        start = reading.begun(self._key.beginnings, self._key.longest)
        count = bisect_right(reading.places, start, key=lambda place: place[1])
        held = reading.letters[count : count + _SHORTEST]
        if len(held) == _SHORTEST and held in self._key.beginnings:
            spans.append((start, len(rest)))
        return _cut_spans(rest, _merge_spans(spans))


class _Reading(NamedTuple):
    """The letters and digits of a text, lower-case, each with where it begins and ends there."""

    text: str
    letters: str
    places: list[tuple[int, int]]

    def spans(self, forms: tuple[str, ...]) -> list[tuple[int, int]]:
        """Return where forms of the key begin and end in the text."""
        found: list[tuple[int, int]] = []
        for form in forms:
            at = self.letters.find(form)
            while at >= 0:
                found.append((self.places[at][0], self.places[at + len(form) - 1][1]))
                at = self.letters.find(form, at + len(form))
        return found

    def begun(self, beginnings: frozenset[str], longest: int) -> int:
        """Return where the text ends in what may be the beginning of a form; its length if it does not."""
        unit = _BEGUN_UNIT.search(self.text)
        end = len(self.text) if unit is None else unit.start()
        count = bisect_right(self.places, end, key=lambda place: place[1])
        letters = self.letters[:count]
        lengths = range(min(longest, len(letters)), 0, -1)
        length = next((length for length in lengths if letters[-length:] in beginnings), 0)
        return min(end, self.places[count - length][0]) if length else end


def _reading(text: str) -> _Reading:
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    for unit in _UNITS.finditer(text):
        letter = unit[0] if unit.lastgroup is None else chr(int(unit[unit.lastgroup], 16))
        if len(letter) == 1 and letter.isalnum():
            letters.append(letter.lower() if letter.isascii() else letter)
            places.append(unit.span())
    return _Reading(text, "".join(letters), places)


def _merge_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _cut_spans(text: str, spans: list[tuple[int, int]]) -> str:
    kept: list[str] = []
    last = 0
    for start, end in spans:
        kept += [text[last:start], HIDDEN]
        last = end
    return "".join([*kept, text[last:]])


def _redacted(part: Part, key: Secret) -> Part:
    match part:
        case ToolCall(id=call, name=name, arguments=arguments):
            return ToolCall(id=key.redact(call), name=key.redact(name), arguments=key.redact(arguments))
        case Done(model=model):
            return msgspec.structs.replace(part, model=key.redact(model))
        case Retried(reason=reason):
            return msgspec.structs.replace(part, reason=key.scrub(reason))
        case Noted(note=note):
            return Noted(key.scrub(note))
        case Thought(text=text):
            return msgspec.structs.replace(part, text=key.redact(text))
    return part


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isascii() and letter.isalnum()).lower()


def _is_telling(letters: str, shortest: int) -> bool:
    """Tell whether letters are looked for: they are no word."""
    return len(letters) >= (_SHORTEST_WORD if letters.isalpha() else shortest)


def _parts(letters: str) -> Iterator[str]:
    """Yield the parts of a key that are nearly all of it."""
    length = max(_SHORTEST_PART, -(-len(letters) * 3 // 4))
    parts = (letters[start : start + length] for start in range(len(letters) - length + 1))
    return (part for part in parts if _is_telling(part, _SHORTEST_PART))


def _spellings(value: str) -> Iterator[str]:
    data = value.encode(errors="replace")
    yield data.hex()
    for shift in range(3):
        yield _letters(_encoded_within(data, shift))


def _encoded_within(data: bytes, shift: int) -> str:
    """Return data in Base64, ``shift`` bytes into a text, without the letters that depend on its neighbours."""
    whole = base64.b64encode(bytes(shift) + data).decode()
    return whole[-(-shift * 8 // 6) : (shift + len(data)) * 8 // 6]
