"""``workbench`` and ``python -m workbench``."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # ``signal`` takes long to import: until then Ctrl+C would be told
import gc
import os
import sys
import warnings

INTERRUPTED = 130
"""What shells expect of a program that ended by Ctrl+C."""


def _end(_signal: int = 0, _frame: object = None) -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError, RuntimeError):  # nobody reads, or it is just being written
        pass
    os._exit(INTERRUPTED)


hears = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
if hears:  # nothing is begun yet: what is imported now would answer with a traceback
    _signal.signal(_signal.SIGINT, _end)


def main() -> int:
    """Run the command line and return its exit code. After Ctrl+C no thread that is still busy is waited for."""
    if not sys.warnoptions:  # of libraries, for programmers: they can quote what a server sent
        warnings.simplefilter("ignore")
    gc.set_threshold(100_000)  # what a command makes it keeps: looking for garbage took a tenth of its time
    from workbench.cli import run_command
    from workbench.cli.streams import ending_after_interrupt

    code = INTERRUPTED
    try:
        if hears:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        with ending_after_interrupt():
            code = run_command(sys.argv[1:])
        if code == INTERRUPTED:
            _end()
    except KeyboardInterrupt:  # once more, while it ended
        _end()
    return code


if __name__ == "__main__":
    sys.exit(main())
