"""From a plan to its Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from workbench.domain.log.ids import slug
from workbench.domain.plan.markdown.fields import written
from workbench.domain.plan.markdown.grammar import (
    MARK,
    PRIORITIES,
    block_lines,
    escaped_prose,
    escaped_text,
    escaped_value,
    on_lines,
)
from workbench.domain.plan.plan import Bullet, Item, Plan, Section, Step


def to_markdown(plan: Plan) -> str:
    """Return the whole plan as Markdown, ending in a line break."""
    parts = [f"# {plan.title}\n"] if plan.title else []
    return "\n".join([*parts, *(section_to_markdown(section) for section in plan.sections)])


def section_to_markdown(section: Section) -> str:
    """Return one section as Markdown: heading, prose, items; it ends in a line break."""
    prose = escaped_prose(section.text, before_items=bool(section.items))
    blocks = [heading(section), *([prose] if prose else []), *_item_blocks(section.items)]
    return "\n\n".join(blocks) + "\n"


def heading(section: Section) -> str:
    """Return a section's heading: its title, and its id as a mark where the title does not give it."""
    title, section_id = (" ".join(text.split("\n")) for text in (section.title, section.id))
    named = slug(title) == section_id and not MARK.search(title)
    return f"## {title}".rstrip() if named else f"## {title} <!-- {section_id} -->"


def _item_blocks(items: Sequence[Item]) -> Iterator[str]:
    """Yield the items as lists, steps below the headings of their workstreams where each workstream is together."""
    headed = _workstreams_stand_together(items)
    for stream, group in groupby(items, key=lambda item: item.workstream if headed and isinstance(item, Step) else ""):
        lines = "\n".join(item_to_markdown(item, with_workstream=not headed) for item in group)
        yield f"### {stream}\n\n{lines}" if stream else lines


def _workstreams_stand_together(items: Sequence[Item]) -> bool:
    """Tell whether headings can carry the workstreams: each is one run of steps, and steps without one come first."""
    runs = [stream for stream, _ in groupby(item.workstream if isinstance(item, Step) else "" for item in items)]
    return len(set(runs)) == len(runs) and "" not in runs[1:]


def item_to_markdown(item: Item, *, with_workstream: bool = True) -> str:
    """Return an item as it is in a list."""
    head = on_lines(f"- {item.id} · {_text(item)}".rstrip(), "  ")
    lines = [
        " · ".join(f"{label}: {block_lines(escaped_value(value), '    ')}" for label, value in line)
        for line in written(item, with_workstream=with_workstream)
        if line
    ]
    return "\n".join([head, *(f"  - {line}" for line in lines)])


def _text(item: Item) -> str:
    match item:
        case Step():
            return item.title
        case Bullet():
            text = escaped_text(item.text)
            return f"{PRIORITIES[item.priority]}: {text}" if item.priority else text
        case _:
            return item.text
