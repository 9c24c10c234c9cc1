"""Do the numbers in the texts fit each other: places and people, what a constraint counts, hours for so many things.

counts.capacity     a coach with 49 seats, needed by a departure of 64 children and 8 carers
counts.people       dinner for 46, and there are 64 guests; 144 tickets, and no more than 120 are let in
counts.few          three written offers are wanted, and the step that sees to it gets one
counts.limit        no more than 50 lux, and the step that sees to it checks 80 lux
counts.effort       thirty recordings of an hour are transcribed in two days
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, quoted, wording
from workbench.domain.plan.checks.quantities import NUMBER_WORDS, count_of
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Step
from workbench.domain.text.words import stem, stem_set, stems

_COUNT = rf"(?P<count>\d{{1,6}}|{NUMBER_WORDS})"
_PEOPLE = (
    "people|persons|children|kids|carers|guests|pupils|students|teachers|adults|participants|members|visitors|listeners|singers"
    "|runners|employees|volunteers|attendees|delegates|players|passengers|residents|staff|speakers|musicians"
)
_SOME_PEOPLE = re.compile(rf"\b{_COUNT} (?:[a-z]+ )?(?:{_PEOPLE})\b", re.IGNORECASE)
_JOINED = re.compile(r"^\s*(?:,|and|plus|,? as well as|\+)\s*$", re.IGNORECASE)
_PLACES = re.compile(
    rf"\b(?:(?P<many>two|three|four|\d+) )?(?:[a-z-]+ )?(?:coach|bus|minibus|van|train|boat|ferry|ship|plane|hall"
    rf"|room|tent|hut|hostel"
    rf"|house|barn)(?P<plural>e?s)? (?:with|for|of|holding|seating|taking) (?:up to )?{_COUNT} (?:seats|places"
    rf"|beds|people|persons)\b",
    re.IGNORECASE,
)
_TIME_OR_MONEY = stem_set(
    "day week month year hour minute second percent eur euro gbp usd chf o'clock time metre meter page"
)
_COUNTED = re.compile(
    rf"\b(?P<least>at least |a minimum of |no fewer than |minimum "
    rf"|not less than )?{_COUNT} (?P<nouns>[a-z-]+(?: [a-z-]+)?)",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)?) ?(?P<unit>lux|lx|°C|degrees|kg|g|t|dB|km/h|km|cm|mm|m²|m³|m|kWh|kW|W|V|A|l|ml|ppm|bar"
    r"|GB|MB|TB|ms|Hz|%)(?!\w)"
)
_MOST = re.compile(
    r"\b(?:no more than|not more than|at most|up to|below|under|maximum|max|not exceed|less than|at or below)\W*$",
    re.IGNORECASE,
)
_LENGTH_OF_ONE = re.compile(
    rf"\b(?P<things>\d{{1,4}}|{NUMBER_WORDS}) (?:[a-z-]+ ){{0,2}}?(?P<noun>[a-z]+s) of (?:about |around |roughly "
    rf"|some )?"
    r"(?P<length>an?|one|two|three|\d+(?:\.\d+)?)(?: (?:to|or|–|-) \d+)?(?: full)? (?P<unit>hours?|minutes|days?)\b",
    re.IGNORECASE,
)
_TAKES_THE_TIME = stem_set(
    "transcribe hold conduct give lead listen watch record attend observe run teach carry interview visit"
)
_HOURS = {"hour": 1.0, "minute": 1 / 60, "day": 8.0}
HOURS_A_DAY = 8


def places_are_enough(case: Case) -> Iterator[Finding]:
    """Find a vehicle or a room for fewer people than the step that needs it has."""
    for _, step in case.every(Step):
        for need in step.needs:
            source = case.steps.get(need)
            match = (
                _PLACES.search(f"{source.title}. {source.outcome}") if source and source.status != "dropped" else None
            )
            people = _people(f"{step.title}. {step.outcome}")
            if source is None or match is None or (match["plural"] and not match["many"]):
                continue
            places = count_of(match["count"]) * count_of(match["many"] or "one")
            if people > places:
                text = f"{source.id} has {quoted(match[0])}, and {step.id} {quoted(step.title)} is for {people} people."
                place = next((other, item) for other, item in case.every(Step) if item is source)
                yield fault(
                    "counts.capacity", "major", place, text, f"Get more in {source.id}, or say who goes otherwise."
                )
                break


def _people(text: str) -> int:
    """Return how many people a text names: the largest number, or sum of numbers that are joined by "and"."""
    sums: list[int] = []
    end = -1
    for match in _SOME_PEOPLE.finditer(text):
        is_joined = end >= 0 and _JOINED.match(text[end : match.start()])
        if is_joined:
            sums[-1] += count_of(match["count"])
        else:
            sums.append(count_of(match["count"]))
        end = match.end()
    return max(sums, default=0)


def everybody_has_a_place(case: Case) -> Iterator[Finding]:
    """Find steps that provide for fewer people than there are, or for more than a constraint lets in."""
    rooms = [(item, match) for _, item in case.every(Constraint) if (match := _ROOM_FOR.search(item.text))]
    shares = [
        (item, frozenset(stems(match["what"])), max(counts))
        for _, item in case.placed
        if isinstance(item, Bullet | Constraint | Criterion) and (match := _FOR_ALL.search(item.text))
        if (counts := _counts_of(match["who"], case.goal))
    ]
    for section, step in case.every(Step):
        said = f"{step.title}. {step.outcome}"
        sold = max((count_of(match["count"]) for match in _TICKETS.finditer(said)), default=0)
        for item, room in rooms:
            most = count_of(room["count"])
            if most < sold < 2 * most and step.status not in ("done", "dropped"):  # more may be for several evenings
                text = f"{step.id} {quoted(step.title)} is for {sold} people, and {item.id} says {quoted(item.text)}."
                yield fault("counts.people", "major", (section, step), text, f"Change {step.id} or {item.id}.")
        served = [count_of(match["count"]) for match in _FOR_PEOPLE.finditer(said)]
        for line, what, everybody in shares:
            if len(served) == 1 and served[0] < everybody and what and what <= case.words(step):
                text = f"{step.id} {quoted(step.title)} is for {served[0]} people, and {line.id} is for {everybody}."
                yield fault("counts.people", "major", (section, step), text, f"Change {step.id} or {line.id}.")


def _counts_of(who: str, text: str) -> list[int]:
    return [count_of(match["count"]) for match in _SOME_PEOPLE.finditer(text) if match[0].lower().endswith(who.lower())]


_ROOM_FOR = re.compile(
    rf"\b(?:no more than|not more than|at most|up to|holds|room for|maximum of) {_COUNT} "
    r"(?:(?:people|persons)(?= (?:in the (?:audience|hall|house|room|building)|at a time|inside))"
    r"|spectators|listeners|guests|visitors)\b(?! (?:per|each|a|in (?:a|each) (?:group|team)))",
    re.IGNORECASE,
)
_TICKETS = re.compile(rf"\b{_COUNT} (?:\w+ )?(?:tickets|seats|chairs)\b", re.IGNORECASE)
_FOR_ALL = re.compile(
    rf"^(?P<what>[^.;,]{{3,40}}?) for (?:all|every|each)(?: of)?(?: the)? (?P<who>{_PEOPLE})\b", re.IGNORECASE
)
_FOR_PEOPLE = re.compile(rf"\bfor {_COUNT} (?:people|persons|guests|participants)\b", re.IGNORECASE)


def counts_of_constraints_are_kept(case: Case) -> Iterator[Finding]:
    """Find steps that see to a constraint and get fewer of what it counts, or allow more of what it limits."""
    constraints = {item.id: item for _, item in case.every(Constraint)}
    for section, step in case.every(Step):
        for item in (constraints[answer] for answer in step.answers if answer in constraints):
            if step.status in ("done", "dropped"):
                continue
            why = _too_few(item.text, step) or _too_much(item.text, step)
            if why:
                text = f"{step.id} {quoted(step.title)} {why}, and {item.id} says {quoted(item.text)}."
                rule = "counts.limit" if why.startswith("allows") else "counts.few"
                yield fault(rule, "major", (section, step), text, f"Change {step.id} or {item.id}.")


def _too_few(text: str, step: Step) -> str:
    """Return that a step gets one, or fewer, of what has to be several; "" where it does not say so."""
    said = f"{step.title}. {step.outcome}. {step.check}. {step.notes}"
    for match in _COUNTED.finditer(text):
        wanted, nouns = count_of(match["count"]), match["nouns"].split()
        plural = next((noun for noun in reversed(nouns) if noun.endswith("s") and not noun.endswith("ss")), "")
        kind = stem(plural)
        if wanted < _SEVERAL or not plural or kind in _TIME_OR_MONEY or (not match["least"] and "or more" not in text):
            continue
        counts = [count_of(one["count"]) for one in _COUNTED.finditer(said) if kind in stems(one["nouns"])]
        single = re.search(rf"\b{re.escape(plural[:-1])}\b", f"{step.title}. {step.outcome}", re.IGNORECASE)
        if counts and max(counts) < wanted:
            return f"gets {max(counts)} {plural}"
        if not counts and single and not re.search(rf"\b{re.escape(plural)}\b", said, re.IGNORECASE):
            return f"gets one {plural[:-1]}"
    return ""


_SEVERAL = 2


def _too_much(text: str, step: Step) -> str:
    """Return that a step's own numbers are above a limit of the same unit; "" where they are not."""
    limits = {
        match["unit"].casefold(): float(match["number"].replace(",", "."))
        for match in _MEASURE.finditer(text)
        if _MOST.search(text[: match.start()])
    }
    for match in _MEASURE.finditer(f"{step.outcome}. {step.check}") if limits else ():
        most, number = limits.get(match["unit"].casefold()), float(match["number"].replace(",", "."))
        if most is not None and number > most:
            return f"allows {match[0]}"
    return ""


