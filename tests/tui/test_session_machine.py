"""Whatever a person does to several sessions at once: nothing breaks, mixes, decides by itself or gets lost.

Keys, pastes, clicks and resizes come at random, models answer, wait and fail, others write to the same sessions and
delete them; ``Watcher`` judges after every step. ``--full-counts`` takes 200 walks of 40 steps, drawn anew each time.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.steady_clock import SteadyClock
from tests.tui.acting import until
from tests.tui.menagerie import HOSTILE, MARKS, TROUBLES, Menagerie, marks_in
from tests.tui.reading import read_at_once
from tests.tui.session_fixtures import use
from tests.tui.stage import Stage
from tests.tui.watching import Deed, View, Watcher, judge_texts, look, session_screens
from textual.events import Paste
from textual.pilot import Pilot
from textual.worker import WorkerState
from workbench.bootstrap import Workspace
from workbench.domain.errors import WorkbenchError
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.session.session import SessionState
from workbench.planning.policies import approve_all
from workbench.planning.ports import Decision
from workbench.tui.app import WorkbenchApp
from workbench.tui.home.start import StartScreen
from workbench.tui.keymap import all_keys
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.gate_pane import MOMENT, GatePane

GATE_LETTERS = "cfnbeFqasr123"
EDITING = [
    "home", "end", "pageup", "pagedown", "backspace", "delete", "ctrl+a", "ctrl+e", "ctrl+u", "ctrl+k", "ctrl+w",
    "ctrl+x", "ctrl+j", "shift+left",
]  # fmt: skip
MOVING = ["enter", "escape", "tab", "shift+tab", "up", "down", "left", "right", "space", "ctrl+c"]
BOUND = sorted({key for one in all_keys() for key in one.keys} - {"ctrl+q"})
FUNCTION = [f"f{number}" for number in range(1, 13)]
LETTERS = list("abcdefghijklmnopqrstuvwxyzFRSQ0123456789?/[].ä")
KEYS = st.one_of(*(st.sampled_from(keys) for keys in (list(GATE_LETTERS), MOVING, BOUND, EDITING, FUNCTION, LETTERS)))
"""Every key but ^V: it would carry a text from one session into another, as it should."""
PASTES = (
    "c\n", "F", "1", "s\ns\ns\n", "\n", "\r\n1\r", " ", "by n 1", "{} keeps\nthe budget\n\n", "{} first", HOSTILE,
    "{} " + "much more " * 60, "\x19c\x11", "{} ü 漢字 🦓‍🦓",
)  # fmt: skip
SIZES = st.one_of(
    st.sampled_from([(1, 1), (59, 17), (60, 18), (80, 24), (100, 24), (120, 36), (300, 100)]),
    st.tuples(st.integers(1, 300), st.integers(1, 100)),
)
SESSIONS = st.integers(0, 4)
AT_LEAST, AT_MOST = 3, 8
"""Sessions of a workspace."""


class Walk(RuleBasedStateMachine):
    """A person, a few sessions, and everybody else."""

    reached: set[str] = set()  # noqa: RUF012 - of all walks, for the counts at their end

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.before = Path.cwd()
        os.chdir(self.folder)  # sessions are exported into the current folder
        self.model = Menagerie()
        self.workspace = self._opened()
        self.elsewhere = self._opened()
        self.watcher = Watcher(self.workspace)
        self.marks: dict[str, str] = {}
        self.unused = list(reversed(MARKS))
        self.drivers = ExitStack()

    def _opened(self) -> Workspace:
        workspace = Workspace.open(self.folder, environ={}, clock=SteadyClock())
        workspace.log = workspace.folder.log(durable=False)
        use(workspace, self.model)
        return workspace

    @initialize(ahead=st.lists(st.integers(0, 3), min_size=AT_LEAST, max_size=AT_LEAST))
    def begin(self, ahead: list[int]) -> None:
        """Begin with sessions that stand at different places."""
        for gates in ahead:
            self._new_session(gates)
        self.stage = self._staged(min(self.marks))

    def _staged(self, session: str) -> Stage:
        app = WorkbenchApp(lambda: self.workspace, session=session, user_config=self.folder / "user" / "config.toml")
        stage = Stage(app, size=(120, 36))
        stage.take(lambda pilot: until(pilot, lambda: not session or isinstance(app.screen, SessionScreen)))
        return stage

    def _new_session(self, gates: int) -> None:
        """Let somebody else begin a session, and answer as many gates of it."""
        mark = self.unused.pop()
        manager = self.elsewhere.start(f"{mark} moves house\nby {mark} 2028", name=f"{mark} house")
        self.marks[manager.session_id] = mark
        left = [gates]

        async def decide(_state: SessionState, gate: Gate) -> Decision | None:
            left[0] -= 1
            answer = approve_all(gate)
            if left[0] < 0 or answer is None:
                return None
            self.watcher.outside.add((manager.session_id, gate.id))
            return Decision(answer, "person")

        asyncio.run(manager.run(decide))

    # --- what a person does -------------------------------------------------------------------------------------------

    def do(self, deed: Deed, step: Callable[[Pilot[Any]], Any]) -> None:
        """Let the person do one thing, and judge what came of it."""

        async def done(pilot: Pilot[Any]) -> tuple[View, View]:
            at = deed.at if deed.doing == "click" else None
            before = look(self.stage.app, at)
            await step(pilot)
            await pilot.pause()
            return before, look(self.stage.app, at)

        before, after = self.stage.take(done)
        self._name_new_sessions()
        self.watcher.judge(self.stage.app, deed, before, after)
        self._note_reached()
        if self.stage.has_ended:
            self._restart()

    def _restart(self) -> None:
        self.stage.close()
        self.watcher.judge_logs()
        self.watcher.restarted()
        left = [session for session in self.workspace.log.streams() if session in self.marks]
        self.stage = self._staged(left[0] if left else "")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, each once the one before has done what it does."""

        async def pressed(pilot: Pilot[Any], key: str) -> None:
            await pilot.press(key)
            while self.stage.app._keys:
                await pilot.pause()

        for key in keys:
            self.do(Deed("key", key=key), partial(pressed, key=key))

    def paste(self, text: str) -> None:
        """Paste a text where the focus is."""

        async def pasted(pilot: Pilot[Any]) -> None:
            pilot.app.post_message(Paste(text))
            await pilot.pause()

        self.do(Deed("paste", text=text), pasted)

    def click(self, at: tuple[int, int]) -> None:
        """Click on a cell."""
        self.do(Deed("click", at=at), lambda pilot: pilot.click(offset=at))

    @property
    def here(self) -> str:
        """The mark of what a person writes into now; "" where there is none."""
        screen = self.stage.app.screen
        if isinstance(screen, SessionScreen):
            return self.marks.get(screen.session, "")
        return self.unused[-1] if isinstance(screen, StartScreen) else ""

    @property
    def size(self) -> tuple[int, int]:
        return self.stage.app.size

    @rule(key=KEYS)
    def press_a_key(self, key: str) -> None:
        self.press(key)

    @rule(word=st.sampled_from(["by n 1", "c1F", "rest", "why"]), sends=st.booleans())
    def type_a_word(self, word: str, sends: bool) -> None:
        self.press("escape", *word, *(["enter"] if sends else []))

    @rule(text=st.sampled_from(PASTES))
    def paste_a_text(self, text: str) -> None:
        self.paste(text.format(self.here) if "{}" in text else text)

    @rule(text=st.sampled_from(["continue", "F1", "11", "s\ns\n", "quit"]))
    def paste_at_the_gate_as_keys(self, text: str) -> None:
        """Paste with a terminal that does not mark it, where a gate has the focus."""
        self.press("ctrl+y")

        async def pasted(pilot: Pilot[Any]) -> None:
            if isinstance(pilot.app.focused, GatePane):
                read_at_once(pilot, text)
                await pilot.pause(2 * MOMENT)

        self.do(Deed(), pasted)

    @rule(x=st.floats(0, 0.999), y=st.floats(0, 0.999))
    def click_anywhere(self, x: float, y: float) -> None:
        self.click((int(self.size[0] * x), int(self.size[1] * y)))

    @rule(
        widget=st.sampled_from(["#gate", "#right", "#plan", "#draft", "#history", "#hints"]),
        x=st.integers(0, 60),
        y=st.integers(0, 12),
        times=st.integers(1, 2),
    )
    def click_on(self, widget: str, x: int, y: int, times: int) -> None:
        found = self.stage.app.screen.query(widget)
        region = found.first().region if found else None
        if region and region.area:
            for _ in range(times):
                self.click((region.x + x % region.width, region.y + y % region.height))

    @rule(letter=st.sampled_from(GATE_LETTERS), again=st.booleans())
    def decide(self, letter: str, again: bool) -> None:
        """Go to the gate, and decide."""
        self.press("ctrl+y", letter, *([letter] if again else []))
        self.do(Deed(), lambda pilot: pilot.pause(2 * MOMENT))

    @rule(text=st.sampled_from(["{} why not", "1"]))
    def reply(self, text: str) -> None:
        """Go to the gate, and write to it."""
        self.press("ctrl+y", "f", "escape")
        self.paste(text.format(self.here))
        self.press("ctrl+y", "escape", "enter")

    @rule(lets_it_work=st.booleans())
    def go_on_and_interrupt(self, lets_it_work: bool) -> None:
        """Answer whatever asks, and interrupt what comes of it while the model waits."""
        self.model.shut.update([self.here] * (not lets_it_work))
        self.press("ctrl+y", "1")
        self.do(Deed(), lambda pilot: pilot.pause(2 * MOMENT))
        self.press("ctrl+r", "escape", "escape")

    @rule(rows=st.integers(0, 9), keeps=st.booleans(), again=st.booleans())
    def write_a_note(self, rows: int, keeps: bool, again: bool) -> None:
        self.press("ctrl+l", *["down"] * rows, "m", *"hm", *(["enter"] if keeps else []))
        if again:
            self.press("ctrl+l", "down", "m")

    @rule(number=SESSIONS, times=st.integers(1, 3))
    def talk_to_an_agent(self, number: int, times: int) -> None:
        """Let somebody add an agent, choose whom to talk to, and write."""
        if session := self._session(number):
            with suppress(WorkbenchError):
                agent = new_agent(f"{self.marks[session]}-{times}", "You are.")
                self.elsewhere.session(session).add_agent(agent)
        self.press("escape", *["shift+tab"] * times)
        self.paste(f"{self.here} how are you")
        self.press("enter")

    @rule(keys=st.lists(st.sampled_from(["left", "right", "enter", "down", "pagedown", "end", "x", "P"]), max_size=6))
    def look_at_what_was_sent(self, keys: list[str]) -> None:
        self.press("ctrl+l", "4", *keys)

    @rule(size=SIZES)
    def resize(self, size: tuple[int, int]) -> None:
        self.do(Deed(), lambda pilot: pilot.resize_terminal(*size))

    @rule()
    def resize_to_usual(self) -> None:
        self.do(Deed(), lambda pilot: pilot.resize_terminal(120, 36))

    @rule(number=SESSIONS)
    def find_a_session(self, number: int) -> None:
        if session := self._session(number):
            self.press("ctrl+s", *self.marks[session].lower(), "enter")

    @rule(number=SESSIONS)
    def go_to_a_session(self, number: int) -> None:
        session = self._session(number)

        async def go(pilot: Pilot[Any]) -> None:
            pilot.app.open_session(session)  # type: ignore[attr-defined]
            await pilot.pause()

        if session and isinstance(self.stage.app.screen, SessionScreen | StartScreen):
            self.do(Deed(), go)

    @rule()
    def begin_a_session(self) -> None:
        if self.unused and len(self.marks) < AT_MOST:
            self.press("ctrl+n")
            self.paste(f"{self.here} begins\n{self.here} anew")
            self.press("enter")

    @rule()
    def leave_and_come_back(self) -> None:
        self.press("ctrl+q")

    @rule(seconds=st.sampled_from([0.0, 0.05, 0.2]))
    def wait(self, seconds: float) -> None:
        self.do(Deed(), lambda pilot: pilot.pause(seconds))

    # --- what models and others do ------------------------------------------------------------------------------------

    @rule(number=SESSIONS)
    def a_model_waits(self, number: int) -> None:
        if session := self._session(number):
            self.model.shut.add(self.marks[session])

    @rule()
    def models_answer(self) -> None:
        self.model.shut.clear()

    @rule(number=SESSIONS, trouble=st.sampled_from(TROUBLES), times=st.integers(1, 3))
    def a_model_fails(self, number: int, trouble: str, times: int) -> None:
        if session := self._session(number):
            self.model.next[self.marks[session]].extend([trouble] * times)

    @rule(number=SESSIONS, deed=st.sampled_from(["rename", "rate", "answer", "drive", "rest", "delete", "restore"]))
    def somebody_else(self, number: int, deed: str) -> None:
        """Let another process do something to a session that may be open here."""
        session = self._session(number)
        if not session:
            return
        with suppress(WorkbenchError):
            match deed:
                case "rename":
                    self.elsewhere.session(session).rename(f"{self.marks[session]} renamed")
                case "rate":
                    self.elsewhere.session(session).rate(4, f"{self.marks[session]} well")
                case "answer":
                    self._answer_elsewhere(session)
                case "drive":
                    self.drivers.enter_context(self.elsewhere.log.drive(session))
                case "rest":
                    self.drivers.close()
                case "delete" if len(self.marks) > 1:
                    self.elsewhere.session(session).delete()
                case "restore":
                    self.elsewhere.restore(session)
        self.do(Deed(), lambda pilot: pilot.pause(0.02))

    def _answer_elsewhere(self, session: str) -> None:
        manager = self.elsewhere.session(session).resume()
        gate = manager.state.gate
        answer = None if gate is None else approve_all(gate)
        if gate is not None and answer is not None:
            self.watcher.outside.add((session, gate.id))
            asyncio.run(manager.answer(gate, answer))

    @rule(gates=st.integers(0, 2))
    def another_session_asks(self, gates: int) -> None:
        if len(self.marks) < AT_MOST:
            self._new_session(gates)

    # --- what holds ---------------------------------------------------------------------------------------------------

    def _session(self, number: int) -> str:
        sessions = sorted(self.marks)
        return sessions[number % len(sessions)] if sessions else ""

    def _name_new_sessions(self) -> None:
        """Note the marks of sessions that the person began."""
        for session in set(self.workspace.log.streams()) - self.marks.keys():
            with suppress(WorkbenchError):
                marks = marks_in(self.workspace.session(session).state().goal)
                self.marks[session] = min(marks, default="")
                if self.unused[-1] in marks:
                    self.unused.pop()

    def _note_reached(self) -> None:
        app = self.stage.app
        self.reached.add(type(app.screen).__name__)
        for screen in session_screens(app).values():
            gate, problem = screen.gate_pane.gate, screen.problem(screen.state) if screen.state else None
            self.reached |= {gate.kind if gate else "no gate", screen.drafting.purpose}
            self.reached |= {f"{screen.state.status if screen.state else 'unread'}"}
            self.reached |= {problem.happened.split(" ")[0]} if problem else set()
            self.reached |= {"acting"} if screen.drive.is_acting else set()
        if self.watcher.answered:
            self.reached.add("answered")

    @invariant()
    def nothing_broke(self) -> None:
        app = self.stage.app
        assert app.crash is None
        assert not self.stage.troubles
        failed = [worker for worker in app.workers if worker.state is WorkerState.ERROR]
        assert not failed
        assert "default" not in self.stage.groups

    @invariant()
    def nothing_is_mixed(self) -> None:
        assert not self.model.strays, self.model.strays[0]

        async def judge(_pilot: Pilot[Any]) -> None:
            judge_texts(self.stage.app, self.marks)

        self.stage.take(judge)

    def teardown(self) -> None:
        """End everything, whatever happened."""
        try:
            self.drivers.close()
            self.model.shut.clear()
            self.model.next.clear()
            if hasattr(self, "stage"):
                self.stage.close()
                self.watcher.judge_logs()
        finally:
            os.chdir(self.before)
            shutil.rmtree(self.folder)


@pytest.mark.full
@pytest.mark.draws
@pytest.mark.timeout(3600)
@pytest.mark.untraced  # many random steps over lines that other tests reach on purpose: tracing doubles their time
def test_whatever_a_person_does_nothing_breaks_mixes_decides_by_itself_or_gets_lost() -> None:
    run_state_machine_as_test(
        Walk,
        settings=settings(
            max_examples=200,
            stateful_step_count=40,
            database=None,
            deadline=None,
            phases=[Phase.generate],  # a walk takes seconds: what failed is told as it was, and not made smaller
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
    print(sorted(Walk.reached))
