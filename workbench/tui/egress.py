"""The last line of defence: no control character leaves for the terminal as part of any widget's text.

Text is cleaned where it enters, and made visible there. This filter stands where every line of every widget is
rendered: should a mistake elsewhere let something through, it is left out here, where it can no longer act. What it
leaves out takes no cell of the line, so nothing moves.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class EgressFilter(LineFilter):
    """Leaves out control and direction characters, and links in styles."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line; the same list where nothing is to be done."""
        del background
        if _CONTROLS.search("".join([segment.text for segment in segments])) is None and not _links(segments):
            return segments
        return [_made_safe(segment) for segment in segments]


def _links(segments: list[Segment]) -> bool:
    return any(segment.style is not None and _is_link(segment.style) for segment in segments)


@lru_cache(maxsize=4096)
def _is_link(style: Style) -> bool:
    return style.link is not None


def _made_safe(segment: Segment) -> Segment:
    style = segment.style
    if style is not None and style.link is not None:
        style = style.update_link(None)
    return Segment(_CONTROLS.sub("", segment.text), style)
