"""Condensing: what goes, what never does, what a summary says of itself, and the way back."""

from itertools import cycle, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.context.conversations import (
    NOVA,
    SESSION,
    EntriesView,
    calling,
    conversations,
    expand,
    is_paired,
    numbered,
    reply,
    turns,
    user,
    words,
)
from workbench.context.condense import (
    AIM,
    LEAST_SAVED,
    Condensed,
    Refusal,
    condense,
    elide,
    is_due,
    middle,
    summary_room,
)
from workbench.context.fit import Budget
from workbench.context.gather import gather
from workbench.context.groups import flat, grouped
from workbench.context.receipts import digest
from workbench.domain.errors import UsageError

BUDGET = Budget(window=1_000)
LONG = numbered(user(words(60, "first")), *(reply(words(30, f"w{n}")) for n in range(20)), user("Well?"))


def condensed_by_rule(entries, budget):
    """One condensation where no model summarises, or its refusal."""
    return elide(entries, middle(entries, budget), agent=NOVA)


# --- properties 7 and 9 -----------------------------------------------------------------------------------------------


@pytest.mark.cases(5)
@settings(max_examples=15, deadline=None)
@given(st.lists(turns(), min_size=3, max_size=10))
def test_property_7_pairs_are_whole_through_thirty_condensations(pool):
    """The turns come again and again, each time with ids of their own, and each time the window is full it is made."""
    budget, entries, said, chained = Budget(window=1_200), (), {}, 0
    for turn in islice(cycle([[user("Hello.")], *pool]), 30 * 60):
        new = numbered(*with_calls_of_their_own(turn, len(said)), start=len(said) + 1)
        said |= {one.id: one for one in new}
        entries = flat(grouped((*entries, *new)))
        if is_due(entries, budget):
            done = condensed_by_rule(entries, budget)
            if isinstance(done, Refusal):  # too much is pinned: it stops, and nothing is lost
                break
            assert_sound(done, entries, said)
            entries, chained = done.entries, chained + 1
            assert is_paired(entries)
            assert {leaf for one in entries for leaf in one.leaves} == set(said), "all of it is there, or is covered"
        if chained == 30:
            return
    assert any(one.pinned for one in entries) or sum(one.tokens for turn in pool for one in turn) < 60


def with_calls_of_their_own(turn, number):
    """A turn whose calls have ids that no other turn has."""
    names = {call: f"n{number}.{place}" for place, call in enumerate(call for one in turn for call in one.makes)}
    return [
        replace(one, makes=tuple(names[call] for call in one.makes), answers=names.get(one.answers, "")) for one in turn
    ]


def assert_sound(done, before, said):
    kept = {one.id for one in done.entries}
    assert expand(done.summary, said.values()) == tuple(said[leaf] for leaf in done.summary.covers)
    assert [one for one in before if one.id in kept] == list(done.entries[1:]), "what stays is word for word"
    assert all(one.id in kept for one in before if one.pinned), "pins survive"
    last_said = [one for one in before if one.role == "user"][-1:]
    assert all(one.id in kept for one in last_said)
    saved = sum(one.tokens for one in before) - sum(one.tokens for one in done.entries)
    assert saved >= LEAST_SAVED * sum(one.tokens for one in before)


@settings(max_examples=100, deadline=None)
@given(conversations(min_turns=4), st.integers(50, 2_000))
def test_property_9_expanding_gives_the_originals_back_and_condensing_stops(entries, window):
    budget = Budget(window=window)
    before, current, rounds = digest(entries), entries, 0
    while isinstance(done := condensed_by_rule(current, budget), Condensed):
        assert sum(one.tokens for one in done.entries) < sum(one.tokens for one in current), "it makes progress"
        current, rounds = done.entries, rounds + 1
        assert rounds < 100
    assert digest(entries) == before
    back = [original for one in current for original in (expand(one, entries) if one.covers else (one,))]
    assert sorted(back, key=lambda one: one.seq) == list(entries)


# --- what goes, and what never does -----------------------------------------------------------------------------------


def test_it_is_due_at_four_fifths_of_the_window_and_aims_at_half():
    tokens = sum(one.tokens for one in LONG)
    assert is_due(LONG, Budget(window=int(tokens / 0.8)))
    assert not is_due(LONG, Budget(window=int(tokens / 0.8) + 2))
    assert is_due(LONG, Budget(window=2 * tokens, reported=3 * tokens, estimated=tokens)), "as the provider counts"
    budget = Budget(window=int(tokens / 0.8))
    chosen = middle(LONG, budget)
    left = tokens - sum(one.tokens for one in chosen) + summary_room(budget)
    assert left <= AIM * budget.window
    assert left + chosen[-1].tokens > AIM * budget.window, "and no more than is needed"


