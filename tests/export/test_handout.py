"""The page that is handed out, as the program writes it: summary first, each thing once, and no text cut."""

from __future__ import annotations

import asyncio
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from tests.full_plan import PLAN, TODAY, state_with
from tests.properties.plans import plans
from tests.strong import Person as Ravi
from tests.strong import Strong, surgery
from workbench.domain.errors import UsageError
from workbench.domain.handout import MOST_WORDS, document_of, hand_out, words
from workbench.domain.log.growing import Growing
from workbench.domain.loop.asking.tasks import Action, Approach, Finding
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.markdown.grammar import HANDED_OUT
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Effort,
    Fund,
    Item,
    Money,
    Option,
    Person,
    Plan,
    Question,
    Risk,
    Row,
    Rule,
    Section,
    Step,
)
from workbench.domain.session.events import IterationResult
from workbench.domain.session.session import SessionState, fold
from workbench.domain.statements.statement import Statement
from workbench.storage.files.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))
PAGE = Path(__file__).parent / "village_market" / "handed_out.md"


def written(plan: Plan, deliverable: str = "", actions: tuple[Action, ...] = ()) -> SessionState:
    """Return a session in which a model wrote a document about a plan."""
    state = state_with(plan)
    result = IterationResult(iteration_num=1, plan="", plan_version=1, deliverable=deliverable, actions=actions)
    return replace(state, options=replace(state.options, model="told"), iterations=(result,))


def part(page: str, title: str) -> str:
    """Return what stands below a heading of a page."""
    return page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


# --- a small page -----------------------------------------------------------------------------------------------------


def test_a_small_page_is_what_one_expects() -> None:
    actions = (Action(step="S6", text="Order the stage", owner="Anna", due="2026-04-30", check="the order"),)
    summary = "# The market\n\nOpen on {plan.ready}; {money.left} are left of the money.\n"
    assert hand_out(written(PLAN, summary, actions)) == PAGE.read_text(encoding="utf-8")


# --- what is not settled ----------------------------------------------------------------------------------------------


def test_open_decisions_and_calculated_conflicts_come_first() -> None:
    options = (Option("North", Money(Decimal(1200), "EUR")), Option("South"))
    late = Decision(id="D2", text="Which day?", owner="Ada", latest="2026-04-10", assumed="a Friday")
    soon = Decision(id="D3", text="Which till?", latest="2026-03-27", options=options, assumed="North", advice="South")
    sections = (*PLAN.sections, Section(id="open", title="Open", items=(late, soon)))
    findings = (
        Finding(rule="money.limit", severity="major", text="Too dear.", remedy="Spend less."),
        Finding(rule="dates.effort", severity="minor", text="Tight."),
        Finding(rule="model", severity="major", text="It is dull."),
        Finding(rule="facts.replaced", severity="major", text="Old."),
    )
    page = hand_out(replace(state_with(replace(PLAN, sections=sections)), findings=findings))
    assert part(page, "Not settled").startswith(
        "\n| no. | decision | who | by | options | until then | advice |\n| --- | --- | --- | --- | --- | --- | --- |\n"
        "| 3 | Which till? |  | Fri 27 Mar | North: 1,200 EUR; South | North | South |\n"
        "| 2 | Which day? | Ada | Fri 10 Apr |  | a Friday |  |\n\n- Conflict: Too dear.\n- Minor: Tight.\n\n"
    )
    assert "2 decisions are open, the first by Fri 27 Mar." in page
    for settled in ("It is dull.", "Old."):
        assert settled not in page


# --- money, groups, hours ---------------------------------------------------------------------------------------------


