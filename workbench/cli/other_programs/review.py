"""``workbench review``: plans of other programs, reviewed like a pull request; the application has the same."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from time import sleep
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict

from workbench.bootstrap import Session
from workbench.bootstrap.reviews import newest_plan, review_named, review_of, reviews
from workbench.cli.opening import existing_workspace, has_workspace, open_workspace
from workbench.cli.output import Output, local_time
from workbench.cli.reading import STANDARD_INPUT, read_as_it_is
from workbench.domain.errors import UsageError
from workbench.domain.review.answer import Decision, editable, lines_label, open_notes, place_label, version_of, wishes
from workbench.domain.review.lines import MOST_OF_A_PLAN
from workbench.domain.review.page import Page, page_of
from workbench.domain.session.state import LineNote, SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.outline import Document
from workbench.planning.beside_the_loop.reviewing import decide_here, deliver, look, submit, write_notes
from workbench.planning.session_log import SessionLog
from workbench.planning.trust.person import has_terminal, require_person

WAITING = 3
"""Exit code: a person has to decide."""
_TIMEOUT, _SHORT = 345_600, 60
"""Seconds: four days for the person, a minute for the notes of an approval."""
_IN_A_REVIEW = ("plan_version", "note", "edit", "save", "carry_out", "plan_on", "decision")
_EVERY = 1.0
"""Seconds between two looks at a file that is watched."""
_LONGEST_LINE = 2_000
_OPENCODE = """---
description: Have a person review the plan
---
What the person says about the plan:

!`{command} --agent opencode --wait`

