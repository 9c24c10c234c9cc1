"""Plan from a template to a saved plan, with a policy that approves in your place, and keep the plan as Markdown."""

import asyncio
from pathlib import Path

from workbench import Begin, Workspace, approving_all

with Workspace.open(".") as workspace:
    begin = Begin(template="move-system:parallel", commands=("deadline 1 May 2030",))
    manager = workspace.start("Move our billing to the new provider by 1 May 2030", begin=begin)
    state = asyncio.run(manager.run(approving_all()))
    session = workspace.session(manager.session_id)
    Path("plan.md").write_text(session.markdown(), encoding="utf-8")
    session.rate(4, "Both systems side by side were right.")
    print(state.status, "as version", state.saved_version)
