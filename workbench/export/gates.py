"""What a gate is about, in lines: everything that a person needs in order to decide, the same in every interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from workbench.domain.loop.asking.tasks import Approach, Finding
from workbench.domain.loop.deciding.convergence import settled_findings_text, unused
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.loop.deciding.goal_values import unused_values
from workbench.domain.loop.deciding.offers import offers_of
from workbench.domain.loop.plan_findings import is_open
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.changing.operations import RemoveItem
from workbench.domain.plan.plan import Decision, Question, wording
from workbench.domain.plan.references import filled
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.tables import one_line
from workbench.export.statements import became

_WIDEST = 70
"""Characters of an approach in one line."""
_FEW_PAST = 3
"""Steps whose dates have passed that are told one by one."""
Tone = Literal["", "head", "quiet", "alert"]


class Line(NamedTuple):
    """A line of what a gate is about."""

    text: str
    tone: Tone = ""
    key: str = ""
    """What is typed in a terminal for it; "" for nothing."""


def gate_lines(state: SessionState, gate: Gate) -> Iterator[Line]:
    """Yield what a person is to know at a gate, above its answers."""
    match gate.kind:
        case "approach":
            yield from _approaches(state)
        case "question":
            yield from (Line(f"{number}. {text}") for number, text in enumerate(state.questions, 1) if number > 1)
        case "removal":
            yield from _removals(state)
        case "checkpoint":
            plan = state.plan
            yield from (
                line._replace(text=line.text if plan is None else filled(line.text, plan)) for line in _round(state)
            )
        case _:
            pass


def _approaches(state: SessionState) -> Iterator[Line]:
    above = ""
    for number, approach in enumerate(state.approaches, start=1):
        template = approach.template.partition(":")[0]
        if plans_without_model(state):
            yield Line(_in_a_line(number, approach, is_variant=bool(template) and template == above))
        else:
            yield from approach_lines(number, approach)
        above = template
    for title, lines in (("What must hold", state.constraints), ("Assumed", state.assumptions)):
        if lines:
            yield Line(title, "head")
            yield from (Line(f"· {line}") for line in lines)


def _in_a_line(number: int, approach: Approach, *, is_variant: bool) -> str:
    """Return what a person needs in order to look closer: the title, how many steps, and when it fits.

    ``is_variant``: the line above names its template.
    """
    count = len(approach.outline)
    title = f"… {approach.title.partition(': ')[2]}" if is_variant else approach.title
    steps = f"{count} step{'' if count == 1 else 's'}" if count else ""
    told = shorten(" · ".join(filter(None, (f"{number}. {title}", steps, approach.summary))), _WIDEST)
    return f"{told[:-1].rpartition(' ')[0].rstrip(' ·')} …" if told.endswith("…") else told


def approach_lines(number: int, approach: Approach) -> Iterator[Line]:
    """Yield all of an approach."""
    yield Line(f"{number}. {approach.title}", "head")
    yield Line(approach.summary)
    yield from (Line(f"· {step}", "quiet") for step in approach.outline)
    yield from (Line(f"+ {point}") for point in approach.advantages)
    yield from (Line(f"− {point}") for point in approach.drawbacks)
    if approach.fits:
        yield Line(f"Fits when: {approach.fits}")


def _removals(state: SessionState) -> Iterator[Line]:
    items = {item.id: item for item in state.plan.items} if state.plan is not None else {}
    for removal in state.removals:
        if isinstance(removal, RemoveItem) and removal.item in items:
            yield Line(f"{removal.item} {wording(items[removal.item])}")


def _round(state: SessionState) -> Iterator[Line]:
    """Yield what the last round came to: answers first, then what is not used, found, asked and to be decided."""
    accounts = state.accounts
    now = state.told_now
    is_first = not state.feedback
    told = [one for one in accounts if (one.state in ("answered", "declined") if is_first else one.statement.id in now)]
    handled = state.iterations[-1].handled if state.iterations else ()
    if told:
        yield Line("What became of what you said", "head")
        yield from (
            Line(f"{one.statement.id} “{one.statement.text}”: {became(one)}") for one in told if not one.is_open
        )
    if plans_without_model(state) or not accounts:
        yield from (Line(line) for one in handled for line in one.line.split("\n"))
    left = unused(state, state.plan)
    if left:
        yield Line("Not used yet", "head")
        yield from (Line(f"{one.statement.id} “{one.statement.text}”{_left(one.note)}") for one in left)
    for chip in unused_values(state):
        ways = " or ".join(f"“{meaning.command}”" for meaning in chip.meanings)
        yield Line(f"Your goal names {chip.told}: not used. The command {ways} uses it.")
    yield from _findings(state.findings)
    if dealt_with := settled_findings_text(state):
        yield Line(dealt_with, "quiet")
    yield from _question_lines(state)
    for offer in offers_of(state):
        yield Line(f"{offer.repair.label} — {offer.consequence}", "quiet", f"r {offer.number}")


def _left(note: str) -> str:
    return f": {one_line(note)}" if note else ""


def in_short(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Return findings with one for all steps of an older plan whose dates have passed, if these are many."""
    past = [finding for finding in findings if finding.rule == "dates.past"]
    if len(past) <= _FEW_PAST:
        return findings
    named = ", ".join(one.item for one in past if one.item)
    text = f"{len(past):,} steps are still to do, and their dates have passed: {named}."
    whole = Finding(rule="dates.past", severity="major", text=text, remedy="Give them dates that are still to come.")
    return (whole, *(one for one in findings if one.rule != "dates.past"))


def _findings(findings: tuple[Finding, ...]) -> Iterator[Line]:
    standing = [finding for finding in findings if is_open(finding)]
    for severity in ("major", "minor"):
        found = [one for one in standing if one.severity == severity]
        if found:
            yield Line(f"{severity.capitalize()} findings", "head")
        for one in in_short(found):
            remedy = f" {one.remedy}" if one.remedy else ""
            yield Line(f"{one.text}{remedy}", "alert" if severity == "major" else "")
    for one in findings:
        if one.disputed:
            yield Line(f"Disputed by the verifier: {one.text} — {one.disputed}", "quiet")


def _question_lines(state: SessionState) -> Iterator[Line]:
    items = state.plan.items if state.plan is not None else ()
    questions = [item for item in items if isinstance(item, Question)]
    if questions:
        yield Line("Questions for you", "head")
        for one in questions:
            yield Line(f"{one.id} {one.text}{f' Assumed: {one.assumption}' if one.assumption else ''}")
    decisions = [item for item in items if isinstance(item, Decision) and item.is_open]
    if decisions:
        how = "" if plans_without_model(state) else f": to take one, answer “{decisions[0].id}: …” as feedback"
        yield Line(f"Decisions that wait{how}", "head")
        for decision in decisions:
            facts = ", ".join(filter(None, (decision.owner, decision.latest and f"by {decision.latest}")))
            assumed = f" Assumed: {decision.assumed}" if decision.assumed else ""
            yield Line(f"{decision.id} {decision.text}{f' ({facts})' if facts else ''}{assumed}")
