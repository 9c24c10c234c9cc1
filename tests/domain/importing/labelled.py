"""Plans in many shapes, with what is a step in them: a line that begins with » is one, and the mark is taken off."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan

FOLDER = Path(__file__).parent / "plans"
TODAY = date(2027, 1, 10)
_MARK = "»"
_JSON_STEPS = frozenset({6, 12, 13, 18, 26})


@dataclass(frozen=True)
class Labelled:
    """A plan as people write it."""

    name: str
    text: str
    steps: frozenset[int]
    """The lines that are steps."""

    def read(self) -> Imported:
        return import_plan(self.text, name=self.name, today=TODAY)


def load(path: Path) -> Labelled:
    lines = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n").split("\n")
    steps = frozenset(number for number, line in enumerate(lines, start=1) if line.startswith(_MARK))
    text = "\n".join(line.removeprefix(_MARK) for line in lines)
    return Labelled(path.name, text, _JSON_STEPS if path.suffix == ".json" else steps)


PLANS = {path.name: load(path) for path in sorted(FOLDER.iterdir())}


def lines_of_steps(imported: Imported) -> frozenset[int]:
    """Return the lines that the steps of a plan come from."""
    sources = (step.origin.source for step in imported.plan.steps if step.origin)
    return frozenset(int(source.rpartition(":")[2]) for source in sources)
