r"""Where a text is in other texts, in whatever way it was written there.

    said              the key is "<input"
    in a reply        {"text": "the key is \"<input\""}        JSON, and JSON within JSON, up to three deep
    in a prompt       the key is "&lt;input"                  what could be read as the beginning of an input
    in a plan         the key\n    is "<input"                Markdown: on other lines, behind backslashes
    in a name         the key is "<in…                        on one line, shortened

    text ─▶ exact writings, the deepest first   found as they are
         └▶ plain form                          found in the plain form of the other text, undone from JSON 0 to 3 times

What was reworded is another text. Finding takes time in proportion to the text that is searched, and next to none where
not even the longest word of what is looked for is in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from functools import cached_property

import msgspec

from workbench.domain.text.cleaning import clean
from workbench.domain.text.patterns import lazy_pattern

_DEEPEST = 3
"""How often a text is undone from JSON: a reply in a prompt that a report quotes."""
_SHORTEST_FORM = 4
"""Characters below which a plain form would be found nearly everywhere."""

_SHORTENED = 12
"""Characters from which on the beginning of a text, with an ellipsis after it, stands for all of it."""

_SHORT_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ESCAPE = lazy_pattern(
    r'\\(?:(["\\/bfnrt])|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))'
)
_CONTROLS = "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f"
_VARIATION = lazy_pattern(rf"[{_CONTROLS}]|[^\S{_CONTROLS}]{{2,}}|[^\S {_CONTROLS}]|&lt;|(?<!\\)\\++(?=[#*+:-])")
"""What may differ in other forms of a text: control characters, spaces but single ones, a masked tag, Markdown's
backslashes."""
_TAG = lazy_pattern(r"<(?=\s*+/?\s*+input)", re.IGNORECASE)
_WORD = lazy_pattern(r"[^\W_]+")


class _Form:
    """A text in another form, with the place in the original of each part of it."""

    def __init__(self, text: str, origin: _Form | None = None) -> None:
        self.text = text
        self._origin = origin
        self._starts = [0]
        self._places = [(0, False)]

    @classmethod
    def replacing(cls, origin: _Form, tokens: Iterator[tuple[re.Match[str], str]]) -> _Form:
        """Return a form in which tokens of the text are replaced."""
        form = cls("", origin)
        parts: list[str] = []
        length = at = 0
        for token, replacement in tokens:
            parts += (origin.text[at : token.start()], replacement)
            length += token.start() - at
            form._mark(length, token.start(), is_token=True)
            length += len(replacement)
            form._mark(length, token.end(), is_token=False)
            at = token.end()
        form.text = "".join([*parts, origin.text[at:]])
        return form

    def _mark(self, at: int, place: int, *, is_token: bool) -> None:
        self._starts.append(at)
        self._places.append((place, is_token))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part of this form, of one character or more, is in the text that was given first."""
        if self._origin is None:
            return start, end
        return self._origin.original(self._place(start), self._place(end - 1, behind=True))

    def _place(self, at: int, *, behind: bool = False) -> int:
        index = bisect_right(self._starts, at) - 1
        place, is_token = self._places[index]
        if not is_token:
            return place + at - self._starts[index] + behind
        return self._places[index + 1][0] if behind else place


class Mentions:
    """Texts to be looked for, in any of the ways in which they may be written."""

    def __init__(self, texts: Collection[str]) -> None:
        """Look for these; spaces around them do not count, and empty ones are nothing."""
        self._texts = tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))

    def within(self, text: str) -> bool:
        """Tell whether any of the texts is in this one."""
        return next(self._places(text), None) is not None

    def replaced(self, text: str, mark: str) -> str:
        """Return a text with ``mark`` in each place; as it is where there is none.

        Where a mark and what is beside it would make up one of the texts again, all of it becomes the mark.
        """
        places = sorted(self._places(text))
        if not places:
            return text
        parts: list[str] = []
        end = 0
        for start, stop in places:
            if start >= end:
                parts += (text[end:start], mark)
            end = max(end, stop)
        result = "".join([*parts, text[end:]])
        return mark if self.within(result) else result

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        for wanted in self._wanted:
            yield from wanted.places(text)

    @cached_property
    def _wanted(self) -> tuple[_Wanted, ...]:
        return tuple(map(_Wanted, self._texts))


class _Wanted:
    def __init__(self, text: str) -> None:
        self._writings = _writings(text)
        forms = {_plain(_Form(one)).text.strip() for one in (text, clean(text))}
        self._forms = sorted((form for form in forms if len(form) >= _SHORTEST_FORM), key=len)
        cleaned = clean(text)
        self._word = max((word for word in _WORD.findall(text) if word in cleaned), key=len, default="")

    def _begins_with(self, begun: str) -> bool:
        return len(begun) >= _SHORTENED and any(form.startswith(begun) for form in self._forms)

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield each place where it stands, in no order; places may overlap."""
        if text.endswith("…") and self._begins_with(_plain(_Form(text[:-1])).text.strip()):
            yield 0, len(text)
        for end in _occurrences("…", text):
            for writing in self._writings:
                start = text.rfind(writing[:_SHORTENED], max(0, end - len(writing)), end)
                if 0 <= start <= end - _SHORTENED and writing.startswith(text[start:end]):
                    yield start, end + 1
        if self._word not in text and "\\u" not in text:
            return
        for writing in self._writings:
            yield from ((start, start + len(writing)) for start in _occurrences(writing, text))
        form, undone, written = _Form(text), 0, text
        for depth in range(_DEEPEST + 1):
            if depth:
                written = _ESCAPE.sub(_character, written)
            plain = _VARIATION.sub(_canonical_token, written)
            if any(wanted in plain for wanted in self._forms):  # only then is it worth while to know where
                while undone < depth:
                    form, undone = _without_escapes(form), undone + 1
                yield from self._places_in(_plain(form))
            if "\\" not in written:
                return

    def _places_in(self, plain: _Form) -> Iterator[tuple[int, int]]:
        for wanted in self._forms:
            for start in _occurrences(wanted, plain.text):
                yield plain.original(start, start + len(wanted))


def _occurrences(wanted: str, text: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _writings(text: str) -> tuple[str, ...]:
    """Return a text as the workbench itself writes it: into JSON, into prompts; the deepest first."""
    deep = [text]
    for _ in range(_DEEPEST):
        deep.append(msgspec.json.encode(deep[-1].encode("utf-8", "replace").decode()).decode()[1:-1])
    masked = [_TAG.sub("&lt;", writing) for writing in deep]
    return tuple(dict.fromkeys([*masked, *deep]))


def _without_escapes(form: _Form) -> _Form:
    return _Form.replacing(form, ((token, _character(token)) for token in _ESCAPE.finditer(form.text)))


def _character(token: re.Match[str]) -> str:
    short, high, low, code = token.groups()
    if short:
        return _SHORT_ESCAPES.get(short, short)
    if high:
        return chr(0x10000 + (int(high, 16) - 0xD800) * 0x400 + int(low, 16) - 0xDC00)
    character = chr(int(code, 16))
    return character if character.isspace() else clean(character)


def _plain(form: _Form) -> _Form:
    return _Form.replacing(form, ((token, _canonical_token(token)) for token in _VARIATION.finditer(form.text)))


def _canonical_token(token: re.Match[str]) -> str:
    variation = token[0]
    if variation[0] in "&\\":
        return "<" if variation == "&lt;" else ""
    return chr(0x2400 + ord(variation)) if variation < " " and variation[0] not in "\t\n\r" else " "
