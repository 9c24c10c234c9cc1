"""The words around a date that say what it is for.

    by · until · no later than · due · deadline:            deadline, the day is the last one
    before · prior to · in time for                         deadline, the day before is the last one
    not before · not until · no earlier than · from         start
    after                                                   start, on the day after
    on · at · is · planned for                              on
    in · during                                             on; of several days a period

"Don't finish before 1 June" is a start and "no deliveries after 20 December" a deadline: a negation in the same clause
turns them round.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

LeadKind = Literal["by", "before", "not before", "from", "after", "between", "on", "in"]


class Lead(NamedTuple):
    """Words before a date."""

    kind: LeadKind
    start: int
    """Where they begin, or the date itself where they are no part of its text ("is")."""
    word: str
    """The first of them."""


_WINDOW = 60
"""Characters before a date in which its words stand."""
_CLAUSE_BEFORE = 80
"""Characters before those in which a negation turns them round."""
CLOSE_OF_DAY = r"(?:the\s)?close\sof\s(?:business|play)|cob|eod|(?:the\s)?end\sof\s(?:the\s)?(?:business|day|play)"
TIME_OF_DAY = (
    r"(?:\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]m|h|uhr|o'clock)|\d{1,2}:\d\d|noon|midnight|midday|lunchtime|"
    rf"{CLOSE_OF_DAY})(?:,?\son)?"
)
_FILL = (
    rf"(?:\s(?:the|el|le|la|dem|den|at\sleast|about|around|roughly|approximately|sometime|some\stime|latest|{TIME_OF_DAY}|"
    r"(?:day|date|night|evening|morning|afternoon|month)\sof))*[\s(]+$"
)
_HAPPENS = r"(?:ends?|closes?|opens?|arrives?|leaves?|returns?)"
_WORDS: dict[LeadKind, str] = {
    "not before": r"(?:no|not|nothing|any)\s(?:earlier|sooner)\sthan(?:\son)?|(?:not|never)\s(?:before|until|till)|"
    r"at\sthe\searliest(?:\s(?:on|in|from))?|earliest(?:\s(?:on|in)|(?:\s[a-z]+)?:)?|fruhestens(?:\s(?:am|im))?",
    "by": r"no(?:t|thing)?\slater\sthan(?:\son)?|(?:not|nothing)\s(?:after|beyond|past)|by(?:\sor\sbefore)?|"
    r"on\sor\sbefore|before\sor\son|up\s(?:to|until)|'?till?|untill?|through|"
    r"at\sthe\s(?:very\s)?latest(?:\s(?:on|by|in))?|latest(?:\s(?:on|by)|(?:\s[a-z]+)?:)?|"
    r"(?:deadline|due\sdate)(?:\sfor\s\w+)?(?:\s(?:is|was|of|on)|\s?[:=])?(?:\son)?|due(?:\s(?:on|by|in|at)|:)?|"
    rf"expires?(?:\s(?:on|at|in))?|(?:{CLOSE_OF_DAY})(?:\son)?|"
    r"(?:finish(?:ed)?|completed?|done|ready|live|delivered|fertig)\s(?:in|for|on|am|im)|"
    r"bis(?:\s(?:zum|zu|spatestens))?|spatestens(?:\s(?:am|bis|im))?|(?:runs?|lasts?|valid|good|holds?)\sto|"
    r"d'ici(?:\s(?:au|a))?|jusqu'(?:au|en|a)|para|hasta",
    "before": r"(?:be?fore?|b4)|prior\sto|(?:ahead|in\sadvance)\sof|(?:earlier|sooner)\sthan|in\stime\sfor|vor|avant|"
    r"antes\sdel?",
    "after": r"after|later\sthan|past|beyond|following|nach|apres|despues\sdel?",
    "from": r"(?<!apart\s)(?<!aside\s)from|"
    r"(?:start(?:s|ing|ed|\sdate)?|begin(?:s|ning)?)(?:\s(?:on|in|from|at|with)|:)?|"
    r"since|as\s(?:of|from)|effective(?:\sfrom)?|ab|seit|vom|a\spartir\sd[eu]|depuis|desde|du|del",
    "between": "between|zwischen|entre",
    "on": r"(?:only\s)?(?:on|at|am|zum|for|falls?\son|le|el|al|au)|"
    r"(?:is|are|was|be|happens|(?:takes|taking)\splace)(?:\son)?|"
    r"(?:planned|scheduled|set|booked|fixed|arranged|held|only)(?:\s(?:for|on|to))?|"
    r"(?:moved|rescheduled|postponed|pushed|shifted|extended|put\soff)(?:\sback)?\s(?:to|until)|"
    rf"(?:date|when):|{_HAPPENS}",
    "in": r"(?:sometime\s)?(?:in|during|within|over|throughout)|im|en|sometime",
}
_LEADS = tuple((kind, re.compile(rf"(?<![a-z'-])(?:{words}){_FILL}")) for kind, words in _WORDS.items())
_VERBS = re.compile(rf"(?:is|are|was|be|{_HAPPENS})(?:\s(?=on\b))?\s?")
_OF_AN_EVENT = re.compile(
    r"\b(?P<word>before|by(?:\sthe\stime)?|in\stime\sfor|prior\sto|ahead\sof|until|till|after)\s"
    r"(?:(?:the|our|my|your|his|her|their|its|[a-z]+'s?)(?:\s(?!\d+\s)[\w'-]+){1,3}|"
    r"(?:we|i|they|it|he|she|you)(?:\s[a-z'-]+){1,5}|"
    rf"(?:[a-z'-]+\s){{1,3}}(?:starts?|begins?|expires?|moves?|runs\sout|{_HAPPENS}))$"
)
_LIMIT_IS = re.compile(r"\b(?P<word>(?P<first>earliest)|latest|last\s(?:possible\s)?(?:day|date))\b[^.,;:!?\n]*$")
"""Before "is" and a day that nothing may be before or after: "the last day for changes is 12 May"."""
_BESIDE = re.compile(r"(?P<beside>(?:\s?[,(]|,?\swhich)\s?)$|\s$")
"""What stands between an event and its date: "the party (on 3 July)", "opening night, which is 3 July"."""
_NEGATION = re.compile(
    r"(?:\b(?:no|not|never|nothing|nobody|no-one|none|cannot|neither|without)\b|n't\b)"
    r"(?!\s(?:forget|fail|later|only|matter|miss|neglect|hesitate|delay))[^.,;:!?\n]*$"
)
_UNAVAILABLE = re.compile(
    r"\b(?:away|closed|unavailable|absent|off|out|ill|sick|in\shospital|busy|blocked|leave|holidays?|vacation|abroad|shut|booked)\b"
    r"[^.,;:!?\n]*$"
)
_RESCHEDULED = re.compile(r"\b(?:mov|postpon|shift|push|reschedul|delay|brought|bring|chang)\w*\b[^.;:!?\n]*$")
SUFFIX = re.compile(
    r",?\s(?:(?P<by>(?:at\sthe\s(?:very\s)?)?latest|not\s(?:an?|one)\s(?:single\s)?(?:day|hour|minute|second)\slater|or\s(?:earlier|sooner|before)|deadline|"
    rf"{CLOSE_OF_DAY}|(?:it\s|that\s)?ca?n(?:'?t|not)\sbe\s(?:any\s)?later|(?:and\s)?(?:no|not\s(?:any\s)?)\s?later|"
    r"or\s(?:else|never|not\sat\sall)|without\sfail|at\sthe\soutside|"
    r"is\s(?:the|our|my)\s(?:(?:absolute|very|final|hard|latest)\s)*(?:limit|deadline|cut-?off|latest|last\s(?:possible\s)?(?:day|date|chance))(?=\sfor|\s?$|\s?[.,;]))|"
    r"(?P<start>(?:at\sthe\s)?earliest|onwards?|on(?=\s?(?:$|[.,;]))|or\slater|and\s(?:after|later|onwards?)(?!\s(?:that|this|then|the))))\b"
)
"""Words behind a date that say what it is for."""


def lead_at(plain: str, at: int, *, with_event: bool = True) -> Lead | None:
    """Return the words before a date; ``with_event``: of "before the wedding on 12 June" the "before"."""
    window = plain[max(0, at - _WINDOW) : at]
    found: Lead | None = None
    for kind, pattern in _LEADS:
        match = pattern.search(window)
        if match is not None and (found is None or at - len(window) + match.start() < found.start):
            found = Lead(kind, at - len(window) + match.start(), match[0].split()[0])
    if with_event and (event := _event(plain, found, at)) is not None:
        word = event["word"].split()[0]
        meant: LeadKind = "by" if word in {"by", "until", "till"} else "after" if word == "after" else "before"
        return Lead(meant, event.start(), word)
    if found is None or found.kind != "on":
        return found
    verb = _VERBS.match(plain, found.start)
    if found.word in {"is", "date:"} and (limit := _LIMIT_IS.search(plain, max(0, found.start - _WINDOW), found.start)):
        return Lead("not before" if limit["first"] else "by", limit.start(), limit["word"])
    start = min(verb.end(), at) if verb is not None else found.start
    return found._replace(start=start, word=(plain[start:at].split() or [found.word])[0])


def _event(plain: str, lead: Lead | None, at: int) -> re.Match[str] | None:
    """Return the event that a date belongs to, with the word that says what is to be before or after it."""
    place = at if lead is None else lead.start
    if lead is not None and (
        lead.word.startswith(("start", "begin", "done", "finish", "complete")) or re.fullmatch(_HAPPENS, lead.word)
    ):
        return _OF_AN_EVENT.search(plain, max(0, place - _WINDOW), place + len(lead.word))
    joint = _BESIDE.search(plain, max(0, place - 8), place) if lead is None or lead.kind == "on" else None
    is_joined = joint is not None and (joint["beside"] or (lead is not None and lead.word in {"on", "at"}))
    if joint is None or not is_joined:
        return None
    return _OF_AN_EVENT.search(plain, max(0, place - _WINDOW), joint.start())


def is_rescheduled(plain: str, lead: Lead) -> bool:
    """Return whether a clause moves something from one day to another: neither is a first or last day then."""
    return lead.word == "from" and _RESCHEDULED.search(plain, max(0, lead.start - _WINDOW), lead.start) is not None


def turned(plain: str, lead: Lead) -> tuple[LeadKind, bool]:
    """Return what a lead means in its clause, and whether the days before it are the ones: "away until 6 May"."""
    if is_rescheduled(plain, lead):
        return "between", False
    before = plain[max(0, lead.start - _CLAUSE_BEFORE) : lead.start]
    is_negated = _NEGATION.search(before) is not None
    if lead.kind == "by" and lead.word in {"until", "till", "through"}:
        is_until = not is_negated and _UNAVAILABLE.search(before) is not None
        return ("not before" if is_negated else "by"), is_until
    if is_negated and lead.kind in {"before", "after"} and not before.endswith(("until ", "till ")):
        return ("not before" if lead.kind == "before" else "by"), False
    return lead.kind, False
