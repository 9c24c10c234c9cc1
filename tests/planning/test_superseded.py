"""What a person replaced stands in no line that the program writes: pages, exports, what agents are told."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.strong import Person, Strong, surgery
from workbench.domain.handout import hand_out
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.asking.assignments import chat_task
from workbench.domain.loop.asking.tasks import ProposeTask, Task
from workbench.domain.loop.deciding.convergence import listed
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.loop.steps import Rest
from workbench.domain.session.state import Asking, SessionState
from workbench.export.figures import figures_of, headline, tables
from workbench.export.formats.tables import as_csv
from workbench.export.gates import gate_lines
from workbench.export.markdown import plan_markdown, session_markdown, shown_actions
from workbench.export.plan_page import plan_page
from workbench.planning.ports import Decision
from workbench.planning.taking_part import course_of

REFERENCE = "{plan.ready}"
REPLACED = ("15 working days' notice", "signage", "2,100", "hands over keys 1 March")


def _referring(said: Any, field: str = "") -> Any:
    """Return an answer whose texts end with a reference."""
    if isinstance(said, dict):
        return {name: _referring(value, name) for name, value in said.items()}
    if isinstance(said, list):
        return [_referring(one, field) for one in said]
    return f"{said} {REFERENCE}" if field in ("text", "check", "remedy", "note", "assumed", "advice", "sign") else said


class Talkative(Strong):
    """Says what the person said in every place that a reply has for it."""

    def _reply(self, task: Task) -> Any:
        reply = super()._reply(task)
        if not isinstance(reply, dict):
            return reply
        if isinstance(task, ProposeTask) and "approaches" in reply:
            first, *others = reply["approaches"]
            first = first | {"title": f"One move: {REPLACED[0]}"}
            return reply | {"approaches": [first, *others], "constraints": list(REPLACED)}
        reply = _referring(reply) if getattr(task, "plan", None) is not None else reply
        is_first = getattr(task, "plan", None) is None
        return reply | {"insights": list(REPLACED)} if is_first and "questions" not in reply else reply


class Reader(Person):
    """Reads what gates say."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    async def __call__(self, state: SessionState, gate: Gate) -> Decision | None:
        """Answer a gate."""
        self.read += [line.text for line in gate_lines(state, gate)]
        return await super().__call__(state, gate)


def test_what_the_person_replaced_stands_in_no_line_of_the_program() -> None:
    manager = surgery(Talkative())
    manager.add_agent(new_agent("nova", "You are Nova."))
    person = Reader()
    state = asyncio.run(manager.run(person))
    assert [len(one.replaced) for one in state.accounts if one.replaced] == [1, 1, 1]
    assert state.plan is not None
    assert state.constraints == REPLACED
    figures = figures_of(state, state.plan)
    asked = chat_task(state, Asking(agent="nova", message=state.history[-1].id))
    told = {
        "page": hand_out(state),
        "plan": plan_markdown(state),
        "session": session_markdown(state),
        "html": plan_page(state),
        "rows": as_csv(state.plan),
        "figures": "\n".join([headline(figures), *map(str, tables(figures))]),
        "agent": "\n".join([*asked.constraints, *asked.insights]),
        "others": "\n".join((course_of(state, Rest("finished")) or {})["decisions"]),
    }
    found = [
        (name, line)
        for name, text in told.items()
        for line in text.splitlines()
        for words in REPLACED
        if words in line and "Drop the signage" not in line  # the feedback itself
    ]
    assert found == []
    told |= {
        "gates": "\n".join(person.read),
        "actions": str(shown_actions(state)),
        "statements": str(listed(state)),
        "findings": str(state.findings),
    }
    read = {name: REFERENCE in text for name, text in told.items() if name not in ("session", "rows")}
    assert not any(read.values()), "only what is edited and read back has references"
