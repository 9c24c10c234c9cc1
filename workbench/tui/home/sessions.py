"""Sessions: find one by a few letters or by what is in it, open it, rename, export, compare or delete it.

letters ─▶ matching() ─▶ rows          Enter opens the best, ↓ goes to the rows, whose letters then act
        └▶ Workspace.search_sessions() (a thread, once typing pauses) ─▶ more rows, each with the place
key ─▶ one call into the workspace (a worker of this screen) ─▶ the list is read again
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

import msgspec
from rapidfuzz import fuzz, utils
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input

from workbench.bootstrap import Listed, Workspace
from workbench.domain.errors import ModelError, WorkbenchError
from workbench.domain.text.cleaning import clean, clean_name
from workbench.replay.comparing import Place
from workbench.tui.dialog import Dialog, confirm
from workbench.tui.form import Box, Form, FormDialog, Values
from workbench.tui.home.files import export
from workbench.tui.home.searching import LEAST_QUERY, Found, found_in, preview_rows
from workbench.tui.keymap import hint, key_of
from workbench.tui.keys import bind
from workbench.tui.lines import Row, cut, joined, spread, text, wrapped
from workbench.tui.marks import ASKS, DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.session.records.looking_back import Side, events_of
from workbench.tui.told import BROKEN, STATUS_WORDS, counted, local_day, session_title
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Field
from workbench.tui.widgets.line_list import LineList

LOOK_AGAIN = 2.0
"""Seconds until the list is read again: other sessions go on meanwhile."""
_MOST = 100  # places of all sessions
_PAUSE = 0.2  # seconds without another letter until sessions are looked into: a search that was begun goes on


_ROOM_FOR_ROUNDS = 70  # cells of a row from which it says how many rounds there were
_ROOM_FOR_PREVIEW = 100  # columns from which the place that was found is beside the list


class FoundSessions(LineList):
    """The sessions that were found; letters act on the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("r", "screen.rename", "rename…", "found.rename", "Give the session another name"),
        bind("p", "screen.replay", "replay", "found.replay", "Walk through it as it happened"),
        bind("f", "screen.fork", "fork", "found.fork", "Go another way from any of its events"),
        bind("e", "screen.export", "export", "found.export", "Write it as Markdown into this folder"),
        bind("d", "screen.delete", "delete…", "found.delete", "Move it to the trash"),
        bind("c", "screen.compare", "compare", "found.compare", "Compare it with another: press it on both"),
        bind("u", "screen.undo", "undo", "found.undo", "Bring back what was deleted last"),
        bind("slash", "screen.search", "search", "found.search", "Type into the search again"),
    ]