def test_sums_are_known_and_estimated_by_fund_with_its_reserve() -> None:
    def costs(number: int, amount: int, **more: object) -> Step:
        return Step(id=f"S{number}", title=f"Buy {number}", cost=Money(Decimal(amount), "EUR"), **more)

    steps = (
        costs(1, 1000, basis="quote"),
        costs(2, 500),
        costs(3, 70, not_covered=True, basis="estimate"),
        costs(4, 30, optional=True, basis="price"),
        costs(5, 40, basis="price", condition="it rains"),
    )
    fund = Fund(id="M1", text="Till", limit=Money(Decimal(2000), "EUR"), reserve=0.1)
    all_of_it = Constraint(id="K1", text="At most", limits="amount", amount=fund.limit)
    plan = Plan(title="Shop", sections=(Section(id="steps", title="Steps", items=(*steps, fund, all_of_it)),))
    page = hand_out(state_with(plan))
    assert part(page, "Money").partition("\n\nVersion")[0].strip() == (
        "| sum | limit | known | estimated | left | to be kept back |\n| --- | --- | --- | --- | --- | --- |\n"
        "| Till (EUR) | 2,000 | 1,000 | 500 | 500 | 200 |\n| Only if needed (EUR) |  | 40 |  |  |  |\n"
        "| Can be left out (EUR) |  | 30 |  |  |  |\n| Not covered (EUR) |  |  | 70 |  |  |"
    )
    rows = part(page, "Steps")
    for cost in ("1,000 EUR, quote |", "500 EUR |", "70 EUR, estimate, not covered |", "30 EUR, price, optional |"):
        assert cost in rows


def test_groups_and_steps_stand_in_time_and_deadlines_beside_their_days() -> None:
    steps = (
        Step(id="S1", title="Late", workstream="B", start="2026-04-07", end="2026-04-07", hours="02:00-06:00"),
        Step(id="S2", title="Soon", workstream="A", start="2026-03-03", end="2026-03-05", deadline="2026-03-06"),
        Step(id="S3", title="First", workstream="A", start="2026-03-02", end="2026-03-02", deadline="2026-03-30"),
    )
    plan = Plan(title="Shed", sections=(Section(id="steps", title="Steps", items=steps),))
    assert "".join(part(hand_out(state_with(plan)), "Steps").partition("|  | **A**")[1:]).startswith(
        "|  | **A** |  |\n| 3 | First | Mon 2 Mar, by Mon 30 Mar |\n| 2 | Soon | 3–5 Mar, by Fri 6 Mar |\n"
        "|  | **B** |  |\n| 1 | Late | Tue 7 Apr 02:00-06:00 |\n"
    )


def test_days_that_count_are_one_table_by_the_hour() -> None:
    rows = (
        Row(id="T2", text="Start", day="2026-05-30", time="09:00"),
        Row(id="T3", text="Count", day="2026-05-29", time="23:00", who="Ben"),
        Row(id="T1", text="Stop the till", day="2026-05-29", time="22:00", who="Ben", stop="no backup"),
    )
    plan = replace(PLAN, sections=(*PLAN.sections, Section(id="night", title="The night", items=rows)))
    assert part(hand_out(state_with(plan)), "Hour by hour").strip() == (
        "| when | what | who | stop if |\n| --- | --- | --- | --- |\n"
        "| Fri 29 May 22:00 | Stop the till | Ben | no backup |\n| 23:00 | Count | Ben |  |\n"
        "| Sat 30 May 09:00 | Start |  |  |"
    )


def test_nothing_that_a_person_typed_is_lost() -> None:
    step = Step(
        id="S1",
        title="Mow the paths",
        start="2026-03-02",
        end="2026-03-02",
        notes="Not below\n10 degrees",
        repeat=Rule("week", "2026-03-02", interval=2, until="2026-07-03"),
    )
    ole = Person(id="P1", text="Ole", weekdays=(4,), away_again=(Rule("month", "2026-03-05"),))
    budget = Constraint(id="K1", text="The budget", limits="amount", amount=Money(Decimal(3500), "EUR"))
    note = Section(id="notes", title="Notes", items=(Bullet(id="B1", text="Ole only on Thursdays"),))
    plan = Plan(title="Meadow", sections=(Section(id="s", title="S", items=(step, ole, budget)), note))
    said = Statement(id="U2", source="F1", start=0, text="The planks dry for eight weeks.")
    goal = Statement(id="U1", source="goal", start=0, text="A meadow.")
    page = hand_out(replace(state_with(plan), statements=Growing((goal, said))))
    assert "| 1 | Mow the paths | Mon 2 Mar, every 2 weeks from Mon 2 Mar until Fri 3 Jul |\n" in page
    assert "|  | Note: Not below 10 degrees |  |\n" in page
    assert "| Ole | Thu | monthly from Thu 5 Mar |\n" in page
    assert "- The budget: 3,500 EUR\n" in page
    assert "\n## Notes\n\n- Ole only on Thursdays\n" in page
    assert "\n## You said, not used yet\n\n- The planks dry for eight weeks.\n\n" in page
    assert "A meadow." not in page


# --- length -----------------------------------------------------------------------------------------------------------


