"""Does the plan say two things that cannot both hold.

    excluded    "without downtime", "won't: new laptops", "instead of X"     against a step or decision that does it
    scope       a line that is in scope and out of it
    amount      two values of one quantity, or a part that may cost more than the whole
    deadline    two dates for one thing

Sentences are compared by their telling words. What only examines, prevents or undoes a thing ("check that there was no
downtime") does not do it, and a condition ("no sale before the certificate") excludes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, quoted, statements
from workbench.domain.plan.checks.dates import about
from workbench.domain.plan.checks.days import deadlines, with_iso_dates
from workbench.domain.plan.checks.duplicates import same
from workbench.domain.plan.checks.quantities import Amount, amount
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Item, Section, Step
from workbench.domain.text.words import stem_set, stems

_EXCLUDED = re.compile(
    r"\b(?P<how>without|instead of|rather than|no|not any|never|avoid"
    r"|(?:we |i |they )?(?:do not|don['’]t|will not|won['’]t|must not|may not|shall not|cannot|can['’]t))"
    r"\s+(?P<what>[^.;:,()]+)",
    re.IGNORECASE,
)
_ONLY_LIMITS = re.compile(
    r"(?:more|less|later|earlier|fewer|longer|larger|smaller|matter|need|doubt|exceed|take)\b", re.IGNORECASE
)
_GERUND = re.compile(r"\w+ing\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:before|until|till|unless|except|if|when|as long as|than|but|for longer)\b", re.IGNORECASE
)
_DENIES = re.compile(
    r"\b(?:no|not|never|without|none|nothing|zero|0|free|avoid\w*|prevent\w*|instead|against|less|reduce\w*|stop\w*"
    r"|remov\w+|cancel\w*|exclud\w+|forbid\w*|protect\w*|secure\w*|minimi[sz]e\w*|rule out|replac\w+|end"
    r"|retire\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_EXAMINES = re.compile(
    r"^\W*(?:check|test|measure|monitor|watch|verify|ensure|audit for|inform|explain|document|communicate|tell|detect"
    r"|confirm|review|rehears|track|count|assess|analy[sz]e|estimate|ask|prove|list|study|decide|compare|consider|choose)\w*\b",
    re.IGNORECASE,
)
_GENERAL = """
    problem issue risk loss change delay work time error interruption effect extra additional further later year month
    week day first plan project person people cost money thing trouble surprise exception
