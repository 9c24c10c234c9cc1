"""A session's screen with what sessions share: the live pane, and what a person does with it.

    Sharing.seen ─▶ Sight ─▶ Painter ─▶ live pane                    u, a dialog ─▶ SharedContextManager, in a thread
                                ▲                                                             │
                                └────────────────── the log ◀─────────────────────────────────┘

What is done comes back by the log, as everybody's does; only a refusal is shown at once, where it was met.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from workbench.domain.errors import WorkbenchError
from workbench.domain.shared.context import ContextEvent
from workbench.domain.shared.input import may_change
from workbench.tui.keymap import key_of
from workbench.tui.keys import bind
from workbench.tui.painting import LIVE, Picture, Sight
from workbench.tui.screens.claims import ClaimDialog, ReleaseDialog
from workbench.tui.screens.session_view import SessionView
from workbench.tui.screens.share import ShareDialog
from workbench.tui.screens.shared_change import SharedChangeDialog
from workbench.tui.shared_rows import NOTHING_SAID, Said, change_at
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.marked_lists import LivePane, UndoWanted

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.outcome import Outcome
    from workbench.sharing.shared_context import SharedContextManager


class SharingView(SessionView):
    """One session, and what it shares with the others."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("f5", "live", "shared context", "shared.live", "Go to the shared context"),
        bind("f8", "share", "share a value…", "shared.share", "Set a key that every session sees"),
        bind("f9", "claim", "claim a file or task…", "shared.claim", "Let other sessions leave it alone"),
        bind("f10", "release", "release…", "shared.release", "Give back what was claimed"),
    ]

    def __init__(self, session: str) -> None:
        super().__init__(session)
        self._said = NOTHING_SAID

    def compose_rail(self) -> ComposeResult:
        """Return what stands at the end of the rail: what sessions share, live."""
        yield LivePane(id="live", mark=self.workbench.marks.here)

    def on_mount(self) -> None:
        """Let the hints follow the chosen row: not every change can be taken back."""
        for pane in (self.live_pane, self.plan_pane):
            self.watch(pane, "cursor", self.show_hints, init=False)

    @property
    def live_pane(self) -> LivePane:
        """The shared context."""
        return self.query_one(LivePane)

    @property
    def views(self) -> tuple[str, ...]:
        """What the pane in the middle can show, at this width."""
        return (*super().views, LIVE)

    def sight(self) -> Sight | None:
        """Return what there is to see, with the shared context."""
        seen, sharing = super().sight(), self.workbench.sharing
        if seen is None or sharing is None:
            return seen
        return replace(seen, shared=sharing.seen(), said=self._said)

    def show(self, picture: Picture) -> None:
        """Put a picture of this session on the screen, with the shared context."""
        self.live_pane.show(picture.live, follow=True, holds=True)
        if picture.sight.shared is not None:
            self.fleet.note_present(picture.sight.shared.present)
        super().show(picture)

    def on_shared_changed(self) -> None:
        """Show what sessions share as it is now."""
        self._repaint()

    def pane_hints(self) -> list[tuple[str, str]]:
        """Return what can be done with the chosen change, where one is."""
        pane = self.live_pane if self.live_pane.has_focus else self.plan_pane
        change = self._change_of(pane.chosen) if pane.has_focus else None
        if change is None:
            return super().pane_hints()
        is_undoable = change.key != "" and may_change(change.key, self.session)
        undo = [(key_of(self.plan_pane, "plan.undo"), "undo")] if is_undoable else []
        return [*undo, ("Enter", "open"), *super().pane_hints()]

    def _change_of(self, row: str) -> ContextEvent | None:
        """Return the change that a row shows; None for a row of anything else."""
        sharing = self.workbench.sharing
        event_id = change_at(row)
        if sharing is None or not event_id:
            return None
        return next((one for one in sharing.seen().changes if one.event_id == event_id), None)

    def action_live(self) -> None:
        """Go to the shared context."""
        if not self.has_rail:
            self.view = LIVE
            self.plan_pane.focus()
            self._repaint()
        else:
            self.live_pane.focus()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Open the whole of a change."""
        sharing = self.workbench.sharing
        if sharing is not None and change_at(message.key):
            message.prevent_default()
            event = self._change_of(message.key)
            if event is not None:
                self.app.push_screen(SharedChangeDialog(event, sharing.manager))

    # --- what a person does -------------------------------------------------------------------------------------------

    def on_undo_wanted(self, message: UndoWanted) -> None:
        """Take a change back, as this session."""
        event = message.event
        self._say(Said(event, "is being undone …"))
        self._change(event, lambda shared: shared.undo(self.session, event))

    @work(group="share")
    async def _change(self, event: str, change: Callable[[SharedContextManager], Outcome]) -> None:
        sharing = self.workbench.sharing
        if sharing is None:
            return

        def changed() -> Outcome:
            return change(sharing.manager())

        try:
            done = await asyncio.to_thread(changed)
        except WorkbenchError as error:
            self._say(Said(event, f"Not undone: {error}", is_refusal=True))
        else:
            refused = Said(event, f"Refused: {done.why} {done.remedy}", is_refusal=True)
            self._say(refused if done.outcome == "refused" else NOTHING_SAID)

    def _say(self, said: Said) -> None:
        self._said = said
        self._repaint()

    def action_share(self) -> None:
        """Set a key that every session sees."""
        self._open(ShareDialog)

    def action_claim(self) -> None:
        """Claim a file or a task for this session."""
        sharing, workspace = self.workbench.sharing, self.workbench.workspace
        if sharing is not None and workspace is not None:
            self.app.push_screen(ClaimDialog(self.session, sharing.manager, workspace.file_to_claim))

    def action_release(self) -> None:
        """Give back what this session has claimed."""
        self._open(ReleaseDialog)

    def _open(self, dialog: type[ShareDialog | ReleaseDialog]) -> None:
        sharing = self.workbench.sharing
        if sharing is not None:
            self.app.push_screen(dialog(self.session, sharing.manager))
