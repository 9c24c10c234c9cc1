"""Answer the gates yourself: choose a way and say what to begin with, save, and change the plan by a command."""

import asyncio

from workbench import Answer, Begin, Decision, Gate, SessionState, Workspace

STEPS = """\
Tell the auditors 2d @Anna
Thank everybody
"""


async def decide(state: SessionState, gate: Gate) -> Decision | None:
    if gate.kind != "approach":
        return Decision(Answer(kind="finish"), "person")
    for approach in state.approaches:
        print("-", approach.title)
    begin = Begin(template=state.approaches[0].template, outline=STEPS, commands=("deadline 30 June 2030",))
    return Decision(Answer(kind="choose", choice=gate.options[0], begin=begin), "person")


with Workspace.open(".") as workspace:
    manager = workspace.start("Move our billing to the new provider by 30 June 2030")
    state = asyncio.run(manager.run(decide))
    session = workspace.session(manager.session_id)
    edited = session.edit("S1 owner Ben")
    print("auditors" in session.markdown(), "saved as version", state.saved_version, "and changed to", edited.version)
