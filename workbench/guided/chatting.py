"""What the offline planner says for an agent that a person talks to: what the plan says, and what it is itself.

It is no language model. It follows no instructions and holds no conversation, and every answer says so.
"""

from __future__ import annotations

from workbench.domain.loop.tasks import ChatTask, WorkReply, WorkTask
from workbench.domain.plan.plan import Plan
from workbench.guided.answering import told_by
from workbench.guided.feedback import subject_of
from workbench.guided.setting import read_setting
from workbench.guided.wording import telling_words

_WHAT_IT_IS = "(The offline planner answers from the plan alone. With a language model, {agent} answers itself.)"
_MOST_QUOTED = 3


def chat(task: ChatTask) -> str:
    """Answer a message from the plan, or quote what stands nearest to it."""
    return f"{_answer(task)}\n\n{_WHAT_IT_IS.format(agent=task.agent)}"


def work(task: WorkTask) -> WorkReply:
    """Do a part of the work as far as the plan's words go; the part stays open, as nobody has thought about it."""
    asked = ChatTask(
        goal=task.goal,
        today=task.today,
        agent=task.agent,
        instructions=task.instructions,
        message=task.work,
        plan=task.plan,
    )
    return WorkReply(answer=_answer(asked), open_questions=(task.work,))


def _answer(task: ChatTask) -> str:
    plan = task.plan
    if plan is None:
        return "There is no plan yet that could say anything about that."
    told = told_by(plan, task.message, subject_of(task.message, plan), read_setting(task.goal, task.today))
    return told or _nearest(plan, task.message, task.insights)


def _nearest(plan: Plan, message: str, insights: tuple[str, ...]) -> str:
    """Quote the lines of plan and insights that share most words with a message."""
    asked = telling_words(message)
    items = [(getattr(item, "text", "") or getattr(item, "title", ""), f"{item.id}: ") for item in plan.items]
    lines = [*items, *((insight, "An insight: ") for insight in insights)]
    shared = [(len(asked & telling_words(text)), f"{label}{text}") for text, label in lines]
    nearest = [line for count, line in sorted(shared, key=lambda one: -one[0]) if count][:_MOST_QUOTED]
    if not nearest:
        return "The plan says nothing about that."
    return "\n".join(["The plan says:", "", *(f"- {line}" for line in nearest)])
