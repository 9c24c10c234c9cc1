"""``workbench ask``, and ``--agent FILE``: the agents that a person adds to a session and talks to."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output
from workbench.cli.progress import Progress
from workbench.domain.agents import MOST_INSTRUCTIONS, Agent, read_agent
from workbench.domain.errors import UsageError
from workbench.domain.ids import agent_id
from workbench.domain.session import Worker

_MOST_BYTES = 8 * MOST_INSTRUCTIONS


def agents_of(options: argparse.Namespace) -> list[Agent]:
    """Return the agents that ``--agent`` names. Raises UsageError."""
    agents: dict[str, Agent] = {}
    for agent in _read(options.agents):
        other = agents.setdefault(agent.id, agent)
        if other != agent:
            raise UsageError(
                f"{other.name} and {agent.name} would both be called {agent.id}.", "Give one of them another name."
            )
    return list(agents.values())


def _read(files: list[str]) -> Iterator[Agent]:
    for name in files:
        try:
            with Path(name).open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
            text = data.decode()
        except OSError as error:
            raise UsageError(f"{name} cannot be read: {error.strerror}.", "Name a TOML file.") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{name} is no text.", "Name a TOML file.") from error
        yield read_agent(text, name)


def _worker(worker: Worker) -> dict[str, Any]:
    report = worker.report
    return {
        "worker": worker.worker,
        "work": worker.work,
        "allowance": worker.allowance,
        "spent": worker.spent,
        "complete": report is not None and report.is_complete,
        "answer": "" if report is None else report.answer,
        "evidence": [] if report is None else list(report.evidence),
        "open_questions": [] if report is None else list(report.open_questions),
    }


def ask(options: argparse.Namespace) -> int:
    """Ask an agent something, and print its answer."""
    output = Output.of(options, goes_on=True)
    progress = Progress(output)
    agent = agent_id(options.agent)
    manager = existing_workspace(options).resume(options.session, watch=progress.watch)
    with manager.driving(), progress, asyncio.Runner() as runner:
        if manager.state.stopped or manager.state.failure is not None:
            runner.run(manager.resume())
        answer = runner.run(manager.ask(agent, options.text, parts=options.part))
    state = manager.state
    if output.as_json:
        output.json(
            {
                "schema": "workbench.asked/1",
                "session": state.session,
                "agent": agent,
                "answer": answer,
                "workers": [_worker(one) for one in state.workers if one.agent == agent],
                "tokens": state.spent.tokens,
                "cost": state.spent.cost,
            }
        )
    elif answer:
        output.markdown(answer)
    if not answer and state.failure is not None:
        raise UsageError(state.failure.message, state.failure.remedy)
    return 0 if answer else 3
