"""The deliverable."""

from __future__ import annotations

from workbench.domain.tasks import GenerateReply, GenerateTask


def generate(task: GenerateTask) -> GenerateReply:
    """Answer a GenerateTask with a brief in Markdown."""
    lines = [f"# {task.plan.title}", ""]
    lines += [f"- {step.id} {step.title}: {step.start} to {step.end}, {step.owner}" for step in task.plan.steps]
    lines += ["", "*Written by the offline guided planner.*"]
    return GenerateReply(deliverable="\n".join(lines), insights=())
