"""``workbench models``: the model in force, those with settings of their own, and what answers on this machine."""

from __future__ import annotations

import argparse
import os
import shlex

import msgspec

from workbench.bootstrap.known_models import configured_models, models_on_this_machine, try_model
from workbench.cli.options import settings_of
from workbench.cli.output import Output
from workbench.models.catalogue import PROVIDERS


def show_models(options: argparse.Namespace) -> int:
    """List the models that can be named; nothing is sent to any other machine. Or try one of them."""
    output, settings = Output.of(options), settings_of(options)
    if options.name:
        tried = try_model(settings, options.name, options.base_url or "")
        if output.json_lines([msgspec.to_builtins(tried)]):
            return 0
        output.line(tried.told)
        for note in tried.notes:
            output.line(note, "dim")
        return 0
    rows = [*configured_models(settings), *models_on_this_machine()]
    if output.json_lines(map(msgspec.to_builtins, rows)):
        return 0
    output.table(
        ("model", "server", "window", "$ per million in / out", "from"),
        [(row.model, row.server, row.size, row.price, row.origin) for row in rows],
        right=("window",),
    )
    output.line()
    found = next((row for row in rows if row.origin == "this machine"), None)
    if found is not None:
        named = f"--model {shlex.quote(found.model)} --base-url {shlex.quote(found.base_url)}"
        output.line(f'Plan with one of them: workbench run "GOAL" {named}')
    else:
        output.line("No server of models answers on this machine at its usual port.", "dim")
    keys = [key for provider in PROVIDERS.values() for key in provider.keys if os.environ.get(key)]
    output.line(f"Keys that are set: {', '.join(keys) or 'none'}. Nothing was sent to any other machine.", "dim")
    return 0
