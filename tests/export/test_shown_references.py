"""Wherever a plan is read its references have their values; where it is edited they stay as they are written."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.full_plan import PLAN, state_with
from workbench.domain.handout import hand_out
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Plan, Section
from workbench.domain.session.session import SessionState
from workbench.export.markdown import plan_markdown, session_markdown
from workbench.export.objects import session_object
from workbench.export.plan_page import plan_page
from workbench.tui.marks import Marks
from workbench.tui.session.painting import Painter, Sight

WRITTEN = "We open on {plan.ready} if {S99.end} comes."
SHOWN = "We open on Fri 29 May 2026 if {S99.end} comes."
REFERRING = replace(PLAN, sections=(Section(id="goal", title="Goal", text=WRITTEN), *PLAN.sections[1:]))


def in_the_application(state: SessionState) -> str:
    sight = Sight(state=state, marks=Marks(), view="plan", main=100)
    return "\n".join(line.plain for row in Painter().paint(sight).main for line in row.lines)


@pytest.mark.parametrize(
    "shown",
    [
        hand_out,
        plan_page,
        plan_markdown,
        in_the_application,
    ],
    ids=["handed out", "page", "printed", "application"],
)
def test_a_reader_sees_values(shown):
    assert SHOWN in " ".join(shown(state_with(REFERRING)).split())


def test_an_editor_and_a_program_get_what_is_written():
    state = state_with(REFERRING)
    assert WRITTEN in session_markdown(state)
    assert from_markdown(session_markdown(state), Plan(title="")) == REFERRING
    assert WRITTEN in session_object(state)["plan"]["markdown"]
