"""``workbench models``: the model in force, those with settings of their own, and what answers on this machine."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from typing import Literal

import msgspec

from workbench.cli.options import settings_of
from workbench.cli.output import Output
from workbench.models.catalogue import GUIDED, PROVIDERS, parse_model_name
from workbench.models.own_settings import ModelSettings, settings_of_model
from workbench.settings import Settings

Origin = Literal["in force", "settings", "this machine"]


class ModelObject(msgspec.Struct, frozen=True, kw_only=True):
    """A line of ``workbench models --json``."""

    schema: Literal["workbench.model/1"] = "workbench.model/1"
    model: str
    """As it stands after ``--model``."""
    base_url: str = ""
    """As it stands after ``--base-url``; "" for the provider's own server, or none."""
    origin: Origin
    """Why it is listed: it is in force, it has settings of its own, or its server answers on this machine."""
    window: int | None = None
    """Tokens that prompt and answer may have together; None where nobody says."""
    input_price: float | None = None
    """US dollars for a million tokens of prompts; None where it is not known."""
    output_price: float | None = None
    """US dollars for a million tokens of answers; None where it is not known."""


def show_models(options: argparse.Namespace) -> int:
    """List the models that can be named; nothing is sent to any other machine."""
    output, settings = Output.of(options), settings_of(options)
    rows = list(_rows(settings))
    if output.as_json:
        for row in rows:
            output.json(msgspec.to_builtins(row))
        return 0
    output.table(
        ("model", "server", "window", "$ per million in / out", "from"),
        [(row.model, row.base_url or _server(row.model), _count(row.window), _price(row), row.origin) for row in rows],
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


def _rows(settings: Settings) -> Iterator[ModelObject]:
    from workbench.models.discovery import find_models

    yield _configured(settings.model, settings.base_url, "in force", settings_of_model(settings.models, settings.model))
    for name in settings.models:
        if name != settings.model:
            yield _configured(name, "", "settings", settings_of_model(settings.models, name))
    for found in find_models():
        yield ModelObject(
            model=f"openai:{found.name}", base_url=found.base_url, origin="this machine", window=found.window
        )


def _configured(name: str, base_url: str, origin: Origin, own: ModelSettings) -> ModelObject:
    address = base_url or own.base_url
    prices = (0.0, 0.0) if name == GUIDED else (own.input_price, own.output_price)
    if prices == (None, None) and not address:
        prices = _listed_prices(name)
    return ModelObject(
        model=name,
        base_url=address,
        origin=origin,
        window=own.window,
        input_price=prices[0],
        output_price=prices[1],
    )


def _listed_prices(name: str) -> tuple[float | None, float | None]:
    """Return what the list of genai-prices says; None where it does not have the model."""
    parsed = parse_model_name(name)
    if parsed.provider not in PROVIDERS:
        return None, None
    try:
        from genai_prices import Usage, calc_price

        million = Usage(input_tokens=1_000_000), Usage(output_tokens=1_000_000)
        found = [float(calc_price(used, parsed.model, provider_id=parsed.provider).total_price) for used in million]
    except (ImportError, LookupError, ValueError):
        return None, None
    return found[0], found[1]


def _server(name: str) -> str:
    provider = PROVIDERS.get(parse_model_name(name).provider)
    return provider.host if provider is not None else "none: this process"


def _count(window: int | None) -> str:
    return f"{window:,}" if window is not None else "–"


def _price(row: ModelObject) -> str:
    if row.model == GUIDED:
        return "free"
    prices = [f"{price:g}" if price is not None else "–" for price in (row.input_price, row.output_price)]
    return " / ".join(prices) if prices != ["–", "–"] else "–"
