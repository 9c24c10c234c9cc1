"""A plan with a need that nothing can wait for is dated without it, and the need is named."""

from __future__ import annotations

from datetime import date

import pytest
from tests.domain.test_set_days import dates, plan_of, told
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.domain.plan.scheduling import network
from workbench.domain.plan.scheduling.network import edges_left_out
from workbench.domain.plan.scheduling.rescheduling import replanned

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("needs", "left_out", "starts"),
    [
        (("", "S1, S9", "S2"), (("S2", "S9"),), ["2026-11-30", "2026-12-01", "2026-12-02"]),
        (("S3", "S1", "S2"), (("S1", "S3"),), ["2026-11-30", "2026-12-01", "2026-12-02"]),
        (("S1", "S1", "S2"), (("S1", "S1"),), ["2026-11-30", "2026-12-01", "2026-12-02"]),
        (("", "S3", "S2, S1"), (("S2", "S3"),), ["2026-11-30", "2026-11-30", "2026-12-01"]),
    ],
)
def test_only_what_cannot_be_is_left_out(needs, left_out, starts) -> None:
    owners = ("Ben", "Zoe", "Yan")
    lines = "".join(
        f"- S{at} · Work\n  - Owner: {owner} · Effort: 1 day\n" + (f"  - Needs: {need}\n" if need else "")
        for at, (need, owner) in enumerate(zip(needs, owners, strict=True), 1)
    )
    plan = plan_of(lines)
    assert edges_left_out(plan) == left_out
    assert [dates(plan)[f"S{at}"][0] for at in (1, 2, 3)] == starts
    assert dates(replanned(plan, TODAY)) == dates(plan)
    assert len(told(plan, "steps.needs", "steps.cycle")) == 1


def test_a_dense_knot_is_opened_at_once_after_some_circles(monkeypatch) -> None:
    looked = []
    sorter = network.TopologicalSorter
    monkeypatch.setattr(network, "FEW_CIRCLES", 5)
    monkeypatch.setattr(network, "TopologicalSorter", lambda needs: looked.append(1) or sorter(needs))
    ids = [f"S{at}" for at in range(1, 21)]
    needs = ", ".join(ids)
    plan = plan_of("".join(f"- {one} · Work\n  - Effort: 1 day\n  - Needs: {needs}\n" for one in ids))
    assert set(edges_left_out(plan)) == {(one, need) for at, one in enumerate(ids) for need in ids[at:]}
    assert len(looked) <= 2 * 5, "the plan is looked at twice"
    assert dates(plan)["S1"] < dates(plan)["S20"]


def test_a_step_that_was_done_on_no_day_leaves_no_edge_out() -> None:
    steps = (Step(id="S1", title="one", status="done"), Step(id="S2", title="two", needs=("S1",)))
    assert edges_left_out(Plan(title="P", sections=(Section(id="steps", title="Steps", items=steps),))) == ()
