"""What is missing, and what is assumed meanwhile.

A question is asked only where its answer changes the plan and the goal does not give it; each has the assumption that
the plan is built on until somebody answers.
"""

from __future__ import annotations

import re

import msgspec

from workbench.guided.setting import Setting
from workbench.guided.wording import filled

MONTHS = 12
"""A day up to this number could be a month as well."""


class OpenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """Something not known, with what is assumed."""

    text: str
    assumption: str
    owner: str


def open_questions(setting: Setting) -> tuple[OpenQuestion, ...]:
    """Return what is not known, what changes the plan most first."""
    brief, field = setting.brief, setting.field
    questions: list[OpenQuestion] = []
    if brief.past and brief.deadline is None:
        gone = brief.past[0]
        questions.append(
            OpenQuestion(
                text=f"{gone.day.isoformat()} has passed already: when must it be finished instead?",
                assumption="As soon as the work allows; the plan gives the date.",
                owner=setting.decider,
            )
        )
    elif brief.deadline is None:
        questions.append(
            OpenQuestion(
                text="When must it be finished, and what happens if it is later?",
                assumption="No fixed date: the plan begins today and gives the date that the work leads to.",
                owner=setting.decider,
            )
        )
    if field.money and not brief.budget:
        questions.append(
            OpenQuestion(
                text="What may it cost, in money and in people's time?",
                assumption="Every expense is approved one by one until a budget is given.",
                owner=setting.decider,
            )
        )
    questions += [
        OpenQuestion(
            text=filled(question.text, setting.words),
            assumption=filled(question.assumption, setting.words),
            owner=filled(question.owner, setting.words),
        )
        for question in field.questions
        if not (question.told and re.search(question.told, brief.goal, re.IGNORECASE))
        and not _answered(filled(question.text, setting.words), setting)
    ]
    if not brief.decider and not field.alone:
        questions.insert(
            min(2, len(questions)),
            OpenQuestion(
                text="Who decides when opinions differ?",
                assumption=f"That is for {setting.the_decider}, within two working days.",
                owner=setting.decider,
            ),
        )
    return tuple(questions)


def assumptions(setting: Setting) -> tuple[str, ...]:
    """Return what the plan takes for granted: the field's assumptions, and how ambiguous words were read."""
    stated = [filled(text, setting.words) for text in setting.field.assumptions]
    stated += [
        f"“{moment.text}” is read day first, as {moment.day.isoformat()}."
        for moment in setting.brief.moments
        if re.fullmatch(r"\d{1,2}/\d{1,2}/\d{2,4}", moment.text) and moment.day.day <= MONTHS
    ]
    return tuple(stated)


def _answered(question: str, setting: Setting) -> bool:
    return question.casefold() in setting.brief.answered
