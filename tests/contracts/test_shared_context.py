"""What the shared context promises, over every log."""

import threading

import pytest
from tests.sharing.managers import a_log, manager
from workbench.domain.errors import InvalidId, NotFound, UsageError
from workbench.domain.log.envelope import Head, Turn, first_broken_link, genesis
from workbench.domain.log.ids import SessionId
from workbench.domain.shared import events as say
from workbench.domain.shared.input import MOST_KEYS, MOST_OF_A_VALUE
from workbench.domain.shared.merge import ABSENT, Loser
from workbench.sharing.shared_context import STREAM, Cursor


@pytest.fixture(params=["memory", "files", "redis"])
def log(request, tmp_path):
    return a_log(request.param, tmp_path, request)


@pytest.fixture
def one(log):
    return manager(log)


@pytest.fixture
def other(log):
    return manager(log)


def test_what_one_session_sets_every_other_one_gets(one, other):
    done = one.update_context("a", "phase", "Phase 2")
    assert (done.outcome, done.rule, done.version, done.value) == ("committed", "unchanged", 1, "Phase 2")
    context = other.get_context("b")
    assert context.data == {"phase": "Phase 2"}
    assert (context.version, context.versions) == (1, {"phase": 1})


def test_versions_of_a_key_are_counted_and_go_on_behind_a_deletion(one):
    for version in (1, 2):
        one.get_context("a")
        assert one.update_context("a", "k", version).version == version
    assert one.delete("a", "k").version == 3
    assert one.get_context("a").data == {}
    assert one.update_context("a", "k", "back").version == 4


def test_a_change_that_met_an_unseen_one_is_merged_with_what_lost_and_whose_it_was(one, other):
    one.update_context("a", "task", "plan")
    one.get_context("a")
    other.get_context("b")
    one.update_context("a", "task", "auth")
    done = other.update_context("b", "task", "database")
    assert (done.outcome, done.rule, done.value, done.merged_with) == ("merged", "last-write", "database", "a")
    assert done.losers == (Loser(value="auth"),)
    assert done.as_object()["loser"] == "auth"
    event = list(one.events())[-1]
    assert (event.event_type, event.previous_value, event.base_version, event.version) == ("merge", "auth", 1, 3)


def test_a_base_can_be_named_by_its_version(one, other):
    one.update_context("a", "k", {"x": 1})
    one.update_context("a", "k", {"x": 1, "y": 2})
    one.update_context("a", "k", {"x": 1, "y": 2, "z": 3})
    done = other.update_context("b", "k", {}, base_version=1)
    assert (done.outcome, done.value) == ("merged", {"y": 2, "z": 3}), "b took away what it had seen, and only that"
    assert other.update_context("b", "k", {"new": 1}, base_version=4).outcome == "committed"
    assert other.update_context("b", "k", {"n": 2}, base_version=0).value == {"new": 1, "n": 2}
    for version in (-1, 7):
        refused = other.update_context("b", "k", 1, base_version=version)
        assert (refused.outcome, refused.rule) == ("refused", "invalid-input")
        assert "has no version" in refused.why


def test_a_deletion_that_met_a_change_is_recorded_and_the_change_stays(one, other):
    one.update_context("a", "k", 1)
    other.get_context("b")
    one.update_context("a", "k", 2)
    done = other.delete("b", "k")
    assert (done.outcome, done.rule, done.value, done.version) == ("merged", "edit-over-delete", 2, 3)
    assert done.as_object()["losers"] == [{"path": [], "value": None, "deleted": True, "rule": "edit-over-delete"}]


def test_a_change_can_be_taken_back_and_the_loser_is_back(one, other):
    one.update_context("a", "task", "plan")
    other.get_context("b")
    one.update_context("a", "task", "auth")
    merged = other.update_context("b", "task", "database")
    undone = one.undo("c", merged.event.event_id)
    assert (undone.outcome, undone.value, undone.version) == ("committed", "auth", 4)
    again = one.undo("c", undone.event.event_id)
    assert again.value == "database"
    assert list(one.events())[-1].undone == undone.event.event_id


