"""Marks in the line of a task: ids, owner, effort, days, needs and tags, each with the words that say it.

    "T012 [P] Book the square (Anna, 2d) by 3 May, needs T001"
       id T012 · tag P · owner Anna · effort 2 days · deadline 3 May · needs T001 · title "Book the square by 3 May, …"

What only marks is cut from the title (an id, brackets in which every part is understood, ``@anna`` and ``#tag`` at the
end, fields with a sign); what is part of the sentence is copied out and stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from workbench.domain.plan.importing.headings import MONTH
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.requests import ACTION, asked
from workbench.domain.plan.importing.values import day_of, days_said, effort_of, money_of, status_of
from workbench.domain.plan.importing.work import begins_with_verb

LONGEST_LINE = 2_000
"""Characters of a line in which marks are looked for."""


@dataclass(slots=True)
class Marked:
    """A task's line, read."""

    title: str
    values: dict[str, Any] = field(default_factory=dict)
    """Fields of a step, by name."""
    ids: list[str] = field(default_factory=list)
    """What the line calls itself, as ``T012``."""
    needs: list[str] = field(default_factory=list)
    """What it says that it needs, word for word."""
    hints: list[str] = field(default_factory=list)
    """What it may need: ``after step 2``."""
    tags: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    """Parts of the line that are not in the title any more."""
    guesses: list[str] = field(default_factory=list)

    def give(self, name: str, value: Any) -> bool:
        """Set a field that is not set yet; tell whether a value was given."""
        if value in (None, "", ()):
            return False
        self.values.setdefault(name, value)
        return True


