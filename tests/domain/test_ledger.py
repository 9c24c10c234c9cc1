"""What became of each fact of a person: acted on, asked, not understood, dismissed."""

from decimal import Decimal
from types import SimpleNamespace

import pytest
from workbench.domain.facts import ledger
from workbench.domain.facts.findings import open_facts
from workbench.domain.facts.ledger import account, dismissal, stated
from workbench.domain.facts.wording import in_words, reading_of
from workbench.domain.loop.fact_reading import unread_facts
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Days,
    DaysOff,
    Decision,
    Effort,
    Money,
    Origin,
    Person,
    Plan,
    Question,
    Risk,
    Section,
    Step,
    WorkingTime,
)
from workbench.domain.values.fact import Fact, Value

DEADLINE = Value(first="2027-06-30", last="2027-06-30", limit="2027-06-30")


def plan_of(*items):
    return Plan(title="", sections=(Section(id="steps", title="Steps", items=items),))


def step(number, **fields):
    return Step(id=f"S{number}", **{"title": f"Step {number}", **fields})


def fact(text, kind="deliverable", role="", *, start=0, doubt="", **value):
    return Fact(text=text, start=start, end=start + len(text), type=kind, role=role, value=Value(**value), doubt=doubt)


def deadline(text="by 30 June 2027", day="2027-06-30", **more):
    return fact(text, "date", "deadline", first=day, last=day, limit=day, **more)


def entries(*facts, plan=None, dismissed=(), source="goal"):
    return account(stated(facts, source, ()), plan, dismissed)


def test_ids_go_on_where_those_before_end():
    first = stated([deadline(), fact("Move billing")], "goal", ())
    more = stated([fact("Train everybody")], "F1", first)
    assert [one.id for one in (*first, *more)] == ["G1", "G2", "G3"]
    assert first[0].hash != first[1].hash


def test_without_a_plan_nothing_is_acted_on_yet():
    assert [entry.status for entry in entries(deadline(), fact("asdf", "unread"))] == ["asked", "not understood"]


USED = [
    (deadline(), Constraint(id="K1", text="In time", day="2027-06-30")),
    (deadline(), Criterion(id="C1", text="Moved", due="2027-06-30")),
    (deadline(), step(1, deadline="2027-06-30")),
    (fact("on 3 May", "date", "on", first="2027-05-03", last="2027-05-03"), step(1, on="2027-05-03")),
    (
        fact("not before 1 June", "date", "start", first="2027-06-01", limit="2027-06-01"),
        step(1, not_before="2027-06-01"),
    ),
    (
        fact("away 3–14 May", "date", "period", first="2027-05-03", last="2027-05-14"),
        Person(id="P1", text="Anna", away=(Days("2027-05-03", "2027-05-14"),)),
    ),
    (
        fact("closed 24 to 31 December", "date", "period", first="2027-12-24", last="2027-12-31"),
        DaysOff(id="H1", text="Closed", days=(Days("2027-12-24", "2027-12-31"),)),
    ),
    (
        fact("only on Saturdays", "date", "period", recurs="FREQ=WEEKLY;BYDAY=SA"),
        WorkingTime(id="W1", weekdays=(6,)),
    ),
    (
        fact("at most 20k EUR", "amount", "budget", number=20000, currency="EUR"),
        Constraint(id="K1", text="Budget", amount=Money(Decimal(20000), "EUR")),
    ),
    (
        fact("120 guests", "amount", "count", number=120, unit="guests"),
        Criterion(id="C1", text="All 120 guests have a seat"),
    ),
    (fact("two weeks", "duration", number=2, unit="week"), step(1, effort=Effort(8, 10, 12))),
    (fact("five days", "duration", number=5, unit="day"), step(1, waiting=5)),
    (fact("2.5 hours a week", "capacity", number=2.5, unit="hour", per="week"), Person(id="P1", text="Me", hours=2.5)),
    (fact("Anna", "person", name="Anna"), step(1, owner="Anna")),
    (fact("in Leeds", "place", name="Leeds"), step(1, title="Rent a hall in Leeds")),
    (fact("Train the volunteers"), step(1, title="Train all the volunteers")),
    (fact("without downtime", "exclusion"), Constraint(id="K1", text="No downtime")),
    (fact("Legal must sign off", "condition"), step(1, title="Legal signs off the contract")),
    (fact("easy to read", "quality"), Criterion(id="C1", text="It is easy to read")),
    (fact("whatever words"), step(1, answers=("G1",))),
    (fact("whatever words"), Decision(id="D1", text="Other words", origin=Origin("goal", "G1"))),
]


