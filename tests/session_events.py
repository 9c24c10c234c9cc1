"""What can happen in a session, small and valid, for tests of the fold; ``ANY`` draws one of them."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.builders import CHOOSE, FIRST_DRAFT, feedback, plan_changed
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.deciding.gates import Answer, Choice, Gate
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.shared.merge import ABSENT

NOVA = new_agent("nova", "You are Nova.")
PLAN = Plan(title="Move billing", sections=FIRST_DRAFT)
BOUNDS = say.Bounds(max_tokens=10, max_cost=0.25, max_time=1.5)


def opened(number, kind, reason=None):
    choice = Choice(kind="feedback", label="feedback", consequence="…")
    options = ("A1",) if kind == "approach" else ()
    gate = Gate(id=f"g{number}", kind=kind, question="Which?", choices=(choice,), options=options, reason=reason)
    return say.GateOpened(gate=gate)


def answered(number, answer):
    return say.GateAnswered(gate=f"g{number}", answer=answer)


def started(number, task="plan", attempt=1):
    return say.CallStarted(
        call=f"c{number}",
        role="planner",
        task=task,
        attempt=attempt,
        model="m",
        messages=(),
        prompt_hash="",
        parameters={},
    )


def finished(number, *, text="{}", tokens=(10, 5), cost=0.5, seconds=2.0):
    return say.CallFinished(
        call=f"c{number}",
        text=text,
        input_tokens=tokens[0],
        output_tokens=tokens[1],
        cost=cost,
        estimated=False,
        seconds=seconds,
        model="m",
        reason="stop",
    )


def failed(number):
    return say.CallFailed(call=f"c{number}", error="ModelDenied", message="No.", remedy="Set a key.", seconds=1.0)


def abandoned(number):
    return say.CallAbandoned(call=f"c{number}", reason="The process ended.")


def result(number, *insights, **more):
    return say.IterationResult(iteration_num=number, plan="# P", key_insights=insights, **more)


def seen(key, value=ABSENT, *, version=1, session="peer-b-b2b2", cut=0):
    """A key of the shared context, as a session saw it; without a value it was deleted."""
    return say.SharedValue(key=key, value=value, version=version, session=session, time="2026-11-22T08:00Z", cut=cut)


def observed(*changes, **fields):
    return say.SharedObserved(changes=changes, **fields)


ASIDE = [
    say.DayBegun(today="2026-11-23"),
    say.SessionRenamed(name="x"),
    say.RatingGiven(stars=5),
    say.RatingGiven(stars=2, round=1),
    say.LessonsGiven(unavailable="Line 3 is damaged."),
    say.PracticeGiven(practice=(say.Practice(id="move", name="moving house", steps=(("move/van", "Book a van"),)),)),
    say.OutcomeLogged(outcome="success"),
    say.MessageGiven(role="user", text="by the way"),
    say.EntityStored(name="n", content="c"),
    say.FileRead(path="n.md", sha256="0", size=2, lines=1, first=1, last=1, text="1\tc"),
    say.FileRead(path="gone.md", to="nova", why_not="there is no such file."),
    say.OthersSearched(query="q", reason="r", found=()),
    observed(seen("deadline", "June"), epoch="e", seq=3, anew=True, for_call="c1"),
    observed(seen("deadline", version=2), seen("minutes", cut=9_000), epoch="e", seq=5, for_call="c2"),
    observed(unavailable="Line 3 is damaged.", for_call="c3"),
    say.PrivacyChanged(private=True),
    say.CallRetried(call="c1", reason="429", wait=1.0),
    say.CallNoted(call="c1", note="The server cut the prompt."),
    say.CallNoted(call="c1", note="Part 1 of 3 came.", came='{"title":"Move"}'),
    say.ContentForgotten(item="message:s:2"),
    say.ChangesOffered(offer="O1", client="claude", text="S1 owner Anna", reason="She knows it."),
    say.OfferDecided(offer="O1", accepted=False, note="Not now."),
    say.ClientSaid(client="claude", text="I began."),
    say.PlanSubmitted(text="# Move\r\n- Copy", agent="claude", waits=True),
    say.PlanSeen(version=1),
    say.NoteWritten(note="N1", version=1, first=2, last=2, text="Why?"),
    say.SubmissionDecided(version=1, decision="sent back", notes=("N1",), answer="Why?"),
    say.AnswerDelivered(version=1),
]
ANY = st.sampled_from(
    [
        *ASIDE,
        say.StatusReported(text="S1 done", changes=()),
        say.FeedbackGiven(text="Shorter, please"),
        say.CheckpointWanted(),
        say.AgentAdded(agent=NOVA),
        say.MessageGiven(role="user", text="Who are you?", to="nova"),
        say.MessageGiven(role="user", text="Is anybody there?", to="nobody"),
        say.AgentAnswered(agent="nova", message="x"),
        say.SessionResumed(),
        say.SessionStopped(reason="closed"),
        say.SessionReopened(text="more"),
        say.SessionFinished(reason="done", outcome="saved"),
        say.SessionForked(origin="other-b-b2b2", at=3, hash="", name="A fork"),
        *(say.SessionRewound(to=to) for to in range(1, 9)),
        say.BoundsChanged(bounds=BOUNDS),
        say.ProposalGiven(text="A proposal", source="-"),
        opened(1, "approach"),
        opened(2, "checkpoint", "interval"),
        opened(3, "checkpoint", "tokens"),
        opened(4, "question"),
        *(answered(n, answer) for n in (1, 2, 3) for answer in (CHOOSE, feedback("more"), Answer(kind="continue"))),
        answered(2, Answer(kind="stop")),
        started(1),
        started(2, attempt=2),
        finished(1),
        finished(2),
        failed(1),
        abandoned(2),
        say.ReplyRejected(call="c1", message="No."),
        say.ReplyRejected(call="c1", message="Nobody can use it.", fault="No JSON."),
        say.ReplyMended(call="c1", notes=("It was cut off.",)),
        say.IterationBegun(number=1),
        plan_changed(version=1, plan=PLAN, by="planner", change=1.0),
        say.PlanVerified(findings=(), insights=("i",)),
        say.IterationCompleted(result=result(1, "a"), checkpoint="last"),
        say.IterationStored(result=result(2)),
        say.PlanSaved(version=1),
    ]
)
