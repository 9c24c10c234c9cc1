"""Answer the gates yourself: choose an approach with steps of your own, say once what should change, then save."""

import asyncio

from workbench import Answer, Begin, Decision, Gate, SessionState, Workspace

feedback = ["Who tells the auditors?"]
own_steps = Begin(outline="Tell the auditors 1d @Ana\nArchive the old invoices 3d")


async def decide(state: SessionState, gate: Gate) -> Decision | None:
    if gate.kind == "approach":
        for approach in state.approaches:
            print("-", approach.title)
        chosen = state.approaches[0]
        begin = Begin(template=chosen.template, keep=(1, 2, 6, 7), outline=own_steps.outline)
        return Decision(Answer(kind="choose", choice=chosen.id, begin=begin), "person")
    if feedback:
        return Decision(Answer(kind="feedback", text=feedback.pop()), "person")
    return Decision(Answer(kind="finish"), "person")


with Workspace.open(".") as workspace:
    manager = workspace.start("Move our billing to the new provider by 30 June 2030")
    state = asyncio.run(manager.run(decide))
    session = workspace.session(manager.session_id)
    print("auditors" in session.markdown(), "saved as version", state.saved_version)
