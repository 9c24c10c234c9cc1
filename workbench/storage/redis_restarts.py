"""What a workspace does when the server is another process than before: lets it write its journal anew, once.

    server's journal:  … MULTI ─ XADD ─ XAD           power cut in the middle of a transaction
    it starts again:   … MULTI ─ XADD                 the half is not carried out, but it stays in the file
    goes on:           … MULTI ─ XADD ─ MULTI ─ XADD ─ EXEC
    and starts again:            ╰── carried out now, and what was acknowledged behind it is refused

Every server before the correction in Valkey (pull request 4342) does so. A journal that is written anew between the two
starts has no half in it.
"""

from __future__ import annotations

from contextlib import suppress

import redis


def tidy_after_restart(client: redis.Redis, key: str) -> None:
    """Ask a server that has been restarted to write its journal anew; ``key`` holds which process was asked last."""
    with suppress(redis.RedisError):  # away again, writing already, or this user may not ask: nothing that stops us
        server = client.info()
        run = str(server.get("run_id", ""))
        before = client.set(key, run, get=True)
        if before not in (None, run.encode()) and server.get("aof_enabled"):
            client.bgrewriteaof()
