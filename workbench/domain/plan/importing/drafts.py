"""Steps while a file is read, and what they need, in the source's words: by id, number, title, or name of a phase."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, field

from workbench.domain.loop.limits import MOST_STEPS
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.markdown.values import read_lag
from workbench.domain.plan.plan import Lag
from workbench.domain.text.patterns import lazy_pattern


class StepDraft(Struct, eq=False):
    """A step as it is read."""

    line: int
    """Counted from 0."""
    title: str
    values: dict[str, Any] = field(default_factory=dict)
    """Fields of the step, by name."""
    ids: list[str] = field(default_factory=list)
    """What the source calls it, as ``T012``."""
    mark: str = ""
    """What was cut from the beginning of its title and may be its first id: "V2: "."""
    number: str = ""
    """Its number in a numbered list."""
    group: object = None
    """The list or table it is in: numbers name steps of the same group first."""
    needs: list[tuple[int, str]] = field(default_factory=list)
    """What it needs, in the source's words, with the line that says so."""
    after: StepDraft | None = None
    """What it needs as that is before it, and not by its name."""
    lags: list[Lag] = field(default_factory=list)
    """How long after what it needs, in the source's words."""
    blocks: list[str] = field(default_factory=list)
    """What needs it."""
    tags: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    """What was read whole, as values of fields or as marks: it need not be said in its words."""
    parent: StepDraft | None = None
    whole: str = ""
    """Id of the step that it is a part of, where the source gives it."""
    workstream: str = ""
    id: str = ""

    space: str = ""
    """The list, project or tag in which its ids are unique; ids name steps of the same one first."""
    guesses: list[str] = field(default_factory=list)
    """What was read of it without certainty."""
    unread: list[tuple[int, str, str]] = field(default_factory=list)
    """Values that do not fit their field: line, text, and why."""
    maybe_owner: str = ""
    """What is alone in brackets at its end, and may be who does it."""

    def give(self, name: str, value: Any) -> bool:
        """Set a field that is not set yet; tell whether a value was given."""
        if value in (None, "", ()):
            return False
        self.values.setdefault(name, value)
        return True

    def take_over(self, line: StepDraft) -> None:
        """Let the line of a step say what is not known yet, and its title."""
        if self.ids:
            line.unmark()
        self.title, self.maybe_owner, self.mark = line.title, line.maybe_owner, line.mark
        self.values = {**line.values, **self.values}
        for name in ("ids", "tags", "needs", "notes", "read", "guesses", "unread"):
            getattr(self, name).extend(getattr(line, name))

    def unmark(self) -> None:
        """Let the title begin with what may be an id, and is none."""
        if self.mark:
            self.title, self.mark = f"{self.mark}{self.title}", ""
            self.read.remove(self.ids.pop(0))

    def misfit(self, text: str, why: str) -> None:
        """Note a value that does not fit its field, so that it is listed with its line."""
        self.unread.append((self.line, text, why))

    def need(self, texts: Iterable[str]) -> None:
        """Note what it needs, in the source's words, without lags of a length."""
        for text in texts:
            parts = re.split("([,;])", text)
            for at, part in enumerate(parts[::2]):
                need, _, behind = part.partition("+" if "+" in part else " lag ")
                need, behind = need.strip().removesuffix("FS"), behind.strip()
                lag = read_lag(behind) if any(map(str.isalpha, behind)) else None  # "1 + 2" are two steps
                if lag and not need.endswith(("SS", "FF", "SF")):
                    parts[2 * at] = need
                    self.lags.append(Lag(need, *lag))
            self.needs.append((self.line, "".join(parts)))

    @property
    def top(self) -> StepDraft:
        """The step that this one is a part of; itself if it is none."""
        return self.parent or self


# --- needs ----------------------------------------------------------------------------------------------------------

_LAG = lazy_pattern(r"(?<=\d)(?:FS|SS|FF|SF)(?: ?[+-].*)?$")
"""Behind the number of a task, as MS Project has it."""
_SIGNS = ' .`*_"“”[]()'
_LIST = lazy_pattern(r"[,;|\n]")
_JOINED = lazy_pattern(r"[/+&]| (?:and|und) |(?<=\d) (?=[\w#-]{0,9}\d)")
_SIGN = lazy_pattern(r":| [—–] ")
_MOST_JOINED = 6
"""Parts of a list that can be one title."""
_NAMED = lazy_pattern(r"(?:task|step|action|issue|item|story|schritt|aufgabe|nr|no|number)s? ", re.IGNORECASE)


def parts_of_list(text: str) -> int:
    """Return how many steps a text names at most."""
    return 1 + len(_LIST.findall(text))


