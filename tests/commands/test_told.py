"""What commands change is told in the units in which a person says it."""

from __future__ import annotations

import pytest
from tests.commands.plans import PLAN, parsed
from workbench.domain.plan.changing.history import change_texts


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("S3 takes 6h", "S3 effort: 2 days (1–3) → 6 h"),
        ("S3 takes 30min", "S3 effort: 2 days (1–3) → 30 min"),
        ("S3 effort 1-2-4h", "S3 effort: 2 days (1–3) → 2 h (1–4)"),
        ("S3 duration 6w", "S3 duration: – → 6 weeks elapsed"),
        ("S3 duration 10d", "S3 duration: – → 10 days elapsed"),
        ("S3 duration 10 working days", "S3 duration: – → 10 working days"),
        ("S3 wait 10 working days", "S3 wait: – → 10 working days"),
        ("S3 takes 3d", "S3 effort: 2 days (1–3) → 3 days"),
        ("@Ben hours 10/day on 26 Jan", "P1 capacity: – → 10 h on 2027-01-26"),
        ("@Ben hours 8/week from 1 Feb to 28 Feb", "P1 capacity: – → 8 h a week from 2027-02-01 until 2027-02-28"),
    ],
)
def test_a_change_is_told_in_the_units_of_a_person(said, shown):
    assert change_texts(parsed(said).operations, PLAN) == (shown,)
