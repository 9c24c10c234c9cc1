"""What is too much for a plan is said with the limit, to models and to people."""

import math
import re

import msgspec
import pytest
from workbench.domain.errors import ModelReplyInvalid, UsageError
from workbench.domain.loop.answers.replies import ReadReply, read_reply
from workbench.domain.loop.asking.tasks import (
    ExecuteReply,
    ExecuteTask,
    GenerateReply,
    GenerateTask,
    PlanReply,
    PlanTask,
    VerifyReply,
    VerifyTask,
)
from workbench.domain.loop.limits import MOST_CHARACTERS, is_countable
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Amendment, Bullet, Effort, Plan, Section, Step

TASK = PlanTask(goal="g", today="2026-11-21", iteration=1)


def section(number, *items, text=""):
    return Section(id=f"part-{number}", title=f"Part {number}", text=text, items=items)


def steps(count):
    return tuple(Step(id=f"S{n}", title=f"Step {n}") for n in range(1, count + 1))


def bullets(count):
    return tuple(Bullet(id=f"B{n}", text=f"Line {n}") for n in range(1, count + 1))


def reply(*sections):
    return msgspec.json.encode(PlanReply(title="P", amendments=tuple(Amendment(section=one) for one in sections)))


TOO_MUCH = {
    "1,001 sections; 1,000 are": [section(n) for n in range(1_001)],
    "10,001 items; 10,000 are": [section(1, *bullets(5_000)), section(2, *(bullets(10_001)[5_000:]))],
    "5,001 steps; 5,000 are": [section(1, *steps(5_001))],
}
MOST = [section(n) for n in range(998)] + [
    section(998, *steps(5_000), text="x" * MOST_CHARACTERS),
    section(999, *bullets(5_000)),
]


@pytest.mark.cases(1)
@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_plan_that_is_too_much_is_refused_with_the_limit(what):
    with pytest.raises(ModelReplyInvalid, match=what) as refused:
        read_reply(TASK, reply(*TOO_MUCH[what]).decode())
    assert "Answer with less" in refused.value.remedy
    with pytest.raises(UsageError, match=what):
        from_markdown(to_markdown(Plan(title="P", sections=tuple(TOO_MUCH[what]))), Plan(title=""))


@pytest.mark.full
def test_the_most_that_a_plan_may_hold_is_read():
    plan = Plan(title="P", sections=tuple(MOST))
    assert len(read_reply(TASK, reply(*MOST).decode()).reply.amendments) == 1_000
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan


def test_the_limits_are_those_of_the_whole_plan_and_not_of_one_reply():
    task = msgspec.structs.replace(TASK, plan=Plan(title="P", sections=(section(1, *steps(4_900)),)))
    more = section(2, *(Step(id=f"S{n}", title="x") for n in range(5_000, 5_101)))
    with pytest.raises(ModelReplyInvalid, match="5,001 steps"):
        read_reply(task, reply(more).decode())
    assert read_reply(task, reply(section(1, *steps(5_000))).decode())


@pytest.mark.parametrize(
    ("task", "said", "what"),
    [
        (VerifyTask, VerifyReply(findings=(), insights=("i",) * 10_001), "insights has 10,001 entries"),
        (VerifyTask, VerifyReply(findings=(), insights=("i", "i" * 50_001)), "insights[1] has 50,001 characters"),
        (
            GenerateTask,
            GenerateReply(deliverable="d" * 200_001),
            "deliverable has 200,001 characters; the first 200,000",
        ),
        (ExecuteTask, ExecuteReply(actions=(), insights=("x" * 60_000,)), "insights[0] has 60,000 characters"),
    ],
)
def test_texts_and_lists_of_every_reply_are_cut_to_what_is_kept(task, said, what):
    asked = task(goal="g", today="2026-11-21", plan=Plan(title=""))
    read = read_reply(asked, msgspec.json.encode(said).decode())
    assert [what in note for note in read.mended] == [True]
    assert read_reply(asked, msgspec.json.encode(read.reply).decode()) == ReadReply(read.reply)


def test_a_deliverable_may_be_longer_than_other_texts():
    long = GenerateReply(deliverable="d" * 200_000)
    task = GenerateTask(goal="g", today="2026-11-21", plan=Plan(title=""))
    assert read_reply(task, msgspec.json.encode(long).decode()).reply == long


def test_an_edit_beyond_the_limit_is_not_even_read():
    with pytest.raises(UsageError, match="20,000,001 characters") as refused:
        from_markdown("#" * 20_000_001, Plan(title=""))
    assert refused.value.remedy


@pytest.mark.parametrize("text", ["", "my steps", "Steps", "a--b", "-a", "schritte-für", "../x", "x" * 41, "a\nb"])
def test_a_section_needs_an_id_that_can_be_found_again(text):
    odd = Section(id=text, title="Work", items=steps(1))
    [amendment] = read_reply(TASK, reply(odd).decode()).reply.amendments
    assert re.fullmatch(r"[^\W_A-Z]+(-[^\W_A-Z]+)*", amendment.section.id)
    assert len(amendment.section.id) <= 40


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan, 1e300])
def test_an_effort_is_made_of_numbers_to_calculate_with(number):
    assert not is_countable(Effort(low=0, likely=number, high=2))
    assert is_countable(Effort(low=-1, likely=0.5, high=1_000_000))


@pytest.mark.parametrize("number", ["1e400", "123456789012345678901234567890", "1" + "0" * 5000])
def test_a_number_that_is_none_costs_its_field(number):
    text = '{"title":"t","amendments":[{"section":{"id":"steps","title":"S","items":[{"type":"step","id":"S1",'
    text += '"title":"x","effort":[1,2,3]}]}}]}'.replace("[1,2,3]", f'{{"low":1,"likely":2,"high":{number}}}')
    read = read_reply(TASK, text)
    assert read.reply.amendments[0].section.items[0].effort is None
    assert "was left out" in read.mended[-1]
