"""The timeline of a replay as two lines of text: pure functions of a recording's ticks and of where it stands.

    ━━━━1•━━━▲━2━━•━━●──▲───3───•──■     every cell stands for the same number of events
    ▸   5×   event 213 of 412 · 12:03:22 · round 2 · planner is asked to plan

What has been played is a thick line and what is to come a thin one, so that both are told apart without colour. Where
several ticks share a cell, the one that a person is most likely to look for is drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from textual.content import Content

from workbench.domain.session import events as say
from workbench.replay.player import AS_RECORDED, Speed
from workbench.replay.recording import Recording, Tick, TickKind
from workbench.tui.lines import cut, joined, text
from workbench.tui.marks import DIM, FAILED, FOCUS

_OTHERS: Sequence[TickKind] = ("retrieval", "shared")
"""What comes from other sessions: it has a lane of its own, in the second tone."""
_LEAST_FIRST: Sequence[TickKind] = (
    "retrieval",
    "shared",
    "condensation",
    "plan",
    "gate",
    "end",
    "rewind",
    "fork",
    "iteration",
    "damage",
)
"""Of several ticks in a cell the last of these is drawn."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What is drawn on a timeline."""

    played: str
    to_come: str
    place: str
    """Where it stands."""
    mark: str
    """What a person marked."""
    plays: str
    pauses: str
    ticks: str
    """One for each of ``_LEAST_FIRST``."""
    lane: str
    """The line of other sessions."""

    def tick(self, kind: TickKind) -> str:
        """Return the sign of a tick; a round has its number instead, where there is room."""
        return self.ticks[_LEAST_FIRST.index(kind)]


SIGNS: Mapping[str, Signs] = {
    "unicode": Signs("━", "─", "●", "▾", "▸", "‖", "┊≠≈•▲■«┬│✕", "┄"),
    "ascii": Signs("=", "-", "@", "v", ">", "|", ":%~o!#<Y|x", "."),
}
"""By the setting ``marks``."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell of the track in place of the line."""

    sign: str
    ticks: tuple[Tick, ...] = ()
    """All that happened there; the one that is drawn comes first."""

    @property
    def is_damage(self) -> bool:
        """Whether something there cannot be read."""
        return bool(self.ticks) and self.ticks[0].kind == "damage"


class Track:
    """The ticks of a recording, laid out once for a width."""

    def __init__(self, recording: Recording, width: int, signs: Signs) -> None:
        self._width = max(width, 1)
        self._length = recording.length
        self._signs = signs
        self._cells = self._laid_out([tick for tick in recording.ticks if tick.kind not in _OTHERS])
        self._elsewhere = self._laid_out([tick for tick in recording.ticks if tick.kind in _OTHERS])
        self._number(rounds_of(recording))

    def _laid_out(self, ticks: Sequence[Tick]) -> dict[int, Cell]:
        by_cell: dict[int, list[Tick]] = {}
        for tick in ticks:
            by_cell.setdefault(self.cell_of(tick.seq), []).append(tick)
        cells = {}
        for cell, found in by_cell.items():
            found.sort(key=lambda tick: _LEAST_FIRST.index(tick.kind), reverse=True)
            cells[cell] = Cell(self._signs.tick(found[0].kind), tuple(found))
        return cells

    def _number(self, rounds: Sequence[tuple[int, int]]) -> None:
        """Let rounds begin with their numbers, where nothing else stands in the way of the digits."""
        for seq, number in rounds:
            digits, cell = str(number), self.cell_of(seq)
            free = range(cell + 1, cell + len(digits))
            is_drawn = self._cells[cell].ticks[0].kind == "iteration"
            if is_drawn and free.stop <= self._width and not any(other in self._cells for other in free):
                self._cells[cell] = Cell(digits[0], self._cells[cell].ticks)
                self._cells.update(zip(free, map(Cell, digits[1:]), strict=True))

    def fits(self, width: int, signs: Signs) -> bool:
        """Tell whether it was laid out for such a width, with these signs."""
        return (self._width, self._signs) == (width, signs)

    def cell_of(self, seq: int) -> int:
        """Return the cell in which an event stands."""
        return (seq - 1) * (self._width - 1) // max(self._length - 1, 1)

    def seq_at(self, cell: int) -> int:
        """Return the event that a click on a cell means: the tick that is drawn there, else the cell's first event."""
        cell = min(max(cell, 0), self._width - 1)
        told = self._cells[cell].ticks if cell in self._cells else ()
        if told:
            return told[0].seq
        return min(ceil(cell * max(self._length - 1, 1) / max(self._width - 1, 1)) + 1, self._length)

    def told_at(self, cell: int) -> tuple[Tick, ...]:
        """Return what happened in a cell, what is drawn first."""
        return tuple(tick for lane in (self._cells, self._elsewhere) if cell in lane for tick in lane[cell].ticks)

    def line(self, position: int, marks: Collection[int]) -> Content:
        """Return the track with where it stands, and what a person marked."""
        here, marked = self.cell_of(position), {self.cell_of(seq) for seq in marks}
        return joined(*(self._drawn(cell, here, is_marked=cell in marked) for cell in range(self._width)))

    def others_line(self, position: int) -> Content | None:
        """Return the lane of what came from other sessions; None where nothing did."""
        if not self._elsewhere:
            return None
        here = self.cell_of(position)
        return joined(
            *(
                text(
                    self._elsewhere[cell].sign if cell in self._elsewhere else self._signs.lane,
                    _OTHERS_TONE if cell <= here else DIM,
                )
                for cell in range(self._width)
            )
        )

    def _drawn(self, cell: int, here: int, *, is_marked: bool) -> Content:
        known = self._cells.get(cell)
        if known is not None and known.is_damage:  # stands even where the replay stands: there it ends
            return text(known.sign, f"bold {FAILED}")
        if cell == here:
            return text(self._signs.place, f"bold {FOCUS}")
        if is_marked:
            return text(self._signs.mark, "bold")
        if known is None:
            return text(self._signs.played, FOCUS) if cell < here else text(self._signs.to_come, DIM)
        return text(known.sign, "" if cell < here else DIM)


