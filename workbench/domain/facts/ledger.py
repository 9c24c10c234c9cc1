"""The ledger: every fact that a person stated, and what became of it.

    goal, answers, feedback ──read_facts──▶ G1, G2, … ──account(plan)──▶ acted on in K1, S4 · asked · not understood
                                                                        · dismissed

A fact is acted on where a typed field of an item uses it (a constraint's last day, a step's cost, a person's absence),
or where a step or criterion says it. The prose of a section does not count. What stands in no item is asked about.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import Literal, NamedTuple

import msgspec

from workbench.domain.facts.uses import can_use, names, uses
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.plan import Criterion, Item, Plan, Question
from workbench.domain.text.words import stem_set, stems
from workbench.domain.values.fact import Fact

GOAL = "goal"
"""The source of what the goal says; other sources are A1, A2, … for answers, F1, F2, … for feedback."""

LONGEST_TOLD = 400
"""Characters of a fact that a task holds: its source has the rest."""

Status = Literal["acted on", "asked", "not understood", "dismissed"]


class Stated(msgspec.Struct, frozen=True, kw_only=True):
    """A fact of a session."""

    id: str
    """G1, G2, … in the order they were stated; never given to another fact."""
    source: str
    """goal, the answer (A1) or the feedback (F1) that it stands in."""
    fact: Fact

    @property
    def hash(self) -> str:
        """Fingerprint of its words: 12 hexadecimal digits."""
        return sha256(self.fact.text.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact, and what became of it."""

    stated: Stated
    status: Status
    acted_on: tuple[str, ...] = ()
    """Ids of the items that use it."""
    replaced_by: str = ""
    """Id of the later fact that says otherwise; "" where none does."""


def named_days(known: Iterable[Stated]) -> list[date]:
    """Return the single days that facts name without a doubt."""
    values = (one.fact.value for one in known if one.fact.type == "date" and not one.fact.doubt)
    return [day for one in values if one.first == one.last and not one.recurs and (day := day_of(one.first))]


def stated(facts: Iterable[Fact], source: str, known: Sequence[Stated]) -> tuple[Stated, ...]:
    """Return the facts of a source with the ids that follow those already given."""
    first = 1 + max((int(fact.id[1:]) for fact in known), default=0)
    return tuple(Stated(id=f"G{number}", source=source, fact=fact) for number, fact in enumerate(facts, first))


def account(
    facts: Sequence[Stated], plan: Plan | None, dismissed: Iterable[str] = (), answered: Iterable[str] = ()
) -> tuple[Entry, ...]:
    """Return what became of each fact in a plan; without a plan, what is understood is not acted on yet.

    ``answered``: feedback of which every request was carried out or answered; its words need no item of their own.
    """
    gone, settled = frozenset(dismissed), frozenset(answered)
    around, users = _read(_Read(tuple(facts), plan))
    replacements = _replacements(facts, around)
    entries = []
    for fact in facts:
        acted_on = users.get(fact.id, ())
        replaced_by = replacements.get(fact.id, "")
        # what was asked for is done: its words need no item, and its value may stand anywhere
        is_settled = fact.source in settled and (
            fact.fact.type in _WORDS
            or (plan is not None and any(uses(item, _NAMELESS, fact.fact) for item in plan.items))
        )
        status: Status = "acted on" if acted_on or is_settled else "asked"
        if fact.id in gone or replaced_by:
            status = "dismissed"
        elif fact.fact.type == "unread" and not is_settled:
            status = "not understood"
        entries.append(Entry(fact, status, acted_on, replaced_by))
    return tuple(entries)


_WORDS = frozenset({"deliverable", "exclusion", "condition", "quality", "unread"})
"""Types of facts that are words and no values."""


@dataclass(frozen=True, eq=False, slots=True)
class _Read:
    """Facts, and the plan that they are looked for in: the same one, as equal ones take as long to compare."""

    facts: tuple[Stated, ...]
    plan: Plan | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Read) and self.plan is other.plan and self.facts == other.facts

    def __hash__(self) -> int:
        return hash((id(self.plan), len(self.facts)))


