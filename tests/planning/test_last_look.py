"""At the finish the verifier reads the page as it is handed out; what it finds is mended once, and the page renewed."""

from __future__ import annotations

import asyncio
import json
import re

from msgspec.structs import replace
from tests.builders import FINISH, STEPS, Script, answering, asked_of, plan_reply, verify_reply
from tests.planning.test_statements import planned
from workbench.domain.errors import ModelUnreachable
from workbench.domain.handout import hand_out
from workbench.domain.loop.asking.tasks import Finding
from workbench.models.ports import Request
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import approving_all

GONE = ModelUnreachable("No network.", "Connect.")
PARTS = "## Way\n\nAs told.\n\n## End\n\nDone.\n"
PAGE = f"# Billing moves\n\nIt ends on {{S2.end}}.\n\n{PARTS}"
CLOSED = Finding(rule="model", severity="major", text="The bank is closed then.", item="S2", remedy="S2: not_before")
BADLY = Finding(rule="model", severity="minor", section="page", text="It promises too much.", remedy="Leave it out.")
LATER = json.dumps({"steps": [{"id": "S2", "not_before": "2026-03-16", "because": ["V1"]}], "statements": []})


def at_the_finish(*looks: str, **then: list[object]) -> tuple[IterationManager, list[Request]]:
    """Return a session after its finish, and what was asked for it. ``looks``: what the verifier says of the page."""
    script = Script()
    manager = planned(script=script, max_iterations=1)
    paid = len(script.requests)
    script.then("generate", PAGE).then("verify", *looks)
    for task, replies in then.items():
        script.then(task, *replies)  # type: ignore[arg-type]  # replies and errors, as a script takes them
    asyncio.run(manager.run(approving_all()))
    return manager, script.requests[paid:]


def asked(requests: list[Request]) -> list[str]:
    return [type(one.task).__name__.removesuffix("Task").lower() for one in requests]


def test_the_verifier_reads_the_page_in_place_of_the_plan():
    manager, requests = at_the_finish()
    assert asked(requests) == ["execute", "generate", "verify"]
    assert not any("S2 · Switch" in one.content for one in requests[-1].messages)
    last = asked_of(requests[-1])
    assert "| Copy the customers | Data lead |" in last
    assert "This is the last reading before" in last
    assert "U1 (goal;" not in last, "it stands above word for word, and is done"
    assert any(one.content == manager.state.goal for one in requests[-1].messages)
    assert manager.session_id not in last
    assert manager.state.status == "finished"


def test_what_it_finds_in_a_step_is_mended_and_the_page_renewed():
    manager, requests = at_the_finish(verify_reply(CLOSED), plan=[LATER], generate=[f"# Later\n\n{PARTS}"])
    assert asked(requests) == ["execute", "generate", "verify", "plan", "generate"]
    mending, renewal = map(asked_of, requests[-2:])
    assert "V1 (judged, major) S2: The bank is closed then. Remedy: S2: not_before" in mending
    assert "change nothing else" in mending
    assert '<input name="document">\n# Billing moves' in renewal
    assert '<input name="changed">\n[\n"S2"\n]' in renewal
    assert "closed" not in renewal, "it is mended"
    page = hand_out(manager.state)
    assert page.startswith("# Later\n\n## Way")
    assert manager.state.saved_version == manager.state.version
    assert {one.rule for one in manager.state.findings} == set()


def test_a_minor_finding_in_a_step_is_mended_too():
    minor = replace(CLOSED, severity="minor")
    manager, requests = at_the_finish(verify_reply(minor), plan=[LATER], generate=[f"# Later\n\n{PARTS}"])
    assert asked(requests)[-3:] == ["verify", "plan", "generate"], "once, and nobody reads it again"
    assert manager.state.findings == ()


def test_the_ids_in_a_page_of_its_writers_own_stand_in_what_the_verifier_reads():
    script = Script()
    manager = planned(script=script, max_iterations=1)
    script.then("generate", "# Own\n\nIt ends on {S2.end} (S2).\n\n## Way\n\nGo (S1).\n\n## End\n\nDone.\n")
    asyncio.run(manager.run(approving_all()))
    read = next(one for one in script.requests if type(one.task).__name__ == "VerifyTask" and one.task.page)
    assert re.search(r"It ends on \w{3} .* \(S2\)\.", asked_of(read))
    assert "(S" not in hand_out(manager.state)


def test_what_it_finds_in_the_words_alone_is_written_again():
    manager, requests = at_the_finish(verify_reply(BADLY), generate=[f"# Better\n\n{PARTS}"])
    assert asked(requests)[-2:] == ["verify", "generate"], "no planner, who cannot mend it"
    assert "page: It promises too much. Remedy: Leave it out." in requests[-1].messages[-1].content
    assert hand_out(manager.state).startswith("# Better\n\n## Way")
    assert manager.state.findings == ()
    manager, requests = at_the_finish(verify_reply(BADLY, CLOSED), plan=[LATER], generate=[f"# Better\n\n{PARTS}"])
    assert asked(requests)[-2:] == ["plan", "generate"]
    assert "It promises" not in asked_of(requests[-2])
    assert manager.state.findings == ()


def test_a_call_that_fails_at_the_end_takes_nothing_away():
    manager, requests = at_the_finish(verify_reply(CLOSED), plan=[GONE, GONE], generate=[GONE, GONE])
    assert asked(requests)[-4:] == ["plan", "plan", "generate", "generate"]
    assert manager.state.status == "finished"
    assert "It ends on " in hand_out(manager.state)
    manager, requests = at_the_finish(*[GONE] * 2)  # type: ignore[arg-type]  # errors, as a script takes them
    assert asked(requests)[-2:] == ["verify", "verify"]
    assert manager.state.status == "finished"


def test_a_page_that_was_read_is_not_read_again():
    script = Script()
    manager = planned(script=script, max_iterations=1)
    asyncio.run(manager.run(approving_all()))
    paid = len(script.asked)
    script.then("plan", plan_reply(statements=[{"id": "U2", "state": "answered", "note": "It is."}]))
    asyncio.run(manager.reopen("Is it good?"))
    asyncio.run(manager.run(answering(FINISH)))
    assert script.asked[paid:] == ["plan", "verify"]


def test_removals_without_a_cause_are_asked_about_before_the_page_is_renewed():
    removing = json.dumps({"remove": [{"id": STEPS.items[0].id, "because": []}], "statements": []})
    script = Script()
    manager = planned(script=script, max_iterations=1)
    script.then("generate", PAGE).then("verify", verify_reply(CLOSED)).then("plan", removing)
    asyncio.run(manager.run(answering(FINISH)))
    assert manager.state.gate is not None
    assert manager.state.gate.kind == "removal"
    asyncio.run(manager.run(approving_all()))
    assert manager.state.status == "finished"
    assert "S1" in {step.id for step in manager.state.plan.steps}
