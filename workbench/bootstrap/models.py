"""Which models may be used in a workspace, and how one is opened: the only place that names a provider."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from workbench.bootstrap.contents import new_contents
from workbench.domain.errors import NotFound, NotTrusted, WorkbenchError
from workbench.domain.loop.agents import ROLES, role_agent
from workbench.domain.text.cleaning import clean_name
from workbench.domain.trust import ModelUse, TrustRequest, server_of
from workbench.planning.trust.person import agent_around, require_person
from workbench.settings import Settings, find_settings, trust_folder, user_config_file
from workbench.storage.files.workspace import WorkspaceFolder
from workbench.storage.log_address import LogAddress, parse_log_address
from workbench.storage.places import find_workspace
from workbench.storage.trust import Accepted, TrustStore

if TYPE_CHECKING:  # models are imported when they are first used
    from workbench.domain.loop.agents import Agent
    from workbench.domain.session.session import SessionState
    from workbench.models.local.files import LocalModelObject
    from workbench.models.own_settings import ModelSettings
    from workbench.models.ports import LanguageModel
    from workbench.models.servers.traits import Remembered

GUIDED = "guided"
"""The model that sends nothing anywhere."""
CHOSEN = "your choice"
"""Source of a setting that was chosen while the workspace is open."""


class ModelAt(NamedTuple):
    """A model and its server."""

    name: str
    base_url: str = ""
    """"" for the provider's own."""


