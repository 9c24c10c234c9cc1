"""Drafts for tests of logs: valid, small, and the same every time."""

import msgspec
from workbench.domain.log.envelope import Draft


def draft(
    number: int = 1, *, event_id: str = "", session: str = "s", body: bytes | None = None, cause: str = ""
) -> Draft:
    """A draft that tells which one it is by its body."""
    return Draft(
        kind="note.added",
        v=1,
        origin="given",
        session=session,
        agent=None,
        actor="person",
        person="ada",
        workspace="w-1",
        turn=1,
        cause=cause,
        time="2026-11-21T10:00:00.000000Z",
        body=msgspec.Raw(body if body is not None else b'{"number":%d}' % number),
        id=event_id,
    )


def drafts(first: int, last: int, *, session: str = "s") -> list[Draft]:
    return [draft(number, session=session) for number in range(first, last + 1)]


def anything(_state, _event) -> None:
    """Takes in every event: for repairing streams of these drafts, which are no sessions."""


def numbers(events) -> list[int]:
    return [msgspec.json.decode(event.body)["number"] for event in events]
