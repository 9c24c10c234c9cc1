"""``workbench config``: each setting, its value, and where it comes from."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from workbench.cli.options import folder_of, settings_of
from workbench.cli.output import Output
from workbench.settings import NAMES, Settings, user_config_file
from workbench.storage.log_address import parse_log_address
from workbench.storage.places import find_workspace


def show_config(options: argparse.Namespace) -> int:
    """Show the settings in force."""
    output = Output.from_options(options)
    settings = settings_of(options)
    workspace = find_workspace(folder_of(options))
    where = "" if workspace is None else str(workspace)
    rows: list[tuple[str, object, str]] = [("workspace", where, "created by the first run" if not where else "nearest")]
    rows.append(("your settings", str(user_config_file(os.environ)), "yours; playbooks/ and themes/ stand beside it"))
    rows += [(name, _public(settings, name), settings.sources[name]) for name in NAMES]
    if output.as_json:
        for name, value, source in rows:
            shown = {"schema": "workbench.setting/1", "setting": name, "value": value, "source": source}
            not_taken = settings.not_taken.get(name)
            output.json(shown if not_taken is None else {**shown, "not_taken": not_taken._asdict()})
        return 0
    output.table(
        ("setting", "value", "from"),
        [(name, _value_text(value), _from(settings, name, source)) for name, value, source in rows],
    )
    return 0


def _from(settings: Settings, name: str, source: str) -> str:
    """Return where a value comes from, and which value of the folder does not hold."""
    not_taken = settings.not_taken.get(name)
    if not_taken is None:
        return source
    return f"{source}; not {_value_text(not_taken.value)} from {not_taken.source}: {not_taken.reason}"


def _public(settings: Settings, name: str) -> object:
    """Return a setting's value as it may be shown: an address without its password."""
    value = getattr(settings, name)
    return parse_log_address(value, settings.sources[name]).shown if name == "log" and value else value


def _value_text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {key}" for name, key in value.items()) or "–"
    return "–" if value in ("", None) else str(value)
