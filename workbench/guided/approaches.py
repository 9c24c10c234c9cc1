"""Three ways to reach a goal that really differ: in strategy, and hence in steps.

    Setting ─▶ the field's three strategies ─▶ Approach* ─▶ (gate: a person chooses) ─▶ strategy_of(approach)
    feedback on them ─▶ what to favour, drop, combine ─▶ other order, another mixture

An approach is found again by its title, so that the choice survives whatever happens to numbering; one that the tables
do not know (a person's, a language model's, a mixture) is drafted from its outline.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from workbench.domain.loop.tasks import Approach, Feedback, ProposeReply, ProposeTask
from workbench.guided.knowledge import ApproachKnowledge
from workbench.guided.questions import assumptions, open_questions
from workbench.guided.setting import Setting, read_setting
from workbench.guided.wording import capital, filled, listed, lower_first

MOST_QUESTIONS = 3


def propose(task: ProposeTask) -> ProposeReply:
    """Answer a ProposeTask: approaches, constraints, and either questions or assumptions."""
    setting = read_setting(task.goal, task.today, answers=task.answers)
    asks = task.may_ask and not task.answers
    return ProposeReply(
        approaches=_considered(setting, task.feedback, task.previous),
        constraints=setting.brief.constraints,
        assumptions=assumptions(setting),
        questions=tuple(question.text for question in open_questions(setting)[:MOST_QUESTIONS]) if asks else (),
    )


def strategies(setting: Setting) -> tuple[ApproachKnowledge, ...]:
    """Return the field's strategies with the goal's words put in."""
    return tuple(_worded(known, setting) for known in setting.field.approaches)


def strategy_of(approach: Approach | None, setting: Setting) -> ApproachKnowledge | None:
    """Return the strategy that an approach stands for; None where the tables do not know it."""
    known = strategies(setting)
    if approach is None:
        return known[0]
    return next((one for one in known if one.title.casefold() == approach.title.strip().casefold()), None)


def outline_of(strategy: ApproachKnowledge, setting: Setting) -> tuple[str, ...]:
    """Return the titles of a strategy's steps, in order."""
    keys = [re.split(r"[?:]", line)[0] for line in strategy.flow]
    return tuple(filled(setting.field.steps[key].title, setting.words) for key in keys)


def _worded(known: ApproachKnowledge, setting: Setting) -> ApproachKnowledge:
    def fill(text: str) -> str:
        return filled(text, setting.words)

    return msgspec.structs.replace(
        known,
        title=fill(known.title),
        summary=fill(known.summary),
        advantages=tuple(map(fill, known.advantages)),
        drawbacks=tuple(map(fill, known.drawbacks)),
        fits=fill(known.fits),
    )


def _approach(strategy: ApproachKnowledge, setting: Setting, number: int) -> Approach:
    return Approach(
        id=f"A{number}",
        title=strategy.title,
        summary=strategy.summary,
        outline=outline_of(strategy, setting),
        advantages=strategy.advantages,
        drawbacks=strategy.drawbacks,
        fits=strategy.fits,
    )


_FAVOURS = (
    (
        "speed",
        re.compile(
            r"\b(?:fast|faster|quick|quicker|quickest|soon|sooner|speed|time|slow|long|urgent|hurry)\w*\b",
            re.IGNORECASE,
        ),
    ),
    (
        "cost",
        re.compile(r"\b(?:cheap|cheaper|cost|costs|costly|expensive|budget|money|afford|price)\w*\b", re.IGNORECASE),
    ),
    (
        "risk",
        re.compile(
            r"\b(?:risk|risky|riskier|safe|safer|safety|dangerous|careful|cautious|secure|gamble)\w*\b", re.IGNORECASE
        ),
    ),
)
_COMBINES = re.compile(
    r"\b(?:combine|combination|mix|mixture|merge|hybrid|both|between|blend|together)\b", re.IGNORECASE
)
_REFUSES = re.compile(
    r"\b(?:not|no|don['’]?t|without|drop|remove|never|avoid|dislike|hate|rule out|reject)\b", re.IGNORECASE
)


