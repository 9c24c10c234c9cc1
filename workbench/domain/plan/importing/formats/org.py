"""Org mode as Markdown, line by line, so that one reader reads both.

** TODO Find the will :me:   ─▶ - [ ] Find the will #me         DEADLINE: <2025-01-31 Fri> ─▶ Deadline: 2025-01-31
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workbench.domain.plan.importing.lines.labels import column_field
from workbench.domain.text.patterns import lazy_pattern

_ORG = lazy_pattern(
    r"\*{1,12} (?:TODO|NEXT|WAIT|WAITING|HOLD|DONE|STARTED|DOING|STRT|CANCELL?ED|KILL) \S|#\+\w{1,30}:", re.ASCII
)
_ORG_TITLE = lazy_pattern(r"#\+title: *(\S.*)", re.IGNORECASE)
_ORG_HEADING = lazy_pattern(r"(?P<level>\*{1,12}) (?P<text>.+)")
_ORG_STATES = lazy_pattern(r"#\+(?:SEQ_|TYP_)?TODO: *(?P<open>[^|]*)(?:\|(?P<done>.*))?", re.IGNORECASE)
"""Where a file names its own states; the last ends the work if no bar parts them."""
_ORG_BOXES = {
    "TODO": " ", "NEXT": " ", "LATER": " ", "SOMEDAY": " ", "PROJ": " ", "PROJECT": " ", "DONE": "x", "STARTED": "/",
    "STRT": "/", "DOING": "/", "NOW": "/", "WIP": "/", "KILL": "-", "CANCELED": "-", "CANCELLED": "-", "WAIT": ">",
    "WAITING": ">", "HOLD": ">", "BLOCKED": ">",
}  # fmt: skip
_ORG_COOKIE = lazy_pattern(r"\[(\d{1,4}/\d{1,4}|\d{1,3}%)\]")
"""How much of what is below is done."""
_ORG_TAGS = lazy_pattern(r" :([\w:@]{1,200}):$")
_ORG_DAY = lazy_pattern(
    r"(?:\b(SCHEDULED|DEADLINE|CLOSED): *[<\[]|<)(\d{4}-\d\d-\d\d)([^<>\]]{0,80})[>\]]"
    r"(?:--[<\[](\d{4}-\d\d-\d\d)[^>\]]{0,80}[>\]])?"
)
_ORG_TIME = lazy_pattern(r"\b\d{1,2}:\d\d(?:-\d{1,2}:\d\d)?")
_ORG_REPEAT = lazy_pattern(r"(?:\+\+|\.\+|\+)(\d{1,3}[dwmy])")
_ORG_FIELD = lazy_pattern(r"\s*:(\w+):(?:\s+(.*))?")
_ORG_KEYS = {"CUSTOM_ID": "Id", "ID": "Id", "ALLOCATE": "Owner", "BLOCKER": "Needs", "EFFORT": "Effort"}
_CLOCK = lazy_pattern(r"(\d{1,3}):([0-5]\d)")


def is_org(lines: Sequence[str]) -> bool:
    """Tell whether a text is in Org mode, and not in Markdown that shows some of it."""
    return any(map(_ORG.match, lines)) and not any(line.startswith(("# ", "## ")) for line in lines[:20])


def title_of(lines: Sequence[str]) -> str:
    """Return the title of a text in Org mode; "" for none."""
    return next((match[1] for line in lines if (match := _ORG_TITLE.fullmatch(line))), "")


def as_markdown(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a text in Org mode; a heading with a state is an entry, with what is below it."""
    boxes = _org_boxes(lines)
    above: list[int] = []
    """Levels of the entries that a line is below."""
    margin: int | None = 0
    """Blanks before the lines below a heading; None before the first of them."""
    for line in lines:
        if (heading := _ORG_HEADING.fullmatch(line)) is not None:
            level, text, margin = len(heading["level"]), heading["text"], None
            above = [one for one in above if one < level]
            state, _, rest = text.partition(" ")
            if state not in boxes or not rest.strip():
                # below an entry it is a note of it, with all that is below
                mark = f"{'  ' * len(above)}-" if above else "#" * min(level + 1, 6)
                yield f"{mark} {_ORG_COOKIE.sub('', text).strip()}"
                above += [level] if above else []
                continue
            text, tags = _without_tags(re.sub(r"\[#([A-Z])\]\s*", r"[priority:: \1] ", rest.strip()))
            text = _ORG_COOKIE.sub(r"[share:: \1]", _ORG_DAY.sub(_of_day_in_heading, text))
            yield f"{'  ' * len(above)}- [{boxes[state]}] {text}{tags}"
            above.append(level)
        elif line.startswith("#"):
            yield f"<!-- {line} -->"
        elif line.strip():
            indent = len(line) - len(line.lstrip())
            margin = indent if margin is None else min(margin, indent)
            yield f"{'  ' * len(above)}{' ' * (indent - margin)}{_org_line(line, is_below=bool(above))}"
        else:
            yield line