_ID = re.compile(
    r"(?:\*\*|__|`)?(?:\[(?P<bracketed>[A-Z][A-Z0-9]{0,9}-?\d{1,5}(?:\.\d{1,3})*|#?\d{1,4}(?:\.\d{1,3})*)\]|"
    r"(?P<plain>T\d{3,6}|(?:TASK|ISSUE|STORY|EPIC|BUG|WP|AP|T|M|US|FR|AI|REQ|FEAT|STEP|ACTION|"
    r"PROJ)-\d{1,5}(?:\.\d{1,3})*|#\d{1,6}|(?:[A-Z]|\d{1,3})(?:\.\d{1,3}){1,5}\.?)(?=[\s:*_`)–—-])|"
    r"(?P<marked>[A-Z]{1,9}-?\d{1,5}(?:\.\d{1,3})*)(?=(?:\*\*|__|`)?(?:[:.)]|\*\*|__|`| [·–—-] )))(?:\*\*|__|"
    r"`)?(?:[:.)]|\s*[·–—-](?=\s))?\s*"
)
_NAMED_ID = re.compile(
    r"(?P<id>(?:task|step|action|schritt|aufgabe) #?\d{1,3}(?:\.\d{1,3})*)\s*[:.)–—-]\s*", re.IGNORECASE
)
_BRACKETS = re.compile(r"\[(P|US\d{1,3}|[A-Z][A-Za-z0-9-]{0,11})\]\s+")
_TAIL = re.compile(r"\s*(?:[-–—|·,;]\s*)?(?:\((?P<round>[^()]{1,120})\)|\[(?P<square>[^\[\]()]{1,120})\])\s*[.;,]?\s*$")
_DASH = re.compile(r"\s+(?:[–—|·]|-{1,2}|//)\s+(?P<part>[^–—|·]{1,80})$")
_AT = re.compile(r"(?<![\w.@/])@(?P<name>[A-Za-zÀ-ž][\w.-]{0,38}[\w]|[A-Za-z])")
_TAG = re.compile(r"\s+#(?P<tag>[A-Za-zÀ-ž][\w/-]{0,38})\s*$")
_SIGNED = {
    "📅": "deadline", "🗓": "deadline", "🛫": "start", "⏳": "start", "✅": "finished", "🆔": "id", "⛔": "needs",
}  # fmt: skip
_SIGN = re.compile(
    r"\s*(?:(?P<sign>[📅🗓🛫⏳✅➕❌])️? ?(?P<day>\d{4}-\d\d-\d\d)"
    r"|(?P<mark>[🆔⛔]) ?(?P<ids>[\w-]{1,40}(?:, ?[\w-]{1,40})*))"
)
_DATAVIEW = re.compile(r"\s*[\[(](?P<key>[A-Za-z][\w -]{0,30}):: ?(?P<value>[^\[\]()]{0,120})[\])]")
_NEEDS = re.compile(
    r"\b(?P<cue>depends? on|dependent on|blocked by|(?<!a )needs|requires|prerequisites?:|after|once|nach|hängt ab "
    r"von|abhängig von|benötigt|braucht|setzt (?=\w+ voraus))\s+(?P<ids>(?:(?:task|step|phase|milestone|schritt|"
    r"aufgabe|issue|story)s?\s+)?#?[A-Za-z]{0,9}-?\d{1,6}(?:\.\d{1,3})*(?:(?:\s*(?:,|&|\+|/)\s*|\s+(?:and|"
    r"und)\s+)(?:and )?(?:(?:task|step|"
    r"schritt)s?\s+)?#?[A-Za-z]{0,9}-?\d{1,6}(?:\.\d{1,3})*){0,20})(?![\w/:])(?!\s*(?:days?|weeks?|months?|hours?|"
    r"minutes?|years?|people|guests|pm|am|uhr|tag|woche|monat|stunde|h|d|w|%|eur|€|times)\w*)",
    re.IGNORECASE,
)
_NEEDS_TITLE = re.compile(
    r"(?:depends on|needs|requires|blocked by|after|nach|braucht)\s*:?\s+(?P<text>\S.{2,100})", re.IGNORECASE
)
_VAGUE = re.compile(r"after|once|nach|needs|requires|braucht|benötigt", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*\*|__|~~|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
WHEN = re.compile(
    r"(?:\W|(?:by|on|from|until|mid|end of|early|late|ab|bis|am|ende|anfang)\b)*(?:"
    r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-z]{0,6}\.?,? )?"
    r"(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]?(?:\d{2,4})?|\d{1,2}:\d\d(?: ?[ap]m)?"
    r"|(?:week|day|month|phase|stage|step|sprint|woche|tag|monat|schritt)s? \d{1,3}(?: ?(?:–|-|to|bis) ?\d{1,3})?"
    rf"|(?:\d{{1,2}}(?:st|nd|rd|th|\.)?(?: ?(?:–|-|to|bis) ?\d{{1,2}}\.?)? )?{MONTH}\.?"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)"
    r"(?:,? (?:\d{1,2}:\d\d|am|pm|morning|afternoon|evening)){0,2}\*{0,2}\s*(?:[:–—|-]|\s)\s*(?=\S)",
    re.IGNORECASE,
)
"""A day, a time, or a count of weeks before a line."""
_TIME = re.compile(
    r"(?:\d{1,2}[:.]\d\d(?: ?[ap]m| ?(?:uhr|h)\b)?(?: ?(?:–|-|to|bis) ?)?){1,2}\s*(?:[:–—|-]\s*)?(?=[^\W\d])",
    re.IGNORECASE,
)
"""A time of day, or two, before a line."""
_BETWEEN = re.compile(r"\s+(?:[·|–—]|-{1,2})\s+")
_MOST_WORDS = 8
"""Words of several fields behind one sign."""
_ONE_NAME = re.compile(r"[A-ZÀ-Ž][\w.'’-]{1,20}|all")
STATE = re.compile(r"(?:TODO|NEXT|DOING|STARTED|WAITING|HOLD|DONE|CANCELL?ED)\b:? +(?=\S)")
"""A state of work before a task."""
_ENDED = re.compile(
    r"(?:\s+[✓✔✅]|\s+[–—,;|-]{1,2}\s+(?:[✓✔✅]|done|DONE|erledigt)\b)[^\w.]*(?:\w+)?[.!]?$|\s+[–—-]+\s+DONE\b.*$"
)
"""What says at the end of a task that it is done."""
_PART = re.compile(r"\s*[,;|]\s*")


def has_id(text: str) -> bool:
    """Tell whether a line begins with what it is called."""
    return _ID.match(text) is not None or _NAMED_ID.match(text) is not None


def marks_of(text: str, names: Names, today: date, *, month_first: bool = False) -> Marked:
    """Return what the line of a task says, without bullet and box."""
    text = " ".join(text.split())
    marked = Marked(text)
    if len(text) > LONGEST_LINE:
        return marked
    text = _head(text, marked, names, today)
    if re.match(r"~~.+~~", text):
        marked.give("status", "dropped")
        marked.guesses.append("what is struck through read as dropped")
    text = _signs(text, marked, today)
    text = _columns(text, marked, names, today, month_first=month_first)
    text = _tail(text, marked, names, today, month_first=month_first)
    text = _EMPHASIS.sub("", text).strip(" –—-|·;,:") if re.search(r"\w", text) else text
    if not re.search(r"\w", text):
        text, marked.cut = marked.title, []
    _copy(text, marked, names, today)
    marked.title = text
    return marked


