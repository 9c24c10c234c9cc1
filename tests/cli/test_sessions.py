"""The session commands: list, show, rename, export, delete, restore, repair, rate, outcome, replay, config."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, INSIGHT, Command
from tests.doctored import created, said, write_session


def file_of(session: str, tmp_path: Path) -> Path:
    return tmp_path / f".workbench/sessions/{session}.jsonl"


def test_list_has_a_line_for_each_session_newest_first(workbench: Command) -> None:
    first = workbench("run", "Paint the fence by May 2029", "--approve", "all", "--json").last["session"]
    second = workbench("run", "Plant a hedge", "--json").last["session"]
    lines = workbench("sessions", "list", "--json").lines
    assert [line["session"] for line in lines] == [second, first]
    assert [line["status"] for line in lines] == ["waiting", "finished"]
    assert set(lines[0]) >= {"session", "goal", "status", "iterations", "events", "updated"}
    assert lines[1]["events"] == len(workbench("replay", first, "--plain").out.splitlines())
    table = workbench("sessions", "list").out
    assert "Paint the fence" in table
    assert workbench("sessions").out == table


def test_show_prints_the_plan_and_how_it_came_about(workbench: Command, finished: str) -> None:
    out = workbench("sessions", "show", finished).out
    for part in (
        "## Steps",
        "Actions",
        "Deliverable",
        "Iterations",
        "Remembers",
        f"planning_session_{finished}_proposal",
    ):
        assert part in out
    assert "\x1b" not in out


def test_show_as_json_is_one_object(workbench: Command, taught: str) -> None:
    result = workbench("sessions", "show", taught, "--json")
    shown = json.loads(result.out)
    assert shown["schema"] == "workbench.session/1"
    assert shown["plan"]["markdown"].startswith("# ")
    assert shown["iterations"][0]["number"] == 1
    assert shown["iterations"][1]["insights"] == [INSIGHT]
    assert f"planning_session_{taught}_proposal" in {one["name"] for one in shown["entities"]}
    assert shown["rating"] is None
    assert shown["outcome"] is None


def test_rename_changes_the_name_and_not_the_id(workbench: Command, finished: str) -> None:
    assert workbench("sessions", "rename", finished, "Billing").code == 0
    assert workbench("sessions", "list", "--json").last["name"] == "Billing"
    empty = workbench("sessions", "rename", finished, " ")
    assert empty.code == 2
    assert workbench("sessions", "list", "--json").last["session"] == finished


def test_a_rating_and_an_outcome_are_kept(workbench: Command, finished: str) -> None:
    assert workbench("rate", finished, "4", "--note", "solid").code == 0
    assert workbench("outcome", finished, "partial", "--json").last["outcome"] == "partial"
    shown = json.loads(workbench("sessions", "show", finished, "--json").out)
    assert shown["rating"] == {"stars": 4, "note": "solid", "round": 0}
    assert shown["outcome"]["outcome"] == "partial"
    assert "rated 4 of 5" in workbench("sessions", "show", finished).out
    for wrong in (("rate", finished, "6"), ("rate", finished, "good"), ("outcome", finished, "meh")):
        assert workbench(*wrong).code == 2


def test_export_writes_markdown_json_and_entities(workbench: Command, finished: str, tmp_path: Path) -> None:
    assert "## Steps" in workbench("sessions", "export", finished).out
    exported = json.loads(workbench("sessions", "export", finished, "--format", "json").out)
    assert exported["session"] == finished
    assert workbench("sessions", "export", finished, "-o", "plan.md").code == 0
    assert (tmp_path / "plan.md").read_text().startswith("# ")
    workbench("sessions", "export", finished, "--format", "entities", "-o", "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert f"planning_session_{finished}_iteration_1.md" in names
    unwritable = workbench("sessions", "export", finished, "-o", "missing/plan.md")
    assert unwritable.code == 2
    assert "cannot be written" in unwritable.err


def test_delete_is_undone_from_the_trash_until_it_is_emptied(workbench: Command, finished: str, tmp_path: Path) -> None:
    before = file_of(finished, tmp_path).read_bytes()
    deleted = workbench("sessions", "delete", finished)
    assert f"workbench sessions restore {finished}" in deleted.out
    assert workbench("sessions", "list", "--json").out == ""
    assert workbench("sessions", "trash", "--json").last["session"] == finished
    assert finished in workbench("sessions", "trash").out
    assert workbench("sessions", "restore", finished).code == 0
    assert file_of(finished, tmp_path).read_bytes() == before
    workbench("sessions", "delete", finished)
    refused = workbench("sessions", "empty-trash")
    assert refused.code == 2
    assert workbench("sessions", "trash", "--json").last["session"] == finished
    assert workbench("sessions", "empty-trash", "--yes", "--json").last["deleted"] == 1
    assert "empty" in workbench("sessions", "trash").out
    assert workbench("sessions", "restore", finished).code == 2


def test_a_miss_suggests_what_is_near(workbench: Command, finished: str) -> None:
    for miss in (finished[:-1], finished.upper()):
        result = workbench("sessions", "show", miss)
        assert result.code == 2
        assert f"Did you mean {finished}?" in result.err


def test_a_damaged_session_is_said_and_repaired_and_the_others_go_on(
    workbench: Command, finished: str, tmp_path: Path
) -> None:
    other = workbench("run", "Plant a hedge", "--approve", "all", "--json").last["session"]
    file = file_of(finished, tmp_path)
    lines = file.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20].replace(b"planner", b"plonner", 1) if b"planner" in lines[20] else b"x" + lines[20][1:]
    file.write_bytes(b"".join(lines))
    shown = workbench("sessions", "show", finished)
    assert shown.code == 1
    assert "workbench sessions repair" in shown.err
    assert "Traceback" not in shown.err
    listed = {line["session"]: line for line in workbench("sessions", "list", "--json").lines}
    assert listed[finished]["status"] == "unreadable"
    assert listed[finished]["error"]
    assert listed[other]["status"] == "finished"
    assert "unreadable" in workbench("sessions", "list").out
    assert workbench("sessions", "show", other).code == 0
    repaired = workbench("sessions", "repair", finished)
    assert "Kept 19 events" in repaired.out
    assert workbench("sessions", "repair", finished).out.startswith("The session is sound")
    resumed = workbench("resume", finished, "--approve", "all", "--json")
    assert resumed.last["status"] == "finished"


def test_files_are_private(finished: str, tmp_path: Path) -> None:
    for path in (tmp_path / ".workbench").rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert finished


def test_replay_tells_the_course(workbench: Command, finished: str, tmp_path: Path) -> None:
    lines = workbench("replay", finished, "--plain").out.splitlines()
    assert GOAL in lines[0]
    assert "session.finished" in lines[-1]
    told = workbench("replay", finished, "--json").lines
    assert [one["seq"] for one in told] == list(range(1, len(told) + 1))
    copied = tmp_path / "elsewhere" / "a copy of mine.jsonl"
    copied.parent.mkdir()
    copied.write_bytes(file_of(finished, tmp_path).read_bytes())
    assert workbench("replay", str(copied), "--plain").out.splitlines() == lines
    asks = next(one["seq"] for one in told if one["kind"] == "call.started")
    state = workbench("replay", finished, "--at", str(asks), "--json").last
    assert state["at"] == asks
    assert state["plan"] is None
    assert "running" in workbench("replay", finished, "--at", str(asks)).out
    for wrong in (("replay", finished, "--at", "0"), ("replay", finished, "--at", "9999"), ("replay", "missing.jsonl")):
        assert workbench(*wrong).code == 2


def test_config_shows_each_value_and_its_source(
    workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "user-config.toml").write_text('person = "Ana"\niterations = 7\n')
    (tmp_path / ".workbench").mkdir()
    (tmp_path / ".workbench/config.toml").write_text("iterations = 4\ncheckpoint = 1\n")
    monkeypatch.setenv("WORKBENCH_CHECKPOINT", "3")
    settings = {line["setting"]: line for line in workbench("config", "--json").lines}
    assert (settings["person"]["value"], settings["person"]["source"]) == ("Ana", str(tmp_path / "user-config.toml"))
    assert settings["iterations"]["value"] == 4
    assert settings["iterations"]["source"].endswith(".workbench/config.toml")
    assert (settings["checkpoint"]["value"], settings["checkpoint"]["source"]) == (3, "WORKBENCH_CHECKPOINT")
    assert settings["model"]["source"] == "default"
    assert "guided" in workbench("config").out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("iteratons = 3", "Did you mean iterations?"),
        ("iterations = 'many'", "a whole number"),
        ("iterations = 2.5", "a whole number"),
        ("iterations = true", "a whole number"),
        ("max_cost = 'x'", "a number"),
        ("= nonsense", "not TOML"),
    ],
)
def test_a_wrong_setting_is_named(workbench: Command, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "user-config.toml").write_text(text)
    result = workbench("config")
    assert result.code == 2
    assert said in result.err


def test_a_session_that_nobody_drives_any_more_is_interrupted(workbench: Command, tmp_path: Path) -> None:
    from workbench.storage.files.log import FileLog

    session = workbench("run", GOAL, "--approve", "all", "--json").last["session"]
    file = file_of(session, tmp_path)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:3]))  # killed after its second event
    assert workbench("sessions", "list", "--json").last["status"] == "interrupted"
    with FileLog(tmp_path / ".workbench/sessions").drive(session):
        assert workbench("sessions", "list", "--json").last["status"] == "running"


OF_A_NEWER_VERSION = {
    "field": {"do": "set", "item": "S1", "field": "weather", "value": "dry"},
    "value": {"do": "set", "item": "S1", "field": "priority", "value": "highest"},
    "field of a new item": {
        "do": "add", "section": "steps", "item": {"type": "step", "id": "S2", "title": "Rest", "weather": "dry"},
    },
    "kind of item": {"do": "add", "section": "steps", "item": {"type": "weather", "id": "X1", "text": "Dry"}},
    "operation": {"do": "swap", "item": "S1"},
}  # fmt: skip


@pytest.mark.parametrize("operation", OF_A_NEWER_VERSION.values(), ids=OF_A_NEWER_VERSION)
def test_what_a_newer_version_may_have_written_is_not_cut_off_unasked(
    workbench: Command, tmp_path: Path, operation: dict[str, object]
) -> None:
    section = {"id": "steps", "title": "Steps", "items": [{"type": "step", "id": "S1", "title": "Walk"}]}
    changes = ({"do": "add-section", "section": section}, operation)
    bodies = (
        {"version": number, "by": "person", "change": 0.5, "changes": [{"operation": one, "cause": {"kind": "person"}}]}
        for number, one in enumerate(changes, start=1)
    )
    file = file_of("walk-x7k2", tmp_path)
    write_session(file, created(), *(said("plan.changed", body, v=2) for body in bodies))
    before = file.read_bytes()
    for command in (("sessions", "show"), ("sessions", "repair"), ("sessions", "repair", "--json")):
        refused = workbench(*command[:2], "walk-x7k2", *command[2:])
        assert refused.code in (1, 2)
        assert "a newer version of the workbench may have written it" in refused.err
        assert "Update the workbench" in refused.err.partition("repair it")[0].partition("sessions repair")[0]
    assert file.read_bytes() == before
    elsewhere = tmp_path / "walk.jsonl"
    elsewhere.write_bytes(before)
    imported = workbench("sessions", "import", str(elsewhere))
    assert "Update the workbench" in imported.err.partition("--sound-part")[0]
    repaired = workbench("sessions", "repair", "walk-x7k2", "--yes")
    assert "Kept 2 events; 1 line" in repaired.out
    [aside] = (tmp_path / ".workbench/trash").glob("walk-x7k2.damaged-*")
    assert aside.read_bytes() == before


def test_repair_keeps_nothing_only_when_told(workbench: Command, finished: str, tmp_path: Path) -> None:
    file = file_of(finished, tmp_path)
    header, _, rest = file.read_bytes().partition(b"\n")
    file.write_bytes(header + b"\nnonsense\n" + rest.partition(b"\n")[2])
    refused = workbench("sessions", "repair", finished)
    assert refused.code == 1
    assert "--keep-nothing" in refused.err
    assert file.exists()
    assert workbench("sessions", "repair", finished, "--keep-nothing").code == 0
    assert not file.exists()
    assert workbench("sessions", "trash", "--json").last["reason"] == "damaged"
