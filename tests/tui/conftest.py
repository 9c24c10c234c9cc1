"""The application over a real workspace in a folder of its own, with a steady clock and ids that repeat."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import cache
from inspect import CO_VARARGS, CO_VARKEYWORDS
from pathlib import Path
from typing import Any

import pytest
from tests.pictures import plain
from tests.steady_clock import SteadyClock
from tests.tui.acting import SHOWN, WIDE, Look, RunApp, Way, standing_still, until
from tests.tui.replays import Hand
from textual import _callback
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.settings import Settings
from workbench.tui.app import WorkbenchApp
from workbench.tui.base import WorkbenchScreen
from workbench.tui.home.start import StartScreen
from workbench.tui.replay.screen import ReplayScreen
from workbench.tui.session.view import SessionView
from workbench.tui.settings.themes import read_theme


@pytest.fixture(autouse=True)
def same_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give sessions the same ids in every run."""
    endings = iter(f"{number:04d}" for number in range(1, 10_000))
    monkeypatch.setattr("workbench.planning.session_log.random_ending", lambda: next(endings))


@pytest.fixture(autouse=True)
def same_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every screen be looked at on the same day in every run."""
    monkeypatch.setattr(WorkbenchScreen, "now", lambda _screen: datetime(2026, 11, 16, 12, 0, tzinfo=UTC))


@pytest.fixture(autouse=True)
def read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a yes count as soon as its question stands."""
    monkeypatch.setattr("workbench.tui.dialog.READ_WITHIN", 1e-6)


@pytest.fixture(autouse=True)
def drawn_when_looked_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, full_counts: bool) -> None:
    """Draw what stands on the screen where a test looks at it, and not also whenever something changed.

    With the full counts, and for tests marked with ``draws``, every frame is drawn. A picture is a frame of its own.
    """
    if full_counts or request.node.get_closest_marker("draws"):
        return
    draw, is_picture = Compositor.render_update, "look" in request.fixturenames

    def update(self: Compositor, full: bool = False, screen_stack: Any = None, simplify: bool = False) -> Any:
        if full or (screen_stack and is_picture):  # what is below a dialog is drawn into it, and kept
            return draw(self, full, screen_stack, simplify)
        visible_screen_stack.set(screen_stack or [])
        self._dirty_regions.clear()
        return None

    monkeypatch.setattr(Compositor, "render_update", update)


