"""How a driving is told: in lines for people, in JSON Lines for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from workbench.bootstrap.listing import Listed
from workbench.cli.output import Output, counted, picked, spent_text
from workbench.domain.loop.asking.tasks import MODEL
from workbench.domain.loop.deciding.convergence import first_questions, left_open
from workbench.domain.loop.deciding.gates import AnswerKind, Gate
from workbench.domain.loop.deciding.goal_values import unused_values, unused_values_text
from workbench.domain.loop.deciding.offers import offers_of
from workbench.domain.loop.steps import Abandon, Call, Record, Search, Step, plans_without_model
from workbench.domain.plan.changing.change import percent
from workbench.domain.plan.changing.operations import RemoveItem
from workbench.domain.plan.checks import minor_in_short
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.session.events import IterationResult, ReplyMended, ReplyRejected, ToolAsked
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.export.gates import gate_lines
from workbench.export.markdown import plan_markdown

NO_STEPS = (
    "No template was taken: nobody chose one. Which fit: workbench template list. Begin with one: workbench run GOAL "
    "--template NAME. Or add steps here: workbench edit {} 'add \"Book the hall\" 2d'"
)
_LOST = "A reply did not arrive whole and may have been paid for; it is asked for again."


class Telling:
    """What is told of a driving: to people a line for what each role did, and the plan at the end."""

    def __init__(
        self, output: Output, session: str, iterations: int, sessions: Callable[[], Iterable[Listed]] = tuple
    ) -> None:
        """``sessions`` lists the workspace's sessions, if something of them was recalled."""
        self._sessions = sessions
        self._recalled: set[tuple[str, str]] = set()
        """The passages of other sessions that were told of: each one's session and id."""
        self._output = output
        self._session = session
        self._iterations = iterations
        self._unread: Call | None = None
        """The call whose reply has arrived and was not read yet."""

    def step(self, step: Step, state: SessionState) -> None:
        """Tell what a step did, in a line, and which iteration it ended."""
        bodies = step.bodies if isinstance(step, Record) else ()
        role = self._unread.role if self._unread is not None else ""
        for body in bodies:
            if isinstance(body, ReplyMended):
                self.notice(role, f"The reply was read with changes: {' '.join(body.notes)}")
            elif isinstance(body, ReplyRejected):
                self.notice(role, body.message)
        if isinstance(step, Search):
            self._tell_recalled(state)
        self._stepped(step, state)
        if isinstance(step, Call):
            self._unread = step if state.failure is None else None
        elif bodies:
            self._unread = None
        if len(state.iterations) > self._iterations:
            self._iterations = len(state.iterations)
            self._iterated(state, state.iterations[-1])

    def _tell_recalled(self, state: SessionState) -> None:
        """Tell what the next prompt quotes of other sessions for the first time, and how it is left out."""
        new = [one for one in state.recalled if (one.session, one.id) not in self._recalled]
        self._recalled |= {(one.session, one.id) for one in new}
        names = {one.session: one.name for one in self._sessions()} if new else {}
        for session, count in Counter(one.session for one in new).items():
            why = next(one.why for one in new if one.session == session)
            name = clean_name(names.get(session) or session)
            self.recalled(
                f"{counted(count, 'passage')} from “{name}” ({why}). "
                f"Leave out: workbench resume {state.session} --no-recall"
            )

    def recalled(self, words: str) -> None:
        """Tell what is quoted of another session."""
        self._output.line(words)

    def notice(self, role: str, words: str) -> None:
        """Tell what holds up the call of a role, or should be known of it."""
        self._output.line(f"  {role:<9} {words}", "yellow")

    def begun(self, state: SessionState) -> None:
        """Tell which session is driven, and by which model."""
        self._output.line(f"{state.session} · {state.name}", "bold")
        if state.options.model == "guided":
            self._output.line("Without a model: free, the same every time, nothing leaves this machine.", "dim")
        else:
            self._output.line(f"Plans with {state.options.model} {state.options.base_url}".rstrip(), "dim")

    def _stepped(self, step: Step, state: SessionState) -> None:
        del state
        if isinstance(step, Abandon):
            self._output.line(_LOST, "yellow")
        bodies = step.bodies if isinstance(step, Record) else ()
        if self._unread is not None and bodies and not isinstance(bodies[-1], ReplyRejected | ToolAsked):
            self._output.line(f"  {self._unread.role:<9} {_DONE[self._unread.name]}", "dim")

    def _iterated(self, state: SessionState, result: IterationResult) -> None:
        self._output.line(
            f"✔ iteration {result.iteration_num}: changed {percent(result.change)}, "
            f"{counted(len(result.key_insights), 'insight')}, {_what_is_open(state)}",
            "green",
        )

    def interrupted(self, state: SessionState, *, was_asking: bool) -> None:
        """Tell that everything is kept, and what happens to a reply that was under way."""
        again = f" {_LOST}" if was_asking else ""
        self._output.note(f"\nStopped; everything is kept.{again} Go on with: workbench resume {state.session}")

    def end(self, state: SessionState, *, again: bool = False) -> None:
        """Print how it ended; ``again``: it had ended before."""
        if state.finished is not None and state.gate is not None:  # of an agent that was asked afterwards
            tell_waiting(self._output, state, state.gate)
        elif state.finished is not None and state.finished.outcome == "saved":
            if again:
                self._reopen(state, state.finished.reason)
            else:
                self._saved(state, state.finished.reason)
        elif state.finished is not None:
            self._output.line(f"The session has ended without a plan: {state.finished.reason}.")
        elif state.failure is not None and state.gate is None:
            self._output.note(f"workbench: {state.failure.message} {state.failure.remedy}")
            self._output.note(f"Everything is kept. Go on with: workbench resume {state.session}")
        elif state.gate is not None:
            tell_waiting(self._output, state, state.gate)
        else:
            self._output.note(f"Stopped. Go on with: workbench resume {state.session}")

    def _saved(self, state: SessionState, reason: str) -> None:
        self._output.line()
        from workbench.domain.handout import document_of, is_page, shown_document  # only a plan that is saved needs it

        document = document_of(state)
        is_own = document and is_page(document) and state.saved_version == state.version
        self._output.markdown(shown_document(state, document) if is_own else plan_markdown(state, state.saved_version))
        self._output.line()
        self._output.note(
            f"Saved as version {state.saved_version} ({reason}): "
            f"{counted(len(state.iterations), 'iteration')}, {spent_text(state)}."
        )
        if left := left_open(state):
            self._output.note(f"{left[:1].upper()}{left[1:]}.")
        if told := unused_values_text(unused_values(state)):
            self._output.note(f"{told}.")
        if state.plan is not None and not state.plan.steps and plans_without_model(state):
            self._output.note(NO_STEPS.format(state.session))
        self._list_questions(state)
        for line in _open_findings(state):
            self._output.note(line)
        if state.kept:
            left_out = ", ".join(one.item if isinstance(one, RemoveItem) else one.section for one in state.kept)
            self._output.note(f"Kept although the planner left it out: {left_out}. Remove it by editing the plan.")
        self._output.note(f"Show the plan: workbench sessions show {state.session}")
        if is_own:
            self._output.note(f"Write this page: workbench sessions export {state.session} --format md")

    def _list_questions(self, state: SessionState) -> None:
        questions = first_questions(state)
        for line in questions:
            self._output.note(f"  {line}")
        if questions and plans_without_model(state):
            self._output.note(f"  {_answering(state)}")

    def _reopen(self, state: SessionState, reason: str) -> None:
        self._output.note(f"The session is finished ({reason}). Show it: workbench sessions show {state.session}")
        self._output.note(f'Reopen it with: workbench resume {state.session} --feedback "…"')


