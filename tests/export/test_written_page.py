"""The page that a model wrote: dates and sums are the program's, and nothing of the plan is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from tests.export.test_handout import ACTS, part, written
from tests.full_plan import PLAN, state_with
from tests.properties.plans import plans
from workbench.domain.handout import content_of, hand_out, reference_lines, words
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.markdown.grammar import HANDED_OUT
from workbench.domain.plan.plan import Effort, Plan, Section, Step
from workbench.domain.text.languages import LANGUAGES

REFERENCE = re.compile(r"\{[^{}\n]+\}")


def plan_of(*steps: Step) -> Plan:
    return Plan(title="Shed", sections=(Section(id="steps", title="Steps", items=steps),))


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


FOUND = (
    Finding(rule="money.limit", severity="major", text="Too dear.", remedy="Spend less."),
    Finding(rule="model", severity="major", text="Nobody is there.", item="S1"),
    Finding(rule="model", severity="major", text="It reads badly."),
    Finding(rule="model", severity="major", text="No permit.", item="S1", disputed="There is one."),
    Finding(rule="dates.effort", severity="minor", text="Tight."),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_every_reference_of_the_prompt_is_filled_in(plan: Plan) -> None:
    offered = REFERENCE.findall(reference_lines(content_of(state_with(plan), plan)))
    plain = hand_out(written(plan, OWN))
    page = hand_out(written(plan, "\n\n".join([OWN, *offered])))
    assert not [reference for reference in offered if reference in page and reference not in plain]
    assert HANDED_OUT in page


def test_dates_follow_the_plan_and_the_page_says_what_its_text_was_written_for() -> None:
    step = Step(id="S1", title="Dig", effort=Effort(1, 1, 1), start="2026-03-02", end="2026-03-02")
    state = written(plan_of(step), "# T\n\nIt ends on {S1.end}.\n\n## Way\n\n## End\n")
    moved = replace(step, start="2026-03-09", end="2026-03-09")
    later = replace(state.versions[0], version=2, plan=plan_of(moved))
    page = hand_out(replace(state, versions=(*state.versions, later)))
    assert "It ends on Mon 9 Mar." in page
    told = "- The text was written for version 1 of the plan; dates, sums and tables are those of version 2.\n"
    assert told in page
    assert told not in hand_out(state)


def test_nothing_of_a_written_page_acts_and_open_code_swallows_nothing() -> None:
    text = f"# T {ACTS}\n\n{ACTS}\n\n## Way\n\n## End\n\n````sh\nmake\n"
    page = hand_out(written(plan_of(Step(id="S1", title=ACTS)), text))
    for acting in ("<script", "![", "](Java"):
        assert acting not in page
    assert "\nmake\n````\n" in page
    [row] = [line for line in page.splitlines() if line.startswith("| ") and "a < b" in line]
    assert len(re.findall(r"(?<!\\)\|", row)) == 2


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
    page = hand_out(replace(written(PLAN, OWN), findings=FOUND))
    assert "## Noch nicht geklärt\n\n- Konflikt: Too dear.\n- Offen: Nobody is there.\n\n" in page
    assert page.rpartition("Version 1")[2].startswith(": `workbench sessions export ")
    english = hand_out(written(PLAN, OWN.replace("language: de", "language: en")))
    assert "The whole plan: `workbench sessions export " in english


def test_a_writer_is_told_values_and_how_many_words_there_are_and_no_tables() -> None:
    said = reference_lines(content_of(state_with(PLAN), PLAN))
    assert "At most 1,700 words, as the page is read: ids in brackets are none." in said
    had = reference_lines(content_of(state_with(PLAN), PLAN), OWN).rpartition("`document` has ")[2]
    read = hand_out(written(PLAN, OWN)).partition("Version 1")[0]
    assert had == f"{len(words(read))}."
    assert "{table" not in said


@pytest.mark.parametrize("language", [*LANGUAGES, "xx", "de-AT"])
def test_every_language_writes_days_sums_and_counts(language: str) -> None:
    page = hand_out(written(PLAN, OWN.replace("language: de", f"language: {language}")))
    assert "29" in page.splitlines()[0]
    assert "{" not in page.partition("Version 1")[0]
