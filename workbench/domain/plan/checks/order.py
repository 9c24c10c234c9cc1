"""Is the order kept that the plan itself asks for.

order.said    a constraint's, a decision's or a step's own words: "no interview before the vote", "when we have cast"
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.acts import GROUP, MODIFIERS
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.days import with_iso_dates
from workbench.domain.plan.plan import Constraint, Decision, Item, Step
from workbench.domain.text.words import stem_set, stems, tokens

_YES = r"(?:consent|approval|permit|permission|agreement|licence|release|vote|signature|order|yes)\b"
_NOT_BEFORE = re.compile(
    r"\b(?:no|nothing|nobody|not|never|neither)\b(?P<then>[^.;]{0,120}?)\b(?:before|until|unless"
    r"|without)\b(?P<first>[^.;]+)",
    re.IGNORECASE,
)
_ONLY_AFTER = re.compile(
    rf"(?P<then>[^.;,]{{1,120}}?)\b(?:only (?:after|once|when|(?:with|on)(?=[^.;]{{0,200}}\b{_YES}))"
    r"|not (?:before|until|without))\b(?P<first>[^.;]+)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?=[^.;]{1,250}?\bbefore\b)"  # else each verb looks for it again
    r"(?P<first>[^.;]{1,120}?)\b(?:has|have|must|needs?|is|are)\b(?P<more>[^.;]{0,120}?)\bbefore\b(?P<then>[^.;,]+)",
    re.IGNORECASE,
)
_ONLY_THEN = re.compile(
    r"^only (?:after|once|when) (?P<first>[^.;]{1,120}?) (?:may|can|is|are|do|does|will|must|shall)\b(?P<then>[^.;]+)",
    re.IGNORECASE,
)
_NEEDS_A_YES = re.compile(
    rf"^(?P<then>[^.;,]{{1,60}}?) (?:needs?|requires?) (?P<first>[^.;]*\b{_YES}[^.;]*)", re.IGNORECASE
)
_SAID_BEFORE = re.compile(r"\bbefore (?:the |it |any |we )?(?P<then>[^.;,]+)", re.IGNORECASE)
_SAID_AFTER = re.compile(
    r"\b(?:only|not|cannot|can['’]t|waits?|waiting|begins?|starts?)\b[^.;]{0,200}?\b(?:when|once|after|until"
    r"|for)\b(?P<first>[^.;]+)",
    re.IGNORECASE,
)
_FORM = 5
"""Letters that two words share that are forms of one: rehearse, rehearsals."""


def the_order_is_kept_that_is_said(case: Case) -> Iterator[Finding]:
    """Find steps that come before what a constraint, a decision or a step's own words want to come before them."""
    places = {step.id: (section, step) for section, step in reversed(list(case.every(Step)))}
    words_by_step = {step.id: _grouped(f"{step.title} . {step.outcome}") for step in case.steps.values()}
    reported: set[str] = set()
    for _, item in case.placed:
        if isinstance(item, Constraint | Decision):
            for then, first in _orders(with_iso_dates(item.text, case.today)):
                for step, other in _against(case, item, then, first, words_by_step):
                    if step.id not in reported and case.comes_before(step, other):
                        reported.add(step.id)
                        against = f"{item.id} {quoted(item.text)}"
                        text = f"{step.id} {quoted(step.title)} comes before {other.id}, against {against}."
                        remedy = f"Let {step.id} need {other.id}, and move it after."
                        yield fault("order.said", "major", places[step.id], text, remedy)
    titles = _Titles(case)
    for step in case.steps.values():
        for match in _SAID_BEFORE.finditer(f"{step.title}. {step.outcome}. {step.check}. {step.notes}"):
            for other in titles.naming(match["then"]):
                if other is not step and case.comes_before(other, step):
                    text = f"{step.id} is to be done {quoted(match[0].strip())}, and {other.id} comes first."
                    remedy = f"Let {other.id} need {step.id}, and move it after."
                    yield fault("order.said", "major", places[step.id], text, remedy)
        for match in _SAID_AFTER.finditer(step.notes):
            for other in titles.named_in(match["first"]):
                if other is not step and case.comes_before(step, other):
                    text = f"{step.id} waits, {quoted(match[0].strip())}, and {other.id} comes only after it."
                    remedy = f"Change the notes of {step.id}, or the order of the two."
                    yield fault("order.said", "major", places[step.id], text, remedy)


