"""``workbench remember``: brings what was said elsewhere into a session's memory, one message or thousands of lines.

TEXT, or JSON Lines {"text", "role", "agent", "time"} ─▶ Said … ─▶ one call into the core ─▶ the ids of what is kept
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import msgspec

from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output, counted
from workbench.cli.reading import read_text
from workbench.domain.envelope import UNREADABLE
from workbench.domain.errors import UsageError
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
    if options.jsonl is None:
        said = [Said(options.text, options.role or "user", options.agent)]
    elif options.role or options.agent:
        raise UsageError("--role and --agent are for one text.", "Let each line of the file say them.")
    else:
        said = list(_lines(options.jsonl))
    output = Output.of(options)
    kept = existing_workspace(options).remember(options.session, said)
    if output.as_json:
        for one, item in zip(said, kept, strict=True):
            output.json(
                {
                    "schema": "workbench.remembered/1",
                    "session": options.session,
                    "id": item,
                    "role": one.role,
                    "agent": one.agent,
                }
            )
    else:
        output.line(f"{counted(len(kept), 'message')} remembered in {options.session}.")
    return 0


def _entity(options: argparse.Namespace) -> int:
    if options.text is None or options.role or options.agent:
        raise UsageError("An entity is one text, said by nobody.", "Give TEXT, and no --jsonl, --role or --agent.")
    item = existing_workspace(options).store_entity(options.session, options.entity, options.text)
    output = Output.of(options)
    if output.as_json:
        output.json({"schema": "workbench.remembered/1", "session": options.session, "id": item, "role": "artefact"})
    else:
        output.line(f"{options.entity} is remembered in {options.session}.")
    return 0


def _lines(name: str) -> Iterator[Said]:
    too_large = UsageError(f"{name} has more than {_MOST_BYTES:,} bytes.", "Bring it in in parts.")
    text = read_text(name, _MOST_BYTES, kind="file of JSON Lines", too_large=too_large)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _said(line, number)


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
