"""Requests read by what stands in the clause, whatever its order: one rule for each kind of line that it can change.

    "we'd be fine if the hall is full at 85 %"  ─ C1 by its words, a share ─▶ the target of C1
    "its about 12,000 accounts"                 ─ Q1 by its words, a number ─▶ Q1 is settled

A rule acts where its item is clear and the value fits it; else it leaves the clause to others.
"""

from __future__ import annotations

import re
from calendar import monthrange

from workbench.domain.plan.importing.work import begins_with_verb
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Item, Level, Question, Risk, Step
from workbench.domain.requests.amounts import day_in, days, facts, first_of, last_of, money, past_day, spoken, without
from workbench.domain.requests.context import COMMAND, VERB, Context, listed, possessive, sentence
from workbench.domain.requests.forms.contents import counted, limit_of_money, put_in_place, set_budget, settled
from workbench.domain.requests.forms.frames import AnyItem, Frame, recent_of
from workbench.domain.requests.forms.people import replaced_by
from workbench.domain.requests.forms.schedule import set_deadline
from workbench.domain.requests.forms.statuses import is_ahead
from workbench.domain.requests.lookup import ID, likeness, quoted, root, roots, telling
from workbench.domain.requests.request import Reply, Unclear


def _share(context: Context, item: Item, *fields: str, text: str = "") -> float:
    """Return how much of the words of a clause, its values left out, an item has in some of its texts."""
    text = text or context.text
    values = [fact for fact in facts(text, context.today) if fact.type != "amount" or fact.value.currency]
    bare = re.sub(r"\d[\d.,]*", " ", without(text, values))
    return context.finder.share(bare, item, " ".join(str(getattr(item, field, "")) for field in fields))


def _shared(text: str, other: str) -> int:
    """Return how many telling words two texts share, in any form."""
    return sum(any(likeness(word, own) >= 0.9 for own in roots(other)) for word in telling(text))


def _named(context: Context, kind: type[AnyItem]) -> AnyItem | None:
    """Return the one item of a kind that a clause names by its id, or that was spoken of just before."""
    names = [name.upper() for name in re.findall(rf"\b{ID}\b", context.text)] or list(context.finder.recent)
    pinned = [context.finder.pinned.upper()] if context.finder.pinned else names
    items = [item for name in pinned if isinstance(item := context.finder.by_id.get(name), kind)]
    return items[0] if len(items) == len(pinned) == 1 else None


# --- risks ------------------------------------------------------------------------------------------------------------

_LEVELS: tuple[Level, ...] = ("low", "medium", "high")
_LEVEL = r"low|medium|middling|high|moderate|small|tiny|big|large"
_SAME = {"middling": "medium", "moderate": "medium", "small": "low", "tiny": "low", "big": "high", "large": "high"}
_FIELD = {
    "likelihood": r"likel\w*|unlikely|prob\w+|chances?|odds",
    "impact": r"impact|sever\w*|serious|harm\w*|damage|effect|bad|hurts?|harmless|consequen\w+",
}
_GRADED = r"likely|unlikely|probable|improbable|severe|serious|bad|harmless|hurts?|certain"
_LOWER = r"(?:isn't|is not|wouldn't|doesn't|not|less|lower|un\w+|improbable|harmless|hardly|never|down)\b"
_LITTLE = (
    "it's say risk risks isn't not so that very more less think i'd make set put is are was should be only rather "
    "really quite would probability severity now just case event rate call it them both got fairly pretty if does "
    "happens highly extremely super quite i would afraid sadly guess please"
)


def _levelled(context: Context, _match: re.Match[str]) -> Reply | None:
    """Set how likely a risk is, how bad, or both: "R1 isn't that likely, say medium", "medium, high"."""
    risk = _named(context, Risk) or _only_risk(context)
    if risk is None or re.match(r"(?i)(?:add|new|another|a) ", context.text) or "?" in context.text:
        return None
    bare = re.sub(rf"(?i)\b(?:{ID}|{_LEVEL}|{_GRADED}|{'|'.join(_FIELD.values())})\b", " ", context.text)
    own = {*roots(_LITTLE), *roots(risk.text)}
    if any(not any(likeness(word, one) >= 0.9 for one in own) for word in roots(bare)) or re.search(r"\d", bare):
        return None
    values: dict[str, Level] = {}
    degrees: dict[str, int] = {}
    field = ""
    for part in re.split(r"(?i),|;|\band\b|\bbut\b|(?<=high) (?=impact)|(?<=low) (?=impact)", context.text):
        field = next((name for name, words in _FIELD.items() if re.search(rf"(?i)\b(?:{words})", part)), field)
        said = [level.lower() for level in re.findall(rf"(?i)\b(?:{_LEVEL})\b", part)]
        if said:
            free = next((name for name in _FIELD if name not in values), "impact")
            values[field or (free if values or "," in context.text else "")] = _of(said[-1])
        elif field and re.search(rf"(?i)\b(?:{_GRADED})\b", part):
            is_low, is_more = re.search(rf"(?i)\b{_LOWER}", part), re.search(r"(?i)\b(?:more|worse|higher)\b", part)
            degrees[field] = (
                -2 if re.search(r"(?i)\b(?:un|improb|harml)", part) else -1 if is_low else 1 if is_more else 2
            )
        field = "" if said else field
    if "" in values:
        raise Unclear(f"Which is {values['']}, the likelihood or the impact of {context.name(risk)}?", about=(risk.id,))
    for name, degree in degrees.items():
        if name not in values:
            at = min(2, max(0, _LEVELS.index(getattr(risk, name)) + degree))
            values[name] = _LEVELS[at]
    if not values:
        return None
    told = [
        f"the {name} of {{}} is {level} now" + (f", was {was}" if (was := getattr(risk, name)) != level else "")
        for name, level in values.items()
    ]
    answer = sentence(" and ".join([told[0], *(one.replace(" of {}", "") for one in told[1:])]))
    return context.change([risk], answer, **values)


