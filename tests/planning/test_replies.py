"""What becomes of replies: used, repaired once, refused with a remedy; cleaned; and only where they name a section."""

import json

import msgspec
import pytest
from tests.builders import (
    CHOOSE,
    CONTINUE,
    FINISH,
    FIRST_DRAFT,
    Script,
    answering,
    begin,
    bodies_of,
    execute_reply,
    generate_reply,
    kinds_of,
    notes,
    plan_reply,
    sections_reply,
    verify_reply,
)
from workbench.domain.errors import LogDamaged, ModelDenied
from workbench.domain.loop.asking.tasks import PlanReply
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.plan.plan import Amendment, Section
from workbench.domain.session import events as say
from workbench.domain.session.items import as_sent
from workbench.models.answers import Answer as Reply
from workbench.models.ports import Done, Usage
from workbench.models.scripted import CallableModel
from workbench.models.tokens import estimate_prompt
from workbench.planning.policies import approving_all, nobody


async def test_an_unusable_reply_is_repaired_once_with_the_complaint():
    script = Script().then("verify", "All is well!")
    manager = begin(script=script, max_iterations=1)
    state = await manager.run(approving_all())
    assert state.status == "finished"
    first, repair, _ = (request for request in script.requests if request.role == "verifier")
    assert [message.role for message in repair.messages] == ["system", *["user"] * 4, "assistant", "user"]
    assert repair.messages[:5] == first.messages
    assert repair.messages[5].content == "All is well!"
    assert "The reply holds no JSON object." in repair.messages[6].content
    assert [body.attempt for body in bodies_of(manager, say.CallStarted)] == [1, 1, 1, 2, 1, 1, 1]


async def test_a_reply_that_the_reader_does_not_withstand_is_repaired_and_then_asked_about(monkeypatch):
    def broken(*_given):
        raise IndexError("a slip")

    script = Script().then("verify", verify_reply(), verify_reply())
    manager = begin(script=script, max_iterations=1)
    with monkeypatch.context() as patched:
        patched.setattr("workbench.domain.loop.answers.reply_events._verified", broken)
        state = await manager.run(answering(CHOOSE))
    assert (state.gate.kind, script.asked.count("verify")) == ("failure", 2)
    first, second = bodies_of(manager, say.ReplyRejected)
    assert "a slip" not in first.message
    assert first.message == second.message
    assert (await manager.run(approving_all())).status == "finished"


async def test_what_is_wrong_with_the_log_is_no_fault_of_the_reply(monkeypatch):
    def damaged(*_given):
        raise LogDamaged("An event is torn.", "Restore it.")

    manager = begin(max_iterations=1)
    monkeypatch.setattr("workbench.domain.loop.answers.reply_events._verified", damaged)
    with pytest.raises(LogDamaged):
        await manager.run(approving_all())
    assert not bodies_of(manager, say.ReplyRejected)


async def test_numbers_and_depths_that_no_plan_needs_do_not_end_a_session():
    step = {"type": "step", "id": "S1", "title": "Go", "cost": {"amount": "1e9999999", "currency": "EUR"}}
    person = {"type": "person", "id": "P1", "text": "Ada", "weekdays": [8]}
    sections = [{"section": {"id": "steps", "title": "Steps", "items": [step, person]}}]
    text = json.dumps({"title": "P", "amendments": sections})
    deep = text[:-1] + ', "x": ' + "[" * 500 + "]" * 500 + "}"
    manager = begin(script=Script().then("plan", deep, text), max_iterations=1)
    state = await manager.run(approving_all())
    assert (state.status, bodies_of(manager, say.ReplyRejected)[0].call) == ("finished", "c2")
    assert (state.plan.steps[0].cost, state.plan.items[1].weekdays) == (None, ())


