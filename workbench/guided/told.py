"""The steps that a person tells when asked for them: one for each thing to do, in their words.

"First I give notice by 31 December; then book a van (Moira); the council takes 4 weeks to answer"
 └─ Give notice by 31 December ─┘ └─ Book a van ──┘ └─ The council takes 4 weeks to answer ──────┘

They are in order only as far as their words say so: numbers, "first", "then", "after the licence".
It cuts by the form and hardly by the words, so that it works in any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from workbench.domain.text.words import stems
from workbench.guided import patterns
from workbench.guided.phrases import VERBS, begins_with_a_verb, says_nothing_is_done, sentences

_MARKS = re.compile(r"\s*[;；؛\n]+\s*(?:(?:\d{1,2}[.)]|[-*•–])\s+)?")
"""Between steps that somebody has set apart."""
_NUMBERS = re.compile(r"(?:^|\s)\(?\d{1,2}[.)]\s+(?=\D)")
_THEN = patterns.THEN_COMES
_WORDS = re.compile(
    rf",\s+(?:and\s+)?(?=(?:{VERBS}|\w{{3,}}ing)\s)|\s+and\s+(?=(?:{VERBS})\s+(?:the|a|an|our|my|all|it|them)\b)"
    rf"|,\s+and\s+(?=(?:an?|the) )|{patterns.CLAUSE.pattern}",
    re.IGNORECASE,
)
"""Between steps in one English sentence, where nothing else sets them apart."""
_COMMA = re.compile(r",(?!\d)\s+(?:and\s+)?")
_FOREIGN_COMMA = re.compile(r"[،，]\s*")
_NOTHING = re.compile(r"(?!)")
_ONCE_DONE = (
    r"once (?:that|this|it)(?:['’]s| is| has been| has)? (?:done|approved|agreed|signed|finished|ready|settled|fixed|"
    r"sorted)(?=,?\s+(?:we|i|he|she|they|it|my|our|the|(?-i:[A-Z])[a-z]+)\b)"
)
_AFTER_THAT = re.compile(rf"^\s*(?:and )?{_ONCE_DONE}\b[,:]?\s+", re.IGNORECASE)
_LEAD = re.compile(
    rf"^(?:(?:first(?= of all|,| i\b| we\b| (?:{VERBS})\b)(?: of all)?|firstly|"
    r"second(?:ly)?|third(?:ly)?|then|next|after that|afterwards|finally|lastly|also"
    r"|and|so|but|probably|of course)\b[,:]?\s+"
    rf"|{_ONCE_DONE}\b[,:]?\s+"
    r"|(?:i|we)(?:['’](?:ll|d|ve))?\s+(?:(?:also|then|still|first|just)\s+)?"
    r"(?:(?:have|need|want|hope|plan|ought|got|would like|like|will have|am going|are going)(?: still)? to\s+"
    rf"|(?:must|should|will|can|could)(?: (?:also|then|still|first))?\s+|(?=(?:{VERBS})\b))"
    r"|it (?:has|needs) to be\s+)+",
    re.IGNORECASE,
)
_FEWEST_LETTERS = 4
"""Of a step that the person did not set apart."""
_FIRST = re.compile(r"first(?: of all|,| i\b| we\b)", re.IGNORECASE)
_NEXT = re.compile(rf"(?:and )?(?:then|next|after that|afterwards|finally|lastly|{_ONCE_DONE})\b", re.IGNORECASE)
_LATER = re.compile(r"^[^,]*\bwithin (?:\w+ ){1,3}(?:days|weeks|months)\b|\b(?:days|weeks|months) (?:later|after)$")
"""Counts from the step before."""
_AFTER = re.compile(
    r"\b(?P<word>after|once(?! (?:a|every|per)\b)|as soon as|before)\s+(?P<what>(?!\d|(?-i:[A-Z]))[^,;.()]{3,40})",
    re.IGNORECASE,
)
_NAME = patterns.NAME.pattern
_DOES = rf"(?:{patterns.WILL.pattern}|(?:{VERBS})(?:s|es)){patterns.WITH_OBJECT.pattern}"
_SUBJECT = re.compile(rf"^(?P<who>{_NAME})(?= {_DOES})|^(?P<two>{_NAME} and {_NAME}) (?:{VERBS})\b")
_BODY = re.compile(rf"^(?P<who>(?:[Tt]he|[Oo]ur|[Mm]y) (?:[a-z-]+ )?(?!he\b|she\b|they\b|it\b|we\b)[a-z-]+) {_DOES}")
_NAMED = re.compile(patterns.NAMED.pattern.replace("NAME", _NAME))


_STATES = (
    "am|are|is|was|were|ha[sd]|have|do|don|does|can|could|would|needs?|wants?|likes?|knows?|thinks?|hopes?|says?|said"
)
_DOES_SO = (
    rf"(?:(?:[Ii]|[Ww]e|{_NAME} and (?:I|me|{_NAME}))(?:['’](?:ll|d))?\s+(?!(?:{_STATES})\b)[a-z]+\s"
    rf"|{_NAME}\s+(?!(?:{_STATES})\b)(?:[a-z]{{2,}}s|(?:will|must|can)\s+(?!be\b|have\b)[a-z]+)\s"
    rf"|\b(?:the|our|my) [a-z-]+\s+(?:(?:{VERBS})(?:s|es)|(?:will|must|can)\s+(?:{VERBS}))\b)"
)
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_WHEN_IT_IS = (
    r"(?:in|on|by|from|at|over|early|late|mid|end of|(?:the )?(?:following|next|last|first))[ -]"
    r"(?:(?!and\b|then\b)[\w'’.-]+ ){0,4}?"
    rf"(?:(?:{_MONTH}|Easter|Christmas|New Year|weekends?|weeks?|months?|day|\w+day|\d{{1,2}}(?:st|nd|rd|th))"
    rf"(?: \d{{1,4}})?|\d{{1,2}} {_MONTH}),? "
)
"""Before a clause: "in early March we …"."""
_HAPPENS = (
    r"(?:(?:the|our|my|a|an) )?(?:(?!which\b|that\b|if\b|when\b|because\b)[\w'’-]+ ){1,3}"
    rf"(?:is|are|goes|go|comes|come|gets|get|opens|{VERBS})\b"
)
_ACTS = re.compile(rf"(?:\S+ ){{1,3}}(?:I|we) (?!(?:{_STATES})\b)[a-z]+\s")
"""Somebody does something at a time: "January I sit with Tracey"."""
_CLAUSES = re.compile(
    rf"(?:,\s+(?:and\s+)?|\s+and\s+)(?={_DOES_SO})|,\s+(?:and\s+)?(?={_WHEN_IT_IS}(?:{_DOES_SO}|{_HAPPENS}))"
)
"""Between clauses with a doer and a verb each: "Jonas cuts the film, in May Holger restores the pump"."""
_WHEN = re.compile(
    r"\s*(?:(?:okay|ok|well|so|and|but)\b,? )*(?:once|when|as soon as|while|after|before|if|because|until)\b[^,]*$",
    re.IGNORECASE,
)

_IF_SO = re.compile(r"(?:^|[,;]\s*|\b(?:and|but|so) )(?:and |but |so )?if\b[^,;.]*$", re.IGNORECASE)


def told_in(text: str, *, is_english: bool) -> list[tuple[int, int]]:
    """Return the place of each step in an answer: cut at the plainest marks, at commas as a last resort."""
    between = _NUMBERS if is_numbered(text) else _MARKS
    places = [place for start, end in _cut(text, 0, len(text), between) for place in _sentences(text, start, end)]
    if is_english:
        places = [piece for start, end in places for piece in _cut(text, start, end, _THEN)]
        places = [piece for start, end in places for piece in _clauses(text, start, end)]
    if len(places) == 1 and is_english:
        places = [piece for start, end in places for piece in _cut(text, start, end, _WORDS)]
        places = [piece for start, end in places for piece in _listed(text, start, end)]
    elif len(places) == 1:
        places = list(_cut(text, 0, len(text), _FOREIGN_COMMA))
    fewest = 1 if is_numbered(text) or _MARKS.search(text) else _FEWEST_LETTERS
    return [place for place in places if sum(map(str.isalpha, text[slice(*place)])) >= fewest]


def is_numbered(text: str) -> bool:
    """Tell whether the steps of an answer have numbers."""
    return re.match(r"\s*\(?1[.)]\s", text) is not None


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in sentences(text[start:end]):
        yield from _cut(text, start + first, start + last, _NOTHING)


def step_title(text: str) -> str:
    """Return the words of a step without those that only join it to the others."""
    return _LEAD.sub("", " ".join(text.split()), count=1).strip(" ,;:.")


def is_step(text: str) -> bool:
    """Tell whether English words say what is to be done, and not how things are or on what they depend."""
    title = step_title(text)
    is_aside = patterns.NOT_BEGUN.match(text) or patterns.IF.match(text) or patterns.SAYS_NOTHING.match(title)
    is_limit = patterns.NEGATIVE.match(text) and not begins_with_a_verb(title)
    if is_aside or is_limit or patterns.NO_DOER.match(title) or _is_remark(text, title):
        return False
    title = re.sub(r"(?<=\w )works?\b", "", title)  # "roof work after the licence"
    is_doing = begins_with_a_verb(title) or patterns.DOING.match(title) is not None or _ACTS.match(title) is not None
    return is_doing or patterns.DESCRIBES.search(title) is None


def _is_remark(text: str, title: str) -> bool:
    """Tell whether words say what somebody feels or does not do; what begins with its verb says what to do."""
    is_told = begins_with_a_verb(title) and re.match(r"(?i)do |feel |get \w+ed\b", title) is None
    return patterns.REMARK.match(text) is not None and not (is_told or "forget to" in text)


def order_of(texts: Sequence[str], *, is_numbered: bool) -> list[set[int]]:
    """Return for each step the places of those that it needs, as far as the words put them in order."""
    needs: list[set[int]] = [set() for _ in texts]
    for at, text in enumerate(texts):
        if at and (is_numbered or _NEXT.match(text) or _LATER.search(text)):
            needs[at].add(at - 1)
        for match in _AFTER.finditer(text):
            other = _spoken_of(match["what"], texts, at)
            first, second = (other, at) if match["word"].casefold() != "before" else (at, other)
            if first is not None and second is not None and second not in _all_before(first, needs):
                needs[second].add(first)
    begins = bool(texts) and _FIRST.match(texts[0]) is not None
    return [need or ({0} if begins and at else set()) for at, need in enumerate(needs)]


def _spoken_of(words: str, texts: Sequence[str], but: int) -> int | None:
    """Return the place of the step that a few words speak of; None for none, and for several."""
    said = frozenset(stems(words))
    shared = [0 if at == but else len(said.intersection(stems(_AFTER.sub("", text)))) for at, text in enumerate(texts)]
    most = max(shared)
    return shared.index(most) if most and shared.count(most) == 1 else None


def _all_before(at: int, needs: Sequence[set[int]]) -> set[int]:
    found, news = {at}, {at}
    while news:
        news = {need for one in news for need in needs[one]} - found
        found |= news
    return found


def doer_of(text: str) -> str:
    """Return whom a step names as the one who does it; "" where that is the person, or nobody."""
    text = _LEAD.sub("", text, count=1)
    for pattern in (_SUBJECT, _BODY, _NAMED):
        match = None if pattern is _SUBJECT and begins_with_a_verb(text) else pattern.search(text)
        if match:
            who = match["who"] or match["two"]
            return who[:1].lower() + who[1:] if pattern is _BODY else who
    return ""


def clauses_in(text: str) -> list[str]:
    """Return the clauses of a sentence that have a doer and a verb each: "Jonas cuts the film, Holger paints"."""
    return [text[slice(*place)].strip() for place in _clauses(text, 0, len(text))]


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of clauses in which somebody does something each; what only says when stays with the next."""
    begun = start
    for mark in _CLAUSES.finditer(text, start, end):
        told = text[begun : mark.start()]
        is_said = begins_with_a_verb(step_title(told)) or re.search(_DOES_SO, told) or not says_nothing_is_done(told)
        if is_said and not _WHEN.match(_AFTER_THAT.sub("", told)) and told.count("(") == told.count(")"):
            yield begun, mark.start()
            begun = mark.end()
    yield begun, end


def _listed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the places of things in a list without verbs; the stretch as it is where it is none."""
    things = list(_cut(text, start, end, _COMMA))
    told = [text[first:last] for first, last in things]
    is_list = len(things) > 2 and all(map(says_nothing_is_done, told)) and not any(map(patterns.GOES_ON.match, told))
    return things if is_list else [(start, end)]


def _cut(text: str, start: int, end: int, between: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the places between the marks in a stretch of text; none of them within brackets."""
    is_whole = between is not _MARKS and patterns.IF.match(text, start) is not None
    marks = [] if is_whole else [(one.start(), one.end()) for one in between.finditer(text, start, end)]
    marks = [one for one in marks if text.count("(", start, one[0]) <= text.count(")", start, one[0])]
    if between is _THEN:  # "if the deeds say no then we stop"
        marks = [one for one in marks if _IF_SO.search(text, start, one[0]) is None]
    for (_, first), (last, _) in pairwise([(start, start), *marks, (end, end)]):
        piece = text[first:last]
        if kept := piece.strip(" ,;:."):
            at = first + piece.index(kept)
            yield at, at + len(kept)
