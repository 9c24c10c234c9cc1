"""``workbench forget``: redacts something that a session remembers, for good, after it has said what that changes.

ID (and --text) ─▶ what would change ─▶ yes? ─▶ forgotten ─▶ what changed, and where others have it
"""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output, counted, picked
from workbench.cli.reading import given_text
from workbench.domain.errors import UsageError
from workbench.planning.trust.person import has_terminal

if TYPE_CHECKING:
    from workbench.planning.memory.forgetting import Forgotten, Quoting, Way
    from workbench.sharing.forgetting import Sharing

_MOST_BYTES = 1_000_000
"""The longest part that is read from standard input."""
_WAYS: dict[Way, str] = {
    "fork": "has a copy of it",
    "search": "quoted it",
    "shared": "saw it in what sessions share",
    "lesson": "was given it as a lesson",
}


def forget(options: argparse.Namespace) -> int:
    """Forget an item, or a part of it."""
    session = _session_of(options)
    text = _part(options.text)
    output = Output.from_options(options, goes_on=True)
    redacted = existing_workspace(options).session(session)
    before = redacted.forgetting(options.item, text)
    if not _changes(before, everywhere=options.everywhere):
        raise UsageError(
            f"Nothing is left to forget of {options.item} in {session}.",
            "Add --everywhere to forget it where others have it." if before.quoted or before.shared else "",
        )
    if not options.yes and not _confirmed(before, output, everywhere=options.everywhere):
        raise UsageError("Nothing was forgotten.", "Say yes, or use --yes.")
    done = redacted.forget(options.item, text, everywhere=options.everywhere)
    if output.as_json:
        output.json(_object(done))
    else:
        _print_forgotten(done, options, output)
    return 1 if any(one.error for one in done.quoted) else 0


def _session_of(options: argparse.Namespace) -> str:
    """Return the session whose item it is; a fork's may name its origin. Raises UsageError if nothing says it."""
    kind, _, rest = options.item.partition(":")
    named = rest.rpartition(":")[0] if kind in ("message", "entity", "file", "rating", "outcome") else ""
    if not named and options.session is None:
        raise UsageError(f"{options.item} does not say whose it is.", "Name its session with --session ID.")
    return str(options.session or named)


def _part(text: str | None) -> str:
    if text is None:
        return ""
    text = given_text(text, _MOST_BYTES)
    if not text.strip():
        raise UsageError("The part to forget is empty.", "Give it with --text TEXT, or leave --text out.")
    return text.strip()


def _changes(before: Forgotten, *, everywhere: bool) -> bool:
    of_others = before.quoted or before.shared
    own = any(one.session == before.matter.session for one in before.shared)
    return bool(before.events or before.copies or own or (everywhere and of_others))


def _confirmed(before: Forgotten, output: Output, *, everywhere: bool) -> bool:
    if output.as_json or not has_terminal():
        return False
    output.line(f"{counted(len(before.events), 'event')} of {before.matter.session} will be redacted.")
    for sharing in before.shared:
        is_redacted = everywhere or sharing.session == before.matter.session
        what = "will be redacted too" if is_redacted else "will stay without --everywhere"
        output.line(f"{_in_shared(sharing)} {what}.")
    for one in before.quoted:
        what = "will be redacted too" if everywhere else f"{_has(one)}, and will keep it without --everywhere"
        output.line(one.error or f"{counted(len(one.events), 'event')} of {one.session}: {what}.")
    for copy in before.copies:
        output.line(f"{copy} says it, and will be deleted.")
    return output.asks("This cannot be undone. Forget it?")


def _in_shared(sharing: Sharing) -> str:
    return f"{counted(len(sharing.events), 'event')} of {sharing.session} in what sessions share"


def _has(one: Quoting) -> str:
    """Return how another session came by it."""
    return " and ".join(_WAYS[way] for way in one.ways)


def _print_forgotten(done: Forgotten, options: argparse.Namespace, output: Output) -> None:
    matter = done.matter
    what = f"a part of {matter.item}" if matter.part else matter.item
    output.line(f"Forgot {what}: {counted(len(done.events), 'event')} of {matter.session} redacted.")
    if done.summaries:
        output.line(f"Summaries redacted as a whole: {', '.join(done.summaries)}.")
    if done.copies:
        output.line(f"Copies deleted: {', '.join(done.copies)}.")
    if done.in_names:
        output.line(
            "It is also part of a name (the session's id, a person, an agent), which cannot be redacted.", "yellow"
        )
    for sharing in done.shared:
        if sharing.forgotten:
            output.line(f"{_in_shared(sharing)} redacted.")
        else:
            count = counted(len(sharing.events), "event")
            output.line(f"{sharing.session} still says it in {count} of what sessions share.", "yellow")
    for one in done.quoted:
        count = counted(len(one.events), "event")
        if one.error:
            output.line(f"{one.session}: {one.error}", "red")
        elif one.forgotten:
            output.line(f"{one.session} {_has(one)}: {count} redacted there.")
        else:
            output.line(f"{one.session} {_has(one)}, and still says it in {count}.", "yellow")
    if not all([one.forgotten for one in done.shared] + [one.forgotten for one in done.quoted]):
        output.line(f"Forget it there too: {_command(done, options)}")


def _command(done: Forgotten, options: argparse.Namespace) -> str:
    """Return the command that forgets it everywhere; the text itself is not printed.

    What was shared is found by its text alone, which the item says no more: then it has to be given.
    """
    by_text = any(not one.forgotten for one in done.shared) or any(
        "shared" in one.ways and not one.forgotten for one in done.quoted
    )
    session = f" --session {shlex.quote(done.matter.session)}" if options.session else ""
    part = " --text …" if done.matter.part or by_text else ""
    return f"workbench forget {shlex.quote(done.matter.item)}{session}{part} --everywhere"


def _object(done: Forgotten) -> dict[str, Any]:
    return {
        "schema": "workbench.forgotten/1",
        **picked(done.matter, "session", "item", "part"),
        **picked(done, "events", "summaries", "copies", "in_names"),
        "quoted_by": [picked(one, "session", "ways", "events", "forgotten", "error") for one in done.quoted],
        "shared_by": [picked(one, "session", "events", "forgotten") for one in done.shared],
    }
