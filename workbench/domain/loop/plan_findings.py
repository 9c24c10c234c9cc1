"""What the checks, the ledger and the cited files have against a plan of a session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from workbench.domain.facts.findings import open_facts
from workbench.domain.loop.file_facts import untold
from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Plan
from workbench.domain.session.named_files import Citations
from workbench.domain.session.state import SessionState


def checked(state: SessionState, plan: Plan) -> tuple[Finding, ...]:
    """Return what the checks find in a plan of a session, and what the ledger has against it."""
    unread = Citations(sources).unread(plan) if (sources := state.sources) else ()
    return (*_findings(_Asked(plan, state.today)), *open_facts(state.account_of(plan)), *unread, *untold(state, plan))


@dataclass(frozen=True, eq=False, slots=True)
class _Asked:
    """What the checks are asked about. Equal plans may still be written differently: it has to be the same one."""

    plan: Plan
    today: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.plan is other.plan and self.today == other.today

    def __hash__(self) -> int:
        return id(self.plan)


@lru_cache(maxsize=4)  # a version is checked for each of its tasks, and for each reply
def _findings(asked: _Asked) -> tuple[Finding, ...]:
    return check_plan(asked.plan, today=date.fromisoformat(asked.today))
