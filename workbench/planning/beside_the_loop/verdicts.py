"""What a person says about a session from outside its loop: a name, a rating, an outcome. Needs no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.domain.errors import UsageError
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean, clean_name
from workbench.planning.session_log import SessionLog

NAME_LENGTH = 60
"""Characters of a session's name."""


def rename(session: SessionLog, name: str) -> None:
    """Give a session another name; its id stays. Raises UsageError."""
    session.record_given([say.SessionRenamed(name=usable_name(name))], actor="person")


def usable_name(name: str) -> str:
    """Return a name as sessions have them: clean and short. Raises UsageError for an empty one."""
    text = clean_name(name, NAME_LENGTH)
    if not text:
        raise UsageError("The name is empty.", "Give a name of at least one character.")
    return text


def capture_user_rating(session: SessionLog, stars: int, note: str = "", round_number: int = 0) -> None:
    """Record a person's rating, 1 to 5, of an iteration, or of the session as a whole (0). Raises UsageError."""
    if not 1 <= stars <= 5:
        raise UsageError(f"{stars} is not a rating.", "Rate with 1 to 5 stars.")
    rounds = len(session.refresh().iterations)
    if not 0 <= round_number <= rounds:
        done = f"1 to {rounds}" if rounds > 1 else "1" if rounds else "none yet"
        raise UsageError(f"There is no round {round_number} to rate.", f"Finished rounds: {done}.")
    session.record_given([say.RatingGiven(stars=stars, note=clean(note), round=round_number)], actor="person")


def log_outcome(
    session: SessionLog,
    outcome: str,
    note: str = "",
    *,
    forgot: Sequence[str] = (),
    took: Mapping[str, float] | None = None,
) -> None:
    """Record what became of the plan: success, partial or failure.

    ``forgot`` is what the plan had not thought of; ``took``: the working days of steps that took longer, or less.
    Raises UsageError.
    """
    plan = session.refresh().plan
    steps = {step.id for step in plan.steps} if plan is not None else set()
    for step, days in (took or {}).items():
        if step not in steps:
            raise UsageError(f"There is no step {clean_name(step)}.", "Name a step of the plan, as S4.")
        if not 0 < days <= 10_000:
            raise UsageError(f"{step} cannot take {days} days.", "Give working days, as S4=6.")
    match outcome:
        case "success" | "partial" | "failure":
            body = say.OutcomeLogged(
                outcome=outcome,
                note=clean(note),
                forgot=tuple(clean(text).strip() for text in forgot if text.strip()),
                took=tuple(say.Took(step, days) for step, days in (took or {}).items()),
            )
        case _:
            raise UsageError(f"{outcome!r} is not an outcome.", "Use success, partial or failure.")
    session.record_given([body], actor="person")
