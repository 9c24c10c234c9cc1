"""Whether a log's hash chain holds, checked apart from the reader that checks it too."""

from workbench.domain.log.envelope import Head, first_broken_link, genesis
from workbench.storage.ports import EventLog


def is_sound(log: EventLog, stream: str) -> bool:
    """Tell whether numbers, bodies and chain of a stream hold. Raises LogDamaged where the reader finds that first."""
    return first_broken_link(log.read(stream), Head("", 0, genesis(stream))) is None
