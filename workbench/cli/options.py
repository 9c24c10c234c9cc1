"""From a command's options to the folder to work in and the settings. Imports nothing of the core."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from workbench.domain.errors import UsageError
from workbench.settings import NAMES, Settings, find_settings


def folder_of(options: argparse.Namespace) -> Path:
    """Return the folder to work in. Raises UsageError when it is none."""
    folder = Path(options.workspace or os.environ.get("WORKBENCH_WORKSPACE") or ".")
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.", "Name an existing folder with --workspace.")
    return folder


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings in force."""
    return find_settings(folder_of(options), options=named_settings(options))


def named_settings(options: argparse.Namespace) -> dict[str, object]:
    """Return the settings that options name; None for the others."""
    return {name: getattr(options, name, None) for name in NAMES}
