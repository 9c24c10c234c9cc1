"""The items that are complete are read out of a reply that is still arriving."""

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import CRITERIA, FIRST_DRAFT, GOAL_SECTION, STEPS, notes, plan_reply, sections_reply
from tests.properties.plans import plans
from workbench.domain.plan.plan import Plan
from workbench.tui.session.plan.streaming import drafted

SAYS_JSON = notes('Says "steps": [{"id": "S9"}] in its text.')
REPLY = plan_reply(*FIRST_DRAFT, SAYS_JSON, title="Move billing")
BEFORE = Plan(title="Move billing", sections=FIRST_DRAFT)


def ids(plan: Plan | None) -> list[str]:
    return [] if plan is None else [item.id for item in plan.items]


def test_every_beginning_of_a_reply_gives_its_complete_items() -> None:
    seen: list[str] = []
    for end in range(len(REPLY) + 1):
        found = ids(drafted(REPLY[:end], None))
        assert found[: len(seen)] == seen
        seen = found
    assert seen == ["C1", "S1", "S2"]
    whole = drafted(REPLY, None)
    assert whole is not None
    assert whole.title == "Move billing"
    assert [section.text for section in whole.sections if section.text] == [GOAL_SECTION.text, SAYS_JSON.text]


def test_what_is_not_written_about_stays_while_a_change_arrives() -> None:
    reply = '{"steps": [{"id": "S2", "owner": "Grace"}, {"id": "new1", "title": "Tell the customers"}, {"id": "S1'
    plan = drafted(reply, BEFORE)
    assert plan is not None
    assert [(step.id, step.owner) for step in plan.steps][:2] == [("S1", "Data lead"), ("S2", "Grace")]
    assert plan.steps[2].title == "Tell the customers"
    assert plan.section("criteria") == CRITERIA


@given(plan=plans(), end=st.floats(0, 1))
def test_any_beginning_of_any_plan_gives_a_beginning_of_it(plan: Plan, end: float) -> None:
    reply = plan_reply(*plan.sections, title=plan.title)
    whole, part = set(ids(drafted(reply, None))), set(ids(drafted(reply[: int(len(reply) * end)], None)))
    assert part <= whole


@given(st.text() | st.from_regex(r'\{"(title|amendments|steps|sections)":(\[\{|"|\[|\{)?.*', fullmatch=True))
def test_anything_else_never_raises(text: str) -> None:
    assert isinstance(drafted(text, BEFORE), Plan | None)


def test_a_reply_in_whole_sections_is_read_as_well() -> None:
    reply = sections_reply(GOAL_SECTION, STEPS, title="Move billing")
    second = reply.index('{"section"', reply.index('{"section"') + 1) - 1
    assert drafted(reply[: second - 1], None) is None
    plan = drafted(reply[:second], None)
    assert plan is not None
    assert (plan.title, plan.sections) == ("Move billing", (GOAL_SECTION,))
    whole = drafted(reply, BEFORE)
    assert whole is not None
    assert [section.id for section in whole.sections] == ["goal", "criteria", "steps"]


def test_deep_nesting_and_huge_numbers_end_quietly() -> None:
    assert drafted('{"steps": [' + "[" * 100_000, None) is None
    assert drafted('{"title": ' + "9" * 10_000 + ', "steps": []}', None) is None
