"""``workbench sessions fork | rewind | redo``."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import as_draft
from tests.doctored import created, said, write_session
from tests.replay.verified_sessions import sealed
from workbench.storage.files.session_file import read_session_file, session_file

SAMPLE = Path(__file__).parents[2] / "sessions" / "move-billing-provider-demo.jsonl"


def test_a_fork_begins_with_the_other_one_and_asks_before_it_goes_on(workbench, finished):
    at = next(line["seq"] for line in workbench("replay", finished, "--json").lines if line["kind"] == "plan.verified")

    forked = workbench("sessions", "fork", finished, "--at", str(at), "--name", "Dearer", "--json")

    assert forked.code == 0, forked.err
    fork = forked.last["session"]
    assert forked.last == {"schema": "workbench.fork/1", "session": fork, "origin": finished, "at": at}
    listed = {line["session"]: line for line in workbench("sessions", "list", "--json").lines}
    assert listed[fork]["events"] == at + 1
    assert workbench("resume", fork).code == 3, "a gate asks"
    went_on = workbench("resume", fork, "--approve", "all", "--json")
    assert went_on.last["status"] == "finished"
    again = {line["session"]: line for line in workbench("sessions", "list", "--json").lines}
    assert again[finished] == listed[finished], "the origin is untouched"
    assert workbench("audit", fork).code == 0


@pytest.mark.cases(6)
@pytest.mark.parametrize("kind", ["plan.verified", "call.finished", "actions.prepared", "session.finished"])
@pytest.mark.parametrize(
    "answer", [("--finish",), ("--feedback", "Cheaper, please."), ("--continue",), ("--edit", "p.md")]
)
def test_every_answer_works_right_away_wherever_it_was_forked(workbench, finished, kind, answer, tmp_path):
    (tmp_path / "p.md").write_text("# Ours\n\n## Goal\n\nNobody pays twice.\n")
    course = [line["kind"] for line in workbench("replay", finished, "--json").lines]
    at = len(course) - course[::-1].index(kind)
    fork = workbench("sessions", "fork", finished, "--at", str(at), "--json").last["session"]

    answered = workbench("resume", fork, *answer, "--json")

    assert answered.code in (0, 3), answered.err
    told = workbench("replay", fork, "--json").lines
    asked, decided = (
        next(line for line in told[at:] if line["kind"] == f"gate.{what}") for what in ("opened", "answered")
    )
    assert decided["seq"] == asked["seq"] + 1
    assert "call.started" not in [line["kind"] for line in told[at : asked["seq"]]], "it asks before it spends anything"
    assert workbench("replay", fork, "--verify").code == 0


def test_a_fork_of_a_file_and_one_of_a_fork_are_sessions_of_their_own(workbench, finished, tmp_path):
    file = next(tmp_path.rglob(f"{finished}.jsonl"))
    first = workbench("sessions", "fork", str(file), "--json").last["session"]
    second = workbench("sessions", "fork", first, "--json").last["session"]
    assert len({finished, first, second}) == 3
    for session in (first, second):
        assert workbench("resume", session).code == 3
        assert workbench("resume", session, "--finish").code == 0
        assert workbench("audit", session).code == 0


@pytest.mark.parametrize("damage", ["garbled", "unreadable"])
def test_a_damaged_file_is_forked_in_front_of_the_damage_and_not_behind_it(workbench, tmp_path, damage):
    file = tmp_path / "damaged.jsonl"
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    if damage == "garbled":
        file.write_bytes(b"".join([*lines[:20], b"x\n", *lines[21:]]))
    else:
        drafts = [as_draft(event) for event in read_session_file(SAMPLE)]
        drafts[19] = replace(drafts[19], body=msgspec.Raw(b'{"what":"?"}'), kind="plan.changed")
        file.write_bytes(session_file(sealed(SAMPLE.stem, drafts)))

    forked = workbench("sessions", "fork", str(file), "--at", "15", "--json")

    assert forked.code == 0, forked.err
    assert f"{file} is damaged at line 21, where event 20 should be" in forked.err
    assert "The fork has the events before it" in forked.err
    fork = forked.last["session"]
    assert len(workbench("replay", fork, "--json").lines) == 16
    assert workbench("replay", fork, "--verify").code == 0
    before = workbench("sessions", "list", "--json").out
    for at in (("--at", "20"), ("--at", "40"), ()):
        refused = workbench("sessions", "fork", str(file), *at)
        assert (refused.code, refused.out) == (1, "")
        assert "where event 20 should be" in refused.err
        assert "from 1 to 19" in refused.err
    refused = workbench("sessions", "fork", str(file), "--at", "0")
    assert (refused.code, refused.out) == (2, "")
    assert "There is no event 0" in refused.err
    assert workbench("sessions", "list", "--json").out == before


def test_rewind_opens_the_last_gate_again_and_redo_finishes_again(workbench, finished):
    before = workbench("sessions", "show", finished, "--json").last

    rewound = workbench("sessions", "rewind", finished)

    assert rewound.code == 0, rewound.err
    assert "waiting" in rewound.out
    assert "sessions redo" in rewound.out
    listed = workbench("sessions", "list", "--json").last
    assert listed["status"] == "waiting"
    redone = workbench("sessions", "redo", finished, "--json")
    assert redone.last["status"] == "finished"
    after = workbench("sessions", "show", finished, "--json").last
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"updated", "events"}
    assert workbench("audit", finished).code == 0


def test_a_file_with_one_id_twice_is_forked_before_the_second(workbench, tmp_path):
    renamed = [said("session.renamed", {"name": f"name {number}"}, id=f"s:{number}") for number in (2, 3, 2, 5)]
    file = write_session(tmp_path / "s.jsonl", created(), *renamed)
    for at in ((), ("--at", "4")):
        refused = workbench("sessions", "fork", str(file), *at)
        assert (refused.code, refused.out) == (1, "")
        assert refused.err == "workbench: Events 2 and 4 have the same id. Fork at one from 1 to 3.\n"
    assert workbench("sessions", "list", "--json").out == ""
    assert workbench("sessions", "fork", str(file), "--at", "3").code == 0
