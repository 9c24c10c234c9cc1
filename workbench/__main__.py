"""``workbench`` and ``python -m workbench``."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Run the command line and return its exit code."""
    gc.set_threshold(50_000)  # what a command makes it keeps: looking for garbage took a tenth of its time
    from workbench.cli import run_command

    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
