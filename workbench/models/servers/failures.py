"""What went wrong at a provider, in our words. Imports pydantic-ai: import it in a thread, late.

    theirs ─▶ failure ─┬▶ Transient     429, 5xx, no connection: asked again by models/retry.py
                       ├▶ ModelError    shown, with its remedy
                       └▶ Refused ─read─┬▶ Adapted         there is another form of the request (refusals.py)
                                        └▶ ModelRejected   there is none: nothing was charged

A server's own sentence is quoted: cleaned, shortened and without anything like a key. Who answered is the provider, or
the host of the base URL. Our errors are raised apart from theirs, so that no traceback shows a request, its headers or
its key.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec
from pydantic_ai import exceptions as theirs

from workbench.domain.errors import (
    ModelContextExceeded,
    ModelDenied,
    ModelError,
    ModelRefused,
    ModelRejected,
    ModelReplyInvalid,
    ModelUnknown,
)
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.retry import Adapted, Transient
from workbench.models.servers.connection import Address
from workbench.models.servers.refusals import MOST_READ, Sent, after_too_long, is_context_exceeded, remedy_for
from workbench.models.servers.traits import Traits

_MODERATED = lazy_pattern(
    r"content[_ ]?policy|content management policy|content[_ ]filter|moderation|flagged|usage polic"
    r"|safety (?:system|polic)|inappropriate",
    re.IGNORECASE,
)
_NO_MODEL = lazy_pattern(
    r"model_not_found|no such model|unknown model|invalid model|not a valid model"
    r"|model.{0,80}(?:not found|does not exist|not exist|not available|decommissioned)",
    re.IGNORECASE,
)
_FAULT_IN_WORDS = lazy_pattern(
    r"grammar|json.?schema|response_format|no endpoints found that|system role|roles must alt", re.IGNORECASE
)
"""Words of a 404 or a 500 that say that the request was refused, and not that the server or the model is missing."""


class Refused(Exception):
    """The server did not take the request, and says why."""

    def __init__(self, words: str, error: ModelError | Transient) -> None:
        super().__init__(words)
        self.words = words
        self.error = error
        """What is raised if there is no remedy."""


class Answered(NamedTuple):
    """What a refusal taught, and what is raised."""

    traits: Traits
    raises: Exception


def failure(error: Exception, address: Address) -> Exception:
    """Return what to raise for an error of an attempt; Refused if its words have to be read first."""
    ours = _ours_within(error)
    if ours is not None:
        return ours if isinstance(ours, Transient) else type(ours)(ours.message, ours.remedy)  # without its context
    if isinstance(error, theirs.ModelAPIError):
        problem = _error_of_server(error, address)
        return Refused(_words(error), problem) if _may_be_refusal(error, problem) else problem
    return ModelReplyInvalid(
        f"The answer from {address.place} does not follow {address.provider.title}'s protocol.",
        "Check the base URL, or try another model." if address.base_url else "Ask again, or try another model.",
    )


def read(refused: Refused, traits: Traits, sent: Sent | None, address: Address) -> Answered:
    """Return what a refusal teaches: another form of the request, a smaller window, or the error as it is."""
    sentence = _sentence(refused.words, address)
    remedy = remedy_for(refused.words, traits, sent, sentence=sentence) if sent is not None else None
    if remedy is not None:
        return Answered(remedy.traits, Adapted(f"{remedy.reason}{f' (“{sentence}”)' if sentence else ''}"))
    if sent is not None and is_context_exceeded(refused.words) and isinstance(refused.error, ModelRejected):
        learned = after_too_long(refused.words, traits, sent.prompt_tokens)
        if learned != traits:
            return Answered(learned, ModelContextExceeded(refused.error.message, refused.error.remedy))
        return Answered(traits, _still_too_long(traits, sent, address, f": “{sentence}”" if sentence else ""))
    return Answered(traits, refused.error)


def declined(address: Address, reason: str) -> ModelRefused:
    """Return the error for a model that declined to answer, in its own words if it has some."""
    ending = f": “{reason}”" if reason else ""
    return ModelRefused(f"The model at {address.place} declined to answer{ending}.", "Put the goal in other words.")


def quoted(address: Address, text: str) -> str:
    """Return a provider's words fit to be shown: no key, no control character, one line, shortened."""
    return clean_name(address.key.scrub(text), 200)


def _ours_within(error: BaseException | None) -> ModelError | Transient | None:
    """Return the error of ours that a client library wrapped into its own."""
    while error is not None:
        if isinstance(error, ModelError | Transient):
            return error
        if isinstance(error, BaseExceptionGroup):
            found = (_ours_within(member) for member in error.exceptions)
            return next((ours for ours in found if ours is not None), None)
        error = error.__cause__
    return None


def _may_be_refusal(error: theirs.ModelAPIError, ours: ModelError | Transient) -> bool:
    """Tell whether a server may have refused the form of a request, whatever the status says."""
    if isinstance(ours, ModelRejected):
        return _MODERATED.search(_words(error)) is None
    is_elsewhere = isinstance(error, theirs.ModelNotFoundError | theirs.ModelServerError)
    return is_elsewhere and _FAULT_IN_WORDS.search(_words(error)) is not None


