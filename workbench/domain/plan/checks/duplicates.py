"""Does anything stand in the plan twice.

Two items are one when their telling words are the same. They are two as soon as a number, a name or any other telling
word differs: "Test in the EU" and "Test in the US", wave 1 and wave 2, "first
hospital" and "second hospital".
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import OPENING, Case, Severity, fault, quoted, wording
from workbench.domain.plan.plan import Item, Step
from workbench.domain.text.words import stem, stems

_DIRECTION = re.compile(r"\b(from|to|into|before|after|than|over|under|by)\b(.*)", re.IGNORECASE | re.DOTALL)
"""What follows these words is not what stands before them: "from A to B" is not "from B to A"."""


_AGAIN = re.compile(r"\b(?:again|once more|another|repeat\w*)\b", re.IGNORECASE)
"""Words with which the same is done a second time on purpose."""


def nothing_stands_twice(case: Case) -> Iterator[Finding]:
    """Find steps, criteria, risks and other items that say what one of their kind has said before."""
    seen: defaultdict[Hashable, list[Item]] = defaultdict(list)
    for section, item in case.placed:
        alike = seen[type(item), frozenset(stems(wording(item)))]
        first = next((other for other in alike if same(wording(other), wording(item))), None)
        if first is not None and not _differ_in_scope(first, item):
            text = f"{item.id} {quoted(wording(item))} says what {first.id} says."
            remedy = f"Keep one of {first.id} and {item.id}, or say how they differ."
            kinds = {one.origin and one.origin.kind for one in (first, item)}
            severity: Severity = "minor" if len(kinds) > 1 else "major"  # the tool put one beside the other
            yield fault("twice", severity, (section, item), text, remedy)
        alike.append(item)


def same(one: str, other: str) -> bool:
    """Tell whether two wordings say the same thing."""
    left, right = stems(one), stems(other)
    if not left or not right or bool(_AGAIN.search(one)) != bool(_AGAIN.search(other)):
        return False
    is_same = set(left) == set(right)
    return left == right or (is_same and len(set(left)) > 2 and _directions(one) == _directions(other))


def _directions(text: str) -> dict[str, str]:
    """Return the telling word that comes behind each preposition of direction."""
    directions: dict[str, str] = {}
    while match := _DIRECTION.search(text):
        text = match[2]
        directions[match[1].lower()] = next(iter(stems(text)), "")
    return directions


_RARE, _ALIKE = 8, 3
"""Steps, at most, that have a meaning by which they are compared, and such meanings that two of them share."""


def nothing_is_done_twice(case: Case) -> Iterator[Finding]:
    """Find steps for one purpose, neither of which needs the other, that say the same with other words."""
    words = {step.id: meanings(f"{step.title} . {step.outcome}") for step in case.plan.steps}
    frequency = Counter(word for meanings in words.values() for word in meanings)
    weight = {word: math.log((len(words) + 1) / count) for word, count in frequency.items()}
    places = {step.id: (section, step) for section, step in reversed(list(case.every(Step)))}
    reported: set[str] = set()
    for first, second in _likely_pairs(case, words):
        common = words[first.id] & words[second.id]
        least = min(sum(weight[word] for word in words[step.id]) for step in (first, second))
        if (
            len(common) < _COMMON
            or sum(weight[word] for word in sorted(common)) < _SHARE * least
            or second.id in reported
        ):
            continue
        reported.add(second.id)
        text = (
            f"{second.id} {quoted(second.title)} seems to be what {first.id} {quoted(first.title)} is, in other words."
        )
        remedy = f"Keep one of {first.id} and {second.id}, or say how they differ."
        yield fault("steps.twice", "minor", places[second.id], text, remedy)


_COMMON, _SHARE = 4, 0.39
"""Meanings that two steps in other words have in common, and their weight as a share of the shorter one's."""
_MEANINGS = """
    child pupil student kid; parent guardian family household home neighbour resident; list register inventory roll
    catalogue directory table index sheet; ask survey poll interview question consult enquire inquire collect gather
    compile; food dietary meal dish eat menu; allergy intolerance; signature sign countersign; buy purchase order
    procure acquire; train teach instruct brief course workshop lesson; book reserve rent hire lease; announce
    advertise publicise promote poster leaflet flyer invitation invite; volunteer helper steward assistant; room hall
    venue premises place location space site; money cost price budget fee expense fund; check inspect examine test
    verify audit review control; repair mend restore renovate overhaul; clean wash tidy clear; visitor guest customer
    participant attendee user client member; staff employee worker colleague team personnel crew; doctor physician
    nurse; picture photo photograph image; document paper file report minutes; map drawing sketch layout design; build
    construct erect assemble install mount; transport carry move deliver drive bring haul ship; van truck lorry car
    vehicle coach bus; permit permission licence approval consent authorisation; choose select pick decide; safety
    security protection danger hazard; rule guideline regulation instruction handbook manual guide procedure
    instructions; sound microphone loudspeaker audio; technician engineer electrician; telephone phone call ring; mail
    letter post message; meeting session assembly gathering; count measure weigh; show present demonstrate display
    exhibit; contract agreement; wish want need preference suit convenient disturb; time timetable schedule calendar
    slot hour; data information figures number; copy backup duplicate; insurance insure liability policy; rota roster
    shift; gap missing lacking absent; excursion outing trip journey tour; complaint grievance objection; sign notice
    label plate; helper aide; wood timber; plant tree shrub; animal livestock; firm company contractor supplier
    vendor; result outcome finding; proof evidence; order sequence; tool equipment device machine; key lock; speech
    talk lecture; song music piece; screen display monitor; water liquid; light lamp; condition state damage grade;
    volume book; note record log; extent leaf page; stock inventory survey; old former previous; defect fault error
    mistake; wage pay salary; house building; street road lane; noise sound; test try trial pilot rehearse; tell
    inform notify explain; remove clear empty caterer catering buffet kitchen; ticket admission entrance
"""
_MEANING = {
    stem(word)[:OPENING]: stem(words.split()[0])[:OPENING]
    for words in reversed(_MEANINGS.split(";"))
    for word in words.split()
}
"""By the first letters of a stem, those of the word that stands for it: the vocabulary of plans, not of a topic."""


