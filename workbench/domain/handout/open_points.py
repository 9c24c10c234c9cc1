"""What is not settled: decisions with their latest day, calculated conflicts, questions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.handout.choice import ADVICE, by_need, is_open
from workbench.domain.handout.content import Content, lines, part
from workbench.domain.loop.tasks import MODEL, Finding
from workbench.domain.plan.money import money_text
from workbench.domain.plan.plan import Decision, Option, Question
from workbench.domain.text.tables import one_line

_NO_CONFLICTS = ("facts", "files", MODEL)
"""Families of findings that the plan's own figures do not show."""
_ENOUGH_WORDS = 12
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_OPTION_END = re.compile(r"[:;]")


def not_settled(content: Content) -> Iterator[str]:
    """Yield the part below its heading; nothing where all is settled."""
    decisions = sorted(filter(is_open, content.every(Decision)), key=lambda item: item.latest or "~")
    conflicts = (f"Conflict: {one.text} {one.remedy}" for one in content.state.findings if _is_conflict(one))
    questions = (_question(item) for item in by_need(content.plan) if item.id not in content.left_out)
    blocks = (*(_decision(content, item) for item in decisions), *lines(conflicts), *lines(questions))
    yield from part("## Not settled", blocks)


def _decision(content: Content, item: Decision) -> str:
    """Return who decides what until when, and below it a line for each option, the advice, and what is assumed."""
    head = " · ".join(filter(None, (content.day(item.latest), item.owner, f"{item.id} {item.text}")))
    assumed = [option for option in item.options if item.assumed in (option.text, _OPTION_END.split(option.text)[0])]
    advice = _first_sentences(item.advice) if ADVICE in content.left_out else item.advice
    told = (
        *(_option(option, is_assumed=option in assumed) for option in item.options),
        f"Advice: {advice}" if advice else "",
        f"Until then: {item.assumed}" if item.assumed and not assumed else "",
    )
    return "\n".join((f"**{one_line(head)}**", *lines(filter(None, told))))


def _option(option: Option, *, is_assumed: bool) -> str:
    amount = f": {money_text(option.amount)}" if option.amount else ""
    return f"→ {option.text}{amount}{' (assumed)' if is_assumed else ''}"


def _first_sentences(text: str) -> str:
    """Return the first sentences of a text: as many as it takes to say something, and ``…`` for more."""
    kept, *rest = _SENTENCE_END.split(one_line(text))
    while rest and len(kept.split()) < _ENOUGH_WORDS:
        kept = f"{kept} {rest.pop(0)}"
    return f"{kept} …" if rest else kept


def _question(item: Question) -> str:
    asked = f" · ask {item.owner}" if item.owner else ""
    return f"{item.id} · {item.text}{asked}{f' · until then: {item.assumption}' if item.assumption else ''}"


def _is_conflict(finding: Finding) -> bool:
    return finding.severity == "major" and finding.rule.partition(".")[0] not in _NO_CONFLICTS
