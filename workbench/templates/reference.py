"""A template as reference for a language model: its steps, quoted, to be cited if they are used."""

from __future__ import annotations

from collections.abc import Collection

from workbench.domain.session.events import Practice
from workbench.templates.template import Template, split_choice


def practice_of(template: Template, choice: str, keep: Collection[int] = (), whose: str = "") -> Practice:
    """Return what a model is offered of a template. ``keep``: numbers of the steps that the person kept; () for all."""
    way = template.way(split_choice(choice)[1])
    steps = [key for number, key in enumerate(way, start=1) if not keep or number in keep]
    return Practice(
        id=choice,
        name=template.title,
        source=whose,
        steps=tuple((f"{template.name}/{key}", template.steps[key].title) for key in steps),
    )
