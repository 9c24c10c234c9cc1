"""``workbench sessions fork | rewind | redo``."""


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


def test_a_fork_of_a_file_and_one_of_a_fork_are_sessions_of_their_own(workbench, finished, tmp_path):
    file = next(tmp_path.rglob(f"{finished}.jsonl"))
    first = workbench("sessions", "fork", str(file), "--json").last["session"]
    second = workbench("sessions", "fork", first, "--json").last["session"]
    assert len({finished, first, second}) == 3
    for session in (first, second):
        assert workbench("resume", session).code == 3
        assert workbench("resume", session, "--finish").code == 0
        assert workbench("audit", session).code == 0


def test_no_such_event_is_one_sentence(workbench, finished):
    refused = workbench("sessions", "fork", finished, "--at", "9999")
    assert (refused.code, refused.out) == (2, "")
    assert "There is no event 9,999" in refused.err or "There is no event 9999" in refused.err


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


def test_another_answer_after_a_rewind_makes_another_plan_and_is_audited(workbench, finished):
    workbench("sessions", "rewind", finished)
    other = workbench("resume", finished, "--feedback", "Add a step: tell the auditors in May.", "--json")
    assert other.code in (0, 3), other.err
    assert "auditors" in workbench("sessions", "show", finished).out
    assert workbench("audit", finished).code == 0
    assert workbench("sessions", "redo", finished).code == 2, "what was taken back is left behind by now"


def test_where_nothing_was_decided_nothing_is_rewound(workbench):
    session = workbench("run", "Move the office by May 2028", "--json").last["session"]
    refused = workbench("sessions", "redo", session)
    assert refused.code == 2
    assert "fork the session" in refused.err
