"""What a person sets for one model: its server, its limits, its price.

[models."openai:qwen3"] ─▶ ModelSettings ─▶ servers/providers.py   what is left out is asked for, looked up, or assumed
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from workbench.domain.errors import SettingsError
from workbench.domain.loop.agents import ROLES
from workbench.domain.text.cleaning import clean_name

_Tokens = Annotated[int, msgspec.Meta(gt=0, le=100_000_000)]
_Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
_Dollars = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]
_Variable = Annotated[str, msgspec.Meta(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for one model of one name. Everything may be left out."""

    base_url: str = ""
    """Its OpenAI-compatible server, if no other is named; "" for the provider's own."""
    key: _Variable | None = None
    """Name of the environment variable that holds the key; None for the provider's usual ones."""
    window: _Tokens | None = None
    """Tokens that prompt and answer may have together; None: the server is asked."""
    output_limit: _Tokens | None = None
    """The most tokens of an answer; None: as much as server and window allow."""
    first: _Seconds | None = None
    """Seconds until the first part of an answer; None for 600."""
    idle: _Seconds | None = None
    """Seconds without a part, once one has come; None for 120."""
    effort: Literal["low", "medium", "high"] | None = None
    """How long a model that reasons does so; None for its own default."""
    small: bool | None = None
    """Whether it is asked for a first plan in parts; None: where its name says that it has 14 billion parameters or
    fewer."""
    input_price: _Dollars | None = None
    """US dollars for a million tokens of prompts; None: as the provider's list has it, else unknown."""
    output_price: _Dollars | None = None
    """US dollars for a million tokens of answers."""

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what an answer costs by these prices, in US dollars; None if they are not set."""
        if self.input_price is None or self.output_price is None:
            return None
        return (input_tokens * self.input_price + output_tokens * self.output_price) / 1_000_000


def check_model_tables(value: object, source: str) -> dict[str, dict[str, Any]]:
    """Return the tables of a file of settings. Raises SettingsError for what cannot be, naming the model."""
    from workbench.models.catalogue import check_address, parse_model_name

    remedy = 'Give a table like [models."openai:NAME"] with window = 32768, base_url = "http://127.0.0.1:8080/v1".'
    if not isinstance(value, Mapping):
        raise SettingsError(f"{source} sets models to something that is not a table.", remedy)
    tables = {}
    for name, table in value.items():
        shown = clean_name(str(name), 60)
        try:
            checked = msgspec.convert(table, ModelSettings)
        except msgspec.ValidationError as error:
            raise SettingsError(f"{source} sets models.{shown!r} to an impossible value: {error}.", remedy) from error
        if (checked.input_price is None) != (checked.output_price is None):
            both = "Give input_price and output_price, in US dollars for a million tokens."
            raise SettingsError(f"{source} sets only one price of {shown}.", both)
        parse_model_name(str(name))
        check_address(checked.base_url, f"{source}, models.{shown!r}")
        tables[str(name)] = dict(table)
    return tables


def check_roles(value: object, source: str) -> dict[str, str]:
    """Return the models of roles that a file of settings names. Raises SettingsError and ModelUnknown."""
    from workbench.models.catalogue import parse_model_name

    if not isinstance(value, Mapping) or not value.keys() <= set(ROLES):
        remedy = f'Give a table [roles] of lines like verifier = "openai:NAME", for {", ".join(ROLES)}.'
        raise SettingsError(f"{source} sets roles to an impossible value.", remedy)
    return {role: str(parse_model_name(str(name))) for role, name in value.items()}


def settings_of_model(tables: Mapping[str, Mapping[str, Any]], name: str) -> ModelSettings:
    """Return what is set for a model, by its name as it is after ``--model``."""
    return msgspec.convert(tables.get(name, {}), ModelSettings)
