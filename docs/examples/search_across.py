"""Bring what was said elsewhere into one session, and find it: in the session, for another one, and for yourself."""

from workbench import Said, Workspace

with Workspace.open(".") as workspace:
    billing = workspace.session(workspace.start("Move our billing").session_id)
    billing.remember([Said("The auditors come in May"), Said("Invoices are sent on the first", role="assistant")])
    print([result.item.text for result in billing.memory().search("auditors", 1)])

    audit = workspace.session(workspace.start("Prepare the audit").session_id)
    recalled = audit.recall("auditors", 5, reason="to plan the audit")
    print([(quoted.session == billing.id, quoted.text) for quoted in recalled.found])

    print([result.item.text for result in workspace.search_sessions("auditors", 5).literal])
