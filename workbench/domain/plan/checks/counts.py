"""Do the numbers in the texts fit each other: places and people, parts and the whole, a pace and the time for it.

counts.capacity     a coach with 49 seats, needed by a departure of 64 children and 8 carers
counts.few          three tours with 300 parcels each, and 1,200 parcels are packed; five teams of six from 20 cooks
counts.target       150 kinds in the goal, 120 in the criterion
counts.effort       48,000 pages at 40 pages an hour, or thirty recordings of an hour, in three days
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted, wording
from workbench.domain.plan.checks.quantities import NUMBER_WORDS, count_of
from workbench.domain.plan.plan import Constraint, Criterion, Item, Section, Step
from workbench.domain.text.words import stem, stem_set, stems

_COUNT = rf"(?:\d{{1,3}}(?:,\d{{3}}){{1,5}}|\d{{1,6}}|{NUMBER_WORDS})"
_PEOPLE = (
    r"(?:people|persons|children|kids|carers|guests|pupils|students|teachers|adults|participants|members|visitors"
    r"|listeners|spectators|singers|runners|employees|volunteers|attendees|delegates|players|passengers|residents)"
)
_SOME_PEOPLE = re.compile(rf"\b(?P<count>{_COUNT}) (?:[a-z]+ )?{_PEOPLE}\b", re.IGNORECASE)
_TICKETS = re.compile(rf"\b(?P<count>{_COUNT}) (?:\w+ )?(?:tickets|seats|chairs|covers)\b", re.IGNORECASE)
_JOINED = re.compile(r"^\s*(?:,|and|plus|,? as well as|\+)\s*$", re.IGNORECASE)
_ROOM = re.compile(
    rf"\b(?:(?P<many>{_COUNT}) )?(?P<place>[a-z-]{{1,60}})(?: (?:is|are))? (?P<how>(?:with|of|for|holding|holds"
    r"|seating|seats|taking|takes|fits|(?:admitted|licensed|approved) for|(?:has|have) room for|no more than"
    r"|not more than|at most))"
    rf" (?:up to |at most |no more than )?(?P<count>{_COUNT}) (?:seats|places|beds|{_PEOPLE})\b",
    re.IGNORECASE,
)
_ROOMS = stem_set(
    "coach bus minibus van train boat ferry ship plane hall room tent hut hostel house barn church theatre stadium "
    "building cellar gym yard stand restaurant"
)
_TO_MANY_TIMES = 2
"""So many times the places there may be people for, of several evenings or groups."""


def places_are_enough(case: Case) -> Iterator[Finding]:
    """Find a vehicle, a room or a limit of people that is smaller than what a step has for it."""
    crowds = [(step, _people(f"{step.title}. {step.outcome}")) for step in _live(case)]
    for section, source, place, most in _rooms(case):
        words = frozenset(stems(place))
        for step, people in crowds:
            is_same = step is source or not most < people < most * _TO_MANY_TIMES
            needs = isinstance(source, Step) and source.id in step.needs
            is_for_it = needs or isinstance(source, Constraint) or words <= case.words(step)
            if not is_same and is_for_it:
                text = f"{source.id} {quoted(wording(source))} has room for {most}, and {step.id} is for {people}."
                remedy = f"Get more room in {source.id}, or say in {step.id} who goes otherwise."
                yield fault("counts.capacity", "major", (section, source), text, remedy)
                break


def _live(case: Case) -> list[Step]:
    return [step for step in case.steps.values() if step.status not in ("done", "dropped")]


def _rooms(case: Case) -> Iterator[tuple[Section, Item, str, int]]:
    """Yield what has room for so many: a step's own vehicle or room, and what a constraint says of one."""
    for section, item in case.placed:
        text = f"{item.title}. {item.outcome}" if isinstance(item, Step) else getattr(item, "text", "")
        if isinstance(item, Step | Constraint) and getattr(item, "status", "") != "dropped":
            for match in _ROOM.finditer(text):
                is_room = frozenset(stems(match["place"])) & _ROOMS
                is_several = match["place"].endswith("s") and not match["many"]
                if is_room and not is_several:
                    yield section, item, match["place"], count_of(match["count"]) * count_of(match["many"] or "one")


def _people(text: str) -> int:
    """Return how many people a text names: the largest number, or sum of numbers that are joined by "and"."""
    sums = [count_of(match["count"]) for match in _TICKETS.finditer(text)]
    end = -1
    for match in _SOME_PEOPLE.finditer(text):
        if end >= 0 and _JOINED.match(text[end : match.start()]):
            sums[-1] += count_of(match["count"])
        else:
            sums.append(count_of(match["count"]))
        end = match.end()
    return max(sums, default=0)


_COUNTED = re.compile(rf"\b(?P<count>{_COUNT}) (?P<nouns>[a-z-]+(?: [a-z-]+)?)", re.IGNORECASE)
_TIMES = re.compile(
    rf"\b(?P<many>{_COUNT}) [a-z-]+s (?:of|with) (?P<count>{_COUNT}) (?P<what>[a-z-]+s)\b"
    rf"|\b(?P<times>{_COUNT}) [a-z-]+s\b[^.;]{{0,60}}?\b(?P<each>{_COUNT}) (?P<things>[a-z-]+s) (?:each|a piece)\b",
    re.IGNORECASE,
)
"""So many groups of so many: "five teams of six cooks"."""


