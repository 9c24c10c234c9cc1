"""What is not built does not pretend to be there: no tools are offered, and none are run (docs/adr/0007)."""

from tests.builders import Script, begin, bodies_of, kinds_of, propose_reply
from workbench.domain.session import events as say
from workbench.models.answers import Answer as Reply
from workbench.models.ports import Done, ToolCall
from workbench.models.scripted import CallableModel
from workbench.planning.policies import nobody

CALL = ToolCall(id="t1", name="shell", arguments='{"command": "rm -rf /"}')


async def test_a_tool_call_that_nobody_asked_for_does_nothing_and_its_reply_is_refused():
    replies = iter([Reply(text="", tool_calls=(CALL,), done=Done(reason="tool", model="m"))])

    def answer(request):
        return next(replies, None) or Script()(request)

    manager = begin(model=CallableModel(answer, name="eager"))
    state = await manager.run(nobody)
    assert state.gate.kind == "approach"
    [rejected] = bodies_of(manager, say.ReplyRejected)
    assert "no JSON object" in rejected.message
    assert [kind for kind in kinds_of(manager) if kind.startswith("call.")] == ["call.started", "call.finished"] * 2
    assert b"rm -rf" not in b"".join(bytes(event.body) for event in manager._session._log.read(manager.session_id))


async def test_a_tool_call_beside_an_answer_changes_nothing_about_the_answer():
    def answer(_request):
        return Reply(text=propose_reply(), tool_calls=(CALL,), done=Done(reason="stop", model="m"))

    state = await begin(model=CallableModel(answer, name="eager")).run(nobody)
    assert [approach.id for approach in state.approaches] == ["A1", "A2", "A3"]
