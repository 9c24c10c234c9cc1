"""``workbench remember``: brings what was said elsewhere into a session's memory, one message or thousands of lines.

TEXT, or JSON Lines {"text", "role", "agent", "time"} ─▶ Said … ─▶ one call into the core ─▶ the ids of what is kept
"""

from __future__ import annotations

import argparse
import codecs
import hashlib
import sys
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any

import msgspec

from workbench.cli.opening import session_of
from workbench.cli.output import Output, counted
from workbench.cli.reading import STANDARD_INPUT
from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import UNREADABLE
from workbench.named_files import open_named_file, unnamed_file
from workbench.planning.memory.remembering import Said, check

_MOST_OF_A_LINE = 10_000_000
"""Bytes."""
_AT_ONCE = 500
"""Messages that are read before they are kept."""
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
    output = Output.from_options(options)
    if output.as_json:
        output.json(_remembered_row(options.session, said, item))
    else:
        output.line(f"1 message remembered in {options.session}.")
    return 0


def _file(options: argparse.Namespace) -> int:
    """Bring in the lines of a file that are not in yet: a file whose command was killed is continued."""
    if options.role or options.agent:
        raise UsageError("--role and --agent are for one text.", "Let each line of the file say them.")
    with unnamed_file() as copy:
        file, count = _checked_copy(options.jsonl, copy)
        session, output = session_of(options), Output.from_options(options)
        items = session.lines_in(file)
        before = done = len(items)
        lines = _lines(copy, file)
        while portion := list(islice(lines, _AT_ONCE)):
            fresh = [said for said in portion if said.line not in items]
            kept = dict(zip((said.line for said in fresh), session.remember(fresh, seen=False), strict=True))
            done += len(fresh)
            if fresh and done < count:
                output.note(f"workbench: {done:,} of {count:,} messages are in.")
            for said in portion if output.as_json else ():
                output.json(_remembered_row(options.session, said, kept.get(said.line) or items[said.line]))
    if not output.as_json:
        already = f"; {before:,} of {count:,} were in already" if before else ""
        output.line(f"{counted(count - before, 'message')} remembered in {options.session}{already}.")
    return 0


def _remembered_row(session: str, said: Said, item: str) -> dict[str, Any]:
    row = {"schema": "workbench.remembered/1", "session": session, "id": item}
    return {**row, "role": said.role, "agent": said.agent}


def _entity(options: argparse.Namespace) -> int:
    if options.text is None or options.role or options.agent:
        raise UsageError(
            "An entity is one text, without a role or an agent.", "Give TEXT, and no --jsonl, --role or --agent."
        )
    item = session_of(options).store_entity(options.entity, options.text)
    output = Output.from_options(options)
    if output.as_json:
        output.json({"schema": "workbench.remembered/1", "session": options.session, "id": item, "role": "artefact"})
    else:
        output.line(f"{options.entity} is remembered in {options.session}.")
    return 0


def _checked_copy(source: str, copy: IO[bytes]) -> tuple[str, int]:
    """Copy a file of JSON Lines, or standard input; return its sha256, hex, and how many messages it has.

    Every line is checked, and none is kept in memory: a file may be as large as the disk bears. Raises UsageError.
    """
    digest, count = hashlib.sha256(), 0
    try:
        with sys.stdin.buffer if source == STANDARD_INPUT else open_named_file(source) as file:
            while line := file.readline(_MOST_OF_A_LINE + 1):
                if len(line) > _MOST_OF_A_LINE:
                    raise UsageError(
                        f"A line of {source} has more than {_MOST_OF_A_LINE:,} bytes.", "Bring it in in parts."
                    )
                plain = line.removeprefix(codecs.BOM_UTF8) if copy.tell() == 0 else line
                digest.update(plain)
                copy.write(plain)
    except OSError as error:
        raise UsageError(
            f"{source} cannot be read: {error.strerror}.", "Name a file of JSON Lines that exists."
        ) from error
    for said in _lines(copy, ""):
        count += 1
        check(said, count)
    return digest.hexdigest(), count


def _lines(copy: IO[bytes], file: str) -> Iterator[Said]:
    copy.seek(0)
    for number, line in enumerate(copy, start=1):
        try:
            text = line.decode()
        except UnicodeDecodeError:
            raise UsageError(f"Line {number} is not UTF-8 text.", "Save the file as UTF-8.") from None
        if text.strip():
            yield msgspec.structs.replace(_parse_line(text, number), file=file, line=number)


def _parse_line(line: str, number: int) -> Said:
    try:
        fields = msgspec.json.decode(line.encode(), type=dict[str, Any])
    except UNREADABLE as error:
        raise UsageError(f"Line {number} is not a JSON object.", 'Write each line as {"text": "…"}.') from error
    reserved = sorted(_RESERVED & fields.keys())
    if reserved:
        raise UsageError(f"Line {number} sets {reserved[0]!r}, which a message may not set.", "Leave that key out.")
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
