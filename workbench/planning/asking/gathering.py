"""What a call's prompt holds of conversation and memory: gathered once, in the caller's own view, and written down.

state, call ─▶ SessionView ─▶ Conversation ─┐
files, found in other sessions, and shared ─┼─▶ Bundle of Entry ─┬─▶ Message …     the prompt
found in this one, if not all is shown ──┘    ▲               └─▶ SentContext   the ledger, an Entry without text
                                                 └ gathered again where the rendered prompt is too long
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from workbench.context.entry import (
    Entry,
    foreign,
    found,
    from_file,
    from_item,
    from_lesson,
    from_practice,
    from_quoted,
    from_shared,
)
from workbench.context.fit import Budget, Bundle
from workbench.context.gather import Conversation, gather
from workbench.context.view import SessionView
from workbench.domain.errors import ContextTooSmall
from workbench.domain.log.ids import AgentId
from workbench.domain.loop.answers.reply_schema import reply_schema
from workbench.domain.loop.asking.assignments import shown_version
from workbench.domain.loop.asking.tasks import ChatTask, PlanTask, ProposeTask, Task
from workbench.domain.loop.steps import Call
from workbench.domain.loop.workflow import may_quote_others, query_of
from workbench.domain.session.context import Message, SentContext
from workbench.domain.session.session import SessionState
from workbench.domain.shared.input import OWN
from workbench.domain.text.cleaning import clean_name
from workbench.models.schema_words import in_words
from workbench.models.tokens import estimate_prompt, estimate_tokens
from workbench.planning.asking.roles import FILES, PRACTICE, Quoted, as_report, as_result, as_summary, messages_for

if TYPE_CHECKING:  # what searches is imported when there is something to search
    from workbench.memory.found import Found
    from workbench.memory.memory_view import MemoryView

RemembersHere = Callable[[SessionState], "MemoryView"]
"""Gives the memory of the session whose state it is."""

MOST_RECALLED = 10
"""Results of the search of this session's own older items."""
_MOST_RESERVED = 8_000
_RESERVED = 0.15
"""Tokens kept free for the answer, and the share of the window that they take at most: condensing begins at 80 %."""
_MOST_OF_A_SCHEMA = 0.25
"""Share of a window that the schema of an answer is counted for at most: servers of small models send none of it on."""
_TIGHTENINGS = 5
"""How often a prompt is fitted again that turned out longer than its parts were counted."""


class Prompt(NamedTuple):
    """What a model is sent, and the ledger of it."""

    messages: tuple[Message, ...]
    context: SentContext

    @property
    def tokens(self) -> int:
        """About how many the messages take."""
        return sum(self.context.tokens.values())


def budget_of(state: SessionState, call: Call, model: str, window: int) -> Budget:
    """Return how much conversation and memory a call's prompt may hold beside its task."""
    of_model = [one for one in state.counted if one.model == model]
    counted = next((one for one in of_model if one.role == call.role), of_model[-1] if of_model else None)
    schema = min(schema_tokens(call.task), int(window * _MOST_OF_A_SCHEMA))
    return Budget(
        window=window,
        reserve=reserve_of(window),
        overhead=overhead_of(call),
        aside=schema,
        reported=counted.reported if counted else 0,
        estimated=counted.estimated + schema if counted else 0,
    )


def overhead_of(call: Call) -> int:
    """Return about how many tokens a prompt takes without the conversation, and the message that it answers."""
    return estimate_prompt(messages_for(_without_message(call)))


def reserve_of(window: int) -> int:
    """Return the tokens of a window that are kept free for the answer."""
    return min(_MOST_RESERVED, int(window * _RESERVED))


def schema_tokens(task: Task) -> int:
    """Return about how many tokens the schema of the answer takes in words, where a client has to send it so."""
    schema = reply_schema(task)
    return 0 if schema is None else _tokens_in_words(msgspec.json.encode(schema))


@lru_cache(maxsize=64)
def _tokens_in_words(schema: bytes) -> int:
    return estimate_tokens(in_words(msgspec.json.decode(schema)))


