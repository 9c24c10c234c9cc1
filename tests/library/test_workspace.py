"""``from workbench import Workspace``: a program does what the command line does."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from workbench import Workspace
from workbench.bootstrap import listing
from workbench.domain.errors import InvalidId, NotFound
from workbench.planning.policies import approving_all


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(tmp_path, environ={"WORKBENCH_CONFIG": str(tmp_path / "none.toml")})


@pytest.fixture
def finished(workspace: Workspace) -> str:
    manager = workspace.start("Paint the fence by May 2029")
    assert asyncio.run(manager.run(approving_all())).status == "finished"
    return manager.session_id


def test_a_program_plans_and_looks_at_the_result(workspace: Workspace, finished: str) -> None:
    state = workspace.session(finished).state()
    assert state.plan is not None
    assert [one.session for one in workspace.sessions()] == [finished]
    assert "> Paint the fence" in workspace.session(finished).markdown()
    moments = list(workspace.session(finished).course())
    assert moments[-1][1] == state
    assert [moment.seq for moment, _ in moments] == list(range(1, state.seq + 1))


def test_a_program_deletes_and_restores(workspace: Workspace, finished: str) -> None:
    workspace.session(finished).delete()
    with pytest.raises(NotFound):
        workspace.session(finished).state()
    assert [one.stream for one in workspace.trash()] == [finished]
    workspace.start("Finish something that is called nearly the same")
    with pytest.raises(NotFound, match=f"It is in the trash: `workbench sessions restore {finished}`"):
        workspace.session(finished).state()
    assert workspace.restore(finished) == finished
    assert workspace.session(finished).state().status == "finished"
    workspace.session(finished).delete()
    assert workspace.empty_trash() == 1
    with pytest.raises(NotFound):
        workspace.restore(finished)


def _crashed(workspace: Workspace, session: str) -> None:
    """Let a session take part, say what it is at and claim a file, and be open nowhere any more."""
    shared = workspace.shared()
    with workspace.backend.lives().live(session):
        shared.subscribe(session)
        shared.update_context(session, f"sessions/{session}", {"goal": "Paint the fence"})
        assert shared.claim(session, "file", "plan.md").outcome == "granted"


def test_a_deleted_session_takes_part_no_more(workspace: Workspace, finished: str) -> None:
    _crashed(workspace, finished)
    assert [one.status for one in workspace.sharing_sessions()] == ["idle"], "its work has ended, so it cannot crash"
    workspace.session(finished).delete()
    assert workspace.sharing_sessions() == []
    state = workspace.shared().state()
    assert (state.context().data, state.leases) == ({}, {})
    assert [one.event_type for one in workspace.shared().events()] == ["join", "update", "claim", "leave"]


@pytest.mark.parametrize("fault", ["broken", "absent", "off"])
def test_a_session_is_deleted_however_the_shared_log_fares(workspace: Workspace, finished: str, fault: str) -> None:
    _crashed(workspace, finished)
    folder = workspace.folder.root
    (log,) = (folder / "shared").glob("*.jsonl")
    if fault == "broken":
        log.write_bytes(b"x" + log.read_bytes()[1:])
    elif fault == "absent":
        log.unlink()
    else:
        workspace.folder.config.write_text('shared = "off"\n')
    before = log.read_bytes() if log.exists() else b""
    reopened = Workspace.open(folder.parent, environ={"WORKBENCH_CONFIG": str(folder / "none.toml")})
    reopened.session(finished).delete()
    assert [one.stream for one in reopened.trash()] == [finished]
    assert (log.read_bytes() if log.exists() else b"") == before


def test_nothing_but_an_id_names_a_session(workspace: Workspace, finished: str) -> None:
    assert finished
    for hostile in ("", "*", "a_b", "..", "x" * 41):
        with pytest.raises((InvalidId, NotFound)):
            workspace.session(hostile).state()


# --- how sessions are listed ------------------------------------------------------------------------------------------


def statuses(workspace: Workspace) -> list[str]:
    return [one.status for one in workspace.sessions()]


def test_a_session_that_is_open_is_not_cut_off(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "_BEGINS_WITHIN", timedelta(0))
    manager = workspace.start("Paint the fence by May 2029")
    with manager.taking_part():
        assert statuses(workspace) == ["running"]
    with manager.driving():
        assert statuses(workspace) == ["running"]
    assert statuses(workspace) == ["interrupted"]
