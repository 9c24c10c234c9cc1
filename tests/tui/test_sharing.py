"""What the application knows of the shared context: the ring, what is counted, who is there, and what is done to it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sharing.managers import manager
from tests.tui.acting import USUAL, RunApp, sees, shown, until, wait_at_gate
from tests.tui.replays import two_rounds
from tests.tui.session_fixtures import begin, gate, screen_of
from tests.waiting import eventually
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import LogError, WorkbenchError
from workbench.domain.session.session import fold
from workbench.domain.shared.context import ContextEvent, Entry, SharedState
from workbench.domain.shared.merge import ABSENT, Loser
from workbench.domain.shared.words import change_words, conflict_words, course_words, value_words
from workbench.sharing.presence import SessionInfo
from workbench.tui.form import FormDialog
from workbench.tui.marks import Marks
from workbench.tui.session.screen import SessionScreen
from workbench.tui.sharing.live import MOST_SHOWN, SharedSeen, Sharing
from workbench.tui.sharing.shared_rows import NOTHING_SAID, VALUE, LiveRows, change_at, shared_table_rows
from workbench.tui.widgets.field import Field

INFRA = "infra-7k3p"


def changed(seq: int, **fields: Any) -> ContextEvent:
    given = {"event_type": "update", "key": "phase", "value": "test", "rule": "unchanged", "version": seq} | fields
    return ContextEvent(
        seq=seq, event_id=f"s:{seq}", session_id=INFRA, timestamp="2026-11-22T08:00:00Z", context_hash="", **given
    )


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("build", "test", "build → test"),
        (ABSENT, "test", "test"),
        ("test", ABSENT, "test → –"),
        ("1", 1, '"1" → 1'),
        ("", None, '"" → null'),
        (["a"], ["a", "b"], "+b"),
        (["a", "b"], ["b"], "−a"),
        (["a", "a"], ["a"], "−a"),
        (["a", "b"], ["b", "a"], "another order"),
        (ABSENT, ["a"], "+a"),
        (ABSENT, [], "[]"),
        (list("abcde"), [], "−a, −b, −c and 2 more"),
        ({"phase": "build", "of": 1}, {"phase": "test", "owner": "Ada"}, "phase: build → test, −of, +owner: Ada"),
        ({"in": {"a": [1]}}, {"in": {"a": [1, 2]}}, "in: a: +2"),
        (["a"], {"a": 1}, '["a"] → {"a":1}'),
        ("same", "same", "same as it was"),
        ("x" * 99, "y", f"{'x' * 39}… → y"),
    ],
)
def test_what_changed(before: Any, after: Any, words: str) -> None:
    assert change_words(before, after) == words


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@given(JSON, JSON)
def test_words_are_on_one_line_and_short(before: Any, after: Any) -> None:
    for words in (change_words(before, after), value_words(after), course_words(before, after)):
        assert words
        assert "\n" not in words
        assert len(words) < 1_000


@pytest.mark.parametrize(
    ("rule", "losers", "words"),
    [
        ("unchanged", (), ""),
        ("list-union", (), "lists are joined, nothing lost"),
        ("last-write", (Loser(value="build"),), "test in the place of build"),
        ("edit-over-delete", (Loser(rule="edit-over-delete"),), "a change beats a deletion: test over a deletion"),
    ],
)
def test_what_won_and_what_lost(rule: str, losers: tuple[Loser, ...], words: str) -> None:
    assert conflict_words(changed(1, rule=rule, losers=losers)) == words


# --- the ring ---------------------------------------------------------------------------------------------------------


def followed(workspace: Workspace) -> tuple[Sharing, list[int]]:
    told: list[int] = []
    return Sharing(workspace, lambda: told.append(1)), told


@given(st.lists(st.integers(1, 150), max_size=8))
def test_everything_is_shown_or_counted(sizes: list[int]) -> None:
    sharing, seq = Sharing(None, lambda: None), 0  # type: ignore[arg-type]  # nothing is opened
    for size in sizes:
        sharing.take([changed(seq + number) for number in range(1, size + 1)], SharedState())
        seq += size
        seen = sharing.seen()
        assert len(seen.changes) + seen.not_shown == seq == sharing.newest
        assert [one.seq for one in seen.changes] == list(range(seq - len(seen.changes) + 1, seq + 1))
        assert len(seen.changes) == min(seq, MOST_SHOWN)


def test_another_history_is_told_from_its_start(workspace: Workspace) -> None:
    sharing, _ = followed(workspace)
    sharing.take([changed(1), changed(2), changed(3)], SharedState())
    sharing.take([changed(1)], SharedState())
    assert [one.seq for one in sharing.seen().changes] == [1]
    assert sharing.seen().not_shown == 0


class Faltering:
    """A manager's state and events, but for the next looks, each of which meets an error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, workspace: Workspace, *errors: WorkbenchError) -> None:
        self.errors = list(errors)
        self._manager = workspace.shared()
        self._state = self._manager.state
        monkeypatch.setattr(self._manager, "state", self.state)
        monkeypatch.setattr(workspace, "shared", lambda: self._manager)
        monkeypatch.setattr("workbench.tui.sharing.live._AGAIN_AFTER", 0.0)

    def state(self) -> SharedState:
        if self.errors:
            raise self.errors.pop(0)
        return self._state()