class TrustedModels:
    """The settings of a workspace, what the person accepted of them, and the models that follow from it."""

    def __init__(
        self,
        folder: WorkspaceFolder,
        settings: Settings,
        options: Mapping[str, object] | None,
        environ: Mapping[str, str],
    ) -> None:
        self.settings = settings
        self._folder = folder.root
        self._options = options
        self._environ = environ
        self.store = TrustStore(trust_folder(environ), folder.files)
        """The person's own record of what they accepted."""
        self._remembered: Remembered = {}
        self._chosen: dict[str, Any] = {}

    def accept(self, request: TrustRequest) -> None:
        """Accept what the workspace asks for: it holds from now on. Raises LogUnavailable, and as ``accept`` does."""
        accept(self.store, self._folder, request)
        self.reread()

    def accepted(self) -> Accepted:
        """Return what the person accepted for the workspace. Raises LogUnavailable."""
        return self.store.accepted(self._folder)

    def revoke(self) -> None:
        """Accept nothing of it any more. Raises LogUnavailable."""
        self.store.revoke(self._folder)
        self.reread()

    def reread(self) -> None:
        """Take the settings as they are now; what was chosen stays. Raises SettingsError."""
        settings = find_settings(self._folder.parent, options=self._options, environ=self._environ)
        self.settings = self._with_chosen(settings)

    def choose(self, **changes: object) -> None:
        """Use settings that the person chose while the workspace is open; a model, for sessions that continue, too."""
        tables = {**self._chosen.get("models", {}), **changes.get("models", {})}  # type: ignore[dict-item]  # it is a table
        self._chosen |= {**changes, **({"models": tables} if tables else {})}
        self.settings = self._with_chosen(self.settings)

    def _with_chosen(self, settings: Settings) -> Settings:
        chosen = self._chosen
        if "models" in chosen:
            chosen = {**chosen, "models": {**settings.models, **chosen["models"]}}
        sources = {**settings.sources, **dict.fromkeys(chosen, CHOSEN)}
        return replace(settings, **chosen, sources=sources, withheld=settings.withheld - chosen.keys())

    def request_of(self, state: SessionState) -> TrustRequest:
        """Return the models of a session, of its agents and of roles that were not accepted. Raises NotTrusted."""
        recorded = ModelAt(state.options.model, state.options.base_url)
        uses = [] if self._is_trusted(recorded) else [_use(recorded, f"session {state.session}")]
        for agent in (*state.agents, *self._role_agents(recorded)):
            model = self._model_of_agent(agent, recorded)
            if agent.model and not self._is_trusted_server(model, recorded):
                uses.append(_use(model, _used_by(agent)))
        return TrustRequest(models=tuple(uses))

    def _is_trusted(self, model: ModelAt) -> bool:
        """Tell whether the person named a model with its server for this workspace, or sends nothing with it."""
        settings = self.settings
        accepted = self.store.accepted(self._folder).models
        return model.name == GUIDED or model in ((settings.model, settings.base_url), *accepted)

    def _is_trusted_server(self, model: ModelAt, session: ModelAt) -> bool:
        """Tell whether an agent's model is on its session's server, or on one that was accepted."""
        return (
            model.name == GUIDED
            or server_of(*model) == server_of(*session)
            or self.store.accepted(self._folder).has_server_of(*model)
        )

    def remember(self, model: ModelAt) -> None:
        """Remember that the person named a model; if that cannot be kept, they are asked."""
        if model.name != GUIDED and not agent_around():
            with suppress(WorkbenchError):
                self.store.change(self._folder, lambda accepted: accepted.with_model(*model))

    def in_force(self) -> ModelAt:
        """Return the model that the settings name. Raises NotTrusted."""
        self.settings.require("model")
        return ModelAt(self.settings.model, self._server_of(self.settings.model))

    def _server_of(self, name: str) -> str:
        """Return the server that the settings name for a model; "" if they name none. Raises NotTrusted."""
        if name.startswith("local:"):
            return ""
        if ":" in name:
            self.settings.require("base_url")
        return self.settings.base_url or self._settings_of(name).base_url

    def has_server_from_settings(self, state: SessionState | None = None) -> bool:
        """Tell whether the settings name the server of the model in force, or of a session: then it follows them."""
        sources = self.settings.sources
        if sources["base_url"] in ("--base-url", CHOSEN):
            return False
        return state is None or sources["model"] in ("--model", CHOSEN) or bool(state.options.server_from_settings)

    def _settings_of(self, name: str) -> ModelSettings:
        from workbench.models.own_settings import settings_of_model

        waiting = self.settings.not_taken.get("models")
        if name != GUIDED and waiting is not None and isinstance(waiting.value, dict) and name in waiting.value:
            self.settings.require("models")
        return settings_of_model(self.settings.models, name)

    def of_session(self, state: SessionState) -> ModelAt:
        """Return the model that a session continues with, on the server that the settings name where it follows them.

        Raises NotTrusted.
        """
        settings, recorded = self.settings, ModelAt(state.options.model, state.options.base_url)
        if settings.sources["model"] in ("--model", CHOSEN):
            return self.in_force()
        if settings.sources["base_url"] == "--base-url":
            return recorded._replace(base_url=settings.base_url)
        if not self._is_trusted(recorded):
            raise _not_named(
                _use(recorded, f"session {state.session}"), "Accept it, or name a model yourself: --model guided."
            )
        follows = ":" in recorded.name and self.has_server_from_settings(state)
        return recorded._replace(base_url=self._server_of(recorded.name) or recorded.base_url) if follows else recorded

    def open_named(self, model: ModelAt) -> LanguageModel:
        """Open a model that the person named or accepted, and remember that they did."""
        opened = self._open(model)
        self.remember(model)
        return opened

    def open_for_agent(self, session: ModelAt, agent: Agent) -> LanguageModel:
        """Open an agent's model. Raises NotTrusted for a server that is not the session's and was not accepted."""
        model = self._model_of_agent(agent, session)
        if not self._is_trusted_server(model, session):
            remedy = "`workbench trust SESSION` shows it and asks."
            if agent.id in ROLES:
                remedy = "Accept it in a terminal, or name it once with --model."
            raise _not_named(_use(model, _used_by(agent)), remedy)
        return self._open(model)

    def of_roles(self, session: ModelAt) -> dict[str, str]:
        """Return the model of each role that has one of its own. Raises ModelError, and NotTrusted as for an agent."""
        agents = self._role_agents(session)
        for agent in agents:
            self.open_for_agent(session, agent)
        return {agent.id: agent.model for agent in agents}

    def _role_agents(self, session: ModelAt) -> list[Agent]:
        """Return the roles with a model of their own as agents; a session of the offline planner has none."""
        if session.name in ("", GUIDED):
            return []
        self.settings.require("roles")
        return [role_agent(role, name) for role, name in self.settings.roles.items()]

    def check_agent(self, agent: Agent) -> None:
        """Raise ModelError if an agent's own model cannot be opened."""
        if agent.model:
            from workbench.models.catalogue import SCRIPTED, parse_model_name

            model = ModelAt(agent.model, agent.base_url)
            self._open(model)
            if parse_model_name(agent.model).provider == SCRIPTED:  # it sends nothing: who names its file accepts it
                self.remember(model)

    def _model_of_agent(self, agent: Agent, session: ModelAt) -> ModelAt:
        """Return an agent's model and its server: the session's where the provider is the same and none is named."""
        is_same = server_of(agent.model, "")[0] == server_of(session.name, "")[0]
        own = agent.base_url or self._settings_of(agent.model).base_url
        return ModelAt(agent.model, own or (session.base_url if is_same else ""))

    def _open(self, model: ModelAt) -> LanguageModel:
        if model.name == GUIDED:
            from workbench.bootstrap.templates import load_templates
            from workbench.templates.model import TemplateModel

            return TemplateModel(load_templates(self.settings, self._folder, self._environ).catalogue)
        return open_model(
            model.name,
            base_url=model.base_url or None,
            environ=self._environ,
            remembered=self._remembered,
            own=self._settings_of(model.name),
        )


def _use(model: ModelAt, used_by: str) -> ModelUse:
    from workbench.models.catalogue import host_of

    return ModelUse(model=model.name, base_url=model.base_url, host=host_of(*model), used_by=used_by)


def _used_by(agent: Agent) -> str:
    return f"setting roles.{agent.id}" if agent.id in ROLES else f"agent {agent.name}"


