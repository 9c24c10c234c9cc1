"""The facts that a person stated, as the loop reads them, and hands them to the roles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from msgspec.structs import replace

from workbench.domain.facts.ledger import GOAL, LONGEST_TOLD, Stated, dismissal, named_days, stated
from workbench.domain.facts.reader import read_facts
from workbench.domain.loop.tasks import Accounted, Feedback, Handled
from workbench.domain.plan.plan import Plan, Question
from workbench.domain.requests.context import listed
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import shorten


def _sources(state: SessionState) -> Iterator[tuple[str, str]]:
    """Yield what the person said, each with the name it has in the ledger."""
    yield GOAL, state.goal
    for number, answered in enumerate(state.answers, start=1):
        if answered.answer and not answered.picks:
            yield f"A{number}", answered.answer
    for feedback in state.feedback:
        yield feedback.id, feedback.text


_ASKED = re.compile(
    r"(?i)(?:^|(?<=[.!?;\n]\s)|(?<=\n))\W{0,3}(?:(?:and|but|so|or) )?(?:what|why|how|who|when|where|which|"
    r"if|suppose|imagine)\b[^.!?\n]*\?"
)
"""A question of the person, which states nothing."""


def unread_facts(state: SessionState) -> say.FactsRead | None:
    """Return the facts in the first text of the person that was not read yet; None where all are read."""
    unread = next(((source, text) for source, text in _sources(state) if source not in state.read), None)
    if unread is None:
        return None
    source, text = unread
    known = tuple(state.facts)
    dismissed, rest = dismissal(text, known) if source != GOAL else ((), text)
    rest = rest if source == GOAL else _ASKED.sub(_blank, _without_questions(rest, state.plan))
    facts = stated(read_facts(rest, date.fromisoformat(state.today), named_days(known)), source, known)
    return say.FactsRead(source=source, facts=facts, dismissed=dismissed)


def _without_questions(text: str, plan: Plan | None) -> str:
    """Blank the ids of the plan's questions, with a yes or no to them.

    A note on Q1 speaks of no quarter, unless it says "in Q1" or "Q1 2027".
    """
    ids = [item.id for item in plan.items if isinstance(item, Question)] if plan else []
    if not ids:
        return text
    named = rf"\b(?:{'|'.join(ids)})\b"
    said = r"(?:: *(?:yes|no|ok)(?=\s*(?:[.,;!\n]|$)))?"
    return re.sub(rf"(?i){_NO_QUARTER}{named}(?!\s*(?:20)?\d\d\b){said}", _blank, text)


_NO_QUARTER = "".join(
    rf"(?<!\b{word} )" for word in ("in", "by", "of", "until", "till", "before", "during", "from", "after")
)


def _blank(match: re.Match[str]) -> str:
    """Return spaces in place of words, so that the places of the others stay."""
    return " " * len(match[0])


def stated_facts(state: SessionState) -> tuple[Stated, ...]:
    """Return what the person stated, without what they took back; long words are cut, as the goal has them whole."""
    kept = (entry.stated for entry in state.ledger if entry.status != "dismissed")
    return tuple(replace(one, fact=replace(one.fact, text=shorten(one.fact.text, LONGEST_TOLD))) for one in kept)


def accounted_facts(state: SessionState) -> Iterator[Accounted]:
    """Yield what became of what the person stated, without what they took back."""
    for entry in state.ledger:
        if entry.status != "dismissed":
            words = shorten(entry.stated.fact.text, LONGEST_TOLD)
            yield Accounted(id=entry.stated.id, text=words, status=entry.status, items=entry.acted_on)


def without_dismissals(state: SessionState) -> Iterator[tuple[Feedback, tuple[str, ...], str]]:
    """Yield open feedback with the facts that it takes back, and what it says besides."""
    gone = [fact for fact in state.facts if fact.id in state.dismissed]
    for feedback in state.open_feedback:
        facts, rest = dismissal(feedback.text, gone)
        yield feedback, facts, rest.strip(" .\n") if facts else feedback.text


def with_dismissals(state: SessionState, handled: tuple[Handled, ...]) -> tuple[Handled, ...]:
    """Return what became of feedback, with the facts that it takes back: that needs no planner."""
    answered = {one.feedback for one in handled}
    done = (
        Handled(feedback=one.id, kind="remove", outcome="done", note=f"{listed(facts)} dismissed.")
        for one, facts, rest in without_dismissals(state)
        if facts and (not rest or one.id in answered)
    )
    return (*done, *handled)
