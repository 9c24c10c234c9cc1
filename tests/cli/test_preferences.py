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


def test_keys_of_a_workspace_are_added_to_a_persons_own(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "user-config.toml").write_text('[keys]\n"app.new" = "f4"\n"app.help" = "f9"\n')
    (tmp_path / ".workbench").mkdir()
    (tmp_path / ".workbench" / "config.toml").write_text('[keys]\n"app.new" = "f5"\n')
    assert workbench("trust", "--yes").code == 0
    shown = {one["setting"]: one["value"] for one in workbench("config", "--json").lines}
    assert shown["keys"] == {"app.new": "f5", "app.help": "f9"}


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


def test_how_each_kind_comes_into_prompts_is_set_in_a_table(workbench: Command, tmp_path: Path) -> None:
    (tmp_path / "user-config.toml").write_text('[recall.user]\nmethod = "recent"\nrecent = 5\n')
    (shown,) = (line for line in workbench("config", "--json").lines if line["setting"] == "recall")
    assert shown["value"] == {"user": {"method": "recent", "recent": 5}}
    session = workbench("run", "Paint the fence", "--approve", "all", "--iterations", "1", "--json").last["session"]
    assert workbench("context", session, "--json").last["relevant_history"] == []


@pytest.mark.parametrize(
    "table",
    ["recall = 3", '[recall.user]\nmethod = "psychic"', "[recall.user]\nrecent = -1", "[recall.dog]\nrecent = 1"],
)
def test_a_table_of_recall_that_cannot_be_is_refused_with_one_that_can(
    workbench: Command, tmp_path: Path, table: str
) -> None:
    (tmp_path / "user-config.toml").write_text(table)
    refused = workbench("config")
    assert refused.code == 2
    assert "[recall.user] with method" in refused.err.replace("\n", " ")
