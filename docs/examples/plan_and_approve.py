"""Plan from a goal to a saved plan, with a policy that approves in your place, and keep the plan as Markdown."""

import asyncio
from pathlib import Path

from workbench import Workspace, approving_all

with Workspace.open(".") as workspace:
    manager = workspace.start("Move our billing to the new provider by 1 May 2030")
    state = asyncio.run(manager.run(approving_all(choice=2)))
    session = workspace.session(manager.session_id)
    Path("plan.md").write_text(session.markdown(), encoding="utf-8")
    session.rate(4, "The second approach was right.")
    print(state.status, len(state.iterations), "iterations")
