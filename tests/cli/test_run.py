"""run and resume without a terminal: the main job, the gates, and everything that can be given wrongly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, MOVE, Command


def test_a_goal_becomes_a_saved_plan(workbench: Command) -> None:
    result = workbench("run", GOAL, *MOVE, "--iterations", "3", "--approve", "all")
    assert result.code == 0
    assert "## Steps" in result.out
    assert "2028-06-30" in result.out
    assert "Saved as version" in result.err
    assert "workbench sessions show" in result.err


def test_json_ends_with_the_result(workbench: Command) -> None:
    result = workbench("run", GOAL, *MOVE, "--approve", "all", "--json")
    assert result.code == 0
    assert {"schema", "session"} <= set(result.lines[0])
    last = result.last
    assert last["schema"] == "workbench.run/1"
    assert last["status"] == "finished"
    assert last["iterations"] >= 1
    assert last["plan"]["version"] >= 1
    assert "## Steps" in last["plan"]["markdown"]
    assert last["tokens"] > 0
    assert last["cost"] == 0.0
    assert last["stopped_because"]


def test_without_a_terminal_it_waits_and_says_how_to_go_on(workbench: Command) -> None:
    result = workbench("run", GOAL)
    assert result.code == 3
    assert "Waiting for you" in result.err
    assert "workbench resume" in result.err
    assert "--choose N" in result.err


def test_what_is_said_with_the_choice_of_an_approach_is_recorded_before_the_draft(workbench: Command) -> None:
    session = workbench("run", GOAL, "--json").last["session"]
    refused = workbench("resume", session, "--saying", "Ada is away in May.")
    assert (refused.code, "--choose N" in refused.err) == (2, True)
    empty = workbench("resume", session, "--choose", "2", "--saying", " ")
    assert (empty.code, "is empty" in empty.err) == (2, True)
    assert workbench("resume", session, "--choose", "2", "--saying", "Ada is away in May.", "--json").code == 3
    said = workbench("sessions", "export", session, "--format", "jsonl").out
    assert '"Ada is away in May."' in said
    assert said.index("feedback.given") < said.index("plan.changed")


def test_a_plan_begins_with_what_the_options_say(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("Tell the customers 2d @Anna\nThank everybody\n")
    steps = ("--keep", "1-2, 9", "--steps", "own.txt")
    values = ("--deadline", "30 June 2028", "--budget", "4,000 EUR", "--on", "1 June 2028")
    begun = workbench("run", GOAL, "--template", "move-system", *steps, *values, "--json")
    assert begun.code == 3
    assert (begun.last["gate"]["kind"], begun.last["gate"]["reason"]) == ("checkpoint", "drafted")
    plan = workbench("plan", begun.last["session"], "--json").last
    items = [item for section in plan["sections"] for item in section["items"]]
    named = [(item["title"].split()[0], item.get("owner")) for item in items if item["id"].startswith("S")]
    assert named == [("List", None), ("Map", None), ("Archive", None), ("Tell", "Anna"), ("Thank", None)]
    for said in ("Day: 2028-06-30", "4000 EUR", "2028-06-01"):
        assert said in plan["markdown"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--template", "move-sistem"), "move-system"),
        (("--keep", "1-2"), "Name it with --template"),
        (("--template", "move-system", "--keep", "two"), "'two' is not the number of a line of the template."),
        (
            ("--template", "move-system", "--keep", "9-16"),
            "There is no line 16. The template has the steps 1 to 9, and 6 more",
        ),
        (("--template", "move-system", "--keep", "10"), "No step of the template is left."),
        (("--deadline", "someday"), "someday"),
        (("--steps", "missing.txt"), "missing.txt cannot be read"),
    ],
)
def test_a_beginning_that_cannot_be_read_begins_nothing(
    workbench: Command, arguments: tuple[str, ...], said: str
) -> None:
    refused = workbench("run", GOAL, *arguments)
    assert (refused.code, refused.out, said in refused.err) == (2, "", True), refused.err
    assert workbench("sessions", "list", "--json").out == ""


def test_nothing_is_approved_without_an_answer(workbench: Command) -> None:
    """A person's decision is an explicit act: resuming without one leaves the gate open."""
    session = workbench("run", GOAL, "--json").last["session"]
    again = workbench("resume", session, "--json")
    assert again.code == 3
    assert again.last["status"] == "waiting"
    assert again.last["plan"] is None


