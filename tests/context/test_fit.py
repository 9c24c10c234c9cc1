"""A conversation and a budget: what stays, what goes, and that a larger budget never shows less."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.context.conversations import (
    calling,
    conversations,
    elsewhere,
    floor,
    is_paired,
    numbered,
    reply,
    user,
    words,
)
from workbench.context.fit import LEFT_OUT, Budget, fit
from workbench.context.groups import grouped
from workbench.domain.errors import ContextTooSmall

LARGE = Budget(window=1_000_000)


def texts(entries):
    return [one.text for one in entries]


def own(entries):
    return {one.id for one in entries if not one.by}


# --- property 8 -------------------------------------------------------------------------------------------------------

RECALLED = st.lists(
    st.builds(
        elsewhere,
        st.sampled_from(["Yes.", "Move billing by 30 June.", words(80, "other"), "x" * 300, words(30)]),
        st.integers(1, 50),
    ),
    max_size=6,
    unique_by=lambda one: one.id,
)
TAIL = {"user": 3, "assistant": 2}


@settings(max_examples=150, deadline=None)
@given(conversations(), RECALLED, st.integers(0, 2_000), st.integers(0, 200), st.integers(0, 300), st.booleans())
def test_property_8_the_total_is_within_the_limit_for_every_budget_above_the_floor(
    entries, recalled, above, overhead, undercount, more
):
    budget = Budget(window=0, reserve=50, overhead=overhead, reported=overhead + undercount, estimated=overhead)
    lowest = floor(entries, budget, more=more)
    fitted = fit(entries, with_window(budget, lowest + above), recalled=recalled, tail=TAIL, more=more)
    sent = (*fitted.current_conversation, *fitted.relevant_history)
    assert fitted.tokens == sum(one.tokens for one in sent) + overhead + undercount
    assert fitted.tokens <= lowest + above - 50
    assert is_paired(fitted.current_conversation)
    with pytest.raises(ContextTooSmall) as refused:
        fit(entries, with_window(budget, lowest - 1), recalled=recalled, tail=TAIL, more=more)
    assert refused.value.remedy


def with_window(budget, window):
    fields = {name: getattr(budget, name) for name in budget.__struct_fields__}
    return Budget(**fields | {"window": window})


@settings(max_examples=250, deadline=None)
@given(conversations(), RECALLED, st.integers(0, 1_500), st.integers(0, 500), st.booleans())
def test_property_8_a_larger_budget_never_drops_what_a_smaller_one_kept(entries, recalled, above, more_tokens, more):
    lowest = floor(entries, Budget(window=0), more=more)
    small = fit(entries, Budget(window=lowest + above), recalled=recalled, tail=TAIL, more=more)
    large = fit(entries, Budget(window=lowest + above + more_tokens), recalled=recalled, tail=TAIL, more=more)
    assert own(small.current_conversation) <= own(large.current_conversation)
    shown = {key for one in (*large.current_conversation, *large.relevant_history) for key in (one.id, one.text)}
    gone = [one for one in small.relevant_history if one.id not in shown]
    assert all(one.text in shown for one in gone), "a quotation makes room for the session's own words only"


@settings(max_examples=100, deadline=None)
@given(conversations(), st.integers(0, 3_000))
def test_bytes_are_bounded_as_tokens_are(entries, max_bytes):
    budget = Budget(window=1_000_000, max_bytes=max_bytes)
    lowest = fit(entries, Budget(window=floor(entries, LARGE, more=True)), more=True)
    if sum(one.bytes for one in lowest.current_conversation) > max_bytes:
        with pytest.raises(ContextTooSmall, match="bytes"):
            fit(entries, budget, more=True)
    else:
        sent = fit(entries, budget, more=True).current_conversation
        assert sum(len(one.text.encode()) for one in sent) <= max_bytes


@settings(max_examples=100, deadline=None)
@given(conversations(), st.integers(0, 1_500))
def test_groups_are_kept_or_left_out_as_one_and_the_rest_stays_in_order(entries, above):
    fitted = fit(entries, Budget(window=floor(entries, LARGE) + above))
    kept = own(fitted.current_conversation)
    for group in grouped(entries):
        assert set(group.ids) <= kept or kept.isdisjoint(group.ids)
    in_order = [one.id for group in grouped(entries) for one in group.entries if one.id in kept]
    assert [one.id for one in fitted.current_conversation if not one.by] == in_order


# --- what stays word for word -----------------------------------------------------------------------------------------


def test_pins_the_last_user_message_open_calls_and_the_newest_group_stay():
    entries = numbered(
        user("The budget is 40,000 euros.", pinned=True),
        calling("c8", text="I am waiting for this."),
        *(reply(words(50, f"w{n}")) for n in range(20)),
        user("Well?"),
        reply(words(50, "late")),
        calling("c9"),
    )
    fitted = fit(entries, Budget(window=floor(entries, LARGE)))
    assert texts(fitted.current_conversation) == [
        LEFT_OUT,
        "The budget is 40,000 euros.",
        "I am waiting for this.",
        "Well?",
        "",
    ]


def test_the_tail_comes_before_what_was_recalled_and_that_before_the_rest():
    entries = numbered(*(user(words(40, f"w{n}")) for n in range(10)))
    recalled = [elsewhere(words(20, "other"))]
    budget = Budget(window=5 * entries[0].tokens + 30)
    fitted = fit(entries, budget, recalled=recalled, tail={"user": 4})
    assert [len(fitted.current_conversation) - 1, len(fitted.relevant_history)] == [4, 1]
    fitted = fit(entries, budget, recalled=recalled, tail={"user": 5})
    assert [len(fitted.current_conversation) - 1, len(fitted.relevant_history)] == [5, 0]


# --- counting ---------------------------------------------------------------------------------------------------------


def test_a_quotation_of_what_the_conversation_says_is_not_shown_twice():
    entries = numbered(user("Move billing."), user("Well?"))
    fitted = fit(entries, LARGE, recalled=[elsewhere("Move billing.")])
    assert fitted.relevant_history == ()
    assert [(one.text, one.why_not) for one in fitted.dropped] == [("Move billing.", "duplicate")]
