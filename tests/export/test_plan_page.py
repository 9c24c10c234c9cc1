"""The plan as a page: what stands on it, what its pictures show, and that nothing of a session acts there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from tests.builders import created, plan_changed, told
from tests.domain.sound_plans import sound
from tests.export.elements import Elements
from tests.export.test_html import ATTRIBUTES, assert_nothing_acts
from tests.full_plan import PLAN, state_with
from tests.properties.plans import plans
from tests.tui.hostile import HALVES, IN_A_FILE, ITEMS, Hostile
from tests.tui.hostile_session import bodies
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.domain.session.session import fold
from workbench.export.pictures import LEFT, WIDTH, risk_grid, timeline
from workbench.export.plan_page import plan_page
from workbench.storage.files.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))
SHAPES = {
    "svg": {"viewbox", "role", "aria-label"},
    "line": {"class", "x1", "x2", "y1", "y2"},
    "rect": {"class", "x", "y", "width", "height", "rx"},
    "circle": {"class", "cx", "cy", "r"},
    "text": {"x", "y", "text-anchor"},
    "table": {"class"},
    "figure": {"class"},
    "figcaption": {"class"},
}


@pytest.fixture(autouse=True)
def with_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pictures stand on a page: shapes without style, script or address."""
    for tag, attributes in SHAPES.items():
        monkeypatch.setitem(ATTRIBUTES, tag, attributes)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_page_of_a_sample_is_the_plan(sample: Path) -> None:
    state = fold(read_session_file(sample))
    read = assert_nothing_acts(plan_page(state))
    assert state.plan is not None
    assert [one.words for one in read.of("h1")] == [state.plan.title]
    for step in state.plan.steps:
        assert step.title in read.words
    assert "--format record" in read.words
    assert "prompt" not in read.words, "provenance stands on the other page"


def test_every_part_of_a_plan_stands_on_the_page() -> None:
    read = assert_nothing_acts(plan_page(state_with(PLAN)))
    for words in (
        "Rent the square",
        "Check: the town's letter",
        "2–5 Mar",
        "Costs by kind",
        "Stalls are let",
        "(done)",
    ):
        assert words in read.words
    assert len(read.of("svg")) == 2


@pytest.mark.parametrize("hostile", [IN_A_FILE, *(item for item in ITEMS if item not in HALVES)], ids=str)
def test_hostile_texts_do_not_act(hostile: Hostile) -> None:
    assert_nothing_acts(plan_page(fold(told(*bodies(hostile, until="checkpoint")))))


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(plans())
def test_any_plan_is_a_page(plan: Plan) -> None:
    assert_nothing_acts(plan_page(state_with(plan)))


def test_a_timeline_has_a_bar_for_each_dated_step_within_the_picture() -> None:
    drawn = timeline(figures(PLAN))
    assert drawn is not None
    assert [bar.step for bar in drawn.bars] == ["S1", "S2", "S3", "S4", "S5", "S6", "S7"]
    assert all(LEFT <= bar.x <= bar.x + bar.width <= WIDTH + 3 for bar in drawn.bars)
    assert [bar.kind for bar in drawn.bars if bar.step in ("S1", "S5")] == ["done", "waiting"]
    assert drawn.deadline is not None
    assert len(drawn.ticks) <= 8


def test_a_long_timeline_names_years() -> None:
    steps = tuple(Step(id=f"S{n}", title="x", start=f"20{n}0-01-01", end=f"20{n}0-02-01") for n in (2, 3))
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=steps),))
    drawn = timeline(figures(plan))
    assert drawn is not None
    assert drawn.ticks[0].text == "Jan 2020"


def test_without_dates_and_risks_there_are_no_pictures() -> None:
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=(Step(id="S1", title="x"),)),))
    assert timeline(figures(plan)) is None
    assert risk_grid(plan) == ()
    page = plan_page(fold(told(created(), plan_changed(version=1, plan=plan))))
    assert not Elements(page).of("svg")


def test_risks_stand_where_likelihood_and_impact_meet() -> None:
    cells = [cell for row in risk_grid(PLAN) for cell in row]
    assert sorted(risk for cell in cells for risk in cell.risks) == sorted(
        item.id for item in PLAN.items if item.id.startswith("R")
    )
    assert risk_grid(PLAN)[0][2].weight == 4


def test_a_plan_that_ends_with_the_calendar_has_a_picture() -> None:
    last = "2199-12-31"
    steps = [Step(id=f"S{n}", title="Wait", start="2199-12-01", end=last, deadline=last) for n in (1, 2)]
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=tuple(steps)),))
    drawn = timeline(figures(plan))
    assert drawn is not None
    assert [bar.x + bar.width for bar in drawn.bars] == [WIDTH, WIDTH]
    assert plan_page(state_with(plan))


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
IN_SILENCE = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
MOST_SHEETS = 4


@pytest.mark.skipif(not BROWSER, reason="no Chromium is installed to print with")
def test_eleven_steps_print_on_four_sheets_at_most(tmp_path: Path) -> None:
    plan, page, paper = sound("product_launch").plan, tmp_path / "plan.html", tmp_path / "plan.pdf"
    assert len(plan.steps) == 11
    page.write_text(plan_page(state_with(plan)), encoding="utf-8")
    command = [
        BROWSER,
        *IN_SILENCE,
        f"--user-data-dir={tmp_path / 'browser'}",
        f"--print-to-pdf={paper}",
        page.as_uri(),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    sheets = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert 1 <= sheets <= MOST_SHEETS
