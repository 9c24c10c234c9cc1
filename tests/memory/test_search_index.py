"""The search engine as a whole: whatever is added, in whatever portions, and whatever is asked of it."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import document
from workbench.domain.session.items import Item
from workbench.memory.found import Found
from workbench.memory.index import SearchIndex
from workbench.memory.passages import passages
from workbench.models.embeddings import Embedder, HashedWords, WordLlama

EMBEDDER = HashedWords()
WORDLLAMA = WordLlama()
HOSTILE = [
    "",
    " ",
    "?",
    '"',
    "'; DROP TABLE text; --",
    '" OR "a" NEAR("b" 3) AND NOT c*',
    "words : billing ^start {a b} : -x",
    "nul \0 in \0 it",
    "\ud800 lone surrogate",
    "🎉 👩‍👩‍👧‍👦",
    "数据库迁移计划",
    "โครงการ แผน",
    "a\u0301\u0301\u0301",
    "İstanbul ŉ ǰ ẞ ﬁ",
    "the of and",
    "billing " * 12_500,
    "".join(chr(number) for number in range(1, 3000)),
    "x" * 100_000,
]
WORDS = st.sampled_from(
    ["billing", "cut", "over", "friday", "anna", "writer", "the", "1400", "überweisung", "数据库", "🎉"]
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60) | st.just("A long page. " * 120)
TIMES = st.sampled_from(["", "2026-11-22T10:00:00Z", "2026-11-22T10:05:00+01:00", "2026-11-24", "yesterday"])


@st.composite
def documents(draw: st.DrawFn, most: int = 12) -> list[Item]:
    count = draw(st.integers(0, most))
    return [
        document(
            name=f"item-{number}",
            text=draw(TEXTS),
            speaker=draw(st.sampled_from(["", "anna", "planner", "Ben Writer"])),
            time=draw(TIMES),
            talk=draw(st.booleans()),
        )
        for number in range(count)
    ]


FEW = settings(max_examples=40, deadline=None)
"""Each example builds whole indexes."""
QUERIES = TEXTS | st.sampled_from([query for query in HOSTILE if len(query) < 5000])


def index_of(*portions: list[Item], embedder: Embedder = EMBEDDER) -> SearchIndex:
    index = SearchIndex(embedder)
    for portion in portions:
        index.add(named(portion))
    return index


def named(added: list[Item]) -> dict[str, Item]:
    return {one.id: one for one in added}


def said(*texts: str, speaker: str = "", talk: bool = False) -> list[Item]:
    return [document(f"item-{number}", text, speaker=speaker, talk=talk) for number, text in enumerate(texts)]


def ids(found: tuple[Found, ...]) -> list[str]:
    return [each.item.id for each in found]


@FEW
@given(documents(), QUERIES, st.integers(1, 15))
def test_results_are_ordered_and_only_of_what_was_added(added: list[Item], query: str, limit: int) -> None:
    found = index_of(added).search(query, limit)
    assert set(ids(found)) <= {one.id for one in added}
    assert len(found) == len(set(ids(found))) <= limit
    assert [each.rank for each in found] == list(range(1, len(found) + 1))
    assert all(first.score >= second.score - 1e-5 for first, second in pairwise(found))
    assert all(each.why for each in found)
    assert len({each.relevant for each in found}) <= 1


@FEW
@given(documents(), QUERIES)
def test_the_same_is_found_again(added: list[Item], query: str) -> None:
    index = index_of(added)
    assert index.search(query, 10) == index.search(query, 10) == index_of(added).search(query, 10)


@FEW
@given(documents(), st.lists(st.integers(0, 12), max_size=3), QUERIES)
def test_adding_in_portions_is_adding_at_once(added: list[Item], cuts: list[int], query: str) -> None:
    borders = sorted({0, len(added), *(min(cut, len(added)) for cut in cuts)})
    index = SearchIndex(EMBEDDER)
    for start, end in pairwise(borders):
        index.add(named(added[start:end]))
        index.search(query, 3)  # what a search keeps for the next one must not outlive the adding
    assert index.search(query, 20) == index_of(added).search(query, 20)


@FEW
@given(documents(), st.sets(st.integers(0, 12)), QUERIES)
def test_a_document_that_was_removed_leaves_no_trace(added: list[Item], gone: set[int], query: str) -> None:
    removed = {f"item-{number}" for number in gone}
    index = index_of(added)
    index.search(query, 3)
    index.remove(removed)
    kept = [one for one in added if one.id not in removed]
    assert index.search(query, 20) == index_of(kept).search(query, 20)
    assert len(index) == len(kept)
    again = [replace(one, text="new text of it") for one in added if one.id in removed]
    index.add(named(again))
    assert index.search(query, 20) == index_of(kept, again).search(query, 20)


@pytest.mark.cases(6)
@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: ascii(query[:12]))
def test_a_hostile_query_finds_something_or_nothing_and_never_raises(query: str) -> None:
    index_of(said("Billing moves on Friday", "数据库", *HOSTILE), embedder=WORDLLAMA).search(query, 5)


def test_an_id_is_added_once_or_nothing_is() -> None:
    index = index_of(said("billing"))
    with pytest.raises(ValueError, match="only once"):
        index.add(named([document("new", "a"), *said("again")]))
    assert set(index.items) == {"item-0"}


def test_a_slip_of_the_finger_finds_the_word_and_the_reason_names_the_word_it_found() -> None:
    found = index_of(said("the printer in Zwolle", "a dinner in Utrecht", "nothing of the kind")).search("zwole", 3)
    assert found[0].item.id == "item-0"
    assert "“zwoll”" in found[0].why  # the term that it has


def test_a_long_text_is_found_by_what_stands_deep_in_it() -> None:
    page = "Nothing is decided about the garden. " * 60 + "The dunning letters go to Zwolle. " + "More of it. " * 60
    assert len(passages(page)) > 5
    others = [
        f"The garden needs {number} {what}." for what in ("roses", "bulbs", "hours of sun") for number in range(8)
    ]
    found = index_of(said(*others, page), embedder=WORDLLAMA).search("dunning letters to Zwolle", 2)
    assert found[0].item.id == f"item-{len(others)}"
    assert found[0].score > 2 * found[1].score


def test_a_long_turn_is_as_near_as_all_of_it_and_a_document_as_its_nearest_part() -> None:
    answer = "\n\n".join(f"{topic} " * 60 for topic in ("curtains", "carpets", "billing", "windows", "doors"))

    def nearness(*, talk: bool) -> float:
        texts = {"long": answer, "short": "billing", "other": "the weather"}
        index = SearchIndex(EMBEDDER)
        index.add({name: document(name=name, text=text, talk=talk) for name, text in texts.items()})
        found = {one.item.id: one.parts.semantic for one in index.search("billing", 3)}
        return found["long"] - found["short"]

    assert nearness(talk=False) == pytest.approx(0, abs=0.01)
    assert nearness(talk=True) < -1


def test_an_answer_is_found_by_the_question_before_it() -> None:
    texts = ("Hello there", "Where do the dunning letters go?", "To the printer.", "All right then", "Good bye")
    by_id = {
        each.item.id: each
        for each in index_of(said(*texts, talk=True), embedder=WORDLLAMA).search("dunning letters", 5)
    }
    answer = by_id["item-2"]
    assert answer.rank == 2
    assert answer.parts.neighbours > max(each.parts.neighbours for each in by_id.values() if each is not answer) + 1
    assert "next to what matches" in answer.why
    assert all(each.parts.neighbours == 0 for each in index_of(said(*texts)).search("dunning letters", 5))


def test_what_is_not_there_at_all_is_not_relevant_and_what_is_there_is() -> None:
    letters = said("The dunning letters go to the printer in Zwolle at 02:30.", "Invoices are pulled by customers.")
    index = index_of(letters, embedder=WORDLLAMA)
    assert not any(found.relevant for found in index.search("penguin habitats", 2))
    assert all(found.relevant for found in index.search("Where do the dunning letters go?", 2))
