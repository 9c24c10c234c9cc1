"""The key map in the documentation, from the bindings: ``python -m tests.key_map`` writes ``docs/keys.md``."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from workbench.tui.keymap import GROUPS, all_keys

FILE = Path(__file__).parent.parent / "docs" / "keys.md"
_HEAD = """\
# Keys

Generated from the bindings by `python -m tests.key_map`. F1 shows the keys of what has the focus, as they are set; ^P
lists all that can be done. Each can be set by its id, in your settings, `[keys]`, as `"app.new" = "f4"`. In
the input, letters are text: single letters act where the plan, a list or the gate has the focus.
"""


def written() -> str:
    """Return the page."""
    parts = [_HEAD]
    for group, keys in groupby(all_keys(), key=lambda key: key.group):
        rows = [
            f"| {key.shown.replace('|', chr(92) + '|')} | {key.tooltip or key.words} | `{key.id}` |" for key in keys
        ]
        parts.append("\n".join([f"## {GROUPS[group]}", "", "| key | what it does | id |", "|---|---|---|", *rows, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
