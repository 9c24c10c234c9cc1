"""The page that a model wrote: dates, sums and whole tables are the program's, and nothing of the plan is lost."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from tests.export.test_handout import ACTS, large, part, written
from tests.full_plan import PLAN, state_with
from tests.properties.plans import plans
from workbench.domain.handout import MOST_WORDS, content_of, hand_out, references_told, words
from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.markdown.grammar import HANDED_OUT
from workbench.domain.plan.plan import Decision, Effort, Money, Option, Plan, Row, Section, Step
from workbench.domain.session.state import SessionState
from workbench.domain.text.languages import LANGUAGES

PAGE = Path(__file__).parent / "village_market" / "written_page.md"
REFERENCE = re.compile(r"\{[^{}\n]+\}")
TEXT = """\
# The market on {plan.ready}

It can be done. The tightest step is the letter to last year's sellers: it ends on {S3.end}, with {S3.slack} left.
Of the money {money.left} are left.

## The ground

Nobody is asked before the square is ours (S1), and that took until {S1.end}.

{table.steps Ground}

## The fair

The stage costs most, {S6.cost}.
{table.steps S6..S7}

## Money

{table.money}

## What may go wrong

{table.risks}
"""


def page_of(*items: Step | Decision | Row, text: str = "# T\n\n{table.steps}\n") -> str:
    return hand_out(session_of(*items, text=text))


def session_of(*items: Step | Decision | Row, text: str = "# T\n\n{table.steps}\n") -> SessionState:
    return written(Plan(title="Shed", sections=(Section(id="steps", title="Steps", items=items),)), text)


def told(plan: Plan) -> list[str]:
    """Return the references that a prompt offers for a plan."""
    return REFERENCE.findall(references_told(content_of(state_with(plan), plan)))


# --- what the program fills in ----------------------------------------------------------------------------------------


def test_a_written_page_is_the_models_with_the_programs_dates_sums_and_tables() -> None:
    assert hand_out(written(PLAN, TEXT)) == PAGE.read_text(encoding="utf-8")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_every_reference_of_the_prompt_is_filled_in_and_none_is_left(plan: Plan) -> None:
    offered = told(plan)
    state = written(plan, "# Page\n\n" + "\n\n".join([*offered, "{table.steps}"]))
    page = hand_out(state)
    plain = hand_out(written(plan, "# Page\n\n{table.steps}\n\n{open}"))
    for reference in {*offered} - {*REFERENCE.findall(plain)}:
        assert reference not in page
    assert HANDED_OUT in page


def test_a_page_grows_by_a_line_for_each_step_above_forty() -> None:
    plan = large(18)
    more = tuple(
        Step(id=f"S{n}", title=f"small{n} of some words", owner="Ada", workstream="More") for n in range(40, 64)
    )
    plan = replace(plan, sections=(*plan.sections, Section(id="more", title="More", items=more)))
    page = hand_out(written(plan, "# T\n\nIt can be done.\n\n{table.steps}\n\n{table.day}\n"))
    assert len(words(page)) <= MOST_WORDS + 20 * 24


def test_who_writes_is_told_what_a_page_of_that_length_folds() -> None:
    plan = large(22)
    text = "{table.decisions}\n\n{table.steps}\n\n{table.day}\n\n{table.money}\n\n{table.risks}\n\n" + "word " * 490
    said = references_told(content_of(state_with(plan), plan), f"# T\n\n{text}").splitlines()[-1]
    assert said.startswith("At most 500 words of your own. `document` has 491. Folded at that length: R")
    folded = {f"{'risk' if name[0] == 'R' else 'row'}{name[1:]}" for name in re.findall(r"[RT][0-9]+", said)}
    page = hand_out(written(plan, f"# T\n\n{text}"))
    every = {f"risk{n}" for n in range(8)} | {f"row{n}" for n in range(14)}
    gone = {name for name in every if f"{name} word" not in page}
    assert gone <= folded
    assert len(folded - gone) <= 1, "what stands at the foot of a page has not always as many words"
    assert "Folded" not in references_told(content_of(state_with(PLAN), PLAN))


# --- which steps ------------------------------------------------------------------------------------------------------

STEPS = tuple(
    Step(id=f"S{n}", title=f"title{n}", workstream="A, first" if n < 4 else "B", tags=("paper",) if n % 2 else ())
    for n in range(1, 7)
)


@pytest.mark.parametrize(
    ("selection", "shown"),
    [
        ("", {1, 2, 3, 4, 5, 6}),
        (" S2..S4", {2, 3, 4}),
        (" S1, S5..S6", {1, 5, 6}),
        (" a, FIRST", {1, 2, 3}),
        (" B", {4, 5, 6}),
        (" paper", {1, 3, 5}),
    ],
)
def test_a_table_has_the_steps_that_are_asked_for_and_the_others_stand_below(selection: str, shown: set[int]) -> None:
    page = page_of(*STEPS, text=f"# T\n\nWords.\n{{table.steps{selection}}}\nMore words.\n")
    table = page.partition("Words.\n\n")[2].partition("\n\nMore words.")[0]
    assert {n for n in range(1, 7) if f"| title{n} |" in table} == shown
    assert {n for n in range(1, 7) if f"| title{n} |" in part(page, "Other steps")} == {1, 2, 3, 4, 5, 6} - shown
    assert ("**B**" in table) == (len(shown) > 3 or selection in (" S2..S4", " paper", " S1, S5..S6"))


# --- what must be read ------------------------------------------------------------------------------------------------

DECISION = Decision(
    id="D1",
    text="Which till?",
    owner="Ada",
    latest="2026-03-27",
    options=(Option("North", Money(Decimal(1200), "EUR")), Option("South")),
    assumed="North",
    advice="South",
)
FOUND = (
    Finding(rule="money.limit", severity="major", text="Too dear.", remedy="Spend less."),
    Finding(rule="model", severity="major", text="Nobody is there.", item="S1"),
    Finding(rule="model", severity="major", text="It reads badly."),
    Finding(rule="model", severity="major", text="No permit.", item="S1", disputed="There is one."),
    Finding(rule="dates.effort", severity="minor", text="Tight."),
)


DECISIONS = """\
| no. | decision | who | by | options | until then | advice |
| --- | --- | --- | --- | --- | --- | --- |
| 1 | Which till? | Ada | Fri 27 Mar 2026 | North: 1,200 EUR; South | North | South |"""


def test_what_is_open_and_the_page_does_not_take_stands_on_top() -> None:
    state = replace(session_of(STEPS[0], DECISION), findings=FOUND)
    assert hand_out(state).startswith(
        f"# T\n\n## Not settled\n\n{DECISIONS}\n\n- Conflict: Too dear.\n- Open: Nobody is there.\n- Minor: Tight.\n\n"
        "| no. | step |"
    )


def test_a_table_of_decisions_leaves_only_the_conflicts_on_top() -> None:
    state = replace(session_of(DECISION, text="# T\n\nYes.\n\n{table.decisions}\n"), findings=FOUND[:1])
    page = hand_out(state)
    assert page.startswith("# T\n\n## Not settled\n\n- Conflict: Too dear.\n\nYes.\n\n| no. | decision |")
    assert "| 1 | Which till? | Ada | Fri 27 Mar 2026 | North: 1,200 EUR; South | North |" in page


def test_a_page_that_takes_what_is_open_has_it_there() -> None:
    state = session_of(STEPS[0], DECISION, text="# T\n\nYes.\n\n{open}\n\n{table.steps}\n")
    page = hand_out(replace(state, findings=FOUND))
    assert page.startswith(f"# T\n\nYes.\n\n{DECISIONS}\n")
    assert page.count("Too dear.") == page.count("Which till?") == 1


# --- when the plan changes --------------------------------------------------------------------------------------------


def test_dates_follow_the_plan_and_the_page_says_what_its_text_was_written_for() -> None:
    step = Step(id="S1", title="Dig", effort=Effort(1, 1, 1), start="2026-03-02", end="2026-03-02")
    state = session_of(step, text="# T\n\nIt ends on {S1.end}.\n\n{table.steps}\n")
    moved = replace(step, start="2026-03-09", end="2026-03-09")
    later = replace(state.versions[0], version=2, plan=session_of(moved).versions[0].plan)
    page = hand_out(replace(state, versions=(*state.versions, later)))
    assert "It ends on Mon 9 Mar." in page
    told = "- The text was written for version 1 of the plan; dates, sums and tables are those of version 2.\n"
    assert told in page
    assert told not in hand_out(state)


# --- where else, and what is foreign ----------------------------------------------------------------------------------


def test_nothing_of_a_written_page_acts_and_open_code_swallows_nothing() -> None:
    page = page_of(replace(STEPS[0], title=ACTS), text=f"# T {ACTS}\n\n{ACTS}\n\n{{table.steps}}\n\n````sh\nmake\n")
    for acting in ("<script", "![", "](Java"):
        assert acting not in page
    assert "\nmake\n````\n" in page
    rows = [line for line in page.splitlines() if line.startswith("| 1 ")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3]


def test_a_table_stands_once_and_a_step_in_one_table() -> None:
    tables = ("steps S1", "steps", "steps", "steps S2", "decisions", "decisions")
    text = "\n\n".join(["# T", *(f"{{table.{name}}}" for name in tables)])
    page = page_of(*STEPS[:2], Decision(id="D1", text="Lease?", owner="Ada"), text=text)
    for once in ("| 1 | title1 |", "| 2 | title2 |", "| 1 | Lease? |"):
        assert page.count(once) == 1
    assert "None." not in page


def test_a_heading_that_nothing_stands_below_is_left_out() -> None:
    first = "## First\n\n{table.steps S1..S2}\n\n```\n# no heading\n```"
    text = f"# T\n\n{first}\n\n## Way\n\n### Fallback\n\n{{table.steps S2}}\n\n## End\n\nAll said.\n\n## Empty"
    page = page_of(*STEPS[:2], text=text)
    assert ("## First" in page, "## End" in page, "# no heading" in page) == (True, True, True)
    assert not {"## Way", "### Fallback", "## Empty"} & set(page.splitlines())


OWN = """\
<!-- language: de -->
# Der Markt am {plan.ready}

