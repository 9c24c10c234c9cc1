"""Questions whose answers change the plan, the ones that change it most first; seven at most.

kind of work ▸ what was not understood ▸ day ▸ size ▸ money ▸ what the kind needs to know ▸ who decides ▸ how long
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import msgspec

from workbench.domain.facts.ledger import Stated
from workbench.domain.facts.reckoning import reckon
from workbench.domain.plan.calendar import day_of
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.guided import patterns
from workbench.guided.brief import Brief
from workbench.guided.phrases import thing_of

MOST = 7
"""Questions of a plan."""
FIRST = 4
"""Questions before there are approaches; the others stand in the plan."""
_TABLE = patterns.table("questions")
VAGUE: dict[str, str] = _TABLE["vague"]
"""What a goal is asked that names nothing."""
TIGHT = "What is left out, who helps, or which later day holds?"
SO_FAR = "“{}”: what is there of it already, what is missing, and how long does the rest take?"
EACH = "Which of the {} is begun already, who answers for each, and how long does each take?"
HELP = "How many hours a week are there for it, and who helps?"
HELP_AND_MONEY = "How much money and how many hours a week are there for it, and who helps?"
WISHES = "“{}” and “{}”: who decides between them, and by when?"
BEFORE = "Who has to agree before it begins, and how long does their answer take?"
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


def questions_of(brief: Brief, left: tuple[Stated, ...] = (), tight: str = "") -> list[Asked]:
    """Return the questions that are open.

    ``left``: facts that nothing in the plan acts on. ``tight``: why the time does not suffice; "" where it does.
    """
    every = [*([Asked(f"{tight} {TIGHT}")] if tight else []), *_all(brief, left)]
    unanswered = (asked for asked in every if not brief.answer_to(asked.text))
    return list({asked.text: asked for asked in unanswered}.values())[:MOST]


def _all(brief: Brief, left: tuple[Stated, ...]) -> Iterator[Asked]:
    yield from _about_what_cannot_be(brief, left)
    if brief.language != "en":
        yield from map(Asked, _TABLE["open"]["foreign"])
        return
    if brief.is_vague:
        facts = tuple(one.id for one in brief.facts if one.source == "goal")
        thing = (
            re.sub(r"^\S+ | (?:\w+er|more \w+|less \w+|\w+)$", "", brief.title) if brief.vagueness == "more" else "it"
        )
        slots = {"thing": thing_of(brief.title) or thing, "goal": shorten(brief.goal.strip(" ."), 80)}
        texts = _TABLE["open"].get(brief.vagueness, VAGUE.values())
        yield from (Asked(text.format_map(slots), facts=facts) for text in texts)
        return
    if kind := brief.choice.question:
        yield Asked(kind, "None of these: the plan holds your own words.")
    asked = (
        one for one in left if stems(one.fact.text) and not (one.fact.doubt and one.fact.type in ("date", "amount"))
    )
    yield from map(_about, asked)
    yield from _about_limits(brief)


def _about_what_cannot_be(brief: Brief, left: tuple[Stated, ...]) -> Iterator[Asked]:
    """Yield what follows by arithmetic from what was said, and what contradicts itself."""
    certain = {one.fact.value.first for one in brief.of("date") if not one.fact.doubt}
    for one in brief.facts:
        is_settled = one.fact.value.first in certain and one.fact.type == "date"
        is_settled |= (
            _is_past(one, brief.today)
            or one.fact.doubt.endswith("is past")
            or ("currency" in one.fact.doubt and one not in left)
        )
        if one.fact.doubt and one.fact.type in ("date", "amount") and not is_settled:
            words = " ".join(one.fact.text.split())
            yield Asked(f"“{shorten(words, 60)}”: {one.fact.doubt.rstrip('.?')}. Which is meant?", facts=(one.id,))
    for finding in reckon(brief.reckoned, brief.today):
        if finding.severity == "major" and finding.rule not in ("reckoning.date", "reckoning.amount"):
            yield Asked(f"{finding.text} {finding.remedy}")
    yield from (Asked(pair.question) for pair in brief.conflicts)


def _is_past(stated: Stated, today: date) -> bool:
    last = day_of(stated.fact.value.last)
    return stated.fact.role in ("deadline", "on") and last is not None and last < today


def _about_own_words(brief: Brief) -> Iterator[Asked]:
    """Yield what has to be known of work that no practice fits."""
    wanted = [part for part in brief.parts if part.kind == "want" and part.stated.source == "goal" and not part.is_head]
    if len(wanted) == 1:
        yield Asked(SO_FAR.format(shorten(wanted[0].title, 90)))
    elif wanted:
        yield Asked(EACH.format(_NUMBERS.get(len(wanted), str(len(wanted)))))
    wishes = [part.text for part in brief.parts if patterns.WISHES.search(part.text)]
    if len(wishes) > 1:
        yield Asked(WISHES.format(shorten(wishes[0], 80), shorten(wishes[1], 80)))
    if not any(part.kind == "duty" for part in brief.parts):
        yield Asked(BEFORE)
    has_money = any(one.fact.value.currency for one in brief.of("amount")) or brief.has_said("budget")
    if not has_money or not any(brief.of("capacity")):
        yield Asked(HELP if has_money else HELP_AND_MONEY)


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def _about(stated: Stated) -> Asked:
    words = shorten(" ".join(stated.fact.text.split()), 80)
    doubt = f" {stated.fact.doubt.rstrip('.')}." if stated.fact.doubt else ""
    if stated.fact.type == "unread":
        return Asked(f"What does “{words}” mean for the plan?{doubt}", "Nothing: it was not understood.", (stated.id,))
    return Asked(f"What is “{words}” for?{doubt}", "It stands in your words and changes no step.", (stated.id,))


def _about_limits(brief: Brief) -> Iterator[Asked]:
    core = brief.core
    is_open = brief.deadline is None or (brief.window is not None and core is not None and core.event)
    is_asked = any(_is_past(one, brief.today) for one in brief.of("date"))
    has_a_day = core is None and any(one.fact.role != "mention" and not one.fact.doubt for one in brief.of("date"))
    if is_open and not has_a_day and not is_asked and not any(brief.of("date", "start")):
        yield Asked(core.deadline if core else DEADLINE)
    if core is None:
        yield from _about_own_words(brief)
        return
    has_size = any(True for role in ("count", "target") for _ in brief.of("amount", role)) or any(brief.of("capacity"))
    if core.size and not has_size and not brief.has_said(_SIZE):
        yield Asked(core.size, "A usual size: the efforts follow it.")
    has_money = any(one.fact.value.currency for one in brief.of("amount")) or brief.has_said("budget")
    if core.money and not has_money:
        yield Asked(COST)
    for question in core.questions:
        if not brief.has_said(question.said) and (not question.only or brief.has_said(question.only)):
            yield Asked(brief.fill(question.ask), brief.fill(question.assume))
    if core.decides and brief.has_said(_TOGETHER) and not brief.has_said("approv|sign|agree|decid|permi"):
        yield Asked(DECIDES, "You alone.")