def test_an_undo_keeps_what_others_changed_since(one, other):
    one.update_context("a", "files", ["x"])
    added = one.update_context("a", "files", ["x", "wrong"])
    other.get_context("b")
    other.update_context("b", "files", ["x", "wrong", "y"])
    undone = one.undo("a", added.event.event_id)
    assert (undone.outcome, undone.value, undone.merged_with) == ("merged", ["x", "y"], "b")


def test_the_first_set_and_a_deletion_can_be_taken_back(one):
    first = one.update_context("a", "k", 1)
    assert one.undo("a", first.event.event_id).value is None
    assert one.get_context("a").data == {}
    one.update_context("a", "k", 2)
    gone = one.delete("a", "k")
    assert one.undo("a", gone.event.event_id).value == 2


def test_only_a_change_to_a_key_can_be_taken_back(one):
    with pytest.raises(NotFound):
        one.undo("a", "a:1")
    one.subscribe("a")
    assert one.undo("a", "a:1").outcome == "refused"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("", 1),
        ("  ", 1),
        ("k" * 121, 1),
        (7, 1),
        ("k", float("nan")),
        ("k", [float("inf")]),
        ("k", 2**53 + 1),
        ("k", 10**400),
        ("k", {1: 2}),
        ("k", {"a\x1b": 1, "a␛": 2}),
        ("k", b"bytes"),
        ("k", {1, 2}),
        ("k", "x" * MOST_OF_A_VALUE),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_changed(one, key, value):
    refused = one.update_context("a", key, value)
    assert (refused.outcome, refused.rule, refused.version, refused.event) == ("refused", "invalid-input", 0, None)
    assert refused.why
    assert refused.remedy
    assert list(one.events()) == []


def test_nesting_is_bounded(one):
    value = 1
    for _ in range(32):
        value = [value]
    assert one.update_context("a", "k", value).outcome == "committed"
    assert one.update_context("a", "k", [value]).outcome == "refused"
    for _ in range(100_000):
        value = [value]
    assert one.update_context("a", "k", value).outcome == "refused"


@pytest.mark.parametrize("session", [None, "", "*", "A", ["a"]])
def test_an_id_that_is_none_is_an_error_and_no_outcome(one, session):
    for call in (
        lambda: one.get_context(session),
        lambda: one.update_context(session, "k", 1),
        lambda: one.delete(session, "k"),
        lambda: one.undo(session, "a:1"),
        lambda: one.subscribe(session),
        lambda: one.unsubscribe(session),
        lambda: one.get_pending_events(session),
    ):
        with pytest.raises(InvalidId):
            call()


def test_what_is_not_there_cannot_be_deleted(one):
    assert one.delete("a", "k").outcome == "refused"
    one.update_context("a", "k", 1)
    one.delete("a", "k")
    assert one.delete("a", "k").outcome == "refused"


def test_a_merge_that_would_be_too_large_leaves_the_later_value(one, other):
    one.update_context("a", "k", ["a" * 40_000])
    done = other.update_context("b", "k", ["b" * 40_000])
    assert (done.outcome, done.rule, done.value) == ("merged", "too-large", ["b" * 40_000])
    assert done.losers == (Loser(value=["a" * 40_000], rule="too-large"),)


def test_there_are_only_so_many_keys(one):
    for number in range(MOST_KEYS):
        one.update_context("a", f"k{number}", number)
    refused = one.update_context("a", "one more", 1)
    assert (refused.outcome, "keys already" in refused.why) == ("refused", True)
    gone = one.delete("a", "k7")
    assert one.update_context("a", "one more", 1).outcome == "committed"
    assert one.undo("a", gone.event.event_id).outcome == "refused"


