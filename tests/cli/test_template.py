"""``workbench template``: what there is to plan with, and a plan that becomes a template."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.templates.test_template import PLAYBOOK, SMALL
from workbench.bootstrap import Workspace
from workbench.bootstrap.models import trust_request
from workbench.bootstrap.templates import load_templates, save_template
from workbench.domain.errors import UsageError
from workbench.settings import find_settings
from workbench.templates.template import read_template


def test_all_are_listed_as_a_table_and_as_json(workbench: Command) -> None:
    assert "move-system" in workbench("template").out
    assert "cohorts" in workbench("template", "list").out
    lines = workbench("template", "list", "--json").lines
    assert {"event", "hire"} <= {line["name"] for line in lines}


def test_one_is_shown_whole_or_one_variant_and_a_slip_is_named(workbench: Command) -> None:
    assert "Move in cohorts" in workbench("template", "show", "move-system").out
    assert "Move in cohorts" not in workbench("template", "show", "move-system:parallel").out
    shown = workbench("template", "show", "hire", "--json").last
    assert read_template(shown["toml"], "hire").title == shown["title"]
    wrong = workbench("template", "show", "move-sytem")
    assert wrong.code == 2
    assert "Did you mean move-system?" in wrong.err


def test_a_plan_is_saved_as_a_template_of_ones_own_and_of_the_team(
    workbench: Command, finished: str, tmp_path: Path
) -> None:
    saved = workbench("template", "save", finished, "--name", "ours", "--json").last
    assert (saved["whose"], Path(saved["file"])) == ("your own", tmp_path / "templates" / "ours.toml")
    assert workbench("template", "list", "--json").lines[0]["name"] == "ours"
    assert "workbench trust" in workbench("template", "save", finished, "--name", "ours", "--team").out
    assert (tmp_path / ".workbench" / "templates" / "ours.toml").is_file()
    assert workbench("template", "save", finished, "--name", "../ours").code == 2


@pytest.mark.parametrize("team", [(), ("--team",)])
def test_a_template_is_replaced_only_when_it_is_said(
    workbench: Command, finished: str, tmp_path: Path, team: tuple[str, ...]
) -> None:
    file = (tmp_path / ".workbench" if team else tmp_path) / "templates" / "ours.toml"
    file.parent.mkdir()
    file.write_text("# somebody's")
    refused = workbench("template", "save", finished, "--name", "ours", *team)
    assert (refused.code, file.read_text()) == (2, "# somebody's")
    assert "add --yes" in refused.err
    assert workbench("template", "save", finished, "--name", "ours", *team, "--yes").code == 0
    assert read_template(file.read_text(), "ours").steps


@pytest.mark.parametrize("place", ["templates", "templates/ours.toml"])
def test_a_teams_template_is_written_through_no_link(
    workbench: Command, finished: str, tmp_path: Path, place: str
) -> None:
    outside, link = tmp_path / "outside", tmp_path / ".workbench" / place
    outside.mkdir()
    (outside / "mine").write_text("mine")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside / "mine" if link.suffix else outside)
    refused = workbench("template", "save", finished, "--name", "ours", "--team", "--yes")
    assert refused.code == 2
    assert "is a link" in refused.err
    assert [(path.name, path.read_text()) for path in outside.iterdir()] == [("mine", "mine")]


def test_a_built_in_one_is_edited_into_ones_own(
    workbench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.sh"
    script.write_text('#!/bin/sh\nsed -i \'s/^title = .*/title = "Mine"/; 1i # my words\' "$1"\n', encoding="utf-8")
    script.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(script))
    assert workbench("template", "edit", "dispute").code == 0
    assert workbench("template", "show", "dispute", "--json").last["whose"] == "your own"
    assert "# my words" in (tmp_path / "templates" / "dispute.toml").read_text(encoding="utf-8")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    for folder in ("me/templates", "me/playbooks", "work/.workbench/templates"):
        (tmp_path / folder).mkdir(parents=True)
    return {"WORKBENCH_CONFIG": str(tmp_path / "me" / "config.toml")}


def loaded(tmp_path: Path, environ: dict[str, str], **options: str):
    settings = find_settings(tmp_path / "work", options=options, environ=environ)
    return load_templates(settings, tmp_path / "work" / ".workbench", environ)


def test_templates_and_playbooks_are_read_and_what_is_broken_is_named(tmp_path: Path, environ: dict[str, str]) -> None:
    me = tmp_path / "me"
    (me / "templates" / "bees.toml").write_text(SMALL)
    (me / "templates" / "broken.toml").write_text(SMALL.replace('needs = ["hive"]', 'needs = ["none"]'))
    (me / "templates" / "bytes.toml").write_bytes(b"\xff")
    (me / "playbooks" / "old.toml").write_text(PLAYBOOK)
    (me / "playbooks" / "bees.toml").write_text(PLAYBOOK)
    found = loaded(tmp_path, environ)
    assert [one.name for one in found.own] == ["bees", "old"]
    assert found.notes == (
        "playbooks/old.toml was written for an earlier version: it is used as a template, without its patterns.",
    )
    assert [failure.split(" ")[0] for failure in found.failures] == [
        "templates/broken.toml:14:", "templates/bytes.toml:", "playbooks/bees.toml:",
    ]  # fmt: skip
    assert found.catalogue.named("bees").title == "Keep bees"
    assert loaded(tmp_path, environ, playbooks="off").own == ()


def test_a_teams_template_waits_until_what_it_holds_is_accepted(tmp_path: Path, environ: dict[str, str]) -> None:
    folder = tmp_path / "work" / ".workbench"
    (folder / "templates" / "bees.toml").write_text(SMALL)
    (folder / "config.toml").write_text('playbooks = "team"\n')
    assert loaded(tmp_path, environ).team == ()
    assert "workbench trust" in loaded(tmp_path, environ, playbooks="team").failures[0]
    with Workspace.open(tmp_path / "work", environ=environ) as workspace:
        workspace.accept(trust_request(tmp_path / "work", environ))
    assert [one.name for one in loaded(tmp_path, environ).team] == ["bees"]
    (folder / "templates" / "bees.toml").write_text(SMALL.replace("Keep bees", "Keep wasps"))
    assert loaded(tmp_path, environ).team == (), "the next pull changed it"
    assert list(trust_request(tmp_path / "work", environ).contents) == ["templates/bees.toml"]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        save_template(read_template(SMALL, "bees"), tmp_path / "file")
