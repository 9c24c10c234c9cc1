"""Plan files made at random, and a check that none loses a word: ``python -m tests.domain.importing.made_files 10000``.

A made file takes lines from the labelled plans, changes some, and puts made lines of every markup between them.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator

from tests.domain.importing.labelled import PLANS, TODAY, lost_words
from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.assembly import without_marks
from workbench.domain.plan.importing.reading import import_plan

NAMES = ("plan.md", "plan.txt", "plan", "tasks.csv", "list.org", "page.wiki", "todo.txt")
_LINES = [
    line for plan in PLANS.values() if not plan.name.endswith((".json", ".mmd")) for line in plan.text.split("\n")
]
_HEADS = (
    "# {}",
    "## {}",
    "{}:",
    "**{}**",
    "== {} ==",
    "* TODO {}",
    "*** {} ***",
    "{}\n----",
    "| {} | Who | When |\n|---|---|---|",
)
_ENTRIES = (
    "- {}",
    "* [ ] {}",
    "  - [x] {}",
    "1. {}",
    "[ ] {}",
    "x {}",
    "o {}",
    "\t[...] {}",
    "(A) 2026-11-20 {} +home @phone",
    "x 2026-11-21 2026-11-10 {}",
    "** TODO [#A] {}   :tag:",
    "   DEADLINE: <2026-12-15 Tue>",
    "*: {}",
    "{{{{done}}}} {}",
    "| {} | Anna | 3 May |",
    "|-",
    '{{| class="wikitable"',
    "! {} !! Who",
    "|}}",
    "--> {}",
    "ACTION: Tom to {}",
    "> {}",
    "  1.1  {}    18:00   Bea",
    "{};;Anna;03.05.2027",
    ";{};;",
    "?? {}",
    "```",
    "<!-- {} -->",
    "<details>",
    "- ~~{}~~",
    "---",
)
_TAILS = (
    "",
    " (Anna, 2d)",
    " - Bea, by 3 May",
    " @tom needs a hand",
    " #412",
    " due:2026-12-05 owner:ewan",
    " – [[User:Kim|Kim]] – done",
    " Owner: Jo",
    ", needs T001",
    " (one, two and three)",
    " 📅 2027-05-03",
    " by 4 Dec at the latest, takes 10 days",
    " ~ 380 EUR",
    " [1/3]",
    " see https://example.org/a?b=7",
    ". It takes long. Nobody knows.",
    " <br> and more",
    " --- x3",
    " | 2h | Al",
)


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


def losing(first: int, last: int) -> Iterator[tuple[int, Counter[str]]]:
    """Yield the seeds of files that lose words, with the words."""
    for seed in range(first, last):
        if missing := lost(*made(seed)):
            yield seed, missing


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=int, nargs="?", default=10_000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    failed = list(losing(options.first, options.first + options.cases))
    for seed, missing in failed:
        print(f"seed {seed}: {dict(missing)}")
    print(f"{options.cases:,} files, {len(failed)} that lose words")
    sys.exit(bool(failed))
