"""The rules, by name: what ``workbench audit --rules`` prints and docs/audit.md explains."""

from __future__ import annotations

import msgspec

RULES: dict[str, str] = {
    "log.chain": "Events are numbered without gaps, and every body and link of the hash chain holds.",
    "log.forgotten": "Of each body that was replaced to forget something, a later event says so.",
    "log.copies": "What an event copies is in the events before it, and is what was written.",
    "log.session": "Every event is of this session.",
    "log.search": "A search of other sessions finds nothing of the session that asks.",
    "scope.session": "What is under current_conversation was said in this session, before the call.",
    "scope.agent": "An agent sees its own replies and files, and no other agent's: also none of unknown origin.",
    "scope.task": "A reply to a task of the loop is never a message, but for the refused one that is repaired.",
    "scope.retrieved": "What is from elsewhere was found for this call, pinned, shared, read or taught, word for word.",
    "scope.label": "What was retrieved says so, and what was said here is not called retrieved.",
    "scope.excluded": "What a person excluded is in no prompt, also not within a summary.",
    "scope.recall": "With recall off, nothing of other sessions but what is pinned.",
    "scope.caller": "Only who proposes, plans or answers a person may be given what other sessions, or files, say.",
    "scope.guidance": "Guidance is made of this session's own insights and stored texts.",
    "scope.quotation": "What is quoted of another session is what that session says.",
    "private.quoted": "Nothing is found in a session while it is private.",
    "private.text": "No text of a private session is in a prompt.",
    "prompt.ledger": "Prompt and ledger name the same things, in the same order.",
    "prompt.message": "Every message is the system's, a known item, a recorded summary, the note, or what is asked.",
    "prompt.system": "System message and task say nothing that people, agents or other sessions said.",
    "prompt.reply": "No words of other agents, or of files, stand in a prompt unless people or artefacts say them.",
    "prompt.quotation": "Words of other sessions stand under their label, and nowhere else.",
    "prompt.hash": "A prompt is the one whose hash was recorded.",
    "ledger.entry": "An entry says of an item what the log says of it: role, agent, place, score, pin.",
    "ledger.unique": "Nothing is listed twice: not as sent, and not both as sent and as left out.",
    "ledger.tokens": "An entry has the tokens of its text.",
    "ledger.sum": "Sections are the sums of their entries, and together the call's estimate.",
    "ledger.estimate": "Counted again, the prompt has as many tokens as were recorded.",
    "ledger.limit": "A prompt is not longer than it may be.",
    "pairs.split": "No tool result without its call, and no call without its result.",
    "summary.covers": "A summary covers messages of this session that its agent may see, each once, and no summaries.",
    "summary.receipt": "A summary's receipt names what it covers, and it takes less than that.",
    "summary.text": "A summary is the one that was recorded, by who it says wrote it.",
    "summary.words": "No summary carries the words of another agent, or of another session.",
}


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that an event breaks."""

    rule: str
    event: str
    """Its id."""
    detail: str
    """What is wrong, in words for a person; of texts no more than a beginning."""
