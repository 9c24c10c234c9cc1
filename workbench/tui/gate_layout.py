"""How an open gate stands on the screen: its question, and a line for each answer with its letter and consequence.

╭ ▲ Checkpoint asks you ───────────────────────────────────────╮
│ Iteration 1 drafted the plan; no findings open. …            │      places: which cells of which line
│    c  continue       the next iteration, about 4,100 tokens  │      answer what, for the mouse
│    f  feedback       the plan is amended, about 4,100 tokens │
╰──────────────────────────────────────────────────────────────╯
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual.content import Content

from workbench.domain.loop.gates import BOUND_REASONS, Choice, Gate
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.keymap import KeyOf
from workbench.tui.lines import cut, joined, text, wrapped

NOTE, SEND_NOTES = "note", "send-notes"
"""What a person can do at a gate beside answering it: write a note, and send the collected ones as feedback."""

_QUESTION_LINES = 3
_LEAST_CONSEQUENCE = 12
"""Cells."""


@dataclass(frozen=True, slots=True)
class Option:
    """A line of the gate: what its key does."""

    kind: str
    key: str
    label: str
    consequence: str


@dataclass(frozen=True, slots=True)
class GateLayout:
    """A gate as lines, and which answer stands on which."""

    lines: tuple[Content, ...]
    places: dict[int, str]
    """Number of a line → kind of the answer on it."""


def gate_title(gate: Gate) -> str:
    """Return who asks."""
    if gate.kind == "question":
        return "A question for you"
    if gate.kind == "approach":
        return "Choose an approach"
    if gate.kind == "removal":
        return "Left out by the planner"
    if gate.kind == "tool":
        return "A tool asks for permission"
    if gate.kind == "failure":
        return "No answer came"
    return "A bound asks you" if gate.reason in BOUND_REASONS else "Checkpoint asks you"


def options(gate: Gate, key_of: KeyOf, *, notes: int = 0, can_note: bool = False) -> tuple[Option, ...]:
    """Return what can be done at a gate, in the order in which it is shown; approaches are chosen by their number."""
    return tuple(_options(gate, key_of, notes, can_note=can_note))


def _options(gate: Gate, key_of: KeyOf, notes: int, *, can_note: bool) -> Iterator[Option]:
    for choice in gate.choices:
        yield _option(gate, choice, key_of)
        if choice.kind == "feedback" and can_note:
            yield Option(NOTE, key_of(f"gate.{NOTE}"), "note", "on a section or a line, sent together")
            if notes:
                label = f"send {notes} note{'s' if notes > 1 else ''}"
                yield Option(SEND_NOTES, key_of(f"gate.{SEND_NOTES}"), label, clean_name(choice.consequence))


def _option(gate: Gate, choice: Choice, key_of: KeyOf) -> Option:
    key = f"1–{len(gate.options)}" if choice.kind == "choose" else key_of(f"gate.{choice.kind}")
    return Option(choice.kind, key, clean_name(choice.label), clean_name(choice.consequence))


def gate_layout(
    gate: Gate,
    width: int,
    key_of: KeyOf,
    *,
    notes: int = 0,
    can_note: bool = False,
    with_question: bool = True,
    acts: bool = True,
) -> GateLayout:
    """Return the lines of a gate; ``acts`` tells whether its letters do something at the moment."""
    asked = wrapped(clean(gate.question), width) if with_question else ()
    lines = [text(line) for line in asked[:_QUESTION_LINES]]
    if len(asked) > _QUESTION_LINES:
        lines[-1] = cut(text(asked[_QUESTION_LINES - 1] + " …"), width)
    places = {}
    for kind, line in _table(options(gate, key_of, notes=notes, can_note=can_note), width, acts=acts):
        places[len(lines)] = kind
        lines.append(line)
    return GateLayout(tuple(lines), places)


def _table(offered: tuple[Option, ...], width: int, *, acts: bool) -> Iterator[tuple[str, Content]]:
    """Yield the lines of each option with its kind; in columns where they fit, to be compared at a glance."""
    key_width = max((len(option.key) for option in offered), default=0)
    label_width = max((len(option.label) for option in offered), default=0)
    widest = max((len(option.consequence) for option in offered), default=0)
    if key_width + label_width + widest + 4 > width:
        label_width = 0
    for option in offered:
        before = key_width + max(label_width, len(option.label)) + 4
        key = text(f"{option.key:>{key_width}}  ", "bold" if acts else "$text-muted")
        label = text(f"{option.label:<{label_width}}  ", "" if acts else "$text-muted")
        first, *more = wrapped(option.consequence, max(width - before, _LEAST_CONSEQUENCE))
        yield option.kind, joined(key, label, text(first, "$text-muted"))
        for line in more:
            yield option.kind, text(" " * before + line, "$text-muted")
