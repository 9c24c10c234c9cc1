"""Cores: what people who know a kind of work do in it, as tables that a person can read and change.

    cores/*.toml ────────────────────────────── read_core ─┐
    a team's playbooks, a person's own ─── read_playbook ──┴▶ Core, or what is wrong with the file and in which line

A core has five to ten steps for each way to do the work, and nothing that would stand in any plan. Words in braces are
filled from the goal (``{thing}``, ``{target}``, ``{place}``, ``{count}``, ``{day}``, ``{rate}``); what stands in square
brackets is left out where the goal does not say them. What is a pattern in the built-in cores is phrases in a playbook:
words with ``|`` between them, and one ``*`` for the rest of a word. Nobody's file holds regular expressions.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Step
from workbench.domain.plan.schedule import schedule
from workbench.domain.text.cleaning import clean_json, shorten
from workbench.domain.text.toml import read_toml

_MOST_WORDS = 20
"""Of an error that are looked for in its file."""
SLOTS = frozenset({"thing", "target", "place", "count", "day", "rate"})
FEWEST_STEPS, MOST_STEPS = 3, 12
_MOST_KEYS = 100
"""Steps of all ways together."""
_PATTERN = re.compile(r"[\\()\[\]{}^$+?]|\.\*")
"""What tells a regular expression from phrases."""
_MOST_OF_A_PHRASE, _REST_OF_A_WORD = 1_000, r"\w{0,30}"
_SLOT = re.compile(r"\{(\w*)\}")


class CoreStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a core."""

    title: str
    out: str
    """What exists when it is done."""
    check: str
    """How somebody else can tell that it is done."""
    days: tuple[float, float, float] | None = None
    """Working days, low, likely and high; None where nobody can say it beforehand."""
    wait: float | None = None
    """Days of the calendar that pass before it is done, without work."""
    needs: tuple[str, ...] = ()
    """Keys of steps; where an approach leaves one out, what that one needs counts."""
    lead: int | None = None
    """Days before the day that it has to be done by."""
    day: bool = False
    """Whether it happens on the day that all is for."""
    only: str = ""
    """Pattern: it is left out unless the person's words match."""
    unless: str = ""
    """Pattern: it is left out where the person's words match: it is done already, or does not fit."""
    keeps: str = ""
    """Pattern of the limits that show in this step; ``budget`` for those of money."""
    first: str = ""
    """The first thing to do for it."""
    owner: str = ""
    """A role, where it is always that one."""


