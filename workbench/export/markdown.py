"""A session as Markdown for people: the plan first, then how it came about; and its entities, a file each.

    # Title                        ┐
    finish … <!-- calculated -->   ├ read back as the plan, without the calculated line
    ## Goal …                      ┘
    <!-- end-of-plan -->             what is calculated, and how it came about: not read back

So the whole file can be edited and given to `resume --edit`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from workbench.domain.errors import NotFound
from workbench.domain.handout import shown_document
from workbench.domain.loop.last_round import older_version
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.loop.tasks import Action, Finding
from workbench.domain.plan.change import percent
from workbench.domain.plan.figures import Figures
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.markdown.grammar import CALCULATED, END
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.references import with_references
from workbench.domain.session.state import PlanVersion, SessionState
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import quoted
from workbench.domain.text.tables import Table, cell, markdown_table
from workbench.export.figures import figures_of, headline, tables


def plan_markdown(state: SessionState, version: int | None = None) -> str:
    """Return a version of the plan to be read, by default the current one; "" without any. Raises NotFound."""
    chosen = plan_version(state, version)
    return shown_markdown(chosen.plan) if chosen else ""


def shown_markdown(plan: Plan) -> str:
    """Return a plan as Markdown to be read: its references have their values. ``to_markdown`` is the form to edit."""
    return to_markdown(with_references(plan))


def shown_actions(state: SessionState) -> tuple[Action, ...]:
    """Return the last actions; () where they are of an older plan and no model made them: they contradict this one."""
    return state.iterations[-1].actions if state.iterations and not _is_outdated(state, "actions") else ()


def shown_deliverable(state: SessionState) -> str:
    """Return the last document to be read: what it takes from the program is filled in; "" for none."""
    return shown_document(state, _deliverable_of(state))


def of_version(state: SessionState, what: Literal["actions", "deliverable"]) -> str:
    """Return what stands behind a heading: `` of version 2`` where the plan is a newer one, else ""."""
    version = older_version(state, what)
    return f" of version {version}" if version else ""


def _deliverable_of(state: SessionState) -> str:
    return state.iterations[-1].deliverable if state.iterations and not _is_outdated(state, "deliverable") else ""


def _is_outdated(state: SessionState, what: Literal["actions", "deliverable"]) -> bool:
    return plans_without_model(state) and older_version(state, what) is not None


def plan_version(state: SessionState, version: int | None) -> PlanVersion | None:
    """Return a version of the plan, by default the current one; None before the first draft. Raises NotFound."""
    if version is None:
        return state.versions[-1] if state.versions else None
    found = next((one for one in state.versions if one.version == version), None)
    if found is None:
        raise NotFound(
            f"The plan has no version {version}.",
            f"Name one from 1 to {state.version}." if state.version else "No plan is drafted yet.",
        )
    return found


_VERSION = lazy_pattern(rf"^{END}\s*^<!-- version (\d{{1,9}}), event (\d{{1,9}}) -->\s*$", re.MULTILINE)


def version_of(text: str, state: SessionState) -> PlanVersion | None:
    """Return which of a session's versions an exported file was made of; None where it does not say, or of none."""
    found = _VERSION.search(text)
    named = (int(found[1]), int(found[2])) if found else None
    return next((one for one in state.versions if (one.version, one.seq) == named), None)


def session_markdown(state: SessionState) -> str:
    """Return the whole session as one document: plan, actions, deliverable, findings, iterations."""
    plan = state.plan
    told = figures_of(state, plan) if plan else None
    parts = [
        _plan(plan, told, state.versions[-1]) if plan and told else f"# {state.name}\n\nNo plan is drafted yet.\n",
        _calculated(told) if told else "",
        _actions(state),
        _deliverable(state),
        _findings(state.findings),
        _iterations(state),
    ]
    return quoted("\n".join(part for part in parts if part))


def _plan(plan: Plan, told: Figures, version: PlanVersion) -> str:
    """Return the plan as it is read back, with its headline below its title."""
    text, line = to_markdown(plan), headline(told)
    if line:
        title, below = (f"# {plan.title}\n\n", 2) if plan.title else ("", 0)
        first = text.split("\n", below)[-1]
        text = f"{title}{cell(line)} {CALCULATED}\n\n{first}"
    return f"{text}\n{END}\n<!-- version {version.version}, event {version.seq} -->\n"


def _calculated(told: Figures) -> str:
    all_tables = tables(told)
    return "\n".join(["## Calculated from the plan\n", *map(_table, all_tables)]) if all_tables else ""


def _table(table: Table) -> str:
    return "\n".join([f"### {table.title}\n", markdown_table(table), *(f"\n{note}" for note in table.notes), ""])


def _actions(state: SessionState) -> str:
    actions = shown_actions(state)
    if not actions:
        return ""
    lines = [f"## Actions{of_version(state, 'actions')}", ""]
    for action in actions:
        told = [
            action.owner,
            f"by {action.due}" if action.due else "",
            f"check: {action.check}" if action.check else "",
        ]
        more = " — ".join(part for part in told if part)
        lines.append(f"- [ ] {action.step}: {action.text}" + (f" ({more})" if more else ""))
    return "\n".join([*lines, ""])


def _deliverable(state: SessionState) -> str:
    text = _deliverable_of(state)
    lowered = "\n".join(f"##{line}" if line.startswith("#") else line for line in text.splitlines())
    return f"## Deliverable{of_version(state, 'deliverable')}\n\n{lowered}\n" if text else ""


def _findings(findings: tuple[Finding, ...]) -> str:
    if not findings:
        return ""
    lines = [f"- {finding.severity}: {finding.text} {finding.remedy}".rstrip() for finding in findings]
    return "\n".join(["## Open findings", "", *lines, ""])


def _iterations(state: SessionState) -> str:
    if not state.iterations:
        return ""
    lines = ["## Iterations", ""]
    is_stale = any(one.replaced for one in state.accounts)  # what was learned before may rest on what was replaced
    for result in state.iterations:
        lines.append(f"{result.iteration_num}. changed {percent(result.change)} of the plan")
        is_told = not is_stale or result is state.iterations[-1]
        lines += [f"   - {insight}" for insight in result.key_insights if is_told]
    return "\n".join([*lines, ""])


def entity_files(state: SessionState) -> dict[str, str]:
    """Return file name → content of the newest version of each entity.

    An entity's name is free text and may come from anywhere; a file's name is made of its ASCII letters, digits,
    hyphens and underscores alone, and a number where two would be the same. So no name can leave its folder.
    """
    newest = {entity.name: entity.content for entity in state.entities}
    files: dict[str, str] = {}
    taken: set[str] = set()
    numbers: Counter[str] = Counter()
    for name, content in newest.items():
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", name)[:100].strip("-") or "entity"
        file = f"{stem}.md"
        while file.casefold() in taken:  # many disks tell no capitals apart
            numbers[stem.casefold()] += 1
            file = f"{stem}_{numbers[stem.casefold()] + 1}.md"
        taken.add(file.casefold())
        files[file] = quoted(content)
    return files
