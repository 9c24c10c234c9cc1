"""What "undo that" takes back: the last version, a change that is named, or what a piece of feedback changed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from workbench.domain.loop.reports import changes_in, reported
from workbench.domain.plan.operations import applied
from workbench.domain.session.session import fold
from workbench.storage.files.session_file import read_session_file

SAMPLE = Path(__file__).parents[2] / "sessions" / "move-billing-provider-demo.jsonl"
STATE = fold(read_session_file(SAMPLE))
TODAY = date.fromisoformat(STATE.today)


def undo(message):
    requests = reported(STATE, message, TODAY)
    return applied(STATE.plan, [change.operation for change in changes_in(requests)]), requests


def _item(plan, name):
    return next((item for item in plan.items if item.id == name), None)


@pytest.mark.parametrize("message", ["undo that", "undo", "take that back", "undo the last change"])
def test_the_last_version_is_taken_back(message):
    assert undo(message)[0] == STATE.versions[-2].plan


def test_a_change_is_taken_back_by_what_it_did_and_the_dates_follow():
    after, _ = undo("undo the 5 days for the archive, I misread that")
    assert _item(after, "S9").effort == _item(STATE.versions[1].plan, "S9").effort
    assert _item(after, "S9").end < _item(STATE.plan, "S9").end
    assert _item(after, "S10") == _item(STATE.plan, "S10")
    assert _item(after, "R3") == _item(STATE.plan, "R3")


def test_a_change_is_taken_back_by_the_feedback_that_asked_for_it():
    after, _ = undo("undo F2")
    assert _item(after, "R3") is None
    assert _item(after, "S9") == _item(STATE.plan, "S9")


def test_what_no_change_speaks_of_is_asked_back():
    after, (request,) = undo("undo the party")
    assert after == STATE.plan
    assert request.outcome == "asked"
