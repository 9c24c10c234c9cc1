"""What the ledger has against a plan: facts that no item acts on, words that nobody understood, links that are old."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterable, Iterator
from typing import Literal

from workbench.domain.facts.ledger import Entry, telling_words
from workbench.domain.facts.wording import in_words
from workbench.domain.loop.tasks import Finding
from workbench.domain.text.cleaning import shorten
from workbench.domain.values.fact import Fact

NOT_ACTED_ON = "facts.not-acted-on"
NOT_UNDERSTOOD = "facts.not-understood"
_DECIDING = frozenset({"deadline", "on", "start", "budget"})
"""Roles of facts without which a plan is for something else."""


def open_facts(ledger: Iterable[Entry]) -> tuple[Finding, ...]:
    """Return a finding for each fact that is neither acted on nor dismissed, and for each link to a replaced one."""
    return tuple(finding for entry in ledger for finding in _findings(entry))


def _findings(entry: Entry) -> Iterator[Finding]:
    name, fact, later = entry.stated.id, entry.stated.fact, entry.replaced_by
    words = f"“{shorten(' '.join(fact.text.split()), 80)}”"
    if entry.status == "asked":
        text, remedy = f"{name} {words} ({in_words(fact)}) stands in no item of the plan.", "Say where it belongs"
        severity: Literal["major", "minor"] = "major" if _decides(fact) else "minor"
        yield Finding(rule=NOT_ACTED_ON, severity=severity, text=text, remedy=f"{remedy}, or “ignore {name}”.")
    elif entry.status == "not understood":
        text, remedy = f"{name} {words} was not understood.", f"Say it in other words, or “ignore {name}”."
        yield Finding(rule=NOT_UNDERSTOOD, severity="minor", text=text, remedy=remedy)
    elif entry.status == "dismissed" and later:
        for item in entry.acted_on:
            text = f"{item} rests on {name} {words}, which {later} replaced."
            remedy = f"Change {item} to what {later} says."
            yield Finding(rule="facts.replaced", severity="major", text=text, item=item, remedy=remedy)


_BINDS = re.compile(
    r"\b(?:must|only|before|until|unless|if|once|needs?|ha(?:s|ve) to|sign\w*|approv\w+|agree\w*|may|no|not)\b",
    re.IGNORECASE,
)
"""Words of a condition that the plan has to meet; without them it is a circumstance: "Enzo is the doctor"."""


_NAMED = re.compile(rf"\d|\b(?:{'|'.join(month_name[1:])})\b", re.IGNORECASE)
"""What a date has that is given itself, and not counted from another: "in nine days", "that Saturday"."""


def _decides(fact: Fact) -> bool:
    if fact.type == "date" and (fact.value.recurs or not _NAMED.search(fact.text)):
        return False
    rules_out = fact.type == "exclusion" or (fact.type == "condition" and _BINDS.search(fact.text) is not None)
    return fact.role in _DECIDING or (rules_out and len(telling_words(fact.text)) > 1)
