"""What guides an iteration: insights, each text once, and what was stored, by its paragraphs."""

from __future__ import annotations

from tests.builders import SESSION, as_draft, created, told
from workbench.domain.log.envelope import Head, Turn, seal
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.session import events as say
from workbench.domain.session.items import insights, stored_paragraphs
from workbench.domain.session.session import SessionState, fold
from workbench.memory.memory_view import MemoryView, SessionMemory
from workbench.models.embeddings import HashedWords


def learned(*insights: str, number: int = 1) -> say.IterationStored:
    return say.IterationStored(result=say.IterationResult(iteration_num=number, plan="", key_insights=insights))


def stored(name: str, content: str) -> say.EntityStored:
    return say.EntityStored(name=name, content=content)


def state_of(*bodies: say.Body) -> SessionState:
    return fold(told(created(), *bodies))


def view(state: SessionState) -> MemoryView:
    return SessionMemory(SessionId(state.session), HashedWords()).at(state)


def texts(items) -> list[str]:
    return [item.text for item in items]


def test_an_insight_is_there_once_as_it_was_said_last():
    state = state_of(learned("Hospitals pay", "Law sets prices"), learned("Hospitals pay", number=2))
    assert [(one.id, one.text) for one in insights(state)] == [
        ("insight:2.1", "Hospitals pay"),
        ("insight:1.2", "Law sets prices"),
    ]


def test_what_was_stored_is_there_by_its_paragraphs_and_headings_are_none():
    state = state_of(stored("notes", "# Hospital notes\n\nThe wards close at  six.\n \n\nIt pays\nin thirty days.\n\n"))
    assert texts(stored_paragraphs(state)) == ["The wards close at six.", "It pays in thirty days."]
    [entity] = state.given_entities
    assert [one.id for one in stored_paragraphs(state)] == [f"entity:{entity.id}#2", f"entity:{entity.id}#3"]


def test_what_the_loop_stored_itself_is_not_found_again():
    name = f"planning_session_{SESSION}_iteration_1"
    before = told(created(), stored(name, "The ledger is late"))
    assert stored_paragraphs(fold(before)) == ()
    turn = Turn(session=SESSION, person="ada", workspace="w-1")
    draft = say.draft(stored(name, "Ours"), turn, actor="person", cause="", time="2026-03-02T09:31:00.000000Z")
    given = seal([as_draft(draft)], Head("e", before[-1].seq, before[-1].hash))
    assert texts(stored_paragraphs(fold([*before, *given]))) == ["Ours"]


def test_a_part_has_an_index_of_its_own_which_the_rest_does_not_move():
    said = [say.MessageGiven(role="user", text=f"Hospitals pay, said {number} times") for number in range(9)]
    bodies = [learned("Hospitals pay late", "Wards close"), stored("notes", "Hospitals pay"), *said]
    whole, less = view(state_of(*bodies)), view(state_of(bodies[0], *said[:2]))
    assert texts(whole.only("insights").items) == ["Hospitals pay late", "Wards close"]
    assert texts(whole.only("stored").items) == ["Hospitals pay"]
    assert whole.only("stored").for_agent(AgentId("kahneman")).items == whole.only("stored").items
    assert [
        [
            (one.item.text, one.score, one.parts, one.why)
            for one in own.only("insights").search("when do hospitals pay", 9)
        ]
        for own in (whole, whole.for_agent(AgentId("kahneman")))
    ] == [
        [
            (one.item.text, one.score, one.parts, one.why)
            for one in less.only("insights").search("when do hospitals pay", 9)
        ]
    ] * 2
