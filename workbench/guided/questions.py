"""Questions whose answers change the plan, the ones that change it most first; seven at most.

kind of work ▸ what was not understood ▸ day ▸ size ▸ money ▸ what the kind needs to know ▸ who decides ▸ how long
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from workbench.domain.facts.ledger import Stated
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.guided.brief import Brief

MOST = 7
"""Questions of a plan."""
FIRST = 4
"""Questions before there are approaches; the others stand in the plan."""
VAGUE = {
    "better": "What exactly would be better than today?",
    "whom": "For whom would it be better?",
    "when": "By when?",
    "see": "How would you see it, in numbers?",
}
"""What a goal is asked that names nothing."""
SUCCESS = "How would you see that it has worked, in numbers?"
COST = "What may it cost in all?"
DECIDES = "Who decides, and who has to agree before it goes on?"
DEADLINE = "By which day does it have to be done?"


_TOGETHER = r"we\b|our\b|company|team|office|department|school|staff|employees|board|clinic|customers"
"""Words of somebody who does not decide alone."""
_SIZE = r"\d[\d.,]*[- ](?:pages?|words?|chapters?|rooms?|people|person|users?|m²|square|records?|accounts?)\b"


class Asked(msgspec.Struct, frozen=True):
    """A question, and what the plan assumes until it is answered."""

    text: str
    assumption: str = ""
    facts: tuple[str, ...] = ()
    """Ids of the facts that it asks about."""


def questions_of(brief: Brief, left: tuple[Stated, ...] = ()) -> list[Asked]:
    """Return the questions that are open. ``left``: facts that nothing in the plan acts on."""
    unanswered = (asked for asked in _all(brief, left) if not brief.answer_to(asked.text))
    return list({asked.text: asked for asked in unanswered}.values())[:MOST]


def _all(brief: Brief, left: tuple[Stated, ...]) -> Iterator[Asked]:
    if brief.language != "en":
        return
    if brief.is_vague:
        facts = tuple(one.id for one in brief.facts if one.source == "goal")
        yield from (Asked(text, facts=facts) for text in VAGUE.values())
        return
    if kind := brief.choice.question:
        yield Asked(kind, "None of these: the plan holds your own words.")
    yield from (_about(one) for one in left if stems(one.fact.text))
    yield from _about_limits(brief)


def _about(stated: Stated) -> Asked:
    words = shorten(" ".join(stated.fact.text.split()), 80)
    doubt = f" {stated.fact.doubt.rstrip('.')}." if stated.fact.doubt else ""
    if stated.fact.type == "unread":
        return Asked(f"What does “{words}” mean for the plan?{doubt}", "Nothing: it was not understood.", (stated.id,))
    return Asked(f"What is “{words}” for?{doubt}", "It stands in your words and changes no step.", (stated.id,))


def _about_limits(brief: Brief) -> Iterator[Asked]:
    core = brief.core
    if brief.deadline is None or brief.is_day_rough:
        yield Asked(core.deadline if core else DEADLINE)
    if core is None:
        if not brief.choice.question:
            yield Asked(SUCCESS)
        return
    has_size = any(True for role in ("count", "target") for _ in brief.of("amount", role)) or any(brief.of("capacity"))
    if core.size and not has_size and not brief.has_said(_SIZE):
        yield Asked(core.size, "A usual size: the efforts follow it.")
    if core.money and brief.budget is None:
        yield Asked(COST)
    for question in core.questions:
        if not brief.has_said(question.said) and (not question.only or brief.has_said(question.only)):
            yield Asked(brief.fill(question.ask), brief.fill(question.assume))
    if core.decides and brief.has_said(_TOGETHER) and not brief.has_said("approv|sign|agree|decid|permi"):
        yield Asked(DECIDES, "You alone.")
