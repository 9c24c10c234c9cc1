"""The timeline of a replay, and its keys: they move a player, and whoever shows the session is told where it stands.

The timer only asks the player what is due by its clock; nothing here reckons with time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import MouseDown, MouseMove, MouseUp
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from workbench.domain.session import events as say
from workbench.replay.player import AS_RECORDED, Player, Speed
from workbench.replay.recording import Recording, Tick, TickKind
from workbench.tui.base import workbench_app
from workbench.tui.keys import bind
from workbench.tui.lines import cut, joined, text
from workbench.tui.marks import DIM, ELSEWHERE, FAILED, FOCUS

SPEEDS = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0)
"""What the keys 1 to 9 play at: half as fast as it happened, as fast, and up to fifty times as fast."""
_LOOK_EVERY = 0.05  # seconds between two looks at what is due: twenty pictures a second are enough for any eye


_LOW = 2  # lines in which there is room for one lane only


def _speed_key(key: int, speed: float) -> Binding:
    words = f"speed {speed:g}×"
    tooltip = f"Play at {speed:g}×, with long pauses cut short"
    return bind(str(key), f"speed({speed})", words, f"replay.speed-{key}", tooltip)


class Timeline(Widget, can_focus=True):
    """Where a replay stands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("left", "step(-1)", "back", "replay.back", "Go back by one event"),
        bind("right", "step(1)", "on", "replay.on", "Go on by one event"),
        bind("home", "edge(-1)", "first", "replay.first", "Go to the first event"),
        bind("end,G", "edge(1)", "last", "replay.last", "Go to the last event"),
        bind(
            "left_square_bracket",
            "round(-1)",
            "round before",
            "replay.round-before",
            "Go to where this round begins, or the one before",
        ),
        bind("right_square_bracket", "round(1)", "next round", "replay.next-round", "Go to the next round"),
        bind("f", "ask('fork')", "fork here", "replay.fork", "Go another way from this event, in a fork"),
        bind("c", "ask('compare')", "compare", "replay.compare", "Compare two marked events, or one with this one"),
        *(_speed_key(key, speed) for key, speed in enumerate(SPEEDS, start=1)),
        bind(
            "0", f"speed('{AS_RECORDED}')", "as recorded", "replay.as-recorded", "Play as it happened, with every pause"
        ),
    ]

    @dataclass
    class Moved(Message):
        """It is on another event."""

        position: int

    @dataclass
    class Asked(Message):
        """A person wants something to be done with the event that is shown."""

        deed: Literal["fork", "compare"]

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.player: Player | None = None
        """None until the session is read."""
        self._read = 0  # events that were read so far
        self._track: Track | None = None
        self._rounds: list[tuple[int, int]] = []
        self._shown_position = 0
        self._ticking: Timer | None = None

    def on_mount(self) -> None:
        """Look what is due while it plays."""
        self._ticking = self.set_interval(_LOOK_EVERY, self._look, pause=True)

    def tell_read(self, events: int) -> None:
        """Say how many events were read so far."""
        self._read = events
        self.refresh()

    def show(self, player: Player) -> None:
        """Show a recording from now on, where its player stands."""
        self.player = player
        self._rounds = rounds_of(player.recording)
        self._track = None
        self._shown_position = 0
        self._look()

    # --- what is done ---------------------------------------------------------------------------------------------

    def _look(self) -> None:
        player = self.player
        if player is None:
            return
        position = player.advance()
        if position != self._shown_position:
            self._shown_position = position
            self.post_message(self.Moved(position))
        if self._ticking is not None:
            (self._ticking.resume if player.is_playing else self._ticking.pause)()
        self.refresh()

    def seek(self, seq: int) -> None:
        """Go to an event."""
        if self.player is not None:
            self.player.seek(seq)
            self._look()

    def play_or_pause(self) -> None:
        """Play, or pause."""
        if self.player is not None:
            (self.player.pause if self.player.is_playing else self.player.play)()
            self._look()

    def mark(self) -> None:
        """Mark where it stands, or take the mark away."""
        if self.player is not None:
            self.player.mark()
            self.refresh()

    def action_step(self, by: int) -> None:
        """Go on, or back; who goes event by event wants to look, so it plays no more."""
        if self.player is not None:
            self.player.pause()
            self.player.step(by)
            self._look()

    def action_edge(self, side: int) -> None:
        """Go to the first event, or the last."""
        if self.player is not None:
            events = self.player.recording.events
            self.seek(events[0 if side < 0 else -1].seq)

    def action_round(self, by: int) -> None:
        """Go to where another round begins."""
        if self.player is not None:
            here = self.player.advance()
            begins = [seq for seq, _ in self._rounds if (seq < here if by < 0 else seq > here)]
            if begins:
                self.seek(begins[-1 if by < 0 else 0])

    def action_ask(self, deed: Literal["fork", "compare"]) -> None:
        """Tell the screen, which knows of more than of one recording."""
        self.post_message(self.Asked(deed))

    def action_speed(self, speed: Speed) -> None:
        """Play faster or slower, or as it happened."""
        if self.player is not None:
            self.player.set_speed(speed)
            self._look()

    # --- the mouse ------------------------------------------------------------------------------------------------

    def on_mouse_down(self, event: MouseDown) -> None:
        """Go where the track is pressed, and follow the mouse until it is released."""
        if event.get_content_offset(self) is not None and self._is_on_track(event.y):
            self.capture_mouse()
            self._seek_to(event)

    def on_mouse_move(self, event: MouseMove) -> None:
        """Follow the mouse while it is held; else say what happened where it is."""
        if self.app.mouse_captured is self:
            self._seek_to(event)
        else:
            self.tooltip = self.told_at(self._cell(event)) if self._is_on_track(event.y) else None

    def on_mouse_up(self, _event: MouseUp) -> None:
        """Follow the mouse no more."""
        self.release_mouse()

    def _is_on_track(self, y: int) -> bool:
        return y == self.gutter.top

    def _cell(self, event: MouseDown | MouseMove) -> int:
        return event.x - self.gutter.left

    def _seek_to(self, event: MouseDown | MouseMove) -> None:
        if self._track is not None:
            self.seek(self._track.seq_at(self._cell(event)))

    def told_at(self, cell: int) -> Content | None:
        """Return what happened in a cell of the track, in words; None if nothing is marked."""
        told = self._track.told_at(cell) if self._track is not None else ()
        return Content("\n").join(text(f"{tick.seq:,}  {tick.text}") for tick in told[:8]) if told else None

    # --- what is seen ---------------------------------------------------------------------------------------------

    def watch_has_focus(self, has_focus: bool) -> None:
        """Show whether its keys act now."""
        super().watch_has_focus(has_focus)
        self.refresh()

    def render(self) -> Content:
        """Return the track, and the place in words."""
        player, width = self.player, max(self.content_size.width, 1)
        signs = SIGNS[workbench_app(self).settings.marks]
        if player is None:
            read = f"Reading … {self._read:,} events" if self._read else "Reading …"
            return Content("\n").join([text(signs.to_come * width, DIM), cut(text(read, DIM), width)])
        if self._track is None or not self._track.fits(width, signs):
            self._track = Track(player.recording, width, signs)
        playing = playing_words(signs, player.speed, is_playing=player.is_playing)
        words = place_line(player.recording, self._rounds, self._shown_position, playing, width)
        if not self.has_focus:  # its keys act only with the focus, and that is seen
            words = text(words.plain, DIM)
        lines = [self._track.line(self._shown_position, player.marks)]
        others = self._track.others_line(self._shown_position)
        lines += [others, words] if others is not None and self.content_size.height > _LOW else [words]
        return Content("\n").join([*lines, legend(player.recording.ticks, signs, width)])


