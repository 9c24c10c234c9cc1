"""Tools that models may ask for: what a call looks like in a reply, and what becomes of it.

    reply that is a call ─▶ tool.asked ─┬ reads only, or allowed ─▶ UseTool ─▶ tool.returned ─▶ asked again
                                        ├ a person is asked: once · session · no
                                        └ unknown, refused, too many ─▶ tool.returned says why

A call is an answer of its own: whatever task a model was given, it may answer with one, and is given the task again
beside the result.
"""

from __future__ import annotations

import json
import re
from typing import Any

from workbench.domain.loop.asking.tasks import Offered, ToolCall
from workbench.domain.loop.deciding.gates import Gate, choice
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState, ToolUse
from workbench.domain.text.cleaning import clean_json, clean_name, shorten
from workbench.domain.text.loose_json import TooDeep, json_values
from workbench.domain.text.patterns import lazy_pattern

TASKS = frozenset({"plan", "verify", "execute", "chat", "work"})
"""Tasks for which tools are offered."""
MOST_IN_A_ROW = 8
"""Calls of tools before a model has to answer."""
MOST_OF_A_CALL, MOST_OF_A_RESULT = 20_000, 6_000
"""Characters of a reply that is a call, and of a result as it is kept."""
_FENCED = lazy_pattern(r"```\w*+[^\S\n]*+\n(.*)\n[^\S\n]*+```", re.DOTALL)
_FIELDS = frozenset({"tool", "arguments", "why"})
_SHOWN = 200
"""Characters of a tool's description that a person is shown; of the arguments, it is all."""
_BLANKS = lazy_pattern(r"\n+|\t+|[^\S\n\t]{2,}|[^\S\n\t ]|\u2800+")


def tool_call_in(text: str) -> ToolCall | None:
    """Return the call of a tool that a reply is; None if it is anything else, or more than that."""
    told = text.strip()
    fenced = _FENCED.fullmatch(told)
    told = fenced[1].strip() if fenced else told
    if not (told.startswith("{") and told.endswith("}") and "tool" in told[:200]) or len(told) > MOST_OF_A_CALL:
        return None
    try:
        values = [loose.value for loose in json_values(told)]
    except TooDeep:
        return None
    asked = values[0] if len(values) == 1 else None
    if not isinstance(asked, dict) or not asked.keys() <= _FIELDS or not isinstance(asked.get("tool"), str):
        return None
    arguments = asked.get("arguments") or {}
    if not isinstance(arguments, dict):
        return None
    return ToolCall(tool=clean_name(asked["tool"]), arguments=clean_json(arguments))


def may_call_tools(state: SessionState, task: str) -> bool:
    """Tell whether a reply to a task can be a call. One more than are allowed is answered; what follows is a reply."""
    return bool(state.tools.tools) and task in TASKS and state.tools_in_a_row <= MOST_IN_A_ROW


def offered(state: SessionState, task: str, *, worker: bool = False) -> tuple[Offered, ...]:
    """Return the tools that a task may use now; a worker has those that only read."""
    if task not in TASKS or state.tools_in_a_row >= MOST_IN_A_ROW:
        return ()
    return tuple(
        Offered(name=tool.name, description=tool.description, arguments=tool.parameters, asks_first=not tool.read_only)
        for tool in state.tools.tools
        if tool.read_only or not worker
    )


def refusal(state: SessionState, using: ToolUse) -> say.ToolReturned | None:
    """Return what is said of a call that is not carried out; None if it may be, now or once a person allowed it."""
    tool = state.tool(using.tool)
    if tool is None:
        names = ", ".join(one.name for one in state.tools.tools)
        return _tool_result(using, "failed", f"There is no tool {using.tool}. There are: {names}.")
    if using.started and not tool.read_only:
        return _tool_result(using, "interrupted", "It was begun, and nobody knows whether it was carried out.")
    if state.tools_in_a_row >= MOST_IN_A_ROW:
        return _tool_result(using, "refused", f"{MOST_IN_A_ROW} calls of tools in a row are the most. Answer now.")
    if using.refused:
        return _tool_result(using, "refused", "The person did not allow it. Go on without it.")
    if needs_permission(state, using):
        if len(arguments_shown(using.arguments)) > MOST_OF_A_CALL:
            return _tool_result(using, "refused", "The arguments are too long to be shown to the person.")
        if using.worker:
            return _tool_result(using, "refused", "A worker may only use tools that read.")
        if state.gate is not None and state.gate.kind != "tool":
            return _tool_result(using, "refused", "The person decides about something else first. Go on without it.")
    return None


def needs_permission(state: SessionState, using: ToolUse) -> bool:
    """Tell whether a person has to be asked before a tool is used."""
    tool = state.tool(using.tool)
    if using.lapsed:
        return not using.permitted
    known = (*state.tools.allowed, *state.tools_allowed)
    return not (tool is None or tool.read_only or using.permitted or using.tool in known)


def arguments_shown(arguments: dict[str, Any]) -> str:
    """Return arguments as a person reads them: all of them as JSON, in rows, with blanks made visible."""
    rows = json.dumps(_visible(arguments), ensure_ascii=False, indent=2).split("\n")[1:-1]
    return "\n".join(rows) or "  no arguments"


def _visible(value: Any) -> Any:
    """Return a value of JSON with every blank in its texts made visible that could move text out of sight."""
    if isinstance(value, str):
        return _BLANKS.sub(_blank_shown, value)
    if isinstance(value, dict):
        return {_visible(str(name)): _visible(inner) for name, inner in value.items()}
    return [_visible(inner) for inner in value] if isinstance(value, list) else value


def _blank_shown(match: re.Match[str]) -> str:
    mark = {"\n": "⏎", "\t": "⇥"}.get(match[0][0], "␣")
    return f"⟨{mark} ×{len(match[0]):,}⟩" if len(match[0]) > 1 else mark


def tool_gate(state: SessionState, using: ToolUse, gate_id: str) -> Gate:
    """Return the gate that asks a person whether a tool may be used."""
    tool = state.tool(using.tool)
    server = f" of {tool.server}" if tool is not None and tool.server else ""
    told = "" if tool is None else shorten(" ".join(tool.description.split()), _SHOWN)
    what = f"{using.tool}{server} (“{told}”)" if told else f"{using.tool}{server}"
    lapsed = "The session says that this was allowed, but not by you on this machine. " if using.lapsed else ""
    return Gate(
        id=gate_id,
        kind="tool",
        question=f"The {using.role} asks to use {what} with:\n{arguments_shown(using.arguments)}\n{lapsed}Allow it?",
        choices=(
            choice("once", "it is used now, and asked about again the next time"),
            choice("session", f"{using.tool} is not asked about in this session any more"),
            choice("no", f"the {using.role} is told, and goes on without it"),
            choice("stop", "everything is kept; go on at any time"),
        ),
    )


def _tool_result(using: ToolUse, outcome: say.ToolOutcome, text: str) -> say.ToolReturned:
    return say.ToolReturned(use=using.use, outcome=outcome, text=text)


def tool_use_text(body: say.ToolAsked) -> str:
    """Return in a line what was asked for."""
    return f"{body.role} asks for {body.tool} {json.dumps(body.arguments, ensure_ascii=False)}"
