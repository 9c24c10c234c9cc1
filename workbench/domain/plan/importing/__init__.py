"""Plans that people have, read into plans of ours: nothing is dropped, and everything says what it became.

    text ─▶ format ─▶ its reader ─▶ Assembly ─▶ Imported: plan · fate of each line · guesses · not placed

``import_plan`` is the way in. ``reading`` recognises the source, ``markups`` turns other markups into Markdown,
``documents`` reads Markdown and text of any shape, ``rows`` tables; ``headings``, ``work``, ``requests`` and
``judgement`` tell what is a step from what is not.
"""

from __future__ import annotations

from workbench.domain.plan.importing.imported import Fate, Imported, NotPlaced
from workbench.domain.plan.importing.reading import import_plan

__all__ = ["Fate", "Imported", "NotPlaced", "import_plan"]
