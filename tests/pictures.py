"""Pictures of the application without what nobody sees: fonts from elsewhere, comments, and borders within one colour.

So a picture holds all it needs, and is the same for whoever makes it: Textual draws a background in as many pieces
as there are styles on it, even where they differ in nothing that is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HIDDEN = re.compile(r"\s*@font-face \{.*?\}|\s*<!--.*?-->", re.DOTALL)
_PIECES = re.compile(r"(?:<rect fill=\"[^\"]+\" x=[^>]+ shape-rendering=\"crispEdges\"/>)+")
_PIECE = re.compile(r'fill="([^"]+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"')


def plain(svg: str) -> str:
    """Return a picture with what is seen, and nothing else."""
    return _PIECES.sub(lambda found: "\n".join(_joined(found[0])), _HIDDEN.sub("", svg))


def _joined(pieces: str) -> Iterator[str]:
    """Yield backgrounds, those of one colour beside one another as one."""
    fill, y, height, start, end = "", "", "", 0.0, 0.0
    for colour, x, at, width, tall in _PIECE.findall(pieces):
        if (colour, at) == (fill, y) and abs(float(x) - end) < 0.1:
            end = float(x) + float(width)
            continue
        if fill:
            yield _background(fill, start, y, end, height)
        fill, y, height, start, end = colour, at, tall, float(x), float(x) + float(width)
    yield _background(fill, start, y, end, height)


def _background(fill: str, start: float, y: str, end: float, height: str) -> str:
    place = f'x="{start:g}" y="{y}" width="{end - start:g}" height="{height}"'
    return f'<rect fill="{fill}" {place} shape-rendering="crispEdges"/>'
