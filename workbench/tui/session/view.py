"""A session to look at: its panes, filled from its log, its views by number, the review, why a line is there.

log ─▶ follower ─▶ SessionChanged ─▶ Painter (thread) ─▶ panes

Nothing is driven or written here: screen.py adds the gate, the input and the deeds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import DescendantBlur, DescendantFocus, Key, ScreenResume
from textual.notifications import SeverityLevel
from textual.widget import Widget

from workbench.domain.errors import WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.tui.base import WorkbenchScreen
from workbench.tui.dialog import PickDialog
from workbench.tui.keymap import hint, key_of, same_keys, shown_key
from workbench.tui.keys import bind
from workbench.tui.lines import joined, text
from workbench.tui.marks import DIM
from workbench.tui.pauses import beside
from workbench.tui.session.following import FollowingFailed, SessionChanged, Source, follow_apart, following
from workbench.tui.session.main_rows import item_at, place_of_item
from workbench.tui.session.painting import (
    CHANGES,
    FOLLOWED,
    GATE,
    HISTORY,
    LIVE,
    PEOPLE,
    VIEWS,
    Painter,
    Picture,
    Sight,
    is_agreed,
)
from workbench.tui.session.plan.outline import outline_rows
from workbench.tui.session.records.context_rows import SENT
from workbench.tui.session.records.context_rows import item_at as item_at_context
from workbench.tui.session.records.isolation import Isolation, audited, matrix_of
from workbench.tui.session.records.looking_back import LookingBack, ReadEvents, Side, Wanted, events_of, look_back
from workbench.tui.session.records.memory_rows import ROUND, round_title
from workbench.tui.session.review.reviewing import Page, Review, Reviewing, rounds_version
from workbench.tui.session.review.versions import ORIGINAL, version_rows
from workbench.tui.session.wording import standstill_of
from workbench.tui.views import OLDER, spending, top_line
from workbench.tui.widgets.bars import Hints, Notice, Problem, TopLine
from workbench.tui.widgets.framed_list import CALLED, NUMBERED, FramedList
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane, MarkableList, RecalledList

if TYPE_CHECKING:  # what calculates is imported with the first plan
    from workbench.bootstrap import Session
    from workbench.domain.loop.deciding.offers import Offer
    from workbench.domain.plan.figures import Figures
    from workbench.domain.plan.plan import Plan

WIDE = 100
"""Columns from which the side columns stand beside the plan."""
PANEL = 140
"""Columns from which why a row is as it is is beside the plan, and follows the cursor."""
ROOMY = 150
"""Columns from which it is remembered apart whether the drawer stands open."""
LOW = 24
"""Rows below which no line is left empty."""
PAGES = (CHANGES, HISTORY, LIVE)
"""Views beside which no drawer stands."""
READ_BACK = ("context", "rounds")
"""Views of what is in the whole log, and is read when they are shown."""
_ITEM = "item:"  # begins what is to be revealed by its id, wherever it stands
_AGES_EVERY = 30.0  # seconds until ages are counted again, if nothing else happens
_AT_MOST_EVERY = 0.05
_SOON = 1.0  # seconds until what nobody sees is done, though the session does not be on the screen yet
"""Seconds between two pictures: twenty a second are enough for any eye."""


_CHANGES = frozenset({"note", "mark_item", "answer", "add", "deed", "undo", "redo_change"})
"""What a session is changed with, by who drives it."""


class SessionView(WorkbenchScreen[None]):
    """One session: the plan or another view of it, and what is beside it."""

    CSS_PATH = Path(__file__).with_name("session.tcss")  # also where a screen of another folder has it from here
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
    can_drive: ClassVar[bool] = False
    """Whether a person can continue with the session here."""

    def __init__(
        self, session: str, *, source: Source | None = None, events: ReadEvents | None = None, badge: str = ""
    ) -> None:
        """Show a session. ``source`` is where its states come from, by default its log in the workspace.

        ``events`` reads the whole of it again, by default from there too; ``badge`` is before its name.
        """
        super().__init__()
        self.session = session
        self.state: SessionState | None = None
        self.view = "plan"
        self._badge = badge
        self._zoomed = "plan"  # the view beside which the drawer was before it was given all the room
        self._source = source
        self._events = events or self._logged
        self._is_logged = events is None  # whether it is a session of the workspace
        self._painter = Painter()
        self._unseen = asyncio.Event()  # set when there is something to paint
        self._picture: Picture | None = None
        self._is_seen = asyncio.Event()  # set once the first picture is on the screen
        self._drawer_told = Content()
        self.reviewing = Reviewing()
        self._worked: dict[str, tuple[Plan, object]] = {}
        """What was worked out of a plan, by what it is: its figures with the forecast, repairs for its findings."""
        self._drawers: dict[bool, bool] = {}
        """Whether a person wants the history beside the plan, by whether all columns have room; none if not said."""
        self._mode = ""  # of the application, in which it is shown
        self._returns = False  # whether the view that comes is one that the person was in before
        self._has_panel = False  # whether a person wants to see why the chosen row is as it is, beside the plan
        self.names: dict[str, str] = {}
        """What the sessions of the workspace are called, by their ids."""
        self._isolation = Isolation()
        self._unfolded: frozenset[str] = frozenset()  # rows of the plan that are unfolded
        self._by_urgency = False  # whether the steps of an agreed plan stand by how urgent they are
        self._preview: Plan | None = None  # the plan as it would be with what is typed into a cell
        self._stood: dict[tuple[str, str], tuple[str, int]] = {}
        """Where a person was in what was in the middle before: the chosen row, and the first line in sight."""
        self._looking_back = LookingBack()
        self._problem: Problem | None = None  # what this screen met, instead of what the session itself says
        self._unread: Problem | None = None
        """What it met last when it read: over with the next time that it can be read."""
        self._unsaid: list[Callable[[], None]] = []  # what is to be said when it is in front again

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Say something, once the session is in front: above another one nobody would know of which it is."""
        say = partial(super().notify, message, title=title, severity=severity, timeout=timeout, markup=markup)
        if self in self.app.screen_stack:
            say()
        else:
            self._unsaid.append(say)

    # --- panes --------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Return the panes; empty ones say what will come."""
        mark = self.workbench.marks.here
        yield TopLine(id="top", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield LineList(id="changes", mark=mark)
            with Vertical(id="centre"):
                yield MainPane(id="plan", mark=mark)
            with Vertical(id="right"):
                yield from self.compose_right()
        yield Notice(id="notice")
        yield from self.compose_foot()
        yield Hints(id="hints", markup=False)

    def compose_foot(self) -> ComposeResult:
        """Return what is below all columns."""
        yield from ()

    def compose_right(self) -> ComposeResult:
        """Return what is in the drawer."""
        mark = self.workbench.marks.here
        yield MarkableList(id="history", mark=mark)
        yield RecalledList(id="recalled", mark=mark)

    def on_mount(self) -> None:
        """Show the frame; what it is filled with comes after the first paint."""
        self.home.focus()
        self._mode = self.app.current_mode
        self.query_one(TopLine).tell(text(f"  {clean_name(self.session)}", "bold"))
        self.plan_pane.frame("Plan", [])
        self.set_interval(_AGES_EVERY, self._count_ages)
        self.watch(self.plan_pane, "cursor", self._follow_cursor, init=False)
        self.call_after_refresh(self._begin_in_workspace)

    @work(group="begin")
    async def _begin_in_workspace(self) -> None:
        await self.until_ready()
        self.begin()

    def _count_ages(self) -> None:
        self._read_names()
        self.repaint()

    def _follow_cursor(self) -> None:
        if self.shows_panel or self.view == "context":  # what Enter and x do there is told of each row
            self.repaint()

    @property
    def is_coming(self) -> bool:
        """Whether nothing was read and painted yet, and nothing went wrong."""
        return self._picture is None and self._problem is None

    async def until_ready(self) -> None:
        """Wait for what it is read from."""
        await self.workbench.opened_workspace()

    def begin(self) -> None:
        """Follow the session: from now on there is something to read it from."""
        self._paint()
        self.follow()
        self._read_names()

    @property
    def in_workspace(self) -> Session:
        """The session in its workspace, which is open by the time that anything is done to it."""
        workspace = self.workbench.workspace
        if workspace is None:
            raise AssertionError
        return workspace.session(self.session)

    @property
    def home(self) -> Widget:
        """What has the focus if nothing else was chosen."""
        return self.plan_pane

    @property
    def plan_pane(self) -> MainPane:
        """The pane in the middle."""
        return self.query_one(MainPane)

    @property
    def is_narrow(self) -> bool:
        """Whether the side columns are folded."""
        return self.has_class("narrow") or self.has_class("plain")

    @property
    def has_drawer(self) -> bool:
        """Whether a drawer is beside the plan: if a person wants it, or a round runs."""
        wanted = self._drawers.get(self.size.width >= ROOMY, False) or self.shows_panel
        return (wanted or self.shows_round) and not self.is_narrow and self.view not in PAGES

    def want_drawer(self, wanted: bool) -> None:
        """Keep the drawer open, or closed, at widths like this one."""
        self._drawers[self.size.width >= ROOMY] = wanted

    @property
    def shows_panel(self) -> bool:
        """Whether the drawer shows why the chosen row is as it is."""
        has_room = self.size.width >= PANEL and self.view == "plan"
        return self._has_panel and has_room and not self.shows_round

    @property
    def shows_round(self) -> bool:
        """Whether the drawer shows the round that runs, instead of the history."""
        return False

    @property
    def is_agreed(self) -> bool:
        """Whether it can be shown how the work of the plan stands."""
        return self.state is not None and is_agreed(self.state)

    @property
    def views(self) -> tuple[str, ...]:
        """What the pane in the middle can show, at this width."""
        return VIEWS

    # --- what there is to see -----------------------------------------------------------------------------------------

    @work(group="follow", exclusive=True)
    async def follow(self) -> None:
        """Show the session as its log has it, from now on."""
        workspace = self.workbench.workspace
        source = self._source
        if source is None and workspace is not None:
            source = following(lambda pace: workspace.session(self.session).log(pace))
        if source is not None:
            await follow_apart(source, self.post_message)

    def on_session_changed(self, message: SessionChanged) -> None:
        """Show the session as it is now."""
        if message.is_anew:
            self._looking_back.anew()
            self._isolation = Isolation()
        if self.state is not None and rounds_version(self.state) < rounds_version(message.state):
            self.reviewing = replace(self.reviewing, version=0, shown="")  # the newest is what there is to review
        self.state = message.state
        self._read_again()
        self.repaint()

    def on_following_failed(self, message: FollowingFailed) -> None:
        """Say that the session cannot be read now, or not any more."""
        problem = Problem(message.error.message, "What is shown here stays.", message.error.remedy)
        self._unread = problem if message.goes_on else self._unread
        self.tell(problem)

    def _read_again(self) -> None:
        """Take back what was said of reading; what was said since, of something else, stays."""
        unread, self._unread = self._unread, None
        if unread is not None and self._problem is unread:
            self.tell(None)

    def repaint(self) -> None:
        """Paint what is known now, soon and in a thread."""
        self._unseen.set()

    @work(group="paint", exclusive=True)
    async def _paint(self) -> None:
        """Paint whenever there is something new, in a thread, the newest only, and never faster than anybody sees."""
        while True:
            await self._unseen.wait()
            self._unseen.clear()
            self._look_back_where_due()
            self._look_at_people_where_due()
            sight = self.sight()
            if sight is not None:
                picture = await beside(self._painter.paint, sight)
                self.show(picture)
                self._look_ahead()
                if not self._is_seen.is_set():
                    self.call_after_refresh(self._is_seen.set)
            await asyncio.sleep(_AT_MOST_EVERY)

    async def first_seen(self) -> None:
        """Wait until the session is on the screen, for a second at most: it comes before what nobody sees."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_seen.wait(), _SOON)

    @property
    def unforecast(self) -> Plan | None:
        """The plan that is shown without its forecast; None if it has one, or none is shown."""
        plan = self.state.plan if self.state is not None else None
        return plan if self.view == "plan" and self._worked_out("figures", plan) is None else None

    def _look_ahead(self) -> None:
        """Simulate the plan's course, and look what could be done about findings, where that is shown without."""
        state = self.state
        if state is None or (plan := state.plan) is None:
            return

        def figures() -> Figures | None:
            from workbench.export.figures import figures_of

            return figures_of(state, plan)

        def offers() -> tuple[Offer, ...]:
            from workbench.domain.loop.deciding.offers import offers_of

            return offers_of(state)

        if self.view == "plan":
            self._work_out("figures", plan, figures)
        elif self.view in (CHANGES, GATE) and state.findings and self.can_change:
            self._work_out("offers", plan, offers)

    def _work_out(self, name: str, plan: Plan, compute: Callable[[], object]) -> None:
        """Work something out of a plan once, in a thread: its rows are on the screen before."""

        async def worked_out() -> None:
            self._worked[name] = plan, await beside(compute)
            self.repaint()

        if self._worked.get(name, (None, None))[0] is not plan:
            self._worked[name] = plan, None
            self.run_worker(worked_out(), group=name, exclusive=True, exit_on_error=False)

    def _worked_out(self, name: str, plan: Plan | None) -> Any:
        """Return what was worked out of a plan; None if that is not known yet."""
        of, worked_out = self._worked.get(name, (None, None))
        return worked_out if of is plan else None

    def _logged(self) -> Iterable[Event]:
        workspace = self.workbench.workspace
        return () if workspace is None else workspace.session(self.session).events()

    def _look_back_where_due(self) -> None:
        if not (self.view in READ_BACK or self.shows_round) or self.state is None or not self.is_current:
            return
        wanted = self._looking_back.due(self.state.calls)
        if wanted is not None:
            self._look_back(wanted)

    @work(group="context")
    async def _look_back(self, wanted: Wanted) -> None:
        self._looking_back.take(await asyncio.to_thread(look_back, wanted, self.events_to_look_back_on()))
        self.repaint()

    @work(group="names", exclusive=True)
    async def _read_names(self) -> None:
        """Read what sessions are called; if that fails, they are told by their ids."""
        workspace = self.workbench.workspace
        if workspace is None or not self.is_current:
            return
        await self.first_seen()
        with suppress(WorkbenchError):
            listed = await beside(workspace.sessions)
            names = {one.session: one.name for one in listed if one.name}
            if names != self.names:
                self.names = names
                self.repaint()

    def _look_at_people_where_due(self) -> None:
        calls = self.state.calls if self.state is not None else -1
        if self.view == PEOPLE and self.is_current and calls not in (-1, self._isolation.calls):
            self._isolation = replace(self._isolation, calls=calls)
            self._look_at_people()

    @work(group="people", exclusive=True)
    async def _look_at_people(self) -> None:
        workspace, events = self.workbench.workspace if self._is_logged else None, self.events_to_look_back_on()
        try:
            matrix = await beside(lambda: matrix_of(events()))
            self._isolation = replace(self._isolation, matrix=matrix, progress="The prompts are being audited …")
            self.repaint()
            came_to = await asyncio.to_thread(audited, workspace, self.session, events)
            self._isolation = replace(self._isolation, audited=came_to, progress="", trouble="")
        except WorkbenchError as error:
            self._isolation = replace(self._isolation, progress="", trouble=str(error))
        self.repaint()

    def events_to_look_back_on(self) -> ReadEvents:
        """Return what reads the events that a context is looked up in."""
        return self._events

    def events_to_fork(self) -> ReadEvents:
        """Return what reads all events of the session, also those behind where it is shown."""
        return self.events_to_look_back_on()

    def sight(self) -> Sight | None:
        """Return what there is to see; None while there is nothing, or nobody looks."""
        state = self.state
        if state is None or not self.is_current or not self.plan_pane.room:  # it is laid out again once it has room
            return None
        has_drawer = self.has_drawer
        shows_round = self.shows_round  # read once: by the clock, the next look may say otherwise
        shows_panel, is_beside = self.shows_panel, self.has_class("reviewing") and not self.is_narrow
        right = self.query_one("#history", LineList)
        return Sight(
            state=state,
            marks=self.workbench.marks,
            view=self.view,
            main=max(self.plan_pane.room, 10),
            main_rows=self.plan_pane.scrollable_content_region.height,
            left=self.query_one("#changes", LineList).room if is_beside else 0,
            right=right.room if has_drawer else 0,
            right_rows=right.size.height if has_drawer and shows_round else 0,
            asked_why=self._subject_of(state) if shows_panel else None,
            reviewing=self.reviewing,
            offers=self._worked_out("offers", state.plan) or (),
            looked=self._looking_back.looked if self.view in READ_BACK or shows_round else None,
            unfolded=self._looking_back.unfolded if self.view in READ_BACK else frozenset(),
            names=self.names,
            isolation=self._isolation,
            opened=self._unfolded,
            by_urgency=self._by_urgency,
            preview=self._preview,
            figures=self._worked_out("figures", state.plan),
            now=self.now().isoformat(timespec="minutes"),
        )

    def note_place(self) -> None:
        """Note where the person is, to come back to it."""
        self.workbench.been.append((self._mode, self.view, self.plan_pane.chosen))

    def return_to(self, view: str, key: str) -> None:
        """Go back to a row of a view."""
        self._returns = view != self.view
        self.view, self.plan_pane.to_reveal = view, key
        self.plan_pane.focus()
        self.repaint()

    def _subject_of(self, state: SessionState) -> str:
        from workbench.tui.session.review.why import subject_of  # with what calculates: not for the first paint

        return subject_of(state, self.plan_pane.chosen)

    def show(self, picture: Picture) -> None:
        """Put a picture of this session on the screen."""
        before, sight, pane = self._picture, picture.sight, self.plan_pane
        at, here = ("", 0), (sight.view, picture.subject)
        there = (before.sight.view, before.subject) if before is not None else None
        another = there != here
        if there is not None and another:
            self._stood[there] = (pane.chosen, pane.scroll_offset.y)
            at = self._stood.get(here, at)
            if before is not None and before.sight.view != sight.view and not self._returns:
                self.workbench.been.append((self._mode, before.sight.view, pane.chosen))
            self._returns = False
        elif before is not None and before.sight.state.plan is not sight.state.plan:
            at = (self._follow_items(before.sight.state.plan, sight.state.plan), 0)
        self._picture = picture
        before_classes = self.classes
        self.update_classes({"reviewing": sight.view == CHANGES, "drawer": self.has_drawer})
        if self.classes != before_classes:
            self.call_after_refresh(self.repaint)
        pane.view = sight.view
        pane.show(picture.main, follow=sight.view in FOLLOWED, from_top=another, at=at)
        shown = (sight.view, HISTORY) if self.has_drawer else (sight.view,)
        others = [view for view in self.views if view not in shown]
        pane.frame(picture.title, others, doing=picture.doing)
        self._reveal_where_due(picture)
        self.query_one("#changes", LineList).show(picture.changes)
        another_view = before is None or before.sight.seen_by != sight.seen_by
        self._show_drawer_of(picture, from_top=another_view)
        self._show_top(sight.state)
        self.query_one(Notice).tell(self.problem(sight.state))
        if self.focused is None and self.is_current:  # what had it is gone: the keys of nothing would act
            self.home.focus()
        self.show_hints()

    def _follow_items(self, before: Plan | None, after: Plan | None) -> str:
        """Let marked rows be the same items, where others came or went above them; return the chosen item's new key."""
        pane = self.plan_pane
        if before is None or after is None or self.view != "plan":
            return ""

        def moved(key: str) -> str:
            item = item_at(before, key) if key.startswith("place:") else None
            place = place_of_item(after, item.id) if item is not None else None
            return place.key if place is not None else key

        if pane.picked:
            pane.pick(frozenset(map(moved, pane.picked)))
        key = moved(pane.chosen)
        return key if key != pane.chosen else ""

    @property
    def shown_plan(self) -> Plan | None:
        """The plan whose rows are on the screen: a newer one may be known, and not painted yet."""
        return self._picture.sight.state.plan if self._picture is not None else None

    def show_preview(self, plan: Plan | None) -> None:
        """Show which dates would move; None shows the plan as it is."""
        if plan is not self._preview:
            self._preview = plan
            self.repaint()

    def reveal_item(self, item: str) -> None:
        """Go to an item, once a plan that has it is painted: its row may be another one's in the plan before."""
        self.plan_pane.to_reveal = f"{_ITEM}{item}"
        self.repaint()

    def _reveal_where_due(self, picture: Picture) -> None:
        """Go to the row that was asked for, once it is painted; of a part without a heading, to its first row."""
        key, places = self.plan_pane.to_reveal, picture.main.places
        if key.startswith(_ITEM) and self.shown_plan is not None:
            place = place_of_item(self.shown_plan, key.removeprefix(_ITEM))
            key = place.key if place is not None else key
        is_part = key.endswith(":0") and key.startswith("place:")
        if is_part and key not in places:
            key = next((one for one in places if one.startswith(key.removesuffix("0"))), key)
        if key in places:  # after what the pane itself does with its new rows
            self.plan_pane.to_reveal = key
            self.plan_pane.call_after_refresh(self._reveal_wanted, is_part)

    def _reveal_wanted(self, is_part: bool) -> None:
        self.plan_pane.reveal_wanted(at_top=is_part)
        self._follow_cursor()

    def _show_drawer_of(self, picture: Picture, *, from_top: bool) -> None:
        """Fill the drawer: the round that runs, why the chosen row is as it is, else the history in its two tones."""
        sight, right = picture.sight, self.query_one("#right")
        is_history = not sight.right_rows and sight.asked_why is None
        named = "3 History" if is_history else round_title(sight.state) if sight.right_rows else "Why"
        title = joined(text(named, "bold $foreground"), text(" · in two tones" if is_history else "", DIM))
        if not title.is_same(self._drawer_told):  # it paints all of it again
            from_top, self._drawer_told = True, title
            right.border_title = title
        self.query_one("#history", LineList).show(picture.drawer, follow=is_history, from_top=from_top)
        recalled = self.query_one(RecalledList)
        recalled.display = len(picture.recalled) > 0
        recalled.show(picture.recalled)

    def _show_top(self, state: SessionState) -> None:
        line = top_line(state, self.window, self.size.width, self.workbench.marks, badge=self._badge)
        top = self.query_one(TopLine)
        top.tell(line)
        top.tooltip = spending(state)

    @property
    def window(self) -> int | None:
        """Tokens of the model's window; None if no model is known."""
        return None

    def problem(self, state: SessionState) -> Problem | None:
        """Return what this screen met, else what the session itself says."""
        return self._problem or self.problem_of_session(state)

    def problem_of_session(self, state: SessionState) -> Problem | None:
        """Return what the session itself says of what is wrong."""
        return standstill_of(state, self.key_of, can_drive=self.can_drive)

    def tell(self, problem: Problem | None) -> None:
        """Show a problem on this screen; None removes it."""
        self._problem = problem
        if self.is_mounted:
            self.query_one(Notice).tell(problem, happened=problem is not None)
            self.repaint()

    def show_hints(self) -> None:
        """Show what can be done where the focus is."""
        with same_keys(self):
            hints = self.hints()
        self.query_one(Hints).show_hints(hints, self.size.width, always=self.always_hints())

    def hints(self) -> list[tuple[str, str]]:
        """Return what can be done where the focus is, the nearest first: keys and words."""
        return [*self.pane_hints(), (self.key_of("app.sessions"), "sessions"), (self.key_of("app.new"), "new")]

    def always_hints(self) -> list[tuple[str, str]]:
        """Return the hints that have room at every width: from there everything can be reached, by mouse too."""
        return [(self.key_of("app.palette"), "palette"), (self.key_of("app.help"), "more")]

    def key_of(self, binding: str) -> str:
        """Return the key that something on this screen has now."""
        return key_of(self, binding)

    # --- size, focus --------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Fold the side columns if there is no room for them, and break lines again; what is read stays in sight."""
        is_beside = self.query_one("#right").has_pseudo_class("focus-within")
        was_narrow = self.has_class("narrow")
        width, height = self.size
        self.update_classes({"narrow": width < WIDE, "low": height < LOW})
        if is_beside and self.is_narrow:
            self.view = HISTORY
        elif is_beside:
            self.want_drawer(True)
        elif was_narrow and not self.is_narrow and self.view == HISTORY:
            self.view = "plan"
            self.want_drawer(True)
            self.call_after_refresh(self.query_one("#history").focus)
        self._show_drawer()
        self.show_hints()
        self.call_after_refresh(self.repaint)

    def on_line_list_resized(self, _message: LineList.Resized) -> None:
        """Lay out again what has another room now: nothing stays as wide as it was."""
        self.repaint()

    def on_screen_resume(self, _event: ScreenResume) -> None:
        """Show what happened while another session was in front."""
        self.repaint()
        while self._unsaid:
            self._unsaid.pop(0)()

    def on_descendant_focus(self, _event: DescendantFocus) -> None:
        """Let the hints follow the focus."""
        self.repaint()

    def on_descendant_blur(self, _event: DescendantBlur) -> None:
        """Let the hints follow the focus."""
        self.repaint()

    def _show_drawer(self) -> None:
        self.set_class(self.has_drawer, "drawer")
        if not self.has_drawer and self.query_one("#right").has_pseudo_class("focus-within"):
            self.plan_pane.focus()
        self.call_after_refresh(self.repaint)

    # --- what a person looks at ---------------------------------------------------------------------------------------

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
            self.notify(f"This is read-only. {self.key_of('session.fork')} continues from here, in a fork.")

    def _changing_keys(self) -> set[str]:
        keys = (one for one in MainPane.BINDINGS if isinstance(one, Binding))
        changing = (key for key in keys if key.action.removeprefix("screen.").partition("(")[0] in _CHANGES)
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
        key = self.plan_pane.chosen
        does = "fold" if key in self._looking_back.unfolded else "unfold"
        return [
            *([("Enter", does)] if key.startswith(SENT) else []),
            *self._exclude_hint(key),
            *hint(self, "plan.call-before", "earlier"),
            *hint(self, "plan.call-after", "later"),
        ]

    def _exclude_hint(self, key: str) -> list[tuple[str, str]]:
        session, _, item = item_at_context(key).partition(" ")
        marked = self.state.mark_of(session, item) if item and self.state is not None else ""
        return hint(self, "plan.out", "include again" if marked == "excluded" else "exclude") if item else []

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
        """Ask for words, and go to the next row that has them: of what has the focus, the drawer or the page."""
        from workbench.tui.form import ask_to_find

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
            if self.view in PAGES:  # nothing is beside it
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
        """Go to the next change; elsewhere to the next row with a mark, or the next row if none has one."""
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
        """Show why the chosen line of the plan is as it is: beside it, if there is room, following the cursor."""
        if self.size.width >= PANEL and self.view == "plan" and not self.is_narrow:
            self._has_panel = not self._has_panel
            self._show_drawer()
            return
        from workbench.tui.session.review.why import (  # with what calculates: not for the first paint
            subject_of,
            why_rows,
        )

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

        from workbench.replay.comparing import Place

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

    @property
    def can_change(self) -> bool:
        """Whether single changes of the plan can be made at this moment."""
        return False
