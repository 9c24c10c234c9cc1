"""Markdown that leaves the workbench: nothing of it acts in whatever shows it, and it comes back as it was.

    <script>  ![x](http://…)  [x](javascript:…)  ─▶  &lt;script>  &#33;[x](http://…)  [x]&#40;javascript:…)

Tags, images, and links to anywhere but the web, a mail address or a place beside the file are written with a character
reference; links, code between fences and ``a < b`` stay. Only a text with such a thing is changed, and says so in its
last line, so that ``restored`` knows what to take back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from workbench.domain.text.patterns import lazy_pattern

QUOTED_MARK = "<!-- quoted -->"
_SIGNS = lazy_pattern(
    r"""(?P<plain><!--\ (?!quoted\ )[a-z0-9\ ,-]{1,80}\ -->
        | <(?:https?://|mailto:)[^\s<>"'`]*> | <[\w.+-]{1,64}@[\w.-]{1,255}>)
    | (?P<reference>&(?:amp;)*(?:lt|\#33|\#40|\#58);)
    | (?P<tag><(?=[a-z/!?]))
    | (?P<image>!(?=\[))
    | (?P<link>(?<=\])[(:])""",
    re.IGNORECASE | re.VERBOSE,
)
_HARMLESS = lazy_pattern(
    r"""[\s>]*+(?:
        <?(?:https?://|mailto:|[\#/.])
        | <[^<>\n:&\\]*+>
        | [\w%~-][^\s:&\\<>()]*+(?=[\s)]|\Z)
        | \)|\Z)""",
    re.IGNORECASE | re.VERBOSE,
)
"""The beginning of where a link may lead. Anything else may be a scheme, spelled in some way."""
_REFERENCES = {"<": "&lt;", "!": "&#33;", "(": "&#40;", ":": "&#58;"}
_QUOTED = lazy_pattern(r"&((?:amp;)*)(lt|#33|#40|#58);", re.IGNORECASE)
_CHARACTERS = {reference[1:-1]: character for character, reference in _REFERENCES.items()}
_ANY_FENCE = lazy_pattern(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_FENCE = lazy_pattern(r"(`{3,}(?=[^`]*\Z)|~{3,})")


def quoted(markdown: str) -> str:
    """Return Markdown in which nothing acts; the same text if nothing did."""
    acts = False

    def quote(match: re.Match[str]) -> str:
        nonlocal acts
        sign = match[0]
        if match["reference"]:
            return f"&amp;{sign[1:]}"
        if match["plain"] or (match["link"] and _HARMLESS.match(match.string, match.end())):
            return sign
        acts = True
        return _REFERENCES[sign]

    safe = _change_outside_fences(markdown, lambda text: _SIGNS.sub(quote, text))
    if not acts and restored(markdown) == markdown:
        return markdown
    return f"{safe}{QUOTED_MARK}\n" if safe.endswith("\n") else f"{safe}\n{QUOTED_MARK}"


def restored(markdown: str) -> str:
    """Return the text that ``quoted`` was given; any other text as it is."""
    lines = markdown.split("\n")
    marked = [place for place, line in enumerate(lines) if line.rstrip() == QUOTED_MARK]
    if not marked:
        return markdown
    del lines[marked[-1]]
    return _change_outside_fences("\n".join(lines), lambda text: _QUOTED.sub(_restored, text))


def _restored(match: re.Match[str]) -> str:
    return f"&{match[1][4:]}{match[2]};" if match[1] else _CHARACTERS[match[2].lower()]


def closed(markdown: str) -> str:
    """Return a text that ends outside of code: what is put after it is not part of its last fence."""
    fence = ""
    for line in re.split(r"[\r\n]", markdown):
        opens = None if fence else _ANY_FENCE.match(line)
        if opens:
            fence = opens[1]
        elif fence and _closes(line.rstrip(), fence):
            fence = ""
    return f"{markdown}\n{fence}" if fence else markdown


def _change_outside_fences(markdown: str, change: Callable[[str], str]) -> str:
    """Return a text changed outside of code between fences."""
    return "".join(part if is_code else change(part) for is_code, part in _parts(markdown))


def _parts(markdown: str) -> Iterator[tuple[bool, str]]:
    """Yield the text in parts, each with whether it is code between fences.

    Only fences at the beginning of a line count: where one within a list or a quotation ends, readers differ.
    """
    fence, part = "", ""
    for line in re.split(r"(?<=[\r\n])", markdown):
        bare = line.rstrip(" \t\r\n")
        opens = None if fence else _FENCE.match(bare)
        if opens:
            yield False, part
            fence, part = opens[0], line
        elif fence and _closes(bare, fence):
            yield True, part + line
            fence, part = "", ""
        else:
            part += line
    yield bool(fence), part


def _closes(line: str, fence: str) -> bool:
    mark = line.lstrip(" ")
    return len(line) - len(mark) <= 3 and len(mark) >= len(fence) and set(mark) == {fence[0]}
