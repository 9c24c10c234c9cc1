"""What claims promise, over every log: one session has a file or a task, and whoever dies has nothing for long."""

import threading

import pytest
from tests.sharing.managers import a_log, manager
from workbench.domain.errors import InvalidId
from workbench.domain.shared.leases import MOST_LEASES, MOST_WAITING
from workbench.storage.files.lives import MemoryLives
from workbench.storage.ports import Deciding


@pytest.fixture(params=["memory", "files"])
def log(request, tmp_path):
    return a_log(request.param, tmp_path)


@pytest.fixture
def lives():
    return MemoryLives()


@pytest.fixture
def born(lives):
    """Let sessions live until they die (``lives.die``)."""

    def begin(shared, *sessions):
        for session in sessions:
            life = lives.live(session)
            life.__enter__()
            begun.append(life)
            shared.subscribe(session)

    begun = []
    yield begin
    for life in begun:
        life.__exit__(None, None, None)


@pytest.fixture
def one(log, lives):
    return manager(log, is_alive=lambda session: lives.holder(session) is not None)


@pytest.fixture
def other(log, lives):
    return manager(log, is_alive=lambda session: lives.holder(session) is not None)


def types(shared):
    return [event.event_type for event in shared.events()]


def line(shared, key="file:plan.md"):
    return shared.state().leases[key].line


def test_what_is_free_is_granted(one, other, born):
    born(one, "a")
    done = one.claim("a", "file", "./docs//plan.md")
    assert (done.outcome, done.kind, done.name, done.holder) == ("granted", "file", "docs/plan.md", "a")
    assert (done.waiting, done.taken_over, done.why) == (0, "", "")
    assert done.as_object() == {
        "outcome": "granted",
        "kind": "file",
        "name": "docs/plan.md",
        "holder": "a",
        "waiting": 0,
        "taken_over": "",
        "event_id": "a:2",
    }
    assert other.state().leases["file:docs/plan.md"].session == "a"
    assert one.claim("a", "task", "docs/plan.md").outcome == "granted", "a task is no file"


def test_what_another_session_has_is_refused_and_both_can_see_it(one, other, born):
    born(one, "a")
    born(other, "b")
    one.claim("a", "file", "plan.md")
    refused = other.claim("b", "file", "plan.md")
    assert (refused.outcome, refused.holder, refused.waiting) == ("refused", "a", 0)
    assert refused.why == "a has the file plan.md."
    assert refused.remedy
    assert refused.as_object()["error"] == refused.why
    last = one.get_pending_events("a").events[-1]
    assert (last.event_type, last.session_id, last.lease, last.holder) == ("refuse", "b", "file:plan.md", "a")
    assert last == other.get_pending_events("b").events[-1] == refused.event
    assert line(one) == ("a",)


def test_who_waits_gets_it_when_it_is_released(one, other, born):
    born(one, "a", "c")
    born(other, "b")
    one.claim("a", "file", "plan.md")
    queued = other.claim("b", "file", "plan.md", queue=True)
    assert (queued.outcome, queued.holder, queued.waiting, queued.why) == ("queued", "a", 1, "")
    assert one.claim("c", "file", "plan.md", queue=True).waiting == 2
    released = one.release("a", "file", "plan.md")
    assert (released.outcome, released.holder) == ("released", "b")
    assert other.claim("b", "file", "plan.md").outcome == "granted"
    assert line(one) == ("b", "c")
    assert one.release("c", "file", "plan.md").holder == "b", "who gives up waiting changes nobody's claim"
    assert other.release("b", "file", "plan.md").holder == ""
    assert one.state().leases == {}


def test_what_stands_already_is_not_said_again(one, other, born):
    born(one, "a", "b")
    one.claim("a", "file", "plan.md")
    one.claim("b", "file", "plan.md", queue=True)
    before = types(one)
    again = one.claim("a", "file", "plan.md")
    assert (again.outcome, again.holder, again.waiting, again.event) == ("granted", "a", 1, None)
    for waits in (True, False):
        again = other.claim("b", "file", "plan.md", queue=waits)
        assert (again.outcome, again.holder, again.waiting, again.event) == ("queued", "a", 1, None)
    assert types(one) == before


def test_what_a_dead_session_has_is_taken_over(one, other, born, lives):
    born(one, "a")
    born(other, "b")
    one.claim("a", "file", "plan.md")
    assert other.claim("b", "file", "plan.md").outcome == "refused"
    lives.die("a")
    done = other.claim("b", "file", "plan.md")
    assert (done.outcome, done.holder, done.taken_over) == ("granted", "b", "a")
    assert done.as_object()["taken_over"] == "a"
    assert line(one) == ("b",)
    claims = [event.taken_from for event in one.events() if event.event_type == "claim"]
    assert claims == ["", "a"], "whoever looks at the log sees whose it was"
    born(one, "a")
    refused = one.claim("a", "file", "plan.md")
    assert (refused.outcome, refused.holder) == ("refused", "b"), "who was dead does not get it back"


