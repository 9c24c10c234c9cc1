"""The models that can be named: one is added, set, tried once the person said yes, and plans from then on."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.models.fake_openai import FakeServer, fake_server, text
from tests.tui.acting import GOAL, USUAL, Look, RunApp, open_palette, sees, shown, until
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.settings import Settings
from workbench.tui.app import WorkbenchApp
from workbench.tui.dialog import ConfirmDialog
from workbench.tui.form import FormDialog
from workbench.tui.settings.models import ModelsDialog
from workbench.tui.widgets.field import Draft, Field


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with fake_server() as running:
        running.will(text("ready"))
        yield running


async def to_models(pilot: Pilot[Any]) -> None:
    await open_palette(pilot)
    await pilot.press(*"models", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ModelsDialog) and "guided" in shown(pilot))


async def add(pilot: Pilot[Any], name: str) -> None:
    pilot.app.screen.query_one(Field).focus()
    await pilot.press(*name, "enter")
    await until(pilot, lambda: pilot.app.screen._chosen and pilot.app.screen._chosen.model == name)


async def set_values(pilot: Pilot[Any], **values: str) -> None:
    await pilot.press("e")
    await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
    for name, value in values.items():
        pilot.app.screen.query_one(f"#{name}", Field).value = value
    await pilot.press("enter")


async def test_a_model_is_named_set_tried_and_plans(
    run_app: RunApp, workspace: Workspace, server: FakeServer, tmp_path: Path
) -> None:
    async with run_app(size=USUAL) as pilot:
        await to_models(pilot)
        await add(pilot, "openai:tiny")
        await set_values(pilot, base_url=server.base_url, window="16,000")
        await until(pilot, lambda: "That holds for openai:tiny" in shown(pilot))
        await sees(pilot, "window 16,000")

        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))
        await sees(pilot, server.base_url)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ModelsDialog))
        assert server.requests == [], "nothing is sent before the person said yes"

        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))
        await pilot.press("y")
        await until(pilot, lambda: "openai:tiny answers: “ready”" in shown(pilot))
        assert "n/a, window 16,000" in " ".join(shown(pilot).split())
        assert len(server.requests) == 1

        await pilot.press("enter")
        await until(pilot, lambda: "openai:tiny plans from now on" in shown(pilot))
        await sees(pilot, "guided", "in this process")
    kept = tomllib.loads((tmp_path / "user" / "config.toml").read_text())
    assert kept == {
        "model": "openai:tiny",
        "base_url": server.base_url,
        "models": {"openai:tiny": {"base_url": server.base_url, "window": 16000}},
    }
    options = workspace.start(GOAL).state.options
    assert (options.model, options.base_url) == ("openai:tiny", server.base_url)


@pytest.mark.usefixtures("workspace")
async def test_a_model_of_this_machine_is_offered_and_what_it_takes_is_told_before_a_session(
    run_app: RunApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.models.servers.discovery.USUAL_SERVERS", [])
    monkeypatch.setattr("workbench.models.catalogue._installed", lambda _module: True)
    monkeypatch.setattr(WorkbenchApp, "looks_for_models", True)
    monkeypatch.setattr("workbench.bootstrap.known_models.local_model_text", lambda *_: "5.0 tokens a second")
    async with run_app(size=USUAL) as pilot:
        await until(pilot, lambda: "workbench models get" in shown(pilot))
        app: Any = pilot.app
        app.workspace.parts.models.choose(model="local:none")
        app.screen.query_one(Draft).load_text(GOAL)
        await pilot.press("enter")
        await until(pilot, lambda: "is not on this machine" in shown(pilot))
        assert "5.0 tokens a second" in shown(pilot)


async def test_a_key_goes_into_the_keyring_and_is_found_there(
    run_app: RunApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept: dict[tuple[str, str], str] = {}
    ring = SimpleNamespace(
        __spec__=ModuleSpec("keyring", None),
        get_password=lambda *place: kept.get(place),
        set_password=lambda *given: kept.update({given[:2]: given[2]}),
        errors=SimpleNamespace(KeyringError=RuntimeError),
    )
    monkeypatch.setitem(sys.modules, "keyring", ring)  # type: ignore[arg-type]  # as much of it as is used
    async with run_app(size=USUAL) as pilot:
        await to_models(pilot)
        await add(pilot, "openai:tiny")
        await set_values(pilot, secret="sk-none-of-a-person")
        await until(pilot, lambda: "That holds for openai:tiny" in shown(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: "openai:tiny plans from now on" in shown(pilot))
    assert list(kept.values()) == ["sk-none-of-a-person"]
    assert "sk-none" not in (tmp_path / "user" / "config.toml").read_text()


@pytest.mark.parametrize(
    ("settings", "stays"),
    [
        ({}, True),
        ({"model": "openai:m"}, False),
        ({"model": "openai:m", "base_url": "http://127.0.0.1:8080/v1"}, True),
        ({"search_url": "https://search.example/search"}, False),
        ({"log": "redis://localhost:6379/0"}, True),
        ({"log": "redis://logs.example:6379/0"}, False),
        ({"mcp": {"x": {"url": "https://tools.example"}}}, False),
    ],
)
def test_what_stays_on_this_machine(settings: dict[str, Any], stays: bool) -> None:
    assert Settings(**settings).stays_here is stays


def test_the_models(look: Look) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await to_models(pilot)
        await add(pilot, "anthropic:claude-3-5-haiku-latest")

    assert look(USUAL, go)


async def test_the_footer_names_keys_that_act_where_the_focus_is(run_app: RunApp) -> None:
    async with run_app(size=USUAL) as pilot:
        await to_models(pilot)
        await sees(pilot, "Enter plan with it   t try it   e its settings")
        await pilot.press("tab")
        await sees(pilot, "Enter list it   Tab to the models")
        assert "try it" not in shown(pilot)
        await pilot.press("tab")
        await sees(pilot, "t try it")
