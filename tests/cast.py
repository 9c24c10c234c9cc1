"""The first minute with the application as an asciinema cast: ``python -m tests.cast`` writes ``docs/images/``.

Everything is as a person sees it in a terminal; waits are cut to what can be watched. The pace is not measured here:
docs/performance.md has the figures.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from tests.tui.real_terminal import RealTerminal, real_terminal

FILE = Path(__file__).parent.parent / "docs" / "first-minute.cast"
SIZE = (100, 30)
_TYPING, _LOOKING = 0.06, 2.5
"""Seconds between two keys, and for what came."""


class Recorded:
    """What stands on a terminal's screen, as the lines that changed since the last look."""

    def __init__(self, terminal: RealTerminal) -> None:
        self._terminal = terminal
        self._time = 0.5
        self._before = [""] * SIZE[1]
        self.lines: list[str] = []

    def _keep(self) -> None:
        now = [_painted(self._terminal, row) for row in range(SIZE[1])]
        changed = [f"\x1b[{row + 1};1H{line}" for row, line in enumerate(now) if line != self._before[row]]
        self.lines.append(json.dumps([round(self._time, 2), "o", "".join(changed)], ensure_ascii=False))
        self._before = now

    def look(self, *words: str) -> None:
        """Wait until these words stand there, and look at them."""
        self._terminal.sees(*words)
        self._keep()
        self._time += _LOOKING

    def type(self, words: str) -> None:
        """Type words, letter by letter."""
        for end in range(1, len(words) + 1):
            self._terminal.child.send(words[end - 1])
            if words[end - 1] != " ":
                self._terminal.sees(words[max(0, end - 20) : end])
                self._keep()
            self._time += _TYPING

    def press(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self._terminal.press(key)
            self._time += _TYPING


def _painted(terminal: RealTerminal, row: int) -> str:
    """Return a line of the screen with its colours, as a terminal is told them."""
    cells = [terminal._screen.buffer[row][column] for column in range(SIZE[0])]
    parts = []
    for (front, back, bold), run in groupby(cells, key=lambda cell: (cell.fg, cell.bg, cell.bold)):
        codes = ["0", *(["1"] if bold else []), *_colour("38", front), *_colour("48", back)]
        parts.append(f"\x1b[{';'.join(codes)}m" + "".join(cell.data for cell in run))
    return "".join(parts)


def _colour(ground: str, name: str) -> list[str]:
    try:
        return [ground, "2", *(str(part) for part in bytes.fromhex(name))]
    except ValueError:  # the terminal's own
        return []


def first_minute(terminal: RealTerminal, recorded: Recorded) -> None:
    """State a goal, choose a template, leave a step out, add one, set the deadline, and read the plan."""
    recorded.look("What do you want to plan?")
    recorded.type("Move our billing to the new provider by 30 June 2028")
    recorded.press("enter")
    recorded.look("Choose an approach")
    recorded.press("ctrl+y")
    terminal.sees("Esc to the input")
    recorded.press("1")
    recorded.look("Steps of your own", "is the deadline")
    recorded.press("down", "down", "space")
    recorded.look("Steps of your own")
    recorded.press("end", "up", "space")
    recorded.look("is the deadline")
    recorded.press("tab")
    recorded.type("Tell the auditors 1d @Ana by 12 May")
    recorded.look("Tell the auditors")
    recorded.press("ctrl+s")
    recorded.look("^Y answer", "Plan v1")
    recorded.press("ctrl+l", "pagedown")
    recorded.look("Plan v1")


def main() -> None:
    """Record it."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"WORKBENCH_CONFIG": f"{folder}/config.toml", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        work = Path(folder) / "work"
        work.mkdir()
        with real_terminal(str(Path(sys.executable).with_name("workbench")), cwd=work, size=SIZE) as terminal:
            recorded = Recorded(terminal)
            first_minute(terminal, recorded)
            terminal.press("ctrl+q")
            terminal.ended()
    head = {"version": 2, "width": SIZE[0], "height": SIZE[1], "title": "workbench: the first minute"}
    FILE.write_text("\n".join([json.dumps(head), *recorded.lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
