"""Which kind of work a goal is: by the grammar of what it asks for, then by its words; a person chooses between two.

goal ─▶ what it asks for, from its verb on ──forms of each core──▶ ranking ──far above the others──▶ the core
                   "replace the ticketing system"      words ──┘      └──▶ "Which kind of work …? 1 …, 2 …" ─▶ answer
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from workbench.domain.loop.tasks import Answered
from workbench.guided import patterns
from workbench.guided.cores import Core
from workbench.guided.parts import KIND_QUESTION
from workbench.guided.phrases import asked_for, begins_with_a_verb

ASKS = KIND_QUESTION
_FORM, _VERB_ALONE, _STRONG, _OPENS, _ELSEWHERE, _WEAK = 4.0, 2.2, 3.0, 1.0, 1.0, 0.3
_MOST_WEAK = 3
"""Weak words that count."""
_HEAD = 9
"""Words of what is asked for in which a phrase says what it is; further on it may only be mentioned."""
_CERTAIN_SHARE = 0.58
"""Share of a kind in its own and the next one's points from which on it is not asked about."""
_FAR_ABOVE, _NEAR, _WORTH_ASKING = 5.0, 4.2, 1.3
"""Points from which on a kind is taken without asking, from which on its steps are offered, and from which on it is.

Taken at 4.2, a garage was digitised in lots, and cheese was sold like a house.
"""
_GERUND = re.compile(r"\w{3,}ing\b")
_MOST_OFFERED = 3
_OBJECT = (
    r"(?:(?!\b(?:in|at|for|by|with|on|before|after|because|until|behind|near|during|so|through|without|although"
    r"|while)\b)(?:[^,.;:]|(?<=\d)[,.](?=\d)))*"
)
"""What stands for ``.*`` in a form: the object of the verb, and not where, when or for whom."""
_ENDS_HEAD = frozenset("for of in at on with about because so befor without dur after with by whil until but".split())  # noqa: SIM905
"""Words without their endings."""
_PASSED_OVER = frozenset("the a an our my your their his her this that some".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Candidate:
    """A core, and how much speaks for it."""

    core: Core
    points: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The kind of work as far as it is known."""

    core: Core | None
    """None where none is near, the person said so, or they have to be asked."""
    candidates: tuple[Candidate, ...] = ()
    """The nearest first, three at most."""
    confirmed: bool = False
    """Whether a person said it."""
    near: Core | None = None
    """The kind that is near and not certain: its usual steps are told, and none is taken."""

    @property
    def question(self) -> str:
        """The question for the kind; "" where it need not be asked."""
        if self.core is not None or self.confirmed or not self.candidates:
            return ""
        kinds = ", ".join(f"{number} {one.core.name}" for number, one in enumerate(self.candidates, 1))
        return f"{ASKS} {kinds}, or none of these"


def chosen_kind(goal: str, answers: Sequence[Answered], cores: Sequence[Core], said: Collection[str] = ()) -> Choice:
    """Return the kind of work that a person chose, or the one that is certain without asking.

    ``said``: what the goal names besides, of which forms speak: ``day``, ``place``.
    """
    ranked = ranking(goal, cores, said)
    offered = tuple(one for one in ranked if one.points >= _WORTH_ASKING)[:_MOST_OFFERED]
    for answered in answers:
        if answered.question.startswith(ASKS) and answered.answer.strip():
            names = _offered_in(answered.question)
            by_name = {core.name: core for core in cores}
            core = _meant(answered.answer, [by_name[name] for name in names if name in by_name], cores)
            return Choice(core, offered, confirmed=True)
    first, second = (*(one.points for one in ranked[:2]), 0.0, 0.0)[:2]
    share = first / (first + second) if first else 0.0
    asked = asked_for(goal)
    is_told = (
        begins_with_a_verb(asked) or _GERUND.match(asked) is not None
    )  # "nine concerts" or "a chess marathon": asked
    near = ranked[0].core if first >= _NEAR and share >= _CERTAIN_SHARE and is_told else None
    return Choice(near, offered) if first >= _FAR_ABOVE else Choice(None, offered, near=near)


def ranking(goal: str, cores: Sequence[Core], said: Collection[str] = ()) -> list[Candidate]:
    """Return the cores by how much of a goal's words speak for each; a playbook goes before a built-in one."""
    asked, every = asked_for(goal), _words(patterns.ASIDE.sub("", goal))
    head = _head(_words(re.split(r"[,;:(]", patterns.ANY_KIND.sub("", asked, count=1))[0]))
    candidates = [Candidate(core, _points(core, asked.casefold(), head, every, said)) for core in cores]
    return sorted(candidates, key=lambda one: (-one.points, not one.core.source, one.core.id))


def _head(words: list[str]) -> list[str]:
    """Return the words that say what a goal is, up to those that say for whom, why and when."""
    ends = (at for at, word in enumerate(words[:_HEAD]) if at > 1 and (word in _ENDS_HEAD or word[0].isdigit()))
    return words[: next(ends, _HEAD)]


def _points(core: Core, asked: str, head: list[str], every: list[str], said: Collection[str]) -> float:
    """Return what speaks for a core: what is asked for; of a goal that asks for nothing, all its words."""
    hits, is_free = 0, patterns.NEUTRAL.match(asked) is not None or not begins_with_a_verb(asked)
    points = max((_form(form, asked, said) for form in core.forms), default=0.0)
    for phrase in core.words:
        told = _words(phrase)
        at = _place(told, head)
        is_named = at is not None and (begins_with_a_verb(asked) or at + len(told) == len(head))
        if at is not None and is_named and (at == 0 or points or is_free):
            points = max(points, _STRONG + _OPENS * (at <= 1) + 0.5 * (len(told) > 1))
        elif _place(told, every) is not None:
            hits += 1
    points = max(points, _ELSEWHERE * (min(hits, 1) if asked else hits))
    weak = sum(_place(_words(word), every) is not None for word in core.weak)
    return points + _WEAK * min(weak, _MOST_WEAK) if points else 0.0


def _form(form: str, asked: str, said: Collection[str]) -> float:
    """Return what a form says: more where it names an object than where its verb stands alone."""
    pattern, _, needed = form.partition("@")
    near = pattern.strip().replace(".*", _OBJECT) + (r"\b" if needed or pattern[-1:] == " " else "")
    if (needed and needed not in said) or not re.match(rf"(?:{near})", asked):
        return 0.0
    return _FORM if ".*" in pattern and pattern.strip()[-2:] != ".*" else _VERB_ALONE


def _place(told: list[str], words: list[str]) -> int | None:
    """Return where words stand one after the other in others; None for nowhere."""
    if not told or told[0] not in words:
        return None
    last = len(words) - len(told)
    return next((at for at in range(last + 1) if words[at : at + len(told)] == told), None)


def _words(text: str) -> list[str]:
    spoken = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text[:8_000].casefold())
    return [patterns.ENDING.sub("", word) for word in spoken if word not in _PASSED_OVER]


def _offered_in(question: str) -> list[str]:
    parts = re.split(r"(?:^|, )[1-9] ", question.removeprefix(ASKS).strip().removesuffix(", or none of these"))
    return [part.strip() for part in parts if part.strip()]


def _meant(answer: str, offered: Sequence[Core], cores: Sequence[Core]) -> Core | None:
    """Return the core that an answer names by number or name; None for "none" and for what names none."""
    said = answer.strip().casefold().rstrip(".!")
    if (number := re.match(r"(?:number |no\. ?)?(\d)\b", said)) is not None:
        at = int(number[1]) - 1
        return offered[at] if 0 <= at < len(offered) else None
    ordinals = ("first", "second", "third")
    at = next((at for at, word in enumerate(ordinals) if word in said), len(ordinals))
    if at < len(offered):
        return offered[at]
    if not said or re.match(r"(?:none|no\b|neither|nothing|other|something else)", said):
        return None
    best = max([*offered, *cores], key=lambda core: fuzz.partial_ratio(said, core.name.casefold()))
    return best if fuzz.partial_ratio(said, best.name.casefold()) >= 80 and len(said) > 3 else None
