"""Forgetting in what sessions share: one's own always, others' when told, and nobody who looks is told it again."""

from pathlib import Path

import pytest
from tests.sharing.managers import a_log, manager
from workbench.domain.errors import LogUnavailable, StaleHead
from workbench.domain.log.envelope import Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.session.events import ContentForgotten
from workbench.domain.session.forgetting import first_unvouched
from workbench.domain.shared import events as say
from workbench.domain.shared.input import OWN
from workbench.sharing.forgetting import NOWHERE, SharedForgetting, Sharing
from workbench.sharing.shared_context import STREAM
from workbench.sharing.snapshot import Snapshot
from workbench.storage.files.log import FileLog

SECRET = "sk-4711-of-the-billing"  # a text of no worth
SAID = ContentForgotten(item="message:a:1", part=True)


@pytest.fixture(params=["memory", "files"])
def log(request, tmp_path):
    return a_log(request.param, tmp_path)


def forgetting(log):
    return SharedForgetting(log, person="grace", workspace="w-1", now=lambda: "2026-11-22T09:00:00.000000Z")


def filled(log):
    """What three sessions share: two of them say it."""
    shared = manager(log)
    shared.update_context("a", OWN + "a", {"goal": f"Move {SECRET}", "phase": "planning"})
    shared.update_context("b", "note", f"a says {SECRET}")
    shared.update_context("c", "colour", "blue")
    shared.update_context("a", f"key {SECRET}", 7)
    return shared


def stored(log):
    return b"".join(bytes(event.body) for event in log.read(STREAM)).decode()


def test_its_own_is_forgotten_and_what_others_say_is_named(log):
    shared = filled(log)
    before = list(log.read(STREAM))
    look = forgetting(log).look("a", [SECRET])
    assert look.sharing == (Sharing("a", ("a:1", "a:4")), Sharing("b", ("b:2",)))
    assert list(log.read(STREAM)) == before
    done = forgetting(log).forget("a", SAID, [SECRET], everywhere=False)
    assert done.sharing == (Sharing("a", ("a:1", "a:4"), forgotten=True), Sharing("b", ("b:2",)))
    data = shared.get_context("d").data
    assert data == {
        OWN + "a": {"goal": "Move [forgotten]", "phase": "planning"},
        "note": f"a says {SECRET}",
        "colour": "blue",
        "key [forgotten]": 7,
    }
    *after, last = log.read(STREAM)
    assert [event.hash for event in after] == [event.hash for event in before]
    assert (last.kind, last.session, last.person, last.actor) == ("shared.forgotten", "a", "grace", "person")
    body = say.content(last)
    assert isinstance(body, ContentForgotten)
    assert (body.item, body.part, [one.event for one in body.redacted]) == ("message:a:1", True, ["a:1", "a:4"])
    assert first_unvouched([*after, last], say.FORGOTTEN, say.content) is None
    assert [event.event_type for event in shared.events()][-1] == "forget"


def test_everywhere_nobody_says_it(log):
    filled(log)
    done = forgetting(log).forget("a", SAID, [SECRET], everywhere=True)
    assert [(one.session, one.forgotten) for one in done.sharing] == [("a", True), ("b", True)]
    assert SECRET not in stored(log)
    assert manager(log).get_context("d").data["note"] == "a says [forgotten]"
    assert first_unvouched(log.read(STREAM), say.FORGOTTEN, say.content) is None
    head = log.head(STREAM)
    assert forgetting(log).forget("a", SAID, [SECRET], everywhere=True) == forgetting(log).look("a", [SECRET])
    assert forgetting(log).look("a", [SECRET]).sharing == ()
    assert log.head(STREAM) == head, "nothing is written where nothing is left"


def test_where_nobody_shared_anything_there_is_nothing(log):
    assert forgetting(log).look("a", [SECRET]).sharing == NOWHERE.sharing
    assert forgetting(log).forget("a", SAID, [SECRET], everywhere=True).sharing == ()


def test_what_was_shortened_is_forgotten_too(log):
    text = "Our new address is 12 Long Road, behind the old mill"
    manager(log).update_context("a", OWN + "a", {"decisions": ["feedback: Our new address is 12…"]})
    done = forgetting(log).forget("a", SAID, [text], everywhere=False)
    assert done.texts == (text, "Our new address is 12")
    assert manager(log).get_context("b").data[OWN + "a"] == {"decisions": ["feedback: [forgotten]"]}


