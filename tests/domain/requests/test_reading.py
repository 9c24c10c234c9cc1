"""Whatever is said: nothing is guessed, nothing breaks, and it takes no time."""

from __future__ import annotations

from time import perf_counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.domain.requests.plans import PLAN, TODAY, begun, said
from workbench.domain.plan.operations import applied
from workbench.domain.plan.plan import Plan, Risk, Step
from workbench.domain.requests import read_requests
from workbench.domain.requests.clauses import MOST, clauses
from workbench.domain.requests.lookup import Finder, likeness, root, roots
from workbench.domain.requests.request import Unclear

_WORDS = """
    drop add S1 S4 S9 the step archive provider Anna Tom takes 5 days is done not before after by 3 May two weeks late
    and , . : ? Q1 R1 C2 B1 K2 split merge into needs rename to “x” risk question budget 20k EUR it everything all we
"""
messages = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(_WORDS.split()), max_size=14).map(" ".join))


@settings(max_examples=200, deadline=None)
@given(messages, st.sampled_from(["", "S5", "R1"]), st.sampled_from(["", "risks", "steps", "nowhere"]))
def test_whatever_is_said_is_answered_and_done_work_never_moves(message, item, section):
    plan = begun()
    requests = read_requests(message, plan, today=TODAY, item=item, section=section)
    after = plan
    for request in requests:
        assert message[request.start : request.end] == request.text
        assert request.answer.endswith((".", "?", "”"))
        assert request.outcome in ("done", "partly") or not request.operations
        after = applied(after, request.operations)
    done = {step.id for step in after.steps if step.status == "done"}
    if "S1" in done:
        before = next(step for step in plan.steps if step.id == "S1")
        now = next(step for step in after.steps if step.id == "S1")
        assert (now.title, now.start, now.end, now.effort) == (before.title, before.start, before.end, before.effort)
    known = {step.id for step in after.steps}
    assert {need for step in after.steps for need in step.needs} <= known


@pytest.mark.parametrize(
    "text",
    ["and ", "S4 takes about ", "ok, ", "'", '"', "(", ". ", "the step is ", "not ", "only ", "é", "\n", "drop S4. ",
     "very likely ", "a-", "1", "add a step, but drop S4; "],
)  # fmt: skip
def test_long_hostile_input_takes_no_time(text):
    said("warm up")
    begin = perf_counter()
    requests = read_requests((text * 20_000)[:20_000], PLAN, today=TODAY)
    assert perf_counter() - begin < 4
    assert len(requests) <= MOST + 1


def test_a_plan_of_any_making_is_spoken_about():
    circle = Plan(title="", sections=PLAN.sections[5:6])
    steps = (Step(id="S1", title="A", needs=("S2",), start="soon"), Step(id="S2", title="B", needs=("S1",)))
    circle = msgspec.structs.replace(circle, sections=(msgspec.structs.replace(PLAN.sections[6], items=steps),))
    for message in (
        "drop S1",
        "S1 takes 3 days",
        "add a step: C before S2",
        "when do we finish?",
        "S2 done",
        "S1 by 3 May",
    ):
        after, requests = said(message, circle)
        assert requests[0].answer
        assert after is not None
    empty, requests = said("add a risk: rain", Plan(title=""))
    assert [item.text for item in empty.items if isinstance(item, Risk)] == ["Rain"]
    assert said("drop S1", Plan(title=""))[1][0].outcome == "asked"


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("drop S4 and S5", ["drop S4 and S5"]),
        ("drop S4, and Tom takes over S5", ["drop S4", "Tom takes over S5"]),
        ("S3 is done and took 4 days", ["S3 is done", "took 4 days"]),
        ("Add a step: pack and drop it off. Drop S4", ["Add a step: pack and drop it off.", "Drop S4"]),
        ("rename S4 to “Build, and move it”, also drop S5", ["rename S4 to “Build, and move it”", "drop S5"]),
        ("1. drop S4\n2) drop S5\n- drop S6", ["drop S4", "drop S5", "drop S6"]),
        ("S5 by 3. May, please", ["S5 by 3. May, please"]),
        ("We need a photographer, two days, by Anna", ["We need a photographer, two days, by Anna"]),
        ("Drop it; then finish", ["Drop it", "then finish"]),
        ("Q2: yes, and it works", ["Q2: yes, and it works"]),
        ("", []),
    ],
)
def test_a_message_is_cut_where_something_else_is_asked_for(message, parts):
    assert [clause.text for clause in clauses(message)] == parts


@pytest.mark.parametrize(
    ("phrase", "names"),
    [
        ("S4", {"S4"}), ("s4 and S6", {"S4", "S6"}), ("S4-S6", {"S4", "S5", "S6"}), ("step 4", {"S4"}),
        ("the first step", {"S1"}), ("the last risk", {"R2"}), ("the second to last step", {"S8"}),
        ("the archive step", {"S8"}), ("archiving", {"S8"}), ("the interfaec", {"S4"}), ("7 and 8", {"S7", "S8"}),
        ("everything about the provider", {"S1", "S3"}), ("all Tom steps", {"S4", "S6", "S8"}),
        ("training and the archive", {"S6", "S8"}), ("switch over", {"S9"}), ("the second question", {"Q2"}),
    ],
)  # fmt: skip
def test_an_item_is_meant_by_id_order_or_words(phrase, names):
    assert {item.id for item in Finder(PLAN).items(phrase)} == names


@pytest.mark.parametrize(
    "phrase",
    ["the provider", "the newsletter", "the old one", "contact", "it", "S42", "the ninth step", "data and provider", "",
     "the new thing", "the customers' provider data", "step 12"],
)  # fmt: skip
def test_what_is_not_clear_is_nothing(phrase):
    with pytest.raises(Unclear):
        Finder(PLAN).items(phrase)


def test_words_meet_in_their_forms_and_not_in_other_words():
    assert likeness(root("announcement"), root("announce")) == 0.9
    assert likeness(root("archive"), root("archiving")) == 1.0
    assert likeness(root("arhcive"), root("archive")) == 0.9
    assert likeness(root("contact"), root("contract")) == 0.5
    assert likeness(root("wall"), root("ball")) < 0.9
    assert roots("The pen-test of the plan") == ("pen", "test", "pentest")
