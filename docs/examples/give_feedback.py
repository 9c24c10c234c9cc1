"""Answer the gates yourself: choose an approach, say once what should change, then save."""

import asyncio

from workbench import Answer, Decision, Gate, SessionState, Workspace

feedback = ["Add a step: tell the auditors in May."]


async def decide(state: SessionState, gate: Gate) -> Decision | None:
    if gate.kind == "question":
        return Decision(Answer(kind="skip"), "person")
    if gate.kind == "approach":
        for approach in state.approaches:
            print("-", approach.title)
        return Decision(Answer(kind="choose", choice=gate.options[0]), "person")
    if feedback:
        return Decision(Answer(kind="feedback", text=feedback.pop()), "person")
    return Decision(Answer(kind="finish"), "person")


with Workspace.open(".") as workspace:
    manager = workspace.start("Move our billing to the new provider by 30 June 2030")
    state = asyncio.run(manager.run(decide))
    session = workspace.session(manager.session_id)
    print("auditors" in session.markdown(), "saved as version", state.saved_version)
