"""Questions whose answers change the plan, the ones that change it most first; seven at most.

what cannot be ▸ kind of work ▸ day ▸ the steps ▸ who agrees ▸ money, time and help ▸ how it is seen
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

import msgspec

from workbench.domain.facts.ledger import Stated
from workbench.domain.facts.reckoning import reckon
from workbench.domain.plan.calendar import day_of
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.guided import patterns
from workbench.guided.brief import MEANT, Brief
from workbench.guided.parts import SEEN, TELL
from workbench.guided.phrases import listed, thing_of

MOST = 7
"""Questions of a plan."""
FIRST = 5
"""Questions before there are approaches; the others stand in the plan."""
_TABLE = patterns.table("questions")
VAGUE: dict[str, str] = _TABLE["vague"]
"""What a goal is asked that names nothing."""
TIGHT = "What is left out, who helps, or which later day holds?"
STEPS = "“{}”: what has to be done for it, one step after another? {}"
HOW_TO_TELL = f"{TELL}, and say with each who does it, how long it takes and its latest day, where you know."
USUAL = "{} I know these steps: {}. Which steps does yours have? {}"
MISSED = "Such work often has these steps, too: {}. Which of them does yours need?"
UNSETTLED = "“{}”: who can settle that, by when, and what is done if the answer is no?"
UNTOLD = "You asked for {}, and told no step for that: which steps make it?"
FOREIGN: dict[str, str] = _TABLE["english"]
"""What is asked of a goal in another language; then in that language, where it is known."""
HELP = "How much money and time is there for it, and who helps?"
BEFORE = "Who has to agree or be told early, and how long does their answer take?"
DEADLINE = "By which day does it have to be done?"


_MOST_NAMED = 8


class Asked(msgspec.Struct, frozen=True):
    """A question, and what the plan assumes until it is answered."""

    text: str
    assumption: str = ""
    facts: tuple[str, ...] = ()
    """Ids of the facts that it asks about."""


def questions_of(brief: Brief, left: tuple[Stated, ...] = (), first: Sequence[str] = ()) -> list[Asked]:
    """Return the questions that are open: ``first`` those that the plan itself raises.

    ``left``: facts that nothing in the plan acts on.
    """
    every = (*map(Asked, first), *_all(brief, left))
    unanswered = (asked for asked in every if not brief.answer_to(asked.text))
    return list({asked.text: asked for asked in unanswered}.values())[:MOST]


def raised(tight: str, missed: Sequence[str], untold: Sequence[str], unsettled: Sequence[str]) -> Iterator[str]:
    """Yield the questions that a plan itself raises.

    ``tight``: why the time does not suffice. ``missed``: steps that such work usually has, and that the person did not
    tell. ``untold``: what the goal asks for, and no told step makes. ``unsettled``: what is not known or decided yet.
    """
    if tight:
        yield f"{tight} {TIGHT}"
    for text, titles in ((MISSED, missed), (UNTOLD, untold)):
        if titles:
            yield text.format(listed([f"“{shorten(one, 60)}”" for one in titles[:_MOST_NAMED]]))
    yield from (UNSETTLED.format(shorten(one, 120)) for one in unsettled)


def _all(brief: Brief, left: tuple[Stated, ...]) -> Iterator[Asked]:
    yield from _about_what_cannot_be(brief, left)
    if brief.language != "en":
        yield from map(Asked, _in_their_language(brief))
        return
    if brief.is_vague:
        facts = tuple(one.id for one in brief.facts if one.source == "goal")
        thing = (
            re.sub(r"^\S+ | (?:\w+er|more \w+|less \w+|\w+)$", "", brief.title) if brief.vagueness == "more" else "it"
        )
        slots = {
            "thing": thing_of(brief.title) or thing,
            "goal": shorten(brief.goal.strip(" ."), 80),
            "tell": HOW_TO_TELL,
        }
        texts = _TABLE["open"].get(brief.vagueness, VAGUE.values())
        yield from (Asked(text.format_map(slots), facts=facts) for text in texts)
        return
    if kind := brief.choice.question:
        yield Asked(kind, "None of these: the plan holds your own words.")
    yield from _about_the_rest(brief)
    asked = (
        one for one in left if stems(one.fact.text) and not (one.fact.doubt and one.fact.type in ("date", "amount"))
    )
    yield from map(_about, asked)


def _about_what_cannot_be(brief: Brief, left: tuple[Stated, ...]) -> Iterator[Asked]:
    """Yield what follows by arithmetic from what was said, and what contradicts itself."""
    certain = {one.fact.value.first for one in brief.of("date") if not one.fact.doubt}
    corrected = {name for one in brief.days_of_the_whole for name in brief.stands_for(one)}
    for one in brief.facts:
        is_settled = one.fact.value.first in certain and one.fact.type == "date"
        is_settled |= (
            _is_past(one, brief.today)
            or one.fact.doubt.endswith("is past")
            or ("currency" in one.fact.doubt and one not in left)
        )
        is_settled |= one.id in corrected
        is_settled |= one.source != "goal" and one.fact.doubt.startswith(("when is", "until its", "each week"))
        if one.fact.doubt and one.fact.type in ("date", "amount") and not is_settled:
            words = " ".join(one.fact.text.split())
            asked = f"“{shorten(words, 60)}”: {one.fact.doubt}"
            if MEANT.match(asked) is None:  # else the doubt is a question itself: "which currency?"
                asked = f"{asked.rstrip('.?')}. Which is meant?"
            yield Asked(asked, facts=(one.id,))
    for finding in reckon(brief.reckoned, brief.today):
        if finding.severity == "major" and finding.rule not in ("reckoning.date", "reckoning.amount"):
            yield Asked(f"{finding.text} {finding.remedy}")
    yield from (Asked(pair.question) for pair in brief.conflicts)


def _in_their_language(brief: Brief) -> Iterator[str]:
    """Yield the questions in English and, where that is known, in the language of the goal."""
    words = re.findall(r"[^\W\d_]+", brief.goal.casefold())
    known: dict[str, dict[str, str]] = _TABLE["foreign"]
    by_letters = (one for one in known.values() if "letters" in one and re.search(one["letters"], brief.goal))
    spoken = {name: len(set(words) & set(one.get("words", "").split())) for name, one in known.items()}
    nearest = max(spoken, key=lambda name: spoken[name])
    texts = next(by_letters, known[nearest] if spoken[nearest] > 1 else {})
    for name, text in FOREIGN.items():
        asked = text.format(tell=HOW_TO_TELL)
        yield f"{asked} {texts[name]}" if texts else asked


def _is_past(stated: Stated, today: date) -> bool:
    last = day_of(stated.fact.value.last)
    return stated.fact.role in ("deadline", "on") and last is not None and last < today


def _about(stated: Stated) -> Asked:
    words = shorten(" ".join(stated.fact.text.split()), 80)
    doubt = f" {stated.fact.doubt.rstrip('.')}." if stated.fact.doubt else ""
    if stated.fact.type == "unread":
        return Asked(f"What does “{words}” mean for the plan?{doubt}", "Nothing: it was not understood.", (stated.id,))
    return Asked(f"What is “{words}” for?{doubt}", "It stands in your words and changes no step.", (stated.id,))


def _about_the_rest(brief: Brief) -> Iterator[Asked]:
    """Yield what has to be known of the work; nothing that was answered already, to a question in other words."""
    core = brief.core
    is_open = brief.deadline is None or (brief.window is not None and core is not None and core.event)
    is_asked = any(one.fact.doubt or _is_past(one, brief.today) for one in brief.of("date"))
    has_a_day = core is None and any(one.fact.role != "mention" for one in brief.of("date"))
    if is_open and not (has_a_day or is_asked or any(brief.of("date", "start"))) and not brief.was_asked(_WHEN):
        yield Asked(core.deadline if core else DEADLINE)
    if not brief.was_asked(TELL):
        kind = core or brief.choice.near
        keys = kind.way(next(iter(kind.approaches), None)) if kind else ()
        usual = listed([f"“{brief.fill(kind.steps[key].title)}”" for key in keys[:_MOST_NAMED]]) if kind else ""
        known = f"If it is {kind.name}," if kind and core is None else "Of such work"
        text = USUAL.format(known, usual, HOW_TO_TELL) if usual else STEPS.format(shorten(brief.title, 70), HOW_TO_TELL)
        yield Asked(text, facts=() if core or brief.main is None else (brief.main.id,))
    told = " ".join(one.answer for one in brief.answers)
    is_told = any(part.kind == "duty" for part in brief.parts) or re.search(_AGREEING, told, re.IGNORECASE) is not None
    if not is_told and not brief.was_asked("agree"):
        yield Asked(BEFORE)
    has_money = any(one.fact.value.currency for one in brief.of("amount")) or brief.has_said("budget")
    if not (has_money and any(brief.of("capacity"))) and not brief.was_asked("money|cost"):
        yield Asked(HELP)
    if core is None and not brief.was_asked("see (?:it|that)|number"):
        yield Asked(SEEN)


_AGREEING = r"agree|approv|consent|permi(?:t|ssion)|licen[cs]e|sign(?:ed|s|-off| off)\b"
_WHEN = patterns.WHEN.pattern + "|which day"
