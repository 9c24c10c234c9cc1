"""Plans that people have, read into plans of ours: nothing is dropped, and everything says what it became.

    text ─▶ format ─▶ its reader ─▶ Assembly ─▶ Imported: plan · fate of each line · guesses · not placed

``reading.import_plan`` is the way in. ``documents`` reads Markdown and text, by ``blocks`` and ``entries``; ``tables``
reads rows, of CSV, Markdown and JSON; ``marks`` reads a line, ``values`` a value. No reader understands sentences
(docs/adr/0050).
"""
