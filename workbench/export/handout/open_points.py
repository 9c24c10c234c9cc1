"""What is not settled: decisions with their latest day, calculated conflicts, questions."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.tasks import MODEL, Finding
from workbench.domain.plan.money import money_text
from workbench.domain.plan.plan import Decision, Option, Question
from workbench.export.handout.content import Content

_NO_CONFLICTS = ("facts", "files", MODEL)
"""Families of findings that the plan's own figures do not show."""


def not_settled(content: Content) -> Iterator[str]:
    """Yield the part below its heading; nothing where all is settled."""
    decisions = sorted(
        (item for item in content.plan.items if isinstance(item, Decision) and is_open(item)),
        key=lambda item: item.latest or "~",
    )
    blocks = [
        *content.table("", ("id", "decide", "options", "advice", "who", "by", "until then"), _rows(content, decisions)),
        *content.lines(f"Conflict: {content.short(_said(one))}" for one in content.state.findings if _is_conflict(one)),
        *content.table("", ("id", "question", "who can say", "until then"), _questions(content)),
    ]
    if blocks:
        yield "## Not settled"
        yield from filter(None, blocks)


def is_open(decision: Decision) -> bool:
    """Tell whether a decision has still to be taken."""
    return bool(decision.latest or decision.options or decision.owner)


def _rows(content: Content, decisions: list[Decision]) -> Iterator[tuple[str, ...]]:
    for item in decisions:
        options = "; ".join(map(_option, item.options))
        texts = (item.text, options, item.advice, item.owner)
        yield item.id, *map(content.short, texts), content.day(item.latest), content.short(item.assumed)


def _option(option: Option) -> str:
    return f"{option.text} ({money_text(option.amount)})" if option.amount else option.text


def _is_conflict(finding: Finding) -> bool:
    return finding.severity == "major" and finding.rule.partition(".")[0] not in _NO_CONFLICTS


def _said(finding: Finding) -> str:
    return f"{finding.text} {finding.remedy}"


def _questions(content: Content) -> Iterator[tuple[str, ...]]:
    for item in content.plan.items:
        if isinstance(item, Question):
            yield item.id, *map(content.short, (item.text, item.owner, item.assumption))
