"""What a goal and its answers say: objective, constraints, dates, amounts, and who decides.

    goal ─────┬─ dates.py ────▶ moments ─┐
    answers ──┤─ amounts.py ──▶ amounts ─┼─▶ clauses that limit ─▶ constraints ─┐
    given ────┘  constraints             └─▶ deadline, budget                   ├─▶ Brief
              └─ wording.py ──▶ objective ───── knowledge.py ─▶ domain ─────────┘

Constraints stay in the person's own words; a date among them is followed by the day it was resolved to, in brackets
("by 30 June (2027-06-30)"). That bracket is read back later, so that a session resumed weeks afterwards still means
the same day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

import msgspec

from workbench.domain.loop.tasks import Answered
from workbench.domain.text.cleaning import clean, shorten
from workbench.guided.amounts import Amount, find_amounts
from workbench.guided.dates import Moment, find_dates
from workbench.guided.wording import Objective, read_objective

READ_AT_MOST = 8_000
"""Characters of a goal that are read for its meaning; what follows is kept in the session and not read here."""

Topic = str
"""What an answer is about: deadline, budget, decider, success, capacity, or "" for anything else."""


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """What is known before a plan is drafted."""

    goal: str
    """Clean, on one line for each paragraph."""
    objective: Objective
    constraints: tuple[str, ...]
    """In the person's words, dates resolved in brackets, each once."""
    moments: tuple[Moment, ...]
    amounts: tuple[Amount, ...]
    deadline: date | None
    """The last day on which the work is still in time."""
    begin: date | None
    """The day the work may begin, where one is given."""
    budget: str
    """As written; "" where none is given."""
    decider: str
    """Who decides, as answered; "" where nobody said."""
    success: str
    capacity: str
    facts: tuple[str, ...]
    """Every question that was answered, with its answer."""
    answered: frozenset[str]
    """Questions that were answered, case-folded."""
    past: tuple[Moment, ...]
    """Deadlines that have gone by already."""


def read_brief(goal: str, today: date, *, answers: Sequence[Answered] = (), constraints: Sequence[str] = ()) -> Brief:
    """Read a goal with its answers and the constraints that are known already."""
    text = clean(goal)[:READ_AT_MOST].strip()
    said: dict[Topic, list[str]] = {topic: [] for topic in ("deadline", "budget", "decider", "success", "capacity", "")}
    for question, answer in _answered(answers):
        said[topic_of(question)].append(answer)
    moments = find_dates(text, today)
    amounts = find_amounts(text, [(moment.start, moment.end) for moment in moments])
    clauses = _clauses(text, moments, amounts)
    answered = _answered_constraints(said, today)
    kept = _merged(constraints, [clause.text for clause in clauses], answered)
    resolved = _resolved_moments(kept, moments, said["deadline"], today)
    resolved = [_in_force(moment, resolved) for moment in resolved]
    future = [moment for moment in resolved if moment.limit >= today]
    return Brief(
        goal=shorten(text, 1_200),
        objective=read_objective(*_first_sentence(text, clauses)),
        constraints=kept,
        moments=moments,
        amounts=amounts + tuple(amount for texts in said.values() for text in texts for amount in find_amounts(text)),
        deadline=_deadline(future),
        begin=next((moment.day for moment in resolved if moment.role == "start" and moment.day > today), None),
        budget=_budget(said["budget"], kept),
        decider=next(iter(said["decider"]), ""),
        success=next(iter(said["success"]), ""),
        capacity=next(iter(said["capacity"]), ""),
        facts=tuple(f"{question.rstrip(' ?')}: {answer}" for question, answer in _answered(answers)),
        answered=frozenset(question.casefold() for question, _ in _answered(answers)),
        past=tuple(moment for moment in resolved if moment.role == "deadline" and moment.limit < today),
    )


def topic_of(question: str) -> Topic:
    """Return what a question asks for."""
    for topic, pattern in _TOPICS:
        if pattern.search(question):
            return topic
    return ""


def bare_constraint(text: str) -> str:
    """Return a constraint for comparison: without its resolved date, case and spacing."""
    return " ".join(_BRACKET.sub("", text).casefold().split()).strip(" .,;:")


def deadline_in(constraints: Sequence[str], today: date) -> date | None:
    """Return the last day that constraints allow; None where they name no day."""
    resolved = _resolved_moments(constraints, (), (), today)
    return _deadline([_in_force(moment, resolved) for moment in resolved])


