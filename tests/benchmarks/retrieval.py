"""What the retrieval benchmarks share: sets of questions, what is compared with, and how a gain is stated.

    --data LoCoMo, --beam BEAM (never part of the project) ─┐
    --own tests/memory/data ────────────────────────────────┴▶ Scope ─▶ R@10 of each way of searching

R@10 is the share of a question's evidence among the first ten hits, averaged over questions, searched in the question's
own scope. A gain is paired by question, with a 95 % interval from 10,000 bootstrap resamples.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
from tests.builders import document
from workbench.domain.session.items import Item
from workbench.memory.found import Found
from workbench.memory.index import SearchIndex
from workbench.memory.passages import passages
from workbench.memory.ranking import IN_CONTEXT, Weights
from workbench.memory.terms import content_words, query_words
from workbench.models.embeddings import Embedder

K = 10
_EVIDENCE = re.compile(r"D\d+:\d+")
"""An id of a turn; a few of LoCoMo's answers hold several in one string, or garbled ones."""


@dataclass(frozen=True)
class Question:
    text: str
    evidence: frozenset[str]
    category: str


@dataclass(frozen=True)
class Scope:
    name: str
    half: str
    documents: tuple[Item, ...]
    questions: tuple[Question, ...]
    """Those that have an answer here."""
    unanswered: tuple[Question, ...]


class Remembering:
    """An embedder that embeds each text once, since the same scopes are indexed with many weights."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dimensions, self.additive = embedder.name, embedder.dimensions, embedder.additive
        self._embedder = embedder
        self._known: dict[str, np.ndarray] = {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.array([self._known[text] for text in texts], np.float32).reshape(len(texts), self.dimensions)


def locomo(path: Path) -> list[Scope]:
    """The conversations of a LoCoMo file; categories 1 to 4 have an answer, 5 has none."""
    return [_conversation(number, entry) for number, entry in enumerate(json.loads(path.read_text(encoding="utf-8")))]


def beam(folder: Path) -> list[Scope]:
    """Chats with an assistant, 1 to 10 of BEAM's ``chats/100K``: long answers to short questions."""
    return [_chat(folder / str(number)) for number in range(1, 11)]


def own(folder: Path) -> list[Scope]:
    """The scopes of the project's own set."""
    items, questions = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("items.jsonl", "questions.jsonl")
    )
    halves = {question["scope"]: question["half"] for question in questions}
    return [
        Scope(
            scope,
            half,
            tuple(
                document(
                    item["id"], item["text"], item["speaker"], item["time"], talk=item["kind"] in {"message", "reply"}
                )
                for item in items
                if item["scope"] == scope
            ),
            *_by_answer(
                Question(asked["question"], frozenset(asked["evidence"]), asked["category"])
                for asked in questions
                if asked["scope"] == scope
            ),
        )
        for scope, half in halves.items()
    ]


Searching = Callable[[str], Iterable[str]]
"""From a query to the ids of the first ten."""


def engine(scope: Scope, embedder: Embedder, weights: Weights | None = None) -> Searching:
    """The product's search."""
    found = engine_results(scope, embedder, weights)
    return lambda query: [each.item.id for each in found(query)]


def engine_results(
    scope: Scope, embedder: Embedder, weights: Weights | None = None
) -> Callable[[str], tuple[Found, ...]]:
    """The product's search, with all that it says of each hit."""
    index = SearchIndex(embedder, weights)
    index.add({one.id: one for one in scope.documents})
    return lambda query: index.search(query, K)