def large(length: int) -> Plan:
    """Return forty steps with everything a plan can say, each text of so many words, the first of which is unique."""

    def text(name: str) -> str:
        return " ".join([name, *["word"] * (length - 1)])

    steps = tuple(
        Step(
            id=f"S{n}",
            title=text(f"title{n}"),
            outcome=text(f"outcome{n}"),
            check=text(f"check{n}"),
            owner=f"Person{n % 8}",
            effort=Effort(1, 2, 3),
            start=f"2026-0{3 + n // 10}-{1 + n % 10:02}",
            end=f"2026-0{3 + n // 10}-{2 + n % 10:02}",
            needs=(f"S{n - 1}",) if n else (),
            workstream=f"Stream{n // 10}",
            cost=Money(Decimal(100 + n), "EUR") if n % 4 == 0 else None,
            basis="quote",
            notes=text(f"notes{n}"),
        )
        for n in range(40)
    )
    others: tuple[Item, ...] = (
        *(Decision(id=f"D{n}", text=text(f"decide{n}"), owner="Ada", latest="2026-03-20") for n in range(6)),
        *(Question(id=f"Q{n}", text=text(f"question{n}"), assumption=text(f"until{n}")) for n in range(4)),
        *(Risk(id=f"R{n}", text=text(f"risk{n}"), sign=text(f"sign{n}"), response=text(f"do{n}")) for n in range(8)),
        *(Row(id=f"T{n}", day="2026-06-09", time=f"{n:02}:00", text=text(f"row{n}"), who="Ada") for n in range(14)),
        *(Criterion(id=f"C{n}", text=text(f"criterion{n}"), due="2026-06-12") for n in range(4)),
        *(Constraint(id=f"K{n}", text=text(f"limit{n}")) for n in range(4)),
        *(Person(id=f"P{n}", text=f"Person{n}", role=f"role{n}", hours=20) for n in range(8)),
        Fund(id="M1", text="till", limit=Money(Decimal(5000), "EUR"), reserve=0.1),
    )
    bullets = tuple(Bullet(id=f"B{n}", text=text(f"assumed{n}")) for n in range(8))
    return Plan(
        title="Large",
        sections=(
            Section(id="steps", title="Steps", items=steps),
            Section(id="assumptions", title="Assumptions", items=bullets),
            Section(id="others", title="Others", items=others),
        ),
    )


def session_of(plan: Plan, length: int) -> SessionState:
    actions = tuple(
        Action(step=step.id, text=f"action{step.id} " + "word " * length, check="seen") for step in plan.steps
    )
    findings = tuple(Finding(rule="dates.deadline", severity="major", text=f"conflict{n} late.") for n in range(3))
    return replace(written(plan, "summary " * 390, actions), findings=findings)


@pytest.mark.parametrize("length", [1, 4, 8, 15, 20])
def test_forty_steps_with_everything_stay_below_the_limit(length: int) -> None:
    page = hand_out(session_of(large(length), length))
    assert len(words(page)) <= MOST_WORDS
    for n in range(40):
        assert f"| title{n}" in page, "no step is left out"
    assert "…" not in page, "no text is cut"


def test_what_always_stays_is_whole_however_long() -> None:
    page = hand_out(session_of(large(200), 3))
    for name in [f"decide{n}" for n in range(6)]:
        assert f"{name}{' word' * 199} |" in page
    for stays in ("risk0", "risk1", "row0", "title0"):
        assert stays in page, "the gravest risks, the beginning of the day, what a step costs"
    for gone in ("criterion0", "limit0", "risk2", "question0", "assumed0", "row1 ", "check0"):
        assert gone not in page
    left_out = "4 criteria, 4 limits, 6 risks, 8 assumptions, 4 questions, 13 hours"
    assert f"The whole plan, with {left_out}: `workbench" in page, "no step of the longest chain is told in short"


def test_what_is_least_valuable_goes_first() -> None:
    page = hand_out(session_of(large(15), 15))
    names = ("action", "check", "criterion", "limit", "assumed", "question", "risk", "row", "decide")
    kept = [name for name in names if re.search(rf"\b{name}\w*0\b", page)]
    assert kept == [*names[-len(kept) :]]
    assert 1 < len(kept) < len(names)


# --- what is foreign, and the way back --------------------------------------------------------------------------------

ACTS = "<script>alert(1)</script> ![p](http://evil.example/p.png) [x](JavaScript:alert(1)) | a < b\n## Steps\n"


