"""``workbench ask``, and ``--agent FILE``: the agents that a person adds to a session and talks to."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from workbench.cli.opening import session_of
from workbench.cli.output import Output, picked
from workbench.cli.plan.course import tell_files
from workbench.cli.plan.telling import tell_waiting
from workbench.cli.progress import with_progress
from workbench.domain.errors import UsageError
from workbench.domain.log import rules
from workbench.domain.log.ids import agent_id
from workbench.domain.loop.agents import Agent
from workbench.domain.session.events import WorkerReported
from workbench.domain.session.state import Worker
from workbench.planning.agents import agent_of_file
from workbench.planning.checks import agent_named
from workbench.planning.driver import Driver
from workbench.planning.unwaited import unwaited_loop


def agents_of(options: argparse.Namespace) -> list[Agent]:
    """Return the agents that ``--agent`` names. Raises UsageError."""
    agents: dict[str, Agent] = {}
    for agent in map(agent_of_file, options.agents):
        other = agents.setdefault(agent.id, agent)
        if other != agent:
            raise UsageError(
                f"{other.name} and {agent.name} would both be called {agent.id}.", "Give one of them another name."
            )
    return list(agents.values())


def _worker(worker: Worker) -> dict[str, Any]:
    told = worker.report or WorkerReported(worker=worker.worker, agent=worker.agent, answer="", is_complete=False)
    return {
        **picked(worker, "worker", "work", "allowance", "spent"),
        "complete": told.is_complete,
        **picked(told, "answer", "evidence", "open_questions"),
    }


def ask(options: argparse.Namespace) -> int:
    """Ask an agent something, and print its answer."""
    output = Output.from_options(options, goes_on=True)
    agent = agent_id(options.agent)
    session = session_of(options)
    driver = Driver(lambda watch: session.resume(watch=watch))
    driver.on_notice = lambda role, words: output.note(f"{role}: {words}")
    manager = driver.manager()
    manager.model_of(agent_named(manager.state, agent))  # before anything is recorded
    planned_under, known = manager.state.rules, len(manager.state.files)
    with manager.driving(), asyncio.Runner(loop_factory=unwaited_loop) as runner:
        if manager.state.stopped or manager.state.failure is not None:
            runner.run(manager.resume())
        answer = runner.run(with_progress(manager.ask(agent, options.text, parts=options.part), driver, output))
    state = manager.state
    tell_files(state, known, output)
    if change := rules.rules_change_text(planned_under, state.rules):
        output.note(change)
    if output.as_json:
        output.json(
            {
                "schema": "workbench.asked/1",
                "session": state.session,
                "agent": agent,
                "answer": answer,
                "workers": [_worker(worker) for worker in state.workers if worker.agent == agent],
                **picked(state.spent, "tokens", "cost"),
            }
        )
    elif answer:
        output.markdown(answer)
    if not answer and state.failure is not None:
        raise UsageError(state.failure.message, state.failure.remedy)
    if not answer and state.gate is not None:
        tell_waiting(output, state, state.gate)
    return 0 if answer else 3
