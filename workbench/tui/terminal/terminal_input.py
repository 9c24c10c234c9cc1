r"""What a terminal sends, read so that no byte of it ends the application and nothing that is pasted acts as a key.

    bytes ──UTF-8, what is not a text becomes U+FFFD──▶ PasteCleaner ─▶ Textual's parser ─▶ keys, mouse, pastes
                                     ESC [200~ cleaned here ESC [201~

Textual decodes strictly: one byte of Latin-1 would end its input thread, and the application with it. And it reads on
for sequences inside a paste: what follows an ESC there is lost, or taken for keys, Enter and ^Q among them. Terminals
are asked to keep ESC out of pastes; not all of them do.

A control sequence or a paste can be without end: of each, what is too long is dropped. A single key after a pause ends
either, so that the application goes on answering.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable
from functools import partial
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from workbench.domain.text.cleaning import clean
from workbench.domain.text.patterns import lazy_pattern

if TYPE_CHECKING:
    from types import ModuleType

    from textual.app import App

_BEGIN, _END = "\x1b[200~", "\x1b[201~"
_MOST_PASTED = 200_000
"""Characters of one paste: a field of text takes seconds for more. A file with a goal may have more."""
_LONGEST_SEQUENCE = 64
"""Characters of a control sequence: twice as many as Textual tries to understand."""
_ONE_KEY = 8
"""Characters that one key sends at most."""
_PAUSE = 1.0
"""Seconds without input after which one key ends what has no end."""
_SEQUENCE = lazy_pattern(r"\x1b(?:\[[ -?]*+|[]P_^X][^\x07\x18\x1a\x1b\x9c]*+)")
"""A control sequence as far as it has come: with parameters, or with a text."""
_REST = {"[": lazy_pattern(r"[ -?]*+"), "]": lazy_pattern(r"[^\x07\x18\x1a\x1b\x9c]*+")}
_ENDS_TEXT = lazy_pattern(r"[\x07\x18\x1a\x9c]|\x1b\\")


def _nobody(_text: str) -> None:
    """Tell nobody."""


class SequenceLimit:
    """Drops control sequences that are longer than any that a terminal sends."""

    def __init__(self, tell: Callable[[str], None] = _nobody) -> None:
        self._tell = tell
        self._is_told = False
        self._dropped = ""  # which kind of sequence is being dropped: "[" with parameters, "]" with a text

    def feed(self, piece: str, *, is_key: bool) -> str:
        """Return what can be passed on. ``is_key``: one key after a pause, which ends a sequence."""
        passed, at = [], 0
        while at < len(piece):
            if self._dropped and not is_key:
                at = self._end(piece, at)
                continue
            self._dropped = ""
            match = next((one for one in _SEQUENCE.finditer(piece, at) if len(one[0]) > _LONGEST_SEQUENCE), None)
            if match is None:
                passed.append(piece[at:])
                break
            passed.append(piece[at : match.start()])
            self._dropped, at = "[" if match[0][1] == "[" else "]", match.end()
            if not self._is_told:
                self._tell("The terminal sent a control sequence without an end: it is left out.")
                self._is_told = True
            at = self._end(piece, at)
        return "".join(passed)

    def _end(self, piece: str, at: int) -> int:
        """Return where a dropped sequence ends; the length of the piece where it continues."""
        rest = _REST[self._dropped].match(piece, at)
        at = rest.end() if rest else at
        if at == len(piece):
            return at
        if self._dropped == "[":
            at += piece[at] != "\x1b"
        elif end := _ENDS_TEXT.match(piece, at):
            at = end.end()
        self._dropped = ""
        return at


class PasteCleaner:
    """Cleans what is between the brackets of a paste, in a stream that comes in pieces of any size."""

    def __init__(self, tell: Callable[[str], None] = _nobody, now: Callable[[], float] = monotonic) -> None:
        self._tell = tell
        self._now = now
        self._last = now()
        self._limit = SequenceLimit(tell)
        self._pasted: str | None = None  # what was pasted so far; None outside of pastes
        self._before = ""  # the last characters outside of a paste, already passed on: a bracket may come in two pieces

    @property
    def is_inside(self) -> bool:
        """Whether a paste is under way."""
        return self._pasted is not None

    def feed(self, piece: str) -> str:
        """Return what can be passed on after one more piece: outside of pastes all of it, of a paste all at its end."""
        is_key = len(piece) <= _ONE_KEY and self._now() - self._last >= _PAUSE
        self._last = self._now()
        passed: list[str] = []
        while piece:
            if self._pasted is None:
                piece = self._outside(piece, passed, is_key=is_key)
            else:
                piece = self._inside(self._pasted, piece, passed, is_key=is_key)
        return "".join(passed)

    def _outside(self, piece: str, passed: list[str], *, is_key: bool) -> str:
        known = len(self._before)
        seen = self._before + piece
        at = seen.find(_BEGIN)
        if at < 0:
            self._before = seen[1 - len(_BEGIN) :]
            passed.append(self._limit.feed(piece, is_key=is_key))
            return ""
        end = at + len(_BEGIN) - known
        self._before = ""
        self._pasted = ""
        passed.append(self._limit.feed(piece[:end], is_key=is_key))
        return piece[end:]

    def _inside(self, before: str, piece: str, passed: list[str], *, is_key: bool) -> str:
        whole = before + piece
        pasted, end, behind = whole.partition(_END)
        if not end and is_key and not any(whole.endswith(_END[:length]) for length in range(1, len(_END))):
            pasted, behind = before, piece
        elif not end:
            is_long = len(whole) > 2 * _MOST_PASTED  # what is left out is not part of a bracket
            self._pasted = f"{whole[: _MOST_PASTED + 1]}…{whole[1 - len(_END) :]}" if is_long else whole
            return ""
        if len(pasted) > _MOST_PASTED:
            self._tell(f"Only the first {_MOST_PASTED:,} characters of the paste were taken.")
        passed += (clean(pasted[:_MOST_PASTED]), _END)
        self._pasted = None
        return behind


class Decoder:
    """Takes the place of the strict decoder that Textual's reader would use."""

    def __init__(self, tell: Callable[[str], None] = _nobody, most_typed: float = inf) -> None:
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")
        self._pastes = PasteCleaner(tell)
        self._most_typed = most_typed

    def decode(self, read: bytes, *, final: bool = False) -> str:
        """Return what is certain of the text after more bytes."""
        text = self._decoder.decode(read, final=final)
        is_pasted = len(text) > self._most_typed and not self._pastes.is_inside and "\x1b" not in text
        return self._pastes.feed(f"{_BEGIN}{text}{_END}" if is_pasted else text)


def use_for(module: ModuleType, app: App[object], most_typed: float = inf) -> None:
    """Let a driver's module of Textual decode so. More characters than these at once are a paste."""

    def tell(text: str) -> None:
        app.call_later(partial(app.notify, text, severity="warning"))

    # by this name its reader looks it up
    vars(module)["getincrementaldecoder"] = lambda _encoding: partial(Decoder, tell, most_typed)
