"""What the planner says of itself: the way it took, how much it understood, and what its dates are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.domain.loop.tasks import Approach
from workbench.domain.plan.plan import Question
from workbench.guided.approaches import way_of
from workbench.guided.draft import Draft
from workbench.guided.language import READS
from workbench.guided.parts import TELL
from workbench.guided.phrases import listed

OFFLINE = "Offline planner: rules and short tables, no language model."

TOLD_LATER = "The steps are those that you told: nothing is added."
_OWN = "The steps are what you asked for, in your words: nothing is added."
_NO_PRACTICE = "I have no practice for this."
_MAY_BE = "This may be {}; the plan holds none of its usual steps unless you say so."
NO_STEPS_YET = "You have not told the steps yet: answer the questions below, and your steps become the plan."
_OPEN = {
    "state": "says how things are, and not what is to be done",
    "conflict": "asks for things that may not go together",
    "what": "names nothing yet that could be done or seen",
}


def account_of(draft: Draft, approach: Approach | None, questions: Sequence[Question], tight: str) -> str:
    """Return the text of a plan's approach. ``tight``: why the time does not suffice."""
    course = "What you told" if draft.brief.told_steps else "The usual course"
    doubt = f"**{course} does not fit.** {tight}" if tight else ""
    lines = [doubt, *_way(draft, approach), " ".join(_understood(draft, questions)), f"*{OFFLINE}*"]
    return "\n\n".join(line for line in lines if line)


def _way(draft: Draft, approach: Approach | None) -> Iterator[str]:
    brief, core = draft.brief, draft.brief.core
    if brief.language != "en":
        yield f"{READS[brief.language]} A language model reads other languages (`--model`)."
    elif draft.imported:
        yield "The steps are those of your proposal."
    elif core is not None and not brief.is_vague:
        way = way_of(approach, core)
        yield f"**{way.title}.** {way.summary} Drawback: {way.drawback}" if way else f"**{core.title}.**"
        source = f", from the playbook of {core.author or core.source}" if core.source else ""
        why = "as you said" if brief.choice.confirmed else "by its words"
        yield f"Kind of work: {core.name}, {why}{source}."
    elif not brief.is_vague:
        told = any(one.key.startswith("told") for one in draft.work)
        near = brief.choice.near
        practice = _MAY_BE.format(near.name) if near else _NO_PRACTICE
        yield f"{practice} {TOLD_LATER if told else _OWN if draft.work else NO_STEPS_YET}"


def _understood(draft: Draft, questions: Sequence[Question]) -> Iterator[str]:
    """Yield how much was understood, in sentences."""
    brief = draft.brief
    if brief.is_vague:
        yield f"The goal {_OPEN.get(brief.vagueness, _OPEN['what'])}, so there are questions and no steps."
    if draft.notes:
        kept = listed([one.id for one in draft.notes])
        yield f"{kept} keep{'s' if len(draft.notes) == 1 else ''} your words: no step follows from them."
    asked = [one.id for one in questions if one.origin and one.origin.kind == "goal" and TELL not in one.text]
    if asked and not brief.is_vague:
        yield f"What I did not understand is asked in {listed(asked)}."
    unknown = [f"S{number}" for number, one in enumerate(draft.work, 1) if one.is_unknown]
    if unknown:
        verb, them = ("has", "it") if len(unknown) == 1 else ("have", "them")
        given = (
            "only the days that you gave stand there"
            if draft.brief.told_steps
            else "only the last possible day is given"
        )
        yield f"{listed(unknown)} {verb} no estimate: for {them} and what follows, {given}."
    if brief.core and brief.core.event and brief.day is None and draft.work:
        yield "No step has a date before the day is known."
    if any(one.effort for one in draft.work):
        yield "Efforts are assumptions."
