"""Markdown of any origin, laid out: as HTML that can be put into a page, and for a terminal.

Its text is cleaned before it is parsed and once more as tokens, because ``&#x202e;`` is harmless only until it is
decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from workbench.domain.text.cleaning import clean
from workbench.domain.text.patterns import lazy_pattern

if TYPE_CHECKING:  # each is imported by those who lay out, not by everyone who knows how
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from rich.markdown import Markdown

_MARKS = lazy_pattern(r"(?<![ \t])[ \t]*+<!-- [a-z0-9-]+ -->(?=\n|\Z)")
"""Section ids behind headings: an edited plan needs them, a reader does not."""
_WEB = lazy_pattern(r"https?://", re.IGNORECASE)


def readable(markdown: str) -> str:
    """Return Markdown as people read it: clean, and without the ids of sections."""
    return _MARKS.sub("", clean(markdown)).rstrip("\n")


def as_html(markdown: str) -> str:
    """Return Markdown as HTML that nothing escapes from: the renderer escapes every text."""
    parser = _parser()
    tokens = parser.parse(readable(markdown))
    for token in _with_children(tokens):
        _strip_token(token)
    html: str = parser.renderer.render(tokens, parser.options, {})
    return html


def as_rich(markdown: str) -> Markdown:
    """Return Markdown laid out for a terminal. Links are shown, not made clickable."""
    from rich.markdown import Markdown

    laid_out = Markdown(clean(markdown), hyperlinks=False)
    for token in _with_children(laid_out.parsed):
        token.content = clean(token.content)
    return laid_out


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    class OfAnyOrigin(MarkdownIt):
        """The parser for texts that nobody vouches for."""

        def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's own name for it
            """Return whether a link may stand: to the web, and nowhere else."""
            return _WEB.match(url) is not None

    return (
        OfAnyOrigin("commonmark", {"html": False, "xhtmlOut": False})
        .enable("table")
        .disable(["image", "html_block", "html_inline"])
    )


def _with_children(tokens: Iterable[Token]) -> Iterable[Token]:
    for token in tokens:
        yield token
        yield from _with_children(token.children or ())


def _strip_token(token: Token) -> None:
    """Leave a token what it needs: its text, and where a link leads."""
    token.content = clean(token.content)
    token.info = ""
    kept = {name: value for name, value in token.attrs.items() if name in {"href", "start"}}
    token.attrs = kept | ({"rel": "noopener noreferrer nofollow"} if "href" in kept else {})
