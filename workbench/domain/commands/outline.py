"""One's own steps, a line each: a title, and after it what else is said.

    Book the hall 2d @Anna by 3 May        title "Book the hall"; effort, owner and deadline
      Ask the caretaker                    indented once: a part of the step above
    Paint it for 2 days £150, needs 3      effort, cost, and that it needs S3
    Print posters on 26 shops              all of it is the title: "26 shops" is no day

Steps follow each other in their order, unless a line says ``needs`` or ``together`` (beside the line before). Each is
said back as it was read, so that a mistake is seen while it is typed: S1 “Book the hall” · owner Anna.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.commands.changes import BY_PERSON, Commands
from workbench.domain.commands.errors import Misread, Unread
from workbench.domain.commands.grammar import Said, Word, grammar
from workbench.domain.commands.parsing import result
from workbench.domain.commands.reader import MOST_CHARACTERS, Reader, readable
from workbench.domain.commands.results import Parsed
from workbench.domain.plan.markdown.fields import written
from workbench.domain.plan.plan import Effort, Plan, Section, Step
from workbench.domain.text.patterns import lazy_pattern

MOST_OF_A_LINE = 500
"""Characters of a step's line."""
_MARK = lazy_pattern(r"(?:[-*•+]|\d{1,3}[.)])\s+")
"""Begins a list item."""
_WORD = lazy_pattern(r"\S+")
_ONCE = frozenset(["effort", "takes", "cost", "by", "before", "on", "not_before", "wait", "duration"])
"""Rules of fields that stand once."""
_VALUES = ("effort", "cost", "share", "count", "owner")
"""Rules of fields that need no word before them; after a date, they might be read as a part of it."""
_ASSUMED = Effort(1.0, 1.0, 1.0)


class StepLine(Struct, frozen=True):
    """A line of one's own steps."""

    title: str
    fields: str
    """What follows the title: ``2d @Anna by 3 May``."""
    indent: int
    """Characters before it."""
    said: tuple[Said, ...] = ()
    """The fields, as the grammar has them."""

    def as_added(self) -> str:
        """Return the fields as a command that adds the step says them: those that are values alone come first."""
        spoken = (self._as_added(field) for field in sorted(self.said, key=lambda field: field.rule not in _VALUES))
        return " ".join(filter(None, spoken))

    def _as_added(self, field: Said) -> str:
        match field.rule:
            case "together":
                return ""
            case "needs_numbers":
                return f"needs {', '.join(word.text for need in _with_ids(field).parts for word in need.words)}"
            case _:
                said = self.fields[field.start : field.end]
                return said[said.find(field.words[0].text) :] if field.rule in ("effort", "cost") else said


def read_step_line(line: str, today: date) -> StepLine | Unread:
    """Return a line as a title and the fields after it: as much from the right as is made of complete fields.

    >>> line = read_step_line("Book the hall 2d @Anna by 3 May", date(2026, 11, 29))
    >>> line.title, line.fields
    ('Book the hall', '2d @Anna by 3 May')
    """
    if len(line) > MOST_OF_A_LINE:
        return Unread(line[:MOST_OF_A_LINE], 0, 0, f"Give a step's line at most {MOST_OF_A_LINE} characters.")
    whole = line.expandtabs(4).rstrip()
    words = whole.lstrip()
    indent = len(whole) - len(words)
    if mark := _MARK.match(words):
        words = words[mark.end() :]
    if not words:
        return Unread(line, 0, len(line), "A title is needed.")
    for word in list(_WORD.finditer(words))[1:]:
        said = fields_of(words[word.start() :], today)
        rules = [field.rule for field in said if field.rule in _ONCE]
        if said and len(set(rules)) == len(rules):  # of "soak for one week 7d", the first belongs to the title
            title = words[: word.start()].rstrip(" \t,:;–-")
            return StepLine(title or words[: word.start()].strip(), words[word.start() :], indent, said)
    return StepLine(words, "", indent)


def fields_of(text: str, today: date) -> tuple[Said, ...]:
    """Return the fields that a text is made of, from its beginning to its end; () if it is none.

    A comma may be between two of them, and "and" before a further owner.
    """
    reader = Reader(text, today, explains=False)
    said: list[Said] = []
    try:
        while reader.at < len(text):
            said += reader.tree(grammar().begin("suffix")).parts
            joint, rest = reader.skip_separator(), text[reader.at :]
            is_joint = joint.strip() in {"", ","} or (joint.split()[-1:] == ["and"] and rest.startswith("@"))
            if not is_joint and (rest or joint.strip() != "."):
                return ()
    except Misread:
        return ()
    return tuple(said)


def read_outline(text: str, plan: Plan, today: date, *, taken: Collection[str] = ()) -> Parsed | Unread:
    """Return what lines of one's own steps add to a plan, all or nothing. A step without an effort takes one day.

    ``taken``: ids that new steps do not get, of items that the plan once had.
    """
    if len(text) > MOST_CHARACTERS:
        return Unread(text[:200], 0, 0, f"Give at most {MOST_CHARACTERS:,} characters of steps at once.")
    text, outline = readable(text), _Outline(plan, today, taken)
    at = 0
    try:
        for line in text.split("\n"):
            if line.strip():
                outline.add(line, at)
            at += len(line) + 1
        return result(Reader(text, today), outline.commands, plan, outline.assumed())
    except Misread as error:
        return Unread(text, error.start, error.end, error.why, error.expected)


