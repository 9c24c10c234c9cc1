"""Which gaps are looked up before the planner is asked: what the person wants, what the verifier misses, what is open.

goal · open feedback · the verifier's findings · statements that are open ──▶ gaps, each looked up once
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.asking.tasks import MODEL
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import shorten

MOST_GAPS = 6
"""Gaps that are looked up at once, what the person said first."""
MOST_OF_A_GAP = 400
"""Characters."""


def gaps_of(state: SessionState) -> tuple[str, ...]:
    """Return the gaps that nobody looked up yet; none if research is off."""
    return all_gaps(state) if state.research.on else ()


def all_gaps(state: SessionState) -> tuple[str, ...]:
    """Return the gaps that nobody looked up yet, whether or not research is on."""
    known = {gap for one in state.researched for gap in one.gaps}
    told = dict.fromkeys(shorten(" ".join(text.split()), MOST_OF_A_GAP) for text in _texts(state))
    return tuple(gap for gap in told if gap and gap not in known)[:MOST_GAPS]


def _texts(state: SessionState) -> Iterator[str]:
    yield state.goal
    yield from (answered.answer for answered in state.answers)
    yield from (feedback.text for feedback in state.open_feedback)
    judged = [finding for finding in state.findings if finding.rule == MODEL]
    yield from (finding.text for finding in sorted(judged, key=lambda finding: finding.severity != "major"))
    if state.plan is not None:
        yield from (account.statement.text for account in state.accounts if account.is_open)
