"""Complete sections are read out of a reply that is still arriving."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import FIRST_DRAFT, GOAL_SECTION, notes, plan_reply
from tests.properties.plans import plans
from workbench.domain.loop.tasks import PlanReply
from workbench.domain.plan.plan import Amendment
from workbench.tui.streaming import Drafted, drafted

REPLY = plan_reply(*FIRST_DRAFT, notes('Says "amendments": [{"section"} in its text.'), title="Move billing")


def test_every_beginning_of_a_reply_gives_its_complete_sections():
    whole = msgspec.json.decode(REPLY, type=PlanReply)
    seen = 0
    for end in range(len(REPLY) + 1):
        found = drafted(REPLY[:end])
        assert found.amendments == whole.amendments[: len(found.amendments)]
        assert len(found.amendments) >= seen
        seen = len(found.amendments)
    assert seen == len(whole.amendments) == 4
    assert drafted(REPLY).title == "Move billing"


def test_a_section_appears_with_its_last_brace():
    first = REPLY.index('{"section"', REPLY.index('{"section"') + 1) - 1
    assert drafted(REPLY[: first - 1]).amendments == ()
    assert drafted(REPLY[:first]).amendments == (Amendment(section=GOAL_SECTION),)


@given(plan=plans(), end=st.floats(0, 1))
def test_any_plan_arrives_section_by_section(plan, end):
    reply = plan_reply(*plan.sections, title=plan.title)
    found = drafted(reply[: int(len(reply) * end)]).amendments
    assert [one.section.id for one in found] == [section.id for section in plan.sections[: len(found)]]
    assert len(drafted(reply).amendments) == len(plan.sections)


@given(st.text() | st.from_regex(r'\{"(title|amendments)":(\[\{|"|\[|\{)?.*', fullmatch=True))
def test_anything_else_gives_what_is_certain_and_never_raises(text):
    assert isinstance(drafted(text), Drafted)


def test_what_models_wrap_around_their_json_does_not_matter():
    assert len(drafted(f"Here is the plan:\n```json\n{REPLY}\n```").amendments) == 4


def test_escapes_are_cleaned_once_they_are_decoded():
    reply = '{"title": "a\\u001b[31m", "amendments": [{"section": {"id": "x", "title": "t\\u001b]52;c;x\\u0007"}}'
    found = drafted(reply)
    assert found.title == "a␛[31m"
    assert found.amendments[0].section.title == "t␛]52;c;x␇"


def test_deep_nesting_and_huge_numbers_end_quietly():
    assert drafted('{"amendments": [' + "[" * 100_000).amendments == ()
    assert drafted('{"title": ' + "9" * 10_000 + ', "amendments": []}').amendments == ()
