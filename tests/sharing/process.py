"""A process that takes part in a shared context: ``process.py FOLDER SESSION WHAT COUNT``.

It says ``ready`` and waits for a line, then makes COUNT changes and says ``ack SEQ HASH`` for each one acknowledged.
WHAT: append (to the list ``all``), own (a key of its own), put (the key ``one``), note (a part of ``notes``).
"""

import sys
from pathlib import Path

from tests.sharing.managers import manager
from workbench.storage.files.log import FileLog


def change(what, session, number, data):
    """The key that is changed, and its value."""
    name = f"{session}.{number}"
    match what:
        case "append":
            return "all", [*data.get("all", []), name]
        case "note":
            return "notes", {**data.get("notes", {}), name: number}
        case "put":
            return "one", name
        case _:
            return session, number


def main() -> None:
    folder, session, what, count = sys.argv[1:]
    shared = manager(FileLog(Path(folder), shared=True, durable=False))
    shared.subscribe(session)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(count)):
        key, value = change(what, session, number, shared.get_context(session).data)
        done = shared.update_context(session, key, value)
        print("ack", done.event.seq, done.event.context_hash, flush=True)
    shared.unsubscribe(session)
    print("done", flush=True)


if __name__ == "__main__":
    main()
