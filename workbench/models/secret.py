r"""A key that cannot be shown by accident, and the removal of keys from other people's words.

A server may send a key back in a form of its own choice. So texts are compared by their letters and digits alone,
without case, once ``%73``, ``\x73``, ``\u0073`` and ``&#115;`` are decoded: that finds the key with spaces, hyphens,
newlines or invisible characters in it. The key is also looked for in hexadecimal and in Base64, there also within a
longer text that was encoded as a whole (``Authorization: Basic …``).
"""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import AsyncIterator
from functools import cached_property
from typing import NamedTuple

import msgspec

from workbench.models.ports import Done, Noted, Part, Retried, TextDelta, Thought, ToolCall

HIDDEN = "[key]"

_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk)-[\w*.-]{6,}"  # OpenAI, Anthropic and their kin, also where a provider masked the middle
    r"|\bAIza[\w-]{10,}"  # Google
    r"|(?i:\bbearer\s+)[\w.~+/=-]{6,}"
)
_UNITS = re.compile(
    r"%(?P<percent>[0-9a-f]{2})|\\x(?P<escape>[0-9a-f]{2})|\\u00(?P<json>[0-9a-f]{2})"
    r"|&#x0{0,4}(?P<entity>[0-9a-f]{2});|&#0{0,4}(?P<decimal>\d{2,3});"
    r"|\\[nrtbf]|⟨[^⟨⟩]{1,20}⟩"  # ends of lines in JSON, and what domain/text/cleaning.py made visible
    r"|[^\W_]",
    re.IGNORECASE,
)
_BEGUN_UNIT = re.compile(
    r"(?:%[0-9a-f]?|\\(?:x[0-9a-f]?|u0{0,2}[0-9a-f]?)?|&(?:#x?\w{0,6})?|⟨[^⟨⟩]{0,20})\Z", re.IGNORECASE
)
_SHORTEST = 8
"""Letters and digits of a key that is looked for in replies, and of the part of one that is hidden at their end."""
_SHORTEST_WORD = 20
"""The same of a key without digits: a shorter one is a placeholder like ``lm-studio``."""
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
        if len(letters) < (_SHORTEST_WORD if letters.isalpha() else _SHORTEST):
            return ()
        data = self._value.encode()
        return letters, data.hex(), *(_letters(_base64_within(data, shift)) for shift in range(3))

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    def __reduce__(self) -> tuple[type[Secret], tuple[str]]:
        return Secret, ("",)


async def without_key(parts: AsyncIterator[Part], key: Secret) -> AsyncIterator[Part]:
    """Yield the parts of an answer without the key, also where it is split over several. Raises what they raise."""
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
        self._forms = key.forms
        self._held = ""

    def feed(self, piece: str) -> str:
        """Return the text that is certain after one more piece."""
        if not self._forms:
            return piece
        text = self._held + piece
        found = _Projection.of(text)
        spans = found.spans(self._forms)
        end = max([found.begun(self._forms), *(end for _, end in spans)])
        end = len(text) if len(text) - end > _LONGEST_HELD else end
        self._held = text[end:]
        return _without(text[:end], spans)

    def finish(self) -> str:
        """Return the rest. The beginning of a key, as of a text that was cut off, is hidden as well."""
        rest, self._held = self._held, ""
        begins = any(form.startswith(_Projection.of(rest).letters[:_SHORTEST]) for form in self._forms)
        return HIDDEN if begins and len(_Projection.of(rest).letters) >= _SHORTEST else rest


class _Projection(NamedTuple):
    """The letters and digits of a text, lower-case, each with where it begins and ends there."""

    text: str
    letters: str
    places: list[tuple[int, int]]

    @classmethod
    def of(cls, text: str) -> _Projection:
        letters: list[str] = []
        places: list[tuple[int, int]] = []
        for unit in _UNITS.finditer(text):
            kind = unit.lastgroup
            letter = unit[0] if kind is None else chr(int(unit[kind], 10 if kind == "decimal" else 16))
            if len(letter) == 1 and letter.isalnum():
                letters.append(letter.lower() if letter.isascii() else letter)
                places.append(unit.span())
        return cls(text, "".join(letters), places)

    def spans(self, forms: tuple[str, ...]) -> list[tuple[int, int]]:
        """Return where forms of the key begin and end in the text, in order."""
        found: list[tuple[int, int]] = []
        for form in forms:
            at = self.letters.find(form)
            while at >= 0:
                found.append((self.places[at][0], self.places[at + len(form) - 1][1]))
                at = self.letters.find(form, at + len(form))
        return sorted(found)

    def begun(self, forms: tuple[str, ...]) -> int:
        """Return where the text ends in what may be the beginning of a form; its length where it does not."""
        unit = _BEGUN_UNIT.search(self.text)
        starts = [len(self.text) if unit is None else unit.start()]
        count = bisect_right(self.places, starts[0], key=lambda place: place[1])
        letters = self.letters[:count]
        for form in forms:
            lengths = range(min(len(form) - 1, len(letters)), 0, -1)
            length = next((length for length in lengths if letters.endswith(form[:length])), 0)
            starts += [self.places[count - length][0]] if length else []
        return min(starts)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    kept: list[str] = []
    last = 0
    for start, end in spans:
        if start >= last:
            kept += [text[last:start], HIDDEN]
        last = max(last, end)
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


def _base64_within(data: bytes, shift: int) -> str:
    """Return the Base64 of data ``shift`` bytes (modulo 3) into a text, without what depends on its neighbours."""
    whole = base64.b64encode(bytes(shift) + data).decode()
    return whole[-(-shift * 8 // 6) : (shift + len(data)) * 8 // 6]
