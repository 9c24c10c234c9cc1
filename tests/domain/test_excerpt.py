"""An excerpt is one clean line, from a little before what was looked for."""

from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.excerpt import LONGEST, excerpt

PAGE = "## Risks\n\n- Nobody knows whether\n- the two ledgers agree; two rules of ROUNDING differ, by a cent"


def test_it_begins_at_a_word_a_little_before_the_first_that_is_found():
    assert excerpt(PAGE, ["rounding"]) == "… ledgers agree; two rules of ROUNDING differ, by a cent"
    assert excerpt(PAGE, ["zebra", "rounding", "differ"]) == excerpt(PAGE, ["rounding"])


def test_it_begins_where_the_text_does_when_nothing_is_found_or_it_stands_there():
    assert excerpt(PAGE, []) == excerpt(PAGE, ["zebra"]) == excerpt(PAGE, ["nobody"])
    assert excerpt(PAGE, []).startswith("Risks Nobody knows whether the two")


@given(st.text(max_size=600), st.lists(st.text(min_size=1, max_size=5), max_size=3))
def test_it_is_one_short_line_without_controls(text, words):
    shown = excerpt(text, words)
    assert len(shown) <= LONGEST
    assert shown == clean_name(shown, LONGEST)
    assert len(shown.splitlines()) <= 1
