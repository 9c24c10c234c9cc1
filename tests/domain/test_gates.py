"""What fits a gate and what does not; refusals say what can be answered instead."""

import pytest
from tests.builders import CHOOSE, CONTINUE, FINISH, feedback
from workbench.domain.errors import UsageError
from workbench.domain.loop.deciding.gates import Answer, Choice, Gate, Note, check_answer


def gate(kind, *answers, **more):
    choices = tuple(Choice(kind=answer, label=answer, consequence="something happens") for answer in answers)
    return Gate(id="g1", kind=kind, question="?", choices=choices, **more)


APPROACH = gate("approach", "choose", "feedback", "reject", options=("A1", "A2"))
QUESTION = gate("question", "answer", "skip")
CHECKPOINT = gate("checkpoint", "continue", "feedback", "edit", "finish", "stop", reason="interval")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (APPROACH, CHOOSE),
        (APPROACH, feedback("Cheaper")),
        (APPROACH, Answer(kind="reject")),
        (QUESTION, Answer(kind="answer", text="Yes")),
        (QUESTION, Answer(kind="skip")),
        (CHECKPOINT, CONTINUE),
        (CHECKPOINT, FINISH),
        (CHECKPOINT, Answer(kind="stop")),
        (CHECKPOINT, Answer(kind="edit", text="## Goal")),
        (CHECKPOINT, Answer(kind="feedback", notes=(Note(section="steps", text="Too late"),))),
    ],
)
def test_fits(asked, answer):
    check_answer(asked, answer)


@pytest.mark.parametrize(
    ("asked", "answer", "message", "remedy"),
    [
        (APPROACH, CONTINUE, "^An approach gate cannot be answered with 'continue'", "choose, feedback, reject"),
        (APPROACH, Answer(kind="choose", choice="A9"), "no approach 'A9'", "A1, A2"),
        (APPROACH, Answer(kind="choose"), "no approach ''", "A1, A2"),
        (APPROACH, feedback(" \n"), "feedback is empty", "Say what should change"),
        (QUESTION, Answer(kind="answer", text=" "), "answer is empty", "skip the question"),
        (QUESTION, FINISH, "question gate cannot be answered with 'finish'", "answer, skip"),
        (CHECKPOINT, CHOOSE, "checkpoint gate cannot be answered with 'choose'", "continue, feedback, edit"),
        (CHECKPOINT, Answer(kind="edit", text="\n"), "edited plan is empty", "Edit it again"),
        (CHECKPOINT, Answer(kind="feedback", notes=(Note(section="s", text=" "),)), "feedback is empty", "sentence"),
    ],
)
def test_does_not_fit(asked, answer, message, remedy):
    with pytest.raises(UsageError, match=message) as error:
        check_answer(asked, answer)
    assert remedy in error.value.remedy
