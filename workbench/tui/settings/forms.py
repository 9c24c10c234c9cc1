"""What a person says of a session, and sets, as forms: status, rating, outcome, trust, models and limits.

Each makes the call of the command of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from textwrap import dedent
from typing import TYPE_CHECKING

from workbench.domain.errors import UsageError
from workbench.domain.plan.figures import short_day
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.patterns import lazy_pattern
from workbench.tui.form import Box, Form, Values
from workbench.tui.settings.preferences import Preference
from workbench.tui.told import counted

if TYPE_CHECKING:
    from workbench.bootstrap import Session, Workspace
    from workbench.export.edits import MovedDate
    from workbench.settings import Settings

_OUTCOMES = ("success", "partial", "failure")
_RATING = lazy_pattern(r"([1-5])(?:\s*+(?:of|in)?\s*+(?:round|r)\s*+(\d{1,4}))?")
SET_HERE = {
    "iterations": "rounds before it asks whether to go on, 1 to 100",
    "checkpoint": "a checkpoint after every so many rounds",
    "max_tokens": "tokens a session may spend before it asks",
    "max_cost": "US dollars a session may spend before it asks",
    "max_time": "seconds of model time before it asks",
    "max_calls": "model calls before it asks",
}
"""Settings that a person changes in the application, with what they are."""


def status_form(session: Session, today: date, said: str = "") -> Form:
    """Return the form for how the work stands, said as commands."""
    from workbench.domain.commands.errors import NoCommand  # not for the first paint
    from workbench.export.edits import moves_of, preview_line, refusal

    def preview(values: Values) -> Sequence[str]:
        try:
            commanded = session.preview_edit(_said(values), today=today)
        except NoCommand as error:
            raise refusal(session.state(), _said(values), error) from error
        if not commanded.does_something:
            raise UsageError("Nothing changes: the plan says so already.")
        return [preview_line(commanded), *map(_moved, moves_of(commanded))]

    def record(values: Values) -> str:
        try:
            state = session.edit(_said(values), today=today)
        except NoCommand as error:
            raise refusal(session.state(), _said(values), error) from error
        if state.changing:
            return "Recorded; the process that drives the session changes the plan next."
        return f"Recorded as version {state.version} of the plan: {shorten(_said(values), 60)}."

    about = "S3 done · S4 takes 5d · @Anna away 3-14 May · all late 1w · replan"
    return Form(
        "How does the work stand?",
        about,
        record,
        (Box("said", "what is done, late or changed", said, begins=bool(said)),),
        preview,
        previews_at_once=bool(said),
    )


def steps_form(session: Session, today: date, lines: str, place: str) -> Form:
    """Return the form for lines that were pasted, each of them a step: one change, undone at once."""
    from workbench.export.edits import moves_of  # not for the first paint
    from workbench.planning.beside_the_loop.commanding import adding

    def commands(values: Values) -> str:
        return adding(session.state(), values["lines"], today, place)

    def preview(values: Values) -> Sequence[str]:
        commanded = session.preview_edit(commands(values), today=today)
        known = {step.id for step in commanded.before.steps}
        new = [step.id for step in commanded.plan.steps if step.id not in known]
        ends = [_moved(one) for one in moves_of(commanded) if not one.step]
        return [f"{counted(len(new), 'step')}: {new[0]} to {new[-1]}" if new else "No step.", *ends]

    def record(values: Values) -> str:
        state = session.edit(commands(values), today=today)
        return f"The steps are added, as version {state.version} of the plan; one undo takes all of them back."

    box = Box("lines", "a step on each line", dedent(lines.expandtabs(4)), is_long=True)
    about = "Each follows the one before it, as steps of your own do at the beginning."
    return Form("Add a step for each line?", about, record, (box,), preview, "add them", previews_at_once=True)


def verdict_form(session: Session, state: SessionState) -> Form:
    """Return the form for a rating, and for what became of the plan."""

    def record(values: Values) -> str:
        rating, given = values["rating"], values["outcome"].casefold()
        outcome = next((one for one in _OUTCOMES if given and one.startswith(given)), given)
        forgot = [part.strip() for part in values["forgot"].split(";") if part.strip()]
        took = _days_by_step(values["took"])
        rated = _RATING.fullmatch(rating.casefold())
        if rating and rated is None:
            raise UsageError(f"{rating[:40]!r} is not a rating.", "Give 1 to 5, or of a round: 4 round 2.")
        is_outcome = bool(outcome or forgot or took)
        if not rating and not is_outcome:
            raise UsageError("Nothing is filled in.", "Give a rating, an outcome, or both.")
        done = []
        if is_outcome:
            session.log_outcome(outcome, values["note"], forgot=forgot, took=took)
            done.append(f"Outcome: {outcome}.")
        if rated is not None:
            round_number = int(rated[2] or 0)
            session.rate(int(rated[1]), "" if is_outcome else values["note"], round_number)
            done.append(f"{f'Round {round_number} is rated' if round_number else 'Rated'} {rated[1]} of 5.")
        return " ".join(done)

    boxes = (
        Box("rating", "rating: 1 to 5, or of a round: 4 round 2"),
        Box("outcome", "outcome: success, partial or failure"),
        Box("forgot", "what the plan had not thought of; several with ;"),
        Box("took", "working days that steps took: S4=6, S5=2"),
        Box("note", "a note"),
    )
    known = [f"Rated {state.rating.stars} of 5 so far."] if state.rating is not None else []
    known += [f"Outcome so far: {state.outcome.outcome}."] if state.outcome is not None else []
    about = "What later sessions learn from. Leave empty what you do not know."
    return Form("Rate the plan, and say what became of it", about, record, boxes, shown=tuple(known))


def trust_form(workspace: Workspace) -> Form:
    """Return what was accepted for the workspace, and the way to take it back."""
    accepted = workspace.accepted()
    shown = [f"{name}: {value}" for name, value in accepted.settings.items()]
    shown += ["model " + " at ".join(part for part in pair if part) for pair in accepted.models]
    shown += [f"log server {log}" for log in accepted.logs] + [f"folder of {owner}" for owner in accepted.owners]

    def record(_values: Values) -> str:
        workspace.revoke()
        return "Nothing is accepted any more for this workspace."

    if not shown:
        return Form("Trust", "Nothing was accepted for this workspace.", lambda _values: "", verb="close")
    about = "You accepted this for this workspace: it may spend, send or run."
    return Form("Trust", about, record, verb="take all of it back", shown=tuple(shown))


def programs_form(workspace: Workspace) -> Form:
    """Return the form for what other programs may do: the same as ``workbench mcp allow`` and ``deny``."""
    from workbench.bootstrap.clients import PERMISSIONS, allow, allowed, client_name, deny

    known: dict[tuple[str, str], list[str]] = {}
    for name, session, permission in allowed(workspace):
        known.setdefault((name, session), []).append(permission)
    shown = [f"{name} may {', '.join(may)} in {session or 'all'}" for (name, session), may in known.items()]

    def asked(values: Values) -> tuple[str, str, list[str], list[str]]:
        """Return the program, the session or "" for all, and what it may and may no longer do there."""
        name, where = str(client_name(values["program"])), values["where"].casefold()
        session = "" if where == "all" else str(workspace.session(values["where"]).id)
        wanted = values["may"].casefold().replace(",", " ").split()
        if unknown := [one for one in wanted if one not in PERMISSIONS]:
            raise UsageError(f"There is no permission {unknown[0][:20]!r}.", f"Name some of: {', '.join(PERMISSIONS)}.")
        return name, session, wanted, [one for one in known.get((name, session), ()) if one not in wanted]

    def preview(values: Values) -> Sequence[str]:
        name, session, wanted, gone = asked(values)
        where = f"in {session}" if session else "in all sessions that are not private"
        lines = [f"{name} may {', '.join(wanted) or 'do nothing'} {where}."]
        return lines + ([f"It may no longer: {', '.join(gone)}."] if gone else [])

    def record(values: Values) -> str:
        name, session, wanted, gone = asked(values)
        allow(workspace, name, wanted, session)
        deny(workspace, name, gone, session)
        return preview(values)[0]

    boxes = (
        Box("program", "program", is_named=True, example="claude, as --client names it"),
        Box("may", "may", is_named=True, example="read offer report"),
        Box("where", "in", "all", is_named=True, example="all, or a session's id"),
    )
    about = "read: plans and what is shared. offer: changes that you decide about. report: how steps stand, at once."
    about += " An empty line takes all back."
    return Form("What other programs may do", about, record, boxes, preview, "allow", tuple(shown))


def setting_form(settings: Settings, name: str, keep: Callable[[str, Preference], None]) -> Form:
    """Return the form for one setting; ``keep`` is given its new value, None for the default, in the form's thread."""
    from workbench.settings import setting_value

    def record(values: Values) -> str:
        value = setting_value(name, values["value"]) if values["value"] else None
        keep(name, value)
        return f"{name} is {'the default' if value is None else value} for sessions that begin from now on."

    now = getattr(settings, name)
    words, source = SET_HERE[name], settings.sources.get(name, "default")
    about = f"{words[:1].upper()}{words[1:]}; empty for the default. From {source}."
    box = Box("value", SET_HERE[name], "" if now is None else str(now))
    return Form(name, about, record, (box,), verb="keep")


def _said(values: Values) -> str:
    if not values["said"]:
        raise UsageError("Nothing is written.", "Write how the work stands, as: S3 done.")
    return values["said"]


def _moved(one: MovedDate) -> str:
    return f"{one.step or 'the plan'} ends {_day(one.was)} → {_day(one.now)}"


def _day(day: date | None) -> str:
    return short_day(day) if day else "–"


def _days_by_step(given: str) -> dict[str, float]:
    """Return how many working days each step took, written as ``S4=6, S5=2``."""
    took = {}
    for part in filter(None, (part.strip() for part in given.split(","))):
        step, _, days = part.partition("=")
        try:
            took[step.strip().upper()] = float(days)
        except ValueError:
            raise UsageError(f"{part[:40]!r} names no step with its days.", "Write S4=6, S5=2.") from None
    return took
