r"""Untrusted text made safe to show, to keep and to send: cleaned once, where it enters.

    model, file, person, other session ──clean()──▶ text without control or invisible characters
                     streamed in pieces ──StreamCleaner──▶ the same, piece by piece
                     decoded JSON       ──clean_json()──▶ the same, in every string of it

Nothing is lost silently: what cannot stand is replaced by something that can be seen.

    ESC and other C0 controls   ␛ and its siblings (Control Pictures, U+2400…)      tab and newline stay
    DEL, C1 controls            ␡, ``⟨U+009B⟩``                                      CR and CRLF become newline
    invisible, bidirectional    ``⟨U+202E⟩``
    lone surrogates             ``⟨U+D83D⟩``
    what XML forbids besides    ``⟨U+FFFE⟩``
    combining-mark floods       eight marks stay, then ``⟨+91 marks⟩``

"Invisible" is Unicode's Default_Ignorable_Code_Point (UAX #44) with the line and paragraph separators, the interlinear
annotations and the blank of Braille, which is no space. Two of its members carry meaning in ordinary writing and stay
where they do: a joiner (U+200C, U+200D) between two letters, marks or symbols that are not ASCII (Persian, Bengali,
emoji families), and a variation selector after a visible character (emoji, ideographs). Tag characters are marked even
in flags: they smuggle text.
Square brackets, angle brackets and Markdown are ordinary text; that they mean nothing is the business of the widgets.
No mark has a backslash or a quotation mark in it: JSON that is cleaned before it is decoded is JSON still.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from workbench.domain.text.patterns import lazy_pattern

MAX_MARKS = 8
"""Combining marks (and joiners) in a row that stay; no orthography needs more."""

_JOINERS = "\u200c\u200d"
_SELECTORS = lazy_pattern("[\ufe00-\ufe0f]")
_UNSAFE = lazy_pattern(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and newline, DEL, C1
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff"
    "]"
)
_UNSAFE_ASCII = lazy_pattern("[\x00-\x08\x0b-\x1f\x7f]")
_NOT_LATIN = lazy_pattern(f"[^\x00-\u02ff]{{{MAX_MARKS + 1},}}")  # compiled in no time, as few texts have to be
_MAYBE_FLOOD = lazy_pattern(f"[^\x00-\u02ff\u3400-\u9fff\uac00-\ud7a3]{{{MAX_MARKS + 1},}}")
"""Runs long enough to hold a flood, in scripts that have marks at all (not Latin letters, ideographs, Hangul)."""
_NEWLINES = lazy_pattern("\r\n?")
_HELD_AT_MOST = 1024


def clean(text: str) -> str:
    """Return text with every control and invisible character made visible; clean text comes back as it is.

    Cleaning twice changes nothing more.
    """
    if text.isascii():
        return (
            text if _UNSAFE_ASCII.search(text) is None else _UNSAFE_ASCII.sub(_replacement, _NEWLINES.sub("\n", text))
        )
    if _NOT_LATIN.search(text) is not None:
        text = _MAYBE_FLOOD.sub(lambda run: _without_floods(run[0]), text)
    if _UNSAFE.search(text) is None:
        return text
    return _UNSAFE.sub(_replacement, _NEWLINES.sub("\n", text))


def is_unicode(text: str) -> bool:
    """Tell whether text has no lone surrogate; Python reads bytes that are not UTF-8 as such."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def clean_name(text: str, max_length: int = 80) -> str:
    """Return text as a name: clean, on one line, single spaces, at most ``max_length`` characters; may be ""."""
    return shorten(" ".join(clean(text).split()), max_length)


