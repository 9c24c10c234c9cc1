"""A session lasts longer than a day: what the plan calls today moves with whoever comes back to it."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime

import pytest
from tests.builders import (
    FINISH,
    Script,
    again,
    answering,
    bodies_of,
    created,
    events_of,
    feedback,
    log_of,
    told,
)
from tests.builders import FixedClock as Yesterday
from tests.planning.test_statements import last_prompt, planned
from tests.replay.test_verification import verified
from workbench.domain.errors import LogDamaged
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.planning.beside_the_loop.commanding import carry_out
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.session_log import SessionLog

DAY = date(2026, 3, 3)


class Today(Yesterday):
    def now(self) -> datetime:
        return datetime(DAY.year, DAY.month, DAY.day, 8, tzinfo=UTC)


def next_day(manager: IterationManager, script: Script | None = None) -> IterationManager:
    return again(log_of(manager), manager.session_id, script=script, clock=Today())


def days(manager: IterationManager) -> list[str]:
    return [body.today for body in bodies_of(manager, say.DayBegun)]


def test_what_is_finished_on_the_next_day_is_not_still_to_come():
    manager = planned()
    log = SessionLog(log_of(manager), manager.session_id, person="ada", clock=Today())
    carry_out(log, "S1 done", DAY)
    later = next_day(manager)
    asyncio.run(later.resume())
    asyncio.run(later.run(answering(feedback("Add a rollback"), FINISH)))
    assert days(later) == ["2026-03-03"], "once"
    assert later.state.today == "2026-03-03"
    assert later.state.first_day == "2026-03-02"
    assert not [one for one in later.state.findings if one.rule == "status.future"]
    assert '<input name="today">\n2026-03-03\n' in last_prompt(later)
    assert verified(events_of(later)).verified


def test_a_step_that_is_added_on_the_next_day_does_not_start_the_day_before():
    manager = planned()
    log = SessionLog(log_of(manager), manager.session_id, person="ada", clock=Today())
    carry_out(log, 'add "Tell readers" 1d @Ben by 20 March', DAY)
    plan = log.state.plan
    assert plan is not None
    assert plan.steps[-1].start == "2026-03-03"


def test_the_same_day_is_said_once_and_a_clock_that_goes_back_says_nothing():
    manager = planned()
    asyncio.run(next_day(manager).resume())
    asyncio.run(next_day(manager).resume())
    asyncio.run(again(log_of(manager), manager.session_id).resume())
    assert days(manager) == ["2026-03-03"]


def test_a_day_that_is_none_is_damage():
    with pytest.raises(LogDamaged, match="no date of a plan"):
        fold(told(created(), say.DayBegun(today="soon")))
