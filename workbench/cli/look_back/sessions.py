"""``workbench sessions …``, ``rate`` and ``outcome``: what was saved, and what is done with it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.cli.opening import existing_workspace, session_of
from workbench.cli.output import Output, counted, local_time, spent_text
from workbench.domain.errors import LogDamaged, NotUnderstood, UsageError
from workbench.domain.log import rules
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.loop.deciding.convergence import listed, progress, why_stopped
from workbench.domain.loop.deciding.offers import offers_of
from workbench.domain.plan.changing.change import percent
from workbench.domain.session.named_files import reading_line
from workbench.domain.session.session import fold
from workbench.domain.session.state import SessionState, tokens_tree
from workbench.export.figures import figures_of, headline
from workbench.export.markdown import of_version, plan_markdown, plan_version, shown_actions, shown_deliverable
from workbench.export.objects import session_object
from workbench.export.statements import statements_table


def show_session(options: argparse.Namespace) -> int:
    """Show a session: its plan, iterations, findings and what it remembers."""
    output = Output.from_options(options)
    state = session_of(options).state()
    if output.as_json:
        output.json(session_object(state, options.plan_version))
        return 0
    text, chosen = plan_markdown(state, options.plan_version), plan_version(state, options.plan_version)
    _show_head(state, output)
    if chosen and (line := headline(figures_of(state, chosen.plan))):
        output.line(line)
    output.line()
    reviewed = state.submissions[-1].text if state.submissions else ""
    output.markdown(text or reviewed or "No plan is drafted yet.")
    actions = shown_actions(state)
    rows = [(action.step, action.text, action.owner, action.due or "", action.check) for action in actions]
    _show_table(f"Actions{of_version(state, 'actions')}", ("step", "action", "owner", "by", "check"), rows, output)
    _show_deliverable(state, output)
    if said := statements_table(listed(state), state.plan):
        _show_table(said.title, said.columns, said.rows, output)
    _show_iterations(state, output)
    _show_findings(state, output)
    _show_memory(state, output)
    _show_spending(state, output)
    return 0


def _show_head(state: SessionState, output: Output) -> None:
    output.line(f"{state.session} · {state.name}", "bold")
    rating = f" · rated {state.rating.stars} of 5" if state.rating else ""
    outcome = f" · outcome: {state.outcome.outcome}" if state.outcome else ""
    saved = f" · saved as version {state.saved_version}" if state.saved_version else ""
    output.line(
        f"{state.status}{saved} · {counted(len(state.iterations), 'iteration')} · {spent_text(state)} · "
        f"{state.options.model} · {local_time(state.updated)}{rating}{outcome}",
        "dim",
    )
    if rules.older(state.rules):
        output.line(rules.told(state.rules), "dim")
    if state.gate is not None:
        output.line(f"▲ waits for you: {state.gate.question} Go on with: workbench resume {state.session}", "yellow")
    if state.failure is not None:
        output.line(f"✕ {state.failure.message} {state.failure.remedy}", "red")


def _show_deliverable(state: SessionState, output: Output) -> None:
    if text := shown_deliverable(state):
        output.heading(f"Deliverable{of_version(state, 'deliverable')}")
        output.markdown(text)


def _show_iterations(state: SessionState, output: Output) -> None:
    every = progress(state)
    if not every:
        return
    rows = [
        (
            str(one.number),
            percent(one.change),
            f"{one.major} + {one.minor}",
            str(one.open_statements),
            f"{one.sourced} of {one.steps}",
            "\n".join(result.key_insights),
        )
        for one, result in zip(every, state.iterations, strict=True)
    ]
    columns = ("nr", "changed", "findings", "statements open", "steps sourced", "insights")
    _show_table("Iterations", columns, rows, output, right=columns[:-1])
    if why := why_stopped(state):
        output.line(f"It stopped because {why}.", "dim")


def _remedy(finding: Finding) -> str:
    return f"disputed: {finding.disputed}" if finding.disputed else finding.remedy


def _show_findings(state: SessionState, output: Output) -> None:
    rows = [
        (f"V{number}", one.severity, one.section or "", one.text, _remedy(one))
        for number, one in enumerate(state.findings, 1)
    ]
    _show_table("Open findings", ("id", "severity", "section", "finding", "remedy"), rows, output)
    if offers := offers_of(state):
        from workbench.export.edits import repair_command  # few sessions have one

        offered = [(offer.repair.label, offer.consequence, repair_command(state, offer)) for offer in offers]
        _show_table("Repairs offered", ("repair", "consequence", "type"), offered, output)


def _show_memory(state: SessionState, output: Output) -> None:
    """Show what was read of files, what research found, and what is remembered."""
    files = [
        (f"file:{file.id}", local_time(file.time), file.read.to, f"{file.read.size:,}", reading_line(file.read))
        for file in state.files
    ]
    _show_table("Files", ("id", "time", "for", "bytes", "what was read"), files, output, right=("bytes",))
    found = [(one.gap, one.ref, one.text) for account in state.researched for one in account.found]
    _show_table("Research", ("looked up", "found", "begins with"), found, output)
    newest = {entity.name: entity for entity in state.entities}
    entities = [(name, local_time(one.time), f"{len(one.content):,}") for name, one in newest.items()]
    _show_table("Remembers", ("entity", "time", "characters"), entities, output, right=("characters",))


def _show_spending(state: SessionState, output: Output) -> None:
    if state.tokens_by:
        output.heading("Tokens")
        for who, tokens in tokens_tree(state):
            output.line(f"{tokens:>10,}  {who}")


def _show_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], output: Output, *, right: Sequence[str] = ()
) -> None:
    if rows:
        output.heading(title)
        output.table(columns, rows, right=right)


def rename_session(options: argparse.Namespace) -> int:
    """Give a session another name."""
    state = session_of(options).rename(options.name)
    return done(options, f"Renamed to {state.name}.", session=state.session, name=state.name)


def rate_session(options: argparse.Namespace) -> int:
    """Record a rating."""
    state = session_of(options).rate(options.stars, options.note, options.round)
    which = f"Round {options.round} is rated" if options.round else "Rated"
    return done(
        options, f"{which} {options.stars} of 5.", session=state.session, stars=options.stars, round=options.round
    )


def log_outcome(options: argparse.Namespace) -> int:
    """Record an outcome."""
    took = dict(options.took)
    state = session_of(options).log_outcome(options.outcome, options.note, forgot=options.forgot, took=took)
    return done(options, f"Outcome: {options.outcome}.", session=state.session, outcome=options.outcome)


def delete_session(options: argparse.Namespace) -> int:
    """Move a session to the trash."""
    session_of(options).delete()
    undo = f"workbench sessions restore {options.session}"
    return done(options, f"Moved to the trash. Undo with: {undo}", session=options.session, undo=undo)


def list_trash(options: argparse.Namespace) -> int:
    """List what is in the trash."""
    output, trashed = Output.from_options(options), existing_workspace(options).trash()
    schema = {"schema": "workbench.trashed/1"}
    return output.listing(
        (schema | {"session": one.stream, "reason": one.reason, "time": one.when, "file": one.name} for one in trashed),
        ("session", "why", "since", "file"),
        [(one.stream, one.reason, local_time(one.when), one.name) for one in trashed],
        empty="The trash is empty.",
    )


def restore_session(options: argparse.Namespace) -> int:
    """Bring a session back from the trash."""
    existing_workspace(options).restore(options.session)
    return done(options, f"Restored {options.session}.", session=options.session)


def empty_trash(options: argparse.Namespace) -> int:
    """Delete what is in the trash, for good, after a second yes."""
    workspace = existing_workspace(options)
    count = len(workspace.trash())
    if count and not (options.yes or Output.from_options(options).asks(f"Delete {counted(count, 'file')} for good?")):
        raise UsageError("Nothing was deleted.", "Say yes, or use --yes.")
    deleted = workspace.empty_trash()
    return done(options, f"{counted(deleted, 'file')} deleted for good.", deleted=deleted)


def repair_session(options: argparse.Namespace) -> int:
    """Keep what can be read of a damaged session; cut nothing off unasked that a newer version may have written."""
    _check_not_newer(options)
    repaired = session_of(options).repair(keep_nothing=options.keep_nothing)
    if repaired.aside is None:
        return done(options, "The session is sound; nothing was done.", session=options.session, kept=repaired.kept)
    kept = counted(repaired.kept, "event")
    said = (
        f"Kept {kept}; {counted(repaired.lost, 'line')} could not be read. The damaged file is in the trash, untouched."
    )
    return done(options, said, session=options.session, kept=repaired.kept, lost=repaired.lost)


def _check_not_newer(options: argparse.Namespace) -> None:
    """Ask before a repair cuts off what a newer version may have written. Raises UsageError if it shall not."""
    try:
        fold(session_of(options).events())
    except NotUnderstood as error:
        if not (
            options.yes
            or Output.from_options(options).asks(f"{error.message} Cut off that event and all that follows it?")
        ):
            remedy = "Update the workbench, and open the session again; or repair it with --yes, which cuts that off."
            raise UsageError(f"Nothing was repaired. {error.message}", remedy) from error
    except LogDamaged:
        return


def done(options: argparse.Namespace, sentence: str, **result: object) -> int:
    """Say in a sentence, or as JSON, what was done; return the exit code."""
    output = Output.from_options(options)
    if output.as_json:
        output.json({"schema": "workbench.done/1", **result})
    else:
        output.line(sentence)
    return 0
