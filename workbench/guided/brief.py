"""What is known of a goal before anything is drafted: its facts, its kind of work, its day, limits and words.

goal · answers ─▶ facts ─┐
       cores ─▶ choice ──┼─▶ Brief ─▶ approaches · draft · questions
   goal's words ─▶ slots ┘
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import Literal

import msgspec

from workbench.domain.facts.ledger import LONGEST_TOLD, Stated, named_days
from workbench.domain.facts.reader import read_facts
from workbench.domain.loop.tasks import Answered
from workbench.domain.plan.calendar import day_of
from workbench.domain.text.cleaning import clean, shorten
from workbench.domain.text.words import stems
from workbench.domain.values.dates import counted_from
from workbench.domain.values.fact import Fact
from workbench.guided import patterns
from workbench.guided.cores import Core, built_in, filled
from workbench.guided.kinds import Choice, chosen_kind
from workbench.guided.language import Language, language_of
from workbench.guided.parts import CLAUSES, SEEN, TELL, Part, Said, holds, needed_things, parts_of, stated_in
from workbench.guided.phrases import asked_for, bare, begins_with_a_verb, heading, sentences, target_of, thing_of
from workbench.guided.told import is_step, told_in

READ_AT_MOST = 8_000
"""Characters of a goal that are read; what follows is kept in the session and not read here."""
_VAGUE = frozenset(patterns.VAGUE.pattern.split("|"))
_VAGUE |= frozenset(stems(" ".join(_VAGUE)))


_FEW_WORDS, _FEW_TOLD, _FEW_UNLED = 15, 2, 6
_PLANNED = frozenset({"want", "day", "open", "duty"})
"""Kinds of parts that become steps."""
Vagueness = Literal["", "all", "more", "what", "state", "conflict"]


class Conflict(msgspec.Struct, frozen=True):
    """Words that do not go together."""

    question: str
    stops: bool
    """Whether nothing can be planned before one of them yields."""


class Brief(Said, frozen=True, kw_only=True, dict=True):
    """A goal as it was understood."""

    choice: Choice
    language: Language

    @property
    def core(self) -> Core | None:
        """The kind of work; None where none is known."""
        return self.choice.core

    @cached_property
    def words(self) -> str:
        """Everything the person said."""
        return "\n".join([self.goal, *(answered.answer for answered in self.answers)])

    @cached_property
    def title(self) -> str:
        """The goal as a line: what is wanted, up to a day, a list or the end of what says it."""
        places = list(sentences(self.goal))
        said = self.goal[places[0][0] : places[0][1]] if places else self.goal
        text = self.main.fact.text if self.main and self.language == "en" else ""
        is_led = patterns.WANT_LEAD.match(text) is not None and not patterns.STATIVE.match(bare(text))
        if is_led or begins_with_a_verb(bare(text)):
            part = next(part for part in self.parts if part.stated is self.main)
            is_list = part.head is not None and patterns.LISTS.match(part.head.fact.text) is not None
            said = said if is_list else part.head.fact.text if part.head else text
        if self.language != "en":
            return heading(said)
        said = patterns.WANT_LEAD.sub("", re.sub(r"(?i)^(?:subject|re|minutes[^:]*):\s*", "", said), count=1)
        first = re.split(r": |[;](?!\d)|\s\(", said)[0]
        dates = (one.fact for one in self.of("date", source="goal") if not one.fact.value.recurs)
        days = [at for one in dates if (at := first.find(one.text)) > 0]
        ends = sorted([*days, *(match.start() for match in re.finditer(r",(?!\d)", first[:_TITLE]))])
        if self.main and len(needed_things(self.main.fact.text)) > 1:
            return heading(first)
        heads = [(patterns.HANGING.sub("", first[:end].rstrip(" ,")), end in days) for end in ends]
        return heading(next((head for head, is_day in heads if len(stems(head)) + is_day > 1), first))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of all that was said."""
        return tuple(parts_of(self)) if self.language == "en" else ()

    @cached_property
    def told(self) -> tuple[Stated, ...]:
        """What the person answered to the question for the steps, piece by piece."""
        return tuple(
            stated_in(self, f"A{number}", start, end)
            for number, one in enumerate(self.answers, 1)
            if TELL in one.question
            for start, end in told_in(one.answer, is_english=self.language == "en")
        )

    @cached_property
    def told_steps(self) -> tuple[Stated, ...]:
        """Those pieces that say what is to be done."""
        if self.language != "en":
            return self.told
        steps = (one for one in self.told if is_step(one.fact.text))
        return tuple(one for one in steps if begins_with_a_verb(one.fact.text) or self.beside_figures(one))

    @cached_property
    def main(self) -> Stated | None:
        """The part of a sentence that asks for the whole."""
        wanted = [part.stated for part in self.parts if part.kind == "want" and part.stated.source == "goal"]
        texts = {one.fact.start: one.fact.text for one in wanted}
        bared = {start: bare(text) for start, text in texts.items()}
        acting = (
            one
            for one in wanted
            if begins_with_a_verb(bared[one.fact.start]) and not patterns.STATIVE.match(bared[one.fact.start])
        )
        leading = (one for one in wanted if patterns.WANT_LEAD.match(texts[one.fact.start]))
        return next(acting, next(leading, next(iter(wanted), None)))

    @property
    def is_vague(self) -> bool:
        """Whether the goal names nothing that could be done or seen."""
        return self.vagueness != ""

    @cached_property
    def vagueness(self) -> Vagueness:
        """What the goal leaves open: all, how much of something, or what is to be done."""
        told = [word for word in stems(self.goal) if word not in _VAGUE]
        typed = {one.fact.type for one in self.facts if one.source == "goal"} - CLAUSES - {"place", "person"}
        asked = asked_for(self.goal).casefold()
        is_open = self.core is None and not self.choice.confirmed
        is_answered = bool(self.told_steps) or any(
            part.stated.source != "goal" and part.kind in _PLANNED for part in self.parts
        )
        if self.language != "en" or is_answered:
            return ""
        if any(pair.stops for pair in self.conflicts):
            return "conflict"
        if is_open and not any(part.kind in _PLANNED for part in self.parts):
            return "what" if len(told) <= _FEW_TOLD else "state"
        if typed or len(self.goal.split()) > _FEW_WORDS:
            return ""
        if not told:
            return "all"
        if len(self.goal.split()) == 1 or patterns.SORT_OUT.match(asked):
            return "what"
        if patterns.GRADUAL.match(asked):
            return "more"
        is_short = len(self.goal.split()) <= _FEW_UNLED and not begins_with_a_verb(asked)
        return "what" if is_open and (is_short or len(told) <= _FEW_TOLD) and not self.choice.question else ""

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """What was said that does not go together."""
        return tuple(pair for rule in _YIELDS if (pair := _conflict(rule, self.goal)))

    @cached_property
    def days_of_the_whole(self) -> list[Stated]:
        """The days of the goal, and of answers to the question for the day; other answers are about parts."""
        certain = [one for one in self.of("date") if "is past, so" not in one.fact.doubt]
        answered = [one for one in certain if one.source != "goal" and self._answers_when(one)]
        answered = [one for one in answered if (day_of(one.fact.value.last) or self.today) >= self.today]
        in_doubt = [one for one in certain if one.source == "goal" and self._is_replaced(one)]
        return [one for one in certain if one.source == "goal" and not (answered and one in in_doubt)] + answered

    def _is_replaced(self, stated: Stated) -> bool:
        """Tell whether a day of the goal cannot be, so that an answer about the day stands for it."""
        last = day_of(stated.fact.value.last)
        return "there is no" in stated.fact.doubt or last is None or last < self.today

    def stands_for(self, stated: Stated) -> list[str]:
        """Return the ids of the days of the goal for which a day that was answered stands."""
        if stated.source == "goal" or stated not in self.days_of_the_whole:
            return []
        return [one.id for one in self.of("date", source="goal") if self._is_replaced(one)]

    def _answers_when(self, stated: Stated) -> bool:
        return patterns.WHEN.search(self.answers[int(stated.source[1:]) - 1].question) is not None

    @cached_property
    def day(self) -> Stated | None:
        """The day that all is for, where there is one."""
        dates = [one for one in self.days_of_the_whole if one.fact.value.first and not one.fact.value.recurs]
        roles = ("on", "period", "deadline") if self.core and self.core.event else ("on",)
        is_own = [one for one in dates if (self.core and self.core.event) or self._is_of_the_whole(one)]
        ahead = [
            one
            for one in is_own
            if not _is_rough(one) and not one.fact.doubt.startswith("when is")
            if (day_of(one.fact.value.last) or date.min) >= self.today
        ]
        return next((one for role in roles for one in ahead if one.fact.role == role), None)

    @cached_property
    def last_day(self) -> date | None:
        """The last of several days that all is for ("on 12 and 13 June"); None for a single one."""
        if self.day is None:
            return None
        value = self.day.fact.value
        last = day_of(value.last) or self.today
        return last if value.first != value.last else None

    def _is_of_the_whole(self, stated: Stated) -> bool:
        """Tell whether a day stands right with what is wanted, and nothing else happens on it."""
        main = self.main
        if main is None or stated.source != "goal" or not main.fact.start <= stated.fact.start <= main.fact.end:
            return False
        return patterns.OTHER.search(self.goal[main.fact.start : stated.fact.start]) is None

    @cached_property
    def deadline(self) -> date | None:
        """The last day on which all is still in time."""
        due = (
            one
            for one in self.days_of_the_whole
            if one.fact.role == "deadline" and not patterns.LASTING.search(self.until(one))
        )
        named = [one for one in due if not self.is_of_a_part(one)]
        dates = named or [one for one in self.days_of_the_whole if self.is_due(one)]
        limits = [day_of(one.fact.value.limit or one.fact.value.last) for one in dates]
        if self.window:
            limits.append(day_of(self.window.fact.value.last))
        if self.core is None and limits:
            ahead = (one for one in self.of("date", "on", source="goal") if not one.fact.value.recurs)
            limits += [day_of(one.fact.value.last) for one in ahead if not one.fact.doubt and not self.is_aside(one)]
        if self.core and self.core.event and self.day:
            return self.last_day or day_of(self.day.fact.value.first)
        day = day_of(self.day.fact.value.first) if self.day else None
        return max(filter(None, limits), default=day)

    @cached_property
    def window(self) -> Stated | None:
        """The stretch in which all is to be done ("in February")."""
        periods = (
            one for one in self.of("date", source="goal") if one.fact.role in ("period", "on") and _is_rough(one)
        )
        own = (one for one in periods if self._is_of_the_whole(one) and not one.fact.value.recurs)
        return next((one for one in own if (day_of(one.fact.value.last) or date.min) >= self.today), None)

    def is_of_a_part(self, stated: Stated) -> bool:
        """Tell whether a day is that of something beside the goal: "the diocese pays if we apply by 15 January"."""
        if self.is_aside(stated):
            return True
        part = self.part_of(stated)
        if stated.source != "goal":
            return not self._answers_when(stated)
        if part is None or part.stated is self.main:
            return False
        return part.kind != "want" and self.beside_figures(part.stated) and patterns.WANT_LEAD.match(part.text) is None

    def is_aside(self, stated: Stated) -> bool:
        """Tell whether a day says how long something beside the goal lasts ("a lease until 2027")."""
        if patterns.LASTS.match(stated.fact.text) is None or stated.source != "goal":
            return False
        first = self.main.fact.start if self.main and holds(self.main, stated) else None
        return first is None or patterns.COMMA.search(self.goal, first, stated.fact.start) is not None

    def is_due(self, stated: Stated) -> bool:
        """Tell whether what all is for leaves or begins on a day ("the machine ships 3 November")."""
        before = self.text_of(stated.source)[max(0, stated.fact.start - _NEAR) : stated.fact.start]
        is_day = stated.fact.role in ("mention", "on") and stated.source == "goal"
        return is_day and patterns.DUE.search(before) is not None

    @cached_property
    def budget(self) -> Stated | None:
        """What may be spent on the whole."""
        return next(
            (one for one in self.of("amount", "budget") if one.fact.value.currency and not one.fact.value.per), None
        )

    @cached_property
    def reckoned(self) -> tuple[Fact, ...]:
        """The facts that add up: without sums for one of many, which are no budget."""
        return tuple(one.fact for one in self.facts if not self._is_of_one(one))

    def _is_of_one(self, stated: Stated) -> bool:
        """Tell whether a figure is for one of many, or a day for a part of the whole."""
        if stated.fact.role == "price" and patterns.SPENT.search(self.around(stated)):
            return True
        if stated.fact.role == "budget":
            return patterns.EACH.search(self.near(stated)) is not None
        if stated.source != "goal" and stated.fact.type == "date":
            return stated not in self.days_of_the_whole
        is_bound = stated.fact.type == "date" and stated.fact.role in ("deadline", "start", "on")
        is_of_a_part = stated.source != "goal" or stated.fact.role != "on"
        return is_bound and is_of_a_part and self.is_of_a_part(stated)

    @cached_property
    def slots(self) -> dict[str, str]:
        """The goal's words for the braces of a core."""
        place = next((one.fact.value.name or one.fact.text for one in self.of("place")), "")
        count = next((one.fact.text for one in self.of("amount", "count") if one.fact.value.unit != "%"), "")
        day = day_of(self.day.fact.value.first) if self.day else None
        return {
            "thing": thing_of(self.title) or (self.core.thing if self.core else bare(self.title)),
            "target": target_of(self.goal),
            "place": re.sub(r"^(?:in|at|to)\s+", "", place),
            "count": re.sub(r"^(?:with|for|of)\s+", "", count),
            "day": f"{day.day} {day:%B}" if day else "",
            "rate": self.rate,
        }

    @cached_property
    def rate(self) -> str:
        """What has to be done a week, and an hour where hours are known, of many things until the last day."""
        counts = [one.fact for one in self.of("amount", "count") if (one.fact.value.number or 0) >= _MANY]
        weeks = (self.deadline - self.today).days / 7 if self.deadline else 0
        if len(counts) != 1 or weeks < 1:
            return ""
        number = counts[0].value.number or 0
        text = f"{counts[0].text} until {self.deadline:%-d %B} are {number / weeks:,.0f} a week"
        capacity = [one.fact.value for one in self.of("capacity") if one.fact.value.unit == "hour"]
        hours = (capacity[0].number or 0) * _PER_WEEK.get(capacity[0].per, 0) if len(capacity) == 1 else 0
        return f"{text}, {number / weeks / hours:,.1f} in each of {hours:g} hours" if hours else text

    def fill(self, text: str) -> str:
        """Return a text of the core in the goal's words."""
        return filled(text, self.slots)

    def part_of(self, stated: Stated) -> Part | None:
        """Return the part of a sentence that a fact stands in."""
        return next((part for part in self.parts if holds(part.stated, stated)), None)

    def around(self, stated: Stated) -> str:
        """Return the part of a sentence that a fact stands in, as it was said."""
        part = self.part_of(stated)
        return part.stated.fact.text if part else stated.fact.text

    def until(self, stated: Stated) -> str:
        """Return the words of its part of a sentence that stand before a fact."""
        part = self.part_of(stated)
        return self.text_of(stated.source)[part.stated.fact.start : stated.fact.start] if part else ""

    def core_of(self, stated: Stated) -> str:
        """Return the amount or day itself, without the words that say what it is for."""
        first, last = stated.fact.core or (stated.fact.start, stated.fact.end)
        return self.text_of(stated.source)[first:last]

    def beside_figures(self, part: Stated) -> bool:
        """Tell whether a part says more than the figures, days and names in it."""
        text, start = part.fact.text, part.fact.start
        for one in self.facts:
            is_figure = one.fact.type in ("date", "amount", "duration", "capacity", "place")
            if is_figure and one.source == part.source and start <= one.fact.start < part.fact.end:
                at, end = one.fact.start - start, one.fact.end - start
                text = text[:at] + " " * (min(end, len(text)) - at) + text[end:]
        return any(word not in _OF_FIGURES and not word[0].isdigit() for word in stems(text))

    def near(self, stated: Stated) -> str:
        """Return a fact with the few words before and after it."""
        text, (start, end) = self.text_of(stated.source), (stated.fact.start, stated.fact.end)
        before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
        return f"{patterns.STOP.split(before)[-1]}{text[start:end]}{patterns.STOP.split(after)[0]}"

    def answer_to(self, question: str) -> str:
        """Return the answer to a question; "" for none, and where it was skipped."""
        return next((one.answer.strip() for one in self.answers if one.question == question), "")

    def is_seen(self, source: str) -> bool:
        """Tell whether a source is the answer to how success is seen."""
        return source != "goal" and self.answers[int(source[1:]) - 1].question == SEEN

    @property
    def is_impossible(self) -> bool:
        """Tell whether a day of the goal cannot be or has gone by, and no answer names another."""
        named = (one for one in self.of("date", source="goal") if one.fact.role in ("on", "deadline"))
        dates = (one for one in named if not one.fact.value.recurs)
        return any(map(self._is_replaced, dates)) and all(one.source == "goal" for one in self.days_of_the_whole)

    def was_asked(self, pattern: str) -> bool:
        """Tell whether the person has answered a question that matches a pattern."""
        given = (one.question for one in self.answers if one.answer.strip())
        return any(re.search(pattern, question, re.IGNORECASE) for question in given)

    def has_said(self, pattern: str) -> bool:
        """Tell whether the person's words match a pattern of a core."""
        return bool(pattern) and re.search(rf"\b(?:{pattern})", self.words[:READ_AT_MOST], re.IGNORECASE) is not None


