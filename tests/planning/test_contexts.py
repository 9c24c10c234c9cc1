"""What a call is sent of conversation and memory: fitted, condensed with a way back, recorded item by item."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import GOAL, Script, again, begin, bodies_of, events_of, log_of
from workbench.context.condense import ELIDE
from workbench.domain.errors import ModelUnreachable
from workbench.domain.loop.agents import new_agent
from workbench.domain.session import events as say
from workbench.models.scripted import CallableModel
from workbench.models.tokens import estimate_prompt
from workbench.planning.memory.remembering import Said, remember
from workbench.planning.policies import approving_all
from workbench.replay.contexts import calls_of, context_of

NOVA, ANIZA = new_agent("nova", "You are Nova."), new_agent("aniza", "You are Aniza.")
WINDOW = 10_000
NOTE = "Note {0}: we decided that part {0} costs {0} euros, whatever anybody says about it, and is done by Friday."


def notes(count: int) -> list[Said]:
    return [Said(NOTE.format(number)) for number in range(count)]


def long_session(script: Script, count: int = 300, window: int = WINDOW, **options):
    """A session whose conversation does not fit its model's window."""
    manager = begin(model=CallableModel(script, name="told", window=window), max_iterations=1, **options)
    list(remember(manager._session, notes(count)))
    return manager


def summarising(text: str = "They decided on Friday.") -> Script:
    return Script().always("condense", text)


def contexts(manager):
    events = events_of(manager)
    return [context_of(events, heading.call) for heading in calls_of(events)]


async def test_every_call_of_every_role_has_its_ledger_and_the_sections_sum_up_to_the_prompt():
    script = Script()
    manager = begin(script=script, max_iterations=1)
    await manager.run(approving_all())
    sent = contexts(manager)
    roles = ["planner", "planner", "verifier", "executor", "generator", "verifier"]
    assert [one.heading.role for one in sent] == roles
    for request, one in zip(script.requests, sent, strict=True):
        assert [item.text for item in one.current_conversation] == [GOAL]
        assert sum(one.tokens.values()) == one.heading.tokens == estimate_prompt(request.messages)
        assert [message.content for message in one.prompt] == [message.content for message in request.messages]


async def test_002_the_history_grows_with_every_input_and_the_next_turn_has_it_all():
    manager = begin(script=Script().then("chat", "300 euros.", "200 euros."))
    manager.add_agent(NOVA)
    await manager.ask("nova", "What does the printer cost?")
    await manager.ask("nova", "And the other one?")
    first, second = ([item.text for item in one.current_conversation] for one in contexts(manager))
    assert first == [GOAL, "What does the printer cost?"]
    assert second == [*first, "300 euros.", "And the other one?"]


async def test_a_model_condenses_the_oldest_part_and_its_summary_is_quoted_with_who_wrote_it():
    script = summarising()
    manager = long_session(script)
    await manager.run(approving_all())
    assert manager.state.finished is not None
    assert script.asked[:2] == ["condense", "propose"]
    [propose] = [one for one in contexts(manager) if one.heading.task == "propose"]
    summary, *rest = propose.current_conversation
    assert (summary.source, summary.by, summary.text) == ("summary", "told", "They decided on Friday.")
    told = propose.prompt[1]
    assert told.role == "user"
    assert told.content.startswith('<input name="summary_of_what_came_before" by="told">')
    assert rest[-1].text == NOTE.format(299)
    assert propose.heading.tokens <= propose.limit < WINDOW
    receipt = propose.receipts[0]
    assert (receipt.what, receipt.by, receipt.way_back) == ("condensed", "told", summary.id)
    assert receipt.tokens_after < receipt.tokens_before


@pytest.mark.parametrize(
    "said", [ModelUnreachable("Gone.", "Wait."), "", "word " * 6_000], ids=["failing", "empty", "longer"]
)
async def test_where_no_model_can_condense_it_is_done_by_rule_and_nothing_is_lost(said):
    script = Script().always("condense", said)
    manager = long_session(script)
    await manager.run(approving_all())
    assert manager.state.finished is not None
    assert ("condense", "condense") not in set(pairwise(script.asked)), "each view is tried once before its call"
    assert set(script.asked) == {"condense", "propose", "plan", "verify", "execute", "generate"}
    assert {body.summary.by for body in bodies_of(manager, say.ConversationCondensed)} == {ELIDE}
    assert len(manager.state.history) >= 301


