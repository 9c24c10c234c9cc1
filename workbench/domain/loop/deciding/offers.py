"""What is offered at a checkpoint for the findings that are open: repairs, each with its consequence."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from workbench.domain.errors import UsageError
from workbench.domain.loop.plan_findings import checked
from workbench.domain.plan.changing.operations import Cause, Change
from workbench.domain.plan.checks.case import Case
from workbench.domain.plan.repairs import Repair, consequence, repairs_of
from workbench.domain.session.state import SessionState


class Offer(Struct, frozen=True):
    """A repair that a person can accept."""

    number: int
    """From 1, as long as the plan stays as it is."""
    repair: Repair
    consequence: str

    def changes(self) -> tuple[Change, ...]:
        """Return what accepting it does to the plan."""
        cause = Cause("repair", self.repair.finding.rule)
        return tuple(Change(operation, cause) for operation in self.repair.operations)


def offers_of(state: SessionState) -> tuple[Offer, ...]:
    """Return the repairs that are offered for the open findings of a session's plan."""
    plan = state.plan
    if plan is None or not state.findings:
        return ()
    case = Case(plan, date.fromisoformat(state.today))
    offers: list[Offer] = []
    for repair in repairs_of(case, state.findings):
        if leads_to := consequence(case, repair, lambda after: checked(state, after)):
            offers.append(Offer(len(offers) + 1, repair, leads_to))
    return tuple(offers)


def changes_of_repair(state: SessionState, number: int) -> tuple[Change, ...]:
    """Return the changes of the repair with a number. Raises UsageError if no repair has it."""
    offers = offers_of(state)
    if not 1 <= number <= len(offers):
        how_many = f"Choose one from 1 to {len(offers)}." if offers else "Nothing is offered for the open findings."
        raise UsageError(f"There is no repair {number}.", f"{how_many} `workbench sessions show` lists them.")
    return offers[number - 1].changes()
