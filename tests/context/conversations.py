"""Conversations for tests, said in a line each; ``conversations()`` draws them at random, calls and all.

user("Hello")   reply("Hi", agent="nova")   calling("c1", "c2")   result("c1", "42")
numbered(...)   the same entries with ids, sequence numbers and times in their order
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from msgspec.structs import replace
from workbench.context.entry import Entry, found, size
from workbench.context.fit import _floor, _required
from workbench.context.groups import grouped
from workbench.domain.session.context import Recall, RecallSettings

SESSION = "s-1"
NOVA = "nova"


def entry(role, text, *, agent=None, session=SESSION, entry_id="", **more):
    return Entry(
        id=entry_id, session=session, agent=agent, role=role, seq=0, time="", text=text, tokens=size(text), **more
    )


def user(text="What next?", **more):
    return entry("user", text, **more)


def reply(text="Nothing more.", *, agent=NOVA, **more):
    return entry("assistant", text, agent=agent, **more)


def calling(*calls, text="", agent=NOVA, **more):
    return entry("assistant", text, agent=agent, makes=calls, **more)


def result(call, text="Done.", *, agent=NOVA, **more):
    return entry("tool", text, agent=agent, answers=call, **more)


def numbered(*entries, start=1):
    return tuple(
        replace(
            one,
            id=one.id or f"{one.session}:{seq}",
            seq=seq,
            time=f"2026-03-02T{seq // 3600 % 24:02}:{seq // 60 % 60:02}:{seq % 60:02}Z",
        )
        for seq, one in enumerate(entries, start=start)
    )


def elsewhere(text, number=1, *, role="user", agent=None, session="s-2", relevance=1.0, source="semantic"):
    """What a search brought: of another session, or with ``session`` of this one."""
    one = replace(entry(role, text, agent=agent, session=session), id=f"{session}:{number}", seq=number)
    return replace(found(one, rank=number, relevance=relevance, reason="close in meaning"), source=source)


@dataclass(frozen=True, slots=True)
class EntriesView:
    """A conversation that is given as its entries, in order: what a SessionView reads from a state."""

    session: str
    entries: Sequence[Entry]
    agent: str | None = None
    excluded: frozenset[str] = frozenset()
    summary: Entry | None = None
    kept: tuple[Entry, ...] = ()

    def newest_first(self):
        return reversed(self.entries)


def words(count, word="word"):
    return " ".join([word] * count)


TEXTS = st.sampled_from(["Yes.", "Move billing by 30 June.", words(30), words(120, "invoice"), "Ω 日本 🙂", "x" * 900])


@st.composite
def turns(draw):
    """A stretch of a conversation: something said, or calls with results in any order, with interruptions."""
    kind = draw(st.sampled_from(["user", "reply", "calls", "calls"]))
    if kind != "calls":
        text = draw(TEXTS)
        return [user(text, pinned=draw(st.booleans()) and len(text) < 100) if kind == "user" else reply(text)]
    calls = [f"c{draw(st.integers(0, 10**9))}" for _ in range(draw(st.integers(1, 3)))]
    answered = draw(st.permutations(calls))
    made = [calling(*dict.fromkeys(calls), text=draw(st.sampled_from(["", "Let me see."])))]
    results = [result(call, draw(TEXTS)) for call in dict.fromkeys(answered)]
    if draw(st.integers(0, 9)) == 0:
        results.insert(draw(st.integers(0, len(results))), user("And hurry."))
    return [*made, *results]


@st.composite
def conversations(draw, min_turns=1, max_turns=14):
    """A conversation in which every call has its results, each id used once."""
    said = [one for turn in draw(st.lists(turns(), min_size=min_turns, max_size=max_turns)) for one in turn]
    made = [call for one in said for call in one.makes]
    if len(set(made)) < len(made):  # drawn ids may meet
        return numbered(user("Hello."))
    return numbered(user("Hello."), *said)


def is_paired(entries):
    """Whether each result stands right after the reply that makes its call, with nothing but other results between."""
    open_calls = set()
    for one in entries:
        if one.answers and one.answers not in open_calls:
            return False
        open_calls = open_calls - {one.answers} if one.answers else set(one.makes)
    return True


def floor(entries, budget, *, more=False):
    """The smallest window with which ``fit`` does not raise: what must be kept word for word, and the note."""
    groups = grouped(entries)
    tokens, _ = _floor(groups, _required(groups, entries), more=more)
    return budget.counted(tokens) + budget.reserve


def expand(summary, originals):
    """What a summary stands for, in its order; an error where ``originals`` lack some."""
    known = {entry.id: entry for entry in originals}
    return tuple(known[leaf] for leaf in summary.covers)


_RECENT = Recall(method="recent")
NO_RECALL = RecallSettings(user=_RECENT, assistant=_RECENT, artefact=_RECENT, shared=_RECENT)
