"""What the plan says besides its steps: risks, targets, money, questions, decisions, assumptions, what matters most."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.importing.work import begins_with_verb
from workbench.domain.plan.money import costs
from workbench.domain.plan.plan import (
    Answering,
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Item,
    Money,
    Origin,
    Person,
    Question,
    Step,
)
from workbench.domain.requests.amounts import day_in, facts, first_of, limit_of, money, money_told, spoken, without
from workbench.domain.requests.context import VERB, Context, listed, sentence, verb
from workbench.domain.requests.edit import Edit
from workbench.domain.requests.form import forms
from workbench.domain.requests.forms.schedule import set_deadline
from workbench.domain.requests.lookup import likeness, quoted, root, roots
from workbench.domain.requests.request import Reply, Unclear
from workbench.domain.values.numbers import single_at
from workbench.domain.values.plain import plain_text

# --- money ------------------------------------------------------------------------------------------------------------


def limit_of_money(context: Context) -> tuple[Constraint, Money] | None:
    """Return the constraint that limits what the whole may cost, and its sum."""
    for item in context.plan.items:
        if isinstance(item, Constraint) and not item.day and not re.search(r"(?i)\b(?:per|each)\b", item.text):
            amount = item.amount or money(item.text, context.today)
            if amount is not None:
                return item, amount
    return None


def _relative(text: str) -> int:
    """Return 1 for a sum that comes on top, -1 for one that is taken off, 0 for one that stands by itself."""
    words = r"(?i)(?<!no )(?<!not )\b(?:(more|extra|additional|on top)|less|fewer|cheaper)\b(?! than)"
    match = re.search(words, text)
    return 0 if match is None else 1 if match[1] else -1


def _budget(context: Context, amount: str, by: str = "", bare: str | None = None) -> Reply | None:
    old = limit_of_money(context)
    share = next((fact.value.number for fact in facts(amount, context.today) if fact.value.unit == "%"), None)
    currency = old[1].currency if old else context.currency
    new = money(amount, context.today, currency) or money(f"budget {amount}", context.today, currency)
    if bare is not None and not _is_money(context, amount):
        return None
    if new is None and share is None:
        if any(fact.type == "amount" and fact.value.unit == "" for fact in facts(amount, context.today)):
            raise Unclear(f"In which currency is that: {amount.strip()} EUR, USD or another?")
        return None
    by = by or ("by" if _relative(context.text) else "")
    if (by or new is None) and old is None:
        raise Unclear("The plan has no budget yet: how much is it?")
    if (by or new is None) and old:
        sign = 1 if context.has("raise|increase|more|up|extend|add") else -1
        more = new.amount if new else (old[1].amount * Decimal(str(share)) / 100).quantize(Decimal(1))
        new = replace(old[1], amount=old[1].amount + sign * more)
    if new is None or new.amount <= 0:
        raise Unclear("That leaves no budget: how much is it?")
    return set_budget(context, old, new)


def set_budget(context: Context, old: tuple[Constraint, Money] | None, new: Money) -> Reply:
    """Set what the whole may cost: in the constraint that limits it, or in a new one."""
    edit = context.edit()
    if old is None:
        item = Constraint(id=edit.new_id(Constraint), text=f"Budget: {money_told(new)}", limits="amount", amount=new)
        edit.add(item)
    else:
        item = old[0]
        said = next((fact.text for fact in facts(item.text, context.today) if fact.value.currency), "")
        bare = re.search(r"(?:[$€£]|\b[A-Z]{3} )?\d.*", said)
        text = item.text.replace(bare[0], money_told(new), 1) if bare else item.text
        edit.set(item.id, text=text, limits="amount", amount=new)
        for same in [one for one in context.plan.items if isinstance(one, Constraint) and one.text == item.text]:
            edit.set(same.id, text=text, limits="amount", amount=new)
    asking = [item for item in context.plan.items if isinstance(item, Question) and _ASKS_MONEY.search(item.text)]
    for question in asking if old is None else ():
        edit.forget(question.id)
    was = f", was {money_told(old[1])}" if old else ""
    was += context.told("; {} is/are settled", asking) if asking and old is None else ""
    planned = next((total for total in costs(edit.plan).totals if total.currency == new.currency), new)
    over = f"; the steps cost {money_told(planned)}" if planned.amount > new.amount else ""
    return context.done(f"The budget is {money_told(new)} now{was} ({item.id}){over}", edit, [item])


def _is_money(context: Context, text: str) -> bool:
    """Tell whether a text is a sum of money and nothing else: with a currency, or in thousands."""
    sums = [fact for fact in facts(text, context.today) if fact.type == "amount" and fact.value.unit == ""]
    return (
        len(sums) == 1
        and not without(text, sums)
        and bool(sums[0].value.currency or re.search(r"\dk|thousand|grand|\d[.,]\d{3}\b", text))
    )


def _cost(context: Context, what: str, amount: str, bare: str | None = None) -> Reply | None:
    currency = context.currency
    new = money(amount, context.today, currency) or money(f"budget {amount}", context.today, currency)
    if new is None or re.search(r"(?i)\bbudget\b", what) or (bare is not None and not _is_money(context, amount)):
        return None
    step = context.finder.step(what)
    if re.search(r"\d ?(?:-|–|to) ?\d", amount):
        raise Unclear(f"Which sum should {context.name(step)} be planned with?", about=(step.id,))
    if sign := _relative(amount):
        old = step.cost.amount if step.cost and step.cost.currency == new.currency else Decimal(0)
        new = replace(new, amount=old + sign * new.amount)
    if new.amount <= 0:
        raise Unclear(f"How much does {context.name(step)} cost?", about=(step.id,))
    edit = context.edit()
    edit.set(step.id, cost=new)
    total, limit = (
        next(total for total in costs(edit.plan).totals if total.currency == new.currency),
        limit_of_money(context),
    )
    is_over = limit is not None and limit[1].currency == total.currency and total.amount > limit[1].amount
    over = f", above the budget of {money_told(limit[1])}" if limit and is_over else ""
    was = f", was {money_told(step.cost)}" if step.cost else ""
    return context.done(
        f"{context.name(step)} costs {money_told(new)} now{was}; all steps together {money_told(total)}{over}",
        edit,
        [step],
    )


# --- risks and criteria -----------------------------------------------------------------------------------------------


def _target(context: Context, criterion: Item, text: str) -> Reply | None:
    if not isinstance(criterion, Criterion):
        return None
    due = day_in(text, context.today)
    if not re.search(
        r"\d|%|\b(?:at least|at most|all|every|each|no|none|zero|one|two|three|half|yes|under|over|below|above)\b", text
    ):
        raise Unclear(f"How should the target of {context.name(criterion)} be said?", about=(criterion.id,))
    if due and context.has("due"):
        return context.change(
            [criterion], f"{{}} is due on {spoken(limit_of(due), context.today)} now", due=limit_of(due).isoformat()
        )
    was = f", was {criterion.target}" if criterion.target else ""
    value = re.match(rf"(?i)(?:(?:at least|at most|over|under|only|about) )?{_NUMBER}(?: ?%| percent)?", text)
    more = (
        re.match(
            r"(?:[^,;]* (?:is enough|will do|suffices|is fine|instead))?[,;]? (?:and|but) (?P<more>.+)",
            text[value.end() :],
        )
        if value
        else None
    )
    if value and more:
        reply = context.change(
            [criterion], f"The target of {{}} is {value[0]} now{was}; what of “{more['more']}”?", target=value[0]
        )
        return replace(reply, outcome="partly")
    return context.change([criterion], f"The target of {{}} is {text} now{was}", target=text)


# --- questions, decisions, assumptions --------------------------------------------------------------------------------

_HEDGE = re.compile(
    r"(?i)\b(?:i (?:think|guess|believe|assume|suppose)|we assume|probably|presumably|maybe|perhaps|should be|not "
    r"sure)\b"
)
_NO_ANSWER = re.compile(
    r"(?i)(?:(?:i |we )?(?:have |have got )?(?:no (?:clue|idea)|don't know|dunno|not sure|idk|cannot say|can't say)|"
    r"unknown|not known|open|to be decided|tbd|ask .*|later|\?+)(?: yet| sorry)?"
)
_ARTICLE = re.compile(r"(?i)(?:an?|the|our|my)\s+")


def settled(context: Context, question: Item, text: str) -> Reply | None:
    """Settle an open question: as a decision, or as an assumption where the person is not sure."""
    answer = sentence(
        re.sub(r"(?i)^(?:is|that|the answer is|answered|settled|solved|clear|yes,?(?= \w))[:,]? ", "", text.strip())
    )
    if not isinstance(question, Question) or not answer or text.endswith("?"):
        return None
    if _NO_ANSWER.fullmatch(answer):
        return Reply(f"{context.name(question)} stays open: “{answer}” is no answer yet", about=(question.id,))
    edit = context.edit()
    edit.forget(question.id)
    if _HEDGE.search(answer):
        name = edit.add(Bullet(id=edit.new_id(Bullet), text=answer), section="assumptions")
    else:
        name = edit.add(
            Decision(id=edit.new_id(Decision), text=answer, reason=f"Answers {question.id}: {question.text}")
        )
    return context.done(f"{context.name(question)} is settled: {name} says “{answer}”", edit, [name])


def _decided(context: Context, text: str) -> Reply:
    text = sentence(re.sub(r"(?i)^(?:to|that|on|for|in favou?r of) ", "", text))
    reason = re.search(r" (?:because|since) (?P<why>.+)$", text)
    text = text[: reason.start()] if reason else text
    if not roots(text):
        raise Unclear("What is decided?")
    edit = context.edit()
    name = edit.add(Decision(id=edit.new_id(Decision), text=text, reason=sentence(reason["why"]) if reason else ""))
    instead = re.fullmatch(
        r"(?i)(?P<new>.+?)(?:,| and)? (?:instead of|rather than|over|in place of|not) (?P<old>.+)", text
    )
    changed = []
    if instead:
        new = re.sub(r"(?i)^(?:to )?(?:use|take|go with|have|do|buy) ", "", instead["new"])
        changed = put_in_place(context, edit, instead["old"], new)
    also = f", and {listed(changed)} {verb(changed, 'says', 'say')} so" if changed else ""
    return context.done(f"{name} notes the decision “{text}”{also}", edit, [name, *changed])


def put_in_place(context: Context, edit: Edit, old: str, new: str, among: Sequence[str] = ()) -> list[str]:
    """Put other words in the place of some wherever open lines have them; return the ids of these lines.

    ``among``: the ids of the only lines that are meant.
    """
    old, new = (text.strip(" .,\"“”'") for text in (old, new))
    if len(new.split()) > _A_THING or (_NO_THING.match(old) and len(new.split()) > 1):
        return []
    bare, has_article = _ARTICLE.sub("", old, count=1) if _ARTICLE.match(old) else old, _ARTICLE.match(new) is not None
    before = r"(?:(?:an?|the|our)\s+)?" if not has_article and bare != old else ""
    pattern = re.compile(rf"(?i)(?<!\w){before}{re.escape(bare)}(?!\w)")
    new = _ARTICLE.sub("", new, count=1) if has_article else new
    only = {context.finder.pinned} if context.finder.pinned else {*among, *re.findall(r"\b[A-Z]\d+\b", context.text)}
    changed: list[str] = []
    for item in context.open_lines:
        is_no_name = isinstance(item, Person) and not re.fullmatch(r"[A-Z][\w-]+(?: [A-Z][\w-]+)*", new)
        if (only and item.id not in only) or is_no_name:
            continue
        texts = {field: getattr(item, field, "") for field in _TEXTS}
        renewed = {
            field: pattern.sub(lambda match: sentence(new) if match[0][0].isupper() else new, text)
            for field, text in texts.items()
            if pattern.search(text)
        }
        if renewed:
            edit.set(item.id, **renewed)
            changed.append(item.id)
    return changed


_A_THING = 8
"""Words that may stand in the place of others, at most: a whole sentence names something else."""
_NO_THING = re.compile(r"(?i)(?:one|two|three|four|five|six|seven|eight|nine|ten|me|us|him|her|them|it|this|that)$")
"""After "not", with a sentence before it: nothing that a line could say otherwise."""


def _plain_number(text: str) -> float:
    """Return the number that a text ends with, 60,000 for "60k"; 0 for none."""
    match = re.search(r"(?i)(?<![\d.])(\d[\d,]*(?:\.\d+)?) ?(k?)(?: ?(?:[A-Z]{3}|[€$£]|euros?))?$", text.strip(" .!"))
    return float(match[1].replace(",", "")) * (1000 if match[2] else 1) if match else 0.0


_FRACTION = "half|third|quarter|fifth|tenth|two thirds|three quarters"
_MONTHS = frozenset(calendar.month_name[1:])
_MOST_LINES = 4
"""Lines in which words are replaced without asking."""
_TEXTS = ("title", "text", "outcome", "check", "notes", "sign", "response", "measure", "assumption")


_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen"
)
_NUMBER = rf"(?:\d[\d.,]*|{_NUMBER_WORDS})(?:[ -](?:{_NUMBER_WORDS}))*"
_COUNT = rf"(?i)(?:.*?\b)?(?P<number>{_NUMBER})(?: (?P<noun>[a-z][\w-]*))?(?: now| only| instead)?"


def counted(context: Context, number: str, noun: str, old: str = "") -> Reply | None:
    """Put a number in the place of the one that lines have before a word: "14 people, not 12", "only 110 players"."""
    if not noun[:1].islower() or noun in _NO_COUNT or root(noun) in roots("day week month hour step task"):
        return None
    figure, was = _figure(number), _figure(old)
    pattern = re.compile(rf"(?i)(?<![\w.,-])(?P<number>{_NUMBER})(?= (?P<noun>[a-z][\w-]*)|[^\w.,-]|[.,]?$)")
    found: dict[str, set[str]] = {}
    lines = [item for item in context.plan.items if not isinstance(item, Decision)]
    if was:  # the lines that speak of the thing, where there are some
        named = [item for item in lines if any(
            likeness(root(noun), word) >= _ALIKE for field in _TEXTS for word in roots(str(getattr(item, field, ""))))
            and was in {_figure(match["number"]) for field in _TEXTS for match in pattern.finditer(
                str(getattr(item, field, "")))}]  # fmt: skip
        lines = named or lines
    for item in lines:
        for match in [match for field in _TEXTS for match in pattern.finditer(str(getattr(item, field, "")))]:
            match_noun = match["noun"] or ""
            if (match_noun and likeness(root(match_noun), root(noun)) >= _ALIKE) or (
                was and _figure(match["number"]) == was
            ):
                found.setdefault(_figure(match["number"]), set()).add(item.id)
    recent = {value for value, names in found.items() if names & set(context.finder.recent)}
    values = (
        [value for value in found if value == was]
        if was
        else [value for value in found if not recent or value in recent]
    )
    if not values or values == [figure]:
        return None
    if len(values) > 1:
        which = listed([f"{value} in {listed(sorted(found[value]))}" for value in values], "or")
        raise Unclear(f"Which number is {number}: {which}?")
    edit = context.edit()
    for name in sorted(found[values[0]]):
        for field in _TEXTS:
            text = getattr(edit.item(name), field, "")
            new = pattern.sub(
                lambda match: number.lower() if _figure(match["number"]) == values[0] else match["number"], str(text)
            )
            if isinstance(text, str) and new != text:
                edit.set(name, **{field: new})
    names = sorted(found[values[0]])
    return context.done(
        f"{listed(names)} {verb(names, 'says', 'say')} {number} {noun} instead of {old or values[0]} now", edit, names
    )


_ALIKE = 0.9
_NO_COUNT = frozenset(
    {"of", "is", "are", "percent", "euro", "euros", "eur", "am", "pm", "more", "less", "days", "weeks", "in"}
)


def _figure(number: str) -> str:
    """Return a number in digits alone, "" for none."""
    value = single_at(plain_text(number), 0) if number else None
    return f"{value.value:.10g}" if value is not None else re.sub(r"\D", "", number)


def _replaced(context: Context, old: str, new: str) -> Reply | None:
    """Put one thing in the place of another wherever lines name it."""
    old, new = old.strip(), new.strip()
    if context.known(old):
        given = re.fullmatch(r"(?P<what>.+?)(?:: | is )(?P<who>\S+(?: \S+)?)", new)
        if given and context.owner(given["who"]) and (steps := context.finder.clear_steps(given["what"])):
            return context.change(
                steps,
                f"{{}}, “{given['what']}”, is/are {given['who']}'s now, not {old}'s",
                owner=context.owner(given["who"]),
            )
        if given or context.owner(new):
            return None
    was, now = day_in(old, context.today), day_in(new, context.today)
    if now and old.capitalize() in _MONTHS and (day := re.search(r"\b(\d{1,2})(?:st|nd|rd|th)? [A-Z]", new)):
        was = day_in(old := f"{day[1]} {old.capitalize()}", context.today)  # "1 April, not May"
    if was and now:
        if limit_of(was) == context.deadline:
            return set_deadline(context, limit_of(now))
        edit = context.edit()
        on = f"{first_of(now).day} {first_of(now):%B}"
        if changed := put_in_place(context, edit, f"{first_of(was).day} {first_of(was):%B}", on):
            return context.done(f"{listed(changed)} {verb(changed, 'says', 'say')} {on} now", edit, changed)
        raise Unclear(f"What is on {new}, and not on {old}?")
    fraction = re.match(rf"(?i)(?:an? )?(?:{_FRACTION})\b", new)
    if fraction and re.fullmatch(rf"(?i)(?:an? )?(?:{_FRACTION})", old):
        edit = context.edit()
        if len(changed := put_in_place(context, edit, old, fraction[0])) == 1:
            return context.done(f"{changed[0]} says “{fraction[0]}” instead of “{old}” now", edit, changed)
    was_now = re.fullmatch(rf"(?i)(?P<old>{_NUMBER})(?: [a-z][\w-]*)?", old), re.fullmatch(_COUNT, new)
    if was_now[0] and was_now[1] and len(re.findall(_NUMBER, new)) == 1:
        noun = was_now[1]["noun"] or old.rpartition(" ")[2]
        if said := counted(context, was_now[1]["number"], noun, was_now[0]["old"]):
            return said
    budget, values = limit_of_money(context), [_plain_number(text) for text in (old, new)]
    if budget and values[0] and values[1] and float(budget[1].amount) in (values[0], 1000 * values[0]):
        times = 1000 if float(budget[1].amount) == 1000 * values[0] else 1
        return set_budget(
            context, budget, replace(budget[1], amount=Decimal(f"{values[1] * times:.2f}".removesuffix(".00")))
        )
    if old.isdecimal() and len(numbers := re.findall(r"\d+", re.sub(r"\b[A-Z]\d+\b", "", new))) == 1:
        new = numbers[0]
    if begins_with_verb(new) and len(new.split()) > 2:
        raise Unclear(f"Which line should say “{sentence(new)}”, and not “{old}”?")
    if ids := re.findall(r"\b[A-Z]\d+\b", new):
        raise Unclear(f"How should {ids[0]} say it? Say “rename {ids[0]} to …”.", about=(ids[0],))
    named = context.finder.by_id.get(old.upper())
    if isinstance(named, Step):
        return context.change(
            [named], f"{{}} was “{named.title}” and is “{sentence(new)}” now", title=sentence(new), outcome="", check=""
        )
    edit, only, is_telling = context.edit(), list[str](), context.finder.is_telling(old) or old.isdecimal()
    told = VERB.search(new)
    if told and len(new.split()) > len(old.split()) + 1:  # "the way back is tried twice, not once"
        only = [step.id for step in context.finder.clear_steps(new[: told.start()])]
        new = " ".join(new.split()[-len(old.split()) :])
        if len(only) != 1 or re.fullmatch(r"(?i)over|out|off|on|in|up|down|done", old):
            return None
    changed = put_in_place(context, edit, old, new, only) if only or is_telling else []
    if len(changed) > _MOST_LINES:
        raise Unclear(f"“{old}” stands in {listed(changed)}: in which of these should “{new}” stand?", about=())
    if changed:
        return context.done(f"“{new}” stands in the place of “{old}” in {listed(changed)}", edit, changed)
    near = [
        item
        for item in context.plan.items
        if not isinstance(item, Decision) and set(roots(old)) & set(roots(wording(item)))
    ]
    which = f": in {listed([quoted(item) for item in near[:3]], 'or')}" if near else ""
    raise Unclear(
        f"No line says “{old}”; where should “{new}” stand{which}?", about=tuple(item.id for item in near[:3])
    )


def _wrong(context: Context, text: str) -> Reply | None:
    """Take out an assumption that does not hold, and ask about the steps that rely on it."""
    negated = re.fullmatch(
        r"(?i)(?:that )?(?:we|i|there)(?: (?:have|has|is|are|got|do not have|don't have|haven't|will have|won't have|"
        r"no|not|any|an?)|'ve)+ (?P<thing>.+)",
        text,
    )
    thing = negated["thing"] if negated else text
    owned = [step for step in context.open_steps if step.owner and _is_same_name(thing, step.owner)]
    try:
        items: tuple[Item, ...] = context.finder.items(thing, Bullet)
    except Unclear as unclear:
        if not owned:
            raise Unclear(f"What is wrong with it? {unclear.reply.answer}", about=unclear.reply.about) from unclear
        items = ()
    if other := next((item for item in items if not isinstance(item, Bullet | Question)), None):
        raise Unclear(f"What is wrong about {quoted(other)}, and how should it be?", about=(other.id,))
    edit = context.edit()
    for item in items:
        edit.forget(item.id)
        edit.add(Decision(id=edit.new_id(Decision), text=f"{quoted(item)} does not hold.", reason=context.text[:200]))
    answer = context.told("{} is/are taken out", items) if items else ""
    if not owned:
        return context.done(answer, edit)
    ask = context.told(f"{{}} is/are {owned[0].owner}'s: who does it/them?", owned)
    reply = context.done(f"{answer}; {ask}" if items else ask, edit, owned, partly=True)
    return reply if items else replace(reply, outcome="asked", plan=None, answer=ask)


def _is_same_name(thing: str, owner: str) -> bool:
    own, words = set(roots(owner)), set(roots(thing))
    return bool(own and words) and (own <= words or words <= own)


def _constraint(context: Context, item: Item, text: str) -> Reply | None:
    """Set the sum or the day of a constraint that is named."""
    day = day_in(text, context.today)
    if not isinstance(item, Constraint):
        return None
    if item.day and day:
        return set_deadline(context, limit_of(day)) if item.by == str(context.deadline) else None
    old = item.amount or money(item.text, context.today)
    new = money(f"budget {text}", context.today, old.currency) if old else None
    return set_budget(context, (item, old), new) if old and new else None


_ASKS_MONEY = re.compile(r"(?i)\b(?:what|how much)\b.*\b(?:cost|spen[dt]|money|pay)\b|\bbudget\b")


def _linked(context: Context, facts: str, item: Item) -> Reply | None:
    """Say which constraints, criteria or facts an item answers: in its answers, or as where it comes from."""
    names = [name.upper() for name in re.findall(r"[A-Za-z]\d+", facts)]
    known = {one.id for one in context.plan.items}
    if missing := [name for name in names if name[0] != "G" and name not in known]:
        raise Unclear(f"There is no {missing[0]}: which one do you mean?")
    edit = context.edit()
    if isinstance(item, Answering):
        edit.set(item.id, answers=tuple(dict.fromkeys((*item.answers, *names))))
        return context.done(f"{context.name(item)} answers {listed(names)} now", edit, [item])
    if any(name[0] != "G" for name in names):
        return None
    origin = item.origin or Origin("person")
    source = " ".join(dict.fromkeys([*origin.source.split(), *names]))
    edit.set(item.id, origin=replace(origin, source=source))
    return context.done(f"{context.name(item)} comes from {listed(names)}, too", edit, [item])


def _dismissed(_context: Context, facts: str) -> Reply:
    names = re.findall(r"G\d+", facts.upper())
    return Reply(f"{listed(names)} {verb(names, 'is', 'are')} left aside", control="dismiss")


_WORDS = (
    f"    NUMBER = {_NUMBER}"
    r"""
    SUM = (?P<amount>.*\d.*|.*\b(thousand|million|hundred|grand)\b.*)
    RAISE = (raise|increase|extend|cut|reduce|lower|decrease|shrink|trim)
    BUDGET = ( the| our| my)? budget
    FACTS = (?P<facts>G\d+((,|,? and|,? &) G\d+)*)
