"""A document in Markdown of which some sections are written again: what is not named stays as it is."""

from __future__ import annotations

import re

_HEADING = re.compile(r"^(#{1,6})\s++(\S(?:.*[^\s#])?)[ \t#]*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_FENCED = re.compile(r"\s*```(?:markdown|md)?[ \t]*\n(.*?)\n?```\s*", re.DOTALL)


def unfenced(text: str) -> str:
    """Return a text without the fence that stands around all of it."""
    match = _FENCED.fullmatch(text)
    return match[1] if match is not None and "\n```" not in match[1] else text


def with_sections(document: str, written: str) -> str:
    """Return a document with some of its sections as they are written again; new ones stand after the one before them.

    What begins with a title (``# …``), or has no heading of the document's, is the whole document.
    """
    level = min((len(mark) for mark, _ in _headings(document) if len(mark) > 1), default=2)
    old, new = _sections(document, level), _sections(written, level)
    names = [name for name, _ in old]
    known = [name for name, _ in new[1:] if name in names[1:]]
    first = next(iter(_headings(written)), ("", ""))
    if first[0] == "#" or not known:
        return written
    at = names.index(known[0])
    for name, text in new[1:]:
        if name in names:
            at = names.index(name)
            old[at] = (name, text)
        else:
            at += 1
            old.insert(at, (name, text))
            names.insert(at, name)
    return "\n\n".join(text.strip("\n") for _, text in old if text.strip()) + "\n"


def _headings(text: str) -> list[tuple[str, str]]:
    return [(heading[1], heading[2]) for _, heading in _lines(text) if heading is not None]


def _sections(text: str, level: int) -> list[tuple[str, str]]:
    """Return (heading in small letters, all of the section); first, without a heading, what stands before them."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    for line, heading in _lines(text):
        if heading is not None and 1 < len(heading[1]) <= level:
            sections.append((heading[2].casefold(), []))
        sections[-1][1].append(line)
    return [(name, "\n".join(lines)) for name, lines in sections]


def _lines(text: str) -> list[tuple[str, re.Match[str] | None]]:
    """Return each line with its heading, where it is one and stands in no fence."""
    lines, is_code = [], False
    for line in text.splitlines():
        is_code ^= _FENCE.match(line) is not None
        lines.append((line, None if is_code else _HEADING.match(line)))
    return lines
