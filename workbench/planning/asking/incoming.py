"""A reply while it arrives, and what it is recorded as, whatever happens on the way.

    model ──heard──▶ parts ──add──▶ IncomingReply ─┬▶ call.finished    its end arrived, whatever came after that
                                                   ├▶ call.failed      the model failed, or stopped before its end
                                                   └▶ call.abandoned   interrupted, or asked again with a shorter prompt

Each of them carries what the call took. A prompt that was sent may be charged although no reply came of it, so a
failed call counts as its prompt and what had arrived: otherwise resuming again and again would pass every bound.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import (
    ModelDenied,
    ModelError,
    ModelRejected,
    ModelReplyInvalid,
    ModelTooSlow,
    ModelUnknown,
    ModelUnreachable,
)
from workbench.domain.loop.asking.tasks import reply_fields
from workbench.domain.session import events as say
from workbench.domain.session.state import PendingCall
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.loose_json import TooDeep, json_values
from workbench.models.answers import ended, timely
from workbench.models.ports import (
    FREE,
    Done,
    LanguageModel,
    Noted,
    Part,
    Patient,
    Request,
    Retried,
    TextDelta,
    Thought,
    ToolCall,
    Usage,
)
from workbench.models.tokens import estimate_prompt, estimate_tokens


async def checked_parts(model: LanguageModel, request: Request) -> AsyncIterator[Part]:
    """Yield a model's parts, each as the type says that it is; usage that is not, is left out.

    Raises ModelError only: anything else that a model raises is named, and not quoted.
    """
    defect = ""
    try:
        async with ended(model.stream(request)) as parts:
            asked = request.parameters
            async for part in timely(parts, model.patience(asked) if isinstance(model, Patient) else asked):
                if not isinstance(part, Usage) or _is_sound(part):
                    yield _checked_part(part)
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001 - a model may be anybody's code; a call that was made has to be recorded
        defect = type(error).__name__
    if defect:
        raise ModelError(
            f"The model {clean_name(model.name)!r} failed with an error of its own ({defect}).",
            "Resume to ask again, or use another model.",
        )


def _checked_part(part: Part) -> Part:
    """Return a part. Raises what msgspec raises if a field is not what its type says."""
    return msgspec.convert(msgspec.to_builtins(part, builtin_types=(bytes,)), type(part))


def _is_sound(usage: Usage) -> bool:
    """Tell whether usage is made of numbers at all: a reply is not lost because of it."""
    try:
        _checked_part(usage)
    except (msgspec.ValidationError, TypeError, OverflowError):
        return False
    return True


class IncomingReply:
    """One reply, as far as it has arrived."""

    def __init__(self, call: str, request: Request, model: str, monotonic: Callable[[], float]) -> None:
        self._call = call
        self._request = request
        self._is_free = model in FREE
        self._monotonic = monotonic
        self._begun = monotonic()
        self._texts: list[str] = []
        self._arguments: list[str] = []
        self._thoughts = 0
        """Characters."""
        self._usage: Usage | None = None
        self._done: Done | None = None

    def add(self, part: Part) -> None:
        """Take in what arrived."""
        match part:
            case TextDelta(text):
                self._texts.append(text)
            case Thought(text, takes_back):
                self._thoughts += len(text)
                if takes_back:
                    self._thoughts += sum(map(len, self._texts))
                    self._texts.clear()
            case ToolCall():
                self._arguments.append(part.arguments)
            case Usage():
                self._usage = part
            case Done():
                self._done = part
            case _:
                pass

    def outcome(self, error: ModelError | None) -> say.CallFinished | say.CallFailed:
        """Return what came back; a complete reply is one, whatever happened after its end."""
        if self._done is not None:
            return self._finished(self._done)
        if error is None:
            error = ModelReplyInvalid("The reply ended before it was complete.", "Resume to ask again.")
        taken = self._usage_of_call() if self._was_sent(error) else _NOTHING
        return say.CallFailed(
            error=type(error).__name__,
            message=clean(error.message),
            remedy=clean(error.remedy),
            partial=clean(self._text),
            **self._spent(taken),
        )

    def interrupted(self, cause: BaseException) -> say.CallFinished | say.CallFailed | say.CallAbandoned:
        """Return what came back before an interruption: a whole reply is one."""
        if self._done is not None:
            return self._finished(self._done)
        by_person = isinstance(cause, asyncio.CancelledError)
        reason = "Interrupted by you" if by_person else f"Interrupted by an error ({type(cause).__name__})"
        kept = f"{reason}; what was received is kept."
        return say.CallAbandoned(reason=kept, partial=clean(self._text), **self._spent(self._usage_of_call()))

    def too_slow(self) -> ModelTooSlow:
        """Return the error for a reply that is not complete within the session's bound of time."""
        return ModelTooSlow(
            f"The model gave no complete reply within the {self._request.parameters.total or 0:.0f} s that were left.",
            "Raise the bound of time and resume, or use a faster model.",
        )

    def refitted(self, window: int) -> say.CallAbandoned:
        """Return what a call came to whose prompt was too long: it is asked again within a window of so many tokens."""
        reason = f"The model reads {window:,} tokens at most, by our count: a shorter prompt follows."
        return say.CallAbandoned(reason=reason, **self._spent(_NOTHING))

    def _finished(self, done: Done) -> say.CallFinished:
        taken = self._usage_of_call()
        return say.CallFinished(
            text=clean(self._text or self._answer_of_tool()),
            estimated=taken.estimated,
            model=clean_name(done.model),
            reason=done.reason,
            cached_tokens=_plausible_count(taken.cached_tokens, taken.input_tokens),
            reasoning_tokens=_plausible_count(taken.reasoning_tokens, taken.output_tokens),
            server_window=taken.server_window if 0 < taken.server_window <= say.MOST_COUNTED else msgspec.UNSET,
            is_continued=taken.is_continued or msgspec.UNSET,
            **self._spent(taken),
        )

    def _spent(self, taken: Usage) -> dict[str, Any]:
        """Return which call it was, and what it took, as every end of a call says it."""
        return {
            "call": self._call,
            "input_tokens": taken.input_tokens,
            "output_tokens": taken.output_tokens,
            "cost": taken.cost,
            "seconds": round(self._monotonic() - self._begun, 3),
        }

    def _was_sent(self, error: ModelError) -> bool:
        """Tell whether a prompt may be charged: it reached the model, or nobody knows that it did not."""
        if self._texts or self._thoughts or self._arguments or self._usage or isinstance(error, ModelTooSlow):
            return True
        return not isinstance(error, ModelDenied | ModelRejected | ModelUnknown | ModelUnreachable)

    def _usage_of_call(self) -> Usage:
        """Return what the model says it took, if that can be; else an estimate, without a price."""
        usage = self._usage
        if usage is None or not all(0 <= n <= say.MOST_COUNTED for n in (usage.input_tokens, usage.output_tokens)):
            return Usage(
                input_tokens=estimate_prompt(self._request.messages),
                output_tokens=estimate_tokens(self._text)
                + sum(map(estimate_tokens, self._arguments))
                + self._thoughts // 4,
                cost=0.0 if self._is_free else None,
                estimated=True,
            )
        is_price = usage.cost is not None and 0 <= usage.cost <= say.MOST_DOLLARS
        return usage if is_price else replace(usage, cost=None)

    def _answer_of_tool(self) -> str:
        """Return the arguments of a call of a tool that nobody offered, if they are what was asked for."""
        fields = reply_fields(self._request.task)
        for arguments in self._arguments:
            with suppress(TooDeep):
                said = next((found.value for found in json_values(arguments)), None)
                if isinstance(said, dict) and not fields.isdisjoint(said):
                    return arguments
        return ""

    @property
    def _text(self) -> str:
        return "".join(self._texts)


def _plausible_count(part: int, whole: int) -> int:
    """Return a part of a count as it can be: what a model says may be anything."""
    return min(max(part, 0), whole)


_MOST_SECONDS = 1e6
_NOTHING = Usage(input_tokens=0, output_tokens=0, cost=0.0)


def notice(call: str, part: Retried | Noted) -> say.CallRetried | say.CallNoted:
    """Return what is recorded of an attempt that another one follows, and of what a person should know of a call."""
    if isinstance(part, Noted):
        return say.CallNoted(call=call, note=clean(part.note), came=clean(part.came) or msgspec.UNSET)
    wait = part.wait if 0 <= part.wait <= _MOST_SECONDS else 0.0
    return say.CallRetried(call=call, reason=clean(part.reason), wait=wait)


def lost_with_its_process(call: PendingCall) -> say.CallAbandoned:
    """Return the end of a call whose process is gone: its prompt counts as taken, and how long it took is not known."""
    return say.CallAbandoned(
        call=call.call,
        reason="The process ended before the reply arrived; it may have been paid for, and is asked again.",
        input_tokens=call.estimated_tokens,
        cost=0.0 if call.model in FREE else None,
    )
