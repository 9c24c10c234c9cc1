"""The clauses of a text as facts.

    "Build a fast site by May without ads, but only if Anna agrees"
         deliverable  "Build a fast site"    exclusion  "without ads"    condition  "but only if Anna agrees"

    deliverable  something to be done or made: "build a shed", "we need a website", "it has to be signed"
    exclusion    what must not be or happen: "without ads", "no plastic", "don't touch the logo"
    condition    what the work depends on, and circumstances: "if it rains", "Anna must sign off"
    quality      how a result has to be: "fast and accessible", "pages load in under 2 s"
    unread       none of its words are known, or most small words are of another language

A clause never begins or ends within a date or an amount. Of one that is not understood, what dates, amounts and names
leave of it is unread.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from workbench.domain.facts.vocabulary import FOREIGN, NOUNS, QUALITIES, VERBS, base_verb, is_known
from workbench.domain.values.fact import Fact, FactType
from workbench.domain.values.small_words import SMALL

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NEGATIVE = r"no|not|nothing|never|nobody|none|don't|do\snot|without|except|excluding|avoid|skip"
_LEAST_KNOWN = 0.25
"""Share of a clause's words that must be known; less is enough where a verb or a name says what the clause is."""
_LEAST_KNOWN_WITH_VERB = 0.12
_WE_WANT = (
    r"(?:i|we)(?:'d|'ll|\swould|\swill|\sreally|\salso)*\s(?:like|love|want|need|have|plan|intend|hope|wish|must|"
    r"should|will|aim|shall|can|(?:are|am)\sgoing)(?:\s(?:to|also|you\sto))*\s|"
    r"(?:i|we)(?:'m|'re|\sare|\sam)\s(?:planning|trying|looking|going|hoping)\s(?:(?:to|on|for)\s)?"
)
_LEAD_IN = re.compile(
    r"(?:(?:and|but|so|then|also|please|hi|hello|ok|okay|well|first|finally|next|now|today|goal|task|todo|aim|"
    rf"objective)[,!:]?\s)*(?:{_WE_WANT}|help\s(?:me|us)\s(?:(?:to|with)\s)?|let's\s|let\sus\s|"
    r"how\s(?:do|can|should|could)\s(?:i|we)\s|(?:can|could|would)\syou\s(?:please\s)?|it(?:'s|\sis)\stime\sto\s|"
    r"(?:our|my|the)\s(?:goal|aim|objective|plan|task)(?:\sis|:)\s(?:to\s)?|to\s(?=[a-z]))?"
    r"(?:(?:please|finally|also|just|quickly|carefully|then|first)\s)*"
)
_WANTED = re.compile(
    r"(?:and\s)?(?:i|we)(?:'d\s(?:like|love)|\s(?:would\slike|need|want))\s(?:to\shave\s)?"
    r"(?=(?:an?|the|our|some|new|more|another|two|three|\d)\b)"
)
_CONDITION = re.compile(
    r"(?:and\s|but\s)?(?:(?:only\s)?(?:if|when|once|after)|unless|provided|as\slong\sas|in\scase|even\s(?:if|though)|"
    r"subject\sto|while|although|though|because|whereas|until|assuming|depending|so\sthat|since)\b"
)
_APPROVAL = re.compile(
    r"\b(?:sign(?:s|ed)?[ -]?off|approv(?:e|es|ed|al)|permission|consent|permit|agree[sd]?|depends?\son|subject\sto|"
    r"(?:must|has\sto|have\sto|needs?\sto)\s(?:sign|confirm|decide|accept|authori[sz]e|agree|approve|"
    r"be\s(?:approved|signed|agreed|authori[sz]ed|confirmed|consulted)))\b"
)
_NEGATION = re.compile(
    rf"^(?:(?:and|but|or|so|then|please)\s)*(?:with\sno\b|(?:{_NEGATIVE}|instead\sof|rather\sthan|other\sthan|"
    rf"leave\sout|exclude|"
    r"(?:stay|keep)\s(?:away|out|off))\b)|\b(?:not|never|cannot|nobody|nothing|none)\b(?!\s(?:only|sure|yet))|n't\b|"
    r"\b(?:is|are)\s(?:off[ -]limits|out\sof\sscope|excluded|forbidden|banned|prohibited|taboo)\b|"
    r"\b(?:have|has|with|want|wants|be|need)\sno\b"
)
_PLAINLY_WITHOUT = re.compile(r"(?:and\s|but\s)?(?:without|no)\b")
_FINITE = re.compile(
    r"\b(?:must|has|have|had|needs?|should|may|can|could|cannot|requires?|is|are|was|were|will|wants?|costs?|"
    r"takes?|ends?|starts?|"
    r"begins?|opens?|closes?|expires?|arrives?|works?|comes?|goes|gets?|leaves?|pays?)\b|'(?:s|re|m|ve)\b"
)
_PASSIVE = re.compile(
    r"\b(?:has|have|needs?|must|should|is|are|ought)\s(?:to\s)?(?:be|get)\s(?:\w+ly\s)?"
    r"(?:done|built|made|sent|written|bought|sold|paid|set|put|held|taken|brought|found|\w+ed)\b"
)
_FRAME_OF_QUALITY = re.compile(
    r"\b(?:must|should|(?:has|have|needs?|ought)\sto|to)\s(?:be|stay|remain|feel|look|run|load|respond|work|"
    r"answer|keep)\b|^(?:and\s|but\s)?(?:be|stay|keep)\b|\b(?:is|are)\b"
)
_MEASURED = re.compile(
    r"\b(?:load|respond|response|latency|uptime|downtime|availability|throughput|faster|slower|quality|accuracy|error|"
    r"seconds?|ms|satisf)"
)
_NOUN_PHRASE = re.compile(r"(?:and\s)?(?:an?|the|our|my|new|some|another|two|three|several)\s")
_AFTER_A_NOUN = frozenset({"is", "are", "may", "must", "can", "will", "has", "should", "was", "costs", "cost"})
_KEEPS = frozenset({"keep", "stay", "have"})
_SENTENCE = re.compile(r"[.!?;]+[\"”’')]*(?=\s|$)|\n|\s-{1,2}\s|[•●▪‣◦。！？]")
_ABBREVIATION = re.compile(
    r"\b(?:approx|max|min|no|ca|e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|vs|incl|excl|jan|feb|mar|apr|jun|jul|aug|sept?|"
    r"oct|nov|dec)$"
)
_SUBJECTS = r"i|we|you|they|he|she|it|this|that|there|everyone|everybody|nobody|somebody|someone|people|all|nothing"
_OPENINGS = (
    r"but|(?:and\s)?without|except(?!ional)|excluding|unless|(?:and\s|but\s)?(?:only\s)?(?:if|when|once|"
    r"after\s(?:we|they|it))|"
    r"provided|as\slong\sas|so\sthat|because|while|whereas|although|though|in\scase|even\s(?:if|though)|subject\sto|"
    rf"instead\sof|rather\sthan|until\s(?:{_SUBJECTS})"
)
_CLAUSE = re.compile(
    rf"(?<!\bday)(?<!\btime)(?<!\bcase)(?:,\s?|\s)(?=(?:{_OPENINGS})\b)|"
    rf",\s?(?=(?:(?:and|but|then|or|so)\s)?(?:{_SUBJECTS}|{_NEGATIVE}|must|should|please|with\sno|keep|only)\b)|"
    rf"\s(?=(?:and|or)\s(?:{_NEGATIVE}|keep|only|must|should|i|we|they|he|she|it|there)\b)|"
    r",?\s(?=and\s(?:the\s)?[a-z]+\s(?:must|should|(?:has|have|needs?)\sto)\b)|"
    r"(?P<open>,\s?(?:(?:and|then)\s(?:then\s)?)?|\sand\s(?:then\s)?)(?=[^\W\d_])"
)
"""Where a clause may begin; ``open``: only where a verb or a name follows."""
_JOINTS = re.compile(r"[\s,]?(?:(?:and|but|or|so|then|only|even)\b[\s,]{0,2})*")
_OBJECT = re.compile(r"\s(?!(?:and|or|of|is|are|for|in|by|at)\b)\S")
_DETERMINED = re.compile(r"\s(?:an?|the|our|my|all|every|each|both|these|them|it|\d+)\b")
_NOUNS_TOO_LIST = """
    food list market name order paint park place plant play post program record report share shop show stage start
    copy cover fax mix party phone release store study supply support talk test trade train transport travel use visit
    wait water wine work
"""
_NOUNS_TOO = frozenset(_NOUNS_TOO_LIST.split())
"""Verbs that after "and" are nouns more often."""
_EDGES = " \n,:-"
_OPENING_EDGES = _EDGES + "*#>"
_MARKS = frozenset(" \n.,;:!?()[]\"'“”„«»-*#>_|/&+")