_Around = Mapping[str, Sequence[Stated]]


@lru_cache(maxsize=4)  # the ledger is asked for by every view, and by the checks
def _read(read: _Read) -> tuple[_Around, Mapping[str, tuple[str, ...]]]:
    """Return, by fact, the facts around it, and the items that use it."""
    around = _around(read.facts)
    return around, _users(read.facts, around, read.plan) if read.plan is not None else {}


def _around(facts: Iterable[Stated]) -> _Around:
    """Return, by fact, those of its source that it stands inside of, in one pass over each source."""
    around: dict[str, list[Stated]] = {}
    ordered = sorted(facts, key=lambda one: (one.source, one.fact.start, -one.fact.end))
    for _, of_source in groupby(ordered, key=lambda one: one.source):
        open_ones: list[Stated] = []
        for one in of_source:
            open_ones = [outer for outer in open_ones if outer.fact.end > one.fact.start]
            around[one.id] = [outer for outer in open_ones if outer.fact.end >= one.fact.end]
            if one.fact.type != "unread":
                open_ones.append(one)
    return around


def _users(facts: Sequence[Stated], around: _Around, plan: Plan) -> Mapping[str, tuple[str, ...]]:
    items = _Items(item for item in plan.items if not isinstance(item, Question))
    users: dict[str, tuple[str, ...]] = {}
    aim = next((one for one in facts if one.source == GOAL and one.fact.type == "deliverable"), None)
    for one in facts:
        users[one.id] = items.using(one, around[one.id])
        if not users[one.id] and one.fact.type not in ("unread", "deliverable"):
            outer_users = (name for outer in around[one.id] for name in users.get(outer.id, ()))
            meant = set(stems(one.fact.text))
            users[one.id] = tuple(name for name in outer_users if meant <= items.words[name])
        if not users[one.id] and one.fact.type == "place" and aim in around[one.id]:
            users[one.id] = users[aim.id] if aim else ()
        if not users[one.id] and one.fact.type in _TOLD_BY_WORDS:
            users[one.id] = items.holding_together(one.fact, is_aim=one is aim)
    return users


