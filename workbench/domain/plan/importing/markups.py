"""Org mode, wiki text and underlined headings as Markdown, line by line, so that one reader reads them all.

** TODO Find the will :me:   ─▶ ## TODO Find the will :me:        DEADLINE: <2025-01-31 Fri> ─▶ Deadline: 2025-01-31
== Risks ==                  ─▶ ## Risks                          ## Order two sockets       ─▶ `   1. Order two …`
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

_ORG = re.compile(r"\*+ (?:TODO|NEXT|WAIT|WAITING|HOLD|DONE|STARTED|DOING|CANCELL?ED) \S|#\+\w+:")
_HEADING = re.compile(r"#{1,6} \S")
_WIKI = re.compile(r"={1,6} ?[^=\s][^=]*=*\s*|h[1-6]\. \S.*")
_ORG_TITLE = re.compile(r"#\+title: *(\S.*)", re.IGNORECASE)
_ORG_HEADING = re.compile(r"(?P<level>\*{1,6}) (?P<text>.+)")
_ORG_DAY = re.compile(r"\b(SCHEDULED|DEADLINE|CLOSED): *[<\[](\d{4}-\d\d-\d\d)([^>\]]*)[>\]]")
_ORG_FIELD = re.compile(r"\s*:(?!END:|PROPERTIES:)(\w+): (.+)")
_WIKI_HEADING = re.compile(r"(?P<signs>={1,6}) ?(?P<text>[^=].*?)\s*=*\s*|h(?P<level>[1-6])\. (?P<title>.+)")
_WIKI_ENTRY = re.compile(r"(?P<signs>[*#]{1,6}:?|\.{1,5}(?= )) *(?P<text>[^*#\s].*)")
_RULE = re.compile(r"([~^*+\"])\1{3,}\s*")
_COLUMN = re.compile(r"(?<=\S) {2,}(?=\S)")
_TODO_TXT = re.compile(r"(?:x (?=\S)|\([A-Z]\) |\d{4}-\d\d-\d\d )|(?!\s*[-*#]).*\s(?:due:\S|[+@][a-z]\S*\s*$)")
_DONE_TXT = re.compile(r"x (?:(?P<finished>\d{4}-\d\d-\d\d) )?(?P<text>.*)")
_CHAT = re.compile(
    r"\[?(?P<when>(?:\d{1,4}[./-]\d{1,2}[./-]?(?:\d{2,4})?,? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?)\]?\s*(?:- )?"
    r"<?(?P<who>[A-ZÀ-Ž][\w.]*(?: [A-ZÀ-Ž][\w.]*)?)>?: (?P<text>\S.*)",
    re.IGNORECASE,
)
"""A line of a chat."""
_BOX = re.compile(r"^(\s*(?:[-*+] +)?)\[(  +|\.{2,3})\](?= )")
_BOX_LINE = re.compile(r"\s*(?:[-*+] +)?\[[ xX]\] ")
_BARE_BOX = re.compile(r"^(\s*)([ox_]) +(?=\S)")
_TICKED = re.compile(r"\s*x +[^\W\d]")
_NUMBERED = re.compile(r"^(\s*(?:[-*+]|\d+(?:\.\d+)+)) +(\S.* {2,}\S.*)$")
_ASKS = re.compile(r"\W*(?:ACTION|TODO)\b")
_CLOCK = r"\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?"
_HOURS = (
    rf"(?:{_CLOCK}(?: ?(?:[–-]|to) ?{_CLOCK})?|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}}|(?:all|whole) day|ganztags"
    r"|(?:late |early )?(?:morning|noon|afternoon|evening|night)|(?:vor|nach)mittags?|abends?)"
)
_WORD = r"[^\W\d_][\w.'’-]*"
_ROW = re.compile(
    rf"\s*(?P<first>(?P<id>(?-i:[A-Z])\d{{1,2}})|{_HOURS})(?: {{2,}}(?P<time>{_HOURS}))? {{2,}}"
    r"(?P<what>[^\W\d]\S*(?: \S+)*)"
    rf"(?:\s+(?P<more>[\[(].+[\])])| {{2,}}(?P<who>{_WORD}(?:(?: |, ?| ?[+&/] ?){_WORD}){{0,5}}))?\s*",
    re.IGNORECASE,
)
"""A line of a schedule, in columns: "9-12    build the mast     Greta, Ali"."""
_FEWEST_ROWS = 3
_ABOVE_ROWS = re.compile(
    r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-z]{0,9}\.?,? \d{1,2}\b.{0,40}|[^\W\d][^:]{2,60}:",
    re.IGNORECASE,
)
"""A day, or what it says with a colon, above the rows."""
_LONGEST_SIGNATURE = 8
"""Lines below two dashes at the end of a letter."""
_ROMAN = re.compile(r"^[IVX]{1,4}[.)]?\s+[^\W\d].*")
_LETTER = re.compile(r"^(\s*)[A-Z][.)] +(\S.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")


def as_markdown(lines: Sequence[str]) -> list[str]:
    """Return the lines of a text of any of these markups as Markdown; each stays at its place."""
    if sum(1 for line in lines if _TODO_TXT.match(line)) * 3 >= sum(1 for line in lines if line.strip()) > 1:
        return [_of_todo_txt(line) for line in lines]
    signed = next((at for at, line in enumerate(lines) if line.rstrip() == "--"), len(lines))
    if any(lines[:signed]) and signed >= len(lines) - _LONGEST_SIGNATURE:
        lines = [line if at < signed or not line.strip() else f"> {line}" for at, line in enumerate(lines)]
    if sum(1 for line in lines if _CHAT.fullmatch(line)) > 1:
        lines = [_CHAT.sub(r"\g<who>: \g<text> [created:: \g<when>]", line) for line in lines]
    lines = [re.sub(r"^(\s*)#\. ", r"\g<1>1. ", _BOX.sub(_boxed, line)) for line in lines]
    if any(_BOX_LINE.match(line) for line in lines) or sum(1 for line in lines if _TICKED.match(line)) > 1:
        lines = [_BARE_BOX.sub(lambda mark: f"{mark[1]}- [{'x' if mark[2] == 'x' else ' '}] ", line) for line in lines]
    if sum(1 for line in lines if _ROW.fullmatch(line)) >= _FEWEST_ROWS:
        lines = list(_of_schedule(lines))
    if sum(1 for line in lines if _NUMBERED.match(line)) > 1:
        lines = [_NUMBERED.sub(lambda mark: f"{mark[1]} {_COLUMN.sub(' | ', mark[2])}", line) for line in lines]
    if any(map(_ORG.match, lines)) and not any(map(_HEADING.match, lines[:20])):
        return [_of_org(line) for line in lines]
    lines = [_COLUMN.sub(" | ", line) if _ASKS.match(line) else line for line in lines]
    if all(sum(1 for line in lines if sign.fullmatch(line)) > 1 for sign in (_ROMAN, _LETTER)):
        return [_ROMAN.sub(r"## \g<0>", _LETTER.sub(r"\1- \2", line)) for line in lines]
    if sum(1 for line in lines if _WIKI.fullmatch(line)) > 1:
        is_falling = any(line.startswith("======") for line in lines)
        return _with_tables([_of_wiki(line, is_falling=is_falling) for line in lines])
    if sum(1 for line in lines if _FENCE.match(line)) % 2 == 0:
        return list(lines)
    return [
        "-" * len(line) if at and lines[at - 1].strip() and _RULE.fullmatch(line) else line
        for at, line in enumerate(lines)
    ]


def _boxed(mark: re.Match[str]) -> str:
    return f"{mark[1]}[{'/' if '.' in mark[2] else ' '}]"


def _of_schedule(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a text whose rows begin with a time or an id, and end with who: days above are headings."""
    is_row, indent = False, 0
    starts = Counter(row.start("who") for line in lines if (row := _ROW.fullmatch(line)) is not None and row["who"])
    column = starts.most_common(1)[0][0] if starts else 0
    for written in lines:
        is_close = column and written[column - 1 : column] == " " and written[column : column + 1].isupper()
        line = f"{written[:column]}  {written[column:]}" if is_close else written  # a name that leaves no gap
        inner = len(line) - len(line.lstrip())
        if (row := _ROW.fullmatch(line)) is not None:
            is_row, indent = True, inner
            time = " ".join(filter(None, (None if row["id"] else row["first"], row["time"])))
            fields = [f"{row['id']}:"] if row["id"] else []
            fields += [row["what"]] + ([f"[time:: {time}]"] if time else [])
            fields += [f"[owner:: {row['who']}]"] if row["who"] else []
            yield f"- {' '.join(fields)} {row['more'] or ''}".rstrip()
        elif is_row and line.strip() and inner > indent:  # a remark on the row above
            yield f"  > {line.strip()}"
        else:
            is_lazy, is_row = is_row and bool(line.strip()), False
            sign = "###### " if _ABOVE_ROWS.fullmatch(line) else "> " if is_lazy else ""
            yield f"{sign}{line}"


