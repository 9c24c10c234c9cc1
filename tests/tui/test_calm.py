"""What holds on every picture of a session: few colours, amber only for what needs you, a footer of whole hints.

__snapshots__/test_{session,context,…}_snapshots/*.svg ─▶ runs of text with colour and place ─▶ rules
"""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

OF_SESSIONS = ("session", "context", "replay", "comparing", "sample", "sharing")
FOLDERS = [Path(__file__).parent / "__snapshots__" / f"test_{name}_snapshots" for name in OF_SESSIONS]
WITH_A_DIALOG = re.compile("list_of_sessions|agent_is_added|isolation|going_to|whole_of|claim")
"""What stands behind a dialog is shaded: its colours are no further ones, and its footer does not act."""
AMBER = "#e7b04a"
"""``attention`` of the theme night, as a terminal gets it."""
NEEDS_YOU = re.compile(
    r"([▲!] ?)?(((Checkpoint|A bound) )?asks you|A question for you|No answer came|Choose an approach)?"
    r"|[▲!] ((Iteration|Round) \d+|The plan) .+|\^Y( answer)?|answer|[╭╮╰╯─│|+-]+"
)

THUMB = re.compile("[▁▂▃▄▅▆▇█▔▀]+")
"""The ends of a scrollbar, which is no text."""

_FILLED = re.compile(r'<rect fill="(#[0-9a-f]+)"')
_STYLE = re.compile(r"\.terminal-(r\d+) \{ fill: (#\w+)")
_RUN = re.compile(r'<text class="terminal-(r\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)


class Run(NamedTuple):
    """Words in one style."""

    colour: str
    x: float
    y: float
    words: str


def runs(picture: Path) -> list[Run]:
    svg = picture.read_text(encoding="utf-8")
    styles = dict(_STYLE.findall(svg))
    return [
        Run(styles[style], float(x), float(y), html.unescape(words).replace("\xa0", " ").rstrip("\n"))
        for style, x, y, words in _RUN.findall(svg)
    ]


def background(picture: Path) -> str:
    """Return the colour behind everything: a letter in it stands in the caret, whose own colour is the text's."""
    return Counter(_FILLED.findall(picture.read_text(encoding="utf-8"))).most_common(1)[0][0]


def screens() -> list[Path]:
    return [
        one
        for one in sorted(one for folder in FOLDERS for one in folder.glob("*.svg"))
        if not WITH_A_DIALOG.search(one.stem)
    ]


@pytest.mark.parametrize("picture", screens(), ids=lambda picture: picture.stem)
def test_a_picture_keeps_calm(picture: Path) -> None:
    seen = [run for run in runs(picture) if run.words.strip()]
    behind = background(picture)
    assert len({run.colour for run in seen if run.colour != behind and not THUMB.fullmatch(run.words.strip())}) <= 8
    for run in seen:
        assert run.colour != AMBER or NEEDS_YOU.fullmatch(run.words.strip()), run
    rows = defaultdict(list)
    for run in seen:
        rows[run.y].append(run)
    footer = "".join(run.words for run in sorted(rows[max(rows)], key=lambda run: run.x))
    assert footer.rstrip().endswith("F1 more")
    assert "…" not in footer


def test_there_are_pictures_to_look_at() -> None:
    assert len(screens()) >= 40
