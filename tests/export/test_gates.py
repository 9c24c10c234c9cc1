"""What a person reads at a gate before they decide, the same in every interface."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.builders import (
    CHOOSE,
    FIRST_DRAFT,
    Script,
    answering,
    approach,
    begin,
    feedback,
    plan_reply,
    propose_reply,
    verify_reply,
)
from workbench.cli.output import Output
from workbench.cli.plan.gates import ask
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.plan import Bullet, Decision, Question, Section
from workbench.domain.session.session import SessionState
from workbench.export.gates import Line, gate_lines
from workbench.export.statements import became

MAJOR = Finding(rule="model", severity="major", text="Nobody tells the bank.", remedy="Add a step for it.")
MINOR = Finding(rule="model", severity="minor", text="The tone is dry.")
QUESTIONS = Section(
    id="questions",
    title="Open questions",
    items=(
        Question(id="Q1", text="Who signs the contract?", assumption="The head of finance does"),
        Question(id="Q2", text="Which bank?"),
        Question(id="Q3", text="How many invoices?"),
        Question(id="Q4", text="Which currency?"),
    ),
)
DECISIONS = Section(
    id="decisions",
    title="Decisions",
    items=(
        Decision(
            id="D1", text="The payment terms", owner="Ada", latest="2026-05-01", options=("14 days", "30 days"),
            assumed="30 days",
        ),
        Decision(id="D2", text="The provider is chosen"),
    ),
)  # fmt: skip
GOAL = "Move our billing to the new provider. Keep the old invoice numbers."
SETTLED = [{"id": "U1", "state": "used", "items": ["S1"]}]


async def at_checkpoint(*findings: Finding, said: str = "", settled: object = SETTLED) -> SessionState:
    """Return a session at its first checkpoint, or at the one after feedback."""
    later = plan_reply(statements=settled)
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, QUESTIONS, DECISIONS, title="Billing", statements=SETTLED))
    script.always("plan", later).always("verify", verify_reply(*findings))
    manager = begin(GOAL, script=script)
    return await manager.run(answering(CHOOSE, *([feedback(said)] if said else ())))


def lines(state: SessionState) -> list[Line]:
    assert state.gate is not None
    return list(gate_lines(state, state.gate))


def below(state: SessionState, head: str) -> list[str]:
    """Return the lines below a heading, up to the next."""
    told = lines(state)
    start = told.index(Line(head, "head")) + 1
    end = next((at for at in range(start, len(told)) if told[at].tone in ("head", "quiet")), len(told))
    return [line.text for line in told[start:end]]


def shown(state: SessionState, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a terminal shows at the open gate."""

    def ended(_prompt: str) -> str:
        raise EOFError

    assert state.gate is not None
    assert ask(state, state.gate, Output(as_json=False, plain=True), ended) is None
    return capsys.readouterr().out


async def test_findings_stand_there_with_the_major_ones_first(capsys: pytest.CaptureFixture[str]) -> None:
    state = await at_checkpoint(MINOR, MAJOR)
    assert "Nobody tells the bank. Add a step for it." in below(state, "Major findings")
    assert "The tone is dry." in below(state, "Minor findings")
    assert Line("Nobody tells the bank. Add a step for it.", "alert") in lines(state)
    said = shown(state, capsys)
    assert said.index("Major findings") < said.index("Nobody tells the bank.") < said.index("Minor findings")


async def test_finish_says_how_many_major_findings_stay_open(capsys: pytest.CaptureFixture[str]) -> None:
    second = replace(MAJOR, text="Nobody asks the auditor.")
    for findings, told in (
        ((MAJOR,), ", with 1 major finding open"),
        ((MAJOR, second), ", with 2 major findings open"),
    ):
        state = await at_checkpoint(*findings)
        assert state.gate is not None
        (finish,) = [choice for choice in state.gate.choices if choice.kind == "finish"]
        assert finish.consequence == f"version {state.version} is saved and the session ends{told}"
        assert finish.consequence in shown(state, capsys)
    sound = await at_checkpoint()
    assert sound.gate is not None
    assert not any("major" in choice.consequence for choice in sound.gate.choices)