def _head(text: str, marked: Marked, names: Names, today: date) -> str:
    if (match := STATE.match(text) or ACTION.match(text)) is not None and re.search(r"\w", text[match.end() :]):
        marked.give("status", status_of(match[0].strip(" :")) if match[0].strip(" :") != "TODO" else None)
        who = match.groupdict().get("who") or ""
        if names.is_name(who) or re.fullmatch(r"[A-ZÀ-Ž]\w+", who):
            marked.give("owner", who)
        marked.cut.append(match[0].strip())
        text = text[match.end() :]
    if (match := _TIME.match(text)) is not None:
        marked.cut.append(match[0].strip(" :–—|-"))
        text = text[match.end() :]
    match = WHEN.match(text)
    if match is not None and marked.give("deadline", day_of(match[0].strip(" *:–—|-"), today)):
        marked.cut.append(match[0])
        text = text[match.end() :]
    if (match := _ID.match(text)) is not None and re.search(r"\w", text[match.end() :]):
        name = match["bracketed"] or match["plain"] or match["marked"]
        marked.ids.append(name.rstrip("."))
        marked.cut.append(name)
        text = text[match.end() :]
        if match[0].startswith(("**", "__")) and match[0].count(match[0][:2]) == 1:
            text = match[0][:2] + text
    elif (match := _NAMED_ID.match(text.replace("**", ""))) is not None:
        marked.ids.append(match["id"])
        return text
    while marked.ids and (match := _BRACKETS.match(text)) is not None and re.search(r"\w", text[match.end() :]):
        marked.tags.append(match[1])
        marked.cut.append(match[1])
        text = text[match.end() :]
    return text


def _signs(text: str, marked: Marked, today: date) -> str:
    """Take out the fields that are written with a sign, as Obsidian has them."""

    def signed(match: re.Match[str]) -> str:
        marked.cut.append(match[0].strip())
        take(marked, _SIGNED.get(match["sign"] or match["mark"], ""), match["day"] or match["ids"], today)
        return ""

    def keyed(match: re.Match[str]) -> str:
        found = label_of(f"{match['key']}: {match['value']}")
        key = match["key"].casefold().replace(" ", "")
        name = {"dependson": "needs", "completion": "finished", "scheduled": "start", "id": "id"}.get(key)
        if not take(marked, name or (found[1] if found else ""), match["value"], today):
            return match[0]
        marked.cut.append(f"{match['key']}: {match['value']}")
        return ""

    if "::" in text:
        text = _DATAVIEW.sub(keyed, text)
    if text.isascii():
        return text
    return _SIGN.sub(signed, text)


def take(marked: Marked, name: str, value: str, today: date, *, month_first: bool = False) -> bool:
    """Give the value of a field that was named; tell whether it fits."""
    value = value.strip().strip("*_` ")
    if not value:
        return False
    match name:
        case "owner":
            return len(value) <= 100 and marked.give("owner", value.removeprefix("@"))
        case "deadline" | "finished" | "started":
            cued = re.sub(r"^(?:by|until|on|bis|am|zum)\s+", "", value, flags=re.IGNORECASE)
            return marked.give(name, day_of(cued, today, month_first=month_first))
        case "start":
            return marked.give("not_before", day_of(value, today, month_first=month_first))
        case "effort":
            return marked.give("effort", effort_of(value))
        case "status":
            return marked.give("status", status_of(value))
        case "cost":
            return marked.give("cost", money_of(value))
        case "needs":
            marked.needs += needs_of(value)
            return True
        case "id":
            marked.ids.append(value)
            return True
        case "tags":
            marked.tags += re.findall(r"[^\s,;#]+", value)
            return True
        case "outcome" | "check":
            return marked.give(name, value)
        case _:
            return False


def needs_of(text: str) -> list[str]:
    """Return what a text in a place for needs says; [] for "none"."""
    text = text.strip(" .")
    if re.fullmatch(r"(?:none|nothing|no|n/?a|-+|–|—|keine?|nil|null|tbd|\[\])?", text, re.IGNORECASE):
        return []
    return [text.strip("[]")]


def _columns(text: str, marked: Marked, names: Names, today: date, *, month_first: bool) -> str:
    """Read a line with several parts, of which one at least is a field; return the part that is the title."""
    first, *parts = (part.strip() for part in _BETWEEN.split(text.strip("|· ")) if part.strip(" *_`"))
    is_named = bool(parts) and begins_with_verb(parts[0]) and (names.is_name(first) or _ONE_NAME.fullmatch(first))
    if len(parts) == 1 and len(parts[0].split()) <= _MOST_WORDS:
        parts = _PART.split(parts[0])
    trial = Marked("", dict(marked.values))
    understood = [_part(part, trial, names, today, month_first=month_first) for part in parts[1 if is_named else 0 :]]
    if len(parts) < 2 or not any(understood):
        return text
    marked.values, marked.needs = trial.values, [*marked.needs, *trial.needs]
    marked.guesses += trial.guesses
    if is_named:
        marked.give("owner", first)
        first, parts[0] = parts[0], first
    marked.cut += parts
    return first


