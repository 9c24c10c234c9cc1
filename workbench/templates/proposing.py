"""Approaches without a model: variants of the nearest templates, and the person's own steps. The person chooses."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from workbench.domain.loop.asking.tasks import Approach, ProposeReply, ProposeTask
from workbench.domain.loop.begin import Begin
from workbench.templates import ranking
from workbench.templates.catalogue import Catalogue
from workbench.templates.composition import extra_item_lines
from workbench.templates.template import Template, split_choice

MOST_OFFERED, MOST_OF_A_TEMPLATE = 5, 3
"""Variants that are offered, and those of one template."""
OWN_STEPS = "Only my own steps"
TYPED = "The plan has the steps that you type."
NONE_NEAR = "No template is near; type your own steps."


def propose(task: ProposeTask, catalogue: Catalogue) -> ProposeReply:
    """Answer a ProposeTask: with what the person began with alone, where they chose or typed something."""
    begin = task.begin or Begin()
    offered = (
        [(catalogue.chosen(begin.template), begin.template)]
        if begin.template
        else []
        if begin.is_chosen
        else [*_nearest(task.goal, catalogue)]
    )
    approaches = [_approach(template, variant) for template, variant in offered]
    if not begin.template:
        is_near = not offered or ranking.is_near(task.goal, offered[0][0])
        own = Approach(id="", title=OWN_STEPS, summary=TYPED if is_near else NONE_NEAR)
        approaches.insert(len(approaches) if is_near else 0, own)
    return ProposeReply(approaches=tuple(_numbered(approaches)))


def template_of(begin: Begin, catalogue: Catalogue) -> Template | None:
    """Return the template that a person chose; None for none. Raises UsageError for an unknown one."""
    return catalogue.chosen(begin.template) if begin.template else None


def _nearest(goal: str, catalogue: Catalogue) -> list[tuple[Template, str]]:
    templates = ranking.ranked(goal, catalogue)[:MOST_OFFERED]
    choices = [(template, choice) for template in templates for choice in template.choices[:MOST_OF_A_TEMPLATE]]
    return choices[:MOST_OFFERED]


def _approach(template: Template, choice: str) -> Approach:
    """Return a variant as it is in its template."""
    name = split_choice(choice)[1]
    variant = template.variants.get(name)
    return Approach(
        id="",
        title=f"{template.title}: {variant.title}" if variant else template.title,
        summary=variant.fits if variant and variant.fits else template.fits or template.title,
        outline=tuple(template.steps[key].title for key in template.way(name)),
        drawbacks=(variant.drawback,) if variant and variant.drawback else (),
        template=choice,
        besides=extra_item_lines(template),
    )


def _numbered(approaches: list[Approach]) -> Iterator[Approach]:
    for number, approach in enumerate(approaches, 1):
        yield replace(approach, id=f"A{number}")
