"""What is too little to be a finding: nobody would do anything else for it. One threshold for each kind."""

from __future__ import annotations

from decimal import Decimal

SHORT_DAYS = 0.25
"""Working days that a step may have fewer than its likely effort: two hours, less than any estimate knows."""
LEAST_DAYS = 0.05
"""The same of its least effort, half an hour: whoever states a least means it."""
LACKING_MINUTES = 30
"""Minutes that somebody may lack at the end of a step: they stay a little longer on that day."""
OVERLAPPING_MINUTES = 15
"""Minutes in which two steps of one person may overlap: one hands over to the other, or is a call in between."""
LOAD = 1.05
"""Share of somebody's hours in a week or on a day above which there is too much to do: estimates are no more exact."""
LOAD_HOURS = 1.0
"""Hours above somebody's own in a week from which on that is told, whatever share they are."""
MONEY = Decimal("0.002")
"""Share of a limit that sums may be above it: 76 EUR of 38,000, less than any estimate knows."""
