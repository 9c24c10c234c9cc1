"""How bodies written by older versions are read: one small step from each version to the next.

The log itself is never rewritten: its bytes, hashes and versions stay as they were, and the steps run while reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from workbench.domain.errors import LogDamaged

Step = Callable[[dict[str, Any]], dict[str, Any]]

STEPS: Mapping[tuple[str, int], Step] = {}
"""(kind, version) → the step to the next version."""


def upgrade(
    kind: str, version: int, current: int, body: msgspec.Raw, steps: Mapping[tuple[str, int], Step] = STEPS
) -> msgspec.Raw:
    """Return a stored body as the current version would have written it. Raises LogDamaged when a step is missing."""
    fields: dict[str, Any] = msgspec.json.decode(body)
    for number in range(version, current):
        step = steps.get((kind, number))
        if step is None:
            raise LogDamaged(
                f"Version {number} of {kind!r} is not known to any version of the workbench.",
                "Open the session with the version that wrote it.",
            )
        fields = step(fields)
    return msgspec.Raw(msgspec.json.encode(fields))