def _what_is_open(state: SessionState) -> str:
    """Count the findings; "0 findings" is never said while something else waits for the person."""
    left = left_open(state)
    found = f"{counted(len(state.open_findings), 'finding')} open" if state.open_findings or not left else ""
    return "; ".join(filter(None, [found, left]))


def _answering(state: SessionState) -> str:
    """Return the command that answers the first question of a plan."""
    return f"workbench edit {state.session} '{first_questions(state)[0].split()[0]}: …'"


def tell_waiting(output: Output, state: SessionState, gate: Gate) -> None:
    """Tell what waits for the person, and how to answer it, on standard error."""
    output.note(f"Waiting for you: {gate.question}")
    for line in gate_lines(state, gate):
        if not line.key:  # offered below, with the option that accepts it
            output.note(f"  {line.text}")
    if gate.kind == "checkpoint":
        output.note(f"  workbench sessions show {state.session}    the plan as it is now")
    if gate.kind == "checkpoint" and plans_without_model(state) and first_questions(state):
        output.note(f"  {_answering(state)}    a question is answered")
    for choice in gate.choices:
        option = OPTIONS.get(choice.kind)
        if option:
            output.note(f"  workbench resume {state.session} {option:<16} {choice.consequence}")
    if gate.kind == "question" and len(state.questions) > 1:
        output.note("  Give --answer once for each question, in their order.")
    if gate.kind == "question":
        output.note("  Anything else that the plan should know can be part of any answer.")
    if gate.kind == "approach" and not plans_without_model(state):
        output.note(f'  workbench resume {state.session} --choose N --saying "…"   and the plan knows this besides')
    if gate.kind == "failure":
        option = "--model NAME"
        output.note(f"  workbench resume {state.session} {option:<16} another model is asked, and continues")
    for offer in offers_of(state) if gate.kind == "checkpoint" else ():
        option = f"--repair {offer.number}"
        told = f"{offer.repair.label}: {offer.consequence}"
        output.note(f"  workbench resume {state.session} {option:<16} {told}")