def _of(level: str) -> Level:
    return next(one for one in _LEVELS if one == _SAME.get(level, level))


def _only_risk(context: Context) -> Risk | None:
    """Return the risk that the clause names by its words, or the only one where it says "the risk"."""
    risks = [item for item in context.plan.items if isinstance(item, Risk)]
    if not re.search(r"(?i)\brisk\b", context.text):
        return None
    near = [risk for risk in risks if _shared(context.text, risk.text) > 1]
    return near[0] if len(near) == 1 else risks[0] if len(risks) == 1 else None


_NOTICED = (
    r"(?:(?:the )?(?:first |early |warning )?signs?(?: of it)?(?: ?[=:]| is| are| would be)(?: when| that)?|(?:we|you|"
    r"they|i)"
    r"(?:'d| would|'ll| will| can)? (?:first )?(?:know|see|notice|spot|tell|hear)(?: (?:it|that|this))?(?: first)?"
    r"(?: (?:from|by|in|when|if|through|at|on))+) ?"
)


def _foreseen(context: Context, match: re.Match[str]) -> Reply | None:
    """Say by what a risk is noticed and what is done then; what no risk speaks of is a new one with its response."""
    what, text = match["what"] or "", re.sub(r"(?i)^(?:and |so )?then,? ", "", match["then"].strip(" ."))
    named = re.match(rf"(?i)(?:for )?({ID})(?:'s)?[ :–-]+", context.text)
    if (
        _POLITE.match(what)
        or _PLEASED.match(text)
        or re.search(rf"\b{ID}\b", context.text[named.end() if named else 0 :])
    ):
        return None
    risks = [item for item in context.plan.items if isinstance(item, Risk)]
    near = [risk for risk in risks if telling(what) and _shared(what, risk.text) >= min(2, len(telling(what)))]
    item = (
        context.finder.by_id.get(named[1].upper()) if named else near[0] if len(near) == 1 else recent_of(context, Risk)
    )
    is_new = bool(what) and not (isinstance(item, Risk) and (named or near or not item.response))
    if is_new and not re.search(rf"\b{ID}\b", context.text) and not facts(context.text, context.today):
        edit = context.edit()
        risk = Risk(id=edit.new_id(Risk), text=sentence(what), response=sentence(text))
        edit.add(risk)
        return context.done(f"{quoted(risk)} is added as a risk, with the response “{risk.response}”", edit, [risk])
    seen = re.match(rf"(?i){_NOTICED}", text)
    is_sign = bool(seen or match["sign"])
    if (
        not isinstance(item, Risk)
        or is_new
        or (not what and not is_sign and item.response)
        or len(text.split()) < _A_SIGN
    ):
        return None
    sign, _, response = re.sub(
        r"(?i),? (?:and |so )?then\b", "\0", text[seen.end() :] if seen else text, count=1
    ).partition("\0")
    values = {"sign": sentence(re.sub(" first$", "", sign)), "response": sentence(response)} if is_sign else {
        "sign": sentence(what) if what and not near else "", "response": sentence(text)}  # fmt: skip
    values = {field: value for field, value in values.items() if value}
    told = listed([f"{field} “{value}”" for field, value in values.items()])
    return context.change([item], f"{{}} has the {told} now", **values)


_POLITE = re.compile(
    r"(?i)(?:it is |that is |at all )?possible\b|need(?:ed| be)\b|"
    r"you (?:like|agree|think|want|can(?!['’]?t|not)|could(?!n)|have (?:the )?time)\b"
)
"""What follows "if" and foresees nothing: "if you like", "if possible"."""
_PLEASED = re.compile(
    r"(?i)(?:i|we)(?:['’](?:m|re|d be)| am| are| would be) (?:happy|fine|glad|ok|okay|content|satisfied)\b"
)
"""What follows a sign of success, and is no response: "if 70 of them come, I'm happy"."""
_A_SIGN = 2
"""Words of a sign or a response, at least."""


# --- limits -----------------------------------------------------------------------------------------------------------