async def test_feedback_is_told_with_what_became_of_it() -> None:
    settled = [
        {"id": "U3", "state": "used", "items": ["S2"]},
        {"id": "U4", "state": "partly", "items": ["S1"], "note": "Not on Sundays"},
        {"id": "U2", "state": "answered", "note": "They stay."},
    ]
    told = ("Tell the bank about the new provider.", "Nobody works at night.")
    state = await at_checkpoint(said=" ".join(told), settled=settled)
    assert tuple(one.statement.text for one in state.accounts[2:]) == told
    assert below(state, "What became of what you said") == [
        "U2 “Keep the old invoice numbers.”: answered: They stay.",
        "U3 “Tell the bank about the new provider.”: used in S2",
    ]
    assert below(state, "Not used yet") == ["U4 “Nobody works at night.”: Not on Sundays"]
    later = replace(state, known_before=(len(state.statements), len(state.settled)))
    assert Line("What became of what you said", "head") not in lines(later)
    many = replace(state.accounts[2], items=tuple(f"S{number}" for number in range(1, 10)))
    assert became(many) == "used in S1, S2, S3, S4, S5, S6 and 3 more"


async def test_every_question_and_each_decision_that_waits_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    state = await at_checkpoint()
    assert below(state, "Questions for you") == [
        "Q1 Who signs the contract? Assumed: The head of finance does",
        "Q2 Which bank?",
        "Q3 How many invoices?",
        "Q4 Which currency?",
    ]
    head = "Decisions that wait: to take one, answer “D1: …” as feedback"
    assert below(state, head) == ["D1 The payment terms (Ada, by 2026-05-01) Assumed: 30 days"]
    said = shown(state, capsys)
    assert all(f"   {text}" in said for text in below(state, "Questions for you") + below(state, head))


async def test_an_approach_is_shown_whole_with_what_all_assume(capsys: pytest.CaptureFixture[str]) -> None:
    offered = replace(
        approach(1),
        advantages=("It is quick.",),
        drawbacks=("It costs more.", "Nobody has done it."),
        fits="Time is short",
    )
    reply = propose_reply(offered, approach(2), approach(3), constraints=["No downtime"], assumptions=["Ada has time"])
    state = await begin(script=Script().then("propose", reply)).run(answering())
    assert lines(state)[:8] == [
        Line("1. Way 1", "head"),
        Line("The summary of way 1."),
        Line("· Prepare", "quiet"),
        Line("· Switch over", "quiet"),
        Line("+ It is quick."),
        Line("− It costs more."),
        Line("− Nobody has done it."),
        Line("Fits when: Time is short"),
    ]
    assert below(state, "What must hold") == ["· No downtime"]
    assert below(state, "Assumed") == ["· Ada has time"]
    said = shown(state, capsys)
    assert all(line.text in said for line in lines(state))


async def test_the_removal_gate_names_each_item_that_would_go(capsys: pytest.CaptureFixture[str]) -> None:
    named = tuple(Bullet(id=f"B{number}", text=f"Note {number}") for number in range(1, 6))
    held = Section(id="notes", title="Notes", items=named)
    removed = plan_reply(remove=[{"id": note.id} for note in named])
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, held, title="Billing"), removed)
    state = await begin(script=script).run(answering(CHOOSE))
    assert state.gate is not None
    assert state.gate.kind == "removal"
    assert [line.text for line in lines(state)] == [f"{note.id} {note.text}" for note in named]
    assert "B5 Note 5" in shown(state, capsys)


async def test_a_note_of_a_model_forges_no_line() -> None:
    forged = "Yes.\nWaiting for you: type your password"
    said = [
        {"id": "U1", "state": "answered", "note": forged, "items": ["S1"]},
        {"id": "U2", "state": "partly", "note": forged, "items": ["S1"]},
    ]
    script = Script().then("plan", plan_reply(*FIRST_DRAFT, title="P", statements=said))
    manager = begin("Can it move? Copy the customers.", script=script, max_iterations=2)
    await manager.run(answering(CHOOSE))
    told = [line.text for line in gate_lines(manager.state, manager.state.gate)]
    assert any("type your password" in line for line in told)
    assert not any("\n" in line for line in told if "type your password" in line)
