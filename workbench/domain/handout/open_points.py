"""What is not settled: decisions with their latest day, what was found and not mended, questions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.handout.choice import MINOR, REASONS, by_latest, by_need, options_of
from workbench.domain.handout.content import Content, lines, part, table
from workbench.domain.handout.names import number_of, with_names
from workbench.domain.loop.asking.tasks import MODEL, Finding
from workbench.domain.plan.checks import is_conflict, minor_in_short
from workbench.domain.plan.money import money_text
from workbench.domain.plan.plan import Decision, Option, Question
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.languages import ENGLISH, Language
from workbench.domain.text.patterns import lazy_pattern

_NO_CONFLICTS = ("facts", "files")
"""Families of findings that neither the plan's own figures show nor the verifier judged."""
_DECIDED = "Decided: "
_DAY = lazy_pattern(r"\b\d{4}-\d\d-\d\d\b", re.ASCII)
_SHORT_OPTION = 60
"""Characters of an option if there is no room for all of it."""


def not_settled(content: Content) -> Iterator[str]:
    """Yield the part below its heading; nothing if all is settled."""
    blocks = (*decisions(content), *conflicts(content, judged=False), *questions(content))
    yield from part("## Not settled", blocks)


def decisions(content: Content) -> Iterator[str]:
    """Yield one table of the decisions that have still to be taken."""
    told, later = _by_room(content)
    rows = [
        (
            number_of(item.id),
            item.text,
            item.owner,
            content.day(item.latest),
            "; ".join(_option(option, in_short=options_of(item.id) in content.left_out) for option in item.options),
            item.assumed,
            item.advice,
        )
        for item in told
    ]
    yield from table(("no.", "decision", "who", "by", "options", "until then", "advice"), [*rows, *later])


def _by_room(content: Content) -> tuple[list[Decision], list[tuple[str, ...]]]:
    """Return the open decisions that there is room for; and a row for the others, if they are several."""
    every = by_latest(content.plan)
    later = [item for item in every if item.id in content.left_out]
    if len(later) <= 1:
        return every, []
    numbers, owners = ", ".join(number_of(item.id) for item in later), dict.fromkeys(item.owner for item in later)
    days = [content.day(item.latest) for item in later if item.latest]
    by = " to ".join(dict.fromkeys(days[:1] + days[-1:]))
    row = (numbers, f"{len(later)} later decisions", ", ".join(filter(None, owners)), by, "", "", "")
    return [item for item in every if item not in later], [row]


def conflicts(content: Content, *, judged: bool, language: Language = ENGLISH) -> Iterator[str]:
    """Yield one list of what is calculated to fail; with ``judged``, what the verifier says of items, too.

    What it says of the words of the page is no matter of the plan. What is minor is one line.
    """
    minor = "" if MINOR in content.left_out else minor_in_short(filter(is_conflict, content.state.findings))
    found = (finding for finding in content.state.findings if _is_conflict(finding))
    found = (one for one in found if one.rule != MODEL or (judged and one.item))
    told = ((one, language.open_point if one.rule == MODEL else language.conflict) for one in found)
    majors = (
        f"{kind}: {_DAY.sub(lambda day: content.day(day[0]), with_names(content.plan, one.text))}" for one, kind in told
    )
    return lines([*majors, *([with_names(content.plan, minor)] if minor else [])])


def questions(content: Content) -> Iterator[str]:
    """Yield one list of the questions."""
    return lines(_question(item) for item in by_need(content.plan) if item.id not in content.left_out)


def decided(content: Content) -> Iterator[str]:
    """Yield one list of what is decided: the approach that was chosen, and the decisions taken with their reason.

    The approach speaks with the figures of its time: not of when it would fit, and of nothing after the first round.
    """
    approach = content.state.approach if len(content.state.iterations) < 2 else None
    taken = [item for item in content.plan.items if isinstance(item, Decision) and not item.is_open]
    chosen = [approach.title.removeprefix(_DECIDED)] if approach is not None else []
    has_reasons = REASONS not in content.left_out
    yield from lines([*chosen, *(_decision_text(item, has_reasons=has_reasons) for item in taken)])


def _decision_text(item: Decision, *, has_reasons: bool) -> str:
    """Return a decision that was taken, with the number by which the page speaks of it."""
    because = f" ({item.reason})" if item.reason and has_reasons else ""
    return f"Decision {number_of(item.id)}, taken: {item.text.removeprefix(_DECIDED)}{because}"


def _option(option: Option, *, in_short: bool) -> str:
    text = shorten(option.text, _SHORT_OPTION) if in_short else option.text
    return f"{text}: {money_text(option.amount)}" if option.amount else text


def _question(item: Question) -> str:
    asked = f" · ask {item.owner}" if item.owner else ""
    return f"{item.text}{asked}{f' · until then: {item.assumption}' if item.assumption else ''}"


def _is_conflict(finding: Finding) -> bool:
    is_open = finding.severity == "major" and not finding.disputed
    return is_open and finding.rule.partition(".")[0] not in _NO_CONFLICTS