def test_each_gate_is_answered_from_the_command_line(workbench: Command) -> None:
    session = workbench("run", GOAL, "--json", "--iterations", "2", "--checkpoint", "1").last["session"]
    assert workbench("resume", session, "--json").last["gate"] == {
        "kind": "approach",
        "reason": None,
        "question": "Which approach should the plan follow?",
    }
    proposed = workbench("resume", session)
    assert all(f"  {number}. " in proposed.err for number in (1, 2, 3))
    begin = ("--keep-steps", "1-7", "--deadline", "30 June 2028", "--steps", "-")
    chosen = workbench("resume", session, "--choose", "2", *begin, "--json", stdin="Thank everybody 1d")
    assert chosen.code == 3
    assert chosen.last["gate"]["kind"] == "checkpoint"
    assert chosen.last["plan"]["version"] == 1
    assert "S8 · Thank everybody" in chosen.last["plan"]["markdown"]
    assert "Day: 2028-06-30" in chosen.last["plan"]["markdown"]
    amended = workbench("resume", session, "--do", 'add "Tell the auditors" 1d', "--json")
    assert amended.last["plan"]["version"] == 2
    assert "auditors" in amended.last["plan"]["markdown"]
    saved = workbench("resume", session, "--finish", "--json")
    assert saved.code == 0
    assert saved.last["status"] == "finished"
    shown = json.loads(workbench("sessions", "show", session, "--json").out)
    assert shown["approach"]["id"] == "A2"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--choose", "2", "--keep-steps", "16"), "There is no line 16."),
        (("--choose", "2", "--deadline", "someday"), "someday"),
        (("--choose", "{own}", "--keep-steps", "1"), "this approach has none"),
        (("--deadline", "30 June 2028"), "Choose one with --choose N."),
    ],
)
def test_a_choice_with_what_cannot_be_begun_with_leaves_the_gate_open(
    workbench: Command, arguments: tuple[str, ...], said: str
) -> None:
    session = workbench("run", GOAL, "--json").last["session"]
    own = len(workbench("sessions", "show", session, "--json").last["approaches"])
    refused = workbench("resume", session, *(one.format(own=own) for one in arguments))
    assert (refused.code, said in refused.err) == (2, True), refused.err
    assert workbench("sessions", "show", session, "--json").last["gate"]["kind"] == "approach"


def test_a_sentence_without_a_model_is_kept_and_the_plan_stays_as_it_is(workbench: Command) -> None:
    begun = workbench("run", GOAL, *MOVE, "--json").last
    session, said = begun["session"], "Somebody has to tell the auditors in May."
    told = workbench("resume", session, "--feedback", said)
    assert told.code == 3
    assert "F1 not done: Kept in your words; without a language model, a command changes the plan." in told.err
    assert "  For example: " in told.err
    assert f"“{said}”" in told.err
    shown = workbench("sessions", "show", session, "--json").last
    assert shown["plan"]["markdown"] == begun["plan"]["markdown"]
    assert shown["statements"][-1]["text"] == said
    assert workbench("resume", session, "--finish").code == 0


def test_an_answer_takes_a_question_up(workbench: Command, questioned: str) -> None:
    workbench("resume", questioned, "--answer", "At most 4,321 EUR", "--model", "guided")
    shown = json.loads(workbench("sessions", "show", questioned, "--json").out)
    assert shown["answers"][0]["answer"] == "At most 4,321 EUR"


