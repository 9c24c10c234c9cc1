"""A plan as Markdown that people read and edit, and back again.

    Plan ──to_markdown──▶ # Title                                          ──from_markdown(base)──▶ Plan
                          ## Success criteria <!-- criteria -->
                          prose of the section
                          - C1 · No invoice is lost
                            - Measure: both ledgers, compared
                            - Target: 0 missing · Due: 2027-06-30
                          ## Steps
                          ### Preparation
                          - S1 · List every place that writes invoices
                            - Outcome: a list with the owner of each
                            - Owner: billing lead · Effort: 3 days (2–5)

``grammar`` holds what both directions share, ``writing`` and ``reading`` one direction each.
"""

from __future__ import annotations

from workbench.domain.plan.markdown.reading import from_markdown
from workbench.domain.plan.markdown.writing import section_to_markdown, to_markdown

__all__ = ["from_markdown", "section_to_markdown", "to_markdown"]
