"""Pictures of the screen: the session as it stood, nothing of others, nothing from elsewhere, nothing that acts."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.screenshots import FOLDER, ROOT, make
from tests.tui import hostile_session
from tests.tui.hostile import obeyed
from workbench.bootstrap import Workspace
from workbench.domain.errors import SettingsError, WorkbenchError
from workbench.export.told import Size
from workbench.storage.files.session_file import read_session_file
from workbench.tui import screenshot as module
from workbench.tui.screenshot import screenshot

SESSIONS = Path(__file__).parents[2] / "sessions"
SIZE = Size(120, 36)
ELEMENTS = {"svg", "style", "defs", "clipPath", "rect", "g", "circle", "text"}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    opened = Workspace.open(tmp_path, environ={})
    opened.import_session(SESSIONS / "move-billing-provider-demo.jsonl")
    opened.import_session(SESSIONS / "organise-wedding-80-demo.jsonl")
    return opened


def read(svg: str) -> tuple[list[ET.Element], str]:
    """The elements of a picture, and what is seen on it."""
    elements = list(ET.fromstring(svg).iter())  # our own output, which is to be sound XML
    rows: dict[str, dict[float, str]] = {}
    for element in elements:
        if element.tag.endswith("}text"):
            rows.setdefault(element.attrib.get("y", ""), {})[float(element.attrib["x"])] = element.text or ""
    lines = ["".join(row[x] for x in sorted(row)) for row in rows.values()]
    return elements, "\n".join(lines).replace("\xa0", " ")


def assert_nothing_acts(svg: str) -> str:
    elements, words = read(svg)
    assert {element.tag.partition("}")[2] for element in elements} <= ELEMENTS
    for element in elements:
        for name, value in element.attrib.items():
            assert not name.startswith("on"), name
            assert "href" not in name, name
            assert re.fullmatch(r"(?!.*url\((?!#terminal-)).*", value, re.DOTALL), value
    styles = svg.partition("</style>")[0]
    assert "url(" not in styles
    assert styles.count("http") == 1, "its namespace"
    assert not obeyed(words.replace("\n", ""))
    return words


@pytest.mark.full
def test_a_picture_shows_the_session_alone_and_is_the_same_each_time(workspace: Workspace) -> None:
    events = list(workspace.session("move-billing-provider-demo").events())
    svg = screenshot(workspace, events, SIZE)
    words = assert_nothing_acts(svg)
    for part in ("Move our billing", "Plan", "done"):
        assert part in words, part
    assert "Organise" not in words
    assert screenshot(workspace, events, SIZE) == svg


@pytest.mark.full
def test_a_picture_is_as_of_an_event_in_a_size_and_a_theme(workspace: Workspace) -> None:
    events = list(workspace.session("organise-wedding-80-demo").events())[:20]
    narrow = screenshot(workspace, events, Size(80, 24), theme="paper", badge="EVENT 20")
    words = assert_nothing_acts(narrow)
    assert "EVENT 20" in words
    assert "done" not in words
    assert narrow != screenshot(workspace, events, Size(80, 24), theme="night", badge="EVENT 20")


def test_a_theme_that_is_not_there_is_named_with_those_that_are(workspace: Workspace) -> None:
    with pytest.raises(SettingsError, match="no theme nothing") as refused:
        screenshot(workspace, list(workspace.session("organise-wedding-80-demo").events()), SIZE, theme="nothing")
    assert "paper" in refused.value.remedy


def test_a_picture_that_does_not_come_is_said(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0)
    with pytest.raises(WorkbenchError, match="not drawn"):
        screenshot(workspace, list(workspace.session("organise-wedding-80-demo").events()), SIZE)


@pytest.mark.cases(2)
@pytest.mark.parametrize("until", ["approach", "checkpoint", "failed", "finished"])
def test_nothing_of_a_hostile_session_acts(workspace: Workspace, tmp_path: Path, until: hostile_session.Stage) -> None:
    file = hostile_session.write(tmp_path / "mail", until)
    assert_nothing_acts(screenshot(workspace, list(read_session_file(file)), SIZE))


def test_the_pictures_are_what_the_application_shows(tmp_path: Path) -> None:
    """Made anew after a change that is meant: ``python -m tests.screenshots``."""
    asyncio.run(make(tmp_path))
    assert _pictures(tmp_path) == _pictures(FOLDER)


def _pictures(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_the_readme_shows_each_of_them() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"!\[.+?\]\(docs/images/(.+?)\)", readme)) == sorted(
        path.name for path in FOLDER.iterdir()
    )


def test_a_picture_refers_to_nothing_outside_itself() -> None:
    for path in FOLDER.iterdir():
        addresses = set(re.findall(r"\w+://[^\"'\s)]+", path.read_text(encoding="utf-8")))
        assert addresses == {"http://www.w3.org/2000/svg"}, "the name of the format, which nobody fetches"
