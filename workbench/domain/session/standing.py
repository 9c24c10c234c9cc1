"""Where the plan of a session stands as a whole, and what of it is open."""

from __future__ import annotations

import msgspec

from workbench.domain.plan.due import OpenStep, Standing, open_steps, standing
from workbench.domain.session.state import SessionState


class OpenPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as lists of what is due need it."""

    session: str
    title: str
    standing: Standing
    steps: tuple[OpenStep, ...]
    updated: str
    """When the session was last written, UTC, ISO 8601."""


def standing_of(state: SessionState) -> Standing:
    """Return where the plan of a session stands as a whole; one that failed was given up."""
    has_failed = state.outcome is not None and state.outcome.outcome == "failure"
    return standing(state.plan, is_agreed=state.saved_version is not None, is_given_up=has_failed)


def open_plan(state: SessionState, *, updated: str = "") -> OpenPlan:
    """Return what is open of a session's plan; nothing if it has none yet."""
    agreed = next((version.plan for version in state.versions if version.version == state.saved_version), None)
    return OpenPlan(
        session=str(state.session),
        title=(state.plan.title if state.plan else state.goal) or state.name,
        standing=standing_of(state),
        steps=open_steps(state.plan, baseline=agreed) if state.plan else (),
        updated=updated,
    )