_NO_LIMIT = re.compile(
    r"(?i)\b(?:changes?|problems?|ideas?|clue|worries|rush|hurry|comments?|objections?|need|way|reason|doubts?|"
    r"questions?|"
    r"wait|sorry|really|thanks?|time|money|luck|one|more|longer|idea|chance|good|big deal|matter|wonder|fun|use|sense|"
    r"point|help)\b"
)
"""What "no …" says nothing of the plan with."""
_HOW_IT_IS = re.compile(
    r"(?i)\byet\b|^(?:nobody|nothing) (?:can|could|will|is|was|has|have)\b|^no (?:reply|answer|news|dice)\b"
)
"""Says how things are, and rules nothing out."""


def _ruled_out(context: Context, match: re.Match[str]) -> Reply | None:
    """Note what must never be as a constraint: "never switch on a Friday", "no kids"."""
    is_dated = any(one.type in ("date", "duration") and one.value.first for one in facts(context.text, context.today))
    if context.finder.pinned or re.search(rf"\b{ID}\b", context.text) or is_dated or _HOW_IT_IS.search(context.text):
        return None
    words = roots(match["no"] or "")
    named = {root(own) for own in context.finder.words}
    if match["no"] and (not words or _NO_LIMIT.search(match["no"]) or {*words} & named):
        return None
    text = sentence(match["what"] or match["other"] or context.text)
    is_denied = re.match(r"(?i)(?:no|never|not|nothing|nobody|at most|under no)\b", text)
    edit = context.edit()
    line = Constraint(
        id=edit.new_id(Constraint), limits="exclusion",
        text=text if is_denied else f"Never: {text[:1].lower()}{text[1:]}",
    )  # fmt: skip
    edit.add(line)
    return context.done(f"{quoted(line)} is added as a constraint; no step answers it yet", edit, [line])


_RULED_OUT = (
    r"^(?:(?:never|under no circumstances) [a-z].+|(?:no more than|not more than|at most|no|nobody|no one|"
    r"nothing)\b.*? "
    r"(?:may|must|can|should) (?!be (?:dropped|removed|skipped|done|finished|changed)\b)[a-z].+|"
    r"no (?P<no>[a-z][\w-]*(?: [\w-]+)?)|(?:what|the one thing (?:that )?) ?(?:i|we) (?:can't|cannot|couldn't|won't) "
    r"(?:live with|have|accept|stand|afford)(?: at all)? is (?P<what>.+)|"
    r"(?P<other>.+) (?:is|would be) (?:a deal ?breaker|unacceptable))$"
)


# --- questions --------------------------------------------------------------------------------------------------------

_KIND_OF_ANSWER = (
    (r"how (?:many|much|long|often)|\bcost\b", r"\d|\b(?:one|two|three|four|five|ten|hundred|thousand|dozen|none)\b"),
    (r"\bwhen\b|until when|by when|which day", "date"),
    (
        r"\bwho\b|\bwhom\b|\bwhose\b",
        r"(?<!^)\b[A-Z][a-z]+|^(?:the|our|my|(?!(?:We|It|They|There|This|That)\b)[A-Z][a-z]+)\b",
    ),
)
_NO_ANSWER = re.compile(
    r"(?i)\b(?:must|should|shall|(?:has|have|needs?) to|before|after|idk|no idea|not sure|cannot|don't know|forget|"
    r"forgot|risk|instead|too|rather|wrong|if|unless|maybe|new (?:date|day))\b|\?|"
    r"^(?:you|the plan|when|if|why|what|how|can|could|add|new)\b"
)


_TOLD = re.compile(r"(?i)\b(?:settled|decided|known|clear|found|fixed|chosen|(?:have|got) (?:one|an?|the|our))\b")
"""Says that something is known now."""


def _fits(context: Context, question: Question) -> bool:
    """Tell whether a clause has the kind of value that some part of a question asks for."""
    asked = [value for pattern, value in _KIND_OF_ANSWER if re.search(rf"(?i){pattern}", question.text)]
    is_yes_or_no = re.match(r"(?i)(?:is|are|do|does|has|have|can|will)\b", question.text)
    named = bool(days(context.text, context.today))
    found = any(named if value == "date" else re.search(value, context.text) for value in asked)
    return found or is_yes_or_no is not None or not asked


