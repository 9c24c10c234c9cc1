"""Rewinding a session to a place before a decision, and going forward again: one event, and nothing is lost."""

from __future__ import annotations

from contextlib import suppress

from workbench.domain.errors import StaleHead, UsageError
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState
from workbench.planning.session_log import SessionLog


def go(session: SessionLog, to: int | None, *, back: bool) -> SessionState:
    """Let a session stand at another place of its way, by default the nearest; return its state.

    For whoever drives the session. Raises UsageError where there is no such place, or a step is not finished.
    """
    while True:
        state = session.refresh()
        rewound = say.SessionRewound(to=_place(state, to, back=back), redo=not back)
        with suppress(StaleHead):  # a rename, a rating: look again
            session.record([rewound], actor="person", origin="given", seen=state)
            return session.state


def _place(state: SessionState, to: int | None, *, back: bool) -> int:
    places = tuple(reversed(state.way.behind)) if back else state.way.ahead
    if state.pending is not None or state.received is not None:
        raise UsageError("A step of the session is not finished.", "Go on with it to its next question first.")
    if not places:
        nothing = "Nothing was decided in it yet." if back else "Nothing was rewound that could be redone."
        raise UsageError(nothing, "To go on from any other event, fork the session there.")
    if to is not None and to not in places:
        known = ", ".join(map(str, sorted(places)))
        raise UsageError(f"Nothing was decided behind event {to}.", f"Choose one of {known}, or fork the session.")
    return places[0] if to is None else to
