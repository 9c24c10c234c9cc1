"""The goal's own words in sentences: its title, what it is about, and lists of things.

"We want to move our billing to the new provider by 30 June"
     └lead-in──┘ └verb┘└─thing───┘ └───target───────┘└ boundary

A phrase is used only where it is short and plainly a noun phrase; otherwise the words of the core stand in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.domain.facts.vocabulary import VERBS as VOCABULARY
from workbench.domain.text.cleaning import shorten

LONGEST_TITLE = 72
LEAD = re.compile(
    r"^(?:(?:please|hi|hello)[,!]?\s+)?(?:(?:i|we)(?:['’]d like| would like| want| need| have| plan| hope|['’]re going"
    r"| are going|['’]m going| am going| must| should| will)(?: to)?|help (?:me|us)(?: to| with)?"
    r"|how (?:do|can) (?:i|we)"
    r"|(?:our|my|the) goal(?: is|:)(?: to)?|goal:|plan to|a plan (?:for|to)|to)\s+",
    re.IGNORECASE,
)
"""Words before what a goal asks for."""
_MORE_VERBS = """
    attract auction author backpack boost breed brew catalog catalogue challenge claim clarify climb compile contest
    craft crowdfund curate defend descale dissolve diversify enforce engage enlarge ensure equip furnish germinate
    hike index insulate insure inventory knit label landscape liquidate localise localize mentor nominate notify
    overtake persuade phase photograph plaster protect prune qualify reclaim recover redirect rehome reinstall
    reintroduce remake reopen rescue resettle restock retain revitalise revive rewild rewire row sail separate
    shorten shut ski slow smoke soundproof stabilise steer sublet succeed survey swap tackle tame tender transcribe
    wean weave wind winterproof