Es geht: fertig {S3.end} (S3, D1), es bleiben {money.left}.

## Weg

| was | wer | Spielraum |
| --- | --- | --- |
| Bühne (S4) | Ada | {S4.slack} |

## Geld

Ada zahlt {S6.cost} (S6).
"""


def test_a_page_that_is_its_writers_own_has_values_in_its_language_and_what_it_does_not_name() -> None:
    page = hand_out(written(PLAN, OWN))
    assert page.startswith("# Der Markt am Fr 29. Mai 2026\n\nEs geht: fertig Mo 9. März, es bleiben 1.700 EUR.")
    assert re.search(r"\\| Bühne \\| Ada \\| [0-9]+ Arbeitstage \\|", page)
    below = part(page, "Alle weiteren Schritte nach Datum")
    assert "| wann | was | wer |" in below
    named = {"S3", "S4", "S6"}
    titles = {step.id: step.title for step in PLAN.steps if step.status not in ("done", "dropped")}
    assert {name for name, title in titles.items() if f" | {title} | " in below} == titles.keys() - named
    assert not re.search(r"\([SD][0-9]|\{", page.partition("Version 1")[0])


@pytest.mark.parametrize(("language", "told"), [("en", "€1,700"), ("de", "1.700 €"), ("nl", "€ 1.700")])
def test_sums_have_the_sign_of_their_currency_where_the_page_has_it(language: str, told: str) -> None:
    text = OWN.replace("language: de", f"language: {language}")
    for page in (text.replace("Ada zahlt", "Ada zahlt € 5 und"), text):
        read = hand_out(written(PLAN, page))
        assert (f"es bleiben {told}." in read) == ("€" in page)
        assert ("EUR" in read) != ("€" in page)
    assert "es bleiben 1.700 Euro." in hand_out(written(PLAN, OWN.replace("Ada zahlt", "Ada zahlt 5 Euro und")))


def test_a_sheet_of_headings_alone_stays_on_a_page_of_its_writers_own() -> None:
    page = hand_out(written(PLAN, f"{OWN}\n## Aushang\n\n# SA 29. MAI\n\n# 14 UHR\n"))
    assert "## Aushang\n\n# SA 29. MAI\n\n# 14 UHR\n" in page


def test_a_page_of_its_writers_own_has_no_minor_findings() -> None:
    minor = Finding(rule="dates.order", severity="minor", text="Tight.", item="S1")
    assert "Tight" not in hand_out(replace(written(PLAN, OWN), findings=(minor,)))


def test_what_the_program_adds_to_a_page_is_in_its_language() -> None:
    page = hand_out(replace(written(PLAN, OWN), findings=FOUND[:2]))
    assert "## Noch nicht geklärt\n\n- Konflikt: Too dear.\n- Offen: Nobody is there." in page
    assert page.rpartition("Version 1")[2].startswith(": `workbench sessions export ")
    english = hand_out(written(PLAN, OWN.replace("language: de", "language: en")))
    assert "The whole plan: `workbench sessions export " in english


def test_a_writer_is_told_values_and_how_many_words_there_are_and_no_tables() -> None:
    said = references_told(content_of(state_with(PLAN), PLAN))
    assert "At most 1,700 words, as the page is read: ids in brackets are none." in said
    had = references_told(content_of(state_with(PLAN), PLAN), OWN).rpartition("`document` has ")[2]
    read = hand_out(written(PLAN, OWN)).partition("Version 1")[0]
    assert had == f"{len(words(read))}."
    assert "{table" not in said


@pytest.mark.parametrize("language", [*LANGUAGES, "xx", "de-AT"])
def test_every_language_writes_days_sums_and_counts(language: str) -> None:
    page = hand_out(written(PLAN, OWN.replace("language: de", f"language: {language}")))
    assert "29" in page.splitlines()[0]
    assert "{" not in page.partition("Version 1")[0]
