"""Templates as files: what is wrong is named with its line, and a plan's template reads back as it was written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.errors import UsageError
from workbench.domain.plan.plan import Constraint, Criterion, Effort, Person, Plan, Question, Risk, Section, Step
from workbench.templates.catalogue import BUILT_IN, OWN, TEAM, Catalogue
from workbench.templates.from_plan import template_from_plan
from workbench.templates.playbooks import read_playbook
from workbench.templates.template import Template, TemplateStep, UnusableTemplate, read_template, to_toml

SMALL = """\
title = "Keep bees"
words = ["bee colonies"]

[variants.alone]
title = "On your own"
steps = ["hive", "swarm"]

[steps.hive]
title = "Build the hive"
effort = [1, 2, 4]

[steps.swarm]
title = "Bring the swarm"
needs = ["hive"]
waiting = 14

[[risks]]
text = "It rains."
steps = ["swarm"]
"""

FAULTS = {
    ('title = "Keep bees"', "title = 3"): "bees.toml:1:",
    ("effort = [1, 2, 4]", 'effort = "long"'): "bees.toml:10:",
    ("effort = [1, 2, 4]", "effort = [3, 2, 4]"): "bees.toml:10: The effort of hive does not go",
    ("waiting = 14", "wating = 14"): "bees.toml:15:",
    ('needs = ["hive"]', 'needs = ["house"]'): "bees.toml:14: swarm names house, which is no step.",
    ('steps = ["hive", "swarm"]', 'steps = ["hive", "queen"]'): "bees.toml:6: alone names queen",
    ('steps = ["hive", "swarm"]', "steps = []"): "bees.toml:6: alone has no steps.",
    ("effort = [1, 2, 4]", 'needs = ["swarm"]'): "bees.toml:10:",
    ('steps = ["swarm"]', 'steps = ["queen"]'): "bees.toml:19: A risk names queen",
    ("effort = [1, 2, 4]", "effort = [1, 2"): "bees.toml:12:",
}


TOO_MUCH = {
    "inf": "bees.toml:",
    "nan": "bees.toml:",
    "-1": "bees.toml:15: Expected `float` >= 0",
    "1e9": "bees.toml:15: Expected `float` <= 36525",
    "14\nby = 9223372036854775807": "bees.toml:16: Expected `int` <= 36525",
    f"14\nby = 0x{'f' * 5_000}": "bees.toml:",
    f'14\noutcome = "{"a" * 5_001}"': "bees.toml:16: Expected `str` of length <= 5000",
    '14\n[steps."a\\nworkbench: all is well"]\ntitle = "x"': "bees.toml:",
    f'14\n[steps.{"a" * 61}]\ntitle = "x"': "bees.toml:",
}


@pytest.mark.parametrize(("value", "told"), TOO_MUCH.items())
def test_a_value_that_no_template_has_is_told(value, told):
    with pytest.raises(UnusableTemplate) as raised:
        read_template(SMALL.replace("waiting = 14", f"waiting = {value}"), "bees")
    assert raised.value.message.startswith(told)
    assert "\n" not in raised.value.message
    assert len(raised.value.message) < 400


def test_titles_stand_on_one_line():
    broken = SMALL.replace('"Keep bees"', '"Keep\\nworkbench: all is well"').replace(
        '"Build the hive"', '"Build\\n\\nit"'
    )
    template = read_template(broken, "bees")
    assert template.title == "Keep workbench: all is well"
    assert template.steps["hive"].title == "Build it"


@pytest.mark.timeout(30)
@pytest.mark.parametrize("kept", ["all", "the last"])
def test_needs_that_meet_again_and_again_take_no_time(kept):
    names = [[f"a{row}", f"b{row}"] for row in range(100)]
    steps = {
        name: TemplateStep(title=name, needs=tuple(names[row - 1]) if row else ())
        for row, pair in enumerate(names)
        for name in pair
    }
    template = Template(title="Long", steps=steps)
    assert template.needs("a99", ["a0"] if kept == "the last" else list(steps)) == (
        ("a0",) if kept == "the last" else ("a98", "b98")
    )


@pytest.mark.parametrize(("change", "told"), FAULTS.items())
def test_a_fault_is_told_with_file_and_line(change, told):
    assert change[0] in SMALL
    with pytest.raises(UnusableTemplate) as raised:
        read_template(SMALL.replace(*change), "bees")
    assert raised.value.message.startswith(told)


def test_what_a_left_out_step_needs_is_needed_by_those_that_need_it():
    steps = {key: TemplateStep(title=key, needs=tuple(needs)) for key, needs in {"a": "", "b": "a", "c": "ab"}.items()}
    template = Template(title="t", steps=steps)
    assert template.needs("c", ["a", "b", "c"]) == ("b",), "b needs a already"
    assert template.needs("c", ["a", "c"]) == ("a",)
    assert template.needs("c", ["c"]) == ()


def test_a_persons_template_goes_before_the_teams_and_that_before_a_built_in_one():
    own, team = (read_template(SMALL, name) for name in ("event", "bees"))
    known = Catalogue([own], [read_template(SMALL, "event"), team])
    assert known.names[:2] == ("event", "bees")
    assert [known.whose(name) for name in ("event", "bees", "hire")] == [OWN, TEAM, BUILT_IN]
    assert known.named("event") is own
    assert known.chosen("bees:alone") is team
    for choice, near in {"evnt": "event", "bees:aloen": "alone"}.items():
        with pytest.raises(UsageError) as raised:
            known.chosen(choice)
        assert raised.value.remedy == f"Did you mean {near}?"


PLAYBOOK = """\
name = "keeping bees"
title = "Keep bees"
measure = "honey"
target = "some"
thing = "the bees"
words = ["bees"]
event = true
deadline = "On which day?"

