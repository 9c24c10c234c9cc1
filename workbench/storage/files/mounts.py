"""Which file system a path is on, and whose a ``.workbench`` folder is: whether it can be trusted.

A file that several machines see is locked by each of them for itself, or not at all: two writers would both be let in,
and one would take the other's events away. So logs are kept in files on disks of one machine only. A folder
of another user may hold anything.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from pathlib import Path

from workbench.domain.errors import LogUnavailable
from workbench.domain.text.patterns import lazy_pattern
from workbench.storage.files.opening import Files

_NETWORK = lazy_pattern(
    r"(?:fuse\.)?(?:9p|afs|beegfs|ceph|cifs|coda|curlftpfs|davfs2?|gcsfuse|gfs2|glusterfs|gpfs|lustre|ncpfs|nfs4?|ocfs2|"
    r"orangefs|pvfs2|rclone|s3fs|smb[23]|smbfs|sshfs)"
)
"""Types of file systems, as Linux names them, whose files other machines may write at the same time."""
_OCTAL = lazy_pattern(r"\\([0-7]{3})")


def file_system(path: Path, mounts: str) -> str:
    """Return the type of the file system that a path, which need not exist, is on; "" if it cannot be told.

    ``mounts`` is the text of /proc/self/mountinfo: of the mounts above the path the nearest counts, and of several on
    one folder the last.
    """
    inside = f"{path.resolve()}/"
    nearest, kind = "", ""
    for line in mounts.splitlines():
        left, separator, right = line.partition(" - ")
        fields = left.split(" ")
        if separator and len(fields) > 4:
            point = _OCTAL.sub(lambda code: chr(int(code[1], 8)), fields[4]).rstrip("/") + "/"
            if inside.startswith(point) and len(point) >= len(nearest):
                nearest, kind = point, right.split(" ", 1)[0]
    return kind


def is_network(kind: str) -> bool:
    """Tell whether a file system of this type is one that other machines may write."""
    return _NETWORK.fullmatch(kind) is not None


def require_local(path: Path, mounts: str) -> None:
    """Raise LogUnavailable for a path on a network file system."""
    kind = file_system(path, mounts)
    if is_network(kind):
        raise LogUnavailable(
            f"{path} is on a network file system ({kind}), where locks of several machines do not hold.",
            "Use a folder on a local disk, or keep the logs on a Redis server: `workbench migrate --to redis://HOST/0`.",
        )


def own_users(environ: Mapping[str, str]) -> frozenset[int]:
    """Return the ids of users whose folders are this person's: the process's own and, under sudo, who called it."""
    user, caller = os.geteuid(), environ.get("SUDO_UID", "")
    return frozenset({user, int(caller)} if user == 0 and caller.isascii() and caller.isdigit() else {user})


def foreign_owner(root: Path, users: Collection[int]) -> str:
    """Return why a ``.workbench`` folder may be somebody else's, in a sentence; "" if it is not.

    A link is not looked at: ``Files`` refuses it, whoever owns it.
    """
    status = Files().status(root)
    if stat.S_ISLNK(status.st_mode) or status.st_uid in users:
        return ""
    return f"{root} belongs to another user (id {status.st_uid})."
