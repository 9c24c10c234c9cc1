"""``workbench models``: the model in force, those with settings of their own, what answers, and what runs, here."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable

import msgspec

from workbench.bootstrap.known_models import configured_models, local_model_text, models_on_this_machine, try_model
from workbench.bootstrap.models import known_local_models, models_folder
from workbench.cli.look_back.sessions import done
from workbench.cli.options import settings_of
from workbench.cli.output import Output
from workbench.domain.errors import NotFound
from workbench.models.catalogue import LOCAL_PROVIDER, PROVIDERS, require_extra
from workbench.models.local.files import GB, LocalModelObject, fetch, memory_of_machine, remove

_WAITING = 3
"""The exit code if a person has to decide."""


def show_models(options: argparse.Namespace) -> int:
    """List the models that can be named; nothing is sent to any other machine. Or try one of them."""
    output, settings = Output.from_options(options), settings_of(options)
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
        server = f" --base-url {shlex.quote(found.base_url)}" if found.base_url else ""
        named = f"--model {shlex.quote(found.model)}{server}"
        output.line(f'Plan with one of them: workbench run "GOAL" {named}')
    else:
        output.line("No model server answers on this machine at its usual port.", "dim")
    keys = [key for provider in PROVIDERS.values() for key in provider.keys if os.environ.get(key)]
    output.line(f"Keys that are set: {', '.join(keys) or 'none'}. Nothing was sent to any other machine.", "dim")
    return 0


def list_local(options: argparse.Namespace) -> int:
    """List the models that can be fetched, and those that are here."""
    output, known = Output.from_options(options), known_local_models(os.environ)
    if not output.json_lines(map(msgspec.to_builtins, known.values())):
        _show(output, known.values())
    return 0


def get_local(options: argparse.Namespace) -> int:
    """Fetch a model that was asked about, check its hash, and try it."""
    output, known = Output.from_options(options), known_local_models(os.environ)
    shown = [known[options.name]] if options.name in known else [one for one in known.values() if one.fits][-3:]
    if not shown or (options.name and options.name not in known):
        told = f"There is no model {options.name!r} in the list." if options.name else "No model of the list fits here."
        raise NotFound(told, f"It has: {', '.join(known)}. Or use a server elsewhere: --base-url URL.")
    if not output.as_json:
        _show(output, shown)
    one = shown[-1]
    require_extra(LOCAL_PROVIDER)
    if not one.path:
        question = f"Fetch {one.name}, {one.gb:g} GB, from {one.repository}, under the licence {one.licence}?"
        if not (options.yes or output.asks(question)):
            output.note("Nothing was downloaded. --yes downloads it without asking.")
            return _WAITING
        one = fetch(one, models_folder(), os.environ)
    if output.json_lines([msgspec.to_builtins(one)]):
        return 0
    output.line(f"{one.name} is here: {one.path}, sha256 {one.sha256[:12]}…")
    output.line(local_model_text(f"local:{one.name}", settings_of(options)))
    output.line(f'Plan with it: workbench run "GOAL" --model local:{one.name}')
    return 0


def remove_local(options: argparse.Namespace) -> int:
    """Remove a model from this machine."""
    if not (options.yes or Output.from_options(options).asks(f"Remove the files of {options.name}?")):
        return _WAITING
    if not remove(options.name, models_folder()):
        raise NotFound(f"There is no model {options.name!r} on this machine.", "See: workbench models list")
    return done(options, f"Removed {options.name}.", name=options.name)


def _show(output: Output, models: Iterable[LocalModelObject]) -> None:
    def row(one: LocalModelObject) -> tuple[str, ...]:
        needs = f"{one.needs_gb:g}{'' if one.fits else ': more than there is'}"
        stands = "here" if one.path else "verified" if one.verified else "unverified"
        return one.name, f"{one.gb:g}", needs, one.licence, stands, one.repository

    output.table(("name", "GB", "GB of memory", "licence", "", "from"), list(map(row, models)))
    output.line(f"This machine has {memory_of_machine() / GB:.0f} GB of memory.", "dim")
