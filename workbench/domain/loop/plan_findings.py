"""What the checks, the ledger and the cited files have against a plan of a session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from workbench.domain.facts.findings import open_facts
from workbench.domain.loop.file_facts import untold
from workbench.domain.loop.tasks import Feedback, Finding, Handled
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.checks.coverage import GOAL_UNDONE
from workbench.domain.plan.plan import Plan
from workbench.domain.session.named_files import Citations
from workbench.domain.session.state import SessionState


def checked(state: SessionState, plan: Plan) -> tuple[Finding, ...]:
    """Return what the checks find in a plan of a session, and what the ledger has against it."""
    is_guided = state.options.model == "guided"  # a language model has to say more than it was told
    told = tuple(one.answer for one in state.answers) if is_guided else ()
    told += tuple(one.text for one in state.feedback) if is_guided else ()
    found = _findings(_Asked(plan, state.today, state.constraints, state.feedback, state.handled, told))
    unread = Citations(sources).unread(plan) if (sources := state.sources) else ()
    left_over = open_facts(state.account_of(plan))
    said = " ".join(one.text for one in left_over)
    found = tuple(one for one in found if one.rule != GOAL_UNDONE or one.text.split("“")[1].split("”")[0] not in said)
    return (*found, *left_over, *unread, *untold(state, plan))


@dataclass(frozen=True, eq=False, slots=True)
class _Asked:
    """What the checks are asked about. Equal plans may still be written differently: it has to be the same one."""

    plan: Plan
    today: str
    constraints: tuple[str, ...]
    feedback: tuple[Feedback, ...]
    handled: tuple[Handled, ...]
    told: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.plan is other.plan and self._told == other._told

    def __hash__(self) -> int:
        return id(self.plan)

    @property
    def _told(self) -> tuple[object, ...]:
        return self.today, self.constraints, self.feedback, self.handled, self.told


@lru_cache(maxsize=4)  # a version is checked for each of its tasks, and for each reply
def _findings(asked: _Asked) -> tuple[Finding, ...]:
    return check_plan(
        asked.plan,
        today=date.fromisoformat(asked.today),
        constraints=asked.constraints,
        feedback=asked.feedback,
        handled=asked.handled,
        told=asked.told,
    )
