"""A session in Markdown: its plan to be read, and to be edited; its actions and document; its entities, a file each.

    # Title
    ## Goal …               read back as the plan
    <!-- end-of-plan -->    then which version it is

So a whole file can be edited, and given to ``resume --edit`` or ``import``.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from msgspec.structs import replace

from workbench.domain.errors import NotFound
from workbench.domain.handout import shown_document
from workbench.domain.loop.asking.last_round import older_version
from workbench.domain.loop.asking.tasks import Action
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.markdown.grammar import END
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.references import filler, with_references
from workbench.domain.session.state import PlanVersion, SessionState
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import quoted


def plan_markdown(state: SessionState, version: int | None = None) -> str:
    """Return a version of the plan to be read, by default the current one; "" without any. Raises NotFound."""
    chosen = plan_version(state, version)
    return shown_markdown(chosen.plan) if chosen else ""


def shown_markdown(plan: Plan) -> str:
    """Return a plan as Markdown to be read: its references have their values. ``to_markdown`` is the form to edit."""
    return to_markdown(with_references(plan))


def shown_actions(state: SessionState) -> tuple[Action, ...]:
    """Return the last actions; () if they are of an older plan and no model made them: they contradict this one."""
    if not state.iterations or _is_outdated(state, "actions"):
        return ()
    fill = filler(state.plan or Plan(title=""))
    return tuple(replace(one, text=fill(one.text), check=fill(one.check)) for one in state.iterations[-1].actions)


def shown_deliverable(state: SessionState) -> str:
    """Return the last document to be read: what it takes from the program is filled in; "" for none."""
    if not state.iterations or _is_outdated(state, "deliverable"):
        return ""
    return shown_document(state, state.iterations[-1].deliverable)


def of_version(state: SessionState, what: Literal["actions", "deliverable"]) -> str:
    """Return what is after a heading: `` of version 2`` if the plan is a newer one, else ""."""
    version = older_version(state, what)
    return f" of version {version}" if version else ""


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
    """Return which of a session's versions an exported file was made of; None if it does not say, or of none."""
    found = _VERSION.search(text)
    named = (int(found[1]), int(found[2])) if found else None
    return next((version for version in state.versions if (version.version, version.seq) == named), None)


def session_markdown(state: SessionState) -> str:
    """Return the whole plan of a session in the form that is edited and read back."""
    if not state.versions:
        return quoted(f"# {state.name}\n\nNo plan is drafted yet.\n")
    version = state.versions[-1]
    return quoted(f"{to_markdown(version.plan)}\n{END}\n<!-- version {version.version}, event {version.seq} -->\n")


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
