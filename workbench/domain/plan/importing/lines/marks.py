"""Marks in the line of a task: id, owner, effort, days, needs and tags, each with the words that say it.

    "T012 [P] Book the square (Anna, 2d, needs T001) @tom 📅 2027-05-03"
       id T012 · tag P · owner Anna · effort 2 days · needs T001 · deadline 3 May · title "Book the square"

A mark is a sign (``@name``, ``#tag``, ``📅``), a key (``due:``, ``[due:: …]``), or a typed value in brackets or behind
a dash at the end. Only marks are cut from a title; a day among its words stays there, and that is told. What looks like
a value and is none is noted with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct

from workbench.domain.loop.limits import MOST_OWNERS
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.lines.labels import label_of
from workbench.domain.plan.importing.lines.values import (
    Span,
    day_of,
    effort_of,
    guess_of_year,
    has_day,
    money_of,
    priority_of,
    progress_of,
    rule_in,
    span_of,
    status_of,
    take_progress,
    without_weekday,
)
from workbench.domain.plan.importing.words import bare
from workbench.domain.plan.markdown.values import read_from_to
from workbench.domain.plan.scheduling.recurrence import rule_of
from workbench.domain.text.patterns import lazy_pattern

LONGEST_LINE = 2_000
"""Characters of a line in which marks are looked for."""
_ID = lazy_pattern(
    r"(?:\*\*|__|`)?(?:\[(?P<bracketed>[A-Z][A-Z0-9]{0,9}-?\d{1,5}(?:\.\d{1,3})*|#?\d{1,4}(?:\.\d{1,3})*)\]|"
    r"(?P<plain>T\d[\dX]{2,5}|[A-Z]{2,9}-\d{1,6}(?:\.\d{1,3})*|#\d{1,6}|(?:[A-Z]|\d{1,3})(?:\.\d{1,3}){1,5}\.?)"
    r"(?=[\s:*_`)–—-])|"
    r"(?P<marked>[A-Z]{1,9}-?\d{1,5}(?:\.\d{1,3})*)(?=(?:\*\*|__|`)?(?:[:.)]|\*\*|__|`| [·–—-] )))(?:\*\*|__|"
    r"`)?(?:[:.)]|\s*[·–—-](?=\s))?\s*"
)
_TAGS = lazy_pattern(r"\[(P|US\d{1,3}|[A-Z][A-Za-z0-9-]{0,11})\]\s+")
"""Behind an id, as spec-kit has them."""
_SIGNED = {
    "📅": "deadline", "🗓": "deadline", "🛫": "start", "⏳": "start", "✅": "finished",
    "❌": "cancelled", "➕": "created", "🆔": "id", "⛔": "needs",
}  # fmt: skip
_OTHER_DAYS = ("cancelled", "created")
_SIGN = lazy_pattern(
    r"(?:(?P<sign>[📅🗓🛫⏳✅➕❌])️? ?(?P<day>\d{4}-\d\d-\d\d)"
    r"|(?P<mark>[🆔⛔]) ?(?P<ids>[\w-]{1,40}(?:, ?[\w-]{1,40})*)"
    r"|(?P<priority>[🔺⏫🔼🔽⏬])️?"
    r"|🔁 ?(?P<again>[^📅🗓🛫⏳✅➕❌🆔⛔🔺⏫🔼🔽⏬#\[(]{1,60}))"
)
_DATAVIEW = lazy_pattern(r"[\[(](?P<key>[A-Za-z][\w -]{0,30}):: ?(?P<value>[^\[\]()]{0,120})[\])]")
_KEYED = lazy_pattern(
    r"(?<!\S)`?(?P<key>id|dep|depends|due|owner|assignee|est|estimate|effort|t|start|rec|pri|prio|priority|status|"
    r"wait|scheduled|needs):(?P<value>[^\s:/][^\s`]*)`?"
)
"""Fields of one word each, as todo.txt and Taskwarrior have them."""
_KEYS = {
    "done": "finished", "completion": "finished", "t": "start", "wait": "start", "defer": "start", "dep": "needs",
    "pri": "priority", "rec": "repeat",
}  # fmt: skip
"""Those that are no labels."""
_AT = lazy_pattern(r"(?<![\w.@/])@(?P<name>[A-Za-zÀ-ž](?:[\w.-]{0,38}\w)?)")
_LEADING_AT = lazy_pattern(r"(?P<names>@[\w.-]+(?:\s*[+&,]\s*@[\w.-]+)*)(?:\s*:|\s+[–—-]{1,2})\s+(?=\S)")
_TAG = lazy_pattern(r" #(?P<tag>@?[^\W\d_][\w/-]{0,38})$")
_BLOCK = lazy_pattern(r" \^(?P<id>[\w-]{1,40})$")
_STRUCK = lazy_pattern(r"~~(?P<what>.+?)~~\W*")
_BRACKET = lazy_pattern(r"(?:\((?P<round>[^()]{1,160})\)|\[(?P<square>[^\[\]()]{1,160})\])(?!\()")
_DASH = lazy_pattern(r" (?:[–—|·]|-{1,2}|→|->) ")
_PART = lazy_pattern(r"[,;] ")
_NEED = lazy_pattern(
    r"(?:depends on|dependent on|blocked by|needs|requires|after|nach|benötigt|braucht|abhängig von|hängt ab von)"
    r"\s*:?\s+(?P<names>\S.*)",
    re.IGNORECASE,
)
_ID_ALONE = lazy_pattern(
    r"(?:(?:and|und|&) )?#?[A-Za-z]{0,9}-?\d{1,6}(?:\.\d{1,3})*(?: (?:and|und|&) #?[A-Za-z]{0,9}-?\d{1,6})*"
)
_NEEDS_AT_END = lazy_pattern(
    r" (?:depends on|blocked by|needs|requires):? (?P<names>[#\w.,-][#\w., -]{0,200})$", re.IGNORECASE
)
_CUE = lazy_pattern(
    r"(?P<cue>by|due(?: date| on| by)?|until|before|deadline|on|from|starting|starts?|bis|am|ab|zum|spätestens)"
    r"[:\s]\s*",
    re.IGNORECASE,
)
_STARTS = frozenset({"from", "starting", "start", "starts", "ab"})
_ON = frozenset({"on", "am"})
_NAME = lazy_pattern(
    r"(?:[A-ZÀ-Ž][\w.’'-]*|all|alle)(?: (?:and |und |& )?[A-ZÀ-Ž][\w.’'-]*){0,2}(?: ?[+&/] ?[A-ZÀ-Ž][\w.’'-]*)*"
)
_LIKE_A_DAY = lazy_pattern(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}")
_OPEN_BRACKET = lazy_pattern(r"[(\[][^()\[\]]*$")
_EMPHASIS = lazy_pattern(r"\*\*|__")
_BETWEEN_NAMES = lazy_pattern(r"[;,+&\n]|<br ?/?>|[()\[\]]")
_NOBODY = lazy_pattern(r"\W*|tbd|tba|none|n/?a|nobody|open|offen|unassigned|nicht zugewiesen", re.IGNORECASE)
_NO_NEED = lazy_pattern(r"(?:none|nothing|no|n/?a|-+|–|—|keine?|nil|null|tbd|\[\])?", re.IGNORECASE)


def has_id(text: str) -> bool:
    """Tell whether a line begins with what it is called."""
    return _ID.match(text) is not None


def draft_of(line: int, text: str, today: date, *, month_first: bool = False) -> StepDraft:
    """Return the step that the line of a task says, without bullet and box."""
    text = " ".join(text.split())
    if len(text) > LONGEST_LINE:
        return StepDraft(line, text)
    return _Line(StepDraft(line, text), today, month_first).read(text)


def take(draft: StepDraft, name: str, value: str, today: date, *, month_first: bool = False) -> bool:
    """Give the value of a field that was named; tell whether it fits."""
    value = value.strip("*_ \t\n" if name in ("check", "outcome") else "*_` \t\n")
    if not value:
        return False
    match name:
        case "owner":
            return _take_owner(draft, value)
        case "deadline" | "end" | "finished" | "started" | "start" | "on":
            return _take_day(draft, name, _CUE.sub("", value, count=1), today, month_first=month_first)
        case "status" | "share":
            share = progress_of(value) if name == "share" or "%" in value else None
            if share is not None:
                take_progress(draft.values, share)
            return share is not None or draft.give("status", status_of(value))
        case "repeat":
            return _take_rule(draft, value, today)
        case "needs":
            draft.need(needs_of(value))
        case "id":
            draft.ids.append(value)
        case "tags":
            draft.tags += re.findall(r"[^\s,;#]+", value)
        case _ if name in _READERS:
            field, read = _READERS[name]
            return draft.give(field, read(value))
        case _:
            return False
    return True


_READERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "effort": ("effort", effort_of), "cost": ("cost", money_of), "clock": ("hours", read_from_to),
    "priority": ("priority", priority_of), "outcome": ("outcome", str), "check": ("check", str),
}  # fmt: skip
"""Fields of one value each, and how it is read."""


def _take_owner(draft: StepDraft, value: str) -> bool:
    if len(value) > LONGEST_LINE or _NOBODY.fullmatch(value):
        return False
    known = (draft.values.get("owner"), *draft.values.get("also", ()))
    owner, *also = dict.fromkeys(filter(None, (*known, *owners_of(value))))
    if len(also) >= MOST_OWNERS or any(len(name) > 100 for name in (owner, *also)):
        return False
    draft.values |= {"owner": owner} | ({"also": tuple(also)} if also else {})
    return True


def _take_day(draft: StepDraft, name: str, value: str, today: date, *, month_first: bool) -> bool:
    span = span_of(value, today, month_first=month_first)
    if span is None:
        return False
    draft.guesses += guess_of_year(value, today)
    if name == "finished":
        draft.values.setdefault("status", "done")
    field = {"start": "not_before", "end": "deadline"}.get(name, name)
    return draft.give(field, span.first if name in ("start", "started") else span.last)


def _take_rule(draft: StepDraft, value: str, today: date) -> bool:
    """Read "every week on Monday", or "1w" as todo.txt has it."""
    short = re.fullmatch(r"\+?(\d{1,3})([dwmy])", value)
    units = {"d": "DAILY", "w": "WEEKLY", "m": "MONTHLY", "y": "YEARLY"}
    first = draft.values.get("deadline") or draft.values.get("not_before") or today.isoformat()
    if "FREQ=" in value:
        return draft.give("repeat", rule_of(value.removeprefix("RRULE:"), first))
    if short is not None:
        return draft.give("repeat", rule_of(f"FREQ={units[short[2]]};INTERVAL={short[1]}", first))
    return draft.give("repeat", rule_in(value, date.fromisoformat(first)))


def needs_of(text: str) -> list[str]:
    """Return what a text in a place for needs says; [] for "none"."""
    text = text.strip(" .")
    return [] if _NO_NEED.fullmatch(text) else [text.strip("[]")]


def split_outside_brackets(separator: re.Pattern[str], text: str) -> list[str]:
    """Split a text at what a pattern matches, but not within brackets; the pattern matches brackets, too."""
    between: list[re.Match[str]] = []
    since_bracket: list[re.Match[str]] = []
    for found in separator.finditer(text):
        if found[0] in "([":
            between += since_bracket
        elif found[0] not in ")]":
            since_bracket.append(found)
            continue
        since_bracket = []  # what is before a closing bracket is within it
    between += since_bracket
    begins, ends = [0, *(one.end() for one in between)], [*(one.start() for one in between), len(text)]
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def owners_of(text: str) -> list[str]:
    """Return the people of a text, parted by commas, semicolons, plus signs or ampersands outside brackets."""
    names = (name.strip().removeprefix("@") for name in split_outside_brackets(_BETWEEN_NAMES, text))
    return list(dict.fromkeys(filter(None, names))) or [text]


class _Value(NamedTuple):
    """A part of a line that is a value."""

    kind: str
    put: Callable[[], object]
    """Gives it to the step."""


class _Line(Struct):
    """Reads one line."""

    draft: StepDraft
    today: date
    month_first: bool

    def read(self, text: str) -> StepDraft:
        """Return the step with its marks, and its title without them."""
        draft = self.draft
        text = self._head(text)
        if (struck := _STRUCK.fullmatch(text)) is not None:
            draft.give("status", "dropped")
            draft.guesses.append("what is struck through read as dropped")
            text = struck["what"]
        text = self._signs(text)
        text = self._cut_leading_owner(self._tail(text))
        plain = " ".join(_EMPHASIS.sub("", text).split())
        if bare(plain) != bare(text):
            draft.read.append(text)  # a part of a word was marked
        text = plain
        if not re.search(r"\w", text):
            text, draft.read = draft.title, []
        draft.title = text
        plain = text.removesuffix(f"({draft.maybe_owner})")
        if not draft.give("repeat", rule_in(plain, self.today, is_title=True)) and has_day(text, self.today):
            draft.guesses.append("a day among the words of a title stays there, and is no date of its step")
        return draft

    def _head(self, text: str) -> str:
        """Cut the id, and the tags in brackets after it."""
        match = _ID.match(text)
        if match is None or not re.search(r"\w", text[match.end() :]):
            return text
        name = match["bracketed"] or match["plain"] or match["marked"]
        self.draft.ids.append(name.rstrip("."))
        self.draft.read.append(name.rstrip("."))
        is_sure = match["bracketed"] or (match["plain"] and match["plain"][0] in "#T")
        self.draft.mark = "" if is_sure or _TAGS.match(text, match.end()) else _EMPHASIS.sub("", match[0])
        text = text[match.end() :]
        if match[0].startswith(("**", "__")) and match[0].count(match[0][:2]) == 1:
            text = match[0][:2] + text
        while (tag := _TAGS.match(text)) is not None and re.search(r"\w", text[tag.end() :]):
            self.draft.tags.append(tag[1])
            self.draft.read.append(tag[1])
            text = text[tag.end() :]
        return text

    def _signs(self, text: str) -> str:
        """Take out the fields that are written with a sign or a key, wherever they stand."""
        rules: list[str] = []

        def signed(match: re.Match[str]) -> str:
            self.draft.read.append(match[0].strip())
            if match["again"]:
                rules.append(match["again"].strip())
            elif match["priority"]:
                self._take("priority", match["priority"])
            elif (name := _SIGNED.get(match["sign"] or match["mark"], "")) in _OTHER_DAYS:
                self.draft.values.setdefault("other", {})[name] = match["day"]
                self.draft.give("status", "dropped" if name == "cancelled" else None)
            elif name and not self._take(name, match["day"] or match["ids"]):
                self.draft.misfit(match[0].strip(), "it is no day")
            return ""

        def keyed(match: re.Match[str]) -> str:
            key = match["key"].casefold()
            found = label_of(f"{match['key']}: x")
            name = _KEYS.get(key) or (found[1] if found else "") or key
            self.draft.read.append(f"{match['key']}: {match['value']}")
            if name == "repeat":
                rules.append(match["value"])
            elif not self._take(name, match["value"]) or (name == "priority" and len(match["value"]) == 1):
                if name in ("deadline", "start", "finished", "effort", "cost"):
                    self.draft.misfit(match[0].strip(), f"it is no value for {key}")
                elif match["value"]:
                    other = name if name == "priority" else match["key"]
                    self.draft.values.setdefault("other", {})[other] = match["value"].strip()
            return ""

        if "::" in text:
            text = _DATAVIEW.sub(keyed, text)
        text = _KEYED.sub(keyed, text)
        if not text.isascii():
            text = _SIGN.sub(signed, text)
        for rule in rules:
            if not self._take("repeat", rule):
                self.draft.misfit(rule, "it is no rule of days that come again")
        return " ".join(text.split())

    def _take(self, name: str, value: str) -> bool:
        return take(self.draft, name, value, self.today, month_first=self.month_first)

    # --- the end of a line --------------------------------------------------------------------------------------------

    def _tail(self, text: str) -> str:
        """Cut what is at the end and is a mark."""
        for _ in range(12):
            cuts = (self._mention, self._bracket, self._cut_dashed_values, self._needs, self._keyed_part)
            shorter = next((shorter for cut in cuts if (shorter := cut(text))), "")
            if not shorter or not re.search(r"[^\W\d_]{2}", shorter):
                return text
            text = shorter.rstrip()
        return text

    def _mention(self, text: str) -> str:
        """Return a text without a tag, a block id or ``@name`` at its end; "" if none is there."""
        if (tag := _TAG.search(text)) is not None:
            self.draft.tags.insert(0, tag["tag"])
            self.draft.read.append(tag["tag"])
            return text[: tag.start()]
        if (block := _BLOCK.search(text)) is not None:
            self.draft.tags.append(f"^{block['id']}")
            self.draft.read.append(block["id"])
            return text[: block.start()]
        at = _last(_AT.finditer(text))
        if at is None or not at.start() or re.search(r"\w", text[at.end() :]):
            return ""
        if _OPEN_BRACKET.search(text[: at.start()]):
            return ""
        self.draft.values["also"] = (self.draft.values["owner"],) if "owner" in self.draft.values else ()
        self.draft.values["owner"] = at["name"]
        self.draft.read.append(at["name"])
        return text[: at.start()].rstrip(" ,;–—-(+&")

    def _bracket(self, text: str) -> str:
        """Return a text without typed values in brackets; "" if it has none."""
        found = _last(_BRACKET.finditer(text))
        if found is None or not found.start():
            return ""
        inner, behind = (found["round"] or found["square"]).strip(), text[found.end() :]
        if behind.startswith(",") and self._are_values(behind.strip(" ,.").split(", ")):
            self.draft.read.append(behind.strip(" ,."))
            return text[: found.end()]
        is_last = not re.search(r"\w", behind)
        is_text = not is_last and not _PART.search(inner)  # "Pay the second part (80%) a week before"
        if is_text or not self._values(inner):
            if is_last and _NAME.fullmatch(inner) and not self.draft.maybe_owner:
                self.draft.maybe_owner = inner
            return ""
        self.draft.read.append(inner)
        return f"{text[: found.start()]}{'' if is_last else behind}"

    def _cut_dashed_values(self, text: str) -> str:
        """Return a text without the part after its last dash, where that holds values; "" for another."""
        breaks = list(_DASH.finditer(text))
        if not breaks or not self._values(text[breaks[-1].end() :].strip(" .")):
            return ""
        self.draft.read.append(text[breaks[-1].end() :])
        return text[: breaks[-1].start()]

    def _needs(self, text: str) -> str:
        match = _NEEDS_AT_END.search(text)
        if match is None or not all(map(_ID_ALONE.fullmatch, match["names"].split(", "))):
            return ""
        self.draft.need([match["names"]])
        self.draft.read.append(text[match.start() :])
        return text[: match.start()].rstrip(" ,;–—-")

    def _keyed_part(self, text: str) -> str:
        """Return a text without what is after its last comma and says what it is: ", due 15 March"."""
        before, comma, part = text.rpartition(", ")
        part = part.strip(" .!")
        cue = _CUE.match(part)
        is_said = cue is not None and cue["cue"].casefold().startswith(("due", "deadline"))
        if (
            not comma
            or not (is_said or ((value := self._value(part)) and value.kind == "label"))
            or not self._are_values([part])
        ):
            return ""
        self.draft.read.append(part)
        return before

    def _values(self, text: str) -> bool:
        """Read parts as values; one beside them may be who does it. Return whether nothing else is among them."""
        parts = _with_needs_whole([part.strip() for part in _PART.split(text) if part.strip()])
        values = [self._value(part) for part in parts]
        others = [part for part, value in zip(parts, values, strict=True) if value is None]
        if len(parts) > 1 and not others and all(value and value.kind == "owner" for value in values):
            return False  # places, as (@Home, @Work)
        is_named = bool(others) and others[0] == parts[0] and _NAME.fullmatch(others[0]) is not None
        if len(others) == len(parts) or (others and not is_named):
            return False
        if len(parts) == 1 and values[0] and values[0].kind == "period":
            return False  # what it is about, as "(March 2027)"
        if others:
            self._take("owner", others[0])
            self.draft.guesses.append("a name beside values in brackets, or behind a dash, read as owner")
        for value in filter(None, values):
            value.put()
        return len(others) < 2

    def _are_values(self, parts: Sequence[str]) -> bool:
        """Read parts that are values, all of them; tell whether they are."""
        values = [self._value(part) for part in parts]
        if all(values):
            for value in filter(None, values):
                value.put()
        return all(values)

    def _value(self, part: str) -> _Value | None:
        """Return the value that a part is; None if it is none."""
        draft, label = self.draft, label_of(part)
        if part.startswith("@") and _AT.fullmatch(part):
            return _Value("owner", lambda: self._take("owner", part))
        if (need := _NEED.fullmatch(part)) is not None:
            return _Value("needs", lambda: draft.need([need["names"]]))
        if label is not None and label[1] and label[2]:
            return _Value("label", partial(self._labelled, part, *label))
        for name, value in (("effort", effort_of(part)), ("cost", money_of(part))):
            if value is not None:
                return _Value(name, partial(draft.give, name, value))
        cue = _CUE.match(part)
        text = part[cue.end() :] if cue else part
        is_count = cue is None and re.fullmatch(r"\d+/\d+", text) is not None
        is_like_a_day = re.search(r"\d|day|tag|woche", text, re.IGNORECASE) is not None and not is_count
        if is_like_a_day and (span := span_of(text, self.today, month_first=self.month_first)) is not None:
            kind = "period" if cue is None and span.first != span.last else "day"
            return _Value(kind, lambda: self._day(part, cue["cue"].casefold().split()[0] if cue else "", span))
        is_contradicted = is_like_a_day and span_of(without_weekday(text), self.today, month_first=self.month_first)
        if _LIKE_A_DAY.fullmatch(text) or is_contradicted:
            return _Value("misfit", lambda: draft.misfit(part, "there is no such day"))
        if part.endswith("%") and progress_of(part) is not None:
            return _Value("share", lambda: self._take("share", part))
        is_state = len(part) > 2 and status_of(part) in ("done", "under-way", "waiting", "dropped")
        return _Value("status", lambda: self._take("status", part)) if is_state else None

    def _labelled(self, part: str, label: str, name: str, value: str) -> None:
        if not self._take(name, value):
            self.draft.misfit(part, f"it is no value for {label}")

    def _day(self, part: str, word: str, span: Span) -> None:
        """Read a day by the word before it: "from", "on", "before"."""
        field = "not_before" if word in _STARTS else "on" if word in _ON and span.first == span.last else "deadline"
        day = span.first if word in _STARTS else span.last
        self.draft.guesses += guess_of_year(_CUE.sub("", part, count=1), self.today)
        if not word:
            self.draft.guesses.append("a day without a word before it, in brackets or behind a dash, read as deadline")
        if word == "before":
            day = day_of(part, self.today, month_first=self.month_first) or day
        self.draft.give(field, day)

    # --- the rest -----------------------------------------------------------------------------------------------------

    def _cut_leading_owner(self, text: str) -> str:
        """Cut who does it from the beginning: "@dee: …", or a name before a dash where values was after another."""
        plain = _EMPHASIS.sub("", text)
        if (led := _LEADING_AT.match(plain)) is not None:
            self._take("owner", led["names"])
            self.draft.read.append(led["names"])
            return plain[led.end() :]
        parts = _DASH.split(plain, maxsplit=1)
        is_dated = any(name in self.draft.values for name in ("deadline", "effort", "on"))
        is_name = len(parts) == 2 and _NAME.fullmatch(parts[0]) is not None and len(parts[0].split()) <= 2
        if is_name and is_dated and "owner" not in self.draft.values:
            self._take("owner", parts[0])
            self.draft.read.append(parts[0])
            self.draft.guesses.append("a name before a dash read as owner")
            return parts[1]
        return text


def _last(matches: Iterable[re.Match[str]]) -> re.Match[str] | None:
    """Return the last of some matches."""
    found = None
    for match in matches:
        found = match
    return found


def _with_needs_whole(parts: list[str]) -> list[str]:
    """Return parts with the ids that follow a need in it: "needs S3", "S4" are one."""
    joined: list[str] = []
    for part in parts:
        if joined and _NEED.fullmatch(joined[-1]) and _ID_ALONE.fullmatch(part):
            joined[-1] += f", {part}"
        else:
            joined.append(part)
    return joined
