"""A session to look at: everything on its screen is this session's, and comes from its log.

    log ─▶ follower ─▶ SessionChanged ─▶ Painter (thread) ─▶ panes

Nothing is driven and nothing is written here: session.py adds the gate, the input and the deeds, sample.py shows a
session that is shipped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantBlur, DescendantFocus, ScreenResume
from textual.widget import Widget

from workbench.domain.log.envelope import Event
from workbench.domain.plan.operations import Change
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.replay.comparing import Place
from workbench.tui.base import WorkbenchScreen
from workbench.tui.comparing import Side
from workbench.tui.context_rows import SENT
from workbench.tui.following import FollowingFailed, SessionChanged, Source, follow_apart, following
from workbench.tui.keymap import hint, key_of
from workbench.tui.lines import text
from workbench.tui.looking_back import LookingBack, ReadEvents, Wanted, look_back
from workbench.tui.painting import (
    CHANGES,
    FOLLOWED,
    HISTORY,
    LIVE,
    NARROW_VIEWS,
    PEOPLE,
    SEEN,
    VIEWS,
    Painter,
    Picture,
    Sight,
)
from workbench.tui.pauses import BESIDE
from workbench.tui.reviewing import Page, Review, Reviewing, rounds_version
from workbench.tui.screens.isolation import IsolationScreen
from workbench.tui.screens.versions import VersionsDialog
from workbench.tui.views import spending, top_line
from workbench.tui.widgets.bars import Hints, TopLine
from workbench.tui.widgets.fleet import Around, Fleet
from workbench.tui.widgets.framed_list import FramedList
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane
from workbench.tui.widgets.marked_lists import MarkableList, RecalledList
from workbench.tui.widgets.notice import Notice, Problem
from workbench.tui.wording import problem_of

if TYPE_CHECKING:  # what calculates is imported with the first plan
    from workbench.domain.loop.offers import Offer
    from workbench.domain.plan.figures import Figures
    from workbench.domain.plan.plan import Plan

WIDE = 100
"""Columns from which the side columns stand beside the plan."""
ROOMY = 150
"""Columns from which the drawer stands open beside rail and plan; below, it takes the rail's place."""
LOW = 24
"""Rows below which no line is left empty."""
AT_MOST_EVERY = 0.05
"""Seconds between two pictures: twenty a second are enough for any eye."""


