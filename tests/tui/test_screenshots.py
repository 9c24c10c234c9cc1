"""The pictures in README are what the application shows of the saved sessions, and hold everything they need."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from tests.screenshots import FOLDER, ROOT, make


def test_the_pictures_are_what_the_application_shows(tmp_path: Path) -> None:
    """Made anew after a change that is meant: ``python -m tests.screenshots``."""
    asyncio.run(make(tmp_path))
    assert _pictures(tmp_path) == _pictures(FOLDER)


def _pictures(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_the_readme_shows_each_of_them() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"!\[.+?\]\(docs/images/(.+?)\)", readme)) == sorted(
        path.name for path in FOLDER.iterdir()
    )


def test_a_picture_refers_to_nothing_outside_itself() -> None:
    for path in FOLDER.iterdir():
        addresses = set(re.findall(r"\w+://[^\"'\s)]+", path.read_text(encoding="utf-8")))
        assert addresses == {"http://www.w3.org/2000/svg"}, "the name of the format, which nobody fetches"
