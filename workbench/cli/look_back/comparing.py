"""``workbench sessions diff``: two points of one session, two sessions or two forks beside each other.

A [B] ─▶ compare_named ─▶ Comparison ─▶ the rows of the application: plan, insights, findings, context, numbers
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import msgspec

from workbench.cli.look_back.context import as_object
from workbench.cli.opening import events_of
from workbench.cli.output import Output, picked
from workbench.domain.plan.changing.change import unified
from workbench.domain.plan.plan import Plan
from workbench.replay.comparing import Comparison, Point, SentItem, compare_named
from workbench.tui.marks import Marks
from workbench.tui.replay.compare import VIEWS, Look, comparison_rows, head_lines, title_of


def compare_sessions(options: argparse.Namespace) -> int:
    """Print what differs between two points, as the application shows it."""
    output = Output.from_options(options)
    comparison = compare_named(options.a, options.b, partial(events_of, options))
    if output.as_json:
        output.json(_object(comparison))
        return 0
    output.line(head_lines(comparison, output.width).plain)
    output.line(comparison.relation, "dim")
    for view in VIEWS if comparison.differs else ():
        output.heading(title_of(comparison, view))
        output.rows(comparison_rows(comparison, Look(view, output.width, Marks())))
    if not comparison.differs:
        output.line("Nothing differs.")
    return 0


def _object(comparison: Comparison) -> dict[str, Any]:
    a, b, plan = comparison.a, comparison.b, comparison.plan
    return {
        "schema": "workbench.comparison/1",
        "a": _point(a),
        "b": _point(b),
        **picked(comparison, "relation", "same_up_to", "differs"),
        "plan": {
            "ratio": plan.ratio,
            "sections": msgspec.to_builtins([section.change for section in plan.sections]),
            "unified": unified(a.state.plan, b.state.plan or Plan(title="")),
        },
        "insights": {"gained": list(comparison.insights.came), "lost": list(comparison.insights.went)},
        "findings": msgspec.to_builtins(picked(comparison.findings, "came", "went")),
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
        **picked(state, "session", "name", "status", "version"),
        "event": state.seq,
        "time": state.updated,
        "iterations": len(state.iterations),
        "call": point.context.heading.call if point.context else None,
        **picked(state.spent, "tokens", "cost"),
    }


def _as_object(one: SentItem) -> dict[str, Any]:
    return {"item": as_object(one.item), "not_sent": as_object(one.not_sent) if one.not_sent else None}
