"""What providers demand of calls and their results, checked before every send; and what does not hold, repaired.

    entries ──validate──▶ violations (none: both providers accept the conversation)
    entries ──repair────▶ entries without violations, and a receipt that says what was done

The rules are those of OpenAI's chat completions and of Anthropic's messages together, from their references on function
calling and tool use, and from what their servers refuse with status 400:

    begin      the first message is a user's                                                          Anthropic
    blank      a message says something that is not white space; a reply with calls may be empty        Anthropic
    unique     the id of a call is used once in a conversation                                        both
    answered   directly behind a reply with calls stand their results, each once, in any order        both
    orphan     a result answers a call of the reply before it; reasoning leads to the call behind it  both

An entry's text stands before its calls, as Anthropic demands, since an entry has one text. Consecutive entries of one
role are allowed: Anthropic joins them, OpenAI takes them as they are.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from workbench.context.entry import Entry, size, with_text
from workbench.context.groups import Group, grouped
from workbench.context.receipts import receipt
from workbench.domain.session.context import Receipt

BY = "rule: repair"
NO_RESULT = "[No result of this call was recorded.]"
SAYS_NOTHING = "[This message says nothing.]"
NO_BEGINNING = "[The beginning of the conversation is not shown.]"

_BEGINS = ("user", "summary", "artefact")
"""Roles that are sent as a user's."""


class Violation(NamedTuple):
    """A rule that a conversation breaks, and where."""

    rule: str
    """begin, blank, unique, answered or orphan."""
    entry: str
    """Id of the entry at which it breaks."""
    message: str


class Repaired(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that every provider accepts."""

    entries: tuple[Entry, ...]
    receipt: Receipt | None = None
    """What was done; None where nothing had to be."""


def validate(entries: Sequence[Entry], *, awaiting: bool = False, whole: bool = True) -> tuple[Violation, ...]:
    """Return what a provider would refuse.

    ``awaiting`` lets calls at the end still wait for their results; without ``whole`` something will stand before it.
    """
    return tuple(_violations(entries, awaiting=awaiting, whole=whole))


def repair(entries: Sequence[Entry], *, awaiting: bool = False, whole: bool = True) -> Repaired:
    """Return a conversation without violations, as ``validate`` sees them; one that has none comes back as it is.

    Late results move to their calls, calls without one are answered with a note, calls of one name get names of their
    own, results and reasoning without a call are left out.
    """
    entries = tuple(entries)
    if not validate(entries, awaiting=awaiting, whole=whole):
        return Repaired(entries=entries)
    groups = grouped(entries)
    mended: list[Entry] = []
    used: set[str] = set()
    for number, group in enumerate(groups, start=1):
        mended += _mended(group, used, leave_open=awaiting and number == len(groups))
    if whole and mended and mended[0].role not in _BEGINS:
        mended.insert(0, _note(mended[0], "beginning", NO_BEGINNING))
    return Repaired(entries=tuple(mended), receipt=_receipt(entries, mended))


def _violations(entries: Sequence[Entry], *, awaiting: bool, whole: bool) -> Iterator[Violation]:
    used: set[str] = set()
    due: dict[str, Entry] = {}
    reasoning: list[Entry] = []
    if whole and entries and entries[0].role not in _BEGINS:
        yield Violation("begin", entries[0].id, "The conversation does not begin with a user's message.")
    for entry in entries:
        if entry.role == "tool" and entry.answers in due:
            del due[entry.answers]
            continue
        yield from _unanswered(due)
        due = dict.fromkeys(entry.makes, entry)
        if entry.role == "tool":
            yield Violation(
                "orphan", entry.id, f"It answers {entry.answers}, which is no open call of the reply before."
            )
        elif not entry.text.strip() and (entry.text or not entry.makes):
            yield Violation("blank", entry.id, "It says nothing.")
        if len(due) < len(entry.makes) or not used.isdisjoint(due):
            yield Violation("unique", entry.id, "It uses the id of a call twice.")
        used |= due.keys()
        if not entry.leads_to:
            yield from (_stray(one) for one in reasoning if one.leads_to not in due)
            reasoning = []
        else:
            reasoning.append(entry)
    yield from map(_stray, reasoning)
    if not awaiting:
        yield from _unanswered(due)


def _unanswered(due: dict[str, Entry]) -> Iterator[Violation]:
    return (Violation("answered", maker.id, f"Call {call} has no result behind it.") for call, maker in due.items())


def _stray(entry: Entry) -> Violation:
    return Violation("orphan", entry.id, f"It leads to {entry.leads_to}, which is no call of the reply behind it.")


def _mended(group: Group, used: set[str], *, leave_open: bool) -> Iterator[Entry]:
    """Yield the entries of a group as providers want them; ``used`` collects the ids of calls."""
    maker = next((entry for entry in group.entries if entry.makes), None)
    if maker is None:
        yield from (_worded(entry) for entry in group.entries if not entry.answers and not entry.leads_to)
        return
    names = [_unused(call, used) for call in maker.makes]
    waiting: dict[str, deque[str]] = {}
    for call, name in zip(maker.makes, names, strict=True):
        waiting.setdefault(call, deque()).append(name)
    first = {call: queue[0] for call, queue in waiting.items()}
    for entry in group.entries:
        if entry is maker:
            yield _worded(replace(entry, makes=tuple(names)))
        elif entry.leads_to:
            yield _worded(replace(entry, leads_to=first[entry.leads_to]))
        elif queue := waiting[entry.answers]:
            yield replace(entry, answers=queue.popleft())
    if not leave_open:
        yield from (_no_result(maker, name) for queue in waiting.values() for name in queue)


def _worded(entry: Entry) -> Entry:
    return entry if entry.text.strip() else with_text(entry, "" if entry.makes else SAYS_NOTHING)


def _unused(call: str, used: set[str]) -> str:
    """Return an id for a call that no other call has, its own if that is free."""
    name, number = call, 2
    while name in used:
        name, number = f"{call}~{number}", number + 1
    used.add(name)
    return name


def _no_result(maker: Entry, call: str) -> Entry:
    return replace(_note(maker, call, NO_RESULT), role="tool", answers=call)


def _note(near: Entry, what: str, text: str) -> Entry:
    """Return an entry of the workbench's own, in the place of another one."""
    return Entry(
        id=f"{near.id}/{what}",
        session=near.session,
        agent=near.agent,
        role="artefact",
        seq=near.seq,
        time=near.time,
        text=text,
        tokens=size(text),
        reason="added by the workbench, so that providers accept the conversation",
        by=BY,
    )


def _receipt(before: Sequence[Entry], after: Sequence[Entry]) -> Receipt:
    was, now = {entry.id: entry for entry in before}, {entry.id: entry for entry in after}
    gone = [entry.id for entry in before if entry.id not in now]
    added = [entry.id for entry in after if entry.id not in was]
    changed = [entry.id for entry in after if entry.id in was and was[entry.id] != entry]
    in_order = [entry.id for entry in before if entry.id in now] == [entry.id for entry in after if entry.id in was]
    done = Counter(
        {
            "left out, as their calls are not here": len(gone),
            "added for what is missing": len(added),
            "renamed or marked as empty": len(changed),
        }
    )
    notes = [f"{count} {what}" for what, count in done.items() if count]
    notes += [] if in_order else ["results moved to their calls"]
    return receipt("repaired", before, after, by=BY, ids=(*gone, *added, *changed), note="; ".join(notes))