def _considered(setting: Setting, feedback: Sequence[Feedback], previous: Sequence[Approach]) -> tuple[Approach, ...]:
    """Return the approaches as feedback on earlier ones asks for them."""
    offered = list(strategies(setting))
    extra: list[Approach] = []
    for said in feedback:
        named = _named(said.text, offered, previous)
        if _COMBINES.search(said.text):
            pair = (named + [one for one in offered if one not in named])[:2]
            extra = [_mixture(pair[0], pair[1], setting, said)]
        elif named and _REFUSES.search(said.text):
            offered = [one for one in offered if one not in named] or offered
        elif named:
            offered = named + [one for one in offered if one not in named]
        else:
            offered = _favoured(said.text, offered)
            if not any(pattern.search(said.text) for _, pattern in _FAVOURS):
                extra = [_following(said, offered[0], setting)]
    numbered = [_approach(strategy, setting, number) for number, strategy in enumerate(offered, 1 + len(extra))]
    return tuple([msgspec.structs.replace(one, id=f"A{number}") for number, one in enumerate(extra, 1)] + numbered)[:4]


def _named(text: str, offered: Sequence[ApproachKnowledge], previous: Sequence[Approach]) -> list[ApproachKnowledge]:
    """Return the strategies that a text speaks of, by number, ordinal or a telling word of the title."""
    numbers = {
        int(match[1]) for match in re.finditer(r"\b(?:A|option |approach |number |nr\.? ?)(\d)\b", text, re.IGNORECASE)
    }
    numbers |= {int(match[1]) for match in re.finditer(r"(?<![\w.,])([1-4])(?= and [1-4]\b|$|[ .,;]*$)", text)}
    numbers |= {
        number
        for number, word in enumerate(("first", "second", "third"), 1)
        if re.search(rf"\bthe {word}\b", text, re.IGNORECASE)
    }
    titles = {one.title.casefold() for one in previous if int(re.sub(r"\D", "", one.id) or 0) in numbers}
    if not previous:
        titles = {offered[number - 1].title.casefold() for number in numbers if number <= len(offered)}
    said = set(re.findall(r"[a-z]{5,}", text.casefold()))
    return [
        one
        for one in offered
        if one.title.casefold() in titles or len(said & set(re.findall(r"[a-z]{5,}", one.title.casefold()))) >= 1
    ]


def _favoured(text: str, offered: Sequence[ApproachKnowledge]) -> list[ApproachKnowledge]:
    """Return strategies in the order that a text prefers: what is fast, cheap or safe first."""
    order = list(offered)
    for trait, pattern in reversed(_FAVOURS):
        if pattern.search(text):
            order.sort(key=lambda one: -one.speed if trait == "speed" else getattr(one, trait))
    return order


def _mixture(first: ApproachKnowledge, second: ApproachKnowledge, setting: Setting, said: Feedback) -> Approach:
    """Return an approach that begins like one strategy and ends like another."""
    head, tail = outline_of(first, setting), outline_of(second, setting)
    half = len(head) // 2 + 1
    outline = head[:half] + tuple(title for title in tail[len(tail) // 2 :] if title not in head[:half])
    return Approach(
        id="A1",
        title=f"{first.title}, then as in: {lower_first(second.title)}",
        summary=f"Combines two approaches, as asked ({said.id}). It begins with the first half of one: "
        f"{lower_first(first.summary)} It ends like the other: {lower_first(second.summary)}",
        outline=outline,
        advantages=(first.advantages[0], second.advantages[0]),
        drawbacks=("Two ways of working have to be learned", second.drawbacks[0]),
        fits=f"{first.fits} {second.fits}",
    )


def _following(said: Feedback, base: ApproachKnowledge, setting: Setting) -> Approach:
    """Return an approach that takes in what a person said in words the rules cannot weigh."""
    wish = " ".join(said.text.split()).strip(" .")[:160]
    outline = outline_of(base, setting)
    return Approach(
        id="A1",
        title=f"{base.title}, as you said",
        summary=f"{base.summary} What you said comes first: “{wish}” ({said.id}).",
        outline=(outline[0], capital(f"settle what this means for the work: {wish}"), *outline[1:]),
        advantages=(f"Answers “{wish}”", *base.advantages[:2]),
        drawbacks=base.drawbacks,
        fits=f"When {listed(['what you said weighs most', 'the rest of this approach suits you'])}.",
    )
