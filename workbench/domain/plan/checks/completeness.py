"""Is everything there that a plan needs: criteria that can be measured, steps that can be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, quoted
from workbench.domain.plan.checks.words import stem, stems
from workbench.domain.plan.plan import Criterion, Step

_EMPTY = """
    finished complete done ready ok okay tbd tba todo step task work clear n na yes fine known open later define decide
    check nothing
"""
_SAYS_NOTHING = frozenset(map(stem, _EMPTY.split()))
"""Stems of words that, alone, tell nobody how a step is checked or what comes out of it."""

_VAGUE = re.compile(
    r"\b(?:good|better|best|nice|fast|faster|quick(?:ly)?|soon|easy|easier|user-friendly|intuitive|sufficient(?:ly)?"
    r"|adequate(?:ly)?|appropriate(?:ly)?|reasonable|reasonably|significant(?:ly)?|substantial(?:ly)?|some|many|few"
    r"|several|acceptable|satisfactory|high quality|as possible|improved?|enough|modern|robust|smooth(?:ly)?)\b",
    re.IGNORECASE,
)


def has_criteria_and_steps(case: Case) -> Iterator[Finding]:
    """Find a plan without criteria or steps: nothing says what success is, or what is done for it."""
    if next(case.every(Criterion), None) is None:
        yield Finding(
            rule="criteria.none",
            severity="major",
            text="The plan has no success criterion.",
            remedy="Say how success is measured, against which target and until when.",
        )
    if not case.plan.steps:
        yield Finding(rule="steps.none", severity="major", text="The plan has no step.", remedy="Add the steps.")


def criteria_are_measurable(case: Case) -> Iterator[Finding]:
    """Find criteria without a measure or a target (the M of SMART), and targets that are a matter of taste."""
    for section, item in case.every(Criterion):
        for field, value in (("measure", item.measure), ("target", item.target)):
            if not _says_something(value):
                yield Finding(
                    rule=f"criteria.{field}",
                    severity="major",
                    text=f"{item.id} {quoted(item.text)} has no {field}.",
                    section=section.id,
                    item=item.id,
                    remedy=f"Give {item.id} a {field}.",
                )
        if (vague := _VAGUE.search(item.target)) and not re.search(r"\d", item.target):
            yield Finding(
                rule="criteria.vague",
                severity="minor",
                text=f"The target of {item.id} is vague: {quoted(vague[0])} means something else to everybody.",
                section=section.id,
                item=item.id,
                remedy=f"Give {item.id} a number, a date or a state that anybody can see.",
            )


def steps_are_complete(case: Case) -> Iterator[Finding]:
    """Find steps without outcome or check, and, less grave, without owner or effort."""
    for section, step in case.every(Step):
        missing = (
            ("outcome", _says_something(step.outcome), "major", "Say what exists when it is done."),
            ("check", _is_check(step), "major", "Say how somebody else can tell that it is done."),
            ("owner", bool(step.owner.strip()), "minor", "Name a role or a person."),
            ("effort", step.effort is not None, "minor", "Estimate it in working days: low, likely, high."),
        )
        for field, present, severity, remedy in missing:
            if not present:
                yield Finding(
                    rule=f"steps.{field}",
                    severity="major" if severity == "major" else "minor",
                    text=f"{step.id} {quoted(step.title)} has no {field}.",
                    section=section.id,
                    item=step.id,
                    remedy=remedy,
                )


def efforts_are_ordered(case: Case) -> Iterator[Finding]:
    """Find three-point estimates that do not go from low over likely to high, or are of nothing."""
    for section, step in case.every(Step):
        effort = step.effort
        if effort and not (0 <= effort.low <= effort.likely <= effort.high and effort.high > 0):
            yield Finding(
                rule="steps.effort-order",
                severity="major",
                text=f"The effort of {step.id} does not go from low over likely to high.",
                section=section.id,
                item=step.id,
                remedy=f"Correct the estimate of {step.id}.",
            )


def ids_are_unique(case: Case) -> Iterator[Finding]:
    """Find ids that name two items."""
    seen: set[str] = set()
    for section, item in case.placed:
        if item.id in seen:
            yield Finding(
                rule="ids.twice",
                severity="major",
                text=f"The id {item.id} is given to two items.",
                section=section.id,
                item=item.id,
                remedy="Give the later one an id of its own.",
            )
        seen.add(item.id)


def _says_something(text: str) -> bool:
    return any(stem(word) not in _SAYS_NOTHING for word in stems(text))


def _is_check(step: Step) -> bool:
    """Tell whether a check is more than the title once more, or a word for being done."""
    repeats = fuzz.ratio(step.check.casefold(), step.title.casefold(), score_cutoff=95) > 95
    return _says_something(step.check) and not repeats
