"""What would work instead of what is wrong: lines that could have been meant, the likeliest first.

Each is tried before it is shown, so that what is suggested can be typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from workbench.domain.commands.errors import Misread
from workbench.domain.commands.grammar import HINTS
from workbench.domain.commands.naming import quoted
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import MONTHS, WEEKDAYS

_MEANT: Mapping[str, str] = {
    word: meant
    for meant, words in {
        "dropped": "drop cancel cancelled skip abandon",
        "done": "complete completed finish closed close ready",
        "under way": "in·progress ongoing begun doing running",
        "started": "start begin began",
        "not before": "starts·on starts begins·on begins from earliest",
        "by": "until latest due·by bis",
        "on": "am",
        "owner": "assigned·to assign assigned responsible who for",
        "needs": "depends follows after needs·only",
        "needs not": "not without",
        "duration": "lasts length",
        "cost": "price costs",
        "late": "delayed delay postponed postpone slips shift",
        "waiting": "blocked stuck paused",
        "waiting for": "blocked·by waits·for awaits",
        "title": "rename",
        "tag -": "untag",
        "away": "off vacation holiday leave absent ill",
        "choose": "decide decided pick",
        "dismiss": "ignore",
        "accept": "approve",
        "decline": "reject refuse",
        "used in": "used",
        "remove": "delete",
        "add": "new create",
        "merge": "join combine",
        "undo": "revert rollback",
        "undo to": "undo",
        "replan": "reschedule",
        "working days": "workdays work·days week",
        "days off": "day·off day holiday holidays closed",
        "goal day": "goal event",
        "step": "task milestone activity",
        "first": "up top to·top",
        "plan title": "plan",
        ":": "answer",
        "": "into now please also by set",
    }.items()
    for word in words.replace("·", "\0").split()
}
"""What people write, and the word of the grammar that says it."""
_PHRASES = {word.replace("\0", " "): meant for word, meant in _MEANT.items()}
_LEFT_OUT = ("; ", ", ", "to ", "choose ", "cost ", "takes ")
"""What is often left out before a word."""
_VERBS = ("move", "remove", "split", "merge", "repeat")
_ITEM = lazy_pattern(r"(?:step\s+)?[A-Za-z]\d{1,9}(?!\w)|\"[^\"\n]*\"")
_WORDS = lazy_pattern(r"[^\s;\"“”„«»](?:[^;\"“”„«»]*[^\s;\"“”„«».,])?")
"""Words up to the end of a command, which may have been meant as a text."""
_FIRST_NAME = lazy_pattern(r"@(\w+)\s+\Z")
_NUMBER = lazy_pattern(r"\d+")
_NEGATION = lazy_pattern(r"(?<!\w)(?:not|no|never|nobody|nothing|hardly|barely|nicht|kein\w*)(?!\w)|n['’]t\b")
_MOST_WORDS = 3
GLUE = ("+", "-", "–", "/")
"""Begin no word if they are right after a letter: of "S3-S5" and "done-ish" nothing is left out."""


def suggested(error: Misread, line: str, start: int, end: int) -> Iterator[str]:
    """Yield the line with what could replace what is wrong, from one index to another."""
    at = max(line.rfind(mark, 0, start) for mark in ";,") + 1
    at += len(line[at:]) - len(line[at:].lstrip())
    before, here, bad, rest = line[:at], line[at:start].strip(), line[start:end], line[start:]
    if bad[:1] in GLUE and line[start - 1 : start].isalnum():  # "S3+S5"
        yield f"{line[:start]}, {rest[1:]}"
        return
    yield line.replace(" and @", " @").replace(", @", " @")
    for phrase, meant in _fitting(rest):
        yield from _reworded_lines(before, here, meant, rest[len(phrase) :].strip())
    yield from (f"{line[:start]}{instead}{line[end:]}" for instead in error.instead)
    if not bad:
        return
    for mark in _LEFT_OUT:
        yield f"{line[:start].rstrip() if mark[0] in ',;' else line[:start]}{mark}{rest}"
    words = _WORDS.match(line, start)
    if (name := _FIRST_NAME.search(line[:start])) and bad[0].isupper():
        yield f"{line[: name.start()]}@{quoted(f'{name[1]} {bad}')}{line[end:]}"
    elif _is_name(bad):
        yield f"{line[:start]}{'owner ' if here else '@'}{rest}"
        if words and _is_name(words[0]) and len(words[0].split()) <= _MOST_WORDS:
            yield f"{line[:start]}owner {quoted(words[0])}{line[words.end() :]}"
    if here and bad in _VERBS:
        yield f"{before}{bad} {here} {line[end:].strip()}".rstrip()
    if here:
        yield from (f"{before}{here}: {rest}", f"{before}move {here} {rest}", f"{before}repeat {here} {rest}")
    if words and HINTS["QUOTED"] in error.expected:
        yield f"{line[:start]}{quoted(words[0])}{line[words.end() :]}"


def _is_name(text: str) -> bool:
    """Tell whether words may be somebody's name: each begins with a capital, and none is a day."""
    words = text.split()
    is_name = all(len(word) > 1 and word.isalpha() and word[0].isupper() for word in words)
    return is_name and not any(word.casefold() in WEEKDAYS or word.casefold() in MONTHS for word in words)


