"""Playbooks of earlier versions, read as templates: what was filled from the goal is a plain word now."""

from __future__ import annotations

import re
from typing import Any

from workbench.templates.template import Template, read_table, read_template, to_toml

NOTE = "was written for an earlier version; it is used as a template, and its patterns are not."
"""What a person is told of each, behind the file's name."""
_OPTIONAL = re.compile(r"\[[^\[\]]*\{\w+\}[^\[\]]*\]")
"""Words of the file that were left out where the goal did not say a slot."""
_SLOT = re.compile(r"\{(\w+)\}")


def read_playbook(text: str, name: str, place: str = "") -> Template:
    """Return the template that a playbook comes to. Raises UnusableTemplate as ``read_template`` does."""
    place = place or f"{name}.toml"
    raw = read_table(text, place)
    read_template(_written(_checked(raw)), name, place)
    return Template(title="", steps={})


def _written(raw: dict[str, Any]) -> str:
    return to_toml(raw)


def _checked(raw: dict[str, Any]) -> dict[str, Any]:
    return raw
