"""What people hand to the loop, checked before it is recorded: options, bounds, answers, messages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from workbench.domain.errors import PlanUnsound, SettingsError, UsageError
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer, check_answer
from workbench.domain.loop.limits import MOST_CHARACTERS, MOST_OF_AN_EDIT
from workbench.domain.plan.changing.operations import applied
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, clean_json
from workbench.models.tokens import estimate_tokens
from workbench.planning.asking.gathering import reserve_of

_MOST_OF_A_TEMPLATE = 60
"""Steps of a template that own lines may name, if nobody knows yet how many it has."""


def check_options(options: say.Options) -> say.Options:
    """Return options that can be run with. Raises SettingsError, naming the option."""
    check_count("iterations", options.max_iterations, 100)
    check_count("checkpoint", options.checkpoint_interval, 100)
    check_bounds(options.bounds)
    return options


def check_bounds(bounds: say.Bounds) -> say.Bounds:
    """Return bounds that make sense. Raises SettingsError, naming the bound."""
    for name in bounds.__struct_fields__:
        value = getattr(bounds, name)
        if value is not None and not 0 < value < float("inf"):
            what = f"--{name.replace('_', '-')} is {value}, which bounds nothing."
            raise SettingsError(what, "Give a number above 0, or leave it out.")
    return bounds


def check_count(name: str, value: int, most: int) -> None:
    """Raise SettingsError where ``value`` is not between 1 and ``most``."""
    if not 1 <= value <= most:
        raise SettingsError(f"--{name} is {value}.", f"Give a whole number from 1 to {most}.")


def check_proposal(proposal: str) -> str:
    """Return a proposal, clean and stripped. Raises UsageError for an empty one, and for one that is too long."""
    text = clean(proposal).strip()
    if not text:
        raise UsageError("The proposal is empty.", "Give a file with the proposal's text, or leave the option out.")
    if len(text) > MOST_OF_AN_EDIT:
        raise UsageError(
            f"The proposal has {len(text):,} characters; {MOST_OF_AN_EDIT:,} are the most.", "Give a part of it."
        )
    return text


def said_of_proposal(text: str, window: int) -> int:
    """Return how many of a proposal's characters stand in the conversation; 0 for all.

    The planner's prompts hold it twice: as their input, cut to what there is room for, and as what the person said,
    which is never cut there. Both may take half of a prompt.
    """
    most = (window - reserve_of(window)) // 4
    if estimate_tokens(text) <= most:
        return 0
    return max(text.rfind("\n", 0, most), most // 2)


def check_begin(begin: Begin, today: date, steps: Sequence[str] | None = None) -> Begin:
    """Return what a person gave to begin with, cleaned. Raises UsageError for lines and values that cannot be read.

    ``steps``: those that are kept of the template; None if they are not known.
    """
    cleaned = msgspec.convert(clean_json(msgspec.to_builtins(begin)), Begin)
    if not (cleaned.outline.strip() or cleaned.commands):
        return cleaned
    from workbench.domain.commands import Unread, parse, read_outline, steps_before

    unknown = ("",) * _MOST_OF_A_TEMPLATE if cleaned.template else ()
    before = steps_before(unknown if steps is None else steps)
    read = [read_outline(cleaned.outline, before, today)] if cleaned.outline.strip() else []
    for one in (*read, *(parse(command, before, today) for command in cleaned.commands)):
        if isinstance(one, Unread):
            raise UsageError(f"This cannot be read:\n{one}")
    return cleaned


def check_kept(keep: Sequence[int], steps: int, besides: int) -> tuple[int, ...]:
    """Return the numbers of what is kept of a template: of its steps, and of what it has besides, after them.

    Raises UsageError for a number that it does not have, and if none of its steps is kept.
    """
    beyond = next((number for number in keep if not 1 <= number <= steps + besides), None)
    if beyond is not None:
        more = f", and {besides} more lines" if besides else ""
        raise UsageError(f"There is no line {beyond}.", f"The template has the steps 1 to {steps}{more}.")
    if keep and min(keep) > steps:
        raise UsageError("No step of the template is left.", f"Keep some of the steps 1 to {steps}, too.")
    return tuple(keep)


def agent_named(state: SessionState, name: str) -> Agent:
    """Return somebody to talk to. Raises UsageError."""
    agent = state.agent(name)
    if agent is not None:
        return agent
    names = ", ".join(one.id for one in state.agents)
    raise UsageError(
        f"There is no agent {name!r} in this session.",
        f"Ask one of: {names}." if names else "Add one with --agent FILE.",
    )


def message_of(message: str) -> str:
    """Return what a person says to an agent, clean and bounded. Raises UsageError."""
    text = clean(message).strip()
    if not text:
        raise UsageError("The message is empty.", "Say something to the agent.")
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"The message has {len(text):,} characters.", f"Use {MOST_CHARACTERS:,} at most.")
    return text


def check_open(state: SessionState, answered: say.GateAnswered) -> None:
    """Raise UsageError if a gate is not open any more, or the answer does not fit it."""
    gate, answer = state.gate, answered.answer
    if gate is None or gate.id != answered.gate:
        raise UsageError("That question is not open any more.", "Look at the session again: `workbench resume`.")
    check_answer(gate, answer)
    if answer.begin is not None:
        check_begin(answer.begin, date.fromisoformat(state.today))
    if answer.kind == "edit" and state.plan is not None:
        from_markdown(answer.text, state.plan)
    if answer.kind == "change" and state.plan is not None:
        try:
            applied(state.plan, (change.operation for change in answer.changes))
        except PlanUnsound as error:
            raise UsageError(error.message, error.remedy) from error


def cleaned(answer: Answer) -> Answer:
    """Return an answer without anything in its text that could act."""
    return msgspec.convert(clean_json(msgspec.to_builtins(answer)), Answer)
