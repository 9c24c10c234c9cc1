"""The man page is made of the help of the commands, and nothing in it is lost to troff."""

from __future__ import annotations

import re
import sys

from tests.man_page import FILE, written
from workbench.cli.commands import commands


def test_the_page_is_made_of_the_commands() -> None:
    if sys.version_info[:2] == (3, 11):  # others wrap help in another way
        assert FILE.read_text(encoding="utf-8") == written()


def test_it_has_every_command_and_no_line_of_help_is_taken_for_a_request() -> None:
    page = FILE.read_text(encoding="utf-8")
    for command in commands():
        assert f"fBworkbench {command.name}".replace("-", "\\-") in page
    assert {line.split()[0] for line in page.splitlines() if line.startswith(".")} <= {
        *(".TH", ".SH", ".SS", ".TP", ".RS", ".RE", ".B", ".nf", ".fi"),
    }
    assert re.search(r"^\\&\.workbench/", page, re.MULTILINE)