_OF_FIGURES = frozenset(
    stems(
        "work hours budget total max cost price about copies deadline open start live begin run ready due finish"
        " done complete"
    )
)
_NEAR = 16
"""Characters before and after a figure that say what it is for."""
_MANY = 50
"""Things from which on their number sets the pace."""
_PER_WEEK = {"day": 5.0, "week": 1.0, "month": 12 / 52, "year": 1 / 52}
_TITLE = 400
"""Characters within which the head of a goal ends."""
_ROUGH = 7
"""Days of a stretch from which on nobody knows which of them is meant."""


def read_brief(
    goal: str,
    today: str,
    answers: Sequence[Answered] = (),
    facts: Sequence[Stated] = (),
    *,
    cores: Sequence[Core] = (),
    ledger: Sequence[Stated] = (),
) -> Brief:
    """Read a goal with its answers. ``facts`` are read here where nobody has; ``cores`` are a person's playbooks.

    ``ledger``: what the session holds as stated, as items cite it.
    """
    day, text = date.fromisoformat(today), clean(goal)[:READ_AT_MOST].strip()
    language = language_of(text)
    known = (*cores, *built_in()) if language == "en" else ()
    stated = tuple(facts) or _as_in(ledger, _read(text, answers, day))
    dates = (one.fact for one in stated if one.fact.type == "date" and one.source == "goal")
    said = {"day"} if any(one.role in ("on", "period") and not one.value.recurs for one in dates) else set()
    said |= {one.fact.type for one in stated if one.fact.type == "place"}
    choice = chosen_kind(text, answers, known, said)
    is_open = patterns.SORT_OUT.match(asked_for(text).casefold()) is not None
    is_open |= any(rule.get("stops") and _conflict(rule, text) is not None for rule in _YIELDS)
    kind = choice.core or choice.near
    is_open |= bool(kind and kind.unless and re.search(kind.unless, text, re.IGNORECASE))
    if kind is not None and (kind.asks or is_open) and not choice.confirmed:
        choice = dataclasses.replace(choice, core=None, near=None)
    asked = {f"A{number}": answered.question for number, answered in enumerate(answers, 1)}
    texts = {f"A{number}": clean(answered.answer) for number, answered in enumerate(answers, 1)}
    placed = tuple(
        msgspec.structs.replace(one, fact=_answering(one.fact, asked[one.source], choice.core))
        if one.source in asked
        else one
        for one in stated
    )
    return Brief(
        goal=text,
        today=day,
        facts=tuple(_weighed(_as_meant(placed, answers, day), answers, {"goal": text, **texts})),
        answers=tuple(msgspec.structs.replace(one, answer=clean(one.answer)) for one in answers),
        choice=choice,
        language=language,
    )


