"""Conversations with coding agents, read from their transcripts: what a person and the agent said, and nothing else.

~/.claude/projects/FOLDER/ID.jsonl          {"type": "user", "sessionId": …, "message": {"role", "content"}}  ─┐
~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl  {"type": "response_item", "payload": {"type": "message", …}}  ─┴▶ Said

Calls of tools, their results, reasoning, and what a program put into the person's mouth are left out. So is each
message in which something looks like a secret. Neither program documents its format: unknown lines are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from os import PathLike
from typing import Any

import msgspec
from msgspec import Struct

from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.named_files import open_named_file
from workbench.planning.memory.remembering import Said, check
from workbench.planning.sources.secret_detection import secret_content

_MOST_OF_A_LINE = 10_000_000
"""Bytes; a longer line holds a tool's result or a picture."""
_LOOKED_AT = 20
"""Lines within which a transcript says what it is."""
_OPENED = lazy_pattern(r"\s*<([a-zA-Z][\w -]{0,60})>")
_INSERTED_HEADS = ("# AGENTS.md instructions", "[Request interrupted by user")
_REMINDER = lazy_pattern(r"<system-reminder>(?:[^<]++|<(?!/?system-reminder>))*+</system-reminder>")


class Transcript(Struct, frozen=True):
    """What one holds."""

    agent: str
    """Claude Code or Codex."""
    id: str
    """As its agent calls it."""
    date: str
    """When it began, ISO; "" if it does not say."""
    said: tuple[Said, ...]
    left_out: tuple[str, ...]
    """What else was said and is left out, and why, a sentence each."""

    @property
    def label(self) -> str:
        """Whose it is, and of which day."""
        return f"{self.agent}, {self.date}" if self.date else self.agent

    @property
    def file(self) -> str:
        """What its messages are kept under: the same when the conversation has gone on."""
        return sha256(f"{self.agent} {self.id}".encode()).hexdigest()

    def title(self, most: int) -> str:
        """Return the first line that a person said, with whose transcript it is, in so many characters."""
        first = next((one.text for one in self.said if one.role == "user"), "A transcript").partition("\n")[0]
        return f"{clean_name(first, most - len(self.label) - 3)} ({self.label})"


def read_transcript(path: str | PathLike[str]) -> Transcript | None:
    """Return what a transcript holds; None for a file that is none. Raises OSError, and UsageError for an empty one."""
    with open_named_file(path) as file:
        lines = iter(lambda: file.readline(_MOST_OF_A_LINE), b"")
        records = ((number, _record(line)) for number, line in enumerate(lines, start=1))
        first = [record for record, _ in zip(records, range(_LOOKED_AT), strict=False)]
        named = next(filter(None, (_source_of(record) for _, record in first)), None)
        if named is None:
            return None
        agent, name = named
        file.seek(0)
        lines = iter(lambda: file.readline(_MOST_OF_A_LINE), b"")
        return _read_records(agent, name, ((number, _record(line)) for number, line in enumerate(lines, start=1)))


def proposed_plans(path: str | PathLike[str], turn: str) -> Iterator[str]:
    """Yield the plans that Codex proposed in a turn, by a transcript that may still be written. Raises OSError."""
    with open_named_file(path) as file:
        for line in iter(lambda: file.readline(_MOST_OF_A_LINE), b""):
            payload = _record(line).get("payload") if b'"item_completed"' in line else None
            item = payload.get("item") if isinstance(payload, dict) and payload.get("turn_id") == turn else None
            if isinstance(item, dict) and item.get("type") in ("Plan", "plan") and isinstance(item.get("text"), str):
                yield item["text"]


def _source_of(record: dict[str, Any]) -> tuple[str, str] | None:
    """Return whose transcript a line shows, and its id."""
    payload = record.get("payload")
    if record.get("type") == "session_meta" and isinstance(payload, dict) and payload.get("id"):
        return "Codex", str(payload["id"])
    if record.get("type") in ("user", "assistant") and record.get("sessionId") and "message" in record:
        return "Claude Code", str(record["sessionId"])
    return None


def _read_records(agent: str, name: str, records: Iterable[tuple[int, dict[str, Any]]]) -> Transcript:
    said: list[Said] = []
    left_out: list[str] = []
    date = ""
    for number, record in records:
        date = date or _moment(record)[:10]
        role, text = (_codex if agent == "Codex" else _claude)(record)
        if not text or (role == "user" and (_is_marked_up(text) or text.startswith(_INSERTED_HEADS))):
            continue
        replied_by = agent.replace(" ", "-").lower() if role == "assistant" else None
        message = Said(text, role, replied_by, _moment(record), line=number)
        if why := secret_content(text):
            left_out.append(f"The message of line {number} was left out: its {why}.")
        else:
            try:
                check(message, number)
            except UsageError as error:
                left_out.append(f"{error.message} It was left out.")
            else:
                said.append(message)
    transcript = Transcript(agent, name, date, tuple(said), tuple(left_out))
    if not said:
        raise UsageError("This transcript holds no message that can be kept.", "Name another one.")
    return msgspec.structs.replace(
        transcript, said=tuple(msgspec.structs.replace(one, file=transcript.file) for one in said)
    )


def _is_marked_up(text: str) -> bool:
    """Tell whether all of a message is what a program inserted (<environment_context>, <command-name> …)."""
    at = 0
    while at < len(text):
        opened = _OPENED.match(text, at)
        closing = f"</{opened[1]}>" if opened else ""
        end = text.find(closing, opened.end()) if opened else -1
        if end < 0:
            return False
        at = end + len(closing)
    return True


def _record(line: bytes) -> dict[str, Any]:
    """Return the object of a line; an empty one for what is none, such as a line that is being written."""
    try:
        record = msgspec.json.decode(line)
    except UNREADABLE:
        return {}
    return record if isinstance(record, dict) else {}


def _claude(record: dict[str, Any]) -> tuple[str, str]:
    """Return who said something in a line of Claude Code, and what; subagents were not talked to by a person."""
    message = record.get("message")
    skipped = any(record.get(name) for name in ("isMeta", "isSidechain", "isCompactSummary"))
    if record.get("type") not in ("user", "assistant") or skipped or not isinstance(message, dict):
        return "", ""
    return str(record["type"]), _REMINDER.sub("", _text(message.get("content"), "text")).strip()


def _codex(record: dict[str, Any]) -> tuple[str, str]:
    """Return who said something in a line of Codex, and what."""
    payload = record.get("payload")
    if record.get("type") != "response_item" or not isinstance(payload, dict) or payload.get("type") != "message":
        return "", ""
    role = payload.get("role")
    if role not in ("user", "assistant"):
        return "", ""
    return role, _text(payload.get("content"), "input_text" if role == "user" else "output_text").strip()


def _text(content: object, kind: str) -> str:
    """Return the prose of a message's content: a text, or blocks of which some are prose."""
    if isinstance(content, str):
        return content
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    return "\n\n".join(one["text"] for one in blocks if one.get("type") == kind and isinstance(one.get("text"), str))


def _moment(record: dict[str, Any]) -> str:
    """Return when a line was written; "" if it does not say."""
    moment = record.get("timestamp")
    try:
        return datetime.fromisoformat(moment).isoformat() if isinstance(moment, str) else ""
    except ValueError:
        return ""
