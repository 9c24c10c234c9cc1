"""What a person begins with, from options: a template, the steps of it, own steps, and values of the goal.

--template move-system:cohorts --keep 1-4,7 --steps steps.txt --deadline "30 June" ─▶ Begin
"""

from __future__ import annotations

import argparse
from datetime import date

from msgspec.structs import replace

from workbench.cli.reading import read_text
from workbench.domain.errors import UsageError
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.loop.limits import MOST_STEPS
from workbench.domain.session.session import SessionState
from workbench.planning.checks import check_begin, check_kept

_ORDERS = frozenset(["together", "needs", "needs_none", "needs_numbers"])
"""Rules that say what a step follows."""
MAX_BYTES = 100_000
"""The most that is read of own steps."""


def begin_of(options: argparse.Namespace, *, keep: str | None) -> Begin | None:
    """Return what the options say to begin with; None if they say nothing. Raises UsageError."""
    values = (("deadline", options.deadline), ("goal day", options.on), ("budget", options.budget))
    begin = Begin(
        template=getattr(options, "template", None) or "",
        keep=parse_numbers(keep or ""),
        outline=read_text(options.steps, MAX_BYTES) if options.steps else "",
        commands=tuple(f"{name} {value}" for name, value in values if value),
    )
    return begin if begin or begin.keep else None


def order_hint(begin: Begin | None, today: date) -> str:
    """Return what to know of own steps that all follow each other only because of their order; "" for others."""
    lines = [line for line in (begin.outline if begin else "").splitlines() if line.strip()]
    if len(lines) < 2:
        return ""
    from workbench.domain.commands import StepLine, read_step_line  # most sessions begin without own steps
    from workbench.domain.commands.examples import ORDER

    read = [one for line in lines if isinstance(one := read_step_line(line, today), StepLine)]
    said = {field.rule for one in read for field in one.said}
    return ORDER if said.isdisjoint(_ORDERS) else ""


def begin_of_choice(options: argparse.Namespace) -> Begin | None:
    """Return what the options of ``resume`` say to begin with. Raises UsageError if they choose no approach."""
    begin = begin_of(options, keep=options.keep_steps)
    if begin is not None and options.choose is None:
        raise UsageError("Steps and values to begin with need an approach.", "Choose one with --choose N.")
    return begin


def begun_with(begin: Begin | None, answer: Answer, state: SessionState) -> Answer:
    """Return the choice of an approach with what the plan begins with, of its template. Raises UsageError."""
    if begin is None or answer.kind != "choose":
        return answer
    approach = next((one for one in state.approaches if one.id == answer.choice), None)
    template = approach.template if approach is not None else ""
    if begin.keep and not template:
        raise UsageError("--keep-steps names steps of a template, and this approach has none.", "Leave it out.")
    if approach is not None and template:
        check_kept(begin.keep, len(approach.outline), len(approach.besides))
    kept_steps = begin.kept(approach.outline) if approach is not None and template else ()
    checked = check_begin(replace(begin, template=template), date.fromisoformat(state.today), kept_steps)
    return replace(answer, begin=checked)


def parse_numbers(text: str, what: str = "line of the template") -> tuple[int, ...]:
    """Return the numbers that a text names, as ``1-4,7``; ``what``: what they are numbers of. Raises UsageError."""
    numbers: dict[int, None] = {}
    for part in filter(None, (part.strip() for part in text.replace("–", "-").split(","))):
        first, dash, last = (one.strip() for one in part.partition("-"))
        if not (first.isdecimal() and (not dash or last.isdecimal())) or int(last or first) > MOST_STEPS:
            raise UsageError(f"{part[:20]!r} is not the number of a {what}.", "Give numbers, as in 1-4,7.")
        numbers |= dict.fromkeys(range(int(first), int(last or first) + 1))
    return tuple(numbers)
