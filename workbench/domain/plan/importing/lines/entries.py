"""Entries of lists as steps: their line, their fields, their parts, and notes with whatever else is below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from textwrap import dedent

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.imported import FULL
from workbench.domain.plan.importing.lines.blocks import Block, Entry, Heading, Line, Listing, Other, Paragraph, Table
from workbench.domain.plan.importing.lines.labels import label_of
from workbench.domain.plan.importing.lines.marks import draft_of, has_id, take
from workbench.domain.plan.importing.lines.values import day_of, progress_of, take_progress
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.plan import Status
from workbench.domain.text.patterns import lazy_pattern

BOXES: dict[str, Status] = {
    " ": "todo", "x": "done", "X": "done", "/": "under-way", ".": "under-way", "-": "dropped", "~": "dropped",
    ">": "waiting",
}  # fmt: skip
"""What is in a check box, and the state that it is."""
_OWN_ID = lazy_pattern(r"S\d{1,6}")
_COUNT = lazy_pattern(r"[\[(](?P<count>\d+/\d+)[\])]")
_MOMENT = lazy_pattern(r"\((?P<day>\d{4}-\d\d-\d\d)(?:[ T]\d\d:\d\d(?::\d\d)?Z?)?\) +(?=\S)")
"""When a box was ticked, as plans of Codex say it."""
_PIECES = lazy_pattern(r"\s[|·]\s|;\s(?=(?:\*\*)?[A-Z][\w ]{1,20}:)")


def field_in(text: str) -> tuple[str, str, str] | None:
    """Return label, field and value of a line that names a field of a step; None for another line."""
    found = label_of(text)
    return found if found is not None and found[1] and found[2] else None


class StepReader:
    """Makes steps of entries."""

    def __init__(self, assembly: Assembly, today: date) -> None:
        self._assembly = assembly
        self._today = today
        self.only_boxes = False
        """Whether a number is no sign of a part."""
        self.labels: frozenset[str] = frozenset()
        """Labels that come again below several entries: "Why: …" is no part."""
        self._awaited = ""
        """The field that a line with nothing but its label has named: the list below it is the value."""

    def read(
        self,
        entry: Entry,
        listing: Listing | None,
        workstream: str,
        *,
        parent: StepDraft | None = None,
        state: Status | None = None,
    ) -> StepDraft:
        """Add the step of an entry, its fields, its notes and its parts; ``state`` is that of its heading."""
        if self._assembly.is_full:
            for number in range(entry.line, entry.last):
                self._assembly.keep(number, FULL)
            return StepDraft(entry.line, entry.text)
        moment = _MOMENT.match(entry.text) if entry.box is not None else None
        text = entry.text[moment.end() :] if moment is not None else entry.text
        draft = draft_of(entry.line, text, self._today)
        if moment is not None and entry.box in ("x", "X"):
            draft.give("finished", day_of(moment["day"], self._today))
        elif moment is not None:
            draft.notes.append(moment[0].strip())
        draft.read.append(entry.text.removesuffix(text))
        draft.parent, draft.number, draft.group, draft.workstream = parent, entry.number, listing, workstream
        self._state(draft, entry, state)
        if self._assembly.step(draft, entry.wrapped) is None:
            return draft
        for each in entry.more:
            self._note(draft, each)
        for block in entry.blocks:
            self.below(draft, block, entry)
        return draft

    def _state(self, draft: StepDraft, entry: Entry, state: Status | None) -> None:
        """Set the state: that of the box, if it is not struck through; else that of the heading."""
        if entry.box is not None and draft.values.get("status") != "dropped":
            is_begun = entry.box == " " and "progress" in draft.values
            draft.values["status"] = "under-way" if is_begun else BOXES.get(entry.box, "todo")
        elif entry.box is None and state is not None:
            draft.values.setdefault("status", state)
        if entry.box is not None and entry.box not in " xX":
            draft.values.setdefault("other", {})["box"] = entry.box  # so that it can be written again
        counted = _COUNT.search(draft.title)
        if counted is not None and (progress := progress_of(counted["count"])) and draft.values.get("status") != "done":
            draft.values.pop("status", None)
            take_progress(draft.values, progress)

    def below(self, draft: StepDraft, block: Block, entry: Entry | None = None) -> None:
        """Read a block below a step: fields, parts, notes."""
        awaited, self._awaited = self._awaited, ""
        match block:
            case Listing() if awaited:
                self._values_below(draft, block, awaited)
            case Listing():
                self._list_below(draft, block, entry)
            case Paragraph():
                for line in block.lines:
                    self._note(draft, line)
            case Other() if block.info or self._assembly.lines[block.line].lstrip().startswith(("```", "~~~")):
                lines = dedent("\n".join(self._assembly.lines[block.line : block.last])).rstrip().split("\n")
                self._assembly.fates(range(block.line, block.last), "field", draft)
                draft.notes += map(str.rstrip, lines)  # whose indentation is part of the code
            case Heading() | Table() | Other():
                for number in range(block.line, block.last):
                    self.verbatim(draft, number)

    def _list_below(self, draft: StepDraft, listing: Listing, entry: Entry | None) -> None:
        """Read a list below a step: its check, its parts, or notes.

        Parts are boxes, numbers, lists of the same kind, and several entries below a line that has no values.
        """
        check = self._own_check(draft, listing)
        is_group = len(listing.entries) > 1 and not draft.values
        is_same = entry is not None and entry.box is None and (bool(entry.number) == listing.is_numbered or is_group)
        are_parts = (is_same or listing.is_numbered) and not self.only_boxes
        for each in listing.entries:
            if each is check:
                draft.values["check"] = "; ".join(filter(None, (draft.values.get("check", ""), each.text)))
                self._assembly.fate(each.line, "field", draft)
            elif each.box is not None or (are_parts and self._is_part(each)):
                self.read(each, listing, draft.workstream, parent=draft.top)
            else:
                self._entry_note(draft, each)
            for line in each.after:
                self.verbatim(draft, line)

    def _is_part(self, entry: Entry) -> bool:
        label = label_of(entry.text)
        is_field = label is not None and bool(label[2]) and (bool(label[1]) or label[0] in self.labels)
        return not is_field and re.search(r"\w", entry.text) is not None

    def _values_below(self, draft: StepDraft, listing: Listing, name: str) -> None:
        """Let the entries of a list be how a step is checked, or what comes of it."""
        texts = [" ".join([entry.text, *(line.text for line in entry.more)]) for entry in listing.entries]
        draft.values[name] = "; ".join(filter(None, (draft.values.get(name, ""), *texts)))
        self._assembly.fates(range(listing.line, listing.last), "field", draft)
        for block in (below for entry in listing.entries for below in entry.blocks):
            self.below(draft, block)

    def _own_check(self, draft: StepDraft, listing: Listing) -> Entry | None:
        """Return the box below a step that is its check, as in the task lists that this workbench writes.

        Boxes beside it, and below a step that has no check, are parts that somebody added.
        """
        own_id = next((name for name in draft.ids if _OWN_ID.fullmatch(name)), "")
        first = listing.entries[0]
        if not own_id or first.box is None or first.blocks or has_id(first.text):
            return None
        if (step := self._assembly.known.get(own_id)) is None:
            return first
        same = (entry for entry in listing.entries if bare(entry.text) == bare(step.check))
        return next(same, first) if step.check else None

    def _entry_note(self, draft: StepDraft, entry: Entry) -> None:
        """Read an entry below a step as a field or a note, with all that is below it."""
        self._note(draft, Line(entry.line, entry.text), entry.wrapped)
        for line in entry.more:
            self._note(draft, line)
        for block in entry.blocks:
            if isinstance(block, Listing) and not self._awaited:
                for each in block.entries:
                    if each.box is not None:
                        self.read(each, block, draft.workstream, parent=draft.top)
                    else:
                        self._entry_note(draft, each)
            else:
                self.below(draft, block, entry)

    def verbatim(self, draft: StepDraft, number: int) -> None:
        """Note a line as it is."""
        if self._assembly.lines[number].strip(" -"):  # which part texts
            self._assembly.fate(number, "field", draft)
            draft.notes.append(self._assembly.lines[number].strip())

    def _note(self, draft: StepDraft, line: Line, wrapped: Sequence[int] = ()) -> None:
        """Read a line below a step: fields with their labels, or a note."""
        self._assembly.fates((line.number, *wrapped), "field", draft)
        label = label_of(line.text)
        self._awaited = label[1] if label and not label[2] and label[1] in ("check", "outcome") else ""
        if self._awaited:
            draft.read.append(line.text)
            return
        for piece in _PIECES.split(line.text):
            if not self._field(draft, line.number, piece):
                draft.notes.append(piece.strip())

    def _field(self, draft: StepDraft, line: int, text: str) -> bool:
        """Read ``Owner: Anna``; tell whether the field says all of it. A value that does not fit is listed."""
        found = field_in(text)
        if found is None or found[1] in ("notes", "title"):
            return False
        label, name, value = found
        target = {"start": "not_before"}.get(name, name)
        in_title = draft.values.pop("repeat", None) if name == "repeat" else None  # what has a label is surer
        if target in draft.values:
            return False
        if not take(draft, name, value, self._today):
            draft.give("repeat", in_title)
            if name in ("deadline", "start", "effort", "status", "cost", "finished", "started"):
                draft.unread.append((line, text.strip(), f"it is no value for {label}"))
            return False
        draft.read.append(text)
        return True
