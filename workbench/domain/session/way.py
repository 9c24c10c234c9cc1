"""The way of a session through its decisions: where it can be rewound to, and forward again.

behind ─▶ here ─▶ ahead      places are seqs: the last event before a person decided something
p1 p2     tip                nothing rewound: the session stands at its newest event
p1        p2      tip        rewound by one: what was decided at p2 is undecided, and can be redone
p1 p2     new                decided otherwise: the old tip is off the way, and still in the log
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from workbench.domain.log.growing import Growing


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """The places that lead to where a session stands, and those that a rewind took back."""

    behind: Growing[int] = Growing()
    """The last decision last."""
    here: int = 0
    """The place that the session was rewound to and has not left since; 0 for its newest event."""
    ahead: tuple[int, ...] = ()
    """The nearest first."""

    def places(self, seq: int) -> tuple[int, ...]:
        """Return all of them in order, for a session whose newest event is ``seq``."""
        return (*self.behind, self.here or seq, *self.ahead)

    def decided(self, seq: int) -> Way:
        """Return the way behind a decision that was made after event ``seq``."""
        return Way(behind=self.behind.appended(self.here or seq))

    def left(self) -> Way:
        """Return the way of a session that goes on from where it was rewound to."""
        return replace(self, here=0, ahead=())

    def rewound(self, to: int, seq: int) -> Way | None:
        """Return the way of a session that stands at one of its places; None where ``to`` is none of them."""
        places = self.places(seq)
        if to not in places:
            return None
        place = places.index(to)
        return Way(behind=Growing(places[:place]), here=to, ahead=places[place + 1 :])
