"""What one hands out of a session: one page, the verdict first.

    page.py ─▶ written.py   the page that a model wrote, filled with the program's dates and sums
       └─ the program's:    title · summary · Not settled · Steps · Hour by hour · Money · Risks · Who carries what · …
             └─ choice.py   what is left out, whole things only, where all would be too long

Each thing stands once, and nothing of how the plan came about. The form to edit is ``export/markdown.py``.
"""

from workbench.domain.handout.content import MOST_WORDS, words
from workbench.domain.handout.page import content_of, hand_out, page_to_verify, shown_document
from workbench.domain.handout.summary import document_of
from workbench.domain.handout.written import is_page, reference_lines

__all__ = [
    "MOST_WORDS", "content_of", "document_of", "hand_out", "is_page", "page_to_verify", "reference_lines",
    "shown_document", "words",
]  # fmt: skip
