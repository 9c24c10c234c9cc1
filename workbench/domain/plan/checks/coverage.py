"""Is everything answered that was asked for: constraints, feedback, scope, the goal's days, open questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from rapidfuzz import fuzz

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.acts import GROUP
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted, wording
from workbench.domain.plan.checks.dates import about
from workbench.domain.plan.checks.days import days_in, deadlines, with_iso_dates, without_deadlines
from workbench.domain.plan.checks.duplicates import meanings
from workbench.domain.plan.checks.limits import rules_out_days, weekdays_in
from workbench.domain.plan.checks.quantities import prices
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Item,
    Person,
    Risk,
    Section,
    Step,
    WorkingTime,
)
from workbench.domain.text.words import stems, tokens

SAME_TEXT = 90
"""Similarity, of 100, at which a constraint of the plan is taken for the one that was told."""

SHARED_WORDS = 0.6
"""Share of a constraint's telling words that an item has to have to answer it without naming it."""


def constraints_are_listed(case: Case) -> Iterator[Finding]:
    """Find constraints that were told, and that the plan neither lists nor answers."""
    listed = [item.text for _, item in case.every(Constraint)]
    for given in dict.fromkeys(case.constraints):
        if not any(_same(given, text) for text in listed) and not _taken_up(given, case):
            text = f"The constraint {quoted(given)} stands nowhere in the plan."
            remedy = "List it among the constraints, and say which step keeps it."
            place = "constraints" if case.plan.section("constraints") else None
            yield Finding(rule="constraints.missing", severity="major", text=text, section=place, remedy=remedy)


def constraints_are_answered(case: Case) -> Iterator[Finding]:
    """Find constraints of the plan for which nothing is done, decided or measured."""
    for section, item in case.every(Constraint):
        if item.id not in case.answered and not is_tested(item, case) and not _taken_up(item.text, case):
            severity: Severity = "minor" if case.is_being_asked and case.is_in_own_words(item) else "major"
            text = f"Nothing in the plan answers {item.id} {quoted(item.text)}."
            remedy = f"Name {item.id} in a step, decision or risk that keeps it, or add one."
            yield fault("constraints.unanswered", severity, (section, item), text, remedy)


def answers_speak_of_what_is_asked(case: Case) -> Iterator[Finding]:
    """Find qualities that steps claim to see to, and of which these steps have no word."""
    claiming: dict[str, list[Item]] = {}
    for item in case.plan.items:
        for answer in getattr(item, "answers", ()):
            claiming.setdefault(answer, []).append(item)
    for section, item in case.every(Constraint):
        if (
            item.limits in ("date", "amount", "exclusion")
            or item.text.startswith("No ")
            or item.id not in claiming
            or item.amount
            or item.day
        ):
            continue
        if days_in(item.text, case.today) or any(prices(item.text)) or _IS_TIME.search(item.text):
            continue  # the calendar shows whether it is kept
        listed = _LISTS.search(item.text)
        words = meanings(listed[0] if listed else item.text)
        known = meanings(" . ".join(text for other in claiming[item.id] for text in _texts(other)))
        if len(words) > 1 and not words & known:
            claims = " and ".join(other.id for other in claiming[item.id])
            text = f"{claims} should see to {item.id}, {quoted(item.text)}, and no outcome or check there speaks of it."
            remedy = f"Say in {claims} what is done for {item.id}, and how it is tested."
            yield fault("constraints.claimed", "minor", (section, item), text, remedy)


_LISTS = re.compile(
    r"(?<!\w)\w++(?:, \w++){1,30},? (?:and|or) \w+|\b[A-ZÀ-Ž][a-zà-ž]{2,} (?:and|or) [A-ZÀ-Ž][a-zà-ž]{2,}"
)
"""A list of what it has to be, each part of which a test would have to name."""
_IS_TIME = re.compile(
    r"\b(?:only|never|by|before|until|between|during|week(?:end|days?)|holidays?|\w+days|priority)\b", re.IGNORECASE
)


