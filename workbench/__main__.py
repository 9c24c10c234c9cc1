"""``workbench`` and ``python -m workbench``."""

from __future__ import annotations

import gc
import os
import signal
import sys

INTERRUPTED = 130
"""What shells expect of a program that ended by Ctrl+C."""


def main() -> int:
    """Run the command line and return its exit code. After Ctrl+C no thread that is still busy is waited for."""
    hears = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if hears:  # nothing is begun yet: what is imported now would answer with a traceback
        signal.signal(signal.SIGINT, _end)
    gc.set_threshold(50_000)  # what a command makes it keeps: looking for garbage took a tenth of its time
    from workbench.cli import run_command
    from workbench.cli.streams import ending_after_interrupt

    code = INTERRUPTED
    try:
        if hears:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with ending_after_interrupt():
            code = run_command(sys.argv[1:])
        if code == INTERRUPTED:
            _end()
    except KeyboardInterrupt:  # once more, while it ended
        _end()
    return code


def _end(_signal: int = 0, _frame: object = None) -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError, RuntimeError):  # nobody reads, or it is just being written
        pass
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
