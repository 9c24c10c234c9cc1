"""``workbench sessions diff``: two points of one session, two sessions or two forks beside each other.

A [B] ─▶ compare_named ─▶ Comparison ─▶ plan, insights, findings, context, numbers
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import msgspec

from workbench.cli.context import as_object
from workbench.cli.opening import events_of
from workbench.cli.output import Output, local_time, money
from workbench.domain.plan.change import percent, unified
from workbench.domain.plan.difference import Pair, PlanDifference, SectionDifference, what_became
from workbench.domain.plan.plan import Plan
from workbench.domain.review.lines import hunks
from workbench.domain.text.cleaning import clean_name, shorten
from workbench.export.figures import change_line, quick_figures_of
from workbench.replay.comparing import Comparison, Point, SentItem, compare_named

_SHOWN = 80
"""Characters of an item of a context."""


def compare_sessions(options: argparse.Namespace) -> int:
    """Print what differs between two points."""
    output = Output.of(options)
    comparison = compare_named(options.a, options.b, partial(events_of, options))
    if output.as_json:
        output.json(_object(comparison))
        return 0
    output.line(f"- {_told(comparison.a)}", _GONE)
    output.line(f"+ {_told(comparison.b)}", _COME)
    output.line(comparison.relation, "dim")
    if not comparison.differs:
        output.line("Nothing differs.")
        return 0
    output.heading(f"Plan · {_changed(comparison.plan)}")
    if line := change_line(*(quick_figures_of(one.state, one.state.plan) for one in (comparison.a, comparison.b))):
        output.line(line)
    _print_plan(comparison.plan, output)
    _exchanged("Insights", comparison.insights.went, comparison.insights.came, output)
    went, came = ([one.text for one in side] for side in (comparison.findings.went, comparison.findings.came))
    _exchanged("Open findings", went, came, output)
    _print_context(comparison, output)
    output.heading("Numbers")
    output.table(("", "-", "+", "difference"), [(one.name, *one.shown) for one in comparison.numbers], right=_RIGHT)
    return 0


_RIGHT = ("-", "+", "difference")
_GONE, _COME = "red", "green"


# --- the plan ---------------------------------------------------------------------------------------------------------


def _print_plan(difference: PlanDifference, output: Output) -> None:
    """Print what differs between two plans, a heading for each section that does."""
    if not difference.title.is_same:
        _print_pairs([difference.title], output)
    for section in difference.sections:
        if section.change.kind != "same":
            output.heading(f"@@ {_heading(section)}")
        for number, hunk in enumerate(hunks(section.pairs, lambda pair: not pair.is_same)):
            if number:
                output.line("  …", "dim")
            _print_pairs(hunk, output)


def _heading(section: SectionDifference) -> str:
    old, new = section.title.old, section.title.new
    is_renamed = old is not None and new is not None and old != new
    was = f", was “{clean_name(old or '')}”" if is_renamed else ""
    return f"{clean_name((old if new is None else new) or '')} · {what_became(section.change)}{was}"


def _print_pairs(pairs: Sequence[Pair], output: Output) -> None:
    for pair in pairs:
        if pair.is_same:
            output.line(f"  {pair.new}".rstrip(), "dim")
            continue
        if pair.old is not None:
            output.line(f"- {pair.old}".rstrip(), _GONE)
        if pair.new is not None:
            output.line(f"+ {pair.new}".rstrip(), _COME)


def _changed(plan: PlanDifference) -> str:
    return f"changed {percent(plan.ratio)}" if plan.differs else "the same"


# --- the rest ---------------------------------------------------------------------------------------------------------


def _told(point: Point) -> str:
    state = point.state
    facts = (
        point.label,
        f"event {state.seq:,}",
        local_time(state.updated),
        f"plan v{state.version}" if state.version else "no plan",
        f"{state.spent.tokens:,} tokens",
        money(state.spent.cost),
    )
    return " · ".join(facts)


def _exchanged(title: str, went: Iterable[str], came: Iterable[str], output: Output) -> None:
    lines = [*((f"- {one}", _GONE) for one in went), *((f"+ {one}", _COME) for one in came)]
    if lines:
        output.heading(title)
    for line, style in lines:
        output.line(line.replace("\n", " "), style)


def _print_context(comparison: Comparison, output: Output) -> None:
    calls = (side.context.heading if side.context else None for side in (comparison.a, comparison.b))
    named = " → ".join(f"{one.call} ({one.role})" if one else "none" for one in calls)
    output.heading(f"Context of the last call · {named}")
    exchange = comparison.context
    rows = [_item("-", one) for one in exchange.went] + [_item("+", one) for one in exchange.came]
    if rows:
        output.table(("", "tokens", "source", "what it says", "why"), rows, right=("tokens",))
    output.line(f"{len(exchange.stayed):,} stayed." if exchange.stayed else "Nothing stayed.", "dim")


def _item(sign: str, one: SentItem) -> tuple[str, ...]:
    item = one.item
    said = shorten(" ".join(item.text.split()), _SHOWN) or item.id
    why = f"considered, not sent: {one.not_sent.why_not}" if one.not_sent else item.reason
    return sign, f"{item.tokens:,}", item.source, said, why


# --- for programs -----------------------------------------------------------------------------------------------------


def _object(comparison: Comparison) -> dict[str, Any]:
    a, b, plan = comparison.a, comparison.b, comparison.plan
    return {
        "schema": "workbench.comparison/1",
        "a": _point(a),
        "b": _point(b),
        "relation": comparison.relation,
        "same_up_to": comparison.same_up_to,
        "differs": comparison.differs,
        "plan": {
            "ratio": plan.ratio,
            "sections": msgspec.to_builtins([one.change for one in plan.sections]),
            "unified": unified(a.state.plan, b.state.plan or Plan(title="")),
        },
        "insights": {"gained": list(comparison.insights.came), "lost": list(comparison.insights.went)},
        "findings": {
            "came": msgspec.to_builtins(comparison.findings.came),
            "went": msgspec.to_builtins(comparison.findings.went),
        },
        "context": {
            "came": [_as_object(one) for one in comparison.context.came],
            "went": [_as_object(one) for one in comparison.context.went],
            "stayed": len(comparison.context.stayed),
            "by_source": msgspec.to_builtins(comparison.by_source),
        },
        "numbers": msgspec.to_builtins(comparison.numbers),
    }


def _point(point: Point) -> dict[str, Any]:
    state = point.state
    return {
        "label": point.label,
        "session": state.session,
        "name": state.name,
        "event": state.seq,
        "time": state.updated,
        "status": state.status,
        "version": state.version,
        "iterations": len(state.iterations),
        "call": point.context.heading.call if point.context else None,
        "tokens": state.spent.tokens,
        "cost": state.spent.cost,
    }


def _as_object(one: SentItem) -> dict[str, Any]:
    return {"item": as_object(one.item), "not_sent": as_object(one.not_sent) if one.not_sent else None}
