"""A plan in which items of most kinds say most of what they can, as Markdown; and a session that has it."""

from __future__ import annotations

from datetime import date

from tests.builders import created, plan_changed, told
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.session.session import SessionState, fold

TODAY = date(2026, 3, 2)

TEXT = """\
# Village market

## Goal

The market is open on 29 May 2026.

## Criteria

- C1 · Stalls are let
  - Measure: signed contracts
  - Target: 20 · Due: 2026-05-22
  - From: goal, confirmed by Ada

## Constraints

- K1 · At most 14,000 EUR
  - Limits: amount · At most: 14000 EUR · From: answer A1
- K2 · Open by 29 May 2026
  - Limits: date · Day: 2026-05-29

## Scope

- B1 · Must: stalls and a stage
  - Answers: C1 · From: model

## People

- P1 · Anna
  - Role: organiser · Hours: 20 a week · Weekdays: Mon, Tue, Wed, Thu, Fri
  - Away: 2026-03-16 – 2026-03-20
  - From: person
- P2 · Ben
  - Weekdays: Mon, Tue

## Calendar

- W1 · Working time
  - Weekdays: Mon, Tue, Wed, Thu, Fri
- H1 · Public holidays
  - Days: 2026-04-03, 2026-04-06, 2026-05-01
  - Country: DE

## Steps

### Ground

- S1 · Rent the square
  - Outcome: a signed contract
  - Check: the town's letter
  - Owner: Anna · Effort: 2 days (1–4) · Start: 2026-03-02 · End: 2026-03-05
  - Cost: 1200.10 EUR · For: rent
  - Status: done · Started: 2026-03-02 · Finished: 2026-03-05
  - Tags: town, paper
  - Notes: ask for Mr Vogt
  - From: feedback F1, confirmed by Ada
- S2 · Let the stalls
  - Owner: Anna · Start: 2026-03-06 · End: 2026-03-25
- S3 · Write to last year's sellers
  - Owner: Anna · Effort: 2 days · Start: 2026-03-06 · End: 2026-03-09
  - Cost: 99.90 EUR · For: post
  - Status: under-way · Started: 2026-03-06 · Left: 1 day
  - Part of: S2
  - Needs: S1
- S4 · Sign the contracts
  - Owner: Anna · Effort: 3 days (2–6) · Start: 2026-03-10 · End: 2026-03-25
  - Part of: S2
  - Needs: S3
- S5 · Wait for the permit
  - Wait: 28 days · Start: 2026-03-06 · End: 2026-04-03
  - Needs: S1 · Answers: K2

### Fair

- S6 · Put up the stage
  - Owner: Ben · Effort: 2 days (1–3) · Start: 2026-05-25 · End: 2026-05-26
  - Mode: alone · Priority: high
  - Not before: 2026-05-25 · Deadline: 2026-05-28
  - Cost: 11000 EUR · For: stage
  - Needs: S4, S5 + 2 days
- S7 · The market is open
  - Milestone: yes · Start: 2026-05-29 · End: 2026-05-29
  - On: 2026-05-29
  - Needs: S6
- S8 · Print a newspaper
  - Only if: the school helps
  - Cost: 300 EUR
  - Status: dropped

## Risks

- R1 · It rains
  - Likelihood: high · Impact: low
  - Sign: the forecast of the week
  - Response: tents for all
  - Answers: C1 · From: practice market

## Decisions

- D1 · No fireworks
  - Reason: the stork's nest
  - Answers: K1

## Questions

- Q1 · Who opens it?
  - Assumption: the mayor
  - Owner: Anna
"""

PLAN = from_markdown(TEXT, Plan(title=""))


def state_with(plan: Plan) -> SessionState:
    """Return a session that has come to this plan."""
    return fold(told(created(), plan_changed(version=1, plan=plan)))
