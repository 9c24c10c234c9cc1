"""Searching across: only for a session that asks, never its own items, never a private session's, each labelled."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import begin, events_of, log_of
from tests.memory_log import MemoryLog
from workbench.domain.errors import InvalidId, UsageError
from workbench.domain.log.ids import AgentId
from workbench.domain.session import events as say
from workbench.domain.session.items import items
from workbench.memory.library import Library
from workbench.memory.other_sessions import OtherSessions
from workbench.memory.scope import Scope
from workbench.memory.session_terms import sessions_concerned
from workbench.models.embeddings import HashedWords
from workbench.planning.memory.recalling import search_across
from workbench.planning.memory.remembering import Said, remember
from workbench.storage.files.cache_seal import PROCESS_SEAL

MARKET = "The market of hospitals grows by twenty per cent"


class Sessions:
    """A workspace of sessions that were told something."""

    def __init__(self, folder: Path) -> None:
        self.log = MemoryLog()
        self.folder = folder
        self.others = OtherSessions(Library(self.log, HashedWords(), folder))

    def begin(self, goal: str, *said: str | Said, **options: bool):
        manager = begin(goal, log=self.log, ending=f"x{len(list(self.log.streams())):03}", **options)
        kept = [one if isinstance(one, Said) else Said(one) for one in said]
        list(remember(manager._session, kept))
        return manager

    def search(self, manager, query: str = "market of hospitals", *, agent: str | None = None):
        agent_id = None if agent is None else AgentId(agent)
        return search_across(manager._session, self.others, query, 10, agent=agent_id, reason="to compare")


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "items")


def test_another_sessions_item_says_whose_it_is_and_the_search_is_recorded(sessions):
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", MARKET)
    searched = sessions.search(asking)
    assert [(one.session, one.text) for one in searched.found] == [(other.session_id, MARKET)]
    assert "market" in searched.found[0].why
    *_, recorded = events_of(asking)
    assert (recorded.kind, recorded.origin) == ("others.searched", "given")
    assert say.content(recorded) == searched
    assert list(asking.state.searches) == [searched]


def test_the_asking_sessions_own_items_are_not_among_them(sessions):
    asking = sessions.begin("Sell lamps", MARKET)
    assert sessions.search(asking).found == ()


def test_a_private_session_is_neither_found_nor_indexed(sessions):
    asking, private = sessions.begin("Sell lamps"), sessions.begin("Build clinics", MARKET, private=True)
    assert sessions.search(asking).found == ()
    assert all(b"hospitals" not in file.read_bytes() for file in sessions.folder.iterdir())
    private._session.record_given([say.PrivacyChanged(private=False)], actor="person")
    assert [one.session for one in sessions.search(asking).found] == [private.session_id]
    private._session.record_given([say.PrivacyChanged(private=True)], actor="person")
    assert sessions.search(asking).found == ()
    assert all(b"hospitals" not in file.read_bytes() for file in sessions.folder.iterdir())


def test_what_was_recalled_is_not_found_again_as_if_it_were_new(sessions):
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", MARKET)
    third = sessions.begin("Rent a house")
    sessions.search(asking)
    assert [one.session for one in sessions.search(third).found] == [other.session_id]
    assert not any(MARKET in item.text for item in items(asking.state))


def test_an_agent_gets_what_people_said_and_the_replies_of_its_namesake(sessions):
    asking = sessions.begin("Sell lamps")
    sessions.begin(
        "Build clinics",
        MARKET,
        *(Said(f"{name} says: {MARKET}", role="assistant", agent=name) for name in ("kahneman", "nzia")),
        Said(f"somebody says: {MARKET}", role="assistant"),
    )
    seen = sessions.search(asking, agent="kahneman").found
    assert {(one.role, one.agent) for one in seen} == {("user", None), ("assistant", "kahneman")}
    assert len(sessions.search(asking).found) == 4


def test_nothing_near_enough_is_nothing(sessions):
    asking = sessions.begin("Sell lamps")
    sessions.begin("Build clinics", MARKET)
    assert sessions.search(asking, "zebra giraffe").found == ()


def test_what_is_new_and_what_is_gone_is_noticed(sessions):
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics")
    assert sessions.search(asking).found == ()
    list(remember(other._session, [Said(MARKET)]))
    assert len(sessions.search(asking).found) == 1


def test_a_cache_of_nonsense_or_of_another_session_is_made_anew(sessions):
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", MARKET)
    before = sessions.search(asking).found
    file = sessions.folder / f"{other.session_id}.json"
    subject = ("items", str(other.session_id))
    content = PROCESS_SEAL.opened_object(file.read_bytes(), *subject) or b""
    of_another = content.replace(b'"session":"build', b'"session":"steal')
    for nonsense in (b"", b"\xff{", b"[1]", of_another, PROCESS_SEAL.sealed_object(of_another, *subject)):
        file.write_bytes(nonsense)
        sessions.others = OtherSessions(Library(sessions.log, HashedWords(), sessions.folder))  # another process
        assert sessions.search(asking).found == before


def test_a_search_needs_a_reason_and_an_asking_session(sessions):
    asking = sessions.begin("Sell lamps")
    with pytest.raises(UsageError, match="needs a reason"):
        search_across(asking._session, sessions.others, "market", 5, agent=None, reason=" ")
    for nobody in ("", "*", None, ["a"]):
        with pytest.raises(InvalidId):
            sessions.others.search("market", 5, asking=nobody, agent=None)


def test_a_session_that_cannot_be_read_is_named_and_hides_no_other(sessions, monkeypatch):
    from workbench.domain.errors import LogDamaged

    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", MARKET)
    broken = sessions.begin("Paint a fence", MARKET)
    head = sessions.log.head

    def damaged(stream):
        if stream == broken.session_id:
            raise LogDamaged("It is torn.", "Repair it.")
        return head(stream)

    monkeypatch.setattr(sessions.log, "head", damaged)
    searched = sessions.search(asking)
    assert [one.session for one in searched.found] == [other.session_id]
    assert broken.session_id in searched.unavailable


def test_it_moves_no_loop_and_log_and_state_of_others_stay(sessions):
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", MARKET)
    trigger, before = asking.state.trigger, events_of(other)
    sessions.search(asking)
    assert asking.state.trigger == trigger
    assert events_of(other) == before
    assert log_of(asking) is log_of(other)


def test_a_conversation_does_not_go_on_from_one_session_into_another(sessions):
    """Session A ends in a question that matches; the first word of session B, in the same minute, answers nothing."""
    ending = sessions.begin("Build clinics", "Are hospitals a market?")
    beginning = sessions.begin("Paint a fence")
    both = {f"{item.session} {item.id}": item for one in (ending, beginning) for item in items(one.state)}
    found = Scope(HashedWords()).search("market of hospitals", 50, both)
    neighbours = {one.item.text: one.parts.neighbours for one in found}
    assert neighbours["Paint a fence"] == 0
    assert neighbours["Are hospitals a market?"] != 0, "it has a neighbour in its own session"


def test_the_order_in_which_sessions_became_known_moves_no_result(sessions):
    asking, first, second = sessions.begin("Sell lamps"), sessions.begin("Build clinics"), sessions.begin("Paint walls")
    for session, text in ((second, MARKET), (first, MARKET), (second, "Who pays?"), (first, "Who pays for hospitals?")):
        list(remember(session._session, [Said(text)]))
        sessions.search(asking)
    anew = OtherSessions(Library(sessions.log, HashedWords(), sessions.folder))
    kept, fresh = (
        others.search("market of hospitals", 50, asking=asking.session_id, agent=None)
        for others in (sessions.others, anew)
    )
    assert kept == fresh


# --- what concerns a goal ---------------------------------------------------------------------------------------------

GOAL = "Compare how hospitals in the market are insured"


def concerning(sessions: Sessions, asking, others: OtherSessions | None = None, agent: str | None = None) -> list[str]:
    """Return the texts that a goal gets of other sessions."""
    agent_id = None if agent is None else AgentId(agent)
    searching = others or sessions.others
    return [one.item.text for one in searching.concerning(GOAL, 10, asking=asking.session_id, agent=agent_id).near]


def test_only_sessions_that_share_words_with_a_goal_are_read_and_embedded(sessions, monkeypatch):
    monkeypatch.setattr("workbench.memory.other_sessions._BESIDE", 0)
    asking, fair = sessions.begin("Sell lamps"), sessions.begin("Paint the village hall", "The ladder is in the shed")
    clinics = sessions.begin("Build clinics", f"{MARKET}, all insured")
    assert concerning(sessions, asking) == [f"{MARKET}, all insured"]
    library = Library(sessions.log, HashedWords(), sessions.folder)  # another process
    reads: list[str] = []
    monkeypatch.setattr(sessions.log, "read", lambda stream, **_more: reads.append(stream))
    assert concerning(sessions, asking, OtherSessions(library)) == [f"{MARKET}, all insured"]
    assert reads == []
    assert set(library._kept) == {clinics.session_id}
    assert not (sessions.folder / f"{fair.session_id}.safetensors").exists()


def test_a_goal_gets_the_same_with_and_without_what_was_kept(sessions):
    asking = sessions.begin("Sell lamps")
    for number in range(5):
        sessions.begin(f"Build clinic {number}", f"{MARKET} {number}", f"Insured hospital {number}: premium paid")
    first = concerning(sessions, asking)
    kept = OtherSessions(Library(sessions.log, HashedWords(), sessions.folder))
    fresh = OtherSessions(Library(sessions.log, HashedWords(), sessions.folder / "empty"))
    assert concerning(sessions, asking, kept) == concerning(sessions, asking, fresh) == first


def test_an_agent_is_not_concerned_by_what_it_may_not_see(sessions):
    asking = sessions.begin("Sell lamps")
    said = f"{MARKET}, all insured"
    sessions.begin("Paint the hall", Said(said, role="assistant", agent="kahneman"))
    assert concerning(sessions, asking) == concerning(sessions, asking, agent="kahneman") == [said]
    assert concerning(sessions, asking, agent="nzia") == []
    terms = {name: sessions.others._library.terms(name) for name in sessions.log.streams()}
    assert sessions_concerned(GOAL, terms.items(), "kahneman")
    assert not sessions_concerned(GOAL, terms.items(), "nzia")


def test_no_term_of_a_private_session_is_kept(sessions):
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", f"{MARKET}, all insured")
    assert concerning(sessions, asking)
    assert b"hospit" in (sessions.folder / f"{other.session_id}.terms").read_bytes()
    other._session.record_given([say.PrivacyChanged(private=True)], actor="person")
    assert concerning(sessions, asking) == []
    assert all(b"hospit" not in file.read_bytes() for file in sessions.folder.iterdir())


@pytest.mark.parametrize("damage", [lambda _: b"", lambda data: data.replace(b"hospit", b"hospix"), lambda _: b"\xff{"])
def test_kept_terms_that_somebody_changed_are_made_again(sessions, damage):
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", f"{MARKET}, all insured")
    before = concerning(sessions, asking)
    file = sessions.folder / f"{other.session_id}.terms"
    file.write_bytes(damage(file.read_bytes()))
    anew = OtherSessions(Library(sessions.log, HashedWords(), sessions.folder))
    assert concerning(sessions, asking, anew) == before != []
