"""The arithmetic of a score, by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workbench.memory.found import Parts, reason
from workbench.memory.passages import passages
from workbench.memory.ranking import Weights, best, rank, talk
from workbench.memory.terms import content_words, query_words, terms


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


def test_a_long_answer_gives_to_its_question_and_gets_little_from_it() -> None:
    ranking = ranked(
        [0, 4, 0, 0],
        is_turn=[True] * 4,
        asks=[True, False, False, False],
        passages_of=[1, 4, 1, 1],
        before=0.2,
        question_before=0.8,
        after=0.1,
        long_after=0.6,
    )
    high, low = 3**0.5, -(3**-0.5)
    assert ranking.neighbours == pytest.approx(
        [0.6 * high, 0.8 / 4 * low + 0.1 * low, 0.2 * high + 0.1 * low, 0.2 * low]
    )


def test_a_conversation_counts_by_its_two_best_and_a_single_item_by_itself() -> None:
    is_turn = [True, True, True, True, False]
    ranking = ranked([6, 4, 0, 2, 3], is_turn=is_turn, hours=[0, 1, 2, 9, 0], conversation=0.5)
    z = ranking.lexical
    best_two = (z[0] + z[1]) / 2
    assert ranking.conversation == pytest.approx(0.5 * np.array([best_two, best_two, best_two, z[3], z[4]]))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), max_size=20), st.integers(1, 25))
def test_the_best_are_those_of_a_sorted_list(items: list[tuple[int, bool]], limit: int) -> None:
    scores, matching = np.array([float(score) for score, _ in items]), np.array([match for _, match in items], bool)
    expected = sorted((number for number, (_, match) in enumerate(items) if match), key=lambda n: (-items[n][0], n))
    assert best(scores, matching, limit) == expected[:limit]


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


def test_a_query_keeps_its_different_words_and_leaves_out_function_words_unless_there_is_nothing_else() -> None:
    assert query_words("What is the Cut-over cut?") == ("what", "is", "the", "cut", "over")
    assert content_words(query_words("What is the Cut-off?")) == ("cut", "off")
    assert content_words(query_words("Who is it?")) == ("who", "is", "it")
    assert len(query_words(" ".join(map(str, range(1000))))) == 64


@settings(deadline=None)
@given(st.text(alphabet="ab .\n", max_size=3000) | st.integers(0, 4000).map(lambda length: "x" * length))
def test_passages_keep_every_word_and_stay_short(text: str) -> None:
    cut = passages(text)
    assert all(len(passage) <= 650 for passage in cut)
    assert "".join("".join(cut).split()) == "".join(text.split())


def test_a_passage_ends_at_a_paragraph_before_a_sentence_and_at_a_sentence_before_a_word() -> None:
    sentence = "The letters go to Zwolle. "
    first, *_ = passages(sentence * 12 + "\n\n" + sentence * 20)
    assert first == (sentence * 12).strip()
    first, *_ = passages(sentence * 40)
    assert first.endswith("Zwolle.")
    first, *_ = passages("word " * 300)
    assert first.endswith("word")
