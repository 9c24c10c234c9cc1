"""From a typed task, and the context gathered for it, to the exact prompt that a model is sent.

            system: house.md, the same for all roles      of an agent: with what a person told it to be
            user:   <input name="files">                  lines of files that a person named
    said ─▶ user, assistant, user, …                      the conversation up to the plan
    Task ─▶ user:   <input name="plan">                   a line for each item, where it was written
            user:   {task}.md
    said ─▶ user, assistant, user, …                      what was said since
    Task ─▶ user:   <input name="goal"> … </input>        one for each other thing it holds, or that was recalled

What is new is after what is the same: a prompt begins as the one before it did, and a provider that keeps the
beginning of prompts reads it once. The prompts are Markdown files beside this one, reviewed as prose. Everything a
person, a model or a file said goes into messages and inputs, never into the system message, and an input's own text
cannot close it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path

import msgspec
from msgspec.structs import replace

from workbench.domain.loop.asking.tasks import (
    MODEL,
    PAGE,
    Action,
    Answered,
    ChatTask,
    CondenseTask,
    ExecuteTask,
    Finding,
    GenerateTask,
    PlanTask,
    ProposeTask,
    Said,
    Task,
    VerifyTask,
    WorkTask,
)
from workbench.domain.loop.steps import Call
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.telling.plan_told import plan_told
from workbench.domain.session.context import Message
from workbench.domain.session.state import HistoryItem
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.patterns import lazy_pattern

_FIRST = ("goal", "today", "constraints")
"""Inputs that the roles of a round have in common."""
_APART = frozenset({"plan", "shown", "files"})
"""Inputs with a message of their own."""
_NOT_TOLD = frozenset({"done_for", "by_item", "mends", "begin", "only", "near", "iteration"})
"""What a prompt tells in its words, and what is only for who plans without a model."""
_WHOLE = frozenset({"goal", "feedback"})
"""What statements say word for word."""
_INPUT_TAG = lazy_pattern(r"<(?=\s*+/?\s*+input)", re.IGNORECASE)
"""What could be read as the beginning or the end of an input."""


FILES = "files"
"""Name of the input that quotes files."""
PRACTICE = "practice"
"""Name of the input that quotes what practice knows of such work."""
_RECALLED = frozenset({"from_other_sessions", "from_this_session", "shared_context"})
"""Names of the inputs that quote what this session or others said or share."""
Quoted = Mapping[str, Sequence[Mapping[str, str]]]
"""What was recalled, or copied for a worker, by the name of the input that quotes it: who, when and what, as data. It
was found for this task, and may not concern it."""


def messages_for(
    call: Call, said: Sequence[Message] = (), quoted: Quoted | None = None, since: Sequence[Message] = ()
) -> tuple[Message, ...]:
    """Return the prompt of a call: what the role is for, what was said, its inputs; of a repair what was bad.

    ``since``: what was said after the plan was written.
    """
    quoted = quoted or {}
    prompt = [Message(role="system", content=_instructions(call, quoted))]
    if FILES in quoted:
        prompt.append(_input_message(FILES, tuple(quoted[FILES])))
    prompt += said
    plan = getattr(call.task, "shown", None) or getattr(call.task, "plan", None)
    if plan is not None and not (getattr(call.task, "page", "") or getattr(call.task, "only", ())):
        prompt.append(_input_message("plan", plan))
    if not isinstance(call.task, ChatTask | WorkTask | CondenseTask):
        prompt.append(Message(role="user", content=_task_text(call, quoted)))
    told = frozenset(one.content for one in (*said, *since) if one.role == "user")
    prompt += (*since, Message(role="user", content=_request_text(call, quoted, told)))
    if call.complaint:
        if call.refused is not None and call.refused.text.strip():
            prompt.append(_as_answered(call.refused))
        prompt.append(Message(role="user", content=f"That answer could not be used. {_unframed(call.complaint)}"))
    return tuple(prompt)


def _input_message(name: str, value: object) -> Message:
    return Message(role="user", content=_input(name, value))


_NAMED = lazy_pattern(r"\b([A-Z][0-9]{1,9}) “[^”]{1,200}”", re.ASCII)
_BEGINNING = 30
"""Characters of a statement that is in the conversation word for word."""
_MOST_OF_A_REFUSED_REPLY = 8_000
"""Characters: about 2,000 tokens."""


def _as_answered(refused: HistoryItem) -> Message:
    """Return a reply that could not be used as what the model said; a long one shortened."""
    if len(refused.text) <= _MOST_OF_A_REFUSED_REPLY:
        return Message(role="assistant", content=refused.text, item=f"message:{refused.id}")
    return Message(role="assistant", content=shorten(refused.text, _MOST_OF_A_REFUSED_REPLY))


def as_summary(text: str, by: str) -> Message:
    """Return the message that stands for the oldest part of a conversation: quoted, with who wrote it."""
    return Message(role="user", content=_input("summary_of_what_came_before", text, f' by="{_label(by)}"'))


def as_report(text: str, worker: str) -> Message:
    """Return the message that brings a worker's report: quoted, with whose it is."""
    return Message(role="user", content=_input("report_of_a_worker", text, f' worker="{_label(worker)}"'))