def keeps_numbers_and_negations(one: str, line: str, *, may_add_numbers: bool) -> bool:
    """Tell whether a suggestion keeps every number and negation of a line, and adds no number unless it may."""
    numbers, wanted = (set(_NUMBER.findall(text)) for text in (one, line))
    negations, denied = (set(_NEGATION.findall(text.casefold())) for text in (one, line))
    return denied <= negations and (may_add_numbers or numbers == wanted)


def _reworded_lines(before: str, here: str, meant: str, rest: str) -> Iterator[str]:
    """Yield a line with another word: in place, after the item that follows, or before the one that it follows."""
    said = f"{meant}{'' if meant.endswith('-') else ' '}{rest}".strip()
    yield f"{before}{here} {said}".rstrip() if here else f"{before}{said}"
    if not here and (item := _ITEM.match(rest)):
        behind = rest[item.end() :].strip().removeprefix("to ")
        yield f"{before}{item[0]} {meant} {behind}".rstrip()
    if meant in _VERBS and (item := _ITEM.match(here)):
        yield f"{before}{meant} {item[0]} {rest}".rstrip()


def _fitting(text: str) -> Iterator[tuple[str, str]]:
    """Yield the phrases that begin a text, the longest first, each with what says it."""
    folded = text.casefold()
    found = [phrase for phrase in _PHRASES if f"{folded} ".startswith(f"{phrase} ")]
    yield from ((phrase, _PHRASES[phrase]) for phrase in sorted(found, key=len, reverse=True))


def nearest(word: str, known: list[str]) -> tuple[str, ...]:
    """Return up to three known words that a word resembles, the nearest first."""
    from rapidfuzz import fuzz, process

    found = process.extract(word.casefold()[:40], known, scorer=fuzz.ratio, limit=3, score_cutoff=76)
    return tuple(choice for choice, _, _ in found)


def spelled_out(word: str, rest: str, names: Sequence[str], today: date) -> tuple[str, ...]:
    """Return values that a number or a short form may stand for, with what is after it."""
    if re.fullmatch(r"\d+m", word) and {"SPAN", "WORK"} & set(names):
        return (f"{word[:-1]}min", f"{word[:-1]}mo")
    if (decimals := re.fullmatch(r"(\d+\.\d{3})([a-z]*)", word)) and {"SPAN", "WORK"} & set(names):
        return (f"{decimals[1]}0{decimals[2]}",)
    if re.fullmatch(r"[Qq][1-4]", word) and {"DAY", "PERIOD", "PAST"} & set(names):
        return (f"{word} {today.year + 1}",)
    if re.fullmatch(r"\d[\d.,]*k", word) and "MONEY" in names:
        return (f"{word} EUR",)
    if re.fullmatch(r"\d[\d.,]*", word) and not re.match(r"\s+[^\W\d_]", rest):
        units = {"MONEY": " EUR", "WORK": "d", "SPAN": "d", "RATE": "/week", "SHARE": "%"}
        return tuple(f"{word}{unit}" for name, unit in units.items() if name in names)
    return ()
