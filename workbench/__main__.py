"""``workbench`` and ``python -m workbench``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    from workbench.cli import run_command

    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
