"""What the checks and the cited files have against a plan of a session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from msgspec import Struct

from workbench.domain.loop.asking.tasks import MODEL, PAGE, Finding
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.changing.operations import Change, concerns
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Plan
from workbench.domain.session.named_files import Citations
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import shorten


def checked(state: SessionState, plan: Plan) -> tuple[Finding, ...]:
    """Return what the checks find in a plan of a session."""
    unread = tuple(Citations(sources).unread(plan)) if (sources := state.sources) else ()
    calculated = (*_findings(_Asked(plan, state.today)), *unread)
    disputed = {(finding.rule, finding.item, finding.text): finding for finding in state.findings if finding.disputed}
    return tuple(disputed.get((one.rule, one.item, one.text), one) for one in calculated)


def is_open(finding: Finding) -> bool:
    """Tell whether a finding stands: the verifier does not call it wrong."""
    return not finding.disputed


def planner_findings(state: SessionState) -> tuple[Finding, ...]:
    """Return the findings that the planner is told of, as V1, V2, …: what is calculated, and what is judged again."""
    plan, current = state.plan, state.current
    if plan is None or current is None or plans_without_model(state):
        return tuple(finding for finding in state.findings if not is_of_page(finding))
    calculated = tuple(filter(is_open, checked(state, plan)))
    is_news = current.passes == 0 if current.looks == 0 else current.looked_at == state.version
    judged = (one for one in state.findings if one.rule == MODEL and not is_of_page(one)) if is_news else ()
    return (*calculated, *judged)


def still_found(state: SessionState, plan: Plan) -> tuple[Finding, ...]:
    """Return what is found in a plan that changed after the verifier looked.

    That is what is calculated, and of what the verifier judged itself that which nothing was done about.
    """
    looked_at = state.current.looked_at if state.current is not None else state.last_looked_at
    seen = next((one.plan for one in state.versions if one.version == looked_at), plan)
    if seen is plan:
        return tuple(state.findings)
    changes = [change for version in state.versions if version.version > looked_at for change in version.changes]
    return (*checked(state, plan), *judged_still(state.findings, seen, plan, changes))


def judged_still(findings: Iterable[Finding], old: Plan, new: Plan, changes: Sequence[Change]) -> tuple[Finding, ...]:
    """Return what the verifier judged itself of one version and still holds for a later one.

    What it says of an item, or of a section, is about that as it was; and a change that names a finding as its cause
    deals with it.
    """
    before, now = ({item.id: item for item in one.items} for one in (old, new))

    def is_as_it_was(one: Finding) -> bool:
        if one.item:
            return before.get(one.item) == now.get(one.item)
        return not one.section or old.section(one.section) == new.section(one.section)

    judged = (finding for finding in findings if finding.rule == MODEL)
    return tuple(one for one in judged if is_as_it_was(one) and not changed_for(one, changes))


def changed_for(finding: Finding, changes: Iterable[Change]) -> tuple[str, ...]:
    """Return the items and sections that changes concern which name a finding as their cause."""
    name = named_as_cause(finding)
    made = (change.operation for change in changes if change.cause.kind == "finding" and name in change.cause.source)
    return tuple(dict.fromkeys(item for operation in made for item in concerns(operation)))


def named_as_cause(finding: Finding) -> str:
    """Return what the cause of a change is called that a finding is."""
    return finding.rule if finding.rule != MODEL else shorten(finding.text, _LONGEST_CAUSE)


_LONGEST_CAUSE = 80


def judged_in(state: SessionState) -> list[Finding]:
    """Return what the verifier judged itself, and stands."""
    return [finding for finding in state.findings if finding.rule == MODEL]


def is_of_page(finding: Finding) -> bool:
    """Tell whether a finding is about the words of the page, and not about the plan."""
    return finding.rule == MODEL and finding.section == PAGE


def conflicts(state: SessionState, plan: Plan) -> tuple[Finding, ...]:
    """Return what is calculated, major, not disputed, and new with the newest version: the planner mends that at once.

    What was there before, the planner was told of with the last call, and left.
    """
    before = state.versions[-2].plan if len(state.versions) > 1 else None
    known = {(one.rule, one.item) for one in checked(state, before)} if before is not None else set()
    found = (one for one in checked(state, plan) if one.severity == "major" and is_open(one))
    return tuple(one for one in found if (one.rule, one.item) not in known)


class _Asked(Struct, frozen=True, eq=False):
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