def _answering(context: Context, match: re.Match[str] | None, *, is_sure: bool) -> Reply | None:
    """Take a statement in the words of an open question for its answer; where the words are few, it is offered."""
    del match
    text = context.text
    said = _named(context, Decision)
    if isinstance(said, Decision) and said.reason.startswith("Answers Q") and _goes_on(context, said, is_sure=is_sure):
        return context.change([said], "{} says so too", text=f"{said.text}; {text}")
    is_told_to_do = (
        begins_with_verb(text) and not VERB.search(text) and context.finder.nearest(text.partition(",")[0]) is not None
    )
    if (
        _NO_ANSWER.search(text)
        or COMMAND.match(text)
        or is_told_to_do
        or re.search(rf"\b{ID}\b", text)
        or context.finder.pinned
    ):
        return None
    questions = [
        item for item in context.plan.items if isinstance(item, Question) and not item.text.startswith("Did you")
    ]
    is_told = _TOLD.search(text)
    text_of = re.sub(r"(?i)\b(?:roughly|about|around|approximately|some|nearly)\b", " ", text)
    bare = _TOLD.sub(" ", re.split(r",(?!\d)|:| - | – ", text_of)[0] if is_told else text_of)
    rated = sorted(
        ((_shared(bare, item.text), _share(context, item, "text", "assumption", text=bare), item)
         for item in questions if _fits(context, item)),
        key=lambda row: row[:2], reverse=True)  # fmt: skip
    if not rated or not rated[0][0] or (len(rated) > 1 and rated[0][:2] == rated[1][:2]):
        return None
    count, share, question = rated[0]
    step = max((_share(context, one, "title", text=bare) for one in context.open_steps), default=0.0)
    is_clear = (count >= _SEVERAL or bool(is_told)) and share >= max(step, _MOST_OF_IT)
    is_clear = is_clear or _has_the_form(" ".join(bare.split()), question.text)
    if (
        re.search(r"(?i)\bwhen\b", question.text)
        and day_in(text, context.today)
        and not re.search(r"(?i)\b(?:by|until|till)\b", text)
    ):
        lead = VERB.split(text, maxsplit=1)[0]  # "the old contract runs out on 31 March"
        is_clear = is_clear or (count > 0 and _share(context, question, "text", text=lead) >= _ALL_OF_IT)
    if is_sure and not is_clear:
        return None
    amount = money(text, context.today, context.currency)
    if amount and re.search(r"(?i)\bcost|budget|spen[dt]\b", question.text) and limit_of_money(context) is None:
        return set_budget(context, None, amount)
    reply = settled(context, question, text)
    if reply is None or is_clear or (share >= max(step, _MOST_OF_IT) and len(facts(text, context.today)) > 0):
        return reply
    return _weak(reply) if share >= max(step, _HALF) and count >= _SEVERAL else None


def _has_the_form(text: str, question: str) -> bool:
    """Tell whether a few words have just what a question asks for, with its own noun or verb.

    "How many records or accounts …?": "4,200 customer accounts". "Who decides …?": "it's Jonas who decides".
    """
    many = re.match(r"(?i)how many\b", question) and re.fullmatch(
        r"(?i)(?:(?:we|i|they)(?: have|'ve got| are|'re) )?\d[\d.,]*k? (?:[a-z]+ )?([a-z]+)(?: (?:to [a-z]+|in "
        r"all))?[.!]*",
        text,
    )
    who = re.match(r"(?i)who\b", question) and re.fullmatch(r"(?:[A-Z]\w+ )+is the one who ([a-z ]+?)[.!]*", text)
    own = many or who or None
    return own is not None and _shared(own[1], question) > 0


def _goes_on(context: Context, said: Decision, *, is_sure: bool) -> bool:
    """Tell whether a statement says more of an answer just given: of the same thing, or of no step."""
    if _NO_ANSWER.search(re.sub(r"(?i)\b(?:has|have) to\b", "", context.text)) or COMMAND.match(context.text):
        return False
    is_of_it = re.match(r"(?i)(?:and |but )?(?:it|he|she|they|that|this|there)(?:\b|')", context.text)
    verb = r"is|are|has|have|was|were|will" + ("" if is_sure else "|[a-z]{3,}s")
    is_told = re.search(rf"(?i)\b(?:{verb})\b|'s\b", context.text)
    return bool(
        is_told and (is_of_it or _shared(context.text, said.reason) or not context.finder.nearest(context.text))
    )


_SEVERAL, _MOST_OF_IT, _HALF, _ALL_OF_IT = 2, 0.7, 0.4, 0.9


def _weak(reply: Reply) -> Reply:
    return Reply(reply.answer, reply.plan, reply.outcome, about=reply.about, is_weak=True)


# --- targets and sums -------------------------------------------------------------------------------------------------


def _aimed(context: Context, _match: re.Match[str]) -> Reply | None:
    """Set the number of a target whose criterion the clause names by its words."""
    values = [fact for fact in facts(context.text, context.today) if fact.type == "amount" and fact.value.number]
    criteria = [item for item in context.plan.items if isinstance(item, Criterion) and re.search(r"\d", item.target)]
    if len(values) != 1 or re.search(rf"\b{ID}\b", context.text) or context.finder.pinned:
        return None
    [value] = values
    fit = [item for item in criteria if ("%" in item.target) == (value.value.unit == "%")]
    step = max((_share(context, one, "title") for one in context.open_steps), default=0.0)
    near = [item for item in fit if _share(context, item, "text") >= max(_HALF, step + 0.1)]
    if len(near) != 1 or value.value.unit != "%" or re.match(r"(?i)(?:add|new|another)\b", context.text):
        return None
    [item] = near
    target = re.sub(r"\d[\d.,]*", f"{value.value.number:g}", item.target, count=1)
    return context.change([item], f"The target of {{}} is {target} now, was {item.target}", target=target)


