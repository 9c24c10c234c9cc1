"""A plan that people speak about, as nobody of this project's own planner would write it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import msgspec
from workbench.domain.plan.operations import applied
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Effort,
    Item,
    Money,
    Person,
    Plan,
    Question,
    Risk,
    Section,
    Step,
)
from workbench.domain.plan.schedule import with_dates
from workbench.domain.requests import Request, read_requests

TODAY = date(2027, 3, 10)
"""A Wednesday."""


def _days(low: float, likely: float | None = None, high: float | None = None) -> Effort:
    return Effort(low=low, likely=likely or low, high=high or likely or low)


STEPS = (
    Step(id="S1", title="Choose the new provider", owner="Anna", effort=_days(2, 3, 5)),
    Step(id="S2", title="Negotiate the contract", owner="Legal team", effort=_days(3, 5, 8), needs=("S1",)),
    Step(
        id="S3",
        title="Set up the new provider",
        owner="Anna",
        effort=_days(3, 4, 6),
        needs=("S2",),
        cost=Money(Decimal(5000), "EUR"),
    ),
    Step(id="S4", title="Build the interface to the shop", owner="Tom", effort=_days(2, 3, 5), needs=("S3",)),
    Step(id="S5", title="Migrate customer data", owner="Anna", effort=_days(3, 5, 8), needs=("S3",)),
    Step(id="S6", title="Train the support team", owner="Tom", effort=_days(1, 2, 3), needs=("S3",)),
    Step(id="S7", title="Tell the customers", owner="Marketing", effort=_days(1), needs=("S5",)),
    Step(id="S8", title="Archive the old data", owner="Tom", effort=_days(2), needs=("S5",)),
    Step(id="S9", title="Switch over", owner="Anna", effort=_days(1), needs=("S4", "S6", "S7", "S8")),
)
PLAN = with_dates(
    Plan(
        title="Move billing",
        sections=(
            Section(id="goal", title="Goal", text="Move billing to the new provider by 30 June 2027."),
            Section(
                id="criteria",
                title="Success criteria",
                items=(
                    Criterion(id="C1", text="No customer gets two invoices", target="0", due="2027-06-30"),
                    Criterion(id="C2", text="Invoices go out on time", target="95 %", due="2027-06-30"),
                ),
            ),
            Section(
                id="constraints",
                title="Constraints",
                items=(
                    Constraint(id="K1", text="By 30 June 2027 (2027-06-30)", limits="date", day="2027-06-30"),
                    Constraint(
                        id="K2", text="Budget: 40,000 EUR", limits="amount", amount=Money(Decimal(40000), "EUR")
                    ),
                ),
            ),
            Section(
                id="assumptions",
                title="Assumptions",
                items=(
                    Bullet(id="B1", text="Our legal team can review the contract in a week"),
                    Bullet(id="B2", text="The export is complete"),
                ),
            ),
            Section(id="scope", title="Scope", items=(Bullet(id="B3", text="German and French invoices"),)),
            Section(id="people", title="People", items=(Person(id="P1", text="Anna"), Person(id="P2", text="Tom"))),
            Section(id="steps", title="Steps", items=STEPS),
            Section(
                id="risks",
                title="Risks",
                items=(
                    Risk(id="R1", text="The supplier of the interface is late", impact="high"),
                    Risk(id="R2", text="Customers do not pay the first invoices", likelihood="low"),
                ),
            ),
            Section(
                id="questions",
                title="Open questions",
                items=(
                    Question(id="Q1", text="Who signs the contract?", assumption="The CFO signs"),
                    Question(id="Q2", text="Does the new provider support SEPA?"),
                ),
            ),
            Section(id="decisions", title="Decisions", items=(Decision(id="D1", text="We stay with one provider"),)),
        ),
    ),
    start=date(2027, 3, 15),
    deadline=date(2027, 6, 30),
)


def changed(fields: Mapping[str, Mapping[str, object]], plan: Plan = PLAN) -> Plan:
    """Return a plan with other values in some fields of its items: ``fields[id][field]``."""
    sections = tuple(
        msgspec.structs.replace(
            section, items=tuple(msgspec.structs.replace(item, **fields.get(item.id, {})) for item in section.items)
        )
        for section in plan.sections
    )
    return msgspec.structs.replace(plan, sections=sections)


def begun(plan: Plan = PLAN) -> Plan:
    """Return the plan with S1 done and S2 under way."""
    done = {"status": "done", "started": "2027-03-01", "finished": "2027-03-04"}
    return changed({"S1": done, "S2": {"status": "under-way", "started": "2027-03-05"}}, plan)


def said(message: str, plan: Plan = PLAN, *, item: str = "", section: str = "") -> tuple[Plan, tuple[Request, ...]]:
    """Return the plan after a message, and its requests."""
    requests = read_requests(message, plan, today=TODAY, item=item, section=section)
    for request in requests:
        plan = applied(plan, request.operations)
    return plan, requests


def item_of(plan: Plan, name: str) -> Item | None:
    return next((item for item in plan.items if item.id == name), None)
