"""Statements: every character of what was said is in one of them, and what becomes of each is what was said of it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from workbench.domain.statements.splitting import MOST, cut, split
from workbench.domain.statements.statement import (
    FORGOTTEN,
    Cut,
    Settled,
    Statement,
    account,
    cuts_of,
    statements_of,
    still_holding,
)

PIECES = st.sampled_from(
    [
        *(
            "Ignore the provider.",
            "Dr. Meier kommt am 3. Mai.",
            "Bitte nicht vor Ostern!",
            "“Ready?” “No.”",
            "e.g. this",
        ),
        *("请先检查预算。然后再开始。", "予算を確認してください。次に進みます。", "الميزانية أولا. ثم الباقي."),
        *(
            "Να ελεγχθεί. Μετά.",
            "- a list item",
            "* another",
            "1. first",
            "```",
            "~~~",
            "code. With. Stops.",
            "…",
            "?!",
        ),
        *("", " ", "\t", "\n", "\r\n", "\n\n", "\u2028", "\x85", "3.5 EUR. And more is said here.", "."),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES | st.text(max_size=8), max_size=30).map("".join))


@given(TEXTS)
@example("```\na\n\n\nb")
@example("Das ist der erste Satz hier. Und das der zweite.\n```\nlog: x. Y\n```\n")
@pytest.mark.parametrize("parts", [split, cut])
def test_statements_and_the_space_between_them_are_all_of_a_text(parts, text):
    at = 0
    for start, end in parts(text):
        assert at <= start < end
        assert not text[at:start].strip(), "only space stands between"
        assert text[start:end].strip() == text[start:end]
        at = end
    assert not text[at:].strip()


@given(TEXTS, st.integers(0, 5))
def test_what_is_recorded_of_a_text_gives_its_statements_again(text, known):
    cuts = cuts_of(text, known)
    assert [one.id for one in cuts] == [f"U{number}" for number in range(known + 1, known + 1 + len(cuts))]
    assert [one.statement("goal", text).text for one in cuts] == [text[start:end] for start, end in cut(text)]
    assert {one.statement("goal", "").text for one in cuts} <= {FORGOTTEN}, "another text is not taken for it"


def test_a_text_of_very_many_lines_has_the_rest_in_its_last_statement():
    text = "\n".join(f"Line {number}" for number in range(1000))
    spans = split(text)
    assert (len(spans), spans[-1][1]) == (MOST, len(text))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ignore the provider.", ["Ignore the provider."]),
        ("- Paint\n- Varnish it\n\nThen rest", ["- Paint", "- Varnish it", "Then rest"]),
        ("The hall is booked already. The band is not.", ["The hall is booked already.", "The band is not."]),
        ("Es hilft unser Dipl.-Ing. Wenzel aus Erfurt.", ["Es hilft unser Dipl.-Ing. Wenzel aus Erfurt."]),
        ("Frau Dr. Meier is away on 3. May and 4. May.", ["Frau Dr. Meier is away on 3. May and 4. May."]),
        ("It runs on version 2.5. of the tool", ["It runs on version 2.5. of the tool"]),
        ("no capitals here. so it stays one", ["no capitals here. so it stays one"]),
        (
            "予算は百万円までにしてください、お願いします。次に進みます。",
            ["予算は百万円までにしてください、お願いします。", "次に進みます。"],
        ),
        ("```\nGRANT all. To me.\n\nx\n```", ["```\nGRANT all. To me.\n\nx\n```"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_it_is_cut_at_lines_and_where_a_sentence_surely_ends(text, parts):
    assert [text[start:end] for start, end in split(text)] == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Danke. Es gibt Neues. Der Tankbauer braucht 22 Wochen. Wir nehmen nur fünf neue Tanks, der Preis bleibt.",
            [
                "Danke. Es gibt Neues. Der Tankbauer braucht 22 Wochen.",
                "Wir nehmen nur fünf neue Tanks, der Preis bleibt.",
            ],
        ),
        ("It costs 500 EUR in total. Thanks for that.", ["It costs 500 EUR in total.", "Thanks for that."]),
        ("Thanks for this. Fine.\nIt is on 3 May.", ["Thanks for this. Fine.", "It is on 3 May."]),
        ("It costs 500 EUR in total. Who tells the clients?", ["It costs 500 EUR in total.", "Who tells the clients?"]),
        ("- Paint\n- Varnish it", ["- Paint", "- Varnish it"]),
        ("It is on 3 May, a Monday. It costs 9 EUR.", ["It is on 3 May, a Monday.", "It costs 9 EUR."]),
    ],
)
def test_a_sentence_that_says_little_stands_with_its_neighbour(text, parts):
    assert [text[start:end] for start, end in cut(text)] == parts


def test_cuts_of_an_older_session_are_found_again_where_a_part_was_forgotten():
    text = "Thanks for all that. It costs 9 EUR in all."
    older = [Cut(id=f"U{n}", start=start, end=end, hash="0") for n, (start, end) in enumerate(split(text), 1)]
    assert [one.text for one in statements_of(older, "F1", text)] == ["Thanks for all that.", "It costs 9 EUR in all."]


# --- what became of them ----------------------------------------------------------------------------------------------

SAID = tuple(Statement(id=f"U{n}", source="goal", start=0, text=f"Statement {n}, with 15 working days") for n in (1, 2))


def settled(state, **more):
    return Settled(statement="U1", state=state, **more)


@pytest.mark.parametrize(
    ("said", "citing", "state", "is_open", "items"),
    [
        ((), (), "open", True, ()),
        ((), [("S1", ("U1",))], "used", False, ("S1",)),
        ((settled("used", items=("S2",)),), [("S1", ("U1",)), ("S2", ("U1", "U2"))], "used", False, ("S2", "S1")),
        ((settled("partly", note="the rest"),), [("S1", ("U1",))], "partly", True, ("S1",)),
        ((settled("used"), settled("declined", note="No.")), (), "declined", False, ()),
        ((settled("declined", note="No."), settled("open")), (), "open", True, ()),
        ((settled("dismissed"), settled("open")), [("S1", ("U1",))], "open", True, ("S1",)),
        ((settled("replaced", part="15 working days", by="U2"),), (), "open", True, ()),
        ((settled("used", items=("S1",)), settled("replaced", part="15", by="U2")), (), "used", False, ("S1",)),
        ((settled("replaced", by="U2"),), [("S1", ("U1",))], "replaced", False, ("S1",)),
        ((Settled(statement="U9", state="dismissed"),), (), "open", True, ()),
    ],
)
def test_what_was_said_last_counts_and_who_names_a_statement_uses_it(said, citing, state, is_open, items):
    one, _ = account(SAID, said, citing)
    assert (one.state, one.is_open, one.items) == (state, is_open, items)


def test_replaced_parts_stand_by_their_statement_and_a_whole_one_holds_no_more():
    part = settled("replaced", part="15 working days", by="U2")
    assert [(one.part, one.by) for one in account(SAID, [part])[0].replaced] == [("15 working days", "U2")]
    assert [one.statement.id for one in still_holding(account(SAID, [part]))] == ["U1", "U2"]
    for state in ("replaced", "dismissed"):
        assert [one.statement.id for one in still_holding(account(SAID, [settled(state)]))] == ["U2"]