_NUM = r"[€$£]?\d[\d.,]*\d?k?(?: ?(?:EUR|USD|GBP|euros?|€|\$))?"
_CONTRAST = (
    rf"(?P<new>{_NUM})(?: (?P<noun>[a-z]+))?(?: now)?,? (?:instead of|rather than|(?:and )?not) "
    rf"(?P<old>{_NUM})(?! ?days?)"
)


_IS_WRONG = (
    rf"(?P<old>{_NUM})(?: (?P<noun>[a-z]+))? (?:is|are) (?:wrong|off|not right)[,;]? ?(?:(?:it|that|they)(?:'s| is|"
    rf"'re| are)|"
    rf"should be|make it) (?P<new>{_NUM})"
)


def _corrected(context: Context, match: re.Match[str]) -> Reply | None:
    """Put a number in the place of another one that the plan has: a limit of money, or what lines count."""
    sums = [money(match[name], context.today, context.currency) for name in ("new", "old")]
    codes = [amount.currency for amount in sums if amount] + [context.currency]
    new, old = (money(f"budget {match[name]}", context.today, codes[0]) for name in ("new", "old"))
    if new and old and (limit := limit_of_money(context)) and limit[1].amount == old.amount:
        return set_budget(context, limit, new)
    return counted(context, match["new"], match["noun"] or "", match["old"]) if match["noun"] else None


_A_BUDGET = 100
"""Sum from which on a number beside words for money is one for the whole."""
_MONEY_WORDS = r"budget|money|limit|ceiling|cost|spend|all[ -]in|altogether|afford|total"


def _limited(context: Context, _match: re.Match[str]) -> Reply | None:
    """Set what the whole may cost where a sum stands beside words for money and no step is named."""
    sums = re.findall(rf"(?<![\w.,])(?:{_NUM})(?![\w%])", context.text)
    bare = re.sub(rf"(?i)\b(?:{_MONEY_WORDS}|make|max\w*|most|cent|all|whole|thing|spent|more)\b", " ", context.text)
    rest = [word for word in roots(re.sub(_NUM, " ", bare)) if not word.isdecimal()]
    if len(sums) != 1 or rest or re.search(rf"(?i)\b{ID}\b|\b(?:by|extra|less|per|each)\b|\?", context.text):
        return None
    amount = money(f"budget {sums[0]}", context.today, context.currency)
    if amount is None or amount.amount < _A_BUDGET:
        return None
    return set_budget(context, limit_of_money(context), amount)


# --- days -------------------------------------------------------------------------------------------------------------

_EVENT = r"day|date|event|party|celebration|ceremony|big day|thing|weekend"


def _on_the_day(context: Context, _match: re.Match[str]) -> Reply | None:
    """Move the day that it is all for: "it's the 19th now", "the date's wrong, we're getting married on 19 June"."""
    old, named = context.deadline, days(context.text, context.today)
    bare = re.search(r"(?i)\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! of| [a-z]+ \d{4})", context.text)
    iso = old.isoformat() if old else ""
    event = [step for step in context.open_steps if step.on == iso]
    is_fixed = event or any(isinstance(item, Constraint) and item.by == iso for item in context.plan.items)
    if old is None or not is_fixed or len(named) > 1 or not (named or bare) or re.search(rf"\b{ID}\b", context.text):
        return None
    is_it = re.search(r"(?i)^(?:we )?(?:move|shift|push|put|postpone|bring|set) it\b", context.text)
    if context.finder.pinned or (is_it and context.finder.recent) or (named and named[0].role in ("deadline", "start")):
        return None
    own = {
        *roots(_EVENT.replace("|", " ")),
        *(word for step in event for word in roots(step.title)),
        *roots(context.plan.title),
    }
    said = (named[0].text if named else bare[0] if bare else "").strip()
    text = next((part for part in re.split(r", (?!\d)", context.text) if said in part), context.text)
    rest = roots(re.sub(rf"(?i)\b(?:{_MOVES})\b|\bthe \d+(?:st|nd|rd|th)\b", " ", text.replace(said, " ")))
    if not all(any(likeness(word, one) >= 0.9 for one in own) for word in rest):
        return None
    is_goal = all(any(likeness(word, one) >= 0.9 for one in roots(_EVENT.replace("|", " "))) for word in rest)
    meant = () if is_goal else context.finder.clear_steps(" ".join(rest))
    if (is_goal and not event) or any(step not in event for step in meant):
        return None  # "change the date": it may be that of any line
    if is_goal and not re.search(
        r"(?i)\b(?:wrong|new|now|move|moved?|changed?|set|push|put|postpone|bring|shift)\b", context.text
    ):
        return None
    if bare and (not named or not _MONTH.search(named[0].text)):
        if not 1 <= int(bare[1]) <= monthrange(old.year, old.month)[1]:
            return Reply(f"There is no {int(bare[1])} {old:%B}: which day is meant?", outcome="asked")
        return set_deadline(context, old.replace(day=int(bare[1])))
    is_day = bool(named) and first_of(named[0]) == last_of(named[0])
    return set_deadline(context, first_of(named[0])) if is_day else None