[[approaches]]
title = "Alone"
summary = "You do it."
drawback = "Stings."
steps = ["one", "two", "three"]

[steps.one]
title = "Build {thing} a house[ in {place}] near {place}"
out = "A house"
check = "It stands"
days = [1, 2, 4]
lead = 30
only = "hive|house"

[steps.two]
title = "Wait"
out = "Time"
check = "Passed"
wait = 7

[steps.three]
title = "Bring them"
out = "Bees"
check = "They fly"
needs = ["one", "two"]
day = true
"""


def test_a_playbook_is_read_as_a_template_with_plain_words():
    template = read_playbook(PLAYBOOK, "bees")
    assert template.choices == ("bees:way-1",)
    assert template.steps["one"] == TemplateStep(
        title="Build the bees a house near the place", outcome="A house", check="It stands", effort=(1, 2, 4), before=30
    )
    assert template.steps["three"].on == 0
    with pytest.raises(UnusableTemplate, match=r"bees.toml:34: three names none"):
        read_playbook(PLAYBOOK.replace('"two"]\nday', '"none"]\nday'), "bees")


def a_plan(*steps: Step) -> Plan:
    items = (
        Constraint(id="K1", text="Everything is done", limits="date", day="2027-04-18", sets="deadline"),
        Criterion(id="C1", text="It is full", measure="seats", target="200"),
        Person(id="P1", text="Anna"),
        Question(id="Q1", text="Who signs?"),
        Risk(id="R1", text="Rain", answers=("S1", "K1")),
    )
    return Plan(title="Concert", sections=(Section(id="a", title="A", items=(*items, *steps)),))


_text = st.text(max_size=30)
_days = st.none() | st.dates(date(2026, 1, 1), date(2028, 1, 1)).map(date.isoformat)


@st.composite
def _plans(draw) -> Plan:
    count = draw(st.integers(1, 6))
    steps = []
    for at in range(count):
        low, likely, high = sorted(draw(st.lists(st.floats(0, 90), min_size=3, max_size=3)))
        steps.append(
            Step(
                id=f"S{at}",
                title=draw(_text),
                outcome=draw(_text),
                check=draw(_text),
                effort=draw(st.none() | st.just(Effort(low, likely, high))),
                waiting=draw(st.none() | st.floats(0, 90)),
                needs=tuple(f"S{n}" for n in draw(st.sets(st.integers(0, at - 1)))) if at else (),
                on=draw(_days),
                deadline=draw(_days),
                not_before=draw(_days),
            )
        )
    return a_plan(*steps)


@given(_plans())
@pytest.mark.cases(50)
def test_what_is_written_of_a_plan_reads_back_the_same(plan):
    template = template_from_plan(plan, "some", date(2027, 1, 1))
    assert read_template(to_toml(template), "some") == template
