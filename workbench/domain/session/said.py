"""What a person said that a plan has to account for: the goal, what they typed to begin with, answers, feedback."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import GOAL

BEGIN = "B"
"""How the sources are called of what a person typed before the first draft: B1, B2, …"""


def said_in(state: SessionState) -> Iterator[tuple[str, str]]:
    """Yield each text that a person said, after the name that statements have for it: goal, B1, A1, F1."""
    yield GOAL, state.goal
    yield from ((f"{BEGIN}{number}", text) for number, text in enumerate(state.typed, start=1))
    for number, answered in enumerate(state.answers, start=1):
        if answered.answer:
            yield f"A{number}", answered.answer
    for feedback in state.feedback:
        yield feedback.id, feedback.text
