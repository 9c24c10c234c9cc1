"""Versions of a plan, chosen from a list: two to compare, or one to undo to."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from workbench.domain.plan.changing.change import percent
from workbench.domain.plan.changing.history import change_texts
from workbench.domain.session.state import PlanVersion
from workbench.domain.text.cleaning import clean_name
from workbench.tui.lines import Row, cut, joined, spread, text
from workbench.tui.marks import DIM
from workbench.tui.told import local_day, local_time

ORIGINAL = "original"
"""Key of the row of the session that a fork comes from."""


def version_rows(versions: Sequence[PlanVersion], first: int, original: str, width: int) -> list[Row]:
    """Return the versions, the newest first, without the one that was chosen as the ``first`` of two; 0 for none.

    Before them stands what a fork comes from: ``original`` is what that is called, "" for nothing.
    """
    rows = [_row(version, versions, width) for version in reversed(versions) if version.version != first]
    told = joined(clean_name(original, 200), text("  this fork's original, as it is now", DIM))
    return [Row((cut(told, width),), key=ORIGINAL), *rows] if original else rows


def _row(one: PlanVersion, versions: Sequence[PlanVersion], width: int) -> Row:
    did = done_in(one, versions) if one.version > 1 else "first draft"
    changed = f"changed {percent(one.change)} · " if one.version > 1 else ""
    facts = text(f"{changed}by {clean_name(one.by)} · {local_day(one.time)}", DIM)
    return Row((spread(joined(text(f"v{one.version}  "), did), facts, width),), key=str(one.version))


_DATES = ("start", "end")  # fields that follow from others


def done_in(one: PlanVersion, versions: Sequence[PlanVersion]) -> str:
    """Return what was done to make a version, the first change in words; without the dates that followed."""
    before = next((made.plan for made in versions if made.version == one.version - 1), one.plan)
    made = [change.operation for change in one.changes if getattr(change.operation, "field", "") not in _DATES]
    did = change_texts(made, before)
    more = f" · {len(did) - 1} more" if len(did) > 1 else ""
    return clean_name(f"{did[0]}{more}" if did else "new dates", 300)


def undo_rows(versions: Sequence[PlanVersion], to_undo: Collection[str], saved: int, width: int) -> list[Row]:
    """Return a row for each change that can be undone, by the version before it: all since then goes.

    ``to_undo`` are the versions that can be; ``saved`` is the one that was saved last, 0 for none.
    """
    rows = []
    for one in reversed([made for made in versions if str(made.version) in to_undo]):
        note = " · before it was saved" if one.version <= saved else ""
        right = text(f"{clean_name(one.by)} {local_time(one.time)}{note}", DIM)
        line = spread(joined(text(f"v{one.version}  ", DIM), done_in(one, versions)), right, width)
        rows.append(Row((line,), key=str(one.version - 1)))
    return rows