async def test_what_a_person_pins_survives_word_for_word_and_what_they_exclude_is_gone_even_from_summaries():
    manager = long_session(Script().always("condense", lambda request: "They said: " + request.task.said[1][-60:]))
    state = manager.state
    first, second = (f"message:{said.id}" for said in state.history[1:3])
    await manager.mark(manager.session_id, first, "pinned")
    await manager.propose_approach()
    propose = contexts(manager)[-1]
    assert NOTE.format(0) in [one.text for one in propose.current_conversation if one.pinned]
    assert second in propose.current_conversation[0].covers
    await manager.mark(manager.session_id, second, "excluded")
    await manager.process_user_feedback("Other approaches, please")
    await manager.propose_approach()
    after = contexts(manager)[-1]
    assert NOTE.format(0) in [one.text for one in after.current_conversation]
    assert second not in {leaf for one in after.current_conversation for leaf in (one.id, *one.covers)}
    assert not any(NOTE.format(1) in message.content for message in after.prompt)


async def test_a_window_without_room_for_the_task_fails_with_a_remedy_and_a_larger_one_goes_on():
    script = Script()
    manager = begin(model=CallableModel(script, name="small", window=700), max_iterations=1)
    state = await manager.run(approving_all())
    assert (state.status, state.failure.error, script.asked) == ("waiting", "ContextTooSmall", [])
    assert "larger window" in state.failure.remedy
    assert state.spent.tokens == 0
    larger = again(log_of(manager), manager.session_id, script=script)
    await larger.resume()
    assert (await larger.run(approving_all())).status == "finished"


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    sizes=st.lists(st.integers(1, 400), max_size=60),
    window=st.integers(2_000, 20_000),
    summary=st.sampled_from(["Short.", "", "long " * 2_000]),
)
async def test_no_prompt_ever_passes_its_window(sizes, window, summary):
    script = Script().always("condense", summary)
    manager = begin(model=CallableModel(script, name="told", window=window), max_iterations=1)
    said = [Said(f"Note {n}: " + 'we say "so" <input> again ' * size) for n, size in enumerate(sizes)]
    list(remember(manager._session, said))
    state = await manager.run(approving_all())
    assert (
        state.finished is not None
        or (state.failure.error, state.spent.tokens) == ("ContextTooSmall", 0)
        or script.asked
    )
    for request, one in zip(script.requests, contexts(manager), strict=False):
        assert estimate_prompt(request.messages) <= one.limit or not one.window  # a summarising call has no window
        assert estimate_prompt(request.messages) < window
        assert sum(one.tokens.values()) == one.heading.tokens
        ids = [(item.session, item.id) for item in (*one.current_conversation, *one.relevant_history, *one.dropped)]
        assert len(ids) == len(set(ids))


def over_and_over(_request):
    return "It was decided that the first part comes first. " * 12


def too_long(_request):
    return " ".join(f"Part {number} was talked about at some length." for number in range(160))


def without_the_fact(request):
    asks = any("12,500 euros" in said for said in request.task.said)
    return "They want it to be cheap." if asks else "They talked about parts."


def with_the_fact(request):
    asks = any("12,500 euros" in said for said in request.task.said)
    return "They spend 12.500 euros at most." if asks else "They talked about parts."


@pytest.mark.parametrize(
    ("summary", "why"),
    [
        (over_and_over, "says the same over and over"),
        (too_long, "tokens; 1,000 were asked for"),
        (without_the_fact, "loses “Spend at most 12,500 euros.”"),
        (with_the_fact, ""),
    ],
)
async def test_a_summary_that_is_none_is_refused_and_the_one_by_rule_stands(summary, why):
    script = Script().always("condense", summary)
    manager = begin(model=CallableModel(script, name="told", window=WINDOW), max_iterations=1)
    await manager.propose_approach()
    await manager.process_user_feedback("Spend at most 12,500 euros.")
    list(remember(manager._session, notes(300)))
    state = await manager.run(approving_all())
    assert state.status == "finished"
    rejected = [body.message for body in bodies_of(manager, say.ReplyRejected)]
    assert all(why in message for message in rejected)
    assert bool(rejected) is bool(why)
    by = {body.summary.by for body in bodies_of(manager, say.ConversationCondensed)}
    if why and summary is not without_the_fact:
        assert all(one.startswith("rule: ") for one in by)
    assert by >= ({ELIDE} if why else {"told"})


SECRET = "Nova's own words on the matter, which nobody else has said or seen"


@pytest.mark.full
async def test_an_agents_words_are_in_its_own_summary_and_in_nobody_elses():
    script = Script().then("chat", *[f"{SECRET} ({n})." for n in range(40)])
    script.always("condense", lambda request: "\n".join(request.task.said)[:2_000])
    manager = long_session(script, count=0)
    for agent in (NOVA, ANIZA):
        manager.add_agent(agent)
    for n in range(40):
        await manager.ask("nova", f"Question {n}? " + "It matters a great deal to all of us here. " * 30)
    await manager.ask("aniza", "And what do you say?")
    assert SECRET in manager.state.summary_for("nova").text
    assert "Question 0?" in manager.state.summary_for("aniza").text
    assert SECRET not in manager.state.summary_for("aniza").text
    for one in contexts(manager):
        if one.heading.role == "aniza":
            assert not any(SECRET in message.content for message in one.prompt)