class JsonTelling(Telling):
    """For programs: a line of progress for each call and iteration, and the result as the last line."""

    def recalled(self, words: str) -> None:
        """Tell it as progress."""
        self._progress("recalled", note=words)

    def notice(self, role: str, words: str) -> None:
        """Tell it as progress."""
        self._progress("noted", role=role, note=words)

    def begun(self, state: SessionState) -> None:
        """Tell which session is driven, and by which model."""
        self._progress("begun", goal=state.goal, model=state.options.model)

    def _stepped(self, step: Step, state: SessionState) -> None:
        if isinstance(step, Abandon):
            self._progress("abandoned", call=step.call.call, note=_LOST)
        if isinstance(step, Call):
            self._progress("called", role=step.role, task=step.name, tokens=state.spent.tokens)

    def _iterated(self, state: SessionState, result: IterationResult) -> None:
        del state
        self._progress("iteration", number=result.iteration_num, change=result.change)

    def interrupted(self, state: SessionState, *, was_asking: bool) -> None:
        """Tell how far it came."""
        if was_asking:
            self._progress("abandoned", call=f"c{state.calls}", note=_LOST)
        self.end(state)

    def end(self, state: SessionState, *, again: bool = False) -> None:
        """Print the result."""
        del again
        self._output.json(result(state))

    def _progress(self, what: str, **more: Any) -> None:
        self._output.json({"schema": "workbench.progress/1", "session": self._session, "event": what, **more})


def _open_findings(state: SessionState) -> Iterator[str]:
    """Yield what is open in a plan: how many findings, and each in a line; minor calculated ones by kind."""
    major = [finding for finding in state.open_findings if finding.severity == "major"]
    minor = [finding for finding in state.open_findings if finding.severity == "minor"]
    if state.open_findings:
        yield f"{counted(len(state.open_findings), 'finding')} open, {len(major)} major."
    yield from (f"  {finding.text}" for finding in major)
    yield from (f"  Minor: {finding.text}" for finding in minor if finding.rule == MODEL)
    if told := minor_in_short(finding for finding in minor if finding.rule != MODEL):
        yield f"  {told}"
    for offer in offers_of(state):
        from workbench.export.edits import repair_command  # few plans have one

        yield f"  To {offer.repair.label}: {repair_command(state, offer)}"


def result(state: SessionState) -> dict[str, Any]:
    """Return how a driving ended, as JSON values."""
    gate, failure = state.gate, state.failure
    reason = state.stopped or (gate.question if gate else "")
    reason = state.finished.reason if state.finished else failure.message if failure else reason
    return {
        "schema": "workbench.run/1",
        "session": state.session,
        "status": "stopped" if state.status == "running" else state.status,
        "iterations": len(state.iterations),
        "stopped_because": reason,
        "remedy": failure.remedy if failure else "",
        "gate": None if gate is None else picked(gate, "kind", "reason", "question"),
        "plan": {"version": state.version, "markdown": to_markdown(state.plan)} if state.plan else None,
        "kept": [one.item if isinstance(one, RemoveItem) else one.section for one in state.kept],
        **picked(state.spent, "tokens", "cost"),
    }


_DONE = {
    "propose": "proposed approaches", "plan": "worked on the plan", "verify": "verified it",
    "execute": "prepared actions", "generate": "wrote the deliverable", "chat": "answered you",
    "work": "did a part of the work", "condense": "said earlier messages in fewer words",
}  # fmt: skip

ANSWERS: dict[AnswerKind, tuple[str, str]] = {
    "choose": ("", "--choose N"), "feedback": ("f", '--feedback "…"'), "reject": ("r", '--reject "…"'),
    "answer": ("a", '--answer "…"'), "skip": ("s", "--skip"), "keep": ("k", "--keep"), "remove": ("x", "--remove"),
    "again": ("a", "--again"), "without": ("w", "--without"), "continue": ("c", "--continue"),
    "edit": ("e", "--edit FILE"), "finish": ("F", "--finish"), "stop": ("q", ""), "once": ("y", "--once"),
    "session": ("s", "--for-session"), "no": ("n", "--no"),
}  # fmt: skip
"""The key of an answer at a gate, and how it is given from the command line; to stop is to leave it."""
OPTIONS = {kind: option for kind, (_, option) in ANSWERS.items() if option}
