"""Messages from elsewhere: checked before anything is written, and part of the one history afterwards."""

from __future__ import annotations

import pytest
from tests.builders import begin, events_of
from workbench.domain.errors import UsageError
from workbench.domain.session import events as say
from workbench.domain.session.items import items
from workbench.memory.memory_view import SessionMemory
from workbench.models.embeddings import HashedWords
from workbench.planning.memory.remembering import Said, lines_in, remember, store_entity


@pytest.fixture
def manager():
    return begin()


@pytest.fixture
def session(manager):
    return manager._session


def brought_in(session, *said):
    return list(remember(session, said))


def test_of_very_many_messages_none_is_kept_in_memory_until_the_session_is_looked_at(manager, session):
    before, known = session.state, len(session._known.events)
    for portion in range(3):
        list(remember(session, [Said(f"Line {portion}.{number}") for number in range(600)], seen=False))
        assert session.state is before
        assert len(session._known.events) == known
        session._log.append(
            session.session, session._drafts(before, [say.SessionRenamed(name="n")], actor="person"), expected=None
        )
    texts = [f"Line {portion}.{number}" for portion in range(3) for number in range(600)]
    assert [said.text for said in session.refresh().history[-1800:]] == texts
    assert [event.seq for event in events_of(manager)] == list(range(1, session.state.seq + 1))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (Said(" \n"), "says nothing"),
        (Said("x" * 1_000_001), "1,000,001 characters"),
        (Said("Hello", role="system"), "the role 'system'"),
        (Said("Hello", agent="kahneman"), "role is not assistant"),
        (Said("Hello", time="yesterday"), "cannot be read"),
    ],
)
def test_one_message_that_cannot_be_kept_keeps_all_of_them_out(session, said, why):
    before = session.state.seq
    with pytest.raises(UsageError, match=why) as caught:
        brought_in(session, Said("Fine"), said)
    assert "Message 2" in str(caught.value)
    assert session.refresh().seq == before


def test_a_named_text_is_kept_by_its_name_and_found_by_its_words(session):
    first = store_entity(session, "budget", "The budget is 300 euros.")
    second = store_entity(session, "budget", "The budget is 400 euros.")
    assert session.state.entity("budget").content == "The budget is 400 euros."
    assert [item.id for item in items(session.state) if item.id.startswith("entity:")] == [second]
    assert first != second


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("", "text", "needs a name"),
        ("name", " \n", "needs a name"),
        ("name", "x" * 300_000, "300,000 characters"),
        ("planning_session_{}_iteration_1", "text", "the workbench uses"),
    ],
)
def test_what_is_no_entity_is_refused(session, name, content, why):
    with pytest.raises(UsageError, match=why):
        store_entity(session, name.format(session.session), content)


def test_a_pasted_log_is_kept_in_parts_and_found_by_a_word_in_its_middle(manager, session):
    lines = [f"worker {number} restarted after {number * 7} seconds" for number in range(9_000)]
    lines[4_500] = "the certificate of the ledger expired"
    log = "\n".join(lines)
    assert len(log) > 350_000
    ids = brought_in(session, Said(log, file="abc", line=1), Said("And after that?"))
    *parts, last = session.state.history[-len(session.state.history) + 1 :]
    assert "".join(part.text for part in parts) == log
    assert max(len(part.text) for part in parts) <= 8_000
    assert ids == [f"message:{parts[0].id}", f"message:{last.id}"]
    assert lines_in(events_of(manager), "abc") == {1: ids[0]}
    found = SessionMemory(session.session, HashedWords()).at(session.state).search("which certificate expired?", 1)
    assert lines[4_500] in found[0].item.text
