"""What a person reports of a plan: requests on the plan of a session, and the changes that these are.

text ─▶ reported ─▶ requests, previewed ─▶ a person agrees ─▶ changes_in ─▶ status.reported

One report is no change that a person words: "plan again" dates all open steps from today on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound, UsageError
from workbench.domain.loop.undo import is_undo, taken_back
from workbench.domain.plan.operations import AddItem, AddSection, Cause, Change, Operation, operations_between
from workbench.domain.plan.plan import Item, Origin, Plan
from workbench.domain.plan.rescheduling import replanned
from workbench.domain.requests import Control, Request, read_requests
from workbench.domain.requests.moves import moved
from workbench.domain.session.state import SessionState

_ELSEWHERE: dict[Control, str] = {
    "finish": "Save the plan with `workbench resume {} --finish`.",
    "give up": "Say what became of it: `workbench outcome {} failure --note TEXT`.",
    "other approaches": "Approaches are proposed before there is a plan: begin again with `workbench run`.",
    "language": "Say it as feedback: `workbench resume {} --feedback`.",
    "shorter": "Say it as feedback: `workbench resume {} --feedback`.",
    "longer": "Say it as feedback: `workbench resume {} --feedback`.",
}


_REPLAN = re.compile(
    r"(?i)\s*(?:please )?(?:re-?plan|plan again)(?: (?:what|all that) is open| from (?:here|today))?[\s.!]*"
)


def reported(state: SessionState, text: str, today: date) -> tuple[Request, ...]:
    """Return the requests of a report about a session's plan, in order. Raises UsageError before there is a plan."""
    plan = state.plan
    if plan is None:
        raise UsageError("There is no plan yet.", f"Go on with: workbench resume {state.session}")
    if _REPLAN.fullmatch(text):
        return (_replanned(plan, text, today),)
    requests = read_requests(text, plan, today=today)
    if is_undo(requests):
        return (taken_back(requests[0], state.versions, today),)
    return tuple(_elsewhere(state, request) for request in requests)


def _replanned(plan: Plan, text: str, today: date) -> Request:
    """Return the request that dates all open steps again."""
    request = Request(text=text, start=0, end=len(text), outcome="not done", answer="", control="replan")
    try:
        operations = operations_between(plan, after := replanned(plan, today))
    except PlanUnsound as error:
        return replace(request, answer=error.message)
    if not operations:
        return replace(request, answer="Nothing moves: every open step is dated as it would be today.")
    had_none = {step.id for step in plan.steps if step.end is None}
    dated = sum(step.end is not None and step.id in had_none for step in after.steps)
    parts = [f"{dated} step{' gets' if dated == 1 else 's get'} a date"] if dated else []
    parts = [part for part in (moved(plan, after, (), today, {}), *parts) if part]
    answer = ", ".join(parts) or "dates change, no step ends on another day"
    return replace(request, outcome="done", operations=operations, answer=f"{answer[:1].upper()}{answer[1:]}.")


def _elsewhere(state: SessionState, request: Request) -> Request:
    """Return a request for the session itself with where it is made; several at once cannot be undone."""
    if request.control == "undo":
        return replace(request, outcome="not done", answer="Say “undo” by itself, and the last version is taken back.")
    where = _ELSEWHERE.get(request.control)
    return request if where is None else replace(request, outcome="not done", answer=where.format(state.session))


def changes_in(requests: Sequence[Request]) -> tuple[Change, ...]:
    """Return what requests do to the plan, as changes that a person made."""
    causes: dict[Control, Cause] = {"undo": Cause("undo"), "replan": Cause("replan")}
    return tuple(
        Change(_by_person(operation), causes.get(request.control, Cause("person")))
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
