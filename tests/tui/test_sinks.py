"""Every widget and screen of ours is fed hostile text through every way in, and the drawn lines are looked at.

    SINKS: class ─▶ how text gets into it      found by reflection: a class without an entry fails the suite

What a widget draws is asked of the compositor, as segments with their styles: no control character in a text, no link
and no action in a style, and every piece of the hostile text to be read. The bytes of a whole run are looked at in
test_terminal_bytes.py.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import workbench.tui
from rich.segment import Segment
from tests.builders import created, plan_changed, told
from tests.tui.acting import RunApp, until
from tests.tui.hostile import HALVES, IN_A_FILE, ITEMS, NAMES, PROSE, Hostile, acting, obeyed, unsafe, unseen
from tests.tui.hostile_program import Careless
from tests.tui.hostile_session import SESSION, SHORT, Stage, long_state, state, write
from tests.tui.hostile_session import bodies as hostile_bodies
from textual.app import ComposeResult
from textual.command import Provider
from textual.events import Paste
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static
from workbench.bootstrap import Listed, Workspace
from workbench.bootstrap.reviews import review_of
from workbench.domain.errors import LogUnavailable, UsageError
from workbench.domain.loop.asking.tasks import Approach
from workbench.domain.loop.deciding.gates import Choice, Gate
from workbench.domain.plan.changing.operations import Cause, Change, SetField
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.domain.session.state import PlanVersion
from workbench.domain.shared.context import ContextEvent, Entry, SharedState
from workbench.domain.shared.leases import Lease
from workbench.domain.shared.merge import Loser
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.trust import ModelUse, TrustRequest
from workbench.planning.beside_the_loop.reviewing import submit, write_notes
from workbench.replay.comparing import Place
from workbench.replay.player import Player
from workbench.replay.recording import Recording
from workbench.sharing.outcome import Outcome
from workbench.tui.app import WorkbenchApp
from workbench.tui.base import EndsItsWork, WorkbenchScreen, WorkspaceOpened
from workbench.tui.commands import Commands
from workbench.tui.dialog import ConfirmDialog, Dialog, ListDialog, PickDialog, SizeNotice
from workbench.tui.form import Box, Form, FormDialog, Values
from workbench.tui.help import HelpScreen, message_rows
from workbench.tui.home.files import export
from workbench.tui.home.learning import LearningDialog, LessonList, learning_rows
from workbench.tui.home.sessions import FoundSessions, SessionsScreen
from workbench.tui.home.start import StartScreen
from workbench.tui.keymap import Key
from workbench.tui.lines import Row, text
from workbench.tui.marks import Marks
from workbench.tui.replay.compare import ChangeList, CompareScreen
from workbench.tui.replay.replaying import Replayed, loading_file
from workbench.tui.replay.screen import ReplayScreen, SampleScreen
from workbench.tui.review.screen import PlanLines, ReviewScreen
from workbench.tui.session.begin import BeginDialog
from workbench.tui.session.following import FollowingFailed, SessionChanged
from workbench.tui.session.plan.cell_editing import Offer
from workbench.tui.session.plan.outline import outline_rows
from workbench.tui.session.records.looking_back import Side
from workbench.tui.session.review.versions import undo_rows, version_rows
from workbench.tui.session.review.why import why_rows
from workbench.tui.session.screen import SessionScreen
from workbench.tui.session.view import SessionView
from workbench.tui.settings.models import ModelList, ModelsDialog
from workbench.tui.settings.screen import SettingsScreen
from workbench.tui.settings.themes import ThemeFailure
from workbench.tui.sharing.dialogs import claimed_rows, share_form, shared_change_rows
from workbench.tui.sharing.shared_rows import Said
from workbench.tui.widgets.bars import Hints, Notice, Problem, StillLine, TopLine
from workbench.tui.widgets.cell_editor import CellEditor, CellField, CellOffers
from workbench.tui.widgets.field import Draft, Field
from workbench.tui.widgets.framed_list import FramedList
from workbench.tui.widgets.gate_pane import GatePane, GateView
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane, MarkableList, RecalledList
from workbench.tui.widgets.timeline import Timeline

TALL, USUAL = (200, 150), (200, 60)
"""Columns and rows in which nothing is cut or scrolled away: of what is long, and of everything else."""


# --- looking ----------------------------------------------------------------------------------------------------------


def drawn(pilot: Pilot[Any]) -> list[list[Segment]]:
    """Return what is drawn on the screen, each line as its segments."""
    return [list(strip) for strip in pilot.app.screen._compositor.render_strips()]


def looked_at(pilot: Pilot[Any]) -> str:
    """Return what can be read on the screen; nothing on it may be obeyed, or act when it is clicked."""
    lines = drawn(pilot)
    said = ["".join(segment.text for segment in line) for line in lines]
    assert [found for line in said for found in obeyed(line)] == []
    assert [found for line in lines for found in acting(line)] == []
    assert not pilot.app._exit
    return "\n".join(said)


def read(pilot: Pilot[Any]) -> str:
    """Return what can be read, where everything was cleaned on its way in."""
    said = looked_at(pilot)
    assert [found for line in said.split("\n") for found in unsafe(line)] == []
    return said


def all_read(items: Iterable[Hostile], said: str) -> None:
    assert {item.name: pieces for item in items if (pieces := unseen(item, said))} == {}


Some = Callable[[int], None]


@pytest.fixture
def some(full_counts: bool, monkeypatch: pytest.MonkeyPatch) -> Some:
    """Feed a sink with a third of the names, its neighbour with the next third; with all where counts are full."""

    def choose(number: int) -> None:
        if not full_counts:
            names = NAMES[number % 3 :: 3]
            monkeypatch.setattr(f"{__name__}.NAMES", names)
            monkeypatch.setattr(f"{__name__}.SHORT", tuple(name for name in SHORT if name in names))
            monkeypatch.setattr(f"{__name__}.STAGES", STAGES[number % 2 :: 2])

    return choose


# --- widgets ----------------------------------------------------------------------------------------------------------


class Bare(WorkbenchScreen[None]):
    """A screen with one widget."""

    CSS = "Bare > * { width: 100%; height: 40; } Bare > Field { height: 1; }"

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self._widget = widget

    def compose(self) -> ComposeResult:
        yield self._widget


def rows(said: str) -> list[Row]:
    return [Row((text(line, "bold"),), key=line) for line in said.split("\n")]


def gate(said: str) -> Gate:
    choice = Choice(kind="continue", label=said, consequence=said)
    return Gate(id=said, kind="checkpoint", question=said, choices=(choice,))


def gated(pane: GatePane, said: str) -> None:
    pane.show_gate(GateView(gate(said)))
    pane.review()


def framed(pane: FramedList, said: str) -> None:
    pane.show(rows(said))
    pane.frame(clean_name(said) or said, ["x", clean_name(said) or said])


Give = Callable[[Any, str], object]
TAKES_CLEAN_TEXT: dict[type[Widget], tuple[Callable[[], Widget], Give]] = {
    StillLine: (lambda: StillLine(id="it", markup=False), lambda it, said: it.tell(text(said, "bold"))),
    TopLine: (lambda: TopLine(id="it", markup=False), lambda it, said: it.tell(text(said, "bold"))),
    Hints: (lambda: Hints(id="it", markup=False), lambda it, said: it.show_hints([(said, "x"), ("x", said)], 180)),
    Draft: (lambda: Draft(id="it"), lambda it, said: it.put(said)),
    Field: (lambda: Field(id="it"), lambda it, said: setattr(it, "value", said)),
    CellField: (lambda: CellField(CellEditor(id="it")), lambda it, said: setattr(it, "value", said)),
    LineList: (lambda: LineList(id="it", mark="▸"), lambda it, said: it.show(rows(said))),
    MarkableList: (lambda: MarkableList(id="it", mark="▸"), lambda it, said: it.show(rows(said))),
    RecalledList: (lambda: RecalledList(id="it", mark="▸"), lambda it, said: it.show(rows(said))),
    ModelList: (lambda: ModelList(id="it", mark="▸"), lambda it, said: it.show(rows(said))),
    LessonList: (lambda: LessonList(id="it", mark="▸"), lambda it, said: it.show(rows(said))),
    FoundSessions: (lambda: FoundSessions(id="it", mark="▸"), lambda it, said: it.show(rows(said))),
    FramedList: (lambda: FramedList(id="it", mark="▸"), framed),
    MainPane: (lambda: MainPane(id="it", mark="▸"), framed),
    ChangeList: (lambda: ChangeList(id="it", mark="▸"), framed),
}
"""Widgets that show what others have made of a text: those that feed them clean it."""
TAKES_ANY_TEXT: dict[type[Widget], tuple[Callable[[], Widget], Give]] = {
    GatePane: (lambda: GatePane(id="it"), gated),
    CellOffers: (
        lambda: CellOffers(id="it", markup=False),
        lambda it, said: it.show(said, [Offer(said, "x"), Offer("x", said)], 0, "▸", 150),
    ),
    Notice: (lambda: Notice(id="it"), lambda it, said: it.tell(Problem(said, said, said))),
}
"""Widgets that take a value of the core, and clean its texts themselves."""


@pytest.mark.cases(8)
@pytest.mark.parametrize("kind", [*TAKES_CLEAN_TEXT, *TAKES_ANY_TEXT], ids=lambda kind: kind.__name__)
async def test_a_widget(kind: type[Widget], run_app: RunApp, some: Some) -> None:
    some([*TAKES_CLEAN_TEXT, *TAKES_ANY_TEXT].index(kind))
    make, give = (TAKES_CLEAN_TEXT | TAKES_ANY_TEXT)[kind]
    async with run_app(size=(200, 44)) as pilot:
        widget = make()
        await pilot.app.push_screen(Bare(widget))
        for name in (*NAMES, *HALVES):
            give(widget, name.text)
            if kind in TAKES_ANY_TEXT:
                await until(pilot, lambda name=name: not unseen(name, "\n".join(plain(pilot))))
                read(pilot)
            else:
                await pilot.pause()
                looked_at(pilot)
                give(widget, clean_name(name.text))
                await pilot.pause()
                all_read([name], read(pilot))


def plain(pilot: Pilot[Any]) -> list[str]:
    return ["".join(segment.text for segment in line) for line in drawn(pilot)]


# --- screens ----------------------------------------------------------------------------------------------------------

Show = Callable[[Pilot[Any], Workspace, Path], Awaitable[None]]


async def start_screen(pilot: Pilot[Any], workspace: Workspace, _folder: Path) -> None:
    """The goal that is pasted, the model that is set, and why a goal is refused."""
    screen = pilot.app.screen
    assert isinstance(screen, StartScreen)
    for name in NAMES:
        pilot.app.post_message(Paste(name.text))
        await until(pilot, lambda name=name: not unseen(name, screen.query_one(Draft).text))
        screen._say(str(LogUnavailable(name.text, name.text)))
        workspace.parts.models.settings = dataclasses.replace(workspace.settings, model=name.text)
        screen.post_message(WorkspaceOpened())
        await pilot.pause()
        for part in ("#problem", "#model"):
            await until(pilot, lambda part=part, name=name: not unseen(name, _said_by(screen, part)))
        all_read([name], read(pilot))
        screen.query_one(Draft).clear()


def _said_by(screen: Screen[Any], part: str) -> str:
    return str(screen.query_one(part, Static).content)


async def _views(pilot: Pilot[Any], view: SessionView, *items: Hostile) -> None:
    """Go through the views of a session, page by page until these could be read, in one view or the other."""
    said = ""
    assert view.state is not None
    for name in view.views if view.state.plan is not None else view.views[:1]:
        view.view = name
        view.repaint()
        await until(pilot, lambda name=name: view._picture is not None and view._picture.sight.view == name)
        view.plan_pane.scroll_home(animate=False)
        while True:
            await pilot.pause()
            said += read(pilot)
            is_read = not any(unseen(item, said) for item in items)
            if is_read or view.plan_pane.scroll_offset.y >= view.plan_pane.max_scroll_y:
                break
            view.plan_pane.action_page(1)
    all_read(items, said)


async def session_view(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """A session that is only looked at, at each of its stages, and an error while it is followed."""
    for stage in STAGES:
        shown = state(stage, names=SHORT[:3])
        view = SessionView("s", source=lambda _stopped, post, shown=shown: post(SessionChanged(shown)), badge="LOOK")
        await pilot.app.push_screen(view)
        await until(pilot, lambda view=view: view._picture is not None)
        await _views(pilot, view, IN_A_FILE)
    for name in NAMES:
        view.on_following_failed(FollowingFailed(LogUnavailable(name.text, name.text)))
        await until(pilot, lambda name=name: not unseen(name, "\n".join(plain(pilot))))
        read(pilot)


STAGES: tuple[Stage, ...] = ("question", "approach", "checkpoint", "failed", "stopped", "finished")


async def session_screen(pilot: Pilot[Any], workspace: Workspace, _folder: Path) -> None:
    """A session file from somebody else, opened to go on with: its gates, its approaches, notes on its plan."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    for number, stage in enumerate(("question", "approach", "checkpoint", "failed")):
        write(workspace.log.folder, stage, session=f"elsewhere-{number}", names=SHORT[:3])
        app.open_session(f"elsewhere-{number}")
        await until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen._picture is not None)
        screen = app.screen
        assert isinstance(screen, SessionScreen)
        await _views(pilot, screen, IN_A_FILE)
        if stage == "checkpoint":
            await _note(pilot, screen)