class SessionsScreen(Dialog[None]):
    """Every session of the workspace."""

    heading = "Sessions"
    has_help = True
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "close", "close", "sessions.close", "Go back to where you were"),
        bind("ctrl+n", "new", "new", "app.new", "Begin a new session", priority=True),
        Binding("down", "to_rows"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._listed: list[Listed] = []
        self._is_read = False
        self._deleted = ""  # the session that was deleted last
        self._compared = ""  # the session that another is to be compared with; "" for none
        self._inside: dict[str, Found] = {}  # session → where the words of the query stand in it
        self._progress = ""
        self._searching = threading.Lock()  # held by the one thread that searches

    def body(self) -> ComposeResult:
        """Return the search and the rows."""
        yield Field(id="query", placeholder="name, id, or words inside")
        with Horizontal(id="beside"):
            yield FoundSessions(id="found", mark=self.workbench.marks.here)
            yield LineList(id="preview", has_cursor=False)

    def on_mount(self) -> None:
        """Be ready to be typed into; read the list."""
        self.query_one("#query").focus()
        self.watch(self.query_one(FoundSessions), "cursor", self._show_preview, init=False)
        self.load()
        self.set_interval(LOOK_AGAIN, self.load)

    @work(group="list-sessions", exclusive=True)
    async def load(self) -> None:
        """Read the list of sessions."""
        try:
            workspace = await self.workbench.opened_workspace()
            self._listed = await asyncio.to_thread(_look, workspace)
        except WorkbenchError as error:
            self.say(str(error))
        self._is_read = True
        self._show()

    def on_resize(self) -> None:
        """Show where words are beside the list, if there is room for it; break the rows again."""
        self.set_class(self.app.size.width >= _ROOM_FOR_PREVIEW, "peek")
        self.call_after_refresh(self._show)

    @property
    def room(self) -> int:
        """Cells for a row of the list."""
        return self.query_one(FoundSessions).room or super().room

    def _show(self) -> None:
        called, others = self._fits()
        best = next((one.session for one in [*called, *others]), "") if self.query_one("#query").has_focus else ""
        rows = session_rows(
            [*called, *others],
            self.room,
            self.workbench.marks,
            best=best,
            compared=self._compared,
            inside=[self._inside[other.session] for other in others],
        )
        if self._progress or not rows:
            rows.append(Row((text(self._progress or self._empty(), DIM),)))
        self.query_one(FoundSessions).show(rows)
        self._show_preview(best)
        self._show_hints()

    def _show_preview(self, best: str = "") -> None:
        preview, chosen = self.query_one("#preview", LineList), self.query_one(FoundSessions).chosen or best
        if self.has_class("peek"):
            called = next((one.name or one.goal for one in self._listed if one.session == chosen), chosen)
            preview.sought = self._query
            rows = preview_rows(self._inside.get(chosen), called, max(preview.room, 20))
            preview.show(rows, from_top=True)

    def _fits(self) -> tuple[list[Listed], list[Listed]]:
        """Return the sessions that are called like what is typed, and the others in which it stands."""
        called = matching(self._listed, self._query)
        others = {one.session: one for one in self._listed if one.session not in {each.session for each in called}}
        return called, [others[session] for session in self._inside if session in others]

    @property
    def _query(self) -> str:
        return self.query_one("#query", Field).value

    def _empty(self) -> str:
        if self._is_read and not self._listed:
            return f"There are no sessions yet. {key_of(self, 'app.new')} begins one."
        return "No session fits." if self._is_read else "Looking …"

    def _show_hints(self) -> None:
        close = hint(self, "sessions.close")
        if self.query_one(FoundSessions).has_focus:
            last = "undo" if self._deleted else "search"
            first, then = ("rename", "export", "delete"), ("replay", "fork", "compare", last)
            near, far = ([one for name in names for one in hint(self, f"found.{name}")] for names in (first, then))
            hints = [("Enter", "open"), *near, *close, *far]
        else:
            hints = [("Enter", "open the first"), ("↓", "choose"), *hint(self, "app.new"), *close]
        self.query_one(Hints).show_hints(hints, super().room)

    # --- the search ---------------------------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Find while letters are typed: at once by name, and inside as reading goes on."""
        self._inside, self._progress = {}, ""
        self._show()
        self._look_inside(event.value)

    @work(group="look-inside", exclusive=True)
    async def _look_inside(self, query: str) -> None:
        """Look inside every session once typing pauses, for all words, then for what is near in meaning."""
        workspace = self.workbench.workspace
        if workspace is None or len(query.strip()) < LEAST_QUERY:
            return
        await asyncio.sleep(_PAUSE)
        self._progress = "Looking inside sessions …"
        self._show()

        def look() -> list[Found]:
            with self._searching:
                return list(found_in(workspace.search_sessions(query, _MOST), query))

        try:
            for one in await asyncio.to_thread(look):
                self._inside.setdefault(one.session, one)
        except ModelError as error:
            self.say(str(error))
        self._progress = ""
        self._show()

    def on_input_submitted(self) -> None:
        """Open the best fit."""
        if best := next((one for fits in self._fits() for one in fits), None):
            self._open(best.session)

    def on_descendant_focus(self) -> None:
        """Show what the keys do here."""
        self._show()

    def action_to_rows(self) -> None:
        """Go from the search to the rows."""
        self.query_one(FoundSessions).focus()

    # --- what is done to a session ------------------------------------------------------------------------------------

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Open the chosen session."""
        self._open(message.key)

    @property
    def _chosen(self) -> str:
        return self.query_one(FoundSessions).chosen

    def action_search(self) -> None:
        """Type into the search again."""
        self.query_one("#query").focus()

    def action_replay(self) -> None:
        """Walk through the chosen session."""
        if self._chosen:
            self._open(self._chosen, self.workbench.replay)

    def action_delete(self) -> None:
        """Ask before the chosen session goes to the trash."""
        session = self._chosen

        def delete(workspace: Workspace) -> str:
            workspace.session(session).delete()
            return f"Moved to the trash. u brings it back, or: workbench sessions restore {session}"

        if session:
            question = f"Move {self._called(session)} to the trash?"
            confirm(self.app, question, "", "delete", lambda: self._do(delete, lambda: self._forget(session)))

    def _called(self, session: str) -> str:
        return next((clean_name(one.name) for one in self._listed if one.session == session), "") or session

    def action_compare(self) -> None:
        """Take the chosen session as the first of two, or compare it with the one that was taken."""
        workspace, first, session = self.workbench.workspace, self._compared, self._chosen
        if workspace is None or not session or self._is_unreadable(session):
            return
        self._compared = "" if first == session else session
        if first in ("", session):
            self.say(
                "" if first else f"c on another session compares it with {self._called(session)}; Esc takes that back.",
                DIM,
            )
            self._show()
            return
        a, b = (Side(Place(session=one), events_of(workspace, one)) for one in (first, session))
        self.dismiss()
        self.workbench.call_later(self.workbench.compare, a, b)

    def _is_unreadable(self, session: str) -> bool:
        """Tell whether a session cannot be read, and say why."""
        one = next((one for one in self._listed if one.session == session), None)
        if one is None or one.status != "unreadable":
            return False
        self.say(one.error)
        return True

    def _open(self, session: str, way: Callable[[str], None] | None = None) -> None:
        """Leave this list for a session; ``way`` is how to look at it, by default to continue with it.

        One that is damaged cannot be continued; a replay shows what can be read of it.
        """
        if way is None and self._is_unreadable(session):
            return
        found = self._inside.get(session)
        self.dismiss()
        key = found.key if found is not None else ""
        at = partial(self.workbench.open_session, at=key, sought=self._query.strip())
        self.workbench.call_later(way or at, session)

    def action_fork(self) -> None:
        """Ask where to fork the chosen session."""
        workspace, session = self.workbench.workspace, self._chosen
        if workspace is not None and session and not self._is_unreadable(session):
            one = next(one for one in self._listed if one.session == session)
            ask = partial(self.workbench.fork, one.name, events_of(workspace, session), one.events)
            self._open(session, lambda _session: ask())

    def action_rename(self) -> None:
        """Ask for another name of the chosen session."""
        workspace, session = self.workbench.workspace, self._chosen
        if workspace is None or not session:
            return

        def rename(values: Values) -> str:
            return f"Renamed to {workspace.session(session).rename(values['name']).name}."

        form = Form("Rename", "", rename, (Box("name", "another name", self._called(session)),), verb="rename")
        self.app.push_screen(FormDialog(form), self._renamed)

    def _renamed(self, said: str | None) -> None:
        self.say(said or "", DONE)
        self.load()

    @work(group="change-sessions")
    async def _do(self, deed: Callable[[Workspace], str], then: Callable[[], None] = lambda: None) -> None:
        """Do something to a session in a thread and say how it went; ``then`` only where it went well."""
        try:
            workspace = await self.workbench.opened_workspace()
            self.say(await asyncio.to_thread(deed, workspace), DONE)
        except WorkbenchError as error:
            self.say(str(error))
        else:
            then()
        self.load()

    def action_export(self) -> None:
        """Write the chosen session as Markdown into this folder."""
        if session := self._chosen:
            self._do(lambda workspace: f"Written to {export(workspace.session(session), Path.cwd())}.")

    def _forget(self, session: str) -> None:
        """Close the screens of a deleted session, and this dialog with them if it is above."""
        app = self.workbench
        self._deleted = session
        if app.opened.get(app.current_mode) == session:
            app.notify(f"{session} is in the trash. workbench sessions restore {session}")
        app.run_worker(app.close_session(session), group="close-session")

    def action_undo(self) -> None:
        """Bring back what was deleted last."""
        session, self._deleted = self._deleted, ""
        if session:
            self._do(lambda workspace: f"Restored {workspace.restore(session)}.")

    def action_new(self) -> None:
        """Begin a new session."""
        self.dismiss()
        self.workbench.call_later(self.workbench.action_new)

    def action_close(self) -> None:
        """Take back what was to be compared; else go back."""
        if not self._compared:
            self.dismiss()
            return
        self._compared = ""
        self.say("")
        self._show()


def _look(workspace: Workspace) -> list[Listed]:
    """Return every session; why one cannot be read is told without the folder that all are in."""
    inside = f"{workspace.folder.sessions}/"  # the whole path would hide the name of the broken file
    return [
        msgspec.structs.replace(session, error=session.error.replace(inside, "")) if session.error else session
        for session in workspace.sessions()
    ]


def session_rows(
    sessions: Sequence[Listed],
    width: int,
    marks: Marks,
    *,
    best: str = "",
    compared: str = "",
    inside: Collection[Found] = (),
) -> list[Row]:
    """Return lines for each session: what it is called and where it stands; its id and goal; what was found inside."""
    places = {one.session: f"  {marks.session_bar} {one.place}  " for one in inside}
    excerpts = {one.session: one.excerpt for one in inside}
    rows = []
    for one in sessions:
        first = _title_line(one, width, marks, is_best=one.session == best, is_compared=one.session == compared)
        lines = [first, *_goal_lines(one, width)]
        if one.session in places:
            lines.append(cut(joined(text(places[one.session], FOCUS), excerpts[one.session]), width))
        rows.append(Row(tuple(lines), key=one.session))
    return rows


def _title_line(one: Listed, width: int, marks: Marks, *, is_best: bool, is_compared: bool) -> Content:
    signs = {"waiting": (marks.asks, ASKS), "finished": (marks.done, DONE), "running": (marks.runs, FOCUS)}
    sign, style = signs.get(one.status, (marks.failed, FAILED) if one.status in BROKEN else (" ", ""))
    named = text(session_title(one.name, one.goal, one.session), "bold" if is_best else "")
    rounds = f"{counted(one.iterations, 'round')}  " if one.iterations and width >= _ROOM_FOR_ROUNDS else ""
    compared = text("compare with…  ", FOCUS) if is_compared else ""
    stands = joined(compared, text(STATUS_WORDS.get(one.status, one.status), style or DIM))
    right = joined(stands, text(f"  {rounds}{local_day(one.updated)}", DIM))
    return spread(joined(text(f"{sign} ", style), named), right, width)


def _goal_lines(one: Listed, width: int) -> list[Content]:
    if one.status == "unreadable":
        return [text(f"  {line}", FAILED) for line in wrapped(clean(one.error), width - 2)]
    goal = clean_name(one.goal, 200)
    is_told = goal == session_title(one.name, one.goal, "")
    return [cut(text(f"  {one.session}" if is_told else f"  {one.session} · {goal}", DIM), width)]


GOOD_ENOUGH = 80
"""Of 100. A word with a letter wrong is above it; words that are not there are below."""


def matching(listed: Sequence[Listed], query: str) -> list[Listed]:
    """Return the sessions that fit a query, the best first; all of them, as they are, for an empty one."""
    words = utils.default_process(query).split()

    def likeness(one: Listed) -> float:
        text = utils.default_process(f"{one.session} {one.name} {one.goal}")
        return min((fuzz.partial_ratio(word, text) for word in words), default=100.0)

    scored = [(likeness(one), one) for one in listed]
    return [one for score, one in sorted(scored, key=lambda fit: -fit[0]) if score >= GOOD_ENOUGH]
