"""Does the plan say two things that cannot both hold.

    excluded    "without downtime", "won't: new laptops", "instead of X"     against a step or decision that does it
    scope       a line that is in scope and out of it
    amount      two limits of money for one thing, or one for a part that is above that of the whole
    deadline    two dates for one thing

Sentences are compared by their telling words. What only examines, prevents or undoes a thing ("check that there was no
downtime") does not do it, and a condition ("no sale before the certificate") excludes nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import combinations

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, quoted, statements
from workbench.domain.plan.checks.dates import about
from workbench.domain.plan.checks.days import deadlines
from workbench.domain.plan.checks.duplicates import same
from workbench.domain.plan.checks.quantities import prices
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Item, Money, Step
from workbench.domain.text.words import stem_set, stems

_EXCLUDED = re.compile(
    r"\b(?P<how>without|instead of|rather than|no|not any|never|avoid"
    r"|(?:do|will|must|may|shall|can) ?not|(?:do|wo|ca)n['’]t)\s+(?P<what>[^.;:,()]+)",
    re.IGNORECASE,
)
_ONLY_LIMITS = re.compile(
    r"^(?:more|less|later|earlier|fewer|longer|larger|smaller|matter|need|doubt|exceed|take)\b"
    r"|\b(?:before|until|till|unless|except|if|when|as long as|than|but|for longer)\b",
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
        words = frozenset(stems(phrase)) - _TOO_GENERAL
        if words:
            by_word[min(words)].append((name, phrase, words))
    for section, item in case.placed:
        for sentence in () if not by_word else _done(item):
            said = frozenset(stems(sentence))
            likely = (out for word in sorted(said) for out in by_word.get(word, ()))
            broken = next(((name, what) for name, what, words in likely if words <= said and name != item.id), None)
            if broken and not _DENIES.search(sentence):
                text = f"{item.id} says {quoted(sentence)}, and {broken[0]} rules out {quoted(broken[1])}."
                yield fault(
                    "contradiction.excluded", "major", (section, item), text, f"Change {item.id} or {broken[0]}."
                )
                break


def _exclusions(case: Case) -> Iterator[tuple[str, str]]:
    """Yield what is not to be done, with who says so."""
    for _, item in case.placed:
        if isinstance(item, Bullet) and item.priority == "won't":
            if not re.search(r"\b(?:without|no|not)\b", item.text, re.IGNORECASE):
                yield item.id, item.text
        elif isinstance(item, Constraint | Decision):
            yield from ((item.id, phrase) for phrase in _ruled_out(item.text))
    yield from (("the goal", phrase) for phrase in _ruled_out(case.goal))


def _ruled_out(text: str) -> Iterator[str]:
    """Yield what a text says must not be: the words behind "without", "no" and their like, with their subject."""
    for clause in re.split(r"[.;]\s", text):
        for match in _EXCLUDED.finditer(clause):
            how, what = match["how"].lower(), match["what"]
            subject = clause[: match.start()] if re.search(r"not$|n['’]t|never", how) else ""
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


def limits_of_money_agree(case: Case) -> Iterator[Finding]:
    """Find two limits of money for one thing, and a limit for a part that is above that of the whole."""
    said = [(section, item, *found) for section, item in case.placed for found in _limits(item)]
    told: set[str] = set()
    for (_, first, one, words), (section, second, other, theirs) in combinations(said, 2):
        if first is second or second.id in told or one.currency != other.currency or one == other:
            continue
        is_same = words == theirs and not isinstance(first, Step) and not isinstance(second, Step)
        is_above = words < theirs and one.amount < other.amount and not isinstance(first, Step)
        is_below = theirs < words and other.amount < one.amount and not isinstance(second, Step)
        if is_same or is_above or is_below:
            told.add(second.id)
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
