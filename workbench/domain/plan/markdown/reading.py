"""From edited Markdown back to a plan.

    text ─▶ chunks, one for each ``##`` ─▶ unchanged?  the section of the plan it came from, the identical object
                                        └▶ changed?    lines ─▶ items and fields; other lines stay as prose

    - S4 · Switch over       ─▶ Draft ─▶ built(draft, id) ─▶ Step
      - Effort: 2 days · …   ─▶ its fields; what no field of it can hold stays with the item as it was written

What an export calculated from the plan is left out. Nothing that a person wrote is lost, and no id is given to
something else: a new item gets a number above all that the plan before the edit had.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct, field

from workbench.domain.errors import UsageError
from workbench.domain.log.ids import slug
from workbench.domain.loop.limits import MOST_OF_AN_EDIT, MOST_SECTIONS, excess
from workbench.domain.plan.markdown.fields import FIELDS, OTHER_LABELS, read
from workbench.domain.plan.markdown.grammar import (
    CALCULATED,
    END,
    FIELD,
    FIELD_SEPARATOR,
    HANDED_OUT,
    LETTERS,
    MARK,
    NUMBERED,
    PRIORITIES,
    PRIORITY,
    block_lines,
    on_lines,
    plain_prose,
    plain_text,
    plain_value,
)
from workbench.domain.plan.markdown.writing import heading, section_to_markdown
from workbench.domain.plan.plan import Bullet, DaysOff, Item, Person, Plan, Row, Section, Step, WorkingTime
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import restored


class Draft(Struct):
    """An item as it is read: its head, then the fields below it."""

    kind: type[Item]
    id: str | None
    text: str
    workstream: str
    fields: dict[str, str] = field(default_factory=dict)
    lists: set[str] = field(default_factory=set)
    """Labels of the fields whose texts are put together of several, as we write them."""
    unread: list[str] = field(default_factory=list)
    """What is below it and fits no field."""


class Ids:
    """Gives new ids, above all that were given before."""

    def __init__(self, given: Iterable[str], *, is_first_reading: bool = False) -> None:
        self._is_first_reading = is_first_reading
        self._highest: dict[str, int] = {}
        self._kept: set[str] = set()
        for match in filter(None, map(NUMBERED.fullmatch, given)):
            self._highest[match[1]] = max(self._highest.get(match[1], 0), int(match[2]))

    def keep(self, ids: Iterable[str]) -> None:
        """Reserve ids for the items that have them."""
        self._kept.update(ids)

    def claim(self, draft: Draft) -> str:
        """Return the draft's own id, or the next free one of its kind if it has none or somebody else has it.

        In a plan that is read for the first time, an id that stands twice stays: which of the two is meant elsewhere
        is for the author to say, and a check asks.
        """
        is_own = draft.id and (draft.id not in self._kept or self._is_first_reading)
        claimed = draft.id if draft.id and is_own else self._next(draft.kind)
        self._kept.add(claimed)
        return claimed

    def _next(self, kind: type[Item]) -> str:
        letter = next(letter for letter, named in LETTERS.items() if named is kind)
        self._highest[letter] = self._highest.get(letter, 0) + 1
        return f"{letter}{self._highest[letter]}"


def read_fields(draft: Draft, line: str) -> None:
    """Give the fields of a line to the draft."""
    for piece in FIELD_SEPARATOR.split(line):
        match = FIELD.fullmatch(piece)
        if (match is None or not _is_taken(draft, match[1], match[2].strip())) and piece:
            draft.unread.append(plain_value(piece))


def _is_taken(draft: Draft, label: str, value: str) -> bool:
    """Give a field to a draft if it fits; days off below a working time change the kind of the draft."""
    kinds: list[type[Item]] = [draft.kind]
    if draft.kind is WorkingTime and not draft.fields:
        kinds.append(DaysOff)
    for kind in kinds:
        for known in filter(None, map(FIELDS[kind].get, (label, OTHER_LABELS.get(kind, {}).get(label, "")))):
            text, before = plain_value(value), draft.fields.get(known.label)
            if text and known.read(text) is None:
                continue
            if before is not None and not (known.mark and before and text):  # a second value of what has one
                return False
            draft.kind = kind
            if before:
                first = before if known.label in draft.lists else known.as_written(before)
                text = known.mark.join((first, known.as_written(text)))
                draft.lists.add(known.label)
            draft.fields[known.label] = text
            return True
    return False


def lines_about(section: Section, person: Person) -> list[str]:
    """Return the fields of a person that could not be read: they are in the prose of the section, behind the name."""
    name = f"{person.text}: "
    return [line.removeprefix(name) for line in section.text.split("\n") if line.startswith(name)]


_PROSE: Mapping[type[Item], str] = {Step: "notes", Person: "role"}
"""Fields that hold any words; the other kinds have only their text."""


def built(draft: Draft, item_id: str) -> Item:
    """Return the item of a draft. What fits no field goes to its notes or role, else to its text."""
    values = read(draft.kind, draft.fields)
    text = draft.text
    if prose := _PROSE.get(draft.kind):
        values[prose] = "\n".join(filter(None, (values.get(prose, ""), *draft.unread)))
    else:
        text = "\n".join(filter(None, (text, *draft.unread)))
    if draft.kind is Step:
        return Step(id=item_id, title=text, **{"workstream": draft.workstream, **values})
    if draft.kind is Bullet:
        priority, text = _priority(text)
        return Bullet(id=item_id, text=text, priority=priority, **values)
    if draft.kind is Row:
        return Row(id=item_id, text=text, **{"day": "", **values})
    kind: type[Any] = draft.kind
    item: Item = kind(id=item_id, text=text, **values)
    return item


def _priority(text: str) -> tuple[Any, str]:
    match = PRIORITY.fullmatch(text)
    if match is None:
        return None, plain_text(text)
    return next(level for level, word in PRIORITIES.items() if word == match[1]), plain_text(match[2] or "")


_TITLE = lazy_pattern(r"#(?:\s+(.*))?")
_SECTION = lazy_pattern(r"##(?:\s+(.*))?")
_WORKSTREAM = lazy_pattern(r"### +(\S.*)")
_BULLET = lazy_pattern(r"[-*+] +(\S.*)", re.DOTALL)
_ITEM = lazy_pattern(r"[-*+] +(\S+) ·(?:\s+(.*))?", re.DOTALL)
_NESTED = lazy_pattern(r"\s+[-*+] +(.*)", re.DOTALL)
_CONTINUATION = lazy_pattern(r"\s+(?![-*+] )\S")


def from_markdown(text: str, base: Plan) -> Plan:
    """Return the plan that an edited text says; ``base`` is the plan that the text was written from.

    An export of a session is such a text, too: what it calculated is left out. Raises UsageError if the text holds
    no section, or more than a plan may hold (``limits``), and where it is the page to hand out.
    """
    refuse_handed_out(text)
    text = _without_calculated(restored(text))
    if len(text) > MOST_OF_AN_EDIT:
        raise _too_much(f"The plan has {len(text):,} characters; {MOST_OF_AN_EDIT:,} are the most")
    opening, chunks = _chunks(text)
    if not chunks:
        raise UsageError(
            "The edited plan has no section.", "Keep at least one heading that begins with ##, or discard the edit."
        )
    if len(chunks) > MOST_SECTIONS:
        raise _too_much(f"The plan has {len(chunks):,} sections; {MOST_SECTIONS:,} are the most")
    title, preface = _opening(opening)
    sections = _Reader(base, chunks).sections()
    if preface:
        sections = _with_note(sections, preface)
    if why := excess(sections):
        raise _too_much(why)
    return Plan(title=base.title if title is None else title, sections=sections)


def refuse_handed_out(text: str) -> None:
    """Raise UsageError for the page that is handed out: it does not hold the whole plan."""
    if any(line.rstrip() == HANDED_OUT for line in text.splitlines()):
        raise UsageError(
            "This is the page to hand out, which does not hold the whole plan.",
            "Take the one that `workbench sessions export ID --format md --full` writes.",
        )


def _without_calculated(text: str) -> str:
    """Return an export without what it calculated from the plan."""
    lines = text.replace("\r\n", "\n").split("\n")
    end = next((at for at, line in enumerate(lines) if line.rstrip() == END), len(lines))
    return "\n".join(lines[:end])


def _too_much(why: str) -> UsageError:
    return UsageError(f"{why}.", "Move a part of it into a document of its own; the plan is as it was.")


def _opening(lines: Sequence[str]) -> tuple[str | None, str]:
    """Return the title, None if there is none, and whatever else is above the first section."""
    titles = ((at, match[1] or "") for at, line in enumerate(lines) if (match := _TITLE.fullmatch(line)))
    at, title = next(titles, (None, None))
    rest = (line for place, line in enumerate(lines) if place != at and not line.rstrip().endswith(CALCULATED))
    return None if title is None else title.strip(), "\n".join(rest).strip()


class _Chunk(Struct, frozen=True):
    """A section's heading and the lines below it."""

    title: str
    mark: str | None
    lines: tuple[str, ...]
    """Heading included, as they are in the text; blank lines at the end left out."""

    @property
    def body(self) -> tuple[str, ...]:
        return self.lines[1:]


