"""Eight sessions, interleaved by a seed: whatever they do and whatever befalls them, the shared context holds.

Two seeds by default, a hundred with ``--full-counts``. A failure names its seed, and
``python -m tests.faults.simulation SEED`` repeats it.
"""

from collections import Counter

import pytest
from tests.faults.simulation import simulated

STEPS = 1_500
MANY = 101
HAPPENS = {
    "interleaved", "committed", "merged", "granted", "queued", "refused", "deaths", "unacknowledged", "Fenced",
    "LogBusy", "LogUnavailable", "snapshots spoiled", "archives",
}  # fmt: skip


@pytest.mark.full
@pytest.mark.untraced  # thousands of steps by chance over lines that tests/sharing reaches: tracing doubles their time
def test_whatever_befalls_eight_sessions_nothing_is_lost_or_there_twice():
    happened = Counter()
    for seed in range(1, MANY):
        figures, _ = simulated(seed, STEPS)
        happened += figures
        assert figures["events"] > STEPS / 4
    assert happened.keys() >= HAPPENS, "it happens in none of the runs"


@pytest.mark.full
def test_the_same_seed_gives_the_same_log_byte_for_byte():
    one, again, other = (simulated(seed, 300) for seed in (7, 7, 8))
    assert one == again
    assert one[1] != other[1]