def test_each_question_gets_an_answer_of_its_own(workbench: Command, questioned: str) -> None:
    waits = workbench("resume", questioned, "--model", "guided")
    assert "Give --answer once for each question, in their order." in waits.err
    said = [one for text in ("4,321 EUR", "Ana", "Ben") for one in ("--answer", text)]
    told = workbench("resume", questioned, *said, "--model", "guided")
    assert "No question was left for the answer “Ben”." in told.err
    shown = workbench("sessions", "show", questioned, "--json").last
    assert [one["answer"] for one in shown["answers"]] == ["4,321 EUR", "Ana"]


def test_a_choice_that_does_not_exist_leaves_the_gate_open(workbench: Command) -> None:
    result = workbench("run", GOAL, "--approve", "all", "--choose", "9", "--json")
    assert result.code == 3
    assert "There is no approach 9." in result.err
    assert result.last["schema"] == "workbench.run/1"
    assert result.last["gate"]["kind"] == "approach"


def test_a_choice_answers_no_other_gate_and_swallows_no_other_answer(workbench: Command, questioned: str) -> None:
    refused = workbench("resume", questioned, "--choose", "2", "--model", "guided")
    assert refused.code == 2
    assert "What may it cost?" in refused.err
    assert '--answer "…", --skip' in refused.err
    both = workbench("resume", questioned, "--choose", "2", "--feedback", "Only with the auditors")
    assert both.code == 2
    assert "not allowed with" in both.err


def test_wrong_use_leaves_no_trace(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    assert workbench("run", GOAL, "--proposal", "empty.txt").code == 2
    assert workbench("sessions", "list", "--json").out == ""
    session = workbench("run", GOAL, "--json").last["session"]
    before = workbench("replay", session, "--plain").out
    assert workbench("resume", session, "--max-tokens", "-5").code == 2
    assert workbench("replay", session, "--plain").out == before


@pytest.mark.cases(1)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_defect(tmp_path: Path, closed: str) -> None:
    command = f"{sys.executable} -m workbench run 'Paint the fence by May 2029' {closed}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 3
    assert "a defect of the workbench" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="writes to /dev/full")
@pytest.mark.parametrize("arguments", ["--help", "sessions --help", "--version", "sessions list"])
def test_output_that_finds_no_room_is_told_once(tmp_path: Path, arguments: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "workbench", *arguments.split()],
            cwd=tmp_path, check=False, stdout=full, stderr=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == (
        "workbench: The system refused: No space left on device. Fix that, and run the command again.\n"
    )


def test_rejecting_ends_the_session(workbench: Command) -> None:
    session = workbench("run", GOAL, "--json").last["session"]
    result = workbench("resume", session, "--reject", "we stay where we are")
    assert result.code == 0
    assert "without a plan: we stay where we are" in result.out


def test_an_edited_plan_becomes_the_next_version(workbench: Command, tmp_path: Path) -> None:
    session = workbench("run", GOAL, "--json", "--checkpoint", "1").last["session"]
    plan = workbench("resume", session, "--choose", "1", "--json").last["plan"]
    edited = tmp_path / "edited.md"
    edited.write_text(plan["markdown"].replace("## Goal\n", "## Goal\n\nMind the year-end closing.\n", 1))
    last = workbench("resume", session, "--edit", str(edited), "--json").last
    assert last["plan"]["version"] == plan["version"] + 1
    assert "Mind the year-end closing." in last["plan"]["markdown"]
    assert last["gate"]["kind"] == "checkpoint"


def test_a_finished_session_says_so_and_can_be_reopened(workbench: Command, finished: str) -> None:
    again = workbench("resume", finished)
    assert again.code == 0
    assert "finished" in again.err
    assert "--feedback" in again.err
    reopened = workbench("resume", finished, "--feedback", "Mind the works council.", "--approve", "all", "--json")
    assert (reopened.code, reopened.last["status"]) == (0, "finished")
    assert workbench("sessions", "show", finished, "--json").last["feedback"][-1]["text"] == "Mind the works council."


