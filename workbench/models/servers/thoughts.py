"""Reasoning set apart from the answer if a server sends both as one text.

    <think>…</think>answer      also where the tags stand in one piece with other text, or in several
    <think>…                    never closed: all of it is reasoning, but for a JSON object at its end
    …</think>answer             only closed, as where the template has opened it
    <|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>answer     harmony
    analysis…assistantfinal…                                                                       and its remains

Tags within an answer that has begun are a part of it: a plan may well speak of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.text.patterns import lazy_pattern
from workbench.models.ports import TextDelta, Thought

_OPENING = lazy_pattern(
    r"(?:<(?P<tag>think|thinking|thought|reasoning)>"
    r"|(?:<\|start\|>assistant)?<\|channel\|>(?P<channel>[a-z]{1,20})(?:[^<]|<\|constrain\|>){0,40}<\|message\|>"
    r"|(?P<remains>analysis)(?=[A-Z]))"
)
_CLOSED = lazy_pattern(r"</(?:think|thinking|thought|reasoning)>")
_ENDS = {
    "tag": _CLOSED,
    "channel": lazy_pattern(r"<\|(?:end|return|call)\|>"),
    "remains": lazy_pattern("assistantfinal"),
}
_LAST_SIGN = lazy_pattern(r"<\|(?:end|return|call)\|>\s*\Z")
_LONGEST_SIGN = 20
_LONGEST_OPENING = 120
_OBJECT = lazy_pattern(r"(?:\A|\n)[ \t]{0,80}(?:```[a-z]{0,10}\n)?\{")


class ThoughtSplitter:
    """Parts a text that arrives in pieces into reasoning and answer."""

    def __init__(self) -> None:
        self._held = ""
        self._end: re.Pattern[str] | None = None
        """What ends the reasoning that is under way; None while there is none."""
        self._first_sign = ""
        """What the answer begins with; "" before it has begun."""
        self._thoughts: list[str] = []

    def feed(self, piece: str) -> Iterator[TextDelta | Thought]:
        """Yield what is certain after one more piece."""
        self._held += piece
        goes_on = True
        part: TextDelta | Thought | None
        while goes_on and self._held:
            if self._end is not None:
                part, goes_on = self._thinking(self._end)
            elif self._first_sign:
                part, goes_on = self._answering()
            else:
                part, goes_on = None, self._begins()
            if part is not None:
                yield part

    def finish(self, *, is_whole: bool) -> Iterator[TextDelta | Thought]:
        """Yield the rest. ``is_whole``: the model came to an end by itself, and was not cut off."""
        rest, self._held = self._held, ""
        if self._end is None:
            if text := _LAST_SIGN.sub("", rest):
                yield TextDelta(text)
            return
        if rest:
            yield self._thought(rest)
        thoughts = "".join(self._thoughts)
        object_ = _OBJECT.search(thoughts) if is_whole else None
        if object_ is not None:
            yield TextDelta(thoughts[object_.start() :].lstrip())

    def _begins(self) -> bool:
        """Look at what the text begins with; False if more of it has to come first."""
        self._held = text = self._held.lstrip()
        opening = _OPENING.match(text)
        if opening is not None:
            self._held = text[opening.end() :]
            self._end = None if opening["channel"] == "final" else _ENDS[opening.lastgroup or "tag"]
            return True
        is_maybe_tag = text.startswith("<") and len(text) < _LONGEST_OPENING
        if not text or is_maybe_tag or "analysis".startswith(text):
            return False
        self._first_sign = text[0]
        return True

    def _thinking(self, end: re.Pattern[str]) -> tuple[Thought | None, bool]:
        closing = end.search(self._held)
        if closing is None:
            certain = max(len(self._held) - _LONGEST_SIGN, 0)
            text, self._held = self._held[:certain], self._held[certain:]
        else:
            text, self._held = self._held[: closing.start()], self._held[closing.end() :]
            self._end = None
        return self._thought(text) if text else None, closing is not None

    def _thought(self, text: str) -> Thought:
        self._thoughts.append(text)
        return Thought(text)

    def _answering(self) -> tuple[TextDelta | Thought | None, bool]:
        closed = None if self._first_sign in "{[`" else _CLOSED.search(self._held)
        if closed is not None:
            text, self._held = self._held[: closed.start()], self._held[closed.end() :]
            self._first_sign = ""
            return Thought(text, takes_back=True), True
        sign = self._held.rfind("<", max(len(self._held) - _LONGEST_SIGN, 0))
        text, self._held = (self._held, "") if sign < 0 else (self._held[:sign], self._held[sign:])
        return TextDelta(text) if text else None, False