def as_result(text: str, use: str) -> Message:
    """Return the message that brings a tool's result: quoted, with the call that it is of."""
    return Message(role="user", content=_input("result_of_a_tool", text, f' call="{_label(use)}"'))


def _instructions(call: Call, quoted: Quoted) -> str:
    match call.task:
        case ChatTask(agent=agent, instructions=instructions):
            return f"{_prompt('house')}\n{_task_text(call, quoted)}\n# {agent}\n\n{instructions}\n"
        case WorkTask(agent=agent, instructions=instructions):
            told = f"{_prompt('house')}\n{_task_text(call, {})}\n"
            return f"{told}# The agent you work for: {agent}\n\n{instructions}\n"
        case CondenseTask():
            return f"{_prompt('house')}\n{_prompt(call.name)}\n"
        case _:
            return _prompt("house")


def _request_text(call: Call, quoted: Quoted, told: Collection[str]) -> str:
    match task := call.task:
        case ChatTask():
            known = _inputs(task, quoted, {"goal", "today", "constraints", "insights", "tools", "left_out"})
            return f"{known}\n\n{task.message}"
        case WorkTask():
            return _inputs(task, quoted, {"goal", "today", "constraints", "work", "tools", "left_out"})
        case CondenseTask():
            said = _input("said", "\n\n".join(task.said))
            return f"Use {task.max_tokens:,} tokens at most.\n\n{said}"
        case _:
            return _inputs(task, quoted, told=told)


def _task_text(call: Call, quoted: Quoted) -> str:
    """Return what a task asks for; files, practice and tools are spoken of only if there are any."""
    has_tools = not isinstance(call.task, CondenseTask) and bool(call.task.tools)
    renews = isinstance(call.task, GenerateTask) and bool(call.task.document)
    names = [
        "renew" if renews else call.name,
        *_part(call.task),
        *(["recalled"] if not _RECALLED.isdisjoint(quoted) else []),
        *(name for name in (FILES, PRACTICE) if name in quoted),
        *(["tools"] if has_tools else []),
    ]
    return "\n".join(map(_prompt, names))


def _part(task: Task) -> tuple[str, ...]:
    """Return the name of what a planner or a verifier is told beside what always holds."""
    if isinstance(task, VerifyTask):
        return ("page",) if task.page else ("difference",) if task.only else ("whole",)
    if not isinstance(task, PlanTask):
        return ()
    statements = ("statements",) if task.statements else ()
    return (
        *statements,
        *(("trade", "draft") if task.plan is None else ("mend",) if task.mends else ("trade", "amend")),
    )


@cache
def _prompt(name: str) -> str:
    return Path(__file__).with_name("prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")


def _inputs(task: Task, quoted: Quoted, only: Container[str] | None = None, told: Collection[str] = ()) -> str:
    shown, statements = getattr(task, "only", ()), getattr(task, "statements", ())
    is_by_item = bool(shown or statements or getattr(task, "references", ""))
    left_out = _NOT_TOLD | _WHOLE if statements else _NOT_TOLD
    every = {name: value for name, value in msgspec.structs.asdict(task).items() if name not in left_out}
    if every.get("goal") in told:  # it is in the conversation
        del every["goal"]
    if is_by_item:
        found = every.get("findings", ())
        found = map(_without_remedy, found) if isinstance(task, GenerateTask) else found
        every |= {"findings": _numbered(found)} if "findings" in every else {}
        every |= {"known": _numbered(map(_without_remedy, every["known"]))} if "known" in every else {}
        every |= {"changes": "\n".join(every["changes"])} if "changes" in every else {}
        every |= {"earlier": _earlier(task)} if isinstance(task, VerifyTask) else {}
    if statements:
        if isinstance(task, ExecuteTask | GenerateTask) or (isinstance(task, VerifyTask) and task.page):
            statements = _what_holds(statements, told)
        every["statements"] = "\n".join(_statement(statement, told) for statement in statements)
    if shown and (plan := getattr(task, "plan", None)) is not None:
        every["items"] = plan_told(plan, shown, task.near if isinstance(task, PlanTask | VerifyTask) else ())
    fields = {name: value for name, value in every.items() if only is None or name in only}
    if isinstance(task, GenerateTask):
        is_told = task.changed if task.document else [one.step for one in task.actions]  # it has those of other steps
        fields["actions"] = "\n".join(_action(action) for action in task.actions if action.step in is_told)
    always = {"may_ask"} if isinstance(task, ProposeTask) else set()
    named = fields | {name: tuple(quotations) for name, quotations in quoted.items()}
    named = {name: named[name] for name in (*(name for name in _FIRST if name in named), *named) if name not in _APART}
    said = {name: value for name, value in named.items() if name in always or value not in ("", (), None)}
    return "\n\n".join(_input(name, value) for name, value in said.items())


