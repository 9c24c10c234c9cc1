"""Can the criteria be measured (the M of SMART), and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted
from workbench.domain.plan.checks.completeness import says_something
from workbench.domain.plan.plan import Criterion, Step
from workbench.domain.text.words import stems

_VAGUE = re.compile(
    r"\b(?:good|better|best|nice|fast|faster|quick(?:ly)?|soon|easy|easier|user-friendly|intuitive|sufficient(?:ly)?"
    r"|adequate(?:ly)?|appropriate(?:ly)?|reasonable|reasonably|significant(?:ly)?|substantial(?:ly)?|some|many|few"
    r"|several|acceptable|satisfactory|high quality|as possible|improved?|enough|modern|robust|smooth(?:ly)?"
    r"|noticeabl[ey]|clear(?:ly)? (?:more|less|higher|lower|better)|considerabl[ey]|strong(?:ly)?|positive|pleasant"
    r"|great|excellent|outstanding|state of the art|attractive|welcoming|great|well|happy|happier|satisfied|high"
    r"|higher|low|lower|more|less|fewer|most|largely|mostly|generally)\b",
    re.IGNORECASE,
)
_A_FEELING = re.compile(
    r"\b(?:feelings?|feels?|felt|impressions?|mood|atmosphere|gut|instinct|sense of|seems?|opinion|we(?: will"
    r"|'ll)? (?:see|notice|know|tell)|looks? (?:good|nice|fine|right|great)|word of mouth|general(?:ly)?|overall"
    r"|talking to|by talking|observation|common sense|judgement|judgment)\b",
    re.IGNORECASE,
)
_AN_INSTRUMENT = re.compile(
    r"\d|%|\b(?:survey|questionnaire|count\w*|numbers?|shares?|percent\w*|rate|rating|score|votes?|average|mean|median"
    r"|list|log|report|protocol|invoices?|accounts?|form|letter|register|sheet|minutes|measure[ds]?|scale|out of|tally"
    r"|signatures?|signed|record\w*|statistics?|figures|data|test\w*|diary|photos?|inspection)\b",
    re.IGNORECASE,
)
_A_NUMBER = re.compile(
    r"\d|%|\b(?:no|not|all|every|each|none|nobody|nothing|zero|both|half|one|two|three|four|five|six|seven|eight|nine"
    r"|ten|dozen"
    r"|eleven|twelve|hundred|identical|equal|same|doubled?|twice|thirds?|quarters?|fifths?|tenths?|yes|than)\b",
    re.IGNORECASE,
)
_A_STATE = re.compile(r"\b(?:none|nobody|nothing|zero|no|all|both|yes|done)\b", re.IGNORECASE)
"""Words that are a target of what the measure names: "accident book: none", "cancellation confirmed: done"."""


def criteria_are_measurable(case: Case) -> Iterator[Finding]:
    """Find criteria without a measure or a target, and those that are a matter of taste."""
    for section, item in case.every(Criterion):
        place = (section, item)
        measured = says_something(item.measure)
        has_target = says_something(item.target) or (measured and _A_STATE.search(item.target) is not None)
        for field, present in (("measure", measured), ("target", has_target)):
            if not present:
                text = f"{item.id} {quoted(item.text)} has no {field}."
                severity: Severity = "minor" if measured or has_target else "major"
                yield fault(f"criteria.{field}", severity, place, text, f"Give {item.id} a {field}.")
        vague = _VAGUE.search(item.target)
        if vague and not _A_NUMBER.search(item.target):
            text = f"The target of {item.id} is vague: {quoted(vague[0])} means something else to everybody."
        elif measured and _A_FEELING.search(item.measure) and not _AN_INSTRUMENT.search(item.measure):
            text = f"{item.id} is measured by {quoted(item.measure)}: two people would find two results."
        else:
            continue
        remedy = f"Give {item.id} a number, a date or a state that anybody can see."
        yield fault("criteria.vague", "minor", place, text, remedy)


_THAN_BEFORE = re.compile(
    r"\b(?:than|below|under|above|over|compared (?:with|to)|against|versus)\b(?: \w+){0,3}? "
    r"(?:before|today|now|currently|so far|at present|present|baseline|until now|hitherto|this autumn|this year)\b"
    r"|\b(?:than|compared (?:with|to)|against|versus)\b[^.;:]{0,60}\b(?:with|of|by|in)? the (?:old|previous|former)\b",
    re.IGNORECASE,
)
_MEASURES = re.compile(
    r"\b(?:measur\w+|readings?|(?<!\w )read|counts?|counting|record\w*|survey\w*|log(?:s|ged)?|baseline|determin\w+"
    r"|take stock|calculat\w+|timed?|evaluat\w+|figures|statistics|counted|note down)\b",
    re.IGNORECASE,
)


_FIGURES = re.compile(r"\b(?:baseline|figures?|counts? of|how (?:many|much|long|often))\b", re.IGNORECASE)


def comparisons_have_a_baseline(case: Case) -> Iterator[Finding]:
    """Find criteria that compare with how it was before, where nothing says or measures how that was."""
    for section, item in case.every(Criterion):
        said = f"{item.text}. {item.measure}. {item.target}"
        numbers = re.findall(r"\b\d+(?:[.,]\d+)?\b(?! ?(?:%|per ?cent))", said)
        compares = _THAN_BEFORE.search(said) or (_RELATIVE.search(item.target) and not _ON_RECORD.search(said))
        if not compares or (numbers and not _is_only_a_span(said, numbers)) or _finds_out_before(case, item, said):
            continue
        text = f"{item.id} {quoted(item.text)} compares with before, and no step finds out how it is before."
        remedy = f"Add a step that measures it before the change, or write into {item.id} how it is today."
        yield fault("criteria.baseline", "major", (section, item), text, remedy)


def _finds_out_before(case: Case, item: Criterion, said: str) -> bool:
    """Tell whether a step measures what a criterion compares with: one that it names, or the first of two."""
    steps, words = case.plan.steps, frozenset(stems(said))
    if any(step.id in _STEP.findall(said) or _measures_the_old(step) for step in steps):
        return True
    measuring = [
        step
        for step in steps
        if (_measures(step) and words & case.words(step))
        or (item.id in step.answers and _MEASURED.search(step.outcome))
    ]
    return len(measuring) >= _BEFORE_AND_AFTER


_BEFORE_AND_AFTER = 2
"""Steps that measure a thing, where it is measured before and after."""


def _measures(step: Step) -> bool:
    return bool(_MEASURES.search(step.title) or _FIGURES.search(step.outcome))


def _measures_the_old(step: Step) -> bool:
    """Tell whether a step says itself that it measures how it is before."""
    said = f"{step.title}. {step.outcome}"
    return bool(_MEASURES.search(said) and _OF_BEFORE.search(said))


_STEP = re.compile(r"\bS\d+\b")
_ON_RECORD = re.compile(r"\b20\d\d\b|\b(?:last|previous|past) (?:year|season|winter|summer)|year before", re.IGNORECASE)
"""A time whose figures are in the books."""
_MEASURED = re.compile(r"\b(?:measured|counted|recorded|timed|weighed|values?|readings?|counts?)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(?:\d+ ?(?:%|per ?cent)|half|(?:an?|one|two) (?:half|thirds?|quarters?|fifths?|tenths?)|twice|double) "
    r"(?:fewer|less|more|lower|higher|faster|shorter|longer|better|as (?:many|much|long|often))\b(?! than \d)"
    r"|\b(?:halved?|doubled?|(?:falls?|fallen|drop\w*|rises?|risen|down|up|cut|reduc\w+|increas\w+|grown?|improv\w+"
    r"|shorten\w*)\b[^.;]{0,30}\bby)\b",
    re.IGNORECASE,
)
"""A target that is a share of what there was."""
_OF_BEFORE = re.compile(r"\b(?:old|before|baseline|so far|today|present|current|previous|former)\b", re.IGNORECASE)


def _is_only_a_span(said: str, numbers: list[str]) -> bool:
    """Tell whether all numbers of a criterion are lengths of time over which it is measured."""
    spans = re.findall(r"(?<!\d)(\d+) (?:days?|weeks?|months?|hours?)\b", said)
    return sorted(spans) == sorted(numbers)


def criteria_are_ahead(case: Case) -> Iterator[Finding]:
    """Find criteria that are due in the past, or before what makes them true."""
    answering: dict[str, list[Step]] = {}
    for step in case.plan.steps:
        for answer in step.answers:
            answering.setdefault(answer, []).append(step)
    dues = {item.id: day for _, item in case.every(Criterion) if (day := day_of(item.due))}
    for section, item in case.every(Criterion):
        due, place = day_of(item.due), (section, item)
        made = [(day, step) for step in answering.get(item.id, ()) if (day := day_of(step.end))]
        first, maker = min(made, key=lambda pair: pair[0], default=(None, None))
        if due and due < case.today:
            text = f"{item.id} {quoted(item.text)} was due on {due}."
            yield fault("criteria.past", "major", place, text, f"Give {item.id} a date that is still to come.")
        elif due and first and maker and first > due and not _is_held_to_one(maker, dues, first):
            text = f"{item.id} {quoted(item.text)} is due on {due}, and {maker.id}, which makes it so, ends on {first}."
            yield fault("criteria.early", "major", place, text, f"Move {maker.id} forward, or the date of {item.id}.")


def _is_held_to_one(step: Step, dues: Mapping[str, date], end: date) -> bool:
    """Tell whether a step is late for all the criteria that it answers, which is a finding of the step."""
    return max(dues[answer] for answer in step.answers if answer in dues) < end
