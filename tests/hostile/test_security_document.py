"""Every line of docs/security.md that promises something names its test, and every test that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_document_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs" / "security.md").read_text())
    assert len(named) > 20
    missing = [f"{file}::{name}" for file, name in named if f"def {name}(" not in (ROOT / file).read_text()]
    assert missing == []


def test_every_promise_names_its_test() -> None:
    """A table headed "it cannot" promises; one headed "it can" warns."""
    promises, without = False, []
    for line in (ROOT / "docs" / "security.md").read_text().splitlines():
        if line.startswith("| it can"):
            promises = line.startswith("| it cannot")
        elif line.startswith("| ") and promises and "`tests/" not in line:
            without.append(line)
    assert without == []