class CoreApproach(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way to do the work: its own steps in its own order."""

    title: str
    summary: str
    drawback: str
    steps: tuple[str, ...]
    only: str = ""
    """Pattern: it is not offered unless the person's words match."""


class CoreRisk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What goes wrong in this kind of work and in few others."""

    text: str
    sign: str
    response: str


class Core(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a kind of work."""

    id: str = ""
    """Name of its file."""
    name: str
    """The kind, as it is offered to a person."""
    title: str
    measure: str
    """How success is seen."""
    target: str
    thing: str
    """What the work is about, where the goal names it in no way that fits a sentence."""
    words: tuple[str, ...]
    """Phrases that tell this kind of work."""
    forms: tuple[str, ...] = ()
    """Patterns of what is asked for, from its verb on: ``(?:hold|host) ``. One with ``.*`` before its end names an
    object and says more. ``@day`` or ``@place`` at the end: only where the goal names a day on which it is, or a place.
    """
    weak: tuple[str, ...] = ()
    """Words that speak for it beside others."""
    steps: dict[str, CoreStep]
    approaches: tuple[CoreApproach, ...] = ()
    risks: tuple[CoreRisk, ...] = ()
    asks: bool = False
    """Whether it is never picked alone: goals with its words differ too much for its steps."""
    unless: str = ""
    """Pattern: it is not picked alone where the goal matches."""
    event: bool = False
    """Whether all is for one day and is planned back from it."""
    deadline: str
    """The question for the day."""
    source: str = ""
    """Of a playbook: where it comes from."""
    author: str = ""
    date: str = ""

    def way(self, approach: CoreApproach | None) -> tuple[str, ...]:
        """Return the keys of an approach's steps in order; without one, of all steps."""
        return approach.steps if approach else tuple(self.steps)


class UnusableCore(Exception):
    """A file that is no core, with the place and the reason in a sentence."""


def read_playbook(text: str, name: str, place: str = "") -> Core:
    """Return the core that a file of anybody's holds, its phrases as patterns. Raises UnusableCore."""
    return _sound(_with_patterns(_decoded(text, place or name), text, place or name), text, name, place or name)


def _with_patterns(core: Core, text: str, place: str) -> Core:
    for phrase in (core.unless, *core.forms, *(one.only for one in core.approaches), *_of_steps(core)):
        if _PATTERN.search(phrase) or any(one.count("*") > 1 for one in phrase.split("|")):
            fault = f"{shorten(phrase, 80)!r} is a pattern"
        elif len(phrase) > _MOST_OF_A_PHRASE:
            fault = f"{shorten(phrase, 80)!r} is too long"
        else:
            continue
        remedy = "write words, | between them, and one * for the rest of a word or what the work is done to"
        raise UnusableCore(f"{place}:{_line_of(text, phrase)}: {fault}: {remedy}.")
    steps = {
        key: msgspec.structs.replace(
            step, only=_sought(step.only), unless=_sought(step.unless), keeps=_sought(step.keeps)
        )
        for key, step in core.steps.items()
    }
    approaches = tuple(msgspec.structs.replace(one, only=_sought(one.only)) for one in core.approaches)
    return msgspec.structs.replace(
        core, unless=_sought(core.unless), forms=tuple(map(_form, core.forms)), approaches=approaches, steps=steps
    )


def _of_steps(core: Core) -> list[str]:
    return [pattern for step in core.steps.values() for pattern in (step.only, step.unless, step.keeps)]


def _sought(phrases: str, star: str = _REST_OF_A_WORD) -> str:
    """Return phrases as a pattern that is searched for in a time that grows with the text alone."""
    return re.escape(re.sub(r"\s", " ", phrases)).replace(r"\|", "|").replace(r"\ ", " ").replace(r"\*", star)


def _form(phrase: str) -> str:
    words, sign, needed = phrase.partition("@")
    return _sought(words, ".*") + sign + needed


def read_core(text: str, name: str) -> Core:
    """Return the core that a file of ours holds; ``name`` is its id. Raises UnusableCore."""
    return _sound(_decoded(text, name), text, name, name)


def _decoded(text: str, place: str) -> Core:
    try:
        raw = clean_json(read_toml(text))
    except ValueError as error:
        raise UnusableCore(f"{place}: {error}.") from error
    try:
        return msgspec.convert(raw, Core)
    except msgspec.ValidationError as error:
        raise UnusableCore(f"{place}:{_line_of_value(text, raw, str(error))}: {error}.") from error


def _sound(core: Core, text: str, name: str, place: str) -> Core:
    for key, why in _faults(core):
        raise UnusableCore(f"{place}:{_line_of(text, key)}: {why}")
    return msgspec.structs.replace(core, id=name)


def _faults(core: Core) -> list[tuple[str, str]]:
    """Return what is wrong with a core, each with the word in the file that it is about."""
    if len(core.steps) > _MOST_KEYS:
        return [("steps", f"It has more than {_MOST_KEYS} steps.")]
    faults = [
        (key, f"{key} needs {need}, which is no step.")
        for key, step in core.steps.items()
        for need in step.needs
        if need not in core.steps
    ]
    for approach in core.approaches:
        faults += [(key, f"{key} is no step.") for key in approach.steps if key not in core.steps]
    texts = [core.title, core.thing, *(one for step in core.steps.values() for one in (step.title, step.out))]
    faults += [
        (f"{{{slot}}}", f"{{{slot}}} is none of {', '.join(sorted(SLOTS))}.")
        for text in texts
        for slot in _SLOT.findall(text)
        if slot not in SLOTS
    ]
    patterns = [core.unless, *core.forms, *(approach.only for approach in core.approaches)]
    for pattern in (*patterns, *_of_steps(core)):
        try:
            re.compile(pattern)
        except re.error as error:
            faults.append((pattern, f"{shorten(pattern, 80)!r} is no pattern: {error}."))
    ways = [len(core.way(approach)) for approach in core.approaches or (None,)]
    if not all(FEWEST_STEPS <= count <= MOST_STEPS for count in ways):
        faults.append(("steps", f"Each way needs {FEWEST_STEPS} to {MOST_STEPS} steps."))
    return faults or _circle(core)


def _circle(core: Core) -> list[tuple[str, str]]:
    from datetime import date

    try:
        schedule(
            [Step(id=key, title=key, needs=step.needs) for key, step in core.steps.items()],
            start=date(2000, 1, 3),
            deadline=None,
        )
    except PlanUnsound as unsound:
        return [("needs", unsound.message)]
    return []


def _line_of_value(text: str, raw: object, told: str) -> int:
    """Return the line of what does not fit: of a step, the line of its own field."""
    steps = raw.get("steps") if isinstance(raw, dict) else None
    if "$.steps[...]" not in told or not isinstance(steps, dict):
        return _line_of(text, told)
    for key, step in steps.items():
        try:
            msgspec.convert(step, CoreStep)
        except msgspec.ValidationError:
            first = next((at for at, line in enumerate(text.splitlines()) if line.strip() == f"[steps.{key}]"), 0)
            after = "\n".join(text.splitlines()[first + 1 :]).split("\n[", 1)[0]
            name = next(
                (one for one in reversed(re.findall(r"[\w-]+", told)) if re.search(rf"(?m)^{one}\s*=", after)), ""
            )
            return first + 1 + (_line_of(after, name) if name else 0)
    return _line_of(text, told)


def _line_of(text: str, told: str) -> int:
    """Return the line of a file that an error speaks of: the last name in it that stands in the file."""
    lines, told = text.splitlines(), told[:_MOST_OF_A_PHRASE]
    for word in reversed(re.findall(r"[\w-]+", told)[-_MOST_WORDS:] or [told]):
        for number, line in enumerate(lines, 1):
            if word in line and (told in line or re.search(rf"(?<![\w-]){re.escape(word)}\s*(?:=|\])", line)):
                return number
    return 1


@cache
def built_in() -> tuple[Core, ...]:
    """Return the cores that come with the workbench, by name."""
    folder = files("workbench.guided") / "cores"
    tables = sorted((one.name.removesuffix(".toml"), one) for one in folder.iterdir() if one.name.endswith(".toml"))
    return tuple(read_core(table.read_text("utf-8"), name) for name, table in tables)


def filled(text: str, slots: dict[str, str]) -> str:
    """Return a text of a core with the goal's words; a bracket of which one is missing is left out."""

    def optional(match: re.Match[str]) -> str:
        return match[1] if all(slots.get(slot) for slot in _SLOT.findall(match[1])) else ""

    return _SLOT.sub(lambda match: slots.get(match[1], ""), re.sub(r"\[([^\[\]]*)\]", optional, text))