"""
_VERBS = VOCABULARY | frozenset(_MORE_VERBS.split())
VERBS = "|".join(sorted(_VERBS, key=len, reverse=True))
"""Of a pattern: words that say what to do."""
_STATES = frozenset("achieve become get keep make stop start lose win run reach".split())  # noqa: SIM905  as the others
"""Verbs whose object is a state or an amount, which does not stand well in other sentences."""
_BOUNDARY = re.compile(
    r"\s+(?:to|into|onto|by|from|without|before|after|at|within|until|till|so|because|while|when|using|via|under|below"
    r"|towards?|whose|which|that|who|where|and|but|or|as|in|with|on|for|during|over|per|through|between|instead|against"
    r"|costing|including|starting|no|not|only|up|properly|quickly|soon|again|\d{4}[–-]|\d[\d.,]*\s?(?:km|kilomet\w+|miles|kg|cm|%))\b|[,.:](?!\d)|[;!?()\[\]{}<>«»\"“”|*_`#\n–—]|\s[-+]\s",
    re.IGNORECASE,
)
_DETERMINED = re.compile(r"(?:the|our|my|your|their|his|her|its|this|these|those|all|each|every|both)\b", re.IGNORECASE)
_TARGET = re.compile(
    r"\b(?:to|into|onto)\s+((?:the|a|an|our|my)\s+[^,;.!?()]+|[A-Z][\w.+-]*(?:\s[A-Z][\w.+-]*){0,2})", re.ASCII
)
_NO_NOUN_PHRASE = re.compile(
    r"\b(?:\w+self|\w+selves|me|us|him|them|it|well|enough|better|more|less|how|why|what|whether)\b", re.IGNORECASE
)
_LONGEST_PHRASE, _MOST_WORDS = 40, 5


def bare(text: str) -> str:
    """Return a goal without "We want to" and the like."""
    return LEAD.sub("", " ".join(text.split())).strip(" .,;:!?-–—#*_`>“”\"'")


_SENTENCE = re.compile(r"(?<=[^\d][.!?;])\s+|\n")
_WANTED = re.compile(
    r"\b(?:wants?|needs?|ha(?:s|ve)|(?:['’]d|would) (?:like|love)|plan(?:s|ning)?|hopes?|hoping|going|decided|trying"
    r"|must|should|will|promised|asked|told)(?: (?:me|us))?(?: to)?\s+",
    re.IGNORECASE,
)
_BEFORE_VERB = re.compile(r"^(?:(?:and|but|then|also|first|finally|please|just|finally)\s+)+", re.IGNORECASE)


def asked_for(goal: str) -> str:
    """Return the sentence that asks for something, from its verb on; "" where a goal only says how things are."""
    goal = " ".join(goal.split())
    sentences = [one for one in _SENTENCE.split(goal) if one.strip()][:_MOST_SENTENCES]
    for sentence in sentences:
        starts = [0, *(match.end() for match in _WANTED.finditer(sentence[:_LONGEST_SENTENCE]))]
        for start in starts:
            text = _BEFORE_VERB.sub("", bare(sentence[start:]), count=1)
            if (then := _PERMITTED.match(text)) is not None and begins_with_a_verb(text[then.end() :]):
                text = text[then.end() :]
            if begins_with_a_verb(text) and text.split()[0].casefold() not in _STATIVE:
                return text
    first = bare(sentences[0]) if sentences else ""
    if _SUBJECT.match(first):
        return ""
    return "" if _STATES_IT.search(first.split(",")[0][:_LONGEST_SENTENCE]) else first


_STATIVE = frozenset("be stay keep have own remain need like love leave let live see".split())  # noqa: SIM905  as the others
_PERMITTED = re.compile(
    r"(?:get|obtain|secure|apply for)\b[^,.;]*\b(?:permission|permits?|approval|licen[cs]e|consent)\b[^,.;]*?\s+and\s+(?:then\s+)?",
    re.IGNORECASE,
)
_MOST_SENTENCES, _LONGEST_SENTENCE = 20, 400
_SUBJECT = re.compile(r"(?:i|we|he|she|they|it|there|this|that)\b", re.IGNORECASE)
_STATES_IT = re.compile(r"\b(?:is|are|was|were|has|have|had|been|doesn['’]t|don['’]t|won['’]t|got)\b", re.IGNORECASE)


def heading(text: str) -> str:
    """Return a text as a title of one short line without a full stop."""
    return capital(shorten(bare(text), LONGEST_TITLE)) or "A plan"


def begins_with_a_verb(text: str) -> bool:
    """Tell whether a text says what to do ("Choose a caterer"), as far as its first word is known."""
    first = text.split(maxsplit=1)[0].casefold().strip(",.:;") if text.split() else ""
    return first in _VERBS and _SAYS.match(text) is None


_SAYS = re.compile(
    r"\S+\s(?:[A-Z]\S*\s)?(?:is|are|was|were|has|had|leaves|lends?|wants?|needs|may|can|must|will|ends|starts|comes|goes)\b"
)
"""A first word that is somebody or something, of which the text says what it does: "Archive lends us …"."""


def thing_of(text: str) -> str:
    """Return what a goal is about ("our billing"); "" where no short noun phrase says it plainly."""
    words = bare(text).split(maxsplit=1)
    if len(words) < 2 or words[0].casefold() not in _VERBS or words[0].casefold() in _STATES:
        return ""
    phrase = _until_boundary(words[1])
    phrase = re.sub(r"^(?:up|out|over|down|off)\s+", "", phrase)
    if len(phrase.split()) > _MOST_WORDS or len(phrase) > _LONGEST_PHRASE:
        phrase = phrase.split(" of ")[0]
    is_latin = all(letter < "\u0250" for letter in phrase)
    if not 0 < len(phrase) <= _LONGEST_PHRASE or len(phrase.split()) > _MOST_WORDS or not is_latin:
        return ""
    if _NO_NOUN_PHRASE.search(phrase) or _BOUNDARY.match(f" {phrase}") or not re.search(r"[a-zA-Z]", phrase):
        return ""
    if article := re.match(r"(?:a|an|some)\s+(?:new\s+)?", phrase, re.IGNORECASE):
        return "the " + phrase[article.end() :]
    return phrase if _DETERMINED.match(phrase) or phrase[:1].isupper() else f"the {phrase}"


def target_of(text: str) -> str:
    """Return where something goes ("the new provider"); "" where that is not plain."""
    match = _TARGET.search(bare(text))
    phrase = _until_boundary(re.sub(r"^(?:a|an)\s+(?:new\s+)?", "the new ", match[1])) if match else ""
    is_short = 0 < len(phrase) <= _LONGEST_PHRASE and len(phrase.split()) <= _MOST_WORDS
    return phrase if is_short and not begins_with_a_verb(phrase) else ""


def _until_boundary(text: str) -> str:
    match = _BOUNDARY.search(text)
    return (text[: match.start()] if match else text).strip()


def capital(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text as a sentence."""
    text = capital(" ".join(text.split()))
    return text if not text or text[-1] in ".!?…。" else text + "."


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return parts as an English list: ``a, b and c``."""
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 day``, ``12 days``."""
    return f"{count} {noun}" if abs(count) == 1 else f"{count} {noun}s"
