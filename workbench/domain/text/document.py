"""A document in Markdown of which some sections are written again: what is not named stays as it is."""

from __future__ import annotations

import re

from workbench.domain.text.patterns import lazy_pattern

_HEADING = lazy_pattern(r"^(#{1,6})\s++(\S(?:.*[^\s#])?)[ \t#]*$")
_FENCE = lazy_pattern(r"^\s*(```|~~~)")
_FENCED = lazy_pattern(r"\s*```(?:markdown|md)?[ \t]*\n(.*?)\n?```\s*", re.DOTALL)


def unfenced(text: str) -> str:
    """Return a text without the fence that is around all of it."""
    match = _FENCED.fullmatch(text)
    return match[1] if match is not None and "\n```" not in match[1] else text


def with_sections(document: str, written: str) -> str:
    """Return a document with some of its sections as they are written again; new ones are after the one before them.

    A section is found by its heading, at whatever level, and goes to the next heading that is not below it. What begins
    with a title (``# …``), or has no heading of the document's, is the whole document.
    """
    parts, new = _parts(document), _parts(written)
    known = {_name(part) for part in parts if _level(part) > 1}
    first = next((part for part in new if _level(part)), "")
    named = [part for part in new if _level(part) > 1 and _name(part) in known]
    if not named or _level(first) == 1:
        return written
    top = min(map(_level, named))
    at = 0
    for section in _join_below(new, top):
        if not _level(section):
            continue
        start = next((n for n, part in enumerate(parts) if _level(part) > 1 and _name(part) == _name(section)), None)
        if start is None:
            parts.insert(at, section)
            at += 1
            continue
        end = next(
            (n for n in range(start + 1, len(parts)) if 0 < _level(parts[n]) <= _level(parts[start])), len(parts)
        )
        parts[start:end] = [section]
        at = start + 1
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def _parts(text: str) -> list[str]:
    """Return a text cut before each heading; first what is before them."""
    parts: list[list[str]] = [[]]
    for line, heading in _lines(text):
        if heading is not None:
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(lines) for lines in parts]


def _join_below(parts: list[str], top: int) -> list[str]:
    """Return parts with those below a level joined to the one above them."""
    joined: list[str] = []
    for part in parts:
        if joined and _level(part) > top:
            joined[-1] = f"{joined[-1]}\n{part}"
        else:
            joined.append(part)
    return joined


def _heading(part: str) -> re.Match[str] | None:
    return _HEADING.match(part.split("\n", 1)[0])


def _level(part: str) -> int:
    heading = _heading(part)
    return len(heading[1]) if heading is not None else 0


def _name(part: str) -> str:
    heading = _heading(part)
    return heading[2].casefold() if heading is not None else ""


def _lines(text: str) -> list[tuple[str, re.Match[str] | None]]:
    """Return each line with its heading, if it is one and is in no fence."""
    lines, is_code = [], False
    for line in text.splitlines():
        is_code ^= _FENCE.match(line) is not None
        lines.append((line, None if is_code else _HEADING.match(line)))
    return lines