@pytest.mark.parametrize(("said", "item"), USED, ids=lambda value: getattr(value, "text", ""))
def test_a_fact_is_acted_on_by_an_item_that_holds_its_value(said, item):
    [entry] = entries(said, plan=plan_of(item))
    assert (entry.status, entry.acted_on) == ("acted on", (item.id,))


UNUSED = [
    (deadline(), Constraint(id="K1", text="Finished by 30 June 2027")),
    (deadline(), Constraint(id="K1", text="In time", day="2027-06-29")),
    (
        fact("at most 20k EUR", "amount", "budget", number=20000, currency="EUR"),
        Constraint(id="K1", text="Budget", amount=Money(Decimal(20000), "USD")),
    ),
    (fact("Train the volunteers"), Bullet(id="B1", text="Train the volunteers")),
    (fact("Train the volunteers"), Question(id="Q1", text="Train the volunteers?")),
    (fact("without downtime", "exclusion"), step(1, title="Plan the downtime")),
    (fact("Anna", "person", name="Anna"), step(1, owner="Annabel")),
    (fact("asdf", "unread"), Risk(id="R1", text="asdf")),
]


@pytest.mark.parametrize(("said", "item"), UNUSED, ids=lambda value: getattr(value, "text", ""))
def test_quoting_a_fact_or_another_value_does_not_act_on_it(said, item):
    [entry] = entries(said, plan=plan_of(item))
    assert (entry.status in ("asked", "not understood"), entry.acted_on) == (True, ())


def test_what_stands_inside_a_fact_is_acted_on_with_it():
    condition = fact("Anna must sign off", "condition")
    name = fact("Anna", "person", name="Anna")
    plan = plan_of(Constraint(id="K1", text="Anna must sign off"))
    assert [entry.acted_on for entry in entries(condition, name, plan=plan)] == [("K1",), ("K1",)]


SAID = "Open the shop, training 10 days and the sign costs 300 EUR"
INSIDE = [
    (fact("10 days", "duration", start=SAID.index("10"), number=10, unit="day"), "training"),
    (fact("300 EUR", "amount", "price", start=SAID.index("300"), number=300, currency="EUR"), "sign"),
]


@pytest.mark.parametrize(("said", "about"), INSIDE)
def test_an_equal_number_of_something_else_does_not_act_on_a_fact(said, about):
    fields = {"effort": Effort(5, 10, 15), "cost": Money(Decimal(300), "EUR")}
    plan = plan_of(step(1, title="Rent the shop", **fields), step(2, title=f"Arrange the {about}", **fields))
    assert entries(fact(SAID), said, plan=plan)[1].acted_on == ("S2",)
    assert entries(said, plan=plan)[0].acted_on == ("S1", "S2")


def test_the_ledger_of_many_facts_and_items_looks_at_each_once(monkeypatch):
    looked = []
    monkeypatch.setattr(ledger, "uses", lambda item, *_: looked.append(item) or False)
    facts = stated([deadline(start=20 * n) for n in range(300)], "goal", ())
    plan = plan_of(*(step(n, title="Pay the bill") for n in range(1, 51)))
    account(facts, plan)
    account(tuple(facts), plan)
    assert len(looked) == 50


