"""Names of entities come from anywhere: each has a file of its own in the folder, on every disk, in no time."""

from __future__ import annotations

import re
import time

import pytest
from msgspec.structs import replace
from tests.full_plan import PLAN, state_with
from workbench.domain.session.state import Entity
from workbench.export.markdown import entity_files

NAMES = (
    *("../../etc/passwd", "/etc/passwd", "..", ".", "", "a/b", "a\\b", "-rf", "~", "a\0b", "\u202ea", "x" * 5_000),
    *("plan", "Plan", "PLAN", "plan_2", "plän", "файл", ".bashrc", "a\nb"),
)


def files(names: list[str]) -> dict[str, str]:
    entities = tuple(Entity(id="e1", seq=1, name=name, content=name, time="") for name in names)
    return entity_files(replace(state_with(PLAN), entities=entities))


def test_every_name_has_a_file_of_its_own_in_the_folder() -> None:
    found = files(list(NAMES))
    assert len(found) == len({name.casefold() for name in found}) == len(NAMES)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,110}\.md", name) for name in found)
    assert not any(name.startswith("-") for name in found)


@pytest.mark.untraced
def test_thousands_of_names_that_come_to_the_same_take_no_time() -> None:
    begun = time.process_time()
    assert len(files(["т" * (number + 1) for number in range(3_000)])) == 3_000
    assert time.process_time() - begun < 2
