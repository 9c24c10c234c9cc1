"""What a clause is: a deliverable, an exclusion, a condition, a quality, or not understood.

deliverable  something to be done or made: "build a shed", "we need a website", "it has to be signed"
exclusion    what must not be or happen: "without ads", "no plastic", "don't touch the logo"
condition    what the work depends on, and circumstances: "if it rains", "Anna must sign off", "the hall is closed"
quality      how a result has to be: "fast and accessible", "pages load in under 2 s"
unread       none of its words are known, or most small words are of another language
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.domain.facts.fact import Fact, FactType
from workbench.domain.facts.vocabulary import NOUNS, QUALITIES, base_verb, is_known

WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
NEGATIVE = r"no|not|nothing|never|nobody|none|don't|do\snot|without|except|excluding|avoid|skip"
"""Words that an exclusion begins with."""
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
    rf"^(?:(?:and|but|or|so|then|please)\s)*(?:with\sno\b|(?:{NEGATIVE}|instead\sof|rather\sthan|other\sthan|"
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


def type_of(clause: str, rest: str, facts: Sequence[Fact]) -> FactType:
    """Return what a clause is; ``rest`` is what its dates and amounts leave of it, ``facts`` what is in it."""
    words = WORD.findall(rest)
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
    word = WORD.match(clause, place)
    if word is None:
        return ""
    after = WORD.match(clause, word.end() + 1)
    is_noun = place == 0 and after is not None and after[0] in _AFTER_A_NOUN
    return "" if is_noun else base_verb(word[0])
