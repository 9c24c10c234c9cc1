"""The parts of what a person said: whole, in order, each with the facts in it and what it is for.

"The council must agree, and we'd like to open on 8 May. Needed: a stage, soup for 300."
 └─duty────────────────┘ └─want──────────────────────┘           └want┘  └want───────┘

A sentence is cut only where another subject begins, at a semicolon, and into the things of a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Literal

import msgspec

from workbench.domain.facts.ledger import Stated
from workbench.domain.loop.tasks import Answered
from workbench.domain.plan.calendar import day_of
from workbench.domain.values.fact import Fact, FactType
from workbench.guided import patterns
from workbench.guided.obligations import Duty, duty_of
from workbench.guided.phrases import bare, begins_with_a_verb, capital, says_nothing_is_done, sentences

CLAUSES: frozenset[FactType] = frozenset({"deliverable", "exclusion", "condition", "quality", "unread"})
"""Types of facts that are parts of sentences; the others are figures, days and names."""
Kind = Literal["asks", "open", "duty", "done", "work", "want", "limit", "day", "note"]
"""asks: asks for a plan and nothing else; open: is not known or settled; duty: obliges somebody; done: is there
already; work: somebody named does it; want: is to be done or made; limit; day: happens on a day; note: the rest."""
_MOST_PARTS = 80
SEEN = "How will you see that it has worked, and what must not happen on the way?"
TELL = "Put a semicolon between the steps"
"""In every question for the steps."""
KIND_QUESTION = "Which kind of work is this nearest to?"


class Said(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What a person said, with the facts in it."""

    goal: str
    today: date
    facts: tuple[Stated, ...]
    """Of the goal and the answers; what a question was about says what an answer's figure is."""
    answers: tuple[Answered, ...]

    def text_of(self, source: str) -> str:
        """Return the text that a source's facts were read from."""
        number = int(source[1:]) - 1 if re.fullmatch(r"A[1-9]\d*", source) else -1
        return self.answers[number].answer if 0 <= number < len(self.answers) else self.goal

    def of(self, kind: FactType, role: str | None = None, *, source: str = "") -> Iterator[Stated]:
        """Yield the facts of a type, and of a role or a source."""
        for one in self.facts:
            if one.fact.type == kind and role in (None, one.fact.role) and source in ("", one.source):
                yield one

    def inside(self, clause: Stated, kind: FactType) -> list[Stated]:
        """Return the facts of a type that stand in a part of a sentence."""
        return [one for one in self.of(kind) if holds(clause, one)]

    def is_amount(self, clause: Stated, part: str) -> bool:
        """Tell whether a stretch of a part of a sentence is a sum or a price and no more: it has its own limit."""
        money = (one.fact.text for one in self.inside(clause, "amount") if one.fact.value.currency)
        return any(part.casefold().strip(" .") in text.casefold() for text in money)


def holds(clause: Stated, other: Stated) -> bool:
    """Tell whether a part of a sentence holds another stretch of the text."""
    return (
        clause is not other
        and clause.source == other.source
        and clause.fact.start <= other.fact.start
        and other.fact.end <= clause.fact.end
    )


