"""The ledger: every fact that a person stated, and what became of it.

    goal, answers, feedback ──read_facts──▶ G1, G2, … ──account(plan)──▶ acted on in K1, S4 · asked · not understood
                                                                        · dismissed

A fact is acted on only where a typed field of an item uses it: a constraint's last day, a step's cost, a person's
absence. Quoting it in prose does not count. What was understood and stands in no item is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec

from workbench.domain.facts.fact import Fact
from workbench.domain.facts.uses import uses
from workbench.domain.plan.plan import Plan, Question
from workbench.domain.text.words import stems

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
    replacements = dict(_replacements(facts))
    users: dict[str, tuple[str, ...]] = {}
    entries = []
    for fact in facts:
        users[fact.id] = acted_on = _users(fact, facts, plan, users) if plan is not None else ()
        replaced_by = replacements.get(fact.id, "")
        is_settled = fact.source in settled and fact.fact.type in _WORDS
        status: Status = "acted on" if acted_on or is_settled else "asked"
        if fact.id in gone or replaced_by:
            status = "dismissed"
        elif fact.fact.type == "unread" and not is_settled:
            status = "not understood"
        entries.append(Entry(fact, status, acted_on, replaced_by))
    return tuple(entries)


_WORDS = frozenset({"deliverable", "exclusion", "condition", "quality", "unread"})
"""Types of facts that are words and no values."""


def _users(fact: Stated, facts: Sequence[Stated], plan: Plan, known: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    users = tuple(item.id for item in plan.items if not isinstance(item, Question) and uses(item, fact.id, fact.fact))
    if users or fact.fact.type in ("unread", "deliverable"):
        return users
    around = (
        other.id
        for other in facts
        if other.source == fact.source and other is not fact and _is_inside(fact.fact, other.fact)
    )
    quoting = {item.id for item in plan.items if set(stems(fact.fact.text)) <= _words(item)}
    return tuple(item for outer in around for item in known.get(outer, ()) if item in quoting)


def _is_inside(inner: Fact, outer: Fact) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end and outer.type != "unread"


def _words(item: object) -> set[str]:
    texts = (value for value in (getattr(item, name, "") for name in _TEXTS) if isinstance(value, str))
    return {word for text in texts for word in stems(text)}


_TEXTS = ("text", "title", "outcome", "check", "measure", "target", "owner", "notes")

_SAYS_ANEW = re.compile(
    r"\b(?:now|instead|moved?|changed?|postponed|new (?:deadline|budget|date)|rather than|no longer|wrong"
    r"|correction)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\b[SCKRDQB]\d+\b")
_ONE_FOR_ALL = frozenset({("date", "deadline"), ("date", "on"), ("amount", "budget")})
"""Facts of which the last one holds for the whole plan."""


def _replacements(facts: Sequence[Stated]) -> Iterator[tuple[str, str]]:
    """Yield facts that a later one takes back: the deadline is now another day."""
    for place, later in enumerate(facts):
        kind = (later.fact.type, later.fact.role)
        if kind not in _ONE_FOR_ALL or later.source == GOAL or not _says_anew(later, facts):
            continue
        for earlier in facts[:place]:
            same = (earlier.fact.type, earlier.fact.role) == kind and earlier.source != later.source
            if same and earlier.fact.value != later.fact.value:
                yield earlier.id, later.id


def _says_anew(fact: Stated, facts: Sequence[Stated]) -> bool:
    around = (other.fact.text for other in facts if other.source == fact.source and _is_inside(fact.fact, other.fact))
    said = " ".join((fact.fact.text, *around))
    return bool(_SAYS_ANEW.search(said)) and not _ITEM.search(said)


_DISMISSAL = re.compile(
    r"(?:^|[.!?;,\n]|\b(?:and|but)\b)\W{0,9}(?:(?:please|just|then|and|but|ok(?:ay)?),? )*"
    r"\b(?:ignore|forget|disregard|dismiss|never ?mind)\b(?P<what>[^.!?;\n]*)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\s*G\d+(?:(?:\s*,|\s*&|\s+and\b)+\s*G\d+)*\b", re.IGNORECASE)
_BOUND = re.compile(r",|\b(?:and|but)\b", re.IGNORECASE)
_JOINT = re.compile(r"[\s,]*(?:(?:and|but)\b|[!?;])?", re.IGNORECASE)
_WITHIN_A_SENTENCE = re.compile(r"[^.!?;\n]")
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
    while clause := _DISMISSAL.search(text, at):
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
