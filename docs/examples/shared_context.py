"""Two sessions share keys: changes that meet are merged, and both are told."""

from workbench import Workspace

with Workspace.open(".") as workspace:
    first = workspace.session(workspace.start("Move our billing").session_id).coordinator()
    second = workspace.session(workspace.start("Prepare the audit").session_id).coordinator()
    first.start()
    second.start()
    first.update_shared("files", ["billing.py"])
    merged = second.update_shared("files", ["audit.py"])
    print(merged.outcome, first.get_shared("files"))
    print([(info.session_id == first.session, info.status) for info in workspace.sharing_sessions()])
