"""A template as a person reads it before choosing: when it fits, its ways, its steps as a list, its questions."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.templates.composition import extra_item_lines
from workbench.templates.template import Template, TemplateStep, split_choice


def page_of(template: Template, variant: str = "") -> str:
    """Return the page of a template in Markdown: of one variant, or of all."""
    choices = [f"{template.name}:{variant}"] if variant else list(template.choices)
    lines = [f"# {template.title}", "", *([template.fits, ""] if template.fits else [])]
    for choice in choices:
        lines += [*_variant(template, split_choice(choice)[1]), ""]
    lines += _other_parts(template, choices)
    return "\n".join(lines).rstrip() + "\n"


def _variant(template: Template, name: str) -> Iterator[str]:
    """Yield a way: when it fits, and its steps with numbers, as ``--keep`` takes them."""
    variant = template.variants.get(name)
    if variant:
        yield f"## {variant.title} ({template.name}:{name})"
        yield ""
        yield f"{variant.fits} {variant.drawback}".strip()
        yield ""
    for number, key in enumerate(template.way(name), 1):
        yield f"{number}. {step_line(template.steps[key])}"


def step_line(step: TemplateStep) -> str:
    """Return a step with how long it takes, and when: ``Book the place (2–5–10 days, 210 days before)``."""
    told = ", ".join(filter(None, (_effort(step), *_days(step))))
    return f"{step.title} ({told})" if told else step.title


def _effort(step: TemplateStep) -> str:
    if step.effort is None:
        return f"{step.waiting:g} days of waiting" if step.waiting is not None else ""
    low, likely, high = step.effort
    return f"{low:g}–{likely:g}–{high:g} days" if low < high else "1 day" if likely == 1 else f"{likely:g} days"


def _days(step: TemplateStep) -> Iterator[str]:
    if step.on == 0:
        yield "on the day"
    elif step.on is not None:
        yield f"{abs(step.on)} days {'before' if step.on < 0 else 'after'} the day"
    if step.before is not None:
        yield f"{step.before} days before the day" if step.before else "by the day"
    if step.after is not None:
        yield f"from {step.after} days after the day on"
    if step.not_before is not None:
        yield f"from {step.not_before} days after the beginning on"
    if step.by is not None:
        yield f"by {step.by} days after the beginning"


def _other_parts(template: Template, choices: list[str]) -> list[str]:
    """Return what the template has besides steps; where one way is shown, with numbers that go on behind its steps."""
    told = extra_item_lines(template)
    if not told:
        return []
    first = len(template.way(split_choice(choices[0])[1])) + 1
    if choices[1:]:
        lines = [f"- {line}" for line in told]
        numbers = f" (their numbers: `workbench template show {choices[0]}`)"
    else:
        lines, numbers = [f"{number}. {line}" for number, line in enumerate(told, first)], ""
    return [f"What a plan gets only where you keep it{numbers}:", "", *lines]