def whatever_is_told(sharing: Sharing, monkeypatch: pytest.MonkeyPatch) -> list[SharedSeen]:
    """Note what is seen whenever somebody is told."""
    seen: list[SharedSeen] = []
    monkeypatch.setattr(sharing, "_tell", lambda: seen.append(sharing.seen()))
    return seen


def test_following_begins_again_behind_an_error(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    others = manager(workspace.folder.shared_log())
    others.update_context(INFRA, "phase", "build")
    Faltering(monkeypatch, workspace, LogError("Away.", "Wait."), LogError("Away.", "Wait."))
    sharing, _ = followed(workspace)
    seen = whatever_is_told(sharing, monkeypatch)
    sharing.begin()
    try:
        eventually(lambda: seen and seen[-1].changes)
        assert [one.trouble for one in seen[:2]] == ["Away. Wait.", ""]
        with workspace.folder.lives().live(INFRA):
            others.subscribe(INFRA)
            eventually(lambda: seen[-1].present)
    finally:
        sharing.end()


def test_what_is_not_shown_is_counted() -> None:
    seen = SharedSeen(tuple(changed(seq) for seq in range(1_205, 1_405)), 1_404)
    rows = LiveRows().rows(seen, "here", NOTHING_SAID, 29, Marks())
    assert "1,204 earlier" in rows[0].lines[0].plain


@pytest.mark.parametrize("width", [29, 60, 120])
def test_a_change_of_several_lines_is_told_from_the_next_one(width: int) -> None:
    long = changed(1, value="every word of it " * 20, rule="list-union", version=7)
    for row in LiveRows().rows(SharedSeen((long, changed(2)), 2), "here", NOTHING_SAID, width, Marks()):
        first, *more = (line.plain for line in row.lines)
        assert first.split()[1:3] == ["08:00", INFRA]
        assert all(line.startswith("┊       ") and len(line) <= width for line in more)


# --- who is there -----------------------------------------------------------------------------------------------------


def a_crashed(session: str, *files: str) -> SessionInfo:
    return SessionInfo(session_id=session, started_at="", last_heartbeat="", status="crashed", assigned_files=files)


@pytest.mark.parametrize("width", [40, 90, 140])
def test_the_page_lists_sessions_values_and_the_log(width: int) -> None:
    change = changed(1, rule="last-write", losers=(Loser(value="build"),))
    value = Entry(value="test", version=2, session=INFRA, event=change.event_id, seq=1, time=change.timestamp)
    seen = SharedSeen((change,), 1, (a_crashed("s-1", "1.py"),), values=(("phase", value),))
    state = fold(two_rounds())
    rows = shared_table_rows(seen, state, {INFRA: "Infra"}, width, Marks(), live=LiveRows())
    lines = [line.plain for row in rows for line in row.lines]
    assert max(line.cell_length for row in rows for line in row.lines) <= width
    assert any(line.split()[:3] == ["┊", "s-1", "crashed"] for line in lines)
    assert "has 1.py" in " ".join(lines)
    assert any(line.split()[:4] == ["≠", "┊", "phase", "test"] for line in lines)
    assert any(line.split() == ["build", "overruled"] for line in lines)
    assert [change_at(row.key) for row in rows if change_at(row.key)] == [change.event_id] * 2
    assert "Infra" in " ".join(lines)


# --- what a person does -----------------------------------------------------------------------------------------------


async def opened(pilot: Pilot[Any]) -> SessionScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and "5 shared" in shown(pilot))
    return screen_of(pilot)