def _chunks(text: str) -> tuple[list[str], list[_Chunk]]:
    """Return the lines before the first section, and the sections."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    starts = [at for at, line in enumerate(lines) if _SECTION.fullmatch(line.rstrip())]
    edges = [*starts, len(lines)]
    return lines[: edges[0]], [_chunk(lines[start:end]) for start, end in pairwise(edges)]


def _chunk(lines: Sequence[str]) -> _Chunk:
    heading = _SECTION.fullmatch(lines[0].rstrip())
    title = (heading[1] or "") if heading else ""
    mark = MARK.search(title)
    return _Chunk(MARK.sub("", title).strip(), mark[1] if mark else None, tuple("\n".join(lines).rstrip().split("\n")))


def _with_note(sections: tuple[Section, ...], text: str) -> tuple[Section, ...]:
    """Keep what was written above the first section as a note."""
    notes = next((section for section in sections if section.id == "notes"), Section(id="notes", title="Notes"))
    noted = Section(id=notes.id, title=notes.title, text=f"{notes.text}\n\n{text}".strip(), items=notes.items)
    return (*(noted if section is notes else section for section in sections), *(() if notes in sections else (noted,)))


_Head = tuple[str, type[Item], str]
"""Id, kind and text of a line that begins an item."""


class _Reader:
    """Reads the sections of one text; it knows which ids were given before."""

    def __init__(self, base: Plan, chunks: Sequence[_Chunk]) -> None:
        self._base = base
        self._chunks = chunks
        self._headings = {heading(section).rstrip(): section.id for section in reversed(base.sections)}
        """Ids by the very line they were written in: any id is found again, whatever was told a plan."""
        self._kinds: dict[str, type[Item]] = {item.id: type(item) for item in base.items}
        given = [*self._kinds, *(item for chunk in chunks for item in self._ids_in(chunk.body))]
        self._ids = Ids(given, is_first_reading=not self._kinds)

    def sections(self) -> tuple[Section, ...]:
        """Return the sections of all chunks; the identical ones of the base if nothing was changed."""
        ids = self._section_ids()
        kept = [self._unchanged(chunk, section_id) for chunk, section_id in zip(self._chunks, ids, strict=True)]
        self._ids.keep(item.id for section in kept if section for item in section.items)
        return tuple(
            section or self._section(chunk, section_id)
            for section, chunk, section_id in zip(kept, self._chunks, ids, strict=True)
        )

    def _section_ids(self) -> tuple[str, ...]:
        """Return the id of each chunk: by its mark, else its title, else its first item, else a new one."""
        ids: list[str | None] = [self._known_section(chunk) for chunk in self._chunks]
        for at, chunk in enumerate(self._chunks):
            if ids[at] is None:
                ids[at] = next(self._alike(chunk, ids), None) or slug(chunk.title) or "section"
        return tuple(_distinct(section for section in ids if section is not None))

    def _known_section(self, chunk: _Chunk) -> str | None:
        if chunk.lines[0] in self._headings:
            return self._headings[chunk.lines[0]]
        if chunk.mark:
            return chunk.mark
        named = self._base.section(slug(chunk.title))
        return named.id if named and named.title == chunk.title else None

    def _alike(self, chunk: _Chunk, used: Sequence[str | None]) -> Iterator[str]:
        """Yield sections of the base without a chunk of their own: with this title, or with this chunk's first item."""
        free = [section for section in self._base.sections if section.id not in used]
        yield from (section.id for section in free if section.title == chunk.title)
        first = next(self._ids_in(chunk.body), None)
        yield from (section.id for section in free if any(item.id == first for item in section.items))

    def _ids_in(self, lines: Iterable[str]) -> Iterator[str]:
        return (head[0] for line in lines if (head := self._head(line)))

    def _head(self, line: str) -> _Head | None:
        """Return what a line that begins an item says; None for another."""
        match = _ITEM.fullmatch(line)
        if match is None:
            return None
        numbered = NUMBERED.fullmatch(match[1])
        kind = self._kinds.get(match[1]) or (LETTERS.get(numbered[1]) if numbered else None)
        return (match[1], kind, match[2] or "") if kind else None

    def _unchanged(self, chunk: _Chunk, section_id: str) -> Section | None:
        before = self._base.section(section_id)
        same = before is not None and "\n".join(chunk.lines) == section_to_markdown(before).rstrip()
        return before if same else None

    def _section(self, chunk: _Chunk, section_id: str) -> Section:
        prose, drafts = self._read(_logical_lines(chunk.body), self._base.section(section_id))
        for draft in drafts:  # a field that cannot be read is no role
            is_person, labels = draft.kind is Person, {*FIELDS[draft.kind], *OTHER_LABELS.get(draft.kind, ())}
            fields = [line for line in draft.unread if is_person and line.partition(":")[0] in labels]
            draft.unread = [line for line in draft.unread if line not in fields]
            prose += [f"{draft.text}: {line}" for line in fields]
        return Section(
            id=section_id,
            title=chunk.title,
            text=plain_prose("\n".join(prose).strip("\n"), before_items=bool(drafts)),
            items=tuple(built(draft, self._ids.claim(draft)) for draft in drafts),
        )

    def _read(self, lines: Sequence[str], before: Section | None) -> tuple[list[str], list[Draft]]:
        prose: list[str] = []
        drafts: list[Draft] = []
        workstream = ""
        headings: list[tuple[int, str]] = []
        lists = _Lists(lines, [self._head(line) for line in lines], before)
        for at, line in enumerate(lines):
            if stream := lists.workstream(at):
                workstream = stream
                headings.append((len(prose), stream))
            elif draft := lists.draft(at, drafts, workstream):
                drafts.append(draft)
            elif drafts and (nested := _NESTED.fullmatch(line)):
                read_fields(drafts[-1], block_lines(nested[1].strip()))
            elif line or not drafts or (prose and prose[-1]):
                prose.append(line)
        return _with_unused(headings, prose, drafts), drafts


