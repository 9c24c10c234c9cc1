"""A form: words in which something is asked for, and what answers them.

    "<steps> (goes|go) to <who>"  +  action(context, steps=…, who=…)  ─▶ Reply, or None: the words mean something else

A template is a regular expression in which groups are not captured, but for named places. What stands in a place is
read by its name: ``<who>`` has to be a name and ``<sum>`` money, else the form does not fit; ``<steps>`` have to be
steps of the plan, else the person is asked. What is known to fit is read before anybody is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from workbench.domain.plan.plan import Bullet, Criterion, Question, Risk, Step
from workbench.domain.requests.amounts import days, money, share_in, span_in, weekdays
from workbench.domain.requests.context import Context
from workbench.domain.requests.request import Reply, Unclear

Action = Callable[..., Reply | None]


class Form(NamedTuple):
    """A way to ask for something."""

    template: str
    action: Action

    def reply(self, context: Context) -> Reply | None:
        """Return the answer to a clause; None where it does not fit. Raises Unclear to ask the person."""
        match = _pattern(self.template).fullmatch(context.text)
        if match is None:
            return None
        texts = {name: text for name, text in match.groupdict().items() if text is not None}
        values: dict[str, Any] = {}
        unclear: Unclear | None = None
        for readers in (_FITTING, _ASKED):
            for name in [name for name in texts if name in readers]:
                try:
                    values[name] = readers[name](context, texts[name])
                except Unclear as error:
                    unclear = error
                    continue
                if not values[name] or (name == "other" and _is_day(context, texts[name])):
                    return None
            if unclear is not None:
                if unclear.is_other:
                    return None
                raise unclear
        try:
            return self.action(context, **{**texts, **values})
        except Unclear as error:
            if error.is_other:
                return None
            raise


def forms(words: str, grammar: str, *actions: Action) -> tuple[Form, ...]:
    """Return the forms of a grammar: the name of an action, and below it the templates that it answers.

    ``words`` names parts of templates, as ``DONE = (done|finished)``, that these have as ``{DONE}``. A line that is
    indented further goes on with the one above it.
    """
    parts: dict[str, str] = {}
    for line in _lines(words):
        name, _, part = line.strip(" ").partition(" = ")
        parts[name] = _filled(part, parts)
    by_name = {action.__name__.lstrip("_"): action for action in actions}
    made: list[Form] = []
    name = ""
    for line in _lines(grammar):
        if line.startswith(" "):
            made.append(Form(_filled(line[4:], parts), by_name[name]))
        else:
            name = line
    return tuple(made)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, each with those that go on with it."""
    whole = ""
    for line in text.strip("\n").split("\n"):
        if line.startswith(" " * 8):
            whole += line[8:] if whole.endswith("|") else f" {line[8:]}"
        else:
            yield from [whole] if whole else []
            whole = line
    yield whole


def _filled(template: str, parts: Mapping[str, str]) -> str:
    return re.sub(r"\{([A-Z]+)\}", lambda part: parts[part[1]], template)


_PLACES = {"rest": r"(?:\W.*)?", "text": ".+"}


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Compile a template when it is first needed: all of them take a tenth of a second."""
    pattern = re.sub(r"\((?!\?)", "(?:", template)
    pattern = re.sub(r"(?<!\?P)<(\w+)>", lambda place: f"(?P<{place[1]}>{_PLACES.get(place[1], '.+?')})", pattern)
    return re.compile(pattern, re.IGNORECASE)


def _may_be_steps(context: Context, phrase: str) -> bool:
    """Tell whether a phrase is neither a sentence of its own nor the id of something that is no step."""
    first = phrase.split(maxsplit=1)[0] if phrase.strip() else ""
    named = context.finder.by_id.get(first.upper().removesuffix("'S"))
    is_step = named is None or isinstance(named, Step)
    return is_step and context.is_subject(phrase) and not _is_day(context, phrase)


def _is_day(context: Context, phrase: str) -> bool:
    return any(fact.text == phrase for fact in days(phrase, context.today))


_LONG_WEEK = 7
"""Words in which no days of the week alone are said."""
_FITTING: Mapping[str, Callable[[Context, str], object]] = {
    "span": lambda context, text: span_in(text, context.today),
    "sum": lambda context, text: money(text, context.today, context.currency),
    "share": lambda context, text: share_in(text, context.today),
    "week": lambda context, text: weekdays(text, context.today) if len(text.split()) < _LONG_WEEK else (),
    "who": lambda context, text: context.owner(text),
    "and_known": lambda context, text: context.known(text),
    "known": lambda context, text: context.known(text),
    "near": lambda context, text: context.finder.clear_steps(text),
    "instead": lambda context, text: context.finder.clear_steps(text),
    "steps": _may_be_steps,
    "step": _may_be_steps,
    "item": lambda context, text: context.is_subject(text),
    "items": lambda context, text: context.is_subject(text),
    "risk": lambda context, text: context.is_subject(text),
    "criterion": lambda context, text: context.is_subject(text),
    "what": lambda context, text: text if _may_be_steps(context, text) else None,
}
"""What has to fit, or the words mean something else."""
_ASKED: Mapping[str, Callable[[Context, str], object]] = {
    "steps": lambda context, text: context.finder.steps(text),
    "step": lambda context, text: context.finder.step(text),
    "other": lambda context, text: context.finder.step(text, is_target=False),
    "others": lambda context, text: context.finder.steps(text, is_target=False),
    "item": lambda context, text: context.finder.item(text, None),
    "items": lambda context, text: context.finder.items(text, None),
    "person": lambda context, text: context.person(text),
    "risk": lambda context, text: context.finder.item(text, Risk),
    "criterion": lambda context, text: context.finder.item(text, Criterion),
    "question": lambda context, text: context.finder.item(text, Question),
    "assumption": lambda context, text: context.finder.item(text, Bullet),
}
"""What the person is asked about where it is not clear."""
