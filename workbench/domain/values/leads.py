"""The words around a date that say what it is for: its role, the day that keeps it, and whether it lies behind.

    by · until · no later than · due · deadline: · "submission is 3 May" · "must be packed 3 May"     deadline
    before · prior to · in time for                         deadline, the day before is the last one
    not before · not until · no earlier than · from         start
    after                                                   start, on the day after
    on · at · is · planned for                              on
    in · during                                             on; of several days a period
    any day but · later than                                mention
    "we signed on 3 May" · since                            the last such day, not the next

A negation in the same clause turns them round: "don't finish before 1 June" is a start.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Literal, NamedTuple

from workbench.domain.values.days import Reading
from workbench.domain.values.fact import Role

_Kind = Literal["by", "before", "not before", "from", "after", "between", "on", "in"]


class Lead(NamedTuple):
    """Words before a date."""

    kind: _Kind
    start: int
    """Where they begin, or the date itself where they are no part of its text ("is")."""
    word: str
    """The first of them."""


class Use(NamedTuple):
    """What days are for."""

    role: Role
    limit: date | None = None
    """The last day that keeps a deadline, or the first that keeps a start."""
    is_from_today: bool = False
    """Whether they begin today: "away until 6 May"."""
    doubt: str = ""


_WINDOW = 60
"""Characters before a date in which its words stand."""
_CLAUSE_BEFORE = 80
"""Characters before those in which a negation turns them round."""
_CLOSE_OF_DAY = r"(?:the\s)?close\sof\s(?:business|play)|cob|eod|(?:the\s)?end\sof\s(?:the\s)?(?:business|day|play)"
_TIME_OF_DAY = (
    r"(?:\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]m|h|uhr|o'clock)|\d{1,2}:\d\d|noon|midnight|midday|lunchtime|"
    rf"{_CLOSE_OF_DAY})(?:,?\son)?"
)
_FILL = (
    rf"(?:\s(?:the|el|le|la|dem|den|at\sleast|about|around|roughly|approximately|sometime|some\stime|latest|{_TIME_OF_DAY}|"
    r"(?:day|date|night|evening|morning|afternoon|month)\sof))*[\s(]+$"
)
_HAPPENS = r"(?:ends?|closes?|opens?|arrives?|leaves?|returns?)"
_WORDS: dict[_Kind, str] = {
    "not before": r"(?:no|not|nothing|any)\s(?:earlier|sooner)\sthan(?:\son)?|(?:not|never)\s(?:before|until|till)|"
    r"at\sthe\searliest(?:\s(?:on|in|from))?|earliest(?:\s(?:on|in)|(?:\s[a-z]+)?:)?|fruhestens(?:\s(?:am|im))?",
    "by": r"no(?:t|thing)?\slater\sthan(?:\son)?|(?:not|nothing)\s(?:after|beyond|past)|by(?:\sor\sbefore)?|"
    r"on\sor\sbefore|before\sor\son|up\s(?:to|until)|'?till?|untill?|through|"
    r"at\sthe\s(?:very\s)?latest(?:\s(?:on|by|in))?|latest(?:\s(?:on|by)|(?:\s[a-z]+)?:)?|"
    r"(?:deadline|due\sdate)(?:\sfor\s\w+)?(?:\s(?:is|was|of|on)|\s?[:=])?(?:\son)?|due(?:\s(?:on|by|in|at)|:)?|"
    rf"expires?(?:\s(?:on|at|in))?|(?:{_CLOSE_OF_DAY})(?:\son)?|"
    r"(?:finish(?:ed)?|completed?|done|ready|live|delivered|fertig)\s(?:in|for|on|am|im)|"
    r"bis(?:\s(?:zum|zu|spatestens))?|spatestens(?:\s(?:am|bis|im))?|(?:runs?|lasts?|valid|good|holds?)\sto|"
    r"d'ici(?:\s(?:au|a))?|jusqu'(?:au|en|a)|para|hasta",
    "before": r"(?:be?fore?|b4)|prior\sto|(?:ahead|in\sadvance)\sof|(?:earlier|sooner)\sthan|in\stime\sfor|vor|avant|"
    r"antes\sdel?",
    "after": r"after|later\sthan|past|beyond|following|nach|apres|despues\sdel?",
    "from": r"(?<!apart\s)(?<!aside\s)from|"
    r"(?:start(?:s|ing|ed|\sdate)?|begin(?:s|ning)?)(?:\s(?:on|in|from|at|with)|:)?|"
    r"(?:start|begin)s?\s[a-z]+ing\s(?:on|in)|"
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
    rf"{_CLOSE_OF_DAY}|(?:it\s|that\s)?ca?n(?:'?t|not)\sbe\s(?:any\s)?later|(?:and\s)?(?:no|not\s(?:any\s)?)\s?later|"
    r"or\s(?:else|never|not\sat\sall)|without\sfail|at\sthe\soutside|"
    r"is\s(?:the|our|my)\s(?:(?:absolute|very|final|hard|latest)\s)*(?:limit|deadline|cut-?off|latest|last\s(?:possible\s)?(?:day|date|chance))(?=\sfor|\s?$|\s?[.,;]))|"
    r"(?P<start>not\s(?:an?|one)\s(?:single\s)?(?:day|hour|minute)\s(?:sooner|earlier|before)|(?:at\sthe\s)?earliest|onwards?|on(?=\s?(?:$|[.,;]))|or\slater|and\s(?:after|later|onwards?)(?!\s(?:that|this|then|the))))\b"
)
"""Words behind a date that say what it is for."""
_AROUND = 80
"""Characters on each side of a day in which the words of its sentence are looked for."""
_SENTENCE_END = re.compile(r"[;!?\n]|\.(?=\s)")
_CLAUSE_END = re.compile(
    r"[,:(]|\s(?:and|but|so|because|which|while)\s(?=(?:i|we|he|she|they|it|you|there|then|must|will|should|is|are)\b)"
)
_ROLES: dict[str, Role] = {
    "by": "deadline", "before": "deadline", "not before": "start", "from": "start", "after": "start", "on": "on",
}  # fmt: skip
_IS_OVER = re.compile(r"\s(?:(?:is|are|ha(?:s|ve))\s(?:out|over|up|gone|passed)|ends)$")
""""Before the year is out" is by its last day."""
_END_OF = re.compile(r"(?:[a-z]+\s){0,2}end\sof\s")
"""A day that is the end of something: "before the end of April" is by its last day."""
_TIED = re.compile(
    r"\b(?:to|than|except|of|about|around|or|and|not|like|as|for|but|plus|versus|either|between|"
    r"apart\sfrom|aside\sfrom|excluding)\s(?:the\s)?$"
)
"""Before a day that only belongs to something else."""
_MOVED_TO = re.compile(
    r"(?:\bdeadline\b[^.;!?]{0,20})?\b(?:mov|extend|postpon|shift|push|reschedul|delay|brought|bring|chang|slip)[a-z]*\b[^.;!?]*\sto\s(?:the\s)?$|"
    r"\bnot\s(?:on\s|in\s)?[^.;:!?]{1,30}\sbut\s(?:rather\s|on\s|in\s)?(?:the\s)?$"
)
"""Before a day that takes the place of another."""
_EXCLUDED = re.compile(
    r"(?:\b(?:but|except(?:\sfor)?|apart\sfrom|aside\sfrom|excluding|other\sthan|^not)\s(?:not\s)?"
    r"|\bnever\s)(?:(?:on|in|during|for|the)\s)*$"
)
"""Before days that are not meant: "anything but July"."""
_DUE = re.compile(
    r"\b(?:deadline|due(?:\sdate)?|hand(?:ing)?[ -]?in|submissions?|cut-?off|closing\sdate|expiry|last\s(?:possible\s)?"
    r"(?:day|date|chance|orders)|(?:end|finish|completion)(?=\sdate|:)(?:\sdate)?|rsvps?)\b(?:\s(?:for|of|"
    r"to)\s[a-z ]{1,30}?)?(?:\s?[:=-]|\s(?:is|are|will\sbe))?(?:\s(?:set|fixed|agreed))?\s"
    r"(?:(?:on|in|at|to|for|now|the)\s)*$"
)
_RUNS_OUT = re.compile(
    r"\b(?:(?:lapses?|runs?\sout|expir(?:es?|y))|(?:submissions?|registrations?|applications?|entries|bookings?|bids?|"
    r"tenders?|enrolments?|sign-?ups?|call|voting|polls?|nominations?|early\sbird|sale|offer)\s(?:[a-z]+\s){0,3}?"
    r"(?:closes?|ends?|shuts?|stops?))\s(?:(?:on|in|at|by|the|midnight|noon)\s)*$"
)
_IS_LAST = re.compile(
    r"\s?(?:is|are|was|will\sbe|would\sbe|being)\s(?:(?:really|absolutely|in\sfact|our|my|your|their)\s)*(?:the\s)?(?:very\s)?"
    r"(?:last|latest|final)\s(?:possible\s)?(?:day|date|chance|moment)\b|\s?(?:is|'s)\s(?:the|our|my|your)\s(?:deadline|cut-?off)\b"
)
"""After a day by which something is due: "14 May is the last day to hand it in"."""
_MUST = (
    r"(?:must|should|needs?\s(?:to|2)|(?:has|have|had)\sto|got\sto|gotta|wants?(?:\s(?:it|this|them|everything|all|us|me|to))*|"
    r"(?:would|'d)\s(?:like|love|prefer)(?:\s(?:it|this|them|everything|all|us|me|to))*|let's|please)"
)
_DONE = re.compile(
    rf"\b{_MUST}\s(?:all\s)?(?:be|get|have\s(?:it|this|them|everything))\s(?:all\s)?"
    r"(?:finished|done|ready|completed?|delivered|submitted|sent\s(?:in|off|out)|handed\s(?:in|over|back)|in|out|over|gone|"
    r"live|there|wrapped\sup|packed|paid(?:\soff)?|filed|returned|settled|cleared|sorted|fixed|up\sand\srunning|usable|"
    r"moved\s(?:in|out))(?:\s(?:with\s)?(?:them|us|me|there))?\s(?:(?:in|on|the)\s)*$|"
    r"\b(?:i|we|they|he|she)\s(?:needs?|must\shave)\s(?:it|this|that|them|these|everything|all(?:\sof\sit)?|(?:an?|your|the)\s(?:answer|reply|"
    r"decision|confirmation|figures|draft))\s(?:all\s|back\s|done\s|ready\s)*$"
)
_TO_DO = re.compile(
    r"\b(?:must|should|needs?\sto|(?:has|have)\sto|got\sto|gotta|please)\s(?!be\b|meet\b|see\b)[a-z]+(?:\s[a-z]+){0,3}\s$"
)
"""Before a day on which, or by which, something has to be done: "we have to hand it in 5 May"."""
_MUST_BE = re.compile(rf"\b{_MUST}\b|\b(?:due|finished|done|ready|completed?|delivered)\s$")
_TELLING = re.compile(r"(?<!\w)[a-z][a-z'-]+")
_PARTICIPLE = (
    r"(?!plann|schedul|suppos|fix|postpon|need|expect|mov|shift|push|reschedul|delay|book|chang|agreed|promis|want|wish|"
    r"hop|decid|announc|slipp|extend|said|told|offer|suggest|propos|invit|aim|liked|loved|used|settled|reserv|target|"
    r"interested|tired|closed)"
    r"(?:[a-z]+ed|sent|paid|bought|held|done|made|given|sold|built|begun|written|drawn|met|lost|left|found|won|taken|"
    r"seen|heard|had|spent|broken|born|handed|read|ill|sick)"
)
_LOOKS_BACK = re.compile(
    rf"(?:\b(?:i|we|he|she|they|who|was|were|has|have|had|been|already)|^\W*(?:you|it)|'ve)\s(?:already\s|only\s|just\s|all\s|both\s|"
    rf"finally\s|never\s)*{_PARTICIPLE}\b|\b(?:went|came|began|wrote|took|gave|broke|fell|knew|saw|drew|flew|drove|ran|ate|"
    r"as\s(?:i|we|you)?\s?(?:agreed|discussed|decided|promised)|did(?:n't)?|ended|started|arrived|happened|expired|lapsed|died|failed|passed|retired|resigned|crashed)\b|^\W*back\s(?:in|on)\b"
)
"""A clause that tells what was: "we signed", "it was sent"."""
_LOOKS_AHEAD = re.compile(
    r"\b(?:will|won't|shall|must|should|may|might|can|can't|cannot|could|would|needs?|ha(?:s|ve)\sto|(?:to|2)\sbe|going\sto|"
    r"wants?|wish|hope|plan|please|let's|is|are|am)\b|'(?:ll|d|re|m)\b"
)
_PARTICIPLE_LEAD = re.compile(r"(?:finished|completed|done|delivered|live|ready)$")
"""First words of a lead as "finished in", which in a clause that looks back is none."""
_MOST_OF_A_YEAR = 300
_REPLIES = re.compile(
    r"\b(?:answers|replies|responds|reacts|decides|(?:gets|comes|writes|rings|calls)\sback)\b[^.;:!?\n]{0,20}$"
)
"""Before "within three days": how long somebody takes each time."""


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
        meant: _Kind = "by" if word in {"by", "until", "till"} else "after" if word == "after" else "before"
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


def _turned(plain: str, lead: Lead) -> tuple[_Kind, bool]:
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


def use_of(plain: str, reading: Reading, lead: Lead | None, not_telling: frozenset[str]) -> Use:
    """Return what days are for, by the words before them and the sentence around; ``not_telling``: words of time."""
    span = reading.span
    first, last = span.first, span.last
    if span.recurs:
        return Use("on")
    if reading.is_past and lead is not None and _PARTICIPLE_LEAD.match(lead.word) is not None:
        lead = lead._replace(kind="in")
    kind, is_until = _turned(plain, lead) if lead is not None else ("", False)
    if first is None or last is None:
        return Use(_ROLES.get(kind, "mention"))
    is_period = first != last
    if lead is not None and lead.word == "in" and first == last:
        lead = None  # "hand it in 3 May"
    if is_until and not is_period:
        return Use("period", is_from_today=True)
    is_end = _IS_OVER.search(plain, reading.start, span.end) or _END_OF.match(plain, reading.start)
    limits = {
        "by": last,
        "before": last if is_end else max(first, date.min + timedelta(days=1)) - timedelta(days=1),
        "after": min(last, date.max - timedelta(days=1)) + timedelta(days=1),
        "not before": first,
        "from": first,
    }
    is_about_a_year = plain.endswith("for ", 0, reading.start) and (last - first).days > _MOST_OF_A_YEAR
    if is_about_a_year and kind == "by":  # "the accounts are not done for 2026"
        return Use("period")
    if kind in limits and (not reading.is_range or kind in {"by", "before", "not before"}):
        return Use(_ROLES[kind], limits[kind])
    before, after = _sentence(plain, reading.start, span.end)
    moved = _MOVED_TO.search(before) if lead is None or lead.kind == "on" else None
    if moved is not None:
        return Use("deadline", last) if "deadline" in moved[0] else Use("period" if is_period else "on")
    if lead is None or lead.kind in {"on", "in"}:
        if _EXCLUDED.search(before) is not None:
            return Use("mention")
        is_due = not reading.is_range and any(words.search(before) for words in (_DUE, _RUNS_OUT, _DONE))
        if is_due or _IS_LAST.match(after) is not None:
            return Use("deadline", last)
    is_told = before.strip() and _MUST_BE.search(before) is None  # "we fly out in three weeks' time"
    if span.is_distance and lead is None and is_told and plain.endswith(" time", reading.start, span.end):
        return Use("on")
    if span.is_distance and lead is None and _REPLIES.search(before) is not None:
        return Use("mention")
    if span.is_distance and lead is None:
        return Use("period") if span.is_from_today else Use("deadline", last)
    if is_period or reading.is_range:
        return Use("on" if lead is not None and lead.word == "on" else "period", is_from_today=is_until)
    if lead is not None:
        return Use("mention" if kind == "between" else "on")
    if plain.startswith(("within ", "inside "), reading.start):
        return Use("deadline", last)
    if _TIED.search(before) is not None or not_telling.issuperset(_TELLING.findall(f"{before} {after}")):
        return Use("mention")
    if span.is_back:
        return Use("deadline", last)
    return Use("on", doubt="on that day, or by then?" if _TO_DO.search(before) is not None else "")


def _sentence(plain: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands in the sentence before and after a place."""
    begin = max(0, start - _AROUND)
    while 0 < begin < start and plain[begin - 1].isalnum():  # "migrate" does not tell what somebody ate
        begin += 1
    before = _SENTENCE_END.split(plain[begin:start])[-1]
    return before, _SENTENCE_END.split(plain[end : end + _AROUND])[0]


def tells_of_past(plain: str, start: int, end: int, lead: Lead | None) -> bool:
    """Return whether the sentence around a day tells of what was."""
    if lead is not None and lead.word in {"since", "seit", "depuis"}:
        return True
    is_told = lead is not None and lead.kind == "by" and _PARTICIPLE_LEAD.match(lead.word) is not None
    if lead is not None and lead.kind in {"by", "before", "not before", "after"} and not is_told:
        return False
    before, after = _sentence(plain, start, end)
    clause = _CLAUSE_END.split(before)[-1]
    if not clause[: len(clause) - (start - lead.start if lead is not None else 0)].strip():  # "on 2 May we signed"
        clause = _CLAUSE_END.split(after.lstrip(" ,"))[0]
    return _LOOKS_BACK.search(clause) is not None and _LOOKS_AHEAD.search(clause) is None
