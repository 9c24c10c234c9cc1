"""A template: the steps of a kind of work, as a person reads, chooses and changes them.

    TOML ─read_template─▶ Template, or what is wrong with the file and in which line
    Template ─to_toml─▶ TOML, which reads back as the same template

Steps have keys, and variants say which of them they take. Days are no dates but distances: from the day that all is
for, or from the plan's beginning. Every text is in a plan as it is in the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any

import msgspec

from workbench.domain.errors import UsageError
from workbench.domain.loop.limits import MOST_STEPS
from workbench.domain.plan.plan import Level, Step
from workbench.domain.plan.scheduling.cycles import find_cycles
from workbench.domain.text.cleaning import clean_json, shorten
from workbench.domain.text.toml import read_toml

Line = Annotated[str, msgspec.Meta(max_length=300)]
Text = Annotated[str, msgspec.Meta(max_length=5_000)]
Number = Annotated[float, msgspec.Meta(ge=0, le=36_525)]
Distance = Annotated[int, msgspec.Meta(ge=-36_525, le=36_525)]
Name = Annotated[str, msgspec.Meta(max_length=60)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=MOST_STEPS)]
Lines = Annotated[tuple[Line, ...], msgspec.Meta(max_length=300)]
"""What a template may hold: enough for any that people read, and days within a century."""
_LONGEST_KEY = 60
_ON_A_LINE = frozenset({"title", "measure", "target", "day", "words", "questions"})


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a template's file."""


class TemplateStep(_Part, frozen=True, kw_only=True):
    """A step of a template."""

    title: Line
    outcome: Text = ""
    """What exists when it is done."""
    check: Text = ""
    """How somebody else can tell that it is done."""
    effort: tuple[Number, Number, Number] | None = None
    """Working days, low, likely and high; None if nobody can say it beforehand."""
    waiting: Number | None = None
    """Days of the calendar that pass before it is done, without work."""
    needs: Names = ()
    """Keys of steps; if one is left out, what that one needs counts."""
    part_of: Name = ""
    """Key of the step that it is a part of."""
    on: Distance | None = None
    """The day it happens on, in days from the day that all is for: 0 on it, -10 ten days before, 3 three days after."""
    before: Distance | None = None
    """It ends at least so many days before that day."""
    after: Distance | None = None
    """It begins so many days after that day at the earliest."""
    not_before: Distance | None = None
    """It begins so many days after the plan's first day at the earliest."""
    by: Distance | None = None
    """It ends so many days after the plan's first day at the latest."""


class Variant(_Part, frozen=True, kw_only=True):
    """A way to do the work: its own steps in its own order."""

    title: Line
    fits: Text = ""
    """When it is the right one."""
    drawback: Text = ""
    steps: Names
    """Keys of steps."""


class TemplateRisk(_Part, frozen=True, kw_only=True):
    """What goes wrong in this kind of work and in few others."""

    text: Text
    likelihood: Level = "medium"
    impact: Level = "medium"
    sign: Text = ""
    response: Text = ""
    steps: Names = ()
    """Keys of the steps that it is about: without any of them it is left out; () for all of the work."""


class Template(_Part, frozen=True, kw_only=True):
    """What is known of a kind of work."""

    name: str = ""
    """Name of its file, by which it is chosen."""
    title: Line
    fits: Text = ""
    """When it is the right one."""
    words: Lines = ()
    """Phrases by which it is found."""
    measure: Text = ""
    """How success is seen; "" if the person has to say it."""
    target: Text = ""
    day: Text = ""
    """The question for the day that all is for, asked while no day is set."""
    questions: Annotated[tuple[Text, ...], msgspec.Meta(max_length=300)] = ()
    """What the person has to find out or decide."""
    variants: dict[str, Variant] = {}
    """By name; none if there is only one way."""
    steps: dict[str, TemplateStep]
    """By key."""
    risks: Annotated[tuple[TemplateRisk, ...], msgspec.Meta(max_length=300)] = ()

    def way(self, variant: str = "") -> tuple[str, ...]:
        """Return the keys of a variant's steps in order; of the first if none is named, of all without variants."""
        chosen = self.variants.get(variant) or next(iter(self.variants.values()), None)
        return chosen.steps if chosen else tuple(self.steps)

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be chosen: ``move-system:cohorts``, or the name alone if there is one way."""
        return tuple(f"{self.name}:{variant}" for variant in self.variants) or (self.name,)

    def needs(self, key: str, kept: Collection[str]) -> tuple[str, ...]:
        """Return the kept steps that a step needs: for one that is left out, those which that one needs.

        What another of them needs already is not named again.
        """
        found = self._inherited(key, frozenset(kept))
        beyond = self._all_before(found)
        return tuple(need for need in found if need not in beyond)

    def _inherited(self, key: str, kept: frozenset[str]) -> list[str]:
        """Return the nearest kept steps before one, each once, in the order of the needs."""
        found: dict[str, None] = {}
        seen, waiting = {key}, list(reversed(self.steps[key].needs))
        while waiting:
            if (need := waiting.pop()) in seen:
                continue
            seen.add(need)
            if need in kept:
                found[need] = None
            else:
                waiting += reversed(self.steps[need].needs)
        return list(found)

    def _all_before(self, keys: Collection[str]) -> set[str]:
        """Return all steps that have to end before one of these begins."""
        found: set[str] = set()
        waiting = [need for key in keys for need in self.steps[key].needs]
        while waiting:
            if (need := waiting.pop()) not in found:
                found.add(need)
                waiting += self.steps[need].needs
        return found


class UnusableTemplate(UsageError):
    """A file that is not a template, with the place and the reason in a sentence."""

    title = "No template"


def split_choice(chosen: str) -> tuple[str, str]:
    """Return the name and the variant of ``move-system:cohorts``; "" for no variant."""
    name, _, variant = chosen.partition(":")
    return name.strip(), variant.strip()


def read_template(text: str, name: str, place: str = "") -> Template:
    """Return the template that a text of TOML holds. Raises UnusableTemplate, naming ``place`` and the line."""
    place = place or f"{name}.toml"
    return template_of(read_table(text, place), name, text, place)


def template_of(raw: Mapping[str, Any], name: str, text: str, place: str) -> Template:
    """Return the template that a table comes to. Raises UnusableTemplate, with the line of ``text`` that is wrong."""
    raw = on_lines(raw)
    for table, field, why in _misfits(raw):
        raise _unusable(place, _line_of(text, table, field), why)
    template = msgspec.structs.replace(msgspec.convert(raw, Template), name=name)
    for table, field, why in _faults(template):
        raise _unusable(place, _line_of(text, table, field), why)
    return template


def read_table(text: str, place: str) -> dict[str, Any]:
    """Return what a text of TOML says, cleaned. Raises UnusableTemplate."""
    try:
        raw: dict[str, Any] = clean_json(read_toml(text))
    except ValueError as error:
        told = str(error).partition("(at line ")[2].partition(",")[0]
        raise _unusable(place, int(told) if told.isdigit() else text.count("\n") + 1, f"{error}.") from error
    return raw


def on_lines(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with its titles on one line each: they are shown in lists."""
    return {
        name: _on_a_line(value) if name in _ON_A_LINE else _titled(value) if name in ("steps", "variants") else value
        for name, value in raw.items()
    }


