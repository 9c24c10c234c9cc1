"""What checks cannot see, read with the eyes of somebody who has planned before.

plan + goal ─▶ rules of judgement ─▶ Finding* (rule ``model.…``), each with a remedy the planner can carry out
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Literal

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Finding, VerifyReply, VerifyTask
from workbench.domain.plan.plan import Decision, Plan, Question, Risk
from workbench.guided.editing import log_decision, next_id, put_item, replace_item
from workbench.guided.limits import deadline_of
from workbench.guided.rendering import day_in, schedule_of
from workbench.guided.setting import Setting
from workbench.guided.timing import day_of
from workbench.guided.wording import counted, in_a_sentence, listed

_Rule = Callable[[VerifyTask], Iterator[Finding]]
_Mend = Callable[[Plan, Finding, Setting], Plan]

ONE_OWNER = 0.6
"""Share of the effort from which on one owner is a risk."""
ALONE = 0.9
"""Share from which on it is one person's own undertaking, where nobody can step in."""


def verify(task: VerifyTask) -> VerifyReply:
    """Answer a VerifyTask; what the checks found already is not said again."""
    known = {(finding.item, finding.section) for finding in task.known if finding.item}
    findings = tuple(
        finding for rule in _RULES for finding in rule(task) if (finding.item, finding.section) not in known
    )
    return VerifyReply(findings=findings, insights=_insights(task, findings))


def _finding(
    rule: str,
    severity: Literal["major", "minor"],
    text: str,
    remedy: str,
    item: str | None = None,
    *,
    section: str = "steps",
) -> Finding:
    return Finding(rule=f"model.{rule}", severity=severity, text=text, section=section, item=item, remedy=remedy)


_RISKY = re.compile(
    r"\b(?:switch|cut\s*over|migrat|go\s+live|release|deploy|replace|move\s+(?:the|all)|decommission)\w*\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:way\s+back|roll\s*back|back\s*out|revert|undo|fall\s*back|switch\s+back|restore|return|point\s+of\s+no\s+return|"
    r"turned\s+back|back-?up|both\s+systems|stop)\w*\b",
    re.IGNORECASE,
)


def _way_back(task: VerifyTask) -> Iterator[Finding]:
    risky = next((step for step in task.plan.steps if _RISKY.search(step.title)), None)
    said = " ".join(f"{step.title} {step.outcome} {step.check}" for step in task.plan.steps)
    if risky is not None and _BACK.search(said) is None:
        yield _finding(
            "no-way-back",
            "major",
            f"{risky.id} “{risky.title}” cannot be undone by anything in the plan.",
            "Say how it is taken back, and who may order that.",
            risky.id,
        )


def _one_owner(task: VerifyTask) -> Iterator[Finding]:
    efforts: dict[str, float] = {}
    for step in task.plan.steps:
        efforts[step.owner] = efforts.get(step.owner, 0.0) + (step.effort.expected if step.effort else 1.0)
    owner = max(sorted(efforts), key=lambda name: efforts[name], default="")
    total = sum(efforts.values())
    told = any(isinstance(item, Risk) and "step in" in item.response for item in task.plan.items)
    if owner and ONE_OWNER * total < efforts[owner] < ALONE * total and not told:
        share = efforts[owner] / total
        yield _finding(
            "one-owner",
            "minor",
            f"{share:.0%} of the effort lies with one owner ({owner}); without them the plan stands still.",
            "Name who steps in, as a risk with its response.",
            section="risks",
        )


def _late_check(task: VerifyTask) -> Iterator[Finding]:
    steps = [step for step in task.plan.steps if day_in(step.start) and day_in(step.end)]
    if len(steps) < 4:
        return
    first, last = min(step.start or "" for step in steps), max(step.end or "" for step in steps)
    early = min(step.end or "" for step in steps)
    span = _days(first, last)
    if span >= 20 and _days(first, early) > span * 0.4:
        yield _finding(
            "late-check",
            "minor",
            f"The first check is on {early}, when {_days(first, early)} of {span} days have gone.",
            "Split the first step, so that something can be looked at earlier.",
            steps[0].id,
        )


def _days(first: str, last: str) -> int:
    return (date.fromisoformat(last) - date.fromisoformat(first)).days


def _nobody_decides(task: VerifyTask) -> Iterator[Finding]:
    said = " ".join(
        str(getattr(item, field, ""))
        for item in task.plan.items
        for field in ("text", "check", "owner", "response", "assumption")
    )
    if not re.search(r"\b(?:decid|sign|approv|accept|agree)\w*\b", said, re.IGNORECASE):
        yield _finding(
            "nobody-decides",
            "minor",
            "Nothing in the plan says who decides or accepts the result.",
            "Ask who decides, as an open question with an owner.",
            section="questions",
        )


def _unready_risk(task: VerifyTask) -> Iterator[Finding]:
    for item in task.plan.items:
        if isinstance(item, Risk) and not (item.sign.strip() and item.response.strip()):
            yield _finding(
                "risk-unready",
                "major" if item.likelihood == "high" and item.impact == "high" else "minor",
                f"{item.id} has no early sign or no response.",
                "Say what would be noticed first, and what is done then.",
                item.id,
                section="risks",
            )