def test_a_later_word_replaces_an_earlier_one_and_links_to_it_are_found():
    before = stated([deadline()], "goal", ())
    later = fact("the deadline is now 15 July", "condition"), deadline("15 July", "2027-07-15", start=20)
    after = stated(later, "F1", before)
    plan = plan_of(Constraint(id="K1", text="In time", day="2027-06-30"))
    entry, *_ = entries = account((*before, *after), plan)
    assert (entry.status, entry.replaced_by, entry.acted_on) == ("dismissed", "G3", ("K1",))
    [suspect] = [finding for finding in open_facts(entries) if finding.rule == "facts.replaced"]
    assert suspect.text == "K1 rests on G1 “by 30 June 2027”, which G3 replaced."


def test_the_deadline_of_one_step_replaces_nothing():
    before = stated([deadline()], "goal", ())
    after = stated([fact("S3 is now due by 1 June"), deadline("by 1 June", "2027-06-01", start=14)], "F1", before)
    assert not any(entry.replaced_by for entry in account((*before, *after), None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ignore that", ("G2",)),
        ("Please forget G1.", ("G1",)),
        ("never mind the billing move", ("G1",)),
        ("Ignore the archive", ()),
        ("We must not ignore that the archive is full, so plan it. Twice.", ()),
        ("Add a step", ()),
    ],
)
def test_a_person_can_take_back_what_they_said(text, expected):
    known = stated([fact("Move billing"), fact("asdf", "unread")], "goal", ())
    assert dismissal(text, known).facts == expected
    assert [entry.stated.id for entry in account(known, None, expected) if entry.status == "dismissed"] == list(
        expected
    )


@pytest.mark.parametrize(
    ("text", "expected", "rest"),
    [
        ("Ignore G1, and pay 4711 EUR by 3 June", ("G1",), "pay 4711 EUR by 3 June"),
        ("Forget the 500 EUR but pay Anna", ("G2",), "pay Anna"),
        ("Never mind the 500 EUR, use 800 EUR", ("G2",), "use 800 EUR"),
        ("ignore G1. ignore G2, G3 and G4.", ("G1", "G2", "G3", "G4"), ""),
        ("forget the food and drinks", ("G3",), ""),
        ("Ask Ben and ignore G4! Then go", ("G4",), "Ask Ben . Then go"),
        ("Don't ignore G1, and never forget Anna", (), "Don't ignore G1, and never forget Anna"),
        ("Ignore G9, and go", (), "Ignore G9, and go"),
    ],
)
def test_what_a_message_says_beside_what_it_takes_back(text, expected, rest):
    facts = [fact("Move billing"), fact("500 EUR", "amount"), fact("food and drinks"), fact("asdf", "unread")]
    left = dismissal(text, stated(facts, "goal", ()))
    assert (left.facts, " ".join(left.rest.split())) == (expected, rest)
    assert [place for place, sign in enumerate(left.rest) if sign not in " ." and sign != text[place]] == []


def test_findings_say_what_is_left_and_what_to_do():
    plan = plan_of(step(1))
    ledger = entries(deadline(), fact("Train everybody"), fact("asdf", "unread"), plan=plan)
    assert [(one.rule, one.severity) for one in open_facts(ledger)] == [
        ("facts.not-acted-on", "major"),
        ("facts.not-acted-on", "minor"),
        ("facts.not-understood", "minor"),
    ]
    assert open_facts(ledger)[0].text == "G1 “by 30 June 2027” (by Wed 30 June 2027) stands in no item of the plan."
    assert open_facts(entries(fact("asdf", "unread"), plan=plan, dismissed=("G1",))) == ()


