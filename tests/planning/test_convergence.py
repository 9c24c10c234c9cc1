"""When it ends early, when it asks, and how a finished session goes on."""

from tests.builders import (
    CHOOSE,
    CONTINUE,
    FINISH,
    FIRST_DRAFT,
    Script,
    answering,
    begin,
    feedback_of,
    notes,
    plan_reply,
    verify_reply,
)
from workbench.domain.loop.asking.tasks import Finding
from workbench.planning.policies import approving_all

LONG = "word " * 400


def settled(*replies):
    """A draft, then these replies."""
    return Script().then("plan", plan_reply(*FIRST_DRAFT, notes(LONG), title="P"), *replies)


async def test_ends_early_when_little_changes_and_says_why():
    manager = begin(script=settled(plan_reply(notes(LONG + "one more"))), max_iterations=5, checkpoint_interval=5)
    state = await manager.run(approving_all())
    assert (state.finished.reason, len(state.iterations)) == ("converged", 2)
    assert 0 < state.iterations[-1].change < 0.05
    assert state.saved_version == 2


async def test_does_not_converge_when_five_percent_changed():
    other = settled(plan_reply(notes(LONG + "other " * 70)))
    manager = begin(script=other, max_iterations=3, checkpoint_interval=2)
    state = await manager.run(answering(CHOOSE))
    assert state.iterations[-1].change >= 0.05
    assert state.gate.reason == "interval"


async def test_does_not_converge_with_a_major_finding_open():
    finding = Finding(rule="model", severity="major", text="No rollback")
    script = settled(*[plan_reply()] * 3).always("verify", verify_reply(finding))
    state = await begin(script=script, max_iterations=2).run(answering(CHOOSE))
    assert state.gate.reason == "unchanged"
    assert "1 major finding open" in state.gate.question


async def test_the_last_iteration_asks_and_going_on_adds_iterations():
    manager = begin(max_iterations=1, checkpoint_interval=2)
    state = await manager.run(answering(CHOOSE))
    assert (state.gate.reason, state.limit) == ("last", 1)
    assert state.gate.choices[0].consequence.startswith("up to 2 more iterations")
    state = await manager.run(answering(CONTINUE))
    assert (state.limit, len(state.iterations), state.gate.reason) == (3, 2, "interval")
    state = await manager.run(answering(CONTINUE))
    assert (len(state.iterations), state.gate.reason) == (3, "last")


async def test_a_finished_session_is_reopened_with_feedback_for_one_more_iteration():
    script = Script()
    manager = begin(script=script, max_iterations=1)
    finished = await manager.run(approving_all())
    await manager.reopen("  Add a rollback ")
    state = await manager.run(answering())
    assert (script.asked[-2:], feedback_of(script.requests[-2])) == (["plan", "verify"], ["Add a rollback"])
    assert (len(state.iterations), state.gate.reason, state.finished) == (2, "last", None)
    assert state.version == finished.version + 1
    state = await manager.run(answering(FINISH))
    assert (state.status, state.saved_version) == ("finished", 2)


# --- told -------------------------------------------------------------------------------------------------------------


def finding(severity: str, text: str) -> Finding:
    return Finding(rule="model", severity=severity, text=text)
