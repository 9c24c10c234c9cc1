"""A text in the form in which it is read: small letters without accents, each character at its place.

"Fête – 3 Août" ──plain_text──▶ "fete - 3 aout"        so a place in the one is the same place in the other
"""

from __future__ import annotations

import unicodedata

_KEPT = "½¼¾²³°ªº™"
"""Characters that stand for more than the one they decompose into first."""


class _Bare(dict[int, str]):
    """Maps a character to its plain form, worked out when it first occurs."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        bare = unicodedata.normalize("NFKD", character)[:1]
        if character.isspace():
            form = "\n" if character in "\r\v\f\x85\u2028\u2029" else " "
        elif unicodedata.category(character) == "Pd" or character == "−":
            form = "-"
        elif character in _KEPT or not bare.isascii():
            form = character
        else:
            form = bare.lower()
        self[code] = form
        return form


_BARE = _Bare({ord(quote): "'" for quote in "‘’‛′ʼ`"} | {ord("\n"): "\n"})


def plain_text(text: str) -> str:
    """Return a text in small letters, without accents, with one kind of dash, apostrophe and space; same length."""
    return text.translate(_BARE)
