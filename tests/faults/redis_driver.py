"""A process that drives a session on a server: ``redis_driver.py URL WORKSPACE TTL``.

Says ``driving``; then appends once for each line that it is sent (``sessions`` or ``shared``) and says ``stored`` or
the name of what it met.
"""

import sys

from tests.event_drafts import draft
from workbench.domain.errors import WorkbenchError
from workbench.storage.redis.store import RedisStore


def main() -> None:
    url, workspace, ttl = sys.argv[1:]
    store = RedisStore(url, workspace, driver_ttl=float(ttl))
    logs = {"sessions": store.log(), "shared": store.shared_log()}
    with logs["sessions"].drive("s"):
        print("driving", flush=True)
        for line in sys.stdin:
            group = line.strip()
            try:
                logs[group].append("s" if group == "sessions" else "events", [draft()], expected=None)
            except WorkbenchError as error:
                print(type(error).__name__, flush=True)
            else:
                print("stored", flush=True)


if __name__ == "__main__":
    main()