def efforts_fit_their_counts(case: Case) -> Iterator[Finding]:
    """Find steps that deal with so many things of a known length in less time than those last."""
    lengths: dict[tuple[int, str], float] = {}
    texts = [
        case.goal,
        *(text for _, item in case.placed for text in (wording(item), str(getattr(item, "outcome", "")))),
    ]
    for match in (match for text in texts for match in _LENGTH_OF_ONE.finditer(text)):
        length = 1.0 if match["length"].lower() in ("a", "an") else _number(match["length"])
        unit = match["unit"].lower().removesuffix("s")
        lengths[count_of(match["things"]), stem(match["noun"])] = length * _HOURS[unit]
    for section, step in case.every(Step):
        words = stems(step.title)
        if not lengths or step.effort is None or not words or words[0] not in _TAKES_THE_TIME:
            continue
        for match in _COUNTED.finditer(f"{step.title}. {step.outcome}"):
            kinds = [(count_of(match["count"]), word) for word in stems(match["nouns"])]
            hours = next((lengths[kind] * kind[0] for kind in kinds if kind in lengths), 0.0)
            if hours > step.effort.high * HOURS_A_DAY:
                why = f"takes at most {step.effort.high:g} days, and what it deals with lasts {hours:g} hours"
                text = f"{step.id} {quoted(step.title)} {why}."
                yield fault("counts.effort", "major", (section, step), text, f"Correct the effort of {step.id}.")
                break


def _number(text: str) -> float:
    return float(text) if text[0].isdigit() else float(count_of(text))
