"""Playbooks: a person's own are used, a team's once they are accepted, and a broken one is named and stops nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.guided.test_cores import SMALL
from workbench.bootstrap import Workspace
from workbench.bootstrap.models import trust_request
from workbench.bootstrap.playbooks import load_playbooks
from workbench.guided.brief import read_brief
from workbench.guided.kinds import ranking
from workbench.settings import find_settings

OWN = SMALL.replace('name = "a thing"', 'name = "keeping bees"').replace(
    'words = ["thing"]', 'words = ["bee colonies"]'
)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "me" / "playbooks").mkdir(parents=True)
    (tmp_path / "work" / ".workbench" / "playbooks").mkdir(parents=True)
    return {"WORKBENCH_CONFIG": str(tmp_path / "me" / "config.toml")}


def loaded(tmp_path: Path, environ: dict[str, str], **options: str):
    settings = find_settings(tmp_path / "work", options=options, environ=environ)
    return load_playbooks(settings, tmp_path / "work" / ".workbench", environ)


def test_a_persons_own_playbook_is_used_and_a_broken_one_is_named(tmp_path, environ):
    folder = tmp_path / "me" / "playbooks"
    (folder / "bees.toml").write_text(OWN)
    (folder / "broken.toml").write_text(OWN.replace('needs = ["one"]', 'needs = ["none"]'))
    (folder / "bytes.toml").write_bytes(b"\xff")
    (folder / "digits.toml").write_text("a = " + "1" * 5_000)
    found = loaded(tmp_path, environ)
    assert [core.name for core in found.cores] == ["keeping bees"]
    assert any("broken.toml:15" in failure for failure in found.failures)
    assert [failure.split(":")[0] for failure in found.failures] == [
        f"Playbook {name}.toml" for name in ("broken", "bytes", "digits")
    ]
    assert loaded(tmp_path, environ, playbooks="off").cores == ()


@pytest.mark.parametrize("pattern", ["(a+)+$", "(?:hold|host) .*party", "bee*hive*", r"bees?\\b"])
def test_a_regular_expression_in_a_playbook_is_refused_with_what_to_write(tmp_path, environ, pattern):
    (tmp_path / "me" / "playbooks" / "bees.toml").write_text(f'{OWN}only = "{pattern}"\n')
    found = loaded(tmp_path, environ)
    assert not found.cores
    assert found.failures[0].startswith("Playbook bees.toml:")
    assert "write words, | between them" in found.failures[0]


def test_phrases_of_a_playbook_are_found_in_a_goal(tmp_path, environ):
    text = OWN.replace("deadline =", 'forms = ["keep * in the garden"]\ndeadline =')
    text += 'only = "hive|queen*rearing|a.b"\n'
    (tmp_path / "me" / "playbooks" / "bees.toml").write_text(text)
    (core,) = loaded(tmp_path, environ).cores
    goals = {"Keep some bees in the garden": False, "Three hives": True, "queens-rearing": False, "queenrearing": True}
    told = {goal: read_brief(goal, "2027-01-01").has_said(core.steps["three"].only) for goal in goals}
    assert told == goals
    ranked = ranking("Keep twenty bees in the garden", [core])
    assert ranked[0].points > ranking("Keep calm", [core])[0].points


def test_a_teams_playbook_waits_until_the_setting_is_accepted(tmp_path, environ):
    folder = tmp_path / "work" / ".workbench"
    (folder / "playbooks" / "bees.toml").write_text(OWN)
    (folder / "config.toml").write_text('playbooks = "team"\n')
    assert loaded(tmp_path, environ).cores == ()
    found = loaded(tmp_path, environ, playbooks="team")
    assert found.cores == (), "the setting names no content"
    assert "workbench trust" in found.failures[0]
    with Workspace.open(tmp_path / "work", environ=environ) as workspace:
        workspace.accept(trust_request(tmp_path / "work", environ))
    assert [core.source for core in loaded(tmp_path, environ).cores] == ["the team"]
    assert not trust_request(tmp_path / "work", environ)
    (folder / "playbooks" / "bees.toml").write_text(OWN.replace("keeping bees", "keeping other bees"))
    assert loaded(tmp_path, environ).cores == (), "the next pull changed it"
    assert list(trust_request(tmp_path / "work", environ).contents) == ["playbooks/bees.toml"]
