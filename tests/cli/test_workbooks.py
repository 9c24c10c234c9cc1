"""Plans as workbooks of Excel: what people send each other, out, edited, and in again."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from tests.cli.conftest import GOAL, MOVE, Command, Once
from workbench import workbooks
from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.export.formats.workbooks import as_workbook
from workbench.workbooks import workbook_text

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def book_of(sheets: dict[str, list[list[Any]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.fixture
def session(workbench: Command, once: Once) -> str:
    def make() -> str:
        begun = workbench("run", GOAL, *MOVE, "--steps", "-", "--json", stdin="Tell the customers 2d @Anna")
        return str(begun.last["session"])

    return once("session of workbooks", make)


def test_a_workbook_goes_out_is_edited_and_comes_back(workbench: Command, session: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.xlsx"
    assert workbench("sessions", "export", session, "--format", "xlsx", "-o", str(file)).code == 0
    assert f"Changes nothing in {session}" in workbench("import", str(file), "--session", session).out

    book = openpyxl.load_workbook(file)
    sheet = book["Steps"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    assert isinstance(sheet.cell(2, columns["start"]).value, datetime)
    first, second = (str(sheet.cell(row, columns["id"]).value) for row in (2, 3))
    sheet.cell(2, columns["owner"]).value = "Zoë"
    sheet.cell(2, columns["likely"]).value = 4.5
    sheet.cell(3, columns["deadline"]).value = date(2030, 1, 31)
    book.save(file)
    done = workbench("import", str(file), "--session", session, "--yes", "--json")
    assert done.code == 0
    shown = workbench("sessions", "show", session, "--json").last["plan"]
    steps = {item["id"]: item for one in shown["sections"] for item in one["items"] if item["type"] == "step"}
    assert (steps[first]["owner"], steps[first]["effort"]["likely"]) == ("Zoë", 4.5)
    assert steps[second]["deadline"] == "2030-01-31"


def test_no_text_of_a_plan_is_a_formula_and_nothing_acts() -> None:
    plan = Plan(title="P", sections=(Section(id="s", title="S", items=(Step(id="S1", title='=HYPERLINK("x")\x1b'),)),))
    [_, row] = openpyxl.load_workbook(io.BytesIO(as_workbook(plan, NOW)))["Steps"].iter_rows()
    assert [(cell.value, cell.data_type) for cell in row[:2]] == [("S1", "s"), ('=HYPERLINK("x")␛', "s")]


def test_sheets_are_sections_and_cells_are_days_shares_and_words() -> None:
    data = book_of(
        {
            "Plan": [
                ["ID", "Task", "Owner", "Due", "% complete", "Days"],
                [1, "Dig", "Ada", datetime.fromisoformat("2027-05-03"), 0.5, 2.0],
                [2, "Pour | level", "Ben", date(2027, 5, 7), None, 1.5],
            ],
            "Risks": [["Risk"], ["Rain\nfor days"]],
            "Empty": [],
        }
    )
    book = openpyxl.load_workbook(io.BytesIO(data))
    book["Plan"]["E2"].number_format = "0%"
    file = io.BytesIO()
    book.save(file)
    plan = import_plan(workbook_text(file.getvalue(), "p.xlsx"), name="p.xlsx", today=date(2027, 1, 1)).plan
    dig, pour = plan.steps
    assert (dig.owner, dig.deadline, dig.status, dig.effort and dig.effort.likely) == (
        "Ada",
        "2027-05-03",
        "under-way",
        2,
    )
    assert (pour.title, pour.deadline) == ("Pour | level", "2027-05-07")
    assert [item.id for item in plan.items if item.id.startswith("R")] == ["R1"]


def packed(**parts: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book:
        for name, content in parts.items():
            book.writestr(name.replace("__", "/"), content)
    return file.getvalue()


def long_book(rows: int) -> bytes:
    """A workbook with so many rows; openpyxl takes a second to write them."""
    with zipfile.ZipFile(io.BytesIO(book_of({"Plan": [["Task"]]}))) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    row = b'<row><c t="inlineStr"><is><t>Dig</t></is></c></row>'
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(
        b"</sheetData>", row * rows + b"</sheetData>"
    )
    return packed(**parts)


UNUSABLE: dict[str, tuple[Callable[[], bytes], str]] = {
    "no workbook": (lambda: packed(xl__workbook=b"x"), "is no workbook"),
    "bomb": (
        lambda: packed(**{"xl__workbook.xml": b" " * (workbooks.MOST_UNPACKED + 1)}),
        "unpacks to more than 200,000,000 bytes",
    ),
    "damaged": (lambda: packed(**{"xl__workbook.xml": b"<x>"}), "is a damaged workbook"),
    "cut": (lambda: b"PK\x03\x04 and no more", "is a damaged workbook"),
    "rows": (lambda: long_book(20_001), "has a sheet of more than 20,000 rows"),
    "columns": (lambda: book_of({"Plan": [["Task"] * 301]}), "or 300 columns"),
}


@pytest.mark.parametrize("what", UNUSABLE)
def test_what_is_no_workbook_or_too_large_gets_a_sentence(workbench: Command, tmp_path: Path, what: str) -> None:
    data, why = UNUSABLE[what]
    (tmp_path / "p.xlsx").write_bytes(data())
    refused = workbench("import", "p.xlsx")
    assert (refused.code, refused.out) == (2, "")
    assert why in refused.err
    assert "Save the sheet with the tasks as CSV." in refused.err


def test_what_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.workbooks.SECONDS", 0.0)
    with pytest.raises(UsageError, match="takes too long to read"):
        workbook_text(book_of({"Plan": [["Task"], ["Dig"]]}), "p.xlsx")
