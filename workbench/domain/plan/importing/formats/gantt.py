"""Mermaid's Gantt charts as plans.

Book the square :done, s1, 2027-05-03, 2027-05-04  ─▶ done · 2027-05-03 to 2027-05-03 (the end is exclusive)
Hang posters    :after s1, 3d                       ─▶ needs s1 · 3 days, of work where weekends are excluded
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from datetime import date, datetime, timedelta

from workbench.domain.plan.importing.assembly import ABOUT_CHART, Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.lines.marks import draft_of
from workbench.domain.plan.importing.lines.values import effort_of, working_days
from workbench.domain.plan.plan import Days, DaysOff, Effort, Status
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import is_plannable, plannable_day

_WORDS: dict[str, Status] = {"done": "done", "active": "under-way"}
_WORDS_OF_CHARTS = (
    *("gantt", "title", "dateFormat", "axisFormat", "tickInterval", "excludes", "includes", "todayMarker", "weekday"),
    *("weekend", "section", "accTitle", "accDescr", "inclusiveEndDates", "displayMode", "click"),
)
_KEYWORDS = lazy_pattern(rf"\s*(?P<word>{'|'.join(_WORDS_OF_CHARTS)})\b:?\s*(?P<rest>.*)", re.IGNORECASE)
_ISO = lazy_pattern(r"\d{4}-\d\d-\d\d")
_SPAN = lazy_pattern(r"(\d{1,5}(?:\.\d{1,3})?)(ms|[smhdwMy])")
_DAYS_OF = {"h": 1 / 24, "d": 1, "w": 7, "M": 30, "y": 365}
_WEEKEND = lazy_pattern(r"\b(?:weekends|saturday|sunday)\b", re.IGNORECASE)
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
        self._is_of_work = False
        """Whether durations are days of work: weekends are excluded."""
        self._format = "%Y-%m-%d"

    def read(self, first: int, last: int) -> None:
        """Read the lines of a chart."""
        for number in range(first, last):
            line = self._assembly.lines[number]
            if not line.strip() or line.strip().startswith(("---", "```")):
                continue
            keyword = _KEYWORDS.fullmatch(line)
            word = next((one for one in _WORDS_OF_CHARTS if keyword and one.lower() == keyword["word"].lower()), "")
            if keyword is not None and (keyword["word"] == word or ":" not in line):  # "Title page :a1, 3d" is a task
                self._keyword(number, word, keyword["rest"].strip())
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
                if re.search(r"[A-SU-Za-z]", _FORMAT.sub("", rest)):
                    self._assembly.guess(f"dates in the form {rest[:_LONGEST_FORMAT]} are read in part, or not")
            case "section":
                self._workstream = rest
                self._prose(number)
            case _:
                self._is_inclusive = self._is_inclusive or word == "inclusiveEndDates"
                self._is_of_work = self._is_of_work or (word == "excludes" and _WEEKEND.search(rest) is not None)
                days = tuple(Days(day, day) for day in _ISO.findall(rest) if _day(day)) if word == "excludes" else ()
                if days:
                    section = self._assembly.section("calendar")
                    self._assembly.item(section, DaysOff, number, text=self._assembly.lines[number].strip(), days=days)
                else:
                    self._prose(number)

    def _task(self, number: int, title: str, meta: str) -> None:
        draft = draft_of(number, title, self._today)
        draft.workstream = self._workstream
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
            is_own = re.fullmatch(r"s\d{1,6}", name) is not None
            if not is_own or draft.ids != [name.upper()]:  # "S1 · Dig :s1", as we write them
                draft.unmark()
                draft.ids.append(name.upper() if is_own else name)
            shorter = draft.title.removesuffix(f"({draft.maybe_owner})").rstrip()
            if is_own and shorter != draft.title and draft.give("owner", draft.maybe_owner):  # as we write them
                draft.title = shorter
                draft.read.append(draft.maybe_owner)
        self._times(draft, parts, number)
        self._last = self._assembly.step(draft) or self._last

    def _times(self, draft: StepDraft, parts: list[str], number: int) -> None:
        """Read the start, if it is said, and the end or the duration."""
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
        else:
            draft.after = self._last
        if end.startswith("until "):
            draft.blocks += end.split()[1:]
        elif (day := self._day(end)) is not None:
            first = draft.values.get("not_before")
            is_one_day = day.isoformat() == first  # which Mermaid draws without a length
            last = (day if self._is_inclusive or is_one_day else day - timedelta(days=1)).isoformat()
            if first is not None and first <= last:
                draft.values |= {"start": first, "end": last, "duration": working_days(first, last)}
            else:
                draft.values.setdefault("deadline", last)
        elif (span := _SPAN.fullmatch(end)) is not None and span[2] in _DAYS_OF and float(span[1]):
            self._lasts(draft, round(float(span[1]) * _DAYS_OF[span[2]], 3))
        elif (effort := effort_of(end)) is not None and effort.likely > 0:
            draft.values.setdefault("effort", effort)
        elif end and re.search(r"[1-9]|[^\W\d_]{2}", end):
            draft.unread.append((number, end, "it is no day and no duration"))

    def _lasts(self, draft: StepDraft, days: float) -> None:
        """Read a duration: days of work, or of the calendar, which end on a day where the first is known."""
        first = plannable_day(draft.values.get("not_before", ""))
        if self._is_of_work:
            draft.values.setdefault("effort", Effort(days, days, days))
        elif not draft.values.get("milestone"):
            draft.values |= {"duration": days, "duration_elapsed": True}
            with suppress(OverflowError):
                last = first and first + timedelta(days=math.ceil(days) - 1)
                if first and last and is_plannable(last):
                    draft.values |= {"start": first.isoformat(), "end": last.isoformat()}

    def _is_time(self, text: str) -> bool:
        with suppress(ValueError):
            if not _SPAN.fullmatch(text) and not text.startswith(("after ", "until ")) and _day(text) is None:
                self._parse_day(text)
            return True
        return False

    def _day(self, text: str) -> date | None:
        """Return a day in the chart's own format, or in ISO 8601."""
        with suppress(ValueError):
            day = _day(text) or self._parse_day(text)
            return day if is_plannable(day) else None
        return None

    def _parse_day(self, text: str) -> date:
        """Return a day in the chart's own form, without a year of this one, as in Mermaid. Raises ValueError."""
        if re.search("%[yY]", self._format):
            return datetime.strptime(text, self._format).date()  # noqa: DTZ007 - a day has no zone
        day = datetime.strptime(f"{self._today.year} {text}", f"%Y {self._format}").date()  # noqa: DTZ007
        self._assembly.guess(f"days without a year read in {self._today.year}")
        return day


def _strptime_format(shown: str) -> str:
    """Return a format of dates (``DD/MM/YYYY``) as Python writes it; ISO 8601 if it says a part twice."""
    codes = [_CODES[match[0]] for match in _FORMAT.finditer(shown)]
    if len(set(codes)) < len(codes):
        return "%Y-%m-%d"
    return _FORMAT.sub(lambda match: _CODES[match[0]], shown.replace("%", "%%"))


_CODES = {
    "DDDD": "%j", "DDD": "%j", "YYYY": "%Y", "YY": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%m",
    "DD": "%d", "D": "%d", "HH": "%H", "mm": "%M", "ss": "%S",
}  # fmt: skip
_FORMAT = lazy_pattern("|".join(_CODES))


def _day(text: str) -> date | None:
    match = _ISO.match(text)
    return plannable_day(match[0]) if match else None