Carry the plan out where it is approved; else change it as they say."""
_PLACES = {
    "claude": "Add it to ~/.claude/settings.json",
    "gemini": "Add it to ~/.gemini/settings.json",
    "codex": "Add it to ~/.codex/hooks.json, and trust it when Codex asks",
    "opencode": "Save it as .opencode/commands/review-plan.md, and type /review-plan",
}


class ReviewNote(LineNote, frozen=True, kw_only=True):
    """A note of a review; line 0 stands for the whole plan."""

    where: str
    became: Literal["unchanged", "moved", "changed", "removed"]
    """What became of its lines up to the newest version."""


class ReviewObject(msgspec.Struct, frozen=True, kw_only=True):
    """A line of ``workbench review --json``."""

    schema: Literal["workbench.review/1"] = "workbench.review/1"
    session: str
    title: str
    agent: str
    version: int
    """The newest."""
    decision: Literal["", "approved", "sent back", "stopped"]
    """About that version."""
    delivered: bool
    """Whether the program was given the answer."""
    waits: bool
    """Whether a process waits for the decision at this moment."""
    looked_at: int
    """The newest version that was looked at."""
    notes: tuple[ReviewNote, ...]
    answer: str
    updated: str


def review(options: argparse.Namespace) -> int:
    """List reviews, submit a plan, show a review, note on it, decide about it, or print the settings of an agent."""
    output = Output.from_options(options)
    if options.print_config:
        return _print_config(options, output)
    if options.hook:
        from workbench.cli.other_programs.review_hook import hook  # most commands wait for nobody

        return hook(options)
    is_named = options.what not in (None, STANDARD_INPUT) and has_workspace(options)
    if is_named and (found := review_named(existing_workspace(options), options.what)):
        return _about(found, options, output)
    if options.diff is not None or any(getattr(options, name) for name in _IN_A_REVIEW):
        raise UsageError("This needs a review, and none is named.", "Name it by its id: workbench review.")
    if options.what is None and options.agent is None:
        return _list(options, output)
    return _submit(options, output)


def _list(options: argparse.Namespace, output: Output) -> int:
    words, known = options.find.casefold(), reviews(existing_workspace(options)) if has_workspace(options) else ()
    found = [log for log in known if any(words in submission.text.casefold() for submission in log.state.submissions)]
    if output.json_lines(map(_object, found)):
        return 0
    if not found:
        begin = "No plan is under review here. Begin: workbench review FILE, or see docs/reviewing.md for a hook."
        output.line("No plan under review has these words." if words else begin)
        return 0
    table = [
        (log.session, f"v{len(log.state.submissions)}", _stands(log), str(len(open_notes(log.state))), log.state.name)
        for log in found
    ]
    output.table(("review", "version", "stands", "notes", "plan"), table, right=("notes",))
    return 0


def _stands(log: SessionLog, version: int = 0) -> str:
    """Return how a version stands, the newest if none is named."""
    submissions = log.state.submissions
    if (decided := submissions[version - 1].decided) is not None:
        return decided.decision
    return "waits for you" if version in (0, len(submissions)) and log.is_driven else "open"


def _submit(options: argparse.Namespace, output: Output) -> int:
    """Record a plan as the next version of its file; then open it, or wait for the decision."""
    if options.what is None:
        options.what = str(newest_plan(options.agent))
        output.note(f"Read: {options.what}")
    workspace, name, agent = open_workspace(options), options.what, options.agent or ""
    text, is_piped = read_as_it_is(name, MOST_OF_A_PLAN), name == STANDARD_INPUT
    source = f"text:{os.urandom(8).hex()}" if is_piped else f"file:{Path(name).resolve()}"
    log = review_of(workspace, source, (agent or "text") if is_piped else Path(name).stem, text)
    if options.wait:
        return _wait(log, text, options, output)
    submit(log, text, agent, waits=False)
    versions = _watch_versions(log, options) if options.watch else ()
    if has_terminal() and not output.as_json:
        from workbench.cli.application.start import open_application  # a pipe needs none

        threading.Thread(target=lambda: list(versions), daemon=True).start()
        options.session = str(log.session)
        return open_application(options)
    for _ in chain([0], versions):
        if not output.json_lines([_object(log)]):
            output.line(f"{log.session} · v{len(log.state.submissions)} · {_stands(log)}")
            output.note(f"Review it: workbench open {log.session}, or: workbench review {log.session}")
    return WAITING


def _watch_versions(log: SessionLog, options: argparse.Namespace) -> Iterator[int]:
    """Yield each new version of a file, until the process ends. What cannot be read meanwhile is read the next time."""
    while True:
        known = len(log.state.submissions)
        with suppress(UsageError):  # it is being written
            text = read_as_it_is(options.what, MOST_OF_A_PLAN)
            if submit(log, text, options.agent or "", waits=False).version > known:
                yield known + 1
        sleep(_EVERY)


def _wait(log: SessionLog, text: str, options: argparse.Namespace, output: Output) -> int:
    """Wait for the decision, and print what the person says: for programs without hooks."""
    from workbench.cli.other_programs.review_hook import submit_and_wait

    decided = submit_and_wait(log, text, options.agent or "", output, beside=options.split)
    if decided is None:
        raise UsageError("A newer version came before this one was decided about.", "Wait for the decision about that.")
    output.line(decided.answer)
    deliver(log, decided.version)
    return 0 if decided.decision == "approved" else WAITING


def _about(session: Session, options: argparse.Namespace, output: Output) -> int:
    """Show a review, or do something in it."""
    log = session.log()
    newest = len(log.state.submissions)
    version = options.plan_version or newest
    of = version_of(log.state, version)
    if options.save:
        from workbench.cli.carry_out.exporting import write  # most commands write none

        write(Path(options.save), log.state.submissions[version - 1].text.encode(), options)
        output.line(f"Written to {options.save}.")
        return 0
    if options.carry_out or options.plan_on:
        require_person("begun")
        return _begin(log.state, options)
    notes = [(*_lines(of, place), text) for place, text in options.note]
    if options.edit:
        from workbench.export.editor import edit_text  # most commands open none

        notes += wishes(of, edit_text(editable(of)))
    for name, (first, last, _) in zip(write_notes(log, version, notes), notes, strict=True):
        if not output.as_json:
            output.line(f"{name}: noted on {lines_label(first, last)}.")
    if options.decision:
        return _decide(log, options.decision.replace("_", " "), options, output)
    if output.json_lines([_object(log)]) or options.note or options.edit:
        return 0
    if options.diff is None:
        _show(log, page_of(log.state, version), output)
    else:
        older, newer = (*options.diff, newest)[:2] if options.diff else (max(version - 1, 1), version)
        version_of(log.state, older)
        _show(log, page_of(log.state, newer, older), output, only_changes=True)
    return 0


def _lines(version: Document, place: str) -> tuple[int, int]:
    """Return the lines that a place names: 12, 12-14, 0 for the whole plan, or a heading, as in "#Phase 2"."""
    if place.startswith("#"):
        title = place.lstrip("#").strip().casefold()
        found = next((heading for heading in version.headings if heading.title.casefold() == title), None)
        if found is None:
            raise UsageError(
                f"There is no heading {title[:60]!r}.", "Name a heading as it is written in the plan, or a line."
            )
        return found.line, found.last
    first, _, last = place.partition("-")
    if not first.isdecimal() or (last and not last.isdecimal()):
        raise UsageError(f"{place[:20]!r} is not a place in the plan.", "Name a line, as in 12, or 12-14, or #Heading.")
    return int(first), int(last or first)


def _decide(log: SessionLog, decision: Decision, options: argparse.Namespace, output: Output) -> int:
    version, noted = options.plan_version or len(log.state.submissions), len(open_notes(log.state))
    require_person(decision)
    if decision == "approved" and not options.plan_version and log.state.looked_at < version:
        raise UsageError(
            f"You have not looked at version {version}.", f"Look at it in a terminal: workbench review {log.session}"
        )
    verb = {"approved": "Approve", "sent back": "Send back", "stopped": "Stop the work on"}[decision]
    question = f"{verb} version {version} of “{clean_name(log.state.name)}”, with notes: {noted}?"
    if not options.yes and not output.asks(question):
        raise UsageError("Nothing was decided.", "Say --yes where nobody can be asked.")
    told, waits = decide_here(log, version, decision)
    if not output.json_lines([_object(log)]):
        output.line(told)
        output.note("The agent is told so." if waits else "No process waits for it: give this to the agent.")
    return 0


def _begin(state: SessionState, options: argparse.Namespace) -> int:
    """Begin a session with the newest version: as it is, or with roles that plan on."""
    from workbench.cli.plan.plan_import import begin_with

    text, name = state.submissions[-1].text, f"{state.session}.md"
    return begin_with(state.name, text, name, options, is_kept=options.carry_out)


def _object(log: SessionLog) -> dict[str, Any]:
    """Return a review as its JSON has it."""
    state = log.refresh()
    newest = state.submissions[-1]
    notes = tuple(
        ReviewNote(**asdict(note), where=place_label(state, note), became=place.became)
        for note, place in page_of(state, newest.version, 0).notes
    )
    told = ReviewObject(
        session=state.session,
        title=state.name,
        agent=newest.agent,
        version=newest.version,
        decision="" if newest.decided is None else newest.decided.decision,
        delivered=newest.is_delivered,
        waits=log.is_driven,
        looked_at=state.looked_at,
        notes=notes,
        answer="" if newest.decided is None else newest.decided.answer,
        updated=state.updated,
    )
    built: dict[str, Any] = msgspec.to_builtins(told)
    return built


def _show(log: SessionLog, page: Page, output: Output, *, only_changes: bool = False) -> None:
    """Show a version with its notes, and what changed since an older one, as the application does.

    It is looked at, unless that goes to a file or to a program.
    """
    from workbench.tui.marks import Marks
    from workbench.tui.replay.difference_rows import CHANGED_WORDS
    from workbench.tui.review.rows import page_rows

    state, one = log.state, log.state.submissions[page.version - 1]
    agent = f" of {clean_name(one.agent)}" if one.agent else ""
    since = f" · since v{page.before}" if page.before else ""
    output.line(f"{state.session} · {clean_name(state.name)}", "bold")
    output.line(f"v{page.version}{agent} · {_stands(log, page.version)} · {local_time(one.time)}{since}", "dim")
    for row in page_rows(page, _LONGEST_LINE, Marks(), only_changes=only_changes):
        for line in row.lines:
            told = line.plain
            begin, end = ("[-", "-]") if told[6:7] == "−" else ("{+", "+}")
            for span in sorted((one for one in line.spans if one.style == CHANGED_WORDS), reverse=True):
                told = f"{told[: span.start]}{begin}{told[span.start : span.end]}{end}{told[span.end :]}"
            output.line(told.rstrip())
    if one.decided is not None:
        output.heading(f"You answered: {one.decided.decision}")
        output.line(one.decided.answer)
    elif one is state.submissions[-1]:
        output.note(f"Note on a line: workbench review {state.session} --note LINE TEXT; then --send-back or --approve")
    if has_terminal():
        look(log, page.version)


def _print_config(options: argparse.Namespace, output: Output) -> int:
    """Print what an agent's settings need."""
    from workbench.cli.other_programs.review_hook import AGENTS

    name = options.print_config
    command = shlex.join([sys.executable, "-P", "-m", "workbench", "review", *(["--split"] if options.split else [])])
    if name in AGENTS:
        agent, unit = AGENTS[name], 1000 if name == "gemini" else 1  # milliseconds, seconds
        matcher = {"matcher": agent.tool} if agent.tool else {}
        hooks = {}
        for event, seconds in ((agent.before, _TIMEOUT), (agent.after, _SHORT)):
            run = {"type": "command", "command": f"{command} --hook {name}", "timeout": seconds * unit}
            hooks[event] = [{**matcher, "hooks": [run]}]
        output.line(json.dumps({"hooks": hooks}, indent=2))
    else:
        output.line(_OPENCODE.format(command=command))
    output.note(_PLACES[name])
    return 0
