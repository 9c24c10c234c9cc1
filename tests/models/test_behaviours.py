"""A session with each behaviour of a server: what the person sees, what was bought, and that it goes on."""

import asyncio
import json
from dataclasses import replace

import pytest
from tests.builders import Script, again, begin, bodies_of, events_of, log_of
from tests.models.behaviours import BEHAVIOURS
from tests.models.behaviours.behaviour import reply_to
from tests.models.conftest import KEY
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.models.embeddings import HashedWords
from workbench.planning.memory.remembering import Said, remember
from workbench.planning.policies import approving_all
from workbench.replay.audit import audit
from workbench.replay.verification import verify

NOTE = "Note {0}: we decided that part {0} costs {0} euros, whatever anybody says about it, and is done by Friday."
NAMED = {behaviour.name: behaviour for behaviour in BEHAVIOURS}


def plays(server, behaviour):
    """Let a server behave."""

    def answer(handler):
        body = handler.server.requests[-1]["body"]
        behaviour.server(body, reply_to(body), len(handler.server.requests) - 1)(handler)

    server.pages.update(behaviour.pages)
    server.will(answer)


def told(manager):
    """What a person is told on the way, in order."""
    for event in events_of(manager):
        match say.content(event):
            case say.CallRetried(reason=text) | say.CallNoted(note=text) | say.CallAbandoned(reason=text):
                yield text
            case say.ReplyRejected(message=text):
                yield text
            case say.ReplyMended(notes=notes):
                yield " ".join(notes)


def assert_told(manager, expected):
    """These are told in this order, and where nothing is expected, nothing."""
    texts = list(told(manager))
    rest = iter(texts)
    for part in expected:
        assert any(part in text for text in rest), (part, texts)
    assert expected or not texts


async def approving_the_rest(state, gate):
    """Approve everything, and leave a failure to a person."""
    return None if gate.kind == "failure" else await approving_all()(state, gate)


@pytest.mark.cases(4)
@pytest.mark.parametrize("name", NAMED)
async def test_a_session_with_a_server_that_behaves_so(server, model_of, name):
    behaviour = NAMED[name]
    plays(server, behaviour)
    model = model_of(behaviour.protocol, behaviour.model, **{"window": None, **behaviour.options})
    bounds = say.Bounds(max_tokens=behaviour.max_tokens, max_cost=behaviour.max_cost)
    rounds = behaviour.iterations
    manager = await asyncio.to_thread(lambda: begin(model=model, max_iterations=rounds, bounds=bounds))
    list(remember(manager._session, [Said(NOTE.format(number)) for number in range(behaviour.said)]))

    state = await manager.run(approving_the_rest)

    # what the person sees
    if behaviour.asks:
        assert server.requests == []
        assert behaviour.asks in state.gate.question
        await manager.answer(state.gate, Answer(kind="continue"))
        state = await manager.run(approving_the_rest)
    assert_told(manager, behaviour.told)
    if behaviour.fails:
        assert (state.status, state.gate.kind) == ("waiting", "failure")
        assert behaviour.fails in state.failure.message
        assert state.failure.remedy
        assert "Answer with" not in f"{state.failure.message} {state.failure.remedy}", "that is said to the model"
    else:
        assert (state.failure, state.status) == (None, "finished")
        assert [step.title for step in state.plan.steps][:2] == ["Copy the customers", "Switch invoices over"]
        assert state.iterations[-1].deliverable == "# Billing moves in June\n\nNobody notices."
    assert KEY not in json.dumps([bytes(event.body).decode() for event in events_of(manager)])

    # what was bought
    bodies = [request["body"] for request in server.requests]
    assert behaviour.requests in (None, len(bodies))
    assert behaviour.sent is None or behaviour.sent(bodies)
    assert all(call.input_tokens and call.output_tokens for call in bodies_of(manager, say.CallFinished))
    if behaviour.tokens is not None:
        assert (state.spent.input_tokens, state.spent.output_tokens) == behaviour.tokens
    assert state.spent.cached_tokens == behaviour.cached
    assert state.spent.cost == (pytest.approx(behaviour.cost) if behaviour.cost is not None else None)

    # that it goes on, and can be proved
    if behaviour.fails:
        another = {"model": model} if behaviour.is_fixed else {"script": Script()}
        later = again(log_of(manager), manager.session_id, **another)
        await later.resume()
        assert (await later.run(approving_all())).status == "finished"
    assert audit(events_of(manager)).violations == ()
    found = verify(events_of(manager), lambda _name: [HashedWords()])
    assert (found.difference, found.unchecked) == (None, ())


def test_there_are_many_behaviours_each_with_its_name():
    assert len(NAMED) == len(BEHAVIOURS) >= 60
    assert {replace(behaviour, name="").protocol for behaviour in BEHAVIOURS} == {"openai", "anthropic", "google"}
