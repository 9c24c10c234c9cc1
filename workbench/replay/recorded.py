"""Whether an event of older rules fits its place, where it cannot be derived again.

What it says is recorded, not proved. Its header and its numbers are checked, since given events refer to them.
"""

from __future__ import annotations

from collections.abc import Collection

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState
from workbench.replay.likeness import Unlike, shown


def unfit_header(state: SessionState, event: Event, known: Collection[str]) -> Unlike | None:
    """Return the header field that no event derived from a state has, else None; ``known``: ids of events so far."""
    expected = {
        "session": (event.session, state.session),
        "turn": (str(event.turn), str(state.turn)),
        "workspace": (event.workspace, state.workspace),
        "actor": (event.actor, "workbench"),
        "id": (event.id, f"{event.id.rpartition(':')[0]}:{event.seq}"),
        "cause": (event.cause, event.cause if event.cause in known else state.trigger),
    }
    for name, (recorded, wanted) in expected.items():
        if recorded != wanted:
            return Unlike(name, shown(recorded), shown(wanted))
    return None


def why_unfit(state: SessionState, body: say.Body | say.Unknown) -> str | None:
    """Return why what an event says cannot follow a state, whatever the rules were; None where it can."""
    match body:
        case say.CallStarted(call=call) if state.pending is not None:
            return f"Call {shown(call)} starts while {state.pending.call} waits for a result."
        case say.CallStarted(call=call) if call != f"c{state.calls + 1}":
            return f"It starts call {shown(call)}, and c{state.calls + 1} is next."
        case say.CallFailed(call=call) if state.pending is None or state.pending.call != call:
            return f"No call {shown(call)} is waiting for a result."
        case say.GateOpened(gate=gate) if state.gate is not None:
            return f"Gate {shown(gate.id)} opens while {state.gate.id} is open."
        case say.GateOpened(gate=gate) if gate.id != f"g{state.gates + 1}":
            return f"It opens gate {shown(gate.id)}, and g{state.gates + 1} is next."
        case _:
            return None
