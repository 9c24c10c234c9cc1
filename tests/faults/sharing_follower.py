"""A process that follows the shared stream to the event that ends it: ``sharing_follower.py FOLDER RUNTIME``.

It says ``SEQ HASH`` for every event, once it sees it.
"""

import sys
from itertools import chain
from pathlib import Path

from tests.faults.sharing_life import opened


def main() -> None:
    log = opened(Path(sys.argv[1]), Path(sys.argv[2]))
    for event in chain.from_iterable(log.follow("events", after=0, stopped=lambda: False)):
        print(event.seq, event.hash)
        if b'"key":"the end"' in bytes(event.body):
            break


if __name__ == "__main__":
    main()
