"""``workbench models``: the model in force, those with settings of their own, and what answers on this machine."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from typing import Literal

import msgspec

from workbench.cli.options import settings_of
from workbench.cli.output import Output, money
from workbench.domain.text.cleaning import clean_name
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


class TriedObject(msgspec.Struct, frozen=True, kw_only=True):
    """The line of ``workbench models --try NAME --json``."""

    schema: Literal["workbench.model-tried/1"] = "workbench.model-tried/1"
    model: str
    """As it stands after ``--model``."""
    base_url: str = ""
    """Its server; "" for the provider's own, or none."""
    answer: str
    """What it said, in one line."""
    seconds: float
    """Until the answer was whole."""
    tokens: int
    """Of prompt and answer together."""
    cost: float | None = None
    """US dollars; None where nobody knows."""
    window: int
    """Tokens that prompt and answer may have together."""
    notes: tuple[str, ...] = ()
    """What a person should know of the call: attempts that failed, what the server does not take."""


def _try(name: str, base_url: str, settings: Settings) -> TriedObject:
    """Ask a model for one word. Raises ModelError and SettingsError."""
    import asyncio
    import time

    from workbench.bootstrap.models import open_model
    from workbench.domain.loop.tasks import CondenseTask
    from workbench.domain.session.context import Message
    from workbench.models.answers import gathered, timely
    from workbench.models.ports import Noted, Parameters, Part, Request, Retried, window_of

    own = settings_of_model(settings.models, name)
    address = base_url or own.base_url or (settings.base_url if name == settings.model else "")
    model = open_model(name, base_url=address or None, own=own)
    window, begun = window_of(model), time.monotonic()
    asked = (Message(role="user", content="Answer with the one word: ready"),)
    request = Request(role="try", task=CondenseTask(said=(), max_tokens=10), messages=asked)

    async def parts() -> list[Part]:
        return [part async for part in timely(model.stream(request), Parameters(first=120.0, idle=60.0))]

    heard = asyncio.run(parts())
    answer = gathered(heard)
    notes = tuple(
        one.reason if isinstance(one, Retried) else one.note for one in heard if isinstance(one, Retried | Noted)
    )
    usage = answer.usage
    return TriedObject(
        model=name,
        base_url=address,
        answer=clean_name(answer.text, 80),
        seconds=round(time.monotonic() - begun, 2),
        tokens=usage.input_tokens + usage.output_tokens if usage is not None else 0,
        cost=usage.cost if usage is not None else None,
        window=window,
        notes=notes,
    )


def show_models(options: argparse.Namespace) -> int:
    """List the models that can be named; nothing is sent to any other machine. Or try one of them."""
    output, settings = Output.of(options), settings_of(options)
    if options.name:
        tried = _try(options.name, options.base_url or "", settings)
        if output.as_json:
            output.json(msgspec.to_builtins(tried))
            return 0
        output.line(f"{tried.model} answers: “{tried.answer}”")
        output.line(f"{tried.seconds:.2f} s, {tried.tokens:,} tokens, {money(tried.cost)}, window {tried.window:,}.")
        for note in tried.notes:
            output.line(note, "dim")
        return 0
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
    from workbench.models.exchange import listed_price

    return listed_price(parsed.provider, parsed.model)


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
