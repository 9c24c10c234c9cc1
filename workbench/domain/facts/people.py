"""Names of people and places within a text as facts: capitalised words that stand where a name stands.

    "Anna is away" · "Maria (finance) and Tom will each do half" · "owner: Li Wei" · "ask Ben"        person
    "in Lisbon" · "at the Town Hall" · "from Hamburg to Munich"                                      place

There is no list of names. A capitalised word at the beginning of a sentence is a name only as the subject of what
people do; where a name may as well be a firm's ("with Stripe"), the fact says so in its doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.facts.vocabulary import NOUNS, VERBS, is_known
from workbench.domain.values.calendar_words import FEASTS, MONTHS, SEASONS, WEEKDAYS
from workbench.domain.values.fact import Fact, FactType, Value
from workbench.domain.values.small_words import SMALL

_UPPER = "A-ZÀ-ÖØ-ÞĀĆČĎĐĒĘĚĞĪĹŁŃŇŌŐŘŚŞŠŤŪŮŰŹŻŽ"
_WORD = rf"(?:[{_UPPER}]['’])?[{_UPPER}][^\W\d_]+(?:[-'’][{_UPPER}][^\W\d_]+)*"
_PARTICLE = r"(?:van|von|de|da|di|der|den|la|le|bin|al)(?:\s(?:de[rnm]?|la))?"
_NAME = rf"{_WORD}(?:\s(?:{_PARTICLE}\s)?{_WORD}){{0,2}}"
_MEMBER = rf"{_NAME}(?:\s?\([^()\n]{{1,40}}\))?"
_NAMES = rf"(?P<names>{_MEMBER}(?:(?:,\s|,?\s(?:and|or|&|und|et|y)\s){_MEMBER}){{0,6}})"


def _words(listed: str) -> str:
    """Return words as alternatives of a pattern; a "_" is a blank."""
    return "|".join(listed.replace("_", r"\s").split())


_DEED_LIST = """
    agree approve arrange bake book bring build buy chair check collect come confirm cook coordinate decide
    design do drive edit fetch give go handle help host join know lead leave like live look make manage need order
    organi[sz]e own pay paint plan play practi[cs]e prefer prepare present promise read rehearse review run say send
    share sign sing sort speak start suggest supervise take teach think translate turn want work write
"""
_DEED = f"(?:{_words(_DEED_LIST)})"
_STATE_LIST = """
    a_(?:chef|colleague|cook|designer|developer|friend|lawyer|manager|nurse|teacher|volunteer) abroad absent
    accountable available away back busy coming doing free full[-_]time ill in_charge joining leading leaving my
    not_(?:available|here|there) off on_(?:board|call|holiday|leave|maternity|parental|paternity|vacation)
    organi[sz]ing our out part[-_]time pregnant responsible retiring sick the travelling unavailable working writing
