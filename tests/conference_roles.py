"""What the roles answer in the sample of the conference: each a function of its task, so a rewind is answered the same.

ProposeTask ─▶ three approaches, one question       PlanTask ─▶ a first plan, or what its feedback amends
VerifyTask  ─▶ what the plan still lacks            WorkTask ─▶ a report
"""

from __future__ import annotations

from tests.conference_plan import AMENDED, APPROACHES, CONSTRAINTS, FIRST, ONE_HALL, QUESTION, REPORTS
from workbench.domain.loop.tasks import (
    Action,
    ExecuteReply,
    ExecuteTask,
    Feedback,
    FeedbackClass,
    Finding,
    GenerateReply,
    GenerateTask,
    Handled,
    PlanReply,
    PlanTask,
    ProposeReply,
    ProposeTask,
    Reply,
    Task,
    VerifyReply,
    VerifyTask,
    WorkTask,
)
from workbench.domain.plan.plan import Amendment, Plan, Section, Step


def reply_to(task: Task) -> Reply:
    """Return what a role answers."""
    match task:
        case ProposeTask():
            return ProposeReply(
                approaches=APPROACHES,
                constraints=CONSTRAINTS,
                assumptions=(() if task.may_ask else ("Members pay for their own journey.",)),
                questions=(QUESTION,) if task.may_ask else (),
            )
        case PlanTask():
            return _planned(task)
        case VerifyTask():
            return VerifyReply(findings=_missing(task.plan), insights=_learnt(task.plan))
        case ExecuteTask():
            return ExecuteReply(actions=tuple(_first_action(step) for step in task.plan.steps))
        case GenerateTask():
            return GenerateReply(deliverable=_letter(task.plan))
        case WorkTask():
            return REPORTS[task.work]
        case _:
            raise AssertionError(f"nobody answers {task}")


def _planned(task: PlanTask) -> PlanReply:
    if task.plan is None:
        is_one_hall = task.approach is not None and task.approach.id == "A1"
        return PlanReply(
            title="City trees, Utrecht 2027",
            amendments=tuple(Amendment(section=section) for section in (ONE_HALL if is_one_hall else FIRST)),
            insights=("The contract of the hall comes first: everything else can still be moved.",),
        )
    said = [(feedback, *AMENDED[feedback.text]) for feedback in task.feedback]
    return PlanReply(
        title="",
        amendments=tuple(Amendment(section=section) for _, _, _, sections in said for section in sections),
        handled=tuple(_handled(feedback, kind, note, sections) for feedback, kind, note, sections in said),
        insights=tuple(f"{feedback.text} led to: {note}" for feedback, _, note, _ in said),
    )


def _handled(feedback: Feedback, kind: FeedbackClass, note: str, sections: tuple[Section, ...]) -> Handled:
    return Handled(feedback=feedback.id, kind=kind, sections=tuple(section.id for section in sections), note=note)


def _missing(plan: Plan) -> tuple[Finding, ...]:
    """Return what an attentive reader misses."""
    steps = {step.id: step for step in plan.steps}
    if "S7" in steps and "S10" not in steps:
        return (
            Finding(
                rule="model",
                severity="major",
                text="300 people depend on one line out of the hall, and nothing says what happens when it fails.",
                section="risks",
                item="R1",
                remedy="Rent a second line, or tell those at home how to go on by telephone.",
            ),
        )
    if steps["S8"].end == "2027-09-16":
        return (
            Finding(
                rule="model",
                severity="major",
                text="The goal and K2 name two days, the steps hold one.",
                section="steps",
                item="S8",
                remedy="Change the goal too, or keep both days.",
            ),
        )
    return ()


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


def _letter(plan: Plan) -> str:
    steps = "\n".join(f"- {step.start}: {step.title} ({step.owner})" for step in plan.steps)
    goal = plan.sections[0].text
    return f"# {plan.title}\n\nDear members,\n\n{goal}\n\nThis is what we do, and who asks you for help:\n\n{steps}\n"