async def _note(pilot: Pilot[Any], screen: SessionScreen) -> None:
    """Write hostile notes on titles of the plan: what they are on, and what they say, is shown."""
    screen.view = "plan"
    screen.repaint()
    await until(pilot, lambda: screen.gate_pane.gate is not None and screen._picture.sight.view == "plan")
    for number, name in enumerate(SHORT[-3:]):
        screen.plan_pane.focus()
        screen.plan_pane.reveal(f"place:s{number + 1}:0")
        screen.action_note()
        await until(pilot, lambda: screen.drafting.purpose == "note")
        read(pilot)
        pilot.app.post_message(Paste(name.text))
        await until(pilot, lambda: screen.draft.stands)
        screen.draft.action_send()
        await until(pilot, lambda: screen.drafting.purpose == "reply")
    await until(pilot, lambda: screen._picture.sight.noted == screen.drafting.notes)
    await _views(pilot, screen, *SHORT[-3:])


async def replay_screen(pilot: Pilot[Any], _workspace: Workspace, folder: Path) -> None:
    """A session file from somebody else, event by event: every line of the timeline, and what its ticks tell."""
    file = write(folder, "finished", session="elsewhere", names=SHORT[:3])
    await pilot.app.push_screen(ReplayScreen(Replayed(NAMES[0].text, loading_file(file), in_workspace=False)))
    screen = pilot.app.screen
    assert isinstance(screen, ReplayScreen)
    await until(pilot, lambda: screen._picture is not None and screen.recording is not None)
    assert screen.recording is not None
    for event in screen.recording.events:
        screen.timeline.seek(event.seq)
        await until(pilot, lambda event=event: screen._picture.sight.state.seq == event.seq)
        read(pilot)
    for cell in range(screen.timeline.content_size.width):
        told = screen.timeline.told_at(cell)
        assert told is None or [found for line in told.plain.split("\n") for found in unsafe(line)] == []
    await _views(pilot, screen, IN_A_FILE)
    for name in NAMES:
        screen.on_following_failed(FollowingFailed(LogUnavailable(name.text, name.text)))
        await pilot.pause()
        read(pilot)


