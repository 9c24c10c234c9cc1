"""From a typed task, and the context gathered for it, to the exact prompt that a model is sent.

    Task ─▶ system: house.md + {task}.md      of an agent: what a person told it to be
    said ─▶ user, assistant, user, … the conversation, as far as this agent sees it and the window reaches
    Task ─▶ user:   <input name="goal"> … </input>, one for each thing the task holds; last, what was recalled for it

The prompts are Markdown files beside this one, reviewed as prose. Everything a person, a model or a file said goes into
messages and inputs, never into the system message, and an input's own text cannot close it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from workbench.domain.loop.steps import Call
from workbench.domain.loop.tasks import ChatTask, CondenseTask, PlanTask, ProposeTask, Task, WorkTask
from workbench.domain.session.context import Message
from workbench.domain.session.state import HistoryItem
from workbench.domain.text.cleaning import shorten

_INPUT_TAG = re.compile(r"<(?=\s*/?\s*input)", re.IGNORECASE)
"""What could be read as the beginning or the end of an input."""


Quoted = Mapping[str, Sequence[Mapping[str, str]]]
"""What was recalled, or copied for a worker, by the name of the input that quotes it: who, when and what, as data. It
was found for this task, and may not concern it."""


def messages_for(call: Call, said: Sequence[Message] = (), quoted: Quoted | None = None) -> tuple[Message, ...]:
    """Return the prompt of a call: what the role is for, what was said, its inputs; of a repair what was bad."""
    system = Message(role="system", content=_instructions(call))
    user = Message(role="user", content=_asked(call.task, quoted or {}))
    if not call.complaint:
        return (system, *said, user)
    repair = Message(role="user", content=f"That answer could not be used. {call.complaint}")
    refused = (_as_answered(call.refused),) if call.refused is not None and call.refused.text.strip() else ()
    return (system, *said, user, *refused, repair)


_MOST_OF_A_REFUSED_REPLY = 8_000
"""Characters: about 2,000 tokens."""


def _as_answered(refused: HistoryItem) -> Message:
    """Return a reply that could not be used as what the model said; a long one shortened."""
    if len(refused.text) <= _MOST_OF_A_REFUSED_REPLY:
        return Message(role="assistant", content=refused.text, item=f"message:{refused.id}")
    return Message(role="assistant", content=shorten(refused.text, _MOST_OF_A_REFUSED_REPLY))


def as_summary(text: str, by: str) -> Message:
    """Return the message that stands for the oldest part of a conversation: quoted, with who wrote it."""
    return Message(role="user", content=_input("summary_of_what_came_before", text, f' by="{by}"'))


def as_report(text: str, worker: str) -> Message:
    """Return the message that brings a worker's report: quoted, with whose it is."""
    return Message(role="user", content=_input("report_of_a_worker", text, f' worker="{worker}"'))


def _instructions(call: Call) -> str:
    told = f"{_prompt('house')}\n{_prompt(call.name)}\n"
    if isinstance(call.task, ChatTask):
        return f"{told}# {call.task.agent}\n\n{call.task.instructions}\n"
    if isinstance(call.task, WorkTask):
        told += f"# The agent you work for: {call.task.agent}\n\n{call.task.instructions}\n"
    return told


def _asked(task: Task, quoted: Quoted) -> str:
    match task:
        case ChatTask():
            known = _inputs(task, quoted, {"goal", "today", "constraints", "plan", "insights"})
            return f"{known}\n\n{task.message}"
        case WorkTask():
            return _inputs(task, quoted, {"goal", "today", "constraints", "plan", "work"})
        case CondenseTask():
            said = _input("said", "\n\n".join(task.said))
            return f"Use {task.max_tokens:,} tokens at most.\n\n{said}"
        case _:
            return _inputs(task, quoted)


@cache
def _prompt(name: str) -> str:
    return files("workbench.planning").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def _inputs(task: Task, quoted: Quoted, only: Container[str] | None = None) -> str:
    fields = {name: value for name, value in msgspec.structs.asdict(task).items() if only is None or name in only}
    always = {"may_ask"} if isinstance(task, ProposeTask) else {"iteration"} if isinstance(task, PlanTask) else set()
    told = fields | {name: tuple(quotations) for name, quotations in quoted.items()}
    shown = {name: value for name, value in told.items() if name in always or value not in ("", (), None)}
    return "\n\n".join(_input(name, value) for name, value in shown.items())


def _input(name: str, value: object, whose: str = "") -> str:
    return f'<input name="{name}"{whose}>\n{_as_text(value)}\n</input>'


def _as_text(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
    return _INPUT_TAG.sub("&lt;", text)
