"""The course of a session: each event in one line."""

from tests.builders import created, told
from workbench.domain.session import events as say
from workbench.domain.statements.statement import Cut
from workbench.replay import course


def test_a_kind_without_a_line_of_its_own_is_told_by_its_fields(monkeypatch):
    monkeypatch.delitem(course._TOLD, say.RatingGiven)
    _, event = told(created(), say.RatingGiven(stars=4, note="clear\x1b[31m"))
    assert course.moment(event).text == "stars: 4, note: clear␛[31m, round: 0"


def test_a_reply_is_told_with_what_was_cached_and_reasoned():
    reply = say.CallFinished(
        call="c1", text="{}", input_tokens=900, output_tokens=100, cost=0.5, estimated=False, seconds=2.0, model="m",
        reason="stop", cached_tokens=800, reasoning_tokens=60,
    )  # fmt: skip
    _, event = told(created(), reply)
    assert course.moment(event).text == "m replied: 1,000 tokens (800 cached, 60 for reasoning), $0.5000, 2.0 s"


def test_what_became_of_a_reply_is_told():
    events = (
        say.CallNoted(call="c1", note="The reply was cut off, and continued from there."),
        say.ReplyMended(call="c1", notes=("It was not quite JSON.", "findings[1] was left out.")),
    )
    _, *moments = told(created(), *events)
    assert [course.moment(event).text for event in moments] == [
        "The reply was cut off, and continued from there.",
        "reply read, with changes: It was not quite JSON. findings[1] was left out.",
    ]


def test_no_line_shows_how_python_writes_a_value(monkeypatch):
    read = say.StatementsRead(source="goal", statements=(Cut(id="G1", start=0, end=4, hash="0" * 12),))
    _, event = told(created(), read)
    assert course.moment(event).text == "cut goal into G1"
    monkeypatch.delitem(course._TOLD, say.StatementsRead)
    assert course.moment(event).text == "source: goal, statements: G1 0 4 000000000000"