def clean_json(value: Any) -> Any:
    r"""Return a JSON value with every string in it clean, keys included; tuples become lists, as JSON has them.

    JSON writes a control character as ``\u001b``, which is plain text until it is decoded: clean after decoding.
    """
    cleaned = [value]
    unfinished: list[list[Any] | dict[Any, Any]] = [cleaned]
    while unfinished:  # not recursive: how deep a value may be is no matter of the stack
        parts = unfinished.pop()
        for place, part in parts.items() if isinstance(parts, dict) else enumerate(parts):
            if isinstance(part, str):
                parts[place] = clean(part)
            elif isinstance(part, dict):
                parts[place] = {clean(key) if isinstance(key, str) else key: inner for key, inner in part.items()}
                unfinished.append(parts[place])
            elif isinstance(part, list | tuple):
                parts[place] = list(part)
                unfinished.append(parts[place])
    return cleaned[0]


def escaped(document: str) -> str:
    r"""Return a JSON document in which an escape, \u202e, stands for each character that ``clean`` looks at."""
    return _UNSAFE.sub(lambda match: json.dumps(match[0])[1:-1], document)


def shorten(text: str, length: int) -> str:
    """Return at most ``length`` (1 or more) characters of text; what is cut is shown by an ellipsis.

    A letter is never parted from its marks.
    """
    if len(text) <= length:
        return text
    end = max(length - 1, 0)
    while end > 0 and _joins_previous(text[end]):
        end -= 1
    return text[:end].rstrip(_JOINERS + " \t\n") + "…"


class StreamCleaner:
    """Cleans text that arrives in pieces: the pieces returned, joined, are ``clean`` of the pieces given, joined.

    What a piece ends with may depend on the next one (CR before LF, a joiner, a run of marks), so a little is held back
    until it is known. A run of more than 1,024 clinging characters is not waited for; its marks are counted again.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """Return the clean text that is certain after one more piece."""
        text = self._held + piece
        end = _certain_length(text)
        self._held = text[end:]
        return clean(text[:end])

    def finish(self) -> str:
        """Return the rest."""
        rest, self._held = self._held, ""
        return clean(rest)


def _replacement(match: re.Match[str]) -> str:
    """Return what stands for one unsafe character."""
    character = match[0]
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if _carries_meaning(match.string, match.start()):
        return character
    return f"⟨U+{code:04X}⟩"


def _carries_meaning(text: str, at: int) -> bool:
    """Tell whether a joiner or variation selector is where ordinary writing puts it."""
    before = text[at - 1] if at else " "
    if text[at] in _JOINERS:
        after = text[at + 1] if at + 1 < len(text) else " "
        return _joinable(before) and _joinable(after)
    if _SELECTORS.match(text[at]):
        return unicodedata.category(before)[0] in "LNPS" and _UNSAFE.match(before) is None
    return False


def _joinable(character: str) -> bool:
    if character.isascii() or unicodedata.category(character)[0] not in "LMS":
        return False
    return _UNSAFE.match(character) is None or _SELECTORS.match(character) is not None


def _joins_previous(character: str) -> bool:
    """Tell whether a character belongs to the one before it."""
    return character in _JOINERS or (not character.isascii() and unicodedata.category(character)[0] == "M")


def _without_floods(run: str) -> str:
    """Return a run of characters with at most MAX_MARKS marks in a row."""
    kept: list[str] = []
    marks = 0
    for character in run:
        if _joins_previous(character):
            marks += 1
            if marks <= MAX_MARKS:
                kept.append(character)
            continue
        kept.append(_cut(marks) + character)
        marks = 0
    return "".join(kept) + _cut(marks)


def _cut(marks: int) -> str:
    return f"⟨+{marks - MAX_MARKS} marks⟩" if marks > MAX_MARKS else ""


def _certain_length(text: str) -> int:
    """Return how much of the text is cleaned alike whatever follows it."""
    lowest = max(1, len(text) - _HELD_AT_MOST)
    for at in range(len(text) - 1, lowest - 1, -1):
        if text[at - 1] not in "\r" + _JOINERS and text[at] != "\n" and not _joins_previous(text[at]):
            return at
    return len(text) if lowest > 1 else 0
