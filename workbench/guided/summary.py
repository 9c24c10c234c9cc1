"""The deliverable: one page of what the plan says, for those who read it and do not carry it out."""

from __future__ import annotations

from workbench.domain.loop.tasks import GenerateReply, GenerateTask
from workbench.domain.plan.plan import Constraint, Criterion, Plan, Question, Risk
from workbench.guided.phrases import sentence

MOST_FINDINGS = 5


def generate(task: GenerateTask) -> GenerateReply:
    """Answer a GenerateTask with a page in Markdown."""
    plan = task.plan
    parts = [
        f"# {plan.title}",
        _part(
            "When it has worked",
            [f"- {item.text}: {item.measure}" for item in plan.items if isinstance(item, Criterion)],
        ),
        _part("What must hold", [f"- {item.text}" for item in plan.items if isinstance(item, Constraint)]),
        _part("Steps", _steps(plan)),
        _part("First", [f"- {action.text} ({action.step})" for action in task.actions]),
        _part(
            "What could go wrong", [f"- {item.text} {item.response}" for item in plan.items if isinstance(item, Risk)]
        ),
        _part("Not known yet", [f"- {item.text}" for item in plan.items if isinstance(item, Question)]),
        _part("Wrong with the plan", [f"- {sentence(one.text)}" for one in task.findings[:MOST_FINDINGS]]),
    ]
    return GenerateReply(deliverable="\n\n".join(part for part in parts if part) + "\n")


def _part(title: str, lines: list[str]) -> str:
    return f"## {title}\n\n" + "\n".join(lines) if lines else ""


def _steps(plan: Plan) -> list[str]:
    rows = []
    for step in plan.steps:
        days = f"{step.start} to {step.end}" if step.start and step.end else step.on or step.deadline or "no date"
        rows.append(f"| {step.id} | {step.title.replace('|', '/')} | {step.owner} | {days} |")
    return ["| | step | who | when |", "|---|---|---|---|", *rows] if rows else []
