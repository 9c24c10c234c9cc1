"""The cores: each is valid, short, in order, and says nothing that would stand in any plan."""

from __future__ import annotations

import re

import msgspec
import pytest
from tests.guided.plans import DAY, GOALS, TODAY, drafted
from workbench.domain.plan.plan import Question
from workbench.domain.plan.schedule import schedule
from workbench.guided.brief import read_brief
from workbench.guided.cores import MOST_STEPS, SLOTS, Core, UnusableCore, built_in, filled, read_core, read_playbook
from workbench.guided.kinds import ASKS, chosen_kind
from workbench.guided.parts import TELL
from workbench.guided.work import core_work, steps_of

pytestmark = pytest.mark.cases(10)

CORES = {core.id: core for core in built_in()}
GENERIC = re.compile(
    r"\b(?:kick[- ]?off|stakeholders?|communicate|communication plan|lessons learned|best practice"
    r"|weekly (?:look|meeting)"
    r"|milestones?|synerg\w+|align\w*|leverage|as needed|if necessary|regularly|etc)\b",
    re.IGNORECASE,
)
SMALL = """
name = "a thing"
title = "Do it"
measure = "done"
target = "yes"
thing = "it"
words = ["thing"]
deadline = "By when?"

[steps.one]
title = "One"
out = "a"
check = "b"

[steps.two]
title = "Two"
out = "a"
check = "b"
needs = ["one"]

[steps.three]
title = "Three"
out = "a"
check = "b"
needs = ["two"]
"""


def ways():
    return [(core, way) for core in CORES.values() for way in core.approaches or (None,)]


@pytest.mark.parametrize(("core", "way"), ways(), ids=lambda one: getattr(one, "id", getattr(one, "title", "")))
def test_each_way_has_five_to_ten_steps_in_an_order(core: Core, way):
    brief = read_brief(core.words[0], TODAY)
    always = [key for key in core.way(way) if not core.steps[key].only]
    assert 5 <= len(always) <= 10
    assert len(core.way(way)) <= MOST_STEPS
    work = core_work(core, way, brief)
    assert len(schedule(steps_of(work), start=DAY, deadline=None).rows) == len(work)
    seen: set[str] = set()
    for one in work:
        assert seen.issuperset(one.needs), one.key
        seen.add(one.key)


@pytest.mark.parametrize("core", CORES.values(), ids=lambda core: core.id)
def test_a_core_says_nothing_that_fits_any_plan(core: Core):
    texts = [text for step in core.steps.values() for text in (step.title, step.out, step.check, step.first)]
    texts += [text for risk in core.risks for text in (risk.text, risk.sign, risk.response)]
    assert not [text for text in texts if GENERIC.search(text)]
    assert all(len(step.title.split()) <= 20 for step in core.steps.values())
    assert len(core.risks) <= 3
    assert len({step.title for step in core.steps.values()}) == len(core.steps)


@pytest.mark.parametrize("core", CORES.values(), ids=lambda core: core.id)
def test_the_ways_of_a_core_really_differ(core: Core):
    flows = [frozenset(way.steps) for way in core.approaches]
    assert len(set(flows)) == len(flows)
    assert set().union(*flows, core.steps if not flows else ()) == set(core.steps)


def test_a_core_without_the_goals_words_reads_well():
    for core in CORES.values():
        for step in core.steps.values():
            title = filled(step.title, {"thing": core.thing})
            assert not set("{}[]") & set(title)
            assert "  " not in title
            assert title == title.strip(" ,:")
            assert "" not in SLOTS


def test_tables_stay_short():
    from importlib.resources import files

    folder = files("workbench.guided") / "cores"
    lines = [len(one.read_text("utf-8").splitlines()) for one in folder.iterdir()]
    assert sum(lines) <= 3_500


