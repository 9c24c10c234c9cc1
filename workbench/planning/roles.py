"""From a typed task to the exact prompt that a role's model is sent.

    Task ─▶ system: house.md + {task}.md + the schema of the answer
         └▶ user:   <input name="goal"> … </input>, one for each thing the task holds

    ChatTask ─▶ system: house.md + chat.md + what a person told the agent to be
             ├▶ user, assistant, user, … what people said, and this agent's own answers
             └▶ user:   the inputs, and the message to answer

The prompts are Markdown files beside this one, reviewed as prose. Everything a person, a model or a file said goes into
inputs, never into the system message, and an input's own text cannot close it.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache
from importlib.resources import files

import msgspec

from workbench.domain.steps import Call
from workbench.domain.tasks import ChatTask, PlanTask, ProposeTask, Task, reply_schema
from workbench.models.ports import Message

_INPUT_TAG = re.compile(r"<(?=\s*/?\s*input)", re.IGNORECASE)
"""What could be read as the beginning or the end of an input."""


def messages_for(call: Call) -> tuple[Message, ...]:
    """Return the prompt of a call: what the role is for, its inputs, and why the first reply was not usable."""
    if isinstance(call.task, ChatTask):
        return _conversation(call.task)
    schema = msgspec.json.encode(reply_schema(call.task), order="deterministic").decode()
    instructions = (
        f"{_prompt('house')}\n{_prompt(call.name)}\n"
        f"# Answer\n\nAnswer with one JSON object that fits this schema, and nothing else:\n\n{schema}\n"
    )
    system = Message(role="system", content=instructions)
    user = Message(role="user", content=_inputs(call.task))
    if not call.complaint:
        return (system, user)
    repair = f"Your last answer could not be used. {call.complaint} Answer the same task again."
    return (system, user, Message(role="user", content=repair))


def _conversation(task: ChatTask) -> tuple[Message, ...]:
    instructions = f"{_prompt('house')}\n{_prompt('chat')}\n# {task.agent}\n\n{task.instructions}\n"
    before = [Message(role=said.role, content=said.text) for said in task.conversation]
    known = _inputs(task, {"goal", "today", "plan", "insights", "from_other_sessions"})
    asked = Message(role="user", content=f"{known}\n\n{task.message}")
    return (Message(role="system", content=instructions), *before, asked)


@cache
def _prompt(name: str) -> str:
    return files("workbench.planning").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def _inputs(task: Task, only: Container[str] | None = None) -> str:
    fields = {name: value for name, value in msgspec.structs.asdict(task).items() if only is None or name in only}
    always = {"may_ask"} if isinstance(task, ProposeTask) else {"iteration"} if isinstance(task, PlanTask) else set()
    shown = {name: value for name, value in fields.items() if name in always or value not in ("", (), None)}
    return "\n\n".join(f'<input name="{name}">\n{_as_text(value)}\n</input>' for name, value in shown.items())


def _as_text(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
    return _INPUT_TAG.sub("&lt;", text)
