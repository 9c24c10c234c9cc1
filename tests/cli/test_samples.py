"""Each session that ships with the workbench is imported, replayed, verified, and leaves in every form."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Command
from workbench.bootstrap import sample_sessions

SAMPLES = sample_sessions()


@pytest.mark.cases(1)
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_is_found_by_its_id_and_verifies(workbench: Command, sample: str) -> None:
    result = workbench("replay", sample, "--verify", "--json")
    assert (result.code, result.last["verified"]) == (0, True)