def _titled(tables: Any) -> Any:
    if not isinstance(tables, Mapping):
        return tables
    return {
        key: {**table, "title": _on_a_line(table["title"])}
        if isinstance(table, Mapping) and "title" in table
        else table
        for key, table in tables.items()
    }


def _on_a_line(value: Any) -> Any:
    if isinstance(value, list):
        return [" ".join(one.split()) if isinstance(one, str) else one for one in value]
    return " ".join(value.split()) if isinstance(value, str) else value


def to_toml(template: Template) -> str:
    """Return a template as its file holds it."""
    import tomlkit  # only who writes one waits for it

    table = msgspec.to_builtins(template)
    table.pop("name", None)
    return tomlkit.dumps(table)


def _unusable(place: str, line: int, why: str) -> UnusableTemplate:
    why = " ".join(shorten(why, 300).split())  # a key can have line breaks
    return UnusableTemplate(f"{place}:{line}: {why}", "Correct the file; the other templates are used.")


def _misfits(raw: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield what has the wrong type: the table it is in, the field, and a sentence."""
    for name, kind in (("steps", TemplateStep), ("variants", Variant)):
        tables = raw.get(name, {})
        for key, value in tables.items() if isinstance(tables, dict) else ():
            yield from _misfit(value, kind, f"{name}.{key}")
    yield from _misfit(raw, Template, "")


def _misfit(value: object, kind: type[_Part], table: str) -> Iterator[tuple[str, str, str]]:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        words = str(error).split("`")
        field = next((word.removeprefix("$.").partition("[")[0] for word in reversed(words[1::2])), "")
        yield table, field.partition(".")[0], f"{error}."


def _faults(template: Template) -> Iterator[tuple[str, str, str]]:
    """Yield what does not fit together, as ``_misfits`` does."""
    steps = template.steps
    if not 0 < len(steps) <= MOST_STEPS:
        yield "", "steps", f"A template has 1 to {MOST_STEPS} steps."
    for key in (*steps, *template.variants):
        if not 0 < len(key) <= _LONGEST_KEY or not key.isprintable():
            yield "", "steps", f"{shorten(key, 80)!r} is no name for a step or a variant."
    for key, step in steps.items():
        for need in (*step.needs, *filter(None, (step.part_of,))):
            if need not in steps:
                field = "needs" if need in step.needs else "part_of"
                yield f"steps.{key}", field, f"{key} names {shorten(need, 80)}, which is no step."
        if step.effort and not 0 <= step.effort[0] <= step.effort[1] <= step.effort[2]:
            yield f"steps.{key}", "effort", f"The effort of {key} does not go from low over likely to high."
        if step.part_of and steps.get(step.part_of, step).part_of:
            yield f"steps.{key}", "part_of", f"{key} is a part of a part."
    for name, variant in template.variants.items():
        if not variant.steps:
            yield f"variants.{name}", "steps", f"{name} has no steps."
        for key in variant.steps:
            if key not in steps:
                yield f"variants.{name}", "steps", f"{name} names {shorten(key, 80)}, which is no step."
    for risk in template.risks:
        for key in risk.steps:
            if key not in steps:
                yield "risks", "steps", f"A risk names {shorten(key, 80)}, which is no step."
    for circle in find_cycles([Step(id=key, title=key, needs=step.needs) for key, step in steps.items()]):
        yield f"steps.{circle[0]}", "needs", f"{' needs '.join((circle[0], *reversed(circle)))}: a circle."


def _line_of(text: str, table: str, field: str) -> int:
    """Return the line of a field in a table of a file; that of the table, or the first, if it is not written so."""
    lines = text.splitlines()
    heads = {f"[{table}]", f"[[{table}]]"} if table else set()
    begin = next((at for at, line in enumerate(lines) if line.strip() in heads), 0)
    for at, line in enumerate(lines[begin + 1 :] if heads else lines, begin + 1 if heads else 0):
        if heads and line.lstrip().startswith("["):
            break
        if line.partition("=")[0].strip() == field or line.strip(" []") == field:
            return at + 1
    return begin + 1
