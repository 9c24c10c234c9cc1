"""Guidance for the next iteration: what this session's own memory has to say, or a fallback that says it is one.

Recall ─┬▶ search of this session's insights ─┐
        └▶ search of what was stored in it ───┴▶ in turns ─┬─ something near  ─▶ source "search"
                                                           ├─ nothing near    ─▶ source "fallback", and why
                                                           └─ a search raised ─▶ source "fallback", and why; given:
                                                                                 no fold can repeat it
Insights and paragraphs are searched apart, so that a long document does not crowd out what iterations learned.
"""

from __future__ import annotations

from itertools import chain, zip_longest

from workbench.domain.log.envelope import Origin
from workbench.domain.loop.steps import Recall
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.memory.memory_view import MemoryView
from workbench.planning.asking.gathering import RemembersHere

_HEADINGS = {"search": "Insights of this session, found by search:", "fallback": "Fallback. {note}", "none": "{note}"}


def recall(state: SessionState, step: Recall, remembers: RemembersHere) -> tuple[say.GuidanceRecalled, Origin]:
    """Search this session's own memory; if that fails or finds nothing, fall back and say so.

    Returns the guidance, and whether it is derived (a search can be repeated) or given (a failure cannot). It computes:
    call it off the event loop.
    """
    try:
        view = remembers(state)
        items, embedder = _nearest(view, step), clean_name(view.embedder)
    except Exception as error:  # noqa: BLE001 - whatever a search does, planning continues with a visible fallback
        return _fallback(step, f"The search failed ({type(error).__name__})"), "given"
    if not items and not step.fallback:
        note = "The search found nothing, and there are no insights of this session yet."
        found_nothing = say.GuidanceRecalled(query=step.query, source="none", items=(), note=note, embedder=embedder)
        return found_nothing, "derived"
    if not items:
        return _fallback(step, "The search found nothing", embedder), "derived"
    return say.GuidanceRecalled(query=step.query, source="search", items=items, embedder=embedder), "derived"


def _nearest(view: MemoryView, step: Recall) -> tuple[str, ...]:
    """Return the texts nearest to the query, insights and paragraphs in turns, each text once."""
    insights, stored = (
        view.only(part).search_similar(step.query, step.max_results, view.session) for part in ("insights", "stored")
    )
    in_turns = chain.from_iterable(zip_longest(insights, stored))
    texts = dict.fromkeys(turn.item.text for turn in in_turns if turn is not None)
    return tuple(texts)[: step.max_results]


def _fallback(step: Recall, why: str, embedder: str = "") -> say.GuidanceRecalled:
    note = f"{why}; these are the last iteration's first insights."
    if not step.fallback:
        note = f"{why}, and there are no insights of this session yet."
    return say.GuidanceRecalled(query=step.query, source="fallback", items=step.fallback, note=note, embedder=embedder)


def as_text(guidance: say.GuidanceRecalled) -> str:
    """Return guidance as lines of text; the first says where it comes from."""
    heading = _HEADINGS[guidance.source].format(note=guidance.note)
    return "\n".join([heading, *(f"- {text}" for text in guidance.items)])
