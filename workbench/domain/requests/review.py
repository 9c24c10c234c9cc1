"""What a request made of a plan, held against its words: what was passed over, and what still says the old.

words of the clause  ─ words of the form, of the lines it changed, of its answer ─▶ left over: asked, or told
values that went     ─ lines that still say them                                 ─▶ leftovers: told and asked
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date
from functools import lru_cache

import msgspec

from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.plan import Constraint, Decision, Item, Person, Plan, Risk, Step
from workbench.domain.requests.amounts import facts, spoken, without
from workbench.domain.requests.context import Context, listed
from workbench.domain.requests.lookup import ID, likeness, root, roots, telling

_WORD_NUMBERS = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: str(at) for at, word in enumerate(_WORD_NUMBERS.split(), 1)}
"""Numbers as words, with their digits."""
_FIGURE = re.compile(rf"(?i)(?<![\w.-])(?:\d[\d.,]*\d|\d|{'|'.join(NUMBERS)})(?=k?(?![\w-]))")
_TURNS = re.compile(r"(?i)\b(?:except|unless|only if|not until|apart from|other than|but not|without)\b")
"""Words that turn what was asked into something else where nothing takes them up."""
_TEXTS = ("title", "text", "outcome", "check", "measure", "target", "sign", "response", "notes", "assumption", "reason")


def unaccounted(context: Context, answer: str, after: Plan, vocabulary: str) -> list[str]:
    """Return the words and values of a clause that nothing takes up: the form, the answer, an item that it names."""
    text, before, today = context.text, context.plan, context.today
    if left := passed_over(text, answer, before, after, today):
        return left
    named = {name.upper() for name in re.findall(rf"\b{ID}\b", answer)}
    lines = [*_changed(before, after), *(item for item in before.items if item.id in named)]
    known = {word for line in lines for word in roots(msgspec.json.encode(line).decode())}
    known |= {*roots(answer), *_vocabulary(vocabulary), *_FILLER}
    bare = re.sub(rf"\b{ID}\b|\b\d+(?:st|nd|rd|th)\b", " ", without(text, facts(text, today)))
    bare = re.sub(r"(?i),? (?:and )?(?:not|instead of|rather than|was) [^,;]*$", "", bare)
    bare = re.sub(r"(?i)\b\w+(?:n['’]t|['’](?:d|ll|re|ve|m))\b", " ", bare)
    words = [word for word in re.findall(r"[^\W\d_][\w'’-]*", bare) if not _FIGURE.fullmatch(word)]
    return [word for word in words if any(not _meets(one, known) for one in roots(word)[:1])]


def _meets(word: str, known: Collection[str]) -> bool:
    return word in known or any(
        likeness(word, other) >= 0.9 or (len(word) > 3 and other.startswith(word)) for other in known
    )


@lru_cache
def _vocabulary(text: str) -> frozenset[str]:
    """Return the roots of the words that a form is made of."""
    return frozenset(root(word) for word in re.findall(r"[a-z]+", text.lower()))


_FILLER = roots(
    "please pls thanks thank btw fyi now then well also still just really actually bit itself myself already say "
    "said tell think make sure want need get keep let sorry course early late quite rather own altogether total "
    "working good great ok okay fine yes no hi hello maybe must has have per would like to know guess ready done "
    "finished date nobody thought first second third less more built build rest everything all both each go went "
    "brother sister mum mother dad father cousin friend uncle aunt wife husband boss colleague max maximum"
)


def passed_over(text: str, answer: str, before: Plan, after: Plan, today: date) -> list[str]:
    """Return the ids, values and turning words of a clause that neither the answer nor a changed line takes up."""
    lines = _changed(before, after)
    told = " ".join([answer, *(msgspec.json.encode(item).decode() for item in lines)])
    bare = re.sub(rf"\b{ID}\b", " ", text)
    known = {item.id.upper() for item in before.items}
    left = [
        name
        for name in re.findall(rf"\b{ID}\b", text)
        if name.upper() in known and not re.search(rf"(?i)\b{name}\b", told)
    ]
    if re.search(r"(?:-|–|\bto\b|\bthrough\b|\bup to\b|\buntil\b|\binto\b)", text):
        left = []
    days = [fact for fact in facts(bare, today) if fact.type == "date" and fact.value.first]
    for fact in days:
        said = filter(None, {fact.value.first, fact.value.last, fact.value.limit})
        is_told = fact.text in told or any(
            day in told
            or spoken(date.fromisoformat(day), today) in told
            or (day[:4] not in fact.text and day[4:] in told)
            for day in said
        )
        ordinal = re.search(r"\bthe (\d+)(?:st|nd|rd|th)$", fact.text)  # of the month that the answer names
        is_told = is_told or bool(ordinal and re.search(rf"\b{ordinal[1]} [A-Z]", told))
        is_told = is_told or not re.search(r"\d", fact.text)  # "Tuesday" may be the last one
        left += [] if is_told or _WAS.search(bare[: fact.start]) else [fact.text]
    quiet = without(bare, days)
    quiet = re.sub(r"(?i),? (?:and )?(?:not|instead of|rather than|was) [^,;]*$", "", quiet)
    figures = {_plain(match[0]) for match in _FIGURE.finditer(told)} | {str(len(after.items) - len(before.items))}
    values = [float(figure) for figure in figures if re.fullmatch(r"\d{1,9}(?:\.\d+)?", figure)][:_MOST_VALUES]
    figures |= {f"{abs(one - other):g}" for one in values for other in values}
    figures |= {f"{abs(100 - 100 * one / other):.0f}" for one in values for other in values if other}
    left += [match[0] for match in _FIGURE.finditer(quiet)
             if match[0].lower() != "one" and not figures & _meanings(match[0])]  # fmt: skip
    return left + [match[0] for match in _TURNS.finditer(text) if match[0].lower() not in told.lower()]


_MOST_VALUES = 40
_WAS = re.compile(r"(?i)\b(?:not|instead of|rather than|was|from)\W*(?:(?:on|the|in|by) )*$")


def _meanings(figure: str) -> set[str]:
    """Return the numbers that a figure can stand for in an answer: 2 weeks are 10 days, 40k are 40,000."""
    number = _plain(figure)
    value = float(number) if re.fullmatch(r"\d+(?:\.\d+)?", number) else 0.0
    times = {value * factor for factor in (1, 5, 20, 7, 0.125, 0.01, 1000, 1_000_000)} | {
        1 - value / 100,
        1 + value / 100,
    }
    return {number, figure.lower(), *(f"{time:g}" for time in times), *(str(int(time)) for time in times)}


def _plain(figure: str) -> str:
    bare = NUMBERS.get(figure.lower(), figure).rstrip(".,")
    return re.sub(r"(?<=\d)[.,](?=\d{3}(?!\d))", "", bare).replace(",", ".")


def _changed(before: Plan, after: Plan) -> list[Item]:
    """Return the items that differ between two plans, as they were and as they are."""
    old, new = ({item.id: item for item in plan.items} for plan in (before, after))
    differ = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return [items[name] for name in differ for items in (old, new) if name in items]


def leftovers(before: Plan, after: Plan) -> str:
    """Return a question about the lines that still say what a request has changed, or name what it took out."""
    old, new = ({item.id: item for item in plan.items} for plan in (before, after))
    left: dict[str, str] = {}
    changed = [name for name in new if name in old and old[name] != new[name]]
    standing = [item for item in after.items if item.id in old and not isinstance(item, Decision)]
    for name in changed:
        for words, pattern in _gone(old[name], new[name]):
            for item in standing:
                if item.id not in left and any(pattern.search(text) for text in _said(item)):
                    left[item.id] = f"still says “{words}”"
            goal = after.section("goal")
            if goal and pattern.search(goal.text):
                left["the goal"] = f"still says “{words}”"
    for name in [name for name in old if name not in new or _dropped(new[name], old[name])]:
        title = set(telling(wording(old[name])))
        for item in [item for item in standing if item.id != name and not isinstance(item, Person | Step)]:
            named = re.search(rf"\b{name}\b", " ".join(_said(item)))
            shared = title & set(telling(" ".join(_said(item))))
            if named or (isinstance(item, Risk) and len(shared) >= _SHARED and isinstance(old[name], Step)):
                left[item.id] = f"still speaks of {name}"
    if not left:
        return ""
    told = listed([f"{name} {what}" for name, what in [*left.items()][:_MOST_TOLD]])
    return f"{told[:1].upper()}{told[1:]}: shall {'that' if len(left) == 1 else 'these'} change too?"


_SHARED, _MOST_TOLD = 2, 4


def clashes(before: Plan, after: Plan) -> str:
    """Return a question about steps that are set on a day before what they need ends; "" for none."""
    old, ends = {step.id: step.on for step in before.steps}, {step.id: step.end or "" for step in after.steps}
    limits = {step.id: step.deadline for step in before.steps}
    for step in after.steps:
        if step.deadline and step.deadline != limits.get(step.id) and step.end and step.end > step.deadline:
            give = "what should give, its estimate, what it needs or the day?"
            return f"But {step.id} ends on {step.end}, after that: {give}"
        late = [
            need for need in step.needs if step.on and step.on != old.get(step.id) and ends.get(need, "") >= step.on
        ]
        if late:
            return f"But {step.id} needs {listed(late)}, which ends on {ends[late[0]]}: what should give?"
    return ""


def _dropped(item: Item, was: Item) -> bool:
    return getattr(item, "status", "") == "dropped" != getattr(was, "status", "")


def _said(item: Item) -> list[str]:
    return [text for field in _TEXTS if isinstance(text := getattr(item, field, ""), str) and text]


def _gone(old: Item, new: Item) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the values that an item no longer has, each with how other lines would say it."""
    if isinstance(old, Constraint) and isinstance(new, Constraint) and old.amount and old.amount != new.amount:
        digits = r"[.,' ]?".join(
            [f"{old.amount.amount:,.0f}".split(",")[0], *f"{old.amount.amount:,.0f}".split(",")[1:]]
        )
        yield f"{old.amount.amount:,.0f}", re.compile(rf"(?<![\d.,]){digits}(?![\d.,]*\d)")
    if isinstance(old, Constraint) and isinstance(new, Constraint) and old.day and old.day != new.day:
        day = date.fromisoformat(old.day)
        yield f"{day.day} {day:%B}", re.compile(rf"(?i)\b{day.day}\.? {day:%B}\b|\b{old.day}\b")
    for was, now in zip(_said(old), _said(new), strict=False):
        for match in _COUNTED.finditer(was):
            number, noun = match["number"], match["noun"]
            if was != now and not re.search(rf"(?i)\b{number} {noun}", now) and noun.lower() not in _UNITS:
                yield f"{number} {noun}", re.compile(rf"(?i)\b{number} {noun}\b")
    if isinstance(old, Step) and isinstance(new, Step) and old.effort and new.effort and old.effort != new.effort:
        number = f"{old.effort.likely:g}"
        words = "|".join([number, *(word for word, figure in NUMBERS.items() if figure == number)])
        if any(re.search(rf"(?i)\b(?:{words})[ -]days?\b", text) for text in _said(new)):
            yield f"{number} day{'' if number == '1' else 's'}", re.compile(rf"(?i)^{re.escape(new.title)}$")


_COUNTED = re.compile(rf"(?i)\b(?P<number>\d[\d.,]*|{'|'.join(NUMBERS)})[ -](?P<noun>[a-z]{{3,}})")
_UNITS = frozenset(["day", "days", "week", "weeks", "month", "months", "hour", "hours", "working", "percent"])
