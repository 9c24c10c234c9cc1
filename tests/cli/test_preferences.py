"""What the application's preferences are made of: names, choices and the table of keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command


def test_preferences_are_settings_like_any_other(
    workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "user-config.toml").write_text('theme = "paper"\n[keys]\n"app.new" = "f4"\n')
    monkeypatch.setenv("WORKBENCH_MARKS", "ascii")
    shown = {one["setting"]: one for one in workbench("config", "--json").lines}
    assert shown["theme"]["value"] == "paper"
    assert shown["theme"]["source"].endswith("user-config.toml")
    assert (shown["marks"]["value"], shown["marks"]["source"]) == ("ascii", "WORKBENCH_MARKS")
    assert shown["keys"]["value"] == {"app.new": "f4"}
    assert "app.new = f4" in workbench("config").out


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        ('marks = "emoji"', "Give one of: unicode, ascii."),
        ('motion = "wild"', "Give one of: full, reduced."),
        ('keys = "f4"', "Give a table [keys]"),
        ('[keys]\n"app.new" = 4', "Give a table [keys]"),
        ('[keys]\n"app.new" = ""', "Give a table [keys]"),
        ("iterations = " + "9" * 5000, "Mend that line."),
        ("iterations = " + "[" * 5000, "Mend that line."),
    ],
)
def test_a_preference_that_cannot_be_used_is_refused(
    content: str, remedy: str, workbench: Command, tmp_path: Path
) -> None:
    (tmp_path / "user-config.toml").write_text(content)
    refused = workbench("config")
    assert refused.code == 2
    assert remedy in refused.err