class SessionView(WorkbenchScreen[None]):
    """One session: fleet, rounds and memory, plan, history."""

    CSS_PATH = "session.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+d",
            "flip",
            "next view",
            id="session.flip",
            tooltip="Plan, changes, transcript, context",
            priority=True,
        ),
        Binding("ctrl+l", "plan", "plan", show=False, id="session.plan", tooltip="Go to the plan", priority=True),
        Binding(
            "ctrl+b", "columns", "columns", show=False, id="session.columns", tooltip="Fold columns", priority=True
        ),
        Binding(
            "f4", "isolation", "isolation", show=False, id="session.isolation", tooltip="Show which agent sees what"
        ),
        Binding(
            "f6",
            "replay",
            "replay",
            show=False,
            id="session.replay",
            tooltip="Walk through it as it happened so far",
            priority=True,  # an input would select its line
        ),
        Binding(
            "f7",
            "fork",
            "fork",
            show=False,
            id="session.fork",
            tooltip="Go another way from here, in a fork",
            priority=True,
        ),
        Binding("escape", "back", "back", show=False, id="session.back", tooltip="Interrupt a step, or go back"),
    ]
    can_drive: ClassVar[bool] = False
    """Whether a person can go on with the session here."""

    def __init__(
        self, session: str, *, source: Source | None = None, events: ReadEvents | None = None, badge: str = ""
    ) -> None:
        """Show a session. ``source`` is where its states come from, by default its log in the workspace.

        ``events`` reads the whole of it anew, by default from there too; ``badge`` stands before its name.
        """
        super().__init__()
        self.session = session
        self.state: SessionState | None = None
        self.view = "plan"
        self._badge = badge
        self._source = source
        self._events = events or self._logged
        self._is_logged = events is None
        """Whether it is a session of the workspace."""
        self._painter = Painter()
        self._unseen = asyncio.Event()
        """Set when there is something to paint."""
        self._picture: Picture | None = None
        self.reviewing = Reviewing()
        self._repairs: tuple[Plan, tuple[Offer, ...]] | None = None
        """A plan, and the repairs that are offered for its findings."""
        self._drawer: bool | None = None
        """Whether a person wants the history beside the plan; None where nobody said."""
        self._unfolded: frozenset[str] = frozenset()
        """Rows of the plan that are unfolded."""
        self._to_reveal = ""
        """The row that was unfolded last, until all of it stands on the screen."""
        self._looking_back = LookingBack(session)
        self._figures: tuple[Plan, Figures] | None = None
        """A plan, and what it comes to with the forecast."""
        self._forecasting: Plan | None = None
        """The plan whose forecast was asked for last."""
        self._problem: Problem | None = None
        """What this screen met, in place of what the session itself says."""
        self._unread: Problem | None = None
        """What it met last when it read: over with the next time that it can be read."""

    # --- panes --------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Return the panes; empty ones say what will come."""
        mark = self.workbench.marks.here
        yield TopLine(id="top", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Fleet(self.session, self.around, id="fleet", mark=mark)
                yield LineList(id="rounds", mark=mark)
                yield LineList(id="memory", mark=mark)
                yield from self.compose_rail()
                yield LineList(id="changes", mark=mark)
            with Vertical(id="centre"):
                yield MainPane(id="plan", mark=mark)
                yield from self.compose_below()
            with Vertical(id="right"):
                yield from self.compose_right()
        yield from self.compose_foot()
        yield Hints(id="hints", markup=False)

    def compose_below(self) -> ComposeResult:
        """Return what stands below the plan."""
        yield Notice(id="notice")

    def compose_foot(self) -> ComposeResult:
        """Return what stands below all columns."""
        yield from ()

    def compose_rail(self) -> ComposeResult:
        """Return what stands at the end of the rail."""
        yield from ()

    def compose_right(self) -> ComposeResult:
        """Return what stands in the drawer."""
        mark = self.workbench.marks.here
        yield MarkableList(id="history", mark=mark)
        yield RecalledList(id="recalled", mark=mark)

    def on_mount(self) -> None:
        """Show the frame; what it is filled with comes behind the first paint."""
        self.home.focus()
        self.query_one(TopLine).tell(text(f"  {clean_name(self.session)}", "bold"))
        self.plan_pane.frame("Plan", [])
        self.call_after_refresh(self._begin_in_workspace)

    @work(group="begin")
    async def _begin_in_workspace(self) -> None:
        await self.until_ready()
        self.begin()

    async def until_ready(self) -> None:
        """Wait for what it is read from."""
        await self.workbench.opened_workspace()

    def begin(self) -> None:
        """Follow the session: from now on there is something to read it from."""
        self._paint()
        self._follow()
        self.fleet.begin()

    @property
    def home(self) -> Widget:
        """What has the focus where nothing else was chosen."""
        return self.plan_pane

    @property
    def plan_pane(self) -> MainPane:
        """The pane in the middle."""
        return self.query_one(MainPane)

    @property
    def fleet(self) -> Fleet:
        """The list of sessions."""
        return self.query_one(Fleet)

    @property
    def is_narrow(self) -> bool:
        """Whether the side columns are folded."""
        return self.has_class("narrow") or self.has_class("plain")

    @property
    def has_drawer(self) -> bool:
        """Whether the history stands beside the plan: as a person wants it, else where there is room."""
        wanted = self.size.width >= ROOMY if self._drawer is None else self._drawer
        return wanted and not self.is_narrow

    @property
    def has_rail(self) -> bool:
        """Whether sessions, rounds and memory stand beside the plan."""
        return not self.is_narrow and not (self.has_drawer and self.size.width < ROOMY)

    @property
    def _rail(self) -> LineList | None:
        """A list that is as wide as the rail; None where there is none. Beside a review it is the list of changes."""
        if self.has_class("reviewing") and not self.is_narrow:
            return self.query_one("#changes", LineList)
        return self.query_one("#rounds", LineList) if self.has_rail else None

    @property
    def views(self) -> tuple[str, ...]:
        """What the pane in the middle can show, at this width."""
        return NARROW_VIEWS if self.is_narrow else VIEWS

    @property
    def _beside(self) -> tuple[str, ...]:
        """What can be opened beside the pane in the middle."""
        return () if self.is_narrow or self.has_drawer else (HISTORY,)

    # --- what there is to see -----------------------------------------------------------------------------------------

    @work(group="follow", exclusive=True)
    async def _follow(self) -> None:
        workspace = self.workbench.workspace
        source = self._source
        if source is None and workspace is not None:
            source = following(lambda pace: workspace.session(self.session).log(pace))
        if source is not None:
            await follow_apart(source, self.post_message)

    def on_session_changed(self, message: SessionChanged) -> None:
        """Show the session as it is now, and in the list of sessions too when it stands elsewhere."""
        if self.state is not None and self.state.status != message.state.status:
            self.status_changed()
        if message.is_anew:
            self._looking_back.anew()
        self.state = message.state
        self._read_again()
        self._repaint()

    def status_changed(self) -> None:
        """Let the list of sessions say so too."""
        self.fleet.look_around()

    def on_following_failed(self, message: FollowingFailed) -> None:
        """Say that the session cannot be read now, or not any more."""
        problem = Problem(message.error.message, "What is shown here stays.", message.error.remedy)
        if message.goes_on:
            self._tell_unread(problem)
        else:
            self._tell(problem)

    def _tell_unread(self, problem: Problem) -> None:
        self._unread = problem
        self._tell(problem)

    def _read_again(self) -> None:
        """Take back what was said of reading; what was said since, of something else, stays."""
        unread, self._unread = self._unread, None
        if unread is not None and self._problem is unread:
            self._tell(None)

    def _repaint(self) -> None:
        self._unseen.set()

    @work(group="paint", exclusive=True)
    async def _paint(self) -> None:
        """Paint whenever there is something new, in a thread, the newest only, and never faster than anybody sees."""
        while True:
            await self._unseen.wait()
            self._unseen.clear()
            self._look_back_where_due()
            sight = self.sight()
            if sight is not None:
                picture = await asyncio.to_thread(self._painter.paint, sight)
                self.show(picture)
                self._look_ahead_where_due()
                self._look_for_repairs_where_due()
            await asyncio.sleep(AT_MOST_EVERY)

    @property
    def unforecast(self) -> Plan | None:
        """The plan that is shown without its forecast; None where it has one, or none is shown."""
        plan = self.state.plan if self.state is not None else None
        is_known = self._figures is not None and self._figures[0] is plan
        return plan if self.view in ("plan", "schedule") and not is_known else None

    def _look_ahead_where_due(self) -> None:
        """Simulate the plan's course, where it is shown without: its rows stand on the screen before."""
        plan, state = self.unforecast, self.state
        if plan is not None and state is not None and plan is not self._forecasting:
            self._forecasting = plan
            self._look_ahead(plan, state)

    @work(group="figures", exclusive=True, exit_on_error=False)
    async def _look_ahead(self, plan: Plan, state: SessionState) -> None:
        def calculated() -> Figures:
            from workbench.export.figures import figures_of

            with BESIDE:
                return figures_of(state, plan)

        self._figures = plan, await asyncio.to_thread(calculated)
        self._repaint()

    def _look_for_repairs_where_due(self) -> None:
        """Look what could be done about the findings, where a person reviews them."""
        state = self.state
        if self.view != CHANGES or state is None or state.plan is None or not state.findings or not self.can_change:
            return
        if self._repairs is None or self._repairs[0] is not state.plan:
            self._repairs = state.plan, ()
            self._look_for_repairs(state.plan, state)

    @work(group="offers", exclusive=True, exit_on_error=False)
    async def _look_for_repairs(self, plan: Plan, state: SessionState) -> None:
        def offered() -> tuple[Offer, ...]:
            from workbench.domain.loop.offers import offers_of

            with BESIDE:
                return offers_of(state)

        self._repairs = plan, await asyncio.to_thread(offered)
        self._repaint()

    def _logged(self) -> Iterable[Event]:
        workspace = self.workbench.workspace
        return () if workspace is None else workspace.session(self.session).events()

    def _look_back_where_due(self) -> None:
        """Read what was sent for a call, where that is shown and not known."""
        if self.view != "context" or self.state is None or not self.is_current:
            return
        wanted = self._looking_back.due(self.state.calls)
        if wanted is not None:
            self._look_back(wanted)

    @work(group="context")
    async def _look_back(self, wanted: Wanted) -> None:
        try:
            looked = await asyncio.to_thread(look_back, wanted, self.events_to_look_back_on())
        finally:
            self._looking_back.ended()
        self._looking_back.take(looked)
        self._repaint()

    def events_to_look_back_on(self) -> ReadEvents:
        """Return what reads the events that a context is looked up in."""
        return self._events

    def events_to_fork(self) -> ReadEvents:
        """Return what reads all events of the session, also those behind where it is shown."""
        return self.events_to_look_back_on()

    def sight(self) -> Sight | None:
        """Return what there is to see; None while there is nothing, or nobody looks."""
        state = self.state
        if state is None or not self.is_current:
            return None
        narrow = self.is_narrow
        known = self._figures
        return Sight(
            state=state,
            marks=self.workbench.marks,
            view=self.view if narrow or self.view in VIEWS else "plan",
            main=max(self.plan_pane.room, 10),
            left=max(self._rail.room, 10) if self._rail is not None else 0,
            right=max(self.query_one("#history", LineList).room, 10) if self.has_drawer and self.view != CHANGES else 0,
            reviewing=self.reviewing,
            offers=self._repairs[1] if self._repairs is not None and self._repairs[0] is state.plan else (),
            looked=self._looking_back.looked if self.view == "context" else None,
            unfolded=self._looking_back.unfolded if self.view == "context" else frozenset(),
            opened=self._unfolded,
            figures=known[1] if known is not None and known[0] is state.plan else None,
        )

    def show(self, picture: Picture) -> None:
        """Put a picture of this session on the screen."""
        before, sight = self._picture, picture.sight
        self._picture = picture
        another = before is None or (before.sight.view, before.subject) != (sight.view, picture.subject)
        if self.has_class("reviewing") != (sight.view == CHANGES):
            self.toggle_class("reviewing")
            self.call_after_refresh(self._repaint)
        self.plan_pane.view = sight.view
        self.plan_pane.show(picture.main, follow=sight.view in FOLLOWED, from_top=another, holds=sight.view == LIVE)
        others = [view for view in (*self.views, *self._beside, PEOPLE) if view != sight.view]
        self.plan_pane.frame(picture.title, others, doing=picture.doing)
        if self._to_reveal:
            self.call_after_refresh(self.plan_pane.reveal, self._to_reveal)
            self._to_reveal = ""
        self.query_one("#rounds", LineList).show(picture.rounds, follow=True)
        self.query_one("#memory", LineList).show(picture.memory)
        self.query_one("#changes", LineList).show(picture.changes)
        another_view = before is None or before.sight.seen_by != sight.seen_by
        self.query_one("#history", LineList).show(picture.history, follow=True, from_top=another_view)
        recalled = self.query_one(RecalledList)
        recalled.display = len(picture.recalled) > 0
        recalled.show(picture.recalled)
        self._show_top(sight.state)
        self.query_one(Notice).tell(self.problem(sight.state))
        self.show_hints()

    def _show_top(self, state: SessionState) -> None:
        line = top_line(state, self.window, self.size.width, self.workbench.marks, badge=self._badge)
        top = self.query_one(TopLine)
        top.tell(line)
        top.tooltip = spending(state)

    @property
    def window(self) -> int | None:
        """Tokens of the model's window; None where no model is known."""
        return None

    def problem(self, state: SessionState) -> Problem | None:
        """Return what this screen met, else what the session itself says."""
        return self._problem or problem_of(state, self.key_of, can_drive=self.can_drive)

    def _tell(self, problem: Problem | None) -> None:
        """Say what this screen met just now; None takes it back."""
        self._problem = problem
        if self.is_mounted:
            self.query_one(Notice).tell(problem, happened=problem is not None)
            self._repaint()

    def show_hints(self) -> None:
        """Show what can be done where the focus is."""
        self.query_one(Hints).show_hints(self.hints(), self.size.width, always=self.always_hints())

    def hints(self) -> list[tuple[str, str]]:
        """Return what can be done where the focus is, the nearest first: keys and words."""
        return [*self.pane_hints(), (self.key_of("app.sessions"), "sessions"), (self.key_of("app.new"), "new")]

    def always_hints(self) -> list[tuple[str, str]]:
        """Return the hints that have room at every width: from there everything can be reached, by mouse too."""
        return [(self.key_of("app.palette"), "palette"), (self.key_of("app.help"), "more")]

    def pane_hints(self) -> list[tuple[str, str]]:
        """Return how to see another view: by its letter in the pane, by a key of the screen from elsewhere."""
        if self.plan_pane.has_focus and self.view == CHANGES:
            return self._review_hints()
        if self.plan_pane.has_focus:
            named = [name for name in self.views if name != self.view]
            others = [(key_of(self.plan_pane, f"plan.{LIVE if name == SEEN else name}"), name) for name in named]
            return [*self._call_hints(), *hint(self, "plan.why"), *others]
        return [(self.key_of("session.flip"), _next(self.views, self.view))]

    def key_of(self, binding: str) -> str:
        """Return the key that something on this screen has now."""
        return key_of(self, binding)

    def _review_hints(self) -> list[tuple[str, str]]:
        page = self._page
        deeds = ("accept", "out", "reply", "accept-rest") if page is not None and self.can_review else ()
        names = {"out": "keep" if page is not None and page.removal is not None else "reject"}
        own = [one for deed in deeds for one in hint(self, f"plan.{deed}", names.get(deed, ""))]
        more = [(f"{key_of(self.plan_pane, 'plan.next')} {key_of(self.plan_pane, 'plan.previous')}", "next, previous")]
        return [*own, *more, *hint(self, "plan.why"), *hint(self, "plan.older"), *hint(self, "plan.plan")]

    def _call_hints(self) -> list[tuple[str, str]]:
        looked = self._looking_back.looked
        if self.view != "context" or looked is None or not looked.calls:
            return []
        return [
            ("Enter", "unfold"),
            *hint(self, "plan.call-before", "earlier"),
            *hint(self, "plan.call-after", "later"),
        ]

    # --- size, focus --------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Fold the side columns where there is no room for them, and break lines anew."""
        self.set_class(self.size.width < WIDE, "narrow")
        self.set_class(self.size.width < ROOMY, "snug")
        self.set_class(self.size.height < LOW, "low")
        self._show_drawer()
        self.show_hints()
        self.call_after_refresh(self._repaint)

    def on_screen_resume(self, _event: ScreenResume) -> None:
        """Show what happened while another session was in front."""
        self._repaint()

    def on_descendant_focus(self, _event: DescendantFocus) -> None:
        """Let the hints follow the focus."""
        self._repaint()

    def on_descendant_blur(self, _event: DescendantBlur) -> None:
        """Let the hints follow the focus."""
        self._repaint()

    # --- the other sessions -------------------------------------------------------------------------------------------

    def around(self) -> Around:
        """Return the sessions that are listed beside this one; for a thread."""
        workspace = self.workbench.workspace
        if workspace is None:
            return Around()
        with BESIDE:
            listed = workspace.sessions()
        return Around(listed, {one.session for one in listed if one.status == "running"})

    def on_fleet_failed(self, message: Fleet.Failed) -> None:
        """Say why the sessions are not listed."""
        self._tell_unread(Problem(message.error.message, "", message.error.remedy))

    def on_fleet_mended(self) -> None:
        """Say no longer why the sessions were not listed."""
        self._read_again()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Open what was chosen: another session, or the whole of a message."""
        if message.list is self.fleet:
            if message.key != self.session:
                self.workbench.open_session(message.key)
        elif message.key.startswith("quoted:"):
            self.workbench.look_at(message.key.removeprefix("quoted:").partition(" ")[0])
        elif message.key.startswith(SENT):
            self._looking_back.toggle(message.key)
            self._repaint()
        elif message.key.startswith("place:"):
            self._unfolded ^= {message.key}
            self._to_reveal = message.key
            self._repaint()
        elif message.key.startswith(("change:", "removal:", "finding:")) and message.list.id == "changes":
            self._review(replace(self.reviewing, shown=message.key))
        elif message.key.startswith("message:") and self.view != "transcript":
            self.see(message.key)

    def see(self, key: str) -> None:
        """Show something where it stands: a message, another session's item, a change, a finding."""
        kind, _, rest = key.partition(":")
        if kind == "quoted":
            self.workbench.look_at(rest.partition(" ")[0])
        elif kind == "message":
            self.view, self._to_reveal = "transcript", key
            self.plan_pane.focus()
            self._repaint()
        elif kind in ("change", "finding"):
            self.view = CHANGES
            self.plan_pane.focus()
            version = int(rest.partition(":")[0]) if kind == "change" else 0
            self._review(replace(self.reviewing, version=version, shown=key))

    # --- the views ----------------------------------------------------------------------------------------------------

    def action_back(self) -> None:
        """Go back from wherever the focus is: to the plan, and from there to where this was asked for."""
        if self.view != "plan" or not self.home.has_focus:
            self.view = "plan"
            self.home.focus()
            self._repaint()
        elif not self.can_drive:
            self.workbench.leave_view()

    def action_plan(self) -> None:
        """Go to the plan."""
        self.plan_pane.focus()

    def action_flip(self) -> None:
        """Go to the next view: plan, difference, transcript and, where columns are folded, what stood there."""
        self.view = _next(self.views, self.view)
        self._repaint()

    def action_isolation(self) -> None:
        """Show which agent sees what."""
        self.app.push_screen(
            IsolationScreen(
                self.session, self.events_to_look_back_on(), self.workbench.workspace if self._is_logged else None
            )
        )

    def action_fork(self) -> None:
        """Ask where to fork the session; the fork opens when it is made."""
        state = self.state
        if state is not None:
            self.workbench.fork(state.name, self.events_to_fork(), state.seq)

    def action_replay(self) -> None:
        """Walk through the session as it happened so far."""
        self.workbench.replay(self.session)

    def action_columns(self) -> None:
        """Show or hide the side columns."""
        self.toggle_class("plain")
        if not self.is_narrow and self.view not in VIEWS:
            self.view = "plan"
        self._show_drawer()

    def on_framed_list_view_wanted(self, message: FramedList.ViewWanted) -> None:
        """Show the view that was asked for."""
        view = SEEN if message.view == LIVE and LIVE not in self.views else message.view
        if view == PEOPLE:
            self.action_isolation()
        elif view in self.views:
            self.view = view
            self._repaint()
        elif message.view == HISTORY:
            self._drawer = not self.has_drawer
            self._show_drawer()
            (self.query_one("#history") if self.has_drawer else self.plan_pane).focus()

    def _show_drawer(self) -> None:
        self.set_class(self.has_drawer, "drawer")
        self.call_after_refresh(self._repaint)

    # --- the review of what changed -----------------------------------------------------------------------------------

    @property
    def _page(self) -> Page | None:
        """The page of the review that is shown."""
        picture = self._picture
        return self.reviewing.page(picture.review) if picture is not None else None

    @property
    def can_review(self) -> bool:
        """Whether what is shown can be decided about at this moment."""
        return self.can_change

    def _review(self, reviewing: Reviewing) -> None:
        self.reviewing = reviewing
        self._repaint()

    def on_main_pane_older_wanted(self, message: MainPane.OlderWanted) -> None:
        """Review an older version, or a newer one."""
        state = self.state
        if state is None or not state.version:
            return
        now = self.reviewing.version or rounds_version(state)
        version = min(max(now - message.step, min(2, state.version)), state.version)
        self.view = CHANGES
        self._review(replace(self.reviewing, version=version, shown=""))

    def on_main_pane_review_wanted(self, message: MainPane.ReviewWanted) -> None:
        """Go on in the review, or decide about the page that is shown."""
        picture, page = self._picture, self._page
        if picture is None or page is None:
            return
        match message.deed:
            case "next" | "previous":
                self._review(self.reviewing.step(picture.review, 1 if message.deed == "next" else -1))
            case "layout":
                self._review(replace(self.reviewing, is_stacked=not self.reviewing.is_stacked))
            case _ if not self.can_review:
                self.notify("Changes are accepted and rejected at a checkpoint.", markup=False)
            case deed:
                self.decide_about(deed, picture.review, page, message.key)

    def decide_about(self, deed: str, review: Review, page: Page, row: str) -> None:
        """Accept or reject a page, where a screen can: ``row`` is the chosen row's key."""

    def on_main_pane_why_wanted(self, message: MainPane.WhyWanted) -> None:
        """Show why a line of the plan is as it is."""
        from workbench.tui.screens.why import WhyDialog  # with what calculates: not for the first paint
        from workbench.tui.why_rows import subject_of

        state, page = self.state, self._page if self.view == CHANGES else None
        subject = subject_of(state, page.key if page is not None else message.key) if state is not None else ""
        if state is None or not subject:
            self.notify("Choose a line of the plan first.", markup=False)
            return
        self.app.push_screen(WhyDialog(state, subject), self._see_where_wanted)

    def _see_where_wanted(self, key: str | None) -> None:
        if key:
            self.see(key)

    def on_main_pane_versions_wanted(self) -> None:
        """Let two versions of the plan be chosen, and compare them."""
        versions = self.state.versions if self.state is not None else ()
        if len(versions) < 2:
            self._tell(Problem("There are no two versions of the plan to compare yet.", "", "Each round makes one."))
            return
        self.app.push_screen(VersionsDialog(versions), self._compare)

    @property
    def can_change(self) -> bool:
        """Whether single changes of the plan can be made at this moment."""
        return False

    def change_plan(self, changes: tuple[Change, ...] | None) -> None:
        """Make changes of the plan, where a screen can."""

    def _compare(self, versions: tuple[int, int] | None) -> None:
        if versions is not None:
            a, b = (Side(Place(session=self.session, version=version), self._events) for version in versions)
            self.workbench.compare(a, b)

    def on_main_pane_call_wanted(self, message: MainPane.CallWanted) -> None:
        """Look at an earlier call, or a later one."""
        self._looking_back.step(message.step)
        self._repaint()


def _next(views: tuple[str, ...], view: str) -> str:
    return views[(views.index(view) + 1) % len(views)] if view in views else views[0]
