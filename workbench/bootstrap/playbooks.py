"""Playbooks: cores of a person or a team, beside those of the offline planner. A file that is none is named.

playbooks/*.toml beside the person's settings ──┐
.workbench/playbooks/*.toml, where accepted ────┴─▶ LoadedPlaybooks(cores, failures) ─▶ GuidedModel
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from workbench.bootstrap.contents import (
    LARGEST_TEMPLATE,
    MOST_TEMPLATES,
    PLAYBOOKS,
    accepted_contents,
    content_name,
    digest_of_text,
    team_files,
)
from workbench.domain.text.cleaning import clean_name
from workbench.guided.cores import Core, UnusableCore, read_playbook
from workbench.named_files import UnusableFile, read_named_file
from workbench.settings import Settings, user_config_file
from workbench.storage.files.opening import Files, read_whole


@dataclass(frozen=True, slots=True)
class LoadedPlaybooks:
    """What was read."""

    cores: tuple[Core, ...] = ()
    failures: tuple[str, ...] = ()
    """Why a file is not used, each with file and line, in a sentence."""


def load_playbooks(settings: Settings, root: Path | None, environ: Mapping[str, str]) -> LoadedPlaybooks:
    """Return the playbooks in force: the person's own, and the team's where the setting ``playbooks`` says so."""
    if settings.playbooks == "off":
        return LoadedPlaybooks()
    folder = user_config_file(environ).with_name("playbooks")
    own = _read_folder([file.name for file in folder.glob("*")], partial(_own, folder), "your own")
    if root is None or settings.playbooks != "team":
        return own
    team = _read_folder(
        team_files(root, PLAYBOOKS), partial(_of_team, root, accepted_contents(root, environ)), "the team"
    )
    return LoadedPlaybooks((*own.cores, *team.cores), (*own.failures, *team.failures))


def _own(folder: Path, name: str) -> bytes:
    return read_named_file(folder / name, LARGEST_TEMPLATE)


def _of_team(root: Path, accepted: Mapping[str, str], name: str) -> bytes:
    data = read_whole(Files(), root / "playbooks" / name, LARGEST_TEMPLATE)
    if accepted.get(content_name(PLAYBOOKS, name)) != digest_of_text(data):
        raise OSError(0, "you have not accepted it as it is now (`workbench trust` shows it)")
    return data


def _read_folder(names: Iterable[str], read: Callable[[str], bytes], source: str) -> LoadedPlaybooks:
    cores: list[Core] = []
    failures: list[str] = []
    for name in sorted(name for name in names if name.endswith(".toml"))[:MOST_TEMPLATES]:
        try:
            core = read_playbook(read(name).decode(), name.removesuffix(".toml"), clean_name(name))
        except UnusableCore as error:
            failures.append(f"Playbook {error}")
        except (UnusableFile, OSError, ValueError) as error:  # no UTF-8, or a number of thousands of digits
            failures.append(f"Playbook {clean_name(name)}: {getattr(error, 'strerror', None) or error}.")
        else:
            cores.append(replace(core, source=core.source or source))
    return LoadedPlaybooks(tuple(cores), tuple(failures))
