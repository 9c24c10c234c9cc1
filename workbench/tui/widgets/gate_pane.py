"""The open gate: its question, its answers and their consequences. Its letters act only while it has the focus.

It never takes the focus by itself: a person who is writing goes on writing, and goes to the gate with ^Y or the mouse.
Going to one gate is no answer to the next. While a draft stands that was begun before, it is one amber line. Keys that
come all at once are no answer either: a terminal that does not mark what is pasted sends it so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click, Key, Resize
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from workbench.domain.loop.deciding.gates import BOUND_REASONS, Gate
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.tui.base import workbench_app
from workbench.tui.keymap import KeyOf, key_of
from workbench.tui.keys import bind
from workbench.tui.lines import cut, joined, spread, text, wrapped
from workbench.tui.marks import ASKS, DIM

NOTE, SEND_NOTES = "note", "send-notes"
"""What a person can do at a gate beside answering it: write a note, and send the collected ones as feedback."""

_QUESTION_LINES = 3
_LEAST_CONSEQUENCE, _FURTHER = 12, 8  # cells


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
        """Return it in at most ``height`` lines, if there is room for its answers and two more.

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
        """Return the kind of the answer that is in a cell; "" for none."""
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


def options(shown: GateView, key_of: KeyOf) -> Iterator[Option]:
    """Yield what can be done at a gate, in the order in which it is shown; approaches are chosen by their number."""
    for choice in shown.gate.choices if shown.gate is not None else ():
        numbers = f"1–{len(shown.gate.options)}" if shown.gate and len(shown.gate.options) > 1 else "1"
        key = numbers if choice.kind == "choose" else key_of(f"gate.{choice.kind}")
        yield Option(choice.kind, key, clean_name(choice.label), clean_name(choice.consequence))
        if choice.kind == "feedback" and shown.can_note:
            yield Option(NOTE, key_of(f"gate.{NOTE}"), "note", "on a section or a line, sent together")
            if shown.notes:
                label = f"send {shown.notes} note{'s' if shown.notes > 1 else ''}"
                yield Option(SEND_NOTES, key_of(f"gate.{SEND_NOTES}"), label, clean_name(choice.consequence))


def gate_layout(
    gate: Gate, offered: tuple[Option, ...], asked: str, width: int, mark: str, *, marked: str, acts: bool
) -> GateLayout:
    """Return the lines of a gate; ``acts`` tells whether its letters do something at the moment.

    ``asked`` is its question, "" if that is elsewhere; ``marked`` the kind of the answer that was asked for: its
    letter, once more, gives it.
    """
    says_itself = gate.kind == "checkpoint" and gate.reason not in BOUND_REASONS and bool(asked)
    words = [asked] if says_itself else [gate_title(gate), asked]
    room = max(width - 2, 8)
    if gate.kind == "tool":  # nothing that a person allows is left out: the pane pages through it
        question = [line for part in words for row in part.split("\n") for line in _indented(row, room)]
    else:
        question = [line for part in words if part for line in wrapped(part, room)[:_QUESTION_LINES]]
        if len(wrapped(asked, room)) > _QUESTION_LINES:
            question[-1] = cut(text(f"{question[-1]} …"), room).plain
    lines = [text(f"{mark} {question[0]}", f"bold {ASKS}")]
    lines += [text(f"  {line}", "bold" if gate.kind == "checkpoint" else "") for line in question[1:]]
    half = room // 2
    beside = [_answer(option, half - 2, offered, acts=acts, marked=marked) for option in offered]
    places: list[tuple[int, int, str]] = []
    if len(offered) > 1 and all(len(answer) == 1 for answer in beside):
        rows = (len(offered) + 1) // 2
        for place in range(rows):
            line = joined("  ", left := beside[place][0])
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
    """Yield the lines of a row; what it continues with stands further to the right than any row begins."""
    first, *more = wrapped(row, width - _FURTHER)
    yield first
    yield from (" " * _FURTHER + line for line in more)


