"""Can the risks be met: a sign, and something that is done about it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.completeness import SAYS_NOTHING
from workbench.domain.plan.checks.days import days_in, with_iso_dates
from workbench.domain.plan.plan import Risk
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
    r"\b(?:rent|book|reserve|hire|buy|order|insure|train|install|sign|fetch|borrow|print|test|copy|check|ask)s?\b",
    re.IGNORECASE,
)
_IN_CASE = re.compile(r"\b(?:if|in case|then|would|should|otherwise|could|can)\b", re.IGNORECASE)
"""Words of a response that is kept for the case."""
