"""Can the risks be met: a sign before it is too late, and something that is done about it in time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.completeness import SAYS_NOTHING
from workbench.domain.plan.checks.days import days_in, rough_days_in, with_iso_dates
from workbench.domain.plan.plan import Risk, Step
from workbench.domain.text.words import stem_set, stems

_EMPTY = """
    hope wait see react reaction handle deal careful carefully attention watch happen happens occur occurs situation
    case
    appropriate measures action necessary needed solve solution respond response spontaneous flexible flexibly best try
    adapt cope manage monitor keep eye quickly fast soon immediately somehow somebody someone problem issue arise arises
    notice noticed risk obvious apparent luck improvise mitigate suitable accordingly good take steps find way look
"""
_SAYS_NOTHING = SAYS_NOTHING | stem_set(_EMPTY)
_TOO_LATE = re.compile(
    r"\b(?:next (?:time|year|edition)|afterwards|in hindsight|lessons? learn\w*|retrospective|post-?mortem"
    r"|after (?:it|that|this) (?:has )?happen\w*)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\bafter (?:the )?([^,.;]+)", re.IGNORECASE)


def risks_have_signs_and_responses(case: Case) -> Iterator[Finding]:
    """Find risks that nobody would notice, or that nothing is done about."""
    for section, risk in case.every(Risk):
        place = (section, risk)
        is_grave = risk.likelihood == "high" and risk.impact == "high"
        telling = frozenset(stems(risk.sign)) - _SAYS_NOTHING
        if not telling or telling <= frozenset(stems(risk.text)):
            why = "has no sign" if not risk.sign.strip() else f"has no sign before it happens: {quoted(risk.sign)}"
            text = f"{risk.id} {quoted(risk.text)} {why}."
            remedy = f"Say what would be noticed first if {risk.id} came."
            yield fault("risks.sign", "minor", place, text, remedy)
        if not frozenset(stems(risk.response)) - _SAYS_NOTHING:
            why = "has no response" if not risk.response.strip() else f"has none but {quoted(risk.response)}"
            text = f"{risk.id} {quoted(risk.text)} {why}."
            remedy = f"Say who does what about {risk.id}, and when."
            yield fault("risks.response", "major" if is_grave else "minor", place, text, remedy)


def responses_come_in_time(case: Case) -> Iterator[Finding]:
    """Find responses that begin when the risk has struck or the plan is over."""
    ends = [day for step in case.plan.steps if (day := day_of(step.end or step.on))]
    dues = [
        day for item in case.plan.items if (day := day_of(getattr(item, "due", None) or getattr(item, "day", None)))
    ]
    events = [step for step in case.plan.steps if step.on and stems(step.title)]
    windows = _windows(case)
    for section, risk in case.every(Risk):
        struck, acted = days_in(risk.text, case.today), days_in(risk.response, case.today)
        signs = _days_of_signs(case, risk)
        late = _TOO_LATE.search(risk.response)
        if late and len(stems(risk.response)) <= _FEW_WORDS:
            why = f"is met only {quoted(late[0])}"
        elif after := next((step for step in events if _comes_after(risk.response, step)), None):
            why = f"is met only after {after.id} {quoted(after.title)}"
        elif acted and struck and min(acted) > max(struck):
            why = f"is met on {min(acted)}, after {max(struck)}"
        elif signs and ends and min(signs) > max([*ends, *dues]):
            why = f"shows only on {min(signs)}, when the plan is over"
        elif signs and (closed := _closed(windows, risk.response, min(signs))):
            why = f"shows only on {min(signs)}, and {closed[1].id} says that its response is possible until {closed[0]}"
        else:
            continue
        text = f"{risk.id} {quoted(risk.text)} {why}."
        yield fault("risks.late", "minor", (section, risk), text, f"Move the response of {risk.id} before the damage.")


def _days_of_signs(case: Case, risk: Risk) -> list[date]:
    """Return the days on which a sign can be seen first: those it names, and the beginnings of steps it names."""
    named = (case.steps[name] for name in _STEP.findall(risk.sign) if name in case.steps)
    began = [day for step in named if (day := day_of(step.start))]
    return [*rough_days_in(risk.sign, case.today), *began]


def _windows(case: Case) -> list[tuple[date, Step, frozenset[str]]]:
    """Return until when something is possible, as steps say it: day, step, and the telling words of the sentence."""
    windows = []
    for step in case.plan.steps:
        for sentence in re.split(r"[.;]\s", f"{step.outcome}. {step.check}. {step.notes}"):
            last = _UNTIL.search(with_iso_dates(sentence, case.today)) if _POSSIBLE.search(sentence) else None
            day = day_of(last[1]) if last else None
            if day:
                windows.append((day, step, frozenset(stems(sentence))))
    return windows


def _closed(windows: list[tuple[date, Step, frozenset[str]]], response: str, sign: date) -> tuple[date, Step] | None:
    """Return what has closed for a response when its sign can be seen first."""
    words = frozenset(stems(response))
    same = ((day, step) for day, step, said in windows if day < sign and len(words & said) >= _SAME_MATTER)
    return next(same, None)


_STEP = re.compile(r"\bS\d+\b")
_UNTIL = re.compile(r"\b(?:until|till|by|before|up to)(?: the)? (\d{4}-\d{2}-\d{2})", re.IGNORECASE)
_POSSIBLE = re.compile(
    r"\b(?:can|may|free|option\w*|possible|allowed?|right to|refund\w*|valid|binding)\b", re.IGNORECASE
)
_SAME_MATTER = 2
"""Telling words that a response shares with what a step says about until when something is possible."""
_FEW_WORDS = 8
"""Telling words up to which a response is nothing but late."""


def _comes_after(response: str, event: Step) -> bool:
    wanted = frozenset(stems(event.title))
    return any(wanted <= frozenset(stems(match[1])) for match in _AFTER.finditer(response))
