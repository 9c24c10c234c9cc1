"""The course of a session: each event in one line."""

from tests.builders import created, told
from workbench.domain.session import events as say
from workbench.replay import course


def test_a_kind_without_a_line_of_its_own_is_told_by_its_fields(monkeypatch):
    monkeypatch.delitem(course._TOLD, say.RatingGiven)
    _, event = told(created(), say.RatingGiven(stars=4, note="clear\x1b[31m"))
    assert course.moment(event).text == "stars: 4, note: clear␛[31m"
