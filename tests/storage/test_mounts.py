"""File systems that several machines write are no place for a log."""

from __future__ import annotations

from pathlib import Path

import pytest
from workbench.domain.errors import LogUnavailable
from workbench.storage.files.mounts import file_system, is_network
from workbench.storage.files.opening import Files
from workbench.storage.files.workspace import open_workspace
from workbench.storage.places import find_workspace

MOUNTS = r"""
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
23 22 0:40 / /net rw,relatime shared:7 - nfs4 server:/export rw,vers=4.2
24 23 0:41 / /net/fast rw,relatime - xfs /dev/vdb rw
25 22 0:42 / /with\040space rw,relatime - fuse.sshfs me@host: rw
26 22 0:43 / /twice rw,relatime - autofs systemd-1 rw
27 26 0:44 / /twice rw,relatime - cifs //server/share rw
a line that is none
28 22
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "ext4"),
        ("/home/me", "ext4"),
        ("/network", "ext4"),
        ("/net", "nfs4"),
        ("/net/team/.workbench", "nfs4"),
        ("/net/fast/work", "xfs"),
        ("/with space/work", "fuse.sshfs"),
        ("/twice/x", "cifs"),
    ],
)
def test_the_nearest_mount_counts_and_of_several_the_last(path: str, kind: str) -> None:
    assert file_system(Path(path), MOUNTS) == kind


@pytest.mark.parametrize(
    "kind", ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "ceph", "fuse.glusterfs", "fuse.s3fs"]
)
def test_network_file_systems(kind: str) -> None:
    assert is_network(kind)


class OnNfs(Files):
    """A machine whose every folder comes from a server."""

    def mounts(self) -> str:
        return "22 1 0:40 / / rw,relatime - nfs4 server:/export rw\n"


def test_a_workspace_on_a_network_file_system_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable, match="nfs4") as failure:
        open_workspace(tmp_path, files=OnNfs())
    assert "workbench migrate --to redis://" in failure.value.remedy
    assert find_workspace(tmp_path) is None


def test_one_that_is_there_already_is_refused_too(tmp_path: Path) -> None:
    open_workspace(tmp_path)
    with pytest.raises(LogUnavailable, match="network file system"):
        open_workspace(tmp_path, files=OnNfs())
