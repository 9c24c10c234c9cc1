"""What a person says about a plan, read as requests: each with what does it, and its answer in one line."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.importing.work import begins_with_verb
from workbench.domain.plan.operations import AddItem, AddSection, Operation, SetField, applied, operations_between
from workbench.domain.plan.plan import Decision, Item, Person, Plan, Question, Risk, Step
from workbench.domain.requests.amounts import Span, days, facts, limit_of, names_in, spans
from workbench.domain.requests.answers import answered, is_question, missing
from workbench.domain.requests.asking import missing as missing_in
from workbench.domain.requests.clauses import LONGEST, MOST, Clause, clauses, filled, halves
from workbench.domain.requests.context import COMMAND, VERB, Context, listed
from workbench.domain.requests.edit import Edit
from workbench.domain.requests.form import Action, Form
from workbench.domain.requests.forms import FORMS, statuses
from workbench.domain.requests.forms.frames import Frame
from workbench.domain.requests.lookup import ID, Finder, quoted
from workbench.domain.requests.moves import dating, moved
from workbench.domain.requests.readings import grounded, is_command, is_praise, plain, readings, with_ids
from workbench.domain.requests.request import Reply, Request, Unclear
from workbench.domain.requests.review import NUMBERS, clashes, leftovers, passed_over, unaccounted
from workbench.domain.requests.slots import canonical
from workbench.domain.text.cleaning import shorten


def read_requests(message: str, plan: Plan, *, today: date, item: str = "", section: str = "") -> tuple[Request, ...]:
    """Return the requests of a message about a plan, in order.

    Each one's operations come after those of the ones before it. ``item`` and ``section``: what a note is pinned to; a
    note on an item changes that item and no other.
    """
    if accepted := _accepted(message, plan, today):
        return accepted
    reading = _Reading(message, plan, today, item, section)
    parts = clauses(message)
    for clause in parts[:MOST]:
        if len(parts) == 1 or not _FILLER.fullmatch(clause.text):
            reading.take(clause)
    requests = reading.requests
    if len(parts) > MOST:
        left = Clause(message[parts[MOST].start : parts[-1].end], parts[MOST].start, parts[-1].end)
        requests.append(
            _request(
                left, Reply(f"Only {MOST} requests are read at once: send the rest again", outcome="not understood")
            )
        )
    if not parts:
        requests.append(
            _request(
                Clause(message, 0, len(message)),
                Reply("Nothing is said: what should change?", outcome="not understood"),
            )
        )
    return tuple(requests)


def _accepted(message: str, plan: Plan, today: date) -> tuple[Request, ...]:
    """Return what a yes or no to the readings does that the last question back offered; () for other messages."""
    offers = [item for item in plan.items if isinstance(item, Question) and OFFER.match(item.text)]
    answer = _YES_OR_NO.fullmatch(message.strip())
    if answer is None or not offers:
        return ()
    named = [item for item in offers if item.id == (answer["id"] or "").upper()]
    chosen = named or [item for item in offers if item.origin == offers[-1].origin]
    requests: list[Request] = []
    for question in chosen:
        offer, edit = OFFER.match(question.text), Edit(plan)
        edit.forget(question.id)
        reply = Reply(f"{question.id} is left: nothing else changes", edit.plan)
        if answer["yes"] and offer:
            clause = Clause(offer["words"] or offer["reading"], 0, len(message))
            names = tuple(re.findall(rf"\b{ID}\b", offer["reading"]))[:1]
            read = _read(clause, edit.plan, today, Finder(edit.plan, recent=names), is_accepted=True)
            reply = Reply(read.request.answer, read.plan, read.request.outcome)
        request = _request(Clause(message, 0, len(message)), reply)
        after = reply.plan or plan
        requests.append(msgspec.structs.replace(request, operations=operations_between(plan, after)))
        plan = after
    return tuple(requests)


def is_answered(item: Item, said: Iterable[str]) -> bool:
    """Tell whether an item is a reading that was offered, and some message a yes or a no to it."""
    is_offer = isinstance(item, Question) and OFFER.match(item.text) is not None
    return is_offer and any(_YES_OR_NO.fullmatch(text.strip()) for text in said)


OFFER = re.compile(r"Did you mean: (?P<reading>.+)\? \(yes / no\)(?: “(?P<words>[^”]+)”$)?.*")
"""A question back that offers a reading: a yes does it."""
_YES_OR_NO = re.compile(
    r"(?i)(?:(?P<id>q\d+)(?: is|:|,| [–-])? )?(?:(?P<yes>y|yes|yep|yeah|ja|right|exactly|correct|sure|ok|okay|do "
    r"that|do it)|n|no|nope|nein)(?:,? (?:please|thanks|that's right|do that|do it))?[.! ]*"
)
_FILLER = re.compile(r"(?i)(?:no|nope|nah|wait|hm+|oh|ah|well|sorry|hang on|actually|listen)[.!,… ]*")


class _Read(NamedTuple):
    """What was made of a clause."""

    request: Request
    plan: Plan
    """After it."""
    recent: tuple[str, ...]
    """What "it" means then."""
    action: object = None
    """What answered it; None where no form fits."""

    @property
    def is_clear(self) -> bool:
        """Whether nothing of it has to be asked."""
        return self.request.outcome in ("done", "partly") or self.request.control != ""


class _Reading:
    """The requests of a message, clause by clause."""

    def __init__(self, message: str, plan: Plan, today: date, pinned: str, section: str) -> None:
        self.requests: list[Request] = []
        self._message = message
        self._plans = [plan]
        """Before each request, and after the last."""
        self._recent: tuple[str, ...] = ()
        self._model: _Read | None = None
        """The clause before, whose words the next one may leave out."""
        self._is_unread = False
        """Whether no form fits the clause before."""
        self._today = today
        self._pinned = pinned
        self._section = section

    def take(self, clause: Clause) -> None:
        """Read a clause as one request or several, as a reason for the one before it, or as what takes that back."""
        clause = msgspec.structs.replace(clause, full=self._with_what_was_said(clause))
        last = self.requests[-1] if self.requests else None
        meant = _MEANT.fullmatch(clause.text) if last and last.operations else None
        if last and meant and len(re.findall(rf"\b{ID}\b", last.text)) == 1:
            clause = self._instead(clause, re.sub(rf"\b{ID}\b", meant[1], last.text))
            last = None
        if last and last.operations and _A_LEVEL.fullmatch(clause.text) and _sets_level(last):
            clause, last = self._instead(clause, f"{last.text}, {clause.text}"), None
        told: _Read | None = None
        is_near = last and (re.match(ID, clause.text) or not self._ends_between(last.end, clause.start))
        reads = self._best(clause, self._plans[-1], self._recent, self._model if is_near else None)
        if last and is_near and self._is_unread and (told := self._told_on_a_day(last, clause, self._plans[-1], ())):
            reads = [told]
        new = reads[0].request
        changing = [at for at, request in enumerate(self.requests) if request.operations]
        if changing and new.control == "undo":
            before = self._plans[changing[-1]]
            back = operations_between(self._plans[-1], before)
            answer = f"“{shorten(self.requests[changing[-1]].text, 60)}” is taken back."
            new = msgspec.structs.replace(new, outcome="done", operations=back, answer=answer, control="")
            reads = [_Read(new, before, self._recent)]
        is_aside = last and reads[0].action is None and not self._ends_between(last.end, new.start)
        if last and last.control == "undo" and is_aside and new.outcome in ("asked", "not understood"):
            self.requests[-1] = self._wider(last, new)  # "undo that, I misread it"
        elif last and new.control and (new.control, new.answer) == (last.control, last.answer):
            self.requests[-1] = self._wider(last, new)
        elif last and (reads[0].action is None or self._says_why(new, last)) and self._belongs(new, last):
            read = self._because(_Read(last, self._plans[-1], self._recent), new)
            self.requests[-1], self._plans[-1] = read.request, read.plan
        else:
            if last and self._is_unread and new.operations and (told or self._is_reason(last, before=new)):
                reads = [told or self._because(reads[0], last), *reads[1:]]
                is_one = True
            else:  # "S2 is too coarse. Split it": now it is said what to do
                is_same = {*reads[0].recent} & {*self._recent}
                is_one = last is not None and last.outcome == "asked" and bool(new.operations and is_same)
                is_one = is_one and last is not None and _COMPLAINS.search(last.text) is not None
                is_one = is_one and not facts(last.text if last else "", self._today)
                reads = [reads[0]._replace(request=self._wider(new, last)), *reads[1:]] if last and is_one else reads
            if is_one:
                del self.requests[-1], self._plans[-1]
            for at in range(len(reads)):
                reads[at] = read = self._unless_said_otherwise(reads[at])
                if read.request.answer.endswith(_WHICH_HOLDS):  # what follows rests on it
                    for later in range(at + 1, len(reads)):
                        request = msgspec.structs.replace(
                            reads[later].request, outcome="asked", operations=(), answer=f"First, {_WHICH_HOLDS}"
                        )
                        reads[later] = reads[later]._replace(request=request, plan=read.plan, recent=read.recent)
                self.requests.append(read.request)
                self._plans.append(read.plan)
                self._recent = read.recent
            self._recent = reads[-1].recent
            self._is_unread = not reads[-1].is_clear
            self._model = reads[-1] if reads[-1].is_clear and reads[-1].action else None

    def _unless_said_otherwise(self, read: _Read) -> _Read:
        """Ask where a part of the sentence before has set what this one sets to something else."""
        last = self.requests[-1] if self.requests else None
        if last is None or last.outcome != "done" or self._ends_between(last.end, read.request.start):
            return read
        said = {(one.item, one.field) for one in last.operations if isinstance(one, SetField)}
        if last.answer.endswith("'s as it is."):
            said |= {(name, "owner") for name in self._recent}
        now = {(one.item, one.field) for one in read.request.operations if isinstance(one, SetField)}
        both = sorted(item for item, field in said & now if field not in ("start", "end", "title", "needs", "text"))
        if not both:
            return read
        asked = f"“{last.text}” and “{read.request.text}” both speak of {both[0]}: {_WHICH_HOLDS}"
        request = msgspec.structs.replace(read.request, outcome="asked", operations=(), answer=asked)
        return read._replace(request=request, plan=self._plans[-1], recent=tuple(both[:1]))

    def _instead(self, clause: Clause, full: str) -> Clause:
        """Take the last request back, and return the clause that says what was meant by it."""
        last = self.requests.pop()
        self._plans.pop()
        return Clause(self._message[last.start : clause.end], last.start, clause.end, full=full)

    def _best(
        self, clause: Clause, plan: Plan, recent: tuple[str, ...], model: _Read | None = None, *, is_list: bool = False
    ) -> list[_Read]:
        """Read a clause as a whole, or else in parts of which each is clear; a reason is part of its request."""
        whole = self._read(clause, plan, recent, model, is_list=is_list)
        if whole.is_clear:
            return [self._answered_by_a_request(whole, clause, plan, recent) or whole]
        partly: list[_Read] = []
        for pair in halves(clause):
            first, second = (msgspec.structs.replace(part, full=self._with_what_was_said(part)) for part in pair)
            read = self._read(first, plan, recent, model, is_list=is_list)
            if not read.is_clear and (told := self._told_on_a_day(read.request, second, plan, recent)):
                return [told]
            if read.action is None and self._is_reason(read.request):
                rest = self._best(second, plan, recent)
                if all(one.is_clear for one in rest) and rest[0].action:
                    return [self._because(rest[0], read.request), *rest[1:]]
            if not read.is_clear:
                continue
            is_list = whole.action is not None and whole.action == read.action
            rest = self._best(second, read.plan, read.recent, model or read, is_list=is_list)
            if all(one.is_clear for one in rest):
                return [read, *rest]
            if whole.action is None and read.request.operations and rest[-1].action:
                return [read, *rest]
            if rest[0].action is None and self._is_reason(rest[0].request, read.request):
                return [self._because(read, rest[0].request)]
            if not partly and read.request.operations and self._stands_alone(first, second):
                is_aside = not re.search(rf"\d|\b{ID}\b", second.text) and not COMMAND.match(second.text)
                partly = [self._because(read, rest[0].request)] if is_aside and len(rest) == 1 else [read, *rest]
        return partly or [whole]

    def _answered_by_a_request(self, whole: _Read, clause: Clause, plan: Plan, recent: tuple[str, ...]) -> _Read | None:
        """Do what a question is answered with, and settle it: "Q1: S5 takes 3 days", "Q2: it's a new step: …"."""
        said = _ANSWER.fullmatch(clause.text)
        if said is None or not whole.request.operations:
            return None
        wanted = f"add a step: {said['answer']}" if said["step"] else said["answer"]
        pieces = _WITHIN_AN_ANSWER.split(wanted)
        others = (piece for piece in pieces if len(pieces) > 1 and not _OF_THE_ANSWER.match(piece))
        asked = [wanted, *others]
        reads = (self._asked_for(clause, one, plan, recent) for one in asked)
        done = next((read for read in reads if read is not None), None)
        if done is None:
            return None
        settled = self._read(clause, done.plan, recent, None, is_list=False)
        request = msgspec.structs.replace(
            done.request,
            answer=f"{done.request.answer} {settled.request.answer}",
            operations=(*done.request.operations, *settled.request.operations),
        )
        return done._replace(request=request, plan=settled.plan)

    def _asked_for(self, clause: Clause, words: str, plan: Plan, recent: tuple[str, ...]) -> _Read | None:
        """Read words within an answer that ask for a change of a line that they name, or for a new one."""
        words = _ALSO_ASKED.sub("", words)
        finder = Finder(plan, pinned=self._pinned, recent=recent, section=self._section)
        read = _read(msgspec.structs.replace(clause, full=words), plan, self._today, finder)
        is_done = read.is_clear and read.request.outcome == "done" and read.request.operations
        settles = {item.id for item in plan.items if isinstance(item, Question)} - {one.id for one in read.plan.items}
        return read if is_done and not settles else None

    def _stands_alone(self, first: Clause, second: Clause) -> bool:
        """Tell whether what stands after a comma or a "because" does not turn what stands before it."""
        joint = self._message[first.end : second.start].strip().lower()
        return (
            joint in (",", ";", "-", "–", "—", ", so", "so")
            and not _TURNS_BACK.match(second.text)
            and not re.match(ID, second.text)
        )

    def _read(
        self, clause: Clause, plan: Plan, recent: tuple[str, ...], model: _Read | None, *, is_list: bool
    ) -> _Read:
        """Read a clause as it stands, or else with the words of one before it that it leaves out."""
        finder = Finder(plan, pinned=self._pinned, recent=recent, section=self._section)
        was = {step.id: _undated(step) for step in self._plans[0].steps}
        finder.touched = frozenset(step.id for step in plan.steps if _undated(step) != was.get(step.id))
        read = _read(clause, plan, self._today, finder)
        leaves_out = model and not read.is_clear and _HAS_A_SUBJECT.match(clause.text) is None
        for full in filled(model.request.text, clause.text, is_list=is_list) if model and leaves_out else ():
            other = _read(msgspec.structs.replace(clause, full=full), plan, self._today, finder)
            if other.is_clear and model and other.action == model.action:
                return other
        return read

    def _told_on_a_day(self, why: Request, clause: Clause, plan: Plan, recent: tuple[str, ...]) -> _Read | None:
        """Read what stands in two clauses: "the deadline has moved, it's 31 March now".

        Or how the work stands, since the day that its reason names: "Jonas said yes on Friday, so S1 is done".
        """
        if (now := _IT_IS_NOW.fullmatch(clause.text)) and not facts(why.text, self._today):
            what = VERB.split(why.text, maxsplit=1)[0].strip(" ,")
            whole = msgspec.structs.replace(clause, full=f"{what} is {now['value']}")
            read = _read(whole, plan, self._today, Finder(plan, pinned=self._pinned, recent=recent))
            is_told = what and facts(now["value"], self._today) and read.request.operations
            return self._because(read, why) if is_told else None
        if not (named := days(why.text, self._today)) or not _STATES.search(why.text):
            return None
        if sooner := _SOONER.fullmatch(clause.text):
            by = msgspec.structs.replace(clause, full=f"{sooner['what']} by {limit_of(named[-1]).isoformat()}")
            read = _read(by, plan, self._today, Finder(plan, pinned=self._pinned, recent=recent, section=self._section))
            return self._because(read, why) if read.is_clear else None
        dated = msgspec.structs.replace(clause, full=f"{clause.text.rstrip('. !')} {named[-1].text}")
        read = _read(dated, plan, self._today, Finder(plan, pinned=self._pinned, recent=recent, section=self._section))
        is_status = read.action in {form.action for form in statuses.FORMS}
        return self._because(read, why) if is_status and read.is_clear else None

    def _wider(self, request: Request, other: Request) -> Request:
        """Return a request that reaches over another stretch of the message; over a reason, it says so."""
        start, end = min(request.start, other.start), max(request.end, other.end)
        return msgspec.structs.replace(request, text=self._message[start:end], start=start, end=end)

    def _because(self, read: _Read, other: Request) -> _Read:
        """Return what was made of a request with a reason for it, kept where the plan notes why."""
        request, why = self._wider(read.request, other), shorten(other.text.rstrip(".! "), 200)
        if request.outcome == "not understood":
            return read._replace(request=request)
        told = f"(you say why: “{shorten(why, 80)}”)"
        answer = (
            f"{request.answer} {told}." if request.answer.endswith("?") else f"{request.answer.rstrip('.')} {told}."
        )
        added = [item for one in request.operations for item in _added_by(one)]
        noted = tuple(
            SetField(item.id, "reason", f"{item.reason}: {why}") for item in added if isinstance(item, Decision)
        )
        request = msgspec.structs.replace(request, answer=answer, operations=(*request.operations, *noted))
        return read._replace(request=request, plan=applied(read.plan, noted))

    def _with_what_was_said(self, clause: Clause) -> str:
        """Return a clause with the day that it goes back to, or as the response to the risk named before it."""
        text = clause.text
        last = self.requests[-1] if self.requests else None
        asked = re.search(r"\b(Q\d+) asks it", last.answer) if last and last.control == "question" else None
        if asked and len(text.split()) <= _AN_ANSWER and "?" not in text:
            return f"{asked[1]}: {text}"
        is_plus = re.match(r"(?i)(?:plus|and also|also):? (?!add\b)", text)
        if last and is_plus and any(isinstance(item, Step) for one in last.operations for item in _added_by(one)):
            return f"add: {text[is_plus.end() :]}"
        if (match := _BY_THEN.search(text)) and (named := days(self._message[: clause.start], self._today)):
            day = limit_of(named[-1])
            day += timedelta(days=named[-1].text.lower().startswith(("until", "till")))
            return f"{text[: match.end(1)]} {day.day} {day:%B} {day.year}"
        if (pronoun := _PRONOUN.match(text)) and (who := self._named_before(clause.start)):
            return f"{who}{text[pronoun.end() :]}"
        match = _A_NUMBER.fullmatch(text)
        if match and (lengths := self._lengths(clause)):
            return f"it takes {match['number']} {lengths[-1].unit}s"
        known = {item.id for item in self._plans[0].items}
        new = [item for item in self._plans[-1].items if item.id in self._recent and item.id not in known]
        if len(new) == 1 and isinstance(new[0], Risk) and not new[0].response:
            if match := _WE_WOULD.match(text):
                return f"response to {new[0].id}: {text[match.end() :]}"
            if _DEED.match(text) and not _NO_DEED.search(text):
                return f"response to {new[0].id}: {text}"
        return ""

    def _named_before(self, end: int) -> str:
        """Return who "she" is: the last person named before a place of the message."""
        before = self._message[:end]
        named = [name for name in re.findall(r"\b[A-Z][^\W\d_]+\b", before) if name in names_in(before, self._today)]
        named = named or [name for name in _CAPITAL.findall(before) if name.lower() not in _NO_NAMES]
        roles = _ROLE.findall(before)
        return f"the {roles[-1]}" if roles and not named else named[-1] if named else ""

    def _lengths(self, clause: Clause) -> list[Span]:
        """Return the lengths of work before a clause."""
        said = spans(self._message[: clause.start], self._today)
        return [span for span in said if span.unit in ("hour", "day", "working day", "week")]

    def _belongs(self, request: Request, last: Request) -> bool:
        """Tell whether what asks for nothing says why the request before it is made."""
        if self._says_why(request, last):
            return True
        return bool(last.operations or last.outcome in ("asked", "not understood")) and self._is_reason(request, last)

    def _says_why(self, new: Request, last: Request) -> bool:
        """Tell whether what is asked back is rather the wish behind the request before it."""
        is_wish = new.outcome == "asked" and last.operations and _WHY_SO.match(new.text)
        return bool(is_wish) and not self._ends_between(last.end, new.start)

    def _ends_between(self, end: int, start: int) -> bool:
        """Tell whether a sentence ends between two places of the message."""
        return re.search(r"[.!?\n]", self._message[max(0, end - 1) : start]) is not None

    def _is_reason(self, request: Request, after: Request | None = None, before: Request | None = None) -> bool:
        """Tell whether a stretch that asks for nothing gives a reason: it states something, and names no line."""
        text = request.text
        if _IF.match(text):
            return False
        if after and after.operations and _WOULD_NOT_DO.search(text):
            return True
        ends, begins = after.end if after else request.end, before.start if before else request.start
        is_near = not self._ends_between(ends, begins)
        is_near = is_near or (after is not None and _GOES_BACK.match(text) is not None)
        is_aside = bool(after and after.operations and self._message[after.end : request.start].strip() == ",")
        is_statement = (
            is_aside or len(text.split()) > _A_FEW or _STATES.search(text) or re.match(r"(?i)because\b", text)
        )
        return bool(
            is_near and is_statement and (_STATES.search(text) or _SUBJECT.match(text) or not re.search(r"\d", text))
            and not _SOMEBODY_DOES.match(text) and not COMMAND.match(text)
            and not _WISHES.search(text)
            and not text.endswith("?") and not re.search(rf"\b{ID}\b", text)
            and all("" < (fact.value.last or "") < str(self._today) for fact in facts(text, self._today)
                    if fact.type != "amount")
        )  # fmt: skip


def _sets_level(request: Request) -> bool:
    """Tell whether a request sets how likely or how bad a risk is, and nothing else."""
    return all(isinstance(one, SetField) and one.field in ("likelihood", "impact") for one in request.operations)


def _undated(step: Step) -> Step:
    """Return a step without the dates that are calculated."""
    return msgspec.structs.replace(step, start=None, end=None)


def _added_by(operation: Operation) -> tuple[Item, ...]:
    """Return the items that an operation puts in."""
    if isinstance(operation, AddItem):
        return (operation.item,)
    return operation.section.items if isinstance(operation, AddSection) else ()


_ANSWER = re.compile(
    r"(?i)\W*(?:question )?Q\d+ ?[:,–-]+ *(?:(?:yes|no|well|so)[,:] )?"
    r"(?:(?:it|that|this)(?:'s| is) )?(?P<step>an? (?:new )?step[:,] )?(?P<answer>.+)"
)
_WITHIN_AN_ANSWER = re.compile(r"(?:,|;|\.| [-–—]) +(?=\S)")
_OF_THE_ANSWER = re.compile(r"(?i)(?:(?:and|but|so) )?(?:it|that|this|these|they|there|he|she)\b")
"""How a part of an answer begins that goes on with it, and asks for nothing."""
_ALSO_ASKED = re.compile(
    r"(?i)^(?:(?:so|and|but|then|also|anyway|by the way|which means|please|just|yes|well)\b,? *|"
    r"(?:could|can|would) you (?:please )?|we (?:have to|need to|must|should) (?=add|drop|move|change|put)\b)+"
)
"""Words before what an answer asks for besides."""
_TURNS_BACK = re.compile(
    r"(?i)(?:and |but )?(?:not|never|no|unless|if|except|only|until|till|before|after|without|instead|or|rather|"
    r"then|than|when|once|which|that|who|by|on|in|from|to|for|at)\b"
)
_WHY_SO = re.compile(
    r"(?i)(?:because |as |since )?(?:i|we)(?:'d| would)? (?:want|need|like|prefer|have|hope)\b(?!.*\d)(?!.*\b[A-Z]\d)"
)
"""How the wish begins that is the reason of the request before it."""
_SOONER = re.compile(
    r"(?i)(?:so |therefore )?(?P<what>.+?) (?:has to|needs to|must|should|will have to) (?:come|be|happen|start|be "
    r"done|move) "
    r"(?:earlier|sooner|forward|before(?: then| that)?|by then|in time)[.! ]*"
)
"""Says that something has to be done by a day that its reason names."""
_A_LEVEL = re.compile(
    r"(?i)(?:so |please )?(?:make|call|set|put|say|rate)? ?(?:it|that|this)?(?:'s| is| to| at| down as)? ?(?:low|"
    r"medium|high)\W*"
)
_COMPLAINS = re.compile(r"(?i)\b(?:too|not|wrong|unclear|bad)\b|n't\b")
"""Of a sentence that asks for nothing before the next one says what to do: "S2 is too coarse"."""
_WHICH_HOLDS = "which holds?"
_AN_ANSWER = 8
"""Words of an answer to a question that the person asks first: "who decides? the CFO"."""
_A_FEW = 2
"""Words that say no reason by themselves."""
_MEANT = re.compile(rf"(?i)(?:sorry|no|oops)?[,.! ]*i (?:mean|meant) ({ID})(?:,? (?:and )?not .*)?[.!]*")
_WHAT_ABOUT = "What should change about "
_ASKED_OF_YOU = re.compile(
    r"(?i)(?:can|could|would|will) you (?!tell|say|explain|show me (?:how|why|what))|(?:can?|could) we "
    r"(?=.*\binstead\b)"
)
"""A request in the words of a question."""
_PRONOUN = re.compile(r"(?i)(?:he|she)(?=['’ ])")
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")
_NO_NAMES = frozenset(word.lower() for word in (*calendar.month_name, *calendar.day_name))
_ROLE = re.compile(r"(?i)\b(?:the|our|my) ([A-Z]{2,5}|boss|director|manager|board|lawyer|accountant|mayor|council)\b")
_BY_THEN = re.compile(r"(?i)\b(before|until|till|by|after|from)(?: then| that| this| it)?[.!]*$")
_A_NUMBER = re.compile(
    rf"(?i)(?:(?:no|hm+|better|rather|so|sorry|then|say|please|actually)[,.! ]+)*(?:make (?:it|that) |it's |that's "
    rf")?(?P<number>\d+|{'|'.join(NUMBERS)})(?: then| please| instead)?[.!]*"
)
_WE_WOULD = re.compile(
    r"(?i)(?:(?:then|in that case|if so|if it happens|if that happens),? )?(?:(?:we|i|they)(?:'d|'ll|’d|’ll| would| "
    r"will| can| could) (?!(?:know|see|notice|tell|say|call|put|rate|rank|think|guess|bet|estimate|expect|judge|"
    r"like|love|rather|prefer|want|hate)\b))(?:then )?|what we(?:'d|'ll)? do:? |(?:then|in that case|if so),? |"
    r"(?:response|mitigation|answer)(?: (?:is|would be|should be)(?: to)?)?:? "
)
_DEED = re.compile(
    r"(?i)(?:(?:the|our|my) )?[^\W\d_]+(?: [^\W\d_]+)? (?!is\b|was\b|has\b|this\b)[a-z]{2,}s\b(?: \S+)*[.!]*$"
)
_NO_DEED = re.compile(
    rf"(?i)^if\b|\b(?:{ID}|likel\w*|likelihood|impact|low|medium|high|bad|severe|serious|probab\w*|sign|notice|please|also|"
    r"add|it's|that's|what|who|when|takes?|costs?|needs?|owns?|ends?|starts?|begins?)\b|\?|\d"
)
"""Who does what then, as the response to the risk just named; not what says something of the risk or of a step."""
_GOES_BACK = re.compile(
    r"(?i)(?:because|since|as|reason|it|they|that|this|these|those|he|she|we|i|nobody|no ?one|everybody|everyone|"
    r"there)\b|"
    r"[^\W\d_]+ (?:already |only |just )?(?:has|have|does|did|is|are|was|were)\b.*\b(?:it|that|this|them|already)$"
)
"""How a sentence begins that speaks of the one before."""
_STATES = re.compile(
    r"(?i)\b(?:is|are|was|were|am|has|have|had|does|do|did|can|will|asked?|said|says|wants?|knows?|likes?|uses?|"
    r"works?|makes?|takes?|costs?|gets?|got|comes?|goes|reads?|pays?|needs?|[a-z]{3,}ed)\b|'(?:s|re|ve|m|ll|d)\b|n't\b"
)
_SUBJECT = re.compile(r"(?i)(?:my|our|the|their|we|they|i|he|she|it|nobody|everybody)\b \w+")
_SOMEBODY_DOES = re.compile(
    r"(?!(?:It|They|We|He|She|This|That|There|Nobody|Everybody|Everyone)\b)[A-Z][a-z]+ (?:will |has to |can )?"
    r"[a-z]+s? (?:it|them|this|that|him|her)\b"
)
"""Not a reason, but what somebody is to do."""
_WOULD_NOT_DO = re.compile(
    r"(?i)(?:\b(?:is|are|would be|will be)|'s) (?:way |far |much |just )*too (?:late|early|long|short|much|little)\b|"
    r"^(?:and )?not (?:an? )?(?:must|before|after|later|earlier)\b[^,]*$"
)
_WISHES = re.compile(
    r"(?i)=|\b(?:evenings?|afternoons?|mornings?|weekends?|should|must|ha(?:s|ve) to|would|(?:i|we)['’]d|wants?|"
    r"wish|need(?!ed)|prefer|worried|worry|concern\w*|afraid|unsure|missing|too|rather|instead|please|hope|"
    r"forg[eo]t\w*|make sure|don't (?!need|have|use|know|like)|not enough|wrong|unclear)\b"
)
"""What a person says who still wants something."""


_PLURAL = {"is": "are", "has": "have", "works": "work", "owns": "own"}
_YOU = re.compile(rf"(?<![“\w])You ({'|'.join(_PLURAL)})\b")


def _request(clause: Clause, reply: Reply) -> Request:
    answer = _YOU.sub(lambda match: f"You {_PLURAL[match[1]]}", reply.answer.strip())
    return Request(
        text=clause.text,
        start=clause.start,
        end=clause.end,
        outcome=reply.outcome,
        answer=answer if answer.endswith(("?", ".", "”")) else f"{answer}.",
        control=reply.control,
    )


def _read(clause: Clause, plan: Plan, today: date, finder: Finder, *, is_accepted: bool = False) -> _Read:
    """Return what is made of a clause."""
    action: object = None
    try:
        reply, action = _reply(clause, plan, today, finder, is_accepted=is_accepted)
        request = _request(clause, reply)
        if reply.plan is None or reply.plan == plan:
            return _Read(request, plan, _meant_next(reply, clause, finder), action)
        changed = reply.plan
        dates, forced = dating(plan, changed, today)
        after = applied(changed, dates)
        moves = moved(plan, after, reply.about, today, forced)
    except Unclear as unclear:
        reply = unclear.reply
        return _Read(_request(clause, reply), plan, _meant_next(reply, clause, finder), unclear.action)
    except PlanUnsound as unsound:
        reply = Reply(f"That cannot be: {unsound.message}", outcome="not done")
        return _Read(_request(clause, reply), plan, finder.recent, action)
    rest = " ".join(filter(None, [clashes(plan, after), leftovers(plan, reply.plan)]))
    answer = (
        request.answer if not moves and not rest else f"{'; '.join(filter(None, [request.answer.rstrip('.'), moves]))}."
    )
    answer += f" {rest}" if rest else ""
    request = msgspec.structs.replace(request, answer=answer, operations=operations_between(plan, after))
    return _Read(request, after, reply.about, action)


def _meant_next(reply: Reply, clause: Clause, finder: Finder) -> tuple[str, ...]:
    """Return what "it" means after a clause that changes nothing: what the person named, not what was offered."""
    if reply.outcome not in ("asked", "not understood"):
        return reply.about or finder.recent
    named = re.findall(rf"\b{ID}\b", with_ids(clause.text, finder.by_id).upper())
    owned = [
        step.id for step in finder.plan.steps if step.owner and re.search(rf"\b{re.escape(step.owner)}\b", clause.text)
    ]
    if reply.about and set(reply.about) <= {*named, *finder.recent, *owned, finder.pinned, *finder.excluded}:
        return reply.about
    return finder.recent if reply.outcome != "asked" else ()


def _reply(clause: Clause, plan: Plan, today: date, finder: Finder, *, is_accepted: bool) -> tuple[Reply, object]:
    """Return the answer to a clause, and what answered it. Raises Unclear."""
    if len(clause.text) > LONGEST:
        raise Unclear("That is too long for one request: say it in shorter sentences.", "not understood")
    if not re.search(r"[^\W\d_]", clause.text):
        raise Unclear(_WHAT, "not understood")
    told = with_ids(plain(clause.full or clause.text, today), finder.by_id)
    if _HEDGED.match(told):
        raise Unclear("Shall that be done? Say it without “maybe”, and it is.")
    told = _own_answer(told, finder)
    event = Context(told, plan, today, finder).deadline
    if any(step.on == str(event) for step in plan.steps):
        told = grounded(told, event)
    if (aside := _EXCEPT.search(told)) and (left := finder.clear_steps(aside["what"])):
        finder.excluded = frozenset(step.id for step in left)
        told = told[: aside.start()]
    is_of_it = clause.goes_on or (
        finder.recent and "?" not in told and re.match(r"(?i)(?:has|have|must|should) ", told)
    )
    whole = f"{_subject(finder)} {told}" if is_of_it else told
    if aside and is_praise(told):
        raise Unclear(f"What should change about “{aside['what']}”?", about=tuple(sorted(finder.excluded)))
    if is_praise(told):
        return Reply("Nothing is to be changed", control="approve" if _GOES.search(told) else ""), is_praise
    unclear: Unclear | None = None
    for text in dict.fromkeys(readings(whole, is_pinned=bool(finder.pinned), known=finder.words)):
        context = Context(text, plan, today, finder)
        if gone := missing(context):
            return gone, answered
        if is_question(told, text) and not _ASKED_OF_YOU.match(told):
            told_back = answered(context, lambda what: _imagined(what, plan, today, finder))
            if told_back.outcome == "not done" and _MAY_WE.match(told):
                command = Context(next(iter(readings(whole, is_pinned=False))), plan, today, finder)
                if by_slots := _by_slots(command):
                    raise offered(by_slots, command.text)
                told_back = _asked(command) or told_back
            return told_back, answered
        try:
            reply, action = _by_form(context, is_accepted=is_accepted)
        except Unclear as error:
            unclear = error
            break
        if reply is not None:
            is_asked = (told.endswith("?") or _ASKED_OF_YOU.match(told)) and not is_command(told)
            if is_asked and _ASKED_OF_YOU.match(told) and reply.plan not in (None, plan):
                words = shorten(told.rstrip("?"), 60)
                return Reply(
                    f"“{words}” is beyond the offline planner, and nothing is changed", outcome="not done"
                ), None
            if is_asked and reply.plan not in (None, plan):
                raise offered(reply, told)
            return reply, action
    if by_slots := _by_slots(Context(whole, plan, today, finder)):
        return by_slots, canonical
    asked = _asked(Context(told, plan, today, finder))
    if unclear is not None and not (asked and _SAYS_LITTLE.match(unclear.reply.answer)):
        raise unclear
    return asked or _not_understood(told, is_said=len(_SMALL.findall(told)) > 1), None


def _own_answer(text: str, finder: Finder) -> str:
    """Return "who decides: Julien and me" as the answer to the open question that it repeats."""
    asked = re.match(
        r"(?i)(?P<question>(?:who|what|when|where|how|is there|do we)\b[^:?]{3,60}): (?P<answer>[^?]+)$", text
    )
    questions = [item for item in finder.plan.items if isinstance(item, Question)]
    shares = {item.id: finder.share(asked["question"], item) for item in questions} if asked else {}
    best = max(shares, key=lambda name: shares[name], default="")
    return f"{best}: {asked['answer']}" if asked and best and shares[best] >= _REPEATS else text


_MAY_WE = re.compile(r"(?i)(?:can|could|should|shall|would|may) (?:we|i|you)\b")
_REPEATS = 0.45
"""Share of the words of a question that one of the plan has which it repeats."""


def _imagined(what: str, plan: Plan, today: date, finder: Finder) -> str:
    """Return what a request would do; "" where that is not clear."""
    if is_question(what, what):
        return ""
    read = _read(Clause(what, 0, len(what)), plan, today, finder)
    return read.request.answer if read.request.operations else ""


def _by_form(context: Context, *, is_accepted: bool) -> tuple[Reply | None, object]:
    """Return the answer of the first form that fits a clause. Raises Unclear."""
    context.finder.is_guessing = is_accepted
    doubt: Unclear | None = None
    for form in FORMS:
        is_general = form.action.__module__.endswith("general")
        if doubt is not None and not is_general:
            continue
        try:
            reply = form.reply(context)
        except Unclear as unclear:
            unclear.action = form.action
            doubt = doubt or _guessed(context, form, unclear)
            if _SAYS_LITTLE.match(doubt.reply.answer) and not is_general:
                continue
            raise doubt from unclear
        if reply is None or (doubt is not None and reply.is_weak):
            continue
        changes = reply.plan not in (None, context.plan)
        if changes and not is_accepted and _IF.search(context.text) and _changes_lines(form.action):
            raise Unclear("That hangs on a condition: shall it be done now, or stand as the response to a risk?")
        if not is_accepted and changes and (day := _doubt(context)):
            raise Unclear(f"{day}: which day do you mean?", about=reply.about)
        if not is_accepted and (changes or reply.answer.endswith("as it is")):
            after = reply.plan or context.plan
            left = unaccounted(context, reply.answer, after, form[0])
            if left and (why := _aside(context, left, is_general=is_general)):
                left = passed_over(context.text, reply.answer, context.plan, after, context.today)
                reply = replace(reply, answer=reply.answer + why) if not left else reply
            if left or (changes and reply.is_weak):
                raise (
                    offered(reply, context.text) if changes else Unclear(_what_about(left, context), about=reply.about)
                )
        return reply, form.action
    if doubt is not None:
        raise doubt
    return None, None


def _aside(context: Context, left: Sequence[str], *, is_general: bool) -> str:
    """Return how words that no form takes up are told: as what the person says besides; "" where they may turn it."""
    parts = re.split(r"\s*(?:,(?!\d)|;| [–—-]+ |\()\s*", context.text)
    asides = [part for part in parts if {*re.findall(r"[^\W\d_][\w'’-]*", part)} & {*left}]
    is_free = len(asides) < len(parts) and not any(
        COMMAND.match(part) or _TURNS_BACK.match(part) or _WISHES.search(part) for part in asides
    )
    told = "; ".join(asides).strip(" .)")
    return f" (you say: “{shorten(told, 80)}”)" if is_free else " " if is_general else ""


def _doubt(context: Context) -> str:
    """Return what does not fit about a day of the clause: "26 June 2027 is a Saturday"; "" where all fits."""
    return next((fact.doubt for fact in days(context.text, context.today) if " is a " in fact.doubt), "")


def _guessed(context: Context, form: Form | Frame, unclear: Unclear) -> Unclear:
    """Return a question back with the reading that it would have with the one item that comes near."""
    if not unclear.is_guess:
        return unclear
    context.finder.is_guessing = True
    try:
        reply = form.reply(context)
    except Unclear:
        reply = None
    context.finder.is_guessing = False
    guess = offered(reply, context.text) if reply and reply.plan not in (None, context.plan) else unclear
    guess.action = form.action
    return guess


def offered(reply: Reply, words: str) -> Unclear:
    """Return the question whether a reading is meant: a yes does it."""
    return Unclear(
        f"Did you mean: {shorten(reply.answer.strip(), _MOST_OFFERED)}? (yes / no) “{words.rstrip(' .!?')}”",
        about=reply.about,
    )


_MOST_OFFERED = 140


def _what_about(left: Sequence[str], context: Context) -> str:
    return f"What about {listed([f'“{word}”' for word in left[:4]])} in “{shorten(context.text, 60)}”?"


def _by_slots(context: Context) -> Reply | None:
    """Return the answer to a clause that is read by what stands in it; None where that is not clear."""
    if (read := canonical(context)) is None:
        return None
    told, steps, left = read
    if doubt := _doubt(context):
        raise Unclear(f"{doubt}: which day do you mean?", about=tuple(step.id for step in steps))
    plan = context.plan
    answers: list[str] = []
    for sentence in told:
        here = Context(sentence, plan, context.today, Finder(plan, pinned=context.finder.pinned))
        try:
            reply = next((reply for form in FORMS if (reply := form.reply(here)) is not None), None)
        except Unclear:
            return None
        if reply is None:
            return None
        plan, answers = reply.plan or plan, [*answers, reply.answer]
    about = tuple(step.id for step in steps)
    if left and plan != context.plan:
        words = listed([f"“{word}”" for word in left[:4]])
        raise Unclear(f"Did you mean: {listed(told)}? (yes / no) {words} has no place in that.", about=about)
    answer = "; ".join(dict.fromkeys(answers))
    for step in steps:
        answer = (
            answer if context.name(step) == step.id else re.sub(rf"\b{step.id}\b(?! “)", quoted(step), answer, count=1)
        )
    return Reply(answer, None if plan == context.plan else plan, about=about)


def _subject(finder: Finder) -> str:
    """Return what a clause without a subject of its own speaks of: the person, or the line, of the one before."""
    item = finder.by_id.get(finder.recent[0].upper()) if len(finder.recent) == 1 else None
    return item.text if isinstance(item, Person) else "it"


_EXCEPT = re.compile(
    r"(?i),? (?:except(?: for)?|apart from|other than|but not|with the exception of|save for) (?P<what>.+?)"
    r"(?: itself| themselves)?(?:,? (?:obviously|of course|please))?[.!]*$"
)
_GOES = re.compile(
    r"(?i)\b(?:go|goes|run|ship|ok|okay|fine|do|agree\w*|approve\w*|happy|save|sign\w*|keep|no|nothing|works|good)\b"
)
_HEDGED = re.compile(r"(?i)(?:\w+,? )?(?:maybe|perhaps|possibly)\b.*\?$")
_WHAT = "I do not understand that: say it as “drop S3”, “S4 takes 5 days” or “add a step: …”"


_IF = re.compile(r"(?i)\b(?:if|unless|in case|provided that|depending on)\b(?! possible| you can| needed)")


def _changes_lines(action: Action) -> bool:
    """Tell whether a form changes lines that are there, and not what these say."""
    return action.__name__ not in ("_renamed", "_foreseen") and not action.__module__.endswith(
        ("additions", "contents", "frames", "general")
    )


_SAYS_LITTLE = re.compile(r"No \w+ (?:speaks of|says)|Which (?:step|line) do you mean\?")
"""A question back that says less than what the wish lacks."""


def _asked(context: Context) -> Reply | None:
    """Return the question what is missing in a wish, or what should change about a line that is named; else None."""
    try:
        context.finder.named(context.text)
    except Unclear as unclear:
        if unclear.reply.answer.startswith("There is no"):
            return unclear.reply
    if lacking := missing_in(context):
        return Reply(lacking[0], outcome="asked", about=lacking[1])
    names = [name.upper() for name in re.findall(rf"\b{ID}\b", context.text)] or [context.finder.pinned.upper()]
    named = [context.finder.by_id[name] for name in names if name in context.finder.by_id]
    near = named[0] if named else context.finder.nearest(context.text)
    if near:
        is_sure = named or re.search(r"(?i)day\b|\d", context.text)
        return Reply(f"{_WHAT_ABOUT}{quoted(near)}?", outcome="asked", about=(near.id,) if is_sure else ())
    if begins_with_verb(context.text) and not COMMAND.match(context.text) and len(context.text.split()) > _A_FEW:
        return Reply(f"Shall “{shorten(context.text, 60)}” be added as a step? Say “add a step: …”", outcome="asked")
    return None


_IT_IS_NOW = re.compile(
    r"(?i)(?:so )?(?:it|that)(?:['’]s| is| will be|['’]ll be)(?: now)? (?P<value>.+?)(?: now| instead)?[.! ]*"
)
_HAS_A_SUBJECT = re.compile(
    r"(?:I|[Ww]e|[Yy]ou|[Hh]e|[Ss]he|[Tt]hey|[Ss]ome(?:one|body)|[Ee]veryone)(?:['’](?:d|ll|ve|re|m))? "
    r"(?!too\b|also\b)[a-z]"
)
"""A clause that leaves nothing out: "I want the gap explained"."""
_SMALL = re.compile(
    r"(?i)\b(?:the|an?|of|for|to|in|on|at|by|with|and|but|is|are|was|be|we|i|you|they|it|that|this|my|our|their|not|no|"
    r"can|will|must|should|have|has|get|gets|need|needs|want|please|only|all|up)\b|n't\b"
)


def _not_understood(text: str, *, is_said: bool) -> Reply:
    """Ask where a sentence belongs that no line speaks of, or say how a request can be said."""
    if is_said:
        what = shorten(text.rstrip(".!"), 160)
        asked = f"No line speaks of “{what}”: is it a step, a limit, a risk, or which line should change?"
        return Reply(asked, outcome="asked")
    return Reply(
        f"I do not understand “{shorten(text, 60)}”: say it as “drop S3”, “S4 takes 5 days” or “add a step: …”",
        outcome="not understood",
    )
