"""A session to walk through as it happened: the panes of a session as of any of its events, and nothing is written.

    Load ─▶ Player ─▶ Timeline.Moved(seq) ─▶ the newest place wanted ─▶ state_at, in a thread ─▶ SessionChanged ─▶ panes

Panes show states, so a replay needs nothing of its own in them; only what sessions share is shown as this one had seen
it, instead of how it is now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from workbench.bootstrap import sample_sessions
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import SessionState
from workbench.replay.comparing import Place
from workbench.replay.opening import Opened
from workbench.replay.recording import Recording
from workbench.tui.form import FormDialog
from workbench.tui.keymap import hint
from workbench.tui.keys import bind
from workbench.tui.pauses import beside
from workbench.tui.replay.forms import go_to_form
from workbench.tui.replay.replaying import Loaded, ReadSoFar, Replayed, beyond, loading_file, reading
from workbench.tui.session.following import FollowingFailed, SessionChanged
from workbench.tui.session.painting import LIVE, Picture, Sight
from workbench.tui.session.records.looking_back import ReadEvents, Side
from workbench.tui.session.view import SessionView
from workbench.tui.told import counted
from workbench.tui.widgets.bars import Problem
from workbench.tui.widgets.timeline import SPEEDS, Timeline

BADGE = "REPLAY · read-only"


class ReplayScreen(SessionView):
    """A saved session, played."""

    without: ClassVar[frozenset[str]] = frozenset({"plan.note", "gate.note", "list.top"})
    """Keys of panes that do nothing here: it is read-only."""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("space", "play", "play or pause", "replay.play", "Play, or pause"),
        bind("g", "go_to", "go to", "replay.go-to", "Go to an event by its number"),
        bind("m", "mark", "mark", "replay.mark", "Mark this event, or take its mark away"),
        bind("greater_than_sign", "beyond", "behind the damage", "replay.beyond", "Go on behind what is damaged"),
    ]
    starts_at_end: ClassVar[bool] = False
    """Whether the whole of the session is shown before it is played."""

    def __init__(self, replayed: Replayed, *, badge: str = BADGE) -> None:
        super().__init__(
            replayed.name, source=reading(replayed.load, self.clock), events=self._events_so_far, badge=badge
        )
        self.replayed = replayed
        self._saw_others = False  # whether the session ever saw something that others share
        self._opened: Opened | None = None  # what can be read; None once all of it is shown
        self._wanted = asyncio.Event()  # set when the place that is shown is not the place that is wanted

    def clock(self) -> float:
        """Return seconds that only grow."""
        return monotonic()

    # --- panes --------------------------------------------------------------------------------------------------------

    def compose_foot(self) -> ComposeResult:
        """Return the timeline, if a session that continues has its input."""
        yield Timeline(id="timeline")

    @property
    def home(self) -> Widget:
        """What has the focus if nothing else was chosen."""
        return self.timeline

    @property
    def timeline(self) -> Timeline:
        """Where the replay stands."""
        return self.query_one(Timeline)

    @property
    def views(self) -> tuple[str, ...]:
        """What the pane in the middle can show, at this width."""
        return (*super().views, LIVE) if self._saw_others else super().views

    async def until_ready(self) -> None:
        """Wait for the workspace, if that has the session."""
        if self.replayed.in_workspace:
            await super().until_ready()

    def begin(self) -> None:
        """Read the session, and show whatever is wanted of it."""
        super().begin()
        self._fold()

    # --- from a place to a state --------------------------------------------------------------------------------------

    @property
    def recording(self) -> Recording | None:
        """What is replayed; None until it is read."""
        player = self.timeline.player
        return player.recording if player is not None else None

    def on_read_so_far(self, message: ReadSoFar) -> None:
        """Say how far it is read."""
        self.timeline.tell_read(message.events)

    def on_following_failed(self, message: FollowingFailed) -> None:
        """End the application if it was opened for this replay alone."""
        if self.replayed is self.workbench.first_replayed:
            self.workbench.fail(message.error)

    def on_loaded(self, message: Loaded) -> None:
        """Begin where it begins, or show the whole."""
        recording = message.player.recording
        self._opened = message.opened
        self._saw_others = any(tick.kind == "shared" for tick in recording.ticks)
        if self.starts_at_end:
            message.player.seek(recording.length)
        self.timeline.show(message.player)

    def on_timeline_moved(self) -> None:
        """Show the session as it was there."""
        self._wanted.set()

    @work(group="fold", exclusive=True)
    async def _fold(self) -> None:
        """Fold up to the place that is wanted, in a thread; of places that are wanted meanwhile, only the newest."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            player = self.timeline.player
            if player is not None:
                state = await beside(player.recording.state_at, player.position)
                self.post_message(SessionChanged(state))

    def _events_so_far(self) -> Sequence[Event]:
        recording, state = self.recording, self.state
        return () if recording is None or state is None else recording.events[: recording.place(state.seq)]

    def events_to_look_back_on(self) -> ReadEvents:
        """Return what reads the events up to the one that is shown, wherever the replay goes meanwhile."""
        so_far = self._events_so_far()
        return lambda: so_far

    def events_to_fork(self) -> ReadEvents:
        """Return what reads all of the recording: whether the session is private may be said after this place."""
        recording = self.recording
        return lambda: () if recording is None else recording.events

    # --- what there is to see -----------------------------------------------------------------------------------------

    def sight(self) -> Sight | None:
        """Return what there is to see, with the shared context as the session had seen it."""
        seen = super().sight()
        return None if seen is None else replace(seen, as_it_was=True)

    def show(self, picture: Picture) -> None:
        """Put a picture of the session on the screen."""
        self.plan_pane.shows_digits = not self.timeline.has_focus  # there they are speeds
        super().show(picture)

    def problem(self, state: SessionState) -> Problem | None:
        """Return what this screen met, if the file is damaged, what was asked, or what the session itself says."""
        if self._problem is None and self.recording is not None:
            damaged = damage_words(self.recording, self._count_after_damage, state.seq)
            asked = asked_words(state) if damaged is None else None
            return damaged or asked or super().problem(state)
        return super().problem(state)

    @property
    def _count_after_damage(self) -> int:
        """How many events can be read after the damage that the recording ends with."""
        return len(self._opened.behind) if self._opened is not None else 0

    def hints(self) -> list[tuple[str, str]]:
        """Return what can be done where the focus is, the nearest first."""
        player = self.timeline.player
        words = "pause" if player is not None and player.is_playing else "play"
        hints = hint(self, "replay.play", words)
        if self.timeline.has_focus:
            hints += self._joined_hint("replay.back", "replay.on", "event")
            hints += self._joined_hint("replay.round-before", "replay.next-round", "round")
            hints += self._joined_hint("replay.speed-1", f"replay.speed-{len(SPEEDS)}", "speed", "–")
        return [*hints, *hint(self, "replay.go-to"), *hint(self, "replay.mark"), *self.pane_hints()]

    def _joined_hint(self, one: str, other: str, words: str, between: str = " ") -> list[tuple[str, str]]:
        """Return one hint for two keys that do nearly the same."""
        keys = [key for binding in (one, other) for key, _ in hint(self, binding)]
        return [(between.join(keys), words)] if keys else []

    # --- what a person does -------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer no replay of a replay, and to continue after a damage only if there is something."""
        if action == "beyond":
            return self._count_after_damage > 0
        return action != "replay" and super().check_action(action, parameters)

    def action_play(self) -> None:
        """Play, or pause."""
        self.timeline.play_or_pause()
        self.repaint()

    def action_mark(self) -> None:
        """Mark the event that is shown, or take its mark away."""
        self.timeline.mark()

    def on_timeline_asked(self, message: Timeline.Asked) -> None:
        """Fork at the event that is shown, or compare it with others."""
        if message.deed == "fork":
            self.action_fork()
        else:
            self._compare_marked()

    def _compare_marked(self) -> None:
        """Compare the two events that were marked last; if one is, that one with the event that is shown."""
        recording, player = self.recording, self.timeline.player
        if recording is None or player is None:
            return
        places = player.marks[-2:] if len(player.marks) > 1 else (*player.marks, player.position)
        if len(set(places)) < 2:
            self.notify("m marks an event. Mark one, go to another one, and press c there.")
            return
        read = self._all_events
        a, b = (Side(Place(session=self.session, seq=seq), read) for seq in sorted(places))
        self.workbench.compare(a, b)

    def _all_events(self) -> Sequence[Event]:
        recording = self.recording
        return () if recording is None else recording.events

    def action_go_to(self) -> None:
        """Ask where to."""
        if self.recording is not None:
            form = FormDialog(go_to_form(self.recording))
            self.app.push_screen(form, lambda place: self.timeline.seek(int(place)) if place else None)

    @work(group="beyond", exclusive=True)
    async def action_beyond(self) -> None:
        """Show what can be read after the damage, from there on."""
        before, opened = self.timeline.player, self._opened
        if before is not None and opened is not None:
            self._opened = None
            self.timeline.show(await asyncio.to_thread(beyond, opened, before, self.clock))
            self._looking_back.anew()
            self.repaint()

    def action_back(self) -> None:
        """Go back to the timeline from wherever the focus is; from there, leave the replay."""
        if self.timeline.has_focus:
            self.workbench.leave_view()
        else:
            self.home.focus()


