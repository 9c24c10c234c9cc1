"""What other programs offer to change in a plan: kept with the session, and carried out only when a person accepts it.

client ─▶ offer ─▶ changes.offered ─▶ a person ─┬▶ accept ─▶ offer.decided, status.reported: cause "client"
                                                 └▶ decline ─▶ offer.decided
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from workbench.domain.errors import UsageError
from workbench.domain.plan.operations import SetField
from workbench.domain.session import events as say
from workbench.domain.session.state import Offered, SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.planning.commanding import Commanded, caused, worked_out
from workbench.planning.reporting import record_changes
from workbench.planning.session_log import SessionLog

MOST_OF_AN_OFFER = 4_000
"""Characters of the commands of one offer, and of a message."""
MOST_OPEN = 20
"""Offers of one client that may wait for a person at a time."""
MOST_SAID, _LEAST_OF_A_MESSAGE = 40_000, 200
"""Characters that one client may say in a session, and those that a message counts at least."""
_MOST_OF_A_NOTE = 400
_REPORTED = {"status", "started", "finished", "left", "progress"}
_FOLLOWING = {"start", "end"}
"""Dates follow from what is reported."""


def offer(session: SessionLog, client: str, text: str, reason: str, today: date) -> Offered:
    """Record what a client offers. Raises UsageError for what could not be done now, and where too much waits."""
    commands = _within(text, "An offer")
    name = ""

    def bodies(state: SessionState) -> Sequence[say.Body]:
        nonlocal name
        if not caused(worked_out(state, commands, today), client).does_something:
            raise UsageError("That changes nothing.", "Offer commands that change the plan.")
        if sum(one.client == client and not one.decided for one in state.offers) >= MOST_OPEN:
            raise UsageError(f"{MOST_OPEN} offers of {client} wait already.", "Wait until a person decided about them.")
        name = f"O{len(state.offers) + 1}"
        why = clean_name(reason, _MOST_OF_A_NOTE)
        return (say.ChangesOffered(offer=name, client=client, text=commands, reason=why, version=state.version),)

    record_changes(session, bodies, actor=client)
    return next(one for one in session.state.offers if one.id == name)


def report(session: SessionLog, client: str, text: str, today: date) -> None:
    """Carry out what a client reports that a person allowed to report. Raises UsageError for more than a report."""
    commands = _within(text, "A report")

    def bodies(state: SessionState) -> Sequence[say.Body]:
        done = caused(worked_out(state, commands, today), client)
        if not _is_report(done):
            raise UsageError("That is more than a report.", "Say how steps stand, as in `S1 done`, or offer it.")
        return (say.StatusReported(text="", changes=done.changes),)

    record_changes(session, bodies, actor=client)


def _is_report(done: Commanded) -> bool:
    """Tell whether commands say no more than how the work stands, and give nothing up."""
    operations = [change.operation for change in done.changes]
    fields = {one.field if isinstance(one, SetField) else "" for one in operations}
    gives_up = any(isinstance(one, SetField) and one.value == "dropped" for one in operations)
    return bool(fields & _REPORTED) and fields <= _REPORTED | _FOLLOWING and not gives_up


def tell(session: SessionLog, client: str, text: str) -> None:
    """Record what a client says to the people of a session. Raises UsageError where that is too much."""
    told = _within(text, "A message")
    texts = (told, *(one.text for one in session.refresh().client_messages if one.client == client))
    if sum(max(len(one), _LEAST_OF_A_MESSAGE) for one in texts) > MOST_SAID:
        raise UsageError(f"{client} said {MOST_SAID:,} characters already.", "Say it in your own conversation.")
    session.record_given([say.ClientSaid(client=client, text=told)], actor=client)


def _within(text: str, what: str) -> str:
    told = clean(text).strip()
    if not told or len(told) > MOST_OF_AN_OFFER:
        raise UsageError(f"{what} has 1 to {MOST_OF_AN_OFFER:,} characters.", "Say it in parts.")
    return told