def _not_named(use: ModelUse, remedy: str) -> NotTrusted:
    return NotTrusted(
        f"The {use.used_by} would send prompts and key for {clean_name(use.model)} to {clean_name(use.host, 200)}, "
        "which you have not accepted here.",
        remedy,
        TrustRequest(models=(use,)),
    )


def open_model(
    name: str,
    *,
    base_url: str | None = None,
    environ: Mapping[str, str] | None = None,
    remembered: Remembered | None = None,
    own: ModelSettings | None = None,
) -> LanguageModel:
    """Return the model with this name.

    ``base_url`` replaces the provider's address; with one, OpenAI's protocol needs no key. ``environ`` is where keys
    are looked up. ``remembered`` keeps what servers were found to take, for all models that are given it; ``own`` is
    what the person set for this one. Reads a script's file, and nothing else; call it where blocking is allowed.
    Raises ModelUnknown (no such provider, extra not installed, no usable script), ModelDenied (no key) and
    SettingsError (a base URL that is no address).
    """
    from workbench.models import catalogue

    parsed = catalogue.parse_model_name(name)
    if parsed.provider == catalogue.GUIDED:
        from workbench.templates.model import TemplateModel

        return TemplateModel()
    if parsed.provider == catalogue.SCRIPTED:
        from workbench.models.scripted import ScriptedModel

        return ScriptedModel.load(parsed.model)
    environ = os.environ if environ is None else environ
    if parsed.provider == catalogue.LOCAL:
        catalogue.require_extra(catalogue.LOCAL_PROVIDER)
        return _open_local(parsed.model, own, remembered)
    from workbench.models.servers.providers import ProviderModel

    provider = catalogue.PROVIDERS[parsed.provider]
    if base_url is not None:
        catalogue.check_address(base_url, "the base URL")
    catalogue.require_extra(provider)
    variables = (own.key,) if own is not None and own.key else provider.keys
    key = catalogue.find_key(provider, base_url, environ, variables)
    return ProviderModel(provider, parsed.model, key=key, base_url=base_url, remembered=remembered, own=own)


def models_folder() -> Path:
    """Return where the models are that were fetched: with this user's data."""
    from platformdirs import user_data_path

    return user_data_path("workbench", appauthor=False) / "models"


def known_local_models(environ: Mapping[str, str]) -> dict[str, LocalModelObject]:
    """Return the models that can be had on this machine, or are here, by name. Raises SettingsError."""
    from workbench.models.local.files import local_models, memory_of_machine

    own = user_config_file(environ).with_name("local-models.toml")
    return local_models(models_folder(), own, memory_of_machine())


def _open_local(name: str, own: ModelSettings | None, remembered: Remembered | None) -> LanguageModel:
    from workbench.models.local import files, server

    file = files.model_file(name, models_folder())
    window = (own.window if own else None) or files.window_for(file.stat().st_size, files.memory_of_machine())
    return server.LocalModel(name, server.local_server(file, window, models_folder() / "run"), own, remembered)


def log_server(settings: Settings, root: Path | None, environ: Mapping[str, str]) -> LogAddress | None:
    """Return the server that logs are kept on; None for files. One that the person names is accepted from then on.

    ``root``: the ``.workbench`` folder, if there is one. Raises NotTrusted if only its settings name a server.
    """
    settings.require("log")
    if not settings.log:
        return None
    source = settings.sources["log"]
    address = parse_log_address(settings.log, source)
    if root is not None and source != str(root / "config.toml"):
        accept_log(root, address, environ)
    return address


def accept_log(root: Path, address: LogAddress, environ: Mapping[str, str]) -> None:
    """Remember that the person named a log server; if that cannot be kept, they are asked."""
    if agent_around():
        return
    named = address.accepted_as  # slow, and others wait for the record
    with suppress(WorkbenchError):
        TrustStore(trust_folder(environ)).change(root, lambda accepted: accepted.with_log(named))


def accept(store: TrustStore, root: Path, request: TrustRequest) -> None:
    """Record that the person accepts what a workspace asks for. Raises UsageError if an agent would."""
    require_person("accepted")
    store.change(root, lambda accepted: accepted.with_request(request))


def trust_request(folder: str | Path, environ: Mapping[str, str]) -> TrustRequest:
    """Return what the nearest workspace asks for and was not accepted: its owner first, then settings and files.

    Raises NotFound if there is no workspace, SettingsError.
    """
    root = workspace_root(folder)
    try:
        settings = find_settings(folder, environ=environ)
    except NotTrusted as error:
        return error.request
    return structs.replace(settings.request, contents=new_contents(settings, root, environ))


def workspace_root(folder: str | Path) -> Path:
    """Return the nearest ``.workbench`` folder. Raises NotFound."""
    root = find_workspace(Path(folder))
    if root is None:
        raise NotFound("There is no workspace here or in a folder above.", "Name its folder with --workspace.")
    return root