def test_somebody_appends_meanwhile(log):
    shared = filled(log)
    rivals = iter(range(3))

    class Rival(type(log)):
        def __init__(self):
            """Be the same log, with somebody else before each redaction."""
            self.__dict__.update(log.__dict__)

        def redact(self, *arguments, **options):
            if next(rivals, None) is not None:
                shared.update_context("a", "again", SECRET)
                shared.update_context("a", "again", f"{SECRET}!")
            return super().redact(*arguments, **options)

    forgetting(Rival()).forget("a", SAID, [SECRET], everywhere=True)
    assert SECRET not in stored(log)
    assert next(rivals, None) is None


def test_a_log_that_changes_without_a_pause_is_left(log):
    filled(log)

    class Busy(type(log)):
        def __init__(self):
            self.__dict__.update(log.__dict__)

        def redact(self, *_arguments, **_options):
            raise StaleHead("Somebody was first.", "")

    with pytest.raises(StaleHead, match="without a pause"):
        forgetting(Busy()).forget("a", SAID, [SECRET], everywhere=True)


def test_a_log_that_cannot_be_redacted_says_so_before_anything_is_changed(log):
    filled(log)

    class Only:
        """An event log, and nothing more."""

        append, read, head, follow, streams = log.append, log.read, log.head, log.follow, log.streams

    with pytest.raises(LogUnavailable, match="cannot be changed"):
        forgetting(Only()).look("a", [SECRET])
    assert forgetting(Only()).look("a", ["not said at all"]).sharing == ()


def test_a_follower_goes_on_across_it(log):
    """It is told of everything once, in order, and its next base does not say what was forgotten."""
    shared, other = filled(log), manager(log)
    batches = other.watch(lambda: False, after=0)
    seen = list(next(batches))
    while len(seen) < 4:
        seen += next(batches)
    forgetting(log).forget("a", SAID, [SECRET], everywhere=True)
    shared.update_context("b", "note", "later")
    while len(seen) < 6:
        seen += next(batches)
    assert [event.seq for event in seen] == [1, 2, 3, 4, 5, 6]
    assert [event.event_type for event in seen[4:]] == ["forget", "update"]
    assert (seen[5].previous_value, seen[5].version) == ("a says [forgotten]", 2)


def test_who_looked_before_is_shown_it_no_more_and_brings_it_back_no_more(log):
    shared, other = filled(log), manager(log)
    cursor = other.get_pending_events("b").cursor
    forgetting(log).forget("a", SAID, [SECRET], everywhere=True)
    pending = other.get_pending_events("b", cursor)
    assert pending.resynchronised
    assert SECRET not in str(pending.events)
    assert SECRET not in str(shared.get_context("a"))
    assert other.update_context("b", "note", "new").outcome == "committed"
    assert SECRET not in stored(log)


def test_the_snapshot_of_a_process_that_has_not_seen_it_is_not_left(tmp_path, monkeypatch):
    """It writes its snapshot just when what it says has been forgotten, and its copies removed."""
    monkeypatch.setattr("workbench.sharing.view._SNAPSHOT_EVERY", 2)
    path = Path(tmp_path / "shared" / "shared_context.json")

    class Late(Snapshot):
        def keep(self, state, epoch, place=None):
            if SECRET in str(state):
                forgetting(FileLog(tmp_path / "shared", shared=True)).forget("a", SAID, [SECRET], everywhere=True)
            super().keep(state, epoch, place)

    filled(FileLog(tmp_path / "shared", shared=True))
    late = manager(FileLog(tmp_path / "shared", shared=True), snapshot=Late(path))
    late.get_context("d")
    assert not path.exists() or SECRET not in path.read_text()
    assert late.update_context("d", "fifth", 5).outcome == "committed"
    assert not path.exists() or SECRET not in path.read_text()
    assert SECRET not in str(late.get_context("d"))


def test_a_hostile_peer_in_the_name_of_the_session_harms_only_what_it_said(log):
    filled(log)
    turn = Turn(session=SessionId("a"), person="eve", workspace="w-1")
    (long,) = [say.KeySet(key="x" * 115 + "sk-4711", base_version=0, version=1, rule="unchanged", value=1)]
    log.append(STREAM, [say.draft(long, turn, actor="eve", time="")], expected=None)
    forgetting(log).forget("a", SAID, ["sk-4711"], everywhere=True)
    assert manager(log).get_context("c").data["colour"] == "blue"
    assert "sk-4711" not in stored(log)
