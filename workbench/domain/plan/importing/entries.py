"""Entries of lists, and headings, as steps: the line itself, the fields and notes below it, and its parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from workbench.domain.plan.importing.assembly import Assembly, SectionDraft
from workbench.domain.plan.importing.document import Block, Entry, Line, Listing, Paragraph, are_separate, lines_of
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.headings import Topic, topic_of
from workbench.domain.plan.importing.judgement import below, has_boxes
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.marks import STATE, draft_of, take
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.outline import Head
from workbench.domain.plan.importing.requests import ACTION, clauses_of, goes_on, is_past, is_person
from workbench.domain.plan.importing.values import days_said, settled
from workbench.domain.plan.importing.words import bare, has_words, words
from workbench.domain.plan.importing.work import begins_with_verb, is_statement, share
from workbench.domain.plan.plan import Status

_BOXES: dict[str, Status] = {
    "x": "done", "X": "done", "✓": "done", "✔": "done", "*": "done",
    "/": "under-way", ".": "under-way", ">": "waiting", "~": "dropped", "-": "dropped",
}  # fmt: skip
_BOLD_LEAD = re.compile(r"(?:\*\*|__)(?P<lead>[^*]{3,120}?)[:.]?(?:\*\*|__)\s*[:.–—-]{0,2}\s+(?P<rest>\S.*)")
_SENTENCE = re.compile(
    r"(?P<first>(?!\W*\w+[.!?]\s)(?:\([^()]*\)|\[[^\[\]]*\]|[^()\[\]]){8,160}?(?<!\b\w)(?<!\b(?:St|Dr|Mr|Ms|Nr|No|ca|vs))(?<!\b(?:Mrs|etc))(?<!\bProf)[.!?])\s+(?P<rest>[A-ZÄÖÜ].*)"
)
_PARTS = re.compile(r"(?<=\w\w)\.(?:\s+|$)|,\s+(?=by|until|due|\d)")
"""Between the fields behind a title: "Owner: Anna, by 3 May. 3d. Off by default"."""
_LONG = 15
"""Words of an entry that tells of a step in sentences."""
_SHORT = 6
"""Words of an entry below a step that names a part of it."""
_OWN_ID = re.compile(r"\*\*S\d{1,6}\*\*")


class StepReader:
    """Makes steps of entries and headings."""

    def __init__(self, assembly: Assembly, names: Names, today: date) -> None:
        self._assembly = assembly
        self._names = names
        self._today = today

    def from_text(self, line: int, text: str, *, workstream: str = "", is_prose: bool = False) -> StepDraft:
        """Return the step that a line of text is, with the marks in it."""
        rest = ""
        plain = text.strip()
        is_bold = not ACTION.match(plain) and (match := _BOLD_LEAD.fullmatch(plain)) is not None
        if is_bold and match is not None and not re.fullmatch(r"\W*[A-Z]{0,9}-?[\d.]+\W*", match["lead"]):
            plain, rest = self._parted(match["lead"].strip(), match["rest"], plain)
        elif (match := _SENTENCE.fullmatch(plain)) is not None:
            plain, rest = match["first"].rstrip("."), match["rest"]
        told = self.from_sentence(line, plain) if is_prose else ()
        draft = told[0] if told else draft_of(line, plain, self._names, self._today)
        draft.workstream = workstream
        others = [part for part in _PARTS.split(rest) if part.strip() and not self._field(draft, part.strip())]
        if rest and others:
            said = draft_of(line, rest, self._names, self._today)
            for name in ("owner", "deadline", "effort", "not_before", "cost", "status"):
                draft.give(name, said.values.get(name))
            draft.needs += said.needs
            draft.hints += said.hints
            draft.guesses += said.guesses
            draft.notes.append(rest)
        return draft

    def from_sentence(self, line: int, sentence: str, *, workstream: str = "") -> list[StepDraft]:
        """Return the steps that a sentence of a text tells; the first keeps the sentence where it says more."""
        who, clauses = clauses_of(sentence)
        drafts = [draft_of(line, clause, self._names, self._today) for clause in clauses]
        for draft in drafts:
            draft.workstream = workstream
            draft.give("owner", who if is_person(who) else "")
            if is_past(sentence):
                draft.give("status", "done")
        if [bare(draft.title) for draft in drafts] != [bare(sentence)]:
            said = draft_of(line, sentence, self._names, self._today)
            drafts[-1].give("deadline", said.values.get("deadline"))
            drafts[0].notes.append(sentence)
        return drafts

    def more_of(self, drafts: Sequence[StepDraft], sentence: str, lines: Sequence[int]) -> bool:
        """Let a sentence say who does the steps of the one before, and by when; tell whether it does."""
        if not drafts or (who := goes_on(sentence)) is None:
            return False
        days = [day for name, day, _ in days_said(sentence, self._today) if name == "deadline"]
        for draft in drafts:
            draft.give("owner", who)
            draft.give("deadline", next(iter(days), None))
        drafts[-1].notes.append(sentence)
        for line in lines:
            self._assembly.fate(line, "field", drafts[-1])
        return True

    @staticmethod
    def _parted(lead: str, rest: str, whole: str) -> tuple[str, str]:
        """Return title and notes of a line that begins in bold: what is bold, unless it is no title by itself."""
        is_field = (label_of(f"{lead}:") or ("", ""))[1] != ""
        return (whole, "") if is_field or not re.search(r"[^\W\d_]", lead) else (lead, rest)

    def from_entry(
        self,
        entry: Entry,
        section: SectionDraft,
        *,
        workstream: str,
        listing: Listing,
        parent: StepDraft | None = None,
        is_milestone: bool = False,
        day: str | None = None,
        state: Status | None = None,
    ) -> StepDraft | None:
        """Add the step of an entry, its fields, its notes and its parts."""
        more = [line for line in entry.more if not _is_label(line.text)]
        apart = (
            more
            if more and are_separate((Line(entry.line, entry.text), *more)) and not entry.text.endswith(",")
            else []
        )
        more = [] if apart else more
        text = " ".join([entry.text, *(line.text for line in more)])
        is_prose = bool(entry.number) and len(words(text)) > _LONG and not begins_with_verb(text)
        draft = self.from_text(entry.line, text, workstream=workstream, is_prose=is_prose)
        draft.parent, draft.number, draft.group = parent, entry.number.strip("()."), listing
        if entry.box is not None and entry.box in _BOXES and draft.values.get("status") != "dropped":
            draft.values["status"] = _BOXES[entry.box]
        elif entry.box is None and state is not None:
            draft.values.setdefault("status", state)
        if is_milestone and not draft.values.get("effort"):
            draft.values["milestone"] = True
        settled(draft.values, text, self._today)
        if day and draft.values.get("status") != "done":
            draft.values.setdefault("deadline", day)
        if self._assembly.step(draft, section) is None:
            return None
        for line in more:
            self._assembly.fate(line.number, "field", draft)
        for line in entry.more:
            if line in apart or _is_label(line.text):
                self._note(draft, line)
        for block in entry.blocks:
            self._below(draft, block, section, entry)
        return draft

    def give_parts(self, draft: StepDraft, head: Head, section: SectionDraft) -> None:
        """Read what stands below a heading that is a step."""
        for part in head.parts:
            if isinstance(part, Head):
                self._head_below(draft, part, section)
            else:
                self._below(draft, part, section, None, head.topic)

    def _head_below(self, draft: StepDraft, head: Head, section: SectionDraft) -> None:
        """Read a heading below a step: a part of it, or what a list below is."""
        if STATE.match(head.name):
            part = self.from_text(head.line, head.name, workstream=draft.workstream)
            part.parent = draft.top
            if self._assembly.step(part, section) is not None:
                self.give_parts(part, head, section)
            return
        line = Line(head.line, self._assembly.lines[head.line].strip())
        if not head.topic.is_work or not any(isinstance(one, Listing) for one in head.blocks):
            if head.topic.section == "criteria" and len(head.blocks) == 1 and isinstance(head.blocks[0], Listing):
                self._checks(draft, head.blocks[0], line)
                return
            draft.notes.append(head.name)
        elif not has_words(head.name, within=draft.title):
            draft.notes.append(head.name)
        self._assembly.fate(head.line, "field", draft)
        self.give_parts(draft, head, section)

    def _below(
        self, draft: StepDraft, block: Block, section: SectionDraft, entry: Entry | None, topic: Topic | None = None
    ) -> None:
        match block:
            case Listing() if not block.is_loose:
                self._list_below(draft, block, section, entry, topic)
            case Paragraph() | Listing():
                for line in lines_of(block):
                    self._note(draft, line)
            case _:
                for line in lines_of(block):
                    self._verbatim(draft, line.number)

    def _list_below(
        self, draft: StepDraft, listing: Listing, section: SectionDraft, entry: Entry | None, topic: Topic | None
    ) -> None:
        """Read a list below a step: its checks, its parts, or notes."""
        own_check = self._own_check(draft, listing)
        if own_check is not None:
            self._checks(draft, Listing((own_check,)), None)
        are_parts = own_check is not None or _are_parts(listing, entry, topic)
        for each in listing.entries:
            if each is own_check:
                continue
            if are_parts and (each.box is not None or not _is_label(each.text)) and re.search(r"\w", each.text):
                self.from_entry(each, section, workstream=draft.workstream, listing=listing, parent=draft.top)
                continue
            self._entry_note(draft, each, section)

    def _own_check(self, draft: StepDraft, listing: Listing) -> Entry | None:
        """Return the box below a step that is its check, as in the task lists that this workbench writes.

        Boxes beside it, and below a step that has no check, are parts that somebody added.
        """
        own_id = next((name for name in draft.ids if re.fullmatch(r"S\d{1,6}", name)), "")
        first = listing.entries[0]
        if not own_id or first.box is None or first.blocks or _OWN_ID.match(first.text):
            return None
        if (step := self._assembly.known.get(own_id)) is None:
            return first
        same = (entry for entry in listing.entries if bare(entry.whole) == bare(step.check))
        return next(same, first) if step.check else None

    def _entry_note(self, draft: StepDraft, entry: Entry, section: SectionDraft) -> None:
        """Read an entry below a step as a field or a note, with all that stands below it."""
        lead = label_of(entry.whole)
        lists = list(below(entry))
        if lead is not None and not lead[2] and lists and topic_of(lead[0]).section == "criteria":
            self._assembly.fate(entry.line, "field", draft)
            self._checks(draft, lists[0], Line(entry.line, entry.text))
            return
        if entry.box is not None and entry.box in "xX":
            for line in (Line(entry.line, entry.text), *entry.more):
                self._assembly.fate(line.number, "field", draft)
            draft.notes.append(f"[x] {entry.whole}")
        else:
            self._note(draft, Line(entry.line, entry.text), entry.more)
        for block in entry.blocks:
            if isinstance(block, Listing):
                for each in block.entries:
                    if each.box is not None:
                        self.from_entry(each, section, workstream=draft.workstream, listing=block, parent=draft.top)
                    else:
                        self._entry_note(draft, each, section)
            else:
                self._below(draft, block, section, entry)

    def _checks(self, draft: StepDraft, listing: Listing, lead: Line | None) -> None:
        """Let the entries of a list be how a step is checked."""
        for line in (*lines_of(listing), *([lead] if lead is not None else [])):
            self._assembly.fate(line.number, "field", draft)
        if lead is not None:
            draft.cut.append((lead.text, lead.text))
        texts = [draft.values.get("check", "")]
        for entry in listing.entries:
            texts.append(entry.whole)
            below = (line for block in entry.blocks for line in lines_of(block))
            texts += (line.text or self._assembly.lines[line.number].strip() for line in below)
        draft.values["check"] = "; ".join(filter(None, texts))

    def _verbatim(self, draft: StepDraft, number: int) -> None:
        if self._assembly.lines[number].strip():
            self._assembly.fate(number, "field", draft)
            draft.notes.append(self._assembly.lines[number].strip())

    def _note(self, draft: StepDraft, line: Line, more: Sequence[Line] = ()) -> None:
        """Read a line below a step: fields with their labels, or a note."""
        self._assembly.fate(line.number, "field", draft)
        for each in more:
            self._assembly.fate(each.number, "field", draft)
        text = " ".join([line.text, *(each.text for each in more)])
        pieces = (
            re.split(r"\s+[|·]\s+|;\s+(?=(?:\*\*)?[A-Z][\w ]{1,20}:)", text) if re.search(r"[|·;]", text) else [text]
        )
        for piece in pieces:
            if not self._field(draft, piece):
                draft.notes.append(piece.strip())

    def _field(self, draft: StepDraft, text: str) -> bool:
        """Read ``Owner: Anna``; tell whether the field says all of it."""
        found = label_of(text)
        if found is None or not found[1] or not found[2]:
            return False
        _, name, value = found
        target = {"start": "not_before"}.get(name, name)
        if target in draft.values or name == "id" or not take(draft, name, value, self._today):
            return False
        draft.cut.append((text.strip(), text))
        return True


def _are_parts(listing: Listing, entry: Entry | None, topic: Topic | None) -> bool:
    """Tell whether the entries below a step are parts of it."""
    if has_boxes(listing):
        return True
    if topic is not None and topic.kind in ("section", "context"):
        return False
    texts = [each.whole for each in listing.entries]
    if entry is not None and entry.box is None and entry.whole.endswith(":"):
        return True
    if share(texts, _is_label) >= 0.5:
        return False
    if len(texts) > 1 and entry is not None and all(map(_is_short_name, texts)):
        return True
    verbs = share(texts, begins_with_verb)
    if entry is not None and listing.entries[0].number and share(texts, is_statement) < 0.5:
        return True
    if entry is None:
        return verbs >= 0.6 or (topic is not None and topic.is_work)
    return verbs >= 0.5 and (entry.box is None or share(texts, is_statement) == 0)


def _is_short_name(text: str) -> bool:
    return (
        len(words(text)) <= _SHORT and text[-1:] not in ("", ".", ":") and not (_is_label(text) or is_statement(text))
    )


def _is_label(text: str) -> bool:
    found = label_of(text)
    return found is not None and (bool(found[1]) or len(words(found[0])) <= 2) and not begins_with_verb(found[0])
