"""What of the recalled was cited: in the words in which it was said, and only where it was recalled."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.builders import created, told
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, SentContext
from workbench.replay.citations import Citations, citations

SAID = "The auditors come on the ninth of May, and they want every invoice of the year before."
QUOTED = say.Quoted(
    id="message:m1", session="other-o1o1", role="user", agent=None, time="", text=SAID, score=1.0, why="", parts={}
)


def answered(reply: str, *relevant: Considered):
    call = say.CallStarted(
        call="c1", role="planner", task="plan", attempt=1, model="m", messages=(), prompt_hash="", parameters={}
    )
    return told(
        created(),
        say.OthersSearched(query="audit", reason="plan", found=(QUOTED,)),
        replace(call, context=SentContext(relevant=relevant)),
        say.CallFinished(
            call="c1",
            text=reply,
            input_tokens=1,
            output_tokens=1,
            cost=None,
            estimated=True,
            seconds=1.0,
            model="m",
            reason="stop",
        ),
    )


RECALLED = Considered(id="message:m1", session="other-o1o1", tokens=30, source="semantic")


@pytest.mark.parametrize(
    ("reply", "cited"),
    [
        (f"Step 1: prepare. {SAID} So begin in March.", 1),
        ("The auditors   come on the ninth\nof May, and they want every invoice, too.", 1),
        ("Somebody will look at the books in spring.", 0),
    ],
)
def test_what_a_reply_says_word_for_word_is_cited(reply, cited):
    found = citations(answered(reply, RECALLED))
    assert found == Citations(items=1, tokens=30, cited_items=cited, cited_tokens=30 * cited)


def test_what_was_not_recalled_is_not_cited_whatever_the_reply_says():
    shared = replace(RECALLED, source="shared")
    assert citations(answered(SAID, shared)) == citations(answered(SAID)) == Citations()