async def timeline(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """What an event says, in the line below the track."""
    for name in SHORT:
        recording = Recording.from_events(told(created(), say.SessionRenamed(name=name.text)))
        widget = Timeline(id="it")
        await pilot.app.push_screen(Bare(widget))
        player = Player(recording, lambda: 0.0)
        player.seek(2)
        widget.show(player)
        await pilot.pause()
        all_read([name], read(pilot))


async def sample_screen(pilot: Pilot[Any], _workspace: Workspace, folder: Path) -> None:
    """A sample that somebody put into the installation."""
    screen = SampleScreen(write(folder, "finished"))
    await pilot.app.push_screen(screen)
    await until(pilot, lambda: screen._picture is not None)
    await _views(pilot, screen, IN_A_FILE)


async def sessions_screen(pilot: Pilot[Any], workspace: Workspace, _folder: Path) -> None:
    """Names and goals in the list, a file that cannot be read, the search, another name, and what went wrong."""
    folder = workspace.log.folder
    write(folder, "finished")
    (folder / "broken.jsonl").write_bytes(b"".join(item.text.encode(errors="replace") + b"\xff\n" for item in ITEMS))
    screen = SessionsScreen()
    await pilot.app.push_screen(screen)
    await until(pilot, lambda: len(screen._listed) == 2)
    await until(pilot, lambda: not unseen(SHORT[0], read(pilot)))
    for timer in list(screen._timers):
        timer.stop()  # the list is not read again: it holds what stands in no file from here on
    for name in NAMES:
        into = screen.query_one("#query", Field)
        into.clear()
        into.focus()
        await until(pilot, lambda into=into: into.has_focus)
        pilot.app.post_message(Paste(name.text))
        await until(pilot, lambda into=into, name=name: not unseen(name, into.value))
        screen.say(str(LogUnavailable(name.text)))
        screen._listed = [Listed(session="s", name=name.text, goal=name.text, status="waiting", updated=name.text)]
        screen.query_one("#query", Field).clear()
        await until(pilot, lambda name=name: not unseen(name, read(pilot)))
        screen.query_one(FoundSessions).reveal("s")
        screen.action_rename()
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        all_read([name], pilot.app.screen.query_one("#name", Field).value)
        await pilot.press("escape")


async def help_screen(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """Keys that somebody's settings name."""
    for key, tooltip in (("x", "{}"), ("{}", "x")):
        keys = [
            Key("app.x", (key.format(name.text),), "words", tooltip.format(name.text), "noop", WorkbenchApp)
            for name in NAMES
        ]
        await pilot.app.push_screen(HelpScreen([("Keys", keys)]))
        await pilot.pause()
        said = read(pilot)
        if key == "x":
            all_read(NAMES, said)


async def size_notice(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """Two sizes, and no text of anybody."""
    await pilot.app.push_screen(SizeNotice(Size(999, 999)))
    await pilot.pause()
    assert "999" in read(pilot)


async def learning_dialog(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """Lessons that rest on notes of a session from somebody else, and the tables."""
    dialog = LearningDialog()
    await pilot.app.push_screen(dialog)
    listed = dialog.query_one(LineList)
    await until(pilot, lambda: listed.rows)
    for name in NAMES:
        standing = SimpleNamespace(
            id="L1", text=name.text, because=name.text, status="proposed", used=0, note=name.text
        )
        row = SimpleNamespace(subject=name.text, cases=5)
        table = SimpleNamespace(title="Approaches", rows=((row, "50%", 0.5),))
        listed.show(list(learning_rows([standing], [table], dialog.room)))
        await pilot.pause()
        all_read([name], read(pilot))


async def settings_screen(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """Themes, where a setting comes from, a theme that cannot be used, keys, and what is wrong with them."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    app.theme_names = (*app.theme_names, *(name.text for name in NAMES))
    app.theme_failures = tuple(ThemeFailure(name.text, name.text) for name in NAMES)
    keys = {name.text: "f4" for name in NAMES} | {"app.new": NAMES[5].text}
    app.settings = dataclasses.replace(app.settings, keys=keys, sources={"theme": NAMES[6].text})
    await app.push_screen(SettingsScreen())
    await pilot.pause()
    said = read(pilot)
    app.screen.query_one(LineList).scroll_end(animate=False)
    await pilot.pause()
    all_read(NAMES, said + read(pilot))
    app.tell_conflicts()
    await pilot.pause()
    read(pilot)


async def commands(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """The names of themes in the palette, found by typing and by pasting."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    app.theme_names = tuple(name.text for name in NAMES)
    app.action_command_palette()
    await until(pilot, lambda: "Theme:" in "\n".join(plain(pilot)))
    all_read(NAMES[:1], read(pilot))
    query = app.screen.query_one(Input)
    for name in NAMES:
        query.value = ""
        query.value = f"Theme: {clean_name(name.text)}"
        await until(pilot, lambda name=name: not unseen(name, "\n".join(plain(pilot)[_below(query) :])))
        read(pilot)
        query.value = ""
        await pilot.pause()
        app.post_message(Paste(name.text))
        await until(pilot, lambda name=name: query.value.startswith(clean(name.text).split("\n")[0]))
        read(pilot)


def _below(widget: Widget) -> int:
    """Return the first line below a widget."""
    return widget.region.bottom


async def nothing_of_its_own(_pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """A base, which shows nothing by itself."""


async def begin_dialog(pilot: Pilot[Any], _workspace: Workspace, _elsewhere: Path) -> None:
    for name in NAMES:
        approach = Approach(id="A1", title=name.text, summary="", outline=(name.text,), template="own:hostile")
        dialog = BeginDialog(approach, name.text, date(2026, 11, 16))
        await pilot.app.push_screen(dialog)
        await until(pilot, lambda name=name: not unseen(name, looked_at(pilot)))
        read(pilot)
        dialog.query_one(Draft).focus()
        pilot.app.post_message(Paste(name.text + "word " * 120))
        await pilot.press("ctrl+s")
        await until(pilot, lambda dialog=dialog: "500 characters" in _said_by(dialog, "#problem"))
        read(pilot)
        await pilot.press("escape")


def shared_by(session: str, number: int, said: str) -> ContextEvent:
    """A change as a hostile session would have it, if nothing had been cleaned on the way."""
    value = [said, {said: said}]
    losers = (Loser(path=(said,), value=said, rule=said), Loser(value=value, rule=said))
    return ContextEvent(
        seq=number,
        event_id=f"{session}:{number}",
        session_id=session,
        timestamp=said,
        event_type="merge",
        key=said,
        value=value,
        previous_value=said,
        version=number,
        rule=said,
        losers=losers,
        context_hash="",
    )


async def shared_changes(pilot: Pilot[Any], workspace: Workspace, _folder: Path) -> None:
    """A change to the shared context, in the live pane beside the plan and in full: its session, key, values, rule."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    write(workspace.log.folder, "finished", session="here", names=SHORT[:3])
    app.open_session("here")
    await until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen._picture is not None)
    assert app.sharing is not None
    for number, name in enumerate(NAMES, start=1):
        event = shared_by(name.text, number, name.text)
        app.sharing.take([event], SharedState(seq=number))
        app.screen._say(Said(event.event_id, name.text, is_refusal=True))
        await until(pilot, lambda name=name: not unseen(name, "\n".join(plain(pilot))))
        read(pilot)
        rows = partial(shared_change_rows, event, app.sharing.manager)
        await app.push_screen(PickDialog(event.key, rows))
        await until(pilot, lambda: len(app.screen.query_one(LineList).rows) > 0)
        all_read([name], read(pilot))
        await pilot.press("escape")


async def share_dialog(pilot: Pilot[Any], workspace: Workspace, _folder: Path) -> None:
    """What is pasted into its fields, the value that a key has, and why it is refused."""

    def refused(*_arguments: object, **_options: object) -> Outcome:
        return Outcome.refused("", UsageError(NAMES[0].text, NAMES[1].text))

    shared = workspace.shared()
    for name in NAMES:
        shared.state = SharedState
        dialog = FormDialog(share_form("here", lambda: shared, {}))
        await pilot.app.push_screen(dialog)
        await pilot.pause()
        key, value = dialog.query_one("#key", Field), dialog.query_one("#value", Field)
        for into in (key, value):
            into.clear()
            into.focus()
            pilot.app.post_message(Paste(name.text))
            await until(pilot, lambda into=into, name=name: not unseen(name, into.value))
        read(pilot)
        entry = Entry(value=[name.text], version=1)
        shared.state = lambda entry=entry: SimpleNamespace(entry=lambda _key: entry)
        key.value, value.value = "k", "x"
        await pilot.press("enter")
        await until(pilot, lambda dialog=dialog: "again" in _said_by(dialog, "#problem"))
        read(pilot)
        if name is not NAMES[-1]:
            await dialog.dismiss()  # a dialog draws all that stands below it
    shared.update_context = refused
    await pilot.press("enter")
    await until(pilot, lambda: not unseen(NAMES[0], _said_by(dialog, "#problem")))
    all_read(NAMES[:2], read(pilot))


async def compare_screen(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """Two points of hostile sessions, in turn one way and the other: labels and every view; and why it failed."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    for number, name in enumerate(SHORT):
        whole = told(*hostile_bodies(names=(name, name, name), until="checkpoint"))
        sides = [Side(Place(session=name.text), lambda events=events: events) for events in (told(created()), whole)]
        app.compare(*(sides if number % 2 else reversed(sides)))
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and app.screen._shown)
        for key, view, items in (
            ("2", "insights", [name, IN_A_FILE]),
            ("3", "context", [name]),
            ("4", "numbers", [name]),
            ("1", "plan", [name]),
        ):
            await pilot.press(key)
            await until(pilot, lambda view=view: app.screen._shown == view)
            all_read(items, read(pilot))
        await pilot.press("escape")
        app.compare(replace(sides[0], place=Place(session=name.text, seq=99)), sides[1])
        await until(pilot, lambda name=name: not unseen(name, "\n".join(plain(pilot))))
        read(pilot)
        await pilot.press("escape")


async def shows(pilot: Pilot[Any], dialog: Screen[Any], name: Hostile) -> None:
    """Show a dialog until a text can be read in it."""
    await pilot.app.push_screen(dialog)
    await until(pilot, lambda: not unseen(name, "\n".join(plain(pilot))))
    read(pilot)


async def form_dialog(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """What stands in a form, what is pasted into it, what is told of it, what it would do, and why it cannot."""

    def refuse(values: Values) -> str:
        raise LogUnavailable(values["it"])

    for name in NAMES:
        named = Box("named", name.text, name.text, is_named=True)
        boxes = (Box("it", "anything"), named, Box("long", name.text, name.text, is_long=True))
        form = Form(
            name.text, name.text, refuse, boxes, lambda values: [values["it"]], told=lambda values: [values["it"]]
        )
        dialog = FormDialog(form)
        await shows(pilot, dialog, name)
        into = dialog.query_one("#it", Field)
        pilot.app.post_message(Paste(name.text))
        await until(pilot, lambda into=into, name=name: not unseen(name, into.value))
        await pilot.press("enter")
        await until(pilot, lambda dialog=dialog: dialog._previewed is not None)
        await pilot.pause()
        all_read([name], read(pilot))
        await pilot.press("enter")
        await until(pilot, lambda dialog=dialog, name=name: not unseen(name, _said_by(dialog, "#problem")))
        read(pilot)
        await dialog.dismiss()


def made_by(name: Hostile, version: int) -> PlanVersion:
    step = Step(id="S1", title=name.text, owner=name.text)
    plan = Plan(title=name.text, sections=(Section(id="steps", title=name.text, items=(step,)),))
    change = Change(SetField("S1", "title", f"{name.text} again"), Cause("repair", name.text))
    return PlanVersion(
        version=version, plan=plan, changes=(change,), by=name.text, iteration=1, change=0.5, seq=1, time=name.text
    )


def claimed_by(session: str, name: Hostile) -> Any:
    lease = Lease(kind="file", name=name.text, session=session, since=name.text, event=name.text)
    state = SharedState(leases={lease.key: lease})
    return lambda: SimpleNamespace(state=lambda: state)


async def lists(pilot: Pilot[Any], _workspace: Workspace, _folder: Path) -> None:
    """Versions and who made them, sections, what can be undone, why a line is there, and what is to be accepted."""
    for name in SHORT:
        one, other = made_by(name, 1), made_by(name, 2)
        changed = say.PlanChanged(version=2, changes=other.changes, by="person", change=0.1)
        state = fold(told(created(), plan_changed(version=1, plan=one.plan), changed))
        use = ModelUse(model=name.text, base_url=name.text, host=name.text, used_by=f"agent {name.text}")
        request = TrustRequest(settings={"person": name.text}, models=(use,), owner=name.text)
        for dialog in (
            PickDialog("Compare versions", partial(version_rows, (one, other), 0, name.text), "compare"),
            PickDialog(name.text, partial(outline_rows, state, one.plan, marks=Marks()), name.text, about=name.text),
            PickDialog("Undo", partial(undo_rows, (one, other), ("2",), 0), "undo"),
            PickDialog("Why", partial(why_rows, state, "S1", marks=Marks()), "where it stands"),
            PickDialog("Messages", partial(message_rows, [(name.text, name.text)])),
            PickDialog("Release", partial(claimed_rows, "here", claimed_by("here", name)), "release"),
            ConfirmDialog(name.text, name.text, "accept", request.rows),
        ):
            await shows(pilot, dialog, name)
            await pilot.press("escape")


async def models_dialog(pilot: Pilot[Any], workspace: Workspace, _folder: Path) -> None:
    """Names of models, and one that is none."""
    for name in SHORT:
        workspace.parts.models.choose(models={f"openai:{name.text}": {"base_url": "http://127.0.0.1:9/v1"}})
        dialog = ModelsDialog()
        await shows(pilot, dialog, name)
        dialog.query_one("#name", Field).focus()
        pilot.app.post_message(Paste(name.text))
        await pilot.press("enter")
        await until(pilot, lambda dialog=dialog: "There is no model provider" in _said_by(dialog, "#problem"))
        read(pilot)
        await pilot.press("escape")


async def review_screen(pilot: Pilot[Any], workspace: Workspace, _folder: Path) -> None:
    """A plan of another program, two versions of it, a heading, the agent's name and a note."""
    for name in SHORT:
        text = f"# {name.text}\n\n{name.text}\n"
        log = review_of(workspace, name.text, "x", text)
        submit(log, "# Before\n", clean_name(name.text), waits=False)
        submit(log, text, clean_name(name.text), waits=False)
        write_notes(log, 2, [(1, 1, name.text)])
        await pilot.app.push_screen(ReviewScreen(log.session, log.state))
        await until(pilot, lambda: "not sent" in "\n".join(plain(pilot)))
        all_read([name], read(pilot))
        await pilot.press("A")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))
        read(pilot)
        await pilot.press("escape", "ctrl+b")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickDialog))
        read(pilot)
        await pilot.press("escape", "escape")


SCREENS: dict[type[Widget | Provider], Show] = {
    ModelsDialog: models_dialog,
    WorkbenchScreen: nothing_of_its_own,
    Dialog: nothing_of_its_own,
    EndsItsWork: nothing_of_its_own,
    StartScreen: start_screen,
    SessionView: session_view,
    SessionScreen: session_screen,
    ReplayScreen: replay_screen,
    Timeline: timeline,
    SampleScreen: sample_screen,
    SessionsScreen: sessions_screen,
    HelpScreen: help_screen,
    SizeNotice: size_notice,
    SettingsScreen: settings_screen,
    BeginDialog: begin_dialog,
    FormDialog: form_dialog,
    LearningDialog: learning_dialog,
    PickDialog: shared_changes,
    CompareScreen: compare_screen,
    ConfirmDialog: nothing_of_its_own,
    ListDialog: nothing_of_its_own,
    CellEditor: nothing_of_its_own,
    Commands: commands,
    ReviewScreen: review_screen,
    PlanLines: nothing_of_its_own,
}


SHOWN = (*SCREENS.values(), share_dialog, lists)
LONG = {compare_screen, session_view, session_screen, sample_screen, sessions_screen, settings_screen, shared_changes}
"""Those of which not all is seen in fewer rows, each of which is painted again with every change."""


def shown_by(show: Show) -> Any:
    """Return it as a case of a test: the long ones wait for the full counts."""
    return pytest.param(show, id=show.__name__, marks=[pytest.mark.full] if show in LONG else [])


@pytest.mark.cases(3)
@pytest.mark.parametrize("show", [shown_by(one) for one in SHOWN if one is not nothing_of_its_own])
async def test_a_screen(show: Show, run_app: RunApp, workspace: Workspace, tmp_path: Path, some: Some) -> None:
    if show is not settings_screen:  # it shows all of them at once
        some(SHOWN.index(show))
    async with run_app(size=TALL if show in LONG else USUAL) as pilot:
        await show(pilot, workspace, tmp_path / "elsewhere")


# --- none is left out -------------------------------------------------------------------------------------------------


def ours() -> Iterator[type]:
    """Yield every widget, screen and provider of commands that is defined in the application, and no private mixin."""
    for module in pkgutil.walk_packages(workbench.tui.__path__, "workbench.tui."):
        importlib.import_module(module.name)
    found: list[type] = [Widget, Provider]
    for kind in found:
        found += [one for one in kind.__subclasses__() if one not in found]
    mixins = {base for kind in found for base in kind.__bases__ if base.__name__.startswith("_")}
    yield from (kind for kind in found if kind.__module__.startswith("workbench.tui.") and kind not in mixins)


def test_every_widget_and_screen_is_fed() -> None:
    assert {kind.__name__ for kind in ours()} == {
        kind.__name__ for kind in (*TAKES_CLEAN_TEXT, *TAKES_ANY_TEXT, *SCREENS)
    }


# --- the last line of defence -----------------------------------------------------------------------------------------


async def test_a_careless_widget_is_made_harmless_on_the_way_out(run_app: RunApp) -> None:
    async with run_app(size=TALL) as pilot:
        await pilot.app.push_screen(Careless())
        pilot.app.notify(PROSE.text, title=PROSE.text, markup=False)
        await pilot.pause()
        said = looked_at(pilot)
        assert "quit there ring" in said
        assert "v\ufffdw" in said  # half of a pair is shown as what it is: no character
        for y, line in enumerate(said.split("\n")):
            for word in ("quit", "there", "ring"):
                if word in line:
                    await pilot.click(offset=(line.index(word), y))
        assert not pilot.app._exit


async def test_what_is_careless_would_act_without_the_last_line(
    run_app: RunApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the test above cannot pass for another reason."""
    monkeypatch.setattr(
        "workbench.tui.terminal.egress.EgressFilter.apply", lambda _self, segments, _background: segments
    )
    async with run_app(size=TALL) as pilot:
        await pilot.app.push_screen(Careless())
        await pilot.pause()
        (x, y) = next((line.index("quit"), y) for y, line in enumerate(plain(pilot)) if "quit there ring" in line)
        assert [found for line in drawn(pilot) for found in acting(line)]
        await pilot.click(offset=(x, y))
        await until(pilot, lambda: pilot.app._exit)


# --- notifications, links, and what is long ---------------------------------------------------------------------------


def test_an_export_of_somebody_elses_session_is_clean(workspace: Workspace, tmp_path: Path) -> None:
    write(workspace.log.folder, "finished")
    written = (tmp_path / export(workspace.session(SESSION), tmp_path)).read_text(encoding="utf-8")
    assert [found for line in written.split("\n") for found in unsafe(line)] == []
    all_read([IN_A_FILE], written)


async def test_links_are_text_with_their_address(run_app: RunApp) -> None:
    links = (
        "[one](https://a.example) <https://b.example> ![two](file:///etc/passwd) [three](javascript:alert) "
        "[four](vscode://x) https://c.example <a href='ssh://d'>five</a>"
    )
    shown = state("checkpoint", prose=Hostile("links", links, ()), names=SHORT[:3])
    async with run_app(size=TALL) as pilot:
        view = SessionView("s", source=lambda _stopped, post: post(SessionChanged(shown)))
        await pilot.app.push_screen(view)
        await until(pilot, lambda: view._picture is not None)
        addresses = ("https://a.example", "https://b.example", "file:///etc/passwd", "vscode://x", "ssh://d")
        await _views(pilot, view, Hostile("addresses", links, addresses))


async def test_a_line_of_a_megabyte_holds_nobody_up(run_app: RunApp) -> None:
    shown = long_state()
    async with run_app(size=(120, 36)) as pilot:
        view = SessionView("s", source=lambda _stopped, post: post(SessionChanged(shown)))
        await pilot.app.push_screen(view)
        await until(pilot, lambda: view._picture is not None)
        for name in view.views:
            view.view = name
            view.repaint()
            await until(pilot, lambda name=name: view._picture is not None and view._picture.sight.view == name)
            assert "xxxx" in read(pilot)