def is_tested(item: Constraint, case: Case) -> bool:
    """Tell whether costs or the calendar alone show that a constraint is kept: no step has to see to it."""
    most = item.amount
    if most is not None:
        return any(step.cost is not None and step.cost.currency == most.currency for step in case.plan.steps)
    if re.search(r"\bonly\b", item.text, re.IGNORECASE):
        weeks = [other.weekdays for _, other in case.placed if isinstance(other, Person | WorkingTime)]
        return any({day - 1 for day in week} == weekdays_in(item.text) for week in weeks)
    return bool(rules_out_days(item.text, case.today)) and any(step.start or step.on for step in case.plan.steps)


def scope_is_worked_on(case: Case) -> Iterator[Finding]:
    """Find parts of what must be in scope of which no step, decision or criterion has a word."""
    known: set[str] = set()
    for _, item in case.placed:
        if isinstance(item, Step | Criterion | Decision | Person) and getattr(item, "status", "") != "dropped":
            known.update(_openings(" . ".join(_texts(item))))
    for section, item in case.every(Bullet):
        if item.priority != "must" or not case.plan.steps:
            continue
        parts = [part.strip() for part in re.split(r",|;|\band\b|\bas\b", _DETAIL.split(item.text, maxsplit=1)[0])]
        missing = [
            part
            for part in parts
            if not _NO_THING.match(part) and len(_openings(part)) > 1 and not _openings(part) & known
        ]
        if missing:
            text = f"{item.id} has to be in it, and no step sees to {quoted(missing[0])}."
            yield fault(
                "scope.undone", "minor", (section, item), text, f"Add a step for it, or take it out of {item.id}."
            )


_DETAIL = re.compile(r":|\b(?:with|including|such as|for example|from)\b", re.IGNORECASE)
"""What comes after these words is part of what was named before."""
_NO_THING = re.compile(r"(?:what|whatever|everything|all that|somebody|someone|from|the ways?)\b", re.IGNORECASE)


def _openings(text: str) -> frozenset[str]:
    """Return the first letters of the telling words of a text: enough to find one in another form.

    Words with a hyphen are one word: "step-free" is about neither steps nor what is free.
    """
    words = (word.lower() for word in tokens(text) if stems(word) and not word[0].isdigit())
    return frozenset(word if "-" in word else word[:_OPENING] for word in words)


_OPENING = 5
"""Letters that two words share that are forms of one."""


def _texts(item: Item) -> Iterator[str]:
    names = (
        "title",
        "text",
        "outcome",
        "check",
        "notes",
        "cost_kind",
        "measure",
        "target",
        "reason",
        "role",
        "sign",
        "response",
    )
    return (str(getattr(item, name, "")) for name in names)


