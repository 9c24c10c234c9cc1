"""Questions answered from the plan itself; what it does not know becomes an open question.

Nothing else of the plan changes: who asks does not ask for a change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Feedback
from workbench.domain.plan.forecast import forecast
from workbench.domain.plan.plan import Bullet, Constraint, Item, Plan, Question, Risk, Step
from workbench.domain.plan.schedule import Schedule
from workbench.guided.adding import add_question
from workbench.guided.amounts import find_amounts
from workbench.guided.dates import spoken
from workbench.guided.feedback import Subject
from workbench.guided.limits import deadline_of
from workbench.guided.rendering import schedule_of
from workbench.guided.setting import Setting
from workbench.guided.wording import capital, counted, in_a_sentence, listed, telling_words

Result = tuple[Plan, str, date | None]


def respond(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result:
    """Answer from the plan, or note the question as open."""
    text = told_by(plan, said.text, subject, setting)
    if text:
        return plan, text, None
    known = _open_already(plan, said.text)
    if known is not None:
        return plan, f"Not known yet; {known.id} asks it. The plan assumes: {known.assumption}", None
    plan, question = add_question(plan, _as_question(said.text), setting.decider)
    return plan, f"The plan has no answer; {question} now asks {setting.the_decider}.", None


def told_by(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    """Return what the plan says to a question; "" where it says nothing."""
    fitting = (answer for pattern, answer in _ANSWERS if re.search(pattern, text, re.IGNORECASE))
    return next((told for answer in fitting if (told := answer(plan, text, subject, setting))), "")


def _as_question(text: str) -> str:
    words = " ".join(text.split())
    return re.sub(r"^(?:and|but|so|then|ok(?:ay)?|hm+)\b,?\s+", "", words, flags=re.IGNORECASE)


def _schedule(plan: Plan, setting: Setting) -> Schedule | None:
    try:
        return schedule_of(plan, deadline_of(plan, setting.today)) if plan.steps else None
    except PlanUnsound:
        return None


def _path(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del text, subject
    dates = _schedule(plan, setting)
    return (
        f"The critical path is {' → '.join(dates.critical_path)}; a day lost there is a day lost at the end."
        if dates
        else ""
    )


def _total(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del text
    dates = _schedule(plan, setting)
    if dates is None:
        return ""
    if isinstance(subject.item, Step) and subject.item.effort:
        step, effort = subject.item, subject.item.effort
        return f"{step.id} takes about {effort.expected:.0f} working days, from {step.start} to {step.end}."
    days = f"{dates.expected_days:.0f} working days"
    return f"About {days} along the critical path; the expected finish is {spoken(dates.finish)}."


def _in_time(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del text, subject
    dates = _schedule(plan, setting)
    deadline = deadline_of(plan, setting.today)
    if dates is None or deadline is None or dates.slack_days is None:
        return ""
    if dates.slack_days < 0:
        return (
            f"Not as it stands: {counted(-dates.slack_days, 'working day')} are missing before {deadline.isoformat()}."
        )
    chance = forecast(dates, deadline=deadline).chance or 0.0
    return (
        f"Slack before {deadline.isoformat()}: {counted(dates.slack_days, 'working day')}. By the estimates "
        f"alone, the chance is about {min(chance, 0.99):.0%}."
    )


def _parallel(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del text, subject, setting
    together = [
        f"{one.id} and {other.id}"
        for place, one in enumerate(plan.steps)
        for other in plan.steps[place + 1 :]
        if one.start and other.start and one.end and other.end and one.start <= other.end and other.start <= one.end
    ]
    return (
        f"At the same time run {listed(together[:5])}." if together else "None: each step waits for the one before it."
    )


def _who(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del plan
    if re.search(r"\b(?:decide|decides|sign|signs|approve|approves|last\s+word)\b", text, re.IGNORECASE):
        return f"That is for {setting.the_decider}."
    if not isinstance(subject.item, Step):
        return ""
    named = re.findall(r"\b(\w{5,})\b", text.casefold())
    step = subject.item
    if not any(word[:6] in telling_words(f"{step.title} {step.outcome}") for word in named):
        return ""
    return f"{capital(in_a_sentence(step.owner))} owns {step.id} “{step.title}”."


def _when(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del plan, text, setting
    step = subject.item
    return (
        f"{step.id} “{step.title}” runs from {step.start} to {step.end}."
        if isinstance(step, Step) and step.start
        else ""
    )


def _about(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del setting
    item = subject.item
    if isinstance(item, Step) and (subject.named or re.search(r"\bwhy\b|\bwhat\b", text, re.IGNORECASE)):
        needed = [step.id for step in plan.steps if item.id in step.needs]
        reason = f" {listed(needed)} {'needs' if len(needed) == 1 else 'need'} it." if needed else ""
        return f"{item.id} “{item.title}”. What comes out of it: {item.outcome}. It is done when: {item.check}.{reason}"
    return ""


def _risk(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del setting, subject
    item = _nearest(text, [item for item in plan.items if isinstance(item, Risk)])
    return f"{item.id}: {item.text} Then: {item.response}" if isinstance(item, Risk) else ""


def _money(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del text, subject
    limits = [
        item
        for item in plan.items
        if isinstance(item, Constraint) and any(amount.kind == "money" for amount in find_amounts(item.text))
    ]
    if limits:
        return f"The plan is held to {listed([f'{item.id} “{item.text}”' for item in limits])}."
    asked = next(
        (item for item in plan.items if isinstance(item, Question) and re.search(r"\bcost|budget\b", item.text)), None
    )
    del setting
    return f"No sum is known; {asked.id} asks for it. The plan assumes: {asked.assumption}" if asked else ""


def _assumed(plan: Plan, text: str, subject: Subject, setting: Setting) -> str:
    del subject
    section = plan.section("assumptions")
    found = _nearest(text, list(section.items)) if section else None
    if isinstance(found, Bullet):
        return f"{found.id}: {found.text}"
    return _money(plan, text, Subject(Step), setting) if re.search(r"budget|money|cost", text, re.IGNORECASE) else ""


_ANSWERS: tuple[tuple[str, Callable[[Plan, str, Subject, Setting], str]], ...] = (
    (r"\bcritical\s+path\b", _path),
    (r"\bassum\w+\b", _assumed),
    (
        r"\b(?:in\s+time|on\s+time|make\s+it|likely|chance|feasible|meet\s+the\s+(?:date|deadline)|enough\s+time)\b",
        _in_time,
    ),
    (r"\b(?:parallel|same\s+time|side\s+by\s+side|simultaneous\w*)\b", _parallel),
    (r"\bhow\s+(?:long|many\s+(?:days|weeks|months))\b", _total),
    (r"\bwho\b|\bwhose\b", _who),
    (r"^(?:\W*(?:and|but|so)\b)?\W*when\b|\b(?:what|which)\s+(?:day|date|time)\b|\bby\s+when\b", _when),
    (r"\b(?:what\s+(?:happens|if)|if\b.*\?)", _risk),
    (r"\b(?:budget|how\s+much)\b|\bcosts?\b", _money),
    (r"\b(?:why|what|understand|explain|comes?\s+out|mean)\b", _about),
)


def _nearest(text: str, items: list[Item]) -> Item | None:
    said = telling_words(text)
    best = max(items, key=lambda item: len(said & telling_words(getattr(item, "text", ""))), default=None)
    return best if best is not None and said & telling_words(getattr(best, "text", "")) else None


def _open_already(plan: Plan, text: str) -> Question | None:
    said = telling_words(text)
    for item in plan.items:
        if isinstance(item, Question) and len(said & telling_words(item.text)) >= max(2, len(said) // 2):
            return item
    return None
