"""Searching other sessions for one that asks, on the record: what for, what was found, and whose it is.

a person: query, reason ─▶ OtherSessions.search ──────────────┬▶ Quoted … ─▶ others.searched, in the log of who asked
a call: its goal ─▶ OtherSessions.concerning ─▶ 1,000 tokens ─┘

The loop searches before the planner, or an agent, is asked (``searched_for``); a person may at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from workbench.context.entry import from_quoted
from workbench.context.recall import words_of
from workbench.domain.errors import UsageError
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.loop.steps import Search
from workbench.domain.session import events as say
from workbench.domain.shared.input import SHARED
from workbench.domain.text.cleaning import clean, clean_name, shorten
from workbench.planning.session_log import SessionLog

if TYPE_CHECKING:  # what searches is imported when there is something to search
    from workbench.memory.found import Found
    from workbench.memory.other_sessions import AcrossResult, OtherSessions

LESSON = "lesson:"
"""Before a lesson's id, in the id of its item."""
MOST_QUOTED = 2_000
"""Characters of an item that are quoted; the whole is in its own session."""
MOST_RECALLED = 1_000
"""Tokens of other sessions' items that a call's prompt holds at most, their labels included."""
MOST_OF_A_REASON = 200


def search_across(
    session: SessionLog, others: OtherSessions, query: str, max_results: int, *, agent: AgentId | None, reason: str
) -> say.OthersSearched:
    """Search other sessions for this one, and record it. Raises UsageError if no reason is given."""
    needed_for = clean_name(reason, MOST_OF_A_REASON)
    if not needed_for:
        raise UsageError("A search of other sessions needs a reason.", "Say what it is for: --reason TEXT.")
    result = others.search(query, max_results, asking=session.session, agent=agent)
    found = tuple(_quoted(one.item.text, one) for one in result.near)
    searched = say.OthersSearched(query=clean(query), reason=needed_for, found=found, unavailable=_unreadable(result))
    session.record_given([searched], actor="person", agent=agent)
    return searched


def switch_recall(session: SessionLog, *, on: bool) -> None:
    """Decide whether other sessions are searched from now on."""
    session.record_given([say.RecallSwitched(on=on)], actor="person")


def mark_item(session: SessionLog, other: str, item: str, mark: Literal["excluded", "pinned", ""]) -> None:
    """Exclude an item of another session from every prompt, pin it to each, or take that back.

    A key of the shared context is excluded whoever changes it next: its mark is this session's own. Raises UsageError
    where such a key is to be pinned.
    """
    is_shared = item.startswith(SHARED)
    if is_shared and mark == "pinned":
        raise UsageError(
            f"{item} cannot be pinned: every prompt quotes what sessions share as it was last.",
            "Remember it in this session instead: `workbench remember`.",
        )
    if item.startswith(LESSON) and mark == "pinned":
        raise UsageError(f"{item} cannot be pinned.", "A lesson is in every prompt until you refuse it.")
    whose = session.session if is_shared else other
    session.record_given([say.ItemMarked(session=str(whose), item=item, mark=mark)], actor="person")


def searched_for(others: OtherSessions | None, step: Search, asking: SessionId) -> say.OthersSearched:
    """Search other sessions for a call. Whatever a search does, planning goes on, and says what failed."""
    nothing = say.OthersSearched(query=step.query, reason=step.reason, found=(), for_call=step.for_call)
    if others is None:
        return replace(nothing, unavailable="Other sessions cannot be searched here.")
    try:
        from workbench.memory.goal_words import telling_passage

        result = others.concerning(step.query, step.max_results, asking=asking, agent=AgentId(step.agent))
        found = tuple(_within_budget(_quoted(telling_passage(one.item.text, step.query), one) for one in result.near))
    except Exception as error:  # noqa: BLE001 - whatever a search does, planning continues with a visible fallback
        return replace(nothing, unavailable=f"The search failed ({type(error).__name__}).")
    return replace(nothing, query=clean(step.query), found=found, unavailable=_unreadable(result))


def _unreadable(result: AcrossResult) -> str:
    names = ", ".join(result.unreadable)
    return f"These sessions could not be read: {names}." if names else ""


def _within_budget(quoted: Iterable[say.Quoted]) -> Iterator[say.Quoted]:
    """Yield as many as fit, the best first, and of those with the same words the better one."""
    tokens, known = 0, set[str]()
    for rank, one in enumerate(quoted, start=1):
        words, size = words_of(one.text), from_quoted(one, rank).tokens
        if tokens + size <= MOST_RECALLED and words not in known:
            tokens += size
            known.add(words)
            yield one


def _quoted(text: str, one: Found) -> say.Quoted:
    item = one.item
    return say.Quoted(
        id=item.id,
        session=item.session,
        role=item.role,
        agent=item.agent,
        time=item.time,
        text=shorten(clean(text), MOST_QUOTED),
        score=round(one.score, 4),
        why=one.why,
        parts=one.parts.recorded,
        relevance=round(one.relevance, 4),
    )