def test_nothing_of_a_plan_acts_or_leaves_its_place() -> None:
    step = Step(id="S1", title=ACTS, check=ACTS, owner=ACTS, workstream=ACTS, cost_kind=ACTS)
    others = (Risk(id="R1", text=ACTS, sign=ACTS), Bullet(id="B1", text=ACTS), Question(id="Q1", text=ACTS))
    goal = Section(id="goal", title="Goal", text=ACTS)
    plan = Plan(title=ACTS, sections=(goal, Section(id="scope", title=ACTS, text=ACTS, items=(step, *others))))
    for page in (hand_out(state_with(plan)), hand_out(written(plan, ACTS))):
        for acting in ("<script", "![", "](Java"):
            assert acting not in page
        assert page.count("\n## Steps\n") == 1
        assert "a < b" in page
        rows = [line for line in page.splitlines() if line.startswith("| 1 ")]
        assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [5]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_any_plan_is_a_page(plan: Plan) -> None:
    page = hand_out(state_with(plan))
    assert len(words(page)) <= MOST_WORDS + 20 * max(len(plan.steps) - 40, 0)
    assert HANDED_OUT in page


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_page_of_a_sample_has_its_steps(sample: Path) -> None:
    state = fold(read_session_file(sample))
    page = hand_out(state)
    assert state.plan is not None
    assert len(words(page)) <= MOST_WORDS
    for step in state.plan.steps:
        number = step.id.removeprefix("S")
        assert f"| {number} |" in page or f"| └ {number} |" in page


# --- what a reader has to know ----------------------------------------------------------------------------------------


def test_what_is_decided_is_told_with_its_reason() -> None:
    taken = Decision(id="D1", text="Decided: Both tables are leased", reason="the budget holds")
    approach = Approach(id="A1", title="One weekend", summary="All at once.", fits="The rooms are ready.")
    plan = Plan(title="Move", sections=(Section(id="d", title="D", items=(taken, Step(id="S1", title="Go"))),))
    told = "- One weekend\n- Decision 1, taken: Both tables are leased (the budget holds)\n"
    page = hand_out(replace(written(plan), approach=approach))
    assert page.count(told) == 1
    assert "The rooms are ready." not in page, "when it would have fitted is no news, and may be out of date"
    rounds = Growing([IterationResult(iteration_num=at, plan="") for at in (1, 2)])
    later = hand_out(replace(written(plan), approach=approach, iterations=rounds))
    assert "One weekend" not in later, "what came after it may have replaced its words"


def test_a_page_of_an_earlier_version_is_the_programs_with_its_verdict() -> None:
    old = "# Old\n\nIt ends on {S3.end}.\n\n{open}\n\n## Way\n\n{table.steps S1..S3, S7}\n\n## Money\n\n{table.money}\n"
    page = hand_out(written(PLAN, old))
    assert page.startswith(f"# {PLAN.title}\n\nIt ends on Mon 9 Mar.\n\n- Ready on")
    assert "{" not in page
    assert all(step.title in page for step in PLAN.steps if step.status != "dropped")


def test_no_id_stands_on_a_page_of_forty_full_steps_and_it_is_short() -> None:
    model = Strong()
    state = asyncio.run(surgery(model).run(Ravi()))
    assert state.plan is not None
    assert len(state.plan.steps) == 40
    page = hand_out(state)
    assert len(words(page)) <= 2_000
    assert {name for name in re.findall(r"\b[A-Z]\d+\b", page) if name in {one.id for one in state.plan.items}} == set()
    assert page.startswith("# Move to Harbour Street, 27 and 28 March 2027\n\nIt can be done on the days you")
    assert page.index("the budget leaves") < page.index("## Not settled") < page.index("## What is not realistic")
    assert "ends on Fri 2 Apr, and no step" in page
    named = set(re.findall(r"\bS\d+\b", document_of(state)))
    for step in state.plan.steps:
        assert step.title in page or step.id in named


def test_the_page_is_refused_where_a_plan_is_read() -> None:
    page = hand_out(state_with(PLAN))
    with pytest.raises(UsageError, match="page to hand out") as refused:
        from_markdown(page, PLAN)
    assert "--full" in refused.value.remedy
    with pytest.raises(UsageError, match="page to hand out"):
        import_plan(page, name="page.md", today=TODAY, base=PLAN)