def clause_facts(text: str, plain: str, inner: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the clauses of a text as facts, given the dates, amounts and names in it, in their order."""
    facts: list[Fact] = []
    starts = [fact.start for fact in inner]
    for start, end in _clauses(plain, inner):
        facts += _typed(text, plain, start, end, inner[bisect_left(starts, start) : bisect_left(starts, end)])
    return tuple(facts)


class _Uncut:
    """Stretches that no clause ends in."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for fact in facts:
            if self._ends and fact.start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], fact.end)
            else:
                self._starts.append(fact.start)
                self._ends.append(fact.end)

    def contain(self, start: int, end: int) -> bool:
        place = bisect_right(self._starts, start)
        return place > 0 and self._ends[place - 1] >= end


def _clauses(plain: str, inner: Sequence[Fact]) -> Iterator[tuple[int, int]]:
    """Yield the place of each clause, without the blanks and marks around it."""
    uncut = _Uncut([fact for fact in inner if fact.type not in {"person", "place"}])
    names = {fact.start: fact.end for fact in inner if fact.type == "person"}
    at = 0
    for match in _SENTENCE.finditer(plain):
        is_dot = match[0] == "."
        is_abbreviation = is_dot and _ABBREVIATION.search(plain, max(0, match.start() - 8), match.start()) is not None
        if not is_abbreviation and not uncut.contain(match.start(), match.end()):
            yield from _within_sentence(plain, at, match.start(), uncut, names)
            at = match.end()
    yield from _within_sentence(plain, at, len(plain), uncut, names)


