"""Bodies of older versions are read step by step; newer ones are kept without effect."""

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import created, told
from workbench.domain.errors import LogDamaged
from workbench.domain.log.bodies import upgrade
from workbench.domain.session import events as say

STEPS = {
    ("session.renamed", 1): lambda fields: {"title": fields["called"]},
    ("session.renamed", 2): lambda fields: {"name": fields["title"].strip()},
}


def test_each_version_is_one_small_step():
    body = msgspec.Raw(b'{"called": " Billing "}')
    assert bytes(upgrade("session.renamed", 1, 3, body, STEPS)) == b'{"name":"Billing"}'
    assert bytes(upgrade("session.renamed", 2, 3, msgspec.Raw(b'{"title":"B"}'), STEPS)) == b'{"name":"B"}'


def test_a_missing_step_says_which_version_would_be_needed():
    with pytest.raises(LogDamaged, match=r"Version 2 of 'session\.renamed'") as error:
        upgrade("session.renamed", 1, 3, msgspec.Raw(b'{"called":"x"}'), {("session.renamed", 1): dict})
    assert "version that wrote it" in error.value.remedy


def test_an_older_body_is_upgraded_when_it_is_read(monkeypatch):
    event = told(created())[0]
    monkeypatch.setitem(say.VERSIONS, "session.created", 2)
    with pytest.raises(LogDamaged, match=r"Version 1 of 'session\.created'"):
        say.content(event)


@pytest.mark.parametrize("change", [{"kind": "session.dreamt"}, {"v": 99}])
def test_a_kind_or_version_that_is_not_known_stays_unknown(change):
    event = replace(told(created())[0], **change)
    assert say.content(event) == say.Unknown(kind=event.kind, v=event.v)


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"name":7}', b"nonsense", b'"\xff"'])
def test_a_body_that_does_not_say_what_its_kind_should_is_damage(body):
    event = replace(told(created(), say.SessionRenamed(name="x"))[1], body=msgspec.Raw(body))
    with pytest.raises(LogDamaged, match=r"session\.renamed.*repair"):
        say.content(event)


def test_fields_that_came_later_are_not_needed_and_ones_to_come_are_passed_over():
    event = told(created(), say.RatingGiven(stars=4))[1]
    assert say.content(replace(event, body=msgspec.Raw(b'{"stars":4,"mood":"sunny"}'))) == say.RatingGiven(stars=4)
