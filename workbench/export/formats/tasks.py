"""Steps as task lists: of GitHub and GitLab, of spec-kit, of Task Master."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby

from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.step_days import first_day, last_day
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.quoting import quoted

_LONGEST = 500
_TASK_MASTER = {
    "todo": "pending", "under-way": "in-progress", "waiting": "deferred", "done": "done", "dropped": "cancelled",
}  # fmt: skip


def as_task_list(plan: Plan) -> str:
    """Return the steps as a Markdown task list of GitHub and GitLab; dropped ones are crossed out."""
    lines = [f"# {_line(plan.title or 'Plan')}"]
    for heading, steps in _by_workstream(plan):
        lines += ["", f"## {heading}", ""] if heading else [""]
        for step in steps:
            lines += _task(step, "  " if step.parent else "")
    return quoted("\n".join(lines) + "\n")


def _task(step: Step, indent: str) -> Iterator[str]:
    title = f"~~{_text(step.title)}~~" if step.status == "dropped" else _text(step.title)
    owner = f" @{_handle(step.owner)}" if step.owner else ""
    needs = f" (needs {', '.join(step.needs)})" if step.needs else ""
    effort = f"{number(step.effort.likely)} d" if step.effort else ""
    due = f"due {_line(day)}" if (day := last_day(step)) else ""
    more = ", ".join(filter(None, (effort, due)))
    box = "x" if step.status in ("done", "dropped") else " "
    yield f"{indent}- [{box}] **{step.id}** {title}{owner}{needs}{f' — {more}' if more else ''}"
    if step.check:
        yield f"{indent}  - [{'x' if step.status == 'done' else ' '}] {_text(step.check)}"


def as_spec_kit(plan: Plan) -> str:
    """Return the steps as spec-kit's ``tasks.md``: S4 is T004; ``[P]`` marks what nothing of its phase waits for."""
    names = _spec_kit_ids(plan)
    title = _line(plan.title or "Plan").removeprefix("Tasks: ")
    lines = [f"# Tasks: {title}", "", "## Format: `[ID] [P?] [Story] Description`"]
    for place, (heading, steps) in enumerate(_by_workstream(plan), start=1):
        phase = re.sub(r"^Phase \d+: ", "", heading) or "Steps"
        lines += ["", f"## Phase {place}: {phase}", ""]
        here = {step.id for step in steps}
        for step in steps:
            if step.status == "dropped":
                continue
            parallel = " [P]" if not here & set(step.needs) else ""
            needs = [names[need] for need in step.needs if need in names]
            depends = f" (depends on {', '.join(needs)})" if needs else ""
            box = "X" if step.status == "done" else " "
            lines.append(f"- [{box}] {names[step.id]}{parallel} {_text(step.title)}{depends}")
    return quoted("\n".join(lines) + "\n")


def _spec_kit_ids(plan: Plan) -> dict[str, str]:
    return {step.id: f"T{step.id[1:]:0>3}" for step in plan.steps if step.id[1:].isdigit()} | {
        step.id: f"T9{place:0>3}" for place, step in enumerate(plan.steps) if not step.id[1:].isdigit()
    }


def as_task_master(plan: Plan) -> str:
    """Return the steps as Task Master's ``tasks.json``; what it does not know stands in ``metadata``."""
    ids = {step.id: place for place, step in enumerate(plan.steps, start=1)}
    tasks = [
        {
            "id": ids[step.id],
            "title": step.title,
            "description": step.outcome or step.title,
            "status": _TASK_MASTER[step.status],
            "dependencies": [ids[need] for need in step.needs if need in ids],
            "priority": "medium",
            "details": "\n".join(filter(None, (f"Owner: {step.owner}" if step.owner else "", step.notes))),
            "testStrategy": step.check,
            "subtasks": [],
            "metadata": {"workbench": _more(step)},
        }
        for step in plan.steps
    ]
    return json.dumps({"master": {"tasks": tasks}}, ensure_ascii=False, indent=2) + "\n"


def _more(step: Step) -> dict[str, object]:
    effort = [step.effort.low, step.effort.likely, step.effort.high] if step.effort else None
    more = {
        "id": step.id, "owner": step.owner, "effort": effort, "start": first_day(step), "end": last_day(step),
        "workstream": step.workstream, "parent": step.parent,
    }  # fmt: skip
    return {name: value for name, value in more.items() if value}


def _by_workstream(plan: Plan) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Yield neighbouring steps of the same workstream, under its name."""
    for name, steps in groupby(plan.steps, key=lambda step: step.workstream):
        yield _line(name), tuple(steps)


def _line(text: str) -> str:
    return clean_name(text, _LONGEST)


def _text(text: str) -> str:
    """Return text on one line in which Markdown means nothing; ``quoted`` sees to tags."""
    return re.sub(r"([\\`*_\[\]>#|~])", r"\\\1", _line(text))


def _handle(owner: str) -> str:
    return re.sub(r"[^\w.-]+", "-", owner.strip()).strip("-").lower()
