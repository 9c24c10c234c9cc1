"""From what there is to see to rows, off the screen's loop: a long session must not hold up a key.

    Sight (state, running step, widths, notes) ─▶ Painter.paint, in a thread ─▶ Picture (sheets) ─▶ panes

A painter keeps each sheet until something of it changes: a token that arrives does not lay two thousand messages out
again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, TypeVar, cast

from workbench.domain.loop.deciding.convergence import listed
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.planning.driver import Running
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, Sheet
from workbench.tui.marks import Marks
from workbench.tui.pauses import settle
from workbench.tui.session.drafting import Noted
from workbench.tui.session.main_rows import approach_rows, question_rows, transcript_rows, waiting_rows
from workbench.tui.session.records.context_rows import context_rows
from workbench.tui.session.records.isolation import NOT_COUNTED, Isolation, people_rows
from workbench.tui.session.records.looking_back import Looked
from workbench.tui.session.review.gate_rows import Deeds, GatePage, gate_page
from workbench.tui.session.review.reviewing import AT_THE_FIRST, Review, Reviewing, review_of
from workbench.tui.sharing.live import SharedSeen
from workbench.tui.sharing.shared_rows import NOTHING_SAID, LiveRows, Said, seen_rows
from workbench.tui.told import EMPTY, words_row
from workbench.tui.views import OLDER, history_rows, recalled_rows

if TYPE_CHECKING:  # what calculates is imported with the first plan: the frame of a session is painted before
    from workbench.domain.loop.deciding.offers import Offer
    from workbench.domain.plan.figures import Figures
    from workbench.tui.session.plan.plan_page import Page

T = TypeVar("T")
_LONG = 2000  # lines from which a sheet is heavy enough to matter to the garbage collection

CHANGES = "changes"
"""The review of what a version changed."""
GATE = "gate"
"""What the open checkpoint is about: it takes the page while a person answers it."""
HISTORY = "history"
LIVE = "live"
"""What sessions share; where the screen shows how it was, what the session had seen of it."""
PEOPLE = "people"
"""Who works on it, and who sees what of it."""
VIEWS = ("plan", CHANGES, HISTORY, "context", "rounds", PEOPLE, "transcript")
"""What the pane in the middle can show, of any session."""
FOLLOWED = ("transcript", "history")
"""Views that grow at their end."""


TITLES = {
    HISTORY: "3 History",
    "rounds": "6 Rounds, entities, insights",
    LIVE: "5 Shared context",
    PEOPLE: "7 People and agents",
}
"""What views are called in their frame, with their digit."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything a picture of a session is made of."""

    state: SessionState
    marks: Marks
    view: str = "plan"
    main: int = MAX_PROSE_WIDTH
    """Columns in the middle."""
    main_rows: int = 30
    """Lines in the middle."""
    left: int = 0
    """Columns of the list of changes beside a review; 0 if it is below it."""
    right: int = 0
    """Columns of the drawer; 0 if none is open."""
    right_rows: int = 0
    """Its lines, where it shows the round that runs; 0 if it shows the history."""
    running: Running | None = None
    partial: str = ""
    """What has arrived of the running reply."""
    noted: tuple[Noted, ...] = ()
    reviewing: Reviewing = AT_THE_FIRST
    """Where the person is in the review of what a version changed."""
    offers: tuple[Offer, ...] = ()
    """Repairs that are offered for its findings."""
    looked: Looked | None = None
    """What was sent for the call that is looked at; None if it is not known yet, or not looked at."""
    unfolded: frozenset[str] = frozenset()
    """Keys of its rows whose exact text is shown."""
    opened: frozenset[str] = frozenset()
    """Keys of rows of the plan that show all that they say."""
    by_urgency: bool = False
    """Whether the steps of an agreed plan stand by how urgent they are."""
    seen_by: str = ""
    """Agent whose view the history shows; "" for all of it."""
    shared: SharedSeen | None = None
    """What sessions share; None if nobody follows it."""
    said: Said = NOTHING_SAID
    """What is told beside one of its changes."""
    as_it_was: bool = False
    """Whether it is shown as the session had seen it, instead of how it is now."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What the sessions of the workspace are called, by their ids."""
    asked_why: str | None = None
    """The item or section that the panel is about, "" for none; None if no panel is beside."""
    isolation: Isolation = NOT_COUNTED
    """Who sees what, as far as it is known."""
    preview: Plan | None = None
    """The plan as it would be with what is typed; None while nothing is."""
    figures: Figures | None = None
    """Of its plan, with the forecast; None if that is not known yet."""
    now: str = ""
    """The time to the minute, which ages are counted to; "" where it is shown as it was."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The panes of a session."""

    sight: Sight
    title: str
    subject: str
    """What is in the middle; while it is the same, the reader stays where they were."""
    doing: str
    """Who is at work, since when, and how much has come; "" if nobody is."""
    main: Sheet
    drawer: Sheet
    """The round that runs, why the chosen row is as it is, else the messages; empty if it is closed."""
    recalled: Sheet
    """What was retrieved from other sessions, below the messages in the drawer; empty if nothing was."""
    review: Review
    """What there is to review; empty if nobody does."""
    changes: Sheet
    """The list beside the change that is shown; empty if it is below it."""
    deeds: Mapping[str, Deeds]
    """What can be done with the rows of an open checkpoint."""


