"""A process that appends to a session and says what was acknowledged.

``writer.py FOLDER NAME COUNT BATCH [PIPE MODE]``: one line of output for each acknowledged event, its seq and its
number; then it goes on at once. A named pipe is opened at its half, which waits for whoever opens the other end.
"""

import random
import sys
from pathlib import Path

import msgspec
from tests.event_drafts import draft
from workbench.storage.files.log import FileLog


def main() -> None:
    folder, name, count, batch, *meeting = sys.argv[1:]
    log = FileLog(Path(folder))
    chance = random.Random(name)
    number = 0
    while number < int(count):
        if meeting and number >= int(count) // 2:
            with Path(meeting[0]).open(meeting[1], encoding="utf-8"):
                meeting = []
        size = min(chance.randint(1, int(batch)), int(count) - number)
        drafts = [
            draft(event_id=f"{name}:{one}", body=msgspec.json.encode({"writer": name, "number": one}))
            for one in range(number, number + size)
        ]
        for event in log.append("s", drafts, expected=None):
            number += 1
            print(event.seq, event.id, flush=True)


if __name__ == "__main__":
    main()
