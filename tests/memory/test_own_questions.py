"""The project's own retrieval set is what its README says: complete, well formed, and free of giveaways.

``data/items.jsonl`` (what sessions say) ◀── evidence ids ── ``data/questions.jsonl`` (what is asked of one session)
"""

import re
import sqlite3
from collections import Counter, defaultdict
from datetime import datetime
from itertools import pairwise, product
from json import loads
from pathlib import Path

import pytest
from workbench.domain.log.ids import SessionId

DATA = Path(__file__).parent / "data"
KINDS = {"message", "reply", "decision", "insight", "plan", "note", "entity"}
SHARES = {"paraphrase": 0.40, "exact": 0.25, "several": 0.20, "none": 0.15}


def read(name):
    return [loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


ITEMS = read("items.jsonl")
QUESTIONS = read("questions.jsonl")
BY_ID = {item["id"]: item for item in ITEMS}
STOP_WORDS = frozenset((DATA / "stop_words.txt").read_text(encoding="utf-8").split())


def stems(texts):
    """The content words of each text, by the stems SQLite's full-text index would give them."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE said USING fts5(words, tokenize = 'porter unicode61')")
    database.execute("CREATE VIRTUAL TABLE stem USING fts5vocab(said, instance)")
    texts = list(texts)
    for number, text in enumerate(texts):
        content = [word for word in re.findall(r"\w+", text.casefold()) if word not in STOP_WORDS]
        database.execute("INSERT INTO said(rowid, words) VALUES (?, ?)", (number, " ".join(content)))
    found = defaultdict(set)
    for number, stem in database.execute("SELECT doc, term FROM stem"):
        found[number].add(stem)
    database.close()
    return [found[number] for number in range(len(texts))]


def shared(question, evidence):
    """Pairs of stems that a reader would call one word: the same, or alike in their first five letters."""
    return {(a, b) for a, b in product(question, evidence) if a == b or (len(a) >= 5 and a[:5] == b[:5])}


def of_category(category):
    return [question for question in QUESTIONS if question["category"] == category]


def test_the_set_is_as_large_and_as_mixed_as_it_says():
    assert len(ITEMS) >= 1500
    assert len(QUESTIONS) >= 300
    assert 15 <= len({item["scope"] for item in ITEMS}) <= 25
    assert {item["kind"] for item in ITEMS} == KINDS
    for category, share in SHARES.items():
        assert len(of_category(category)) / len(QUESTIONS) == pytest.approx(share, abs=0.03)


def test_every_item_is_whole_and_named_for_its_scope():
    assert len(BY_ID) == len(ITEMS)
    for item in ITEMS:
        assert set(item) == {"id", "scope", "kind", "time", "speaker", "text"}
        assert item["id"].rpartition("-")[0] == SessionId(item["scope"])
        assert item["kind"] in KINDS
        assert item["text"].strip() == item["text"] != ""
        assert item["speaker"]


def test_a_scope_is_told_in_the_order_of_time():
    for earlier, later in pairwise(ITEMS):
        if earlier["scope"] == later["scope"]:
            assert datetime.fromisoformat(earlier["time"]) < datetime.fromisoformat(later["time"])
            assert earlier["id"] < later["id"]


def test_every_question_is_whole_and_asked_once():
    asked = Counter((question["scope"], question["question"]) for question in QUESTIONS)
    assert set(asked.values()) == {1}
    for question in QUESTIONS:
        assert set(question) == {"question", "scope", "evidence", "category", "half"}
        assert question["question"].strip() == question["question"] != ""
        assert question["category"] in SHARES


def test_evidence_exists_in_the_scope_that_is_asked():
    for question in QUESTIONS:
        assert len(set(question["evidence"])) == len(question["evidence"])
        assert {BY_ID[id_]["scope"] for id_ in question["evidence"]} <= {question["scope"]}


@pytest.mark.parametrize(
    ("category", "pieces"), [("paraphrase", {1}), ("exact", {1}), ("several", {2, 3, 4}), ("none", {0})]
)
def test_a_category_says_how_many_pieces_of_evidence_there_are(category, pieces):
    assert {len(question["evidence"]) for question in of_category(category)} <= pieces


def test_the_halves_share_no_scope():
    scopes = defaultdict(set)
    for question in QUESTIONS:
        scopes[question["half"]].add(question["scope"])
    assert set(scopes) == {"dev", "test"}
    assert not scopes["dev"] & scopes["test"]
    assert scopes["dev"] | scopes["test"] == {item["scope"] for item in ITEMS}


def test_a_paraphrase_shares_no_word_with_its_evidence():
    questions = of_category("paraphrase")
    asked = stems(question["question"] for question in questions)
    told = stems(BY_ID[question["evidence"][0]]["text"] for question in questions)
    assert all(asked)
    given_away = {
        question["question"]: shared(words, evidence)
        for question, words, evidence in zip(questions, asked, told, strict=True)
        if shared(words, evidence)
    }
    assert given_away == {}


def test_a_paraphrase_shares_a_word_with_something_that_does_not_answer_it():
    words = dict(zip(BY_ID, stems(item["text"] for item in ITEMS), strict=True))
    questions = of_category("paraphrase")
    without_distractor = [
        question["question"]
        for question, asked in zip(questions, stems(question["question"] for question in questions), strict=True)
        if not any(asked & words[item["id"]] for item in ITEMS if item["scope"] == question["scope"])
    ]
    assert without_distractor == []


@pytest.mark.parametrize(
    ("asked", "told", "common"),
    [
        ("Who insures the boats?", "The boat is insured by Halvard.", {("boat", "boat"), ("insur", "insur")}),
        ("Which priest?", "The priesthood's own.", {("priest", "priesthood")}),
        ("Which authorities agreed?", "An author wrote it.", {("author", "author")}),
        ("How long will it take us?", "It will take us long.", set()),
    ],
)
def test_what_counts_as_a_shared_word(asked, told, common):
    assert shared(*stems([asked, told])) == common


def test_the_sessions_with_long_answers_are_well_formed_too():
    items, questions = read("long_answers/items.jsonl"), read("long_answers/questions.jsonl")
    by_id = {item["id"]: item for item in items}
    assert len(by_id) == len(items)
    assert not by_id.keys() & BY_ID.keys()
    assert {item["kind"] for item in items} <= KINDS
    assert all(before["time"] < after["time"] for before, after in pairwise(items) if before["scope"] == after["scope"])
    assert all(len(item["text"]) > 650 for item in items if item["kind"] == "reply"), "each has several passages"
    for question in questions:
        assert {by_id[name]["scope"] for name in question["evidence"]} == {question["scope"]}, question
        kinds = {by_id[name]["kind"] for name in question["evidence"]}
        assert kinds == {"message"} if question["category"] == "ask" else kinds, question
