"""A process that follows a stream: ``listening.py FOLDER RUNTIME STREAM``.

It says ``ready`` when it listens, then the seq of each event it sees.
"""

import sys
from pathlib import Path

from workbench.storage.files.log import FileLog
from workbench.storage.files.watching.bell import Bell


def main() -> None:
    folder, runtime, stream = sys.argv[1:]
    log = FileLog(Path(folder), bell=Bell(Path(folder), runtime=Path(runtime)))
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        if asked == 1:
            print("ready", flush=True)
        return False

    for batch in log.follow(stream, after=0, stopped=stopped):
        for event in batch:
            print(event.seq, flush=True)


if __name__ == "__main__":
    main()
