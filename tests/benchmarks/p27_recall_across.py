"""P27: what a call's prompt gets of other sessions: nothing where they have nothing to do with its goal.

    python -m tests.benchmarks.p27_recall_across [--half dev|first|second|third] [--quick]

``session_pairs.jsonl`` holds sessions on different subjects, each with goals that follow from it and the passage that
their reader would want. Each session is planned offline in a real workspace. Then every goal is searched for as the
loop does, with one session in the workspace (a pair), and with all of them. What was chosen on which half:
docs/performance.md.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from tests.benchmarks.long_sessions import printed
from tests.builders import FixedClock
from workbench.bootstrap import Workspace
from workbench.context.entry import from_quoted
from workbench.domain.log.ids import SessionId
from workbench.domain.loop.steps import Search
from workbench.domain.session.events import Quoted
from workbench.memory.library import Library
from workbench.memory.other_sessions import OtherSessions
from workbench.planning.memory.recalling import MOST_RECALLED, searched_for
from workbench.planning.memory.remembering import Said
from workbench.planning.policies import approving_all

PAIRS = Path(__file__).with_name("session_pairs.jsonl")
_ASKING = SessionId("asking-session")


class FollowUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A goal that follows from a session."""

    goal: str
    wanted: int
    """Which of the things said its reader would want to have."""


class Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session, and goals that follow from it."""

    half: str
    name: str
    goal: str
    said: tuple[str, ...]
    follow_ups: tuple[FollowUp, ...]


@dataclass(frozen=True)
class Planned:
    """A session as it stands in the workspace."""

    subject: Subject
    session: str


class Only:
    """A log as if it held some of its sessions."""

    def __init__(self, log: Any, sessions: Sequence[str]) -> None:
        self._log = log
        self._sessions = sessions

    def streams(self) -> Sequence[str]:
        return self._sessions

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)


def subjects(half: str, path: Path = PAIRS) -> list[Subject]:
    """Read the subjects of a half."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [one for one in (msgspec.json.decode(line, type=Subject) for line in lines) if one.half == half]


def plan(workspace: Workspace, subject: Subject) -> Planned:
    """Plan a subject offline to a saved plan, after all that was said of it."""
    manager = workspace.start(subject.goal, recall=False)
    workspace.session(manager.session_id).remember([Said(text) for text in subject.said])
    asyncio.run(manager.run(approving_all()))
    return Planned(subject, str(manager.session_id))


def recalled(others: OtherSessions, goal: str) -> tuple[Quoted, ...]:
    """Search as the loop does before the planner is asked for a goal."""
    step = Search(query=goal, max_results=10, reason="before the planner is asked", agent="planner", for_call="c1")
    searched = searched_for(others, step, _ASKING)
    if searched.unavailable:
        raise SystemExit(searched.unavailable)
    return searched.found


def tokens(found: Sequence[Quoted]) -> int:
    """Count what they take in a prompt, labels included."""
    return sum(from_quoted(one, rank).tokens for rank, one in enumerate(found, start=1))


def goals(planned: Sequence[Planned]) -> Iterator[tuple[Planned, str, str]]:
    """Yield every goal with its subject and the text that its reader wants; a subject's own goal wants nothing."""
    for one in planned:
        yield one, one.subject.goal, ""
        for follow_up in one.subject.follow_ups:
            yield one, follow_up.goal, one.subject.said[follow_up.wanted]


def in_pairs(planned: Sequence[Planned], searching: dict[str, OtherSessions]) -> dict[str, Any]:
    """Search each session alone for each goal."""
    unrelated, wrong, related, missed, most = 0, [], 0, [], 0
    for one, goal, wanted in goals(planned):
        for other in planned:
            if other is one and not wanted:
                continue
            found = recalled(searching[other.session], goal)
            most = max(most, tokens(found))
            if other is not one:
                unrelated += 1
                wrong += [f"{goal} ─▶ {other.subject.name}: {found[0].why}: {found[0].text[:80]}"] if found else []
            else:
                related += 1
                missed += [] if any(wanted in quoted.text for quoted in found) else [f"{goal} ─▶ {wanted} {len(found)}"]
    return {
        "unrelated": unrelated,
        "retrieved_anything": len(wrong),
        "related": related,
        "retrieved_the_wanted": related - len(missed),
        "most_tokens": most,
        "wrong": wrong,
        "missed": missed,
    }


def all_together(planned: Sequence[Planned], others: OtherSessions) -> dict[str, Any]:
    """Search all sessions for each goal that follows from one of them."""
    related, foreign, missed, most = 0, [], [], 0
    for one, goal, wanted in goals(planned):
        if not wanted:
            continue
        found = recalled(others, goal)
        related, most = related + 1, max(most, tokens(found))
        foreign += [f"{goal} ─▶ {quoted.session}: {quoted.why}" for quoted in found if quoted.session != one.session][
            :1
        ]
        missed += [] if any(wanted in quoted.text for quoted in found) else [f"{goal} ─▶ {wanted}"]
    return {
        "related": related,
        "retrieved_the_wanted": related - len(missed),
        "retrieved_from_another_too": len(foreign),
        "most_tokens": most,
        "wrong": foreign,
        "missed": missed,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", default="third")
    parser.add_argument("--quick", action="store_true", help="three sessions")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.open(folder, environ={"WORKBENCH_CONFIG": str(Path(folder, "none"))}, clock=FixedClock())
        planned = [plan(workspace, one) for one in subjects(options.half)[: 3 if options.quick else None]]
        log, embedder, cache = workspace.log, workspace.parts.embedder, Path(folder, "cache")
        searching = {one.session: OtherSessions(Library(Only(log, [one.session]), embedder, cache)) for one in planned}
        pairs = in_pairs(planned, searching)
        together = all_together(planned, workspace.parts.others)
    is_quiet = pairs["retrieved_anything"] * 20 <= pairs["unrelated"]
    is_found = pairs["retrieved_the_wanted"] * 20 >= pairs["related"] * 17
    printed(
        {
            "id": "P27",
            "half": options.half,
            "pairs": pairs,
            "all_together": together,
            "bar": {"retrieved_anything": "1 in 20", "retrieved_the_wanted": "17 in 20", "most_tokens": MOST_RECALLED},
            "ok": is_quiet and is_found and max(pairs["most_tokens"], together["most_tokens"]) <= MOST_RECALLED,
        }
    )


if __name__ == "__main__":
    main()
