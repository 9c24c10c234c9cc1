"""Plan files made at random, and what words of them are lost.

A made file takes lines from the labelled plans, changes some, and puts made lines of every markup between them.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from tests.domain.importing.labelled import PLANS, TODAY, lost_words
from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.assembly import without_marks
from workbench.domain.plan.importing.reading import import_plan

NAMES = ("plan.md", "plan.txt", "plan", "tasks.csv", "list.org", "page.wiki", "todo.txt")
_LINES = [
    line for plan in PLANS.values() if not plan.name.endswith((".json", ".mmd")) for line in plan.text.split("\n")
]
_HEADS, _ENTRIES, _TAILS = (
    [line.replace("\\n", "\n").replace("\\t", "\t") for line in part.split("\n")[1:-1]]
    for part in (Path(__file__).parent / "made_lines.txt").read_text(encoding="utf-8").split("%% ")[1:]
)
"""What a line is put into, and what may stand behind it."""


def made(seed: int) -> tuple[str, str]:
    """Return the name and the text of a made file."""
    chance = random.Random(seed)
    spoken = [text for line in _LINES if (text := without_marks(line).strip(" #|>*"))]
    lines = []
    for _ in range(chance.randint(3, 25)):
        text = chance.choice(spoken)[: chance.choice((12, 40, 80, 200))] + chance.choice(_TAILS)
        match chance.randrange(8):
            case 0:
                lines.append("")
            case 1:
                lines.append(chance.choice(_LINES))
            case 2:
                lines.append(chance.choice(_HEADS).format(text))
            case 3:
                lines.append(text)
            case _:
                lines.append(" " * chance.choice((0, 0, 0, 2, 4, 7)) + chance.choice(_ENTRIES).format(text))
    return chance.choice(NAMES), "\n".join(lines) + "\n"


def lost(name: str, text: str) -> Counter[str]:
    """Return the words of a file that its plan does not say."""
    try:
        return lost_words(text, import_plan(text, name=name, today=TODAY))
    except UsageError:  # no plan at all is said, and nothing is taken over
        return Counter()
