"""Files of a folder that would be run or followed, and the digests of what they hold now.

playbooks = "team" ─▶ .workbench/templates/*.toml, playbooks/*.toml ─┐
[mcp.NAME] command ─▶ programs of the project ───────────────────────┴▶ name → digest ─▶ TrustRequest, Accepted

A person accepts what a file holds, not its name: what changes is asked about again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from workbench.settings import Settings, trust_folder
from workbench.storage.files.opening import Files, read_whole
from workbench.storage.trust import TrustStore

LARGEST_TEMPLATE, MOST_TEMPLATES = 200_000, 50
"""Bytes of a template, and templates of a folder."""
TEMPLATES, PLAYBOOKS = "templates", "playbooks"
"""Folders beside the settings: of templates, and of what earlier versions had for them."""


def digest_of_text(data: bytes) -> str:
    """Return the digest of a file that is followed as text."""
    return sha256(data).hexdigest()[:32]


def content_name(folder: str, file: str) -> str:
    """Return how a team's template is named in what a person accepts: ``templates/bees.toml``."""
    return f"{folder}/{file}"


def team_files(root: Path, folder: str) -> list[str]:
    """Return the names of the templates in a folder of a ``.workbench`` folder."""
    return sorted(name for name in Files().names(root / folder) if name.endswith(".toml"))[:MOST_TEMPLATES]


def accepted_contents(root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the digests that the person accepted for a workspace, by name."""
    return TrustStore(trust_folder(environ)).accepted(root).contents


def new_contents(settings: Settings, root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Return what the settings would have run or followed and the person has not accepted as it is now."""
    accepted = accepted_contents(root, environ)
    return {name: digest for name, digest in _contents(settings, root).items() if accepted.get(name) != digest}


def _contents(settings: Settings, root: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    if settings.asked.get("playbooks", settings.playbooks) == "team":
        for folder, file in [(kind, file) for kind in (TEMPLATES, PLAYBOOKS) for file in team_files(root, kind)]:
            with suppress(OSError):
                data = read_whole(Files(), root / folder / file, LARGEST_TEMPLATE)
                found[content_name(folder, file)] = digest_of_text(data)
    asked: Mapping[str, Any] = settings.asked.get("mcp", {})
    for name, table in {**settings.mcp, **asked}.items():
        found |= _programs(name, table, root, is_own=name not in asked)
    return found


def _programs(name: str, table: Mapping[str, Any], root: Path, *, is_own: bool) -> dict[str, str]:
    from workbench.planning.trust.programs import program_digests

    with suppress(OSError):  # what cannot be accounted for is not run: its server says why
        return program_digests(name, table.get("command", ()), root.parent, is_own=is_own)
    return {}