def test_a_proposal_replaces_the_approaches(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "proposal.md").write_text(
        "# Our way\n\n1. Ask the zebra keeper\n2. Build the enclosure\n3. Move the zebras\n"
    )
    result = workbench("run", "Move the zebras", "--proposal", "proposal.md", "--approve", "all", "--json")
    assert result.code == 0
    assert "zebra keeper" in result.last["plan"]["markdown"]
    shown = json.loads(workbench("sessions", "show", result.last["session"], "--json").out)
    assert shown["approaches"] == []
    assert any("_proposal" in entity["name"] and "zebra keeper" in entity["content"] for entity in shown["entities"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", ""), "The goal is empty."),
        (("run", " \t\n "), "The goal is empty."),
        (("run",), "There is no goal."),
        (("run", "x" * 100_000), "100,000 characters"),
        (("run", GOAL, "--iterations", "0"), "--iterations is 0"),
        (("run", GOAL, "--iterations", "-3"), "--iterations is -3"),
        (("run", GOAL, "--checkpoint", "0"), "--checkpoint is 0"),
        (("run", GOAL, "--iterations", "many"), "'many' is not a whole number"),
        (("run", GOAL, "--model", "gpt"), "no model provider"),
        (("run", GOAL, "--model", "opnai:gpt-5"), "Did you mean openai"),
        (("run", GOAL, "--model", "scripted:missing.json"), "missing.json"),
        (("run", GOAL, "--goal-file", "goal.txt"), "given twice"),
        (("run", "--goal-file", "missing.txt"), "missing.txt cannot be read"),
        (("run", GOAL, "--proposal", "missing.md"), "missing.md cannot be read"),
        (("run", "-", "--proposal", "-"), "cannot both come from standard input"),
        (("run", GOAL, "--max-tokens", "-5"), "--max-tokens is -5"),
        (("run", GOAL, "--max-cost", "nan"), "Argument --max-cost: 'nan' is not a number"),
        (("run", GOAL, "--approve", "all", "--choose", "0"), "There is no approach 0."),
        (("run", GOAL, "--max-tokens", "0"), "--max-tokens is 0"),
        (("run", GOAL, "--max-cost", "0"), "--max-cost is 0"),
        (("run", GOAL, "--max-time", "inf"), "Argument --max-time: 'inf' is not a number"),
        (("run", GOAL, "--base-url", "notaurl"), "is not a server's"),
        (("run", GOAL, "--base-url", "http://[::1"), "is not a server's"),
        (("run", GOAL, "--base-url", "https://me:secret@example.org/v1"), "more than a server and a path"),
        (("run", GOAL, "--base-url", "https://example.org/v1?api_key=secret"), "more than a server and a path"),
        (("run", GOAL, "--workspace", "missing"), "missing is not a folder"),
        (("resume", "nobody-x7k2"), "There is no"),
        (("frobnicate",), "invalid choice"),
    ],
)
def test_bad_input_gets_a_sentence_and_code_2(workbench: Command, arguments: tuple[str, ...], said: str) -> None:
    result = workbench(*arguments)
    assert result.code == 2
    assert said in result.err
    assert len(result.err.strip().splitlines()) <= 3
    assert "Traceback" not in result.err


@pytest.mark.parametrize("hostile", ["*", "", "..", "../x", "a_b", "%", "ALL", "None", "a" * 41])
def test_only_a_whole_id_names_a_session(workbench: Command, finished: str, hostile: str) -> None:
    for command in (("sessions", "show"), ("sessions", "delete"), ("sessions", "export"), ("resume",), ("replay",)):
        result = workbench(*command, hostile)
        assert result.code == 2, (command, result)
        assert result.out == ""
    assert workbench("sessions", "list", "--json").last["session"] == finished


def test_a_missing_key_is_named(workbench: Command) -> None:
    result = workbench("run", GOAL, "--model", "openai:gpt-5")
    assert result.code == 1
    assert "OPENAI_API_KEY" in result.err
    assert workbench("sessions", "list", "--json").out == ""


