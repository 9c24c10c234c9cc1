"""Judges what the application does by what a person did: which decisions, drafts and texts can be on which screen.

    look() before ─▶ the person's one deed ─▶ look() after ─▶ Watcher.judge(deed, before, after)

A gate that was answered needs a permit, which only its key gives; a text that is gone from the input needs a reason;
a mark of another session on a screen needs none, there is none. What the person may do is reckoned here from the screen
and the keys alone, beside what the application thinks of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.tui.menagerie import marks_in
from textual.command import CommandPalette
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget
from workbench.bootstrap import Workspace
from workbench.domain.errors import WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean
from workbench.tui.app import WorkbenchApp
from workbench.tui.home.start import StartScreen
from workbench.tui.keymap import key_name, mapped_keys
from workbench.tui.lines import Row
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.bars import Hints, Notice, StillLine
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.gate_pane import GatePane
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane

Doing = Literal["key", "paste", "click", "nothing"]
_ANSWERS = {"continue", "finish", "stop", "skip", "edit", "again", "offline", "without", "keep", "remove"}
_GOES_TO_DRAFT = {"feedback", "answer"}
_JUDGED = {"gate.answered", "message.given", "session.reopened", "feedback.given"}
"""What a person decides; of others, a text may stand as what it adds to another one."""


@dataclass(frozen=True)
class Deed:
    """The one thing a person did."""

    doing: Doing = "nothing"
    key: str = ""
    text: str = ""
    at: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Seen:
    """A session's screen as a person sees it."""

    gate: str
    """Id of the gate that is shown; "" for none."""
    gate_kind: str
    acts: bool
    purpose: str
    text: str
    kept: str
    notes: tuple[str, ...]
    queued: tuple[str, ...]
    focus: Widget | None
    is_selected: bool

    @property
    def stands(self) -> bool:
        return bool(self.text.strip())


@dataclass(frozen=True)
class View:
    """The application at one moment."""

    front: str
    """The session whose screen takes the keys; "" where another screen does."""
    under_palette: str
    """The session whose screen is below the palette."""
    clicked: Widget | None
    """What stands where a click goes."""
    keys: tuple[str, ...]
    """What is written there on the line at the bottom: a click presses it."""
    sessions: dict[str, Seen]


@dataclass
class Mind:
    """What a person has done to a session so far."""

    reviewed: set[str] = field(default_factory=set)
    """Gates they went to."""
    owners: set[str] = field(default_factory=set)
    """Gates that the draft may be sent to."""
    kept_owners: set[str] = field(default_factory=set)
    permits: set[tuple[str, str, str]] = field(default_factory=set)
    """Gate, kind of answer and text that their keys allow."""
    sent: set[str] = field(default_factory=set)
    """Texts that arrived in the log."""


def session_screens(app: WorkbenchApp) -> dict[str, SessionScreen]:
    """Return the screen of every session that is open, in front or not."""
    stacks = app._screen_stacks.values()
    screens = (screen for stack in stacks for screen in stack)
    return {screen.session: screen for screen in screens if isinstance(screen, SessionScreen) and screen.is_mounted}


def look(app: WorkbenchApp, at: tuple[int, int] | None = None) -> View:
    """Return what a person sees."""
    screen, below = app.screen, app.screen_stack[-2] if len(app.screen_stack) > 1 else None
    under = below.session if isinstance(screen, CommandPalette) and isinstance(below, SessionScreen) else ""
    clicked = None
    if at is not None and Region(*at, 1, 1) in screen.size.region:
        clicked = screen.get_widget_at(*at)[0]
    front = screen.session if isinstance(screen, SessionScreen) else ""
    return View(
        front, under, clicked, _keys_at(clicked, at), {name: _seen(one) for name, one in session_screens(app).items()}
    )


def _keys_at(clicked: Widget | None, at: tuple[int, int] | None) -> tuple[str, ...]:
    if at is None or not isinstance(clicked, Hints):
        return ()
    x = at[0] - clicked.content_region.x
    return tuple(key_name(key) for start, end, key in clicked._places if start <= x < end)


def _seen(screen: SessionScreen) -> Seen:
    gate, drafting = screen.gate_pane.gate, screen.drafting
    return Seen(
        gate=gate.id if gate else "",
        gate_kind=gate.kind if gate else "",
        acts=screen.gate_pane.acts,
        purpose=drafting.purpose,
        text=screen.draft.text,
        kept=drafting.kept,
        notes=tuple(one.text for one in drafting.notes),
        queued=tuple(screen._ahead),
        focus=screen.focused,
        is_selected=screen.draft.selection.start != screen.draft.selection.end,
    )


