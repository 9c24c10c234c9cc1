"""Plans that people have, read into plans of ours: nothing is dropped, and everything says what it became.

    text ─▶ format ─▶ its reader ─▶ Assembly ─▶ Imported: plan · fate of each line · guesses · not placed

``reading.import_plan`` is the way in: it recognises the source, ``markups`` turns other markups into Markdown,
``documents`` reads Markdown and text of any shape, ``rows`` tables; ``headings``, ``work``, ``requests`` and
``judgement`` tell what is a step from what is not.
"""
