"""What is not settled: decisions with their latest day, what was found and not mended, questions."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.handout.choice import MINOR, by_latest, by_need, options_of
from workbench.domain.handout.content import Content, lines, part, table
from workbench.domain.handout.names import called, number_of
from workbench.domain.loop.tasks import MODEL, Finding
from workbench.domain.plan.checks import is_conflict, minor_in_short
from workbench.domain.plan.money import money_text
from workbench.domain.plan.plan import Decision, Option, Question
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.tables import one_line

_NO_CONFLICTS = ("facts", "files")
"""Families of findings that neither the plan's own figures show nor the verifier judged."""
_DECIDED = "Decided: "
_OPTION_END = lazy_pattern(r"[:;]")


def not_settled(content: Content) -> Iterator[str]:
    """Yield the part below its heading; nothing where all is settled."""
    blocks = (*decisions(content), *conflicts(content, judged=False), *questions(content))
    yield from part("## Not settled", blocks)


def decisions(content: Content) -> Iterator[str]:
    """Yield who decides what until when, the earliest first: a block for each decision that is open."""
    return (_decision(content, item) for item in by_latest(content.plan))


def conflicts(content: Content, *, judged: bool) -> Iterator[str]:
    """Yield one list of what is calculated to fail; with ``judged``, what the verifier says of items, too.

    What it says of the words of the page is no matter of the plan. What is minor is one line.
    """
    minor = "" if MINOR in content.left_out else minor_in_short(filter(is_conflict, content.state.findings))
    found = (one for one in content.state.findings if _is_conflict(one))
    found = (one for one in found if one.rule != MODEL or (judged and one.item))
    told = ((one, "Open" if one.rule == MODEL else "Conflict") for one in found)
    majors = (f"{kind}: {called(content.plan, one.text)}" for one, kind in told)
    return lines([*majors, *([called(content.plan, minor)] if minor else [])])


def questions(content: Content) -> Iterator[str]:
    """Yield one list of the questions."""
    return lines(_question(item) for item in by_need(content.plan) if item.id not in content.left_out)


def decided(content: Content) -> Iterator[str]:
    """Yield one list of what is decided: the approach that was chosen, and the decisions taken with their reason.

    The approach speaks with the figures of its time: not of when it would fit, and of nothing after the first round.
    """
    approach = content.state.approach if len(content.state.iterations) < 2 else None
    taken = [item for item in content.plan.items if isinstance(item, Decision) and not item.is_open]
    told = [*([approach.title] if approach is not None else []), *map(_taken, taken)]
    yield from lines(f"{_DECIDED}{text.removeprefix(_DECIDED)}" for text in told)


def _taken(item: Decision) -> str:
    return f"{item.text} ({item.reason})" if item.reason else item.text


def decision_table(content: Content) -> Iterator[str]:
    """Yield one table of the decisions that have still to be taken; the advice is for the page to tell."""
    columns = ("no.", "decision", "who", "by", "options", "until then")
    rows = (
        (number_of(item.id), item.text, item.owner, content.day(item.latest), _options(content, item), item.assumed)
        for item in by_latest(content.plan)
    )
    yield from table(columns, rows)


def _options(content: Content, item: Decision) -> str:
    return "" if options_of(item.id) in content.left_out else "; ".join(map(_option, item.options))


def _decision(content: Content, item: Decision) -> str:
    """Return who decides what until when, and below it a line for each option, the advice, and what is assumed."""
    head = " · ".join(filter(None, (content.day(item.latest), item.owner, f"{number_of(item.id)}. {item.text}")))
    assumed = [option for option in item.options if item.assumed in (option.text, _OPTION_END.split(option.text)[0])]
    told = (
        *(f"→ {_option(option)}{' (assumed)' if option in assumed else ''}" for option in item.options),
        f"Advice: {item.advice}" if item.advice else "",
        f"Until then: {item.assumed}" if item.assumed and not assumed else "",
    )
    return "\n".join((f"**{one_line(head)}**", *lines(filter(None, told))))


def _option(option: Option) -> str:
    return f"{option.text}: {money_text(option.amount)}" if option.amount else option.text


def _question(item: Question) -> str:
    asked = f" · ask {item.owner}" if item.owner else ""
    return f"{item.text}{asked}{f' · until then: {item.assumption}' if item.assumption else ''}"


def _is_conflict(finding: Finding) -> bool:
    is_open = finding.severity == "major" and not finding.disputed
    return is_open and finding.rule.partition(".")[0] not in _NO_CONFLICTS