def test_the_reading_is_told_in_a_line():
    ledger = entries(
        fact("Move billing"),
        deadline(doubt="30 June 2027 is a Wednesday"),
        fact("asdf", "unread"),
        fact("old words", "unread"),
        dismissed=("G4",),
    )
    assert reading_of(ledger) == (
        "I read: “Move billing” · by Wed 30 June 2027. Please check: 30 June 2027 is a Wednesday. "
        "Not understood: “asdf”."
    )
    asks = entries(fact("12 an hour", "amount", doubt="which currency?"))
    assert reading_of(asks).endswith("Please check: which currency?")
    assert reading_of(()) == ""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (deadline(), "by Wed 30 June 2027"),
        (
            fact("before 1 June", "date", "deadline", first="2027-06-01", last="2027-06-01", limit="2027-05-31"),
            "by Tue 1 June 2027, so 31 May 2027 at the latest",
        ),
        (fact("in May", "date", "period", first="2027-05-01", last="2027-05-31"), "1 May 2027 to 31 May 2027"),
        (fact("31 February", "date", "on"), "on no day yet"),
        (fact("Saturdays", "date", "period", recurs="FREQ=WEEKLY;BYDAY=SA"), "every Saturday"),
        (fact("20k", "amount", "budget", number=20000, currency="EUR"), "at most 20,000 EUR"),
        (fact("5–8k", "amount", "price", number=5000, up_to=8000, currency="EUR"), "price 5,000 to 8,000 EUR"),
        (fact("2.5 h a week", "capacity", number=2.5, unit="hour", per="week"), "2.5 hours per week"),
        (fact("a day", "duration", number=1, unit="day"), "1 day"),
        (fact("Anna", "person", name="Anna"), "Anna"),
        (fact("no lorries", "exclusion"), "excluded"),
    ],
    ids=lambda value: getattr(value, "text", ""),
)
def test_a_fact_is_told_in_words(said, words):
    assert in_words(said) == words


def test_a_number_that_was_put_where_it_was_asked_for_is_acted_on():
    plan = plan_of(step(9, title="Archive", effort=Effort(1, 5, 8)), step(4, title="Train", effort=Effort(1, 5, 8)))
    said = fact("5 days", "duration", start=9, number=5.0, unit="day")
    around = fact("S9 takes 5 days")
    assert [entry.acted_on for entry in entries(around, said, plan=plan, source="F1")][1] == ("S9",)
    alone = account(stated([said], "F2", ()), plan, (), answered=("F2",))
    assert alone[0].status == "acted on"
    elsewhere = account(stated([fact("7 days", "duration", number=7.0, unit="day")], "F3", ()), plan, (), ("F3",))
    assert elsewhere[0].status == "asked"


@pytest.mark.parametrize(
    ("words", "is_replaced"), [("we moved it to 19 July", True), ("if we moved it to 19 July", False)]
)
def test_a_what_if_replaces_nothing(words, is_replaced):
    goal = stated([deadline()], "goal", ())
    other = Value(first="2027-07-19", last="2027-07-19", limit="2027-07-19")
    day = words.index("to 19")
    later = stated(
        [
            fact(words, "condition"),
            Fact(text=words[day:], start=day, end=len(words), type="date", role="deadline", value=other),
        ],
        "F1",
        goal,
    )
    assert bool(account((*goal, *later), None)[0].replaced_by) is is_replaced


def dates_in_feedback(text, plan=None):
    feedback = SimpleNamespace(id="F1", text=text)
    state = SimpleNamespace(
        goal="", answers=(), feedback=(feedback,), read=("goal",), facts=(), today="2027-03-10", plan=plan
    )
    found = unread_facts(state)
    assert found is not None
    return [one.fact.text for one in found.facts if one.fact.type == "date"]


@pytest.mark.parametrize(
    ("text", "read"),
    [("How would it look if we had until 3 July?", []), ("It is 3 July now. Why was it June?", ["3 July"])],
)
def test_a_question_in_feedback_states_nothing(text, read):
    assert dates_in_feedback(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Q1: forty people, at most", []),
        ("about q1, that is settled", []),
        ("Q2: we can start in Q1", ["start in Q1"]),
        ("Q1 2028 would suit us better", ["Q1 2028"]),
        ("Q3: nobody knows", ["Q3"]),  # the plan has no question of this id
    ],
)
def test_the_id_of_a_question_is_no_quarter(text, read):
    plan = plan_of(Question(id="Q1", text="How many?"), Question(id="Q2", text="From when on?"))
    assert dates_in_feedback(text, plan) == read