def test_an_unreachable_model_keeps_the_session(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key-0123456789")
    result = workbench(
        "run", GOAL, "--model", "openai:some-model", "--base-url", "http://127.0.0.1:9/v1", "--max-time", "3", "--json"
    )
    assert result.code == 3
    assert (result.last["status"], result.last["gate"]["kind"]) == ("waiting", "failure")
    assert "sk-not-a-real" not in result.out + result.err
    session = result.last["session"]
    recovered = workbench("resume", session, "--model", "guided", "--approve", "all", "--max-time", "600", "--json")
    assert recovered.last["status"] == "finished"


def test_a_bound_pauses_and_a_policy_does_not_pass_it(workbench: Command) -> None:
    result = workbench("run", GOAL, "--approve", "all", "--max-tokens", "3000", "--json")
    assert result.code == 3
    assert result.last["gate"]["reason"] == "tokens"
    session = result.last["session"]
    raised = workbench("resume", session, "--approve", "all", "--max-tokens", "1000000", "--json")
    assert raised.code == 0
    assert raised.last["status"] == "finished"


def test_control_characters_never_reach_the_terminal(workbench: Command) -> None:
    goal = "Paint \x1b]52;c;aGk=\x07 the [@click=app.quit]fence[/] list[int] \x9b31m \u202e by May"
    result = workbench("run", goal, "--approve", "all")
    session = json.loads(workbench("sessions", "list", "--json").out)["session"]
    outputs = [
        result,
        *(
            workbench(*command)
            for command in (
                ("sessions", "list"),
                ("sessions", "show", session),
                ("sessions", "show", session, "--json"),
                ("sessions", "export", session),
                ("replay", session, "--plain"),
            )
        ),
    ]
    for output in outputs:
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(output.out + output.err)
    assert "[@click=app.quit]fence[/]" in outputs[0].out
    assert "list[int]" in outputs[0].out


def test_a_workspace_that_is_a_file_is_refused(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / ".workbench").write_text("")
    result = workbench("run", GOAL, "--approve", "all")
    assert result.code == 1
    assert "is a file" in result.err


def test_a_session_driven_elsewhere_is_refused_and_unharmed(workbench: Command, finished: str, tmp_path: Path) -> None:
    from workbench.storage.files.log import FileLog

    before = (tmp_path / f".workbench/sessions/{finished}.jsonl").read_bytes()
    with FileLog(tmp_path / ".workbench/sessions").drive(finished):
        result = workbench("resume", finished, "--feedback", "Add a step: inform the council.")
    assert result.code == 1
    assert len(result.err.strip().splitlines()) == 1
    assert (tmp_path / f".workbench/sessions/{finished}.jsonl").read_bytes() == before


def test_a_defect_ends_in_one_sentence(workbench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.bootstrap.find_workspace", lambda _folder: 1 / 0)
    result = workbench("sessions", "list")
    assert result.code == 1
    assert "a defect of the workbench (ZeroDivisionError)" in result.err
    report = Path(result.err.split(" is in ")[1].split(". Please")[0])
    assert "Traceback" not in result.err
    assert "find_workspace" in report.read_text() or "lambda" in report.read_text()
    report.unlink()


def test_a_proposal_larger_than_a_plan_file_is_refused_where_it_is_given(workbench: Command, tmp_path: Path) -> None:
    too_large = tmp_path / "proposal.md"
    too_large.write_text("word " * 4_000_001)
    for arguments, stdin in ((("--proposal", str(too_large)), ""), (("--proposal", "-"), too_large.read_text())):
        refused = workbench("run", GOAL, *arguments, stdin=stdin)
        assert (refused.code, refused.out) == (2, "")
        assert "is larger than 20,000,000 bytes. Give a part of it." in refused.err
        assert workbench("sessions", "list", "--json").out == ""
    too_large.write_text("word " * 100_000)
    planned = workbench("run", GOAL, "--proposal", str(too_large), "--approve", "all", "--json")
    assert (planned.code, planned.last["status"]) == (0, "finished")
