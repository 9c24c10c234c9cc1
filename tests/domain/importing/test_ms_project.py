"""MS-Project XML of other programs as a plan."""

from __future__ import annotations

from datetime import date

import pytest
from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Days, DaysOff, Effort, Lag, Money, WorkingTime

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
PROJECT = """\
<Project xmlns="http://schemas.microsoft.com/project">
<Title>New office</Title><CalendarUID>3</CalendarUID><MinutesPerDay>420</MinutesPerDay><CurrencyCode>CHF</CurrencyCode>
<Calendars><Calendar><UID>3</UID><Name>Standard</Name>
<WeekDays>
<WeekDay><DayType>2</DayType><DayWorking>1</DayWorking></WeekDay>
<WeekDay><DayType>3</DayType><DayWorking>1</DayWorking></WeekDay>
<WeekDay><DayType>6</DayType><DayWorking>0</DayWorking></WeekDay>
</WeekDays>
<Exceptions><Exception><TimePeriod><FromDate>2027-08-01T00:00:00</FromDate><ToDate>2027-08-01T23:59:00</ToDate>
</TimePeriod><Name>National day</Name><DayWorking>0</DayWorking></Exception></Exceptions></Calendar></Calendars>
<Tasks>
<Task><UID>0</UID><Name>New office</Name><OutlineLevel>0</OutlineLevel></Task>
<Task><UID>10</UID><Name>Building</Name><OutlineLevel>1</OutlineLevel><GUID>3F2504E0-4F89-11D3-9A0C-0305E82C3301</GUID></Task>
<Task><UID>11</UID><Name>Rooms</Name><OutlineLevel>2</OutlineLevel><Duration>PT70H0M0S</Duration></Task>
<Task><UID>12</UID><Name>Measure the rooms</Name><OutlineLevel>3</OutlineLevel><Duration>PT14H0M0S</Duration>
<PercentComplete>100</PercentComplete><ActualStart>2027-03-01T08:00:00</ActualStart>
<ActualFinish>2027-03-02T17:00:00</ActualFinish><Cost>125000</Cost><Contact>Ms Rossi</Contact></Task>
<Task><UID>13</UID><Name>Paint</Name><OutlineLevel>3</OutlineLevel><Duration>PT21H0M0S</Duration>
<PercentComplete>50</PercentComplete><ConstraintType>4</ConstraintType><ConstraintDate>2027-04-01T08:00:00</ConstraintDate>
<PredecessorLink><PredecessorUID>12</PredecessorUID><Type>1</Type><LinkLag>43200</LinkLag><LagFormat>8</LagFormat>
</PredecessorLink><PredecessorLink><PredecessorUID>12</PredecessorUID><Type>3</Type></PredecessorLink></Task>
<Task><UID>14</UID><Name>Paint dries</Name><OutlineLevel>1</OutlineLevel><Duration>PT48H0M0S</Duration>
<DurationFormat>8</DurationFormat>
<PredecessorLink><PredecessorUID>10</PredecessorUID><Type>1</Type></PredecessorLink></Task>
<Task><UID>15</UID><Name>Move in</Name><OutlineLevel>1</OutlineLevel><Duration>PT0H0M0S</Duration>
<Milestone>1</Milestone><ConstraintType>2</ConstraintType><ConstraintDate>2027-06-01T08:00:00</ConstraintDate>
<Notes>Keys from the porter
Bring boxes</Notes>
<PredecessorLink><PredecessorUID>14</PredecessorUID><Type>1</Type><LinkLag>4200</LinkLag><LagFormat>7</LagFormat>
</PredecessorLink></Task>
</Tasks>
<Resources><Resource><UID>1</UID><Name>Ada</Name></Resource><Resource><UID>2</UID><Name>Crane</Name></Resource></Resources>
<Assignments><Assignment><TaskUID>13</TaskUID><ResourceUID>1</ResourceUID></Assignment></Assignments>
</Project>
"""


def read(text: str) -> Imported:
    return import_plan(text, name="office.xml", today=date(2027, 1, 4))


def test_a_project_of_others_keeps_phases_parts_owners_and_what_was_done() -> None:
    imported = read(HEAD + PROJECT)
    rooms, measure, paint, drying, move = imported.plan.steps
    assert imported.plan.title == "New office"
    assert (rooms.workstream, rooms.effort, rooms.parent) == ("Building", None, "")
    assert (measure.parent, measure.status, measure.effort) == (rooms.id, "done", Effort(2, 2, 2))
    assert (measure.started, measure.finished) == ("2027-03-01", "2027-03-02")
    assert (measure.cost.amount, measure.cost.currency) == (Money(measure.cost.amount, "CHF").amount, "CHF")
    assert str(measure.cost.amount) == "1250.00", "in hundredths there"
    assert (paint.status, paint.left, paint.owner) == ("under-way", 1.5, "Ada")
    assert (paint.not_before, paint.lags) == ("2027-04-01", (Lag(measure.id, 3.0, elapsed=True),))
    assert (drying.waiting, drying.needs) == (2.0, (rooms.id, measure.id, paint.id))
    assert (move.milestone, move.on, move.lags) == (True, "2027-06-01", (Lag(drying.id, 1.0),))
    assert move.notes == "Keys from the porter\nBring boxes"
    off, week = (next(one for one in imported.plan.items if isinstance(one, kind)) for kind in (DaysOff, WorkingTime))
    assert (off.text, off.days) == ("National day", (Days("2027-08-01", "2027-08-01"),))
    assert week.weekdays == (1, 2, 3, 4), "those that it does not name are ordinary"


def test_what_has_no_place_is_named_and_no_word_of_a_person_is_lost() -> None:
    imported = read(HEAD + PROJECT)
    assert [one.text for one in imported.not_placed] == ["Paint: start to start with uid-12", "Crane"]
    assert "Contact: Ms Rossi" in imported.plan.steps[1].notes
    assert len(imported.lines) == len((HEAD + PROJECT).splitlines())
    assert sum(fate.kind == "step" for fate in imported.lines) == len(imported.plan.steps)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'{HEAD}<!DOCTYPE Project [<!ENTITY a "b">]>\n{PROJECT}', "defines words of its own"),
        (f'{HEAD}<!DOCTYPE Project SYSTEM "file:///etc/passwd">\n{PROJECT}', "defines words of its own"),
        (HEAD + PROJECT.replace("</Tasks>", ""), "no whole XML: mismatched tag"),
        (f"{HEAD}<svg></svg>", "cannot be read as a plan"),
    ],
)
def test_xml_that_is_broken_or_defines_entities_is_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read(text)


def test_signs_that_xml_can_hide_come_out_visible() -> None:
    plan = read(HEAD + PROJECT.replace("Paint dries", "Paint&#x202E; dries")).plan
    assert not any("\u202e" in step.title for step in plan.steps)
    assert any("Paint" in step.title and "dries" in step.title for step in plan.steps)
