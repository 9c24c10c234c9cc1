"""What other programs offer to change in a plan: kept with the session, and carried out only when a person accepts it.

client ─▶ offer ─▶ changes.offered ─▶ a person ─┬▶ accept ─▶ offer.decided, status.reported: cause "client"
                                                 └▶ decline ─▶ offer.decided
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from workbench.domain.errors import UsageError
from workbench.domain.plan.changing.operations import Change, SetField
from workbench.domain.session import events as say
from workbench.domain.session.state import Offered, SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.planning.beside_the_loop.commanding import Commanded, as_client_changes, worked_out
from workbench.planning.beside_the_loop.reporting import record_changes
from workbench.planning.session_log import SessionLog

MOST_OF_AN_OFFER = 4_000
"""Characters of the commands of one offer, and of a message."""
MOST_OPEN = 20
"""Offers of one client that may wait for a person at a time."""
MOST_SAID, _LEAST_OF_A_MESSAGE = 40_000, 200
"""Characters that one client may say in a session, and those that a message counts at least."""
MOST_REPORTED = 2_000
"""Changes that one client may report in a session."""
_MOST_OF_A_NOTE = 400
_REPORTED = {"status", "started", "finished", "left", "progress"}
_FOLLOWING = {"start", "end"}
"""Dates follow from what is reported."""


def offer(session: SessionLog, client: str, text: str, reason: str, today: date) -> Offered:
    """Record what a client offers. Raises UsageError for what could not be done now, and if too much waits."""
    commands = _checked_text(text, "An offer")
    waiting = (one for one in session.refresh().offers if one.client == client and not one.decided)
    if same := next((one for one in waiting if one.text == commands), None):
        return same
    name = ""

    def bodies(state: SessionState) -> Sequence[say.Body]:
        nonlocal name
        if sum(one.client == client and not one.decided for one in state.offers) >= MOST_OPEN:
            raise UsageError(
                f"{MOST_OPEN} offers of {client} are waiting already.", "Wait until a person has decided about them."
            )
        if not as_client_changes(worked_out(state, commands, today), client).does_something:
            raise UsageError("These commands change nothing.", "Offer commands that change the plan.")
        name = f"O{len(state.offers) + 1}"
        why = clean_name(reason, _MOST_OF_A_NOTE)
        return (say.ChangesOffered(offer=name, client=client, text=commands, reason=why, version=state.version),)

    record_changes(session, bodies, actor=client)
    return next(one for one in session.state.offers if one.id == name)


def report(session: SessionLog, client: str, text: str, today: date, claimed: Mapping[str, str] | None = None) -> None:
    """Carry out what a client reports that a person allowed to report. Raises UsageError for more than a report.

    ``claimed``: the steps that others have claimed, and who; nobody else says how these stand.
    """
    commands = _checked_text(text, "A report")

    def bodies(state: SessionState) -> Sequence[say.Body]:
        done = as_client_changes(worked_out(state, commands, today), client)
        check_report(done)
        for step in (getattr(one.operation, "item", "") for one in done.changes if _is_reported(one)):
            if holder := (claimed or {}).get(step):
                raise UsageError(f"{holder} has claimed {step}.", "Leave its report to that one, or tell a person.")
        theirs = (one for version in state.versions for one in version.changes if one.cause.source == client)
        if len(done.changes) and sum(map(_is_reported, (*theirs, *done.changes))) > MOST_REPORTED:
            raise UsageError(f"{client} reported {MOST_REPORTED:,} changes already.", "Ask a person to go on.")
        return (say.StatusReported(text="", changes=done.changes),) if done.changes else ()

    record_changes(session, bodies, actor=client)


def check_report(done: Commanded) -> None:
    """Raise UsageError for commands that say more than how the work stands, or give something up."""
    operations = [change.operation for change in done.changes]
    fields = {one.field if isinstance(one, SetField) else "" for one in operations}
    gives_up = any(isinstance(one, SetField) and one.value == "dropped" for one in operations)
    is_more = (fields and not fields & _REPORTED) or not fields <= _REPORTED | _FOLLOWING
    if is_more or gives_up or done.marks or done.decision:
        raise UsageError(
            "A report only says how far steps are.", "Write it as in `S1 done`, and offer every other change."
        )


def _is_reported(change: Change) -> bool:
    return getattr(change.operation, "field", "") in _REPORTED


def tell(session: SessionLog, client: str, text: str) -> None:
    """Record what a client says to the people of a session. Raises UsageError if that is too much."""
    told = _checked_text(text, "A message")
    texts = (told, *(one.text for one in session.refresh().client_messages if one.client == client))
    if sum(max(len(one), _LEAST_OF_A_MESSAGE) for one in texts) > MOST_SAID:
        raise UsageError(f"{client} said {MOST_SAID:,} characters already.", "Say it in your own conversation.")
    session.record_given([say.ClientSaid(client=client, text=told)], actor=client)


def _checked_text(text: str, what: str) -> str:
    told = clean(text).strip()
    if not told or len(told) > MOST_OF_AN_OFFER:
        raise UsageError(f"{what} has 1 to {MOST_OF_AN_OFFER:,} characters.", "Say it in parts.")
    return told
