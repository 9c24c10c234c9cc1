"""What became of a change that a session asked for."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from workbench.domain.errors import UsageError
from workbench.domain.shared.context import ContextEvent, losers_as_objects, lost, plain
from workbench.domain.shared.merge import Loser

INVALID = "invalid-input"


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """Committed as asked for, merged with what was changed meanwhile, or refused."""

    outcome: Literal["committed", "merged", "refused"]
    key: str
    value: Any = None
    """As the key stands now; null where it has none."""
    version: int = 0
    """The key's; 0 where nothing was changed."""
    rule: str
    losers: tuple[Loser, ...] = ()
    merged_with: str = ""
    """The session whose change it was merged with."""
    event: ContextEvent | None = None
    """The change as it stands in the log; None where nothing was changed."""
    why: str = ""
    """Why it was refused."""
    remedy: str = ""

    @classmethod
    def refused(cls, key: object, error: UsageError) -> Outcome:
        """Return the outcome of what could not be let in."""
        shown = key if isinstance(key, str) else ""
        return cls(outcome="refused", key=shown, rule=INVALID, why=error.message, remedy=error.remedy)

    @classmethod
    def of(cls, event: ContextEvent, merged_with: str) -> Outcome:
        """Return the outcome that a change in the log is."""
        is_plain = event.rule == "unchanged"
        return cls(
            outcome="committed" if is_plain else "merged",
            key=event.key,
            value=plain(event.value),
            version=event.version,
            rule=event.rule,
            losers=event.losers,
            merged_with="" if is_plain else merged_with,
            event=event,
        )

    def as_object(self) -> dict[str, Any]:
        """Return it as JSON values."""
        found = {
            "key": self.key,
            "value": self.value,
            "version": self.version,
            "outcome": self.outcome,
            "rule": self.rule,
            "loser": plain(lost(self.losers)),
            "losers": losers_as_objects(self.losers),
            "merged_with": self.merged_with or None,
            "event_id": self.event.event_id if self.event else None,
        }
        return found | ({"error": self.why} if self.why else {})