def groups_make_the_whole(case: Case) -> Iterator[Finding]:
    """Find steps that deal with so many times so many things, where the steps before them have made another number."""
    for section, step in case.every(Step):
        match = _TIMES.search(f"{step.title}. {step.outcome}")
        if match is None or step.status in ("done", "dropped"):
            continue
        name = match["what"] or match["things"]
        if name.lower().removesuffix("s") in _HOURS:
            continue
        total = count_of(match["many"] or match["times"]) * count_of(match["count"] or match["each"])
        before = [case.steps[one] for one in sorted(case.ancestors(step))]
        made = [
            (number, other) for other in before for number in _counts(f"{other.title}. {other.outcome}", stem(name))
        ]
        number, other = max(made, key=lambda pair: pair[0], default=(total, step))
        if total != number and (match["times"] is None or total < number):
            text = f"{step.id} {quoted(step.title)} is for {total:,} {name}, and {other.id} for {number:,}."
            severity: Severity = "major" if total < number else "minor"
            yield fault("counts.few", severity, (section, step), text, f"Correct {step.id} or {other.id}.")


def _counts(text: str, what: str) -> Iterator[int]:
    return (count_of(match["count"]) for match in _COUNTED.finditer(text) if what in stems(match["nouns"]))


_TARGET = re.compile(
    rf"\W*(?:at least |no fewer than |all |only )?(?P<count>{_COUNT})(?P<more>(?: [a-z-]+)?)\.?", re.IGNORECASE
)


def targets_are_those_of_the_goal(case: Case) -> Iterator[Finding]:
    """Find criteria that are content with another number of things than the goal names."""
    goal = {
        word: count_of(match["count"])
        for match in _COUNTED.finditer(case.goal)
        for word in stems(match["nouns"])[:1]
        if not word[0].isdigit()
    }
    for section, item in case.every(Criterion):
        target, counted = _TARGET.fullmatch(item.target), stems(item.measure)[:1]
        asked = goal.get(counted[0]) if counted else None
        if _PART.search(item.measure) or (target and count_of(target["count"]) == 0):
            continue
        is_same = target is not None and stems(target["more"])[:1] in ((), counted)
        if target and asked and is_same and count_of(target["count"]) != asked:
            text = f"{item.id} {quoted(item.text)} has the target {quoted(item.target)}, and the goal names {asked:,}."
            yield fault("counts.target", "minor", (section, item), text, f"Make the goal and {item.id} agree.")


_PART = re.compile(r"\b(?:who|that|which|whose|with|of|from|per|sample|random)\b|^\w+ \w+ing\b", re.IGNORECASE)
"""Words of a measure that counts some of the things only."""


_UNIT = r"(?P<unit>hour|minute|day)s?"
_LENGTH_OF_ONE = re.compile(
    rf"\b(?P<noun>[a-z]+s) of (?:about |around |roughly |some )?(?P<length>an?|{_COUNT})(?: (?:to|or|–|-) \d+)?"
    rf"(?: full)? {_UNIT}\b",
    re.IGNORECASE,
)
_PACE = re.compile(rf"\b(?P<count>{_COUNT}) (?P<noun>[a-z]+s) (?:an?|per|every) {_UNIT}\b", re.IGNORECASE)
_FOR_ONE = re.compile(
    rf"\b(?P<length>an?|{_COUNT}) {_UNIT} (?:per|for each|for every|a) (?P<noun>[a-z]+)\b", re.IGNORECASE
)
_TAKES_THE_TIME = stem_set(
    "transcribe hold conduct give lead listen watch record attend observe run teach carry interview visit scan pack "
    "clean paint plant mend digitise type translate wash sew print"
)
_HOURS = {"hour": 1.0, "minute": 1 / 60, "day": 8.0}
_HOURS_A_DAY = 8


def efforts_fit_their_counts(case: Case) -> Iterator[Finding]:
    """Find steps that deal with so many things in less time than those take at the pace that the plan names."""
    texts = [
        case.goal,
        *(text for _, item in case.placed for text in (wording(item), str(getattr(item, "outcome", "")))),
    ]
    hours: dict[str, float] = {}
    for text in texts:
        for match in chain(_LENGTH_OF_ONE.finditer(text), _FOR_ONE.finditer(text)):
            hours[stem(match["noun"])] = count_of(match["length"]) * _HOURS[match["unit"].lower()]
        for match in _PACE.finditer(text):
            hours[stem(match["noun"])] = _HOURS[match["unit"].lower()] / max(1, count_of(match["count"]))
    for section, step in case.every(Step) if hours else ():
        if step.effort is None or not frozenset(stems(step.title)[:1]) & _TAKES_THE_TIME:
            continue
        counted = f"{step.title}. {step.outcome}"
        needed = [
            hours[word] * count_of(match["count"])
            for match in _COUNTED.finditer(counted)
            for word in stems(match["nouns"])
            if word in hours and not _PACE.match(counted, match.start())
        ]
        if needed and max(needed) > step.effort.high * _HOURS_A_DAY:
            why = f"takes at most {step.effort.high:g} days, and what it deals with takes {max(needed):,.0f} hours"
            text = f"{step.id} {quoted(step.title)} {why}."
            yield fault("counts.effort", "major", (section, step), text, f"Correct the effort of {step.id}.")
