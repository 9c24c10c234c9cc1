"""What a form is given: the clause, the plan as it is by now, and what is known of the person's words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from rapidfuzz import fuzz

from workbench.domain.plan.plan import Constraint, Decision, Item, Person, Plan, Step, deadline_of
from workbench.domain.requests.amounts import money, names_in
from workbench.domain.requests.clauses import GOES_ON
from workbench.domain.requests.edit import Edit
from workbench.domain.requests.lookup import Finder, quoted, roots
from workbench.domain.requests.request import Reply, Unclear
from workbench.domain.text.cleaning import shorten

_NOBODY = "someone somebody anyone anybody who one he she they we you it this that there which everyone everybody"
_NO_NAMES = frozenset(_NOBODY.split())
_ME = frozenset({"i", "me", "my", "myself", "mine"})
_NAME = re.compile(r"(?i)(?:the |our |my )?(?P<name>[^\W\d_][\w.&'-]*(?: (?:& )?[^\W_][\w.&'-]*){0,3})")
_KIN = frozenset("mum mom dad mother father sister brother aunt uncle cousin wife husband partner boss".split())  # noqa: SIM905
_PEOPLE = frozenset({"team", "department", "board", "council", "office", "staff", "crew", "group", "committee"})
_SOMEBODY = re.compile(
    rf"^[A-Z]|(?i:^(?:agent|aunt|boss|chef|cook|cousin|dad|friend|mom|mum|nurse|president|son|student|uncle|wife|"
    rf"husband|{'|'.join(sorted(_PEOPLE))})s?$|^(?!(?:computer|door|error|floor|letter|number|offer|order|paper|"
    rf"printer|quarter|server|summer|water|winter)s?$)\w+(?:er|or|ist|ian|ant|man|woman|ee)s?$)"
)
"""The last word of who is named by what they are: "our accountant", "the sales team"."""
COMMAND = re.compile(
    r"(?i)(?:(?:not|don't|do not|never) )?(?:add|insert|include|append|put|drop|remove|delete|skip|cut|omit|strike|"
    r"scrap|ditch|kill|get rid|leave|take|change|rename|call|replace|move|shift|swap|switch|split|merge|combine|join|"
    r"shorten|extend|assign|re-?assign|give|hand|make|reduce|increase|postpone|delay|push|pull|bring|plan|mention|"
    r"note|list|let|set|mark|double|halve|triple|raise|lower|use|start|begin|finish|undo|revert|ignore|forget|reword|"
    r"rephrase|rewrite|reopen|close|schedule|do|have|break|divide|show|translate|adding|dropping|removing|moving|"
    r"splitting|merging|making|prioriti[sz]e|focus|emphasi[sz]e|allow|go|decide|adjust|update|fix|improve|speed|"
    r"save)\b"
)
"""How a person begins who wants something done."""
VERB = re.compile(
    r"(?i)\b(?:must|should|can|can't|could|is|are|isn't|was|has|have|will|would|needs?|takes?|stays?|gets?|goes|lasts?|"
    r"runs?|ends?|starts?|begins?|waits?)\b"
)
"""Ends what a sentence speaks of."""
_STATES = re.compile(r"\b(?:I|we) [a-z]+|^[A-Z]\d+ (?:is|are|was|were|has been|have been|takes|needs|costs)\b")
_NO_SUBJECT = re.compile(
    r"(?i)(?:tell|show|let|don't|do not|never|no|please|why|what|who|when|where|which|how|if|unless|although|because|"
    r"there|we|i|you|they|he|she|someone|somebody)\b|(?:everybody|everyone|nobody)$"
)


class Context:
    """A clause, and what it may speak of."""

    def __init__(self, text: str, plan: Plan, today: date, finder: Finder) -> None:
        self.text = text
        self.plan = plan
        self.today = today
        self.finder = finder

    def has(self, words: str) -> bool:
        """Tell whether the clause has one of some words, apart by |."""
        return re.search(rf"(?i)\b(?:{words})\b", self.text) is not None

    # --- replies ------------------------------------------------------------------------------------------------------

    def edit(self) -> Edit:
        """Return the changes that this request makes, none yet."""
        return Edit(self.plan)

    def done(self, answer: str, edit: Edit | None, items: Iterable[Item | str] = (), *, partly: bool = False) -> Reply:
        """Return the reply to what was carried out; ``items`` is what "it" may mean next."""
        about = tuple(item if isinstance(item, str) else item.id for item in items)
        if edit is not None and edit.plan == self.plan:
            return Reply(f"{answer.removesuffix(' now')} as it is", about=about)
        return Reply(answer, edit.plan if edit else None, "partly" if partly else "done", about=about)

    def change(self, items: Sequence[Item], answer: str, **values: Any) -> Reply:
        """Return the reply to fields that are set of some items; done steps are asked about.

        ``answer``: ``{}`` stands for the items, ``is/are`` for the verb that fits their number.
        """
        not_done_yet(items)
        edit = self.edit()
        for item in items:
            edit.set(item.id, **values)
        return self.done(self.told(answer, items), edit, items)

    def told(self, answer: str, items: Sequence[Item]) -> str:
        """Return an answer about items: ``{} is/are Anna's``."""
        words = re.sub(r"\b(\w+)/(\w+)\b", lambda match: match[1 if len(items) == 1 else 2], answer)
        return words.replace("{}", listed([self.name(item) for item in items]), 1)

    def name(self, item: Item) -> str:
        """Return an item as the answer calls it: by its id, with its words unless the person gave the id."""
        is_named = re.search(rf"(?i)(?<!\w){re.escape(item.id)}(?!\w)", self.text)
        return item.id if is_named else quoted(item)

    def is_subject(self, phrase: str) -> bool:
        """Tell whether a phrase before a verb can name what the verb is about, and is not a sentence of its own.

        One that begins as a command does can be a title: "Set up the provider takes 5 days".
        """
        if len(phrase.split()) > 14 or GOES_ON.fullmatch(phrase) or _STATES.search(phrase):
            return False
        if not COMMAND.match(phrase) and not _NO_SUBJECT.match(phrase):
            return True
        return any(roots(step.title)[:1] == roots(phrase)[:1] for step in self.finder.clear_steps(phrase))

    # --- the plan -----------------------------------------------------------------------------------------------------

    @cached_property
    def deadline(self) -> date | None:
        """The day by which the whole has to be done."""
        return deadline_of(self.plan)

    @cached_property
    def currency(self) -> str:
        """The one currency of the plan; "" for none or several."""
        amounts = [getattr(item, field, None) for item in self.plan.items for field in ("amount", "cost")]
        amounts += [money(item.text, self.today) for item in self.plan.items if isinstance(item, Constraint)]
        codes = {amount.currency for amount in amounts if amount is not None}
        return codes.pop() if len(codes) == 1 else ""

    @cached_property
    def open_steps(self) -> tuple[Step, ...]:
        """Steps that are neither done nor dropped."""
        return tuple(step for step in self.plan.steps if step.status not in ("done", "dropped"))

    @cached_property
    def open_lines(self) -> tuple[Item, ...]:
        """Items that can still change their words."""
        closed = ("done", "dropped")
        items = (item for item in self.plan.items if not isinstance(item, Decision))
        return tuple(item for item in items if getattr(item, "status", "") not in closed)

    @property
    def has_begun(self) -> bool:
        """Whether some of the work has begun."""
        return any(step.status in ("under-way", "done") for step in self.plan.steps)

    # --- people -------------------------------------------------------------------------------------------------------

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Names of all who own steps or whose time the plan knows."""
        named = (*(person.text for person in self.plan.people), *(step.owner for step in self.plan.steps))
        return tuple({name.casefold(): name for name in reversed(named) if name.strip()}.values())[::-1]

    def known(self, phrase: str) -> str:
        """Return the name of somebody of the plan, in any case or by a part that only they have; "" for nobody."""
        bare = re.sub(r"(?i)^(?:the|our|my)\s+", "", phrase.strip(" ,.:;'\"“”")).casefold()
        if bare in _ME:
            return self._me()
        exact = [name for name in self.people if name.casefold() == bare]
        part = [name for name in self.people if bare in name.casefold().split()]
        if not part:  # "prog lead" is the programme lead
            said = bare.split()
            part = [
                name
                for name in self.people
                if len(own := name.casefold().split()) == len(said) and all(
                    len(word) > 3 and one.startswith(word) for one, word in zip(own, said, strict=True))
            ]  # fmt: skip
        goal = [name for name in self._named_elsewhere if name.casefold() == bare]
        return exact[0] if exact else part[0] if len(part) == 1 and len(bare) > 1 else goal[0] if goal else ""

    @cached_property
    def _named_elsewhere(self) -> tuple[str, ...]:
        """Names in the goal and in the constraints."""
        goal = self.plan.section("goal")
        said = [goal.text if goal else "", *(item.text for item in self.plan.items if isinstance(item, Constraint))]
        return tuple(name for text in said for name in names_in(text, self.today))

    def _me(self) -> str:
        own = [name for name in self.people if name.casefold() in {*_ME, "you"}] or list(self.people)
        if len(own) == 1:
            return own[0]
        names = f": {listed(own[:5], 'or')}" if own else ""
        raise Unclear(f"Under which name do you stand in the plan{names}?")

    def person(self, phrase: str) -> str:
        """Return the name of somebody of the plan. Raises Unclear for nobody, with who may be meant."""
        if known := self.known(phrase):
            return known
        bare = phrase.strip(" ,.:;'\"“”")
        several = [name for name in self.people if bare.casefold() in name.casefold().split()]
        near = several or [name for name in self.people if fuzz.ratio(bare.casefold(), name.casefold()) >= 60]
        if near:
            raise Unclear(f"Do you mean {listed(near[:3], 'or')}?")
        raise Unclear(f"Nobody called “{shorten(bare, 40)}” is in the plan: whom do you mean?")

    def somebody(self, phrase: str) -> str:
        """Return the name of somebody, new where nobody of the plan is called nearly so. Raises Unclear."""
        if known := self.known(phrase):
            return known
        new = self.owner(phrase) if self._may_be_somebody(phrase) else ""
        is_near = any(fuzz.ratio(new.casefold(), name.casefold()) >= 80 for name in self.people)
        return new if new and not is_near else self.person(phrase)

    def _may_be_somebody(self, phrase: str) -> bool:
        """Tell whether words that nobody of the plan is called by can name a person, and not a thing of the plan."""
        words = re.sub(r"(?i)^(?:the|our|my)\s+", "", phrase.strip()).split()
        if len(words) < len(phrase.split()) and not _SOMEBODY.search(words[-1]):
            return False
        return bool(words) and not {word.lower() for word in words} & (self.finder.words - _PEOPLE - _KIN)

    def owner(self, phrase: str) -> str:
        """Return who is to own something, new or known; "" where the phrase names nobody."""
        phrase = re.sub(r"'s$", "", phrase.strip(" ,.:;'\"“”"))
        phrase = re.sub(r"^(?:my|our|the|My|Our|The) [a-z]+ (?=[A-Z])", "", phrase)
        if pair := re.fullmatch(r"([A-Z][\w-]+) (?:and|&) (I|me|[A-Z][\w-]+)", phrase):
            both = [
                self.known(name) or self.owner(name)
                for name in ("me" if name in ("I", "me") else name for name in pair.groups())
            ]
            return " and ".join(both) if all(both) else ""
        if known := self.known(phrase):
            return known
        match = None if re.search(r"\b[A-Z]\d|'s\b", phrase) else _NAME.fullmatch(phrase)
        if (
            match is None
            or match["name"].split()[0].casefold() in _NO_NAMES
            or match["name"].upper() in self.finder.by_id
        ):
            return ""
        words = match["name"].split()
        if words[-1].lower() in _PEOPLE and not self.finder.clear_steps(phrase):
            return match["name"][0].upper() + match["name"][1:]
        is_name = all(word[0].isupper() or word in ("&", "of", "and", "de", "van", "von") for word in words)
        is_role = phrase.casefold().startswith(("the ", "our ", "my ")) and len(words) <= 3
        is_role = is_role and not self.finder.clear_steps(phrase)
        return match["name"][0].upper() + match["name"][1:] if is_name or is_role else ""

    def record_of(self, edit: Edit, name: str) -> Person:
        """Return what the plan knows of somebody's time; who only owns steps is put among the people."""
        known = next((person for person in edit.plan.people if person.text.casefold() == name.casefold()), None)
        if known is None:
            known = Person(id=edit.new_id(Person), text=name)
            edit.add(known)
        return known

    def steps_of(self, name: str) -> tuple[Step, ...]:
        """Return the open steps that somebody owns."""
        return tuple(step for step in self.open_steps if step.owner.casefold() == name.casefold())


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return parts as an English list: ``a, b and c``."""
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def possessive(name: str) -> str:
    """Return whose something is: ``Anna's``, or ``yours``."""
    return "yours" if name.casefold() == "you" else f"{name}'s" if name else "nobody's"


def verb(parts: Collection[object], singular: str, plural: str) -> str:
    """Return the form of a verb that fits the number of its subjects."""
    return singular if len(parts) == 1 else plural


def sentence(text: str) -> str:
    """Return a text with a capital, without its full stop."""
    text = " ".join(text.split()).strip(" \t,;:–-\"“”'‘").rstrip(".")
    return text[:1].upper() + text[1:]


def not_done_yet(items: Iterable[Item]) -> None:
    """Ask before anything that is done is changed. Raises Unclear."""
    if ended := [item for item in items if isinstance(item, Step) and item.status == "done"]:
        names = listed([quoted(step) for step in ended[:3]])
        raise Unclear(f"{names} {verb(ended, 'is', 'are')} done, and done work never moves: what should change?")
