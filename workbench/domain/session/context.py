"""What a model was sent, as it is recorded with a call: item by item, and what was done to make it fit.

    call.started ┬ messages ─▶ Message      what is sent; one of the session's own says only its id
                 └ context  ─▶ SentContext ┬ conversation   of this session, in order  ┐
                                           ├ relevant       recalled, best first       ├ Considered: an id, no text
                                           ├ dropped        and why                    ┘
                                           └ receipts       before, after, a way back
    conversation.condensed ─▶ Summary   what stands for the oldest part of one agent's conversation

Texts are not said twice: an item's text is in its session's events, a quotation's in the search that found it. So
a file stays small, and what is forgotten is forgotten here too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Source = Literal[
    "session", "artefact", "semantic", "shared", "lesson", "research", "file", "practice", "summary", "parent",
    "worker",
]  # fmt: skip
"""How something came into a prompt: said in this session, made by its loop, found by its meaning, and so on."""
Section = Literal["current_conversation", "relevant_history"]
WhyNot = Literal["", "budget", "duplicate", "scope", "threshold", "limit", "excluded", "unpaired"]
"""Why something is not shown; "" if it is. unpaired: a result, or reasoning, whose call is not there."""
_NEAR, _CLOSE = 0.6, 1.2
"""Relevance from which something is called so; the first is the threshold of a search."""
What = Literal["moved out", "left out", "condensed", "elided", "repaired"]
"""What was done to a conversation; "moved out" and "repaired" only under rules 1 to 4."""


class Recall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How entries of one kind come into a prompt."""

    method: Literal["hybrid", "recent", "semantic"] = "hybrid"
    """recent: as they were said last; semantic: by meaning; hybrid: both."""
    recent: Annotated[int, Meta(ge=0, le=500)] = 20
    """How many of the last are shown before anything that was recalled; artefacts are only ever recalled."""
    nearest: Annotated[int, Meta(ge=0, le=100)] = 10
    """How many of those found by meaning are shown at most."""
    scope: Literal["all", "session"] = "all"
    """Whether other sessions' items may be shown."""
    threshold: Annotated[float, Meta(ge=0, le=3)] = 0.0
    """Relevance of a search below which nothing of it is shown."""

    @property
    def tail(self) -> int:
        """How many of the last are guaranteed."""
        return 0 if self.method == "semantic" else self.recent

    @property
    def limit(self) -> int:
        """How many of those found are shown."""
        return 0 if self.method == "recent" else self.nearest


class RecallSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How each kind comes into a prompt."""

    user: Recall = Recall()
    """What people said."""
    assistant: Recall = Recall()
    """What agents replied."""
    artefact: Recall = Recall()
    """What the loops of sessions made."""
    shared: Recall = Recall(nearest=20)
    """What sessions share: the keys that were changed last. They are not searched, so no threshold holds them back."""

    def for_kind(self, kind: str) -> Recall:
        """Return the settings of a kind; what has none of its own is treated as artefacts are."""
        known = {
            "user": self.user,
            "assistant": self.assistant,
            "shared": self.shared,
            "file": _NAMED,
            "research": _NAMED,
        }
        return known.get(kind, self.artefact)


_NAMED = Recall(nearest=100)
"""Of files: a person named each, so that only the budget leaves any of them out."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a prompt. Recorded, it has no content if it has an item: the session says that already."""

    role: str
    """system, user, assistant or tool; of a doctored file, anything."""
    content: str = ""
    item: str = ""
    """Id of the message of this session whose text it is, word for word; "" for anything else."""


def spoken(messages: Iterable[Message]) -> list[dict[str, str]]:
    """Return what messages say, to whoever is sent them: the form that hashes and keys of prompts cover."""
    return [{"role": message.role, "content": message.content} for message in messages]


def nearness(relevance: float) -> str:
    """Return in a word how near something is to what was asked; what is distant is not put into a prompt."""
    return "close" if relevance >= _CLOSE else "near" if relevance >= _NEAR else "distant"


class Considered(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that was considered for a prompt, as it is recorded: ``context.entry.Entry`` without what it says."""

    id: str
    """Its id as an item of its session, or of a summary or a note."""
    tokens: int
    """About how many it takes, frame and label included."""
    session: str = ""
    """Whose it is; "" for the session whose call it is."""
    role: str = "user"
    """Who speaks: user, assistant (an agent), tool (a result), summary (of what was said before), or artefact (what
    the loop made of it, and notes of the workbench)."""
    agent: str | None = None
    """Who replied; of a summary, whose view it summarises."""
    source: Source = "session"
    section: Section = "current_conversation"
    """Where it stands, or would have stood."""
    rank: int = 0
    """Its place among what its search found, from 1; 0 for what was not searched for."""
    score: float = msgspec.field(default_factory=float)
    """What it was ordered by in its search; written if it is 0 too, as it always was."""
    parts: dict[str, float] = {}
    """What the score is the sum of, by name."""
    reason: str = ""
    """Why it is here, in words."""
    pinned: bool = False
    why_not: WhyNot = ""
    like: str = ""
    """Of a duplicate: id of what says the same."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """One action on a conversation. Who asked for it and when is said by the event that it is in."""

    what: What
    by: str
    """The model or the rule that did it."""
    ids: tuple[str, ...]
    """The originals it was done to."""
    note: str = ""
    """What a person should know of it, in a sentence."""
    way_back: str = ""
    """Id of the summary to expand, or name of the entity that holds the text; "" if the log alone has it."""
    tokens_before: int
    tokens_after: int
    hash_before: str
    hash_after: str


class SentContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a model was shown for one call, and what not."""

    conversation: tuple[Considered, ...] = ()
    """This session's, in order, with summaries and the workbench's own notes."""
    relevant: tuple[Considered, ...] = ()
    """What was recalled, best first: of other sessions, and older things of this one."""
    dropped: tuple[Considered, ...] = ()
    goes_back_further: bool = False
    """Whether the session holds older messages that were not even considered, as the window does not reach them."""
    tokens: dict[str, int] = {}
    """By section, with everything else that is sent; they sum up to the call's ``estimated_tokens``."""
    window: int = 0
    """Tokens that the model takes, prompt and answer together."""
    limit: int = 0
    """Tokens that the prompt may have."""
    receipts: tuple[Receipt, ...] = ()
    unavailable: str = ""
    """Why this session's own older items could not be searched; "" if they were, or need not be."""
    embedder: str = ""
    """What they were searched with; "" if they were not searched, or by an older workbench."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What stands for the oldest part of a conversation, as one agent sees it."""

    id: str
    text: str
    by: str
    """The model or the rule that wrote it."""
    covers: tuple[str, ...]
    """Ids of all the messages that it stands for, those of summaries within it unfolded."""
    seq: int
    """Place in the log of the newest of them."""
    time: str
    """When that was said, UTC, ISO 8601."""