def lexical_arm(scope: Scope) -> Searching:
    """SQLite FTS5 (porter), a stop list on the query, terms quoted and joined by OR: what a careful program does."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize = 'porter unicode61')")
    database.executemany("INSERT INTO said(rowid, text) VALUES (?, ?)", enumerate(map(_said, scope.documents)))

    def search(query: str) -> list[str]:
        match = " OR ".join(f'"{word}"' for word in content_words(query_words(query)))
        rows = database.execute(
            "SELECT rowid FROM said WHERE said MATCH ? ORDER BY bm25(said), rowid LIMIT ?", (match, K)
        )
        return [scope.documents[number].id for (number,) in rows]

    return search


def semantic_arm(scope: Scope, embedder: Embedder) -> Searching:
    """The nearest vectors, each document by its best passage: what a plain vector store would do."""
    pieces = [(document, piece) for document in scope.documents for piece in passages(document.text)]
    vectors = embedder.embed([f"{document.agent or ''}: {piece}" for document, piece in pieces])

    def search(query: str) -> list[str]:
        nearness = vectors @ embedder.embed([query])[0]
        order = (pieces[number][0].id for number in np.argsort(-nearness, kind="stable"))
        return list(dict.fromkeys(order))[:K]

    return search


def whole_arm(scope: Scope, embedder: Embedder) -> Searching:
    """The nearest vectors, one for each document."""
    vectors = embedder.embed([_said(document) for document in scope.documents])

    def search(query: str) -> list[str]:
        order = np.argsort(-(vectors @ embedder.embed([query])[0]), kind="stable")[:K]
        return [scope.documents[number].id for number in order]

    return search


def recalls(scopes: Sequence[Scope], searching: Callable[[Scope], Searching], category: str = "") -> np.ndarray:
    """R@10 of each question, of one category or of all."""
    shares = []
    for scope in scopes:
        search = searching(scope)
        shares += [
            len(asked.evidence & set(search(asked.text))) / len(asked.evidence)
            for asked in scope.questions
            if category in ("", asked.category)
        ]
    return np.array(shares)


def by_category(scopes: Sequence[Scope], shares: np.ndarray) -> dict[str, float]:
    """R@10 of each category, from the shares of all questions."""
    categories = np.array([asked.category for scope in scopes for asked in scope.questions])
    return {category: mean(shares[categories == category]) for category in sorted(set(categories))}


def mean(shares: np.ndarray) -> float:
    return round(float(np.mean(shares)), 4)


def paired_gain(better: np.ndarray, baseline: np.ndarray) -> dict[str, object]:
    """The mean difference by question, with its interval."""
    differences = better - baseline
    numbers = np.random.default_rng(7).integers(len(differences), size=(10_000, len(differences)))
    low, high = np.quantile(differences[numbers].mean(axis=1), [0.025, 0.975])
    return {"mean": mean(differences), "interval_95": [round(float(low), 4), round(float(high), 4)]}


def candidates(*, quick: bool) -> list[Weights]:
    """The weights that are chosen between."""
    neighbours = [(0.3, 0.3, 0.2), (0.2, 0.6, 0.2), (0.2, 0.8, 0.2)]
    grid = product([1.5] if quick else [1.0, 1.5, 2.0], neighbours[:2] if quick else neighbours, [0.2, 0.3, 0.4, 0.5])
    return [
        Weights(semantic=semantic, before=before, question_before=asked, after=after, conversation=conversation)
        for semantic, (before, asked, after), conversation in grid
    ]


def left_out_chats(chats: Sequence[Scope], embedder: Embedder) -> tuple[np.ndarray, list[Weights]]:
    """R@10 of each chat's questions with what a long turn gives to the one before it chosen on the others, and those.

    No other kind of text has long turns: nothing else says anything about that weight.
    """
    shipped = Weights() if embedder.additive else IN_CONTEXT
    grid = [msgspec.structs.replace(shipped, long_after=given) for given in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    shares = [[recalls([chat], lambda each, w=w: engine(each, embedder, w)) for chat in chats] for w in grid]

    def best(without: int) -> int:
        return max(range(len(grid)), key=lambda n: float(np.concatenate(_all_but(shares[n], without)).mean()))

    chosen = [best(place) for place in range(len(chats))]
    held_out = np.concatenate([shares[number][place] for place, number in enumerate(chosen)])
    return held_out, [grid[number] for number in chosen]


def _all_but(shares: Sequence[np.ndarray], without: int) -> list[np.ndarray]:
    return [share for place, share in enumerate(shares) if place != without]


def left_out(
    scopes: Sequence[Scope], others: Sequence[Scope], embedder: Embedder, *, quick: bool
) -> tuple[np.ndarray, Weights]:
    """R@10 of each scope's questions with the weights that are best without it, and the weights best with all.

    Best is the highest mean of two figures, R@10 over the other scopes and over ``others``, a second kind of text.
    """
    grid = candidates(quick=quick)
    shares = [[recalls([scope], lambda each, w=w: engine(each, embedder, w)) for scope in scopes] for w in grid]
    on_others = [
        float(recalls(others, lambda each, w=w: engine(each, embedder, w)).mean()) if others else 0.0 for w in grid
    ]

    def best(without: int | None) -> int:
        def figure(number: int) -> float:
            kept = shares[number] if without is None else _all_but(shares[number], without)
            return float(np.concatenate(kept).mean()) + on_others[number]

        return max(range(len(grid)), key=figure)

    held_out = np.concatenate([shares[best(place)][place] for place in range(len(scopes))])
    return held_out, grid[best(None)]


def fired(scopes: Sequence[Scope], embedder: Embedder) -> dict[str, float]:
    """How often a search says that it found enough for a prompt: where there is an answer, none, or another subject."""
    chance = random.Random(7)
    counts: dict[str, list[bool]] = {"answered": [], "not_answered": [], "of_another_scope": []}
    kept = []
    for scope in scopes:
        search = engine_results(scope, embedder)
        for asked in scope.questions:
            found = search(asked.text)
            counts["answered"].append(_relevant(found))
            kept.append(_relevant(found) * len(asked.evidence & {each.item.id for each in found}) / len(asked.evidence))
        counts["not_answered"] += [_relevant(search(asked.text)) for asked in scope.unanswered]
        strangers = [asked for other in scopes if other is not scope for asked in other.questions]
        chosen = chance.sample(strangers, min(len(scope.questions), len(strangers)))
        counts["of_another_scope"] += [_relevant(search(asked.text)) for asked in chosen]
    return {name: round(sum(said) / len(said), 4) for name, said in counts.items() if said} | {
        "r10_above_threshold": mean(np.array(kept))
    }


def printed(result: dict[str, object]) -> None:
    print(json.dumps(result))


def _relevant(found: Sequence[Found]) -> bool:
    return bool(found) and found[0].relevant


def _said(document: Item) -> str:
    return f"{document.agent or ''}: {document.text}"


def _conversation(number: int, entry: dict[str, object]) -> Scope:
    said = entry["conversation"]
    sessions = sorted((key for key, value in said.items() if isinstance(value, list)), key=lambda key: int(key[8:]))
    documents = tuple(
        document(
            turn["dia_id"],
            f"{turn['text']} {turn.get('blip_caption', '')}".strip(),
            turn["speaker"],
            datetime.strptime(said[f"{session}_date_time"].upper(), "%I:%M %p ON %d %B, %Y")
            .replace(tzinfo=UTC)
            .isoformat(),
            talk=True,
        )
        for session in sessions
        for turn in said[session]
    )
    ids = {document.id for document in documents}
    asked = [
        Question(
            entry["question"],
            frozenset(_EVIDENCE.findall(" ".join(entry["evidence"]))) & ids if entry["category"] != 5 else frozenset(),
            str(entry["category"]),
        )
        for entry in entry["qa"]
    ]
    answered = [question for question in asked if question.evidence]
    return Scope(f"conversation-{number}", "", documents, tuple(answered), tuple(q for q in asked if q.category == "5"))


def _chat(folder: Path) -> Scope:
    """A chat as BEAM has it; of those that were cut to their length, what is left."""
    cut = folder / "chat_trunecated.json"
    turns = [
        turn
        for batch in json.loads((cut if cut.exists() else folder / "chat.json").read_text(encoding="utf-8"))
        for group in batch["turns"]
        for turn in group
    ]
    documents = tuple(
        Item(
            id=str(turn["id"]),
            session=f"chat-{folder.name}",
            role=turn["role"],
            agent="planner" if turn["role"] == "assistant" else None,
            seq=seq,
            time=_anchored(turn.get("time_anchor") or ""),
            text=turn["content"].partition("->->")[0].strip(),
        )
        for seq, turn in enumerate(turns, start=1)
    )
    ids = {document.id for document in documents}
    asked = json.loads((folder / "probing_questions/probing_questions.json").read_text(encoding="utf-8"))
    questions = (
        Question(one["question"], frozenset(map(str, _numbers(one.get("source_chat_ids", [])))) & ids, category)
        for category, several in asked.items()
        for one in several
    )
    return Scope(folder.name, "", documents, *_by_answer(questions))


def _anchored(day: str) -> str:
    try:
        return datetime.strptime(day, "%B-%d-%Y").replace(tzinfo=UTC).isoformat()
    except ValueError:
        return ""


def _numbers(nested: object) -> Iterator[int]:
    """Yield the ids of turns, which stand in lists, or in lists by what they are evidence of."""
    match nested:
        case int():
            yield nested
        case dict():
            yield from _numbers(list(nested.values()))
        case list():
            for one in nested:
                yield from _numbers(one)


def _by_answer(questions: Iterable[Question]) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    asked = tuple(questions)
    return tuple(each for each in asked if each.evidence), tuple(each for each in asked if not each.evidence)