def _answer(option: Option, width: int, offered: tuple[Option, ...], *, acts: bool, marked: str = "") -> list[Content]:
    key_width = max(len(one.key) for one in offered)
    label_width = max(len(one.label) for one in offered)
    widest = max(len(one.consequence) for one in offered)
    if key_width + label_width + widest + 4 > width:
        label_width = len(option.label)
    before = key_width + label_width + 4
    is_marked = option.kind == marked
    consequence = f"{option.key} again does it: {option.consequence}" if is_marked else option.consequence
    key = text(f"{option.key:>{key_width}}  ", f"bold {ASKS}" if is_marked else "bold" if acts else DIM)
    label = text(f"{option.label:<{label_width}}  ", f"bold {ASKS}" if is_marked else "" if acts else DIM)
    first, *more = wrapped(consequence, max(width - before, _LEAST_CONSEQUENCE))
    line = joined(key, label, text(first, DIM))
    return [line, *(text(" " * before + line, DIM) for line in more)]


_FIRST_PART = lazy_pattern(r",| \(")
_LEAST_WIDTH = 8
_LEAST_QUESTION, _BETWEEN = 44, 2  # cells in one line: of what is asked, and between two answers
_ALLOWS = frozenset({"once", "session"})
"""Answers that let a tool be used: not before the end of its arguments was in sight."""
_KNOWN_ELSEWHERE = frozenset({NOTE, "edit"})
"""Answers that the plan's own keys give too: the first to leave where there is no room."""
MOMENT = 0.02
"""Seconds."""


def _letter(key: str, kind: str, words: str, tooltip: str) -> Binding:
    return bind(key, f"decide('{kind}')", words, f"gate.{kind}", tooltip)


class PasteGuard:
    """Tells a key that a person pressed from the keys as which a paste arrives, if a terminal cannot mark one.

    Pure: times are given. A person's keys are three moments apart or more, those of a paste are read together. A key is
    known to stand alone only when its moment is over, so whoever asks waits as long.
    """

    def __init__(self) -> None:
        self.newest = 0
        """Number of the key that arrived last."""
        self._arrived = float("-inf")
        self._follows = False  # whether the newest key came within a moment of the one before

    def arrive(self, at: float) -> None:
        """Note a key that was read at this time, in seconds."""
        self._follows = at - self._arrived < MOMENT
        self._arrived = at
        self.newest += 1

    def stands_alone(self, number: int) -> bool:
        """Tell, when its moment is over, whether a key came with no other: neither close before it nor since."""
        return number == self.newest and not self._follows


_IN_PLAN = frozenset({"continue", "feedback", "edit", "finish", "stop", NOTE, SEND_NOTES})
"""Answers whose letters act in the plan, too."""
_AT_ONCE = frozenset({"feedback", "edit", NOTE})
"""Those among them that do it at once; the others go to the question."""


@dataclass(frozen=True, slots=True)
class GateView:
    """A gate, or none, and how it is shown."""

    gate: Gate | None = None
    notes: int = 0
    """How many wait, with what was written ahead."""
    can_note: bool = False
    has_question: bool = True
    """False if it is asked elsewhere."""
    is_folded: bool = False
    """Whether it is one line."""
    in_short: str = ""
    """What the folded line says of it."""
    letters_act: bool = False
    """Whether its letters do something in the plan."""


