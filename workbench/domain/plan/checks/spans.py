"""Do the dates leave the time that the plan's own words speak of.

dates.lead      "ten weeks from the order", and the step waits four, or what needs it begins after three
order.notice    28 days before the meeting, and it is sent 20 days before
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.quantities import NUMBER_WORDS, count_of
from workbench.domain.plan.plan import Constraint, Decision, Section, Step
from workbench.domain.text.words import stem_set, stems

_DAYS = {"day": 1, "week": 7, "month": 28}
_LENGTH = rf"(?P<count>\d+|an?|{NUMBER_WORDS})(?: ?(?:to|–|-|or) ?(?:\d+|[a-z]+))? (?P<unit>day|week|month)s?\b"
_TAKES = (
    re.compile(
        r"\b(?:needs?|takes?|lasts?|lead time|delivery (?:time|period)|process\w*|promised|decid\w+|experience|says"
        rf"|has|requires?|answers?|replies|reports?|grants?|waiting time|delivers?"
        rf"|delivery)\b[^.;:,\d]{{0,20}}?\b{_LENGTH}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_LENGTH} (?:(?:from|after) (?:the )?(?:order|receipt|application|day)"
        r"|for (?:the )?(?:delivery|an answer|remarks|approval)"
        r"|to (?:deliver|decide|answer|process|manufacture|build|grant|arrive|dry|cure|harden|ship|approve))\b",
        re.IGNORECASE,
    ),
)
_OF_SOMETHING_ELSE = re.compile(
    r"\b(?:valid|binding|guarantee|warranty|option|free|notice|within|if|in case|should|otherwise|another|further|more"
    r"|extra|before)\b",
    re.IGNORECASE,
)
"""Words of a time that is no wait, happens only in some case, or comes on top."""


def stated_lead(text: str) -> tuple[int, str] | None:
    """Return how many days a text says that something takes, with its words."""
    for clause in re.split(r"[.;,](?!\d)", text):
        for pattern in _TAKES if not _OF_SOMETHING_ELSE.search(clause) else ():
            if match := pattern.search(clause):
                return count_of(match["count"]) * _DAYS[match["unit"].lower()], match[0].strip()
    return None


def waiting_is_as_long_as_said(case: Case) -> Iterator[Finding]:
    """Find waiting that is shorter than the plan says that it takes, and steps that begin before it is over."""
    texts = {item.id: item.text for _, item in case.every(Constraint)}
    needing: dict[str, list[Step]] = defaultdict(list)
    for step in case.steps.values():
        for name in step.needs:
            needing[name].append(step)
    for section, step in case.every(Step):
        if step.status in ("done", "dropped") or step.milestone:
            continue
        needed = [case.steps[name] for name in step.needs if name in case.steps]
        lags = {lag.step: lag.days for lag in step.lags if lag.elapsed}
        said = [(step, step.notes), *((one, text) for one in needed for text in (one.notes, one.outcome, one.title))]
        said += [(step, texts[answer]) for answer in step.answers if answer in texts]
        for source, text in said:
            given = step.waiting if step.waiting is not None else lags.get(source.id)
            if given is None and source is not step and (text is source.notes or text is source.title):
                given = _left_between(source, step, needing[source.id])
            if given is None or not (lead := stated_lead(text)):
                continue
            if given + 1 < lead[0]:
                why = f"waits {given:g} days, and {source.id} speaks of {quoted(lead[1])}"
                found = f"{step.id} {quoted(step.title)} {why}."
                yield fault("dates.lead", "major", (section, step), found, f"Let {step.id} wait as long as it takes.")
                break


def _left_between(source: Step, step: Step, needing: list[Step]) -> float | None:
    """Return the days from the start of a step to one that needs it; None where waiting is a step or a field of it."""
    start, begins = day_of(source.start), day_of(step.start or step.on)
    if source.waiting is not None or any(one.waiting is not None or one.lags for one in needing):
        return None
    return (begins - start).days if start and begins else None


_AHEAD = re.compile(
    rf"(?P<count>(?<!\d)\d+|an?|{NUMBER_WORDS}) (?:full |clear |calendar |working )?(?P<unit>day|week|month)s? "
    r"(?:before|ahead of|prior to) (?:the |our )?(?P<what>[^.;,]+)",
    re.IGNORECASE,
)
_OF_OTHER_DATES = re.compile(r"\b(?:dates?|reminders?|deliver\w*|calendar|appointments?|booked)\b", re.IGNORECASE)
"""Words of a step with which a time before an event is that of something else, and not of its own end."""
_THE_EVENT = stem_set("event day date start evening")
"""Words that name the event of a plan without its own name."""


def notice_is_given_in_time(case: Case) -> Iterator[Finding]:
    """Find steps that end too late for what has to be some time after them: "28 days before the meeting"."""
    asking = {item.id: item.text for _, item in case.placed if isinstance(item, Constraint | Decision)}
    for section, step in case.every(Step):
        said = [(step.id, text) for text in (step.title, step.outcome, step.check) if not _OF_OTHER_DATES.search(text)]
        if step.waiting is None:  # an answer comes when it comes: the request has to be in time
            said += [(name, asking[name]) for name in step.answers if name in asking]
        for name, text in said if step.status not in ("done", "dropped") else ():
            found = _too_late(case, section, step, name, text)
            if found:
                yield found
                break


def _too_late(case: Case, section: Section, step: Step, name: str, text: str) -> Finding | None:
    match, end = _AHEAD.search(text), day_of(step.end or step.on)
    event = _event(case, step, frozenset(stems(match["what"]))) if match else None
    day = day_of(event.on or event.start) if event else None
    if match is None or event is None or day is None or end is None:
        return None
    clause = re.split(r"[.;]", text[: match.start()])[-1]
    if name != step.id and not frozenset(stems(clause)) & case.words(step):
        return None
    if not 0 <= (day - end).days < count_of(match["count"]) * _DAYS[match["unit"].lower()]:
        return None
    why = f"ends {(day - end).days} days before {event.id} {quoted(event.title)}"
    said = f"{step.id} {quoted(step.title)} {why}, and {name} says {quoted(match[0])}."
    return fault("order.notice", "major", (section, step), said, f"Move {step.id} forward, or {event.id}.")


def _event(case: Case, step: Step, words: frozenset[str]) -> Step | None:
    """Return the step that is spoken of, preferably one that has its day."""
    others = [other for other in case.steps.values() if other is not step]
    if words <= _THE_EVENT:
        days = [other for other in others if other.on and other.milestone]
        return days[0] if len(days) == 1 else None
    meant = [other for other in others if words & frozenset(stems(other.title))]
    exact = [other for other in meant if words <= (title := frozenset(stems(other.title))) or title <= words]
    fixed = [other for other in exact or meant if other.on or other.milestone]
    return fixed[0] if fixed else exact[0] if len(exact) == 1 else None