class References:
    """The steps of a file by what they can be called."""

    def __init__(self, steps: Sequence[StepDraft]) -> None:
        self._ids: dict[tuple[str, str], list[StepDraft]] = defaultdict(list)
        self._elsewhere: dict[str, list[StepDraft]] = defaultdict(list)
        self._groups: dict[str, list[StepDraft]] = defaultdict(list)
        self._named: dict[tuple[object, str], list[StepDraft]] = defaultdict(list)
        """By number in a list, by any number, by title, and by what is before its colon or dash."""
        for step in steps:
            for name in dict.fromkeys(map(_key, step.ids)):
                self._ids[step.space, name].append(step)
                if step.space:
                    self._elsewhere[name].append(step)
            titles = {bare(step.title), bare(f"{step.ids[-1]} {step.title}") if step.ids else ""}
            named: list[tuple[object, str]] = [("title", title) for title in titles]
            named += [(id(step.group), step.number), ("number", step.number)]
            named += [("head", bare(before)) for before, *behind in (_SIGN.split(step.title, 1),) if behind]
            for way, name in named:
                if name:
                    self._named[way, name].append(step)
            for part in step.workstream.split(" / "):
                for name in {bare(part), bare(part.partition(":")[0])}:
                    self._groups[name].append(step)

    @property
    def doubled(self) -> list[tuple[str, list[StepDraft]]]:
        """Ids that several steps have."""
        several = [(key, steps) for (_, key), steps in self._ids.items() if len(steps) > 1 and key]
        return [(next(name for name in steps[0].ids if _key(name) == key), steps) for key, steps in several]

    def find_all(self, text: str, step: StepDraft, most: int = MOST_STEPS) -> tuple[list[StepDraft], list[str], int]:
        """Return the steps that a text names, those of its parts that name none, and how many it has beyond the most.

        A list is split before its parts are looked up: "1,2" is never step 12. Only a title may hold a comma.
        """
        parts = [part for part in (" ".join(_without_signs(one).split()) for one in _LIST.split(text)) if part]
        found: list[StepDraft] = []
        unknown: list[str] = []
        at = 0
        while at < len(parts) and len(found) < most:
            length, named = self._longest(parts[at : at + _MOST_JOINED], step)
            if not named:
                named, others = self._joined(parts[at], step)
                unknown += others
            found += named
            at += length
        return (
            [one for one in dict.fromkeys(found) if one is not step and one.parent is not step],
            unknown,
            len(parts) - at,
        )

    def _longest(self, parts: Sequence[str], step: StepDraft) -> tuple[int, list[StepDraft]]:
        """Return how many parts are a title together, and its step; else the step of the first part."""
        for length in range(len(parts), 1, -1):
            title = bare(", ".join(parts[:length]))
            if re.search(r"[^\W\d_]{3}", title) and (named := self._only("title", title)):
                return length, named
        return 1, self._find(parts[0], step)

    def _joined(self, text: str, step: StepDraft) -> tuple[list[StepDraft], list[str]]:
        """Return the steps of "T1 and T2" or "3 4"; all of its parts have to be names."""
        parts = [part for part in _JOINED.split(text) if part.strip(_SIGNS)]
        named = [self._find(part.strip(_SIGNS), step) for part in parts]
        if len(parts) < 2 or not any(named):
            return [], [text]
        found = [one for each in named for one in each]
        return found, [part.strip() for part, each in zip(parts, named, strict=True) if not each]

    def _find(self, text: str, step: StepDraft) -> list[StepDraft]:
        key, number = _key(_LAG.sub("", text)), _NAMED.sub("", bare(text))
        for name in step.ids:  # "2" below "1.3" is "1.2"
            scope = name.rpartition(".")[0]
            if scope and (one := self._with_id(f"{_key(scope)}.{key}", step)):
                return one
        for name in (key, _NAMED.sub("", key), number):
            if one := self._with_id(name, step):
                return one
        title = bare(text)
        head = bare(text.partition(" (")[0])  # "Phase 1 (its data)"
        for way, name in ((id(step.group), number), ("number", number), ("title", title), ("head", head)):
            if named := self._only(way, name):
                return named
        return [one for one in dict.fromkeys(self._groups.get(title, ())) if one.workstream != step.workstream]

    def _only(self, way: object, name: str) -> list[StepDraft]:
        """Return the step that alone is called so; [] for none, or several."""
        named = self._named.get((way, name), [])
        return named if len(named) == 1 else []

    def _with_id(self, key: str, step: StepDraft) -> list[StepDraft]:
        """Return the steps of an id, of the same list first; several where it occurs twice."""
        if (step.space, key) in self._ids or not key:
            return self._ids.get((step.space, key), [])
        others = self._elsewhere.get(key, [])
        return others if len(others) == 1 else []


def _without_signs(text: str) -> str:
    """Return a text without signs around it; a bracket that closes one within it stays."""
    inner = text.strip(_SIGNS)
    behind = text[text.find(inner) + len(inner) :] if inner else ""
    return inner + next((sign for opened, sign in ("()", "[]") if opened in inner and sign in behind), "")


def _key(name: str) -> str:
    """Return an id without signs and case; dots and spaces part numbers, and stay."""
    apart = re.sub(r"(?<=\d)[^\w.\s]+(?=\d)", " ", name.casefold())  # 1/2 and 1-2 are not 12
    return " ".join(re.sub(r"[^\w.\s]", "", apart).split()).strip("._")
