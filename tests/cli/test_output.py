"""What a command prints, in a terminal."""

from __future__ import annotations

import io
import subprocess
import sys

from rich.console import Console
from workbench.cli.output import Output


def test_what_markdown_decodes_is_cleaned_again() -> None:
    output, written = Output(as_json=False), io.StringIO()
    output.is_rich, output._console = True, Console(file=written, width=80)
    output.markdown("# a&#x202e;b\n\n- c&#12;d **e&ZeroWidthSpace;f** [g&rlm;h](http://x)\n\n| i&#x2066;j |\n|---|\n")
    for shown in ("a⟨U+202E⟩b", "c␌d", "e⟨U+200B⟩f", "g⟨U+200F⟩h", "i⟨U+2066⟩j"):
        assert shown in written.getvalue()
    assert not {"\u202e", "\u200b", "\u200f", "\u2066", "\x0c", "\x1b"} & set(written.getvalue())


def test_no_line_of_somebody_elses_words_begins_where_the_commands_own_do() -> None:
    written = io.StringIO()
    output = Output(as_json=False)
    output.is_rich, output._console = True, Console(file=written, width=30)
    output.indented("why: Anna is away until May O9 · you · accepted\n漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字")
    lines = written.getvalue().splitlines()
    assert len(lines) >= 4
    assert all(line.startswith("  ") for line in lines)


def test_a_librarys_warning_is_not_shown() -> None:
    """It is for programmers, and can quote what a server sent, a key among it."""
    code = "from workbench.__main__ import main; import warnings; main(); warnings.warn('sent-by-a-server')"
    shown = subprocess.run(
        [sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=True, timeout=60
    )
    assert shown.stdout.startswith("workbench ")
    assert "sent-by-a-server" not in shown.stderr