class _Items:
    """The items of a plan, with the words and the ids of facts that each holds, read once."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = tuple(items)
        self.words = {
            item.id: {item.id}.union(
                *(stems(text) for name in _TEXTS if isinstance(text := getattr(item, name, None), str))
            )
            for item in self._items
        }
        self._naming: defaultdict[str, set[int]] = defaultdict(set)
        self._holding: defaultdict[str, set[int]] = defaultdict(set)
        self._opening: defaultdict[str, set[int]] = defaultdict(set)
        """Items by the first letters of their words, so that one is found in another form."""
        for place, item in enumerate(self._items):
            for name in names(item):
                self._naming[name].add(place)
            for word in self.words[item.id]:
                self._holding[word].add(place)
                self._opening[word[:_OPENING]].add(place)
        self._known: dict[tuple[object, ...], frozenset[int]] = {}

    def using(self, one: Stated, around: Sequence[Stated]) -> tuple[str, ...]:
        """Return the ids of the items that name a fact, or act on what it says."""
        fact = one.fact
        about = _about(fact, around)
        said = (fact.type, fact.role, fact.text, fact.value, about)
        if said not in self._known:
            places = self._places(fact, about)
            self._known[said] = frozenset(place for place in places if uses(self._items[place], _NAMELESS, fact))
        return tuple(self._items[place].id for place in sorted(self._known[said] | self._naming[one.id]))

    def holding_together(self, fact: Fact, *, is_aim: bool = False) -> tuple[str, ...]:
        """Return the items that have, between them, most words of a fact and some of each of its parts.

        The aim of a plan is what the whole plan is for: only what the goal adds to it can be missing.
        """
        parts = [part for part in map(telling_words, _PART.split(fact.text)) if part]
        words = frozenset().union(*parts)
        holders = {
            word: {place for place in self._opening[word[:_OPENING]] if can_use(self._items[place], fact.type)}
            for word in words
        }
        held = {word for word, places in holders.items() if places}
        if not words or any(not part & held and len(part) >= _SOME for part in parts[1 if is_aim else 0 :]):
            return ()
        if is_aim and (criteria := [item.id for item in self._items if isinstance(item, Criterion)]):
            return tuple(criteria[:_FEW])
        if len(held) < _MOST * len(words):
            return ()
        counts = Counter(place for places in holders.values() for place in places)
        most = sorted(counts, key=lambda place: (-counts[place], place))[:_FEW]
        return tuple(self._items[place].id for place in sorted(most))

    def _places(self, fact: Fact, about: frozenset[str]) -> Iterable[int]:
        """Return the items that a fact could be in: where words tell, those that have one of them."""
        telling = about or (stems(fact.text) if fact.type in _TOLD_BY_WORDS else ())
        if not telling:
            return range(len(self._items))
        return {place for word in telling for place in self._holding[word]}


def telling_words(text: str) -> frozenset[str]:
    """Return the words of a text that could stand nowhere else: no numbers, days and small words."""
    return frozenset(word for word in stems(text) if not word[0].isdigit() and word not in _FILLING)


_PART = re.compile(r"[,;:]|\b(?:and|with|without|so that|but|for|while)\b", re.IGNORECASE)
"""What begins another part of what is to be made."""
_FILLING = stem_set(
    "single ever least most take week month year day date euro EUR GBP USD CHF january february march april june july "
    "august september october november december monday tuesday wednesday thursday friday saturday sunday new hold bring"
)
_MOST, _SOME, _FEW, _OPENING = 0.5, 2, 3, 5
"""Share of all words, words of a part that cannot all be missing, items that are named, letters of a word's opening."""
_NAMELESS = "\n"
"""An id that no item names."""
_TOLD_BY_WORDS = frozenset({"place", "deliverable", "exclusion", "condition", "quality"})
_BOUNDARY = re.compile(r"[,;.!?()\n]|\b(?:and|but|or)\b", re.IGNORECASE)
_NEAR = 80
"""Characters before and after a number that say what it is for."""
_SPAN = frozenset(
    stems("hour day working week month year minute take takes need needs last lasts cost costs price long wide")
)


def _about(fact: Fact, around: Sequence[Stated]) -> frozenset[str]:
    """Return the words, or ids, for which a duration or a price is said: an equal number elsewhere is a coincidence."""
    if fact.type != "duration" and fact.role != "price":
        return frozenset()
    outer = around[-1].fact if around else fact
    start, end = fact.start - outer.start, fact.end - outer.start
    before = _BOUNDARY.split(outer.text[max(start - _NEAR, 0) : start])[-1]
    after = _BOUNDARY.split(outer.text[end : end + _NEAR], maxsplit=1)[0]
    said = f"{before} . {after}"
    if named := _ITEM.findall(said):
        return frozenset(named)
    return frozenset(word for word in stems(said) if word not in _SPAN and not word[0].isdigit())


_TEXTS = ("text", "title", "outcome", "check", "measure", "target", "owner", "notes", "reason", "role")

_SAYS_ANEW = re.compile(
    r"\b(?:now|instead|moved?|changed?|postponed|new (?:deadline|budget|date)|rather than|no longer|wrong"
    r"|correction)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:and|but|so|or|then|also) )*(?:if|what|suppose|imagine|say we|how|why|who|when|where|could|can|should|shall|"
    r"would|may|might|is|are|do|does|did|will)\b",
    re.IGNORECASE,
)
"""How a question or a what-if begins, which states nothing."""
_ITEM = re.compile(r"\b[SCKRDQB]\d+\b")
_ONE_FOR_ALL = frozenset({("date", "deadline"), ("date", "on"), ("amount", "budget")})
"""Facts of which the last one holds for the whole plan."""