def test_pending_events_are_those_behind_a_cursor_and_seen_then(one, other):
    one.update_context("a", "k", 1)
    first = other.get_pending_events("b")
    assert [event.value for event in first.events] == [1]
    one.update_context("a", "k", 2)
    one.update_context("a", "k", 3)
    behind = other.get_pending_events("b", first.cursor)
    assert [event.value for event in behind.events] == [2, 3]
    assert not behind.resynchronised
    assert other.get_pending_events("b", behind.cursor).events == ()
    assert other.update_context("b", "k", 4).outcome == "committed", "it has seen the last one"


def test_pending_events_reach_back_behind_what_is_in_memory(log, one, monkeypatch):
    monkeypatch.setattr("workbench.sharing.view._RECENT", 3)
    few = manager(log)
    for number in range(10):
        one.update_context("a", "k", number)
    few.get_context("b")
    pending = few.get_pending_events("b", Cursor(log.head(STREAM).epoch, 2))
    assert [event.value for event in pending.events] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert [event.previous_value for event in pending.events] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_only_so_many_sessions_take_part(one, monkeypatch):
    monkeypatch.setattr("workbench.sharing.shared_context.MOST_MEMBERS", 2)
    one.subscribe("a")
    one.subscribe("b")
    one.subscribe("b")
    with pytest.raises(UsageError, match="take part already"):
        one.subscribe("c")
    assert one.get_context("a").sessions == ("a", "b")


def test_a_subscriber_is_handed_every_change_in_order(one, other):
    received = []
    there = threading.Event()

    def callback(events):
        received.extend(events)
        if len(received) == 20:
            there.set()

    cursor = one.subscribe("a", callback)
    with pytest.raises(UsageError):
        one.subscribe("a", callback)
    for number in range(10):
        one.update_context("a", "mine", number)
        other.update_context("b", "theirs", number)
    assert there.wait(60)
    one.unsubscribe("a")
    assert [event.seq for event in received] == list(range(cursor.seq + 1, cursor.seq + 21))
    other.update_context("b", "theirs", "later")
    assert len(received) == 20, "its callback is not called again"
    assert not [thread for thread in threading.enumerate() if thread.name == "shared-context"]


def test_a_callback_may_unsubscribe(one, other):
    left = threading.Event()

    def callback(_):
        one.unsubscribe("a")
        left.set()

    one.subscribe("a", callback)
    other.update_context("b", "k", 1)
    assert left.wait(60)
    assert other.get_context("b").sessions == ()


def test_a_watcher_sees_what_is_committed_from_then_on_or_from_an_event_on(one, other):
    one.update_context("a", "k", 1)
    from_now = one.watch(lambda: False)
    other.update_context("b", "k", 2)
    assert [event.value for event in next(from_now)] == [2]
    told = [event.value for batch in [next(one.watch(lambda: False, after=0))] for event in batch]
    assert told == [1, 2]
    from_now.close()


def test_the_log_is_the_audit_trail_and_its_chain_the_context_hash(log, one, other):
    one.update_context("a", "k", 1)
    other.update_context("b", "k", 2)
    other.delete("b", "k")
    stored = list(log.read(STREAM))
    assert first_broken_link(stored, Head("", 0, genesis(STREAM))) is None
    assert [event.context_hash for event in one.events()] == [event.hash for event in stored]
    assert [event.actor for event in stored] == ["workbench"] * 3
    assert {event.origin for event in stored} == {"given"}


def test_threads_of_one_process_lose_nothing(one):
    def write(session):
        for number in range(10):
            assert one.update_context(session, "all", [f"{session}{number}"], base_version=0).outcome != "refused"

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.get_context("a").data["all"]) == sorted(
        f"{name}{number}" for name in "abcd" for number in range(10)
    )


# what only one session says


