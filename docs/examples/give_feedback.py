"""Answer the gates yourself: choose a template's way and how to begin, change the plan by a command, then save."""

import asyncio

from workbench import Answer, Begin, Decision, Gate, SessionState, Workspace

GOAL = "Move our billing to the new provider by 30 June 2030"
STEPS = """\
Tell the auditors 2d @Anna
Thank everybody
"""


async def decide(state: SessionState, gate: Gate) -> Decision | None:
    if gate.kind != "approach":
        return None  # nobody answers: the session waits
    for approach in state.approaches:
        print("-", approach.title)
    begin = Begin(template=state.approaches[0].template, outline=STEPS, commands=("deadline 30 June 2030",))
    return Decision(Answer(kind="choose", choice=gate.options[0], begin=begin), "person")


with Workspace.open(".") as workspace:
    manager = workspace.start(GOAL)
    state = asyncio.run(manager.run(decide))
    session = workspace.session(manager.session_id)
    session.edit("S1 owner Ben")
    print(session.state().gate is not None, "auditors" in session.markdown(), "version", session.state().version)
