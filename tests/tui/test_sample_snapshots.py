"""How the sample in which everything happens looks in a replay, at five places of it; compared as pictures.

Renew them after a change that is meant: ``pytest tests/tui/test_sample_snapshots.py --snapshot-update``, then look at
each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.tui.acting import USUAL, WIDE, Look, RunApp, Way, shown, until
from tests.tui.replays import loaded, shows_its_place
from textual.pilot import Pilot
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.storage.files.session_file import read_session_file
from workbench.tui.replay.replaying import Replayed, loading_file
from workbench.tui.replay.screen import ReplayScreen

SAMPLE = Path(__file__).parents[2] / "sessions" / "run-city-trees-fork.jsonl"
EVENTS = list(in_full(read_session_file(SAMPLE)))


def last(kind: type[say.Body]) -> int:
    """Where the last event of a kind stands."""
    return next(event.seq for event in reversed(EVENTS) if isinstance(say.content(event), kind))


def merged() -> int:
    """Where the value is seen that two sessions changed at once."""
    seen = [(event.seq, body) for event in EVENTS if isinstance(body := say.content(event), say.SharedObserved)]
    return max(seq for seq, body in seen if any(one.key == "budget" for one in body.changes))


def first(kind: type[say.Body], *, after: int) -> int:
    """Where the next event of a kind stands."""
    return next(event.seq for event in EVENTS[after:] if isinstance(say.content(event), kind))


def at(seq: int, *keys: str, shows: str) -> Way:
    """Return the way to an event of the sample, and over these keys."""

    async def go(pilot: Pilot[Any]) -> None:
        await pilot.app.push_screen(ReplayScreen(Replayed(SAMPLE.stem, loading_file(SAMPLE), in_workspace=False)))
        screen = await loaded(pilot)
        screen.timeline.seek(seq)
        await shows_its_place(pilot)
        await pilot.press(*keys)
        await shows_its_place(pilot)
        await until(pilot, lambda: shows in " ".join(shown(pilot).split()))

    return go


def test_a_value_that_two_sessions_changed(look: Look) -> None:
    assert look(WIDE, at(merged(), shows="budget"))


def test_a_context_with_a_summary(look: Look) -> None:
    assert look(
        USUAL, at(first(say.CallStarted, after=last(say.ConversationCondensed)), "ctrl+l", "4", shows="MADE TO FIT")
    )


async def test_what_a_worker_reported(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await at(last(say.WorkerReported), "ctrl+l", "t", shows="nova.2 reports")(pilot)


def test_at_its_end(look: Look) -> None:
    assert look(WIDE, at(len(EVENTS), shows="finished"))
