"""What the roles answer in the sample of the conference: each a function of its task, so a rewind is answered the same.

ProposeTask ─▶ three approaches, one question       PlanTask    ─▶ a first plan, or what statements and findings change
VerifyTask  ─▶ what the plan still lacks            ExecuteTask ─▶ an action for each step
WorkTask    ─▶ a report                             GenerateTask ─▶ the summary, which is Markdown and no JSON

What is said stands in conference_plan.json, as a model writes it: ``first`` is the plan of the second approach,
``amended`` what the planner answers to feedback, by the first of its statements, ``mended`` to a finding.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from workbench.domain.loop.asking.tasks import (
    Action,
    Approach,
    Disputed,
    ExecuteReply,
    ExecuteTask,
    Finding,
    GenerateTask,
    PlanTask,
    ProposeReply,
    ProposeTask,
    Task,
    VerifyReply,
    VerifyTask,
    WorkReply,
    WorkTask,
)
from workbench.domain.plan.plan import Decision, Plan, Risk, Step

Reply = dict[str, Any]
"""An answer by item, as JSON has it."""
SAID: dict[str, Any] = msgspec.json.decode(Path(__file__).with_name("conference_plan.json").read_bytes())
APPROACHES = msgspec.convert(SAID["approaches"], tuple[Approach, ...])
REPORTS = msgspec.convert(SAID["reports"], dict[str, WorkReply])
UNHEARD, TWO_DAYS = SAID["unheard"], SAID["two_days"]


def reply_to(task: Task) -> str:
    """Return what a role answers."""
    match task:
        case ProposeTask():
            return _json(_proposed(task))
        case PlanTask():
            return _json(_planned(task))
        case VerifyTask():
            return _json(
                VerifyReply(findings=_missing(task.plan), disputed=_disputed(task), insights=_learnt(task.plan))
            )
        case ExecuteTask():
            steps = [step for step in task.plan.steps if not task.changed or step.id in task.changed]
            return _json(ExecuteReply(actions=tuple(map(_first_action, steps))))
        case GenerateTask():
            return _summary(task.plan)
        case WorkTask():
            return _json(REPORTS[task.work])
        case _:
            raise AssertionError(f"nobody answers {task}")


def _json(reply: object) -> str:
    return msgspec.json.encode(reply).decode()


def _proposed(task: ProposeTask) -> ProposeReply:
    return ProposeReply(
        approaches=APPROACHES,
        constraints=tuple(SAID["constraints"]),
        assumptions=(() if task.may_ask else ("Members pay for their own journey.",)),
        questions=(SAID["question"],) if task.may_ask else (),
    )


def _planned(task: PlanTask) -> Reply:
    if task.plan is None:
        is_one_hall = task.approach is not None and task.approach.id == "A1"
        return SAID["one_hall" if is_one_hall else "first"]
    if task.mends:
        known = SAID["mended"]
        mended = [(f"V{n}", known[one.text]) for n, one in enumerate(task.findings, 1) if one.text in known]
        return _because(*mended[0]) if mended else {}  # the rest waits for the person
    return SAID["amended"][next(one.text for one in task.statements if one.state == "open")]


def _because(finding: str, reply: Reply) -> Reply:
    """Return an answer whose changes of steps name a finding for their cause."""
    return reply | {"steps": [step | {"because": [finding]} for step in reply.get("steps", ())]}


def _missing(plan: Plan) -> tuple[Finding, ...]:
    """Return what an attentive reader misses."""
    steps = {step.id: step for step in plan.steps}
    found = []
    if "S7" in steps and "S7" not in steps["S6"].needs:
        found.append(
            Finding(rule="model", severity="major", text=UNHEARD, section="steps", item="S6", remedy="Let S6 need S7.")
        )
    if "S7" in steps and "S10" not in steps:
        found.append(
            Finding(
                rule="model",
                severity="minor",
                text="300 people depend on one line out of the hall, and nothing says what they do when it fails.",
                section="risks",
                item="R1",
                remedy="Rent a second line, or tell those at home how to go on by telephone.",
            )
        )
    if steps["S8"].title == "Hold the Thursday" and "16 and 17" in plan.sections[0].text:
        found.append(
            Finding(rule="model", severity="major", text=TWO_DAYS, section="goal", remedy="Write the goal for one day.")
        )
    return tuple(found)


def _disputed(task: VerifyTask) -> tuple[Disputed, ...]:
    """Return that those who are yet to be found cannot be among the people of the plan."""
    return tuple(
        Disputed(finding=f"V{number}", reason="S7 finds these two by June. Until then nobody can name them.")
        for number, one in enumerate(task.known, 1)
        if one.rule == "people.unknown" and not one.disputed
    )


def _learnt(plan: Plan) -> tuple[str, ...]:
    return (f"{len(plan.steps)} steps, of which {sum('S1' in step.needs for step in plan.steps)} wait for the hall.",)


def _first_action(step: Step) -> Action:
    return Action(
        step=step.id,
        text=f"Write to everybody who is needed to “{step.title[0].lower()}{step.title[1:]}”, with the date.",
        check="Everybody has answered",
        owner=step.owner,
        due=step.start,
    )


def _summary(plan: Plan) -> str:
    steps = {step.id: step for step in plan.steps}
    first, day = steps["S1"], steps["S8"]
    waiting = [one for one in plan.items if isinstance(one, Decision) and one.owner]
    decisions = [f"- {one.owner}, until {one.latest}: {one.text} Until then: {one.assumed}" for one in waiting]
    risks = [f"- {one.text} {one.response}" for one in plan.items if isinstance(one, Risk)]
    parts = (
        f"# {plan.title}",
        plan.sections[0].text,
        f"All is for {day.start}. It begins with “{first.title}”: until {first.end}, {first.deadline} at the latest.",
        *(("To be decided:", "\n".join(decisions)) if decisions else ()),
        "What decides it:",
        "\n".join(risks),
    )
    return "\n\n".join(parts)
