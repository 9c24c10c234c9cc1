"""Does the plan say two things that cannot both hold.

    excluded    "without downtime", "won't: new laptops", "instead of X"     against a step or decision that does it
    scope       a line that is in scope and out of it
    amount      two limits of money for one thing, or one for a part that is above that of the whole
    stays       a thing that has to go on, and that another line stops
    deadline    two dates for one thing

Sentences are compared by their telling words. What only examines, prevents or undoes a thing ("check that there was no
downtime") does not do it, and a condition ("no sale before the certificate") excludes nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import combinations, permutations

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted, statements
from workbench.domain.plan.checks.dates import about
from workbench.domain.plan.checks.days import days_in, deadlines, with_whole_dates
from workbench.domain.plan.checks.duplicates import same
from workbench.domain.plan.checks.kinds import head, of_kind
from workbench.domain.plan.checks.quantities import prices
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Item, Money, Step
from workbench.domain.text.words import stem_set, stems

_EXCLUDED = re.compile(
    r"\b(?P<how>without|instead of|rather than|no|not any|never|avoid"
    r"|(?:do|will|must|may|shall|can) ?not|(?:do|wo|ca)n['’]t)\s+(?P<what>[^.;:,()]+)",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:no|not|nobody|nothing|none|never|neither)\b|n['’]t\b", re.IGNORECASE)
_ONLY_LIMITS = re.compile(
    r"^(?:more|less|later|earlier|fewer|longer|larger|smaller|matter|need|doubt|exceed|take)\b|\b(?:above|over|below"
    r"|under|beyond) \d|\b(?:before|until|till|unless|except|if|when|as long as|than|but|for longer)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:no|not|never|without|none|nothing|zero|0|free|avoid\w*|prevent\w*|instead|against|less|reduce\w*|stop\w*"
    r"|remov\w+|cancel\w*|exclud\w+|protect\w*|replac\w+|end|retire\w*)\b|n['’]t\b"
    r"|^\W*(?:check|test|measure|monitor|verify|ensure|inform|explain|document|tell|confirm|review|rehears|track|count"
    r"|assess|analy[sz]e|ask|prove|list|study|decide|compare|choose)\w*\b",
    re.IGNORECASE,
)
"""A sentence that does not do what it speaks of, or only looks at it."""
_TOO_GENERAL = stem_set(
    "problem issue risk loss change delay work time error interruption effect extra additional further later year "
    "month week day first plan project person people cost money thing trouble surprise exception"
)


def nothing_excluded_is_done(case: Case) -> Iterator[Finding]:
    """Find steps, decisions and scope that do what a constraint, a decision, the scope or the goal rules out."""
    by_word: dict[str, list[tuple[str, str, frozenset[str]]]] = defaultdict(list)
    for name, phrase in _exclusions(case):
        for word in of_kind(head(phrase)) if not _FOR_A_TIME.search(phrase) else ():
            by_word[word].append((name, phrase, frozenset({word})))
        words = frozenset(stems(phrase)) - _TOO_GENERAL
        if words:
            words |= frozenset(stems(phrase)[-1:])  # a closing day is a day, and not whatever closes
            by_word[min(words)].append((name, phrase, words))
    for section, item in case.placed:
        for sentence in () if not by_word else _done(item):
            stated = frozenset(stems(sentence))
            likely = (out for word in sorted(stated) for out in by_word.get(word, ()))
            broken = [(name, what) for name, what, words in likely if words <= stated and name != item.id]
            of_same = [(name, what) for name, what in broken if stated & frozenset(stems(what))]
            title = item.title if isinstance(item, Step) else ""
            if broken and not _DENIES.search(sentence) and not _DENIES.search(title):
                name, what = (of_same or broken)[0]
                text = f"{item.id} says {quoted(sentence)}, and {name} rules out {quoted(what)}."
                remedy = f"Change {item.id} or {name}."
                severity: Severity = "major" if of_same else "minor"
                yield fault("contradiction.excluded", severity, (section, item), text, remedy)
                break


_FOR_A_TIME = re.compile(
    r"\d|\b(?:from|between|during|after|on|at|within|inside|near|in (?:the )?(?:night|morning|evening)\w*)\b",
    re.IGNORECASE,
)
"""Words of what is ruled out for some time or in some place only."""


def _exclusions(case: Case) -> Iterator[tuple[str, str]]:
    """Yield what is not to be done, with who says so."""
    for _, item in case.placed:
        if isinstance(item, Bullet) and item.priority == "won't":
            if not re.search(r"\b(?:without|no|not)\b", item.text, re.IGNORECASE):
                yield item.id, item.text
        elif isinstance(item, Constraint | Decision):
            yield from ((item.id, phrase) for phrase in (*_ruled_out(item.text), *_named_too(item.text)))
    yield from (("the goal", phrase) for phrase in _ruled_out(case.goal))


_TOO = re.compile(
    r"\b(?:no|without|not any|free of) [^.;]{0,200}?(?:, (?P<what>[\w -]{1,100}?) included|,? (?:including"
    r"|not even) (?P<more>[^.;:,()]+))",
    re.IGNORECASE,
)
"""What is ruled out as well: "no additive, enzymes included"."""


_FREE = re.compile(
    r"\b(?P<what>[a-z]+)-free\b|\bfree (?:of|from) (?P<more>[a-z' ]{3,40})|\b(?P<meat>vegetarian|vegan)\b",
    re.IGNORECASE,
)
_IS_DONE = re.compile(
    r"\b[Nn]o (?P<what>[a-z-]+(?: [a-z-]+)?) (?:is|are|may be|must be|will be) "
    r"(?:taken|used|charged|allowed|permitted|served|needed|accepted|welcome|sold|shown|bought|offered)(?=[.,;]|$)"
)

_DOING = re.compile(r"(?<!\w)\w+ing $")
_NEAR = 500
"""Characters before what is ruled out in which its subject stands."""


def _named_too(text: str) -> Iterator[str]:
    """Yield what is ruled out in other ways: what is named as well, "nut-free", and "no cash" of "no cash is taken"."""
    yield from (match["what"] or match["more"] for match in _TOO.finditer(text))
    for match in _FREE.finditer(text):
        of_meat = "animal" if match["meat"] == "vegan" else "meat"
        named = match["what"] or match["more"] or of_meat
        if of_kind(head(named)):  # what is step-free or free of charge rules out no steps and no charging
            yield named
    yield from (match["what"] for match in _IS_DONE.finditer(text))


def _ruled_out(text: str) -> Iterator[str]:
    """Yield what a text says must not be: the words behind "without", "no" and their like, with their subject."""
    for clause in re.split(r"[.;]\s", text):
        negation = _NEGATION.search(clause)
        for match in _EXCLUDED.finditer(clause):
            how, what = match["how"].lower(), match["what"]
            if how == "without" and negation and negation.end() <= match.start():
                continue  # "nobody without a helmet" asks for the helmet
            before = clause[max(match.start() - _NEAR, 0) : match.start()]
            subject = before if re.search(r"not$|n['’]t|never", how) else ""
            if how == "no" and (doing := _DOING.search(before)):
                subject = doing[0]  # "harming no tree" rules out harm, and no tree
            of_manner = how in {"instead of", "rather than"} or (how == "without" and re.match(r"\w+ing\b", what))
            phrase = f"{subject}{what}".strip()
            if not _ONLY_LIMITS.search(what) and len(frozenset(stems(phrase)) - _TOO_GENERAL) > bool(of_manner):
                yield phrase


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


def scope_is_one_thing(case: Case) -> Iterator[Finding]:
    """Find what is in scope and out of it."""
    bullets = [(section, item) for section, item in case.every(Bullet) if item.priority]
    for (_, first), (section, second) in combinations(bullets, 2):
        if (first.priority == "won't") != (second.priority == "won't") and same(first.text, second.text):
            text = f"{quoted(second.text)} is both in scope and out of it: {first.id} and {second.id}."
            remedy = f"Keep one of {first.id} and {second.id}."
            yield fault("contradiction.scope", "major", (section, second), text, remedy)


_STOPS = re.compile(
    r"\b(?:hand(?:ed)?|giv(?:en|e)|return(?:ed)?|taken|moved|brought|clear(?:ed)?|vacat(?:ed|e)|emptied|empty|closed?"
    r"|shut|remov(?:ed|e)|gone|leaves?|left|off|destroyed|deleted|shredded|demolished|sold|dismantled|dissolved"
    r"|cancel\w*|ends?|over|expires?|terminated|out of|cold|idle|stopp?(?:s|ed)?|sealed|blocked|locked|unavailable"
    r"|drained|dark|silent|rests?|barred|(?:nobody|no one|no \w+|not|never)\b[^.;]{0,40}\b(?:enters?|entered|used?"
    r"|opened|open|operated|runs?|run|there))\b",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"\b(?:stays?|remains?|kept|keeps?|continu\w+|goes on|go on|runs? on|in (?:use|service|operation|place)|open|until"
    r"|available|usable|reachable|works?|runs?|(?:not|never|nobody|nothing)\b[^.;]{0,40}\b(?:moved?|leaves?|remov\w+"
    r"|opened|closed?|ends?))\b",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    r"\b(?:every|each) (?:single )?(?:\w+ )?(?:day|weekday|week|night|morning|evening|hour|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday)s?\b|\b(?:daily|always|throughout|all (?:the )?time|at (?:all|any) (?:times?"
    r"|hours?)|round the clock|\w+ days a week|24 hours|all day|permanently|uninterrupted\w*|without (?:interruption"
    r"|a break|pause|a gap)|(?:no|not a|never a) (?:single )?(?:closing )?(?:day|hour|night))\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(r"\b(?:except|unless|but not|other than|apart from|save)\b", re.IGNORECASE)
_SHARED = 2
"""Telling words that two constraints about one thing have in common; one is enough where it has to go on always."""


def what_ends_does_not_have_to_stay(case: Case) -> Iterator[Finding]:
    """Find a constraint by which a thing stops on a day, and one by which it goes on always, or for longer."""
    limits = [(section, item) for section, item in case.every(Constraint) if not _EXCEPT.search(item.text)]
    for (_, ending), (section, staying) in permutations(limits, 2):
        always = _ALWAYS.search(staying.text)
        named = days_in(with_whole_dates(ending.text), case.today)
        by = min(named, default=None) or day_of(ending.day)
        until = max(days_in(staying.text, case.today), default=None)
        if not (by and _STOPS.search(ending.text) and (always or (until and _STAYS.search(staying.text)))):
            continue
        common = frozenset(stems(ending.text)) & frozenset(stems(staying.text)) - _TOO_GENERAL - _DAYS
        shared = len({word for word in common if not word[0].isdigit()})
        if shared >= (1 if always else _SHARED) and (until is None or until > by):
            text = (
                f"{ending.id} {quoted(ending.text)} ends by {by} what {staying.id} {quoted(staying.text)} keeps"
                f"{f' until {until}' if until else ' going'}."
            )
            remedy = f"Make {ending.id} and {staying.id} agree."
            severity: Severity = "major" if shared >= _SHARED else "minor"
            yield fault("contradiction.stays", severity, (section, staying), text, remedy)


_DAYS = stem_set("weekday daily night monday tuesday wednesday thursday friday saturday sunday every hour open close")


def limits_of_money_agree(case: Case) -> Iterator[Finding]:
    """Find two limits of money for one thing, and a limit for a part that is above that of the whole."""
    stated = [(section, item, *found) for section, item in case.placed for found in _limits(item)]
    reported: set[str] = set()
    for (_, first, one, words), (section, second, other, theirs) in combinations(stated, 2):
        if first is second or second.id in reported or one.currency != other.currency or one == other:
            continue
        is_same = words == theirs and not isinstance(first, Step) and not isinstance(second, Step)
        is_above = words < theirs and one.amount < other.amount and not isinstance(first, Step)
        is_below = theirs < words and other.amount < one.amount and not isinstance(second, Step)
        if is_same or is_above or is_below:
            reported.add(second.id)
            text = f"{first.id} says {one.amount:,} {one.currency}, and {second.id} {other.amount:,} {other.currency}."
            remedy = f"Make {first.id} and {second.id} agree."
            yield fault("contradiction.amount", "major", (section, second), text, remedy)


def _limits(item: Item) -> Iterator[tuple[Money, frozenset[str]]]:
    """Yield the limits of money of an item, each with the telling words of what it is for."""
    for text in statements(item) if isinstance(item, Criterion | Constraint | Decision | Bullet | Step) else ():
        found = list(prices(text))
        if len(found) == 1 and (found[0].is_bound or "budget" in text.lower()):
            rest = f"{text[: found[0].start]} {text[found[0].end :]}"
            yield found[0].money, frozenset(stems(rest)) - _OF_LIMITS


_OF_LIMITS = stem_set("most more less than limit cap maximum max exceed within total sum amount budget all")


def deadlines_agree(case: Case) -> Iterator[Finding]:
    """Find a thing with two deadlines, in constraints or in a constraint and the goal, which may want it earlier."""
    for section, item in case.every(Constraint):
        for day in deadlines(item.text, case.today):
            name, other = next(_other_deadlines(case, item, day), ("", day))
            if name:
                text = f"{item.id} {quoted(item.text)} and {name} give two dates for the same: {day} and {other}."
                remedy = f"Make {item.id} and {name} agree."
                yield fault("contradiction.deadline", "major", (section, item), text, remedy)


def _other_deadlines(case: Case, item: Constraint, day: date) -> Iterator[tuple[str, date]]:
    words = about(item.text, case.today)
    for _, other in case.every(Constraint):
        if other is not item and about(other.text, case.today) == words:
            yield from ((other.id, theirs) for theirs in deadlines(other.text, case.today) if theirs != day)
    for sentence in re.split(r"[.;]\s", case.goal) if day not in deadlines(case.goal, case.today) else ():
        if words <= about(sentence, case.today):
            yield from (("the goal", one) for one in deadlines(sentence, case.today) if one > day or not words)