async def test_a_change_is_undone_where_columns_are_folded(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    others = manager(workspace.folder.shared_log())
    async with run_app(session=session, size=USUAL) as pilot:
        await until(pilot, lambda: "Choose an approach" in shown(pilot))
        await asyncio.to_thread(others.update_context, INFRA, "phase", "build")
        await asyncio.to_thread(others.update_context, INFRA, "phase", "test")
        await pilot.press("ctrl+l", "5")
        await until(pilot, lambda: "build → test" in shown(pilot))
        await pilot.press("u")
        await until(pilot, lambda: "test → build" in shown(pilot))
    last = list(others.events())[-2:]
    assert ("undo", "build", session) in {(one.event_type, one.value, one.session_id) for one in last}


async def test_who_is_overruled_is_told_wherever_they_are(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    others = manager(workspace.folder.shared_log())
    async with run_app(session=session, size=USUAL) as pilot:
        await until(pilot, lambda: "Choose an approach" in shown(pilot))
        await asyncio.to_thread(others.update_context, session, "phase", "build")
        await asyncio.to_thread(others.update_context, INFRA, "phase", "test", base_version=0)
        await until(pilot, lambda: f"{INFRA} overruled your phase" in shown(pilot), seconds=9)
        await asyncio.to_thread(others.update_context, session, "phase", "build", base_version=2)
        await until(pilot, lambda: "overruled your phase" not in shown(pilot), seconds=9)


async def share_dialog(pilot: Pilot[Any]) -> FormDialog:
    await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
    dialog = pilot.app.screen
    assert isinstance(dialog, FormDialog)
    return dialog


async def test_a_burst_of_keys_sets_nothing_that_was_not_shown(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    others = manager(workspace.folder.shared_log())
    others.update_context(INFRA, "phase", "build")
    async with run_app(session=session) as pilot:
        await opened(pilot)
        await pilot.press("f8")
        dialog = await share_dialog(pilot)
        dialog.query_one("#key", Field).value = "phase"
        value = dialog.query_one("#value", Field)
        value.value = "test"
        value.post_message(Field.Submitted(value, "test"))
        await until(pilot, lambda: f"phase is build, set by {INFRA} at" in shown(pilot))
        await until(pilot, lambda: "sets yours" in shown(pilot))
        assert others.state().entry("phase").value == "build"
        await pilot.press("tab", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
    assert others.state().entry("phase").value == "test"
    assert [one.losers for one in others.events() if one.key == "phase"] == [(), ()]


async def test_a_chosen_value_is_changed_from_the_version_that_was_seen(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    others = manager(workspace.folder.shared_log())
    others.update_context(INFRA, "venue", "Old hall")
    async with run_app(session=session) as pilot:
        await opened(pilot)
        await pilot.press("f5")
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: any("Old hall" in row.lines[0].plain for row in pane.rows))
        await pilot.press("home", *["down"] * next(at for at, key in enumerate(pane.keys) if "value:" in key))
        assert pane.chosen.startswith(VALUE)
        await pilot.press("enter")
        dialog = await share_dialog(pilot)
        assert (dialog.query_one("#key", Field).value, dialog.query_one("#value", Field).value) == ("venue", "Old hall")
        await pilot.press(*"New hall", "enter")
        await until(pilot, lambda: others.state().entry("venue").value == "New hall")
        await until(pilot, lambda: any("New hall" in row.lines[0].plain for row in pane.rows))
        await pilot.press("f8")
        await share_dialog(pilot)
        await asyncio.to_thread(others.update_context, INFRA, "venue", "Third hall")
        await pilot.press(*"Fourth hall", "enter")
        await until(pilot, lambda: "venue is Third hall, set by" in shown(pilot))
        assert others.state().entry("venue").value == "Third hall"
        await pilot.press("enter")
        await until(pilot, lambda: others.state().entry("venue").value == "Fourth hall")
        await until(pilot, lambda: "Fourth hall in the place of Third hall" in shown(pilot))
        assert "merged" not in shown(pilot)
    [last] = [one for one in others.events() if one.value == "Fourth hall"]
    assert (last.base_version, [loser.value for loser in last.losers]) == (2, ["Third hall"])


async def test_a_file_is_claimed_by_its_path_in_the_project(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    others = manager(workspace.folder.shared_log())
    project = workspace.folder.root.parent
    async with run_app(session=session) as pilot:
        await opened(pilot)
        await until(pilot, lambda: session in others.state().members)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        file = pilot.app.screen.query_one("#file", Field)
        file.value = "/elsewhere/db.py"
        await pilot.press("enter")
        await until(pilot, lambda: "is not in the project" in " ".join(shown(pilot).split()))
        assert others.state().leases == {}
        file.value = str(project / "db.py")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert set(others.state().leases) == {"file:db.py"}


async def test_what_another_has_is_waited_for_with_the_same_key_again(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    others = manager(workspace.folder.shared_log())
    with workspace.folder.lives().live(INFRA):
        others.subscribe(INFRA)
        others.claim(INFRA, "file", "db.py")
        async with run_app(session=session) as pilot:
            await opened(pilot)
            await until(pilot, lambda: session in others.state().members)
            await pilot.press("f9", *"db.py", "enter")
            await until(pilot, lambda: f"{INFRA} has the file db.py" in shown(pilot))
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            assert others.state().leases["file:db.py"].waiting == (session,)
            others.release(INFRA, "file", "db.py")
            await pilot.press("f10")
            await until(pilot, lambda: "file  db.py" in shown(pilot))
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and others.state().leases == {})


PEER = "paint-roof-b2b2"
SHARED = "shared:deadline"


async def at_shared(pilot: Pilot[Any], workspace: Workspace) -> SessionScreen:
    """A session whose planner was told what another one shares, and that row of its last call."""
    workspace.shared().update_context(PEER, "deadline", "the end of June")
    screen = await begin(pilot, "Paint the fence by May 2029")
    await gate(pilot, "approach")
    await pilot.press("ctrl+l", "4")
    pane = screen.plan_pane
    await until(pilot, lambda: any(row.key.endswith(f" {SHARED}") for row in pane.rows))
    pane.focus()
    await pilot.press("home")
    place = next(n for n, row in enumerate(pane.rows) if row.key.endswith(f" {SHARED}"))
    while pane.cursor != place:
        before = pane.cursor
        await pilot.press("down")
        assert pane.cursor != before
    return screen


async def test_what_is_shared_says_whose_it_is_and_is_kept_out_and_let_in_by_the_same_key(
    run_app: RunApp, workspace: Workspace
) -> None:
    async with run_app() as pilot:
        screen = await at_shared(pilot, workspace)
        await sees(pilot, PEER, "shared context")
        await pilot.press("x")
        await until(pilot, lambda: "kept out of every prompt" in shown(pilot))
        assert workspace.session(screen.session).state().marked(screen.session, "excluded") == {SHARED}
        await until(pilot, lambda: screen.state is not None and screen.state.marks)
        workspace.shared().update_context("paint-gate-c3c3", "deadline", "the end of July")
        await pilot.press("x")
        await until(pilot, lambda: "taken back" in shown(pilot))
        assert workspace.session(screen.session).state().marks == ()


async def test_a_key_and_its_value_are_shared_with_enter(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_gate(workspace)
    others = manager(workspace.folder.shared_log())
    others.update_context(INFRA, "phase", "build")
    async with run_app(session=session) as pilot:
        await opened(pilot)
        await pilot.press("f8", *"phase", "enter", *"test", "enter")
        await sees(pilot, f"phase is build, set by {INFRA}", "sets yours.")
        await pilot.press("enter")
        await until(pilot, lambda: others.state().entry("phase").value == "test")
