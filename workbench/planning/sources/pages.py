"""The text of a web page, in the process that reads pages (foreign.py): it may take any time to parse one."""

from __future__ import annotations

import codecs

import msgspec

from workbench.domain.text.cleaning import clean, shorten

MOST_OF_A_PAGE = 60_000
"""Characters of a page's text that are searched."""
_MOST_OF_A_LINE = 1_000
_CHARSETS = frozenset({
    "ascii", "utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso8859-1", "iso8859-2", "iso8859-5", "iso8859-7",
    "iso8859-9", "iso8859-15", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1257", "koi8-r", "koi8-u", "gb2312",
    "gbk", "gb18030", "big5", "shift_jis", "cp932", "euc_jp", "iso2022_jp", "euc_kr", "cp949",
})  # fmt: skip
"""Encodings that pages are written in, as Python names them; any other is read as UTF-8."""
_SKIPPED = ["script", "style", "noscript", "template", "svg", "iframe", "object", "nav", "form"]
_INLINE = [
    "a", "abbr", "b", "cite", "code", "em", "font", "i", "kbd", "mark", "s", "small", "span", "strong", "sub", "sup",
    "u",
]  # fmt: skip


def lines_of(page: bytes) -> bytes:
    """Return the lines of a page as JSON. Its first line says whether it is HTML (1 or 0), and its encoding."""
    about, _, data = page.partition(b"\n")
    is_marked_up, _, charset = about.decode().partition(" ")
    text = data.decode(_known(charset), errors="replace")
    if is_marked_up == "1":
        text = _text_of(text)
    lines = (shorten(" ".join(line.split()), _MOST_OF_A_LINE) for line in clean(text[:MOST_OF_A_PAGE]).split("\n"))
    return msgspec.json.encode([line for line in lines if line])


def _known(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if name in _CHARSETS else "utf-8"


def _text_of(html: str) -> str:
    """Return the text of a page, a line for each block."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html)
    tree.strip_tags(_SKIPPED)
    tree.unwrap_tags(_INLINE)
    if tree.body is None:
        return ""
    tree.body.merge_text_nodes()
    return tree.body.text(separator="\n", strip=True)
