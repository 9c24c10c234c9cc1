"""What a session has seen of the shared context: when the loop looks, and what a look comes to."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import FIRST_DRAFT, approach, created, plan_changed, told
from tests.session_events import NOVA, abandoned, failed, finished, observed, seen, started
from workbench.domain.loop.steps import Call, Observe, Search, Step
from workbench.domain.loop.workflow import next_step
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.session.items import items
from workbench.domain.session.session import SessionState, fold
from workbench.domain.shared.merge import ABSENT

COURSE = (
    say.ApproachesProposed(approaches=(approach(1),), constraints=(), assumptions=(), questions=()),
    say.ApproachChosen(approach=approach(1)),
    say.EntityStored(name="planning_session_move-billing-provider-x1y2_proposal", content="…"),
    say.IterationBegun(number=1),
    say.GuidanceRecalled(query="q", source="none", items=()),
    plan_changed(version=1, plan=Plan(title="P", sections=FIRST_DRAFT), by="planner", change=1.0, insights=()),
    say.PlanVerified(findings=()),
    say.ActionsPrepared(actions=()),
)
ASKED = (say.AgentAdded(agent=NOVA), say.MessageGiven(role="user", text="When?", to="nova"))


def state_of(*bodies: Any, **options: Any) -> SessionState:
    return fold(told(created(**{"shared": True, **options}), say.StatementsRead(source="goal"), *bodies))


def step_of(*bodies: Any, **options: Any) -> Step:
    return next_step(state_of(*bodies, **options))


# --- when the loop looks ----------------------------------------------------------------------------------------------

CALLS = {"propose": (), "plan": COURSE[:5], "verify": COURSE[:6], "execute": COURSE[:7], "generate": COURSE}
CALLS |= {"chat": ASKED}


@pytest.mark.parametrize("name", CALLS)
def test_it_looks_once_before_each_call(name: str) -> None:
    assert step_of(*CALLS[name]) == Observe(for_call="c1")
    call = step_of(*CALLS[name], observed(for_call="c1"))
    assert isinstance(call, Call)
    assert call.name == name


def test_the_next_call_has_a_look_of_its_own_and_a_repair_of_the_same_one_has_none() -> None:
    first = (observed(for_call="c1"), started(1, "propose"), finished(1))
    nothing = say.ApproachesProposed(approaches=(), constraints=(), assumptions=(), questions=())
    assert step_of(*first, nothing) == Observe(for_call="c2")
    rejected = step_of(*first, say.ReplyRejected(call="c1", message="No JSON."))
    assert isinstance(rejected, Call)
    assert rejected.attempt == 2


def searched_by(agent: str, *bodies: Any) -> SessionState:
    """A session of which others were searched for its first call, in which somebody is to be asked."""
    before = told(created(shared=True, recall=True), say.StatementsRead(source="goal"))
    searched = say.OthersSearched(query="q", reason="r", found=(), for_call="c1")
    return fold(told(*bodies, after=told(searched, after=before, agent=agent)))


def test_what_was_found_for_one_is_not_for_another_who_is_asked_first() -> None:
    search = next_step(searched_by("planner", *ASKED))
    assert isinstance(search, Search)
    assert (search.agent, search.for_call) == ("nova", "c1")


@pytest.mark.parametrize("came_of_it", [failed(2), abandoned(2)])
def test_condensing_first_makes_neither_a_search_nor_a_look_due_again(came_of_it: Any) -> None:
    twice = (started(1, "condense"), failed(1), started(2, "condense"), came_of_it)
    call = next_step(searched_by("planner", observed(for_call="c1"), *twice))
    assert isinstance(call, Call)
    assert call.name == "propose"
    behind_it = (started(3, "propose"), abandoned(3))
    again = next_step(searched_by("planner", observed(for_call="c1"), *twice, *behind_it))
    assert isinstance(again, Search), "of the call itself the next one has its own"


def test_a_worker_sees_what_its_agent_saw_and_does_not_look() -> None:
    sent = say.SentWorker(worker="nova.1", work="Count the printers.", allowance=900)
    step = step_of(ASKED[0], say.WorkersSent(agent="nova", workers=(sent,), snapshot="", reserve=900))
    assert isinstance(step, Call)
    assert step.name == "work"


# --- what looks come to -----------------------------------------------------------------------------------------------


def values(*bodies: Any) -> dict[str, Any]:
    return {key: one.value for key, one in state_of(*bodies).shared.values.items()}


def test_a_look_that_failed_keeps_what_was_seen_and_says_why_until_one_works() -> None:
    first = observed(seen("one", 1), epoch="e", seq=2, anew=True, for_call="c1")
    failed = observed(unavailable="Damaged.", for_call="c2")
    state = state_of(first, failed)
    assert (state.shared.epoch, state.shared.seq, state.shared.unavailable) == ("e", 2, "Damaged.")
    assert values(first, failed) == {"one": 1}
    assert state.observed_for == "c2"
    assert state_of(first, failed, observed(epoch="e", seq=2, for_call="c3")).shared.unavailable == ""


def test_what_was_seen_is_no_item_of_this_session() -> None:
    state = state_of(observed(seen("canary", "kanarienvogel"), epoch="e", seq=1, anew=True))
    assert "kanarienvogel" not in repr(items(state))


def test_a_resumption_switches_it_and_one_that_does_not_say_leaves_it() -> None:
    resumptions = [None, False, None, True]
    state = [state_of(*(say.SessionResumed(shared=one) for one in resumptions[:n])).sharing for n in range(5)]
    assert state == [True, True, False, False, True]


KEYS = st.sampled_from(["a", "b", "c"])
CHANGES = st.lists(st.tuples(KEYS, st.one_of(st.just(ABSENT), st.integers(0, 9))), max_size=20)


@given(CHANGES, st.sets(st.integers(0, 20)))
def test_however_the_changes_are_cut_into_looks_the_same_is_seen(changes: list[Any], cuts: set[int]) -> None:
    told_at_once = [seen(key, value, version=n + 1) for n, (key, value) in enumerate(changes)]
    bounds = [0, *sorted(cut for cut in cuts if cut < len(changes)), len(changes)]
    looks = [told_at_once[start:end] for start, end in pairwise(bounds)]
    apart = state_of(*(observed(*_coalesced(look), epoch="e") for look in looks)).shared.values
    assert list(apart.items()) == list(state_of(observed(*told_at_once, epoch="e")).shared.values.items())


def _coalesced(look: list[say.SharedValue]) -> list[say.SharedValue]:
    last = {one.key: one for one in look}
    return sorted(last.values(), key=lambda one: one.version)
