"""Opening a recording: as reading gives it, and of a damaged file what can be salvaged, told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import created, told
from tests.doctored import created as created_anywhere
from tests.doctored import said, write_session
from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Damage
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.replay.opening import open_recording, open_recording_file
from workbench.storage.files.damage.salvage import Salvage
from workbench.storage.files.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))
EVENTS = tuple(told(created(), *(say.SessionRenamed(name=f"{number}") for number in range(2, 8))))


def read_until(count):
    yield from EVENTS[:count]
    raise LogDamaged("It is damaged.")


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_a_sound_file_is_opened_as_it_is_read(file):
    told = []
    opened = open_recording_file(file, on_progress=told.append)
    events = tuple(read_session_file(file))
    assert opened.recording.events == events == opened.beyond().events
    assert opened.recording.damages == ()
    assert (opened.behind, opened.further) == ((), ())
    assert told[-1] == len(events)


def test_of_a_damaged_one_what_is_before_is_a_recording_and_what_is_behind_is_kept_apart():
    damages = (Damage(4, 3, "a"), Damage(6, 5, "b"))
    told = []
    opened = open_recording(
        lambda: read_until(1), lambda: Salvage(EVENTS[:2], damages, EVENTS[4:]), on_progress=told.append
    )
    assert opened.recording.events == EVENTS[:2]
    assert opened.recording.damages == damages[:1]
    assert (opened.behind, opened.further) == (EVENTS[4:], damages[1:])
    beyond = opened.beyond()
    assert beyond.damages == damages
    assert beyond.state_at(7) == fold((*EVENTS[:2], *EVENTS[4:]))
    assert told[-1] == 2


@pytest.mark.parametrize(
    "salvaged",
    [Salvage((), (), ()), Salvage((), (Damage(2, 1, "a"),), ()), Salvage(EVENTS, (), ())],
    ids=["a server's", "nothing", "mended meanwhile"],
)
def test_where_salvaging_gives_nothing_the_error_of_reading_stays(salvaged):
    with pytest.raises(LogDamaged, match="It is damaged"):
        open_recording(lambda: read_until(1), lambda: salvaged)


def test_an_event_that_cannot_be_folded_is_damage_of_its_file(tmp_path):
    renamed = said("session.renamed", {"name": "Other"})
    begun = created_anywhere()
    path = write_session(tmp_path / "s.jsonl", begun, said("session.renamed", {"name": 3}), begun, renamed)
    opened = open_recording_file(path)
    assert opened.recording.length == 1
    assert opened.recording.damages[0].seq == 2
    assert [damage.seq for damage in opened.further] == [3]
    assert opened.beyond().state_at(4).name == "Other"
