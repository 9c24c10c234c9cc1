"""Everything the guided planner knows of one goal, gathered once for whichever task is asked.

goal · answers · constraints ─▶ Brief ─┐
                kind of goal ─▶ Field ─┼─▶ Setting ─▶ approaches · draft · amendments
      field, topic, own words ─▶ words ─┘
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from workbench.domain.loop.tasks import Answered
from workbench.guided import knowledge
from workbench.guided.knowledge import Field
from workbench.guided.reading import Brief, read_brief


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A goal as it was understood."""

    today: date
    brief: Brief
    kind: str
    """Id of the kind of goal."""
    field: Field
    words: dict[str, str]
    """What stands for the ``{words}`` of the knowledge tables."""

    @property
    def decider(self) -> str:
        """Who decides, as an owner: the person named, else the role that usually does."""
        return self.words["Decider"]

    @property
    def the_decider(self) -> str:
        """Who decides, inside a sentence: ``Anna``, ``the sponsor``, ``you``."""
        return self.words["decider"]


def read_setting(
    goal: str, today: str, *, answers: Sequence[Answered] = (), constraints: Sequence[str] = ()
) -> Setting:
    """Read a goal with its answers and constraints, as of ``today`` (ISO date)."""
    day = date.fromisoformat(today)
    brief = read_brief(goal, day, answers=answers, constraints=constraints)
    kind = knowledge.kind_of(brief.goal, brief.objective.title)
    field = knowledge.field(kind)
    words = {"thing": "the result", **field.words, **knowledge.topic_words(brief.goal)}
    words["thing"] = brief.objective.thing or words["thing"]
    if brief.objective.target and "target" in field.words:
        words["target"] = brief.objective.target
    words["Decider"] = _role(brief.decider) or field.decider
    words["decider"] = _in_a_sentence(brief.decider, field.decider)
    return Setting(today=day, brief=brief, kind=kind, field=field, words=words)


def _in_a_sentence(named: str, role: str) -> str:
    if _role(named):
        return _role(named)
    return "you" if role == "You" else f"the {role[:1].lower()}{role[1:]}"


def _role(answer: str) -> str:
    """Return an answer as the name of an owner, "" where it is more than a name."""
    return answer.strip(" .") if 0 < len(answer) <= 40 and len(answer.split()) <= 4 else ""