def _no_risks(task: VerifyTask) -> Iterator[Finding]:
    if not any(isinstance(item, Risk) for item in task.plan.items):
        yield _finding(
            "no-risks",
            "minor",
            "The plan names no risk.",
            "Imagine that it failed, and write down why.",
            section="risks",
        )


def _tight(task: VerifyTask) -> Iterator[Finding]:
    deadline = deadline_of(task.plan, date.fromisoformat(task.today))
    try:
        dates = schedule_of(task.plan, deadline) if task.plan.steps else None
    except PlanUnsound:
        return
    said = any(isinstance(item, Decision) and item.text.startswith("No reserve") for item in task.plan.items)
    anchored = day_of(task.plan.steps) is not None
    if dates is None or dates.slack_days is None or said or anchored:
        return
    if 0 <= dates.slack_days < 0.05 * dates.expected_days:
        yield _finding(
            "no-reserve",
            "minor",
            f"Between the expected finish and the deadline there {'is' if dates.slack_days == 1 else 'are'} "
            f"{counted(dates.slack_days, 'working day')}: any slip is an overrun.",
            "Decide now what is left out first.",
            section="decisions",
        )


_RULES: tuple[_Rule, ...] = (_way_back, _one_owner, _late_check, _nobody_decides, _unready_risk, _no_risks, _tight)


def _insights(task: VerifyTask, findings: tuple[Finding, ...]) -> tuple[str, ...]:
    major = sum(finding.severity == "major" for finding in findings)
    risks = [item for item in task.plan.items if isinstance(item, Risk)]
    insights = [
        (
            f"{counted(len(task.plan.steps), 'step')} and {counted(len(risks), 'risk')} "
            f"were read: {counted(major, 'major finding')}, {len(findings) - major} minor."
        )
    ]
    open_questions = [item for item in task.plan.items if isinstance(item, Question)]
    if open_questions:
        insights.append(
            f"Open {'question' if len(open_questions) == 1 else 'questions'}: {len(open_questions)}; "
            f"{open_questions[0].id} first: {open_questions[0].text}"
        )
    proof = [step for step in task.plan.steps if any(answer.startswith("K") for answer in step.answers)]
    if proof:
        insights.append(f"The constraints are looked at in {listed([step.id for step in proof])}.")
    return tuple(insights)


# ── how the planner looks through its own draft ───────────────────────────────────────────────────────────────────────


def _mend_way_back(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    step = next((one for one in plan.steps if one.id == finding.item), None)
    if step is None:
        return plan
    check = f"{step.check}; the way back was tried before, and {setting.the_decider} may order it"
    return replace_item(plan, msgspec.structs.replace(step, check=check))


def _mend_one_owner(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del setting
    named = re.search(r"one owner \((.+)\); without them", finding.text)
    owner = named[1] if named else ""
    steps = listed([step.id for step in plan.steps if step.owner == owner][:4])
    risk = Risk(
        id=next_id(plan, "R"),
        text=f"Too much rested on one owner ({owner}): two weeks of absence, and nothing moved.",
        likelihood="medium",
        impact="high",
        sign=f"Two steps in a row are late that belong to {in_a_sentence(owner)}.",
        response=f"Before {steps} begin, name who can step in for each, and let both see the work once a week.",
    )
    return put_item(plan, "risks", risk, title="Risks")


def _mend_late_check(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del setting
    from workbench.guided.changing import split_step

    step = next((one for one in plan.steps if one.id == finding.item), None)
    return split_step(plan, step)[0] if step is not None and not step.title.endswith(" half") else plan


def _mend_decider(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del finding
    question = Question(
        id=next_id(plan, "Q"),
        text="Who decides when opinions differ, and who accepts the result?",
        assumption=f"That is for {setting.the_decider}.",
        owner=setting.decider,
    )
    return put_item(plan, "questions", question, title="Open questions")


def _mend_risk(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    risk = next((one for one in plan.items if one.id == finding.item), None)
    if not isinstance(risk, Risk):
        return plan
    return replace_item(
        plan,
        msgspec.structs.replace(
            risk,
            sign=risk.sign or "It is mentioned as likely in a weekly review.",
            response=risk.response
            or f"Within a week it is for {setting.the_decider} to say who acts if it happens, and what is done.",
        ),
    )


def _mend_no_risks(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del finding
    from workbench.guided.drafting import FIRST_RISKS, field_risk

    for number in range(min(FIRST_RISKS, len(setting.field.risks))):
        plan = put_item(plan, "risks", field_risk(setting, number, next_id(plan, "R")), title="Risks")
    return plan


def _mend_tight(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del finding
    scope = plan.section("scope")
    lines = [item.id for item in scope.items if getattr(item, "priority", "") in {"should", "could"}] if scope else []
    first = f"{listed(lines[:3], 'or')} of the scope" if lines else "the longest step's extras"
    return log_decision(
        plan,
        f"No reserve: at the first slip of two days {first} is left out.",
        f"Decided beforehand, so that {setting.the_decider} need not be asked on the day.",
    )


MENDS: dict[str, _Mend] = {
    "model.no-way-back": _mend_way_back,
    "model.one-owner": _mend_one_owner,
    "model.late-check": _mend_late_check,
    "model.nobody-decides": _mend_decider,
    "model.risk-unready": _mend_risk,
    "model.no-risks": _mend_no_risks,
    "model.no-reserve": _mend_tight,
}
"""How the planner mends each finding of this module in its own draft, by rule."""