def _of_todo_txt(line: str) -> str:
    """Return a line of todo.txt: done, priority, dates, text with +project, @context and key:value."""
    if not line.strip():
        return line
    done = _DONE_TXT.fullmatch(line)
    text = re.sub(r"^(?:\(([A-Z])\) +)?(?:\d{4}-\d\d-\d\d +){0,2}", "", done["text"] if done else line)
    head = line[: len(line) - len(text)].removeprefix("x ")
    tags = re.findall(r"(?<!\S)[+@](\w\S*)", text)
    text = " ".join(re.sub(r"(?<!\S)[+@]\w\S*", "", text).split())
    fields = [f"priority:: {letter}" for letter in re.findall(r"\b[A-Z]\b", head)]
    days = re.findall(r"\d{4}-\d\d-\d\d", head)
    fields += [f"{'completion' if done and at == 0 else 'created'}:: {day}" for at, day in enumerate(days)]
    return " ".join(
        [f"- [{'x' if done else ' '}]", text, *(f"[{field}]" for field in fields), *(f"#{tag}" for tag in tags)]
    )


def title_of(lines: Sequence[str]) -> str:
    """Return the title of a text in Org mode; "" for none."""
    return next((match[1] for line in lines if (match := _ORG_TITLE.fullmatch(line))), "")


