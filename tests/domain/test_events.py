"""Bodies of events: what is recorded can be read again, and what cannot is never recorded."""

import math

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import created, plan_changed, told
from tests.session_events import BOUNDS, PLAN, failed, finished, result
from workbench.domain.errors import LogDamaged, UsageError
from workbench.domain.plan.plan import Effort, Plan, Section, Step
from workbench.domain.session import events as say

ENDLESS = Section(
    id="steps",
    title="Steps",
    items=(Step(id="S1", title="Wait", effort=Effort(low=1, likely=math.inf, high=math.inf)),),
)
UNRECORDABLE = {
    "3.7 stars": say.RatingGiven(stars=3.7),
    "six stars": say.RatingGiven(stars=6),
    "a truth for stars": say.RatingGiven(stars=True),
    "no note": say.RatingGiven(stars=3, note=None),
    "half a token": say.BoundsChanged(bounds=say.Bounds(max_tokens=1.5)),
    "an undefined bound": say.BoundsChanged(bounds=say.Bounds(max_cost=math.nan)),
    "an endless bound": say.BoundsChanged(bounds=say.Bounds(max_time=math.inf)),
    "two and a half iterations": created(max_iterations=2.5),
    "no iteration": created(max_iterations=0),
    "an undefined change": say.IterationStored(result=result(1, change=math.nan)),
    "more change than all": say.IterationStored(result=result(1, change=5.0)),
    "a result before the first": say.IterationStored(result=result(-1)),
    "an endless effort": plan_changed(version=1, plan=Plan(title="", sections=(ENDLESS,)), by="person", change=1.0),
    "tokens below nothing": finished(1, tokens=(-5, 1)),
    "tokens beyond counting": finished(1, tokens=(2**64, 1)),
    "an undefined cost": finished(1, cost=math.nan),
    "half a surrogate pair": say.SessionRenamed(name="\ud800"),
    "no text": say.SessionRenamed(name=b"x"),
    "something without JSON": say.SessionRenamed(name=object()),
    "keys that are no text": replace(
        say.CallStarted(
            call="c1", role="r", task="plan", attempt=1, model="m", messages=(), prompt_hash="", parameters={1: "x"}
        )
    ),
}


@pytest.mark.parametrize("name", UNRECORDABLE)
def test_what_could_not_be_read_again_is_refused(name):
    with pytest.raises(UsageError, match="cannot be recorded") as refused:
        told(created(), UNRECORDABLE[name])
    assert refused.value.remedy


@pytest.mark.parametrize(
    "body",
    [
        say.IterationStored(result=result(1, change=1)),
        say.IterationStored(result=say.IterationResult(iteration_num=1, plan="", key_insights=["a list"])),
        say.BoundsChanged(bounds=say.Bounds(max_tokens=2**53, max_cost=1, max_time=0)),
        plan_changed(version=1, plan=PLAN, by="planner", change=0),
        say.BoundsChanged(bounds=BOUNDS),
        finished(1, cost=None),
        failed(1),
    ],
)
def test_what_can_be_read_again_is_recorded(body):
    read = say.content(told(created(), body)[1])
    assert read == msgspec.convert(msgspec.to_builtins(body), type(body))


def test_numbers_beyond_their_limits_are_damage_where_a_file_holds_them():
    (event,) = told(created())[:1]
    odd = replace(event, body=msgspec.Raw(bytes(event.body).replace(b'"max_iterations":5', b'"max_iterations":0')))
    assert odd.body != event.body
    with pytest.raises(LogDamaged, match=r"int` >= 1 - at `\$.options.max_iterations`"):
        say.content(odd)
