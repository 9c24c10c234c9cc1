"""The goal's own words, taken out and put into sentences without breaking their grammar.

    "We want to move our billing to the new provider by 30 June"
         └lead-in──┘ └verb┘└──thing──┘ └─────target────┘└─ boundary: constraint or date

A phrase is used only where it is short and plainly a noun phrase; otherwise the domain's neutral words stand in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from workbench.domain.text.cleaning import shorten

_LEAD_IN = re.compile(
    r"^(?:(?:please|hi|hello|ok|so|well)[,!]?\s+)?(?:"
    r"(?:i|we)(?:['’]d|\s+would)?\s+(?:like|love|want|need|have|plan|intend|hope|wish|are\s+going|am\s+going|must|should|"
    r"will|aim)(?:\s+to)?\s+(?:to\s+)?|(?:i|we)\s+(?:are|am)\s+(?:planning|trying|looking|going)\s+(?:to|on)?\s*|"
    r"help\s+(?:me|us)\s+(?:to\s+|with\s+|plan\s+)?|let['’]?s\s+|let\s+us\s+|how\s+(?:do|can|should|could)\s+(?:i|we)\s+|"
    r"(?:our|my|the)\s+(?:goal|aim|objective|plan|task)\s*(?:is|:)\s*(?:to\s+)?|(?:goal|aim|objective|task)\s*:\s*(?:to\s+)?|"
    r"(?:(?:create|make|write|draft|prepare|give\s+me)\s+)?(?:a|the|me\s+a)\s+plan\s+(?:to|for|on\s+how\s+to)\s+|"
    r"plan\s+(?:to|how\s+to|for)\s+|i['’]m\s+(?:planning|trying)\s+to\s+|to\s+(?=[a-z]))",
    re.IGNORECASE,
)
_VERBS_LIST = """
    achieve acquire adapt add adopt analyse analyze apply archive arrange ask assess audit automate become begin
    book bring build buy cancel celebrate change choose clean close collect compare complete comply conduct
    connect consolidate construct convert cook create cut decide decommission define deliver deploy design
    develop digitise digitize document double draft earn eliminate employ enter establish evaluate exhibit
    expand explore extend extract fill film find finish fix found fund gain get go grow halve hire hold host
    implement improve increase initiate install integrate interview introduce investigate invite join launch lay
    learn lose lower maintain make manage map master measure merge migrate modernise modernize move negotiate
    obtain offer onboard open optimise optimize order organise organize outsource overhaul paint pass pay
    perform pick pitch plan plant prepare present print procure produce promote provide publish purchase put
    raise reach read rebrand rebuild recruit redesign reduce refactor reform refurbish register rehearse release
    relocate remodel remove renew renovate rent reorganise reorganize repair replace research restructure
    restore retire review rewrite ride roll run save scale secure select sell send set ship sign simplify sort
    stage standardise standardize start stop store streamline study submit supply surprise swim switch take
    teach test tidy train transfer transform transition translate travel treble triple turn understand unify
    update upgrade validate visit walk win write
"""
_VERBS = frozenset(_VERBS_LIST.split())
_BOUNDARY = re.compile(
    r"\s+(?:to|into|onto|by|from|without|before|after|at|within|until|till|so|because|while|when|using|via|under|below|"
    r"towards?|whose|which|that|who|where|and|but|or|as|in|with|on|for|during|over|per|through|between|instead|against|"
    r"costing|including|starting|until|no|not|only|keeping|up)\b|[,;:.!?()\[\]{}<>«»\"“”|*_`#\n–—]|\s-\s",
    re.IGNORECASE,
)
_DETERMINER = re.compile(
    r"^(?:the|our|my|your|their|his|her|its|this|these|those|all|each|every|both)\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"^(?:a|an|some)\s+", re.IGNORECASE)
_ARTICLE_BEFORE_VOWEL = re.compile(r"\b([Aa]) (?=(?!uni|use|eu|one)[aeiou])")
_TARGET = re.compile(
    r"\b(?:to|into|onto)\s+((?:the|a|an|our|my|new)\s+[^,;.!?()]+|[A-Z][\w.+-]*(?:\s[A-Z][\w.+-]*){0,2})", re.ASCII
)


_WITHOUT_THING_LIST = """
    achieve become be do get go have keep live quit reach start stay stop survive surprise turn work
"""
_WITHOUT_THING = frozenset(_WITHOUT_THING_LIST.split())
"""Verbs whose object is a state, an amount or an activity, which does not stand well in other sentences."""


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """What the goal asks for, in its own words."""

    title: str
    """The goal as a heading, without its constraints, at most 72 characters."""
    verb: str = ""
    """The first word, where it is a verb that is known; in lower case."""
    thing: str = ""
    """What is acted on, as a definite noun phrase ("our billing", "the wedding"); "" where it is not plain."""
    target: str = ""
    """Where it goes, of a goal that moves something ("the new provider")."""


def read_objective(sentence: str, first_boundary: int) -> Objective:
    """Read the objective of a goal's first sentence; behind ``first_boundary`` its constraints and dates begin."""
    whole = " ".join(sentence.split())
    head = " ".join(sentence[:first_boundary].split()).rstrip(" ,;:-–—")
    bare = _LEAD_IN.sub("", head if len(head) > 3 else whole).strip()
    words = bare.split()
    verb = base_verb(words[0]) if words else ""
    known = verb or (words[0].lower() if words and words[0].lower() in _WITHOUT_THING else "")
    rest = " ".join(words[1:]) if known else bare
    return Objective(
        title=heading(bare or whole),
        verb=known,
        thing="" if known in _WITHOUT_THING else _thing(rest, is_object=bool(known)),
        target=_target(rest),
    )


