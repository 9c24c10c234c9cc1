"""What is known about kinds of goals: how such work goes, what makes it fail, how success is measured.

    knowledge/index.toml   which words tell a kind of goal ─┐
    goal ───────────────────────────────────────────────────┴─▶ kind ─▶ knowledge/KIND.toml ─▶ Field
    knowledge/topics.toml  what a thing consists of ("billing": invoices, charges, customers) ─▶ words

The tables are data that a person can read and extend. In their sentences ``{thing}`` is the goal's own noun phrase,
``{target}`` where it goes, and further ``{words}`` come from the field, overruled by the topic.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from workbench.domain.plan.plan import Level


class StepKnowledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A work package as it usually goes."""

    title: str
    outcome: str
    check: str
    first: str
    """The first thing somebody does for it."""
    owner: str
    stream: str
    days: tuple[float, float, float]
    """Working days: low, likely, high."""
    elastic: bool = False
    """True for what goes on as long as there is time: training, collecting replies, writing."""
    day: bool = False
    """True for what happens on the very day of the deadline: a wedding, a race."""


class ApproachKnowledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A strategy, with the steps it consists of."""

    title: str
    summary: str
    advantages: tuple[str, ...]
    drawbacks: tuple[str, ...]
    fits: str
    speed: int
    """1 slow to 3 fast, compared with the other approaches."""
    cost: int
    """1 cheap to 3 costly."""
    risk: int
    """1 safe to 3 risky."""
    proof: str
    """Key of the step where it shows whether what must hold does hold."""
    flow: tuple[str, ...]
    """``key``, ``key: needed needed`` or ``key?``; without needs a step follows the one above; ``?`` marks what is left
    out first when time is short."""


class CriterionKnowledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A success criterion of such goals."""

    text: str
    measure: str
    target: str


class RiskKnowledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A reason why such goals fail."""

    text: str
    likelihood: Level
    impact: Level
    sign: str
    response: str


class QuestionKnowledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that changes the plan and that goals of this kind often leave out."""

    text: str
    assumption: str
    owner: str
    told: str = ""
    """Words (a regular expression) by which a goal shows that it says this already."""


class Scope(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is usually in and out, by priority (MoSCoW)."""

    must: tuple[str, ...]
    should: tuple[str, ...]
    could: tuple[str, ...]
    wont: tuple[str, ...]


class Field(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of goal."""

    name: str
    """What it is called in a sentence: "moving a system"."""
    decider: str
    """Who usually decides."""
    words: dict[str, str]
    """What stands in the sentences where neither goal nor topic says better; ``thing`` is always among them."""
    assumptions: tuple[str, ...]
    scope: Scope
    criteria: tuple[CriterionKnowledge, ...]
    questions: tuple[QuestionKnowledge, ...]
    risks: tuple[RiskKnowledge, ...]
    approaches: tuple[ApproachKnowledge, ...]
    steps: dict[str, StepKnowledge]
    alone: bool = False
    """True where one person undertakes it, who needs nobody's decision."""
    money: bool = True
    """False where a budget is usually not the point."""


class _Kind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    strong: tuple[str, ...]
    """Words that alone tell this kind; ``*`` stands for any ending."""
    weak: tuple[str, ...] = ()
    """Words that speak for it among others."""


class _Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: tuple[_Kind, ...]


class _Topic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: tuple[str, ...]
    says: dict[str, str]


class _Topics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    topics: tuple[_Topic, ...]


STRONG, WEAK = 3, 1
GENERIC = "generic"


def kind_of(goal: str, objective: str = "") -> str:
    """Return the kind of a goal; words of its objective count twice."""
    scores = {kind: strong.count_in(goal) + strong.count_in(objective) for kind, strong in _recognisers()}
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] >= STRONG else GENERIC


@cache
def field(kind: str) -> Field:
    """Return what is known about a kind of goal."""
    return msgspec.convert(_table(kind), Field)


def kinds() -> tuple[str, ...]:
    """Return all kinds, the generic one last."""
    return (*(kind for kind, _ in _recognisers()), GENERIC)


def topic_words(goal: str) -> dict[str, str]:
    """Return what the thing of a goal consists of, where the goal names a topic that is known."""
    for pattern, words in _topics():
        if pattern.search(goal):
            return dict(words)
    return {}


class _Recogniser:
    """Counts how strongly a text speaks for a kind."""

    def __init__(self, kind: _Kind) -> None:
        self._strong = _words_pattern(kind.strong)
        self._weak = _words_pattern(kind.weak) if kind.weak else None

    def count_in(self, text: str) -> int:
        strong = {match.casefold() for match in self._strong.findall(text)}
        weak = {match.casefold() for match in self._weak.findall(text)} if self._weak else set()
        return STRONG * len(strong) + WEAK * len(weak)


@cache
def _recognisers() -> tuple[tuple[str, _Recogniser], ...]:
    index = msgspec.convert(_table("index"), _Index)
    return tuple((kind.id, _Recogniser(kind)) for kind in index.kinds)


@cache
def _topics() -> tuple[tuple[re.Pattern[str], dict[str, str]], ...]:
    topics = msgspec.convert(_table("topics"), _Topics).topics
    return tuple((_words_pattern(topic.words), topic.says) for topic in topics)


def _words_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    parts = (re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in words)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w])", re.IGNORECASE)


def _table(name: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads((files(__package__) / "knowledge" / f"{name}.toml").read_text(encoding="utf-8"))
