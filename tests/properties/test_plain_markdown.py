"""Markdown without markup is laid out without the parser, line by line as with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.text.cleaning import clean
from workbench.tui import markdown_lines

PIECES = (
    *"aAé1 9.)(>#-+=*_`~|!&<[]:\"'/\\\n„€\u00a0\u2028",
    *("## ", "> ", "\n\n", "1. ", "word ", "http://a.b ", "&amp;", "- ", "    ", "12) ", "===", "---"),
)
"""What texts are put together of: letters, signs that mark something up, and beginnings of blocks."""
PLAIN = (
    "## Goal\n\nNot one customer pays twice.\n\n> Move our billing by 30 June, without downtime\n",
    "# Plan\n## Steps\nThe first one (of 12) costs 3 % more; who's in?\n",
    "30 days at least\n\n3 to 4 people: “we” decide\n",
    "",
)
MARKED_UP = (
    *("a *b*", "a_b_", "`a`", "a\nb", "1. a", "12) a", "- a", "a  \n", "[a](b)", "<b>", "a &amp; b", "a\\", "~~a~~"),
    *("    a", "## a #", "> a\nb", "a\n===", "| a |", "![a](b)", "a\n- b"),
)


@pytest.mark.parametrize("markdown", PLAIN)
def test_plain_texts_need_no_parser(markdown: str) -> None:
    assert markdown_lines._plain_blocks(markdown) is not None
    judge(markdown, 20)


@pytest.mark.parametrize("markdown", MARKED_UP)
def test_what_may_be_marked_up_is_parsed(markdown: str) -> None:
    assert markdown_lines._plain_blocks(markdown) is None


@pytest.mark.cases(100)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.sampled_from((8, 12, 40)))
def test_what_is_laid_out_without_the_parser_is_as_with_it(markdown: str, width: int) -> None:
    judge(clean(markdown), width)


@pytest.mark.cases(100)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("", "", "# ", "## ", "#### ", "> ")),
            st.lists(
                st.sampled_from(("word", "1", "12 days", "(a", "b)", "é.", "a:b", "€3", "x  y", "-", "+", "=")),
                min_size=1,
            ),
        ).map(lambda drawn: drawn[0] + " ".join(drawn[1])),
        max_size=5,
    ).map("\n\n".join),
    st.sampled_from((8, 12, 40)),
)
def test_blocks_of_a_line_are_laid_out_as_by_the_parser(markdown: str, width: int) -> None:
    judge(clean(markdown), width)


def judge(markdown: str, width: int) -> None:
    blocks = markdown_lines._plain_blocks(markdown)
    if blocks is not None:
        plainly = tuple(markdown_lines._Layout(width).plainly_laid_out(blocks))
        assert plainly == tuple(markdown_lines._Layout(width).laid_out(markdown_lines._parser().parse(markdown)))
