"""What a small model is asked: a first plan in parts, each kept as it arrives."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
from itertools import chain, repeat
from pathlib import Path

import pytest
from tests.builders import again, begin, bodies_of, events_of, log_of
from tests.models.behaviours.behaviour import reply_to
from tests.models.conftest import KEY
from tests.models.fake_openai import hanging, status, text
from tests.models.played import WINDOW, Wrong, play
from tests.models.test_behaviours import approving_the_rest
from workbench import Workspace
from workbench.cli import run_command
from workbench.domain.loop.answers.item_reply import ItemReply
from workbench.domain.loop.answers.reply_schema import part_of_schema, reply_schema
from workbench.domain.loop.asking.tasks import PlanTask
from workbench.domain.session import events as say
from workbench.models.embeddings import HashedWords
from workbench.models.own_settings import ModelSettings
from workbench.models.small import PARTS
from workbench.planning.policies import approving_all
from workbench.replay.audit import audit
from workbench.replay.verification import verify

PROGRAM = (sys.executable, "-m", "workbench")
ANSWERS = {
    "steps": {
        "title": "Billing",
        "steps": [
            {"id": "new1", "title": "Copy the customers", "effort": {"likely": 2}},
            {"id": "new2", "title": "Switch invoices over", "needs": ["new1"], "effort": "lots"},
            "Tell everybody",
        ],
    },
    "criteria": {"criteria": [{"id": "new3", "text": "All invoices are out"}], "risks": [{"id": "new4", "text": 7}]},
    "questions": {"questions": [{"id": "new5", "text": "Who signs?"}], "statements": [], "steps": []},
}
"""What a small model answers to the part that asks for a list: one field in three is wrong."""


def part_of(body):
    """Return which part a request asks for; "" for none."""
    named = re.search(r"Now only with ([^:]*):", json.dumps(body))
    return next((name for name in ANSWERS if named and f"`{name}`" in named[1]), "")


def plays(server, failing=()):
    """Let a server answer as a small model does; the first request for each part of ``failing`` fails so."""
    failing = dict(failing)

    def answer(handler):
        body = handler.server.requests[-1]["body"]
        part = part_of(body)
        if part in failing:
            failing.pop(part)(handler)
        else:
            text(json.dumps(ANSWERS[part]) if part else reply_to(body))(handler)

    server.will(answer)


def parts_asked(server):
    return [part for request in server.requests if (part := part_of(request["body"]))]


@pytest.mark.parametrize(
    ("failing", "asked", "noted"),
    [
        ({}, ["steps", "criteria", "questions"], "Part 1 of 3 came: steps (2)."),
        ({"criteria": text("I cannot say.")}, ["steps", "criteria", "questions"], "Part 2 of 3 came: nothing."),
        ({"criteria": status(401, "no")}, ["steps", "criteria", "questions"], "Part 2 of 3 did not come: "),
        (
            {"criteria": status(503, "no")},
            ["steps", "criteria", "criteria", "questions"],
            "Part 2 of 3 came: criteria (1), ",
        ),
    ],
)
async def test_a_session_of_a_small_model_finishes_and_asks_for_nothing_twice(server, model_of, failing, asked, noted):
    plays(server, failing)
    model = model_of(own=ModelSettings(small=True, window=8_192))
    manager = await asyncio.to_thread(lambda: begin(model=model, max_iterations=1))
    state = await manager.run(approving_all())
    assert (state.status, state.failure) == ("finished", None)
    assert [step.title for step in state.plan.steps] == ["Copy the customers", "Switch invoices over"]
    assert state.plan.steps[1].needs == (state.plan.steps[0].id,)
    assert parts_asked(server) == asked
    assert any(body.note.startswith(noted) for body in bodies_of(manager, say.CallNoted))
    finished = bodies_of(manager, say.CallFinished)
    assert sum(one.input_tokens for one in finished) == state.spent.input_tokens > 0
    assert audit(events_of(manager)).violations == ()


async def test_a_part_that_fails_at_first_fails_the_draft_and_is_asked_again(server, model_of):
    plays(server, {"steps": status(401, "no")})
    model = model_of(own=ModelSettings(small=True))
    manager = await asyncio.to_thread(lambda: begin(model=model, max_iterations=1))
    state = await manager.run(approving_the_rest)
    assert state.gate.kind == "failure"
    later = again(log_of(manager), manager.session_id, model=model)
    await later.resume()
    assert (await later.run(approving_all())).status == "finished"
    assert parts_asked(server) == ["steps", "steps", "criteria", "questions"]


@pytest.mark.cases(1)
@pytest.mark.parametrize(("ends", "at"), [(signal.SIGKILL, "criteria"), (signal.SIGINT, "questions")])
def test_parts_that_arrived_before_an_interruption_are_not_asked_for_again(server, tmp_path, monkeypatch, ends, at):
    environ = os.environ | {"OPENAI_API_KEY": KEY, "PYTHONPATH": str(Path(__file__).parents[2])}
    options = {"cwd": tmp_path, "env": environ, "stderr": subprocess.DEVNULL}
    asked_first, never = threading.Event(), threading.Event()

    def hangs(handler):
        asked_first.set()
        hanging(until=never)(handler)

    plays(server, {at: hangs})
    model = ("--model", "openai:own-8b", "--base-url", server.base_url)
    begin = [*PROGRAM, "run", "Move our billing", *model, "--approve", "all"]
    with subprocess.Popen(begin, stdout=subprocess.DEVNULL, **options) as first:
        assert asked_first.wait(60)
        first.send_signal(ends)
        assert first.wait() != 0
    [file] = (tmp_path / ".workbench" / "sessions").glob("*.jsonl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert run_command(["resume", file.stem, "--approve", "all"]) == 0
    assert sorted(parts_asked(server)) == sorted(["steps", "criteria", "questions", at])
    with Workspace.open(tmp_path) as workspace:
        session = workspace.session(file.stem)
        assert [step.title for step in session.state().plan.steps] == ["Copy the customers", "Switch invoices over"]
        assert session.state().status == "finished"
        assert session.verify().difference is None


@pytest.mark.cases(1)
@pytest.mark.parametrize("before", [0, 1, 2])
async def test_a_session_that_a_reader_played_as_a_small_model_finishes_and_nothing_is_asked_again(
    server, monkeypatch, before
):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    kept = json.loads(Path(__file__).with_name("played.json").read_text())
    replies = {asked: chain(texts, repeat(texts[-1])) for asked, texts in kept.items()}
    played = await play(server, lambda _number, asked, _body: next(replies[asked]), wrong=Wrong(before))
    state = played.manager.state
    assert (state.status, state.failure, played.manager.window) == ("finished", None, WINDOW)
    wanted = [body for body in bodies_of(played.manager, say.GateAnswered) if body.answer.kind == "again"]
    assert len(played.again) == len(wanted), "only what could not be used, where the person says so"
    assert sorted(one for one in played.asked if ": " in one) == [
        *["plan: criteria"] * 2,  # the first of them was interrupted
        "plan: questions",
        "plan: title",
    ]
    assert len(state.plan.steps) > 5
    assert "new hall" in state.iterations[-1].deliverable
    wrong = [note for body in bodies_of(played.manager, say.ReplyMended) for note in body.notes]
    assert len(wrong) > 20
    events = events_of(played.manager)
    assert audit(events).violations == ()
    assert verify(events, lambda _name: [HashedWords()]).difference is None


def test_every_field_of_a_draft_is_asked_for_in_one_part():

    assert sorted(name for names in PARTS for name in names) == sorted(
        {*ItemReply.__struct_fields__} - {"remove", "show"}
    )


def test_the_schema_of_a_part_says_what_each_new_item_must_have():
    part = part_of_schema(reply_schema(PlanTask(goal="g", today="2026-03-02", iteration=1, by_item=True)), PARTS[0])
    definitions = part["$defs"]
    assert set(definitions["ItemReply"]["properties"]) == set(PARTS[0])
    assert definitions["ItemReply"]["required"] == ["title", "steps"]
    assert definitions["StepChange"]["required"] == ["id", "title"]
    assert "RiskChange" not in definitions
