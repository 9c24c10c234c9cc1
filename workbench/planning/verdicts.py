"""What a person says about a session from outside its loop: a name, a rating, an outcome. Needs no model."""

from __future__ import annotations

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


def capture_user_rating(session: SessionLog, stars: int, note: str = "") -> None:
    """Record a person's rating, 1 to 5. Raises UsageError."""
    if not 1 <= stars <= 5:
        raise UsageError(f"{stars} is not a rating.", "Rate with 1 to 5 stars.")
    session.record_given([say.RatingGiven(stars=stars, note=clean(note))], actor="person")


def log_outcome(session: SessionLog, outcome: str, note: str = "") -> None:
    """Record what became of the plan: success, partial or failure. Raises UsageError."""
    match outcome:
        case "success" | "partial" | "failure":
            body = say.OutcomeLogged(outcome=outcome, note=clean(note))
        case _:
            raise UsageError(f"{outcome!r} is not an outcome.", "Use success, partial or failure.")
    session.record_given([body], actor="person")