def _of_org(line: str) -> str:
    if line.startswith("#+"):
        return f"<!-- {line} -->"
    if (heading := _ORG_HEADING.fullmatch(line)) is not None:
        text, tags = heading["text"], ""
        if (tagged := re.search(r"\s+:([\w:@]+):\s*$", text)) is not None:
            text, tags = text[: tagged.start()], "".join(f" #{tag}" for tag in tagged[1].split(":"))
        text = re.sub(r"\s*\[#([A-Z])\]", r" [priority:: \1]", text)
        return f"{'#' * min(len(heading['level']) + 1, 6)} {text}{tags}"
    if (stamp := re.fullmatch(r"\s*<(\d{4}-\d\d-\d\d)([^>]*)>", line)) is not None:
        return f"Deadline: {stamp[1]}{stamp[2]}"
    if re.match(r"# ", line):
        return f"<!-- {line} -->"
    if (field := _ORG_FIELD.fullmatch(line)) is not None:
        return f"{field[1].capitalize()}: {field[2]}"
    return _ORG_DAY.sub(lambda day: f"{day[1].capitalize()}: {day[2]}{day[3]};", line).rstrip(";")


def _with_tables(lines: Sequence[str]) -> list[str]:
    """Return the lines of a wiki's page with its tables as those of Markdown."""
    shown, is_inside, width = list(lines), False, 0
    for at, line in enumerate(lines):
        is_inside = (is_inside or line.startswith("{|")) and not line.startswith("|}")
        cells = re.split(r"\s*(?:\|\||!!)\s*", line[1:].strip())
        if is_inside and line.startswith("|-"):
            shown[at], width = f"|{'---|' * width}" if width else "|  |", 0
        elif is_inside and line.startswith(("!", "|")):
            shown[at], width = f"| {' | '.join(cells)} |", len(cells) if line.startswith("!") else width
        elif line.startswith("|}"):
            shown[at] = ""
    return shown


def _of_wiki(line: str, *, is_falling: bool) -> str:
    """Return a line of a wiki's page; ``is_falling``: whether the first headings have the most signs."""
    if (heading := _WIKI_HEADING.fullmatch(line)) is not None:
        level = int(heading["level"] or 0) or len(heading["signs"])
        return f"{'#' * (7 - level if is_falling else level)} {heading['text'] or heading['title']}"
    if (entry := _WIKI_ENTRY.fullmatch(line)) is not None:
        signs = entry["signs"]
        if signs[-1] == ":":  # what goes on with the entry above
            return f"{'   ' * (len(signs) - 1)}- {entry['text']}"
        text = re.sub(r"^\{\{(?:done|ok|tick)\}\} *", "[x] ", entry["text"], flags=re.IGNORECASE)
        line = f"{'   ' * (len(signs) - 1)}{'-' if signs[-1] == '*' else '1.'} {text}"
    return re.sub(r"</?(?:s|del)>", "~~", line.replace("'''", "**").replace("''", "*"))
