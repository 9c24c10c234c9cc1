"""Rewinding loses nothing: a session stands where it stood, goes forward again to where it was, and forks as it was."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace
from tests.builders import FixedClock, told
from tests.builders import created as new_session
from tests.properties.sessions import Play, courses
from tests.properties.test_session import relaxed
from tests.session_events import ANY
from workbench.domain.log.growing import Growing
from workbench.domain.loop.steps import Rest, Wait
from workbench.domain.loop.workflow import next_step
from workbench.domain.session.session import fold
from workbench.planning.beside_the_loop.forking import fork
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import nobody
from workbench.planning.services import Services
from workbench.planning.session_log import SessionLog

PASSES_ON = {"seq", "updated", "turn", "trigger", "gates", "points", "recent"}
"""What is never as it was: a rewind is an event, and each asking of a gate has its own id."""


STAYS = PASSES_ON | {
    *("way", "calls", "spent", "tokens_by", "counted", "searches", "options", "bounds", "name", "private", "recall"),
    *("sharing", "marks", "shared", "observed_for", "rating", "outcome", "verdicts", "agents"),
}
"""What concerns the session as a whole, wherever it stands: what was spent, how it is called, what it is worth."""
UNDER_WAY = {"pending", "received", "rejected", "refused", "asking"}


def as_it_stands(state):
    return {name: value for name, value in asdict(state).items() if name not in PASSES_ON}


@relaxed(25)
@given(courses, st.data())
def test_rewind_and_redo_go_back_and_forth_over_the_same_places(course, data):
    play = Play(course)
    play.run()
    session = play.other
    before = session.refresh()
    if before.pending is not None or before.received is not None or not before.way.behind:
        return
    events = list(play.log.read(before.session))
    places = before.way.places(before.seq)

    for _ in range(data.draw(st.integers(1, 4), label="moves")):
        way = session.state.way
        to = data.draw(st.sampled_from([*way.behind, *way.ahead] or [0]), label="to")
        state = session.go(to, back=to in way.behind)
        stood = fold(events[:to])
        assert state.way.places(state.seq) == places
        for name in asdict(stood).keys() - STAYS - UNDER_WAY - ({"gate", "gate_event"} if state.way.ahead else set()):
            assert getattr(state, name) == getattr(stood, name), name
        if state.way.ahead:
            assert isinstance(next_step(state), Wait | Rest), "what was decided is asked again"
        assert state.spent == before.spent
        assert state == fold(play.log.read(before.session))
    if session.state.way.ahead:
        session.go(session.state.way.ahead[-1], back=False)
    assert as_it_stands(session.state) == as_it_stands(before) | {"way": session.state.way}
    assert list(play.log.read(before.session))[: len(events)] == events


@given(st.lists(ANY, max_size=25))
def test_nothing_in_a_file_makes_a_rewind_fail(bodies):
    state = fold(told(new_session(), *bodies))
    for place in state.way.behind:
        assert any(point.seq == place for point in state.points)


@relaxed(25)
@given(courses, st.data())
def test_a_fork_is_born_as_its_origin_stood_there_and_approves_of_nothing(course, data):
    play = Play(course)
    state = play.run()
    if state.pending is None and state.received is None:
        for _ in range(data.draw(st.integers(0, 3), label="moves")):
            move(play.other, data)
    session = state.session
    for ending in data.draw(st.sampled_from([("f9g8",), ("f9g8", "h7j6")]), label="forks"):
        session = forked_as_it_stood(play.log, session, ending, data)


def move(session, data):
    """Rewind a session, or redo what was rewound, where there is anything to go to."""
    way = session.refresh().way
    if places := [*way.behind, *way.ahead]:
        to = data.draw(st.sampled_from(places), label="to")
        session.go(to, back=to in way.behind)


def forked_as_it_stood(log, session, ending, data):
    """Fork a session at any event, and return the fork."""
    events = list(log.read(session))
    at = data.draw(st.integers(1, len(events)), label="at")

    forked = fork(log, events, at, person="ana", workspace="w", clock=FixedClock(), ending=ending)

    copies = list(log.read(forked))
    born, stood = fold(copies[:at]), fold(events[:at])
    assert named(born, stood.session, stood.first_hash) == stood
    assert [(one.id, one.body, one.time, one.actor) for one in copies[:at]] == [
        (one.id, one.body, one.time, one.actor) for one in events[:at]
    ]
    assert list(log.read(session)) == events, "the origin is untouched"
    state = fold(copies)
    assert (state.session, state.written_as, state.forked.origin) == (forked, forked, stood.session)
    reached = asyncio.run(drive(log, forked))
    if reached.failure is not None:  # a reply that was copied unread turns out to be unusable
        reached = asyncio.run(drive(log, forked, resumes=True))
    assert reached.gate is not None, "a gate asks before anything is spent"
    assert reached.spent == state.spent
    return forked


def named(state, session, first_hash):
    """The same state of another session, whose first event has another hash."""
    other = {"session": session, "first_hash": first_hash}
    points = Growing(replace(point, state=replace(point.state, **other)) for point in state.points)
    return replace(state, **other, points=points)


class Unasked:
    """A model that nobody may ask yet."""

    name, window = "told", 100_000

    def stream(self, request):
        raise AssertionError(f"the {request.role} was asked before anybody approved")


async def drive(log, session, *, resumes=False):
    handle = SessionLog(log, session, person="ana", clock=FixedClock())
    manager = IterationManager(handle, services=Services(log=log, model=Unasked(), clock=FixedClock()))
    if resumes:
        await manager.resume()
    return await manager.run(nobody)
