"""Plan files, and what is read from each. ``python -m tests.domain.importing.cases`` writes down what is read now.

    %% What the cases below show
    >>>> name.csv                    or faults/name.csv, a file beside the cases
    the text of the file
    ====
    what is read from it (``told``)

Look at every line that becomes another: a case is right because somebody has read it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace
from workbench.domain.plan.importing.assembly import NOT_PLACED
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.text.encodings import decoded

FOLDER = Path(__file__).parent
TODAY = date(2026, 11, 30)
_CASE = re.compile(r"^>>>> (?P<name>.+)\n(?P<text>(?s:.*?))^====\n(?P<read>(?:(?!>>>> |%% ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A file, and what is read from it."""

    name: str
    text: str
    read: str

    @classmethod
    def of(cls, found: re.Match[str]) -> Case:
        name, text = found["name"], found["text"]
        if "/" in name:
            text = decoded((FOLDER / name).read_bytes()) or ""
        return cls(name, text, found["read"])

    def imported(self) -> Imported:
        return import_plan(self.text, name=self.name.rpartition("/")[2], today=TODAY)


def told(imported: Imported) -> str:
    """Return what was read: the plan, guesses (?), what has no place (!), and what became of the lines (=)."""
    sections = (one for one in imported.plan.sections if not one.id.startswith(NOT_PLACED.id))
    plain = (replace(one, items=tuple(replace(item, origin=None) for item in one.items)) for one in sections)
    plan = to_markdown(Plan(title=imported.plan.title, sections=tuple(plain)))
    lines = [line for line in plan.splitlines() if line.strip()]
    lines += [f"? {guess}" for guess in imported.guesses]
    lines += [f"! {one.line}: {one.text} ({one.why})" for one in imported.not_placed]
    fates = groupby(imported.lines, key=lambda fate: f"{fate.kind} {fate.of if fate.kind == 'field' else ''}".strip())
    runs = ((what, [str(fate.line) for fate in run]) for what, run in fates if what != "blank")
    became = ", ".join(f"{'-'.join(dict.fromkeys((of[0], of[-1])))} {what}" for what, of in runs)
    return "\n".join([*lines, f"= {imported.format}: {became}", ""])


def texts() -> list[Path]:
    return sorted((FOLDER / "cases").glob("*.txt"))


def cases() -> list[Case]:
    """Return all cases."""
    return [Case.of(found) for file in texts() for found in _CASE.finditer(file.read_text(encoding="utf-8"))]


def _renewed(found: re.Match[str]) -> str:
    return f">>>> {found['name']}\n{found['text']}====\n{told(Case.of(found).imported())}"


if __name__ == "__main__":
    for file in texts():
        file.write_text(_CASE.sub(_renewed, file.read_text(encoding="utf-8")), encoding="utf-8")