def prompt_of(state: SessionState, call: Call, budget: Budget, remembers: RemembersHere | None) -> Prompt:
    """Return the prompt of a call. Raises ContextTooSmall if not even what has to stay word for word fits.

    It searches where the window does not reach everything: for a worker thread.
    """
    answered = (
        next((said.seq for said in reversed(state.history) if said.id == call.message), None) if call.message else None
    )
    view = SessionView(state, call.role, until=answered)
    found = (
        *_lessons(state, call),
        *_files(state, call),
        *_of_others(state, call),
        *_shared(state, call),
        *_practice(state, call),
    )
    conversation = Conversation.read(view, budget, state.options.context)
    bundle = conversation.with_found(found)
    older = _found_here(state, call, bundle, remembers)
    if older.entries:
        found = (*found, *older.entries)
        bundle = conversation.with_found(found)
    bundle, messages = fitted(bundle, view, found, budget, partial(_rendered, state, call))
    context = record_of(bundle, state.session, budget, estimate_prompt(messages))
    return Prompt(messages, replace(context, unavailable=older.unavailable, embedder=older.embedder))


def fitted(
    bundle: Bundle,
    view: SessionView,
    found: Sequence[Entry],
    budget: Budget,
    rendered: Callable[[Bundle], tuple[Message, ...]],
) -> tuple[Bundle, tuple[Message, ...]]:
    """Return what is shown, and the messages that show it, within the budget as they are rendered.

    ``bundle`` was gathered with this budget; as long as its messages are too long, it is gathered with a smaller one.
    Raises ContextTooSmall.
    """
    uncounted = 0
    for attempt in range(_TIGHTENINGS):
        if attempt:
            tightened = replace(budget, overhead=budget.overhead + uncounted)
            bundle = gather(view, found, tightened, view.state.options.context)
        messages = rendered(bundle)
        tokens = estimate_prompt(messages)
        counted = budget.counted(tokens - budget.overhead)
        if counted <= budget.limit:
            return bundle, messages
        uncounted = counted - (bundle.tokens - uncounted)
    raise ContextTooSmall(
        f"The prompt takes about {tokens + budget.aside:,} tokens; {budget.limit:,} are free.",
        "Set the model's window in the settings if it is larger, use another model, or unpin something.",
    )


# --- what was found ---------------------------------------------------------------------------------------------------


def _files(state: SessionState, call: Call) -> Iterator[Entry]:
    """Yield the lines of files that a person named, for who plans or answers: those of a message for its agent."""
    if not may_quote_others(call):
        return
    shown = (file for file in state.named_files if file.read.to in ("", call.role))
    for rank, one in enumerate(shown, start=1):
        yield from_file(one, state.session, rank)


def _of_others(state: SessionState, call: Call) -> Iterator[Entry]:
    """Yield what other sessions brought for this call: what is pinned first, then what the search found."""
    if not may_quote_others(call):
        return
    pinned = {name: one for name, mark, one in state.marks if mark == "pinned" and one is not None}
    ranked = {foreign(one.session, one.id): (rank, one) for rank, one in enumerate(state.retrieved, start=1)}
    for name, one in pinned.items():
        rank, _ = ranked.pop(name, (0, one))
        yield replace(from_quoted(one, rank), pinned=True, reason="you pinned it")
    for rank, one in ranked.values():
        yield from_quoted(one, rank)


def _lessons(state: SessionState, call: Call) -> Iterator[Entry]:
    """Yield the lessons that the session was given, the nearest first; one that is refused is left out, and listed."""
    if state.recall and may_quote_others(call):
        yield from (from_lesson(one, rank) for rank, one in enumerate(state.lessons, start=1))


def _shared(state: SessionState, call: Call) -> Iterator[Entry]:
    """Yield what sessions share, as this one saw it last, the last changed first; not what each says it is at."""
    if not (state.sharing and may_quote_others(call)):
        return
    said = (value for value in reversed(state.shared.values.values()) if not value.key.startswith(OWN))
    for rank, one in enumerate(said, start=1):
        yield from_shared(one, rank)


def _practice(state: SessionState, call: Call) -> Iterator[Entry]:
    """Yield what practice knows of such work, for the planner alone."""
    if isinstance(call.task, ProposeTask | PlanTask):
        yield from (from_practice(one, state.session, rank) for rank, one in enumerate(state.practice, start=1))


class _FoundHere(NamedTuple):
    """What a search of this session's own older items came to."""

    entries: tuple[Entry, ...] = ()
    embedder: str = ""
    unavailable: str = ""


def _found_here(state: SessionState, call: Call, bundle: Bundle, remembers: RemembersHere | None) -> _FoundHere:
    """Return what of this session is near the task and not shown, and why that could not be searched.

    Nothing is searched where everything is shown word for word.
    """
    if remembers is None or (bundle.is_whole and not state.given_entities):
        return _FoundHere()
    shown = {entry.id for entry in bundle.current_conversation}
    query = call.task.message if isinstance(call.task, ChatTask) else query_of(state)
    try:
        return _search(remembers(state), call.role, query, shown)
    except Exception as error:  # noqa: BLE001 - whatever a search does, the call is made, and says what failed
        why = f"This session's older messages could not be searched ({type(error).__name__})."
        return _FoundHere(unavailable=why)


