"""What a person reports of a plan: requests on the plan of a session, and the changes that these are.

text ─▶ reported ─▶ requests, previewed ─▶ a person agrees ─▶ changes_in ─▶ status.reported
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from workbench.domain.errors import UsageError
from workbench.domain.loop.undo import is_undo, taken_back
from workbench.domain.plan.operations import AddItem, AddSection, Cause, Change, Operation
from workbench.domain.plan.plan import Item, Origin
from workbench.domain.requests import Control, Request, read_requests
from workbench.domain.session.state import SessionState

_ELSEWHERE: dict[Control, str] = {
    "finish": "Save the plan with `workbench resume {} --finish`.",
    "give up": "Say what became of it: `workbench outcome {} failure --note TEXT`.",
    "other approaches": "Approaches are proposed before there is a plan: begin again with `workbench run`.",
    "language": "Say it as feedback: `workbench resume {} --feedback`.",
    "shorter": "Say it as feedback: `workbench resume {} --feedback`.",
    "longer": "Say it as feedback: `workbench resume {} --feedback`.",
}


def reported(state: SessionState, text: str, today: date) -> tuple[Request, ...]:
    """Return the requests of a report about a session's plan, in order. Raises UsageError before there is a plan."""
    plan = state.plan
    if plan is None:
        raise UsageError("There is no plan yet.", f"Go on with: workbench resume {state.session}")
    requests = read_requests(text, plan, today=today)
    if is_undo(requests):
        return (taken_back(requests[0], state.versions, today),)
    return tuple(_elsewhere(state, request) for request in requests)


def _elsewhere(state: SessionState, request: Request) -> Request:
    """Return a request for the session itself with where it is made; several at once cannot be undone."""
    if request.control == "undo":
        return replace(request, outcome="not done", answer="Say “undo” by itself, and the last version is taken back.")
    where = _ELSEWHERE.get(request.control)
    return request if where is None else replace(request, outcome="not done", answer=where.format(state.session))


def changes_in(requests: Sequence[Request]) -> tuple[Change, ...]:
    """Return what requests do to the plan, as changes that a person made."""
    return tuple(
        Change(_by_person(operation), Cause("undo") if request.control == "undo" else Cause("person"))
        for request in requests
        for operation in request.operations
    )


def _by_person(operation: Operation) -> Operation:
    """Return an operation whose new items say that a person made them."""
    match operation:
        case AddItem(_, item):
            return replace(operation, item=_made(item))
        case AddSection(section):
            return replace(operation, section=replace(section, items=tuple(map(_made, section.items))))
        case _:
            return operation


def _made(item: Item) -> Item:
    return item if item.origin else replace(item, origin=Origin("person"))