_OTHERS: Sequence[TickKind] = ("retrieval", "shared")
"""What comes from other sessions: it has a lane of its own, in the second tone."""
_TICKS: dict[TickKind, tuple[str, str, str]] = {
    "retrieval": ("┊", ":", "retrieved"),
    "shared": ("≠", "%", "shared by others"),
    "condensation": ("≈", "~", "condensed"),
    "plan": ("•", "o", "plan changed"),
    "gate": ("▲", "!", "question"),
    "end": ("■", "#", "end"),
    "rewind": ("«", "<", "rewound"),
    "fork": ("┬", "Y", "forked"),
    "iteration": ("│", "|", "round"),
    "damage": ("✕", "x", "unreadable"),
}
"""What is drawn, in ASCII too, and what it means; of several in a cell the last of these is drawn."""
_RANK = {kind: rank for rank, kind in enumerate(_TICKS)}


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
    lane: str
    """The line of other sessions."""
    is_ascii: bool = False

    def tick(self, kind: TickKind) -> str:
        """Return the sign of a tick; a round has its number instead, if there is room."""
        return _TICKS[kind][self.is_ascii]


SIGNS: Mapping[str, Signs] = {
    "unicode": Signs(*"━─●▾▸‖┄"),
    "ascii": Signs("=", "-", "@", "v", ">", "|", ".", is_ascii=True),
}
"""By the setting ``marks``."""
_Cells = dict[int, tuple[str, tuple[Tick, ...]]]
"""By their number: what is in cells of the track instead of the line, and what happened there, the drawn first."""