def _error_of_server(error: theirs.ModelAPIError, address: Address) -> ModelError | Transient:
    place, ending, words = address.place, _ending(error, address), _words(error)
    match error:
        case theirs.ModelContextWindowExceededError():
            return _too_long(place, ending)
        case theirs.ModelRequestRejectedError() if _MODERATED.search(words):
            return ModelRejected(f"{place} declined the request{ending}.", "Put the goal in other words.")
        case theirs.ModelAuthenticationError():
            return _denial(address, ending)
        case theirs.ModelRequestRejectedError() if re.search("API_KEY_INVALID|API key not valid", words):
            return _denial(address, ending)
        case theirs.ModelQuotaExceededError():
            return ModelDenied(f"The quota at {place} is used up{ending}.", "Top up the account, or use another model.")
        case theirs.ModelNotFoundError():
            return _no_model(error, address, ending)
        case theirs.ModelRequestRejectedError() if _NO_MODEL.search(words):
            return _no_model(error, address, ending)
        case theirs.ModelConnectionError():
            lost = "the connection to {} was lost" if error.phase == "read" else "no connection to {}"
            return Transient(lost.format(place), remedy=_connection_remedy(address))
        case theirs.ModelRateLimitError():
            return Transient(
                f"{place} asks to slow down{_status(error)}{ending}",
                remedy="Wait some minutes, or use another model.",
                retry_after=error.retry_after,
            )
        case theirs.ModelServerError() | theirs.ModelUnavailableError():
            return Transient(
                f"{place} has a fault{_status(error)}{ending}",
                remedy="Try again later, or use another model.",
                retry_after=error.retry_after,
            )
        case theirs.ModelRequestRejectedError() if is_context_exceeded(words):
            return _too_long(place, ending)
        case theirs.ModelHTTPError():
            return ModelRejected(f"{place} did not accept the request{_status(error)}{ending}.", "Try another model.")
    return ModelReplyInvalid(f"The answer from {place} cannot be read{ending}.", "Ask again.")


def _too_long(place: str, ending: str) -> ModelRejected:
    return ModelRejected(
        f"The prompt is longer than the model at {place} can read{ending}.", "Use a model with a larger window."
    )


def _still_too_long(traits: Traits, sent: Sent, address: Address, ending: str) -> ModelContextExceeded:
    """Return the error for a prompt that was fitted to a known window, and was too long all the same."""
    source = "as it is set" if traits.window_source == "setting" else "as its server says"
    name = f"{address.provider.id}:{clean_name(address.model)}"
    return ModelContextExceeded(
        f"The prompt of about {sent.prompt_tokens:,} tokens is longer than the model at {address.place} can read, "
        f"though its window is {traits.window:,} tokens, {source}{ending}.",
        f'Set a smaller window under [models."{name}"] in the settings, or use another model.',
    )


def _no_model(error: theirs.ModelAPIError, address: Address, ending: str) -> ModelUnknown:
    return ModelUnknown(
        f"There is no model {clean_name(address.model)!r} at {address.place}{ending}.", _other_name(error, address)
    )


def _denial(address: Address, ending: str) -> ModelDenied:
    return ModelDenied(
        f"{address.place} does not accept the key{ending}.",
        f"Check {' or '.join(address.provider.keys)} and what the key may use.",
    )


def _status(error: theirs.ModelAPIError) -> str:
    return f" ({error.status_code})" if isinstance(error, theirs.ModelHTTPError) else ""


def _words(error: theirs.ModelAPIError) -> str:
    """Return all that a server says of an error, as it came."""
    body = error.body
    try:
        text = body if isinstance(body, str) else msgspec.json.encode(body).decode()
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        text = str(body)
    return text[:MOST_READ] if body is not None else ""


def _ending(error: theirs.ModelAPIError, address: Address) -> str:
    """Return the server's own words as the end of a sentence; "" if it has none."""
    text = _message(error.body, address)
    return f": “{text}”" if text else ""


def _sentence(words: str, address: Address) -> str:
    """Return the sentence in a server's words; "" if there is none."""
    try:
        return _message(msgspec.json.decode(words), address)
    except UNREADABLE:
        return ""


def _message(body: object, address: Address) -> str:
    """Return the message within an error's body, as providers and gateways put it there."""
    if isinstance(body, dict) and isinstance(body.get("error"), dict | str):
        body = body["error"] if isinstance(body["error"], dict) else {"message": body["error"]}
    message = body.get("message") or body.get("detail") if isinstance(body, dict) else None
    if isinstance(message, list) and message and isinstance(message[0], dict):  # pydantic's, of FastAPI servers
        first = message[0]
        place = ".".join(map(str, first.get("loc", ()))) if isinstance(first.get("loc"), list) else ""
        message = f"{place}: {first.get('msg', '')}".strip(": ")
    return quoted(address, message) if isinstance(message, str) else ""


def _connection_remedy(address: Address) -> str:
    if address.base_url:
        return "Start the server or correct the base URL, or plan without one with --model guided."
    return "Check the network, or plan without one with --model guided."


def _other_name(error: theirs.ModelAPIError, address: Address) -> str:
    near = error.suggested_model_id if isinstance(error, theirs.ModelHTTPError) else None
    if near:
        return f"Did you mean {clean_name(near)}?"
    return "Check the model's name and the base URL." if address.base_url else "Check the model's name."