def _tail(text: str, marked: Marked, names: Names, today: date, *, month_first: bool) -> str:
    """Cut what stands at the end and only marks."""
    while True:
        if (match := _TAG.search(text)) is not None:
            marked.tags.insert(0, match["tag"])
            marked.cut.append(match["tag"])
            text = text[: match.start()]
            continue
        if (match := _ENDED.search(text)) is not None and match.start():
            marked.give("status", "done")
            marked.cut.append(match[0])
            text = text[: match.start()]
            continue
        match = _TAIL.search(text) or _DASH.search(text)
        if match is None or not re.search(r"\w", text[: match.start()]):
            break
        inner = next(group for group in match.groups() if group)
        parts = [inner] if _NEEDS.fullmatch(inner) else [part for part in _PART.split(inner) if part.strip()]
        trial = Marked("", dict(marked.values))
        if not parts or not all(_part(part, trial, names, today, month_first=month_first) for part in parts):
            break
        marked.values |= {name: value for name, value in trial.values.items() if name not in marked.values}
        marked.needs += trial.needs
        marked.tags += trial.tags
        marked.guesses += trial.guesses
        marked.cut.append(inner)
        text = text[: match.start()]
    mentions = list(_AT.finditer(text))
    if len(mentions) == 1 and not re.search(r"\w", text[mentions[0].end() :]) and mentions[0].start():
        marked.give("owner", mentions[0]["name"])
        marked.cut.append(mentions[0]["name"])
        text = text[: mentions[0].start()].rstrip(" ,;–—-(")
    return text


def _part(text: str, marked: Marked, names: Names, today: date, *, month_first: bool) -> bool:
    """Read one part of what stands in brackets or behind a dash at the end; tell whether it is understood."""
    text = text.strip().strip("*_`")
    if (found := label_of(text)) is not None and found[1] and found[2]:
        return take(marked, found[1], found[2], today, month_first=month_first)
    if (effort := effort_of(text)) is not None:
        return marked.give("effort", effort)
    if text.startswith("@") and _AT.fullmatch(text):
        return marked.give("owner", text[1:])
    said = list(days_said(text, today, whole=True))
    for each in said:
        _give_day(marked, *each)
    if said:
        return True
    if re.search(r"\d", text) and (day := day_of(text, today, month_first=month_first)) is not None:
        marked.guesses.append("a day in brackets read as a deadline")
        return marked.give("deadline", day)
    if (match := _NEEDS.fullmatch(text)) is not None:
        marked.needs += _refs(match)
        return True
    if (money := money_of(text)) is not None:
        return marked.give("cost", money)
    if (ended := re.match(r"(?:done|erledigt|shipped|sent)\b", text, re.IGNORECASE)) is not None:
        marked.give("finished", day_of(text[ended.end() :], today, month_first=month_first))
        return marked.give("status", "done")
    if names.is_name(text):
        marked.guesses.append("a name in brackets, or behind a dash, read as owner")
        return marked.give("owner", text)
    return False


def _copy(text: str, marked: Marked, names: Names, today: date) -> None:
    """Copy out what the sentence itself says."""
    for said in days_said(text, today):
        _give_day(marked, *said)
    for match in _NEEDS.finditer(text):
        (marked.hints if _VAGUE.fullmatch(match["cue"]) else marked.needs).extend(_refs(match))
    if not marked.needs and (title := _NEEDS_TITLE.search(text)) is not None:
        marked.hints.append(title["text"].strip(" .)"))
    if (mention := _AT.search(text)) is not None:
        marked.give("owner", mention["name"])
    if "owner" not in marked.values and marked.give("owner", asked(text, names)):
        marked.guesses.append("a name at the beginning of a line read as owner")
    for inner in re.findall(r"\(([^()]{1,80})\)", text):
        for part in _PART.split(inner):
            marked.give("effort", effort_of(part))
            if names.is_name(part):
                marked.give("owner", part)
    for part in _PART.split(text)[1:]:
        marked.give("effort", effort_of(part))


def _give_day(marked: Marked, name: str, day: str, doubt: str) -> None:
    """Set the day that a text gives a step, and note what is doubtful about it."""
    marked.give(name, day)
    if doubt:
        marked.guesses.append(doubt)


def _refs(match: re.Match[str]) -> list[str]:
    parts = re.split(r"\s*(?:,|&|\+|/|\band\b|\bund\b)\s*", match["ids"])
    return [part.strip() for part in parts if part.strip()]