def _replacements(facts: Sequence[Stated], around: _Around) -> Mapping[str, str]:
    """Return facts that a later one takes back: the deadline is now another day."""
    replaced: dict[str, str] = {}
    later: dict[tuple[str, str], list[Stated]] = {}
    for one in reversed(facts):
        kind = (one.fact.type, one.fact.role)
        if kind not in _ONE_FOR_ALL:
            continue
        others = (other for other in later.get(kind, ()) if other.source != one.source)
        if last := next((other for other in others if other.fact.value != one.fact.value), None):
            replaced[one.id] = last.id
        if one.source != GOAL and _says_anew([one, *around[one.id]]):
            later.setdefault(kind, []).append(one)
    return replaced


def _says_anew(facts: Sequence[Stated]) -> bool:
    texts = [one.fact.text for one in facts]
    is_asked = any(map(_ASKS.match, texts))
    return not is_asked and any(map(_SAYS_ANEW.search, texts)) and not any(map(_ITEM.search, texts))


_DISMISSAL = re.compile(
    r"(?:^|[.!?;,\n]|\b(?:and|but)\b)\W{0,9}(?:(?:please|just|then|and|but|ok(?:ay)?),? )*"
    r"\b(?:ignore|forget|disregard|dismiss|never ?mind)\b(?P<what>[^.!?;\n]*)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\s*G\d+(?:(?:\s*,|\s*&|\s+and\b)+\s*G\d+)*\b", re.IGNORECASE)
_BOUND = re.compile(r",|\b(?:and|but)\b", re.IGNORECASE)
_JOINT = re.compile(r"[\s,]*(?:(?:and|but)\b|[!?;])?", re.IGNORECASE)
_WITHIN_A_SENTENCE = re.compile(r"[^.!?;\n]")
_MOST_CLAUSES = 200
"""Clauses of a message that take something back; what is beyond is read like anything else."""
_STOPS = str.maketrans("!?;", "...")
_POINTING = frozenset({"that", "this", "it", "them", "those", "these", "about", "what", "i", "said", "all", "the"})


class Dismissal(NamedTuple):
    """What a message takes back."""

    facts: tuple[str, ...]
    """Ids."""
    rest: str
    """The message, with spaces in the place of each clause that takes something back; "" where nothing is left."""


def dismissal(text: str, facts: Sequence[Stated]) -> Dismissal:
    """Return what a message takes back: "ignore that", "forget G4 and G5", "never mind the 500 EUR, use 800 EUR".

    "That" is what was not understood. A clause that takes nothing back stays in the rest.
    """
    gone: list[str] = []
    rest, at = text, 0
    for _ in range(_MOST_CLAUSES):
        clause = _DISMISSAL.search(text, at)
        if clause is None:
            break
        begin, at = clause.span("what")
        for end in _ends(text, begin, at):
            if taken := _meant(text[begin:end], facts):
                gone += taken
                joint = _JOINT.match(text, end)
                after = joint.end() if joint else end
                blank = _WITHIN_A_SENTENCE.sub(" ", text[clause.start() : after]).translate(_STOPS)
                rest, at = rest[: clause.start()] + blank + rest[after:], end
                break
    return Dismissal(tuple(dict.fromkeys(gone)), rest if re.search(r"\w", rest) else "")


def _ends(text: str, begin: int, end: int) -> Iterator[int]:
    """Yield where what is taken back may end: behind the ids of facts, with the sentence, or with its first part."""
    if named := _NAMED.match(text, begin, end):
        yield named.end()
        return
    yield end
    if bound := _BOUND.search(text, begin, end):
        yield bound.start()


def _meant(what: str, facts: Sequence[Stated]) -> tuple[str, ...]:
    named = {name.upper() for name in re.findall(r"\bG\d+\b", what, re.IGNORECASE)}
    if named:
        return tuple(fact.id for fact in facts if fact.id in named)
    words = [word for word in re.findall(r"\w+", what) if word.lower() not in _POINTING]
    if not words:
        return tuple(fact.id for fact in facts if fact.fact.type == "unread")
    meant = set(stems(" ".join(words)))
    return tuple(fact.id for fact in facts if meant and meant <= set(stems(fact.fact.text)))
