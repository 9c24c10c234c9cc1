"""Where the plan of a session stands as a whole."""

from __future__ import annotations

from workbench.domain.plan.due import Standing, standing
from workbench.domain.session.state import SessionState


def standing_of(state: SessionState) -> Standing:
    """Return where the plan of a session stands as a whole; one that failed was given up."""
    has_failed = state.outcome is not None and state.outcome.outcome == "failure"
    return standing(state.plan, is_agreed=state.saved_version is not None, is_given_up=has_failed)