async def test_a_repair_asks_for_the_bad_part_and_keeps_the_rest():
    script = Script().then("plan", '{"title": "Our plan", "steps": []}', plan_reply(*FIRST_DRAFT))
    manager = begin(script=script, max_iterations=1)
    state = await manager.run(approving_all())
    assert (state.status, state.plan.title) == ("finished", "Our plan")
    repair = script.requests[2].messages
    assert repair[-2].content == '{"title": "Our plan", "steps": []}'
    assert repair[-1].content.endswith("holds only `steps`, all of it; the rest of your answer is kept.")


async def test_a_second_unusable_reply_opens_a_gate_and_resuming_asks_again():
    script = Script().then("verify", "no", "no again", "no", verify_reply())
    manager = begin(script=script, max_iterations=1)
    state = await manager.run(answering(CHOOSE))
    assert (state.status, state.failure.error, state.gate.kind) == ("waiting", "ModelReplyInvalid", "failure")
    assert state.gate.question.startswith("The verifier has not answered: ")
    paid = len(script.asked)

    assert (await manager.run(nobody)).status == "waiting", "running again buys nothing by itself"
    assert len(script.asked) == paid

    await manager.resume()
    state = await manager.run(approving_all())
    assert state.status == "finished"
    assert script.asked[paid:] == ["verify", "verify", "execute", "generate", "verify"]


async def test_a_model_that_fails_keeps_what_was_there_and_says_what_to_do():
    script = Script().then("execute", ModelDenied("The key is wrong.", "Set another key."))
    manager = begin(script=script, max_iterations=1)
    state = await manager.run(answering(CHOOSE, FINISH))
    assert (state.failure.error, state.failure.message, state.failure.remedy) == (
        "ModelDenied",
        "The key is wrong.",
        "Set another key.",
    )
    assert state.plan is not None
    await manager.resume()
    assert (await manager.run(approving_all())).status == "finished"
    assert script.asked == ["propose", "plan", "verify", "execute", "execute", "generate", "verify"]


async def test_json_nested_without_end_is_unusable_and_no_crash():
    deep = '{"findings":' + "[" * 100_000 + "]" * 100_000 + "}"
    manager = begin(script=Script().then("verify", deep), max_iterations=1)
    state = await manager.run(approving_all())
    assert state.status == "finished"
    [rejected] = bodies_of(manager, say.ReplyRejected)
    assert "nested too deeply" in rejected.message


async def test_a_huge_reply_is_kept_whole():
    text = "# Deliverable\n\n" + "word " * 39_000
    manager = begin(script=Script().then("generate", generate_reply(text)), max_iterations=1)
    state = await manager.run(approving_all())
    assert state.iterations[-1].deliverable == text


async def test_control_characters_in_a_reply_are_made_visible():
    """Escaped in JSON they pass the first cleaning; once decoded they are cleaned again."""
    hostile = json.dumps({"deliverable": "\x1b]0;owned\x07 \u202e", "insights": ["\x9b2J", "a\x00b"]})
    assert "\\u001b" in hostile
    manager = begin(script=Script().then("generate", hostile), max_iterations=1)
    state = await manager.run(approving_all())
    assert state.iterations[-1].deliverable == "␛]0;owned␇ ⟨U+202E⟩"
    assert state.iterations[-1].key_insights[-2:] == ("⟨U+009B⟩2J", "a␀b")


async def test_a_failure_is_recorded_whatever_its_message_holds():
    error = ModelDenied("\x1b]0;owned\x07 half \ud83d", "Do \u202e nothing.")
    manager = begin(script=Script().then("propose", error))
    state = await manager.run(nobody)
    assert state.failure.message == "␛]0;owned␇ half ⟨U+D83D⟩"
    assert state.failure.remedy == "Do ⟨U+202E⟩ nothing."


async def test_only_the_sections_that_an_amendment_names_are_other_ones():
    script = Script()
    manager = begin(script=script)
    await manager.run(answering(CHOOSE))
    before = manager.state.plan
    script.then("plan", plan_reply(notes("Only this.")))
    await manager.run(answering(CONTINUE))
    after = manager.state.plan
    for name in ("goal", "criteria", "steps"):
        assert msgspec.json.encode(after.section(name)) == msgspec.json.encode(before.section(name))
    assert after.section("notes").text == "Only this."


