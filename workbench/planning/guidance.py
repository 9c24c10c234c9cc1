"""Guidance for the next iteration: what this session's own memory has to say, or a fallback that says it is one.

Recall ─▶ search of this session ─┬─ hits           ─▶ source "search"
                                  ├─ nothing found  ─▶ source "fallback", and why
                                  └─ it raised      ─▶ source "fallback", and why; given: no fold can repeat it
"""

from __future__ import annotations

from workbench.domain import events as say
from workbench.domain.envelope import Origin
from workbench.domain.ids import SessionId
from workbench.domain.session import SessionState
from workbench.domain.steps import Recall
from workbench.memory.bm25_memory import SessionMemory

_HEADINGS = {
    "search": "Insights of this session, found by search:",
    "fallback": "Fallback. {note}",
    "none": "{note}",
}


def recall(state: SessionState, step: Recall) -> tuple[say.GuidanceRecalled, Origin]:
    """Search this session's own memory; where that fails or finds nothing, fall back and say so.

    Returns the guidance, and whether it is derived (a search can be repeated) or given (a failure cannot).
    """
    session = SessionId(state.session)
    try:
        hits = SessionMemory(state).search_similar(step.query, step.max_results, session)
    except Exception as error:  # noqa: BLE001 - whatever a search does, planning goes on with a visible fallback
        return _fallback(step, f"The search failed ({type(error).__name__})"), "given"
    if not hits and not step.fallback:
        note = "The search found nothing, and there are no insights of this session yet."
        return say.GuidanceRecalled(query=step.query, source="none", items=(), note=note), "derived"
    if not hits:
        return _fallback(step, "The search found nothing"), "derived"
    items = tuple(hit.text for hit in hits)
    return say.GuidanceRecalled(query=step.query, source="search", items=items), "derived"


def _fallback(step: Recall, why: str) -> say.GuidanceRecalled:
    note = f"{why}; these are the last iteration's first insights."
    if not step.fallback:
        note = f"{why}, and there are no insights of this session yet."
    return say.GuidanceRecalled(query=step.query, source="fallback", items=step.fallback, note=note)


def as_text(guidance: say.GuidanceRecalled) -> str:
    """Return guidance as lines of text; the first says where it comes from."""
    heading = _HEADINGS[guidance.source].format(note=guidance.note)
    return "\n".join([heading, *(f"- {text}" for text in guidance.items)])
