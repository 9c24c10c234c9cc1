"""Settings: each value with the place it comes from, the nearest place first.

    option ▸ WORKBENCH_… in the environment ▸ .workbench/config.toml ▸ the user's config.toml ▸ default

A folder may come from somebody else (docs/adr/0023). Its config.toml changes looks freely, and can lower bounds; what
spends or sends is taken once the person has accepted exactly these values (``storage/trust.py``).

Keys of model providers are not settings: they are read from the environment when a provider is first used, and are
never shown or stored.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from workbench.domain.errors import NotTrusted, SettingsError
from workbench.domain.text.cleaning import clean_name, is_unicode
from workbench.domain.text.toml import read_toml
from workbench.named_files import UnusableFile, read_named_file
from workbench.storage.files.mounts import foreign_owner, own_users
from workbench.storage.files.opening import Files, read_whole
from workbench.storage.places import find_workspace

if TYPE_CHECKING:  # read where a folder asks for something
    from workbench.domain.trust import TrustRequest
    from workbench.storage.trust import Accepted


class NotTaken(NamedTuple):
    """A value of a folder's config.toml that does not hold."""

    value: object
    source: str
    """The file."""
    reason: str
    """Why it does not hold, as part of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)  # no struct: the first paint waits for no library
class Settings:
    """What can be set, with its defaults."""

    model: str = "guided"
    """The model that plans: guided (offline), local:NAME, openai:NAME, anthropic:NAME, google:NAME, scripted:FILE."""
    base_url: str = ""
    """Address of an OpenAI-compatible server; "" for the provider's own."""
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What holds for single models, by name: server, window, limits, prices (``models/own_settings.py``)."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Model by role (planner, verifier, executor, generator), if it is another one than the session's. A session of
    the offline planner asks none."""
    embedder: str = "wordllama"
    """What search by meaning embeds with: wordllama, or minilm, which reads words in context. Both are offline."""
    person: str = ""
    """Your name in the log; "" for the system's user."""
    iterations: int = 5
    """Iterations before the loop asks whether to continue."""
    checkpoint: int = 2
    """A checkpoint after every so many iterations; unless it is set, a language model's are looked at one by one."""
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
    research: str = "off"
    """Whether what is not known is looked up before the planner is asked: off, or files (those of the project that
    .gitignore leaves in, and the session's own memory)."""
    search_url: str = ""
    """Address of a search that answers like SearXNG, in JSON (``https://HOST/search``): research asks it for each gap,
    and reads the pages that it names; "" for none, and nothing leaves the machine."""
    mcp: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Servers of the Model Context Protocol whose tools models may ask for, by name: ``command`` or ``url``, ``env``
    (names of variables that the program is given) and ``read_only`` (tools that are used without asking)."""
    playbooks: str = "own"
    """Whose playbooks the offline planner knows beside its own tables: own (``playbooks/*.toml`` beside your settings),
    team (those of the workspace's folder, too), or off."""
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
    """Key of the application by binding id, if it is another one than the default: ``"app.new" = "f4"``."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Setting → where its value comes from: default, a file's path, or the name of a variable or option."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """What the folder's config.toml sets that a person has to accept, accepted or not."""
    not_taken: Mapping[str, NotTaken] = field(default_factory=dict)
    """Values of the folder's config.toml that do not hold, by setting."""
    withheld: frozenset[str] = frozenset()
    """Settings that would have another value if the folder's were accepted: nothing uses them before that."""

    def require(self, *names: str) -> None:
        """Raise NotTrusted if one of these settings waits for the person to accept the folder's value."""
        waiting = [name for name in names if name in self.withheld]
        if waiting:
            source = self.not_taken[waiting[0]].source
            raise NotTrusted(
                f"{source} sets {' and '.join(waiting)}, which you have not accepted.",
                "Look at the values and accept them with `workbench trust`, or give your own.",
                self.request,
            )

    @property
    def stays_here(self) -> bool:
        """Whether nothing of a session leaves this machine: no model, search, tool or log is anywhere else."""
        is_served = ":" in self.model and not self.model.startswith(("scripted:", "local:"))
        asked = [self.base_url] if is_served else []
        servers = [*asked, *filter(None, (self.search_url, self.log))]
        has_roles = self.model != "guided" and bool(self.roles)
        return not self.mcp and not has_roles and all(map(_is_here, servers))

    @property
    def request(self) -> TrustRequest:
        """Everything that waits for the person to accept it: all values of the folder, or none."""
        from workbench.domain.trust import TrustRequest

        waits = self.asked.keys() & self.not_taken.keys()
        return TrustRequest(settings=dict(self.asked)) if waits else TrustRequest()


def _is_here(address: str) -> bool:
    """Tell whether an address is one of this machine; "" is a provider's own."""
    return urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")


_ABOUT = frozenset({"sources", "asked", "not_taken", "withheld"})
"""Fields that are about settings and are none themselves."""
NAMES: tuple[str, ...] = tuple(one.name for one in fields(Settings) if one.name not in _ABOUT)
"""Every setting, in the order they are shown."""

_LARGEST = 1_000_000
"""Bytes of a file of settings."""

_TYPES = {"str": str, "int": int, "int | None": int, "float | None": float}
_KINDS: dict[str, type] = {
    name: _TYPES[kind] for name, kind in Settings.__annotations__.items() if name in NAMES and kind in _TYPES
}
"""Type of each setting that is not a table."""
_WORDS = {int: "a whole number", float: "a number", str: "a text"}
_ELSEWHERE = frozenset(
    {"WORKBENCH_CONFIG", "WORKBENCH_WORKSPACE", "WORKBENCH_SERVE_TOKEN", "WORKBENCH_MCP_TOKEN", "WORKBENCH_LOCKS"}
)
"""Variables that are no settings: where to look, what a browser or another program has to know, which locks to test."""
_BOUNDS = frozenset({"iterations", "checkpoint", "max_tokens", "max_cost", "max_time", "max_calls"})
"""Settings that a folder can only lower."""
_FREE = frozenset({"recall", "shared", "marks", "motion", "theme", "embedder"})
"""Settings that a folder makes without being accepted. ``recall`` and ``shared`` never widen what the person set."""
_NOT_ACCEPTED = "you have not accepted it"
_USED = frozenset({"model", "base_url", "models", "roles", "log"})
"""Settings whose use waits for an answer; without one, of the others the person's own value holds."""
_DEFAULTS = Settings()
_CHOICES = {
    "embedder": ("wordllama", "minilm"),
    "shared": ("on", "durable", "off"),
    "marks": ("unicode", "ascii"),
    "motion": ("full", "reduced"),
    "playbooks": ("own", "team", "off"),
    "research": ("off", "files"),
}


def find_settings(
    folder: str | Path = ".", *, options: Mapping[str, object] | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """Return the settings in force in a folder, without creating a workspace.

    Raises SettingsError, and NotTrusted for a folder of somebody else that was not accepted.
    """
    environ = os.environ if environ is None else environ
    root = find_workspace(Path(folder))

    def accepted() -> Accepted | None:
        from workbench.storage.trust import TrustStore

        return None if root is None else TrustStore(trust_folder(environ)).accepted(root)

    if root is not None:
        _require_own(root, accepted, environ)
    return load_settings(
        options=options or {},
        environ=environ,
        workspace_file=None if root is None else root / "config.toml",
        user_file=user_config_file(environ),
        accepted=accepted,
    )


def load_settings(
    *,
    options: Mapping[str, object],
    environ: Mapping[str, str],
    workspace_file: Path | None,
    user_file: Path | None,
    accepted: Callable[[], Accepted | None] = lambda: None,
) -> Settings:
    """Return the settings in force. Options that are None are not set; ``accepted`` reads what the person accepted.

    Raises SettingsError for a file that is no TOML, an unknown name, or a value of the wrong type.
    """
    own, folder = _typed_file(user_file, read_named_file), _typed_file(workspace_file, partial(read_whole, Files()))
    named: dict[str, tuple[Any, str]] = {}
    for name in NAMES:
        variable = f"WORKBENCH_{name.upper()}"
        if environ.get(variable):
            named[name] = _typed(name, environ[variable], variable), variable
        if options.get(name) is not None:
            named[name] = _typed(name, options[name], _option(name)), _option(name)
    _refuse_unknown(environ)
    asked = {name: _without_password(name, value) for name, value in folder.items() if _has_to_be_accepted(name, value)}
    person = {name: value for name, (value, _) in named.items()}
    trusted = _trusted(asked, own | folder | person, accepted() if asked else None)
    values: dict[str, Any] = dict(own)
    sources = dict.fromkeys(NAMES, "default") | dict.fromkeys(own, str(user_file))
    not_taken: dict[str, NotTaken] = {}
    for name, value in folder.items():
        reason = "" if name in trusted else _NOT_ACCEPTED if name in asked else _refusal(name, value, own)
        if reason:
            not_taken[name] = NotTaken(asked.get(name, value), str(workspace_file), reason)
        else:
            values[name] = _merged(name, own.get(name), value)
            sources[name] = str(workspace_file)
    waiting = asked.keys() & _USED - trusted - person.keys()
    withheld = frozenset(name for name in waiting if not _is_set(own, name, asked[name]))
    values |= person
    sources |= {name: source for name, (_, source) in named.items()}
    return Settings(**values, sources=sources, asked=asked, not_taken=not_taken, withheld=withheld)


def _require_own(root: Path, accepted: Callable[[], Accepted | None], environ: Mapping[str, str]) -> None:
    """Raise NotTrusted if a ``.workbench`` folder may be somebody else's and was not accepted."""
    try:
        owner = foreign_owner(root, own_users(environ))
    except OSError as error:
        raise SettingsError(f"{root} cannot be used: {error.strerror}.", "Give yourself permission to it.") from error
    if not owner:
        return
    known = accepted()
    if known is None or owner not in known.owners:
        from workbench.domain.trust import TrustRequest

        raise NotTrusted(
            f"{owner} Nothing in it is read or written before you accept it.",
            "Accept it with `workbench trust`, or work in another folder.",
            TrustRequest(owner=owner),
        )


def _typed_file(file: Path | None, read: Callable[[Path, int], bytes]) -> dict[str, Any]:
    return {name: _typed(name, value, str(file)) for name, value in _read_settings(file, read).items()}


def _has_to_be_accepted(name: str, value: object) -> bool:
    """Tell whether a folder's value spends, sends or runs something, or could."""
    return name not in _FREE | _BOUNDS and not (name == "model" and value == "guided")


def _without_password(name: str, value: object) -> object:
    """Return a value as it is shown and remembered: an address of a log with a hash instead of its password."""
    if name != "log" or not value:
        return value
    from workbench.storage.log_address import parse_log_address

    return parse_log_address(str(value), "config.toml").accepted_as


def _trusted(asked: Mapping[str, Any], wanted: Mapping[str, Any], accepted: Accepted | None) -> frozenset[str]:
    """Return the settings of a folder that the person accepted: all of exactly these, or what they named themselves.

    ``wanted`` is what would be in force with all of them.
    """
    if accepted is None:
        return frozenset()
    if asked == accepted.settings:
        return frozenset(asked)
    model, base_url = (wanted.get(name, getattr(_DEFAULTS, name)) for name in ("model", "base_url"))
    names = {"model", "base_url"} if (model, base_url) in accepted.models else set()
    return frozenset(names | ({"log"} if asked.get("log") in accepted.logs else set())) & asked.keys()


def _is_set(own: Mapping[str, Any], name: str, value: object) -> bool:
    """Tell whether the person's own settings say something instead: of a table, for all of its names."""
    return name in own and (not isinstance(value, dict) or value.keys() <= own[name].keys())


def _refusal(name: str, value: Any, own: Mapping[str, Any]) -> str:
    """Return why a folder's free value does not hold beside the person's own; "" if it does."""
    if name in _BOUNDS:
        limit = own.get(name, getattr(_DEFAULTS, name))
        return "a folder can only lower it" if limit is not None and value > limit else ""
    if name == "shared" and name in own and value not in {"off", own[name]}:
        return "a folder can only switch it off"
    return ""


def _merged(name: str, own: Any, value: Any) -> Any:
    """Return a folder's value, a table joined with the person's own."""
    if not isinstance(value, dict):
        return value
    merged = {**(own or {}), **value}
    if name == "recall":  # a person's "session" stays
        narrow = [kind for kind, table in (own or {}).items() if table.get("scope") == "session"]
        merged |= {kind: {**merged[kind], "scope": "session"} for kind in narrow}
    return merged


def user_config_file(environ: Mapping[str, str]) -> Path:
    """Return where this user's settings are: ``WORKBENCH_CONFIG``, else the system's place for them."""
    if environ.get("WORKBENCH_CONFIG"):
        return Path(environ["WORKBENCH_CONFIG"])
    from platformdirs import user_config_path

    return user_config_path("workbench", appauthor=False) / "config.toml"


def trust_folder(environ: Mapping[str, str]) -> Path:
    """Return where it is kept what this user accepted for each workspace: beside the user's settings."""
    return user_config_file(environ).with_name("trust")


def cache_key_file(environ: Mapping[str, str]) -> Path:
    """Return where the secret is that seals this user's caches: beside the user's settings, in no workspace."""
    return user_config_file(environ).with_name("cache-key")


def person_name(settings: Settings) -> str:
    """Return who is at the keyboard: the setting, else the system's user, else ``person``."""
    if settings.person:
        return settings.person
    try:
        return clean_name(getpass.getuser()) or "person"
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


def _read_settings(file: Path | None, read: Callable[[Path, int], bytes]) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        table = read_toml(read(file, _LARGEST).decode())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except UnusableFile as error:
        raise SettingsError(f"{error.filename} cannot be used: {error.strerror}.", error.remedy) from error
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SettingsError(f"The settings in {file} cannot be read: {reason}.", "Mend or move the file.") from error
    except ValueError as error:
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


def setting_value(name: str, typed: str) -> str | int | float:
    """Return what a person typed as a value of a setting that is not a table. Raises SettingsError."""
    value = _typed(name, typed, "What you typed")
    if not isinstance(value, str | int | float):
        raise SettingsError(f"{name} is a table.", "Write it into your settings.")
    return value


def _typed(name: str, value: object, source: str) -> object:
    """Return a setting's value in its own type. Raises SettingsError, which names the value's source."""
    if name == "keys":
        return _key_map(value, source)
    if name == "recall":
        return _recall(value, source)
    if name == "models":
        from workbench.models.own_settings import check_model_tables

        return check_model_tables(value, source)
    if name == "roles":
        from workbench.models.own_settings import check_roles

        return check_roles(value, source)
    if name == "mcp":
        return _servers(value, source)
    kind = _KINDS[name]
    typed = _converted(kind, value)
    if name in _CHOICES and typed not in _CHOICES[name]:
        raise SettingsError(f"{source} sets {name} to {value!r}.", f"Give one of: {', '.join(_CHOICES[name])}.")
    if typed is None:
        raise SettingsError(_says(name, value, source), f"Give {_WORDS[kind]}.")
    if name in {"base_url", "search_url"}:
        from workbench.models.catalogue import check_address

        check_address(str(typed), source)
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


def _servers(value: object, source: str) -> dict[str, Any]:
    from workbench.planning.trust.mcp_servers import McpServer

    if not isinstance(value, dict) or not all(isinstance(table, dict) for table in value.values()):
        raise SettingsError(
            f"{source} sets mcp to something that is not a table.", 'Give a table [mcp.NAME] with command = ["…"].'
        )
    for name, table in value.items():
        McpServer(name, table)
    return value


def _recall(value: object, source: str) -> dict[str, Any]:
    import msgspec

    from workbench.domain.session.context import RecallSettings

    try:
        msgspec.convert(value, RecallSettings)
    except msgspec.ValidationError as error:
        raise SettingsError(
            f"{source} sets recall to an impossible value: {error}.",
            'Give a table like [recall.user] with method = "hybrid", recent = 20, nearest = 10, scope = "all".',
        ) from error
    return dict(value) if isinstance(value, Mapping) else {}


def _converted(kind: type, value: object) -> object | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if kind is int and isinstance(value, float) and not value.is_integer():
        return None
    if isinstance(value, str) and not is_unicode(value):
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


def _says(name: str, value: object, source: str) -> str:
    return f"{source} is {value}." if source.startswith("--") else f"{source} sets {name} to {value!r}."