class GatePane(Widget, can_focus=True):
    """A decision that a person has to make."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _letter("k", "keep", "keep", "Keep what the planner takes out"),
        _letter("x", "remove", "remove", "Remove what the planner takes out"),
        _letter("t", "again", "try again", "Ask again what was not answered"),
        _letter("w", "without", "without", "Go on without it"),
        _letter("c", "continue", "continue", "Go on with the next round"),
        _letter("f", "feedback", "feedback", "Write what should change"),
        _letter("m", NOTE, "note", "Write a note on the chosen section or line"),
        _letter("b", SEND_NOTES, "send notes", "Send the collected notes as one batch"),
        _letter("e", "edit", "edit", "Edit the plan in $EDITOR"),
        _letter("F", "finish", "finish", "Save this plan and end the session"),
        _letter("q", "stop", "stop", "Stop here; everything is kept"),
        _letter("a", "answer", "answer", "Write the answer"),
        _letter("s", "skip", "skip", "Leave the question open"),
        _letter("r", "reject", "reject", "End the session without a plan"),
        _letter("y", "once", "once", "Let the tool be used, this time"),
        _letter("v", "session", "session", "Let the tool be used in this session from now on"),
        _letter("d", "no", "no", "Do not let the tool be used"),
        bind("pagedown,down", "page(1)", "more", "gate.more", "Show more of what a tool is to be given"),
        bind("pageup", "page(-1)", "back", "gate.back", "Show what came before"),
        bind("up", "to_plan", "to the plan", "gate.plan", "Go to the plan or the cards"),
    ]

    @dataclass
    class Decided(Message):
        """A person pressed the letter of an answer: its kind, and the approach for ``choose``."""

        gate: Gate
        kind: str
        choice: str = ""

    @dataclass
    class Reviewed(Message):
        """A person went to the gate."""

        gate: Gate

    class PlanWanted(Message):
        """A person goes from the gate to what it is about."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._shown = GateView()
        self._marked = ""
        self._top = 0  # lines of a tool's question that were paged over
        self.reviewed = ""
        """Id of the gate that a person went to last; only that one can be answered."""
        self.came_from: Widget | None = None
        """What had the focus before: it has it again once an answer is given."""
        self._guard = PasteGuard()
        self._waiting: Timer | None = None  # until it is known whether the newest letter stands alone
        self.display = False

    @property
    def acts(self) -> bool:
        """Whether letters and clicks answer: a person went to this very gate, and is still there."""
        return self.has_focus and self.gate is not None and self.reviewed == self.gate.id

    def review(self, marked: str = "") -> None:
        """Go to the gate, to answer it; ``marked`` is the kind of the answer that was asked for."""
        if self.gate is not None:
            self.reviewed, self._marked = self.gate.id, marked
            self.came_from = self.came_from if self.has_focus else self.screen.focused
            self.screen.set_focus(self)  # at once: the next key may have come already
            self._show_acting()
            self.post_message(self.Reviewed(self.gate))

    @property
    def gate(self) -> Gate | None:
        """The gate that is here."""
        return self._shown.gate

    def show_gate(self, shown: GateView) -> None:
        """Show a gate, or nothing; in focus it is never folded."""
        shown = replace(shown, is_folded=shown.is_folded and not self.has_focus)
        if shown == self._shown:
            return
        self._top = self._top if shown.gate == self.gate else 0
        self._shown = shown
        self.display = shown.gate is not None
        self.set_class(shown.is_folded, "folded")
        self.refresh(layout=True)

    def hints(self) -> list[tuple[str, str]]:
        """Return what the key does that was pressed to come here, as a hint: nothing if none was."""
        return [(one.key, f"again: {one.label}") for one in self.offered() if one.kind == self._marked]

    def offered(self) -> tuple[Option, ...]:
        """Return what can be done at the gate that is shown, with the keys as they are set now."""
        return tuple(options(self._shown, partial(key_of, self)))

    def _laid_out(self, gate: Gate) -> GateLayout:
        whole, room = self._unfolded_layout(gate, self.content_size.width), self.content_size.height
        keys = f"{key_of(self, 'gate.more')}, {key_of(self, 'gate.back')}"
        return whole.within(room, self._top, keys) if gate.kind == "tool" else whole

    def _unfolded_layout(self, gate: Gate, width: int) -> GateLayout:
        asked, mark = clean(gate.question) if self._shown.has_question else "", workbench_app(self).marks.asks
        given = (gate, self.offered(), asked, max(width, _LEAST_WIDTH), mark)
        return gate_layout(*given, marked=self._marked if self.acts else "", acts=self.acts)

    def render(self) -> Content:
        """Return the gate: one line if it is folded, else the question and its answers."""
        gate = self.gate
        if gate is None:
            return Content()
        if self._shown.is_folded:
            return self._bar(gate, max(self.content_size.width, _LEAST_WIDTH))
        return Content("\n").join(self._laid_out(gate).lines)

    def _bar(self, gate: Gate, width: int) -> Content:
        """Return a gate in one line: what it asks, the answers whose letters act now, and the key that shows all."""
        review = joined(text(key_of(self, "session.review"), f"bold {ASKS}"), text(" answer", DIM))
        asked = self._shown.in_short or (
            _first_sentence(gate.question) if gate.kind == "checkpoint" else gate_title(gate)
        )
        named = text(f"{workbench_app(self).marks.asks} {clean_name(asked, 200)}", f"bold {ASKS}")
        offered = [one for one in self.offered() if self._shown.letters_act and one.kind in _IN_PLAN]
        room = width - review.cell_length - 2
        asks = min(named.cell_length, _LEAST_QUESTION, width * 3 // 8)
        while offered and asks + _cells(offered) > room:
            offered.remove(next((one for one in offered if one.kind in _KNOWN_ELSEWHERE), offered[-1]))
        if named.cell_length > room - _cells(offered):  # the rest can be seen elsewhere
            named = text(_FIRST_PART.split(named.plain)[0], f"bold {ASKS}")
        answers = (
            part
            for one in offered
            for part in (" " * _BETWEEN, text(_pressed(one), "bold"), text(f" {one.label}", DIM))
        )
        return spread(joined(cut(named, max(room - _cells(offered), 1)), *answers), review, width)

    def get_content_height(self, _container: Size, _viewport: Size, width: int) -> int:
        """Return the lines it takes at a width, which is not the one it has until it is laid out."""
        if self.gate is None or self._shown.is_folded:
            return 1
        lines = len(self._unfolded_layout(self.gate, width).lines)
        return min(lines, self.app.size.height // 2) if self.gate.kind == "tool" else lines

    def on_resize(self, _event: Resize) -> None:
        """Break the lines again."""
        self._top = 0
        self.refresh()

    def watch_has_focus(self, has_focus: bool) -> None:
        """Show whether the letters act now; in focus, the whole gate."""
        super().watch_has_focus(has_focus)
        self._show_acting()

    def _show_acting(self) -> None:
        if self.has_focus:
            self._shown = replace(self._shown, is_folded=False)
            self.remove_class("folded")
        self.refresh(layout=True)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what this gate offers, and nothing else."""
        if action == "decide":
            return self.acts and self._offers(str(parameters[0]))
        if action == "page":
            return self.acts and self.gate is not None and self.gate.kind == "tool"
        return True

    def _offers(self, kind: str) -> bool:
        return any(one.kind == kind for one in self.offered())

    def action_decide(self, kind: str) -> None:
        """Give the answer of a letter."""
        if self.gate is not None and self.acts and self._offers(kind) and self._has_shown_all(self.gate, kind):
            self._decide(self.Decided(self.gate, kind))

    def _has_shown_all(self, gate: Gate, kind: str) -> bool:
        """Tell whether an answer may be given: a tool is allowed when the end of its arguments is in sight."""
        left = self._laid_out(gate).below
        if left and kind in _ALLOWS:
            more = key_of(self, "gate.more")
            self.notify(f"{left:,} more lines of the tool's arguments are below: {more} shows them.")
        return not left or kind not in _ALLOWS

    def action_page(self, step: int) -> None:
        """Page through what a tool is to be given."""
        if self.gate is not None:
            laid_out = self._laid_out(self.gate)
            self._top = max(laid_out.top + step * (laid_out.asked - 1), 0)
            self.refresh()

    def action_to_plan(self) -> None:
        """Go to what the gate is about."""
        self.post_message(self.PlanWanted())

    def on_key(self, event: Key) -> None:
        """Choose an approach with its number."""
        self._guard.arrive(event.time)
        gate, typed = self.gate, event.character
        if gate is None or not self.acts or typed is None or not typed.isascii() or not typed.isdigit():
            return
        if 1 <= int(typed) <= len(gate.options):
            event.stop()
            self._decide(self.Decided(gate, "choose", gate.options[int(typed) - 1]))

    def _decide(self, decided: Decided) -> None:
        """Decide with the newest key, once it is known that it came alone."""
        number = self._guard.newest
        if self._waiting is not None:
            self._waiting.stop()

        def settle() -> None:
            # Behind the keys that were read meanwhile: in the application's queue, then in this widget's.
            self.app.call_later(self.call_later, self._settle, decided, number)

        self._waiting = self.set_timer(MOMENT, settle)

    def _settle(self, decided: Decided, number: int) -> None:
        if not self._guard.stands_alone(number):
            self.notify("Many keys came at once, as from a paste: nothing was decided.")
        elif self.acts and self.gate == decided.gate:
            self.post_message(decided)

    def on_click(self, event: Click) -> None:
        """Give the answer that was clicked; the first click only goes to the gate."""
        gate, offset = self.gate, event.get_content_offset(self)
        if not self.acts or gate is None:
            self.review()
            return
        kind = self._laid_out(gate).at(offset.x, offset.y) if offset is not None else ""
        if kind not in ("", "choose") and self._has_shown_all(gate, kind):
            self.post_message(self.Decided(gate, kind))


def _cells(offered: Iterable[Option]) -> int:
    return sum(_BETWEEN + text(f"{_pressed(one)} {one.label}").cell_length for one in offered)


def _pressed(option: Option) -> str:
    """Return the keys that do it from the plan: what spends or ends is asked for once more."""
    return option.key if option.kind in _AT_ONCE else option.key * 2


def _first_sentence(words: str) -> str:
    return re.split(r"(?<=[.?!]) ", words, maxsplit=1)[0]