def _search(memory: MemoryView, agent: str, query: str, shown: set[str]) -> _FoundHere:
    """Search for messages and entities that the prompt does not hold; what the loop made is among its inputs."""
    view = memory.for_agent(AgentId(agent))
    if not view.holds_more_than(shown):
        return _FoundHere()
    results = view.search(query, MOST_RECALLED, without=view.made_by_loop | shown)
    return _FoundHere(tuple(_recalled(result) for result in results if result.is_near), clean_name(view.embedder))


def _recalled(one: Found) -> Entry:
    return found(
        from_item(one.item),
        rank=one.rank,
        relevance=one.relevance,
        reason=one.why,
        score=round(one.score, 4),
        parts=one.parts.recorded,
    )


# --- the prompt and its record ----------------------------------------------------------------------------------------


def _rendered(state: SessionState, call: Call, bundle: Bundle) -> tuple[Message, ...]:
    """Return the messages that show a bundle, the plan where it was written; what is answered is the last of them."""
    answered = f"message:{call.message}"
    entries = [entry for entry in bundle.current_conversation if entry.id != answered]
    version = shown_version(state)
    written = version.seq if version is not None else state.seq
    is_later = (one.role != "summary" and (one.seq > written or (version is None and one.makes)) for one in entries)
    place = next((place for place, later in enumerate(is_later) if later), len(entries))
    said = [_message(entry) for entry in entries]
    return messages_for(call, said[:place], _quotations(bundle, state), since=said[place:])


def _message(entry: Entry) -> Message:
    if entry.role == "summary":
        return as_summary(entry.text, entry.by)
    if entry.source == "worker":
        return as_report(entry.text, entry.id.removeprefix("worker:"))
    if entry.role == "tool":
        return as_result(entry.text, entry.answers)
    if entry.role in ("user", "assistant"):
        return Message(role=entry.role, content=entry.text, item=entry.id)
    return Message(role="user", content=entry.text)


_LABELLED = {"shared": "shared_context", "lesson": "lessons", "file": FILES, "research": FILES, "practice": PRACTICE}
"""Sources that have an input of their own, and what it is called."""


def _quotations(bundle: Bundle, state: SessionState) -> Quoted:
    """Return what is quoted, by where it is from; what is the session's own is named as it was when it was written."""
    names = (FILES, "from_this_session", "from_other_sessions", "shared_context", "lessons", PRACTICE)
    quoted: dict[str, list[dict[str, str]]] = {name: [] for name in names}
    for entry in bundle.relevant_history:
        is_own = entry.session == state.session
        name = "from_this_session" if is_own else "from_other_sessions"
        session = state.written_as if is_own else entry.session
        who = entry.agent or entry.role
        quotation = {"session": session, "time": entry.time, "who": who, "text": entry.text}
        quoted[_LABELLED.get(entry.source, name)].append(quotation)
    return {name: quotations for name, quotations in quoted.items() if quotations}


def record_of(bundle: Bundle, session: str, budget: Budget, tokens: int) -> SentContext:
    """Return the ledger of a call: a bundle as it is recorded, in the session whose call it is.

    What was left out is there once: an older message that was also found stands as it was found.
    """
    conversation = tuple(entry.recorded(session) for entry in bundle.current_conversation)
    relevant = tuple(entry.recorded(session) for entry in bundle.relevant_history)
    shown = {entry.id for entry in bundle.chat_history}
    dropped = {entry.id: entry for entry in bundle.dropped if entry.id not in shown}
    by_section = {
        "current_conversation": sum(one.tokens for one in conversation),
        "relevant_history": sum(one.tokens for one in relevant),
    }
    return SentContext(
        conversation=conversation,
        relevant=relevant,
        dropped=tuple(entry.recorded(session) for entry in dropped.values()),
        goes_back_further=bundle.goes_back_further,
        tokens=by_section | {"everything else": tokens - sum(by_section.values())},
        window=budget.window,
        limit=budget.limit,
        receipts=bundle.receipts,
    )


def _without_message(call: Call) -> Call:
    """Return a call without the message that it answers: the conversation has that, and counts it."""
    task = call.task
    return replace(call, task=replace(task, message="")) if isinstance(task, ChatTask) else call
