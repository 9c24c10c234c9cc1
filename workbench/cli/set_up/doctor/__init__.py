"""``workbench doctor``: whether everything is there that the workbench needs, and what to change if it is not.

    versions · terminal · settings · folder · log · models · sessions ─▶ findings ─▶ lines, or JSON ─▶ exit code

It creates no workspace and changes nothing, but remembers a log server that was named with --log (docs/adr/0023).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from workbench.bootstrap import Workspace
from workbench.cli.options import folder_of, named_settings
from workbench.cli.output import Output, counted
from workbench.cli.set_up.doctor import kept, machine
from workbench.cli.set_up.doctor.findings import Check, Finding, examined
from workbench.domain.errors import NotTrusted, SettingsError
from workbench.domain.text.tables import one_line
from workbench.settings import NAMES, Settings, find_settings
from workbench.storage.files.opening import Files
from workbench.storage.places import find_workspace

_BEFORE_SESSIONS = ("settings", "folder", "log")
"""Checks that find out why sessions could not even be listed."""
_STYLES = {"ok": "green", "warning": "yellow", "problem": "red"}


def examine(options: argparse.Namespace) -> int:
    """Examine everything, and tell it."""
    output = Output.from_options(options)
    findings = []
    for finding in _findings(options, os.environ):
        findings.append(finding)
        _print_finding(finding, output)
    problems = sum(one.level == "problem" for one in findings)
    if not output.as_json:
        warnings = sum(one.level == "warning" for one in findings)
        output.line()
        output.line(f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}.")
    return 1 if problems else 0


def _findings(options: argparse.Namespace, environ: Mapping[str, str]) -> Iterator[Finding]:
    folder, named = folder_of(options), named_settings(options)
    is_open = True
    try:
        settings = find_settings(folder, options=named, environ=environ)
    except NotTrusted as error:  # nothing in the folder is read or written
        yield from examined("versions", machine.versions)
        yield from examined("terminal", partial(machine.terminal, environ))
        yield Finding("workspace", "problem", error.message, error.remedy)
        return
    except SettingsError as error:
        yield Finding("settings", "problem", error.message, error.remedy)
        settings, is_open = Settings(sources=dict.fromkeys(NAMES, "default")), False
    for name, check in _checks(folder, settings, environ).items():
        for finding in examined(name, check):
            is_open = is_open and not (name in _BEFORE_SESSIONS and finding.level == "problem")
            yield finding
    if is_open:
        yield from examined("sessions", partial(_sessions, folder, named, environ))


def _checks(folder: Path, settings: Settings, environ: Mapping[str, str]) -> dict[str, Check]:
    return {
        "versions": machine.versions,
        "terminal": partial(machine.terminal, environ),
        "settings": partial(kept.config, settings, folder, environ),
        "folder": partial(kept.place, settings, folder, Files()),
        "log": partial(kept.log, settings, folder, environ),
        "model": partial(machine.models, settings, environ),
        "embedder": partial(machine.embedder, settings),
    }


def _sessions(folder: Path, named: Mapping[str, object], environ: Mapping[str, str]) -> Iterator[Finding]:
    if find_workspace(folder) is not None:
        yield from kept.sessions(Workspace.open(folder, options=named, environ=environ))


def _print_finding(finding: Finding, output: Output) -> None:
    if output.as_json:
        output.json({"schema": "workbench.doctor/1", **finding._asdict()})
        return
    output.line(f"{finding.level:<8} {finding.check:<15} {one_line(finding.found)}", _STYLES[finding.level])
    if finding.remedy:
        output.line(f"{'':<24} → {one_line(finding.remedy)}")