def _org_boxes(lines: Sequence[str]) -> dict[str, str]:
    """Return what is in the box of each state of a file."""
    boxes = dict(_ORG_BOXES)
    for named in filter(None, map(_ORG_STATES.fullmatch, lines)):
        begun, ended = (re.sub(r"\([^()]*\)", "", part or "").split() for part in (named["open"], named["done"]))
        if named["done"] is None:
            begun, ended = begun[:-1], begun[-1:]
        boxes = dict.fromkeys(begun, " ") | dict.fromkeys(ended, "x") | boxes
    return boxes


def _without_tags(text: str) -> tuple[str, str]:
    text = text.rstrip()
    tagged = _ORG_TAGS.search(text)
    if tagged is None:
        return text, ""
    return text[: tagged.start()], "".join(f" #{tag}" for tag in tagged[1].split(":") if tag)


def _org_line(line: str, *, is_below: bool = True) -> str:
    """Return a line below a heading of Org mode: days, a property, or text; ``is_below``: whether below a task."""
    if (field := _ORG_FIELD.fullmatch(line)) is not None:
        key, value = field[1].upper(), field[2] or ""
        if column_field(key) in ("effort", "hours"):
            value = _CLOCK.sub(lambda time: f"{int(time[1]) + int(time[2]) / 60:.4g}h", value)
        if key in ("PROPERTIES", "END"):
            return ""
        value = value.strip().removeprefix("ids(").removesuffix(")")
        if not is_below and key not in _ORG_KEYS and column_field(key) in ("", "workstream", "tags"):
            return f"<!-- :{key}: {value} -->"  # of a headline that is not a task
        if key not in _ORG_KEYS and column_field(key) == "id":
            return f"- :{key}: {value}"  # a number of one's own, which other entries can have, too
        return f"- {_ORG_KEYS.get(key, field[1].capitalize())}: {value}"
    if _ORG_DAY.match(line.strip()) or re.search(r"(?:SCHEDULED|DEADLINE|CLOSED):", line):
        return f"- {_ORG_DAY.sub(_of_org_day, line).strip().rstrip(';')}"
    return line.strip()


def _of_org_day(day: re.Match[str]) -> str:
    """Return a day of Org mode as fields: with the end of a stretch of days, its time, and how it comes again."""
    time, repeat = _ORG_TIME.search(day[3]), _ORG_REPEAT.search(day[3])
    word = day[1].capitalize() if day[1] else "Scheduled" if day[4] else "On"
    at = "Time of day" if word == "On" else f"{word} at"
    parts = [f"{word}: {day[2]};", f"Deadline: {day[4]};" if day[4] else ""]
    parts.append(f"{at}: {time[0]};" if time is not None and word != "Closed" else "")
    return " ".join(filter(None, (*parts, f"Repeat: {repeat[1]};" if repeat else "")))


def _of_day_in_heading(day: re.Match[str]) -> str:
    """Return a day in a heading of Org mode as fields."""
    return "".join(f"[{part.replace(':', '::', 1)}]" for part in re.split("; ?", _of_org_day(day)) if part)
