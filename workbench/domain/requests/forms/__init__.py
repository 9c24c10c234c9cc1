"""The ways in which people ask for something, by what it concerns, in the order in which they are tried."""

from workbench.domain.requests.form import Form
from workbench.domain.requests.forms import (
    additions,
    contents,
    controls,
    cues,
    frames,
    general,
    people,
    schedule,
    statuses,
    steps,
)

FORMS: tuple[Form | frames.Frame, ...] = (
    *controls.FORMS,
    *general.SURE,
    *frames.FRAMES,
    *cues.CUES,
    *contents.LINKS,
    *contents.SETTLED,
    *additions.HOMES,
    *additions.APPROVALS,
    *statuses.FORMS,
    *people.TIMES,
    *steps.FORMS,
    *schedule.EFFORTS,
    *contents.MONEY,
    *schedule.DATES,
    *people.OWNERS,
    *contents.FORMS,
    *additions.FORMS,
    *general.OTHERS,
)
"""The first that fits answers."""