class Track:
    """The ticks of a recording, laid out once for a width."""

    def __init__(self, recording: Recording, width: int, signs: Signs) -> None:
        self._width = max(width, 1)
        self._length = recording.length
        self._signs = signs
        self._cells = self._laid_out([tick for tick in recording.ticks if tick.kind not in _OTHERS])
        self._elsewhere = self._laid_out([tick for tick in recording.ticks if tick.kind in _OTHERS])
        self._number(rounds_of(recording))

    def _laid_out(self, ticks: Sequence[Tick]) -> _Cells:
        by_cell: dict[int, list[Tick]] = {}
        for tick in sorted(ticks, key=lambda tick: _RANK[tick.kind], reverse=True):
            by_cell.setdefault(self.cell_of(tick.seq), []).append(tick)
        return {cell: (self._signs.tick(found[0].kind), tuple(found)) for cell, found in by_cell.items()}

    def _number(self, rounds: Sequence[tuple[int, int]]) -> None:
        """Let rounds begin with their numbers, if nothing else is in the way of the digits."""
        for seq, number in rounds:
            digits, cell = str(number), self.cell_of(seq)
            free = range(cell + 1, cell + len(digits))
            ticks = self._cells[cell][1]
            is_drawn = ticks[0].kind == "iteration"
            if is_drawn and free.stop <= self._width and not any(other in self._cells for other in free):
                self._cells |= {cell: (digits[0], ticks)} | {at: (digits[at - cell], ()) for at in free}

    def fits(self, width: int, signs: Signs) -> bool:
        """Tell whether it was laid out for such a width, with these signs."""
        return (self._width, self._signs) == (width, signs)

    def cell_of(self, seq: int) -> int:
        """Return the cell in which an event stands."""
        return (seq - 1) * (self._width - 1) // max(self._length - 1, 1)

    def seq_at(self, cell: int) -> int:
        """Return the event that a click on a cell means: the tick that is drawn there, else the cell's first event."""
        cell = min(max(cell, 0), self._width - 1)
        _, told = self._cells.get(cell, ("", ()))
        if told:
            return told[0].seq
        return min(ceil(cell * max(self._length - 1, 1) / max(self._width - 1, 1)) + 1, self._length)

    def told_at(self, cell: int) -> tuple[Tick, ...]:
        """Return what happened in a cell, what is drawn first."""
        return tuple(tick for lane in (self._cells, self._elsewhere) if cell in lane for tick in lane[cell][1])

    def line(self, position: int, marks: Collection[int]) -> Content:
        """Return the track with where it stands, and what a person marked."""
        here, marked = self.cell_of(position), {self.cell_of(seq) for seq in marks}
        return joined(*(self._drawn(cell, here, is_marked=cell in marked) for cell in range(self._width)))

    def others_line(self, position: int) -> Content | None:
        """Return the lane of what came from other sessions; None if nothing did."""
        if not self._elsewhere:
            return None
        here, line = self.cell_of(position), (self._signs.lane, ())
        signs = (self._elsewhere.get(cell, line)[0] for cell in range(self._width))
        return joined(*(text(sign, ELSEWHERE if cell <= here else DIM) for cell, sign in enumerate(signs)))

    def _drawn(self, cell: int, here: int, *, is_marked: bool) -> Content:
        sign, ticks = self._cells.get(cell, ("", ()))
        if ticks and ticks[0].kind == "damage":  # stands even where the replay stands: there it ends
            return text(sign, f"bold {FAILED}")
        if cell == here:
            return text(self._signs.place, f"bold {FOCUS}")
        if is_marked:
            return text(self._signs.mark, "bold")
        if not sign:
            return text(self._signs.played, FOCUS) if cell < here else text(self._signs.to_come, DIM)
        return text(sign, "" if cell < here else DIM)


def legend(ticks: Sequence[Tick], signs: Signs, width: int) -> Content:
    """Return what the signs on a track mean: those that are drawn, as many as have room; a round has its number."""
    drawn = {tick.kind for tick in ticks}
    parts = [
        f"{'1' if kind == 'iteration' else signs.tick(kind)} {_TICKS[kind][2]}"
        for kind in reversed(_TICKS)
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
    """Return where it is in words; ``playing`` is whether it plays, and how fast."""
    event = recording.event_at(position)
    time = clock_time(event.time) if event is not None else ""
    begun = bisect_right(rounds, position, key=lambda one: one[0])
    number = f"round {rounds[begun - 1][1]}" if begun and width >= WITH_ROUND else ""
    told = recording.told_at(position) or "what stood here cannot be read"
    place = f"event {position:>{len(f'{recording.length:,}')},} of {recording.length:,}"
    between = "".join(f" · {part}" for part in (time, number) if part)
    line = joined(text(f"{playing:<{_PLAYING}}", "bold"), text(place), text(f"{between} · ", DIM), text(told))
    return cut(line, width)


_PLAYING = 11  # cells for whether it plays, so that nothing beside it moves
WITH_ROUND = 70
"""Cells from which there is room for the round beside what happened."""


def playing_words(signs: Signs, speed: Speed, *, is_playing: bool) -> str:
    """Return whether it plays, and how fast."""
    if not is_playing:
        return f"{signs.pauses} paused"
    return f"{signs.plays} as was" if speed == AS_RECORDED else f"{signs.plays} {speed:g}×"


def clock_time(stamp: str) -> str:
    """Return hours, minutes and seconds of an event's time where the person is; "" if it is no time."""
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime("%H:%M:%S")
    except (ValueError, OverflowError):
        return ""
