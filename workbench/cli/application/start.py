"""``workbench`` without a command, and ``workbench open``: the application, if there is a terminal for it."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from workbench.cli.parser import build_parser
from workbench.cli.streams import ending_on_hangup
from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean
from workbench.planning.trust import person
from workbench.version import VERSION

if TYPE_CHECKING:  # opened after the first paint
    from workbench.bootstrap import Workspace
    from workbench.tui.replay.replaying import Replayed


def start(options: argparse.Namespace) -> int:
    """Print the version, or open the application; if nobody sits at a terminal, say what can be done."""
    if options.version:
        print(f"workbench {VERSION}")
        return 0
    if not has_terminal():
        build_parser().print_help()
        return 0
    return open_application(options)


def open_application(options: argparse.Namespace, replayed: Replayed | None = None) -> int:
    """Open the application in the nearest workspace and return how it ended. Raises UsageError without a terminal.

    ``replayed`` is played; if that is not a session of a workspace, none is opened before something needs it.
    """
    if not has_terminal():
        raise UsageError("The application needs a terminal.", "Use `workbench run` or `workbench sessions` here.")
    from workbench.tui.pauses import hold_collection

    hold_collection()
    from workbench.cli.options import settings_of
    from workbench.settings import user_config_file
    from workbench.tui.app import WorkbenchApp

    def opened() -> Workspace:
        from workbench.cli.opening import open_workspace

        workspace = open_workspace(options)
        workspace.context = tuple(options.context)
        if options.session and options.context:
            workspace.session(options.session).read_files(options.context)
        return workspace

    app = WorkbenchApp(
        opened,
        session="" if replayed is not None else options.session,
        replayed=replayed,
        settings=settings_of(options),
        user_config=user_config_file(os.environ),
    )
    app.looks_for_models = True
    with ending_on_hangup(app.hang_up, lives_in_terminal=True):
        session = app.run()
    ended = app.failure or app.crash
    if ended is not None:
        raise ended
    if session and not is_in_browser():
        print(f"Saved. Go on with: workbench open {clean(session)}")
    return 0


def has_terminal() -> bool:
    """Tell whether somebody sits there, or in front of a browser."""
    return is_in_browser() or person.has_terminal()


def is_in_browser() -> bool:
    """Tell whether ``workbench serve`` started this process: its standard output is for the page."""
    return os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")
