"""The goal's own words in sentences: its title, what it is about, and lists of things.

"We want to move our billing to the new provider by 30 June"
     └lead-in──┘ └verb┘└─thing───┘ └───target───────┘└ boundary

A phrase is used only where it is short and plainly a noun phrase; otherwise the words of the core stand in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workbench.domain.facts.vocabulary import VERBS as VOCABULARY
from workbench.domain.text.cleaning import shorten
from workbench.guided import patterns

LONGEST_TITLE = 72
_VERBS = VOCABULARY | frozenset(patterns.MORE_VERBS.pattern.split("|"))
VERBS = "|".join(sorted(_VERBS, key=len, reverse=True))
"""Of a pattern: words that say what to do."""
_STATES = frozenset("achieve become get keep make stop start lose win run reach".split())  # noqa: SIM905
"""Verbs whose object is a state or an amount, which does not stand well in other sentences."""
_LONGEST_PHRASE, _MOST_WORDS = 40, 5


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the place of each sentence of a text; neither "Max. 3 weeks" nor "no. 28" nor "10. Mai" ends one."""
    at = 0
    for match in _ENDS.finditer(text):
        if match[0] != "." or not _ENDS_NOTHING.search(text, max(0, match.start() - 8), match.end() + 4):
            yield at, match.start()
            at = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
    if text[at:].strip():
        yield at, len(text)


_ENDS = re.compile(r"[.!?]+[\"”’')]*(?=\s|$)|\n+|[。！？；]|\s[–—]\s(?=[A-Z])")
_ENDS_NOTHING = re.compile(
    r"\b(?:approx|max|min|ca|e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|vs|incl|excl)\.\s.{0,3}\Z|\bno\.\s\d.{0,2}\Z"
    r"|(?<!\d)\d{1,2}\.\s(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\Z",
    re.IGNORECASE,
)


def bare(text: str) -> str:
    """Return a goal without "We want to" and the like."""
    text = patterns.WANT_LEAD.sub("", " ".join(text.split()), count=1).strip(" .,;:!?-–—#*_`>")
    return text.strip("“”\"'") if text[:1] in "“\"'" else text


def asked_for(goal: str) -> str:
    """Return the sentence that asks for something, from its verb on; "" where a goal only says how things are."""
    places = list(sentences(goal))[:_MOST_SENTENCES]
    said = [" ".join(goal[start:end].split()) for start, end in places]
    for sentence in said:
        starts = [0, *(match.end() for match in patterns.WANTED.finditer(sentence[:_LONGEST_SENTENCE]))]
        for start in starts:
            text = bare(sentence[start:])
            is_caused = start == 0 and patterns.HAS_DONE.match(text) is not None
            if is_caused or (begins_with_a_verb(text) and text.split()[0].casefold() not in _STATIVE):
                return text
    first = bare(said[0]) if said else ""
    if patterns.SUBJECT.match(first):
        return ""
    return first if says_nothing_is_done(first.split(",")[0][:_LONGEST_SENTENCE]) else ""


_STATIVE = frozenset("be stay keep have own remain need like love leave let live see".split())  # noqa: SIM905
_MOST_SENTENCES, _LONGEST_SENTENCE = 20, 400


def says_nothing_is_done(text: str) -> bool:
    """Tell whether words have no verb of their own: "Final report to the fund", "12 women who never held a torch"."""
    return patterns.FINITE.search(patterns.RELATIVE.sub("", text)) is None


def heading(text: str) -> str:
    """Return a text as a title of one short line without a full stop."""
    return capital(shorten(bare(text), LONGEST_TITLE)) or "A plan"


def begins_with_a_verb(text: str) -> bool:
    """Tell whether a text says what to do ("Choose a caterer"), as far as its first word is known."""
    first = text.split(maxsplit=1)[0].casefold().strip(",.:;") if text.split() else ""
    return first in _VERBS and patterns.SAYS.match(text) is None


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
    if patterns.ADVERB.match(phrase) or patterns.BOUNDARY.match(f" {phrase}") or not re.search(r"[a-zA-Z]", phrase):
        return ""
    if article := re.match(r"(?:a|an|some)\s+(?:new\s+)?", phrase, re.IGNORECASE):
        return "the " + phrase[article.end() :]
    return phrase if patterns.DETERMINED.match(phrase) or phrase[:1].isupper() else f"the {phrase}"


def target_of(text: str) -> str:
    """Return where something goes ("the new provider"); "" where that is not plain."""
    match = patterns.TARGET.search(bare(text))
    phrase = _until_boundary(re.sub(r"^(?:a|an)\s+(?:new\s+)?", "the new ", match[1])) if match else ""
    is_short = 0 < len(phrase) <= _LONGEST_PHRASE and len(phrase.split()) <= _MOST_WORDS
    return phrase if is_short and not begins_with_a_verb(phrase) else ""


def _until_boundary(text: str) -> str:
    match = patterns.BOUNDARY.search(text)
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
