"""Whose a ``.workbench`` folder is: one of another user may hold anything."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from pathlib import Path

from workbench.storage.files.opening import Files


def own_users(environ: Mapping[str, str]) -> frozenset[int]:
    """Return the ids of users whose folders are this person's: the process's own and, under sudo, who called it."""
    user, caller = os.geteuid(), environ.get("SUDO_UID", "")
    return frozenset({user, int(caller)} if user == 0 and caller.isascii() and caller.isdigit() else {user})


def foreign_owner(root: Path, users: Collection[int]) -> str:
    """Return why a ``.workbench`` folder may be somebody else's, in a sentence; "" where it is not.

    A link is not looked at: ``Files`` refuses it, whoever owns it.
    """
    status = Files().status(root)
    if stat.S_ISLNK(status.st_mode) or status.st_uid in users:
        return ""
    return f"{root} belongs to another user (id {status.st_uid})."
