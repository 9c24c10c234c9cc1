"""Plans in many shapes, with what structure tells to be a step: a line that begins with » is one, without the mark."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from workbench.domain.plan.importing.assembly import said_of, text_of, without_marks
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.importing.words import words

FOLDER = Path(__file__).parent / "plans"
TODAY = date(2027, 1, 10)
_MARK = "»"
_JSON_STEPS = frozenset({6, 12, 13, 18, 26})
_WORDS = """
abhängig after akzeptanzkriterien am and apr april arbeit assignee at aufwand aug august before bis blocked by
completion created d day days deadline dec december dependencies depends dez do doing done dropped due effort end
erledigt est eur feb february fri friday frist from h high hour hours in jan january jul juli july jun june juni
kriterien low mai mar march may medium min mon monday nach need needs next nov november oct october of offen on
owner pending per prerequisites priority progress requires s sat saturday schedule scheduled sep sept september
start status stunden sun sunday tag tage thu thursday title to todo tue tuesday und until usd verantwortlich von w
wait waiting web wed wednesday week weeks wer who x zum
"""
_OF_VALUES = frozenset(_WORDS.split())
"""Words that a value of a field says in another way: months, units, states, and the names of fields."""


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


def lost_words(text: str, imported: Imported) -> Counter[str]:
    """Return the words of a text that its plan does not say; numbers and words that values say otherwise are none."""
    said = Counter(word for line in text.split("\n") for word in words(without_marks(line)))
    lost = said - Counter(words(text_of(imported.plan, {one.id: said_of(one) for one in imported.plan.items})))
    return Counter({word: count for word, count in lost.items() if not _is_of_values(word)})


def _is_of_values(word: str) -> bool:
    return word in _OF_VALUES or any(sign.isdigit() for sign in word)