MEANT = re.compile(
    r"“(?P<words>.+?)…?”: (?:.*Which is meant|(?:which (?!of\b)|of what|of which|how many|when is)[^“”]*)\?$", re.DOTALL
)
"""A question about what can be read in two ways, or in part only; ``questions.py`` asks it."""
_YIELDS: list[dict[str, str]] = patterns.table("questions")["yields"]


def _conflict(rule: dict[str, str], goal: str) -> Conflict | None:
    first = re.search(rf"\b(?:{rule['first']})", goal, re.IGNORECASE)
    others = re.finditer(rf"\b(?:{rule['second']})", goal, re.IGNORECASE) if first else ()
    other = next((one[0] for one in others if first and not first.start() <= one.start() < first.end()), "")
    if first is None or not other:
        return None
    question = rule["ask"].format(shorten(first[0].strip(), 90), shorten(other.strip(), 110))
    return Conflict(question, bool(rule.get("stops")))


def _read(goal: str, answers: Sequence[Answered], today: date) -> tuple[Stated, ...]:
    told = ((f"A{number}", clean(one.answer)) for number, one in enumerate(answers, 1) if not one.picks)
    texts = [("goal", goal), *told]
    found: list[Stated] = []
    for source, text in texts:
        facts = read_facts(text, today, named_days(found))
        numbered = enumerate(facts, len(found) + 1)
        found += [Stated(id=f"G{number}", source=source, fact=fact) for number, fact in numbered]
    return tuple(found)