def test_pins_the_last_user_message_open_calls_and_the_recent_part_stay():
    entries = numbered(
        user("The budget is 40,000 euros.", pinned=True),
        calling("open"),
        *(reply(words(30, f"w{n}")) for n in range(30)),
        user("Well?"),
        *(reply(words(30, f"l{n}")) for n in range(3)),
    )
    chosen = middle(entries, Budget(window=800))
    assert {one.id for one in chosen} <= {one.id for one in entries[2:32]}
    assert middle(entries[:1], Budget(window=1)) == ()


# --- what a summary says of itself ------------------------------------------------------------------------------------


def test_a_summary_says_who_wrote_it_and_what_it_covers():
    chosen = middle(LONG, BUDGET)
    done = condense(LONG, chosen, "They talked.", by="openai:gpt-5", agent=NOVA)
    assert isinstance(done, Condensed)
    assert (done.summary.by, done.summary.agent, done.summary.source) == ("openai:gpt-5", NOVA, "summary")
    assert done.summary.covers == tuple(one.id for one in chosen)
    receipt = done.receipt
    assert (receipt.what, receipt.by, receipt.way_back) == ("condensed", "openai:gpt-5", done.summary.id)
    assert receipt.ids == done.summary.covers
    assert (receipt.hash_before, receipt.hash_after) == (digest(LONG), digest(done.entries))
    assert receipt.tokens_before == sum(one.tokens for one in LONG)
    assert receipt.tokens_after == sum(one.tokens for one in done.entries)


@pytest.mark.parametrize(
    ("count", "text", "why"),
    [
        (10, words(600), "longer"),
        (10, "x" * 3_000, "longer"),
        (1, words(55), "under a tenth"),
        (10, " \n", "says nothing"),
        (0, "They talked.", "nothing that may be condensed"),
    ],
    ids=["more tokens", "more bytes", "saves little", "blank", "nothing"],
)
def test_a_summary_that_is_not_worth_it_is_refused(count, text, why):
    refused = condense(LONG, LONG[:count], text, by="m", agent=NOVA)
    assert isinstance(refused, Refusal)
    assert why in refused.why


def test_when_nobody_could_summarise_the_middle_is_elided_with_a_note():
    chosen = middle(LONG, BUDGET)
    done = elide(LONG, chosen, agent=NOVA)
    assert done == elide(LONG, chosen, agent=NOVA)
    assert done.entries[0].text == (
        f"[Messages from {chosen[0].time} to {chosen[-1].time} are left out here: {len(chosen)} of them. "
        "The session's log has them.]"
    )
    assert done.receipt.what == "elided"
    assert expand(done.summary, LONG) == chosen


# --- views ------------------------------------------------------------------------------------------------------------


def test_no_summary_of_an_agents_view_holds_another_agents_reply():
    mixed = numbered(user(words(60)), reply("Aniza's secret.", agent="aniza"), *LONG)
    with pytest.raises(UsageError, match="not in the view of nova"):
        condense(mixed, mixed[:5], "They talked.", by="m", agent=NOVA)
    whole = condense(mixed, mixed[:5], "They talked.", by="m", agent=None)
    with pytest.raises(UsageError):  # a summary of the session's own view is not the agent's either
        condense(whole.entries, whole.entries[:2], "They talked.", by="m", agent=NOVA)
    bundle = gather(EntriesView(SESSION, whole.entries, NOVA), [], Budget(window=10_000))
    assert whole.summary not in bundle.current_conversation


def test_two_agents_views_are_condensed_apart():
    said = [user(words(60))]
    for n in range(12):
        said += [reply(words(30, f"n{n}")), reply(words(30, f"a{n}"), agent="aniza")]
    said = numbered(*said, user("Well?"))
    for agent, other in ((NOVA, "a1"), ("aniza", "n1")):
        seen = [one for one in said if one.agent in (None, agent)]
        chosen = middle(seen, Budget(window=500))
        done = condense(seen, chosen, "Talk.", by="m", agent=agent)
        bundle = gather(EntriesView(SESSION, done.entries, agent), [], Budget(window=500))
        assert done.summary in bundle.current_conversation
        assert all(other not in one.text for one in bundle.current_conversation)
