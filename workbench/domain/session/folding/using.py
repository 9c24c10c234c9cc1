"""Tools: which there are, what was asked of them, and what came back."""

from __future__ import annotations

from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.folding.folds import Folds
from workbench.domain.session.state import SessionState, ToolUse

folds: Folds[SessionState] = Folds()


@folds.of(say.ToolsOffered)
def _tools_offered(state: SessionState, _event: Event, body: say.ToolsOffered) -> SessionState:
    """Take over the tools there are now; what is asked about at a gate, and is another one now, is asked again."""
    using = state.using
    before = None if using is None else state.tool(using.tool)
    offered = replace(state, tools=body, tools_allowed=state.tools_allowed if body.tools else ())
    is_asked = state.gate is not None and state.gate.kind == "tool"
    if using is None or not is_asked or offered.tool(using.tool) == before:
        return offered
    return replace(offered, gate=None, gate_event="")


@folds.of(say.ToolAsked)
def _tool_asked(state: SessionState, _event: Event, body: say.ToolAsked) -> SessionState:
    """Wait for the tool. What was searched and looked at for the call is for the one that follows.

    A reply that was rejected stays so: otherwise each use of a tool would allow one more attempt.
    """
    named = {name: getattr(body, name) for name in ToolUse.__struct_fields__ if hasattr(body, name)}
    following = f"c{state.calls + 1}"
    return replace(
        state,
        received=None,
        using=ToolUse(**named),
        tool_calls=state.tool_calls + 1,
        searched_for=following if state.searched_for == body.call else state.searched_for,
        observed_for=following if state.observed_for == body.call else state.observed_for,
    )


@folds.of(say.ConsentLapsed)
def _consent_lapsed(state: SessionState, _event: Event, body: say.ConsentLapsed) -> SessionState:
    using = state.using
    if using is not None and using.use == body.use:
        using = replace(using, permitted=False, lapsed=True)
    state = replace(state, using=using, tools=replace(state.tools, allowed=()), tools_allowed=())
    is_asked = state.gate is not None and state.gate.kind == "tool"
    return replace(state, gate=None, gate_event="") if is_asked else state


@folds.of(say.ToolStarted)
def _tool_started(state: SessionState, _event: Event, body: say.ToolStarted) -> SessionState:
    using = state.using
    return state if using is None or using.use != body.use else replace(state, using=replace(using, started=True))


@folds.of(say.ToolReturned)
def _tool_returned(state: SessionState, event: Event, body: say.ToolReturned) -> SessionState:
    using = state.using
    if using is None or using.use != body.use:
        return state
    spent = replace(
        state.spent, tool_calls=state.spent.tool_calls + using.started, seconds=state.spent.seconds + body.seconds
    )
    done = replace(using, result=body, id=event.id, seq=event.seq, time=event.time)
    return replace(
        state, using=None, uses=state.uses.appended(done), tools_in_a_row=state.tools_in_a_row + 1, spent=spent
    )