class Painter:
    """Paints one session; used by one thread at a time."""

    def __init__(self) -> None:
        self._made: dict[object, tuple[tuple[object, ...], object]] = {}
        self._log_rows = LiveRows()

    def paint(self, sight: Sight) -> Picture:
        """Return the picture of what there is to see."""
        shows_history = sight.right > 0 and not sight.right_rows and sight.asked_why is None
        return Picture(
            sight=sight,
            title=self._title(sight),
            subject=self._subject(sight),
            doing=f"as of event {sight.state.seq:,}" if sight.as_it_was else _doing(sight.running),
            main=self._main(sight),
            drawer=self._drawer(sight) if sight.right else Sheet(),
            recalled=self._recalled(sight, sight.right) if shows_history else Sheet(),
            review=self._review(sight) if sight.view == CHANGES else Review(0, ()),
            changes=self._left(sight) if sight.left and sight.view == CHANGES else Sheet(),
            deeds=self._gate(sight).deeds if sight.view == GATE else {},
        )

    def _title(self, sight: Sight) -> str:
        state, version = sight.state, sight.state.version
        if sight.view == CHANGES:
            return f"2 {_place_in(self._review(sight), sight.reviewing)}"
        if sight.view == GATE:
            return f"Round {len(state.iterations)} · to be decided" if state.iterations else "To be decided"
        if sight.view == "context" and sight.looked is not None and sight.looked.context is not None:
            return f"4 Context of {clean_name(sight.looked.context.heading.call)}"
        if sight.view != "plan":
            return TITLES.get(sight.view, sight.view.capitalize())
        before_plan = _before_plan(state)
        if before_plan != "plan":
            return f"1 {before_plan.capitalize()}"
        if self._drafted_so_far(sight) is not None:
            return f"1 Plan v{version + 1} is being written"
        by = " · by urgency" if sight.by_urgency and is_agreed(state) else ""
        return f"1 Plan v{version}{by}" if version else "1 Plan"

    def _subject(self, sight: Sight) -> str:
        if sight.view == CHANGES:
            page = sight.reviewing.page(self._review(sight))
            return page.key if page is not None else CHANGES
        if sight.view == "context":
            return self._title(sight)
        return _before_plan(sight.state) if sight.view == "plan" else sight.view

    def _review(self, sight: Sight) -> Review:
        given = (sight.state, sight.reviewing.version, sight.offers)
        return self._kept("review", given, lambda: review_of(*given))

    def _gate(self, sight: Sight) -> GatePage:
        given = (sight.state, sight.offers, sight.main, sight.marks, sight.opened)
        return self._kept("gate", given, lambda: gate_page(*given))

    def _changes(self, sight: Sight, width: int) -> Sheet:
        from workbench.tui.session.review.change_rows import list_rows

        return self._sheet(list_rows, sight.state, self._review(sight), sight.reviewing, width, sight.marks)

    def _left(self, sight: Sight) -> Sheet:
        return self._changes(sight, sight.left) or Sheet([words_row("No changes yet.", sight.left)])

    def _page(self, sight: Sight) -> Sheet:
        from workbench.tui.session.review.change_rows import page_rows

        review = self._review(sight)
        page = sight.reviewing.page(review)
        sheet = self._sheet(page_rows, sight.state, review, page, sight.main, sight.marks)
        listed = () if sight.left else self._changes(sight, sight.main)
        return Sheet([*sheet, EMPTY, *listed]) if listed else sheet

    def _drawer(self, sight: Sight) -> Sheet:
        """Return what is beside: the round that runs, why the chosen row is as it is, else the messages."""
        if sight.right_rows:
            from workbench.tui.session.records.memory_rows import running_rows

            rounds = sight.looked.rounds if sight.looked is not None else None
            size = (sight.right, sight.right_rows)
            return Sheet(running_rows(sight.state, sight.running, sight.partial, rounds, size=size, marks=sight.marks))
        if sight.asked_why is None:
            return self._said(sight, sight.right)
        if not sight.asked_why:
            return Sheet([words_row("A step or a section says here why it is as it is.", sight.right)])
        from workbench.tui.session.review.why import why_rows

        return self._sheet(why_rows, sight.state, sight.asked_why, sight.right, sight.marks, sight.names)

    def _recalled(self, sight: Sight, width: int) -> Sheet:
        given = (sight.state, width, sight.marks, sight.names)
        return self._sheet(recalled_rows, *given, as_it_was=sight.as_it_was)

    def _said(self, sight: Sight, width: int) -> Sheet:
        given = (sight.state, width, sight.marks, sight.seen_by)
        return self._sheet(history_rows, *given, folded=OLDER not in sight.opened)

    def _shared(self, sight: Sight) -> Sheet:
        from workbench.tui.sharing.shared_rows import shared_table_rows

        if sight.as_it_was:
            return self._sheet(seen_rows, sight.state, min(sight.main, MAX_PROSE_WIDTH), sight.marks)
        if sight.shared is None:
            return Sheet()
        given = (sight.shared, sight.state, sight.names, sight.main, sight.marks)
        return self._sheet(shared_table_rows, *given, live=self._log_rows, said=sight.said, now=sight.now)

    def _main(self, sight: Sight) -> Sheet:
        state, marks, width = sight.state, sight.marks, min(sight.main, MAX_PROSE_WIDTH)
        match sight.view:
            case "changes":
                return self._page(sight)
            case "gate":
                return Sheet(self._gate(sight).rows)
            case "transcript":
                return self._sheet(transcript_rows, state, width, marks)
            case "context":
                return self._sheet(context_rows, sight.looked, sight.unfolded, width, marks, state.mark_of)
            case "live":
                return self._shared(sight)
            case "rounds":
                from workbench.tui.session.records.memory_rows import memory_rows

                rounds = sight.looked.rounds if sight.looked is not None else None
                return self._sheet(memory_rows, state, sight.main, marks, rounds, sight.unfolded)
            case "people":
                return self._sheet(people_rows, sight.isolation, sight.figures, sight.main, marks)
            case "history":
                told, recalled = self._said(sight, width), self._recalled(sight, width)
                return Sheet([*told, EMPTY, *recalled]) if recalled else told
            case _:
                return self._plan(sight, width)

    def _plan(self, sight: Sight, width: int) -> Sheet:
        state, running, plan = sight.state, sight.running, sight.state.plan
        from workbench.tui.session.plan.plan_page import page_rows  # with what calculates: the frame is painted before

        so_far = self._drafted_so_far(sight)
        if so_far is not None:
            more = [EMPTY, words_row("More appears as it is complete.", sight.main)]
            key = ("growing", so_far, state.versions, sight.main, sight.main_rows)
            return self._kept("plan", key, lambda: Sheet([*page_rows(_page(sight, so_far, None)), *more]))
        if plan is not None:
            told = _figures(sight)
            return self._kept("plan", _of_page(sight, told), lambda: Sheet(page_rows(_page(sight, plan, told))))
        if state.gate is not None and state.gate.kind == "question":
            return Sheet(question_rows(state, width))
        if state.approaches and state.approach is None and not state.proposal and running is None:
            return self._sheet(approach_rows, state, width)
        return Sheet(waiting_rows(state, running, width))

    def _drafted_so_far(self, sight: Sight) -> Plan | None:
        if sight.running is None or sight.running.task != "plan":
            return None
        from workbench.tui.session.plan.streaming import drafted  # with the first reply: the frame is painted before

        return self._kept("drafted", (sight.partial,), lambda: drafted(sight.partial, sight.state.plan))

    def _sheet(self, make: Callable[..., Iterable[Row]], *given: object, **named: object) -> Sheet:
        """Return the rows of something, laid out again only if it is made of something else."""
        return self._kept(make, (*given, *named.values()), lambda: Sheet(make(*given, **named)))

    def _kept(self, name: object, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return what was made last while its key is the same."""
        known = self._made.get(name)
        if known is not None and _is_unchanged(known[0], key):
            return cast("T", known[1])
        made = make()
        self._made[name] = key, made
        if isinstance(made, Sheet) and made.height > _LONG:
            settle()
        return made


def _of_page(sight: Sight, told: Figures | None) -> tuple[object, ...]:
    state = sight.state
    of_state = (state.versions, state.findings, len(state.statements), len(state.settled), told, _today(sight))
    how = (sight.main, sight.main_rows, sight.noted, sight.opened, sight.marks, sight.preview)
    return (*of_state, *how, sight.by_urgency)


def _page(sight: Sight, plan: Plan, told: Figures | None) -> Page:
    """Return a plan on the day on which it is looked at, and the room that it has."""
    from workbench.domain.loop.deciding.goal_values import unused_values
    from workbench.domain.plan.due import due_steps
    from workbench.domain.plan.references import with_references
    from workbench.export.figures import quick_figures_of
    from workbench.tui.session.plan.outline import signs_of
    from workbench.tui.session.plan.plan_page import Page, Standing
    from workbench.tui.session.plan.plan_tables import Shown

    state, today, now = sight.state, _today(sight), told
    preview = sight.preview
    if preview is not None and [step.id for step in preview.steps] == [step.id for step in plan.steps]:
        plan, told = preview, quick_figures_of(state, preview)
    shown = Shown.from_plan(
        plan,
        told,
        sight.marks,
        signs=signs_of(state.versions[-1]) if state.versions and not is_agreed(state) else {},
        noted=frozenset(one.place.key for one in sight.noted),
        unfolded=sight.opened,
        findings=frozenset(finding.item for finding in state.open_findings if finding.item is not None),
    )
    agreed = next((version.plan for version in state.versions if version.version == state.saved_version), None)
    is_standing = told is not None and is_agreed(state)
    late = due_steps(plan, today, soon=0) if is_standing else ()
    return Page(
        with_references(plan),
        sight.main,
        sight.main_rows,
        shown,
        noted=sight.noted,
        said=listed(state),
        is_growing=plan not in (state.plan, preview),
        moved=_moved(now, told),
        standing=Standing.from_plans(plan, agreed, today) if is_standing else None,
        late=frozenset(one.step for one in late if one.kind == "late"),
        by_urgency=sight.by_urgency,
        unused=unused_values(state),
    )


def _moved(before: Figures | None, after: Figures | None) -> frozenset[str]:
    if before is None or after is None or before is after:
        return frozenset()
    days = {step.step: (step.start, step.end) for step in before.steps}
    return frozenset(one.step for one in after.steps if days.get(one.step) != (one.start, one.end))


def _figures(sight: Sight) -> Figures | None:
    from workbench.export.figures import quick_figures_of

    return sight.figures or quick_figures_of(sight.state, sight.state.plan)


def _doing(running: Running | None) -> str:
    if running is None:
        return ""
    said = clean_name(running.note, 60) or running.progress
    come = f" · {said}" if said else ""
    return f"{running.role} {running.seconds:.0f} s{come}"


def _is_unchanged(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    """Tell whether all are the same, or equal; of two states nobody wants to know whether they are equal."""
    pairs = zip(before, after, strict=False)
    return len(before) == len(after) and all(
        one is other or (not isinstance(one, SessionState) and one == other) for one, other in pairs
    )


def _today(sight: Sight) -> date:
    state = sight.state
    day = day_of((state.updated if sight.as_it_was or not sight.now else sight.now)[:10])
    if day is None:
        from workbench.export.figures import today_of

        return today_of(state)
    return day


def is_agreed(state: SessionState) -> bool:
    """Tell whether a plan with steps was saved: from then on it is shown how its work stands."""
    return state.saved_version is not None and state.plan is not None and bool(state.plan.steps)


def _before_plan(state: SessionState) -> str:
    """Return what is where the plan will be, else ``plan``."""
    if state.gate is not None and state.gate.kind == "question" and not state.version:
        return "question"
    return "approaches" if state.approaches and state.approach is None and not state.proposal else "plan"


def _place_in(review: Review, reviewing: Reviewing) -> str:
    """Return which of the changes, or of the findings, is shown, and how many changes are undecided."""
    page = reviewing.page(review)
    if page is None:
        return "Changes"
    alike = [one for one in review.pages if (one.finding is None) == (page.finding is None)]
    of = f"Changes v{review.version - 1} → v{review.version}" if review.version > 1 else "Changes"
    left = len(reviewing.left(review))
    place = f"{'Findings' if page.finding is not None else of} · {alike.index(page) + 1} of {len(alike)}"
    return place + (f" · {left} open" if left and page.finding is None else "")