"""
_TOO_GENERAL = stem_set(_GENERAL)
_WORDS_ABOUT_A_PLACE = 2
"""Telling words of what is out of scope, up to which the place in it is what it speaks of: "shops in Austria"."""
_PLACE = re.compile(r"\b(?:in|to|for|from|at) (?:the )?([A-Z][\w-]+)")


@dataclass(frozen=True, slots=True)
class _Exclusion:
    """Something that the plan says is not done."""

    place: tuple[Section, Item] | None
    """None for the goal."""
    phrase: str
    words: frozenset[str]
    out_of_scope: bool
    """True for a MoSCoW "won't"."""

    @property
    def name(self) -> str:
        return self.place[1].id if self.place else "the goal"


def nothing_excluded_is_done(case: Case) -> Iterator[Finding]:
    """Find steps, decisions and scope that do what a constraint, a decision, the scope or the goal rules out."""
    exclusions = list(_exclusions(case))
    by_word: dict[str, list[int]] = {}
    for number, out in enumerate(exclusions):
        for word in sorted(out.words)[:1]:
            by_word.setdefault(word, []).append(number)
    of_places = [number for number, out in enumerate(exclusions) if out.out_of_scope and _PLACE.search(out.phrase)]
    for section, item in case.placed:
        for sentence in _done(item):
            if _DENIES.search(sentence) or _EXAMINES.search(sentence):
                continue
            numbers = {number for word in stems(sentence) for number in by_word.get(word, ())}
            likely = (exclusions[number] for number in sorted({*numbers, *of_places}))
            broken = next((out for out in likely if _does(sentence, item, out)), None)
            if broken is not None:
                yield _finding(
                    "contradiction.excluded",
                    section,
                    item,
                    f"{item.id} says {quoted(sentence)}, and {broken.name} rules out {quoted(broken.phrase)}.",
                    f"Change {item.id} or {broken.name}.",
                )
                break


_TREATMENTS = tuple(
    stem_set(words)
    for words in (
        "fixed screwed nailed glued attached drilled bolted stapled taped pinned anchored plugs screws nails dowels",
        "dug digging excavated trench foundations",
        "burned flame flames candles torches fire fireworks barbecue bonfire",
        "felled cut sawn chopped pruned lopped",
        "driven parked cars vehicles lorries trucks",
    )
)
"""Ways in which one kind of thing is done to a place."""
_NOT_TO_A_PLACE = re.compile(
    r"\b(?:nothing|no|never|nobody)\b(?: (?:may|can|must|is|are|will|be|open|motor))*(?: be)? (?P<act>\w+)"
    r" (?:up )?(?:to|into|in|on|onto|within|at|near|under) (?:the |their |its |any )?(?P<place>\w+(?: area)?)",
    re.IGNORECASE,
)


def places_are_left_alone(case: Case) -> Iterator[Finding]:
    """Find steps that do to a place what a constraint or decision rules out there, in another word for it."""
    bans = [
        (item, treatment, frozenset(stems(match["place"])))
        for _, item in case.placed
        if isinstance(item, Constraint | Decision) and (match := _NOT_TO_A_PLACE.search(item.text))
        for treatment in _TREATMENTS
        if frozenset(stems(match["act"])) & treatment
    ]
    for section, step in case.every(Step) if bans else ():
        for sentence in _done(step):
            words = frozenset(stems(sentence))
            broken = next((item for item, acts, place in bans if place and place <= words and acts & words), None)
            if broken and not _DENIES.search(sentence) and not _EXAMINES.search(sentence):
                text = f"{step.id} says {quoted(sentence)}, against {broken.id} {quoted(broken.text)}."
                yield _finding("contradiction.excluded", section, step, text, f"Change {step.id} or {broken.id}.")
                break


def scope_is_one_thing(case: Case) -> Iterator[Finding]:
    """Find what is in scope and out of it."""
    bullets = [(section, item) for section, item in case.every(Bullet) if item.priority]
    for (_, first), (section, second) in combinations(bullets, 2):
        if (first.priority == "won't") != (second.priority == "won't") and same(first.text, second.text):
            text = f"{quoted(second.text)} is both in scope and out of it: {first.id} and {second.id}."
            yield _finding("contradiction.scope", section, second, text, f"Keep one of {first.id} and {second.id}.")


def amounts_agree(case: Case) -> Iterator[Finding]:
    """Find a quantity with two values, and a part of a budget that is larger than the whole."""
    said = [
        (section, item, found)
        for section, item in case.placed
        for found in _amounts(item, case.today)
        if found.limit or not isinstance(item, Step)  # what else a step says is compared with nothing
    ]
    told: set[str] = set()
    for (_, first, one), (section, second, other) in combinations(said, 2):
        if first is second or second.id in told or one.unit != other.unit or one.limit != other.limit:
            continue
        if _two_values(first, one, second, other) or _part_above_whole(first, one, second, other):
            text = f"{first.id} says {_shown(one)}, and {second.id} says {_shown(other)}."
            told.add(second.id)
            yield _finding("contradiction.amount", section, second, text, f"Make {first.id} and {second.id} agree.")


_FOR_FREE = re.compile(
    r"\b(?:admission|entry|entrance|attendance|participation|tickets?|places?|the (?:event|concert|course|evening"
    r"|visit))"
    r"(?: \w+){0,5}? (?:is|are|stays?|remains?|will be) free\b(?! (?:until|from|to|of))"
    r"|\bfree (?:admission|entry|entrance|tickets)"
    r"|\b(?:no|without an?y?|without) (?:entrance|entry|admission|participation) (?:fees?|charges?)\b",
    re.IGNORECASE,
)
_FOR_MONEY = re.compile(
    r"\b(?:ticket sales?|sales? of tickets|advance sales?|sell(?:ing)? (?:\w+ ){0,3}tickets"
    r"|(?:entrance|entry|admission|participation) (?:fees?|charges?|prices?))\b"
    r"|\b(?:tickets?|admission|entry|entrance|places?) (?:at|for|of|costs?|is"
    r"|are) (?:\w+ )?(?:[€$£] ?\d|\d+(?:[.,]\d+)? ?"
    r"(?:EUR|€|GBP|£|USD|\$|CHF|[A-Z]{3}\b))",
    re.IGNORECASE,
)


_INSTEAD = re.compile(r"\b(?:instead of|rather than|not) [^.;,]+", re.IGNORECASE)


def what_is_free_is_not_sold(case: Case) -> Iterator[Finding]:
    """Find steps that sell what a constraint, a decision or the scope gives away."""
    free = next(
        (
            item
            for _, item in case.placed
            if isinstance(item, Constraint | Decision | Bullet)
            and getattr(item, "priority", "") != "won't"
            and _FOR_FREE.search(_INSTEAD.sub(" ", item.text))
        ),
        None,
    )
    for section, step in case.every(Step) if free else ():
        if sold := _FOR_MONEY.search(f"{step.title} . {step.outcome}"):
            text = f"{step.id} has {quoted(sold[0])}, and {free.id} says {quoted(free.text)}." if free else ""
            remedy = f"Change {step.id} or {free.id}." if free else ""
            yield _finding("contradiction.free", section, step, text, remedy)


def deadlines_agree(case: Case) -> Iterator[Finding]:
    """Find a thing with two deadlines in constraints, goal and criteria."""
    for section, item in case.every(Constraint):
        for day in deadlines(item.text, case.today):
            name, other = next(_other_deadlines(case, item, day), ("", day))
            if name:
                text = f"{item.id} {quoted(item.text)} and {name} give two dates for the same: {day} and {other}."
                yield _finding("contradiction.deadline", section, item, text, f"Make {item.id} and {name} agree.")


_RULES_OUT_A_LACK = re.compile(r"\b(?:without|no|not)\b", re.IGNORECASE)
"""What is not to be without something: the words of it say nothing about what is done."""


def _exclusions(case: Case) -> Iterator[_Exclusion]:
    for section, item in case.placed:
        if isinstance(item, Bullet) and item.priority == "won't":
            if not _RULES_OUT_A_LACK.search(item.text):
                yield _Exclusion((section, item), item.text, _telling(item.text), out_of_scope=True)
        elif isinstance(item, Constraint | Decision):
            yield from (
                _Exclusion((section, item), phrase, _telling(phrase), out_of_scope=False)
                for phrase in _ruled_out(item.text)
            )
    for phrase in _ruled_out(case.goal):
        yield _Exclusion(None, phrase, _telling(phrase), out_of_scope=False)


def _ruled_out(text: str) -> Iterator[str]:
    """Yield what a text says must not be: the words behind "without", "no" and their like, with their subject."""
    for clause in re.split(r"[.;]\s", text):
        for match in _EXCLUDED.finditer(clause):
            what = match["what"]
            if _ONLY_LIMITS.match(what) or _CONDITION.search(what):
                continue
            how = match["how"].lower()
            said_of = clause[: match.start()] if re.search(r"not|n['’]t|never", how) and how != "not any" else ""
            phrase = f"{said_of}{what}".strip()
            of_manner = how in {"instead of", "rather than"} or (how == "without" and _GERUND.match(what))
            if len(_telling(phrase)) > bool(of_manner):
                yield phrase


def _telling(phrase: str) -> frozenset[str]:
    return frozenset(stems(phrase)) - _TOO_GENERAL


def _done(item: Item) -> tuple[str, ...]:
    """Return the sentences in which an item does something."""
    match item:
        case Step():
            return () if item.status == "dropped" else (item.title, item.outcome)
        case Decision():
            return (item.text,)
        case Bullet() if item.priority and item.priority != "won't":
            return (item.text,)
        case _:
            return ()


def _does(sentence: str, item: Item, out: _Exclusion) -> bool:
    if out.place and out.place[1] is item:
        return False
    if not out.words:
        return False
    if out.words <= frozenset(stems(sentence)):
        return True
    is_about_a_place = out.out_of_scope and len(out.words) <= _WORDS_ABOUT_A_PLACE
    return is_about_a_place and bool(set(_PLACE.findall(sentence)) & set(_PLACE.findall(out.phrase)))


def _amounts(item: Item, today: date) -> Iterator[Amount]:
    if isinstance(item, Criterion | Constraint | Decision | Bullet | Step):
        found = (amount(re.sub(r"\d{4}-\d{2}-\d{2}", " ", with_iso_dates(text, today))) for text in statements(item))
        yield from (one for one in found if one)


def _two_values(first: Item, one: Amount, second: Item, other: Amount) -> bool:
    if isinstance(first, Step) or isinstance(second, Step):
        return False
    same_thing = one.unit == other.unit and one.limit == other.limit and one.about == other.about
    return same_thing and len(one.about) > (not one.unit) and one.value != other.value


def _part_above_whole(first: Item, one: Amount, second: Item, other: Amount) -> bool:
    """Tell whether one is a limit of money for part of what the other, which is no single step's, limits lower."""
    if not (one.limit and other.limit and one.unit == other.unit and one.unit not in {"", "%"}):
        return False
    if one.about < other.about:
        return one.value < other.value and not isinstance(first, Step)
    return other.about < one.about and other.value < one.value and not isinstance(second, Step)


def _shown(found: Amount) -> str:
    return f"{'at most ' if found.limit else ''}{found.value:,.10g} {found.unit}".strip()


def _other_deadlines(case: Case, item: Constraint, day: date) -> Iterator[tuple[str, date]]:
    """Yield who gives another day for what ``item`` wants by ``day``: goal and criteria may want it earlier."""
    words = about(item.text, case.today)
    for _, other in case.every(Constraint):
        if other is not item and about(other.text, case.today) == words:
            yield from ((other.id, theirs) for theirs in deadlines(other.text, case.today) if theirs != day)
    if day not in deadlines(case.goal, case.today):
        for sentence in re.split(r"[.;]\s", case.goal):
            if words <= about(sentence, case.today):
                yield from (
                    ("the goal", theirs) for theirs in deadlines(sentence, case.today) if theirs > day or not words
                )
    for _, criterion in case.every(Criterion):
        due = day_of(criterion.due)
        if due and due > day and len(words) > 1 and words <= frozenset(stems(criterion.text)):
            yield criterion.id, due


def _finding(rule: str, section: Section, item: Item, text: str, remedy: str) -> Finding:
    return Finding(rule=rule, severity="major", text=text, section=section.id, item=item.id, remedy=remedy)
