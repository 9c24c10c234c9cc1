"""leak@10 = 0 on the project's own set: every scope a session of one workspace, every question asked in two of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.p21_leaks import leaks_in
from tests.benchmarks.retrieval import own
from workbench.domain.session.items import items
from workbench.memory import memory_view

SCOPES = own(Path(__file__).parent / "data")


def test_no_question_of_the_own_set_finds_anything_of_another_session_or_agent(
    tmp_path: Path, full_counts: bool
) -> None:
    scopes = SCOPES if full_counts else SCOPES[: len(SCOPES) // 3]
    counts = leaks_in(scopes, tmp_path, agents=1)
    assert counts["questions"] == 2 * sum(len(scope.questions) + len(scope.unanswered) for scope in scopes)
    assert counts["results"] > counts["questions"]
    assert counts["leaks"] == 0


@pytest.mark.full
def test_a_leak_between_agents_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_view, "visible_to", lambda _item, _agent: True)
    scopes = [scope for scope in SCOPES if len({document.agent for document in scope.documents}) > 2]
    assert leaks_in(scopes[:2], tmp_path)["leaks"] > 0


@pytest.mark.full
def test_a_leak_between_sessions_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = []

    def everything(state: object) -> tuple[object, ...]:
        shared.extend(items(state))
        return tuple(shared)

    monkeypatch.setitem(memory_view._BESIDE, "everything", everything)
    assert leaks_in(SCOPES[:2], tmp_path)["leaks"] > 0
