"""Each session that ships with the workbench is imported, replayed, verified, and leaves in every form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from workbench.bootstrap import sample_sessions
from workbench.domain.session.session import fold
from workbench.storage.files.session_file import read_session_file

SAMPLES = sample_sessions()


@pytest.mark.full
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_is_imported_and_leaves_in_every_form(workbench: Command, sample: str, tmp_path: Path) -> None:
    file = SAMPLES[sample]
    state = fold(read_session_file(file))
    assert state.plan is not None
    assert workbench("sessions", "import", str(file)).code == 0
    for form in ("md", "json", "jsonl", "html"):
        assert workbench("sessions", "export", sample, "--format", form, "-o", f"it.{form}").code == 0

    def left(form: str) -> str:
        return (tmp_path / f"it.{form}").read_text(encoding="utf-8")

    assert f"# {state.plan.title}" in left("md")
    assert json.loads(left("json"))["plan"]["version"] == state.version
    assert tuple(read_session_file(tmp_path / "it.jsonl")) == tuple(read_session_file(file))
    assert left("html").endswith("</html>\n")


@pytest.mark.cases(1)
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_is_found_by_its_id_and_verifies(workbench: Command, sample: str) -> None:
    result = workbench("replay", sample, "--verify", "--json")
    assert (result.code, result.last["verified"]) == (0, True)