_MADE = (
    r"signed|countersigned|approved|agreed|granted|issued|written|printed|drawn|built|made|tested|finished|finalised"
    r"|completed|corrected|reconstructed|restored|repaired|calibrated|translated|measured|collected|recorded|compiled"
    r"|prepared|delivered|installed|hired|rented|rental|borrowed|loaned|leased|bought|purchased|ordered|donated"
    r"|promised|chosen|trained|stamped|certified|verified|cleaned|merged|updated|revised|validated|sealed|cut|sewn"
    r"|welded|cast|carved|painted|baked|baseline|released"
)
_PAPERS = (
    r"agreements?|permissions?|permits?|licen[cs]es?|consents?|contracts?|certificates?|approvals?|itinerar(?:y|ies)"
    r"|templates?|moulds?|stencils?|jigs?|prototypes?|mock-?ups?|keys?|passwords?|questionnaires?|guarantees?"
    r"|warrant(?:y|ies)|insurances?|polic(?:y|ies)|visas?|badges?|vouchers?|receipts?|opinions?|reports?|stud(?:y|ies)"
    r"|analys[ei]s|calculations?|measurements?|translations?|transcripts?|recordings?|glossar(?:y|ies)|manuals?"
    r"|handbooks?|scripts?|datasets?|data sets?|databases?|algorithms?|software|scaffold(?:ing)?|statutes|resolutions?"
    r"|mandates?|powers? of attorney|quotas?|surveys?|soil samples?|blueprints?"
)
_OF = r"(?:with|by|from|after|on|in|into|using|per|against|under|according to|following|through|behind|at)"
_DEFINITE = r"(?:the(?: (?:[\w-]+ ){0,2}[\w-]+['’]s?)?|our|[A-Z][\w-]+['’]s?)"
_WORD = r"(?:[\w-]+ )"
_NO_MORE = r"(?=[.,;:)]|$| (?:and|or|to|of|for|by|from|until|that|which|with|in|on|at|as|is|are|was|were|has|have)\b)"
_THE = rf"\b(?:{_OF}|of|to|and|on) {_DEFINITE} {_WORD}{{0,2}}?"
_MADE_BY = rf"(?:(?:was|were|is|are|ha(?:s|ve|d) been)|(?:the|our|an?) [\w-]+(?: has| had)?) (?:{_MADE}|wrote|gave)"
_GOT = "hired|rented|rental|borrowed|loaned|leased|bought|purchased|ordered|delivered"
_HOLD = "clamped|mounted|fixed|bolted|screwed|plugged|fitted|poured|cast|loaded|packed"
_USED = tuple(
    re.compile(pattern + _NO_MORE, re.IGNORECASE)
    for pattern in (
        rf"{_THE}(?:{_MADE}) {_WORD}{{0,2}}?(?P<thing>[a-z-]{{3,}})",
        rf"{_THE}(?P<thing>[a-z-]{{3,}}) (?:that|which) {_MADE_BY}",
        rf"\b{_OF} {_DEFINITE} {_WORD}{{0,3}}?(?P<thing>{_PAPERS})",
        rf"\b(?:the|our|a|an) (?:{_GOT}) (?!things?\b)(?P<thing>[a-z-]{{3,}})",
        rf"\b(?:{_HOLD}) (?:in|into|on|onto|to|with) the(?: [a-z]+(?= [a-z]+\b))? (?P<thing>[a-z-]{{3,}})",
    )
)
"""A thing that somebody must have got or made: by what was done to it, by its kind, or by what is done with it."""


def what_is_used_is_made(case: Case) -> Iterator[Finding]:
    """Find steps that use a thing of which no other line of the plan has a word."""
    named = Counter(word for _, item in case.placed for word in _things(" . ".join(_texts(item))))
    prose = _things(" . ".join(section.text for section in case.plan.sections))
    for section, step in case.every(Step):
        used = (match for pattern in _USED for match in pattern.finditer(step.title))
        for match in () if step.status in ("done", "dropped") else used:
            words = _things(match["thing"])
            if words and not words & prose and all(named[word] == 1 for word in words):
                text = f"{step.id} {quoted(step.title)} uses {quoted(match['thing'])}, and nothing in the plan gets it."
                remedy = f"Add a step that gets it before {step.id}, or say where it comes from."
                yield fault("steps.unmade", "minor", (section, step), text, remedy)
                break


def _things(text: str) -> frozenset[str]:
    return frozenset(GROUP.get(word, word) for word in stems(text) if not word[0].isdigit())


_ASKED = re.compile(
    r"(?:\band|,|;|\bbut|\bwhile) (?:also |always |still )?(?:keep|leave|record|film|preserv\w*|protect|retain"
    r"|maintain|save|spare|invite|translate|stream|broadcast|archive|photograph|document|tell|inform|thank|publish"
    r"|donate|give|hand|return|teach|train|show|let|make|offer|serve|send|feed|plant|print|stay|include|write|sell"
    r"|store|collect|provide|allow|find|put|bring|set|move|stop|close|hold|pay|report|use|add|remove|repair|clean"
    r"|measure|count|mark)(?:ing)? (?P<what>[^,;.]+)|\b(?:keeping|leaving) (?P<kept>[^,;.]+)"
    r"|\bso that (?P<state>[^,;.]{1,200}? (?:stays?|remains?|keeps?|(?:is|are) left|can)\b[^,;.]*)",
    re.IGNORECASE,
)
"""What a goal asks for besides its first clause."""
_FEW_WORDS = 3
"""Words of such a part that no item has, so that it is missing whatever else it says."""
GOAL_UNDONE = "goal.undone"


