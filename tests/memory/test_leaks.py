"""leak@10 = 0 on the project's own set: every scope a session of one workspace, every question asked in two of them."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.p21_leaks import leaks_in
from tests.benchmarks.retrieval import own

SCOPES = own(Path(__file__).parent / "data")


def test_no_question_of_the_own_set_finds_anything_of_another_session_or_agent(
    tmp_path: Path, full_counts: bool
) -> None:
    scopes = SCOPES if full_counts else SCOPES[: len(SCOPES) // 3]
    counts = leaks_in(scopes, tmp_path, agents=1)
    assert counts["questions"] == 2 * sum(len(scope.questions) + len(scope.unanswered) for scope in scopes)
    assert counts["results"] > counts["questions"]
    assert counts["leaks"] == 0
