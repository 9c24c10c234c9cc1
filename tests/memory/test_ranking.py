"""The arithmetic of a score, by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workbench.memory.found import Parts, reason
from workbench.memory.passages import passages
from workbench.memory.ranking import Weights, rank, talk
from workbench.memory.terms import terms


def ranked(lexical, *, is_turn, asks=None, passages_of=None, hours=None, threads=None, said_by=None, **weights):
    count = len(lexical)
    conversations = talk(
        np.array(is_turn, bool),
        np.array(asks or [False] * count, bool),
        np.array(passages_of or [1] * count),
        np.array(hours or [0.0] * count, float),
        np.array(threads or [0] * count),
    )
    zero = Weights(semantic=0, before=0, question_before=0, after=0, long_after=0, speaker=0, conversation=0)
    chosen = Weights(**({name: getattr(zero, name) for name in Weights.__slots__} | weights))
    named = np.array(said_by or [False] * count, bool)
    return rank(np.array(lexical, float), np.zeros(count), named, conversations, chosen)


def test_both_arms_are_standardised_over_the_scope_and_added() -> None:
    none = talk(np.zeros(4, bool), np.zeros(4, bool), np.ones(4, int), np.zeros(4), np.zeros(4, int))
    arms = np.array([0.0, 0, 0, 8]), np.array([0.1, 0.1, 0.3, 0.3])
    ranking = rank(*arms, np.zeros(4, bool), none, Weights(semantic=0.5, conversation=0))
    assert ranking.lexical == pytest.approx([-(3**-0.5)] * 3 + [3**0.5])
    assert ranking.semantic == pytest.approx([-0.5, -0.5, 0.5, 0.5])
    assert ranking.total == pytest.approx(ranking.lexical + ranking.semantic, abs=1e-6)


def test_turns_get_from_their_neighbours_and_a_question_gives_to_its_answer_and_gets_nothing_from_it() -> None:
    ranking = ranked(
        [4, 0, 0, 0], is_turn=[True] * 4, asks=[True, False, False, False], before=0.2, question_before=0.6, after=0.1
    )
    high, low = 3**0.5, -(3**-0.5)
    assert ranking.neighbours == pytest.approx([0, 0.6 * high + 0.1 * low, 0.3 * low, 0.2 * low])


def test_a_reason_names_what_counted() -> None:
    nothing = Parts(0, 0, 0, 0, 0)
    assert reason(nothing, []) == "the nearest there is"
    assert reason(Parts(1, 2.5, 0, 0, 0), ["a", "b", "c", "d"]) == "shares “a”, “b”, “c”; close in meaning"
    assert reason(Parts(0, 0, 2.1, 0.7, 3), []) == (
        "said by whom you name; next to what matches; in a conversation about it"
    )


def test_terms_are_stems_without_accents_and_pairs_where_no_spaces_are_written() -> None:
    assert terms(["billing", "überweisungen", "naïve", "nai\u0308ve", "数据库", "हिन्दी", "🎉", "a\ud800b"]) == {
        "billing": ["bill"],
        "überweisungen": ["uberweisungen"],
        "naïve": ["naiv"],
        "nai\u0308ve": ["naiv"],
        "数据库": ["数", "据", "库", "数据", "据库"],
        "हिन्दी": ["हिन्दी"],
        "🎉": [],
        "a\ud800b": ["a", "b"],
    }
    assert terms([]) == {}


@settings(deadline=None)
@given(st.text(alphabet="ab .\n", max_size=3000) | st.integers(0, 4000).map(lambda length: "x" * length))
def test_passages_keep_every_word_and_stay_short(text: str) -> None:
    cut = passages(text)
    assert all(len(passage) <= 650 for passage in cut)
    assert "".join("".join(cut).split()) == "".join(text.split())
