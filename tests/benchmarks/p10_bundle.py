"""P10: the context bundle of a session of 10,000 events against that of one of 1,000, the same searches given.

    python -m tests.benchmarks.p10_bundle [--quick]

Both take turns, in CPU time of this process; medians are compared. Three kinds of sessions: ``talk`` (a person and an
agent in turns), ``two_agents`` (of which the bundle's agent says every tenth thing) and ``one_sided`` (the agent has
said nothing yet, so its guaranteed tail cannot be filled).
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Sequence

from tests.benchmarks.long_sessions import printed
from tests.builders import created, told
from workbench.context.entry import Entry, found, from_history
from workbench.context.fit import Budget
from workbench.context.gather import gather
from workbench.context.view import SessionView
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState, fold
from workbench.domain.session.state import HistoryItem

AGENT = "nova"
BUDGET = Budget(window=16_000, reserve=2_000, overhead=1_500)
SPEAKERS: dict[str, tuple[str | None, ...]] = {
    "talk": (None, AGENT),
    "two_agents": (None, *["aniza"] * 8, AGENT),
    "one_sided": (None,),
}


def session(kind: str, count: int) -> SessionState:
    """Return the state of a session with so many messages of about forty words."""
    speakers = SPEAKERS[kind]
    state = fold(told(created()))
    said = [
        HistoryItem(
            id=f"{state.session}:{n}",
            seq=n,
            role="user" if speakers[n % len(speakers)] is None else "assistant",
            agent=speakers[n % len(speakers)],
            text=f"Message {n}: " + " ".join(f"word{(n * 7 + k) % 997}" for k in range(40)),
            time="2026-03-02T09:30:00.000000Z",
        )
        for n in range(2, count + 1)
    ]
    return _with_history(state, said)


def _with_history(state: SessionState, said: Sequence[HistoryItem]) -> SessionState:
    fields = {name: getattr(state, name) for name in state.__struct_fields__}
    return SessionState(**fields | {"history": state.history.appended(*said)})


def recalled() -> list[Entry]:
    """Return what searches found, the same for both lengths: thirty items of another session."""
    other = told(created(), *(say.MessageGiven(role="user", text=f"Elsewhere {n} " * 20) for n in range(30)))
    entries = (from_history(one, "other-session") for one in fold(other).history)
    return [
        found(one, rank=rank, relevance=1.0, reason="close in meaning") for rank, one in enumerate(entries, start=1)
    ]


def gathering_seconds(view: SessionView, quoted: Sequence[Entry]) -> float:
    begun = time.process_time()
    gather(view, quoted, BUDGET)
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    runs = 7 if parser.parse_args().quick else 31
    figures, baseline, ratio = {}, {}, {}
    quoted = recalled()
    for kind in SPEAKERS:
        short, long = (SessionView(session(kind, count), AGENT) for count in (1_000, 10_000))
        gc.collect()
        times = [[gathering_seconds(view, quoted) for view in (short, long)] for _ in range(runs)]
        of_short, of_long = (statistics.median(arm) for arm in zip(*times, strict=True))
        baseline[kind] = {"events_1000_ms": round(of_short * 1e3, 2)}
        figures[kind] = {
            "events_10000_ms": round(of_long * 1e3, 2),
            "entries": len(gather(long, quoted, BUDGET).chat_history),
        }
        ratio[kind] = round(of_long / of_short, 2)
    printed(
        {
            "id": "P10",
            "figures": figures,
            "baseline": baseline,
            "ratio": ratio,
            "bar": 1.5,
            "ok": max(ratio.values()) <= 1.5,
            "runs": runs,
        }
    )


if __name__ == "__main__":
    main()
