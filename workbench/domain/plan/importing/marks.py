"""Marks in the line of a task: ids, owner, effort, days, needs and tags, each with the words that say it.

    "T012 [P] Book the square (Anna, 2d) by 3 May, needs T001"
       id T012 · tag P · owner Anna · effort 2 days · deadline 3 May · needs T001 · title "Book the square by 3 May, …"

What only marks is cut from the title (an id, brackets in which every part is understood, ``@anna`` and ``#tag`` at the
end, fields with a sign); what is part of the sentence is copied out and stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.headings import MONTH
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.requests import ACTION, asked
from workbench.domain.plan.importing.values import day_of, days_said, effort_of, money_of, status_of
from workbench.domain.plan.importing.work import begins_with_verb
from workbench.domain.values.fact import Fact
from workbench.domain.values.reader import read_values as read_facts

LONGEST_LINE = 2_000
"""Characters of a line in which marks are looked for."""


_ID = re.compile(
    r"(?:\*\*|__|`)?(?:\[(?P<bracketed>[A-Z][A-Z0-9]{0,9}-?\d{1,5}(?:\.\d{1,3})*|#?\d{1,4}(?:\.\d{1,3})*)\]|"
    r"(?P<plain>T\d[\dX]{2,5}|(?:TASK|ISSUE|STORY|EPIC|BUG|WP|AP|T|M|US|FR|AI|REQ|FEAT|STEP|ACTION|"
    r"PROJ)-\d{1,5}(?:\.\d{1,3})*|#\d{1,6}|(?:[A-Z]|\d{1,3})(?:\.\d{1,3}){1,5}\.?)(?=[\s:*_`)–—-])|"
    r"(?P<marked>[A-Z]{1,9}-?\d{1,5}(?:\.\d{1,3})*)(?=(?:\*\*|__|`)?(?:[:.)]|\*\*|__|`| [·–—-] )))(?:\*\*|__|"
    r"`)?(?:[:.)]|\s*[·–—-](?=\s))?\s*"
)
_NAMED_ID = re.compile(
    r"(?P<id>(?:task|step|action|schritt|aufgabe) #?\d{1,3}(?:\.\d{1,3})*)\s*[:.)–—-]\s*", re.IGNORECASE
)
_BRACKETS = re.compile(r"\[(P|US\d{1,3}|[A-Z][A-Za-z0-9-]{0,11})\]\s+")
_BRACKET = re.compile(
    r"\s*(?:[-–—|·,;]\s*)?(?:\((?P<round>[^()]{1,160})\)|\[(?P<square>[^\[\]()]{1,160})\])\s*[.;,!]*\s*$"
)
_DASH = re.compile(r"\s+(?:[–—|·]|-{1,3}>?|//|→|=>)\s+")
_LABELLED = re.compile(r"(?<=[\s,;(\[|])(?=(?P<part>(?:\*\*|__)?[A-Za-zÀ-ž]+(?: [a-z]+)?:(?:\*\*|__)?\s+\S.*)$)")
_ISSUE = re.compile(
    r"(?:\s*[-–—,;])?\s+(?P<part>(?:(?:fixe?[sd]?|close[sd]?|resolve[sd]?|refs?|see|blocked by)\s+)?#\d{1,6}|"
    r"\+[a-z][\w-]*"
    r"|`[a-z][a-z -]{2,30}`|(?:see )?https?://\S+|~? ?x\d{1,3})$",
    re.IGNORECASE,
)
_EFFORT = re.compile(
    r"(?:\s*[,;–—-])?\s+(?P<part>[~≈(]{0,2} ?(?:(?:ca\.?|about|approx\.?|est\.?:?|takes|max\.?) )?"
    r"(?:\d{1,3}(?:[.,]\d)?(?: ?[–-] ?\d{1,3}(?:[.,]\d)?)?|half an?|an?) ?(?:h|hrs?|hours?|min|mins|minutes?|d|"
    r"days?|w|weeks?|"
    r"weekends?|months?|std|stunden?|tage?|wochen?)|~ ?\d[\d.,]{0,9} ?(?:€|EUR|USD|GBP|CHF|kr))\.?$",
    re.IGNORECASE,
)
_IN_SENTENCE = re.compile(
    r"(?:\b(?:for|in|after|within|every|each|to|of|than|least|most|the|per|and|or|full|another|into|für|in|nach|"
    r"alle|um)|[,/])$",
    re.IGNORECASE,
)
"""What stands before a duration that belongs to the sentence."""
_DAY_WORDS = re.compile(rf"\d|morrow|day\b|\b{MONTH}\b", re.IGNORECASE)
_LEFT_OPEN = re.compile(
    r"(?:\b(?:is|are|was|will be|done|erledigt|shipped|sent|since|seit|finished|starts?|begins?|ends?|the|of))\s*:?$",
    re.IGNORECASE,
)
_FROM_DAY = re.compile(rf"\W+(?:\d|{MONTH}\b)", re.IGNORECASE)
_TO_DAY = re.compile(rf"(?:\d|\b{MONTH})\s*$", re.IGNORECASE)
_NAMED_TITLE = re.compile(
    r"(?P<key>title|task|name|summary|what|titel|aufgabe)\s*: +(?P<quote>[\"']?)(?P<text>\S.*)(?P=quote)", re.IGNORECASE
)
"""A title as YAML has it."""
_VALUED = re.compile(r"(?<!\S)@(?P<key>\w+)\((?P<value>[^()]*)\)")
"""A tag with a value, as TaskPaper has it."""
_COUNTED = re.compile(
    r"(?:weeks?|days?|months?|woche|tag|monat|kw) ?\d{1,2}(?: ?(?:–|-|to|bis|\+) ?\d{1,2})?(?: ?\([^()]*\))?"
    r"\s*(?::|[–—])\s+(?=\w)",
    re.IGNORECASE,
)
"""A week or a day that the plan counts itself, before a line."""
_TOWARDS = re.compile(r"\b(?:to|with|from|for|by|of|and|or|ask|tell|at|via|an|mit|von|für|und|cc)\s*$", re.IGNORECASE)
_LATEST = re.compile(
    r"[\s,(]*(?:at (?:the )?latest|latest|at noon|evening|morning|afternoon|\d{1,2} ?[ap]m|"
    r"\d{1,2}[.:]\d\d)?[\s!.,)]*$"
)
_BEFORE_DAY = re.compile(
    r"[\s,;:(–—|>-]*(?:\b(?:by|on|due|due date|deadline|until|till|before|from|for|at|say|needed|delivery|target|"
    r"bis|am|zum|ab|"
    r"fällig|spätestens|new date|starting)\b[\s:]*)*[\s,;:(–—|>-]*$",
    re.IGNORECASE,
)
_KEYED = re.compile(
    r"(?<!\S)`?(?P<key>id|dep|depends|due|owner|assignee|est|estimate|effort|t|start|rec|pri|prio|priority|status|"
    r"wait|scheduled):"
    r"(?P<value>[^\s:/][^\s`]*)`?"
)
"""Fields of one word each, as todo.txt and Taskwarrior have them."""
_AT = re.compile(r"(?<![\w.@/])@(?P<name>[A-Za-zÀ-ž][\w.-]{0,38}[\w]|[A-Za-z])")
_TAG = re.compile(r"\s+#(?P<tag>[A-Za-zÀ-ž][\w/-]{0,38})\s*$")
_SIGNED = {
    "📅": "deadline", "🗓": "deadline", "🛫": "start", "⏳": "start", "✅": "finished", "🆔": "id", "⛔": "needs",
}  # fmt: skip
_SIGN = re.compile(
    r"\s*(?:(?P<sign>[📅🗓🛫⏳✅➕❌])️? ?(?P<day>\d{4}-\d\d-\d\d)"
    r"|(?P<mark>[🆔⛔]) ?(?P<ids>[\w-]{1,40}(?:, ?[\w-]{1,40})*))"
)
_WORDED = {
    "due": "deadline", "est": "effort", "estimate": "effort", "assignee": "owner", "who": "owner", "done": "finished",
    "start": "start", "defer": "start", "dep": "needs", "depends": "needs",
}  # fmt: skip
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
STATE = re.compile(r"(?:TODO|NEXT|DOING|STARTED|WAIT|WAITING|HOLD|DONE|CANCELL?ED)\b:? +(?=\S)")
"""A state of work before a task."""
_ENDED = re.compile(
    r"(?:(?:\s+[✓✔✅]|(?:\s+[–—|-]{1,2}|\s*[,;])\s+(?:[✓✔✅]|done|DONE|erledigt)\b)[^\w.]*(?:\w+)?[.!]?$"
    r"|(?<=\w): (?:done|booked|paid|ordered|sent|erledigt)[.!]?$"
    r"|\s+(?:[✓✔✅]\W*(?:done|erledigt)?|[–—-]+\s+DONE)\b.*$)"
)
_DONE_BY = re.compile(r"\b(?:by|von) (\[\[[^\]]+\]\]|\w+)")
"""What says at the end of a task that it is done."""
_PART = re.compile(r"\s*[,;|]\s+|\s+(?:-{1,2}|[–—·])\s+|\s+or rather\s+")
_PERSON = re.compile(
    r"(?:[A-ZÀ-Ž]\.? ?)?(?:(?:Mrs?|Ms|Dr|Fr|Hr|Fa)\.? )?[A-ZÀ-Ž][\w.'’-]*(?: [A-ZÀ-Ž][\w.'’-]*)?"
    r"(?:['’]s? \w+)?(?: ?[+&/] ?(?:his |her )?\w[\w.]*| and [A-Z]\w+)*"
)
_MOST_OF_A_NAME = 4
"""Words of a part beside a date or a duration that can be who does it."""
_FEWEST_OF_A_REMARK = 3
"""Words in brackets at the end that are no part of the title."""
_BEHIND_COLON = re.compile(r"(?<=\w)(?P<sign>[:,]) (?P<who>[A-ZÀ-Ž][\w.]+(?: (?:and |& )?[A-ZÀ-Ž][\w.]+)?)$")
_STATE_BEFORE = re.compile(r"[\[(](?P<state>[a-zA-Z][a-zA-Z ]{2,14})[\])]:?\s+(?=\w)")
_MYSELF = re.compile(r"me|I|us|we|ich|wir", re.IGNORECASE)
_ASSIGNED = re.compile(r"[A-ZÀ-Ž][a-zà-ž]{2,}")
"""A single word in square brackets behind a task."""
_FIGURE = re.compile(r"\d+ ?(?:(?:[cmk]?m|k?g|m?l|pcs?|stk|eur)\b|[%€])")
"""A size, which says what is to be done."""
_TITLED = re.compile(r"(?:Frau|Herr|Fr\.|Hr\.|Mrs?\.?|Ms\.?|Dr\.?|Mme|Fa\.) [A-ZÀ-Ž][\w-]+(?: [A-ZÀ-Ž][\w-]+)?")
_OWN_WEEK = re.compile(r"\b(?:KW|week|sprint|phase) ?\d", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d ?(?:[ap]m|uhr|h)?(?: ?[–-] ?\d{1,2}[:.]\d\d)?|\d{1,2} ?[ap]m", re.IGNORECASE)
_NOBODY = re.compile(
    r"\W*|some(?:body|one)|any(?:body|one)|tbd|tba|none|n/?a|nobody|open|offen|\W*unassigned\W*", re.IGNORECASE
)
_VAGUE_DAY = re.compile(r"(?:someday|asap|tbd|next meeting|\?+|soon|irgendwann)\b[!.]*", re.IGNORECASE)
_SOME_DAY = re.compile(
    r"(?:\s*(?:--?>|[,–—-]))?\s+(?:someday|asap|(?:by|before|until|at) (?:the |our )?next meeting)[!.]*$", re.IGNORECASE
)


_STRUCK = re.compile(r"~~(?P<what>.+?)~~\s*")


def has_id(text: str) -> bool:
    """Tell whether a line begins with what it is called."""
    return _ID.match(text) is not None or _NAMED_ID.match(text) is not None


def draft_of(line: int, text: str, names: Names, today: date, *, month_first: bool = False) -> StepDraft:
    """Return the step that the line of a task says, without bullet and box."""
    text = " ".join(text.split())
    marked = StepDraft(line, text)
    if len(text) > LONGEST_LINE:
        return marked
    text = _head(text, marked, names, today)
    if (struck := _STRUCK.match(text)) is not None:
        rest = text[struck.end() :]
        if begins_with_verb(rest):  # what is done instead
            marked.cut_off(struck["what"])
            text = rest
        elif not _ENDED.match(f" {rest}"):
            marked.give("status", "dropped")
            marked.guesses.append("what is struck through read as dropped")
            marked.cut_off(rest)
            text = struck["what"]
    text = _EMPHASIS.sub("", _signs(text, marked, today))
    text = _Tail(marked, names, today, month_first).cut_from(text)
    text = text.strip(" –—-|·;,:") if re.search(r"\w", text) else text
    if not re.search(r"\w", text):
        text, marked.cut = marked.title, []
    text = _copy(text, marked, names, today)
    marked.title = text
    return marked


def _head(text: str, marked: StepDraft, names: Names, today: date) -> str:
    if (match := STATE.match(text) or ACTION.match(text)) is not None and re.search(r"\w", text[match.end() :]):
        marked.give("status", status_of(match[0].strip(" :")) if match[0].strip(" :") != "TODO" else None)
        who = match.groupdict().get("who") or ""
        if names.is_name(who) or re.fullmatch(r"[A-ZÀ-Ž]\w+", who):
            marked.give("owner", who)
        marked.cut_off(match[0].strip())
        text = text[match.end() :]
    if (match := _STATE_BEFORE.match(text)) is not None and marked.give("status", status_of(match["state"])):
        marked.cut_off(match["state"])
        text = text[match.end() :]
    if (match := _NAMED_TITLE.fullmatch(text)) is not None:
        marked.cut_off(match["key"])
        text = match["text"]
    text = _without_time(text, marked)
    match = WHEN.match(text)
    if match is not None and marked.give("deadline", day_of(match[0].strip(" *:–—|-"), today)):
        marked.cut_off(match[0])
        text = text[match.end() :]
    if (match := _COUNTED.match(text)) is not None:
        marked.cut_off(match[0].strip(" :–—"))
        text = text[match.end() :]
    if (match := _ID.match(text)) is not None and re.search(r"\w", text[match.end() :]):
        name = match["bracketed"] or match["plain"] or match["marked"]
        marked.ids.append(name.rstrip("."))
        marked.cut_off(name)
        text = text[match.end() :]
        if match[0].startswith(("**", "__")) and match[0].count(match[0][:2]) == 1:
            text = match[0][:2] + text
    elif (match := _NAMED_ID.match(text.replace("**", ""))) is not None:
        marked.ids.append(match["id"])
        return text
    text = _without_time(text, marked)
    while marked.ids and (match := _BRACKETS.match(text)) is not None and re.search(r"\w", text[match.end() :]):
        marked.tags.append(match[1])
        marked.cut_off(match[1])
        text = text[match.end() :]
    return text


def _without_time(text: str, marked: StepDraft) -> str:
    """Cut a time of day off the beginning of a line."""
    if (match := _TIME.match(text)) is None:
        return text
    marked.cut_off(match[0].strip(" :–—|-"))
    return text[match.end() :]


def _signs(text: str, marked: StepDraft, today: date) -> str:
    """Take out the fields that are written with a sign, as Obsidian has them."""

    def signed(match: re.Match[str]) -> str:
        marked.cut_off(match[0].strip())
        take(marked, _SIGNED.get(match["sign"] or match["mark"], ""), match["day"] or match["ids"], today)
        return ""

    def keyed(match: re.Match[str]) -> str:
        found = label_of(f"{match['key']}: {match['value']}")
        key = match["key"].casefold().replace(" ", "")
        name = {"dependson": "needs", "completion": "finished", "scheduled": "start", "id": "id"}.get(key)
        if key not in ("created", "priority", "time") and not take(
            marked, name or (found[1] if found else ""), match["value"], today
        ):
            return match[0]
        marked.cut_off(f"{match['key']}: {match['value']}")
        return ""

    def worded(match: re.Match[str]) -> str:
        name = _WORDED.get(match["key"], match["key"])
        if name == "finished":
            marked.give("status", "done")
        take(marked, name, match["value"], today)
        marked.cut_off(match[0])
        return ""

    if "::" in text:
        text = _DATAVIEW.sub(keyed, text)
    text = " ".join(_KEYED.sub(worded, _VALUED.sub(worded, text)).split())
    if text.isascii():
        return text
    return _SIGN.sub(signed, text)


def take(marked: StepDraft, name: str, value: str, today: date, *, month_first: bool = False) -> bool:
    """Give the value of a field that was named; tell whether it fits."""
    value = value.strip().strip("*_` ")
    if not value:
        return False
    match name:
        case "owner":
            return (
                len(value) <= 100 and _NOBODY.fullmatch(value) is None and marked.give("owner", value.removeprefix("@"))
            )
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
            marked.need(needs_of(value))
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


@dataclass(slots=True)
class _Tail:
    """Cuts off the end of a line what only says who, when, how long, or a remark."""

    marked: StepDraft
    names: Names
    today: date
    month_first: bool
    is_dated: bool = False
    """Whether a day behind a dash was cut."""

    def cut_from(self, text: str) -> str:
        """Return a line without its fields at the end."""
        text = self._led(text)
        for _ in range(8):
            before = text
            for cut in (
                self._signed,
                self._grouped,
                self._labelled,
                self._dated,
                self._dashed,
                self._measured,
                self._mentioned,
            ):
                if (shorter := cut(text.rstrip(" |"))) is not None and re.search(r"[^\W\d_]{2}", shorter):
                    text = shorter
                    break
            if text == before:
                return text
        return text

    def _led(self, text: str) -> str:
        """Return what is done, of a line of parts that begins with who does it: "Anna · book the van · 2d"."""
        first, *parts = re.split(r"\s+[·|–—]\s+", text)
        if not parts or not begins_with_verb(parts[0]) or not (self.names.is_name(first) or _PERSON.fullmatch(first)):
            return text
        if len(parts) > 1 or self.names.is_name(first):
            self.marked.give("owner", first)
            self.marked.cut_off(first)
            return text[text.index(parts[0], len(first)) :]
        return text

    def _signed(self, text: str) -> str | None:
        """Cut a tag, an issue's number, a mention, or that it is done."""
        if (match := _TAG.search(text)) is not None:
            self.marked.tags.insert(0, match["tag"])
            self.marked.cut_off(match["tag"])
            return text[: match.start()]
        if (match := _ENDED.search(text)) is not None and match.start():
            by = _DONE_BY.search(match[0])
            known = filter(self.names.is_name, re.findall(r"\w+", match[0]))
            self.marked.give("owner", _linked(by[1]) if by else next(known, ""))
            self.marked.give("status", "done")
            self.marked.cut_off(match[0])
            return text[: match.start()]
        if (match := _ISSUE.search(text)) is not None:
            if (needed := _NEEDS.fullmatch(match["part"])) is not None:
                self.marked.need(_refs(needed))
            self.marked.cut_off(match["part"])
            return text[: match.start()]
        needed = next((match for match in _NEEDS.finditer(text) if match.end() == len(text.rstrip(" ."))), None)
        if needed is not None and text[: needed.start()].rstrip()[-1:] in (",", ";", "–", "—", "-"):
            self.marked.need(_refs(needed))
            self.marked.cut_off(needed[0])
            return text[: needed.start()].rstrip(" ,;–—-")
        mention = next((match for match in _AT.finditer(text) if not re.search(r"\w", text[match.end() :])), None)
        if mention is not None and mention.start():
            self.marked.give("owner", mention["name"])
            self.marked.cut_off(mention["name"])
            return text[: mention.start()].rstrip(" ,;–—-(")
        return None

    def _grouped(self, text: str) -> str | None:
        """Cut what stands in brackets at the end, where a part of it is a field, or all of it a remark."""
        if (match := _BRACKET.search(text)) is None or not match.start():
            return None
        inner = match["round"] or match["square"]
        if match["square"] and _ASSIGNED.fullmatch(inner):
            self.marked.give("owner", inner)
            self.marked.cut_off(inner)
            return text[: match.start()]
        is_count = re.fullmatch(r"\d+/\d+|\d+ ?%|(?:#\d+[, ]*)+", inner) is not None
        is_remark = len(re.findall(r"\w+", inner)) >= _FEWEST_OF_A_REMARK and not _FIGURE.search(inner)
        if not is_count and not self._take_parts(inner) and not is_remark:
            return None
        self.marked.cut_off(inner)
        return text[: match.start()]

    def _dashed(self, text: str) -> str | None:
        """Cut the last parts behind dashes or bars, where one is a field and the others can be who does it."""
        breaks = list(_DASH.finditer(text))
        start, cut, has_field, who = len(text), len(text), self.is_dated, ""
        for at in reversed(range(len(breaks))):
            end = breaks[at + 1].start() if at + 1 < len(breaks) else len(text)
            part = text[breaks[at].end() : end].strip(" →=>")
            part = part.removeprefix("->").strip()
            if part and self._take_parts(part):
                has_field = True
            elif part and self._can_be_who(part):
                who = who or part
            else:
                break
            start = breaks[at].start()
            if has_field:
                cut = start
        if not has_field or not start or (_TO_DAY.search(text[:cut]) and _FROM_DAY.match(text[cut:])):
            return None
        if who:
            self.marked.give("owner", _linked(who).rstrip("."))
        self.marked.cut += [(part, part) for part in _DASH.split(text[cut:]) if part.strip()]
        return text[:cut]

    def _can_be_who(self, text: str) -> bool:
        is_short = len(text.split()) <= _MOST_OF_A_NAME and not re.search(r"[\d?!:]{2}|\d", text)
        return is_short and not (begins_with_verb(text) or status_of(text) or _MYSELF.fullmatch(text))

    def _take_parts(self, inner: str) -> bool:
        """Read parts as fields; tell whether one is."""
        if (needed := _NEEDS.fullmatch(inner)) is not None:
            self.marked.need(_refs(needed))
            return True
        if self.names.is_name(inner) and self.marked.give("owner", inner):
            self.marked.guesses.append("a name in brackets, or behind a dash, read as owner")
            return True
        parts = [inner] if day_of(inner, self.today) else [part for part in _PART.split(inner) if part.strip()]
        read = [self._part(part.strip().strip("*_`'")) for part in parts]
        if any(read) and len(parts) > 1 and "owner" not in self.marked.values:
            rest = [part.strip(" *_`'!.") for part, is_read in zip(parts, read, strict=True) if not is_read]
            is_dated = "deadline" in self.marked.values
            if rest and self._can_be_who(rest[0]) and (is_dated or _PERSON.fullmatch(rest[0])):
                self.marked.give("owner", rest[0])
        return any(read) or (len(parts) == 1 and self._is_plural(inner))

    def _is_plural(self, inner: str) -> bool:
        """Tell whether a part names somebody by a relation: "Dee's mum", "Paul + his cousin"."""
        who = re.match(r"(?P<name>[A-ZÀ-Ž][\w.]+)(?:['’]s \w+| ?[+&] ?\w[\w ]*)", inner)
        return who is not None and who.end() == len(inner) and self.marked.give("owner", inner)

    def _labelled(self, text: str) -> str | None:
        """Cut a field with its label at the end: "Owner: Rashid", "note: the road is closed"."""
        for match in _LABELLED.finditer(text):
            label = label_of(match["part"])
            if label is None or not label[1] or not match.start():
                continue
            parts = re.split(
                r"\s*[|;]\s*|\s+[–—-]\s+|,\s+(?=by|until|due|\d)|(?<=\w\w)\.(?:\s+|$)", label[2], maxsplit=1
            )
            if self._take(label[1], parts[0]) or label[1] == "notes":
                self.marked.cut_off(match["part"].strip("() "))
                if len(parts) > 1:
                    self._take_parts(parts[1])
                return text[: match.start()].rstrip(" (,;|–—-")
        return None

    def _take(self, name: str, value: str) -> bool:
        return take(self.marked, name, value, self.today, month_first=self.month_first)

    def _dated(self, text: str) -> str | None:
        """Cut a day at the end, with the word before it."""
        for fact in reversed(read_facts(text, self.today) if _DAY_WORDS.search(text) else ()):
            if fact.type != "date" or fact.start == 0 or fact.value.recurs or not _is_day(fact):
                continue
            if re.fullmatch(r"(?:from|in|since|of) \d{4}", fact.text, re.IGNORECASE):  # "the tapes from 1987"
                continue
            behind = text[fact.end :]
            lead = _BEFORE_DAY.search(text[: fact.start])
            start = lead.start() if lead is not None else fact.start
            is_apart = start < fact.start - 1 or re.match(
                r"by|due|deadline|until|before|bis|[\d]|\w+day\b|\w+ \d", fact.text
            )
            if not _LATEST.fullmatch(behind) and not (
                re.match(r"(?: ?\d{2})?\s*(?:,|with|mit|\d)", behind) and len(behind.split()) <= 6
            ):
                continue
            is_range = fact.value.first != fact.value.last and text[: start + 1].endswith(":")
            is_inside = text[:start].count("(") > text[:start].count(")") and ")" in behind
            if (
                is_inside
                or not is_apart
                or is_range
                or not re.search(r"[^\W\d_]{2}", text[:start])
                or _LEFT_OPEN.search(text[: start + 1])
            ):
                continue
            day = fact.value.limit or fact.value.last
            field = {"start": "not_before"}.get(fact.role, "deadline")
            if (
                field in self.marked.values and not self.is_dated
            ):  # a field says another day: "ice for 3 Dec [by 1 Dec]"
                continue
            self.marked.give(field, day)
            if fact.doubt:
                self.marked.guesses.append(fact.doubt)
            self._take_parts(behind.strip(" ,;!."))
            last = _DASH.split(text[:start])[-1]
            is_behind_who = last != text[:start] and _PERSON.fullmatch(last.strip()) is not None
            self.is_dated = self.is_dated or is_behind_who or re.match(r"\s+[–—|-]", text[start:]) is not None
            self.marked.cut_off(text[start:].strip(" ,;–—-()"))
            return text[:start]
        if (vague := _SOME_DAY.search(text)) is not None:
            self.marked.cut_off(vague[0].strip(" –—->"))
            return text[: vague.start()]
        return None

    def _measured(self, text: str) -> str | None:
        """Cut a duration or an amount of money at the end that is no part of the sentence."""
        match = _EFFORT.search(text)
        if (
            match is None
            or _IN_SENTENCE.search(text[: match.start()])
            or (match[0].lstrip()[:1] == "," and "min" in match[0])
        ):
            return None
        part = match["part"].strip("( ")
        self.marked.give("effort", effort_of(part)) or self.marked.give("cost", money_of(part))
        self.marked.cut_off(part)
        return text[: match.start()]

    def _mentioned(self, text: str) -> str | None:
        """Cut a mention with a remark behind it."""
        if (named := _BEHIND_COLON.search(text)) is not None:
            before, who = text[: named.start()], named["who"]
            is_who = self.names.is_name(who) or (named["sign"] == ":" and _PERSON.fullmatch(who) is not None)
            if is_who and begins_with_verb(before) and (named["sign"] == ":" or "deadline" in self.marked.values):
                self.marked.give("owner", who)
                self.marked.cut_off(who)
                return before
        mention = next(_AT.finditer(text), None)
        before = text[: mention.start()] if mention is not None else ""
        if mention is None or not re.search(r"\w+ \w+ ?$", before) or _TOWARDS.search(before):
            return None
        self.marked.give("owner", mention["name"])
        self.marked.cut_off(text[mention.start() :])
        return before

    def _part(self, text: str) -> bool:
        """Read one part of what stands in brackets or behind a dash; tell whether it is a field."""
        text = _linked(text)
        if _CLOCK.fullmatch(text):
            return True
        if re.fullmatch(r"v?[\d.,]{1,5}", text):
            return False
        marked, names, today = self.marked, self.names, self.today
        if (label := label_of(text)) is not None and label[1] and label[2]:
            return self._take(label[1], label[2])
        if (effort := effort_of(text)) is not None or re.fullmatch(
            r"[~ca. ]*(?:\d+|an?|one|half an?) (?:weekend|day|week)s?.{0,12}", text
        ):
            marked.give("effort", effort)
            return True
        if (ended := re.match(r"(?:done|erledigt|shipped|sent)\b", text, re.IGNORECASE)) is not None:
            marked.give("finished", day_of(text[ended.end() :], today, month_first=self.month_first))
            marked.give("status", "done")
            return True
        if (mention := _AT.search(text)) is not None and not _TOWARDS.search(text[: mention.start()]):
            return marked.give("owner", mention["name"])
        if days := list(days_said(text, today, whole=True)):
            for each in days:
                _give_day(marked, *each)
            return True
        if (
            re.search(r"\d|morrow", text)
            and not re.fullmatch(r"[\d.,]{1,4}", text)
            and (day := _day_within(text, today, self.month_first)) is not None
        ):
            marked.guesses.append("a day in brackets read as a deadline")
            marked.give("deadline", day)
            return True
        if (match := _NEEDS.fullmatch(text)) is not None:
            marked.need(_refs(match))
            return True
        if (money := money_of(text)) is not None:
            marked.give("cost", money)
            return True
        if re.fullmatch(r"(?:still )?open|offen|todo|to do", text, re.IGNORECASE) or _VAGUE_DAY.fullmatch(text):
            return True
        if names.is_name(text) or _TITLED.fullmatch(text):
            marked.guesses.append("a name in brackets, or behind a dash, read as owner")
            marked.give("owner", text)
            return True
        return False


