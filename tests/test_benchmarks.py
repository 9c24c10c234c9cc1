"""Benchmarks still run when what they measure has changed. Their figures are not judged here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.benchmarks import p17_streaming

pytestmark = pytest.mark.untraced
ROOT = Path(__file__).parent.parent
_NOT_HERE = {"p07_recall", "p08_embeddings", "p22_suite"}
"""The first two need data that is not the project's; the third runs these tests."""
SCRIPTS = sorted(path.stem for path in (ROOT / "tests" / "benchmarks").glob("p[0-9]*.py") if path.stem not in _NOT_HERE)


def quick(script: str) -> dict[str, object]:
    command = [sys.executable, "-m", f"tests.benchmarks.{script}", "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures: dict[str, object] = json.loads(done.stdout)
    return figures


@pytest.mark.parametrize(
    "script", [pytest.param(one, marks=() if one == "p10_bundle" else pytest.mark.full) for one in SCRIPTS]
)
def test_a_benchmark_runs_in_its_quick_form(script: str) -> None:
    assert quick(script)


@pytest.mark.full
def test_other_sessions_are_searched_by_two_processes() -> None:
    assert quick("p20_other_sessions")["same_results"] is True


@pytest.mark.full
def test_a_plan_streams_through_the_application(tmp_path: Path) -> None:
    plan = p17_streaming.long_plan(tmp_path, 100)
    (tmp_path / "plan.json").write_bytes(msgspec.json.encode(plan))
    assert p17_streaming.cpu_of("plan", tmp_path, 20) > 0
