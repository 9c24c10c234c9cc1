"""The last line of defence: what a widget says by mistake acts neither in the terminal nor in the application.

Text is cleaned where it enters, and made visible there. This filter is where every line of every widget is
rendered: should a mistake elsewhere let a control or direction character, a link or an action through, it is left out
here, if it can no longer act. What it leaves out takes no cell of the line, so nothing moves; what cannot even be
written (half of a surrogate pair) is shown as the replacement character.
"""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from workbench.domain.text.patterns import lazy_pattern

_CONTROLS = lazy_pattern("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_HALVES = lazy_pattern("[\ud800-\udfff]")
_UNWANTED = lazy_pattern(f"{_CONTROLS.pattern}|{_HALVES.pattern}")

_SCROLLING = (("@mouse.down", "scroll_up"), ("@mouse.down", "scroll_down"), ("@mouse.down", "grab"))
"""What the parts of a scrollbar do, in any widget no more than scroll."""


class EgressFilter(LineFilter):
    """Leaves out control and direction characters, and links and actions in styles."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line; the same list if nothing is to be done."""
        del background
        if _UNWANTED.search("".join([segment.text for segment in segments])) is None and not _act(segments):
            return segments
        return [_made_safe(segment) for segment in segments]


def _act(segments: list[Segment]) -> bool:
    return any(segment.style is not None and _acts(segment.style) for segment in segments)


@lru_cache(maxsize=4096)
def _acts(style: Style) -> bool:
    """Tell whether something would happen on a click: in the terminal (a link) or here (``@click``)."""
    return style.link is not None or any(_does(name, value) for name, value in style.meta.items())


def _does(name: str, value: object) -> bool:
    return name.startswith("@") and (name, value) not in _SCROLLING


def _made_safe(segment: Segment) -> Segment:
    style = segment.style
    if style is not None and _acts(style):
        still = {name: value for name, value in style.meta.items() if not _does(name, value)}
        style = style.clear_meta_and_links() + Style.from_meta(still)
    return Segment(_HALVES.sub("\ufffd", _CONTROLS.sub("", segment.text)), style)
