"""``workbench remember``: brings what was said elsewhere into a session's memory, one message or thousands of lines.

TEXT, or JSON Lines {"text", "role", "agent", "time"} ─▶ Said … ─▶ one call into the core ─▶ the ids of what is kept
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from workbench.cli.opening import session_of
from workbench.cli.output import Output, counted
from workbench.cli.reading import read_text
from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import UNREADABLE
from workbench.planning.remembering import Said

_MOST_BYTES = 100_000_000
"""The most that is read at once."""
_KEYS = frozenset({"text", "role", "agent", "time"})
_RESERVED = frozenset(
    {"session", "session_id", "workspace", "person", "id", "seq", "turn", "cause", "origin", "source"}
)
"""What a line can never say: where it belongs, and where it comes from."""


def remember(options: argparse.Namespace) -> int:
    """Bring messages into a session."""
    if (options.text is None) == (options.jsonl is None):
        raise UsageError("There is nothing to remember.", "Give one text, or JSON Lines with --jsonl FILE.")
    if options.entity is not None:
        return _entity(options)
    if options.jsonl is not None:
        return _file(options)
    said = Said(options.text, options.role or "user", options.agent)
    (item,) = session_of(options).remember([said])
    output = Output.of(options)
    if output.as_json:
        output.json(_remembered(options.session, said, item))
    else:
        output.line(f"1 message remembered in {options.session}.")
    return 0


def _file(options: argparse.Namespace) -> int:
    """Bring in the lines of a file that are not in yet: a file whose command was killed is gone on with."""
    if options.role or options.agent:
        raise UsageError("--role and --agent are for one text.", "Let each line of the file say them.")
    text = _text(options.jsonl)
    file = hashlib.sha256(text.encode()).hexdigest()
    lines = list(_lines(text, file))
    session, output = session_of(options), Output.of(options)
    items = session.lines_in(file)
    fresh = [said for said in lines if said.line not in items]
    before = len(lines) - len(fresh)

    def tell(count: int) -> None:
        if before + count < len(lines):
            output.note(f"workbench: {before + count:,} of {len(lines):,} messages are in.")

    kept = session.remember(fresh, on_progress=tell)
    items |= {said.line: item for said, item in zip(fresh, kept, strict=True)}
    if output.as_json:
        for said in lines:
            output.json(_remembered(options.session, said, items[said.line]))
    else:
        already = f"; {before:,} of {len(lines):,} were in already" if before else ""
        output.line(f"{counted(len(fresh), 'message')} remembered in {options.session}{already}.")
    return 0


def _remembered(session: str, said: Said, item: str) -> dict[str, Any]:
    row = {"schema": "workbench.remembered/1", "session": session, "id": item}
    return {**row, "role": said.role, "agent": said.agent}


def _entity(options: argparse.Namespace) -> int:
    if options.text is None or options.role or options.agent:
        raise UsageError("An entity is one text, said by nobody.", "Give TEXT, and no --jsonl, --role or --agent.")
    item = session_of(options).store_entity(options.entity, options.text)
    output = Output.of(options)
    if output.as_json:
        output.json({"schema": "workbench.remembered/1", "session": options.session, "id": item, "role": "artefact"})
    else:
        output.line(f"{options.entity} is remembered in {options.session}.")
    return 0


def _text(name: str) -> str:
    too_large = UsageError(f"{name} has more than {_MOST_BYTES:,} bytes.", "Bring it in in parts.")
    return read_text(name, _MOST_BYTES, kind="file of JSON Lines", too_large=too_large)


def _lines(text: str, file: str) -> Iterator[Said]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield dataclasses.replace(_said(line, number), file=file, line=number)


def _said(line: str, number: int) -> Said:
    try:
        fields = msgspec.json.decode(line.encode(), type=dict[str, Any])
    except UNREADABLE as error:
        raise UsageError(f"Line {number} is no JSON object.", 'Write each line as {"text": "…"}.') from error
    reserved = sorted(_RESERVED & fields.keys())
    if reserved:
        raise UsageError(
            f"Line {number} sets {reserved[0]!r}, which a message cannot say of itself.", "Leave that key out."
        )
    unknown = sorted(fields.keys() - _KEYS)
    if unknown:
        raise UsageError(
            f"Line {number} has a key {unknown[0]!r} that would be lost.",
            f"Use {', '.join(sorted(_KEYS))}, and put anything else into the text.",
        )
    try:
        return msgspec.convert({name: value for name, value in fields.items() if value is not None}, Said)
    except msgspec.ValidationError as error:
        raise UsageError(f"Line {number} does not fit: {error}.", 'Write each line as {"text": "…"}.') from error
