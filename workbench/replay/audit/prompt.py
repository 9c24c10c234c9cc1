"""A recorded prompt, taken apart: what a role is told, the conversation, what it is asked, and its repair."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

import msgspec
from msgspec import Struct

from workbench.domain.errors import WorkbenchError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.session.context import Message
from workbench.domain.text.patterns import lazy_pattern
from workbench.replay.audit.passages import spaced, strings

OTHERS, OWN, SHARED, FILES = "from_other_sessions", "from_this_session", "shared_context", "files"
"""Names of the inputs that quote what was recalled, what sessions share, and files that a person named."""
LESSONS = "lessons"
"""Name of the input that quotes what the session was given of earlier sessions' lessons."""
PRACTICE = "practice"
"""Name of the input that quotes what practice knows of such work."""
PLAN, TASK = "plan", "# Task: "
SAID, SHOWN = "said", "context_of_your_agent"
"""Names of the inputs with what is to be summarised, and what a worker is shown."""
NOTE = "note:left-out"
LEFT_OUT = "[Earlier parts of this conversation are left out here, so that the rest fits. The session's log has them.]"
"""The workbench's own note, as the ledger names it and as it is in a prompt."""

_INPUT = lazy_pattern(r'<input name="([^"]*)">\n(.*?)\n</input>', re.DOTALL)
_OPENING, _CLOSING = lazy_pattern(r'<input name="([^"]*)">\n'), "\n</input>"
_LABELLED = lazy_pattern(
    r'<input name="(?P<name>[^"]*)" (?:by|worker|call)="(?P<of>[^"]*)">\n(?P<text>.*)\n</input>', re.DOTALL
)
SUMMARY, REPORT, RESULT = "summary_of_what_came_before", "report_of_a_worker", "result_of_a_tool"
"""Names of the inputs that are a message of their own, and say whose they are."""


class Quotation(msgspec.Struct, frozen=True):
    """Something that a prompt quotes."""

    session: str
    who: str
    text: str
    time: str = ""
    """Left out if nobody said it at a time."""


class Shown(msgspec.Struct, frozen=True):
    """Something that a worker is shown of its agent's context."""

    id: str
    who: str
    time: str
    text: str


def stands_apart(content: str) -> bool:
    """Tell whether a message is nothing but an input that has a message of its own, or what a role is told to do."""
    found = _INPUT.fullmatch(content)
    return content.startswith(TASK) or (found is not None and found[1] in (PLAN, FILES))


class Asked(Struct, frozen=True):
    """The messages that ask: their inputs, and what is outside of them."""

    inputs: tuple[tuple[str, str], ...]
    rest: str

    @classmethod
    def parse(cls, text: str, answers: str = "") -> Asked:
        """Take a message apart; ``answers`` is the person's message that is at its end."""
        told = text.removesuffix(answers) if answers else text
        inputs: list[tuple[str, str]] = []
        rest, at = [], 0
        while (found := _OPENING.search(told, at)) and (end := told.find(_CLOSING, found.end())) >= 0:
            inputs.append((found[1], told[found.end() : end]))
            rest.append(told[at : found.start()])
            at = end + len(_CLOSING)
        return cls(tuple(inputs), "".join([*rest, told[at:]]).strip())

    def quotations(self, name: str) -> tuple[Quotation, ...] | None:
        """Return what is quoted under a name; None if it cannot be read."""
        found: list[Quotation] = []
        for text in self._texts(name):
            try:
                found += msgspec.json.decode(text, type=list[Quotation])
            except UNREADABLE:
                return None
        return tuple(found)

    @property
    def shown(self) -> tuple[Shown, ...] | None:
        """Return what a worker is shown; None if it cannot be read."""
        try:
            return tuple(one for text in self._texts(SHOWN) for one in msgspec.json.decode(text, type=list[Shown]))
        except UNREADABLE:
            return None

    @property
    def said(self) -> str:
        """What is to be summarised."""
        return "\n\n".join(self._texts(SAID))

    def _texts(self, name: str) -> Iterator[str]:
        return (text for known, text in self.inputs if known == name)


def values(name: str, text: str) -> tuple[str, ...]:
    """Return the strings that an input holds: those of its JSON, or of its plan in Markdown; else itself."""
    try:
        read = msgspec.json.decode(text)
    except UNREADABLE:
        return tuple(_of_plan(text)) if name == PLAN else (text,)
    return tuple(strings(read)) if isinstance(read, list | dict) else (text,)


def _of_plan(text: str) -> Iterator[str]:
    try:
        plan = from_markdown(text, Plan(title=""))
    except WorkbenchError:
        yield text
        return
    written = {spaced(line) for line in to_markdown(plan).split("\n")}
    yield "\n".join(line for line in text.split("\n") if spaced(line) not in written)  # more than a plan
    yield from strings(msgspec.to_builtins(plan, builtin_types=(Decimal,)))


def labelled(content: str) -> tuple[str, str, str]:
    """Return name, source and text of a message that is one labelled input; three times "" if it is none."""
    match = _LABELLED.fullmatch(content)
    return (match["name"], match["of"], match["text"]) if match else ("", "", "")


def hash_of(messages: Iterable[Message]) -> str:
    """Return the hash under which a prompt is recorded, of its messages with their texts."""
    sent: Sequence[dict[str, str]] = [{"role": message.role, "content": message.content} for message in messages]
    return hashlib.sha256(msgspec.json.encode(sent)).hexdigest()
