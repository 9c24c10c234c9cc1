"""Ways to reach a goal, where its kind of work truly has several; else the one way, or the person's own words.

Brief ─▶ core's approaches, at most three ─▶ Approach* ─▶ (a person chooses) ─▶ way_of(approach, core)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.domain.loop.tasks import Approach, Feedback, ProposeReply, ProposeTask
from workbench.domain.text.words import stems
from workbench.guided import patterns
from workbench.guided.brief import Brief
from workbench.guided.cores import Core, CoreApproach
from workbench.guided.language import READS
from workbench.guided.placement import limits_of
from workbench.guided.questions import FIRST, questions_of

OWN_WORDS = "Your own words"
ENOUGH_TOLD = 3
"""Steps that a person told from which on they are the plan, and those of a kind of work are only asked about."""


def propose(task: ProposeTask, brief: Brief) -> ProposeReply:
    """Return approaches; for a vague goal, or one whose kind has to be asked, questions and nothing else."""
    questions = questions_of(brief)[:FIRST] if task.may_ask and not task.answers else []
    only_questions = bool(questions) and (brief.is_vague or bool(brief.choice.question))
    return ProposeReply(
        approaches=() if only_questions else _approaches(brief, task.feedback, task.previous),
        constraints=() if brief.is_vague or brief.language != "en" else limits_of(brief),
        assumptions=(),
        questions=tuple(one.text for one in questions),
    )


def way_of(approach: Approach | None, core: Core) -> CoreApproach | None:
    """Return the way that an approach stands for; the first where nobody chose, None where a core has one way."""
    title = approach.title.strip().casefold() if approach else ""
    return next((one for one in core.approaches if one.title.casefold() == title), next(iter(core.approaches), None))


def _approaches(brief: Brief, feedback: Sequence[Feedback], previous: Sequence[Approach]) -> tuple[Approach, ...]:
    core = brief.core
    if core is None or len(brief.told_steps) >= ENOUGH_TOLD:
        return (_own_words(brief),)
    said = frozenset(stems(" ".join(one.answer for one in brief.answers)))
    offered = [way for way in core.approaches if not way.only or brief.has_said(way.only)]
    offered.sort(key=lambda way: -len(said.intersection(stems(way.title))))
    ways = _preferred(offered, feedback, previous)
    if not ways:
        outline = tuple(brief.fill(core.steps[key].title) for key in core.steps)
        return (Approach(id="A1", title=core.title, summary=f"The usual course of {core.name}.", outline=outline),)
    return tuple(
        Approach(
            id=f"A{number}",
            title=way.title,
            summary=way.summary,
            outline=tuple(brief.fill(core.steps[key].title) for key in way.steps),
            drawbacks=(way.drawback,),
        )
        for number, way in enumerate(ways, 1)
    )


def _own_words(brief: Brief) -> Approach:
    why = READS.get(
        brief.language,
        "The steps are those that you told."
        if brief.told_steps
        else "No kind of work that I know is near, so that the plan holds your words and what I would need to know.",
    )
    return Approach(id="A1", title=OWN_WORDS, summary=why)


_ORDINALS = ("first", "second", "third")


def _preferred(
    ways: Sequence[CoreApproach], feedback: Sequence[Feedback], previous: Sequence[Approach]
) -> list[CoreApproach]:
    """Return the ways in the order that feedback asks for: what is named comes first, what is refused goes."""
    kept = list(ways)
    for said in feedback:
        text = said.text.casefold()
        titles = [one.title for one in previous] or [one.title for one in kept]
        named = {
            title
            for number, title in enumerate(titles, 1)
            if re.search(rf"\b(?:a|option |approach |number )?{number}\b", text)
            or (number <= len(_ORDINALS) and f"the {_ORDINALS[number - 1]}" in text)
            or set(re.findall(r"[a-z]{5,}", title.casefold())) & set(re.findall(r"[a-z]{5,}", text))
        }
        if patterns.REFUSES.search(text):
            kept = [way for way in kept if way.title not in named] or kept
        else:
            kept.sort(key=lambda way: way.title not in named)
    return kept