def _with_unused(headings: Iterable[tuple[int, str]], prose: Sequence[str], drafts: Iterable[Draft]) -> list[str]:
    """Return the prose with those workstream headings, each by its place in the prose, that no step belongs to."""
    used = {draft.workstream for draft in drafts if draft.kind is Step and not draft.fields.get("Workstream")}
    unused = [(at, 0, f"### {stream}") for at, stream in headings if stream not in used]
    lines = [(at, 1, line) for at, line in enumerate(prose)]
    return [line for _, _, line in sorted([*unused, *lines], key=lambda entry: entry[:2])]


class _Lists:
    """The lines of a section, with what each needs to know of those below it, found in one walk from the end."""

    def __init__(self, lines: Sequence[str], heads: Sequence[_Head | None], before: Section | None) -> None:
        self._lines = lines
        self._heads = heads
        self._items_before = before.items if before else ()
        self._prose_before = frozenset(before.text.split("\n")) if before else frozenset()
        self._kinds: list[type[Item] | None] = [None] * (len(lines) + 1)
        """Of the first item with an id in each line or below it, up to the next blank line."""
        self._next_kinds: list[type[Item] | None] = [None] * (len(lines) + 1)
        """The same, blank lines at the beginning left out."""
        self._has_items = [False] * (len(lines) + 1)
        """Whether each line or any below it begins an item with an id."""
        for at in reversed(range(len(lines))):
            head = heads[at]
            self._kinds[at] = None if not lines[at] else head[1] if head else self._kinds[at + 1]
            self._next_kinds[at] = self._kinds[at] if lines[at] else self._next_kinds[at + 1]
            self._has_items[at] = head is not None or self._has_items[at + 1]

    def workstream(self, at: int) -> str | None:
        """Return the name of a heading that is right above a list of steps."""
        title = _WORKSTREAM.fullmatch(self._lines[at])
        return title[1].strip() if title and self._next_kinds[at + 1] is Step else None

    def draft(self, at: int, drafts: Sequence[Draft], workstream: str) -> Draft | None:
        """Return the item that a line begins: one with an id, or a bullet where only items can be meant."""
        if head := self._heads[at]:
            return Draft(head[1], head[0], on_lines(head[2].strip()), workstream)
        bullet = _BULLET.fullmatch(self._lines[at])
        kind = self._kind_meant(at, drafts) if bullet else None
        return Draft(kind, None, on_lines(bullet[1].strip()), workstream) if bullet and kind else None

    def _kind_meant(self, at: int, drafts: Sequence[Draft]) -> type[Item] | None:
        """Return the kind of a bullet without an id: that of the item above it, or below it in the same list.

        In a section that had items and has none with an id any more, bullets that were not there before are items.
        """
        if drafts:
            return drafts[-1].kind
        if self._has_items[at]:
            return self._kinds[at]
        is_new = self._lines[at] not in self._prose_before
        return type(self._items_before[0]) if self._items_before and is_new else None


def _distinct(names: Iterable[str]) -> Iterator[str]:
    """Yield names, those that came before with a number."""
    used: set[str] = set()
    for name in names:
        free, number = name, 1
        while free in used:
            number += 1
            free = f"{name}-{number}"
        used.add(free)
        yield free


def _logical_lines(lines: Iterable[str]) -> list[str]:
    """Return lines where an indented one below a bullet is part of the bullet's line."""
    joined: list[list[str]] = []
    in_bullet, at, blank = False, 0, 0
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        is_deeper = 0 < at <= indent - 2 and line.strip() != ""
        if in_bullet and (is_deeper or (not blank and _CONTINUATION.match(line))):
            joined[len(joined) - blank :] = []
            joined[-1] += [*[""] * blank, line[min(indent, at + 2) :]]
            blank = 0
        elif in_bullet and at and not line.strip():
            blank += 1
            joined.append([""])
        else:
            at, blank = indent, 0
            joined.append([line if line.strip() else ""])
            in_bullet = _BULLET.match(line.lstrip()) is not None
    return ["\n".join(parts) for parts in joined]
