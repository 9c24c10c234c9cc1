"""What a person said in a session that a plan has to account for: the goal, answers and feedback."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import GOAL


def said_in(state: SessionState) -> Iterator[tuple[str, str]]:
    """Yield each text that a person said, after the name that statements have for it: goal, A1, F1."""
    yield GOAL, state.goal
    for number, answered in enumerate(state.answers, start=1):
        if answered.answer:
            yield f"A{number}", answered.answer
    for feedback in state.feedback:
        yield feedback.id, feedback.text