def _as_in(ledger: Sequence[Stated], read: tuple[Stated, ...]) -> tuple[Stated, ...]:
    """Return facts with their ids in the ledger, without those that it has not: questions, and what was taken back."""
    if not ledger:
        return read
    ids: dict[tuple[str, str, str], list[str]] = {}
    for one in ledger:
        ids.setdefault((one.source, one.fact.type, one.fact.text), []).append(one.id)
    named = ((one, ids.get((one.source, one.fact.type, shorten(one.fact.text, LONGEST_TOLD)))) for one in read)
    return tuple(msgspec.structs.replace(one, id=some.pop(0)) for one, some in named if some)


def _is_rough(stated: Stated) -> bool:
    """Tell whether a day is only known to be one of several weeks."""
    first, last = day_of(stated.fact.value.first), day_of(stated.fact.value.last)
    return first is not None and last is not None and (last - first).days >= _ROUGH


def _as_meant(stated: tuple[Stated, ...], answers: Sequence[Answered], today: date) -> tuple[Stated, ...]:
    """Give what could be read in two ways the value that its question was answered with; say that only once."""
    for number, answered in enumerate(answers, 1):
        asked = MEANT.match(answered.question)
        of_answer = [one for one in stated if one.source == f"A{number}" and not one.fact.doubt] if asked else []
        for one in stated:
            is_open = one.fact.doubt and not one.fact.doubt.startswith("there is no")
            is_asked = asked is not None and is_open and " ".join(one.fact.text.split()).startswith(asked["words"])
            said = next((other for other in of_answer if other.fact.type == one.fact.type), None) if is_asked else None
            if said is None or one.source == said.source:
                continue
            day, meant = day_of(said.fact.value.last), one.fact
            if meant.doubt.startswith("when is") and day is not None:
                meant = counted_from(meant, day, today)
            else:
                meant = msgspec.structs.replace(meant, value=said.fact.value)
            meant = msgspec.structs.replace(meant, doubt="")
            taken = msgspec.structs.replace(said.fact, role="mention")
            stated = tuple(
                msgspec.structs.replace(each, fact=meant if each is one else taken if each is said else each.fact)
                for each in stated
            )
            break
    return stated


