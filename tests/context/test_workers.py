"""Workers: what they get is frozen, what they may spend adds up, and what they bring is the same in either order."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.context.conversations import NOVA, SESSION, calling, entry, numbered, reply, result, user, words
from workbench.context.entry import is_visible
from workbench.context.workers import (
    LEAST_ALLOWANCE,
    MOST_EVIDENCE,
    MOST_QUESTIONS,
    Report,
    capped,
    carve,
    dispatch,
    left_after,
    merged,
    salvage,
)
from workbench.domain.errors import UsageError
from workbench.models.tokens import estimate_tokens

TALK = numbered(user("Compare the three printers."), reply("I ask three workers."))


def sent(count=3, left=10_000, reserve=1_000):
    return dispatch(
        "w1",
        [f"Printer {n}" for n in range(1, count + 1)],
        TALK,
        session=SESSION,
        agent=NOVA,
        left=left,
        reserve=reserve,
    )


@given(st.integers(0, 200_000), st.integers(0, 50_000), st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_what_children_may_spend_and_the_reserve_never_exceed_what_is_left(left, reserve, weights):
    try:
        allowances = carve(left, weights, reserve=reserve)
    except UsageError:
        assert (left - reserve) * min(weights) // sum(weights) < LEAST_ALLOWANCE
        return
    assert sum(allowances) + reserve <= left
    assert min(allowances) >= LEAST_ALLOWANCE
    assert len(allowances) == len(weights)


def test_what_was_not_spent_is_the_parents_again():
    first, second, _ = sent()
    reports = [Report(worker=first.worker, answer="A", spent=700), Report(worker=second.worker, answer="B", spent=2)]
    assert left_after(10_000, reports) == 9_298


def test_a_worker_is_given_a_copy_labelled_as_its_parents():
    first, *_ = sent()
    assert (first.worker, first.task, first.agent, first.allowance) == ("w1.1", "Printer 1", NOVA, 3_000)
    assert [(one.text, one.source) for one in first.entries] == [(one.text, "parent") for one in TALK]
    assert {one.hash for one in sent()} == {first.hash}
    with pytest.raises(AttributeError):
        first.entries = ()


def test_too_many_workers_for_what_is_left_is_an_error():
    with pytest.raises(UsageError, match="too few for 3 workers"):
        sent(left=2_000)


REPORTS = [Report(worker=f"w1.{n}", answer=f"Printer {n} costs {n}00 euros.") for n in (1, 2, 3, 10)]


def test_reports_merge_to_the_same_context_in_any_order():
    snapshot = sent()[0]
    contexts = set()
    for order in permutations(REPORTS):
        context = TALK
        for report in order:
            context = merged(context, snapshot, report)
        contexts.add(context)
    [context] = contexts
    assert context[:2] == TALK
    assert [one.id for one in context[2:]] == ["worker:w1.1", "worker:w1.2", "worker:w1.3", "worker:w1.10"]
    assert merged(context, snapshot, REPORTS[1]) == context, "a report that comes twice changes nothing"


def test_what_was_said_since_is_not_moved_behind_a_report():
    snapshot = sent()[0]
    later = (*merged(TALK, snapshot, REPORTS[1]), *numbered(user("And?"), start=9))
    assert [one.text for one in merged(later, snapshot, REPORTS[0])][3:] == ["And?", "Printer 1 costs 100 euros."]


def test_a_report_is_seen_by_the_agent_that_sent_the_worker_and_by_no_other():
    report = merged(TALK, sent()[0], REPORTS[0])[-1]
    assert (report.role, report.source) == ("artefact", "worker")
    assert is_visible(report, SESSION, NOVA)
    assert is_visible(report, SESSION, None)
    assert not is_visible(report, SESSION, "aniza")
    assert is_visible(entry("artefact", "A finding."), SESSION, "aniza"), "other artefacts are for all"


@given(st.text(max_size=2_000), st.integers(1, 300))
def test_an_answer_is_capped(text, most):
    answer = capped(Report(worker="w1.1", answer=text), most).answer
    assert estimate_tokens(answer) <= most
    assert answer == text or len(answer) < len(text)


def test_lists_are_capped_and_each_evidence_named_once():
    ids = [f"e{n % 60}" for n in range(200)]
    report = Report(worker="w1.1", answer="A", evidence=tuple(ids), open_questions=(words(500),) * 50)
    short = capped(report, 100)
    assert short.evidence == tuple(f"e{n}" for n in range(MOST_EVIDENCE))
    assert len(short.open_questions) == MOST_QUESTIONS
    assert all(len(question) <= 400 for question in short.open_questions)


def test_an_exhausted_worker_still_brings_what_it_has():
    snapshot = sent()[0]
    transcript = numbered(
        user("Printer 1"), calling("c1"), result("c1", "300 euros"), reply("It costs 300 euros."), calling("c2")
    )
    report = salvage(snapshot, transcript, spent=3_000)
    assert report == Report(
        worker="w1.1",
        answer="It costs 300 euros.",
        evidence=("s-1:3",),
        open_questions=("Printer 1",),
        spent=3_000,
        is_complete=False,
    )
    assert merged(TALK, snapshot, report)[-1].text == (
        "It costs 300 euros.\nOpen: Printer 1\nIt was not done when its tokens were used up."
    )
    assert "brought no answer" in merged(TALK, snapshot, salvage(snapshot, (), spent=0))[-1].text
