"""What one hands out of a session: one page of at most 2,000 words, summary first.

    page.py   title · summary · Not settled · Dates and money · Steps · Hour by hour · Risks · People · Assumptions
              summary.py        open_points.py   money.py     steps.py   tables.py ──────────────────────────────

Each thing stands once, and nothing of how the plan came about. The form to edit is ``export/markdown.py``.
"""

from workbench.export.handout.page import MOST_WORDS, hand_out, words

__all__ = ["MOST_WORDS", "hand_out", "words"]