def _linked(text: str) -> str:
    """Return the text of a link of a wiki or of Markdown: "[[User:Anna|Anna]]"."""
    match = re.fullmatch(r"\[\[(?:[^\[\]|]*[|:])?([^\[\]|]+)\]\]|\[([^\[\]]+)\]\([^()]*\)", text.strip())
    return (match[1] or match[2]) if match else text


def _day_within(text: str, today: date, month_first: bool) -> str | None:
    """Return the day that a few words name besides nothing else of weight: "delivery 20.02.2027"."""
    if (day := day_of(text, today, month_first=month_first)) is not None:
        return day
    facts = [
        fact for fact in read_facts(text, today) if fact.type == "date" and _is_day(fact) and not fact.value.recurs
    ]
    around = len(text.split()) - len(facts[0].text.split()) if len(facts) == 1 else 9
    return (facts[0].value.limit or facts[0].value.last) if around <= 4 else None


def _is_day(fact: Fact) -> bool:
    return fact.value.last is not None and not _OWN_WEEK.search(fact.text)


def _copy(text: str, marked: StepDraft, names: Names, today: date) -> str:
    """Copy out what the sentence itself says; return it without who it asks."""
    for said in days_said(text, today):
        _give_day(marked, *said)
    for match in _NEEDS.finditer(text):
        if _VAGUE.fullmatch(match["cue"]):
            marked.hints += _refs(match)
        else:
            marked.need(_refs(match))
    if not marked.needs and (title := _NEEDS_TITLE.search(text)) is not None:
        marked.hints.append(title["text"].strip(" .)"))
    who, what = asked(text, names)
    if (mention := _AT.search(text)) is not None and not (what and who.startswith("@")):
        marked.give("owner", mention["name"])
    who = "" if _NOBODY.fullmatch(who) else who
    if what and not who and "owner" not in marked.values:
        marked.cut_off(text[: text.index(what)].strip())
        text = what
    if who and "owner" not in marked.values and marked.give("owner", who.replace("@", "")):
        marked.guesses.append("a name at the beginning of a line read as owner")
        if what:
            marked.cut_off(text[: text.index(what)].strip())
            text = what
    for inner in re.findall(r"\(([^()]{1,80})\)", text):
        for part in re.split(r"\s*[,;|]\s*", inner):
            marked.give("effort", effort_of(part))
            if names.is_name(part):
                marked.give("owner", part)
    for part in re.split(r"\s*[,;|]\s*", text)[1:]:
        marked.give("effort", effort_of(part))
    return text


def _give_day(marked: StepDraft, name: str, day: str, doubt: str) -> None:
    """Set the day that a text gives a step, and note what is doubtful about it."""
    marked.give(name, day)
    if doubt:
        marked.guesses.append(doubt)


def _refs(match: re.Match[str]) -> list[str]:
    parts = re.split(r"\s*(?:,|&|\+|/|\band\b|\bund\b)\s*", match["ids"])
    return [part.strip() for part in parts if part.strip()]
