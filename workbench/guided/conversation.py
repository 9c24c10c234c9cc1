"""What the offline planner says for an agent that a person talks to: the lines of the plan that are about it.

It is no language model. It follows no instructions and holds no conversation, and every answer says so.
"""

from __future__ import annotations

from datetime import date

from workbench.domain.loop.tasks import ChatTask, WorkReply, WorkTask
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.requests import read_requests
from workbench.domain.text.words import stems

_WHAT_IT_IS = "(The offline planner answers from the plan alone. With a language model, {agent} answers itself.)"
_MOST_QUOTED = 3


def chat(task: ChatTask) -> str:
    """Answer a message with the lines of the plan that stand nearest to it."""
    told = _answer(task.plan, task.message, task.today) or _nearest(task.plan, task.message, task.insights)
    return f"{told}\n\n{_WHAT_IT_IS.format(agent=task.agent)}"


def work(task: WorkTask) -> WorkReply:
    """Quote what the plan says of a part of the work, which stays open, as nobody has thought about it."""
    told = _answer(task.plan, task.work, task.today) or _nearest(task.plan, task.work, ())
    return WorkReply(answer=told, open_questions=(task.work,))


def _answer(plan: Plan | None, message: str, today: str) -> str:
    """Return what the plan says to a question; "" where it says nothing, or where something else is asked for."""
    requests = read_requests(message, plan, today=date.fromisoformat(today)) if plan else ()
    is_answered = all(one.outcome == "done" and not one.operations for one in requests)
    return " ".join(one.answer for one in requests) if is_answered else ""


def _nearest(plan: Plan | None, message: str, insights: tuple[str, ...]) -> str:
    """Quote the lines of plan and insights that share most words with a message."""
    if plan is None:
        return "There is no plan yet that could say anything about that."
    asked = frozenset(stems(message))
    items = [(_line(item), item.id) for item in plan.items]
    lines = [(text, f"{name}: {text}") for text, name in items]
    lines += [(text, f"An insight: {text}") for text in insights]
    shared = [
        (len(asked & frozenset(stems(text))) + (line.split(":")[0] in message.split()), line) for text, line in lines
    ]
    nearest = [line for count, line in sorted(shared, key=lambda one: -one[0]) if count][:_MOST_QUOTED]
    if not nearest:
        return "The plan says nothing about that."
    return "\n".join(["The plan says:", "", *(f"- {line}" for line in nearest)])


def _line(item: object) -> str:
    if isinstance(item, Step):
        days = f", {item.start} to {item.end}" if item.start and item.end else ""
        return f"{item.title} ({item.owner}{days})"
    return str(getattr(item, "text", ""))
