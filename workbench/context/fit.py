"""A conversation fitted to a budget: what is in the prompt, what is left out, and why that is fair.

    entries ──▶ grouped ──▶ in the order in which they are wanted ──as many as fit──▶ in the order of time
                                     │
         1 required  pins, the last user message, open calls, the newest group       below them is the floor: an error
         2 the tail  the last so many of each kind, newest first
         3 summaries of what came before
         4 recalled  what the search brought, best first
         5 the rest  newest first

The order does not depend on the budget, and the first group that does not fit ends it: so a larger budget shows
everything that a smaller one shows. A quotation of what the conversation shows itself counts, and is left out in the
end: then the words are there under the id of the session's own message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from workbench.context.entry import Entry, size
from workbench.context.groups import Group, flat, grouped, newest_of
from workbench.context.receipts import receipt
from workbench.domain.errors import ContextTooSmall
from workbench.domain.session.context import Receipt

NO_TAIL: Mapping[str, int] = {}
LEFT_OUT = "[Earlier parts of this conversation are left out here, so that the rest fits. The session's log has them.]"
NOTE = "note:left-out"
"""Id of the note that says so."""
BY = "rule: fit"
_NOTE_BYTES = len(LEFT_OUT.encode())


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """How much a prompt may hold."""

    window: int
    """Tokens that the model takes, prompt and answer together."""
    reserve: int = 0
    """Tokens kept free for the answer."""
    overhead: int = 0
    """Tokens of all else that the messages hold: system prompt, framing, the task itself."""
    aside: int = 0
    """Tokens of what is sent beside the messages: the schema of the answer, tools."""
    max_bytes: int | None = None
    """UTF-8 bytes that the conversation's texts may have; None for any."""
    reported: int = 0
    """Tokens of the last prompt as its provider counted them; 0 if nothing was reported."""
    estimated: int = 0
    """Tokens of that same prompt as they had been estimated here, overhead included."""

    @property
    def limit(self) -> int:
        """Tokens that a prompt may have."""
        return self.window - self.reserve

    @property
    def room(self) -> int:
        """Tokens that all but the conversation may have."""
        return self.limit - self.aside - max(0, self.reported - self.estimated)

    def counted(self, tokens: int) -> int:
        """Return what entries of so many estimated tokens count: with the overhead, and as the provider counts.

        For a prompt that grew since the last report this is max(estimate, what was reported + what is new).
        """
        return tokens + self.overhead + self.aside + max(0, self.reported - self.estimated)

    def has_room(self, tokens: int, size_in_bytes: int) -> bool:
        """Tell whether entries of this size may be sent."""
        return self.counted(tokens) <= self.limit and (self.max_bytes is None or size_in_bytes <= self.max_bytes)


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is shown."""

    current_conversation: tuple[Entry, ...]
    """This session's, in order; a note is first if something was left out."""
    relevant_history: tuple[Entry, ...]
    """What was recalled and is shown, best first: of other sessions, and older things of this one. To be quoted as
    data. Nothing that the conversation says itself."""
    dropped: tuple[Entry, ...]
    """What was considered and is not shown, each with the reason."""
    goes_back_further: bool
    """Whether the session holds older entries that were not considered, as the budget does not reach them."""
    receipts: tuple[Receipt, ...]
    tokens: int
    """What it counts with everything else that is sent: at most the budget's limit."""

    @property
    def chat_history(self) -> tuple[Entry, ...]:
        """Both, each thing once: the session's copy of what both say."""
        return (*self.current_conversation, *self.relevant_history)

    @property
    def is_whole(self) -> bool:
        """Whether all of the conversation is shown, and word for word."""
        is_condensed = any(entry.role == "summary" for entry in self.current_conversation)
        has_room = not any(entry.why_not == "budget" for entry in self.dropped)
        return has_room and not self.goes_back_further and not is_condensed


def fit(
    entries: Sequence[Entry],
    budget: Budget,
    *,
    recalled: Sequence[Entry] = (),
    tail: Mapping[str, int] = NO_TAIL,
    more: bool = False,
) -> Bundle:
    """Return as much of a conversation, and of what was recalled for it, as a budget has room for.

    ``tail`` says how many of each role's newest entries come before anything recalled; ``more`` that there are older
    entries, which were not even given. Raises ContextTooSmall if what has to be kept word for word does not fit.
    """
    groups = grouped(entries)
    quotes = [Group([entry]) for entry in recalled]
    required = _required(groups, entries)
    _refuse_below_floor(groups, required, budget, more=more)
    kept = _chosen(required, _wanted(groups, required, quotes, tail), budget, more=more)
    shown = flat(group for group in groups if group in kept)
    left_out = flat(group for group in groups if group not in kept)
    quoted = [entry for quote, entry in zip(quotes, recalled, strict=True) if quote in kept]
    fresh = new_to(shown, quoted)
    final = (note_of(shown[0]), *shown) if shown and (left_out or more) else shown
    said = {entry.text: entry.id for entry in reversed(final)} | {entry.id: entry.id for entry in final}
    beyond = (entry for quote, entry in zip(quotes, recalled, strict=True) if quote not in kept)
    repeated = (entry for entry in quoted if entry not in fresh)
    return Bundle(
        current_conversation=final,
        relevant_history=fresh,
        dropped=(
            *(replace(entry, why_not="budget") for entry in (*left_out, *beyond)),
            *(
                replace(entry, why_not="duplicate", like=said.get(entry.id) or said.get(entry.text, ""))
                for entry in repeated
            ),
        ),
        goes_back_further=more,
        receipts=_receipts(entries, left_out, final, more=more),
        tokens=budget.counted(sum(entry.tokens for entry in (*final, *fresh))),
    )


