"""``workbench audit``: the proof, session by session, that no prompt held what it must not.

FILE | ID | --all ─▶ events of each ─▶ replay.audit ─▶ "ok", or rule, event and detail ─▶ exit code 0 or 1
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import msgspec

from workbench.bootstrap import Workspace, sample_sessions
from workbench.cli.opening import events_of, existing_workspace, has_workspace
from workbench.cli.output import Output, counted, picked
from workbench.domain.errors import LogError, NotFound, UsageError
from workbench.domain.log.envelope import Event
from workbench.replay.audit import RULES, Audit, Neighbours, audit

_SCHEMA = "workbench.audit/1"

Named = tuple[str, Callable[[], Iterable[Event]]]
"""A session, as it is called here, and what reads it."""


def audit_sessions(options: argparse.Namespace) -> int:
    """Audit a session, a file, or all of them."""
    output = Output.from_options(options)
    if options.rules:
        return _print_rules(output)
    if bool(options.session) == options.all:
        raise UsageError("Name one session to audit, or give --all.", "See `workbench sessions list`.")
    workspace = existing_workspace(options) if has_workspace(options) else None
    neighbours = workspace.neighbours() if workspace else None
    named = (
        _all_sessions(workspace) if options.all else [(options.session, partial(events_of, options, options.session))]
    )
    is_ok = [_audit_session(one, neighbours, output, told=options.all) for one in named]
    return 0 if all(is_ok) else 1


def _audit_session(named: Named, neighbours: Neighbours | None, output: Output, *, told: bool) -> bool:
    """Audit one session and print what came of it; ``told``: one that is gone by now is named, like any unreadable."""
    name, read = named
    try:
        found = audit(read(), neighbours)
    except LogError as error:
        return _unreadable(name, str(error), output)
    except NotFound as error:
        if not told:
            raise
        return _unreadable(name, str(error), output)
    if output.as_json:
        output.json(
            {
                "schema": _SCHEMA,
                **picked(found, "session", "ok", "calls", "items"),
                "violations": msgspec.to_builtins(found.violations),
                "checked_in_full": found.in_full,
            }
        )
    else:
        _print(name, found, output)
    return found.ok


def _print(name: str, found: Audit, output: Output) -> None:
    looked_at = f"{counted(found.calls, 'call')}, {counted(found.items, 'item')}"
    older = found.calls - found.in_full
    without = f"; {counted(older, 'call')} of an older workbench without a ledger" if older else ""
    verdict = "ok" if found.ok else counted(len(found.violations), "violation")
    output.line(f"{name}  {verdict} · {looked_at}{without}", "" if found.ok else "red")
    for violation in found.violations:
        output.line(f"  {violation.rule:<17} {violation.event}  {violation.detail}")


def _unreadable(name: str, why: str, output: Output) -> bool:
    if output.as_json:
        output.json({"schema": _SCHEMA, "session": name, "ok": False, "violations": [], "error": why})
    else:
        output.line(f"{name}  unreadable · {why}", "red")
    return False


def _print_rules(output: Output) -> int:
    rules = ({"schema": "workbench.rule/1", "rule": rule, "text": text} for rule, text in RULES.items())
    return output.listing(rules, ("rule", "what holds"), list(RULES.items()))


def _all_sessions(workspace: Workspace | None) -> Iterator[Named]:
    from workbench.storage.files.session_file import read_session_file

    if workspace is not None:
        for session in workspace.log.streams():
            yield session, partial(workspace.log.read, session)
    for session, file in sample_sessions().items():
        yield session, partial(read_session_file, file)
