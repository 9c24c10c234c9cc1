"""The verifier's task: to what the checks have found, what is reckoned from the goal's facts is added."""

from __future__ import annotations

import msgspec

from workbench.domain.facts.ledger import GOAL
from workbench.domain.facts.reckoning import reckon
from workbench.domain.loop.tasks import VerifyReply, VerifyTask
from workbench.domain.plan.plan import Constraint
from workbench.guided.brief import Brief


def verify(task: VerifyTask, brief: Brief) -> VerifyReply:
    """Answer a VerifyTask; what the checks found already is not said again."""
    known = {finding.text for finding in task.known}
    limits = [item for item in task.plan.items if isinstance(item, Constraint) and item.day and item.origin]
    corrected = {
        one for item in limits if item.origin and item.origin.kind == "answer" for one in item.origin.source.split()
    }
    of_goal = (one for one in brief.facts if one.source == GOAL and one.id not in corrected)
    brief = msgspec.structs.replace(brief, facts=tuple(of_goal))
    findings = reckon(brief.reckoned, brief.today, steps=task.plan.steps)
    return VerifyReply(findings=tuple(finding for finding in findings if finding.text not in known))