def _answering(fact: Fact, question: str, core: Core | None) -> Fact:
    """Return a fact of an answer with the role that its question gives it ("by when?" "30 June")."""
    asked = question.casefold()
    is_open = fact.role in ("", "mention", "on", "period", "price", "count")
    if SEEN in question and fact.type in ("amount", "date"):
        return msgspec.structs.replace(fact, role="mention")
    if fact.type == "date" and is_open and patterns.WHEN.search(asked):
        is_day = core is not None and core.event
        return msgspec.structs.replace(fact, role="on" if is_day else "deadline")
    return fact


def _weighed(stated: Sequence[Stated], answers: Sequence[Answered], texts: dict[str, str]) -> Iterator[Stated]:
    """Yield facts without the day on which they were said; a sum is a budget only where it is free to be spent.

    So is the only sum in an answer about money, where it is no price of one thing; what comes in is none.
    """
    around = {one.id: _around(texts[one.source], one.fact) for one in stated}
    sums = [one for one in stated if one.source != "goal" and one.fact.type == "amount" and one.fact.value.currency]
    asking = {f"A{at}" for at, one in enumerate(answers, 1) if _MONEY.search(one.question) and TELL not in one.question}
    free = [one for one in sums if one.source in asking and not one.fact.value.per]
    free = [one for one in free if not patterns.COSTS.search(around[one.id])]
    for one in stated:
        role = one.fact.role
        if one.fact.type == "date" and patterns.NOW.search(around[one.id]):
            continue
        if one in sums and (role == "budget" or one in free):
            role = "budget" if one in free and [other.source for other in free].count(one.source) == 1 else "price"
        if role == "budget" and one.fact.value.currency and patterns.INCOME.search(around[one.id]):
            role = "mention"
        yield msgspec.structs.replace(one, fact=msgspec.structs.replace(one.fact, role=role))


_MONEY = re.compile(r"\bcost|spent|budget|money\b")


def _around(text: str, fact: Fact) -> str:
    """Return the words between commas around a fact, with a star in its place."""
    stop = r"[,;.](?!\d)"
    return f"{re.split(stop, text[: fact.start])[-1]}*{re.split(stop, text[fact.end :])[0]}"
