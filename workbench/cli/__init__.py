"""The command line: the same core as the application, with JSON output and real exit codes.

    argv ─▶ parser ─▶ one command ─▶ one call into the core ─▶ Output (plain, rich or JSON)
                          └─ WorkbenchError ─▶ one sentence and its remedy on standard error, and its exit code

Exit codes: 0 done, 1 failed, 2 wrong use, 3 waiting for a person, 130 interrupted (everything is kept).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.cli.streams import INTERRUPTED, INTERRUPTED_TOLD, ending_on_hangup, make_streams_usable, nowhere

if TYPE_CHECKING:  # a version is printed without
    import argparse


def run_command(argv: Sequence[str]) -> int:
    """Run one command and return its exit code. No traceback ever reaches the person."""
    make_streams_usable()
    try:
        with ending_on_hangup():
            code = _code_of(argv)
            sys.stdout.flush()
    except BrokenPipeError:  # the reader (head, less) has seen enough
        sys.stdout = nowhere("w")
        return 0
    except KeyboardInterrupt:
        sys.stderr.write(INTERRUPTED_TOLD)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the edge of the program: everything ends in one sentence here
        code = _report_error(error)
        try:
            sys.stdout.flush()
        except OSError:  # told, or of no interest any more: Python would tell it again
            sys.stdout = nowhere("w")
    return code


def _code_of(argv: Sequence[str]) -> int:
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may come next
        from workbench.cli.completion import complete

        complete()
    try:
        return _print_version() if list(argv) == ["--version"] else _run(_parsed(argv))
    except SystemExit as stop:  # argparse: help and version end with 0, wrong use with 2
        return stop.code if isinstance(stop.code, int) else 2


def _print_version() -> int:
    from workbench.version import VERSION

    print(f"workbench {VERSION}")
    return 0


def _parsed(argv: Sequence[str]) -> argparse.Namespace:
    from workbench.cli.parser import build_parser

    return build_parser(argv[0] if argv else "").parse_args(argv)


def _run(options: argparse.Namespace) -> int:
    """Run a command; where it waits for the person to accept something, ask, and run it again."""
    accepted = []
    while True:
        try:
            code: int = options.run(options)
        except Exception as error:
            from workbench.cli.set_up.trust import accepts

            request = accepts(error, options)
            if request is None or request in accepted:
                raise
            accepted.append(request)
        else:
            return code


def _report_error(error: Exception) -> int:
    from workbench.cli.failure import tell

    return tell(error)
