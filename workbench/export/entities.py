"""A session's entities as one Markdown file each, the form the seeds kept them in."""

from __future__ import annotations

import re

from workbench.domain.session.session import SessionState

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+", re.ASCII)


def entity_files(state: SessionState) -> dict[str, str]:
    """Return file name → content of the newest version of each entity.

    An entity's name is free text and may come from anywhere; a file's name is made of its ASCII letters, digits,
    hyphens and underscores alone, and a number where two would be the same. So no name can leave its folder.
    """
    newest = {entity.name: entity.content for entity in state.entities}
    files: dict[str, str] = {}
    for name, content in newest.items():
        stem = _UNSAFE.sub("-", name)[:100].strip("-") or "entity"
        file, number = f"{stem}.md", 1
        while file in files:
            number += 1
            file = f"{stem}_{number}.md"
        files[file] = content
    return files
