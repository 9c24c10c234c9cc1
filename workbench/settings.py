"""Settings: each value with the place it comes from, the nearest place first.

    option ▸ WORKBENCH_… in the environment ▸ .workbench/config.toml ▸ the user's config.toml ▸ default

Keys of model providers are not settings: they are read from the environment when a provider is first used, and are
never shown or stored.
"""

from __future__ import annotations

import getpass
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from workbench.domain.errors import SettingsError
from workbench.storage.places import find_workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What can be set, with its defaults."""

    model: str = "guided"
    """The model that plans: guided (offline), openai:NAME, anthropic:NAME, google:NAME, or scripted:FILE."""
    base_url: str = ""
    """Address of an OpenAI-compatible server; "" for the provider's own."""
    embedder: str = "wordllama"
    """What search by meaning embeds with: wordllama, minilm (both offline), or openai:NAME, which is sent the texts of
    every session that is searched."""
    embedder_url: str = ""
    """Address of the OpenAI-compatible server of the embedder; "" for OpenAI's own."""
    person: str = ""
    """Your name in the log; "" for the system's user."""
    iterations: int = 5
    """Iterations before the loop asks whether to go on."""
    checkpoint: int = 2
    """A checkpoint after every so many iterations."""
    max_tokens: int | None = None
    """Tokens a session may spend before it pauses and asks; None for no bound."""
    max_cost: float | None = None
    """US dollars a session may spend before it pauses and asks; None for no bound."""
    max_time: float | None = None
    """Seconds of model time a session may take before it pauses and asks; None for no bound."""
    max_calls: int | None = None
    """Model calls a session may make before it pauses and asks; None for no bound."""
    recall: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """How each kind (user, assistant, artefact, shared) comes into prompts: ``method``, ``recent``, ``nearest``,
    ``scope`` and ``threshold``, as ``domain.context.Recall`` has them; what is shared is not searched: it has none."""
    shared: str = "on"
    """Whether the sessions of a workspace share a context: on, durable (an acknowledged change survives a power cut,
    too, and takes longer), or off."""
    log: str = ""
    """Where the sessions' logs and the shared one are kept: "" for files in the workspace's folder, or the address of a
    Redis server, ``redis://HOST:6379/0?workspace=NAME``, for sessions on several machines. It may hold a password."""
    theme: str = "night"
    """Name of the application's theme: one that is shipped, or a file in the ``themes`` folder beside your settings."""
    marks: str = "unicode"
    """unicode, or ascii for terminals that draw the others wrongly."""
    motion: str = "full"
    """full, or reduced: nothing on the screen moves by itself."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Key of the application by binding id, where it is another one than the default: ``"app.new" = "f4"``."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Setting → where its value comes from: default, a file's path, or the name of a variable or option."""


NAMES: tuple[str, ...] = tuple(one.name for one in fields(Settings) if one.name != "sources")
"""Every setting, in the order they are shown."""

_KINDS: dict[str, type] = {
    "model": str,
    "base_url": str,
    "embedder": str,
    "embedder_url": str,
    "person": str,
    "iterations": int,
    "checkpoint": int,
    "max_tokens": int,
    "max_cost": float,
    "max_time": float,
    "max_calls": int,
    "shared": str,
    "log": str,
    "theme": str,
    "marks": str,
    "motion": str,
}
_WORDS = {int: "a whole number", float: "a number", str: "a text"}
_ELSEWHERE = frozenset({"WORKBENCH_CONFIG", "WORKBENCH_WORKSPACE"})
"""Variables that say where to look, and are no settings."""
_OWN = frozenset({"base_url", "embedder_url"})
"""Settings that a workspace's folder, which may come from somebody else, cannot make. It can make ``log``, which holds
only once this user has named that server too: ``storage/accepted.py``."""
_CHOICES = {"shared": ("on", "durable", "off"), "marks": ("unicode", "ascii"), "motion": ("full", "reduced")}


