"""Bytes of a file as text, in the encoding that a mark or its content tells.

EF BB BF ─▶ UTF-8    FF FE ─▶ UTF-16    every other byte zero ─▶ UTF-16    UTF-8    accents of Windows-1252    else None
"""

from __future__ import annotations

import codecs
import unicodedata

_SIGNS = frozenset("€‚„…‰‹‘’“”•–—™›§°±²³µ¶·¹º»«¼½¾¿¡£¥©®´¨ª\u00a0")
"""Signs of Windows-1252 that people write."""
_LOOKED_AT = 4_096
"""Bytes in which zeros are counted."""
_MOST_BESIDE_LETTERS = 0.02
"""Share of characters beside ASCII that are neither letters nor such signs."""


def decoded(data: bytes) -> str | None:
    """Return a file's text; None if its bytes are no text in an encoding that they tell."""
    for encoding in _marked_encodings(data):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return _of_windows(data)


def _marked_encodings(data: bytes) -> tuple[str, ...]:
    """Return the encodings that a mark or zeros tell; UTF-8 where they tell none."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ("utf-16",)
    head = data[:_LOOKED_AT]
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(head) > 3 and 2 * head[first::2].count(0) > len(head[first::2]) and not head[1 - first :: 2].count(0):
            return (encoding,)
    return ("utf-8-sig",)


def _of_windows(data: bytes) -> str | None:
    """Return text in Windows-1252; None if what is not ASCII is no writing of the west of Europe."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    if any(unicodedata.category(sign) == "Cc" and sign not in "\t\r\n\f" for sign in text):
        return None
    others = [sign for sign in text if not sign.isascii()]
    strange = sum(1 for sign in others if not sign.isalpha() and sign not in _SIGNS)
    return text if strange <= _MOST_BESIDE_LETTERS * len(others) and len(others) < len(text) / 3 else None