"""
_MODAL_LIST = """
    can can['’]t cannot could does_not doesn['’]t has_to have_to is_going_to may must need_to needs_to shall should
    want_to wants_to will won['’]t would
"""
_ADVERB = r"(?:(?:all|also|alone|always|both|each|first|never|not|only|still|then|together|usually)\s)*"
_PREDICATE = re.compile(
    rf"(?:\sand\s(?:I|(?:my|our|the|her|his)\s[a-z]+))?\s{_ADVERB}(?:(?:is|are|was|were|will\sbe|gets)\s{_ADVERB}(?:{_words(_STATE_LIST)})\b|"
    r"(?:isn['’]t|is\snot)\s(?:available|here|there|in|around|free)\b|(?:away|unavailable|abroad|absent|on\s(?:leave|holiday|vacation|maternity|paternity|parental|call)|"
    r"(?:off|out|ill|sick|not\s(?:in|here|there|around))(?=\s(?:sick|ill|on|until|till|from|for|this|next|all|\d)))\b|"
    rf"only\shas\b|(?:{_words(_MODAL_LIST)})\sbe\s(?:back|away|there|here|off|out|late|in|available|ready|free)\b|"
    rf"(?:{_words(_MODAL_LIST)})\s{_ADVERB}{_DEED}\b|(?:to\s)?{_DEED}s?\b(?!\s(?:of|in|for)\b)|"
    r"(?:said|decided|approved|signed|agreed|left|promised|suggested|wrote|does|has\s(?:only\s)?(?:\d+|no\stime|time|one|two|three|four|five))\b)"
)
"""What only people do, or are."""
_PREPOSITION = re.compile(r"\b(?:to|in|from|at|near|via)\s$")
_PLURAL = re.compile(rf"s\s{_ADVERB}{_DEED}\b")
"""Of several things: "Exams start"."""
_WEAK_PREDICATE = re.compile(
    rf"\s{_ADVERB}(?:is|are|was|will|can|could|may|should|must|has|have|needs|wants|cannot|can['’]t|won['’]t)\b"
)
_SEVERAL = re.compile(r"\((?!s\))|\sand\s|&")
"""What stands in a subject of people more than of things: "Clara (design) and Otto"."""
_SUBJECT = re.compile(rf"(?<![\w'’.@/-]){_NAMES}(?=\s)")
_LABEL_LIST = "owners? responsible lead contact assignees? organi[sz]er who driver host chair approver reviewer author"
_RELATION_LIST = """
    accountant architect assistant aunt boss brother chef client coach colleague cousin dad daughter designer
    developer director doctor father friend husband intern landlord lawyer manager mom mother mum neighbou?r partner
    photographer sister son supplier teacher trainer uncle wife
"""
_TITLE_LIST = "Mrs? Ms Miss Dr Prof Professor Sir Aunt Uncle Frau Herr Madame Captain"
_DEED_TO_LIST = """
    cc agreed?_with asks? asked
    assign(?:ed)?_to belongs_to call call_with convince delegated?_to email except goes_to go_to
    help_from hire i['’]m i_am if inform invite let meet meeting_with my_name_is pay persuade phone remind replace
    reports?_to ring see show speak_to surprise talk(?:ing)?_to tell thank together_with unless until visit wait_for
    waiting_(?:on|for) check_with up_to leave_it_(?:to|with) hear_from
    along_with and_(?:i|me) (?:give|hand|send)(?:_(?:it|this|that|them|over|back))*_to give send
    (?:approval|sign-?off)_(?:by|from|of)
    (?:agreed|approved|checked|confirmed|decided|done|led|owned|paid|reviewed|run|signed|written)(?:_off)?_by
"""
_TEAM_LIST = """
    accounts accounting design engineering finance hr it legal logistics marketing operations ops procurement purchasing
    sales support
"""
_OWNED_LIST = """
    approval bachelor birthday book car desk family farewell father flat funeral graduation holidays? hols house
    husband job leave mother office parents part party retirement room share sign-off signature surprise team visit
    wedding wife work
"""
_RELATION = rf"(?i:my|our|his|her|their|the)\s(?:[a-z-]+\s)?(?:{_words(_RELATION_LIST)}),?|(?:{_words(_TITLE_LIST)})\.?"
_NAMED = (
    re.compile(rf"\b(?i:{_words(_LABEL_LIST)})(?:\sis)?\s?[:=]\s?{_NAMES}"),
    re.compile(rf"\b(?:{_RELATION})\s{_NAMES}"),
    re.compile(rf"(?<![\w'’-])(?P<names>{_NAME})['’]s?\s(?=(?:\d+(?:st|nd|rd|th)\s)?(?:{_words(_OWNED_LIST)})\b)"),
    re.compile(rf"\b(?i:{_words(_DEED_TO_LIST)})\s{_NAMES}"),
    re.compile(rf"(?:^|[.!?;\n]\s|(?i:please),?\s)(?P<names>{_NAME}),\s(?:could|can|would|will|please|call|ask)\b"),
    re.compile(rf"\b(?:(?i:any|every|no)-?(?:one|body)\s(?:but|except)|,\sthen)\s{_NAMES}(?=\s?(?:$|[.,;:!?)\n]))"),
    re.compile(
        rf"(?<![\w'’-])(?P<names>{_NAME})['’]s\s(?=(?:on|off|away|in|at|out|back|busy|ill|sick|not|free|"
        r"coming|going|doing|bringing|making|cooking|running|organi[sz]ing|handling|leading|looking|joining)\b)"
    ),
    re.compile(rf"(?<![\w'’-])(?P<names>{_NAME})\sfrom\s(?:the\s)?(?:{_words(_TEAM_LIST)})\b"),
)
"""Where a capitalised word is somebody."""
_HAS = re.compile(rf"(?:^|[.!?;\n]\s)(?P<names>{_WORD})\shas\s(?:an?|the|his|her|exams?|surgery)\s")
"""Somebody, or something: "Tariq has a hospital thing"."""
_MAYBE = re.compile(
    rf"\b(?i:with|for|from|by|without)\s{_NAMES}"
    r"(?=$|[.,;:!?)\n]|\s(?:and|or|but|on|by|in|at|for|before|after|until|who|is|will|as)\s|\s[a-z]+ing\b)"
)
"""Where it may be a firm as well."""
_PLACE = re.compile(rf"\b(?i:in|near|around|outside|throughout|at\sthe|in\sthe|via)\s(?P<names>{_NAME})(?!['’]s)")
_JOURNEY = re.compile(
    rf"\b(?i:mov(?:e|ing)|travel(?:ling)?|fly|drive|go|going|trip|journey|tour|holiday|relocat(?:e|ing)|flights?|"
    rf"train|cycle|walk|hike|ride|emigrate|"
    rf"visit)\b[^.,;:!?\n]{{0,40}}?\s(?:from\s(?P<origin>{_NAME})\s)?to\s(?:the\s)?(?P<names>{_NAME})"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n•*]|\s[-–—])\s?(?:\d+[.)]\s?)?[\"“‘'(]?$")
_NO_NAME_LIST = """
    american android anybody anyone arabic british children chinese colleagues css customers danish dear docker dr
    dutch east employees english european everybody everyone excel figma french friends german git github gitlab
    google guardian guests hello herald hi html internet ios italian japanese java javascript jira kids kubernetes
    latin linux management markdown members mr mrs ms neighbors neighbours news no nobody north notion option parents
    part patients people phase polish portuguese post powerpoint prof python q1 q2 q3 q4 russian rust sir slack
    somebody someone south spanish sql staff step students swedish teachers telegraph thanks tickets times typescript
    users volunteers web west windows word yes
"""
_NO_NAMES = (
    frozenset((*MONTHS, *WEEKDAYS, *SEASONS, *(word for feast in FEASTS for word in feast.split())))
    | frozenset(_NO_NAME_LIST.split())
)  # fmt: skip
_ALSO_NAMES = frozenset({"april", "june", "august", "may"})
"""Months that people are called, too."""
_NO_NAME_ENDING = re.compile(r"(?:ing|tion|sion|ment|ness|ware|ics|ship|ity|ists?|ers)$")
_COMMON = SMALL | VERBS | NOUNS
_FIRST_WORD = re.compile(_WORD)
_TITLE = re.compile(rf"^(?:{_words(_TITLE_LIST)})\.?\s")
_EACH_NAME = re.compile(_NAME)


def people_facts(text: str) -> tuple[Fact, ...]:
    """Return the names of people and places of a text in their order, none overlapping another."""
    taken = bytearray(len(text))
    facts: list[Fact] = []
    for fact in (*_people(text), *_places(text)):
        if not any(taken[fact.start : fact.end]):
            taken[fact.start : fact.end] = b"\1" * (fact.end - fact.start)
            facts.append(fact)
    return tuple(sorted(facts, key=lambda fact: fact.start))


def _people(text: str) -> Iterator[Fact]:
    for pattern in _NAMED:
        for match in pattern.finditer(text):
            yield from _each(text, match.span("names"), "person")
    for match in _HAS.finditer(text):
        if not is_known(match["names"].lower()) and _NO_NAME_ENDING.search(match["names"]) is None:
            yield from _each(text, match.span("names"), "person", is_doubtful=True)
    at = 0
    while (subject := _SUBJECT.search(text, at)) is not None:
        at = subject.end()
        first = _FIRST_WORD.match(text, subject.start())
        if _is_subject(text, subject):
            yield from _each(text, subject.span("names"), "person")
        elif first is not None and first.end() < subject.end():
            at = first.end()  # "Then Anna" begins with no name
    for match in _MAYBE.finditer(text):
        yield from _each(text, match.span("names"), "person", is_doubtful=True)


def _is_subject(text: str, match: re.Match[str]) -> bool:
    """Return whether names are the subject of what people do."""
    first = _FIRST_WORD.match(text, match.start())
    word = first[0].lower() if first is not None else ""
    is_weak = _WEAK_PREDICATE.match(text, match.end()) is not None
    are_several = _SEVERAL.search(match["names"]) is not None
    is_strong = _PREDICATE.match(text, match.end()) is not None or (is_weak and are_several)
    if not are_several and _PLURAL.match(text, match.end() - 1) is not None:
        return False
    if _PREPOSITION.search(text, max(0, match.start() - 8), match.start()) is not None:
        return False
    starts = _SENTENCE_START.search(text, max(0, match.start() - 12), match.start()) is not None
    if starts or word in _ALSO_NAMES:
        return is_strong and word not in _COMMON - _ALSO_NAMES and _NO_NAME_ENDING.search(word) is None
    return is_strong or is_weak


def _places(text: str) -> Iterator[Fact]:
    for match in _PLACE.finditer(text):
        yield from _each(text, match.span("names"), "place")
    for match in _JOURNEY.finditer(text):
        if match["origin"]:
            yield from _each(text, match.span("origin"), "place")
        yield from _each(text, match.span("names"), "place")


def _each(text: str, span: tuple[int, int], kind: FactType, *, is_doubtful: bool = False) -> Iterator[Fact]:
    """Yield each name of a list of names."""
    start, end = span
    for match in _EACH_NAME.finditer(text, start, end):
        if text.count("(", start, match.start()) > text.count(")", start, match.start()):
            continue
        name = _TITLE.sub("", match[0])
        words = [word.lower() for word in name.split()]
        no_names = _NO_NAMES - _ALSO_NAMES if kind == "person" and not is_doubtful else _NO_NAMES
        is_word = len(words) == 1 and words[0] in SMALL | VERBS
        if not words or not no_names.isdisjoint(words) or name.split()[0].isupper() or is_word:
            continue
        doubt, start_of = f"is {name} a person?" if is_doubtful else "", match.end() - len(name)
        yield Fact(text=name, start=start_of, end=match.end(), type=kind, value=Value(name=name), doubt=doubt)