def _with_ids(field: Said) -> Said:
    """Return ``needs 3`` as ``needs S3``."""
    if field.rule != "needs_numbers":
        return field
    words = (Word("ITEM", f"S{word.text}", word.start, word.end) for word in field.words)
    return Said("needs", [Said("need", [word]) for word in words])


class _Outline:
    """Steps that are added to a plan, one below the other."""

    def __init__(self, plan: Plan, today: date, taken: Collection[str]) -> None:
        self.commands = Commands(plan, today, taken=taken)
        self._today = today
        self._base: int | None = None
        """Indent of the first line."""
        self._step = 0
        """How much further its parts are indented; 0 while there are none."""
        self._whole = ""
        self._last: dict[str, str] = {}
        """Id of the step before, of the whole ("") or of each step's parts."""
        self._bare: list[str] = []

    def add(self, line: str, at: int) -> None:
        """Add a line's step. Raises Misread."""
        said = read_step_line(line, self._today)
        if isinstance(said, Unread):
            raise Misread(at + said.start, at + max(said.end, 1), said.why)
        parent = self._whole if self._is_part(said.indent, at, line) else ""
        draft = self.commands.draft
        step = Step(id=draft.new_id(Step), title=said.title, parent=parent, origin=BY_PERSON)
        draft.add(step, draft.home(step), None)
        self.commands.fields.owned.clear()
        for field in map(_with_ids, said.said):
            if field.rule == "together":
                continue
            try:
                self.commands.fields.apply([step.id], field)
            except Misread as error:
                begins = at + len(line.rstrip()) - len(said.fields)
                raise Misread(begins + error.start, begins + error.end, error.why, instead=error.instead) from error
        self._order(step.id, parent, {_with_ids(field).rule for field in said.said})
        if not parent:
            self._whole = step.id

    def _is_part(self, indent: int, at: int, line: str) -> bool:
        if self._base is None:
            self._base = indent
        deeper = indent - self._base
        if deeper > 0 and self._step == 0:
            self._step = deeper
        if deeper not in (0, self._step):
            raise Misread(at, at + len(line), "A step can have parts, and these have none: indent a line once at most.")
        return deeper > 0

    def _order(self, name: str, parent: str, said: set[str]) -> None:
        """Let a step follow the one before, if it does not say otherwise."""
        draft, before = self.commands.draft, self._last.get(parent)
        self._last[parent] = name
        step, beside = draft.items[name], draft.items.get(before or "")
        if not isinstance(step, Step):
            raise TypeError(name)
        if isinstance(beside, Step) and not said & {"needs", "needs_none"}:
            needs, lags = (beside.needs, beside.lags) if "together" in said else ((beside.id,), ())
            step = replace(step, needs=needs, lags=lags)
            draft.put(step)
        if step.effort is None and step.waiting is None and step.duration is None:
            self._bare.append(name)
            draft.put(replace(step, effort=_ASSUMED))

    def assumed(self) -> tuple[str, ...]:
        """Return the steps of which nobody said how long they take; one with parts takes as long as these."""
        draft = self.commands.draft
        wholes = {item.parent for item in draft.items.values() if isinstance(item, Step)}
        for item in list(draft.items.values()):
            if isinstance(item, Step) and item.id in wholes and item.id in self._bare:
                draft.put(replace(item, effort=None))
        return tuple(name for name in self._bare if name not in wholes)


# --- a line said back -------------------------------------------------------------------------------------------------


def steps_before(titles: Sequence[str]) -> Plan:
    """Return a plan that has steps with these titles, S1 and so on, and nothing else."""
    steps = tuple(Step(id=f"S{number}", title=title) for number, title in enumerate(titles, 1))
    return Plan(title="", sections=(Section(id="steps", title="Steps", items=steps),) if steps else ())


def echo(line: str, titles: Sequence[str], today: date, own: Sequence[str] = ()) -> str | Unread:
    """Return a line as it is read behind steps with these titles.

    ``own``: the lines above it, whose steps come after those.

    >>> echo("Book the hall 2d @Anna by 3 May", (), date(2026, 11, 29))
    'S1 “Book the hall” · owner Anna · effort 2 days · deadline 2027-05-03'
    >>> echo("Print posters", (), date(2026, 11, 29), ["Book the hall"])
    'S2 “Print posters” · effort 1 day, assumed · needs S1'
    """
    parsed = read_outline("\n".join((*own, line if own else line.strip())), steps_before(titles), today)
    if isinstance(parsed, Unread) and own:  # a line above is wrong
        return echo(line, (*titles, *(one.strip() for one in own)), today)
    if isinstance(parsed, Unread):
        return parsed
    step, assumed = parsed.plan.steps[-1], ", assumed" if parsed.plan.steps[-1].id in parsed.assumed else ""
    told = (f"{field}{assumed if field.startswith('effort ') else ''}" for field in field_texts(step))
    return " · ".join((f"{step.id} “{step.title}”", *told))


def field_texts(step: Step) -> tuple[str, ...]:
    """Return what is said of a step, ``needs S5`` and so on, without the dates that follow from it."""
    said = replace(step, origin=None, start=None, end=None)
    return tuple(f"{label.lower()} {value}" for line in written(said, with_workstream=True) for label, value in line)
