"""Cuts what a person said into statements: lines and list items, sentences only where their end is beyond doubt.

A cut decides nothing: what is on both sides of it reaches a model word for word. So a cut that is missing costs
little, and a cut in the middle of a sentence is what must not happen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.text.patterns import lazy_pattern

MOST = 400
"""Statements of one text; the rest of it is one more."""
_SHORTEST_SENTENCE = 15
"""Characters: what is shorter may be an abbreviation, a name or a number, and stays with what follows."""
_SLIGHT = 25
"""Characters of a sentence that is not a statement of its own if it has no figure and asks nothing."""
_END = lazy_pattern(r"(?<=[a-zß-ÿ0-9)\]”\"»][.!?])[ \t]+(?=[A-ZÀ-Þ„“\"«¿¡])|(?<=[。！？])(?=\S)")
"""A stop after a small letter, a digit or a bracket, before a capital: Latin script; or an ideographic stop."""
_ABBREVIATION = lazy_pattern(
    r"(?:^|[\s(\-])(?:\w|[A-Za-z]{1,3}|approx|corp|dept|resp|prof|incl|excl|inkl|bzgl|evtl|usw|\d{1,2})[.]$",
    re.IGNORECASE,
)
"""A word of few letters, or a number, before the stop: “Dr.”, “e.g.”, “3.”. Then the end is in doubt."""
_FENCE = lazy_pattern(r"\s*(?:```|~~~)")


def split(text: str) -> tuple[tuple[int, int], ...]:
    """Return where each statement of a text begins and ends; together they are all of it but the space between them."""
    spans: list[tuple[int, int]] = []
    for start, end in _lines(text):
        if len(spans) >= MOST - 1:
            spans.append((start, len(text.rstrip())))
            break
        spans += _sentences(text, start, end)
    return tuple(spans)


def cut(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the statements of a text begin and end that are accounted for one by one: ``split``, a bit coarser.

    A short sentence without a figure, as “Thanks. There is news.”, stands with the one after it in its line.
    """
    joined: list[tuple[int, int]] = []
    for start, end in split(text):
        if joined and _is_slight(text, *joined[-1]) and _are_in_a_line(text, joined[-1][1], start):
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return tuple(joined)


def _is_slight(text: str, start: int, end: int) -> bool:
    return end - start <= _SLIGHT and not any(one.isdigit() or one in "?？" for one in text[start:end])


def _are_in_a_line(text: str, end: int, start: int) -> bool:
    return len(f"{text[end:start]}|".splitlines()) == 1


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that say something; what is in a fence is one."""
    at, fenced_from = 0, -1
    for line in text.splitlines(keepends=True):
        if _FENCE.match(line):
            if fenced_from < 0:
                fenced_from = at
            else:
                yield fenced_from, at + len(line.rstrip())
                fenced_from = -1
        elif fenced_from < 0 and line.strip():
            yield at + len(line) - len(line.lstrip()), at + len(line.rstrip())
        at += len(line)
    if fenced_from >= 0:
        yield fenced_from, len(text.rstrip())


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for stop in _END.finditer(text, start, end):
        said = text[begin : stop.start()]
        if len(said) >= _SHORTEST_SENTENCE and not _ABBREVIATION.search(said[-12:]):
            yield begin, stop.start()
            begin = stop.end()
    yield begin, end
