"""Can the risks be met: a sign, and something that is done about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, openings, quoted
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
    names = frozenset(stems(" ".join(step.owner for step in case.plan.steps)))
    for section, risk in case.every(Risk):
        place = (section, risk)
        is_grave = risk.likelihood == "high" and risk.impact == "high"
        telling = frozenset(stems(risk.sign)) - _SAYS_NOTHING
        if not telling or telling <= frozenset(stems(risk.text)):
            why = "has no sign" if not risk.sign.strip() else f"has no sign before it happens: {quoted(risk.sign)}"
            text = f"{risk.id} {quoted(risk.text)} {why}."
            remedy = f"Say what would be noticed first if {risk.id} came."
            yield fault("risks.sign", "minor", place, text, remedy)
        if not frozenset(stems(risk.response)) - _SAYS_NOTHING - names:
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
    r"\b(?:(?:if|when|once|provided)\b[^.;,]{0,60}?\b(?:by|before|until|till|no later than)|(?:free|open|possible|held"
    r"|hold|holds|reserved|kept|keeps?|valid|option|offer|cancel\w*|reduc\w*|refund\w*|return\w*|withdraw\w*|change\w*"
    r"|confirm\w*|order\w*|book\w*|apply|applied|register\w*|tell|told|notice|decid\w*|only)\b[^.;]{0,60}?\b(?:by"
    r"|before|until|till|no later than|up to)) (?:the )?(?P<day>\d{4}-\d{2}-\d{2})",
    re.IGNORECASE,
)
"""A last day for a response: "if we confirm by", "can be cancelled free of charge until"."""
_BEFORE = re.compile(r"\b(?:before|earlier than|ahead of) \d{4}", re.IGNORECASE)
"""A sign that shows some time before a day."""


def _last_day_elsewhere(case: Case, response: str) -> tuple[date, str] | None:
    """Return the last day that a step or a constraint sets for what a response does."""
    words = openings(response)
    for _, item in case.placed:
        if isinstance(item, Step | Constraint):
            text = f"{item.title}. {item.outcome}. {item.notes}" if isinstance(item, Step) else item.text
            for clause in re.split(r"[.;]\s", text):
                last = _last_day(case, clause)
                if last and len(openings(clause) & words) >= _FEW:
                    return last
    return None


_FEW = 3
"""Words that a line shares with a response that it sets a last day for."""


def responses_can_work(case: Case) -> Iterator[Finding]:
    """Find responses that count on what their own words say is gone."""
    for section, risk in case.every(Risk):
        match = _GONE.search(risk.response)
        if match:
            text = f"The response of {risk.id}, {quoted(risk.response)}, cannot work: {quoted(match[0])}."
            remedy = f"Find a response to {risk.id} with what will be there."
            yield fault("risks.gone", "major", (section, risk), text, remedy)


_IS_GONE = (
    r"(?:pulled|torn|taken|knocked|shut|closed|broken) down|demolished|sold|scrapped|dismantled|dissolved|given (?:up"
    r"|back|away)|handed back|returned|discontinued|cancelled|expired|ended|retired|closed|shut|out of (?:order"
    r"|service|use|stock)|no longer \w+|gone|burnt(?: down)?|removed|taken away|destroyed|deleted|erased|abolished"
    r"|disbanded|bankrupt|deceased|withdrawn|lapsed"
)
_GONE = re.compile(
    rf"\b(?:which|that|who) (?:was|were|is|are|has been|have been|had been|has|have|had) (?:already |since |now "
    rf"|long )?(?:{_IS_GONE})\b(?! (?:if|when|then|by|until|on|from)\b)|\b(?:which|that|who) (?:left|no longer"
    rf"|does not exist|do not exist)\b",
    re.IGNORECASE,
)
_STEP = re.compile(r"\bS\d+\b")
