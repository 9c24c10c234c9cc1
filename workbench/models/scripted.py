"""Recorded answers, played again: for tests, demonstrations and verification, without key or network.

A script has a record for each answer, as JSON Lines. It is found by its request: the hash of role, task and exact
messages. A request that was asked several times plays its answers in the order they were recorded, then the last one
again: asked the same once more, a model that cannot change its mind says the same. Schema and parameters are not
part of the key; they follow from the task and from settings.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Literal

import msgspec

from workbench.domain.errors import ModelError, ModelUnknown
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.session.context import spoken
from workbench.domain.text.cleaning import clean
from workbench.models.answers import Answer, as_stream
from workbench.models.ports import Done, Part, Request, Usage
from workbench.models.tokens import estimate_prompt, estimate_tokens
from workbench.named_files import read_named_file

WINDOW = 128_000
"""Tokens; what recorded and computed answers claim, as nothing limits them."""


class Recorded(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a script."""

    schema: Literal["workbench.script/1"] = "workbench.script/1"
    key: str
    """``request_key`` of the request."""
    role: str
    task: str
    """The task's tag, for people who read the file."""
    answer: Answer


def request_key(request: Request) -> str:
    """Return the sha256, hex, of what makes a request the same request: role, task and exact messages.

    Empty fields of a task do not count, so that new ones change no record.
    """
    task = {name: value for name, value in msgspec.to_builtins(request.task).items() if value}
    return hashlib.sha256(msgspec.json.encode([request.role, task, spoken(request.messages)])).hexdigest()


def recorded(request: Request, answer: Answer) -> Recorded:
    """Return an answer as the record that plays it for this request."""
    return Recorded(key=request_key(request), role=request.role, task=_task_name(request), answer=answer)


class ScriptedModel:
    """Plays recorded answers; a request that was not recorded is an error, never a guess."""

    name = "scripted"
    window = WINDOW

    def __init__(self, records: Iterable[Recorded], *, source: str = "the script") -> None:
        self._answers: defaultdict[str, list[Answer]] = defaultdict(list)
        for record in records:
            self._answers[record.key].append(record.answer)
        self._played: Counter[str] = Counter()
        self._source = source

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ScriptedModel:
        """Return the model that plays a script file. Raises ModelUnknown when the file is no usable script.

        Reads the whole file: call it where blocking is allowed. A last line that a crash cut off is left out.
        """
        return cls(_read_script(Path(path)), source=f"the script {clean(str(path))}")

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Play the next answer recorded for this request. Raises ModelError when there is none."""
        key = request_key(request)
        answers = self._answers.get(key)
        if answers is None:
            raise _no_recorded_reply(self._source, request, key)
        turn = min(self._played[key], len(answers) - 1)
        self._played[key] += 1
        async for part in as_stream(answers[turn]):
            yield part


class CallableModel:
    """Answers with what a function makes of the request: a model for tests and demonstrations.

    The text may be long or not even an answer; whatever the function raises, a ModelError say, is what the caller sees.
    """

    def __init__(
        self, answer: Callable[[Request], str | Answer], *, name: str = "callable", window: int = WINDOW
    ) -> None:
        self._answer = answer
        self._name = name
        self._window = window

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def window(self) -> int:
        """The window it was given, in tokens."""
        return self._window

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Play the function's answer."""
        answer = self._answer(request)
        if isinstance(answer, str):
            answer = computed_answer(request, answer, model=self._name)
        async for part in as_stream(answer):
            yield part


def computed_answer(request: Request, text: str, *, model: str) -> Answer:
    """Return text made on this machine as an answer: cleaned, its tokens estimated, at no cost."""
    usage = Usage(
        input_tokens=estimate_prompt(request.messages), output_tokens=estimate_tokens(text), cost=0.0, estimated=True
    )
    return Answer(text=clean(text), usage=usage, done=Done(reason="stop", model=model))


def _task_name(request: Request) -> str:
    return str(type(request.task).__struct_config__.tag)


def _no_recorded_reply(source: str, request: Request, key: str) -> ModelError:
    return ModelError(
        f"There is no recorded reply for the {request.role}'s {_task_name(request)} task in {source}"
        f" (key {key[:16]}…).",
        "Give the script that was recorded of this session, or choose another model.",
    )


def _read_script(path: Path) -> list[Recorded]:
    try:
        data = read_named_file(path, 512_000_000)
    except OSError as error:
        raise ModelUnknown(
            f"The script {clean(str(path))} cannot be read: {error.strerror}.", "Name a script file that exists."
        ) from error
    lines = data.split(b"\n")[:-1]  # what follows the last newline was cut off by a crash, or is nothing
    return [_read_line(line, number, path) for number, line in enumerate(lines, start=1) if line.strip()]


def _read_line(line: bytes, number: int, path: Path) -> Recorded:
    try:
        record = msgspec.json.decode(line, type=Recorded)
    except UNREADABLE as error:
        raise ModelUnknown(
            f"Line {number} of the script {clean(str(path))} is not a recorded reply: {error}.",
            "Record the script again, or take the line out.",
        ) from error
    return msgspec.structs.replace(
        record, answer=msgspec.structs.replace(record.answer, text=clean(record.answer.text))
    )
