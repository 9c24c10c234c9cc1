"""Sessions to audit, made by running the product, and copies of them that say something else.

log, other, private = neighbours…      a log with sessions to be quoted
asked(log)                             agents, recall across, a pin, an exclusion, repairs
condensed(script)                      a conversation that does not fit its model's window
doctored(events, seq, change)          the same events, one body changed, checksums and chain made right again
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from tests.builders import GOAL, Script, as_draft, begin
from tests.memory_log import MemoryLog
from workbench.domain.log.envelope import Event, Head, genesis, seal
from workbench.domain.loop.agents import new_agent
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, Message
from workbench.domain.session.items import as_sent
from workbench.domain.session.session import fold
from workbench.memory.library import Library
from workbench.memory.other_sessions import OtherSessions
from workbench.models.embeddings import HashedWords
from workbench.models.scripted import CallableModel
from workbench.models.tokens import estimate_tokens
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.memory.remembering import Said, remember
from workbench.replay.audit import Neighbours

FACT = "The billing of the old provider ends every June, and nobody may move it before the audit"
REPLY = "A reply of kahneman on billing: the old provider will surely say no to that in June"
SECRET = "Nova's own words on the printer, which nobody else in this session has ever said or seen"
PRIVATE = "The billing of the secret merger goes through an account in Lugano until the summer"
NOVA, ANIZA = new_agent("nova", "You are Nova, who knows printers."), new_agent("aniza", "You are Aniza.")
KAHNEMAN = new_agent("kahneman", "You are Kahneman, and doubt everything that is said about billing.")
NOTE = "Note {0}: we decided that part {0} costs {0} euros, whatever anybody says about it, and is done by Friday."


def neighbours(log: MemoryLog) -> Neighbours:
    return Neighbours(log.read, log.streams())


def with_others(log: MemoryLog, cache: Path) -> OtherSessions:
    """Two other sessions: one that anybody may search, and a private one."""
    other = begin("Look back at the old provider", log=log, ending="o1o1")
    list(remember(other._session, [Said(FACT), Said(REPLY, role="assistant", agent="kahneman")]))
    private = begin("Plan the billing of the secret merger", log=log, ending="p1p1", private=True)
    list(remember(private._session, [Said(PRIVATE)]))
    return OtherSessions(Library(log, HashedWords(), cache))


async def asked(log: MemoryLog, others: OtherSessions, script: Script | None = None) -> IterationManager:
    """Approaches, a repair, three agents that answer, an exclusion, a pin, recall switched off, and an iteration."""
    script = script or Script().then("propose", "no JSON at all")
    script.then("chat", SECRET, "Billing is due.", "As I said of the printer.", "I doubt it.", "It is due.", "Still.")
    manager = begin(GOAL, log=log, others=others, script=script, max_iterations=1)
    for agent in (NOVA, ANIZA, KAHNEMAN):
        manager.add_agent(agent)
    await manager.propose_approach()
    await manager.ask("nova", "What about the printer?")
    await manager.ask("aniza", "What about the billing of the old provider?")
    await manager.ask("nova", "And what of the billing?")
    await manager.ask("kahneman", "Will the old provider of billing say no?")
    found = {one.text: one for search in manager.state.searches for one in search.found}
    await manager.mark(found[REPLY].session, found[REPLY].id, "pinned")
    await manager.mark(found[FACT].session, found[FACT].id, "excluded")
    await manager.process_user_feedback("Others, please")
    await manager.propose_approach()
    await manager.ask("aniza", "Once more: what about the billing of the old provider?")
    await manager.switch_recall(on=False)
    await manager.ask("kahneman", "Do you still doubt it?")
    return manager


async def condensed(script: Script, *, count: int = 200, questions: int = 0) -> IterationManager:
    """A conversation of which every role sees a summary; of what is older, some comes back."""
    model = CallableModel(script, name="told", window=10_000)
    manager = begin(model=model, max_iterations=1)
    said = ["The frobnicator of the old provider stays until June.", *(NOTE.format(n) for n in range(count))]
    list(remember(manager._session, [Said(text) for text in said]))
    for agent in (NOVA, ANIZA):
        manager.add_agent(agent)
    for n in range(questions):
        await manager.ask("nova", f"Question {n}? " + "It matters a great deal to all of us here. " * 30)
    await manager.ask("aniza", "What about the frobnicator?")
    return manager


# --- doctored copies --------------------------------------------------------------------------------------------------

Change = Callable[[Any], Any]


def doctored(events: Sequence[Event], seq: int, change: Change, **header: Any) -> tuple[Event, ...]:
    """The same events, one of which says something else; everything is sealed anew."""
    drafts = [as_draft(event) for event in events]
    told = drafts[seq - 1]
    body = msgspec.Raw(msgspec.json.encode(change(say.content(events[seq - 1]))))
    drafts[seq - 1] = msgspec.structs.replace(told, body=body, **header)
    return seal(drafts, Head("e", 0, genesis(events[0].session)))


def resent(events: Sequence[Event], seq: int, change: Change) -> tuple[Event, ...]:
    """The same events, with another prompt in one call, whose hash, tokens and sums are made right again."""
    state = fold(events[: seq - 1])

    def sent(call: say.CallStarted) -> say.CallStarted:
        call = change(call)
        texts = [{"role": one.role, "content": one.content} for one in as_sent(call.messages, state)]
        tokens = sum(estimate_tokens(one["content"]) + 4 for one in texts)
        context = call.context
        if context is not None:
            sums = {
                "current_conversation": sum(one.tokens for one in context.conversation),
                "relevant_history": sum(one.tokens for one in context.relevant),
            }
            context = replace(context, tokens=sums | {"everything else": tokens - sum(sums.values())})
        digest = hashlib.sha256(msgspec.json.encode(texts)).hexdigest()
        return replace(call, estimated_tokens=tokens, prompt_hash=digest, context=context)

    return doctored(events, seq, sent)


def calls(events: Iterable[Event], role: str, task: str = "") -> list[int]:
    """Where a role is asked, and what for."""
    bodies = [(event.seq, say.content(event)) for event in events if event.kind == "call.started"]
    return [seq for seq, body in bodies if body.role == role and task in ("", body.task)]


def with_messages(call: say.CallStarted, *more: Message, last: str | None = None) -> say.CallStarted:
    """More messages at the end of the conversation; ``last`` changes what is asked."""
    *before, asked_for = call.messages
    asked_for = asked_for if last is None else replace(asked_for, content=last)
    return replace(call, messages=(*before, *more, asked_for))


def with_entries(call: say.CallStarted, *more: Considered, section: str = "conversation") -> say.CallStarted:
    """More entries at the end of a section, before the message that is answered."""
    listed = getattr(call.context, section)
    place = len(listed) - (call.task == "chat" and section == "conversation")
    return replace(call, context=replace(call.context, **{section: (*listed[:place], *more, *listed[place:])}))


def entry(item: str, text: str, **fields: Any) -> Considered:
    return Considered(id=item, tokens=estimate_tokens(text) + 4 + (24 if fields.get("rank") else 0), **fields)
