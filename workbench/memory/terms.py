"""Texts as the terms they are found by: SQLite's FTS5 cuts and stems, and nothing is stored in it.

    text or query ─▶ words, in lower case ─▶ each different word once ─▶ FTS5 (unicode61, Porter 1980) ─▶ its terms
                                             (scripts without spaces as pairs of characters)

FTS5 is used for what it does well, accents, scripts and stems in C; scores are our own (lexical.py), because bm25() of
FTS5 fixes its constants, and normalises by length more than short turns bear.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import pairwise

from workbench.domain.text.patterns import lazy_pattern

STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be because been before being but by can could did do does doing
    for from had has have having he her hers him his how i if in into is it its just me more most my no not of on or
    our out over she should so some than that the their them then there these they this those to too up us was we
    were what when where which while who whom whose why will with would you your yours
    """.split()  # noqa: SIM905 - ninety words are read as a text, not as a list of literals
)
_WORD = lazy_pattern(r"[^\s\x00-/:-@\[-`{-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\u2000-\u206f]+")
"""Runs without spaces and the usual punctuation; whatever else is no letter, FTS5 leaves out."""
_UNSPACED = lazy_pattern(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, kana and Han: written without spaces between words."""
_TOKENIZER = "porter unicode61 categories 'L* N* Co Mn Mc'"
"""Marks belong to their letters: without them Hindi and Tamil fall apart into consonants."""
_MOST_WORDS = 64
"""How many different words of a query count; more is a pasted document, and its beginning says what it is about."""


def words(text: str) -> list[str]:
    """Return the words of a text, in order and lower case."""
    return _WORD.findall(text.lower())


def query_words(query: str) -> tuple[str, ...]:
    """Return the different words of a query, in order, at most 64."""
    return tuple(dict.fromkeys(words(query)))[:_MOST_WORDS]


def content_words(asked: Sequence[str]) -> tuple[str, ...]:
    """Return the words that say what is sought; all of them when they are all function words."""
    return tuple(word for word in asked if word not in STOP_WORDS) or tuple(asked)


def terms(of_words: Iterable[str]) -> dict[str, list[str]]:
    """Return the terms of each word: its stem, several if it is written without spaces, none if it is not a word."""
    different = list(dict.fromkeys(of_words))
    found: dict[str, list[str]] = {word: [] for word in different}
    if not different:
        return found
    database = sqlite3.connect(":memory:")
    try:
        database.execute(f"CREATE VIRTUAL TABLE word USING fts5(text, content='', tokenize=\"{_TOKENIZER}\")")
        database.execute("CREATE VIRTUAL TABLE instance USING fts5vocab(word, instance)")
        rows = ((number, _tokenizable(word)) for number, word in enumerate(different))
        database.executemany("INSERT INTO word(rowid, text) VALUES (?, ?)", rows)
        for number, term in database.execute('SELECT doc, term FROM instance ORDER BY doc, "offset"'):
            found[different[number]].append(term)
    finally:
        database.close()
    return found


def _tokenizable(word: str) -> str:
    """Return what FTS5 can cut: no lone surrogate, and pairs of characters if no spaces are written."""
    if word.isascii():
        return word
    encodable = word.encode(errors="replace").decode()
    return _UNSPACED.sub(lambda run: f" {_pairs(run[0])} ", encodable)


def _pairs(run: str) -> str:
    """Return the overlapping pairs of a run of characters, and each character, which a query may be alone."""
    return " ".join([*run, *(first + second for first, second in pairwise(run))])