_BRACKET = re.compile(r"\s*\((\d{4}-\d\d-\d\d)\)")
_TOPICS = tuple(
    (topic, re.compile(pattern, re.IGNORECASE))
    for topic, pattern in (
        ("decider", r"\bwho\b.*\b(?:decide|decides|approve|approves|sign|signs|say|last word)\b"),
        ("deadline", r"\b(?:when|deadline|by what date|finish|which (?:day|date)|until)\b"),
        ("budget", r"\b(?:budget|spend|cost|money|price)\b"),
        ("success", r"\b(?:success|succeeded|tell that|worth it|measure|good enough|result)\b"),
        ("capacity", r"\b(?:how many people|how much time|capacity|who (?:can|will) work|hours)\b"),
    )
)


class _Clause(msgspec.Struct, frozen=True):
    text: str
    start: int
    end: int


_AHEAD = (
    r"(?=\s+(?:about\s+|around\s+|the\s+|a\s+|my\s+|our\s+|an?\s+)?"
    r"(?:[$€£¥₹]?\d|budget|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|one\b))"
)
_STARTS = re.compile(
    r"(?<![\w-])(?:"
    r"without|with\s+(?:no\s+(?:more|less|later|fewer)\s+than|no|minimal|at\s+(?:most|least)|"
    r"an?\s+(?:(?:total|maximum|fixed|small)\s+)?budget|a\s+maximum|a\s+minimum)"
    r"|(?:for\s+|of\s+|in\s+)?(?:no|not)\s+(?:more|less|later|fewer|longer)\s+than|(?:for\s+|of\s+)?at\s+(?:the\s+)?(?:most|least)"
    rf"|(?:for\s+)?(?:up\s+to|under|below|within|less\s+than|fewer\s+than|more\s+than|over|over\s+budget){_AHEAD}"
    r"|while(?=\s+(?:\w+ing|the|our|my|we|it|not)\b)|only(?=\s)|never(?=\s)|not?(?=\s)(?!\s+(?:only|just|matter|longer|later)\b)"
    r"|max(?:imum|\.)?(?=\s)|min(?:imum|\.)?(?=\s)|on\s+a\s+budget|budget(?:ed)?(?=\s|:)|keep(?:ing)?(?=\s)|stay(?:ing)?(?=\s)"
    r"|even\s+(?:if|when|though)|(?:in\s+)?(?:accordance|compliance|line)\s+with|compliant\s+with|before(?=\s+(?!and\b)\w)"
    r"|ohne|höchstens|mindestens|maximal|nicht|nur|sans|au\s+(?:plus|moins)|seulement|sin|como\s+(?:máximo|mínimo)|"
    r"al\s+menos|máximo|sólo|solo"
    r")(?!\w)",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:must(?:n['’]t)?|shall|cannot|can['’]t|may\s+not|should(?:n['’]t)?|has\s+to|have\s+to|needs?\s+to|"
    r"(?:is|are)\s+not\s+(?:allowed|to)|don['’]t|do\s+not|does\s+not|muss|müssen|darf|doit|ne\s+doit|debe)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^(?:please\s+)?(?:i|we|you|let['’]?s)\s*$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|\n+|\s[–—]\s|\s-\s|[•●]")
_COMMA = re.compile(r",(?!\d)(?!\s+(?:19|20|21)\d\d\b)")
_JOINT = re.compile(r"(?:,\s*)?\b(?:and|but|und|aber|et|mais|y|pero)\s+$|,\s*$", re.IGNORECASE)
_BREAK = re.compile(r"\s(?:but|so\s+that|because|aber|mais|pero)\s", re.IGNORECASE)
_STRONG = re.compile(
    r"(?<![\w-])(?:without|with\s+(?:no|at|an?\s+(?:\w+\s+)?budget)|(?:for\s+)?at\s+(?:the\s+)?(?:most|least)|"
    r"(?:for\s+)?no\s+(?:more|less|later|fewer)\s+than|while|only|never|budget|"
    r"(?:for\s+)?(?:under|below|up\s+to|within|less\s+than)\s+[$€£]?\d|ohne|höchstens|mindestens|sans|sin)(?!\w)",
    re.IGNORECASE,
)
_NEW_CLAUSE = re.compile(
    r"\s(?:and|but|und|aber|et|mais|y|pero)\s+(?=(?:keep|stay|only|must|never|always|no|not|without|at\s|with\s+(?:no|at)|"
    r"leave|ohne|nur|sans|sin|solo)\b)",
    re.IGNORECASE,
)
_LIST_GOES_ON = re.compile(
    r"(?:\s*[\w'’-]+){1,4}(?:,(?:\s*[\w'’-]+){1,4})*,?\s+(?:or|nor|and|oder|und)\s", re.IGNORECASE
)
_GAINS = re.compile(
    r"\b(?:raise|save|earn|collect|sell|win|gain|reach|grow|increase|generate|donat|revenue|turnover|sales|income)\w*\b",
    re.IGNORECASE,
)


def _answered(answers: Sequence[Answered]) -> list[tuple[str, str]]:
    pairs = ((clean(item.question), " ".join(clean(item.answer)[:READ_AT_MOST].split())) for item in answers)
    return [(question, shorten(answer, 400)) for question, answer in pairs if answer]


def _sentences(text: str) -> list[tuple[int, int]]:
    """Return the places of the sentences of a text."""
    places: list[tuple[int, int]] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match[0] == "." and re.search(r"\b(?:approx|max|min|no|ca|e\.g|i\.e|etc|\d)$", text[start : match.start()]):
            continue
        places.append((start, match.start()))
        start = match.end()
    places.append((start, len(text)))
    return [(first, last) for first, last in places if text[first:last].strip()]


def _first_sentence(text: str, clauses: Sequence[_Clause]) -> tuple[str, int]:
    """Return the first sentence and the offset in it where its first constraint begins."""
    first, last = next(iter(_sentences(text)), (0, len(text)))
    starts = [clause.start - first for clause in clauses if first < clause.start < last]
    return text[first:last], min(starts, default=last - first)


def _clauses(text: str, moments: Sequence[Moment], amounts: Sequence[Amount]) -> list[_Clause]:
    """Return what limits the work, in the order it stands in the text."""
    clauses: list[_Clause] = []
    for number, (first, last) in enumerate(_sentences(text)):
        clauses += _clauses_of(text, first, last, [m for m in moments if first <= m.start < last], opening=number == 0)
    for moment in moments:
        if moment.role != "mention" and not _covered(clauses, moment.start, moment.end):
            clauses.append(_clause(text, moment.start, moment.end, moments))
    if not any(moment.role == "deadline" for moment in moments):
        clauses += [
            _clause(text, moment.start, moment.end, moments)
            for moment in moments[-1:]
            if not _covered(clauses, moment.start, moment.end)
        ]
    if _GAINS.search(text) is None:
        clauses += [
            _clause(text, amount.start, amount.end, moments)
            for amount in amounts
            if amount.kind == "money" and not _covered(clauses, amount.start, amount.end)
        ]
    return sorted(clauses, key=lambda clause: clause.start)


def _clauses_of(text: str, first: int, last: int, moments: Sequence[Moment], *, opening: bool) -> list[_Clause]:
    found: list[_Clause] = []
    at = first
    for start, behind, is_modal in _openings(text, first, last):
        if start < at or (opening and not is_modal and not text[first:start].strip()):
            continue
        if not is_modal and any(moment.start <= start < moment.end for moment in moments):
            continue
        begin = _clause_begin(text, at, start) if is_modal else start
        if is_modal and opening and (_SPEAKER.match(text[begin:start].strip()) or not text[begin:start].strip()):
            continue
        kept = text[start:behind].lower().startswith(("keep", "stay", "while"))
        end = _modal_end(text, behind, last) if is_modal or kept else _clause_end(text, behind, last, moments)
        if end - begin > 4:
            found.append(_clause(text, begin, end, moments))
            at = end
    return found if opening else [*found, *_milestones(text, first, last, moments, found)]


def _milestones(text: str, first: int, last: int, moments: Sequence[Moment], found: Sequence[_Clause]) -> list[_Clause]:
    """Return the dates of a later sentence with the words that say what is due ("draft to my supervisor by …")."""
    free = [m for m in moments if m.role == "deadline" and not _covered(found, m.start, m.end) and m.end <= last]
    return [_clause(text, _clause_begin(text, first, moment.start), moment.end, moments) for moment in free[:1]]


def _openings(text: str, first: int, last: int) -> list[tuple[int, int, bool]]:
    """Return where clauses may begin, where their opening words end, and whether those are a "must"."""
    starts = [(*match.span(), False) for match in _STARTS.finditer(text, first, last)]
    modals = [(*match.span(), True) for match in _MODAL.finditer(text, first, last)]
    return sorted(starts + modals)


def _modal_end(text: str, behind: int, last: int) -> int:
    """Return where the clause of a "must" ends: at a comma, a "but", or an "and" with a "must" of its own."""
    ends = [last, *(match.start() for match in _COMMA.finditer(text, behind, last))]
    ends += [match.start() for match in _BREAK.finditer(text, behind, last)]
    other = _MODAL.search(text, behind, min(ends))
    if other is not None:
        joints = [match.start() for match in re.finditer(r"\s+(?:and|und|et|y)\s", text[behind : other.start()])]
        ends += [behind + joints[-1]] if joints else []
    return min(ends)


def _clause_begin(text: str, at: int, modal: int) -> int:
    """Return where the clause of a "must" begins: behind the last comma, "and" or "but"."""
    part = text[at:modal]
    marks = [match.end() for match in re.finditer(r",\s+|\b(?:and|but|und|aber|et|y)\s+|:\s+", part)]
    begin = at + (marks[-1] if marks else 0)
    return begin + len(text[begin:modal]) - len(text[begin:modal].lstrip())


def _clause_end(text: str, behind: int, last: int, moments: Sequence[Moment]) -> int:
    """Return where a clause ends: at the next clause, a comma that continues no list, or a date of its own."""
    ends = [last, *(moment.start for moment in moments if moment.start > behind)]
    ends += [match.start() for match in _STRONG.finditer(text, behind, last)]
    ends += [match.start() for match in _BREAK.finditer(text, behind, last)]
    ends += [match.start() for match in _NEW_CLAUSE.finditer(text, behind, last)]
    for comma in _COMMA.finditer(text, behind, last):
        rest = text[comma.end() : min(ends)]
        if _LIST_GOES_ON.match(rest) is None:
            ends.append(comma.start())
            break
    end = min(ends)
    return end - len(match[0]) if (match := _JOINT.search(text[behind:end])) else end


def _clause(text: str, start: int, end: int, moments: Sequence[Moment]) -> _Clause:
    words = " ".join(text[start:end].split()).strip(" ,;:-–—")
    inside = next((moment for moment in moments if start <= moment.start and moment.end <= end), None)
    if inside is not None and inside.day.isoformat() not in words:
        words += f" ({inside.day.isoformat()})"
    return _Clause(shorten(words, 300), start, end)


def _covered(clauses: Sequence[_Clause], start: int, end: int) -> bool:
    return any(clause.start < end and start < clause.end for clause in clauses)


def _answered_constraints(said: dict[Topic, list[str]], today: date) -> list[str]:
    """Return the constraints that answers add, in the answers' words."""
    added: list[str] = []
    for answer in said["deadline"]:
        moment = next(iter(find_dates(answer, today)), None)
        if moment is not None:
            added.append(_clause(answer, moment.start, moment.end, [moment]).text)
            if moment.role == "mention":
                added[-1] = f"by {added[-1]}"
    added += [
        answer if re.search(r"budget|most|no more|under|up to|max", answer, re.IGNORECASE) else f"Budget: {answer}"
        for answer in said["budget"]
        if find_amounts(answer)
    ]
    for answer in (*said[""], *said["capacity"]):
        moments = find_dates(answer, today)
        added += [clause.text for clause in _clauses(answer, moments, find_amounts(answer))]
    return added


def _merged(*sources: Sequence[str]) -> tuple[str, ...]:
    """Return constraints of several sources, each once, the first wording kept."""
    merged: dict[str, str] = {}
    for text in (text for source in sources for text in source):
        words = shorten(" ".join(clean(text).split()), 300)
        if words:
            merged.setdefault(bare_constraint(words), words)
    return tuple(merged.values())


def _resolved_moments(
    constraints: Sequence[str], moments: Sequence[Moment], answers: Sequence[str], today: date
) -> list[Moment]:
    """Return the dates that count: those resolved in constraints, else those of the texts."""
    resolved: list[Moment] = []
    for text in constraints:
        bracket = _BRACKET.search(text)
        if bracket is None:
            resolved += find_dates(text, today)
            continue
        day = date.fromisoformat(bracket[1])
        inside = next(iter(find_dates(_BRACKET.sub("", text), today)), None)
        over = inside is not None and inside.limit != inside.day
        role = "deadline" if inside is None or inside.role == "mention" else inside.role
        resolved.append(
            Moment(
                text=text[: bracket.start()],
                day=day,
                role=role,
                limit=date.fromordinal(day.toordinal() - 1) if over else day,
                exact=inside is None or inside.exact,
                in_force=inside is not None and inside.in_force,
                start=0,
                end=len(text),
            )
        )
    if any(moment.role == "deadline" for moment in resolved):
        return resolved
    for answer in answers:
        resolved += [msgspec.structs.replace(moment, role="deadline") for moment in find_dates(answer, today)[:1]]
    return resolved or [moment for moment in moments if moment.exact]


def _in_force(moment: Moment, all_moments: Sequence[Moment]) -> Moment:
    """Return "from 1 July" as a deadline, the day before, where nothing else is one: it has to be ready by then."""
    if not moment.in_force or any(other.role == "deadline" for other in all_moments):
        return moment
    return msgspec.structs.replace(moment, role="deadline", limit=date.fromordinal(moment.day.toordinal() - 1))


def _deadline(moments: Sequence[Moment]) -> date | None:
    """Return the last deadline: what is due earlier is a milestone on the way."""
    return max((moment.limit for moment in moments if moment.role == "deadline"), default=None)


def _budget(answers: Sequence[str], constraints: Sequence[str]) -> str:
    for text in (*answers, *constraints):
        if re.search(r"\b(?:each|per)\b", text, re.IGNORECASE):
            continue
        for amount in find_amounts(text):
            if amount.kind == "money" or (amount.kind == "number" and "budget" in text.casefold()):
                return amount.text
    return ""
