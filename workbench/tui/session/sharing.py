"""What sessions share: view 5, and what a person does with it.

    Sharing.seen ─▶ Sight ─▶ Painter ─▶ view 5                       u, a dialog ─▶ SharedContextManager, in a thread
                                ▲                                                             │
                                └────────────────── the log ◀─────────────────────────────────┘

What is done comes back by the log, as everybody's does; only a refusal is shown at once, if it was met.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from workbench.domain.errors import WorkbenchError
from workbench.domain.shared.context import ContextEvent
from workbench.domain.shared.input import may_change
from workbench.domain.shared.words import conflict_words
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.dialog import PickDialog
from workbench.tui.form import FormDialog
from workbench.tui.keymap import key_of
from workbench.tui.keys import bind
from workbench.tui.session.painting import Picture, Sight
from workbench.tui.session.view import SessionView
from workbench.tui.sharing.dialogs import Shown, claim_form, claimed_rows, share_form, shared_change_rows
from workbench.tui.sharing.shared_rows import NOTHING_SAID, VALUE, Said, change_at
from workbench.tui.widgets.bars import Problem
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.outcome import Claim, Outcome
    from workbench.sharing.shared_context import SharedContextManager


class Sharing:
    """What a session shares with the others."""

    BINDINGS = (
        bind("f5", "view('live')", "shared context", "shared.live", "Go to the shared context"),
        bind("f8", "share", "share a value…", "shared.share", "Set a key that every session sees"),
        bind("f9", "claim", "claim a file or task…", "shared.claim", "Let other sessions leave it alone"),
        bind("f10", "release", "release…", "shared.release", "Give back what was claimed"),
    )

    def __init__(self, screen: SessionView) -> None:
        self._screen = screen
        self._said = NOTHING_SAID
        self._overruled = ""  # key of which a notice stands that somebody else overruled it
        self._told = -1  # the last change of the shared context that was looked at; -1 before the first look

    def begin(self) -> None:
        """Let the hints follow the chosen row: not every change can be taken back."""
        self._screen.watch(self._screen.plan_pane, "cursor", self._screen.show_hints, init=False)

    def seen(self, sight: Sight) -> Sight:
        """Return what there is to see, with the shared context."""
        sharing = self._screen.workbench.sharing
        return sight if sharing is None else replace(sight, shared=sharing.seen(), said=self._said)

    def show(self, picture: Picture) -> None:
        """Tell what the shared context has that a person is to know wherever they are."""
        if picture.sight.shared is not None:
            self._tell_overruled(picture.sight.shared.changes, since=picture.sight.state.updated)

    def _tell_overruled(self, changes: Sequence[ContextEvent], *, since: str) -> None:
        """Say whose change went before a value of this session: of what it cannot know yet, wherever it is."""
        told, own, last = self._told, self._screen.session, dict[str, str]()
        for change in changes:
            is_new = change.seq > told if told >= 0 else change.timestamp > since
            if is_new and change.losers and change.session_id != own == last.get(change.key):
                who = clean_name(self._screen.names.get(change.session_id) or change.session_id, 40)
                happened = f"{who} overruled your {clean_name(change.key, 60)}: {conflict_words(change)}."
                self._screen.tell(Problem(happened, "", "5 shows it; u there undoes it.", tone="plain"))
                self._overruled = change.key
            elif is_new and change.key and change.key == self._overruled:  # taken back, or written again: it is past
                self._overruled = ""
                self._screen.tell(None)
            last[change.key] = change.session_id
        self._told = max(told, changes[-1].seq if changes else 0)

    def hints(self) -> list[tuple[str, str]]:
        """Return what can be done with the chosen change, if one is."""
        pane = self._screen.plan_pane
        change = self._change_of(pane.chosen) if pane.has_focus else None
        if change is None:
            return []
        is_undoable = change.key != "" and may_change(change.key, self._screen.session)
        enter = "change" if pane.chosen.startswith(VALUE) else "open"
        return [*([(key_of(pane, "plan.undo"), "undo")] if is_undoable else []), ("Enter", enter)]

    def _change_of(self, row: str) -> ContextEvent | None:
        sharing = self._screen.workbench.sharing
        event_id = change_at(row)
        if sharing is None or not event_id:
            return None
        return next((change for change in sharing.seen().changes if change.event_id == event_id), None)

    def _value_of(self, row: str) -> Shown | None:
        sharing = self._screen.workbench.sharing
        if sharing is None or not row.startswith(VALUE):
            return None
        values = sharing.seen().values
        found = next(
            (Shown.from_value(key, one.value, one.version) for key, one in values if one.event == change_at(row)), None
        )
        event = self._change_of(row)  # of a row that shows an earlier value still
        return found or (Shown.from_value(event.key, event.value, event.version) if event is not None else None)

    def opens(self, row: str) -> bool:
        """Change a value, or open the whole of a change; False for a row of anything else."""
        sharing = self._screen.workbench.sharing
        if sharing is None or not change_at(row):
            return False
        if row.startswith(VALUE):
            self.share()
            return True
        event = self._change_of(row)
        if event is not None:
            rows = partial(shared_change_rows, event, sharing.manager)
            heading = clean_name(event.key) or "The sessions that take part"
            self._screen.app.push_screen(PickDialog(heading, rows))
        return True

    def take_back(self) -> None:
        """Take the chosen change back, as this session."""
        focused = self._screen.focused
        event = change_at(focused.chosen) if isinstance(focused, LineList) else ""
        if not event:
            return
        self._say(Said(event, "is being undone …"))
        undone = self._change(
            lambda shared: shared.undo(self._screen.session, event),
            lambda why: self._say(Said(event, f"Not undone: {why}", is_refusal=True)),
            lambda: self._say(NOTHING_SAID),
        )
        self._screen.run_worker(undone, group="share")

    async def _change(
        self,
        change: Callable[[SharedContextManager], Outcome | Claim],
        refused: Callable[[str], None],
        done: Callable[[], None],
    ) -> None:
        sharing = self._screen.workbench.sharing
        if sharing is None:
            return
        try:
            came_to = await asyncio.to_thread(lambda: change(sharing.manager()))
        except WorkbenchError as error:
            refused(str(error))
            return
        if came_to.outcome == "refused":
            refused(f"{came_to.why} {came_to.remedy}")
        else:
            done()

    def _say(self, said: Said) -> None:
        self._said = said
        self._screen.repaint()

    def share(self) -> None:
        """Set a key that every session sees, the chosen one if one is."""
        sharing, screen = self._screen.workbench.sharing, self._screen
        if sharing is not None:
            chosen = self._value_of(screen.plan_pane.chosen)
            screen.app.push_screen(FormDialog(share_form(screen.session, sharing.manager, screen.names, chosen)))

    def claim(self) -> None:
        """Claim a file or a task for this session."""
        sharing, workspace = self._screen.workbench.sharing, self._screen.workbench.workspace
        if sharing is not None and workspace is not None:
            form = claim_form(self._screen.session, sharing.manager, workspace.file_to_claim)
            self._screen.app.push_screen(FormDialog(form))

    def release(self) -> None:
        """Give back what this session has claimed."""
        sharing = self._screen.workbench.sharing
        if sharing is not None:
            rows = partial(claimed_rows, self._screen.session, sharing.manager)
            dialog = PickDialog("Release what this session has claimed", rows, "release", shape="small")
            self._screen.app.push_screen(dialog, self._release)

    def _release(self, lease: str | None) -> None:
        if lease:
            kind, _, name = lease.partition(":")
            screen = self._screen
            released = self._change(
                lambda shared: shared.release(screen.session, kind, name),
                lambda why: screen.notify(clean(f"Refused: {why}")),
                lambda: screen.notify(clean(f"Released: {name}.")),
            )
            screen.run_worker(released, group="share")