"""
)


LINKS = forms(
    _WORDS,
    r"""
linked
    {FACTS} (is|means|=)( the same as)? (?P<item>[KCSQRB]\d+)
    {FACTS} (belongs?|goes?|refers?|is|are|comes?|fits?|should (be|go|belong))( (to|with|in|into|under|on|for|about|part
        of|covered by|answered by|done by|handled in|meant for)){1,3} (?P<item>.+)
    <item> (answers?|covers?|addresses|handles?|keeps?|takes? care of|meets?|fulfils?|deals? with|satisfies|sees to|is
        for) (?P<facts>[GKC]\d+((,|,? and|,? &) [GKC]\d+)*)
dismissed
    (ignore|forget( about)?|disregard|drop|dismiss|leave out|skip|never mind) {FACTS}( please)?
""",
    _linked,
    _dismissed,
)


SETTLED = forms(
    _WORDS,
    r"""
settled
    (question )?(?P<question>Q\d+)( is( (answered|settled|clear|solved|resolved))?)? ?[:,–-]+ <text>
""",
    settled,
)


MONEY = forms(
    _WORDS,
    r"""
budget
    {RAISE}{BUDGET} (?P<by>by) {SUM}
    (the |our |my )?(new |total |overall |absolute )?(budget|ceiling|spending limit|limit|cap|maximum)( (is|was|
        has been|should be|must be|will be|of|went|goes|changed|rose|
        drops?|dropped|now|only|just|raised|cut|increased|reduced|down|up)){0,5}( to| at)?[:=]? {SUM}
    (we|i) (can|could|must|should|want to|may|will)(not|'t)?( only)? (spend|go)( (more than|up to|at most|only)){0,5}
        {SUM}
constraint
    (?P<item>K\d+)( (is|are|moves?|goes|becomes|should be|must be|has to be|now|to|=))+ <text>
cost
    <what>( (will|should|would|now|only|really|actually|probably)){0,5} (costs?|is priced at|costs? us|comes to) {SUM}
""",
    _budget,
    _constraint,
    _cost,
)


FORMS = forms(
    _WORDS,
    r"""
target
    (?P<criterion>C\d+)('s)?(:| (target|is|should be|must be|needs|due|on|by))+:? (now )?<text>
decided
    (we|i|they|it was|it's been)( (have|has|'ve|all|now|just|already|finally)){0,5} decided:? <text>
replaced
    (?P<old>(?![A-Z]\d)[^>]{1,40}?) ?(->|=>|→) ?(?P<new>.+)
    (use|take|do|have|say|write|make it|choose|prefer|we('ll| will| should)? (use|take|do|go with)) (?P<new>.+?)(,)?
        (instead of|rather than|in place of|and not|not) (?P<old>.+)
decided
    (let's |we('ll| will)? |i('ll| will)? )?(go|going|went|stick|settle) (with|for|on) <text>
replaced
    (only |just )?(?P<new>\S.*?),? not (?P<old>\d[\d.,]*|an? (half|third|quarter|fifth|tenth)|(in )?[A-Z][a-z]{2,8})
    (?P<new>[\w .'-]{2,60}?)(,? instead of|, (and )?not|,? rather than) (?P<old>[\w .'-]{2,60})
wrong
    (that('s| is) |this is |it('s| is) )?(wrong|not true|not right|incorrect|not correct|false)[:,;–-]+ ?<text>
""",
    _target,
    _decided,
    _replaced,
    _wrong,
)