def test_an_heir_that_waits_goes_before_a_newcomer(one, other, born, lives):
    born(one, "a", "b", "c")
    born(other, "d")
    one.claim("a", "file", "plan.md")
    for session in "bc":
        one.claim(session, "file", "plan.md", queue=True)
    lives.die("a")
    refused = other.claim("d", "file", "plan.md")
    assert (refused.outcome, refused.holder) == ("refused", "b")
    assert refused.why == "b is the next to have the file plan.md."
    before = types(one)
    assert one.claim("c", "file", "plan.md", queue=True).outcome == "queued", "its place in the line stands"
    assert types(one) == before
    lives.die("b")
    done = one.claim("c", "file", "plan.md", queue=True)
    assert (done.outcome, done.taken_over) == ("granted", "a")
    assert line(one) == ("c", "b")


def test_a_session_that_ends_gives_back_what_it_has(one, other, born):
    born(one, "a")
    born(other, "b")
    one.claim("a", "file", "plan.md")
    one.claim("a", "file", "other.md")
    other.claim("b", "file", "plan.md", queue=True)
    one.unsubscribe("a")
    assert line(other) == ("b",)
    assert other.state().leases.keys() == {"file:plan.md"}


def test_who_is_not_open_can_claim_nothing(one, born, lives):
    refused = one.claim("a", "file", "plan.md")
    assert (refused.outcome, refused.event) == ("refused", None)
    assert refused.why == "a is not open anywhere, so it cannot claim anything."
    assert "workbench open a" in refused.remedy
    assert types(one) == []
    born(one, "a")
    lives.die("a")
    assert one.claim("a", "file", "plan.md").outcome == "refused", "it takes part, but it has crashed"


def test_what_a_crashed_session_has_can_be_released_for_it(one, born, lives):
    born(one, "a")
    one.claim("a", "file", "plan.md")
    lives.die("a")
    assert one.release("a", "file", "plan.md").outcome == "released"
    assert one.state().leases == {}


def test_who_has_no_claim_can_release_none(one, other, born):
    born(one, "a")
    born(other, "b")
    free = one.release("a", "file", "plan.md")
    assert (free.outcome, free.why) == ("refused", "a has no claim on the file plan.md: nobody has it.")
    one.claim("a", "file", "plan.md")
    theirs = other.release("b", "file", "plan.md")
    assert (theirs.outcome, theirs.why) == ("refused", "b has no claim on the file plan.md: a has it.")
    assert theirs.remedy
    assert types(one) == ["join", "join", "claim"]


@pytest.mark.parametrize(("kind", "name"), [("file", ""), ("file", "../x"), ("person", "ada"), ("task", " ")])
def test_what_is_no_name_is_refused_and_leaves_nothing_in_the_log(one, born, kind, name):
    born(one, "a")
    for refused in (one.claim("a", kind, name), one.release("a", kind, name)):
        assert (refused.outcome, refused.event) == ("refused", None)
        assert refused.why
        assert refused.remedy
    assert types(one) == ["join"]


@pytest.mark.parametrize("session", ["", "*", "A"])
def test_an_id_that_is_none_is_an_error_and_no_outcome(one, session):
    for call in (one.claim, one.release):
        with pytest.raises(InvalidId):
            call(session, "file", "plan.md")


def test_only_so_much_is_claimed_and_only_so_many_wait(one, born, monkeypatch):
    assert (MOST_LEASES, MOST_WAITING) == (1_000, 100)
    monkeypatch.setattr("workbench.domain.shared.leases.MOST_LEASES", 2)
    monkeypatch.setattr("workbench.domain.shared.leases.MOST_WAITING", 1)
    born(one, "a", "b", "c")
    one.claim("a", "file", "1")
    one.claim("a", "file", "2")
    refused = one.claim("a", "file", "3")
    assert (refused.outcome, refused.event) == ("refused", None)
    assert "claimed already" in refused.why
    assert one.claim("b", "file", "1", queue=True).outcome == "queued"
    assert one.claim("c", "file", "1", queue=True).outcome == "refused", "the line is full"


def test_of_all_that_claim_at_once_one_is_granted(log, lives, born):
    shared = [manager(log, is_alive=lambda session: lives.holder(session) is not None) for _ in "abcd"]
    for handle, session in zip(shared, "abcd", strict=True):
        born(handle, session)
    begin, outcomes = threading.Barrier(4), []

    def claim(handle, session):
        begin.wait()
        outcomes.append(handle.claim(session, "file", "plan.md").outcome)

    threads = [threading.Thread(target=claim, args=pair) for pair in zip(shared, "abcd", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["granted", "refused", "refused", "refused"]
    assert sorted(types(shared[0])) == ["claim", *["join"] * 4, *["refuse"] * 3]


def first(monkeypatch, log, meanwhile):
    """Let something happen behind what a writer has read and before its append, once."""
    name, still = "append_decided" if isinstance(log, Deciding) else "append", [meanwhile]
    real = getattr(log, name)

    def append(*arguments, **options):
        if still:
            still.pop()()
        return real(*arguments, **options)

    monkeypatch.setattr(log, name, append)


def test_a_claim_that_met_another_one_is_decided_again(log, one, other, born, monkeypatch):
    born(one, "a")
    born(other, "b")
    first(monkeypatch, log, lambda: one.claim("a", "file", "plan.md"))
    assert other.claim("b", "file", "plan.md").holder == "a"
