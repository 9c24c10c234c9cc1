"""Who takes part: what the state tells of each, and what only the system knows, joined anew at each look."""

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest
from tests.memory_log import MemoryLog
from tests.sharing.managers import manager
from workbench.sharing.presence import IDLE_AFTER, Presence, present
from workbench.storage.files.lives import MemoryLives

NOW = datetime(2026, 11, 22, 8, tzinfo=UTC)


def nobody_ended(_session):
    """Every session is in the middle of its work."""
    return False


class Place:
    """A shared stream that two sessions take part in, and their lives; time passes when a test says so."""

    def __init__(self, stack):
        self.seconds = 0.0
        self.lives = MemoryLives(lambda: self.seconds)
        self.shared = manager(MemoryLog(shared=True))
        for session in ("a", "b"):
            stack.enter_context(self.lives.live(session))
            self.shared.join(session)

    def look(self, presence):
        return {one.session_id: one for one in presence.look(self.shared.state())}


@pytest.fixture
def place():
    with ExitStack() as stack:
        yield Place(stack)


@pytest.mark.parametrize("share", ["update", "claim", "queue", "release"])
def test_what_a_person_shares_between_two_heartbeats_is_seen_to_be_done(place, share):
    """The application shares for a session whose loop rests, and has no heartbeat."""
    place.shared.claim("a", "file", "mine.py")
    place.shared.claim("b", "file", "theirs.py")

    def seen(at):
        return {
            one.session_id: one.last_heartbeat for one in present(place.shared.state, place.lives, at, nobody_ended)
        }

    before = seen(NOW - timedelta(days=1))
    done = {
        "update": lambda: place.shared.update_context("a", "phase", "test"),
        "claim": lambda: place.shared.claim("a", "task", "tidy"),
        "queue": lambda: place.shared.claim("a", "file", "theirs.py", queue=True),
        "release": lambda: place.shared.release("a", "file", "mine.py"),
    }[share]()
    assert done.outcome != "refused" or share == "queue"
    after = seen(NOW - timedelta(days=1))
    assert after["a"] == place.shared.state().last_updated > before["a"]
    assert after["b"] == before["b"]
    assert seen(NOW + timedelta(days=1))["a"] == "2026-11-23T08:00:00.000000Z", "the heartbeat came later"


def test_how_a_session_is_is_seen_at_the_next_look_though_nobody_said_anything(place):
    presence = Presence(place.lives, place.shared.state, nobody_ended)
    state = place.shared.state()
    assert [one.status for one in presence.look(state)] == ["active", "active"]
    place.seconds += IDLE_AFTER
    place.lives.beat("a")
    assert [one.status for one in presence.look(state)] == ["active", "idle"]
    place.lives.die("a")
    assert [one.status for one in presence.look(state)] == ["crashed", "idle"]
    with place.lives.live("a"):
        assert [one.status for one in presence.look(state)] == ["active", "idle"]


def test_what_a_session_says_and_claims_is_seen_at_the_next_look(place):
    presence = Presence(place.lives, place.shared.state, nobody_ended)
    assert place.look(presence)["a"].phase == ""
    place.shared.update_context("a", "sessions/a", {"phase": "testing"})
    place.shared.claim("a", "file", "a.py")
    seen = place.look(presence)
    assert (seen["a"].phase, seen["a"].claimed) == ("testing", ("a.py",))
    place.shared.unsubscribe("b")
    assert list(place.look(presence)) == ["a"]


def test_a_session_that_has_ended_cannot_crash(place):
    asked = []
    presence = Presence(place.lives, place.shared.state, lambda session: asked.append(session) or True)
    place.lives.die("a")
    for _ in range(3):
        assert [place.look(presence)[session].status for session in "ab"] == ["idle", "active"]
    assert asked == ["a"], "its log is read once"
    assert present(place.shared.state, place.lives, NOW, lambda _: True)[0].status == "idle"
    with place.lives.live("a"):
        assert place.look(presence)["a"].status == "active"
    assert place.look(presence)["a"].status == "idle"
    assert asked == ["a", "a"]


def test_a_session_that_left_since_the_state_was_read_is_not_crashed(place):
    presence = Presence(place.lives, place.shared.state, nobody_ended)
    before = place.shared.state()
    place.shared.update_context("a", "sessions/a", {"phase": "planning"})
    place.shared.unsubscribe("a")
    place.lives.die("a")
    assert [(one.session_id, one.status) for one in presence.look(before)] == [("b", "active")]
    assert [(one.session_id, one.status) for one in presence.look(before)] == [("b", "active")]
    states = iter([before, place.shared.state()])
    assert [one.session_id for one in present(lambda: next(states), place.lives, NOW, nobody_ended)] == ["b"]
