"""The goal's own words in sentences: its title, what it is about, and lists of things.

"We want to move our billing to the new provider by 30 June"
     └lead-in──┘ └verb┘└─thing───┘ └───target───────┘└ boundary

A phrase is used only where it is short and plainly a noun phrase; otherwise the words of the core stand in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.domain.text.cleaning import shorten
from workbench.guided.kinds import LEAD

LONGEST_TITLE = 72
_VERBS_LIST = """
    achieve acquire add adopt analyse analyze apply archive arrange ask assess audit automate become begin book
    bring build buy call cancel celebrate change check choose clean clear close collect compare complete comply
    compose conduct connect consolidate construct convert cook create cut decide decommission decorate define
    deliver deploy design develop digitise digitize document double draft earn eliminate employ enter establish
    evaluate expand explore extend file fill film find finish fix found fund get give grow halve hand hire hold
    host implement improve increase inform insure install integrate interview introduce inventory invite join keep
    launch lay learn lose lower make manage map master measure merge migrate modernise modernize move negotiate
    notify obtain offer onboard open optimise optimize order organise organize outsource overhaul paint pass pay
    perform pick pitch plan plant prepare present print procure produce promote provide publish purchase put raise
    reach read rebrand rebuild record recruit redesign reduce refactor reform refurbish register rehearse release
    relocate remodel remove renew renovate rent reorganise reorganize repair replace report research reserve
    restore restructure retire review rewrite run save scan secure select sell send set ship show sign simplify
    sort start stop store submit sweep swim switch take talk teach tell test tidy train transfer transform
    translate travel update upgrade validate visit walk win wire write
"""
_VERBS = frozenset(_VERBS_LIST.split())
VERBS = "|".join(sorted(_VERBS, key=len, reverse=True))
"""Of a pattern: words that say what to do."""
_STATES = frozenset("achieve become get keep make stop start lose win run reach".split())  # noqa: SIM905  as the others
"""Verbs whose object is a state or an amount, which does not stand well in other sentences."""
_BOUNDARY = re.compile(
    r"\s+(?:to|into|onto|by|from|without|before|after|at|within|until|till|so|because|while|when|using|via|under|below"
    r"|towards?|whose|which|that|who|where|and|but|or|as|in|with|on|for|during|over|per|through|between|instead|against"
    r"|costing|including|starting|no|not|only|up)\b|[,;:.!?()\[\]{}<>«»\"“”|*_`#\n–—]|\s-\s",
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


def heading(text: str) -> str:
    """Return a text as a title of one short line without a full stop."""
    return capital(shorten(bare(text), LONGEST_TITLE)) or "A plan"


def begins_with_a_verb(text: str) -> bool:
    """Tell whether a text says what to do ("Choose a caterer"), as far as its first word is known."""
    first = text.split(maxsplit=1)[0].casefold().strip(",.:;") if text.split() else ""
    return first in _VERBS


def thing_of(text: str) -> str:
    """Return what a goal is about ("our billing"); "" where no short noun phrase says it plainly."""
    words = bare(text).split(maxsplit=1)
    if len(words) < 2 or words[0].casefold() not in _VERBS or words[0].casefold() in _STATES:
        return ""
    phrase = _until_boundary(words[1])
    phrase = re.sub(r"^(?:up|out|over|down|off)\s+", "", phrase)
    if not 0 < len(phrase) <= _LONGEST_PHRASE or len(phrase.split()) > _MOST_WORDS or not phrase.isascii():
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
