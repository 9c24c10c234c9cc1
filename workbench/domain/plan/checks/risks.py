"""Can the risks be met: a sign, and something that is done about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.completeness import SAYS_NOTHING
from workbench.domain.plan.checks.dates import deadline
from workbench.domain.plan.checks.days import days_in, rough_days_in, with_iso_dates
from workbench.domain.plan.checks.spans import stated_lead
from workbench.domain.plan.plan import Constraint, Risk, Step
from workbench.domain.text.words import stem_set, stems

_EMPTY = """
    hope wait see react reaction handle deal careful carefully attention watch happen happens occur occurs situation
    case
    appropriate measures action necessary needed solve solution respond response spontaneous flexible flexibly best try
    adapt cope manage monitor keep eye quickly fast soon immediately somehow somebody someone problem issue arise arises
    notice noticed risk obvious apparent luck improvise mitigate suitable accordingly good take steps find way look
"""
_SAYS_NOTHING = SAYS_NOTHING | stem_set(_EMPTY)


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


def signs_come_in_time(case: Case) -> Iterator[Finding]:
    """Find risks whose sign shows only after the last day on which the response is still possible."""
    for section, risk in case.every(Risk):
        seen = _first_seen(case, risk)
        last = _last_day(case, risk.response) or _last_day_elsewhere(case, risk.response) if seen else None
        lead, end = stated_lead(risk.response), deadline(case)
        if not last and lead and end:
            last = end - timedelta(days=lead[0]), lead[1]
        if seen and last and seen > last[0]:
            text = (
                f"The sign of {risk.id} shows on {seen} at the earliest, and its response is possible until {last[0]} "
                f"({quoted(last[1])})."
            )
            remedy = f"Find an earlier sign of {risk.id}, or a response that is still possible then."
            yield fault("risks.late", "major", (section, risk), text, remedy)


def _first_seen(case: Case, risk: Risk) -> date | None:
    """Return the day on which a sign shows: the one it names, or the first end of the steps that it names."""
    if days := days_in(risk.sign, case.today) or rough_days_in(risk.sign, case.today):
        return None if _BEFORE.search(with_iso_dates(risk.sign, case.today)) else max(days)
    named = [case.steps[name] for name in _STEP.findall(risk.sign) if name in case.steps]
    return min((day for step in named if (day := day_of(step.start or step.on))), default=None)


def _last_day(case: Case, response: str) -> tuple[date, str] | None:
    """Return the last day on which a response can begin, and the words that say so."""
    for clause in re.split(r"[.;]\s|, (?=and\b|but\b)", with_iso_dates(response, case.today)):
        match = _UNTIL.search(clause)
        if match and (day := day_of(match["day"])):
            return day, match[0].strip()
    return None


_UNTIL = re.compile(
    r"\b(?:(?:if|when|once|provided)\b[^.;,]{0,60}?\b(?:by|before|until|till|no later than)"
    r"|(?:free|open|possible|held|hold|holds|reserved|kept|keeps?|valid|option|offer|cancel\w*|reduc\w*|refund\w*|return\w*"
    r"|withdraw\w*|change\w*|confirm\w*|order\w*|book\w*|apply|applied|register\w*|tell|told|notice|decid\w*|only)\b"
    r"[^.;]{0,60}?\b(?:by|before|until|till|no later than|up to))"
    r" (?:the )?(?P<day>\d{4}-\d{2}-\d{2})",
    re.IGNORECASE,
)
"""A last day for a response: "if we confirm by", "can be cancelled free of charge until"."""
_BEFORE = re.compile(r"\b(?:before|earlier than|ahead of) \d{4}", re.IGNORECASE)
"""A sign that shows some time before a day."""


def _last_day_elsewhere(case: Case, response: str) -> tuple[date, str] | None:
    """Return the last day that a step or a constraint sets for what a response does."""
    words = _openings(response)
    for _, item in case.placed:
        if isinstance(item, Step | Constraint):
            text = f"{item.title}. {item.outcome}. {item.notes}" if isinstance(item, Step) else item.text
            for clause in re.split(r"[.;]\s", text):
                last = _last_day(case, clause)
                if last and len(_openings(clause) & words) >= _FEW:
                    return last
    return None


def responses_are_carried_out(case: Case) -> Iterator[Finding]:
    """Find responses that get something by a day, and that no step carries out."""
    steps = [_openings(f"{step.title}. {step.outcome}. {step.notes}. {step.cost_kind}") for step in case.plan.steps]
    for section, risk in case.every(Risk):
        gets = _GETS.search(risk.response)
        if not gets or not days_in(risk.response, case.today) or _IN_CASE.search(risk.response) or not steps:
            continue
        words = _openings(_DATE.sub(" ", with_iso_dates(risk.response, case.today)))
        names_a_step = any(name in case.steps for name in _STEP.findall(risk.response))
        if not names_a_step and max(len(words & said) for said in steps) < min(_FEW, len(words)):
            text = f"No step carries out the response of {risk.id}, {quoted(risk.response)}."
            remedy = f"Add a step for it, or name in {risk.id} the step that does it."
            yield fault("risks.undone", "minor", (section, risk), text, remedy)


def _openings(text: str) -> frozenset[str]:
    return frozenset(word[:_OPENING] for word in stems(text) if not word[0].isdigit())


_OPENING, _FEW = 5, 3
"""Letters that two forms of a word share, and the words that a step shares with a response that it carries out."""
_STEP = re.compile(r"\bS\d+\b")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_GETS = re.compile(
    r"(?<!the )(?<!a )\b(?:rent|book|reserve|hire|buy|order|insure|train|install|sign|fetch|borrow|print|test|copy"
    r"|check|ask)s?\b",
    re.IGNORECASE,
)
_IN_CASE = re.compile(r"\b(?:if|in case|then|would|should|otherwise|could|can)\b", re.IGNORECASE)
"""Words of a response that is kept for the case."""