def heading(text: str) -> str:
    """Return text as a title of at most 72 characters, its first letter a capital, without a full stop."""
    return capital(shorten(text.strip(" .,;:!?-–—#*_`>"), 72)) or "A plan"


def capital(text: str) -> str:
    """Return text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """Return text to stand inside a sentence: the first letter small, unless the word is a name or an abbreviation."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    if first == "I" or any(character.isupper() or character.isdigit() for character in first[1:]):
        return text
    return text[:1].lower() + text[1:]


def sentence(text: str) -> str:
    """Return text as a sentence: capital and full stop."""
    text = capital(" ".join(text.split()))
    return text if not text or text[-1] in ".!?…" else text + "."


def filled(template: str, words: Mapping[str, str]) -> str:
    """Return a template with its ``{words}`` put in, and its sentences begun with capitals again."""
    text = _ARTICLE_BEFORE_VOWEL.sub(r"\1n ", template.format_map(words)) if "{" in template else template
    return re.sub(r"(^|[.!?]\s+)([a-z])", lambda match: match[1] + match[2].upper(), text) if "{" in template else text


def listed(parts: list[str] | tuple[str, ...], last: str = "and") -> str:
    """Return parts as an English list: ``a, b and c``."""
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def in_a_sentence(owner: str) -> str:
    """Return an owner inside a sentence: a role with its article ("the finance lead"), a person's name as it is."""
    words = owner.split()
    if owner == "You":
        return "you"
    if owner in _ROLES or (len(words) > 1 and words[-1].islower()):
        return f"the {owner[:1].lower()}{owner[1:]}" if not owner[:2].isupper() else f"the {owner}"
    return owner


_ROLE_LIST = """
    Author Board Buyer Checker Coach Contractor Designer Doctor Hosts Lawyer Learner Management Owner Proofreader
    Recruiter Researcher Sponsor Statistician Teacher Tester Trainer Travellers
"""
_ROLES = frozenset(_ROLE_LIST.split())
"""Roles of one word; a single word otherwise is a name."""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 day``, ``12 days``."""
    return f"{count} {noun}" if abs(count) == 1 else f"{count} {noun}s"


def telling_words(text: str) -> set[str]:
    """Return the words of a text that tell something, shortened to their stems."""
    words = (word for word in re.findall(r"[^\W\d_]{4,}", text.casefold()) if word not in _COMMON)
    return {_ENDING.sub("", word)[:6] for word in words}


_ENDING = re.compile(r"(?<=[^\W\d_]{4})(?:ing|ed|es|s|ly)$")


_COMMON_LIST = """
    hour half fixed
    with without must that this than more less most least have been from into only over under they them their
    there when where which while what will would could should shall before after until within about each every
    other some keep keeping kept stay team people work working time date days weeks months done make made take
    cannot never does first last step plan goal list also very much many need needs like want names name year
    hours just then here please really instead rather both between because
"""
_COMMON = frozenset(_COMMON_LIST.split())


def base_verb(word: str) -> str:
    """Return the imperative of a first word ("moving": "move"); "" where it is no verb that is known."""
    bare = word.lower().strip(",.:;!?")
    if bare in _VERBS:
        return bare
    if bare.endswith("ing"):
        stem = bare[:-3]
        for base in (stem, stem + "e", stem[:-1]):
            if base in _VERBS:
                return base
    return ""


def _thing(text: str, *, is_object: bool) -> str:
    match = _BOUNDARY.search(text)
    phrase = (text[: match.start()] if match else text).strip()
    phrase = re.sub(r"^(?:up|out|over|for|down|off)\s+", "", phrase)
    words = phrase.split()
    if _NO_NOUN_PHRASE.search(phrase):
        return ""
    most = 6 if is_object else 3
    if not phrase.isascii() or _BOUNDARY.match(f" {phrase}"):
        return ""
    if not words or len(words) > most or len(phrase) > 50 or not re.search(r"[^\W\d_]", phrase):
        return ""
    if not is_object:
        phrase = lower_first(phrase)
        words = phrase.split()
    if _ARTICLE.match(phrase):
        return "the " + _ARTICLE.sub("", phrase)
    if _DETERMINER.match(phrase) or words[0][:1].isupper():
        return phrase
    return f"the {phrase}" if len(words) <= 3 or words[0][:1].isdigit() else phrase


_NO_NOUN_PHRASE = re.compile(
    r"\b(?:\w+self|\w+selves|me|us|him|them|it|well|enough|better|more|less|how|why|what|whether)\b", re.IGNORECASE
)


def _target(text: str) -> str:
    match = _TARGET.search(text)
    if match is None:
        return ""
    phrase = re.sub(r"^(?:a|an|new)\s+", "the ", match[1])
    boundary = _BOUNDARY.search(phrase)
    phrase = (phrase[: boundary.start()] if boundary else phrase).strip()
    return phrase if 0 < len(phrase.split()) <= 5 and len(phrase) <= 40 else ""