_OTHERS_TONE = "$accent"

_CALLED: Mapping[TickKind, str] = {
    "retrieval": "retrieved",
    "shared": "shared by others",
    "condensation": "condensed",
    "plan": "plan changed",
    "gate": "question",
    "end": "end",
    "rewind": "rewound",
    "fork": "forked",
    "iteration": "round",
    "damage": "unreadable",
}


def legend(ticks: Sequence[Tick], signs: Signs, width: int) -> Content:
    """Return what the signs on a track mean: those that are drawn, as many as have room; a round has its number."""
    drawn = {tick.kind for tick in ticks}
    parts = [
        f"{'1' if kind == 'iteration' else signs.tick(kind)} {_CALLED[kind]}"
        for kind in reversed(_LEAST_FIRST)
        if kind in drawn
    ]
    parts += [f"{signs.place} here", f"{signs.mark} your mark"]
    while parts and len("   ".join(parts)) > width:
        parts.pop()
    return text("   ".join(parts), DIM)


def rounds_of(recording: Recording) -> list[tuple[int, int]]:
    """Return where each round begins, and its number."""
    found = []
    for tick in recording.ticks:
        event = recording.event_at(tick.seq) if tick.kind == "iteration" else None
        body = say.content(event) if event is not None else None
        if isinstance(body, say.IterationBegun):
            found.append((tick.seq, body.number))
        elif isinstance(body, say.IterationStored):
            found.append((tick.seq, body.result.iteration_num))
    return found


def place_line(
    recording: Recording, rounds: Sequence[tuple[int, int]], position: int, playing: str, width: int
) -> Content:
    """Return where it stands in words; ``playing`` is whether it plays, and how fast."""
    event = recording.event_at(position)
    time = clock_time(event.time) if event is not None else ""
    begun = bisect_right(rounds, position, key=lambda one: one[0])
    number = f"round {rounds[begun - 1][1]}" if begun and width >= WITH_ROUND else ""
    told = recording.told_at(position) or "what stood here cannot be read"
    place = f"event {position:>{len(f'{recording.length:,}')},} of {recording.length:,}"
    between = "".join(f" · {part}" for part in (time, number) if part)
    line = joined(text(f"{playing:<{_PLAYING}}", "bold"), text(place), text(f"{between} · ", DIM), text(told))
    return cut(line, width)


_PLAYING = 11
"""Cells for whether it plays, so that nothing beside it moves."""
WITH_ROUND = 70
"""Cells from which there is room for the round beside what happened."""


def playing_words(signs: Signs, speed: Speed, *, is_playing: bool) -> str:
    """Return whether it plays, and how fast."""
    if not is_playing:
        return f"{signs.pauses} paused"
    return f"{signs.plays} as was" if speed == AS_RECORDED else f"{signs.plays} {speed:g}×"


def clock_time(stamp: str) -> str:
    """Return hours, minutes and seconds of an event's time where the person is; "" where it is no time."""
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime("%H:%M:%S")
    except (ValueError, OverflowError):
        return ""
