"""``workbench replay --verify``: a session executed again, and the first event that is not what follows.

events ─▶ bootstrap.verified ─▶ "verified", "sound", or event, why, recorded and expected ─▶ exit code 0 or 1
                    └▶ after a second: how far it is, in a terminal
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from workbench.bootstrap.session import verified
from workbench.cli.output import Output, counted, picked
from workbench.cli.progress import SlowProgress
from workbench.domain.log import rules
from workbench.domain.log.envelope import Event
from workbench.replay.verification import Difference, Unchecked, Verification
from workbench.storage.files.session_file import torn_bytes

_MOST_LISTED = 10


def verify(events: Iterable[Event], output: Output, *, file: Path | None) -> int:
    """Verify a session and print what came of it; ``file`` is what it was read from, if it was a file.

    What is torn off at the end of that was never acknowledged: it is said, and is no difference. The exit code is 0
    only if the session is verified: a file that calls itself old must not pass for one that was executed again.
    """
    read = list(events)
    with SlowProgress(output, tells_pipes=False) as progress:
        found = verified(read, on_progress=lambda done: progress.tell(f"checked {done:,} of {len(read):,} events"))
    torn = torn_bytes(file) if file is not None else 0
    if output.as_json:
        output.json({**_object(found), "torn_bytes": torn})
    else:
        _print(found, output)
        if torn:
            end = "of something that was not written to its end, and never acknowledged, were left out"
            output.line(f"  {counted(torn, 'byte')} at the end, {end}", "yellow")
    return 0 if found.verified else 1


def _object(found: Verification) -> dict[str, object]:
    return {
        "schema": "workbench.verified/1",
        **picked(found, "session", "events", "verified", "sound"),
        "first_difference": msgspec.to_builtins(found.difference),
        **picked(found, "reproduced", "recorded", "older_rules"),
        "unchecked": msgspec.to_builtins(found.unchecked),
    }


def _print(found: Verification, output: Output) -> None:
    if found.difference is not None:
        _print_difference(found.difference, found, output)
    elif found.verified:
        done = f"{found.reproduced:,} of {counted(found.events, 'event')} executed again, all the same"
        output.line(f"{found.session}  verified · {done}{_unchecked(found)}", "green")
    else:
        output.line(
            f"{found.session}  sound: {_recorded_and_executed(found)}; chain and order hold{_unchecked(found)}",
            "yellow",
        )
    for why, events in _by_reason(found.unchecked).items():
        named = ", ".join(str(event.seq) for event in events[:_MOST_LISTED])
        more = f" and {len(events) - _MOST_LISTED:,} more" if len(events) > _MOST_LISTED else ""
        output.line(f"  not checked: {named}{more} · {why}", "yellow")


def _unchecked(found: Verification) -> str:
    return f"; {counted(len(found.unchecked), 'event')} could not be checked" if found.unchecked else ""


def _recorded_and_executed(found: Verification) -> str:
    recorded = f"{counted(found.recorded, 'event')} recorded under {rules.named(found.older_rules)}"
    return f"{recorded}, {found.reproduced:,} executed again"


def _print_difference(difference: Difference, found: Verification, output: Output) -> None:
    output.line(f"{found.session}  not verified · event {difference.seq} ({difference.kind})", "red")
    output.line(f"  {difference.why}")
    if difference.where:
        output.line(f"  {difference.where}")
        output.line(f"    recorded  {difference.recorded}")
        output.line(f"    expected  {difference.expected}")
    if found.older_rules:
        output.line(f"  Before it: {_recorded_and_executed(found)}.", "dim")


def _by_reason(unchecked: Iterable[Unchecked]) -> dict[str, list[Unchecked]]:
    reasons: dict[str, list[Unchecked]] = {}
    for one in unchecked:
        reasons.setdefault(one.why, []).append(one)
    return reasons