def test_a_small_core_is_read():
    assert list(read_core(SMALL, "small").steps) == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('needs = ["one"]', 'needs = ["four"]', r"mine\.toml:15: two needs four"),
        ('title = "Two"', "", r"mine\.toml:15: .*title"),
        ('title = "Three"', "title = 3", r"mine\.toml:22: .*title"),
        ('check = "b"\nneeds = ["two"]', 'check = "b"\nneeds = "two"', r"mine\.toml:25: .*needs"),
        ('title = "Two"', 'title = "Two {who}"', r"mine\.toml:\d+: \{who\} is none of"),
        ('title = "Two"', 'titel = "Two"', r"mine\.toml:16: .*titel"),
        ('title = "Two"', "title = Two", r"mine\.toml: Invalid value \(at line 16"),
        ('check = "b"\nneeds = ["one"]', 'check = "b"\nneeds = ["three"]', r"mine\.toml:\d+: .*wait"),
        ('title = "Two"', 'title = "Two"\nonly = "("', r"mine\.toml:17: '\(' is a pattern: write words"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(old, new, told):
    with pytest.raises(UnusableCore, match=told):
        read_playbook(SMALL.replace(old, new, 1), "mine", "mine.toml")


@pytest.mark.parametrize(
    ("goal", "kind"),
    [
        (GOALS["wedding"], "celebration"),
        (GOALS["heating"], "installation"),
        (GOALS["race"], "training"),
        ("We want to hire two nurses by 1 March", "hiring"),
    ],
)
def test_a_kind_that_is_near_is_asked_about_with_its_usual_steps(goal, kind):
    choice = chosen_kind(goal, (), built_in())
    assert choice.core is None
    assert choice.near is not None
    assert choice.near.id == kind
    assert choice.near.name in choice.question
    plan = drafted(goal)
    assert not [one for one in plan.steps if one.origin.kind == "practice"]
    steps = next(one.text for one in plan.items if isinstance(one, Question) and TELL in one.text)
    assert f"If it is {choice.near.name}, I know these steps: “" in steps


def test_a_kind_is_picked_alone_where_it_is_far_above_the_others():
    choice = chosen_kind(GOALS["billing"], (), built_in())
    assert choice.core is not None
    assert choice.core.id == "migration"
    assert not choice.question


def test_where_two_kinds_are_near_a_person_is_asked():
    choice = chosen_kind("Hire two nurses", (), (CORES["hiring"], _TWIN))
    assert choice.core is None
    assert choice.question.startswith(ASKS)
    assert choice.question.endswith("or none of these")
    assert CORES["hiring"].name in choice.question


_TWIN = msgspec.structs.replace(CORES["onboarding"], words=("hire",), forms=())


@pytest.mark.parametrize(
    ("goal", "said", "kind"),
    [
        ("Hold the district chess championship", (), "conference"),
        ("Run the spring fair of the allotments", ("day",), "conference"),
        ("Run our own mail server", (), None),
        ("Replace the booking system in our hotel", (), "migration"),
        ("Replace the roof of the barn", (), "renovation"),
        ("Write the annual report", (), "writing"),
        ("Cut the power bill of the pool by a fifth", (), "metric"),
        ("Sell the boat", (), "sale"),
        ("Wind up the society", (), "closing"),
        ("Get the building permit for the annexe", (), "application"),
        ("My landlord keeps the deposit and there is noise every night", (), None),
        ("Something with horses", (), None),
        ("Win the flower competition of the village", (), None),
    ],
)
def test_the_kind_is_read_from_the_grammar_of_a_goal(goal, said, kind):
    choice = chosen_kind(goal, (), built_in(), said)
    near = [choice.core, *(one.core for one in choice.candidates)]
    assert next((core.id for core in near if core), None) == kind if kind else choice.core is None


def test_a_core_that_shares_only_a_word_beside_the_goal_is_not_offered():
    choice = chosen_kind("Hold the youth chess championship, Lena books the hall", (), built_in())
    assert [one.core.id for one in choice.candidates] == ["conference"]
    assert chosen_kind("Paint a picture of the wedding of my parents", (), built_in()).candidates == ()


@pytest.mark.parametrize(
    ("said", "place"),
    [("1", 0), ("2", 1), ("number 2", 1), ("the second", 1), ("none", None), ("None of these", None), ("9", None)],
)
def test_the_answer_for_the_kind_is_understood(said, place):
    from workbench.domain.loop.tasks import Answered

    goal, cores = "Hire two nurses", (CORES["hiring"], _TWIN)
    asked = chosen_kind(goal, (), cores)
    chosen = chosen_kind(goal, (Answered(question=asked.question, answer=said),), cores)
    assert chosen.confirmed
    assert chosen.core is (None if place is None else asked.candidates[place].core)
    named = chosen_kind(goal, (Answered(question=asked.question, answer=asked.candidates[0].core.name),), cores)
    assert named.core is asked.candidates[0].core
