"""``workbench import``: a plan from a file, as a preview, or brought into a session with consent."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.cli.conftest import GOAL, MOVE, Command, Once
from workbench.bootstrap import Workspace
from workbench.plan_files import read_plan

PLAN = """# Fair

## Tasks

- [x] Book the square (Anna, 2d)
- [ ] Invite the bakers @tom, depends on 9
- [ ] Order tents (by 3 May 2028)

## Risks

- Rain
"""
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "json" / "workbench.import-1.json").read_text())


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "fair.md").write_text(PLAN)
    return "fair.md"


@pytest.fixture
def session(workbench: Command, once: Once) -> str:
    """A session at a checkpoint, with a plan."""

    def make() -> str:
        begun = workbench("run", GOAL, *MOVE, "--steps", "-", "--json", stdin="Tell the customers 2d @Anna")
        assert begun.code == 3
        return str(begun.last["session"])

    return once("session of plan_import", make)


def _plan(workbench: Command, session: str) -> str:
    return str(workbench("sessions", "show", session, "--json").last["plan"]["markdown"])


def test_a_preview_shows_what_was_read_and_writes_nothing(workbench: Command, file: str, tmp_path: Path) -> None:
    shown = workbench("import", file, "--today", "2028-01-10")

    assert shown.code == 0
    assert "3 steps, 1 risk" in shown.out
    assert "S1\tBook the square\tAnna\t2 days\t\t\t\tdone" in shown.out
    assert "by 2028-05-03" in shown.out
    assert "line 6: 9 (S2 needs it, and no step is called so)" in shown.out
    assert "workbench import fair.md --begin" in shown.out
    assert [path.name for path in tmp_path.iterdir()] == [file]


TABLE = """Key,Title,Owner,Estimate,Start,Due,Depends on
FAIR-7,Book the square,Anna,2 d,,2028-01-12,
FAIR-9,Invite the bakers,Tom,5 d,,2028-01-14,FAIR-7
"""


def test_a_preview_shows_the_schedule_what_is_late_and_ids_of_the_file(workbench: Command) -> None:
    shown = workbench("import", "-", "--today", "2028-01-10", stdin=TABLE)
    assert "step\tin the file\ttitle\towner\teffort\tsays\tstart\tend\t" in shown.out
    assert "S1\tFAIR-7\tBook the square\tAnna\t2 days\tby 2028-01-12\t2028-01-10\t2028-01-11\t" in shown.out
    assert "S2\tFAIR-9\tInvite the bakers\tTom\t5 days\tby 2028-01-14\t2028-01-12\t2028-01-18\tneeds S1" in shown.out
    assert "begins 10 Jan 2028 · finish 18 Jan 2028" in shown.out
    assert "S2 ends on 2028-01-18, after its deadline 2028-01-14." in shown.out

    told = workbench("import", "-", "--json", "--today", "2028-01-10", stdin=TABLE).last
    assert told["source_ids"] == {"S1": "FAIR-7", "S2": "FAIR-9"}
    assert (told["figures"]["start"], told["figures"]["finish"]) == ("2028-01-10", "2028-01-18")
    assert told["conflicts"] == ["S2 ends on 2028-01-18, after its deadline 2028-01-14."]


@pytest.mark.parametrize("goal", ["", "Hold the fair"])
def test_a_session_begins_from_a_file_with_its_plan_as_it_is(workbench: Command, goal: str) -> None:
    begun = workbench("import", "-", "--begin", *filter(None, [goal]), "--json", stdin=PLAN)
    assert begun.code == 3
    session = begun.last["session"]
    plan = workbench("sessions", "show", session, "--json").last
    assert plan["goal"] == (goal or "Fair")
    assert plan["model"] == "guided"
    assert "Book the square" in plan["plan"]["markdown"]
    assert workbench("replay", session, "--verify").code == 0


def test_a_title_names_no_file_to_be_read_and_a_name_is_quoted(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("Anna earns much\n")
    (tmp_path / "$(id).md").write_text("# Hi @notes.md\n\n- [x] one\n- [ ] two\n")
    assert "workbench import '$(id).md' --begin" in workbench("import", "$(id).md").out
    begun = workbench("import", "$(id).md", "--begin")
    assert "notes.md" not in begun.err
    session = workbench("sessions", "list", "--json").last["session"]
    assert "earns" not in workbench("sessions", "export", session, "--format", "jsonl").out
    assert workbench("edit", session, "S2 owner Zed", "--yes").code == 0  # a step was done on no day


def test_what_no_field_has_and_headings_in_other_scripts_are_in_a_plan_that_begins(workbench: Command) -> None:
    for text, said in (
        ("Title,Owner,Customer\nDig,Ann,Ада\nFill,Ben,Bob\n", "Other: Customer = Ада"),
        ("# P\n\n## Критерии\n\nText.\n\n## 备注\n\nAlso.\n\n## Steps\n\n- [ ] Dig\n", "## 备注"),
    ):
        begun = workbench("import", "-", "--begin", "--json", stdin=text)
        assert said in _plan(workbench, begun.last["session"])


def test_at_a_terminal_a_key_begins_a_session(workbench: Command, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    answers = iter(["n", "y", "q"])
    monkeypatch.setattr("workbench.cli.output.has_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt="": asked.append(prompt) or next(answers))
    assert "Nothing was written." in workbench("import", file).out
    assert not workbench("sessions", "list", "--json").lines
    workbench("import", file)
    assert asked[:2] == ["Begin a session from it? [y/N] "] * 2
    assert [one["goal"] for one in workbench("sessions", "list", "--json").lines] == ["Fair"]


def test_standard_input_is_read_and_json_fits_its_schema(workbench: Command) -> None:
    told = workbench("import", "-", "--json", "--today", "2028-01-10", stdin=PLAN).last

    jsonschema.validate(told, SCHEMA)
    assert (told["file"], told["format"], told["session"], told["version"]) == ("-", "checklist", "", None)
    assert [fate["kind"] for fate in told["lines"]].count("step") == 3
    assert told["counts"]["step"] == 3
    assert set(told) == set(SCHEMA["properties"])


def test_without_consent_a_session_is_compared_and_not_changed(workbench: Command, session: str, file: str) -> None:
    before = _plan(workbench, session)
    shown = workbench("import", file, "--session", session)

    assert shown.code == 3
    assert "added S" in shown.out
    assert f"workbench import fair.md --session {session} --yes" in shown.err
    assert _plan(workbench, session) == before


def test_with_consent_the_plan_is_changed_and_the_changes_say_why(workbench: Command, session: str, file: str) -> None:
    before = _plan(workbench, session)
    done = workbench("import", file, "--session", session, "--yes", "--json")

    assert done.code == 0
    assert done.last["version"] == 2
    assert "Book the square" in _plan(workbench, session)
    assert all(line in _plan(workbench, session) for line in before.splitlines() if line.startswith("- S"))
    causes = [
        line["cause"] for line in workbench("sessions", "changes", session, "--json").lines if line["version"] == 2
    ]
    assert causes
    assert all(cause == {"kind": "import", "source": "fair.md"} for cause in causes)
    assert "imported from fair.md" in workbench("sessions", "changes", session).out
    assert workbench("replay", session, "--verify").code == 0


@pytest.fixture
def stopped(workbench: Command, session: str) -> str:
    with Workspace.open() as workspace:
        manager = workspace.session(session).resume()
        asyncio.run(manager.resume())
        asyncio.run(manager.stop("interrupted by you"))
    assert workbench("sessions", "show", session, "--json").last["status"] == "stopped"
    return session


@pytest.mark.parametrize("state", ["session", "stopped", "finished"])
def test_an_edited_table_comes_back_in_every_state_of_a_session(
    workbench: Command, state: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    name = request.getfixturevalue(state)
    before = workbench("sessions", "show", name, "--json").last
    table = workbench("sessions", "export", name, "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff"))))
    first, last = rows[0]["id"], rows[-1]["id"]
    rows[0] |= {"owner": "Zoë", "wait": "3 days"}
    rows[1] |= {"milestone": "yes"}
    with (tmp_path / "plan.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows[:-1])
    preview = workbench("import", "plan.csv", "--session", name)
    assert preview.code == 3
    assert f"Not in the file any more: {last}. What is missing stays" in preview.err
    done = workbench("import", "plan.csv", "--session", name, "--yes", "--json")
    assert (done.code, done.last["version"]) == (0, before["plan"]["version"] + 1)
    after = workbench("sessions", "show", name, "--json").last
    steps = {item["id"]: item for one in after["plan"]["sections"] for item in one["items"] if item["type"] == "step"}
    assert (steps[first]["owner"], steps[first]["waiting"], steps[rows[1]["id"]]["milestone"]) == ("Zoë", 3.0, True)
    assert last in steps
    assert after["status"] == before["status"]
    assert workbench("replay", name, "--verify").code == 0
    assert workbench("edit", name, "undo", "--yes").code == 0
    assert _items(workbench("sessions", "show", name, "--json").last) == _items(before)


def _items(shown: dict[str, Any]) -> list[Any]:
    return [section["items"] for section in shown["plan"]["sections"]]


YARD = """id,Task,Owner,Start,End,Needs,Status
T1,Dig,Anna,2026-11-02,2026-11-03,,In progress
T2,Pour,Ben,2026-11-04,2026-11-05,T1,
T3,Paint,Ben,2026-11-09,2026-11-10,T2,
T4,Fence,,2026-11-09,2026-11-10,,
T5,Sweep,Anna / Ben,2026-10-01,2026-10-02,,Done
"""


@pytest.mark.parametrize(
    ("old", "new", "changed", "told"),
    [
        ("", "", [], ""),
        ("T4,Fence,,2026-11-09,2026-11-10,,", "T4,Fence,,2026-11-09,2026-11-10,,Done", ["S4 status: – → done"], ""),
        ("T3,Paint,Ben,2026-11-09,2026-11-10", "T3,Paint,Ben,2026-11-16,2026-11-17",
         ["S3 not before: 2026-11-09 → 2026-11-16", "S3 start: 2026-11-09 → 2026-11-16",
          "S3 end: 2026-11-10 → 2026-11-17"], ""),
        ("10-02,,Done\n", "10-02,,Done\nT6,Plant,,,,,\n", ["added S6 “Plant”"], ""),
        ("Anna / Ben", "Ben", ["S5 owner: Anna → Ben", "S5 also: Ben → –"], ""),
        (",,Done", ",,", [], "Open in the file, and stays done: S5 (yard.csv:6)."),
        ("T2,Pour,Ben", "T2,Pour,", [], "Empty in the file, and stays: owner of S2."),
        ("T4,Fence,,2026-11-09,2026-11-10,,\n", "", [], "Not in the file any more: S4."),
    ],
)  # fmt: skip
def test_an_edited_file_that_a_session_began_with_changes_what_was_edited(
    workbench: Command, tmp_path: Path, old: str, new: str, changed: list[str], told: str
) -> None:
    (tmp_path / "yard.csv").write_text(YARD)
    workbench("import", "yard.csv", "--begin", "Mend the yard", "--today", "2026-11-30")
    [path] = (tmp_path / ".workbench" / "sessions").glob("*.jsonl")
    (tmp_path / "yard.csv").write_text(YARD.replace(old, new))
    bring = ("import", "yard.csv", "--session", path.stem, "--today", "2026-11-30")

    shown = workbench(*bring, "--yes", "--json")
    assert shown.last["changes"] == changed
    assert told in shown.err
    assert "Changes nothing" in workbench(*bring).out


@pytest.mark.parametrize(
    ("content", "name", "told"),
    [
        (b"", "plan.md", "is empty"),
        (b"a\0b", "plan.md", "is not text"),
        (b"{,", "plan.json", "is not JSON"),
        (b'{"a": 1}', "plan.json", "holds no list of tasks"),
        (b"[" * 50_000 + b"]" * 50_000, "plan.json", "nested too deeply"),
        (b"\x81\x8d\xff", "plan.csv", "not UTF-8 text"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(
    workbench: Command, tmp_path: Path, content: bytes, name: str, told: str
) -> None:
    (tmp_path / name).write_bytes(content)
    refused = workbench("import", name)

    assert refused.code == 2
    assert told in refused.err
    assert len(refused.err.splitlines()) == 1


def test_nothing_in_a_file_reaches_the_terminal_as_a_code(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text(
        "# \x1b[31mred\n\n- [ ] \x1b]0;title\x07Do it\n\n| \x9b1m | Owner |\n|-|-|\n| a | b |\n"
    )
    shown = workbench("import", "plan.md")

    assert shown.code == 0
    assert not any(sign in shown.out for sign in ("\x1b", "\x07", "\x9b"))


@pytest.mark.parametrize("arguments", [("import", "fair.md"), ("run", GOAL, "--proposal", "fair.md")])
def test_a_file_that_takes_too_long_to_read_is_refused(
    workbench: Command, file: str, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.plan_files.SECONDS", 0.0)
    Path(file).write_text("- [ ] Paint the hall\n" * 10_000)
    refused = workbench(*arguments)
    assert refused.code == 2
    assert refused.err.strip() == f"workbench: {file} takes too long to read. Give a part of it, or one task a line."
    assert not workbench("sessions", "list", "--json").lines, "nothing was begun"


def test_a_file_above_the_limit_is_refused_in_a_sentence(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "huge.md").write_text("- [ ] Paint\n" * 2_000_000)
    refused = workbench("import", "huge.md")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.strip() == "workbench: huge.md is larger than 20,000,000 bytes. Give a part of it."


@pytest.mark.parametrize("text", ["\udc80", "- \ud800 x"])
def test_half_of_a_character_is_read(text: str) -> None:
    assert read_plan(f"{text}\n- a step\n", name=text, today=date(2028, 1, 1)).plan.items


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sur.json", '[{"title": "call Anna \\ud800"}]'),
        ("own.json", '{"schema": "workbench.plan/1", "title": "\\udfff", "sections": []}'),
        ("format.mmd", f"gantt\n    dateFormat {'Y' * 100_000}\n    Paint :a1, 2027-01-04, 3d\n"),
    ],
    ids=["surrogate", "surrogate in our own", "date format"],
)
def test_no_file_is_a_defect_of_the_workbench(workbench: Command, tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    read = workbench("import", str(file))
    assert read.code in (0, 2), read.err
    assert "defect" not in read.err
