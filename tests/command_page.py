"""The page about commands, from the examples of their grammar: ``python -m tests.command_page`` writes it."""

from __future__ import annotations

from pathlib import Path

from workbench.domain.commands.examples import EXAMPLES

FILE = Path(__file__).parent.parent / "docs" / "commands.md"
_HEAD = """\
# Commands

Generated from the examples of the grammar by `python -m tests.command_page`.

A command changes a plan exactly as it says, without a model. It is the same everywhere:

- in the application, a line in the input that begins with `:`; → completes it, and what it would do stands below
- `workbench edit ID 'COMMAND' …`, or `--file FILE`, with `-` for standard input
- `workbench status ID 'COMMAND'`, and `workbench resume ID --do 'COMMAND'` at a question
- `Session.edit("COMMAND")` in a program

You see what changes, and which dates move, before it is recorded. It acts in every state of a session: open, at a
question, while another process plans, stopped, finished, imported. Several commands are separated by `;`, a new line, a
comma or `and`; all of them are carried out, or none. An error names its place and what would work there.
"""
_FOOT = """\
## How values are read

- Dates: `3 May`, `2027-05-03`, `next Tue`, `Q2 2027`, `3-14 May`, in English or German. With `5/6/27` you are told
  that it could be another day. A date without a year is the next one; after `done` and `started`, the last one.
- Lengths: `2d`, `3w`, `30min`, `2mo`, `20 working days`. `5m` is refused: it could be minutes or months.
- Items: by id (`S3`, `step S3`), or by a quoted part of the title: `"posters" done`. If two fit, neither is taken; a
  whole title is its item's alone, even where it is a part of another title.
- People: `@Anna`, or a name after `owner`; with blanks in quotes. A part of a name that only one person has is enough.
- `is`, `are`, `to`, `the`, `=` and `:` may stand between the parts: `S3 is owned by Anna`.
- A text in quotes may hold quotes: `"say \\"no\\""`.
"""


def written() -> str:
    """Return the page."""
    parts = [_HEAD]
    for about, examples in EXAMPLES.items():
        rows = [f"| `{command}` | {meaning} |" for command, meaning in examples]
        parts.append("\n".join([f"## {about}", "", "| command | what it does |", "|---|---|", *rows, ""]))
    return "\n".join([*parts, _FOOT])


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
