"""Walk through a session as it happened, prove that it can be executed again, and fork it where approaches stood."""

import asyncio

from workbench import Workspace, approving_all

with Workspace.open(".") as workspace:
    manager = workspace.start("Move our billing to the new provider by 1 May 2030")
    asyncio.run(manager.run(approving_all()))
    session = workspace.session(manager.session_id)
    for moment, state in session.course():
        if moment.kind == "gate.answered":
            print(moment.seq, state.status, moment.text)
    print("verified:", session.verify().verified)

    before = next(moment.seq for moment, _ in session.course() if moment.kind == "gate.answered") - 1
    fork = session.fork(before, name="Another way")
    asyncio.run(fork.resume().run(approving_all(choice=2)))
    print(workspace.compare(session.id, fork.id).relation)
