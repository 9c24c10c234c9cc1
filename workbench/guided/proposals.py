"""The steps of a text that a person brought: headings, bullets and numbered lines, taken over as they are.

Markdown or plain lines ─▶ titles under their headings ─▶ enriched: outcome, check, owner, estimate ─▶ Outline
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from workbench.domain.plan.plan import Effort, Step
from workbench.domain.text.cleaning import clean, shorten
from workbench.guided.knowledge import ApproachKnowledge
from workbench.guided.setting import Setting
from workbench.guided.wording import capital, filled

MOST_STEPS = 24
USUAL = Effort(low=1, likely=2, high=4)
"""Working days of a step about which nothing is known."""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The steps of a plan to be, with what timing needs to know of them."""

    steps: tuple[Step, ...]
    elastic: frozenset[str] = frozenset()
    """Ids of the steps that may take the time there is."""
    optional: frozenset[str] = frozenset()
    """Ids of the steps that are left out first."""
    day: str = ""
    """Id of the step that happens on the very day of the deadline; "" for none."""
    proof: str = ""
    """Id of the step in which it shows whether what must hold does hold."""
    strategy: ApproachKnowledge | None = None
    """The strategy the steps come from; None for a person's own."""


_LINE = re.compile(r"^\s*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-z]\)|\[[ xX]\])\s+(?:\[[ xX]\]\s+)?(?P<text>.+)$")
_HEADING = re.compile(r"^\s{0,3}(?P<level>#{1,6})\s+(?P<text>.+?)\s*#*$")
_NOT_STEPS = re.compile(
    r"\b(?:goals?|objectives?|background|context|introduction|summary|overview|risks?|assumptions?|constraints?|budget|"
    r"criteria|metrics|questions?|scope|team|stakeholders|references|notes|contact)\b",
    re.IGNORECASE,
)
_OWNER = re.compile(r"\s*[(\[]\s*(?:owner:?\s*)?@?(?P<owner>[A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){0,2})\s*[)\]]")
_EFFORT = re.compile(r",?\s*(?:about\s+|~\s*)?\b(?P<count>\d{1,3}(?:[.,]\d)?)\s*(?P<unit>days?|weeks?|d|w|months?)\b")
_DAYS = {"d": 1, "w": 5, "m": 20}


def outline_of_text(text: str, setting: Setting) -> Outline:
    """Return the steps of a proposal's text."""
    found = _items(clean(text)[:60_000])
    return _chain(found[:MOST_STEPS], setting)


def outline_of_lines(lines: Sequence[str], setting: Setting) -> Outline:
    """Return the steps of an approach's outline; a generic trio where it has none."""
    titles = [(capital(clean(line).strip()), "") for line in lines if line.strip()]
    return _chain(titles[:MOST_STEPS] or [(setting.brief.objective.title, "")], setting)


def _items(text: str) -> list[tuple[str, str]]:
    """Return (title, heading above) of the lines that are steps; of plain prose, its lines or sentences."""
    items: list[tuple[str, str]] = []
    headings: list[str] = []
    heading, skipped = "", False
    for line in text.splitlines():
        if (head := _HEADING.match(line)) is not None:
            heading, skipped = head["text"].strip(" *_:"), _NOT_STEPS.search(head["text"]) is not None
            if len(head["level"]) > 1 and not skipped:
                headings.append(heading)
        elif (item := _LINE.match(line)) is not None and not skipped:
            items.append((item["text"], heading))
    if items:
        return [(_title(title), heading) for title, heading in items if _title(title)]
    if headings:
        return [(_title(title), "") for title in headings]
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        lines = re.split(r"(?<=[.;!?])\s+|,\s*then\s+|\bthen\s+", lines[0])
    return [(_title(line), "") for line in lines if _title(line)]


def _title(text: str) -> str:
    return capital(shorten(re.sub(r"[*_`]{1,3}", "", " ".join(text.split())).strip(" .;,:"), 160))


def _chain(titles: Sequence[tuple[str, str]], setting: Setting) -> Outline:
    """Return steps in a row, each needing the one above it, known ones with what the tables know."""
    known = {_bare(filled(one.title, setting.words)): one for one in setting.field.steps.values()}
    steps: list[Step] = []
    seen: set[str] = set()
    elastic: set[str] = set()
    for text, heading in titles:
        title, owner, effort = _parts(text)
        if _bare(title) in seen or not _bare(title):
            continue
        seen.add(_bare(title))
        step_id = f"S{len(steps) + 1}"
        table = known.get(_bare(title))
        if table is not None and table.elastic:
            elastic.add(step_id)
        steps.append(
            Step(
                id=step_id,
                title=title,
                outcome=filled(table.outcome, setting.words)
                if table
                else f"What “{title}” asks for is there and can be shown",
                check=filled(table.check, setting.words)
                if table
                else f"Somebody who did not do it has seen the result of “{title}” and misses nothing",
                owner=owner or (filled(table.owner, setting.words) if table else "Project lead"),
                effort=effort or (Effort(*table.days) if table else USUAL),
                needs=(steps[-1].id,) if steps else (),
                workstream=filled(table.stream, setting.words) if table else shorten(heading, 40) or "Work",
            )
        )
    return Outline(
        steps=tuple(steps), elastic=frozenset(elastic), proof=steps[max(0, len(steps) - 2)].id if steps else ""
    )


def _parts(text: str) -> tuple[str, str, Effort | None]:
    """Take owner and effort out of a line: ``Call the venue (Anna, 2 days)``."""
    effort = None
    if (match := _EFFORT.search(text)) is not None:
        days = float(match["count"].replace(",", ".")) * _DAYS[match["unit"][0]]
        if days <= 500:
            effort = Effort(low=max(0.5, days / 2), likely=days, high=days * 1.5)
            text = text[: match.start()] + text[match.end() :]
    owner = ""
    if (match := _OWNER.search(text)) is not None:
        owner, text = match["owner"], text[: match.start()] + text[match.end() :]
    return text.strip(" .;,:()[]–-"), owner, effort


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