def meanings(text: str) -> frozenset[str]:
    """Return the telling words of a text, those of one meaning as one."""
    return frozenset(_MEANING.get(word[:OPENING], word[:OPENING]) for word in stems(text) if len(word) > 1)


def _likely_pairs(case: Case, words: Mapping[str, frozenset[str]]) -> Iterator[tuple[Step, Step]]:
    """Yield pairs of steps that share rare meanings, or answer the same, and of which neither needs the other."""
    groups: defaultdict[Hashable, list[Step]] = defaultdict(list)
    for step in case.plan.steps:
        if step.status not in ("done", "dropped"):
            groups[step.answers or step.id].append(step)
            for word in words[step.id]:
                groups[word].append(step)
    shared = Counter(
        (first.id, second.id)
        for steps in groups.values()
        if len(steps) <= _RARE
        for first, second in combinations(steps, 2)
    )
    for (one, other), count in shared.items():
        first, second = case.steps[one], case.steps[other]
        left, right = stems(first.title), stems(second.title)
        numbers = [{word for word in title if word[0].isdigit()} for title in (left, right)]
        is_series = set(left) == set(right) or left[:1] == right[:1] or (all(numbers) and numbers[0] != numbers[1])
        apart = one not in case.ancestors(second) and other not in case.ancestors(first)
        if count >= _ALIKE and one != other and apart and not is_series:
            yield first, second


def _differ_in_scope(first: Item, second: Item) -> bool:
    """Tell whether the two are a line in scope and one out of it: no repetition, but a contradiction."""
    priorities = {getattr(item, "priority", None) for item in (first, second)}
    return "won't" in priorities and len(priorities) > 1