class Watcher:
    """Follows a person over every session of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.minds: defaultdict[str, Mind] = defaultdict(Mind)
        self._read: dict[str, tuple[str, int]] = {}
        self.outside: set[tuple[str, str]] = set()
        """Session and gate that were answered from elsewhere."""
        self.answered = 0
        """Decisions that were made with their keys."""

    def restarted(self) -> None:
        """Forget what was written into screens that are gone."""
        for mind in self.minds.values():
            mind.reviewed, mind.owners, mind.kept_owners = set(), set(), set()

    def judge(self, app: WorkbenchApp, deed: Deed, before: View, after: View) -> None:
        """Assert that everything that happened was allowed."""
        for one in (deed, *(Deed("key", key=key) for key in before.keys + after.keys)):
            self._permit(app, one, before, after)
        self.judge_logs()
        for session in before.sessions.keys() & after.sessions.keys():
            self._judge_draft(app, deed, session, before, after)
            self._judge_focus(app, deed, session, before, after)
            self._follow_draft(session, before.sessions[session], after.sessions[session])

    # --- what a key allows --------------------------------------------------------------------------------------------

    def _permit(self, app: WorkbenchApp, deed: Deed, before: View, after: View) -> None:
        session = before.front or before.under_palette
        seen = before.sessions.get(session)
        if seen is None:
            return
        mind, now = self.minds[session], after.sessions.get(session, seen)
        gates = {gate for gate in (seen.gate, now.gate) if gate}
        ids = _ids_of(app, deed.key) if deed.doing == "key" else set()
        goes = bool(_TO_THE_GATE & ids) and not before.under_palette
        if goes or _runs_command(deed, before) or isinstance(before.clicked, GatePane):
            mind.reviewed |= gates
            if seen.purpose == "reply" and (seen.stands or now.stands):
                mind.owners |= gates
        if before.front and seen.gate in mind.reviewed:
            self._permit_at_gate(mind, seen, ids, deed, before)
        if ("session.go-on" in ids and before.front) or _runs_command(deed, before):  # what failed is asked again
            mind.permits |= {(one.gate, "again", "") for one in (seen, now) if one.gate_kind == "failure"}
        if before.front and isinstance(seen.focus, Draft) and ({"draft.send"} & ids or deed.key == "enter"):
            said = clean(seen.text).strip()
            kinds = {"reply": ("feedback", "answer"), "reason": ("reject",)}.get(seen.purpose, ())
            mind.permits |= {(gate, kind, said) for gate in mind.owners & gates for kind in kinds if said}
            if seen.purpose != "note" and said:
                mind.permits |= {("", "reopen", said), ("", "say", said)}

    def _permit_at_gate(self, mind: Mind, seen: Seen, ids: set[str], deed: Deed, before: View) -> None:
        """Allow what letters, numbers and clicks decide at a gate that a person went to."""
        gate, kinds = seen.gate, set()
        if isinstance(seen.focus, GatePane):
            kinds = {one.removeprefix("gate.") for one in ids if one.startswith("gate.")}
            if len(deed.key) == 1 and deed.key.isdigit():
                mind.permits.add((gate, "choose", ""))
        if isinstance(before.clicked, GatePane):
            kinds = _ANSWERS | _GOES_TO_DRAFT | {"send-notes"}
        opens = isinstance(before.clicked, MainPane) or (isinstance(seen.focus, MainPane) and "list.open" in ids)
        if opens and seen.gate_kind == "approach":
            mind.permits.add((gate, "choose", ""))
        mind.permits |= {(gate, kind, "") for kind in kinds & _ANSWERS}
        if "send-notes" in kinds and seen.notes:
            mind.permits.add((gate, "feedback", ""))
        if kinds & _GOES_TO_DRAFT:
            mind.owners.add(gate)

    # --- what was decided ---------------------------------------------------------------------------------------------

    def judge_logs(self) -> None:
        """Assert that every decision in a log was made with its key."""
        for session in self._workspace.log.streams():
            for event in self._new_events(session):
                if event.kind not in _JUDGED:
                    continue
                body = say.content(event)
                if isinstance(body, say.GateAnswered):
                    self._judge_answer(session, body)
                elif isinstance(body, say.MessageGiven) and body.to:
                    self._judge_said(session, body)
                elif isinstance(body, say.FeedbackGiven):  # what was queued is given together
                    self.minds[session].sent |= {body.text.strip(), *body.text.split("\n\n")}
                elif isinstance(body, say.SessionReopened):
                    mind, said = self.minds[session], body.text.strip()
                    assert ("", "reopen", said) in mind.permits, f"{session} was reopened by nobody"
                    mind.sent.add(said)

    def _judge_said(self, session: str, body: say.MessageGiven) -> None:
        """Assert that what an agent was told was written for it, and sent."""
        mind, said = self.minds[session], body.text.strip()
        drafts = {text for _, kind, text in mind.permits if kind == "say" and text.endswith(said)}
        assert drafts, f"{session}: nobody said {said!r} to {body.to}"
        mind.sent |= drafts

    def _judge_answer(self, session: str, body: say.GateAnswered) -> None:
        if (session, body.gate) in self.outside:
            return
        mind, answer = self.minds[session], body.answer
        said = answer.text.strip() if answer.kind in {"feedback", "answer", "reject"} else ""
        permit = (body.gate, answer.kind, said)
        assert permit in mind.permits, f"{session}: {permit} has no key of these: {mind.permits}"
        mind.sent |= {said, *(note.text for note in answer.notes)}
        self.answered += 1

    def _new_events(self, session: str) -> Iterator[Event]:
        try:
            head = self._workspace.log.head(session)
            epoch, seq = self._read.get(session, ("", 0))
            after = seq if epoch == head.epoch else 0
            if head.seq > after:
                self._read[session] = (head.epoch, head.seq)
                yield from (event for event in self._workspace.log.read(session, after=after) if event.seq <= head.seq)
        except WorkbenchError:
            return  # it was deleted meanwhile

    # --- what was written ---------------------------------------------------------------------------------------------

    def _judge_draft(self, app: WorkbenchApp, deed: Deed, session: str, before: View, after: View) -> None:
        """Assert that what stood in an input is still there, or was sent, put away or deleted by the person."""
        was, now, mind = before.sessions[session], after.sessions[session], self.minds[session]
        in_draft = before.front == session and isinstance(was.focus, Draft)
        pastes = before.front == session and deed.doing == "paste"  # beside the input, too: it is no key
        writes = pastes or (in_draft and deed.doing == "key")
        leaves = before.front == session and was.purpose != "reply" and "session.back" in _ids_of(app, deed.key)
        leaves = leaves or (was.purpose != "reply" and before.front == session and deed.doing == "click")
        at_the_gate = isinstance(before.clicked if deed.doing == "click" else was.focus, GatePane)
        is_stray = len(was.text.strip()) == 1 and at_the_gate  # a key for the gate that missed it
        if was.stands and now.text != was.text and not (writes or leaves or is_stray):
            texts = {clean(was.text).strip(), was.text.strip()}
            is_kept = was.text in (now.kept, now.text) or texts & (mind.sent | {*now.notes, *now.queued})
            assert is_kept, f"{session}: the draft {was.text!r} was lost by {deed}: {now}"
        if writes and now.text != was.text and _is_typed(deed) and not was.is_selected and now.purpose == was.purpose:
            assert _is_inserted(was.text, now.text), f"{session}: {deed} made {now.text!r} of the draft {was.text!r}"
        if was.kept and now.kept != was.kept:
            assert was.kept in {now.text, now.kept}, f"{session}: the reply {was.kept!r} did not come back: {now}"
        for said in set(was.queued) - set(now.queued):
            taken_back = now.text == said or mind.sent & {said, said.strip()}
            assert taken_back, f"{session}: what was queued, {said!r}, was lost by {deed}: {now}"
        for note in set(was.notes) - set(now.notes):
            taken_back = before.front == session and "plan.out" in _ids_of(app, deed.key)
            assert taken_back or any(note in said for said in mind.sent), f"{session}: the note {note!r} was lost"

    def _judge_focus(self, app: WorkbenchApp, deed: Deed, session: str, before: View, after: View) -> None:
        """Assert that a gate has the focus, and acts, only where a person went to it."""
        was, now = before.sessions[session], after.sessions[session]
        if isinstance(now.focus, GatePane) and not isinstance(was.focus, GatePane):
            moves = {"tab", "shift+tab", "enter"}
            went = deed.doing == "click" or deed.key in moves or bool(_TO_THE_GATE & _ids_of(app, deed.key))
            assert went, f"{session}: the gate took the focus by {deed}"
        if now.acts:
            assert now.gate in self.minds[session].reviewed, f"{session}: {now.gate} acts, and nobody went to it"

    def _follow_draft(self, session: str, was: Seen, now: Seen) -> None:
        """Note which gates the draft belongs to from now on."""
        mind, gates = self.minds[session], {gate for gate in (was.gate, now.gate) if gate}
        if was.purpose == "reply" != now.purpose:
            mind.kept_owners, mind.owners = mind.owners, set(gates)
        elif was.purpose != "reply" == now.purpose:
            mind.owners = mind.kept_owners if now.stands else set()
        elif not now.stands:
            mind.owners = set()
        elif not was.stands:
            mind.owners = set(gates)


_TO_THE_GATE = {"session.review", *(f"plan.{one}" for one in ("continue", "finish", "stop", "feedback", "send-notes"))}
"""What leads to a gate; the last ones with the plan in focus."""


def _ids_of(app: WorkbenchApp, key: str) -> set[str]:
    """Return what a key stands for, by the person's own settings."""
    return {one.id for one in mapped_keys(app.settings.keys) if key and key in one.keys}


