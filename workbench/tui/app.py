"""The application: wires themes, screens and global keys. Workflow is not here.

    WorkbenchApp ─▶ StartScreen            what do you want to plan?
                 ├▶ SessionScreen(id) …    one for each open session: a screen of its own, with its own follower
                 ├▶ ReplayScreen(session) … a saved session to walk through; SampleScreen: one that is shipped
                 └▶ dialogs above any of them: SessionsScreen, SettingsScreen, HelpScreen, SizeNotice

A key of the application works on every screen; a screen's own keys come first.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual.app import ScreenStackError
from textual.binding import BindingType
from textual.command import CommandPalette, Provider
from textual.css.stylesheet import Stylesheet
from textual.driver import Driver
from textual.events import Event, Key, Paste, Resize
from textual.filter import LineFilter
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.types import CSSPathType
from textual.widgets import Input
from textual.worker import WorkerFailed

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.settings import Settings
from workbench.storage.files.watching.stopping import Stop
from workbench.tui.base import Workbench, WorkbenchScreen, WorkspaceOpened, is_of_a_going_screen
from workbench.tui.dialog import Dialog, PickDialog, confirm
from workbench.tui.keys import bind, let_alt_reach_digits
from workbench.tui.pauses import ShortPauses
from workbench.tui.terminal.egress import EgressFilter

if TYPE_CHECKING:
    from textual.screen import Screen

    from workbench.bootstrap import Workspace
    from workbench.domain.trust import TrustRequest
    from workbench.planning.session_log import SessionLog
    from workbench.tui.form import Form
    from workbench.tui.home.files import Format
    from workbench.tui.replay.replaying import Replayed
    from workbench.tui.session.records.looking_back import ReadEvents, Side
    from workbench.tui.sharing.live import SharedChanged


class LastingStylesheet(Stylesheet):
    """A stylesheet that keeps what it parsed for as long as its variables are the same."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._lasting = variables or {}
        self._is_stale = False

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take other colours; the same again change nothing."""
        if variables != self._lasting:
            super().set_variables(variables)
            self._lasting = dict(variables)
            self._is_stale = True

    def reparse(self) -> None:
        """Apply other colours, if they were set; sources that were added are parsed when they are asked for."""
        if self._is_stale:
            self._is_stale = False
            self.parse()


ResultT = TypeVar("ResultT")
Rows = Sequence[tuple[str, str]]
_LONGEST_KEY = 1.0  # seconds for which later keys wait for what one does
_LONGEST_WAIT, _LOOK_EVERY = 3.0, 0.02  # seconds for which they wait until a screen knows what it shows
_TYPED = frozenset({"enter", "tab", "backspace", "ctrl+j"})
"""Keys that are typed as letters are; any other is for the whole screen, and never waits for it."""
SMALLEST = Size(60, 18)
"""Columns and rows below which a layout would break."""


def _commands() -> type[Provider]:
    from workbench.tui.commands import Commands

    return Commands


def _start_screen() -> Screen[None]:
    from workbench.tui.home.start import StartScreen

    return StartScreen()


def _session_screen(session: str, *, goes_on: bool) -> Screen[None]:
    from workbench.tui.session.screen import SessionScreen

    return SessionScreen(session, goes_on=goes_on)


def _replay_screen(replayed: Replayed) -> Screen[None]:
    from workbench.tui.replay.screen import ReplayScreen

    return ReplayScreen(replayed)


class WorkbenchApp(Workbench):
    """The workbench in a terminal. Returns the id of the session that was open last, for the farewell."""

    TITLE = "workbench"
    CSS_PATH: ClassVar[CSSPathType | None] = ["app.tcss", "session/session.tcss"]  # parsed before any screen opens
    MODES: ClassVar[dict[str, str | Callable[[], Screen[None]]]] = {"start": _start_screen}
    DEFAULT_MODE = "start"
    SUSPENDED_SCREEN_CLASS = "beneath"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_commands}
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+s", "sessions", "sessions", "app.sessions", "Find, open, rename or delete a session", priority=True),
        bind("ctrl+n", "new", "new", "app.new", "Begin a new session", priority=True),
        bind("ctrl+p", "command_palette", "palette", "app.palette", "Everything that can be done"),
        bind("ctrl+o,alt+left", "go_back", "back", "app.go-back", "Go back to the view, row or plan where you were"),
        bind("f2", "settings", "settings", "app.settings", "Theme, marks, motion and limits"),
        bind("f1,question_mark", "help", "help", "app.help", "Keys of what has the focus"),
        bind("ctrl+q", "leave", "quit", "app.quit", "Leave; everything is kept", priority=True),
    ]

    def __init__(
        self,
        open_workspace: Callable[[], Workspace],
        *,
        session: str = "",
        replayed: Replayed | None = None,
        settings: Settings | None = None,
        user_config: Path | None = None,
    ) -> None:
        """Begin without touching the workspace: it is opened after the first paint, off the event loop.

        ``session`` is opened first, or ``replayed`` is played; ``user_config`` is where preferences are written, with
        ``themes`` beside it.
        """
        first = replayed.mode if replayed is not None else _mode_of(session) if session else ""
        if first:  # its frame is the first thing that is painted
            self.DEFAULT_MODE = first  # type: ignore[misc]  # Textual reads it from the instance
        super().__init__(settings or Settings(), user_config)
        let_alt_reach_digits()
        self.first_session = session
        self._first_log: SessionLog | None = None
        """The log of that session: held open, so that its screen does not read it again."""
        self.first_replayed = replayed
        self.last_session = ""
        """The session that was looked at last; "" for none."""
        self.crash: Exception | None = None
        """A defect that ended it."""
        self._egress = EgressFilter()
        self._pauses = ShortPauses()
        self._keys: deque[Key | Paste] = deque()  # the key that is under way, and those that came after it
        self._pressed_at = 0.0
        self._held: deque[Key | Paste] = deque()  # what was typed before the screen in front knew what it shows
        self._holds_until = 0.0
        self._waited_for: Screen[Any] | None = None  # what did not come in that time
        self._open_workspace = open_workspace
        self._is_opening = False  # whether the workspace is open, or being opened
        self._came_from: dict[str, str] = {}
        """Mode of a replay, or of a session that is only looked at → the mode in which it was asked for."""
        self.stylesheet = LastingStylesheet(variables=self.get_css_variables())
        self._stopped = Stop()
        if session:
            self._add_session(session)
        if replayed is not None:
            self._add_replay(replayed)

    def on_mount(self) -> None:
        """Open the workspace after the first paint."""
        self.call_after_refresh(self._begin)

    def on_unmount(self) -> None:
        """Follow nothing any more, and leave the interpreter as it was."""
        self._stopped.set()
        if self.sharing is not None:
            self.sharing.end()
        self._pauses.end()

    def _begin(self) -> None:
        self._pauses.begin()
        if self._opens_at_once:
            self._open_once()
        if self.settings.keys:
            self.tell_conflicts()

    @property
    def _opens_at_once(self) -> bool:
        """Whether the workspace is opened after the first paint; a file can be replayed without one."""
        return self.first_replayed is None or self.first_replayed.in_workspace

    def open_where_asked(self) -> None:
        """Open the workspace now, if that does not come by itself after the first paint."""
        if not self._opens_at_once:
            self._open_once()

    def _open_once(self) -> None:
        if not self._is_opening:
            self._is_opening = True
            self.run_worker(self._open(), group="open-workspace")

    async def _open(self) -> None:
        from workbench.bootstrap.plan_files import PlanFiles
        from workbench.tui.sharing.live import following_shared

        try:
            self.workspace = await asyncio.to_thread(self._open_workspace)
            if self.first_session:
                first = await asyncio.to_thread(self.workspace.session, self.first_session)
                self._first_log = await asyncio.to_thread(first.log)
                self.last_session = self.first_session
        except WorkbenchError as error:
            self.fail(error)
            return
        self.sharing = following_shared(self.workspace, self.post_message)
        PlanFiles(self.workspace).keep_up(self._stopped, lambda said: self.call_later(self.tell, said))
        self._is_open.set()
        self.screen.post_message(WorkspaceOpened())

    def on_shared_changed(self, message: SharedChanged) -> None:
        """Tell the screen in front; any other looks for itself when it comes there."""
        with suppress(ScreenStackError):  # between two screens, or after the last
            self.screen.post_message(message)

    def tell_conflicts(self) -> None:
        """Say which keys of the person's own cannot hold."""
        from workbench.tui.keymap import problems

        for problem in problems(self.settings.keys):
            self.notify(problem, title="Keys")

    # --- sessions -----------------------------------------------------------------------------------------------------

    def open_session(self, session: str, *, goes_on: bool = False, at: str = "", sought: str = "") -> None:
        """Go to a session's own stack of screens, which is made when it is first needed.

        ``goes_on``: the person has just begun it. Another one waits until they say so. ``at``: key of the row that the
        cursor goes to, or ``item:`` with an item's id; "" leaves it in place. ``sought``: words of a search.
        """
        self.last_session = session
        if _mode_of(session) not in self.opened:
            self._add_session(session, goes_on=goes_on)
        self._go(_mode_of(session))
        if at:
            self._land(at, sought)

    def _land(self, at: str, sought: str) -> None:
        from workbench.tui.session.view import SessionView

        for screen in self.screen_stack[:1]:  # what it asks stays above
            if isinstance(screen, SessionView):
                screen.land(at, sought)

    def _add_session(self, session: str, *, goes_on: bool = False) -> None:
        self.opened[_mode_of(session)] = session
        self.add_mode(_mode_of(session), partial(_session_screen, session, goes_on=goes_on))

    def look_at(self, session: str) -> None:
        """Look at a session without driving it: the one that something retrieved came from."""
        from workbench.tui.session.view import SessionView

        self._go_to_view(f"look-{session}", partial(SessionView, session, badge="READ-ONLY"))

    def open_sample(self, name: str = "") -> None:
        """Look at a session that comes with the workbench, the first one unless another is named."""
        from workbench.tui.replay.screen import SampleScreen, sample_files

        samples = sample_files()
        file = next((sample for sample in samples if sample.stem == name), samples[0] if samples else None)
        if file is None:
            self.notify("There are no sample sessions beside this installation.")
            return
        self._go_to_view(f"sample-{file.stem}", lambda: SampleScreen(file))

    def fork(self, name: str, events: ReadEvents, at: int) -> None:
        """Ask where to fork a session that is at event ``at``; the fork opens when it is made."""
        from workbench.tui.form import FormDialog
        from workbench.tui.replay.forms import fork_form

        def workspace() -> Workspace:
            opening: Any = self.opened_workspace  # it is awaited in the loop
            return cast("Workspace", self.call_from_thread(opening))

        form = fork_form(name, events, at, workspace, partial(self.call_from_thread, self.tell))
        self.push_screen(FormDialog(form), lambda fork: self.open_session(fork, goes_on=True) if fork else None)

    def replay(self, session: str) -> None:
        """Walk through a session of the workspace as it happened so far."""
        workspace = self.workspace
        if workspace is not None:
            from workbench.tui.replay.replaying import Replayed, loading
            from workbench.tui.session.records.looking_back import events_of

            load = loading(events_of(workspace, session), lambda: workspace.session(session).salvage())
            replayed = Replayed(session, load)
            self._go_to_view(replayed.mode, partial(_replay_screen, replayed))

    def _add_replay(self, replayed: Replayed) -> None:
        self.opened[replayed.mode] = ""
        self.add_mode(replayed.mode, partial(_replay_screen, replayed))

    def _go_to_view(self, mode: str, screen: Callable[[], Screen[None]]) -> None:
        if mode not in self.opened:
            self.opened[mode] = ""
            self.add_mode(mode, screen)
        if mode != self.current_mode:
            self._came_from[mode] = self.current_mode
        self._go(mode)

    def leave_view(self) -> None:
        """Go back to where the replay, or the read-only session, in front was asked for; else say how to leave."""
        mode = self.current_mode
        before = self._came_from.get(mode)
        if before is None:
            self._say_how_to_leave()
        else:
            self.run_worker(self._close(mode, before if before in (*self.opened, "start") else "start"), group="close")

    def compare(self, a: Side, b: Side) -> None:
        """Show what differs between two points, above the screen in front."""
        from workbench.tui.replay.compare import CompareScreen

        self.push_screen(CompareScreen(a, b))

    def _go(self, mode: str) -> None:
        if mode != self.current_mode:
            self.clear_notifications()  # nobody would know of which session they are
            if isinstance(self.screen, WorkbenchScreen):
                self.screen.note_place()
        self.switch_mode(mode)
        self._fit(self.size)

    async def close_session(self, session: str) -> None:
        """Take a session's screens away: it was deleted."""
        mode = _mode_of(session)
        if self.last_session == session:
            self.last_session = ""
        if mode in self.opened:
            await self._close(mode, "start")

    async def _close(self, mode: str, before: str) -> None:
        """Take a mode's screens away; if they are in front, go to another mode."""
        if self.current_mode == mode:
            await self.switch_mode(before)
            self._fit(self.size)
        self._came_from.pop(mode, None)
        del self.opened[mode]
        await self.remove_mode(mode)

    # --- the terminal -------------------------------------------------------------------------------------------------

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Lend the terminal to another program, and take it back however that ends; Textual does not after an error."""
        failed: BaseException | None = None
        with super().suspend():
            self.is_lent = True
            try:
                yield
            except BaseException as error:  # noqa: BLE001 - raised below, once the terminal is taken back
                failed = error
            self.is_lent = False
        if failed is not None:
            raise failed

    def get_driver_class(self) -> type[Driver]:
        """Return the driver: in a terminal of POSIX systems one that no byte of its input ends."""
        driver = super().get_driver_class()
        if driver.__name__ == "WebDriver":
            from workbench.tui.terminal.browser_input import BrowserInput

            return BrowserInput
        if driver.__name__ != "LinuxDriver":
            return driver
        from workbench.tui.terminal.terminal_driver import TerminalInput

        return TerminalInput

    async def on_event(self, event: Event) -> None:
        """Clean what is pasted, wherever it goes, and take keys in their order.

        What a key does may move the focus, behind messages of several widgets; the next key, which came in the same
        packet perhaps, is for what has the focus then (Textualize/textual#6605).
        """
        if isinstance(event, Paste) and not event.is_forwarded:
            event.text = clean(event.text)
        if not isinstance(event, Key | Paste) or event.is_forwarded:
            await super().on_event(event)
        elif self._holds(event):
            self._held.append(event)
            if len(self._held) == 1:
                self._holds_until = monotonic() + _LONGEST_WAIT
                self.set_timer(_LOOK_EVERY, self._let_go)
        else:
            await self._take_key(event)

    def _holds(self, event: Key | Paste) -> bool:
        """Tell whether something that is typed waits: nobody knows yet where it belongs, a list or an input."""
        if isinstance(event, Key) and not event.is_printable and event.key not in _TYPED:
            return False
        return bool(self._held) or self._is_coming

    @property
    def _is_coming(self) -> bool:
        screen = self.screen
        return isinstance(screen, WorkbenchScreen) and screen.is_coming and screen is not self._waited_for

    async def _let_go(self) -> None:
        """Take what was typed, in its order, once it is known what the screen shows."""
        if self._is_coming and monotonic() < self._holds_until:
            self.set_timer(_LOOK_EVERY, self._let_go)
            return
        self._waited_for = self.screen
        held, self._held = self._held, deque()
        for event in held:
            await self._take_key(event)

    async def _take_key(self, event: Key | Paste) -> None:
        is_late = bool(self._keys) and monotonic() - self._pressed_at > _LONGEST_KEY
        if is_late:  # what it does takes long: no other key waits for it any more
            self._keys.popleft()
        self._keys.append(event)
        if is_late or len(self._keys) == 1:
            await self._press()

    async def _press(self) -> None:
        self._pressed_at, key = monotonic(), self._keys[0]
        await super().on_event(key)
        focused = self.focused or self.screen
        await self._go_behind(key, focused.ancestors_with_self * 2)  # what it was bound to, then what that posted

    async def _go_behind(self, key: Key | Paste, nodes: Sequence[MessagePump]) -> None:
        """Take the next key behind everything that these have to do now, one after the other."""
        for place, node in enumerate(nodes, 1):
            if node.call_later(self._go_behind, key, nodes[place:]):
                return
        if self._keys and self._keys[0] is key:
            self._keys.popleft()
            if self._keys:
                await self._press()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what every line of every widget goes through on its way to the terminal."""
        return [*super().get_line_filters(), self._egress]

    # --- keys ---------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key acts now: over a dialog only leaving does, and help where the dialog has keys."""
        if isinstance(self.screen, Dialog):
            if action in {"sessions", "new", "command_palette", "settings", "go_back"}:
                return False
            if action == "help":
                return self.screen.has_help
        return super().check_action(action, parameters)

    def on_command_palette_opened(self) -> None:
        """Let the palette's cursor stand still, as every other: only what runs moves."""
        for field in self.screen.query(Input):
            field.cursor_blink = False

    def action_new(self) -> None:
        """Begin a new session."""
        if not isinstance(self.screen, CommandPalette):
            self._go("start")
            self.call_later(self._write_a_goal)

    def action_go_back(self) -> None:
        """Go back to where the person was before this; of what is closed by now, to the place before that."""
        from workbench.tui.session.view import SessionView

        while self.been:
            mode, view, key = self.been.pop()
            if mode in self.opened:
                before = len(self.been)
                self._go(mode)
                while len(self.been) > before:  # to come back is no new place
                    self.been.pop()
                if isinstance(self.screen, SessionView):
                    self.screen.return_to(view, key)
                return

    def action_home(self) -> None:
        """Go to the list of plans."""
        self._go("start")

    def _write_a_goal(self) -> None:
        from workbench.tui.home.start import StartScreen

        if isinstance(self.screen, StartScreen):
            self.screen.write()

    def action_sessions(self) -> None:
        """Find a session."""
        from workbench.tui.home.sessions import SessionsScreen

        self.push_dialog(SessionsScreen())

    async def action_ask_to_trust(self) -> None:
        """Show what the folder's settings ask for, and ask whether to accept it."""
        request = (await self.opened_workspace()).settings.request
        if request:
            self.ask_to_accept(request, partial(self.tell, "Accepted for this workspace."), self.tell_error)
        else:
            self.tell("This folder's settings ask for nothing that you have not accepted.")

    def ask_to_accept(
        self,
        request: TrustRequest,
        then: Callable[[], object],
        failed: Callable[[WorkbenchError], object],
        otherwise: Callable[[], object] = lambda: None,
    ) -> None:
        """Ask whether to accept something: ``then`` is done once it is, and ``otherwise`` if it is not."""

        async def accept() -> None:
            workspace = await self.opened_workspace()
            try:
                await asyncio.to_thread(workspace.accept, request)
            except WorkbenchError as error:
                failed(error)
            else:
                then()

        question = "Accept exactly this for this workspace?"
        about = "This came with the folder or the session, perhaps from somebody else. Nothing has been sent."

        def begin() -> object:
            return self.run_worker(accept(), group="accept", exclusive=True)

        confirm(self, question, about, "accept", begin, values=request.rows, otherwise=otherwise)

    async def action_show_trust(self) -> None:
        """Show what was accepted for this workspace, and let it be taken back."""
        from workbench.tui.settings.forms import trust_form

        await self._ask(trust_form)

    async def action_show_programs(self) -> None:
        """Show what other programs may do in this workspace, and let it be changed."""
        from workbench.tui.settings.forms import programs_form

        await self._ask(programs_form)

    async def _ask(self, form: Callable[[Workspace], Form]) -> None:
        from workbench.tui.form import FormDialog

        workspace = await self.opened_workspace()
        self.push_dialog(FormDialog(await asyncio.to_thread(form, workspace)), self.tell)

    async def action_export(self, form: Format) -> None:
        """Write the session in front here, as a web page or as Markdown, and say where."""
        from workbench.tui.home.files import export

        workspace, session = await self.opened_workspace(), self.opened[self.current_mode]
        try:
            file = await asyncio.to_thread(lambda: export(workspace.session(session), Path.cwd(), form))
        except WorkbenchError as error:
            self.tell_error(error)
        else:
            self.tell(f"Written to {file}.")

    async def action_show_models(self) -> None:
        """Choose a model, and set what holds for it."""
        from workbench.tui.settings.models import ModelsDialog

        self.push_dialog(ModelsDialog())

    async def action_show_learning(self) -> None:
        """Show what saved sessions teach."""
        from workbench.tui.home.learning import LearningDialog

        self.push_dialog(LearningDialog())

    async def action_show_messages(self) -> None:
        """Show what was told so far."""
        from workbench.tui.help import message_rows

        self.push_dialog(PickDialog("Messages", partial(message_rows, tuple(self.messages))))

    def action_settings(self) -> None:
        """Change theme, marks, motion and limits."""
        from workbench.tui.settings.screen import SettingsScreen

        self.push_dialog(SettingsScreen())

    def action_help(self) -> None:
        """Show the keys of what has the focus."""
        from workbench.tui.help import HelpScreen
        from workbench.tui.keymap import help_groups

        self.push_dialog(HelpScreen(help_groups(self.screen)))

    def action_help_quit(self) -> None:
        """Interrupt the step that runs; if none does, say how to leave: Ctrl+C is not how, it meant a step."""
        screen = self.screen
        if not (isinstance(screen, WorkbenchScreen) and screen.interrupt()):
            self._say_how_to_leave()

    def _say_how_to_leave(self) -> None:
        from workbench.tui.keymap import key_of

        self.notify(f"{key_of(self, 'app.quit')} leaves; everything is kept.")

    def action_leave(self) -> None:
        """Leave; everything is kept."""
        self.exit(self.last_session)

    def hang_up(self) -> None:
        """Leave, as the terminal is gone: for a signal handler. Raises KeyboardInterrupt if nothing runs yet."""
        if self._loop is None:
            raise KeyboardInterrupt
        self._loop.call_soon_threadsafe(self.action_leave)

    # --- size and failures --------------------------------------------------------------------------------------------

    def on_resize(self, event: Resize) -> None:
        """Say so if there is no room, instead of a broken layout."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        from workbench.tui.dialog import SizeNotice

        is_small = size.width < SMALLEST.width or size.height < SMALLEST.height
        if is_small and not isinstance(self.screen, SizeNotice):
            self.push_screen(SizeNotice(SMALLEST))

    def _handle_exception(self, error: Exception) -> None:
        """Keep a defect for the report that is written once the terminal is restored."""
        if is_of_a_going_screen(error):
            return
        if self.crash is None:
            self.crash = (
                error.error if isinstance(error, WorkerFailed) and isinstance(error.error, Exception) else error
            )
        super()._handle_exception(error)

    def panic(self, *_renderables: object) -> None:
        """End without what Textual would print: an exception's own rendering may hold anything."""
        self._close_messages_no_wait()

    def _fatal_error(self) -> None:
        """End without Textual's own traceback: it shows the values of variables, which hold a person's texts."""
        self._close_messages_no_wait()


def _mode_of(session: str) -> str:
    return f"session-{session}"
