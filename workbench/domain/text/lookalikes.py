r"""Text as it looks, in plain letters: what is looked for in it is found however it is written.

    ｐａｓｓｗｏｒｄ   pаssword (Cyrillic)   pass\u0077ord   pass&#119;ord   pass%77ord   pass⟨U+200B⟩word  ─▶  password

Line ends stay where they are (CR and CRLF become newline), and each character is folded by itself: the time grows with
the text and with nothing else, floods of marks included. Plain ASCII comes back as it is.
"""

from __future__ import annotations

import re
import unicodedata

from workbench.domain.text.patterns import lazy_pattern

_CONTROLS = lazy_pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ESCAPES = ("\\u", "\\x", '\\"', "\\'", "&#", "&quot", "&apos", "&amp", "%")
"""What plain ASCII has that is folded."""
_NEWLINES = lazy_pattern(r"\r\n?")
_UNSEEN = lazy_pattern(
    r"(?:\x1b\[|\x9b)[0-?]{0,40}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b\n]{0,400}+(?:\x07|\x1b\\)|\x1b[ -/]{0,4}[0-~]"
    r"|[^\n\x08]\x08|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
"""Sequences for terminals, a character that is struck over, other control characters."""
_ESCAPED = lazy_pattern(
    r"\\{1,4}(?:u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})|x([0-9a-fA-F]{2})|([\"']))"
    r"|&(?:#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}))|(quot|apos|amp));"
    r"|%(3[0-9]|[46][1-9a-fA-F]|[57][0-9aA]|2[dD]|5[fF])"
)
_NAMED = {"quot": '"', "apos": "'", "amp": "&"}
_FOREIGN = lazy_pattern(r"[^\x00-\x7f]+")
_GAP = "\x00"
"""What stands for what nobody sees: nothing, or a space."""
_ALIKE = dict(
    zip(
        "аеорсухіјѕԁһԛԝӏкѵпг" "АВЕКМНОРСТУХІЈЅԀԚԜҮԌѴӀ" "αορνικυτγηωεχςϳ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
        "ıȷɡɑøłđħŧ" "ØŁĐĦŦ" "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ" "օոսհց" "“”„«»‘’‚‹›" "‐‒–—―−" "∶꞉ː→⇒",
        "aeopcyxijsdhqwlkvnr" "ABEKMHOPCTYXIJSDQWYGVI" "aopvikutynwexsj" "ABEZHIKMNOPTYX"
        "ijgaoldht" "OLDHT" "abcdefghijklmnoprstuvwyz" "onuhg" "\"\"\"\"\"'''''" "------" ":::==",
        strict=True,
    )
)  # fmt: skip


class _Folded(dict[int, str]):
    """What stands for each character that is not ASCII, as ``str.translate`` asks for it."""

    def __missing__(self, code: int) -> str:
        parts = unicodedata.normalize("NFKD", _ALIKE.get(chr(code), chr(code)))
        self[code] = told = "".join(map(_plain, parts))
        return told


_FOLDED = _Folded()
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
"""Letters and marks that nobody sees."""


def as_seen(text: str) -> tuple[str, ...]:
    """Return text in plain letters: without what nobody sees, and where there is some, with a space for each, too."""
    if _CONTROLS.search(text) is not None:
        text = _UNSEEN.sub(_GAP, _NEWLINES.sub("\n", text))
    if any(one in text for one in _ESCAPES):
        text = _ESCAPED.sub(_unescaped, text)
    if text.isascii():
        return (text,) if _GAP not in text else (text.replace(_GAP, ""), text.replace(_GAP, " "))
    text = _FOREIGN.sub(lambda run: run[0].translate(_FOLDED), text)
    return (text.replace(_GAP, ""), text.replace(_GAP, " ")) if _GAP in text else (text,)


def _plain(part: str) -> str:
    part = _ALIKE.get(part, part)
    kind = unicodedata.category(part)
    if kind in ("Cf", "Cc", "Cs") or part in _BLANK or "\ufe00" <= part <= "\ufe0f" or part >= "\U000e0000":
        return _GAP
    return "" if kind[0] == "M" else " " if kind[0] == "Z" else part


def _unescaped(match: re.Match[str]) -> str:
    *hexadecimal, quote, code, decimal, name, percent = match.groups()
    if quote or name:
        return quote or _NAMED[name]
    number = int(decimal) if decimal else int(next(one for one in (*hexadecimal, code, percent) if one), 16)
    return " " if number < 0x20 or number > 0x10FFFF else chr(number)