class _Titles:
    """Finds the steps that a text means, by the telling words of their titles in any form."""

    def __init__(self, case: Case) -> None:
        self._by_word: dict[str, list[tuple[frozenset[str], Step]]] = defaultdict(list)
        for step in case.steps.values():
            words = _openings(step.title)
            for word in words:
                self._by_word[word].append((words, step))

    def naming(self, text: str) -> Iterator[Step]:
        """Yield the steps whose titles have all words of a text, which are two at least."""
        words_by_step = _openings(text)
        rarest = min((self._by_word.get(word, []) for word in sorted(words_by_step)), key=len, default=[])
        return (step for words, step in rarest if len(words_by_step) > 1 and words_by_step <= words)

    def named_in(self, text: str) -> Iterator[Step]:
        """Yield the steps of which a text has all words of the title, or the one that is long enough to tell."""
        words_by_step = _openings(text)
        likely = {
            step.id: (words, step) for word in sorted(words_by_step) for words, step in self._by_word.get(word, ())
        }
        return (step for words, step in likely.values() if words <= words_by_step and max(map(len, words)) == _FORM)


def _openings(text: str) -> frozenset[str]:
    return frozenset(word[:_FORM] for word in _grouped(text))


def _orders(text: str) -> Iterator[tuple[str, str]]:
    """Yield what may only come after what, as a sentence says it."""
    if match := _ONLY_THEN.search(text) or _NOT_BEFORE.search(text) or _ONLY_AFTER.search(text):
        yield from ((then, match["first"]) for then in re.split(r"\b(?:and no|or|and|nor)\b|,", match["then"]))
    elif match := _NEEDS_A_YES.search(text):
        yield match["then"], match["first"]
    elif (match := _BEFORE.search(text)) and not re.search(r"\bif\b", match[0], re.IGNORECASE):
        yield match["then"], f"{match['first']} {match['more']}"


def _against(
    case: Case, item: Item, then: str, first: str, words_by_step: Mapping[str, frozenset[str]]
) -> Iterator[tuple[Step, Step]]:
    """Yield steps that do what may only come later, each with every step that does what has to come first."""
    later, earlier = _grouped(then), _grouped(first)
    if not later or not earlier:
        return
    doing = [step for step in case.steps.values() if _does(step, later, words_by_step[step.id], then)]
    if not doing:
        return
    for other in case.steps.values():
        spoken = earlier & words_by_step[other.id]
        is_meant = item.id in other.answers and spoken
        if other not in doing and (is_meant or (len(earlier) > 1 and len(spoken) >= _MOST * len(earlier))):
            yield from ((step, other) for step in doing)


_MOST = 0.6
"""Share of the words of what has to come first that a step has to have to be meant."""


def _does(step: Step, words: frozenset[str], words_by_step: frozenset[str], then: str) -> bool:
    """Tell whether a step does what some words say: its title begins with one of them, and it has most of them.

    A use of a thing has to name it in the same form: who orders a vaccine does no vaccination.
    """
    telling = words - _LIGHT
    named = [GROUP.get(word, word) for word in stems(step.title)]
    title = [word for word in named if word not in _LIGHT]
    if not title or len(telling & words_by_step) * 2 < len(telling):
        return False
    first = next((GROUP.get(word, word) for word in stems(then) if GROUP.get(word, word) in telling), "")
    is_used = title[0] in _USES and telling <= frozenset(title) and bool(_forms(then) & _forms(step.title))
    is_done = not _STATE.match(step.title) and (named[0] == title[0] or (named[0] in _LIGHT and title[0] == first))
    return is_used or (title[0] in telling and is_done)


_STATE = re.compile(r"^(?:\w+ )?\w+ (?:is|are|was|were|gets?)\b", re.IGNORECASE)
"""A title that says what becomes of a thing: "Vaccine is delivered"."""


def _forms(text: str) -> frozenset[str]:
    """Return the telling words of a text as they are written, without the plural's s."""
    return frozenset(word.lower().removesuffix("s") for word in tokens(text) if stems(word))


_USES = stem_set("publish use print show send post open sign book order pay install switch announce let")
"""Verbs with which a thing is used, so that a ban of the thing means the step: no photos, "Publish the photos"."""
_LIGHT = stem_set("hold do make carry out conduct start begin place give run put take have perform go")
"""Verbs that leave it to the next word what is done: "hold the interviews"."""


def _grouped(text: str) -> frozenset[str]:
    return frozenset(GROUP.get(word, word) for word in stems(text)) - MODIFIERS
