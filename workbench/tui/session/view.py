"""A session to look at: views by number, the review, why a line is there. Nothing is driven or written here."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Key

from workbench.replay.comparing import Place
from workbench.tui.dialog import PickDialog
from workbench.tui.form import ask_to_find
from workbench.tui.keymap import hint, key_of, shown_key
from workbench.tui.keys import bind
from workbench.tui.session.context_rows import SENT
from workbench.tui.session.frame import PAGES, PANEL, SessionFrame
from workbench.tui.session.looking_back import Side, events_of
from workbench.tui.session.memory_rows import ROUND
from workbench.tui.session.outline import outline_rows
from workbench.tui.session.painting import CHANGES, FOLLOWED, GATE, HISTORY
from workbench.tui.session.reviewing import Page, Review, Reviewing, rounds_version
from workbench.tui.session.versions import ORIGINAL, version_rows
from workbench.tui.views import OLDER
from workbench.tui.widgets.bars import Notice, Problem
from workbench.tui.widgets.framed_list import CALLED, NUMBERED, FramedList
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane, MarkableList

_CHANGES = frozenset({"note", "mark_item", "answer", "add", "deed", "undo", "redo_change"})
"""What a session is changed with, by who drives it."""


class SessionView(SessionFrame):
    """One session, and the ways to look at it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+l", "plan", "plan", "session.plan", "Go to the plan", priority=True),
        bind("ctrl+b", "outline", "outline", "session.outline", "Go to a section of the plan", priority=True),
        bind("f6", "replay", "replay", "session.replay", "Walk through it as it happened so far", priority=True),
        bind("f7", "fork", "fork", "session.fork", "Go another way from here, in a fork", priority=True),
        bind("escape", "back", "back", "session.back", "Interrupt a step, or go back"),
        bind("exclamation_mark", "notice", "more", "session.notice", "Unfold the line above the input, or fold it"),
        bind("alt+0", "app.home", "home", "session.home", "Go to the list of plans"),
        *(
            bind(
                f"alt+{digit}",
                f"view('{name}')",
                f"view {digit}",
                f"session.view-{digit}",
                f"Go to the view: {CALLED.get(name, name)}",
            )
            for digit, name in enumerate(NUMBERED, 1)
        ),
    ]

    _zoomed = "plan"  # the view beside which the drawer stood before it was given all the room

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with what is shown."""
        shown_in = {
            "why": ("plan", CHANGES),
            "fold": ("plan",),
            "decide": (CHANGES,),
            "out": (CHANGES,),
        }
        if action in shown_in:
            return self.plan_pane.view in shown_in[action]
        if action == "urgency":
            return self.plan_pane.view == "plan" and self.is_agreed
        if action in _CHANGES:
            return False
        return super().check_action(action, parameters)

    def on_key(self, event: Key) -> None:
        """Say of a key that would change a session that it does not here: none of them is silent."""
        is_dead = not self.can_drive and event.is_printable and event.key not in self.active_bindings
        if is_dead and self.plan_pane.has_focus and shown_key(event.key) in self._changing_keys():
            self.notify(f"This is read-only. {self.key_of('session.fork')} goes on from here, in a fork.")

    def _changing_keys(self) -> set[str]:
        keys = (one for one in MainPane.BINDINGS if isinstance(one, Binding))
        changing = (one for one in keys if one.action.removeprefix("screen.").partition("(")[0] in _CHANGES)
        return {key_of(self.plan_pane, one.id or "") for one in changing}

    def pane_hints(self) -> list[tuple[str, str]]:
        """Return how to see another view: by its letter in the pane, by a key of the screen from elsewhere."""
        if self.plan_pane.has_focus and self.view == CHANGES:
            return self._review_hints()
        if isinstance(self.focused, MarkableList):
            names = ("recalled.exclude", "recalled.pin", "plan.find", "plan.zoom")
            return [("Enter", "open"), *(one for name in names for one in hint(self, name))]
        if not self.plan_pane.has_focus:
            return hint(self, "session.plan")
        if self.view == GATE:
            return [("Enter", "take"), *hint(self, "plan.out", "turn down"), *hint(self, "plan.plan")]
        views = "–".join(key for name in ("changes", "people") for key, _ in hint(self, f"plan.{name}"))
        is_marked = any(row.is_marked for row in self.plan_pane.rows)
        return [
            *self._call_hints(),
            *(hint(self, "plan.why") if self.view == "plan" and self.state and self.state.plan else []),
            *(hint(self, "plan.next", "next mark") if is_marked else []),
            *hint(self, "plan.status"),
            *(hint(self, "session.replan") if self._by_urgency else []),
            *(hint(self, "plan.plan") if self.view != "plan" else []),
            (views, "views"),
            *hint(self, "plan.find"),
            *hint(self, "plan.zoom"),
        ]

    def _review_hints(self) -> list[tuple[str, str]]:
        page = self._page
        deeds: tuple[str, ...] = ()
        if page is not None and self.can_review:
            deeds = ("accept", "out", "reply", "accept-rest")
        if page is not None and not page.is_open:
            deeds = ("accept", "reply") if page.offers else ("reply",)
        names = {"out": "keep" if page is not None and page.removal is not None else "reject"}
        own = [one for deed in deeds for one in hint(self, f"plan.{deed}", names.get(deed, ""))]
        keys = " ".join(key_of(self.plan_pane, name) for name in ("plan.next", "plan.previous"))
        of_page = [*own, (keys, "next, previous"), *hint(self, "plan.why")] if page is not None else []
        return [*of_page, *hint(self, "plan.older"), *hint(self, "plan.plan")]

    def _call_hints(self) -> list[tuple[str, str]]:
        looked = self._looking_back.looked
        if self.view in FOLLOWED:
            opens = [("Enter", "open")] if self.view == HISTORY else []
            return [*opens, *hint(self, "plan.out", "exclude"), *hint(self, "plan.pin", "pin")]
        if self.view == "rounds":
            return [("Enter", "unfold")]
        if self.view != "context" or looked is None or not looked.calls:
            return []
        return [
            ("Enter", "unfold"),
            *hint(self, "plan.out", "exclude"),
            *hint(self, "plan.call-before", "earlier"),
            *hint(self, "plan.call-after", "later"),
        ]

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Open what was chosen: another session, or the whole of a message."""
        if (message.list.id == "history" and self.shows_panel) or message.key.startswith("quoted:"):
            self.see(message.key)
        elif message.key.startswith(SENT) or (message.key.startswith(ROUND) and message.list is self.plan_pane):
            self._looking_back.unfolded ^= {message.key}
            self.repaint()
        elif message.key.startswith(ROUND):
            self.view = "rounds"
            self.plan_pane.focus()
            self.plan_pane.to_reveal = message.key
            self.repaint()
        elif message.key.startswith(("place:", "stream:", OLDER)):
            self._unfolded ^= {message.key}
            self.plan_pane.to_reveal = message.key
            self.repaint()
        elif self._picture is not None and message.key in {page.key for page in self._picture.review.pages}:
            self._review(replace(self.reviewing, shown=message.key))
        elif message.key.startswith("message:") and self.view != "transcript":
            self.see(message.key)

    def see(self, key: str) -> None:
        """Show something where it stands: a message, another session's item, a change, a finding."""
        kind, _, rest = key.partition(":")
        if kind == "quoted":
            self.workbench.look_at(rest.partition(" ")[0])
        elif kind == "message":
            self.view, self.plan_pane.to_reveal = "transcript", key
            self.plan_pane.focus()
            self.repaint()
        elif kind in ("change", "finding"):
            self.view = CHANGES
            self.plan_pane.focus()
            version = int(rest.partition(":")[0]) if kind == "change" else 0
            self._review(replace(self.reviewing, version=version, shown=key))

    def land(self, key: str, sought: str = "") -> None:
        """Go to a row that was found elsewhere, whatever was shown before; n goes on to others with what is sought."""
        if not self.is_mounted:
            self.call_later(self.land, key, sought)
            return
        self.plan_pane.sought = sought
        if key.startswith("message:"):
            self.see(key)
        else:
            self._unfolded |= {f"{key.rpartition(':')[0]}:0"}
            self._reveal(key)

    def action_back(self) -> None:
        """Go back from wherever the focus is: to the plan, and from there to where this was asked for."""
        self.plan_pane.sought = ""
        if self.view != "plan" or not self.home.has_focus:
            self.view = "plan"
            self.home.focus()
            self.repaint()
        elif not self.can_drive:
            self.workbench.leave_view()

    def action_notice(self) -> None:
        """Show all of what is said below the plan, or a line of it."""
        self.query_one(Notice).unfold()

    def action_plan(self) -> None:
        """Go to the plan, at once: the next key, which acts there, may have come already."""
        self.set_focus(self.plan_pane)

    def action_view(self, view: str) -> None:
        """Show a view, from wherever the focus is."""
        if view in ("plan", self.view):
            self.view = "plan"
            self.repaint()
        else:
            self.plan_pane.action_view(view)
        if view != HISTORY:
            self.plan_pane.focus()

    def action_zoom(self) -> None:
        """Give what has the focus, the page or the drawer, all the room; again: as before."""
        if self.has_drawer and self.query_one("#right").has_pseudo_class("focus-within"):
            self._zoomed, self.view = self.view, HISTORY
        elif self.view == HISTORY and not self.is_narrow:
            self.view = self._zoomed
            self.want_drawer(True)
            self.call_after_refresh(self.query_one("#history").focus)
        else:
            self.toggle_class("plain")
            if not self.is_narrow and self.view == HISTORY:
                self.view = "plan"
        self._show_drawer()

    def action_urgency(self) -> None:
        """Show the steps by how urgent they are, or in the order of the plan again."""
        self._by_urgency = not self._by_urgency
        self.repaint()

    def action_outline(self) -> None:
        """Ask which section to go to."""
        state = self.state
        if state is not None and state.plan is not None:
            plan, marks = state.plan, self.workbench.marks
            rows = partial(outline_rows, state, plan, marks=marks)
            self.app.push_screen(
                PickDialog("Outline", rows, "go there", shape="small", sought="words of a heading"), self._reveal
            )

    def _reveal(self, key: str | None) -> None:
        if key:
            if self.view == "plan":  # of another view, the picture of this one notes it
                self.note_place()
            self.view, self.plan_pane.to_reveal = "plan", key
            self._unfolded |= {key}
            self.plan_pane.focus()
            self.repaint()

    def action_fold(self, unfold: int) -> None:
        """Fold or unfold the chosen row of the plan."""
        key = self.plan_pane.chosen
        is_folded = (key in self._unfolded) is key.startswith("stream:")
        if key.startswith(("place:", "stream:")) and is_folded is bool(unfold):
            self._unfolded ^= {key}
            self.plan_pane.to_reveal = key
            self.repaint()

    def action_find(self) -> None:
        """Ask for words, and go to the first row that has them: of what has the focus, the drawer or the page."""
        ask_to_find(self._in_focus, "n")

    @property
    def _in_focus(self) -> LineList:
        return self.focused if isinstance(self.focused, MarkableList) else self.plan_pane

    def action_fork(self) -> None:
        """Ask where to fork the session; the fork opens when it is made."""
        state = self.state
        if state is not None:
            self.workbench.fork(state.name, self.events_to_fork(), state.seq)

    def action_replay(self) -> None:
        """Walk through the session as it happened so far."""
        self.workbench.replay(self.session)

    def on_framed_list_view_wanted(self, message: FramedList.ViewWanted) -> None:
        """Show the view that was asked for."""
        view = message.view
        if view == HISTORY and not self.is_narrow and self.view != HISTORY:
            self.want_drawer(self.shows_panel or not self.has_drawer)
            self._has_panel = False
            if self.view in PAGES:  # nothing stands beside it
                self.view = "plan"
            self._show_drawer()
            (self.query_one("#history") if self.has_drawer else self.plan_pane).focus()
        elif view in self.views:
            self.view = "plan" if view == self.view else view
            self.repaint()

    @property
    def _page(self) -> Page | None:
        picture = self._picture
        return self.reviewing.page(picture.review) if picture is not None else None

    @property
    def can_review(self) -> bool:
        """Whether what is shown can be decided about at this moment."""
        return self.can_change

    def _review(self, reviewing: Reviewing) -> None:
        self.reviewing = reviewing
        self.repaint()

    def action_older(self, step: int) -> None:
        """Review an older version, or a newer one."""
        state = self.state
        if state is None or not state.version:
            return
        now = self.reviewing.version or rounds_version(state)
        version = min(max(now - step, min(2, state.version)), state.version)
        self.view = CHANGES
        self._review(replace(self.reviewing, version=version, shown=""))

    def action_go(self, step: int) -> None:
        """Go to the next change; elsewhere to the next row with a mark, or the next row where none has one."""
        if self.plan_pane.view != CHANGES or self._in_focus is not self.plan_pane:
            self._in_focus.go(step)
        elif self._picture is not None:
            self._review(self.reviewing.step(self._picture.review, step))

    def action_side(self, step: int) -> None:
        """Go to the next cell of the chosen row, or the one before; of what was sent, to the next call."""
        if self.plan_pane.view == "context":
            self._looking_back.step(step)
            self.repaint()
        else:
            self.plan_pane.action_side(step)

    def action_out(self) -> None:
        """Reject the change that is shown."""
        self.action_decide("reject")

    def action_decide(self, deed: str) -> None:
        """Decide about the page that is shown."""
        picture, page = self._picture, self._page
        if picture is None or page is None:
            return
        if self.can_review:
            self.decide_about(deed, picture.review, page, self.plan_pane.chosen)
        else:
            self.notify("Changes are accepted and rejected at a checkpoint.")

    def decide_about(self, deed: str, review: Review, page: Page, row: str) -> None:
        """Accept or reject a page, where a screen can: ``row`` is the chosen row's key."""

    def action_why(self) -> None:
        """Show why the chosen line of the plan is as it is: beside it, where there is room, following the cursor."""
        if self.size.width >= PANEL and self.view == "plan" and not self.is_narrow:
            self._has_panel = not self._has_panel
            self._show_drawer()
            return
        from workbench.tui.session.why import subject_of, why_rows  # with what calculates: not for the first paint

        state, page = self.state, self._page if self.view == CHANGES else None
        subject = (
            subject_of(state, page.key if page is not None else self.plan_pane.chosen) if state is not None else ""
        )
        if state is None or not subject:
            self.notify("Choose a line of the plan first.")
            return
        rows = partial(why_rows, state, subject, marks=self.workbench.marks, names=self.names)
        self.app.push_screen(PickDialog("Why", rows, "where it stands"), lambda key: self.see(key) if key else None)

    def action_versions(self, first: int = 0) -> None:
        """Let two versions of the plan be chosen, and compare them; ``first`` is the one that was chosen already."""
        versions = self.state.versions if self.state is not None else ()
        origin = self._origin if not first else ""
        if len(versions) < 2 and not origin:
            self.tell(Problem("There are no two versions of the plan to compare yet.", "", "Each round makes one."))
            return

        def chosen(version: str | None) -> None:
            workspace = self.workbench.workspace
            if version == ORIGINAL and workspace is not None:
                b = Side(Place(session=self.session), self._events)
                self.workbench.compare(Side(Place(session=origin), events_of(workspace, origin)), b)
            elif version is not None and first:
                a, b = (Side(Place(session=self.session, version=one), self._events) for one in (first, int(version)))
                self.workbench.compare(a, b)
            elif version is not None or first:
                self.action_versions(int(version or 0))

        choose = "compare with the original, or choose the first of two" if origin else "choose the first of two"
        enter = f"compare v{first} with it" if first else choose
        rows = partial(version_rows, versions, first, self.names.get(origin, origin))
        self.app.push_screen(PickDialog("Compare", rows, enter), chosen)

    @property
    def _origin(self) -> str:
        forked = self.state.forked if self.state is not None and self._is_logged else None
        return forked.origin if forked is not None else ""
