"""Every plan file of ``cases`` is read as it says there, and each of its lines has one fate."""

from __future__ import annotations

import pytest
from tests.domain.importing.cases import FOLDER, TODAY, Case, cases, told
from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.text.encodings import decoded

CASES = {case.name: case for case in cases()}
OFFICE, HOUSE = CASES["office.xml"].text, CASES["house.gan"].text
HEAD, _, PROJECT = OFFICE.partition("\n")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_file_is_read_as_somebody_has_seen_it(case: Case) -> None:
    imported = case.imported()
    assert told(imported) == case.read

    lines = case.text.removeprefix("\ufeff").removesuffix("\n").split("\n")
    assert [fate.line for fate in imported.lines] == list(range(1, len(lines) + 1))
    assert all((fate.kind == "blank") == (not line.strip()) for fate, line in zip(imported.lines, lines, strict=True))


def test_no_file_is_forgotten() -> None:
    there = {f"{folder}/{path.name}" for folder in ("faults", "tools") for path in (FOLDER / folder).iterdir()}
    assert there <= CASES.keys()


@pytest.mark.parametrize("data", [b"\x00\x01\x02\xff", b"\x81\x8d", b"M\xfcl\x00ler", "Ж".encode("koi8-r") * 50])
def test_what_is_no_text_has_no_encoding(data: bytes) -> None:
    assert decoded(data) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'{HEAD}<!DOCTYPE Project [<!ENTITY a "b">]>\n{PROJECT}', "defines words of its own"),
        (f'{HEAD}<!DOCTYPE Project SYSTEM "file:///etc/passwd">\n{PROJECT}', "defines words of its own"),
        (HOUSE.replace("<project", '<!DOCTYPE x [<!ENTITY a "aaaa">]><project', 1), "defines words of its own"),
        (OFFICE.replace("</Tasks>", ""), "not complete XML: mismatched tag"),
        (f"{HEAD}<svg></svg>", "cannot be read as a plan"),
        ("@startgantt\n[Dig] lasts 4 days\n@endgantt\n", "A diagram of PlantUML"),
        ('project house "House" 2027-05-01 +3m {\n}\ntask dig "Dig" {\n effort 4d\n}\n', "A project of TaskJuggler"),
        ('# A map "Yard"\n\n# of it\ntask yard "Yard" {\n  task dig "Dig" {\n', "A project of TaskJuggler"),
        ('supplement task yard {\n  task dig "Dig" {\n    effort 20h\n  }\n}\n', "A project of TaskJuggler"),
        ("ERMHDR\t19.12\t2027-05-03\n", "A project of Primavera"),
        ("%PDF-1.4\n%x\n", "A PDF"),
        ('{"name": "Yard", "lists": [{"id": "l", "name": "To do"}], "cards": []}', "no list of tasks with titles"),
        ('[{"title": "Dig", "dependencies": [{"depends_on_id": "b"}]}, {"title": "Pour"}]', "Issues of beads"),
        ('[{"uuid": "a", "description": "Rest", "status": "pending"}]', "no list of tasks with titles"),
        ("---\nid: task-9\ntitle: Paint\nstatus: To Do\n---\n\n## Plan\n1. Sand\n", "A task of Backlog.md"),
        ('---\nid: TASK-1\ntitle: "Dig"\nstatus: Done\n---\n- [x] #1 Dug\n', "A task of Backlog.md"),
        ("(A) 2027-01-05 Dig +yard\nx 2027-01-06 Pour\nLevel\n", "A list of todo.txt"),
        ("(A) Dig\nx Pour\nLevel\n", "A list of todo.txt"),
    ],
)
def test_what_is_broken_defines_entities_or_is_not_read_is_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        import_plan(text, name="plan.json" if text.startswith("{") else "", today=TODAY)


def test_lettered_lines_are_todo_txt_where_their_file_is_called_so() -> None:
    text = CASES["lettered.txt"].text
    with pytest.raises(UsageError, match=r"A list of todo.txt"):
        import_plan(text, name="Todo.txt", today=TODAY)


def test_a_line_is_not_told_by_the_words_of_another_step() -> None:
    assembly = Assembly(["Paint the door", "the tall gate", "Open the tall gate", "the tall gate"], "t.md")
    assembly.step(StepDraft(0, "Paint the door"), [1])
    assembly.step(StepDraft(2, "Open the tall gate", notes=["the tall gate"]))
    assembly.prose(assembly.own_section("More"), 3, 4)
    assert [(one.line, one.text) for one in assembly.build("text").not_placed] == [(2, "the tall gate")]
