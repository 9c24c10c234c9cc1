"""Mermaid's Gantt charts as plans.

Book the square :done, s1, 2027-05-03, 2027-05-04  ─▶ done · 2027-05-03 to 2027-05-03 (the end is exclusive)
Hang posters    :after s1, 3d                       ─▶ needs s1 · 3 days
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime, timedelta

from workbench.domain.plan.importing.assembly import ABOUT_CHART, Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.marks import draft_of
from workbench.domain.plan.importing.values import effort_of, working_days
from workbench.domain.plan.plan import Days, DaysOff, Status
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import is_plannable, plannable_day

_WORDS: dict[str, Status] = {"done": "done", "active": "under-way"}
_KEYWORDS = lazy_pattern(
    r"\s*(?P<word>gantt|title|dateFormat|axisFormat|tickInterval|excludes|includes|todayMarker|weekday|weekend|section|"
    r"accTitle|accDescr|inclusiveEndDates|displayMode|click)\b:?\s*(?P<rest>.*)"
)
_ISO = lazy_pattern(r"\d{4}-\d\d-\d\d")
_LONGEST_FORMAT = 40
"""Characters of a format of dates that are heeded."""


def read_gantt(assembly: Assembly, today: date) -> Imported:
    """Return the plan of a chart."""
    GanttReader(assembly, today).read(0, len(assembly.lines))
    return assembly.build("mermaid")


class GanttReader:
    """Reads one chart."""

    def __init__(self, assembly: Assembly, today: date) -> None:
        self._assembly = assembly
        self._today = today
        self._workstream = ""
        self._last: StepDraft | None = None
        self._is_inclusive = False
        self._format = "%Y-%m-%d"

    def read(self, first: int, last: int) -> None:
        """Read the lines of a chart."""
        for number in range(first, last):
            line = self._assembly.lines[number]
            if not line.strip() or line.strip().startswith(("---", "```")):
                continue
            keyword = _KEYWORDS.fullmatch(line)
            if keyword is not None:
                self._keyword(number, keyword["word"], keyword["rest"].strip())
            elif all(part.strip() for part in line.partition(":")) and not line.strip().startswith("%%"):
                title, _, meta = line.partition(":")
                self._task(number, title.strip(), meta.strip())
            else:
                self._prose(number)

    def _prose(self, number: int) -> None:
        self._assembly.prose(self._assembly.section(ABOUT_CHART), number, number + 1)

    def _keyword(self, number: int, word: str, rest: str) -> None:
        match word:
            case "title" if not self._assembly.title:
                self._assembly.title = rest
                self._prose(number)
            case "dateFormat":
                self._format = _strptime_format(rest[:_LONGEST_FORMAT])
                self._prose(number)
            case "section":
                self._workstream = rest
                self._prose(number)
            case _:
                self._is_inclusive = self._is_inclusive or word == "inclusiveEndDates"
                days = tuple(Days(day, day) for day in _ISO.findall(rest) if _day(day)) if word == "excludes" else ()
                if days:
                    section = self._assembly.section("calendar")
                    self._assembly.item(section, DaysOff, number, text=self._assembly.lines[number].strip(), days=days)
                else:
                    self._prose(number)

    def _task(self, number: int, title: str, meta: str) -> None:
        draft = draft_of(number, title, self._today)
        draft.workstream = self._workstream
        if draft.maybe_owner and draft.title.endswith(f"({draft.maybe_owner})"):  # as this workbench writes them
            draft.give("owner", draft.maybe_owner)
            draft.read.append(draft.maybe_owner)
            draft.title = draft.title.removesuffix(f"({draft.maybe_owner})").rstrip() or draft.title
        draft.read.append(meta)
        parts = [part.strip() for part in meta.split(",") if part.strip()]
        while parts and parts[0] in ("done", "active", "crit", "milestone", "vert"):
            tag = parts.pop(0)
            if tag in _WORDS:
                draft.values["status"] = _WORDS[tag]
            elif tag == "milestone":
                draft.values["milestone"] = True
            else:
                draft.tags.append(tag)
        if len(parts) > 2 or (parts and not self._is_time(parts[0])):
            name = parts.pop(0)
            draft.ids.append(name.upper() if re.fullmatch(r"s\d{1,6}", name) else name)
        self._times(draft, parts, number)
        self._last = self._assembly.step(draft) or self._last

    def _times(self, draft: StepDraft, parts: list[str], number: int) -> None:
        """Read the start, where it is said, and the end or the duration."""
        end = parts.pop() if parts else ""
        start = parts.pop() if parts else ""
        if not start and end.startswith("after "):
            start, end = end, ""
        if start.startswith("after "):
            draft.needs += [(number, name) for name in start.split()[1:]]
        elif (day := self._day(start)) is not None:
            draft.values.setdefault("on" if draft.values.get("milestone") else "not_before", day.isoformat())
        elif start:
            draft.unread.append((number, start, "it is no day"))
        elif self._last is not None:
            draft.needs += [(number, name) for name in [*self._last.ids, self._last.title][:1]]
        if end.startswith("until "):
            draft.blocks += end.split()[1:]
        elif (day := self._day(end)) is not None:
            last = (day if self._is_inclusive else day - timedelta(days=1)).isoformat()
            first = draft.values.get("not_before")
            if first is not None and first <= last:
                draft.values |= {"start": first, "end": last, "duration": working_days(first, last)}
            else:
                draft.values.setdefault("deadline", last)
        elif (effort := effort_of(end)) is not None and effort.likely > 0:
            draft.values.setdefault("effort", effort)
        elif end and re.search(r"[1-9]|[^\W\d_]{2}", end):
            draft.unread.append((number, end, "it is no day and no duration"))

    def _is_time(self, text: str) -> bool:
        return (
            text.startswith(("after ", "until "))
            or self._day(text) is not None
            or re.fullmatch(r"\d+(?:\.\d+)?(?:ms|[smhdwMy])", text) is not None
        )

    def _day(self, text: str) -> date | None:
        """Return a day in the chart's own format, or in ISO 8601."""
        with suppress(ValueError):
            day = _day(text) or datetime.strptime(text, self._format).date()  # noqa: DTZ007 - a day has no zone
            return day if is_plannable(day) else None
        return None


def _strptime_format(shown: str) -> str:
    """Return a format of dates (``DD/MM/YYYY``) as Python writes it; ISO 8601 where it says a part twice."""
    codes = [_CODES[match[0]] for match in _FORMAT.finditer(shown)]
    if len(set(codes)) < len(codes):
        return "%Y-%m-%d"
    return _FORMAT.sub(lambda match: _CODES[match[0]], shown.replace("%", "%%"))


_CODES = {
    "YYYY": "%Y", "YY": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%m", "DD": "%d", "D": "%d", "HH": "%H",
    "mm": "%M", "ss": "%S",
}  # fmt: skip
_FORMAT = lazy_pattern("|".join(_CODES))


def _day(text: str) -> date | None:
    match = _ISO.match(text)
    return plannable_day(match[0]) if match else None
