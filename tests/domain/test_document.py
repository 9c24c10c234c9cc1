"""A document of which sections are written again: what is not named stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.loop.answers.replies import read_reply
from workbench.domain.loop.asking.tasks import GenerateTask
from workbench.domain.plan.plan import Plan
from workbench.domain.text.document import unfenced, with_sections

DOCUMENT = """# The move

It is done in June.

## The way

1. Pack
### With whom
Ada

## Risks

Rain.
"""


def test_a_new_section_stands_behind_the_one_before_it():
    written = with_sections(DOCUMENT, "## The way\n\nBy van.\n\n## Costs\n\n300 EUR\n")
    assert [line for line in written.splitlines() if line.startswith("#")] == [
        "# The move",
        "## The way",
        "## Costs",
        "## Risks",
    ]
    assert "## Costs\n\n300 EUR" in written


@pytest.mark.parametrize(
    "written", ["# The move\n\n## Risks\n\nSnow.\n", "## Something else\n\nAll of it.\n", "No heading at all."]
)
def test_what_begins_with_a_title_or_names_no_section_is_all_of_it(written):
    assert with_sections(DOCUMENT, written) == written


@given(st.text("#ab \n`", max_size=60), st.text("#ab \n`", max_size=60))
def test_any_two_texts_make_a_document(document, written):
    made = with_sections(document, written)
    assert isinstance(made, str)
    assert with_sections(made, made) in (made, made.strip("\n") + "\n") or "#" in made


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("```markdown\n# T\n\nText.\n```", "# T\n\nText."),
        ("```md\n# T\n```\n", "# T"),
        ("# T\n\n```\ncode\n```", "# T\n\n```\ncode\n```"),
        ("```\na\n```\n# T\n```\nb\n```", "```\na\n```\n# T\n```\nb\n```"),
    ],
)
def test_a_fence_around_all_of_it_is_no_part_of_it(text, document):
    assert unfenced(text) == document
    read = read_reply(GenerateTask(goal="g", today="t", plan=Plan(title="P")), text)
    assert (read.reply.deliverable, read.mended) == (document, ())


def test_a_section_is_written_again_with_all_parts_below_it():
    document = "# Fair\n\n## The way\n\n### Money\n\nOld.\n\n## Risks\n\nRain.\n"
    written = with_sections(document, "## The way\n\n### Money\n\nNew.\n")
    assert written == "# Fair\n\n## The way\n\n### Money\n\nNew.\n\n## Risks\n\nRain.\n"
