"""What must hold of a shared log, whatever befell those who wrote it and those who followed."""

from collections import Counter
from itertools import islice

from tests.chains import is_sound
from tests.sharing.managers import manager
from workbench.domain.shared import events as say
from workbench.domain.shared.context import SharedState, fold
from workbench.domain.shared.input import OWN
from workbench.domain.shared.merge import ABSENT
from workbench.sharing.snapshot import Snapshot


def check_history(log, *, acknowledged, seen):
    """Check the stream and what was said of it; return its events.

    ``acknowledged``: seq → hash. ``seen``: for each follower where it began, and (seq, hash) of what it was told.
    """
    events = list(log.read("events"))
    assert is_sound(log, "events"), "the chain holds"
    assert [event.seq for event in events] == list(range(1, len(events) + 1)), "dense"
    assert len({event.id for event in events}) == len(events), "none is there twice"
    hashes = {event.seq: event.hash for event in events}
    assert acknowledged.items() <= hashes.items(), "every acknowledged event is where it was acknowledged"
    everything = list(hashes.items())
    for after, told in seen:
        assert told == everything[after : after + len(told)], "each follower was told exactly what is in the log"
    return events


def check_state(log, events, *, snapshot):
    """Check that the state is the fold of the log, also where it begins with a snapshot."""
    before = fold(events)
    for kept in (None, Snapshot(snapshot)):
        later = manager(log, snapshot=kept).state()
        between = islice(log.read("events", after=before.seq), later.seq - before.seq)  # others may go on meanwhile
        assert fold(between, before) == later, "the state is the fold of the log"


def check_once(events):
    """Check that no change was made twice; it is known by the value asked for: ``{"by": session, "number": …}``."""
    asked = Counter()
    for body in map(say.content, events):
        value = body.mine if isinstance(body, say.KeyMerged) else body.value if isinstance(body, say.KeySet) else None
        if isinstance(value, dict) and "by" in value:
            asked[value["by"], value["number"]] += 1
    assert max(asked.values(), default=1) == 1, "no change was made twice"


def check_versions(shown):
    """Check that each key's versions are counted without a gap, in events as they are shown."""
    versions = Counter()
    there = set()
    for event in shown:
        key = event.key
        if event.event_type == "leave":  # what a session said that it is at goes with it
            key = OWN + event.session_id
            versions[key] += key in there
            there.discard(key)
        elif key:
            versions[key] += 1
            assert event.version == versions[key], "the versions of a key are dense"
            (there.discard if event.value is ABSENT else there.add)(key)


def check_leases(events):
    """Check that at every moment leases are of those who take part, and that who joins anew holds nothing."""
    state = SharedState()
    for event in events:
        state = fold([event], state)
        lines = [lease.line for lease in state.leases.values()]
        assert all(len(set(line)) == len(line) and set(line) <= state.members.keys() for line in lines)
        if event.kind == "session.joined":
            assert not any(event.session in line for line in lines), "a new life holds nothing"
