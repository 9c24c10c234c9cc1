"""What went wrong at a provider, in our words. Imports pydantic-ai: import it in a thread, late.

Transient (429, 5xx, no connection) is asked again by models/retry.py, SchemaRefused is asked again in words, and any
other ModelError is shown, with its remedy. Only a server's own message is quoted, cleaned, shortened and without
anything like a key. Our errors are raised apart from theirs, so that no traceback shows a request, its headers or its
key.
"""

from __future__ import annotations

import re

from pydantic_ai import exceptions as theirs

from workbench.domain.errors import (
    ModelDenied,
    ModelError,
    ModelRefused,
    ModelReplyInvalid,
    ModelUnknown,
)
from workbench.domain.text.cleaning import clean_name
from workbench.models.connection import Address
from workbench.models.retry import Transient


class SchemaRefused(Exception):
    """The server does not take a JSON schema with a request."""


def failure(error: Exception, address: Address, *, with_schema: bool) -> Exception:
    """Return what to raise for an error of an attempt. ``with_schema``: a JSON schema was sent along."""
    ours = _ours_within(error)
    if ours is not None:
        return ours if isinstance(ours, Transient) else type(ours)(ours.message, ours.remedy)  # without its context
    title = address.provider.title
    if isinstance(error, theirs.ModelAPIError):
        return _refused_by_server(error, address, with_schema=with_schema)
    return ModelReplyInvalid(
        f"The answer from {_place(address)} is not one that {title}'s protocol knows ({type(error).__name__}).",
        "Check the base URL, or try another model." if address.base_url else "Ask again, or try another model.",
    )


def declined(title: str, reason: str) -> ModelRefused:
    """Return the error for a model that declined to answer, in its own words where it has some."""
    said = f": “{reason}”" if reason else ""
    return ModelRefused(f"The model of {title} declined to answer{said}.", "Put the goal in other words.")


def quoted(address: Address, text: str) -> str:
    """Return a provider's words fit to be shown: no key, no control character, one line, shortened."""
    return clean_name(address.key.scrub(text), 200)


def _ours_within(error: BaseException | None) -> ModelError | Transient | None:
    """Return the error of ours that a client library wrapped into its own."""
    while error is not None:
        if isinstance(error, ModelError | Transient):
            return error
        error = error.__cause__
    return None


def _refused_by_server(error: theirs.ModelAPIError, address: Address, *, with_schema: bool) -> Exception:
    title, said = address.provider.title, _said(error, address)
    match error:
        case theirs.ModelAuthenticationError():
            return _denied(address, said)
        case theirs.ModelRequestRejectedError(body=body) if re.search("API_KEY_INVALID|API key not valid", str(body)):
            return _denied(address, said)
        case theirs.ModelQuotaExceededError():
            return ModelDenied(f"The quota at {title} is used up{said}.", "Top up the account, or use another model.")
        case theirs.ModelNotFoundError():
            return ModelUnknown(
                f"There is no model {clean_name(address.model)!r} at {_place(address)}{said}.",
                _other_name(error, address),
            )
        case theirs.ModelContextWindowExceededError():
            return ModelError(
                f"The prompt is longer than the model can read{said}.", "Use a model with a larger window."
            )
        case theirs.ModelConnectionError():
            lost = "the connection to {} was lost" if error.phase == "read" else "no connection to {}"
            return Transient(lost.format(_place(address)), remedy=_reach(address))
        case theirs.ModelRateLimitError():
            return Transient(
                f"{title} asks to slow down{_status(error)}",
                remedy="Wait some minutes, or use another model.",
                retry_after=error.retry_after,
            )
        case theirs.ModelServerError() | theirs.ModelUnavailableError():
            return Transient(
                f"{title} has a fault{_status(error)}{said}",
                remedy="Try again later, or use another model.",
                retry_after=error.retry_after,
            )
        case theirs.ModelRequestRejectedError() if with_schema:
            return SchemaRefused()
        case theirs.ModelHTTPError():
            return ModelError(f"{title} did not accept the request{_status(error)}{said}.", "Try another model.")
    return ModelReplyInvalid(f"The answer from {_place(address)} cannot be read{said}.", "Ask again.")


def _denied(address: Address, said: str) -> ModelDenied:
    return ModelDenied(
        f"{address.provider.title} does not accept the key{said}.",
        f"Check {' or '.join(address.provider.keys)} and what the key may use.",
    )


def _place(address: Address) -> str:
    return "the server at the base URL" if address.base_url else address.provider.title


def _status(error: theirs.ModelAPIError) -> str:
    return f" ({error.status_code})" if isinstance(error, theirs.ModelHTTPError) else ""


def _said(error: theirs.ModelAPIError, address: Address) -> str:
    """Return the server's own words as the end of a sentence; "" where it has none."""
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    message = body.get("message") if isinstance(body, dict) else None
    text = quoted(address, message) if isinstance(message, str) else ""
    return f": “{text}”" if text else ""


def _reach(address: Address) -> str:
    if address.base_url:
        return "Start the server or correct the base URL, or plan without one with --model guided."
    return "Check the network, or plan without one with --model guided."


def _other_name(error: theirs.ModelNotFoundError, address: Address) -> str:
    near = error.suggested_model_id if isinstance(error, theirs.ModelHTTPError) else None
    if near:
        return f"Did you mean {clean_name(near)}?"
    return "Check the model's name and the base URL." if address.base_url else "Check the model's name."
