"""``workbench template``: templates to plan with are listed, shown, made of a plan, and edited."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Literal

import msgspec

from workbench.bootstrap.templates import LoadedTemplates, load_templates, own_text, save_template, template_folder
from workbench.cli.carry_out.exporting import require_replacing
from workbench.cli.opening import session_of
from workbench.cli.options import folder_of, settings_of
from workbench.cli.output import Output, counted
from workbench.domain.errors import NotFound, UsageError
from workbench.storage.places import find_workspace
from workbench.templates.catalogue import Catalogue
from workbench.templates.page import page_of
from workbench.templates.template import Template, read_template, split_choice, to_toml


class TemplateObject(msgspec.Struct, frozen=True, kw_only=True):
    """What ``workbench template --json`` prints of a template."""

    schema: Literal["workbench.template/1"] = "workbench.template/1"
    name: str
    whose: str
    """``your own``, ``the team's`` or ``built in``."""
    title: str
    fits: str
    choices: tuple[str, ...]
    """What ``--template`` takes, a variant each."""
    file: str | None = None
    """Where it was written; null if it was not."""
    toml: str | None = None
    """The template as its file holds it; null in lists."""


def list_templates(options: argparse.Namespace) -> int:
    """List all templates, those of the person and the team first."""
    output, loaded = Output.from_options(options), _loaded(options)
    known = loaded.catalogue
    if output.json_lines(msgspec.to_builtins(_object(one, known)) for one in known):
        return 0
    rows = [(one.name, one.title, ", ".join(one.variants), known.whose(one.name)) for one in known]
    output.table(("name", "what for", "variants", "whose"), rows)
    for note in (*loaded.notes, *loaded.failures):
        output.note(note)
    return 0


def show_template(options: argparse.Namespace) -> int:
    """Show a template: when it fits, its variants with their steps, and what has to be known."""
    output, known = Output.from_options(options), _loaded(options).catalogue
    template = known.chosen(options.name)
    if output.as_json:
        output.json(msgspec.to_builtins(_object(template, known, toml=to_toml(template))))
    else:
        output.markdown(page_of(template, split_choice(options.name)[1]))
    return 0


def save(options: argparse.Namespace) -> int:
    """Make a template of a session's plan."""
    from datetime import datetime

    from workbench.templates.from_plan import template_from_plan

    state = session_of(options).state()
    if state.plan is None:
        raise NotFound("No plan is drafted yet.", f"Go on with: workbench resume {state.session}")
    template = template_from_plan(state.plan, options.name, datetime.now().astimezone().date())
    return _written(template, _folder(options, team=options.team), options)


def edit_template(options: argparse.Namespace) -> int:
    """Open a template in the person's editor; a built-in one, or a team's, is kept as their own."""
    from workbench.export.editor import edit_text

    name = split_choice(options.name)[0]
    template = _loaded(options).catalogue.named(name)
    text = edit_text(own_text(name, os.environ) or to_toml(template))
    return _written(read_template(text, name), _folder(options, team=False), options, text=text)


def _written(template: Template, folder: Path, options: argparse.Namespace, *, text: str = "") -> int:
    output, is_team = Output.from_options(options), getattr(options, "team", False)
    try:
        file = save_template(template, folder, text, replace=bool(text) or options.yes)
    except FileExistsError as error:
        require_replacing(Path(error.filename), options)
        file = save_template(template, folder, text, replace=True)
    if output.as_json:
        known = Catalogue(() if is_team else (template,), (template,) if is_team else ())
        output.json(msgspec.to_builtins(_object(template, known, file=str(file), toml=to_toml(template))))
        return 0
    output.line(f"Template {template.name} with {counted(len(template.steps), 'step')} is in {file}.", "green")
    if is_team:
        output.line('Whoever uses it sets playbooks = "team", and accepts it with: workbench trust')
    return 0


def _folder(options: argparse.Namespace, *, team: bool) -> Path:
    if not team:
        return template_folder(os.environ)
    root = find_workspace(folder_of(options))
    if root is None:
        raise UsageError("There is no workspace here or in a folder above.", "Name its folder with --workspace.")
    return root / "templates"


def _loaded(options: argparse.Namespace) -> LoadedTemplates:
    return load_templates(settings_of(options), find_workspace(folder_of(options)), os.environ)


def _object(
    template: Template, known: Catalogue, *, file: str | None = None, toml: str | None = None
) -> TemplateObject:
    return TemplateObject(
        name=template.name,
        whose=known.whose(template.name),
        title=template.title,
        fits=template.fits,
        choices=template.choices,
        file=file,
        toml=toml,
    )
