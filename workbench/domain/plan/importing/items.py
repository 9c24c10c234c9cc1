"""Entries, rows and lines below headings such as "Risks" or "Team" as items of those sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from workbench.domain.plan.importing.assembly import Assembly, SectionDraft
from workbench.domain.plan.importing.document import Entry, Line, Table, lines_of
from workbench.domain.plan.importing.headings import topic_of
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.outline import Head
from workbench.domain.plan.importing.values import day_of, days_said, money_in
from workbench.domain.plan.importing.words import bare, words
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Item, Level, Person, Question, Risk
from workbench.domain.values.reader import read_values as read_facts

TITLES: dict[str, str] = {
    "goal": "Goal",
    "criteria": "Success criteria",
    "constraints": "Constraints",
    "scope": "Scope",
    "wont": "Out of scope",
    "deliverables": "Deliverables",
    "assumptions": "Assumptions",
    "people": "People",
    "budget": "Budget",
    "milestones": "Milestones",
    "risks": "Risks",
    "decisions": "Decisions",
    "questions": "Open questions",
}
"""Sections that a heading can name, and what they are called where it does not."""
KINDS: dict[str, type[Item]] = {
    "criteria": Criterion,
    "constraints": Constraint,
    "risks": Risk,
    "decisions": Decision,
    "questions": Question,
    "people": Person,
}
_LEVELS: dict[str, Level] = {
    "low": "low", "l": "low", "niedrig": "low", "gering": "low", "minor": "low",
    "medium": "medium", "med": "medium", "m": "medium", "mittel": "medium", "moderate": "medium",
    "high": "high", "h": "high", "hoch": "high", "severe": "high", "critical": "high", "major": "high",
}  # fmt: skip
_CELLS: dict[str, dict[str, str]] = {
    "risks": {
        "likelihood": "likelihood|probability|wahrscheinlichkeit|chance|^p$",
        "impact": "impact|severity|auswirkung|schaden|^i$",
        "response": "mitigation|response|answer|what we do|plan|antwort|maßnahme|contingency|action",
        "sign": "sign|trigger|indicator|anzeichen",
    },
    "decisions": {"reason": "reason|rationale|why|begründung|grund|answer|antwort|outcome"},
    "questions": {"owner": "owner|who|wer|verantwortlich", "assumption": "assumption|annahme"},
}
"""Fields of items in tables, and the heads of their columns."""
_RESPONSE = re.compile(r"\s*(?:→|->|=>|⇒|\bmitigation:|\bresponse:|\bgegenmaßnahme:|\bmaßnahme:)\s*", re.IGNORECASE)
_PERSON = re.compile(r"(?P<name>[^:–—(|]{2,60}?)\s*(?:[:–—|]|\s-\s|\((?=[^()]*\)\s*$))\s*(?P<role>.{2,200}?)\)?")
_MONEY_LIMIT = re.compile(
    r"\b(?:at most|up to|max|maximum|limit|cap|budget|not more than|no more than|höchstens|maximal|bis zu)\b",
    re.IGNORECASE,
)
_LOOKED_AT = 1_000
"""Characters of an item in which dates and amounts are looked for."""
_OF_A_LINE = frozenset({"goal", "risks", "questions", "decisions", "assumptions", "constraints", "wont", "criteria"})
"""Sections whose item a single line of text can be, by its label."""


_ASIDE = {
    "questions": r"\?+|Q:|(?:open )?questions?:|needs clarification:|(?:open|unclear|frage|offen):"
    r"|[^:.?!]{0,30}\b(?:(?:do not|don'?t) know(?: yet)?|not sure(?: yet)?):"
    r"|(?=[^:.?!]{0,20}\b(?:do not|don'?t) know (?:yet )?(?:who|what|when|where|whether|if|how|which)\b)"
    r"|[^:.?!]{0,30}\b(?:have|need) to (?:decide|clarify|find out)(?::| is(?= whether| how| who| what| if))",
    "decisions": r"(?:decisions?|decided|beschluss|entscheidung)\s?:|(?=(?:it was|we(?: have)?) (?:agreed|decided)\b)",
    "risks": r"!+(?=\s)|(?:risks?|risiko|worry|fear|danger)\s?:"
    r"|[^:.?!]{0,30}\b(?:afraid|worr[yi]\w*|nervous|scare\w*)\b[^:.?!]{0,40}:"
    r"|(?=(?:(?:and|but) )?I(?: am|'m) [^:.?!]{0,12}(?:afraid|worried|scared|nervous) (?:that|about|of)\b)"
    r"(?:and |but )?",
}
_ASIDES = tuple(
    (role, re.compile(rf"(?P<lead>{lead})\s*(?P<what>\S.*)", re.IGNORECASE)) for role, lead in _ASIDE.items()
)
"""What a sentence begins with that says a question or a risk, wherever it stands."""
_SIGNED_OFF = re.compile(r"\s*(?P<who>--\s?\[\[User:.*)$")
"""Who wrote a line, and when, as wikis have it."""


def aside_of(text: str, before: str = "") -> tuple[str, str, str]:
    """Return which section a sentence belongs to that says a question or a risk, what leads to it, and the rest."""
    for role, pattern in _ASIDES:
        if (match := pattern.fullmatch(text)) is not None and re.search(r"\w", match["what"]):
            return role, match["lead"], match["what"]
    label = re.match(r"(?P<lead>[^:.?!]{3,40}:)\s+(?P<what>\S.*)", text)
    if label is not None and (role := topic_of(label["lead"]).section) in ("questions", "risks"):
        return role, label["lead"], label["what"]
    is_more = before == "risks" or (before == "questions" and text.endswith("?"))
    return (before, "", text) if is_more else ("", "", text)


class ItemReader:
    """Makes items of entries, rows and lines."""

    def __init__(self, assembly: Assembly, names: Names, today: date) -> None:
        self._assembly = assembly
        self._names = names
        self._today = today

    def from_entry(self, entry: Entry, role: str, section: SectionDraft) -> None:
        """Add the item of an entry, with what stands below it as further lines of its text."""
        below = [
            line.text or self._assembly.lines[line.number].strip() for one in entry.blocks for line in lines_of(one)
        ]
        text = "\n".join(line for line in (entry.whole, *below) if line.strip())
        if not re.search(r"\w", text):
            self._assembly.prose(section, entry.line, entry.line + 1)
            return
        if (signed := _SIGNED_OFF.search(text)) is not None:
            self._assembly.text(section, signed["who"], [])
            text = text[: signed.start()]
        if entry.box is not None and entry.box in "xX":
            text = f"[x] {text}"
        kind, values = self._values(re.sub(r"^[?!]+\s+", "", text), role)
        item = self._assembly.item(section, kind, entry.line, **values)
        if item is None:
            return
        for line in lines_of(entry):
            self._assembly.fate(line.number, "field", item)

    def _values(self, text: str, role: str) -> tuple[type[Item], dict[str, Any]]:
        """Return the kind of an item and its fields."""
        match role:
            case "risks":
                parts = _RESPONSE.split(text, maxsplit=1)
                if len(parts) == 2 and all(re.search(r"\w", part) for part in parts):
                    label = _RESPONSE.search(text)
                    keep = label is not None and re.search(r"\w", label[0]) is not None
                    return Risk, {
                        "text": parts[0].rstrip(" *_(—–-;,"),
                        "response": text[label.start() :].strip() if keep and label else parts[1],
                    }
                return Risk, {"text": text}
            case "people":
                match_ = _PERSON.fullmatch(text)
                if match_ is not None and len(words(match_["name"])) <= 4:
                    self._names.add(match_["name"].strip(" *_@"))
                    return Person, {"text": match_["name"].strip(" *_"), "role": match_["role"].strip(" *_")}
                if len(words(text)) <= 4 and "\n" not in text:
                    self._names.add(text)
                    return Person, {"text": text.strip(" *_")}
                return Bullet, {"text": text}
            case "constraints" | "budget":
                return self._constraint(text, role)
            case "criteria":
                due = (day for name, day, _ in days_said(text[:_LOOKED_AT], self._today) if name == "deadline")
                return Criterion, {"text": text, "due": next(due, None)}
            case "wont":
                return Bullet, {"text": text, "priority": "won't"}
            case "decisions" | "questions":
                return KINDS[role], {"text": text}
            case _:
                return Bullet, {"text": text}

    def _constraint(self, text: str, role: str) -> tuple[type[Item], dict[str, Any]]:
        money = [one for fact in read_facts(text[:_LOOKED_AT], self._today) if (one := money_in(fact)) is not None]
        if len(money) == 1 and (role == "constraints" or _MONEY_LIMIT.search(text)):
            return Constraint, {"text": text, "limits": "amount", "amount": money[0]}
        if role == "budget":
            return Bullet, {"text": text}
        label = label_of(text)
        day = day_of(label[2].strip(" *."), self._today) if label is not None else None
        day = day or next((one for _, one, _ in days_said(text[:_LOOKED_AT], self._today)), None)
        return (Constraint, {"text": text, "limits": "date", "day": day}) if day else (Constraint, {"text": text})

    def from_label(self, line: Line, head: Head) -> bool:
        """Add the item that a line such as "Deadline: 30 June" is; False for another line."""
        label = label_of(line.text)
        if label is None or not label[2] or head.subject.kind == "section":
            return False
        role = "constraints" if label[1] in ("deadline", "cost") else topic_of(label[0]).section
        if role in ("questions", "risks") or role not in _OF_A_LINE:
            return False
        if role == "goal" and (head.subject.is_work or len(head.trail) > 1):
            return False
        if role == "goal":
            self._assembly.prose(self._assembly.section("goal", TITLES["goal"]), line.number, line.number + 1)
            return True
        section = self._assembly.section("scope" if role == "wont" else role, TITLES[role])
        kind, values = self._values(line.text, role)
        self._assembly.item(section, kind, line.number, **values)
        return True

    def aside(self, text: str, lines: Sequence[int], before: str = "") -> str:
        """Add the question or the risk that a sentence says, and return which it is; "" for another sentence.

        ``before`` is what the sentence before it said: questions and risks are often listed behind one label.
        """
        role, lead, what = aside_of(text, before)
        if not role:
            return ""
        section = self._assembly.section(role, TITLES[role])
        if re.search(r"\w", lead):
            self._assembly.text(section, lead, [])
        kind, values = self._values(what, role)
        self._assembly.item(section, kind, lines[0], **values)
        for line in lines[1:]:
            self._assembly.fate(line, "item")
        return role

    def from_table(self, table: Table, role: str, section: SectionDraft) -> bool:
        """Add the items of the rows of a table; False where no column holds their texts."""
        names = [bare(head) for head in table.head.cells]
        pattern = {
            "risks": "risk(?! (?:id|level|no)$)|risiko|threat|gefahr|go wrong|what if|^what$",
            "questions": "question|frage|issue|topic",
            "decisions": "decision|entscheidung|question|frage",
        }[role]
        place = next((at for at, name in enumerate(names) if re.search(pattern, name)), None)
        if place is None:
            return False
        self._assembly.name_columns(section, table.head.line, table.head.cells)
        for row in table.rows:
            cells = [*row.cells, *[""] * (len(names) - len(row.cells))]
            text = cells[place]
            if not re.search(r"\w", text):
                self._assembly.prose(section, row.line, row.line + 1)
                continue
            values: dict[str, Any] = {"text": text}
            rest: list[str] = []
            for at, (name, cell) in enumerate(zip(names, cells, strict=False)):
                if at != place and re.search(r"\w", cell) and not _cell(values, role, name, cell):
                    rest.append(f"{table.head.cells[at]}: {cell}")
            values["response" if "response" in values else "text"] += "".join(f"\n{one}" for one in rest)
            self._assembly.item(section, KINDS[role], row.line, **values)
        return True

    @staticmethod
    def is_field(entry: Entry) -> bool:
        """Tell whether an entry in a list of steps only says something about them: ``Duration: 2 weeks``."""
        label = label_of(entry.whole)
        if label is None:
            return False
        if label[1] and label[2]:
            return True
        topic = topic_of(label[0])
        return topic.kind in ("section", "context") and len(words(label[0])) <= 3


def _cell(values: dict[str, Any], role: str, name: str, cell: str) -> bool:
    """Read a cell beside the text of an item; tell whether a field says all of it."""
    level = _LEVELS.get(bare(cell))
    for field, pattern in _CELLS[role].items():
        if field in values or not re.search(pattern, name):
            continue
        if field in ("likelihood", "impact"):
            if level is not None:
                values[field] = level
            return bare(cell) == level
        values[field] = cell
        return True
    return False