def find_settings(
    folder: str | Path = ".", *, options: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """Return the settings in force in a folder, without creating a workspace. Raises SettingsError."""
    environ = os.environ if environ is None else environ
    root = find_workspace(Path(folder))
    return load_settings(
        options=options or {},
        environ=environ,
        workspace_file=None if root is None else root / "config.toml",
        user_file=user_config_file(environ),
    )


def load_settings(
    *, options: Mapping[str, Any], environ: Mapping[str, str], workspace_file: Path | None, user_file: Path | None
) -> Settings:
    """Return the settings in force. Options that are None are not set.

    Raises SettingsError for a file that is no TOML, an unknown name, or a value of the wrong type.
    """
    values: dict[str, Any] = {}
    sources: dict[str, str] = dict.fromkeys(NAMES, "default")
    for file in (user_file, workspace_file):
        for name, value in _read(file).items():
            if file == workspace_file and name in _OWN:
                raise SettingsError(
                    f"{file} sets {name}, and decides with it who is sent your texts and key.",
                    f"Set it in your own settings ({user_file}), in the environment, or as an option.",
                )
            typed = _typed(name, value, str(file))
            values[name] = {**values.get(name, {}), **typed} if isinstance(typed, dict) else typed
            sources[name] = str(file)
    for name in NAMES:
        variable = f"WORKBENCH_{name.upper()}"
        if environ.get(variable):
            values[name] = _typed(name, environ[variable], variable)
            sources[name] = variable
        if options.get(name) is not None:
            values[name] = _typed(name, options[name], _option(name))
            sources[name] = _option(name)
    _refuse_unknown(environ)
    return Settings(**values, sources=sources)


def user_config_file(environ: Mapping[str, str]) -> Path:
    """Return where this user's settings are: ``WORKBENCH_CONFIG``, else the system's place for them."""
    if environ.get("WORKBENCH_CONFIG"):
        return Path(environ["WORKBENCH_CONFIG"])
    from platformdirs import user_config_path

    return user_config_path("workbench", appauthor=False) / "config.toml"


def accepted_servers_file(environ: Mapping[str, str]) -> Path:
    """Return where it is remembered which servers this user's logs may be kept on: beside the user's settings."""
    return user_config_file(environ).with_name("accepted-servers.json")


def person_name(settings: Settings) -> str:
    """Return who is at the keyboard: the setting, else the system's user, else ``person``."""
    if settings.person:
        return settings.person
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user in this container
        return "person"


def _refuse_unknown(environ: Mapping[str, str]) -> None:
    """Refuse a misspelt variable: a bound that is not kept is worse than an error."""
    for variable in environ:
        name = variable.removeprefix("WORKBENCH_")
        if name != variable and variable not in _ELSEWHERE and name.lower() not in NAMES:
            raise SettingsError(f"{variable} sets nothing that exists.", _nearest(name.lower()))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SettingsError(f"The settings in {file} cannot be read: {reason}.", "Mend or move the file.") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"The settings in {file} are not TOML: {error}.", "Mend that line.") from error
    for name in table:
        if name not in NAMES:
            raise SettingsError(f"{file} sets {name!r}, which does not exist.", f"{_nearest(name)}")
    return table


def _nearest(name: str) -> str:
    from rapidfuzz import process

    match = process.extractOne(name, NAMES, score_cutoff=60)
    guess = f"Did you mean {match[0]}? " if match else ""
    return f"{guess}See `workbench config` for the names."


def setting_in(source: str, name: str, value: str) -> str:
    """Return how a setting is changed where its value comes from, as a remedy."""
    if source.startswith("WORKBENCH_"):
        return f"Set the variable {source} to {value}."
    if source.startswith("--"):
        return f"Give the option {source} {value}."
    return f'Put the line `{name} = "{value}"` into {source}.'


def _typed(name: str, value: object, source: str) -> object:
    """Return a setting's value in its own type. Raises SettingsError, naming where the value stands."""
    if name == "keys":
        return _key_map(value, source)
    if name == "recall":
        return _recall(value, source)
    kind = _KINDS[name]
    typed = _converted(kind, value)
    if name in _CHOICES and typed not in _CHOICES[name]:
        raise SettingsError(f"{source} sets {name} to {value!r}.", f"Give one of: {', '.join(_CHOICES[name])}.")
    if typed is None:
        raise SettingsError(_says(name, value, source), f"Give {_WORDS[kind]}.")
    if name in {"base_url", "embedder_url"}:
        _check_address(str(typed), source)
    elif name == "embedder":
        from workbench.models.embedders import check_embedder_name

        check_embedder_name(str(typed), source)
    elif name == "log" and typed:
        from workbench.storage.log_address import parse_log_address

        parse_log_address(str(typed), source)
    elif isinstance(typed, int | float):
        _check_number(name, typed, source)
    return typed


def _key_map(value: object, source: str) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else [("", "")]
    if not all(isinstance(key, str) and key for _, key in pairs):
        raise SettingsError(f"{source} sets keys to {value!r}.", 'Give a table [keys] of lines like "app.new" = "f4".')
    return dict(pairs)


def _recall(value: object, source: str) -> dict[str, Any]:
    import msgspec

    from workbench.domain.context import RecallSettings

    try:
        msgspec.convert(value, RecallSettings)
    except msgspec.ValidationError as error:
        raise SettingsError(
            f"{source} sets recall to something that cannot be: {error}.",
            'Give a table like [recall.user] with method = "hybrid", recent = 20, nearest = 10, scope = "all".',
        ) from error
    return dict(value) if isinstance(value, Mapping) else {}


def _converted(kind: type, value: object) -> object | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if kind is int and isinstance(value, float) and not value.is_integer():
        return None
    try:
        converted: object = kind(value)
    except (ValueError, OverflowError):
        return None
    return converted


def _check_number(name: str, value: float, source: str) -> None:
    most = 100 if name in {"iterations", "checkpoint"} else float("inf")
    if not 0 < value <= most or value == float("inf"):
        remedy = "Give a whole number from 1 to 100." if most == 100 else "Give a number above 0, or leave it out."
        raise SettingsError(_says(name, value, source), remedy)


def _check_address(address: str, source: str) -> None:
    """Refuse what is no address, or holds a secret: it is written into every session that uses it."""
    from urllib.parse import urlsplit

    if not address:
        return
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        remedy = "Give one like https://example.org/v1."
        raise SettingsError(f"The address from {source} is not a server's.", remedy)
    if parts.username or parts.password or parts.query or parts.fragment:
        remedy = "Give it without, and put the key into the environment."
        raise SettingsError(f"The address from {source} holds more than a server and a path.", remedy)


def _says(name: str, value: object, source: str) -> str:
    return f"{source} is {value}." if source.startswith("--") else f"{source} sets {name} to {value!r}."
