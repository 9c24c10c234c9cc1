"""An answer that was cut off continues from where it stopped, once: what was paid for is never bought again whole.

    ask("") ─▶ parts ─┬─ it ended ───────────────────────────────────▶ Usage, Done
                      └─ at its limit, or with the connection ─▶ Noted ─▶ ask(text so far) ─▶ the rest ─▶ Usage, Done
                                                                             └ fails ─▶ Noted, and the first end

Models begin a continuation with the last words again, with a fence, or from the start: the seam is made to fit.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from workbench.domain.errors import ModelError
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.answers import ended
from workbench.models.ports import Done, Noted, Part, TextDelta, Thought, Usage
from workbench.models.retry import CutOff
from workbench.models.tokens import estimate_tokens

GO_ON = (
    "Your reply was cut off. Go on exactly where it stopped: write only what is missing, beginning with the very next "
    "character, without an introduction and without repeating anything."
)
"""What asks for the rest, after the reply so far."""

_LONGEST_OVERLAP = 200
_SHORTEST_OVERLAP = 8
_FENCE = lazy_pattern(r"\s*```[a-z]{0,10}\n")

Ask = Callable[[str], AsyncIterator[Part]]
"""Asks for an answer; for the rest of one if it is given what came so far."""
MayGoOn = Callable[[str, Usage | None], bool]
"""Tells whether there is room for a continuation, by what came so far and what it took."""


async def continued(ask: Ask, may_go_on: MayGoOn, prompt_tokens: int) -> AsyncIterator[Part]:
    """Yield an answer's parts, of a continuation too if it was cut off. Raises what the first asking raises.

    ``prompt_tokens``: about how many the prompt takes, for what a lost connection does not tell.
    """
    first = Leg()
    cut: CutOff | None = None
    async with ended(ask("")) as parts:
        try:
            async for part in parts:
                if first.take(part):
                    yield part
        except CutOff as error:
            cut = error
    is_cut = cut is not None or (first.done is not None and first.done.reason == "length")
    failure: ModelError | None = None
    last_leg = first
    if is_cut and first.text.strip() and may_go_on(first.text, first.usage):
        yield Noted(f"{_reason(cut, first)}, and continued from there.")
        seam, second = Seam(first.text), Leg()
        async with ended(ask(first.text)) as parts:
            try:
                async for part in parts:
                    if not second.take(part):
                        continue
                    if isinstance(part, TextDelta):
                        for fitted in seam.feed(part.text):
                            yield fitted
                    else:
                        yield part
            except ModelError as error:
                failure = error
        for fitted in seam.finish():
            yield fitted
        if failure is None:
            last_leg, cut = second, None
        elif seam.has_begun_again:  # and came less far than what it was to continue from
            yield Thought("", takes_back=True)
            yield TextDelta(first.text)
        if failure is None or second.usage is not None or second.text:
            last_leg.usage = _sum(first, second, prompt_tokens)
    if failure is not None:
        yield Noted(f"The rest did not come, and what came before is used: {failure.message}")
    for last in last_leg.end():
        yield last
    if cut is not None:
        raise CutOff(cut.message, cut.remedy)


class Leg:
    """What one request brought: its text, and its end, which is kept back until it is known to be the last."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.usage: Usage | None = None
        self.done: Done | None = None

    @property
    def text(self) -> str:
        """What came of the answer."""
        return "".join(self._texts)

    def take(self, part: Part) -> bool:
        """Take a part in; True if it is passed on at once."""
        match part:
            case Usage():
                self.usage = part
                return False
            case Done():
                self.done = part
                return False
            case TextDelta(text):
                self._texts.append(text)
            case Thought(takes_back=True):
                self._texts.clear()
            case _:
                pass
        return True

    def end(self) -> tuple[Part, ...]:
        """Return what was kept back."""
        return tuple(part for part in (self.usage, self.done) if part is not None)


def _reason(cut: CutOff | None, first: Leg) -> str:
    if cut is not None:
        return f"{cut.message.rstrip('.')}, after {len(first.text):,} characters"
    taken = f" of {first.usage.output_tokens:,} tokens" if first.usage is not None else ""
    return f"The reply was cut off at its limit{taken}"


def _sum(first: Leg, second: Leg, prompt_tokens: int) -> Usage:
    """Return what both requests took; what nobody told is estimated."""
    before, after = (
        leg.usage
        or Usage(input_tokens=prompt_tokens, output_tokens=estimate_tokens(leg.text), cost=None, estimated=True)
        for leg in (first, second)
    )
    return added(before, after)


def added(before: Usage, after: Usage) -> Usage:
    """Return what two requests took together."""
    return Usage(
        input_tokens=before.input_tokens + after.input_tokens,
        output_tokens=before.output_tokens + after.output_tokens,
        cost=None if before.cost is None or after.cost is None else before.cost + after.cost,
        estimated=before.estimated or after.estimated,
        cached_tokens=before.cached_tokens + after.cached_tokens,
        reasoning_tokens=before.reasoning_tokens + after.reasoning_tokens,
        is_continued=True,
    )


class Seam:
    """Joins a continuation to what came before it."""

    def __init__(self, before: str) -> None:
        self._before = before
        self.has_begun_again = False
        """Whether what was fed replaces what came before."""
        self._held: str | None = ""
        """The first characters, until it is known how they fit; None from then on."""

    def feed(self, piece: str) -> tuple[TextDelta | Thought, ...]:
        """Return what is certain after one more piece."""
        if self._held is None:
            return (TextDelta(piece),)
        self._held += piece
        return self.finish() if len(self._held) >= _LONGEST_OVERLAP else ()

    def finish(self) -> tuple[TextDelta | Thought, ...]:
        """Return the rest."""
        held, self._held = self._held, None
        if not held:
            return ()
        fence = _FENCE.match(held)
        text = held[fence.end() :] if fence is not None and "```" not in self._before[-_LONGEST_OVERLAP:] else held
        begins = self._before.lstrip()[: _SHORTEST_OVERLAP * 3]
        if len(begins) >= _SHORTEST_OVERLAP and text.lstrip().startswith(begins):  # it has begun again
            self.has_begun_again = True
            return (Thought("", takes_back=True), TextDelta(text.lstrip()))
        longest = min(len(text), _LONGEST_OVERLAP)
        overlap = next((n for n in range(longest, _SHORTEST_OVERLAP - 1, -1) if self._before.endswith(text[:n])), 0)
        return (TextDelta(text[overlap:]),) if text[overlap:] else ()
