"""What a prompt holds of inputs that are larger than a model's window: a part of each, and the model is told which.

    task ─▶ does its prompt fit? ─yes─▶ as it is
                    └no─▶ the long inputs are cut to what each of them may have; ``left_out`` says what is missing

What a person said, and what is asked, is never cut. An answer names only what changes, so what is not shown stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, takewhile
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.domain.loop.asking.tasks import PlanTask
from workbench.domain.loop.steps import Call
from workbench.domain.plan.markdown.writing import item_to_markdown
from workbench.domain.plan.plan import Item, Plan, Section, Step
from workbench.domain.plan.references import with_references
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.tokens import estimate_prompt, estimate_tokens
from workbench.planning.asking.roles import messages_for

_LONG = (
    "plan", "proposal", "schedule", "page", "document", "references", "findings", "known", "earlier", "changes",
    "actions", "guidance", "insights",
)  # fmt: skip
"""Inputs that may be sent in part."""
_AIM = 0.75
"""Share of the room that inputs are cut to: a conversation is beside them."""
_ATTEMPTS = 3
"""As a text is counted otherwise than its parts."""
_PROSE = 0.25
"""Share of a plan's room that the prose of one section may take."""
_ID = lazy_pattern(r"\b[A-Z]{1,3}\d{1,6}\b")


def in_part(call: Call, room: int) -> Call:
    """Return a call whose long inputs are cut to what ``room`` tokens hold; the same one if nothing is to be cut."""
    task: Any = call.task
    if getattr(task, "shown", None) is not None:  # an earlier version, with what changed since, takes more
        task = replace(task, shown=None, changes=())
    long = {name: value for name in _LONG if (value := getattr(task, name, None))}
    none = {name: Plan(title="") if isinstance(value, Plan) else type(value)() for name, value in long.items()}
    bare = replace(task, **none)
    sizes = {name: _size(value) for name, value in long.items()}
    free = int(_AIM * room) - estimate_prompt(messages_for(replace(call, task=bare)))
    named = frozenset(_ID.findall(msgspec.json.encode(replace(task, plan=None) if "plan" in long else task).decode()))
    for _ in range(_ATTEMPTS):
        most = _most_of_each(list(sizes.values()), free)
        cut = {name: _cut(task, name, most, named) for name, size in sizes.items() if size > most}
        left_out = tuple(f"{name}: {told}" for name, (_, told) in cut.items())
        shorter = replace(task, **{name: value for name, (value, _) in cut.items()}, left_out=left_out)
        part = replace(call, task=shorter) if cut else call
        if (over := estimate_prompt(messages_for(part)) - int(_AIM * room)) <= 0 or free <= 0:
            break
        free -= over
    return part


def _size(value: Any) -> int:
    if isinstance(value, Plan):
        return sum(estimate_tokens(section.text) + sum(map(_tokens, section.items)) for section in value.sections)
    return estimate_tokens(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _tokens(item: Item) -> int:
    return estimate_tokens(item_to_markdown(item)) + 1


def _most_of_each(sizes: Sequence[int], room: int) -> int:
    """Return what each of some sizes may be at most, so that together they fit: small ones stay whole."""
    left = sorted(sizes)
    for number, size in enumerate(left):
        share = max(room, 0) // (len(left) - number)
        if size > share:
            return share
        room -= size
    return max(left, default=0)


def _cut(task: Any, name: str, most: int, named: frozenset[str]) -> tuple[Any, str]:
    """Return the part of an input that fits, and what is left out of it."""
    value = getattr(task, name)
    if isinstance(value, Plan):
        return _plan_in_part(value if isinstance(task, PlanTask) else with_references(value), most, named)
    entries = value.split("\n") if isinstance(value, str) else value
    sizes = (_size(entry) + 1 for entry in entries)
    shown = entries[: _fitting(sizes, most)]
    kind = "lines" if isinstance(value, str) else "entries"
    told = f"{len(entries) - len(shown):,} of {len(entries):,} {kind} are not shown"
    return ("\n".join(shown) if isinstance(value, str) else tuple(shown)), told


def _fitting(sizes: Iterable[int], room: int) -> int:
    """Return how many of the first entries fit."""
    return sum(1 for _ in takewhile(lambda total: total <= room, accumulate(sizes)))


def _plan_in_part(plan: Plan, room: int, named: frozenset[str]) -> tuple[Plan, str]:
    """Return the part of a plan that a prompt has room for, in its order, and what is missing.

    First what is spoken of and what that needs, then all that is not a step, then the open steps that begin first.
    """
    prose = {section.id: _prose(section.text, int(_PROSE * room)) for section in plan.sections}
    room -= sum(map(estimate_tokens, prose.values()))
    needed = frozenset(need for step in plan.steps if step.id in named for need in step.needs)
    ranked = sorted(plan.items, key=lambda one: _rank(one, named, needed))
    kept = {item.id for item in ranked[: _fitting(map(_tokens, ranked), room)]}
    sections = (_section_with(section, kept, prose[section.id]) for section in plan.sections)
    shown = Plan(title=plan.title, sections=tuple(sections))
    steps, others = len(plan.steps) - len(shown.steps), len(plan.items) - len(shown.items)
    parts = [f"{steps:,} of {len(plan.steps):,} steps"] if steps else []
    parts += [f"{others - steps:,} other items"] if others - steps else []
    parts += ["some of its prose"] if any(prose[section.id] != section.text for section in plan.sections) else []
    return shown, f"{' and '.join(parts)} not shown; they stay as they are unless you name their ids"


def _rank(item: Item, named: frozenset[str], needed: frozenset[str]) -> tuple[int, str]:
    if item.id in named:
        return 0, ""
    if item.id in needed:
        return 1, ""
    if not isinstance(item, Step):
        return 2, ""
    return (4 if item.status in ("done", "dropped") else 3), item.start or "9999"


def _prose(text: str, room: int) -> str:
    lines = text.split("\n")
    return "\n".join(lines[: _fitting((estimate_tokens(line) + 1 for line in lines), room)])


def _section_with(section: Section, kept: set[str], prose: str) -> Section:
    return replace(section, text=prose, items=tuple(item for item in section.items if item.id in kept))
