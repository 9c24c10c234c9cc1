"""A plan is begun in a real browser: ``workbench serve``, headless Chromium, keys, and the picture that it paints."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.tui.browser import Browser, chromium
from workbench import Workspace

WORKBENCH = str(Path(sys.executable).with_name("workbench"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
GOAL = "Move our billing to the new provider by 30 June 2028"

pytestmark = [
    pytest.mark.untraced,
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed: apt-get install chromium"),
]


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to plan in, of a person without settings."""
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def address(work: Path) -> Iterator[str]:
    """Where the application is served, with a token."""
    command = [WORKBENCH, "serve", "--port", "0", "--token", "--json", "--workspace", str(work)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield str(json.loads(process.stdout.readline())["url"])
        process.terminate()
        assert process.wait() == 0


async def said(browser: Browser) -> str:
    """Return what the page itself tells below the application."""
    shown = await browser.ask("Runtime.evaluate", expression="document.querySelector('#note').innerText")
    return str(shown["result"]["value"])


async def test_a_plan_in_a_browser(work: Path, address: str, tmp_path: Path) -> None:
    async with chromium(CHROMIUM, tmp_path / "profile") as browser:
        await browser.ask("Page.navigate", url=address)
        await browser.until("What do you want to plan?")
        empty = await browser.picture()
        await browser.type(GOAL)
        await browser.until(GOAL)
        await browser.press("Enter")
        await browser.until("Choose an approach")
        await browser.press("ctrl+y")
        await browser.press("1")
        await browser.until("Steps of your own, one per line")
        await browser.press("ctrl+s")
        await browser.until("1 Plan v1")
        drafted = await browser.picture()
        (tmp_path / "browser.png").write_bytes(drafted)
        assert drafted != empty
        assert {urlsplit(one).netloc for one in browser.requests} == {urlsplit(address).netloc}
        assert any("fonts" in one for one in browser.requests)
        assert not browser.problems
        await browser.type("x" * 70_000)
        while "longer than 64 kB" not in await said(browser):
            pass
        await browser.press("ctrl+q")
        closed = "getComputedStyle(document.querySelector('#closed')).display"
        while (await browser.ask("Runtime.evaluate", expression=closed))["result"]["value"] != "block":
            pass
    with Workspace.open(work) as workspace:
        assert [listed.goal for listed in workspace.sessions()] == [GOAL]
