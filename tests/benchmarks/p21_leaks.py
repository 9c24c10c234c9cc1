"""P21: leak@10, how many of the first ten results are another session's, or another agent's reply. There must be none.

python -m tests.benchmarks.p21_leaks [--own tests/memory/data] [--data locomo-dev.json] [--embedder wordllama] [--quick]

scopes ─▶ a session each, in one workspace ─▶ each question, in its own session and in the next one,
                                              for the person and for each agent ─▶ results, leaks
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.retrieval import K, Scope, locomo, own, printed
from tests.builders import FixedClock
from workbench.bootstrap import Workspace
from workbench.domain.errors import InvalidId
from workbench.domain.log.ids import AgentId, agent_id
from workbench.domain.session.items import Item
from workbench.memory.found import Found
from workbench.models.scripted import CallableModel
from workbench.planning.memory.remembering import Said

MOST_AGENTS = 3
"""Agents of a session for whom its questions are asked, unless told otherwise."""


def leaks_in(
    scopes: Sequence[Scope], folder: Path, embedder: str = "wordllama", agents: int = MOST_AGENTS
) -> dict[str, int]:
    """Return how many results the questions of all scopes had, and how many of them leaked."""
    environ = {"WORKBENCH_CONFIG": str(folder / "none"), "WORKBENCH_EMBEDDER": embedder}
    workspace = Workspace.open(folder, environ=environ, clock=FixedClock())
    workspace.log = workspace.folder.log(durable=False)
    model = CallableModel(lambda _: "", name="none")
    sessions = [workspace.start(f"Session {number}", model=model).session_id for number in range(len(scopes))]
    for session, scope in zip(sessions, scopes, strict=True):
        workspace.session(session).remember([_said(document) for document in scope.documents])
    counts = {"scopes": len(scopes), "questions": 0, "results": 0, "leaks": 0}
    for number, session in enumerate(sessions):
        own_texts = {f"Session {number}", *(_said(document).text for document in scopes[number].documents)}
        asked = [*_questions(scopes[number]), *_questions(scopes[(number + 1) % len(scopes)])]
        counts["questions"] += len(asked)
        memory = workspace.session(session).memory()
        for agent in (None, *_agents(scopes[number])[:agents]):
            view = memory if agent is None else memory.for_agent(agent)
            for question in asked:
                found = view.search(question, K)
                counts["results"] += len(found)
                counts["leaks"] += sum(_is_leak(one, session, own_texts, agent) for one in found)
    return counts


def _is_leak(one: Found, session: str, own_texts: set[str], agent: AgentId | None) -> bool:
    item = one.item
    is_own = item.session == session and item.text in own_texts
    return not is_own or (agent is not None and item.role == "assistant" and item.agent != agent)


def _questions(scope: Scope) -> Iterator[str]:
    yield from (question.text for question in (*scope.questions, *scope.unanswered))


def _said(document: Item) -> Said:
    """What a document says: the person's own words, or the reply of whoever else speaks."""
    agent = _speaker(document)
    if agent is None:
        return Said(document.text, time=document.time)
    return Said(document.text, role="assistant", agent=agent, time=document.time)


def _speaker(document: Item) -> AgentId | None:
    if document.role == "artefact" or document.agent in (None, "you"):
        return None
    try:
        return agent_id(document.agent)
    except InvalidId:
        return None


def _agents(scope: Scope) -> list[AgentId]:
    return sorted({agent for document in scope.documents if (agent := _speaker(document))})


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--own", type=Path, default=Path("tests/memory/data"))
    parser.add_argument("--data", type=Path)
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("--quick", action="store_true", help="two scopes")
    options = parser.parse_args()
    scopes = [*own(options.own), *(locomo(options.data) if options.data else [])]
    scopes = scopes[:2] if options.quick else scopes
    with tempfile.TemporaryDirectory() as folder:
        counts = leaks_in(scopes, Path(folder), options.embedder)
    printed({"id": "P21", "figures": counts, "leak@10": counts["leaks"], "bar": 0, "ok": counts["leaks"] == 0})


if __name__ == "__main__":
    main()
