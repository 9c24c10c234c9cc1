"""Lessons: proposed from what people wrote, accepted by a person, given to the next session, measured, set aside."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import FixedClock, Script, as_in_full
from tests.offline import Offline
from tests.redis_server import RedisServer, new_workspace
from tests.replay.audited_sessions import calls, doctored, resent
from workbench.bootstrap import Workspace
from workbench.domain.errors import NotFound, UsageError
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.forgetting import first_unvouched
from workbench.domain.session.state import SessionState
from workbench.domain.shared import events as decisions
from workbench.models.ports import LanguageModel
from workbench.models.scripted import CallableModel
from workbench.planning.learning.lessons import Standing
from workbench.planning.policies import approving_all
from workbench.replay.audit import audit
from workbench.replay.contexts import context_of

GOAL = "Launch our clinic booking app by 30 June 2028: write the texts, run a pentest"
NOTE = "No step for choosing the pentest firm."
LESSON = "No step for choosing the pentest firm."


@pytest.fixture(params=["files", "server"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    """An empty workspace, on either kind of log."""
    options: dict[str, object] = {"iterations": 1}
    if request.param == "server":
        server: RedisServer = request.getfixturevalue("redis_server")
        options["log"] = f"{server.url}/0?workspace={new_workspace()}"
    environ = {"WORKBENCH_CONFIG": str(tmp_path / "config.toml")}
    with Workspace.open(tmp_path, options=options, environ=environ, clock=FixedClock()) as opened:
        yield opened


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path, options={"iterations": 1}, environ={}) as opened:
        yield opened


def planned(workspace: Workspace, goal: str = GOAL, model: LanguageModel | None = None, **options: bool) -> str:
    """Plan a session to its end, and return its id."""
    manager = workspace.start(goal, model=model or Offline(), **options)
    asyncio.run(manager.run(approving_all()))
    return str(manager.session_id)


def taught(workspace: Workspace, note: str = NOTE, *, private: bool = False) -> Standing:
    """Rate a session with a note, and return the lesson that is proposed."""
    session = str(workspace.start(GOAL, model=Offline(), private=private).session_id)
    workspace.session(session).rate(1, note)
    return next(one for one in workspace.lessons() if one.lesson.session == session)


def given_to(state: SessionState) -> list[str]:
    return [one.text for one in state.lessons_in_force]


def events_of(workspace: Workspace, session: str) -> tuple[Event, ...]:
    return tuple(as_in_full(tuple(workspace.session(session).events())))


def test_an_accepted_note_is_given_to_the_next_session_and_changes_no_plan_by_itself(workspace: Workspace) -> None:
    proposal = taught(workspace)
    first = proposal.lesson.session
    assert proposal.text == LESSON
    assert proposal.because == f"rated 1 in {first}: “{NOTE}”; it rests on one note"
    before = workspace.session(planned(workspace)).state()
    assert before.lessons == (), "what is only proposed does nothing"

    assert workspace.decide_lesson(proposal.id, "accept").status == "accepted"
    state = workspace.session(planned(workspace)).state()
    assert given_to(state) == [LESSON]
    assert state.plan == before.plan, "without a model, nobody carries it out"


def test_it_stands_in_prompt_and_ledger_under_its_label_and_audit_and_verification_hold(files: Workspace) -> None:
    proposal = taught(files)
    files.decide_lesson(proposal.id, "accept")
    session = planned(files, model=CallableModel(Script(), name="told"))
    events = events_of(files, session)
    for role, task, is_there in [
        ("planner", "propose", True),
        ("planner", "plan", True),
        ("verifier", "verify", False),
    ]:
        body = say.content(events[calls(events, role, task)[0] - 1])
        assert isinstance(body, say.CallStarted)
        context = context_of(events, body.call)
        found = [one for one in context.relevant_history if one.source == "lesson"]
        assert bool(found) == is_there
        assert ('<input name="lessons">' in context.prompt[-1].content) == is_there
        if is_there:
            assert f"{LESSON} (because: rated 1 in {proposal.lesson.session}" in context.prompt[-1].content
            assert (found[0].text, found[0].rank) == (proposal.lesson.said, 1)
            assert found[0].reason.startswith(f"because: rated 1 in {proposal.lesson.session}")
            assert context.by_source["lesson"] == found[0].tokens
    found = files.session(session).audit()
    assert found.ok, found.violations
    assert files.session(session).verify().verified


def test_a_lesson_that_was_refused_for_a_session_is_in_none_of_its_prompts(files: Workspace) -> None:
    proposal = taught(files)
    files.decide_lesson(proposal.id, "accept")
    manager = files.start(GOAL, model=Offline())
    session = str(manager.session_id)
    files.refuse_lesson(proposal.id, session)
    asyncio.run(manager.run(approving_all()))
    state = files.session(session).state()
    assert given_to(state) == []
    dropped = context_of(events_of(files, session), "c1").dropped
    assert [(one.source, one.why_not) for one in dropped if one.source == "lesson"] == [("lesson", "excluded")]
    assert files.session(session).audit().ok
    assert next(one for one in files.lessons() if one.id == proposal.id).used == 0
    with pytest.raises(UsageError, match="was given no lesson"):
        files.refuse_lesson("L000000", session)
    with pytest.raises(UsageError, match="cannot be pinned"):
        files.session(session).mark(proposal.lesson.session, proposal.lesson.id, "pinned")


PLANTED = {
    "one that was never given": ("scope.retrieved", lambda one: replace(one, id="lesson:Lffffff")),
    "one that is called recalled": ("scope.label", lambda one: replace(one, source="semantic")),
    "one with another reason": ("ledger.entry", lambda one: replace(one, reason="because")),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Event, ...]:
    """A session of a model that was given a lesson."""
    with Workspace.open(tmp_path_factory.mktemp("told"), environ={}) as workspace:
        workspace.decide_lesson(taught(workspace).id, "accept")
        return events_of(workspace, planned(workspace, model=CallableModel(Script(), name="told")))


@pytest.mark.parametrize("planted", PLANTED)
def test_the_audit_names_what_is_planted(told: tuple[Event, ...], planted: str) -> None:
    rule, change = PLANTED[planted]
    seq = calls(told, "planner", "plan")[0]

    def changed(call: say.CallStarted) -> say.CallStarted:
        relevant = tuple(change(one) if one.source == "lesson" else one for one in call.context.relevant)
        return replace(call, context=replace(call.context, relevant=relevant))

    found = [(one.rule, one.event.rpartition(":")[2]) for one in audit(resent(told, seq, changed)).violations]
    assert (rule, str(seq)) in found


def test_the_audit_names_a_lesson_in_another_input_and_one_whose_record_says_less(told: tuple[Event, ...]) -> None:
    seq = calls(told, "planner", "plan")[0]

    def unlabelled(call: say.CallStarted) -> say.CallStarted:
        *before, last = call.messages
        words = last.content.replace('<input name="lessons">', '<input name="notes">')
        kept = tuple(one for one in call.context.relevant if one.source != "lesson")
        return replace(
            call, messages=(*before, replace(last, content=words)), context=replace(call.context, relevant=kept)
        )

    assert ("prompt.quotation", seq) in [
        (one.rule, int(one.event.rpartition(":")[2])) for one in audit(resent(told, seq, unlabelled)).violations
    ]
    given = next(event.seq for event in told if event.kind == say.LessonsGiven.kind)
    emptied = doctored(told, given, lambda body: replace(body, lessons=()))
    assert "scope.retrieved" in {one.rule for one in audit(emptied).violations}


@pytest.mark.parametrize("recall", [False, True])
def test_without_accepted_lessons_a_session_is_what_it_would_be_alone(tmp_path: Path, recall: bool) -> None:
    """Without recall it is compared with one in an empty workspace; else with one where no lesson was decided on."""
    alone, beside = tmp_path / "alone", tmp_path / "beside"
    for folder in (alone, beside):
        folder.mkdir()
    with Workspace.open(beside, environ={}, clock=FixedClock()) as workspace:
        notes = (f"No step for {what}" for what in ("the roof", "the cellar", "the attic"))
        refused, retired, _ = (taught(workspace, note).id for note in notes)
    if recall:
        shutil.copytree(beside, alone, dirs_exist_ok=True)
    with Workspace.open(beside, environ={}, clock=FixedClock()) as workspace:
        for name, decision in ((refused, "refuse"), (retired, "accept"), (retired, "retire")):
            workspace.decide_lesson(name, decision)

    def said(folder: Path) -> list[tuple[str, str]]:
        with Workspace.open(folder, options={"iterations": 1}, environ={}, clock=FixedClock()) as workspace:
            session = planned(workspace, recall=recall)
            return [
                (event.kind, msgspec.json.encode(msgspec.json.decode(event.body)).decode().replace(session, "ID"))
                for event in events_of(workspace, session)
            ]

    told = said(beside)
    assert "lessons.given" not in dict(told)
    assert ("others.searched" in dict(told)) is recall
    assert told == said(alone)


def test_a_misleading_lesson_is_set_aside_after_two_failures(workspace: Workspace) -> None:
    proposal = taught(workspace, "No step for singing in the clinic")
    workspace.decide_lesson(proposal.id, "accept")
    for number, status in [(1, "accepted"), (2, "set aside")]:
        session = planned(workspace)
        assert given_to(workspace.session(session).state())
        workspace.session(session).rate(1)
        [standing] = [one for one in workspace.lessons() if one.id == proposal.id]
        assert (standing.status, standing.used, standing.misled) == (status, number, number)
    assert "2 sessions that were given it fared badly" in standing.note
    assert f"{session} (rated 1)" in standing.note
    assert workspace.session(planned(workspace)).state().lessons == (), "it acts no more"


def test_a_person_rewords_refuses_and_retires(workspace: Workspace) -> None:
    proposal = taught(workspace)
    name = proposal.id
    with pytest.raises(UsageError, match="only what was accepted is retired"):
        workspace.decide_lesson(name, "retire")
    with pytest.raises(UsageError, match="is empty"):
        workspace.decide_lesson(name, "reword", " ")
    with pytest.raises(NotFound):
        workspace.decide_lesson("L000000", "accept")
    reworded = workspace.decide_lesson(name.upper(), "reword", "Add a step: hire testers")
    assert (reworded.status, reworded.text) == ("accepted", "Add a step: hire testers")
    assert given_to(workspace.session(planned(workspace)).state()) == ["Add a step: hire testers"]
    assert workspace.decide_lesson(name, "retire").status == "retired"
    assert workspace.session(planned(workspace)).state().lessons == ()
    assert workspace.decide_lesson(name, "refuse").status == "refused"
    assert [one.id for one in workspace.lessons()] == [name], "what was decided is not proposed again"


def test_private_sessions_give_no_lesson_also_when_they_become_private_later(files: Workspace) -> None:
    files.session(str(files.start(GOAL, private=True).session_id)).rate(1, NOTE)
    assert files.lessons() == ()
    proposal = taught(files)
    files.decide_lesson(proposal.id, "accept")
    session = files.session(proposal.lesson.session)
    session.log().record_given([say.PrivacyChanged(private=True)], actor="person")
    assert files.session(planned(files)).state().lessons == ()


def test_what_is_forgotten_takes_its_lesson_with_it(workspace: Workspace) -> None:
    proposal = taught(workspace, f"No step for calling Dr Rosenholm {'and others of his house ' * 12}.")
    workspace.decide_lesson(proposal.id, "reword", "Add a step: call the surgeon of Lund")
    user = planned(workspace)
    [rating] = [event.id for event in events_of(workspace, proposal.lesson.session) if event.kind == "rating.given"]
    done = workspace.session(proposal.lesson.session).forget(f"rating:{rating}", everywhere=True)
    assert [(one.session, one.ways, one.forgotten, one.error) for one in done.quoted] == [(user, ("lesson",), True, "")]
    log = workspace.backend.shared_log()
    kept = tuple(log.read("lessons"))
    assert first_unvouched(kept, decisions.FORGOTTEN, decisions.content) is None
    everything = [*kept, *(event for one in (user, proposal.lesson.session) for event in events_of(workspace, one))]
    for word in (b"Rosenholm", b"surgeon"):
        assert [event.id for event in everything if word in bytes(event.body)] == []
    assert workspace.session(planned(workspace)).state().lessons == ()
    assert workspace.session(user).audit().ok
    assert not any(b"Rosenholm" in file.read_bytes() for file in workspace.folder.root.rglob("*") if file.is_file())
