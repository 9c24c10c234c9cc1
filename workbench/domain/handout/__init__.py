"""What one hands out of a session: one page of at most 2,500 words, summary first.

    page.py ─▶ title · summary · Not settled · Dates and money · Steps · Hour by hour · Risks · Who carries what · …
       └─ choice.py ─▶ what is left out, whole things only, where all would be too long

Each thing stands once, and nothing of how the plan came about. The form to edit is ``export/markdown.py``.
"""

from workbench.domain.handout.page import MOST_WORDS, hand_out, words

__all__ = ["MOST_WORDS", "hand_out", "words"]
