"""The timeline of a replay, and its keys: they move a player, and whoever shows the session is told where it stands.

The timer only asks the player what is due by its clock; nothing here reckons with time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import MouseDown, MouseMove, MouseUp
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from workbench.replay.player import AS_RECORDED, Player, Speed
from workbench.tui.base import workbench_app
from workbench.tui.keys import bind
from workbench.tui.lines import cut, text
from workbench.tui.marks import DIM
from workbench.tui.replay.timeline_rows import SIGNS, Track, legend, place_line, playing_words, rounds_of

SPEEDS = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0)
"""What the keys 1 to 9 play at: half as fast as it happened, as fast, and up to fifty times as fast."""
_LOOK_EVERY = 0.05
"""Seconds between two looks at what is due: twenty pictures a second are enough for any eye."""


_LOW = 2
"""Lines in which there is room for one lane only."""


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
        bind("end", "edge(1)", "last", "replay.last", "Go to the last event"),
        bind(
            "left_square_bracket",
            "round(-1)",
            "round before",
            "replay.round-before",
            "Go to where this round begins, or the one before it",
        ),
        bind(
            "right_square_bracket", "round(1)", "next round", "replay.next-round", "Go to where the next round begins"
        ),
        bind("f", "ask('fork')", "fork here", "replay.fork", "Go another way from this event, in a fork"),
        bind("c", "ask('compare')", "compare", "replay.compare", "Compare two marked events, or one with this one"),
        *(_speed_key(key, speed) for key, speed in enumerate(SPEEDS, start=1)),
        bind(
            "0",
            f"speed('{AS_RECORDED}')",
            "as recorded",
            "replay.as-recorded",
            "Play as it happened, with every pause as long as it was",
        ),
    ]

    @dataclass
    class Moved(Message):
        """It stands on another event."""

        position: int

    @dataclass
    class Asked(Message):
        """A person wants something to be done with the event that is shown."""

        deed: Literal["fork", "compare"]

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.player: Player | None = None
        """None until the session is read."""
        self._read = 0
        """Events that were read so far."""
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
        """Go to what is due by now, and tell whoever shows it."""
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
        """Return what happened in a cell of the track, in words; None where nothing is marked."""
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
