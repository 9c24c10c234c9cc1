"""The models that can be named: the one in force, those with settings of their own, and what answers on this machine.

Nothing is sent before one is tried: that is one call, with one short question.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from workbench.bootstrap.models import known_local_models, open_model
from workbench.domain.errors import UsageError
from workbench.domain.loop.asking.tasks import CondenseTask
from workbench.domain.session.context import Message
from workbench.domain.text.cleaning import clean_name
from workbench.models.catalogue import GUIDED, LOCAL, LOCAL_PROVIDER, PROVIDERS, parse_model_name
from workbench.models.own_settings import settings_of_model
from workbench.models.ports import Noted, Parameters, Part, Request, Retried, window_of
from workbench.settings import Settings

Origin = Literal["in force", "settings", "this machine"]


class KnownModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that can be named, as a line of ``workbench models --json``."""

    schema: Literal["workbench.model/1"] = "workbench.model/1"
    model: str
    """As it is after ``--model``."""
    base_url: str = ""
    """As it is after ``--base-url``; "" for the provider's own server, or none."""
    origin: Origin
    """Why it is listed: it is in force, it has settings of its own, or its server answers on this machine."""
    window: int | None = None
    """Tokens that prompt and answer may have together; None if nobody says."""
    input_price: float | None = None
    """US dollars for a million tokens of prompts; None if it is not known."""
    output_price: float | None = None
    """US dollars for a million tokens of answers; None if it is not known."""

    @property
    def server(self) -> str:
        """Who is sent prompts for it."""
        provider = {**PROVIDERS, LOCAL: LOCAL_PROVIDER}.get(parse_model_name(self.model).provider)
        return self.base_url or (provider.host if provider is not None else "none: this process")

    @property
    def price(self) -> str:
        """Its prices in words."""
        if self.model == GUIDED or self.model.startswith(f"{LOCAL}:"):
            return "free"
        prices = [f"{price:g}" if price is not None else "–" for price in (self.input_price, self.output_price)]
        return " / ".join(prices) if prices != ["–", "–"] else "–"

    @property
    def size(self) -> str:
        """Its window in words."""
        return f"{self.window:,}" if self.window is not None else "–"


class TriedModel(msgspec.Struct, frozen=True, kw_only=True):
    """What one word of a model takes: the line of ``workbench models --try NAME --json``."""

    schema: Literal["workbench.model-tried/1"] = "workbench.model-tried/1"
    model: str
    """As it is after ``--model``."""
    base_url: str = ""
    """Its server; "" for the provider's own, or none."""
    answer: str
    """What it said, in one line."""
    seconds: float
    """Until the answer was whole."""
    tokens: int
    """Of prompt and answer together."""
    cost: float | None = None
    """US dollars; None if nobody knows."""
    window: int
    """Tokens that prompt and answer may have together."""
    notes: tuple[str, ...] = ()
    """What a person should know of the call: attempts that failed, what the server does not take."""

    @property
    def told(self) -> str:
        """All but the notes, in a sentence."""
        cost = "n/a" if self.cost is None else f"${self.cost:.4f}"
        took = f"{self.seconds:.2f} s, {self.tokens:,} tokens, {cost}, window {self.window:,}"
        return f"{self.model} answers: “{self.answer}” ({took})."


def configured_models(settings: Settings) -> Iterator[KnownModel]:
    """Yield the model in force, and those that settings name."""
    yield known_model(settings, settings.model, settings.base_url, "in force")
    yield from (known_model(settings, name) for name in settings.models if name != settings.model)


def models_on_this_machine() -> Iterator[KnownModel]:
    """Yield what was fetched, and what servers on this machine list. Blocks for a third of a second."""
    from workbench.models.servers.discovery import find_models

    here = (model.name for model in known_local_models(os.environ).values() if model.path)
    yield from (KnownModel(model=f"{LOCAL}:{name}", origin="this machine") for name in here)
    for found in find_models():
        name = f"openai:{found.name}"
        yield KnownModel(model=name, base_url=found.base_url, origin="this machine", window=found.window)


def known_model(settings: Settings, name: str, base_url: str = "", origin: Origin = "settings") -> KnownModel:
    """Return what is known of a model without asking anybody."""
    own = settings_of_model(settings.models, name)
    address = base_url or own.base_url
    prices = (0.0, 0.0) if name == GUIDED else (own.input_price, own.output_price)
    if prices == (None, None) and not address:
        prices = _listed_prices(name)
    return KnownModel(
        model=name, base_url=address, origin=origin, window=own.window, input_price=prices[0], output_price=prices[1]
    )


def _listed_prices(name: str) -> tuple[float | None, float | None]:
    """Return what the list of genai-prices says; None if it does not have the model."""
    parsed = parse_model_name(name)
    if parsed.provider not in PROVIDERS:
        return None, None
    from workbench.models.servers.exchange import listed_price

    return listed_price(parsed.provider, parsed.model)


def local_model_text(name: str, settings: Settings) -> str:
    """Return what planning with a model takes where it runs on this machine; else "". Starts it. Raises ModelError."""
    if not name.startswith(f"{LOCAL}:"):
        return ""
    model = open_model(name, own=settings_of_model(settings.models, name))
    return str(getattr(model, "told", str)())


def ways_to_plan() -> str:
    """Return, in a line, what can plan that nobody has named."""
    key = next((f" ({name} is set)" for one in PROVIDERS.values() for name in one.keys if os.environ.get(name)), "")
    return (
        "Templates plan. Or a model: on this machine (workbench models get), of a server that runs here "
        f"(workbench models), or of a provider, by your key{key}: --model openai:NAME."
    )


def try_model(
    settings: Settings, name: str, base_url: str = "", environ: Mapping[str, str] | None = None
) -> TriedModel:
    """Ask a model for one word. Blocks until it has answered. Raises ModelError, SettingsError and UsageError."""
    from workbench.models.answers import gathered, timely

    if name == GUIDED:
        raise UsageError("The offline planner needs no test: it runs in this process.", "Name a language model.")
    own = settings_of_model(settings.models, name)
    address = base_url or own.base_url or (settings.base_url if name == settings.model else "")
    model = open_model(name, base_url=address or None, environ=environ, own=own)
    window, begun = window_of(model), time.monotonic()
    asked = (Message(role="user", content="Answer with the one word: ready"),)
    request = Request(role="try", task=CondenseTask(said=(), max_tokens=10), messages=asked)

    async def parts() -> list[Part]:
        return [part async for part in timely(model.stream(request), Parameters(first=120.0, idle=60.0))]

    heard = asyncio.run(parts())
    answer = gathered(heard)
    notes = (one.reason if isinstance(one, Retried) else one.note for one in heard if isinstance(one, Retried | Noted))
    usage = answer.usage
    return TriedModel(
        model=name,
        base_url=address,
        answer=clean_name(answer.text, 80),
        seconds=round(time.monotonic() - begun, 2),
        tokens=usage.input_tokens + usage.output_tokens if usage is not None else 0,
        cost=usage.cost if usage is not None else None,
        window=window,
        notes=tuple(notes),
    )