def test_what_stands_under_a_session_only_that_session_says(one, other):
    mine = one.update_context("a", "sessions/a", {"phase": "plans"})
    one.update_context("a", "sessions/a/files", ["x"])
    other.get_context("b")
    event = mine.event.event_id
    for refused in (
        other.update_context("b", "sessions/a", {"phase": "done"}),
        other.update_context("b", " sessions/a ", {"phase": "done"}, base_version=0),
        other.update_context("b", "sessions/a/files", ["y"]),
        other.update_context("b", "sessions/new", 1),
        other.update_context("b", "sessions/", 1),
        other.delete("b", "sessions/a"),
        other.undo("b", event),
    ):
        assert (refused.outcome, refused.event) == ("refused", None)
        assert "Only that session changes" in refused.why
        assert refused.remedy
    assert one.get_context("a").data == {"sessions/a": {"phase": "plans"}, "sessions/a/files": ["x"]}
    assert other.update_context("b", "sessions-of-a", 1).outcome == "committed", "only what stands under it"
    assert one.undo("a", event).outcome == "committed"
    assert one.delete("a", "sessions/a/files").outcome == "committed"


@pytest.mark.parametrize(
    "body",
    [
        say.KeySet(key="sessions/a", value="lie", base_version=1, version=2, rule="unchanged"),
        say.KeyMerged(key="sessions/a", value="lie", base_version=1, version=2, rule="last-write"),
        say.KeyDeleted(key="sessions/a", base_version=1, version=2, rule="unchanged"),
        say.KeyUndone(key="sessions/a", value="lie", base_version=1, version=2, rule="unchanged", undone="a:1"),
    ],
)
def test_an_event_that_says_what_another_session_is_at_is_disregarded(log, one, body):
    one.update_context("a", "sessions/a", "truth")
    turn = Turn(session=SessionId("b"), person="eve", workspace="w-1")
    log.append(STREAM, [say.draft(body, turn, actor="workbench", time="2026-11-22T08:00:00.000000Z")], expected=1)
    assert one.get_context("a").data == {"sessions/a": "truth"}
    assert [event.event_type for event in one.events()] == ["update", "disregarded"]


def test_what_a_session_said_of_itself_is_gone_when_it_leaves(one, other):
    one.subscribe("a")
    one.update_context("a", "sessions/a", "here")
    one.update_context("a", "k", "stays")
    cursor = other.observe("b").cursor
    one.unsubscribe("a")
    assert other.get_context("b").data == {"k": "stays"}
    assert [(key, entry.value) for key, entry in other.observe("b", cursor).changed] == [("sessions/a", ABSENT)]


# observing


def seen(observed):
    return [(key, entry.value, entry.version) for key, entry in observed.changed]


def test_each_key_is_observed_once_as_it_stands_the_last_changed_last(one, other):
    assert other.observe("b") == ((), Cursor(), False), "there is nothing yet"
    for number in range(3):
        one.update_context("a", "k", number)
    one.update_context("a", "l", "x")
    first = other.observe("b")
    assert seen(first) == [("k", 2, 3), ("l", "x", 1)]
    assert first.anew
    (_, entry), _ = first.changed
    assert (entry.session, entry.event, entry.seq) == ("a", "a:3", 3)
    one.update_context("a", "l", "y")
    one.update_context("a", "k", 3)
    behind = other.observe("b", first.cursor)
    assert seen(behind) == [("l", "y", 2), ("k", 3, 4)]
    assert not behind.anew
    assert other.observe("b", behind.cursor) == ((), behind.cursor, False)


def test_what_was_observed_is_what_the_next_change_starts_from(one, other):
    one.update_context("a", "k", ["x"])
    cursor = other.observe("b").cursor
    one.update_context("a", "k", ["x", "y"])
    assert other.update_context("b", "k", ["x", "z"]).value == ["x", "y", "z"], "it had seen x only"
    one.get_context("a")
    one.update_context("a", "k", ["last"])
    other.observe("b", cursor)
    done = other.update_context("b", "k", [])
    assert (done.outcome, done.value) == ("committed", []), "it took away what it saw"


def test_in_another_history_everything_is_observed_anew(one, other):
    for number in range(3):
        one.update_context("a", "k", number)
    anew = other.observe("b", other.observe("b").cursor._replace(epoch="another"))
    assert (seen(anew), anew.anew) == ([("k", 2, 3)], True)
    assert other.observe("b", anew.cursor) == ((), anew.cursor, False)
