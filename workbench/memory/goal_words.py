"""The words of a goal by which text can concern it, none of dates, numbers and amounts, and how frequent each is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from workbench.domain.values.calendar_words import MONTHS, ORDINAL_DAYS, SEASONS, WEEKDAYS
from workbench.domain.values.small_words import SMALL
from workbench.domain.values.units import UNITS
from workbench.memory.common_words import FOREIGN, VERBS
from workbench.memory.passages import passages
from workbench.memory.terms import STOP_WORDS, query_words, terms, words

_RARE, _COMMON = 4e-5, 3e-4
"""Occurrences of a word for each word of unrelated text: of any word, and of one that most plans may have."""
_SHORTEST_WORD = 3
_IN_MANY_SESSIONS = """
    accepted account afternoon agreed allowed alternative anyway approved area arrives authors average bad bag bank
    battery big birds board box breaks came camera card care certificate chain chair cheaper children class clock
    coffee colleague colour come company condition congratulations correction costs count course customers data date
    decision delivery different doesn dogs don door drawn dry end engineer evening exactly failed family fee fine
    fire floor food form forty frame free full gaps gate gave general goes ground group hall head holidays home
    house included insurance invoices isn job key kitchen know land laughed law lease left letter life likes limit
    line longer lost love lunch machine mail maker minus missing money morning mother neighbours noon notice number
    office ones owner page pair panels paper parents part people permit person photograph pictures pieces plus point
    policy possible power price problem proof protect public questions quiet quote rain real reason refuse rejected
    rest right room rows rules said sales samples says school seats sentence short side single site sleep slow small
    smells spare stand stone sum table text thanks told took touch twice typed usually value went whoever windows
    wish won word wrong wrote yes yesterday
"""
"""Words, beside the verbs of planning, that at least a third of the sessions in tests/memory/data have."""
_COUNTING = """
    three four five six seven eight nine ten eleven twelve dozen hundred thousand million percent euro euros eur usd
    gbp chf dollar dollars pound pounds metre metres meter meters square cubic quadratmeter zwei drei vier fünf sechs
    sieben acht neun zehn hundert tausend prozent
"""
_GERMAN = """
    alle allem allen alles andere anderen beim bereits bitte damit dann dass dazu diese diesem diesen dieser dieses doch
    dort durch etwa etwas gegen ganz gibt gut hatte hier ihm ihn ihnen ihre ihrem ihren ihrer immer ins jede jedem jeden
    jeder jedes jetzt kann können könnte machen man mehr mein meine meinem meinen meiner möchte müssen neu neue neuem
    neuen neuer neues nun schon sehr sein seine seinem seinen seiner sich sie solche sollen sollte sollten sondern
    unser unsere unserem unseren unserer unseres viel viele vielen während wann war waren warum was weil welche welchem
    welchen welcher welches wenn wer werde wie wieder will wo wollen wurde wurden zwischen
"""
_NEVER_COUNTED = (
    SMALL
    | STOP_WORDS
    | FOREIGN
    | MONTHS.keys()
    | WEEKDAYS.keys()
    | ORDINAL_DAYS.keys()
    | UNITS.keys()
    | SEASONS.keys()
    | set(_COUNTING.split())
    | set(_GERMAN.split())
)
"""Words without a subject of their own: small words, words of dates, numbers and amounts."""


def counted_words(goal: str) -> tuple[str, ...]:
    """Return the different words of a goal by which text can concern it: no small words, numbers or dates."""
    return tuple(word for word in query_words(goal) if _can_count(word))


def assumed_frequencies(counted: Sequence[str]) -> dict[str, float]:
    """Return for each term of some words how often it occurs for each word of unrelated text."""
    common = _common_terms()
    different = dict.fromkeys(term for of_word in terms(counted).values() for term in of_word)
    return {term: _COMMON if term in common else _RARE for term in different}


def telling_passage(text: str, goal: str) -> str:
    """Return the passage of a text that shares most words with a goal, the first of several.

    An ellipsis is where the text goes on, before it or after it.
    """
    asked = assumed_frequencies(counted_words(goal)).keys()

    def shared(passage: str) -> int:
        return len({term for of_word in terms(words(passage)).values() for term in of_word} & asked)

    parts = passages(text)
    if len(parts) == 1:
        return text
    best = max(range(len(parts)), key=lambda part: shared(parts[part]))
    return ("…" if best else "") + parts[best] + ("…" if best + 1 < len(parts) else "")


def _can_count(word: str) -> bool:
    is_short = word.isascii() and len(word) < _SHORTEST_WORD
    return not (is_short or word[0].isdigit() or word in _NEVER_COUNTED)


@cache
def _common_terms() -> frozenset[str]:
    """Return the terms of the words that sessions on any subject may have."""
    return frozenset(term for of_word in terms({*VERBS, *_IN_MANY_SESSIONS.split()}).values() for term in of_word)