def damage_words(recording: Recording, behind: int, seq: int) -> Problem | None:
    """Return what a person should know of damage at an event; ``behind`` is how much can be read after the last."""
    passed = sum(one.seq <= seq for one in recording.damages)
    if passed and not behind:
        return Problem(f"{counted(passed, 'damaged place')} before this: the events there are missing.", tone="plain")
    if not recording.damages or seq < recording.length:
        return None
    damage = recording.damages[0]
    kept = f"{counted(behind, 'event')} after it can be read." if behind else ""
    return Problem(
        f"It is damaged at line {damage.line:,}, where event {damage.seq:,} should be: {damage.why}.",
        kept or "Nothing can be read behind it.",
        "> goes on behind it." if behind else "",
    )


def asked_words(state: SessionState) -> Problem | None:
    """Return what was asked; None if nothing was."""
    if state.gate is None:
        return None
    choices = ", ".join(choice.label for choice in state.gate.choices)
    return Problem(state.gate.question, f"It could be answered with: {choices}.", tone="plain")


def sample_files() -> list[Path]:
    """Return the files of the sample sessions."""
    return list(sample_sessions().values())


class SampleScreen(ReplayScreen):
    """A shipped session, shown as it ended, to be walked through."""

    starts_at_end: ClassVar[bool] = True

    def __init__(self, file: Path) -> None:
        super().__init__(Replayed(file.stem, loading_file(file), in_workspace=False), badge="SAMPLE")
