"""Plan from a goal and a template to a saved plan, change it by a command, and keep it as Markdown."""

import asyncio
from pathlib import Path

from workbench import Begin, Workspace, approving_all

with Workspace.open(".") as workspace:
    begin = Begin(template="move-system:parallel", commands=("deadline 1 May 2030", "budget 40,000 EUR"))
    manager = workspace.start("Move our billing to the new provider by 1 May 2030", begin=begin)
    state = asyncio.run(manager.run(approving_all()))
    session = workspace.session(manager.session_id)
    session.edit("S1 owner Anna; S2 effort 5d")
    Path("plan.md").write_text(session.markdown(), encoding="utf-8")
    session.rate(4, "Running both was right.")
    print(state.status, "version", session.state().version)