def _input(name: str, value: object, whose: str = "") -> str:
    return f'<input name="{name}"{whose}>\n{_as_text(value)}\n</input>'


def _numbered(findings: Iterable[Finding]) -> str:
    """Return findings with the numbers by which an answer names them: V1 is the first."""
    return "\n".join(f"V{number} {_finding(finding)}" for number, finding in enumerate(findings, 1))


def _finding(finding: Finding) -> str:
    """Return a finding in a line; if it is calculated, without names beside ids: the items are in the prompt."""
    is_judged = finding.rule == MODEL
    where = finding.item or finding.section or ""
    text = finding.text if is_judged else _NAMED.sub(r"\1", finding.text)
    place = f" {where}:" if where and not text.startswith(where) else ""
    kind = "judged" if is_judged else "calculated"
    remedy = f" Remedy: {finding.remedy}" if finding.remedy else ""
    disputed = f" Disputed: {finding.disputed}" if finding.disputed else ""
    return f"({kind}, {finding.severity}){place} {text}{remedy}{disputed}"


def _earlier(task: VerifyTask) -> str:
    """Return what a verifier found before, a line each, with what was changed for it since."""
    done = (f" Changed for it: {', '.join(items)}." if items else "" for items in task.done_for)
    found = map(_finding, map(_without_remedy, task.earlier))
    return "\n".join(f"{one}{more}" for one, more in zip_longest(found, done, fillvalue=""))


def _action(action: Action) -> str:
    said = (action.step, action.text, action.check, action.owner, action.due)
    return " | ".join(filter(None, said))


def _without_remedy(finding: Finding) -> Finding:
    """Return a finding as one is told it who needs to know what was found, and not what to do in the plan."""
    return finding if finding.section == PAGE else replace(finding, remedy="")


def _what_holds(statements: Sequence[Said], told_already: Collection[str]) -> tuple[Said, ...]:
    """Return statements for who does not account for them: without items, and none that only repeats what was said."""
    replacing = {by for statement in statements for _, by in statement.replaced}
    kept = (
        one for one in statements if one.replaced or one.note or one.id in replacing or not _is_done(one, told_already)
    )
    return tuple(replace(one, items=()) for one in kept)


def _is_done(said: Said, told_already: Collection[str]) -> bool:
    """Tell whether nothing is left to do for a statement that is above word for word, or a note says what is."""
    is_settled = said.state in ("used", "answered", "declined") or (said.state == "partly" and said.note)
    return bool(is_settled) and any(said.text in text for text in told_already)


def _statement(said: Said, told_already: Collection[str]) -> str:
    """Return a statement in a line or more, with what became of it: word for word, unless that is above already.

    Only its beginning is told then, if nothing is left to do for it.
    """
    standing = said.state if not said.items else f"{said.state} in {', '.join(said.items)}"
    is_done = _is_done(said, told_already)
    text = shorten(said.text, _BEGINNING) if is_done else said.text
    told = [f"{said.id} ({said.source}; {standing}{f': {said.note}' if said.note else ''}): {text}"]
    told += [f"    no longer holds: “{part or said.text}”, see {by}" for part, by in said.replaced]
    told += [f"    {day}" for day in said.days if not is_done]
    return "\n".join(told)


class _TheVery:
    """A plan, by which object it is: to compare what it holds takes as long as to tell it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TheVery) and self.plan is other.plan

    def __hash__(self) -> int:
        return id(self.plan)


@lru_cache(maxsize=2)
def _plan_as_text(source: _TheVery) -> str:
    """Return a plan as a prompt has it; it is measured first, and sent then."""
    return plan_told(source.plan)


def _as_text(value: object) -> str:
    """Return a value as a model reads it: a plan as Markdown, all else as JSON, a list with a line for each item."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, Plan):
        text = _plan_as_text(_TheVery(value))
    elif isinstance(value, tuple):
        lines = ",\n".join(msgspec.json.encode(_without_empty(_record(one))).decode() for one in value)
        text = f"[\n{lines}\n]"
    else:
        text = msgspec.json.encode(_without_empty(msgspec.to_builtins(value))).decode()
    return _unframed(text)


def _unframed(text: str) -> str:
    """Return a text that can neither begin nor end an input."""
    return _INPUT_TAG.sub("&lt;", text)


def _label(text: str) -> str:
    """Return whose an input is, as its beginning says it: on one line, and within its quotes."""
    return _unframed(" ".join(text.split())).replace('"', "'")


def _record(value: object) -> object:
    """Return a value as JSON has it: a question that was skipped says so."""
    match value:
        case Answered(question=question, answer=""):
            return {"question": question, "skipped": True}
        case _:
            return msgspec.to_builtins(value)


def _without_empty(value: object) -> object:
    """Return a record without the fields that say nothing."""
    if not isinstance(value, dict):
        return value
    return {name: _without_empty(one) for name, one in value.items() if one not in (None, "", [], (), {})}