def _runs_command(deed: Deed, before: View) -> bool:
    return bool(before.under_palette) and (deed.key == "enter" or deed.doing == "click")


def _is_typed(deed: Deed) -> bool:
    return deed.doing == "paste" or len(deed.key) == 1


def _is_inserted(was: str, now: str) -> bool:
    """Tell whether a text is another one with something put in at one place."""
    start = next((at for at, (one, other) in enumerate(zip(was, now, strict=False)) if one != other), len(was))
    return len(now) >= len(was) and any(now.endswith(was[at:]) for at in range(start + 1))


# --- what stands where ------------------------------------------------------------------------------------------------


def judge_texts(app: WorkbenchApp, marks: dict[str, str]) -> None:
    """Assert that no screen shows a text of another session; ``marks`` are the sessions' own."""
    for session, screen in session_screens(app).items():
        own = {marks.get(session, "")}
        assert screen.state is None or screen.state.session == session
        for name, text in _texts(screen):
            assert marks_in(text) <= own, f"{session}, {name}, says {marks_in(text) - own}: {text!r}"
    front = app.screen
    if isinstance(front, SessionScreen):
        lawful = {marks.get(front.session, "")} | marks_in("\n".join(_quoted(front)))
        strange = marks_in(_rendered(front, Region())) - lawful
        assert not strange, f"the screen of {front.session} says {strange}"
    if isinstance(front, StartScreen):
        listed = front.query_one("#plans", LineList)  # it says the goals of all sessions
        seen = _rendered(front, listed.region if listed.display else Region())
        strange = marks_in(seen) & set(marks.values()) - marks_in(front.query_one(Draft).text)  # begun a moment ago
        assert not strange, f"the first screen says {strange}"


