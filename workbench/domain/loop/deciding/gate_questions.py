"""The gates that the loop opens beside checkpoints: their questions, and what each answer leads to."""

from __future__ import annotations

from workbench.domain.loop.deciding.gates import Gate, choice
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.changing.operations import RemoveItem
from workbench.domain.plan.plan import Plan, wording
from workbench.domain.session.state import CHAT, Failure, Received, SessionState
from workbench.domain.text.cleaning import shorten

MOST_NAMED = 3
"""Items that a question names; the rest is counted."""
LASTING = frozenset({"ModelDenied", "ModelUnknown", "ModelBusy", "ContextTooSmall"})
"""Errors that asking again at once does not help with: a person has to change something, or to wait."""
OPTIONAL_TASKS = {
    "verify": "the checks alone look at this version",
    "execute": "this version has no actions",
    "generate": "this version has no deliverable",
    CHAT: "your message stays without an answer",
}
"""Tasks that a person may leave out after a failure, and what that means."""


NOT_MENDED = "what was found in the page stays open"
"""What it means to continue without the planner's answer at the end."""
_LEAST_WINDOW = 512
"""Tokens: a smaller count that stands still is made up by the server."""


def next_gate_id(state: SessionState) -> str:
    """Return the id of the next gate of a session."""
    return f"g{state.gates + 1}"


def question_gate(state: SessionState) -> Gate:
    """Return the gate for a role's first open question."""
    return Gate(
        id=next_gate_id(state),
        kind="question",
        question=state.questions[0],
        choices=(
            choice("answer", "the approaches take it into account"),
            choice("skip", "the plan states an assumption instead"),
        ),
    )


def approach_gate(state: SessionState) -> Gate:
    """Return the gate at which a person chooses an approach."""
    without_model = plans_without_model(state)
    return Gate(
        id=next_gate_id(state),
        kind="approach",
        question="Which approach should the plan follow?",
        options=tuple(approach.id for approach in state.approaches),
        choices=(
            choice("choose", "the plan is drafted along it", label="choose one"),
            choice("feedback", "it is kept in your words" if without_model else "other approaches are proposed"),
            choice("reject", "the session ends without a plan"),
        ),
    )


def removal_gate(state: SessionState, plan: Plan) -> Gate:
    """Return the gate for what the planner takes out and nobody asked to remove."""
    items = {item.id: f"{item.id} “{shorten(wording(item), 50)}”" for item in plan.items}
    titles = {section.id: section.title for section in plan.sections}
    names = [
        items.get(removal.item, removal.item)
        if isinstance(removal, RemoveItem)
        else f"the section “{shorten(titles.get(removal.section, removal.section), 50)}”"
        for removal in state.removals
    ]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    taken_out = f"{', '.join(names[:MOST_NAMED])}{more}"
    them = "it" if len(names) == 1 else "them"
    return Gate(
        id=next_gate_id(state),
        kind="removal",
        question=f"The planner takes out {taken_out}, and names nothing that you said as its reason. Remove {them}?",
        choices=(
            choice("keep", f"the plan stays as it is, with {them}"),
            choice("remove", f"version {state.version + 1} is without {them}"),
        ),
    )


def failure_gate(state: SessionState, failure: Failure) -> Gate:
    """Return the gate after a call that failed."""
    choices = [choice("again", f"the {failure.role} is asked again")]
    if failure.task in OPTIONAL_TASKS:
        choices.append(choice("without", OPTIONAL_TASKS[failure.task]))
    elif failure.task == "plan" and state.last_look:
        choices.append(choice("without", NOT_MENDED))
    if state.plan is not None:
        choices.append(choice("finish", f"version {state.version} is saved and the session ends"))
    choices.append(choice("stop", "everything is kept; resume it with another model"))
    ordinal = {2: "second", 3: "third"}.get(failure.tries, f"{failure.tries}th")
    times = "" if failure.tries == 1 else f", for the {ordinal} time"
    return Gate(
        id=next_gate_id(state),
        kind="failure",
        question=f"The {failure.role} has not answered{times}: {failure.message} {failure.remedy}".strip(),
        choices=tuple(choices),
        tries=failure.tries,
        is_lasting=failure.error in LASTING,
    )


def cut_gate(state: SessionState, received: Received) -> Gate | None:
    """Return the gate for a reply to a prompt that the server has cut without a word; None if that is not certain.

    Tokenizers differ: a count that is lower than the estimate says nothing. It is certain where the count is the window
    that the server states, or stands still while prompts grow by a quarter, and a quarter beyond it.
    """
    counted = state.counted[-1] if state.counted else None
    model = received.call.model
    if counted is None or counted.call != received.call.call or model in state.cuts_accepted:
        return None
    is_longer = 4 * counted.estimated >= 5 * max(counted.least, counted.reported)
    stands_still = is_longer and counted.reported >= _LEAST_WINDOW
    if not stands_still and counted.reported != counted.server_window:
        return None
    choices = [
        choice("keep", "the answer is used, and this is not asked again"),
        choice("again", f"the {received.call.role} is asked again, within the window that is set then"),
    ]
    if state.plan is not None:
        choices.append(choice("finish", f"version {state.version} is saved and the session ends"))
    return Gate(
        id=next_gate_id(state),
        kind="failure",
        question=(
            f"The server of {model} has read {counted.reported:,} tokens of a prompt of about {counted.estimated:,}: "
            f'it cuts what is too long. Set window = {counted.reported} under [models."{model}"] in the settings, '
            "or start the server with a larger one; then ask again."
        ),
        choices=(*choices, choice("stop", "everything is kept; resume it later")),
        is_lasting=True,
    )