def certain(entries: Sequence[Entry], tail: Mapping[str, int]) -> tuple[Entry, ...]:
    """Return the entries that come before anything recalled: those that are required, and the tail."""
    groups = grouped(entries)
    first = {*_required(groups, entries), *_recent(groups, tail)}
    return flat(group for group in groups if group in first)


def new_to(shown: Iterable[Entry], recalled: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return what was recalled without what is shown already, by id or word for word; each of it once."""
    known: set[str] = set()
    for entry in shown:
        known |= {entry.id, entry.text}
    fresh: list[Entry] = []
    for entry in recalled:
        if entry.id not in known and entry.text not in known:
            fresh.append(entry)
        known |= {entry.id, entry.text}
    return tuple(fresh)


def note_of(entry: Entry) -> Entry:
    """Return the note that is first if something is left out."""
    return Entry(
        id=NOTE,
        session=entry.session,
        role="artefact",
        seq=0,
        time=entry.time,
        text=LEFT_OUT,
        tokens=size(LEFT_OUT),
        reason="added by the workbench: not everything fits",
        by=BY,
    )


def _required(groups: Sequence[Group], entries: Sequence[Entry]) -> list[Group]:
    """Return the groups that are kept word for word, in order."""
    newest = newest_of(entries)
    last_said = next((group for group in reversed(groups) if group.kind == "user"), None)
    return [
        group for group in groups if group is last_said or group.is_pinned or group.is_open or newest in group.entries
    ]


def _wanted(
    groups: Sequence[Group], required: Sequence[Group], quotes: Sequence[Group], tail: Mapping[str, int]
) -> Iterator[Group]:
    """Yield what is not required in the order in which it is wanted, whatever the budget."""
    needed, recent = set(required), _recent(groups, tail)
    newest_first = [group for group in reversed(groups) if group not in needed]
    yield from (group for group in newest_first if group in recent)
    yield from (group for group in newest_first if group not in recent and group.kind == "summary")
    yield from quotes
    yield from (group for group in newest_first if group not in recent and group.kind != "summary")


def _recent(groups: Sequence[Group], tail: Mapping[str, int]) -> set[Group]:
    """Return the last so many groups of each kind."""
    count: Counter[str] = Counter()
    recent: set[Group] = set()
    for group in reversed(groups):
        count[group.kind] += 1
        if count[group.kind] <= tail.get(group.kind, 0):
            recent.add(group)
    return recent


def _floor(groups: Sequence[Group], required: Sequence[Group], *, more: bool) -> tuple[int, int]:
    """Return the tokens and bytes of what must be kept, the note included if there is anything else."""
    has_note = more or len(required) < len(groups)
    tokens, size_in_bytes = _weight(required)
    return tokens + size(LEFT_OUT) * has_note, size_in_bytes + _NOTE_BYTES * has_note


def _refuse_below_floor(groups: Sequence[Group], required: Sequence[Group], budget: Budget, *, more: bool) -> None:
    tokens, size_in_bytes = _floor(groups, required, more=more)
    if budget.counted(tokens) > budget.limit:
        raise ContextTooSmall(
            f"What has to stay word for word takes about {budget.counted(tokens):,} tokens; {budget.limit:,} are free.",
            "Use a model with a larger window, unpin something, or give the last message in parts.",
        )
    if not budget.has_room(tokens, size_in_bytes):
        raise ContextTooSmall(
            f"What has to stay word for word takes {size_in_bytes:,} bytes; {budget.max_bytes:,} are allowed.",
            "Allow more bytes, unpin something, or give the last message in parts.",
        )


def _chosen(required: Sequence[Group], wanted: Iterable[Group], budget: Budget, *, more: bool) -> set[Group]:
    """Return the required groups, and of the wanted ones those before the first that does not fit."""
    rest = list(wanted)
    tokens, size_in_bytes = _weight(required)
    all_tokens, all_bytes = _weight([*required, *rest])
    if not more and budget.has_room(all_tokens, all_bytes):
        return {*required, *rest}
    chosen = set(required)
    for group in rest:
        tokens, size_in_bytes = tokens + group.tokens, size_in_bytes + group.bytes
        if not budget.has_room(tokens + size(LEFT_OUT), size_in_bytes + _NOTE_BYTES):
            break
        chosen.add(group)
    return chosen


def _weight(groups: Iterable[Group]) -> tuple[int, int]:
    """Return the tokens and bytes of groups."""
    listed = list(groups)
    return sum(group.tokens for group in listed), sum(group.bytes for group in listed)


def _receipts(
    given: Sequence[Entry], left_out: Sequence[Entry], final: Sequence[Entry], *, more: bool
) -> tuple[Receipt, ...]:
    if not left_out and not more:
        return ()
    note = "Older entries too, which were not even considered." if more else ""
    return (receipt("left out", given, final, by=BY, ids=[entry.id for entry in left_out], note=note),)
