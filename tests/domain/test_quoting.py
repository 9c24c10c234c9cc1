"""Markdown that leaves the workbench does nothing in a reader that obeys it, and comes back byte for byte."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from workbench.domain.text.formulas import harmless
from workbench.domain.text.formulas import restored as restored_cell
from workbench.domain.text.quoting import quoted, restored

PIECES = (
    "<script>", "</div>", "<img src=x>", "<a href=", "<!--", "-->", "<!-- quoted -->", "<!-- a-b -->", "<?",
    "<![CDATA[", "![", "[", "]", "](", "]:", "(", ")", "<", ">", "!", "javascript:", "JaVa", "script:", "data:",
    "&#106;avascript:", "javascript&colon;", "&Tab;", "https://a.b/", "mailto:a@b.c", "www.x.y", "/z", "x", " ",
    "  ", "    ", "\t", "\n", "\n\n", "\r", "\\", "`", "``", "```", "~~~", "- ", "1. ", "> ", "# ", "|", "---",
    "&lt;", "&amp;lt;", "&#33;", '"', "'", "*", "_", "\x01", "\u00a0", ":", "&",
)  # fmt: skip
hostile = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)

_SCHEME = re.compile(r"(?!https?:|mailto:)[\x00-\x20]*[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Obeying(MarkdownIt):
    """A reader that shows whatever a text asks for."""

    def validateLink(self, url: str) -> bool:  # noqa: N802, ARG002 - the parser's own name for it
        return True


def acts(markdown: str) -> list[str]:
    """Return what would act in a reader."""
    tokens: list[Token] = []
    for rules in ([], ["table"]):
        top = Obeying("commonmark", {"html": True}).enable(rules).parse(markdown)
        tokens += [one for token in top for one in (token, *(token.children or ()))]
    links = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
    html = [token.content for token in tokens if token.type in ("html_block", "html_inline")]
    return [
        *(token.type for token in tokens if token.type == "image"),
        *(link for link in links if _SCHEME.match(link)),
        *(tag for tag in html if re.search(r"<[A-Za-z/!?]", re.sub(r"<!-- [a-z0-9 ,-]+ -->", "", tag))),
    ]


@given(hostile)
@pytest.mark.cases(200)
def test_nothing_acts_and_all_comes_back(text: str) -> None:
    assert acts(quoted(text)) == []
    assert restored(quoted(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "![x](http://evil.example/pixel.png)",
        "![x][1]\n\n[1]: http://evil.example/pixel.png",
        "[x](javascript:alert(1))",
        "[x]( \n <JaVaScRiPt:alert(1)>)",
        "[x](&#x6A;avascript&colon;alert(1))",
        "[x](javascript\\:alert(1))",
        "[x](<java\tscript:alert(1)>)",
        "[x]\n\n[x]:\n  vbscript:run",
        "> [x]:\n> data:text/html,hi\n\n[x]",
        "<javascript:alert(1)>",
        "<iframe src='https://evil.example'>",
        "- a\n  ```\n<img src=x>\n",
        "` a\n` <b> `",
        "```\ncode\r```\r<script>\n",
    ],
)
def test_what_acts_is_quoted(text: str) -> None:
    assert quoted(text) != text
    assert acts(quoted(text)) == []
    assert restored(quoted(text)) == text
    assert "<script" not in quoted(text)


@pytest.mark.parametrize(
    "text",
    [
        "a < b and c > d, 3<4",
        "[x](https://a.example/?q=1&r=2 'Title: x') <https://a.example> <a@b.example> [y](mailto:a@b.example)",
        "[x]: https://a.example\n[z](notes.md) [w](#top) [v](../a/b)",
        "```html\n<script>alert(1)</script> ![x](y) &lt;\n```\n",
        "~~~\n<b>\n~~~~\n",
        "## Goal <!-- goal -->\n<!-- end-of-plan -->\n<!-- version 1, event 7 -->\n&lt; &amp;lt;",
        "- [x] done: 5 days!",
    ],
)
def test_what_does_not_act_stays_as_it_is(text: str) -> None:
    assert quoted(text) == text


CELLS = st.lists(
    st.sampled_from(["=cmd|'/C calc'!A0", "+", "-", "@", "＝", "x", ";", ",", "\t", "\n", "\r", "|", '"', "'", " "]),
    max_size=8,
).map("".join)


@given(CELLS)
@pytest.mark.cases(200)
def test_no_part_of_a_cell_is_a_formula_and_it_comes_back(cell: str) -> None:
    safe = harmless(cell)
    for part in re.split(r"[,;|\t\r\n]", safe):
        assert not re.match(r"[\s\"]*[=+\-@＝＋－＠]", part)
    assert restored_cell(safe) == cell


@pytest.mark.parametrize(
    "flood", ["\t", "\t'", ";'", '" ', "](", "]: ", "&amp;", "<https://", "<!-- a", "`", "]:a", "```\n"]
)
def test_a_flood_takes_no_time(flood: str) -> None:
    text = flood * 30_000
    begun = time.process_time()
    assert restored_cell(harmless(text)) == text
    assert restored(quoted(text)) == text
    assert time.process_time() - begun < 3
