"""What matters most to a person: a constraint of its own, and part of a step's check, so that it is looked at."""

from __future__ import annotations

import re
from datetime import date

from workbench.domain.loop.tasks import Feedback
from workbench.domain.plan.plan import Constraint, Plan, Step
from workbench.guided.adding import add_constraint
from workbench.guided.editing import log_decision
from workbench.guided.feedback import Subject, subject_of, words_of
from workbench.guided.setting import Setting
from workbench.guided.wording import capital

Result = tuple[Plan, str, date | None]


def emphasise(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result:
    """Give weight to what matters: it is listed as a priority, and a step is checked for it."""
    phrase = _what_matters(said.text)
    item = subject.item
    if item is not None and subject.named and not isinstance(item, Constraint):
        phrase = f"{item.id} “{words_of(item)}” comes first when time or money gets short"
    place = _place(plan, said.text, item)
    plan, constraint = add_constraint(plan, f"Priority: {phrase}", setting.today, place)
    at = next((step.id for step in plan.steps if constraint in step.answers), "")
    note = f"{constraint} was added as a priority, and {at} is checked for it." if at else f"{constraint} was added."
    return log_decision(plan, f"Priority {constraint}: {phrase}.", f"Said in {said.id}.", (said.id,)), note, None


def _place(plan: Plan, text: str, item: object) -> int | None:
    """Return the place of the step that a text speaks of; None where it speaks of none."""
    step = item if isinstance(item, Step) else subject_of(text, plan, "steps").item
    return next((place for place, one in enumerate(plan.steps) if one == step), None)


def _what_matters(text: str) -> str:
    """Return what matters, without the words that say how much."""
    words = re.split(r"(?<=\w)[.!?](?:\s|$)", " ".join(text.split()))[0]
    for pattern in _LEADS:
        shorter = pattern.sub("", words, count=1)
        if shorter != words and len(shorter.split()) >= 1:
            words = shorter
            break
    return capital(words.strip(" .,;:!–—")) or "what was said"


_LEADS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:the\s+)?most\s+important(?:\s+thing)?(?:\s+(?:for|to)\s+(?:me|us))?\s+is\s+(?:that\s+)?",
        r"^(?:it\s+is|it['’]s)\s+(?:\w+\s+)?(?:crucial|essential|vital|important|critical|paramount)\s+(?:to\s+(?:me|us)\s+)?(?:that\s+)?",
        r"^.*?\bhow\s+important\s+it\s+is\s+(?:that\s+)?",
        r"^(?:please\s+)?pay\s+(?:\w+\s+){0,3}attention\s+to\s+",
        r"^(?:please\s+)?(?:focus|concentrate)\s+(?:more\s+)?on\s+",
        r"^(?:please\s+)?(?:make\s+(?:absolutely\s+)?sure|ensure|see\s+to\s+it)\s+(?:that\s+)?",
        r"^(?:please\s+)?(?:keep|bear)\s+in\s+mind\s+(?:that\s+)?",
        r"^(?:please\s+)?(?:be|take)\s+(?:\w+\s+)?careful?\s+(?:with|about|of)\s+",
        r"^(?:above\s+all|most\s+of\s+all|first\s+and\s+foremost)[,:]?\s+",
        r"^nothing\s+matters\s+more\s+(?:to\s+(?:me|us)\s+)?than\s+(?:that\s+)?",
    )
)
