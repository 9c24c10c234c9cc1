"""Does a step's check prove anything: more than that whoever did it says so, or than the outcome said again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.completeness import SAYS_NOTHING, says_something
from workbench.domain.plan.checks.criteria import AFTER_THE_END
from workbench.domain.plan.checks.quantities import NUMBER_WORDS, count_of
from workbench.domain.plan.plan import Section, Step
from workbench.domain.text.words import stem_set, stems

_EMPTY = """
    exist outcome result good well success successful satisfied expected correct proper properly problem issue right
    planned place available present achieved reached there works function functioning happened happy desired
    described order everything all goal
"""
_SAYING = """
    check checked confirm confirms see seen look looks verify verified ensure sure say says state states think feel
    believe judge know report reports tell convinced opinion view owner responsible person myself himself herself
"""
_EVIDENCE = re.compile(
    r"\b(?:confirmations?|e-?mails?|letters?|signatures?|signed|initials?|stamps?|receipts?|photos?|photographs?|lists?"
    r"|records?|protocols?|minutes|notes?|slips?|statements?|cop(?:y|ies)|registers?|forms?|logs?|reports?|tickets?)\b",
    re.IGNORECASE,
)
_PROVES_NOTHING = SAYS_NOTHING | stem_set(_EMPTY) | stem_set(_SAYING)


_DENIES = re.compile(r"\b(?:no|not|none|nobody|nothing|without|never|only)\b|\d", re.IGNORECASE)
_MOST = 0.75
"""Share of the telling words of an outcome that a check has to have, and no others, to be the outcome again."""


def _says_again(telling: frozenset[str], text: str) -> bool:
    """Tell whether a check has no other words than a text, and most of them."""
    words = frozenset(stems(text)) - _PROVES_NOTHING
    return telling <= words and len(telling) >= _MOST * len(words)


def checks_prove_something(case: Case) -> Iterator[Finding]:
    """Find checks in which a step's owner says that it is done, and those that only repeat the outcome."""
    for section, step in case.every(Step):
        if not says_something(step.check) or step.status in ("done", "dropped"):
            continue
        if (day := _only_on(step)) and (last := _last_day(case)) and (day - last).days > AFTER_THE_END:
            yield _finding(section, step, f"can be made only about {day:%B %Y}, long after the plan ends on {last}")
            continue
        if _MARKED.search(step.check):
            yield _finding(section, step, "shows only that somebody has marked it as done")
            continue
        shown = {word.lower() for word in _EVIDENCE.findall(step.check)}
        if shown - {word.lower() for word in _EVIDENCE.findall(f"{step.title} {step.outcome}")}:
            continue
        telling = frozenset(stems(step.check)) - _PROVES_NOTHING - frozenset(stems(step.owner))
        if not telling:
            why = "tells nobody but its owner whether it is so"
        elif any(_says_again(telling, text) for text in (step.outcome, step.title)) and not _DENIES.search(step.check):
            why = "says the outcome again"
        else:
            continue
        yield _finding(section, step, why)


_MARKED = re.compile(
    r"^(?:the |this )?(?:step|task|item|ticket)s? (?:is|are|has been|was) (?:\w+ )?"
    r"(?:marked|ticked|set|shown|reported|entered|checked off|crossed off|noted)\b[^.;,]*$"
    r"|^(?:marked|ticked|status|reported)\b[^.;,]*\b(?:done|complete[d]?|finished|closed)\b[^.;,]*$",
    re.IGNORECASE,
)
"""A whole check that tells of a tick in a list, and of nothing that was done."""


_LATER = re.compile(
    r"\b(?:in|after|by) (?:the |its )?(?P<nth>second|third|fourth|fifth) (?:\w+ )?(?:year|summer|winter|spring|autumn"
    rf"|season|harvest)\b|\b(?:after|in) (?P<after>\d{{1,3}}|{NUMBER_WORDS}) (?P<unit>year|month)s\b"
    rf"|\b(?P<later>\d{{1,3}}|{NUMBER_WORDS}) (?P<units>year|month)s (?:later|afterwards|on)\b",
    re.IGNORECASE,
)
_NTH = {"second": 1, "third": 2, "fourth": 3, "fifth": 4}
_DAYS = {"year": 365, "month": 30}


def _only_on(step: Step) -> date | None:
    """Return about when a check can be made that speaks of a later year or month; None where it speaks of none."""
    match, end = _LATER.search(step.check), day_of(step.end or step.on)
    if match is None or end is None:
        return None
    if match["nth"]:
        return end + timedelta(days=365 * _NTH[match["nth"].lower()])
    unit = (match["unit"] or match["units"]).lower()
    return end + timedelta(days=count_of(match["after"] or match["later"]) * _DAYS[unit])


def _last_day(case: Case) -> date | None:
    names = ("start", "end", "on", "deadline", "due", "day")
    known = (day_of(getattr(item, name, None)) for _, item in case.placed for name in names)
    return max(filter(None, known), default=None)


def _finding(section: Section, step: Step, why: str) -> Finding:
    text = f"The check of {step.id}, {quoted(step.check)}, {why}."
    remedy = f"Say what somebody else looks at, counts or tries to find out whether {step.id} is done."
    return fault("steps.proof", "minor", (section, step), text, remedy)