@lru_cache(maxsize=4096)
def _without_joints(text: str) -> str:
    return " ".join(patterns.JOINED.sub("", text).split()).strip(" ,;:")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence."""

    stated: Stated
    """Its words; its id names all the facts that begin in it."""
    kind: Kind
    duty: Duty = ""
    head: Stated | None = None
    """Of a thing of a list: what stands before the colon."""
    is_head: bool = False
    """Whether it stands before the things of a list."""

    @property
    def text(self) -> str:
        """Its words, without those that join it to what stands before."""
        return _without_joints(self.stated.fact.text)

    @property
    def title(self) -> str:
        """Its words as the title of a step."""
        text = patterns.WANT_LEAD.sub("", self.text, count=1) if self.kind == "want" else self.text
        if patterns.POINTS_BACK.match(text):
            return capital(self.text)
        return capital(patterns.MUST.sub("", text).strip(" ,;:?!."))


def parts_of(brief: Said) -> list[Part]:
    """Return the parts of goal and answers."""
    given = [(f"A{number}", one) for number, one in enumerate(brief.answers, 1) if one.answer.strip()]
    placed_elsewhere = (KIND_QUESTION, TELL, SEEN)
    sources = ["goal", *(source for source, one in given if not any(mark in one.question for mark in placed_elsewhere))]
    every = [part for source in sources for part in _of_source(brief, source)]
    return _with_main(every[:_MOST_PARTS])


def _with_main(parts: list[Part]) -> list[Part]:
    """Let the first words without a verb be what is wanted, where nothing else is."""
    goal = [part for part in parts if part.stated.source == "goal"]
    if any(part.kind == "want" for part in goal):
        return parts
    free = [
        part
        for part in goal
        if part.kind in ("note", "day", "limit")
        and says_nothing_is_done(part.text)
        and not patterns.SUBJECT.match(part.text)
    ]
    first = [part for part in free if part.kind != "limit"][:1]
    first = first or [part for part in goal[:1] if not patterns.SUBJECT.match(part.text)]
    wanted = [*first, *(part for part in free if part.kind == "day" and part not in first)]
    return [replace(part, kind="want") if part in wanted else part for part in parts]


def _of_source(brief: Said, source: str) -> Iterator[Part]:
    text = brief.text_of(source)
    for start, end in sentences(text):
        if items := _items(text, start, end, is_answer=source != "goal"):
            (first, last), things = items[0], items[1:]
            head = stated_in(brief, source, first, last) if last > first else None
            if head:
                wants = _kind(brief, head)[0] == "want" and begins_with_a_verb(
                    patterns.MUST.sub("", bare(head.fact.text))
                )
                yield Part(head, "want" if wants else "asks", is_head=True)
            for first, last in things:
                item = stated_in(brief, source, first, last)
                yield Part(item, *_kind(brief, item, is_listed=True), head)
            continue
        for first, last in _clauses(text, start, end, is_goal=source == "goal"):
            stated = stated_in(brief, source, first, last)
            yield Part(stated, *(_kind(brief, stated) if source == "goal" else _kind_in_answer(brief, stated)))


def _items(text: str, start: int, end: int, *, is_answer: bool) -> list[tuple[int, int]]:
    """Return the place of the words before a list, then those of its things; none where a sentence is no list."""
    stretch = text[start:end]
    marks = list(patterns.MARKED.finditer(stretch))
    if len(marks) > 1:
        begins = [*(mark.end() for mark in marks)]
        ends = [*(mark.start() for mark in marks[1:]), len(stretch)]
        return [(start, start + marks[0].start()), *_trimmed(text, start, zip(begins, ends, strict=True))]
    colon = re.search(r":\s", stretch)
    if colon is None:
        return []
    head, rest = stretch[: colon.start()], stretch[colon.end() :]
    is_free = (
        (not is_answer and says_nothing_is_done(head))
        or patterns.WANT_LEAD.match(head)
        or patterns.LISTS.match(head)
        or patterns.NEEDED.search(head)
    ) and not patterns.PEOPLE.search(head)
    cut = re.compile(r";\s+(?:and\s+)?") if ";" in rest else patterns.COMMA_OR_AND
    places: list[tuple[int, int]] = []
    at = 0
    for match in [*cut.finditer(rest), None]:
        stop = match.start() if match else len(rest)
        if places and patterns.GOES_ON.match(rest[at:stop]):
            places[-1] = (places[-1][0], stop)
        else:
            places.append((at, stop))
        at = match.end() if match else stop
    things = [rest[first:last] for first, last in places]
    if not is_free or len(things) < 2 or any(patterns.SUBJECT.match(thing) for thing in things):
        return []
    if all(re.fullmatch(r"(?:[A-Z][\w'’.-]+ ?){2,3}", thing.strip(" .")) for thing in things):
        return []  # a list of people
    if any(patterns.TITLED.search(thing) for thing in things):
        return []  # who and what there is for it
    if patterns.WANT_LEAD.match(things[0]) or (";" not in rest and not all(map(says_nothing_is_done, things))):
        return []
    offset = start + colon.end()
    return [(start, start + colon.start()), *_trimmed(text, offset, places)]


_CLAUSE_OF_ANSWER = re.compile(rf":\s+|{patterns.CLAUSE.pattern}")


def _clauses(text: str, start: int, end: int, *, is_goal: bool) -> Iterator[tuple[int, int]]:
    """Yield the place of each part of a sentence with a subject of its own."""
    stretch, places, at = text[start:end], [], 0
    cuts = patterns.CLAUSE if is_goal else _CLAUSE_OF_ANSWER
    for match in cuts.finditer(stretch):
        if len(stretch[at : match.start()].split()) > 1:
            places.append((at, match.start()))
            at = match.end()
    yield from _trimmed(text, start, [*places, (at, len(stretch))])


def _trimmed(text: str, offset: int, places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for first, last in places:
        begin, stop = offset + first, offset + last
        while begin < stop and text[begin] in " \n,;:–-":
            begin += 1
        while stop > begin and text[stop - 1] in " \n,;:":
            stop -= 1
        if begin < stop:
            yield begin, stop


def stated_in(brief: Said, source: str, start: int, end: int) -> Stated:
    """Return a stretch of a text with the ids of all facts that it holds."""
    ids = [
        one.id
        for one in brief.facts
        if one.source == source and one.fact.start < end and start < one.fact.end and _stands_in_words(one.fact)
    ]
    fact = Fact(text=brief.text_of(source)[start:end], start=start, end=end, type="deliverable")
    return Stated(id=" ".join(ids) or source, source=source, fact=fact)


def _stands_in_words(fact: Fact) -> bool:
    """Tell whether words say all that a fact says; days, sums and hours have fields of their own."""
    return fact.type in (*CLAUSES, "person", "place", "duration") or (fact.type == "amount" and not fact.value.currency)


def _kind(brief: Said, stated: Stated, *, is_listed: bool = False) -> tuple[Kind, Duty]:
    """Return what a part is for."""
    text = " ".join(patterns.JOINED.sub("", stated.fact.text).split())
    is_dated = any(_is_ahead(one.fact, brief.today) for one in brief.inside(stated, "date"))
    duty: Duty = "" if is_listed else duty_of(text)
    wants = patterns.WANT_LEAD.match(text) is not None
    acts = begins_with_a_verb(patterns.MUST.sub("", text)) and not patterns.DOES_NOT.match(text)
    acts = acts and not brief.is_amount(stated, text.partition(" ")[2])  # "rent 1,150 pounds a month"
    if patterns.ASKS.match(text):
        return "asks", ""
    if len(needed_things(text)) > 1:
        return "want", ""
    if patterns.UNDECIDED.search(text) and not (acts or wants):
        return "open", ""
    if duty and not (acts and duty == "other"):
        return "duty", duty
    if patterns.IS_DONE.search(text):
        return "done", ""
    if patterns.DOES.match(text):
        return "work", ""
    if acts and patterns.STATIVE.match(text) and not wants:
        return "limit", ""
    is_due = patterns.WANTED_DONE.search(text) is not None and not patterns.SUBJECT.match(text)
    if is_listed or wants or is_due or (acts and not patterns.DO_IT.match(text)):
        return ("limit" if patterns.NEGATIVE.match(text) else "want"), ""
    is_limit = patterns.BINDS.search(text) and not patterns.THERE_IS.match(text)
    is_limit = is_limit or (patterns.NEGATIVE.match(text) and not patterns.NOT_BEGUN.match(text))
    if is_limit or patterns.DO_IT.match(text):
        return "limit", ""
    is_budget = any(one.fact.role == "budget" for one in brief.inside(stated, "amount"))
    if is_budget and not patterns.IS_PAST.search(text):
        return "limit", ""
    return ("day" if is_dated and not patterns.IS_PAST.search(text) else "note"), ""


def _kind_in_answer(brief: Said, stated: Stated) -> tuple[Kind, Duty]:
    """Return what a part of an answer is for: a step or a limit only where its own words say so."""
    text = " ".join(patterns.JOINED.sub("", stated.fact.text).split())
    acts = begins_with_a_verb(patterns.MUST.sub("", text)) and len(text.split()) > 1
    acts = acts and not patterns.DOES_NOT.match(text) and not brief.is_amount(stated, text.partition(" ")[2])
    is_whole = not (patterns.POINTS_BACK.match(text) or patterns.MUST.match(text))
    if (duty := duty_of(text)) and not acts and is_whole:
        return "duty", duty
    is_wanted = patterns.WANTED_DONE.search(text) and not patterns.NEGATIVE.search(text)
    if is_whole and not patterns.IF.match(text) and (acts or is_wanted):
        return "want", ""
    is_budget = any(one.fact.role == "budget" for one in brief.inside(stated, "amount"))
    is_strict = patterns.STRICT.search(text) or patterns.NEGATIVE.match(text)
    return ("limit" if is_budget or (is_strict and not patterns.NOT_BEGUN.match(text)) else "note"), ""


def needed_things(text: str) -> list[str]:
    """Return the things that a sentence without more says are needed: "need permits, a menu, a weekly route"."""
    match = patterns.NEEDS_THINGS.search(text)
    things = patterns.COMMA_OR_AND.split(match["things"]) if match else []
    is_list = all(map(says_nothing_is_done, things[:-1])) and not any(map(patterns.NO_THING.match, things[1:]))
    is_list = is_list and not any(patterns.GOES_ON.match(one) or patterns.SUBJECT.match(one) for one in things)
    return things if is_list else []


def _is_ahead(fact: Fact, today: date) -> bool:
    last = day_of(fact.value.last)
    return last is not None and last >= today and not fact.value.recurs and not fact.doubt
