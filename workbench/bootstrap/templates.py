"""Templates of a person and of a team, beside the built-in ones. A file that is none is named, and stops nothing.

templates/, playbooks/ beside the person's settings ──┐
.workbench/templates/, playbooks/, where accepted ────┴─▶ LoadedTemplates ─▶ Catalogue
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from workbench.bootstrap.contents import (
    LARGEST_TEMPLATE,
    MOST_TEMPLATES,
    PLAYBOOKS,
    TEMPLATES,
    accepted_contents,
    content_name,
    digest_of_text,
    team_files,
)
from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean_name
from workbench.named_files import UnusableFile, read_named_file
from workbench.settings import Settings, user_config_file
from workbench.storage.files.opening import Files, read_whole
from workbench.storage.writing import make_folder, write_file
from workbench.templates.catalogue import Catalogue
from workbench.templates.playbooks import NOTE, read_playbook
from workbench.templates.template import Template, UnusableTemplate, read_template, to_toml

_READERS = {TEMPLATES: read_template, PLAYBOOKS: read_playbook}
_LONGEST_NAME = 60


class LoadedTemplates(Struct, frozen=True):
    """What was read."""

    own: tuple[Template, ...] = ()
    team: tuple[Template, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know of a file that is used, in a sentence."""
    failures: tuple[str, ...] = ()
    """Why a file is not used, each with file and line, in a sentence."""

    @property
    def catalogue(self) -> Catalogue:
        """These templates, with the built-in ones."""
        return Catalogue(self.own, self.team)


def load_templates(settings: Settings, root: Path | None, environ: Mapping[str, str]) -> LoadedTemplates:
    """Return the templates in force: the person's own, and the team's where the setting ``playbooks`` says so."""
    if settings.playbooks == "off":
        return LoadedTemplates()
    own, team = _Reader(), _Reader()
    for kind in (TEMPLATES, PLAYBOOKS):
        folder = template_folder(environ, kind)
        own.read([file.name for file in folder.glob("*.toml")], kind, partial(_read_template, folder))
        if root is not None and settings.playbooks == "team":
            team.read(team_files(root, kind), kind, partial(_of_team, root, kind, accepted_contents(root, environ)))
    return LoadedTemplates(
        tuple(own.templates.values()),
        tuple(team.templates.values()),
        (*own.notes, *team.notes),
        (*own.failures, *team.failures),
    )


def template_folder(environ: Mapping[str, str], kind: str = TEMPLATES) -> Path:
    """Return where a person's own templates are."""
    return user_config_file(environ).with_name(kind)


def own_text(name: str, environ: Mapping[str, str]) -> str:
    """Return a person's own file of a template as it is, with their comments; "" if it cannot be read."""
    try:
        return _read_template(template_folder(environ), f"{name}.toml").decode()
    except (OSError, ValueError):
        return ""


def save_template(template: Template, folder: Path, text: str = "", *, replace: bool = False) -> Path:
    """Write a template into a folder, which is made if there is none, and return its file.

    ``text``: its TOML as a person wrote it, with their comments; "" for none. Raises UsageError, and FileExistsError
    if there is a file of this name and ``replace`` does not say that it goes.
    """
    name = template.name
    if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum() or len(name) > _LONGEST_NAME:
        raise UsageError(f"{clean_name(name)!r} is not a valid name for a template.", "Use letters, digits and - only.")
    file = folder / f"{name}.toml"
    data = text.encode() or msgspec.json.encode(template)  # JSON first: TOML of a large plan takes half a minute
    if len(data) > LARGEST_TEMPLATE:
        raise UsageError(f"The template would have about {len(data):,} bytes.", f"Use {LARGEST_TEMPLATE:,} at most.")
    data = text.encode() or to_toml(template).encode()
    try:
        make_folder(folder, is_ours=True)
        write_file(file, data, replace=replace, is_ours=True)
    except FileExistsError:
        raise
    except UnusableFile as error:
        raise UsageError(f"{error.filename} cannot be written: {error.strerror}.", error.remedy) from error
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.", "Make the folder writable.") from error
    return file


def _read_template(folder: Path, name: str) -> bytes:
    return read_named_file(folder / name, LARGEST_TEMPLATE)


def _of_team(root: Path, kind: str, accepted: Mapping[str, str], name: str) -> bytes:
    data = read_whole(Files(), root / kind / name, LARGEST_TEMPLATE)
    if accepted.get(content_name(kind, name)) != digest_of_text(data):
        raise OSError(0, "you have not accepted it as it is now (`workbench trust` shows it)")
    return data


class _Reader:
    """What the files of one owner come to; of two with one name, the template goes before the playbook."""

    def __init__(self) -> None:
        self.templates: dict[str, Template] = {}
        self.notes: list[str] = []
        self.failures: list[str] = []

    def read(self, names: list[str], kind: str, data_of: Callable[[str], bytes]) -> None:
        """Read files of one kind, each with what is to be said of it."""
        for name, template in self._read_templates(sorted(names)[:MOST_TEMPLATES], kind, data_of):
            if template.name in self.templates:
                self.failures.append(f"{kind}/{clean_name(name)}: there is a template with this name already.")
                continue
            self.templates[template.name] = template
            if kind == PLAYBOOKS:
                self.notes.append(f"{kind}/{clean_name(name)} {NOTE}")

    def _read_templates(
        self, names: list[str], kind: str, data_of: Callable[[str], bytes]
    ) -> Iterator[tuple[str, Template]]:
        for name in names:
            place = f"{kind}/{clean_name(name)}"
            try:
                yield name, _READERS[kind](data_of(name).decode(), name.removesuffix(".toml"), place)
            except UnusableTemplate as error:
                self.failures.append(error.message)
            except (UnusableFile, OSError, ValueError) as error:  # no UTF-8, or a number of thousands of digits
                self.failures.append(f"{place}: {getattr(error, 'strerror', None) or error}.")
