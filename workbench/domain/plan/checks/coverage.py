"""Is everything answered that was asked for: constraints and feedback."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from rapidfuzz import fuzz

from workbench.domain.loop.tasks import Feedback, Finding
from workbench.domain.plan.checks.case import Case, quoted, wording
from workbench.domain.plan.checks.dates import about
from workbench.domain.plan.checks.days import day_of, deadlines, with_iso_dates
from workbench.domain.plan.checks.words import stems
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Item, Risk, Section, Step

SAME_TEXT = 90
"""Similarity, of 100, at which a constraint of the plan is taken for the one that was told."""

SHARED_WORDS = 0.6
"""Share of a constraint's telling words that an item has to have to answer it without naming it."""


def constraints_are_listed(case: Case) -> Iterator[Finding]:
    """Find constraints that were told, and that the plan neither lists nor answers."""
    listed = [item.text for _, item in case.every(Constraint)]
    for told in dict.fromkeys(case.constraints):
        if not any(_same(told, text) for text in listed) and not _taken_up(told, case):
            yield Finding(
                rule="constraints.missing",
                severity="major",
                text=f"The constraint {quoted(told)} stands nowhere in the plan.",
                section="constraints" if case.plan.section("constraints") else None,
                remedy="List it among the constraints, and say which step keeps it.",
            )


def constraints_are_answered(case: Case) -> Iterator[Finding]:
    """Find constraints of the plan for which nothing is done, decided or measured."""
    for section, item in case.every(Constraint):
        if item.id not in case.answered and not _taken_up(item.text, case):
            yield Finding(
                rule="constraints.unanswered",
                severity="major",
                text=f"Nothing in the plan answers {item.id} {quoted(item.text)}.",
                section=section.id,
                item=item.id,
                remedy=f"Name {item.id} in a step, decision or risk that keeps it, or add one.",
            )


def feedback_is_answered(case: Case) -> Iterator[Finding]:
    """Find feedback that was not handled, and that nothing in the plan names."""
    handled = {
        handled.feedback for handled in case.handled if handled.sections or handled.note or handled.kind == "question"
    }
    for said in case.feedback:
        if said.id not in handled and said.id not in case.answered:
            yield _unanswered(said)


def _unanswered(said: Feedback) -> Finding:
    return Finding(
        rule="feedback.unanswered",
        severity="major",
        text=f"Nothing in the plan answers {said.id} {quoted(said.text)}.",
        section=said.section,
        remedy=f"Amend what {said.id} speaks of, or say why not.",
    )


def _same(told: str, listed: str) -> bool:
    return set(stems(told)) == set(stems(listed)) or _is_same_text(told, listed)


def _is_same_text(told: str, listed: str) -> bool:
    return fuzz.ratio(told.casefold(), listed.casefold(), score_cutoff=SAME_TEXT) >= SAME_TEXT


def _taken_up(text: str, case: Case) -> bool:
    """Tell whether one item has most of a constraint's telling words, all its numbers among them, or dates keep it."""
    if _kept_by_dates(text, case):
        return True
    words = _words(text, case.today)
    numbers = {word for word in words if word[0].isdigit()}
    for section, item in case.placed:
        said = _said(section, item, case.today)
        if words and numbers <= said and len(words & said) >= SHARED_WORDS * len(words):
            return True
    return False


def _kept_by_dates(text: str, case: Case) -> bool:
    """Tell whether a text is a deadline of the whole that a criterion's date or the dates of all steps keep."""
    limit = max(deadlines(text, case.today), default=None)
    if limit is None or about(text, case.today):
        return False
    due = [day for _, item in case.every(Criterion) if (day := day_of(item.due))]
    ends = [day_of(step.end) for step in case.plan.steps]
    return any(day <= limit for day in due) or (bool(ends) and all(end is not None and end <= limit for end in ends))


@lru_cache(maxsize=20_000)
def _words(text: str, today: date) -> frozenset[str]:
    return frozenset(stems(with_iso_dates(text, today)))


def _said(section: Section, item: Item, today: date) -> frozenset[str]:
    """Return the telling words of an item that can answer something; none for constraints and open questions."""
    match item:
        case Step():
            texts = (item.title, item.outcome, item.check)
        case Criterion():
            texts = (item.text, item.measure, f"{item.target} {item.due or ''}")
        case Risk():
            texts = (item.text, item.response, item.sign)
        case Decision():
            texts = (item.text, item.reason, "")
        case Bullet() if section.id != "constraints":
            texts = (wording(item), "", "")
        case _:
            return frozenset()
    return _words(" . ".join(texts), today)