def _texts(screen: SessionScreen) -> Iterator[tuple[str, str]]:
    for rows in screen.query(LineList):
        yield f"{rows.id}", "\n".join(line.plain for row in rows.rows if not _is_quoted(row) for line in row.lines)
    for line in screen.query(StillLine):
        yield f"{line.id}", str(line.content)
    gate, problem = screen.gate_pane.gate, screen.query_one(Notice).problem
    yield "gate", repr(gate)
    yield "notice", _without_ids(repr(problem))
    yield "draft", screen.draft.text
    yield "drafting", repr(screen.drafting)


def _is_quoted(row: Row) -> bool:
    """Tell whether a row says that it is another session's: what was retrieved, and prompts that quote it."""
    return row.key.startswith(_MAY_QUOTE)


_MAY_QUOTE = ("quoted:", "shared:", "sent:relevant:", "sent:dropped:", "sent:prompt")


def _quoted(screen: SessionScreen) -> Iterator[str]:
    for rows in screen.query(LineList):
        yield from (line.plain for row in rows.rows if _is_quoted(row) for line in row.lines)


def _without_ids(text: str) -> str:
    """Return a text but for names that are looked for and not there: what is near to them is told with them."""
    return re.sub(r"[a-z0-9]+(-[a-z0-9]+){2,}", "", text)


def _rendered(screen: Screen[Any], without: Region) -> str:
    """Return what is on the screen, but for a part of it."""
    lines = []
    for y, strip in enumerate(screen._compositor.render_strips()):
        parts = [strip]
        if without.y <= y < without.bottom:
            parts = [strip.crop(0, without.x), strip.crop(without.right, strip.cell_length)]
        lines += ["".join(segment.text for segment in part) for part in parts]
    return _without_ids("\n".join(lines))
