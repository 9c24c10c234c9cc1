"""A checkpoint as a page: what there is to decide, in texts and not in counts, each with what Enter and x do.

Round 2 changed 9 items: …
Decide first 1      ▲ D1  The plan is over the budget              Dr Osei · by 11 Dec
You asked 1         » U8  Who tells the patients?
Findings 3          ! V3  major  S12 has no deadline …                [S12 by 26 Feb]
Questions 2           Q3  Does the notice count from receipt?                [answer]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from textual.content import Content

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.loop.deciding.convergence import settled_findings_text, unused
from workbench.domain.plan.changing.operations import Change
from workbench.domain.plan.plan import Decision, Plan, Question
from workbench.domain.plan.references import filled, with_references
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.lines import Row, barred, cut, hung, joined, spread, text
from workbench.tui.marks import ASKS, DIM, FAILED, FOCUS, Marks
from workbench.tui.session.review.reviewing import rounds_version
from workbench.tui.told import EMPTY, words_row
from workbench.tui.views import OLDER

if TYPE_CHECKING:  # what checks is imported when it is asked
    from workbench.domain.loop.deciding.offers import Offer

UNUSED = f"{OLDER}unused"
"""Key of the row of many statements that are not used yet."""
_MANY = 8  # statements from which those that are not used are one row
_INDENT = 8
_NAMED = 12  # ids of a group that are named, at most


@dataclass(frozen=True, slots=True)
class Deeds:
    """What can be done with a row: a command that is written for the person, or changes that are made at once."""

    enter: str = ""
    out: str = ""
    """What ``x`` does: it is not needed, or wrong."""
    changes: tuple[Change, ...] = ()


NO_DEEDS = Deeds()


@dataclass(slots=True)
class GatePage:
    """The rows of an open checkpoint, and what can be done with each."""

    width: int
    marks: Marks
    rows: list[Row] = field(default_factory=list)
    deeds: dict[str, Deeds] = field(default_factory=dict)

    def row(
        self, key: str, head: Content, words: str, offered: str = "", *, style: str = "", more: str = "", **does: Any
    ) -> Row:
        """Return words after a head, with what Enter does at the right end; ``more`` stands dim below."""
        self.deeds[key], width = Deeds(**does), self.width
        right = text(f"[{clean_name(offered, 40)}]" if offered else "", DIM)
        first, *rest = hung(head, clean(words), width - (right.cell_length + 2 if offered else 0), style)
        below = barred(Content(" " * head.cell_length), clean(more), width, DIM) if more else ()
        return Row((spread(first, right, width) if offered else first, *rest, *below), key=key, is_marked=True)


def gate_page(
    state: SessionState, offers: Sequence[Offer], width: int, marks: Marks, opened: Collection[str] = ()
) -> GatePage:
    """Return what an open checkpoint is about; parts without content are left out.

    ``opened`` has UNUSED if a person unfolded the statements that are not used yet, which are one row where there
    are many.
    """
    page, plan = GatePage(width, marks), state.plan
    if plan is None or state.gate is None:
        page.rows.append(words_row("Nothing is to be decided now.", width))
        return page
    plan = with_references(plan)
    page.rows.append(words_row(state.gate.question, width, ""))
    page.rows += _changed(state, width)
    for title, told in (
        ("Decide first", _decisions(page, plan)),
        ("You asked", _answers(page, state, plan)),
        ("Offered", _offered(page, state)),
        ("Findings", _findings(page, state, plan, offers)),
        ("Disputed", _disputed(page, state)),
        ("Questions", _questions(page, state, plan)),
        ("Not used yet", _unused(page, state, plan, is_open=UNUSED in opened)),
        ("Your goal names, not used", _unused_values(page, state)),
    ):
        rows = list(told)
        if title == "Findings" and (dealt_with := settled_findings_text(state)):
            rows.append(words_row(dealt_with, width))
        if rows:
            count = text(f" {sum(row.key.count(':') == 1 and row.key != UNUSED for row in rows) or ''}", DIM)
            page.rows += [EMPTY, Row((joined(text(title, f"bold {FOCUS}"), count),)), *rows]
    return page


def _changed(state: SessionState, width: int) -> Iterator[Row]:
    """Yield what the newest version of a round changed, in one line: a view of its own shows each."""
    from workbench.domain.plan.changing.review import change_groups

    version = rounds_version(state)
    groups = change_groups(state.versions, version) if version > 1 else ()
    if groups:
        told = " · ".join(clean_name(group.made[0].text, 80) for group in groups)
        head = text(f"Changed {len(groups)}  ", f"bold {FOCUS}")
        yield EMPTY
        yield Row((cut(joined(head, text(told, DIM)), width),))


def _head(sign: str, style: str, name: str) -> Content:
    return joined(text(f"{sign} ", style), text(f"{clean_name(name, 12):<{_INDENT - 3}} ", DIM))


def _decisions(page: GatePage, plan: Plan) -> Iterator[Row]:
    for item in plan.items:
        if not isinstance(item, Decision) or not item.is_open:
            continue
        latest = day_of(item.latest or "")
        facts = " · ".join(filter(None, [item.owner, f"by {latest.day} {latest:%b}" if latest else ""]))
        words = f"{item.text}{f' ({facts})' if facts else ''}"
        more = " ".join(filter(None, [f"Until then: {item.assumed}" if item.assumed else "", item.advice]))
        head = _head(page.marks.asks, ASKS, item.id)
        yield page.row(f"gate:{item.id}", head, words, more=more, enter=f"{item.id} choose ")
        for place, option in enumerate(item.options):
            letter = chr(ord("A") + place)
            head = text(f"{' ' * _INDENT}{letter} ", DIM)
            yield page.row(f"gate:{item.id}:{letter}", head, option.text, "choose", enter=f"{item.id} choose {letter}")


def _answers(page: GatePage, state: SessionState, plan: Plan) -> Iterator[Row]:
    """Yield what the person asked and a reply answered, or declined, with what it says."""
    for account in state.accounts:
        if account.state in ("answered", "declined"):
            name = account.statement.id
            head, more = _head(page.marks.noted, FOCUS, name), filled(account.note, plan)
            yield page.row(f"gate:{name}", head, account.statement.text, "enough", more=more, enter=f"{name} dismiss")


def _offered(page: GatePage, state: SessionState) -> Iterator[Row]:
    for offer in state.offers:
        if not offer.decided:
            head, told = _head(page.marks.asks, ASKS, offer.id), f"{offer.client} offers: {offer.text}"
            does = {"enter": f"{offer.id} accept", "out": f'{offer.id} decline "'}
            yield page.row(f"gate:{offer.id}", head, told, "accept", more=offer.reason, **does)


def _findings(page: GatePage, state: SessionState, plan: Plan, offers: Sequence[Offer]) -> Iterator[Row]:
    numbers = {id(one): f"V{number}" for number, one in enumerate(state.findings, 1)}
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for one in sorted(state.open_findings, key=lambda one: one.severity != "major"):
        groups.setdefault((one.severity, one.rule, _without_item(one)), []).append(one)
    for (severity, _, words), alike in groups.items():
        first, is_group, name = alike[0], len(alike) > 1, numbers[id(alike[0])]
        repairs = [one for one in offers if one.repair.finding in alike]
        firsts = list({offer.repair.finding.item: offer for offer in reversed(repairs)}.values()) if is_group else []
        style = FAILED if severity == "major" else DIM
        head = joined(_head(page.marks.found, FAILED, name), text(f"{severity}  ", style))
        told, more = first.text, "" if repairs else first.remedy
        if is_group:
            ids = [one.item or "" for one in alike]
            left = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
            told = f"{len(ids)} alike: {words} {' '.join(ids[:_NAMED])}{left}"
        yield page.row(
            f"gate:{name}",
            head,
            filled(told, plan),
            f"{len(firsts)} repairs" if firsts else "",
            more=filled(more, plan),
            enter=f"{first.item} " if first.item and not is_group else "",
            out=f'{name} dispute "',
            changes=tuple(change for offer in firsts for change in offer.changes()),
        )
        bullet = text(f"{' ' * _INDENT}· ", DIM)
        for place, offer in enumerate(() if is_group else repairs):
            key, label, more = f"gate:{name}:{place}", offer.repair.label, offer.consequence
            yield page.row(key, bullet, label, "take", more=more, changes=offer.changes())


def _without_item(finding: Finding) -> str:
    """Return what a finding says of its item, without that: findings that say the same of several are one row."""
    item = finding.item or ""
    return finding.text.removeprefix(f"{item} ") if item and finding.text.startswith(f"{item} ") else finding.text


def _disputed(page: GatePage, state: SessionState) -> Iterator[Row]:
    for number, one in enumerate(state.findings, 1):
        if one.disputed:
            head, enter = _head(" ", "", f"V{number}"), f"{one.item} " if one.item else ""
            yield page.row(f"gate:V{number}", head, one.text, style=DIM, more=one.disputed, enter=enter)


def _questions(page: GatePage, state: SessionState, plan: Plan) -> Iterator[Row]:
    """Yield all open questions: those that came with the newest version first, and what is assumed until then."""
    known = {item.id for item in state.versions[-2].plan.items} if len(state.versions) > 1 else set()
    asked = [item for item in plan.items if isinstance(item, Question)]
    for one in sorted(asked, key=lambda one: one.id in known):
        words = f"{one.text} ({one.owner})" if one.owner else one.text
        more = f"until then: {one.assumption}" if one.assumption else ""
        does = {"enter": f"{one.id}: ", "out": f"remove {one.id}"}
        yield page.row(f"gate:{one.id}", _head(" ", "", one.id), words, "answer", more=more, **does)


def _unused(page: GatePage, state: SessionState, plan: Plan, *, is_open: bool) -> Iterator[Row]:
    """Yield the statements that nothing accounts for; many of them, as after a long paste, are one row that opens."""
    waiting = unused(state, plan)
    if len(waiting) > _MANY:
        sign = page.marks.unfolded if is_open else page.marks.folded
        told = f"{len(waiting)} statements, {waiting[0].statement.id} to {waiting[-1].statement.id}"
        yield page.row(UNUSED, text(f"{sign} ", DIM), told, "fold" if is_open else "show")
        waiting = waiting if is_open else ()
    for one in waiting:
        name, said = one.statement.id, f"“{' '.join(one.statement.text.split())}”"
        does = {"enter": f"{name} used in ", "out": f"{name} dismiss"}
        yield page.row(f"gate:{name}", _head(" ", "", name), said, "use in …", **does)


def _unused_values(page: GatePage, state: SessionState) -> Iterator[Row]:
    """Yield the values of the goal that are not used, each with what it can be made."""
    from workbench.domain.loop.deciding.goal_values import unused_values

    for number, chip in enumerate(unused_values(state), 1):
        for place, meaning in enumerate(chip.meanings):
            key = f"gate:goal-{number}:{place}" if place else f"gate:goal-{number}"
            told = f"{chip.told} is {meaning.label}" if not place else f"or {meaning.label}"
            yield page.row(key, _head(" ", "", ""), told, "use", enter=meaning.command)


def open_findings(state: SessionState) -> Mapping[str, str]:
    """Return the texts of the findings that are open, by their numbers, the major ones first."""
    numbered = ((number, one) for number, one in enumerate(state.findings, 1) if not one.disputed)
    return {f"V{number}": one.text for number, one in sorted(numbered, key=lambda one: one[1].severity != "major")}
