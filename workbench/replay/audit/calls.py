"""One call's prompt, judged: message by message, beside its ledger, against the record up to the call.

The system message says nothing of anybody's. What follows is the ledger's conversation, in order. Of what is asked
last, quotations are the ledger's relevant history; everything else says nothing that is somebody else's. A call that
was recorded before there were ledgers is judged by what it has: its hash, its tokens and its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, Message, SentContext, Summary
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.tokens import estimate_tokens
from workbench.replay.audit import prompt
from workbench.replay.audit.conversation import CHAT, CONDENSE, RESULT, WORK, Said
from workbench.replay.audit.leaks import Leaks
from workbench.replay.audit.ledger import FRAME, Broken, LedgerCheck, is_file, is_lesson, is_practice, is_shared
from workbench.replay.audit.passages import plain
from workbench.replay.audit.prompt import (
    FILES,
    LEFT_OUT,
    LESSONS,
    NOTE,
    OTHERS,
    OWN,
    PRACTICE,
    SAID,
    SHARED,
    SHOWN,
    Asked,
    Quotation,
    hash_of,
    labelled,
    stands_apart,
    values,
)
from workbench.replay.audit.record import REPORT, Record, Reported, is_forgotten

_QUOTATIONS = (OTHERS, OWN, SHARED, FILES, LESSONS, PRACTICE)
"""Inputs that are held against the ledger, word for word."""
"""How the text begins that tells a role what to do."""
_ROOM = lazy_pattern(r"Use [\d,]+ tokens at most\.")
_SUMMARISED = "Summary of what came before:\n"


class CallCheck:
    """One call, beside the record up to it."""

    def __init__(self, record: Record, event: Event, call: say.CallStarted, leaks: Leaks) -> None:
        self._record = record
        self._event = event
        self._call = call
        self._leaks = leaks
        self._ledger = LedgerCheck(record, call, call.context or SentContext())
        self._sent = tuple(self._as_sent(message) for message in call.messages)

    @property
    def items(self) -> int:
        """How many things the ledger lists as sent."""
        context = self._ledger.context
        return len(context.conversation) + len(context.relevant)

    def broken(self) -> Iterator[Broken]:
        """Yield the rules that the call breaks, and how."""
        yield from self._measured()
        if not self._sent:
            return
        if self._sent[0].role != "system":
            yield "prompt.message", f"a prompt begins with what the {self._sent[0].role} says"
        else:
            yield from _as_tuple(self._leaks.in_system(self._sent[0].content, self._call.role, self._event.time))
        if self._call.context is None:
            yield from self._without_ledger()
            return
        yield from self._ledger.sums()
        yield from self._entries.values()
        yield from self._conversation()
        yield from self._asked_for()

    # --- as a whole ---------------------------------------------------------------------------------------------------

    @cached_property
    def _is_whole(self) -> bool:
        """Whether all words are still there of which the prompt was made."""
        context = self._ledger.context
        keys = {self._ledger.key(one) for one in (*context.conversation, *context.relevant)}
        keys |= {message.item for message in self._call.messages}
        return not is_forgotten(self._event) and self._record.forgotten.isdisjoint(keys)

    def _as_sent(self, message: Message) -> Message:
        said = self._record.said.get(message.item)
        return replace(message, content=said.text if said else "") if message.item else message

    def _measured(self) -> Iterator[Broken]:
        if not self._is_whole:
            return
        if hash_of(self._sent) != self._call.prompt_hash:
            yield "prompt.hash", f"{self._call.call} was sent something else"
        tokens = sum(
            (self._record.tokens(sent.content) if recorded.item else estimate_tokens(sent.content)) + FRAME
            for recorded, sent in zip(self._call.messages, self._sent, strict=True)
        )
        if self._call.estimated_tokens != tokens and (self._call.context or self._call.estimated_tokens):
            yield "ledger.estimate", f"the prompt takes {tokens:,} tokens, not {self._call.estimated_tokens:,}"

    # --- the ledger's entries -----------------------------------------------------------------------------------------

    @cached_property
    def _entries(self) -> dict[str | tuple[str, str], Broken]:
        """The first rule that each entry breaks, of those that break one."""
        check, context = self._ledger, self._ledger.context
        broken: dict[str | tuple[str, str], Broken | None] = {}
        for one in context.conversation:
            broken[check.key(one)] = check.shown(one) or check.description(one, "current_conversation", dropped=False)
        for one in context.relevant:
            broken[check.key(one)] = check.retrieved(one) or check.description(one, "relevant_history", dropped=False)
        for one in context.dropped:
            broken.setdefault(check.key(one), check.description(one, one.section, dropped=True))
        return {key: found for key, found in broken.items() if found is not None}

    # --- the conversation ---------------------------------------------------------------------------------------------

    @cached_property
    def _answered(self) -> str:
        """Id of the message that a chat answers; "" for anything else."""
        waiting = (message for agent, message in self._record.asking if agent == self._call.role)
        return next(waiting, "") if self._call.task == CHAT else ""

    def _conversation(self) -> Iterator[Broken]:
        """Hold the messages between the system's and what is asked against the ledger's conversation."""
        context = self._ledger.context
        listed = [one.id for one in context.conversation if self._ledger.key(one) not in self._entries]
        strangers = sum(self._ledger.key(one) in self._entries for one in context.conversation)
        found: list[str] = []
        if self._call.task == WORK:  # its conversation is in an input
            yield from (("prompt.message", "a worker is shown more than it is asked") for _ in self._middle)
            return
        for message in self._middle:
            name = self._name_in_ledger(message)
            if name in self._entries:
                continue
            broken = self._unlisted(message, name) if name not in listed else None
            if broken is None:
                found.append(name)
            elif strangers:  # its entry is named already
                strangers -= 1
            else:
                yield broken
        if self._answered in listed:
            listed.remove(self._answered)
        elif self._call.task == CHAT:
            yield "prompt.ledger", "the message that is answered is not in the ledger"
        if found != listed:
            yield "prompt.ledger", f"the conversation {_difference(found, listed)}"

    @property
    def _middle(self) -> Sequence[Message]:
        return [message for message in self._middle_messages if not _is_apart(message)]

    @property
    def _middle_messages(self) -> Sequence[Message]:
        return self._sent[1 : len(self._sent) - self._at_the_end]

    @property
    def _at_the_end(self) -> int:
        """How many messages ask: one; of a repair also why, and the reply that is to be repaired."""
        return 1 + self._is_repair + self._shows_refused

    @property
    def _shows_refused(self) -> bool:
        return self._is_repair and len(self._sent) > 3 and self._sent[-2].role == "assistant"

    @property
    def _is_repair(self) -> bool:
        return self._call.attempt > 1

    def _name_in_ledger(self, message: Message) -> str:
        """Return what the ledger should call a message; "" for one that it cannot know."""
        if message.item:
            return message.item
        if message.role == "user" and message.content == LEFT_OUT:
            return NOTE
        name, source, text = labelled(message.content)
        known: Reported | Said | Summary | None = None
        if message.role == "user" and name == prompt.REPORT:
            name, known = f"{REPORT}{source}", self._record.reports.get(source)
        elif message.role == "user" and name == prompt.RESULT:
            name, known = f"{RESULT}{source}", self._record.said.get(f"{RESULT}{source}")
        elif message.role == "user" and name == prompt.SUMMARY:
            summary = self._record.summaries.get(self._call.role)
            name, known = (summary.id, summary if summary.by == source else None) if summary else ("", None)
        else:
            return ""
        is_same = known is not None and plain(known.text) == plain(text)
        return name if is_same or name in self._record.forgotten else ""

    def _unlisted(self, message: Message, name: str) -> Broken | None:
        """Return the rule that a message breaks which the ledger does not list; None if only the ledger lacks it."""
        if message.role == "tool":
            return "pairs.split", "a tool's result stands in the prompt without its call"
        if message.item:
            return self._ledger.may_be_said(message.item)
        if name:
            return None
        leak = self._leaks.in_text(message.content, self._call.role, self._event.time)
        if leak is None and not self._is_whole:
            return None
        return leak or ("prompt.message", f"a message of {message.role} is nothing that the log knows")

    # --- what is asked ------------------------------------------------------------------------------------------------

    def _asked_for(self) -> Iterator[Broken]:
        if self._shows_refused:
            yield from _as_tuple(self._refused(self._call.messages[-2]))
        for message in self._call.messages:
            said = self._record.said.get(message.item)
            if said is not None and message.role != said.role and message.item not in self._entries:
                yield "prompt.message", f"{message.item} is said by {message.role}"
        if len(self._sent) < 1 + self._at_the_end:
            yield "prompt.message", "nothing is asked"
            return
        last = self._call.messages[-self._at_the_end]
        if last.item or last.role != "user":
            yield "prompt.message", "what is asked last is not asked by the workbench"
            return
        answers = self._record.said.get(self._answered)
        if answers is not None and self._is_whole and not last.content.endswith(f"\n\n{answers.text}"):
            yield "prompt.ledger", f"what is asked does not end in {self._answered}"
        apart = [message.content for message in self._middle_messages if _is_apart(message)]
        asked = Asked.parse("\n\n".join((*apart, last.content)), f"\n\n{answers.text}" if answers else "")
        if self._is_whole:
            yield from self._quotations(asked)
            yield from self._check_shown(asked)
        yield from self._inputs(asked)
        if self._call.task == CONDENSE:
            yield from self._summarised(asked)
        if self._is_repair:
            yield from _as_tuple(self._repair(self._sent[-1].content))

    def _quotations(self, asked: Asked) -> Iterator[Broken]:
        """Hold what the prompt quotes against the ledger's relevant history."""
        entries = self._ledger.context.relevant
        for name in _QUOTATIONS:
            listed = [entry for entry in entries if self._input_of(entry) == name]
            quoted = asked.quotations(name)
            if quoted is None or len(quoted) != len(listed):
                count = "what cannot be read" if quoted is None else f"{len(quoted)} items"
                yield "prompt.ledger", f"{name} quotes {count}, the ledger {len(listed)}"
                continue
            for one, found in zip(listed, quoted, strict=True):
                expected = self._ledger.quotation(one)
                if self._ledger.key(one) not in self._entries and _plain(found) != _plain(expected):
                    yield "prompt.ledger", f"{name} quotes {one.id} otherwise than the log has it"

    def _input_of(self, one: Considered) -> str:
        if is_shared(one) or is_file(one):
            return FILES if is_file(one) else SHARED
        if is_lesson(one):
            return LESSONS
        if is_practice(one):
            return PRACTICE
        return OTHERS if self._ledger.is_foreign(one) else OWN

    def _check_shown(self, asked: Asked) -> Iterator[Broken]:
        """Hold what a worker is shown against the ledger's conversation."""
        if self._call.task != WORK:
            return
        shown, listed = asked.shown, self._ledger.context.conversation
        if shown is None or len(shown) != len(listed):
            yield "prompt.ledger", f"{SHOWN} holds {0 if shown is None else len(shown)} items, the ledger {len(listed)}"
            return
        for number, (one, found) in enumerate(zip(listed, shown, strict=True), start=1):
            expected = self._ledger.quotation(one)
            is_same = expected is not None and (found.id, found.who, plain(found.text)) == (
                f"e{number}",
                expected.who,
                plain(expected.text),
            )
            if self._ledger.key(one) not in self._entries and not is_same:
                yield "prompt.ledger", f"{SHOWN} has {one.id} otherwise than the log"

    def _inputs(self, asked: Asked) -> Iterator[Broken]:
        """Look for words of others in what is asked, but for what is held against the ledger word for word."""
        seen: set[str] = set()
        for name, text in asked.inputs:
            if name in _QUOTATIONS or (name, self._call.task) in ((SAID, CONDENSE), (SHOWN, WORK)):
                continue
            for value in (text,) if self._record.words.has(text, self._call.role) else values(name, text):
                yield from self._once(value, seen)
        rest = _ROOM.sub("", asked.rest, count=1).strip() if self._call.task == CONDENSE else asked.rest
        if rest.startswith(prompt.TASK):  # the workbench's own words, like the system's
            yield from _as_tuple(self._leaks.in_system(rest, self._call.role, self._event.time))
        elif rest and not self._record.words.has(rest, self._call.role):
            leak = self._leaks.in_text(rest, self._call.role, self._event.time)
            if leak or self._is_whole:
                yield leak or ("prompt.message", "what is asked holds more than inputs")

    def _once(self, text: str, seen: set[str]) -> Iterator[Broken]:
        broken = self._leaks.in_text(text, self._call.role, self._event.time)
        if broken is not None and broken[1] not in seen:
            seen.add(broken[1])
            yield broken

    def _summarised(self, asked: Asked) -> Iterator[Broken]:
        """Hold what is to be summarised against what the summary is to stand for."""
        covers, summary = list(self._call.covers), self._record.summaries.get(self._call.role)
        for item in covers:
            broken = self._ledger.may_be_covered(item)
            if broken is not None:
                yield broken
                return
        texts = []
        if summary is not None and asked.said.startswith(_SUMMARISED):
            covers = [item for item in covers if item not in summary.covers]
            texts = [summary.text]
        texts += [self._record.covered(item).text for item in covers]
        is_known = self._record.forgotten.isdisjoint(covers) and self._is_whole
        if is_known and not _are_all_of(plain(asked.said), [plain(text) for text in texts]):
            leak = self._leaks.in_text(asked.said, self._call.role, self._event.time)
            yield leak or ("prompt.ledger", "what is to be summarised is not what the summary is to cover")

    def _refused(self, message: Message) -> Broken | None:
        """Hold the reply that is to be repaired against the one that was refused: it may be shown cut short."""
        item = self._record.refused.get(self._call.role, "")
        said = self._record.said.get(item)
        is_whole = message.item == item
        is_beginning = said is not None and not message.item and said.text.startswith(message.content.removesuffix("…"))
        if said is None or not (is_whole or is_beginning or item in self._record.forgotten):
            return "prompt.message", "what is to be repaired is not the reply that was refused"
        return None

    def _repair(self, content: str) -> Broken | None:
        complaint = self._record.complaints.get(self._call.role, "")
        if not complaint or (complaint not in content and self._is_whole):
            return "prompt.message", "the last message is not why the last reply was refused"
        return self._leaks.in_text(content.replace(complaint, "", 1), self._call.role, self._event.time)

    # --- calls of older workbenches -----------------------------------------------------------------------------------

    def _without_ledger(self) -> Iterator[Broken]:
        """Look for words of others in every message; quotations were recorded by the search that found them."""
        quoted = {plain(one.text) for one in self._record.found.values()}
        seen: set[str] = set()
        for message in self._sent[1:]:
            if message.role == "tool":
                yield "pairs.split", "a tool's result stands in the prompt without its call"
            if self._record.words.has(message.content, self._call.role):
                continue
            asked = Asked.parse(message.content)
            for name, text in asked.inputs:
                for value in (text,) if self._record.words.has(text, self._call.role) else values(name, text):
                    if name != OTHERS or plain(value) not in quoted:
                        yield from self._once(value, seen)
            if asked.rest:
                yield from self._once(asked.rest, seen)


def _plain(one: Quotation | None) -> Quotation | None:
    return None if one is None else replace(one, text=plain(one.text))


def _is_apart(message: Message) -> bool:
    return message.role == "user" and not message.item and stands_apart(message.content)


def _as_tuple(broken: Broken | None) -> tuple[Broken, ...]:
    return () if broken is None else (broken,)


def _are_all_of(said: str, texts: Sequence[str]) -> bool:
    """Tell whether a text is these, in order, each under a line that says who said it and when, and nothing else."""
    rest = said
    for text in texts:
        _, _, told = rest.partition("\n")
        if not told.startswith(text):
            return False
        rest = told.removeprefix(text).removeprefix("\n\n")
    return not rest


def _difference(found: Sequence[str], listed: Sequence[str]) -> str:
    for place, (one, other) in enumerate(zip(found, listed, strict=False), start=1):
        if one != other:
            return f"has {one} in place {place}, the ledger {other}"
    return f"has {len(found)} messages, the ledger {len(listed)}"
