"""What is not settled: decisions with their latest day, calculated conflicts, questions."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.tasks import MODEL, Finding
from workbench.domain.plan.money import money_text
from workbench.domain.plan.plan import Decision, Question
from workbench.export.handout.choice import by_need, is_open
from workbench.export.handout.content import Content, lines, sentence
from workbench.export.markdown_tables import one_line

_NO_CONFLICTS = ("facts", "files", MODEL)
"""Families of findings that the plan's own figures do not show."""


def not_settled(content: Content) -> Iterator[str]:
    """Yield the part below its heading; nothing where all is settled."""
    decisions = sorted(filter(is_open, content.every(Decision)), key=lambda item: item.latest or "~")
    conflicts = (f"Conflict: {one.text} {one.remedy}" for one in content.state.findings if _is_conflict(one))
    questions = (_question(item) for item in by_need(content.plan) if item.id not in content.left_out)
    blocks = [*(_decision(content, item) for item in decisions), *lines(conflicts), *lines(questions)]
    if blocks:
        yield "## Not settled"
        yield from blocks


def _decision(content: Content, item: Decision) -> str:
    """Return who decides what until when, and below it a line for each option, the advice, and what is assumed."""
    head = " · ".join(filter(None, (content.day(item.latest), item.owner, f"{item.id} {item.text}")))
    options = (
        f"({chr(ord('a') + at % 26)}) {option.text}{f': {money_text(option.amount)}' if option.amount else ''}"
        for at, option in enumerate(item.options)
    )
    advice = [f"Advice: {item.advice}"] * bool(item.advice)
    assumed = [f"Until then: {item.assumed}"] * bool(item.assumed)
    return "\n".join((f"**{one_line(head)}**", *lines((*options, *advice, *assumed))))


def _question(item: Question) -> str:
    asked = f"Ask {sentence(item.owner)}" if item.owner else ""
    until = f"Until then: {sentence(item.assumption)}" if item.assumption else ""
    return " ".join(filter(None, (f"{item.id} · {item.text}", asked, until)))


def _is_conflict(finding: Finding) -> bool:
    return finding.severity == "major" and finding.rule.partition(".")[0] not in _NO_CONFLICTS