_MONTH = re.compile(r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d[./-]\d")
_MOVES = (
    "wrong|new|now|moved?|changed?|getting|take|place|set|is|happens?|on|to|instead|held|decided|it|push|put|postpone|"
    "bring|"
    "shift|back|forward|whole|got|been|going|be|will|has"
)
"""Words that move a day, and name none."""


# --- people -----------------------------------------------------------------------------------------------------------

_ROLE = (
    r"^(?:(?P<name>[A-Z][\w-]+(?: (?:de |van |von |der )*[A-Z][\w-]+)*) is (?:our|the) (?P<role>[\w -]{3,30})|"
    r"(?:our|the) (?P<role2>[\w -]{3,30}?)(?:'s name)? is(?: called)? (?P<name2>(?-i:[A-Z])[\w-]+(?: (?:de |van |von |"
    r"der )*(?-i:[A-Z])[\w-]+)*))$"
)


def _called(context: Context, match: re.Match[str]) -> Reply | None:
    """Give a role of the plan its name: "our treasurer is Femke de Vries"."""
    role, name = match["role"] or match["role2"], match["name"] or match["name2"]
    known = context.known(role)
    if not known or known == name or not name[0].isupper() or not context.steps_of(known):
        return None
    return replaced_by(context, known, name)


_DOES = (
    r"^(?:and |so )?(?:(?:my|our|the|his|her|their) [a-z]+ |[A-Z][\w-]+'s [a-z]+ "
    r")?(?P<name>(?![A-Za-z]\d)(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)*)"
    r"(?: (?:and|&) (?P<other>me|I|(?-i:[A-Z])[\w-]+))?(?: (?:from|of|at|in) (?P<of>(?:the |our )?[\w-]+))?(?: "
    r"(?:will|can|could|should|would(?: love| like)? to|wants to|"
    r"has to|is going to|'ll|is))? (?P<does>[a-z]+(?: [a-z]+)*.*)$"
)


def _doing(context: Context, match: re.Match[str]) -> Reply | None:
    """Give a step to who is said to do it, in its own words: "Sofie from the board signs for the hall"."""
    name, does = match["name"], re.sub(r"\s*\([^()]*\)", "", match["does"]).strip(" .")
    if (
        does.split()[0].lower() in _NO_DEED
        or facts(does, context.today)
        or re.search(r"(?i)\b(?:or|if|not)\b|\?|n't\b", context.text)
    ):
        return None
    known = context.known(name)
    words = {root(word.lower()) for word in name.split()}
    if not known and (words & {root(word) for word in context.finder.words} or name in _NO_NAME):
        return None
    is_it = re.fullmatch(_TO_IT, does)
    rest = re.sub(_DEEDS, "", does).strip()
    steps = context.finder.clear_steps("it" if is_it else does) or context.finder.clear_steps(rest)
    near = None if steps or not rest else context.finder.nearest(rest)
    if not steps and near is None:
        return None
    verbs = {word for step in steps for word in roots(step.title)}
    if not (known or is_it or match["of"] or re.match(_DEEDS, does) or root(does.split()[0]) in verbs):
        return None
    owner = known or (f"{name} ({re.sub('^(?:the|our) ', '', match['of'])})" if match["of"] else name)
    owner = owner if not match["other"] else context.owner(f"{owner} and {match['other']}") or owner
    reply = context.change(steps or tuple(filter(None, [near])), f"{{}} is/are {possessive(owner)} now", owner=owner)
    return reply if steps else _weak(reply)


_TO_IT = r"(?i)[a-z]+(?: to| care of| after)? (?:it|that|this|them|both|that one)(?: up| over| on| together)?"
_DEEDS = (
    r"(?i)(?:do(?:es|ing)?|takes?|handles?|organi[sz]es?|runs?|sorts?|manages?|looks? after|sees? to|makes?|writes?)\b"
)
_NO_DEED = frozenset("is are was were has have had joined left joins leaves said says thinks asked asks wants".split())  # noqa: SIM905
_NO_NAME = frozenset(
    [
        "No",
        "Not",
        "None",
        "Nobody",
        "Nothing",
        "Never",
        "Yes",
        "It",
        "This",
        "That",
        "There",
        "Please",
        "Also",
        "And",
        "But",
        "The",
        "Our",
        "My",
        "We",
        "They",
        "You",
        "He",
        "She",
        "What",
        "Who",
        "When",
        "Why",
        "How",
    ]
)


# --- how it stands ----------------------------------------------------------------------------------------------------

_HAPPENED = (
    r"did|booked|signed|sent|paid|ordered|confirmed|arranged|sorted|bought|hired|found|written|registered|settled|"
    r"delivered|printed|went out|gone out|are out|is out|in the bag|taken care of|mailed|posted|agreed"
)


_FOR = {
    "booked": "book find hire rent reserve get order choose", "signed": "sign", "sent": "send invite tell mail",
    "paid": "pay buy order", "ordered": "order buy get", "bought": "buy get order", "hired": "hire find recruit",
    "found": "find choose look search", "written": "write draft", "registered": "register",
    "delivered": "deliver order",
    "printed": "print", "went": "send invite tell announce", "gone": "send invite tell announce",
    "mailed": "send mail invite", "posted": "send post invite", "confirmed": "confirm book invite",
    "agreed": "agree settle",
}  # fmt: skip
"""The verbs of steps that are done when this has happened to their thing; those left out go with any."""


def _happened(context: Context, match: re.Match[str]) -> Reply | None:
    """Take a step for done whose thing is said to be; of a step with more things, note that one."""
    what = re.sub(r"(?i)^(?:we(?:'ve| have)?|i(?:'ve| have)?)(?: already)? ", "", context.text[: match.start()])
    after = context.text[match.end() :]
    if not what.strip():  # "we've booked the band"
        what, after = after, ""
    values = facts(context.text, context.today)
    left = roots(
        without(
            re.sub(r"(?i)\b(?:already|now|yesterday|today|finally|all|last|with|by|them)\b", " ", after),
            facts(after, context.today),
        )
    )
    if (
        is_ahead(context.text)
        or left
        or "?" in context.text
        or re.search(r"(?i)\b(?:when|once|if|until)\b", context.text)
    ):
        return None
    bare = re.sub(
        r"(?i)\b(?:is|are|was|were|has|have|been|'s|got|already|now|finally|all|the|our|my)\b|'s\b", " ", what
    )
    bare = without(bare, facts(bare, context.today)).strip()
    named = _named(context, Step) if re.search(rf"\b{ID}\b", context.text) else None
    bare = re.sub(rf"\b{ID}\W*", "", bare)
    steps = ((named,) if named else context.finder.clear_steps(bare)) or tuple(
        filter(None, [context.finder.nearest(f"{bare} {match[0]}")])
    )
    open_steps = [step for step in steps if step.status != "done"]
    verbs = _FOR.get(match[0].lower().split()[0], "")
    title = {root(word) for word in open_steps[0].title.lower().split()} if open_steps else set()
    is_its_verb = not verbs or any(likeness(root(verb), own) >= 0.9 for verb in verbs.split() for own in title)
    if not is_its_verb:
        return None
    is_meant = named or (bare and open_steps and context.finder.share(bare, open_steps[0]) >= _MOST_OF_IT)
    if not is_meant or len(open_steps) != 1 or (bare and named and not _shared(bare, named.title)):
        return None
    [step] = open_steps
    day = next((past_day(fact, context.today) for fact in values if fact.type == "date"), context.today)
    if day > context.today:
        return None
    cost = money(context.text, context.today)
    more = {"cost": cost} if cost else {}
    parts = [part for part in re.split(r",| and |:", step.title) if telling(part)]
    if bare and len(parts) > 1 and sum(_shared(part, bare) > 0 for part in parts) < len(parts):
        note = "; ".join(filter(None, [step.notes, sentence(context.text)]))
        reply = context.change(
            [step],
            f"{{}} has the note “{sentence(context.text)}” now; is the rest of it done, too?",
            notes=note,
            **more,
        )
        return Reply(reply.answer, reply.plan, "partly", about=reply.about)
    told = f"{{}} is done since {spoken(day, context.today)}" + (
        f", for {cost.amount:,} {cost.currency}" if cost else ""
    )
    return context.change([step], told, status="done", finished=day.isoformat(), left=None, **more)


# --- when a step may begin --------------------------------------------------------------------------------------------


def _waits(context: Context, match: re.Match[str]) -> Reply | None:
    """Let a step begin on a day and not before: "please don't touch the website before the audit on 9 March"."""
    when = days(f"from {match['when']}", context.today)
    what = re.sub(r"(?i)^.*?\b(?=(?:the|our|my|any|this|that) )", "", match["what"])
    steps = context.finder.clear_steps(re.sub(r"(?i) (?:start|begin|happen)\b.*$", "", what))
    if len(when) != 1 or len(steps) != 1 or COMMAND.search(match["when"]):
        return None
    [step], verb, day = steps, root(match["verb"]), first_of(when[0])
    is_its_work = _BEGINS.fullmatch(match["verb"]) or any(likeness(verb, own) >= 0.9 for own in roots(step.title)[:1])
    if not is_its_work or day <= context.today or step.status != "todo":
        return None
    return context.change(
        [step], f"{{}} begins not before {spoken(day, context.today)}", not_before=day.isoformat(), on=None
    )


_BAN = (
    r"^(?:(?:please|and|but|so) )*(?:(?:don't|do not|never)(?: please)?|(?:nobody|no one) (?:should|may|must|is to)|"
    r"(?:we|you|they|i) (?:can't|cannot|must not|mustn't|shouldn't|should not|may not)) (?P<what>(?P<verb>[a-z]+)\b.*?)"
    r" (?:before|until|till|earlier than) (?P<when>.+)$"
)
_BEGINS = re.compile(r"(?i)touch|start|begin|do|launch|open")
"""Verbs by which any work begins; others have to be the step's own: "don't archive the data before May"."""


# --- what is wanted and what is not -----------------------------------------------------------------------------------


def _instead(context: Context, match: re.Match[str]) -> Reply | None:
    """Note at the step that it concerns what is wanted in place of something: "no DJ, a live band please"."""
    wanted, unwanted = (
        (match["wanted"] or match["wanted2"]).strip(" .!"),
        (match["unwanted"] or match["unwanted2"]).strip(),
    )
    if facts(context.text, context.today) or re.search(rf"\b{ID}\b", context.text):
        return None
    near = context.finder.clear_steps(wanted) or context.finder.clear_steps(unwanted)
    near = near or tuple(filter(None, [context.finder.nearest(wanted)]))
    edit = context.edit()
    if changed := put_in_place(context, edit, unwanted, wanted):
        told = listed([quoted(edit.item(name)) for name in changed])
        return context.done(f"“{wanted}” stands in the place of “{unwanted}” in {told}", edit, changed)
    if len(near) != 1:
        return None
    [step] = near
    note = sentence(context.text)
    return context.change([step], f"{{}} has the note “{note}” now", notes="; ".join(filter(None, [step.notes, note])))


def _in_scope(context: Context, match: re.Match[str]) -> Reply | None:
    """Note what belongs to the work and what does not; a step that is meant is asked about."""
    what = sentence(re.sub(r"(?i)^(?:the|a|an|our|that|also) ", "", match["what"] or match["what2"]))
    said = match[0].replace(match["what"] or match["what2"], " ", 1)  # "no-code tools are in scope"
    is_out = len(re.findall(r"(?i)\b(?:out|not|isn't|aren't|nothing|outside|no)\b", said)) % 2 == 1
    if (near := context.finder.clear_steps(what)) and is_out:
        raise Unclear(f"Shall {listed([quoted(step) for step in near])} be dropped?", about=tuple(s.id for s in near))
    edit = context.edit()
    name = edit.add(Bullet(id=edit.new_id(Bullet), text=what, priority="won't" if is_out else "must"), section="scope")
    return context.done(f"{name} “{what}” is {'out of' if is_out else 'in'} scope now", edit, [name])


SURE: tuple[Frame, ...] = (
    Frame(_ROLE, _called),
    Frame(rf"\b(?:{_LEVEL}|{_GRADED})\b", _levelled),
    Frame(
        rf"^(?:(?:for )?(?:R\d+)(?:'s)?[ :–-]+)?(?P<what>\0)?(?P<sign>{_NOTICED})(?P<then>.+)$",
        _foreseen,
    ),
    Frame(
        r"^(?:and |but )?if (?P<what>[^,?]+?),? (?:then )?(?P<sign>\0)?(?P<then>(?:we|i|they|you|he|she|"
        r"everybody)\b[^?]+)$",
        _foreseen,
    ),
    Frame(
        r"^(?!response to)(?P<what>\0)?(?P<sign>\0)?(?P<then>.*\bthen\b.*|(?:we|i)(?:'d| would|'ll| will) (?!(?:know|"
        r"see|notice|say|"
        r"call|rate|guess|bet)).+)$",
        _foreseen,
    ),
    Frame(_RULED_OUT, _ruled_out),
    Frame(
        r"^(?:no|not an?|not the|instead of(?: an?| the)?|rather than(?: an?| the)?) (?P<unwanted>[\w' -]{2,40}?),? "
        r"(?:but |"
        r"(?:we(?:'d| would)? |i(?:'d| would)? )?(?:want|like|rather|prefer|have) )?(?P<wanted>(?:just |only )?an? "
        r"[\w' -]{2,60}?)"
        r"(?: please| instead)*[.!]*$|^(?:an? )?(?P<wanted2>[\w' -]{2,40}),? (?:and )?not an? "
        r"(?P<unwanted2>[\w' -]{2,40})$",
        _instead,
    ),
    Frame(
        r"^(?P<what>[^,;:.]{2,60}?) (?:is|are|isn't|aren't|should be|must be|stays?)(?: also)? (?:(?:out of|outside|"
        r"in|not in|"
        r"within|not part of|part of) (?:the )?(?:scope|plan's scope)|not part of (?:this|it|the plan|the project))$|"
        r"^(?:out of scope|not in scope|in scope):? (?P<what2>.+)$",
        _in_scope,
    ),
    Frame(r"\d", _on_the_day),
    Frame(r"^", lambda context, match: _answering(context, match, is_sure=True)),
    Frame(rf"\b(?:{_HAPPENED})\b", _happened),
)
"""Tried before the forms: nothing else can be meant."""

OTHERS: tuple[Frame, ...] = (
    Frame(_CONTRAST, _corrected),
    Frame(_IS_WRONG, _corrected),
    Frame(r"\d", _aimed),
    Frame(_BAN, _waits),
    Frame(rf"\b(?:{_MONEY_WORDS})\b", _limited),
    Frame(_DOES, _doing),
    Frame(r"^", lambda context, match: _answering(context, match, is_sure=False)),
)
"""Tried where no form fits."""