@pytest.fixture(autouse=True, scope="session")
def found_out_once() -> Iterator[None]:
    """Keep for the next application what comes out the same: parsed styles and themes, what functions take."""
    parsed: dict[object, Any] = {}
    parse, counted = Stylesheet._parse_rules, _callback._count_parameters

    def parse_rules(self: Stylesheet, *arguments: Any, **options: Any) -> Any:
        given = (arguments, tuple(options.items()), tuple(self._variables.items()))
        if given not in parsed:
            parsed[given] = parse(self, *arguments, **options)
        return parsed[given]

    def count(function: Callable[..., Any]) -> int:
        code = getattr(function, "__code__", None)
        if code is None or hasattr(function, "__wrapped__"):
            return counted(function)
        more = (code.co_flags & CO_VARARGS, code.co_flags & CO_VARKEYWORDS)
        return int(code.co_argcount + code.co_kwonlyargcount + sum(map(bool, more)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parse_rules)
        patch.setattr(RuleSet, "__hash__", object.__hash__)  # what its own returns, without Python in between
        patch.setattr("textual._callback._count_parameters", count)
        patch.setattr("workbench.tui.settings.themes.read_theme", cache(read_theme))
        yield


@pytest.fixture(autouse=True, scope="session")
def keys_follow_quickly() -> Iterator[None]:
    """Let the next key follow once the application is quiet for 5 ms, or for 20 ms while a thread works for it.

    Textual's own wait takes 20 ms twice for each key: half of the time of these tests.
    """
    works, to_thread = [0], asyncio.to_thread

    async def counted(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        works[0] += 1
        try:
            return await to_thread(function, *arguments, **options)
        finally:
            works[0] -= 1

    async def wait_until_quiet(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
        begun, quiet = time.monotonic(), 0
        while quiet < (4 if works[0] else 1) or time.monotonic() - begun < min_sleep:
            before = time.process_time()
            await asyncio.sleep(0.005)
            for _ in range(8):  # a busy machine may have let it sleep while messages were on their way
                await asyncio.sleep(0)
            quiet = quiet + 1 if time.process_time() - before < 0.000_4 else 0
            if time.monotonic() - begun >= max_sleep:
                break

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "to_thread", counted)
        patch.setattr("textual.app.wait_for_idle", wait_until_quiet)
        patch.setattr("textual.pilot.wait_for_idle", wait_until_quiet)
        yield


@pytest.fixture(scope="session")
def new_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace without sessions, to copy: its id is in every event, and so the same in all tests."""
    return Workspace.open(tmp_path_factory.mktemp("new"), environ={}).folder.root


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """A folder whose name is the same in every picture: pytest numbers folders of tests that are named alike."""
    folder = tmp_path / "garden"
    folder.mkdir()
    return folder


@pytest.fixture
def workspace(new_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A new workspace in an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(new_workspace, tmp_path / new_workspace.name)
    return Workspace.open(tmp_path, environ={}, clock=SteadyClock())


@pytest.fixture(autouse=True)
def no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server of models is looked for on the machine that runs the tests."""
    monkeypatch.setattr("workbench.models.servers.discovery.USUAL_SERVERS", ())


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    """The clock of every replay that is opened from now on: it is moved by hand."""
    clock = Hand()
    monkeypatch.setattr(ReplayScreen, "clock", lambda _self: clock())
    return clock


@pytest.fixture
def run_app(workspace: Workspace, tmp_path: Path) -> RunApp:
    """``async with run_app(size=(120, 36)) as pilot``: the application over ``workspace``, once it is open.

    ``opens`` tells whether it opens the workspace by itself.
    """

    @asynccontextmanager
    async def running(
        *, size: tuple[int, int] = WIDE, settings: Settings | None = None, opens: bool = True, **options: Any
    ) -> AsyncIterator[Pilot[str]]:
        app = WorkbenchApp(
            lambda: workspace, settings=settings, user_config=tmp_path / "user" / "config.toml", **options
        )
        SHOWN.add(workspace)
        async with app.run_test(size=size, notifications=True) as pilot:
            await until(pilot, lambda: app.workspace is not None or not opens)
            yield pilot

    return running


@pytest.fixture
def look(
    snap_compare: Callable[..., bool], workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Look:
    """``look((80, 24), way)``: go there by keys, and compare what is seen with the picture that was approved."""

    def compared(
        size: tuple[int, int], way: Way | None = None, *, settings: Settings | None = None, session: str = ""
    ) -> bool:
        app = WorkbenchApp(
            lambda: workspace, session=session, settings=settings, user_config=tmp_path / "user" / "config.toml"
        )

        drawn = app.export_screenshot
        monkeypatch.setattr(app, "export_screenshot", lambda **options: plain(drawn(**options)))

        async def go(pilot: Pilot[Any]) -> None:
            await until(pilot, lambda: app.workspace is not None)
            known = {one.session for one in workspace.sessions() if not one.error}
            await until(pilot, lambda: not isinstance(app.screen, StartScreen) or known <= app.screen._glances.keys())
            if way is not None:
                await way(pilot)
            await until(pilot, lambda: not isinstance(app.screen, SessionView) or app.screen.unforecast is None)
            await standing_still(pilot)

        is_as_approved = snap_compare(app, terminal_size=size, run_before=go)
        for one in workspace.sessions():
            if not one.error:
                found = workspace.session(one.session).audit()
                assert found.ok, found.violations
        return is_as_approved

    return compared
