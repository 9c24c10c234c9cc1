"""A process that has a session open: ``coordinator_process.py FOLDER SESSION``.

It takes part and says ``ready``; each line it reads is ``[what, argument, …]`` as JSON, and answered by a line of JSON.
At the end of its input it stops.
"""

import json
import sys
from pathlib import Path

from tests.sharing.managers import coordinator


def main() -> None:
    folder, session = sys.argv[1:]
    one = coordinator(Path(folder), session)
    one.start()
    print("ready", flush=True)

    def add(key, part, count):
        """Add to a list, a part at a time, each time to what is there."""
        for number in range(count):
            one.update_shared(key, [*one.get_shared(key, []), f"{part}.{number}"])
        return one.get_shared(key)

    calls = {
        "add": add,
        "set": lambda key, value: one.update_shared(key, value).outcome,
        "get": one.get_shared,
        "publish": lambda course: one.publish(course, works=True),
        "claim": lambda kind, name, waits=False: one.claim(kind, name, queue=waits).as_object(),
        "release": lambda kind, name: one.release(kind, name).as_object(),
    }
    for line in sys.stdin:
        what, *arguments = json.loads(line)
        print(json.dumps(calls[what](*arguments)), flush=True)
    one.stop("done")


if __name__ == "__main__":
    main()