def _within_sentence(
    plain: str, first: int, last: int, uncut: _Uncut, names: dict[int, int]
) -> Iterator[tuple[int, int]]:
    at = first
    ends = frozenset(names.values())
    for match in _CLAUSE.finditer(plain, first, last):
        place = match.start() + (plain[match.start()] == ",")
        if _JOINTS.fullmatch(plain, at, place) is not None or uncut.contain(match.start(), match.end() + 1):
            continue
        is_name = match.end() in names and match.start() not in ends
        if match["open"] is None or is_name or _begins_with_verb(plain, match.end(), last):
            yield from _trimmed(plain, at, place)
            at = place  # "and" stands in the clause that it begins
    yield from _trimmed(plain, at, last)


def _begins_with_verb(plain: str, at: int, last: int) -> bool:
    word = _WORD.match(plain, at, last)
    if word is None or word[0] not in VERBS:
        return False
    if word[0] in _NOUNS_TOO and _DETERMINED.match(plain, word.end(), last) is None:
        return False
    return _OBJECT.match(plain, word.end(), last) is not None


def _trimmed(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a place without the blanks and marks around it; nothing where that is all."""
    while start < end and plain[start] in _OPENING_EDGES:
        start += 1
    while end > start and plain[end - 1] in _EDGES:
        end -= 1
    if start < end:
        yield start, end


def _typed(text: str, plain: str, start: int, end: int, within: Sequence[Fact]) -> Iterator[Fact]:
    """Yield a clause as a fact; of one that is not understood, its other words."""
    gaps = list(_gaps(plain, start, end, [fact for fact in within if fact.type not in {"person", "place"}]))
    if not gaps:
        return
    rest = " ".join(plain[first:last] for first, last in gaps)
    kind = "unread" if _is_foreign(text, plain, gaps) else _type_of(plain[start:end], rest, within)
    if kind == "unread":
        gaps = list(_gaps(plain, start, end, within))
    elif kind == "deliverable":
        gaps = list(_gaps(plain, start, end, [fact for fact in within if fact.type == "date" or fact.role == "budget"]))
        gaps = [(gaps[0][0], gaps[-1][1])]
    else:
        gaps = [(start, end)]
    for first, last in gaps:
        yield Fact(text=text[first:last], start=first, end=last, type=kind)


def _gaps(plain: str, start: int, end: int, facts: Sequence[Fact]) -> Iterator[tuple[int, int]]:
    """Yield what facts leave of a stretch, where it is more than blanks and marks."""
    at = start
    for fact in facts:
        yield from _telling(plain, at, min(fact.start, end))
        at = max(at, fact.end)
    yield from _telling(plain, at, end)


def _telling(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in _trimmed(plain, start, end):
        if not _MARKS.issuperset(plain[first:last]):
            yield first, last


def _is_foreign(text: str, plain: str, gaps: Sequence[tuple[int, int]]) -> bool:
    """Return whether more small words of another language stand in stretches than English ones."""
    foreign = english = 0
    for number, (first, last) in enumerate(gaps):
        for match in _WORD.finditer(plain, first, last):
            is_name = text[match.start()].isupper() and (number > 0 or match.start() > first)
            foreign += match[0] in FOREIGN and not is_name
            english += match[0] in SMALL
    return foreign > english


def _type_of(clause: str, rest: str, facts: Sequence[Fact]) -> FactType:
    """Return what a clause is; ``rest`` is what its dates and amounts leave of it, ``facts`` what is in it."""
    words = _WORD.findall(rest)
    verb = _verb_of(clause)
    has_names = any(fact.type == "person" for fact in facts)
    known = sum(map(is_known, words))
    least = _LEAST_KNOWN_WITH_VERB if verb or has_names else _LEAST_KNOWN
    if known == 0 or known < least * len(words):
        return "unread"
    if _CONDITION.match(clause) is not None:
        return "condition"
    if _NEGATION.search(rest) is not None:
        is_dated = any(fact.type == "date" and fact.role in {"start", "deadline"} for fact in facts)
        return "condition" if is_dated and _PLAINLY_WITHOUT.match(rest) is None else "exclusion"
    if _APPROVAL.search(rest) is not None and (not verb or verb == "need" or has_names):
        return "condition"
    has_quality = any(word in QUALITIES for word in words)
    if verb:
        return "quality" if verb in _KEEPS and has_quality else "deliverable"
    if _WANTED.match(clause) is not None or (_PASSIVE.search(clause) is not None and not has_quality):
        return "deliverable"
    is_measured = any(fact.type in {"duration", "amount"} for fact in facts) and _MEASURED.search(clause) is not None
    if is_measured or (has_quality and (len(words) <= 4 or _FRAME_OF_QUALITY.search(clause) is not None)):
        return "quality"
    if _FINITE.search(rest) is not None:
        return "condition"
    is_noun = any(word in NOUNS or word.removesuffix("s") in NOUNS for word in words)
    return "deliverable" if facts or known >= 2 or is_noun or _NOUN_PHRASE.match(clause) is not None else "unread"


def _verb_of(clause: str) -> str:
    """Return the verb that a clause asks for; "" where it states something: "work may not start"."""
    lead_in = _LEAD_IN.match(clause)
    place = lead_in.end() if lead_in is not None else 0
    word = _WORD.match(clause, place)
    if word is None:
        return ""
    after = _WORD.match(clause, word.end() + 1)
    is_noun = place == 0 and after is not None and after[0] in _AFTER_A_NOUN
    return "" if is_noun else base_verb(word[0])
