"""``workbench`` without a command."""

from __future__ import annotations

import argparse

from workbench.bootstrap import workbench_version
from workbench.cli.parser import build_parser


def start(options: argparse.Namespace) -> int:
    """Print the version, or what can be done."""
    if options.version:
        print(f"workbench {workbench_version()}")
        return 0
    build_parser().print_help()
    return 0
