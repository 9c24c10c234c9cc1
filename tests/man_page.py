"""The man page, from the help of all commands: ``python -m tests.man_page`` writes it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from argparse_manpage.manpage import Manpage

FILE = Path(__file__).parent.parent / "docs" / "workbench.1"
_COLUMNS = "80"
_REQUEST = re.compile(r"\.(?:TH|SH|SS|TP|RS|RE|B|PP|br|nf|fi)\b")
_USAGE = re.compile(r"^(usage: .*(?:\n +.*)*)\n", re.MULTILINE)


def written() -> str:
    """Return the page, as troff; its heading has no date, so that it changes only with the commands."""
    os.environ["COLUMNS"] = _COLUMNS  # usage lines are wrapped to it
    from workbench.cli.parser import build_parser  # here: help is wrapped to what is set above

    parser = build_parser()
    parser.man_short_description = "plan with language models"  # type: ignore[attr-defined]  # as the library asks
    page = Manpage(parser, format="single-commands-section")
    page.source, page.manual, page.date = "workbench", "Planning workbench", ""
    text = "\n".join(map(_line, str(page).splitlines()))
    return _USAGE.sub(r".nf\n\1\n.fi\n", text) + "\n"


def _line(line: str) -> str:
    """Return a line that troff takes for a text if it is one, even where that begins with a dot."""
    is_text = line[:1] in (".", "'") and not _REQUEST.match(line)
    return f"\\&{line}".rstrip() if is_text else line.rstrip()


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
