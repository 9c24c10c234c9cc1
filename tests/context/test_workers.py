"""Workers: what they get is frozen, what they may spend adds up, what they bring is capped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.context.conversations import NOVA, SESSION, numbered, reply, user, words
from workbench.context.workers import (
    LEAST_ALLOWANCE,
    MOST_EVIDENCE,
    MOST_QUESTIONS,
    Report,
    capped,
    carve,
    dispatch,
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
