"""How an open gate stands on the screen: its question, and below it each answer with its letter and consequence.

▲ Round 1 drafted the plan; no findings open. …
  c  continue  the next round, about 4,100 tokens      F  finish  v1 is saved, the session ends
  f  feedback  the plan is amended                     q  stop    everything is kept
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from textual.content import Content

from workbench.domain.loop.gates import BOUND_REASONS, Choice, Gate
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.keymap import KeyOf
from workbench.tui.lines import cut, joined, text, wrapped
from workbench.tui.marks import ASKS, DIM

NOTE, SEND_NOTES = "note", "send-notes"
"""What a person can do at a gate beside answering it: write a note, and send the collected ones as feedback."""

_QUESTION_LINES = 3
_LEAST_CONSEQUENCE, _FURTHER = 12, 8
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
    """A gate as lines, and where which answer stands."""

    lines: tuple[Content, ...]
    places: tuple[tuple[int, int, str], ...]
    """(Number of a line, first cell, kind of the answer that begins there)."""
    asked: int
    """Lines of the question among them, which come first."""
    top: int = 0
    """Lines of the question above what is shown."""
    below: int = 0
    """Lines of the question below what is shown."""

    def within(self, height: int, top: int, keys: str) -> GateLayout:
        """Return it in at most ``height`` lines, where there is room for its answers and two more.

        Of the question it shows what begins at line ``top``, or the end of it, and says how much is above and below.
        """
        if len(self.lines) <= height:
            return self
        room = max(height - (len(self.lines) - self.asked) - 1, 1)
        top = max(min(top, self.asked - room), 0)
        below = self.asked - room - top
        left = ", ".join(f"{count:,} lines {where}" for count, where in ((top, "above"), (below, "below")) if count)
        note = text(f"  … {left}: {keys}", f"bold {ASKS}")
        lines = (*self.lines[top : top + room], note, *self.lines[self.asked :])
        places = tuple((line - self.asked + room + 1, start, kind) for line, start, kind in self.places)
        return replace(self, lines=lines, places=places, asked=room + 1, top=top, below=below)

    def at(self, x: int, y: int) -> str:
        """Return the kind of the answer that stands in a cell; "" for none."""
        begun = [(start, kind) for line, start, kind in self.places if line == y and start <= x]
        return max(begun, default=(0, ""))[1]


def gate_title(gate: Gate) -> str:
    """Return who asks."""
    if gate.kind == "question":
        return "A question for you"
    if gate.kind == "approach":
        return "Choose an approach"
    if gate.kind == "removal":
        return "The planner takes something out"
    if gate.kind == "tool":
        return "A tool asks for permission"
    if gate.kind == "failure":
        return "No answer came" if gate.tries else "A prompt was cut"
    return "A bound asks you" if gate.reason in BOUND_REASONS else "Checkpoint asks you"


def options(gate: Gate, key_of: KeyOf, *, notes: int = 0, can_note: bool = False) -> tuple[Option, ...]:
    """Return what can be done at a gate, in the order in which it is shown; approaches are chosen by their number.

    ``notes`` counts those that wait, with what was written ahead.
    """
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
    numbers = f"1–{len(gate.options)}" if len(gate.options) > 1 else "1"
    key = numbers if choice.kind == "choose" else key_of(f"gate.{choice.kind}")
    return Option(choice.kind, key, clean_name(choice.label), clean_name(choice.consequence))


def gate_layout(
    gate: Gate,
    width: int,
    key_of: KeyOf,
    *,
    mark: str = "▲",
    marked: str = "",
    notes: int = 0,
    can_note: bool = False,
    with_question: bool = True,
    acts: bool = True,
) -> GateLayout:
    """Return the lines of a gate; ``acts`` tells whether its letters do something at the moment.

    ``marked`` is the kind of the answer that was asked for: its letter, once more, gives it.
    """
    asked = clean(gate.question) if with_question else ""
    says_itself = gate.kind == "checkpoint" and gate.reason not in BOUND_REASONS and bool(asked)
    words = [asked] if says_itself else [gate_title(gate), asked]
    room = max(width - 2, 8)
    if gate.kind == "tool":  # nothing that a person allows is left out: the pane pages through it
        question = [line for part in words for row in part.split("\n") for line in _indented(row, room)]
    else:
        question = [line for part in words if part for line in wrapped(part, room)[:_QUESTION_LINES]]
        if len(wrapped(asked, room)) > _QUESTION_LINES:
            question[-1] = cut(text(f"{question[-1]} …"), room).plain
    head = text(f"{mark} {question[0]}", f"bold {ASKS}")
    lines = [head, *(text(f"  {line}", "bold" if gate.kind == "checkpoint" else "") for line in question[1:])]
    offered = options(gate, key_of, notes=notes, can_note=can_note)
    half = room // 2
    beside = [_answer(option, half - 2, offered, acts=acts, marked=marked) for option in offered]
    places: list[tuple[int, int, str]] = []
    if len(offered) > 1 and all(len(answer) == 1 for answer in beside):
        rows = (len(offered) + 1) // 2
        for place in range(rows):
            left = beside[place][0]
            line = joined("  ", left)
            places.append((len(lines), 0, offered[place].kind))
            if place + rows < len(offered):
                line = joined(line, " " * (half - left.cell_length), beside[place + rows][0])
                places.append((len(lines), half + 2, offered[place + rows].kind))
            lines.append(line)
    else:
        for option in offered:
            for answer in _answer(option, room, offered, acts=acts, marked=marked):
                places.append((len(lines), 0, option.kind))
                lines.append(joined("  ", answer))
    return GateLayout(tuple(lines), tuple(places), asked=len(question))


def _indented(row: str, width: int) -> Iterator[str]:
    """Yield the lines of a row; what it goes on with stands further to the right than any row begins."""
    first, *more = wrapped(row, width - _FURTHER)
    yield first
    yield from (" " * _FURTHER + line for line in more)


def _answer(option: Option, width: int, offered: tuple[Option, ...], *, acts: bool, marked: str = "") -> list[Content]:
    """Return the lines of an answer; letters, names and consequences stand below each other where there is room."""
    key_width = max(len(one.key) for one in offered)
    label_width = max(len(one.label) for one in offered)
    widest = max(len(one.consequence) for one in offered)
    if key_width + label_width + widest + 4 > width:
        label_width = len(option.label)
    before = key_width + label_width + 4
    is_marked = option.kind == marked
    key = text(f"{option.key:>{key_width}}  ", f"bold {ASKS}" if is_marked else "bold" if acts else DIM)
    label = text(f"{option.label:<{label_width}}  ", f"bold {ASKS}" if is_marked else "" if acts else DIM)
    first, *more = wrapped(option.consequence, max(width - before, _LEAST_CONSEQUENCE))
    line = joined(key, label, text(first, DIM))
    return [line, *(text(" " * before + line, DIM) for line in more)]
