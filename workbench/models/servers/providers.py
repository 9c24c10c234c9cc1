"""Language models of providers: OpenAI and whatever speaks its protocol, Anthropic, Google; through pydantic-ai.

    Request ─▶ turns, schema, limits, as the server takes them (Traits) ─▶ parts
                 ▲                                                          │
                 └─ a refusal is read (refusals.py), and taught something ◀─┘

Whether the answer fits is judged by domain/loop/answers/replies.py.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec.structs import replace
from msgspec.structs import replace as with_fields

from workbench.domain.errors import ModelError, ModelUnreachable
from workbench.models.answers import ended
from workbench.models.catalogue import ModelProvider
from workbench.models.continuation import continued
from workbench.models.own_settings import ModelSettings
from workbench.models.ports import Done, Noted, Parameters, Part, Request, ToolCall, Usage
from workbench.models.retry import Backoff, CutOff, retrying
from workbench.models.secret import Secret, without_key
from workbench.models.servers.connection import Address, Opening, open_connection, open_provider
from workbench.models.servers.exchange import Exchange
from workbench.models.servers.refusals import Sent
from workbench.models.servers.traits import Remembered, Traits
from workbench.models.small import has_parts, in_parts, is_small
from workbench.models.tokens import estimate_prompt, estimate_tokens

LEAST_ANSWER = 500
"""Tokens that the shortest useful answer takes: a reply that was cut off is not continued with less."""


class ProviderModel:
    """A language model that a provider runs."""

    def __init__(
        self,
        provider: ModelProvider,
        model: str,
        *,
        key: Secret,
        base_url: str | None = None,
        own: ModelSettings | None = None,
        max_bytes: int = 4_000_000,
        backoff: Backoff | None = None,
        opening: Opening = open_provider,
        remembered: Remembered | None = None,
    ) -> None:
        """``own``: what a person set for this model."""
        self.own = own or ModelSettings()
        self._address = Address(provider, model, key, base_url, max_bytes, own=self.own)
        self.name = f"{provider.id}:{model}"
        self._backoff = backoff or Backoff()
        self._opening = opening
        self._remembered: Remembered = {} if remembered is None else remembered

    def __repr__(self) -> str:
        return f"ProviderModel({self.name!r})"

    @property
    def window(self) -> int:
        """Tokens, as they are estimated here, that prompt and answer may have together, as far as it is known."""
        return int(self.traits.window / self.traits.undercount)

    @property
    def is_priced(self) -> bool:
        """Whether a person set its price, its server says it, or the list of the provider's own models has it."""
        from workbench.models.servers.exchange import listed_price

        address = self._address
        is_set = self.own.input_price is not None or self.traits.tells_price
        return is_set or (not address.base_url and listed_price(address.provider.id, address.model) != (None, None))

    @property
    def traits(self) -> Traits:
        """What the server has been found to take."""
        known = self._remembered.get(self._key)
        if known is not None:
            return known
        traits = Traits(output_limit=self.own.output_limit)
        return traits if self.own.window is None else replace(traits, window=self.own.window, window_source="setting")

    @property
    def _key(self) -> tuple[str, str, ModelSettings]:
        return self.name, self._address.base_url or "", self.own

    def _learn(self, traits: Traits) -> None:
        self._remembered[self._key] = traits

    def patience(self, asked: Parameters) -> Parameters:
        """Return how long to wait for this model, where its person set that."""
        own = self.own
        return with_fields(asked, first=own.first or asked.first, idle=own.idle or asked.idle)

    def inquire(self) -> None:
        """Ask server and profile how large the window is and how long an answer may be. Blocks for seconds.

        They are asked once, and again after a call that failed: a server may have been started meanwhile, or otherwise.
        """
        traits = self.traits
        if traits.is_asked:
            return
        traits = replace(traits, is_asked=True)
        if (server := self._asked_server()) is not None:
            from workbench.models.servers.inquiry import ask

            limits = ask(server[0], self._address.model, server[1].reveal())
            traits = replace(
                traits,
                output_limit=traits.output_limit or limits.output_limit,
                stated_window=limits.window or traits.stated_window,
                tells_price=limits.tells_price or traits.tells_price,
            )
            if limits.window is not None and traits.window_source in ("assumed", "profile", "server"):
                traits = replace(traits, window=limits.window, window_source="server")
        if traits.window_source == "assumed" and (known := _window_in_profile(self._address, self._opening)):
            traits = replace(traits, window=known, window_source="profile")
        self._learn(traits)

    def _asked_server(self) -> tuple[str, Secret] | None:
        """Return the address and the key of a server that may say what it takes; None if none does."""
        address = self._address
        if address.provider.id != "openai" or address.base_url is None:
            return None
        return address.base_url, address.key

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer a request. Raises the kinds of ModelError that failures.py lists, none of them with a key."""
        small = is_small(self.name) if self.own.small is None else self.own.small
        answer = in_parts(request, self._stream) if small and has_parts(request) else self._stream(request)
        async with ended(answer) as parts:
            async for part in parts:
                yield part

    async def _stream(self, request: Request) -> AsyncIterator[Part]:
        prompt_tokens = estimate_prompt(request.messages)
        answer = continued(
            lambda so_far: without_key(self._attempts(request, so_far), self._address.key),
            lambda so_far, usage: self._has_room(request, so_far, usage),
            prompt_tokens,
        )
        problem: ModelError
        async with ended(answer) as parts:
            scrub = self._address.key.scrub
            try:
                async for part in parts:
                    if isinstance(part, Usage):
                        if note := self._assumption():
                            yield Noted(note)
                        yield with_fields(part, server_window=self.traits.stated_window or 0)
                    else:
                        yield Noted(scrub(part.note)) if isinstance(part, Noted) else part
            except ModelError as error:
                self._learn(replace(self.traits, is_asked=False))
                kind = ModelUnreachable if isinstance(error, CutOff) else type(error)
                problem = kind(scrub(error.message), scrub(error.remedy))
            else:
                return
        raise problem  # apart from the one that it stands for, which a traceback would show

    def _attempts(self, request: Request, so_far: str) -> AsyncIterator[Part]:
        return retrying(lambda: self._attempt(request, so_far), self._backoff, within=request.parameters.total)

    async def _attempt(self, request: Request, so_far: str) -> AsyncIterator[Part]:
        problem: Exception
        traits = self.traits
        sent: Sent | None = None
        async with open_connection(replace(self._address, traits=traits), self._opening) as opened:
            from workbench.models.servers.failures import Refused, failure, read

            try:
                call = Exchange(request, self._address, opened, traits, so_far)
                sent = call.sent
                has_object = False
                async for part in call.answer():
                    has_object = has_object or isinstance(part, ToolCall) or "{" in getattr(part, "text", "")
                    if isinstance(part, Done) and sent.schema and not has_object:
                        self._learn(replace(self.traits, takes_schema=False))
                        yield Noted(
                            f"{self._address.place} did not keep to the JSON schema: asked in words from now on."
                        )
                    yield part
            except Exception as error:  # noqa: BLE001  # a parser fed by any server raises anything; none of it is lost
                problem = failure(error, self._address)
            else:
                return
        if isinstance(problem, Refused):
            answered = read(problem, self.traits, sent, self._address)
            self._learn(answered.traits)
            problem = answered.raises
        raise problem

    def _has_room(self, request: Request, so_far: str, usage: Usage | None) -> bool:
        """Tell whether budget and window have room for the rest of an answer that was cut off."""
        again = estimate_prompt(request.messages) + estimate_tokens(so_far)
        budget = request.parameters.max_output_tokens
        taken = usage.output_tokens if usage is not None else estimate_tokens(so_far)
        is_paid = budget is None or budget - taken - again >= LEAST_ANSWER
        return is_paid and self.window - again >= LEAST_ANSWER

    def _assumption(self) -> str:
        """Return, once for all that remember the same, that the window is assumed; "" if it is known or was told."""
        if self.traits.window_source != "assumed" or self.traits.has_told:
            return ""
        self._learn(replace(self.traits, has_told=True))
        return (
            f"{self._address.place} does not say how long a prompt may be: {self.window:,} tokens are assumed. "
            f'Set window under [models."{self.name}"] in the settings where it is another.'
        )


def _window_in_profile(address: Address, opening: Opening) -> int | None:
    """Return the window that the provider's client knows for a model. Blocks: imports."""
    try:
        window = opening(address).model.profile.get("context_window")
    except Exception:  # noqa: BLE001  # what is wrong is told by the call that follows
        return None
    return window if isinstance(window, int) and window > 0 else None
