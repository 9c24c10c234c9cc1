"""The verifier's task: to what the checks have found, what is reckoned from the goal's facts is added."""

from __future__ import annotations

from workbench.domain.facts.reckoning import reckon
from workbench.domain.loop.tasks import VerifyReply, VerifyTask
from workbench.guided.brief import Brief


def verify(task: VerifyTask, brief: Brief) -> VerifyReply:
    """Answer a VerifyTask; what the checks found already is not said again."""
    known = {finding.text for finding in task.known}
    findings = reckon(brief.reckoned, brief.today, steps=task.plan.steps)
    return VerifyReply(findings=tuple(finding for finding in findings if finding.text not in known))