async def test_sections_are_put_where_they_belong_and_stay_until_a_person_accepts_that_they_go():
    script = Script()
    manager = begin(script=script)
    await manager.run(answering(CHOOSE))
    amendments = (
        Amendment(section=notes(""), remove=True),
        Amendment(section=Section(id="risks", title="Risks", text="None"), after="goal"),
    )
    script.then("plan", msgspec.json.encode(PlanReply(title="", amendments=amendments)).decode())
    await manager.run(answering(CONTINUE))
    ids = ["goal", "risks", "criteria", "steps"]
    assert [section.id for section in manager.state.plan.sections] == [*ids, "notes"]
    await manager.run(answering(Answer(kind="remove")))
    assert [section.id for section in manager.state.plan.sections] == ids


@pytest.mark.parametrize(
    ("reply", "why"),
    [(plan_reply(title="Nothing"), "steps hold no step"), (sections_reply(title="Nothing"), "hold no section")],
)
async def test_a_first_draft_without_steps_or_sections_is_unusable(reply, why):
    script = Script().then("plan", reply)
    manager = begin(script=script, max_iterations=1)
    await manager.run(approving_all())
    assert why in bodies_of(manager, say.ReplyRejected)[0].message


async def test_each_role_gets_the_artefacts_it_needs_and_no_replies():
    script = Script().then("execute", execute_reply(insights=["Exports are slow"]))
    manager = begin(script=script, max_iterations=1)
    await manager.run(approving_all())
    plan, verify, execute, generate, page = (request.task for request in script.requests[1:])
    assert plan.plan is None
    assert plan.approach.id == "A1"
    assert verify.plan == execute.plan == generate.plan == manager.state.plan
    assert "{plan.ready}" in generate.references
    assert page.page.startswith("# Move billing")
    assert [action.text for action in generate.actions] == ["Export the customers"]
    assert manager.iteration_history[-1].key_insights == (
        "Insight 1 on planning: the ledger is the truth.",
        "Exports are slow",
    )


async def test_usage_is_what_the_provider_said_or_an_estimate_that_says_so():
    answers = iter([Usage(input_tokens=70, output_tokens=30, cost=0.02), None])

    def answer(request):
        usage = next(answers, None)
        return Reply(text=Script()(request), usage=usage, done=Done(reason="stop", model="m\x1b-2"))

    manager = begin(model=CallableModel(answer, name="priced"), max_iterations=1)
    state = await manager.run(approving_all())
    first, second, *_ = bodies_of(manager, say.CallFinished)
    assert (first.input_tokens, first.output_tokens, first.cost, first.estimated) == (70, 30, 0.02, False)
    assert second.estimated
    assert second.cost is None
    assert second.input_tokens > 100
    assert first.model == "m␛-2"
    assert state.spent.cost is None


async def test_the_exact_prompt_and_parameters_are_in_the_log_before_the_reply():
    script = Script()
    manager = begin(script=script, max_iterations=1)
    state = await manager.run(approving_all())
    for request, started in zip(script.requests, bodies_of(manager, say.CallStarted), strict=True):
        assert [(one.role, one.content) for one in as_sent(started.messages, state)] == [
            (one.role, one.content) for one in request.messages
        ]
        assert [one.content for one in started.messages if one.item] == [""], "what was said is not written twice"
        assert started.estimated_tokens == sum(started.context.tokens.values()) == estimate_prompt(request.messages)
        assert started.parameters["idle"] == request.parameters.idle
        assert len(started.prompt_hash) == 64
    kinds = kinds_of(manager)
    assert all(kinds[at + 1] == "call.finished" for at, kind in enumerate(kinds) if kind == "call.started")
