"""The course of a session: each event in one line."""

from tests.builders import created, told
from workbench.domain.session import events as say
from workbench.domain.statements.statement import Cut
from workbench.replay import course


def test_a_kind_without_a_line_of_its_own_is_told_by_its_fields(monkeypatch):
    monkeypatch.delitem(course._TOLD, say.RatingGiven)
    _, event = told(created(), say.RatingGiven(stars=4, note="clear\x1b[31m"))
    assert course.moment(event).text == "stars: 4, note: clear␛[31m, round: 0"


def test_no_line_shows_how_python_writes_a_value(monkeypatch):
    read = say.StatementsRead(source="goal", statements=(Cut(id="G1", start=0, end=4, hash="0" * 12),))
    _, event = told(created(), read)
    assert course.moment(event).text == "cut goal into G1"
    monkeypatch.delitem(course._TOLD, say.StatementsRead)
    assert course.moment(event).text == "source: goal, statements: G1 0 4 000000000000"
