"""What the workbench runs on: versions, the terminal, models and the embedder."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from workbench.cli.set_up.doctor.findings import Finding
from workbench.settings import Settings
from workbench.storage.places import find_workspace
from workbench.version import VERSION

_ROOM = (80, 24)
"""Columns and lines that the application is laid out for."""


def versions() -> Iterator[Finding]:
    """Look at the versions of what runs."""
    yield Finding("workbench", "ok", VERSION)
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.system()} {platform.release()}")
    try:
        yield Finding("textual", "ok", version("textual"))
    except PackageNotFoundError:
        yield Finding("textual", "problem", "not installed: no application", "Run `pip install planning-workbench`.")


def terminal(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at what the application would be drawn in."""
    if not sys.stdout.isatty():
        yield Finding("terminal", "ok", "none: this output goes to a pipe or a file")
        return
    kind = environ.get("TERM", "")
    if kind in {"", "dumb", "unknown"}:
        yield Finding("terminal", "problem", f"TERM is {kind or 'not set'}", "Set it to what the terminal is.")
    else:
        yield Finding("terminal", "ok", kind)
    columns, lines = shutil.get_terminal_size()
    is_small = columns < _ROOM[0] or lines < _ROOM[1]
    yield Finding(
        "size",
        "warning" if is_small else "ok",
        f"{columns} × {lines}",
        f"Make the window {_ROOM[0]} × {_ROOM[1]} or larger." if is_small else "",
    )
    yield _colours(kind, environ)
    encoding = (sys.stdout.encoding or "").lower()
    if encoding in {"utf-8", "utf8"}:
        yield Finding("characters", "ok", "Unicode")
    else:
        yield Finding("characters", "warning", f"{encoding or 'unknown'}, not UTF-8", 'Set marks to "ascii", or LANG.')


def _colours(kind: str, environ: Mapping[str, str]) -> Finding:
    if environ.get("NO_COLOR"):
        return Finding("colours", "ok", "switched off by NO_COLOR")
    if environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return Finding("colours", "ok", "16 million")
    if "256color" in kind:
        return Finding("colours", "ok", "256")
    return Finding("colours", "warning", "16 or fewer, as far as is known", "Set COLORTERM=truecolor if it has more.")


def models(settings: Settings, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at the model that plans, and at which variables hold keys: their names only."""
    from workbench.bootstrap.models import open_model
    from workbench.models.catalogue import PROVIDERS
    from workbench.models.own_settings import settings_of_model
    from workbench.models.servers.discovery import answers

    keys = [key for provider in PROVIDERS.values() for key in provider.keys if environ.get(key)]
    yield Finding("keys", "ok", ", ".join(keys) if keys else "none is set; the guided planner needs none")
    own = settings_of_model(settings.models, settings.model)
    base_url = settings.base_url or own.base_url
    open_model(settings.model, base_url=base_url or None, environ=environ, own=own)
    if base_url and not answers(base_url):
        yield Finding(
            "model",
            "problem",
            f"{settings.model}: {base_url} does not answer",
            "Start that server, or name another with base_url.",
        )
    else:
        yield Finding("model", "ok", settings.model)
    yield from _templates(settings, environ)


def _templates(settings: Settings, environ: Mapping[str, str]) -> Iterator[Finding]:
    from workbench.bootstrap.templates import load_templates

    loaded = load_templates(settings, find_workspace(Path()), environ)
    if known := (*loaded.own, *loaded.team):
        yield Finding("templates", "ok", ", ".join(one.name for one in known))
    for failure in loaded.failures:
        yield Finding("templates", "warning", failure, "Correct the file; the others are used.")


def embedder(settings: Settings) -> Iterator[Finding]:
    """Look whether search by meaning works: the embedder is tried."""
    from workbench.models.embedders import open_embedder

    opened = open_embedder(settings.embedder)
    opened.embed(["present"])
    yield Finding("embedder", "ok", opened.name)