def goal_is_worked_on(case: Case) -> Iterator[Finding]:
    """Find what the goal asks for besides the main thing, and most words of which are in no item."""
    known = _openings(" . ".join((case.plan.title, *(text for _, item in case.placed for text in _texts(item)))))
    goal = " ".join(case.goal.replace("> ", " ").split())
    for match in _ASKED.finditer(goal) if case.plan.steps else ():
        for part in re.split(r"\band\b", match["what"] or match["kept"] or match["state"]):
            words = _openings(without_deadlines(part, case.today))
            missing = len(words - known)
            if missing >= _FEW_WORDS or missing * 2 > max(len(words), _FEW_WORDS - 1):
                text = f"The goal says {quoted(part.strip())}, and no item of the plan speaks of it."
                remedy = "Add a step, a constraint or a criterion for it, or a line that says why it is left out."
                yield Finding(rule=GOAL_UNDONE, severity="minor", section="goal", text=text, remedy=remedy)


def feedback_is_answered(case: Case) -> Iterator[Finding]:
    """Find feedback that was not handled, and that nothing in the plan names."""
    handled = {
        handled.feedback for handled in case.handled if handled.sections or handled.note or handled.kind == "question"
    }
    for said in case.feedback:
        if said.id not in handled and said.id not in case.answered:
            text = f"Nothing in the plan answers {said.id} {quoted(said.text)}."
            remedy = f"Amend what {said.id} speaks of, or say why not."
            yield Finding(rule="feedback.unanswered", severity="major", text=text, section=said.section, remedy=remedy)


def _same(given: str, listed: str) -> bool:
    return set(stems(given)) == set(stems(listed)) or _is_same_text(given, listed)


def _is_same_text(given: str, listed: str) -> bool:
    return fuzz.ratio(given.casefold(), listed.casefold(), score_cutoff=SAME_TEXT) >= SAME_TEXT


def _taken_up(text: str, case: Case) -> bool:
    """Tell whether one item has most of a constraint's telling words, all its numbers among them, or dates keep it."""
    if _kept_by_dates(text, case):
        return True
    words = _words(text, case.today)
    numbers = {word for word in words if word[0].isdigit()}
    for section, item in case.placed:
        said = _said(section, item, case.today)
        if words and numbers <= said and len(words & said) >= SHARED_WORDS * len(words):
            return True
    return False


def _kept_by_dates(text: str, case: Case) -> bool:
    """Tell whether a text is a deadline of the whole that a criterion's date or the dates of all steps keep."""
    limit = max(deadlines(text, case.today), default=None)
    if limit is None or about(text, case.today):
        return False
    due = [day for _, item in case.every(Criterion) if (day := day_of(item.due))]
    ends = [day_of(step.end) for step in case.plan.steps]
    return any(day <= limit for day in due) or (bool(ends) and all(end is not None and end <= limit for end in ends))


@lru_cache(maxsize=20_000)
def _words(text: str, today: date) -> frozenset[str]:
    return frozenset(stems(with_iso_dates(text, today)))


def _said(section: Section, item: Item, today: date) -> frozenset[str]:
    """Return the telling words of an item that can answer something; none for constraints and open questions."""
    match item:
        case Step():
            texts = (item.title, item.outcome, item.check)
        case Criterion():
            texts = (item.text, item.measure, f"{item.target} {item.due or ''}")
        case Risk():
            texts = (item.text, item.response, item.sign)
        case Decision():
            texts = (item.text, item.reason, "")
        case Bullet() if section.id != "constraints":
            texts = (wording(item), "", "")
        case _:
            return frozenset()
    return _words(" . ".join(texts), today)
