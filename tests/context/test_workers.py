"""Workers: what they may spend adds up, what they bring is capped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.context.conversations import words
from workbench.domain.errors import UsageError
from workbench.domain.session.events import WorkerReported
from workbench.models.tokens import estimate_tokens
from workbench.planning.working import LEAST_ALLOWANCE, MOST_EVIDENCE, MOST_QUESTIONS, capped, share


@given(st.integers(-50_000, 200_000), st.integers(1, 12))
def test_what_children_may_spend_never_exceeds_what_is_free(free, count):
    try:
        allowance = share(free, count)
    except UsageError:
        assert free // count < LEAST_ALLOWANCE
        return
    assert allowance * count <= free
    assert allowance >= LEAST_ALLOWANCE


def test_too_many_workers_for_what_is_left_is_an_error():
    with pytest.raises(UsageError, match="1,000 tokens are too few for 3 workers"):
        share(1_000, 3)


@given(st.text(max_size=2_000), st.integers(1, 300))
def test_an_answer_is_capped(text, most):
    answer = capped(WorkerReported(worker="nova.1", agent="nova", answer=text), most).answer
    assert estimate_tokens(answer) <= most
    assert answer == text or len(answer) < len(text)


def test_lists_are_capped_and_each_evidence_named_once():
    ids = [f"e{n % 60}" for n in range(200)]
    report = WorkerReported(
        worker="nova.1", agent="nova", answer="A", evidence=tuple(ids), open_questions=(words(500),) * 50
    )
    short = capped(report, 100)
    assert short.evidence == tuple(f"e{n}" for n in range(MOST_EVIDENCE))
    assert len(short.open_questions) == MOST_QUESTIONS
    assert all(len(question) <= 400 for question in short.open_questions)
