"""The bundle: two sources side by side, each item saying where it comes from, and a ledger that adds up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import GOAL, created, told
from tests.context.conversations import (
    NOVA,
    SESSION,
    EntriesView,
    calling,
    conversations,
    elsewhere,
    floor,
    is_paired,
    numbered,
    reply,
    result,
    user,
    words,
)
from tests.session_events import finished, started
from workbench.context.entry import Entry
from workbench.context.fit import Budget
from workbench.context.gather import gather
from workbench.context.view import SessionView
from workbench.domain.session import events as say
from workbench.domain.session.context import Recall, RecallSettings, Summary
from workbench.domain.session.session import fold

LARGE = Budget(window=1_000_000)


def view(*entries, **more):
    return EntriesView(SESSION, numbered(*entries), **{"agent": NOVA} | more)


def said(bundle):
    return [one.text for one in bundle.current_conversation]


def recalled(bundle):
    return [one.text for one in bundle.relevant_history]


def whys(bundle):
    return {one.id: one.why_not for one in bundle.dropped}


FOUND = st.lists(
    st.builds(
        elsewhere,
        st.sampled_from(["Yes.", "Move billing by 30 June.", words(30), words(90, "other"), "Never on a Friday."]),
        st.integers(1, 60),
        role=st.sampled_from(["user", "assistant", "artefact"]),
        agent=st.sampled_from([None, "nova", "aniza"]),
        session=st.sampled_from([SESSION, "s-2"]),
        relevance=st.sampled_from([0.1, 1.0]),
        source=st.sampled_from(["semantic", "session"]),
    ),
    max_size=12,
    unique_by=lambda one: one.id,
)
SETTINGS = st.builds(
    RecallSettings,
    user=st.builds(
        Recall,
        method=st.sampled_from(["hybrid", "recent", "semantic"]),
        recent=st.integers(0, 5),
        nearest=st.integers(0, 3),
        threshold=st.sampled_from([0.0, 0.5]),
        scope=st.sampled_from(["all", "session"]),
    ),
    assistant=st.builds(Recall, recent=st.integers(0, 5)),
)


# --- property 6 -------------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(conversations(), FOUND, SETTINGS, st.integers(0, 3_000), st.sets(st.integers(1, 12)))
def test_property_6_bundle_algebra(entries, found, recall, above, excluded):
    seen = EntriesView(SESSION, entries, NOVA, frozenset(f"{SESSION}:{n}" for n in excluded))
    admitted = [entry for entry in entries if entry.id not in seen.excluded]
    made = {call for entry in admitted for call in entry.makes}
    paired = [entry for entry in admitted if not entry.answers or entry.answers in made]
    least = max(floor(one, LARGE, more=True) for one in (entries, admitted, paired))
    budget = Budget(window=least + 100 + above)
    bundle = gather(seen, found, budget, recall)
    current, relevant, both = bundle.current_conversation, bundle.relevant_history, bundle.chat_history

    assert len({one.id for one in both}) == len(both), "ids are unique"
    assert both == (*current, *relevant), "nothing that the conversation says is recalled"
    assert {one.text for one in current}.isdisjoint(one.text for one in relevant)
    assert all(one.session == SESSION for one in current)
    assert [one.seq for one in current if not one.by] == sorted(one.seq for one in current if not one.by) or (
        any(one.answers for one in current)
    ), "in the order of time, but for results that came late"
    assert is_paired(current)
    assert bundle.tokens <= budget.limit
    assert gather(seen, list(found), budget, recall) == bundle, "deterministic"
    assert_ledger_adds_up(bundle, entries, found, seen.excluded)


def assert_ledger_adds_up(bundle, entries, found, excluded):
    sections = {"current_conversation": bundle.current_conversation, "relevant_history": bundle.relevant_history}
    assert all(one.section == section for section, shown in sections.items() for one in shown)
    assert all(one.why_not == "" for one in bundle.chat_history)
    assert all(one.why_not for one in bundle.dropped)
    assert bundle.tokens == sum(one.tokens for shown in sections.values() for one in shown)
    considered = (*bundle.chat_history, *bundle.dropped)
    recalled_ids = [one.id for one in considered if one.section == "relevant_history"]
    assert sorted(recalled_ids) == sorted(one.id for one in found), "each of those found stands there once"
    assert excluded.isdisjoint(one.id for one in bundle.chat_history)
    if not bundle.goes_back_further:
        current = {one.id for one in considered if one.section == "current_conversation"}
        assert {one.id for one in entries} <= current


@settings(max_examples=100, deadline=None)
@given(conversations(), FOUND, st.integers(0, 1_500), st.integers(0, 600))
def test_property_8_a_larger_budget_shows_all_that_a_smaller_one_showed(entries, found, above, more):
    seen = EntriesView(SESSION, entries, NOVA)
    lowest = floor(entries, LARGE, more=True)
    small, large = (gather(seen, found, Budget(window=lowest + up)) for up in (above, above + more))
    shown = {key for one in large.chat_history for key in (one.id, one.text)}
    assert all(one.id in shown or one.text in shown for one in small.chat_history if not one.by)


# --- agents -----------------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(conversations(), st.integers(0, 1_500))
def test_an_agents_bundle_is_the_same_whatever_others_reply(entries, above):
    others = [
        replace(reply(f"Aniza says {n}.", agent="aniza"), id=f"{SESSION}:a{n}", seq=one.seq, time=one.time)
        for n, one in enumerate(entries)
    ]
    mixed = [both for pair in zip(entries, others, strict=True) for both in pair]
    budget = Budget(window=floor(entries, LARGE, more=True) + above)
    alone = gather(EntriesView(SESSION, entries, NOVA), [], budget)
    among = gather(EntriesView(SESSION, mixed, NOVA), [], budget)
    assert among.current_conversation == alone.current_conversation
    assert all(one.agent in (None, NOVA) for one in among.current_conversation)
    assert {one.why_not for one in among.dropped if "a" in one.id.removeprefix(SESSION)} <= {"scope"}


def test_of_another_session_an_agent_is_told_what_people_said_and_the_replies_of_its_own_name():
    found = [
        elsewhere("A user's.", 1),
        elsewhere("An artefact.", 2, role="artefact"),
        elsewhere("Nova's of the other session.", 3, role="assistant", agent=NOVA),
        elsewhere("Aniza's.", 4, role="assistant", agent="aniza"),
        elsewhere("Nobody's.", 5, role="assistant"),
        elsewhere("Without a label.", 6, source="session"),
    ]
    bundle = gather(view(user()), found, LARGE)
    assert recalled(bundle) == ["A user's.", "An artefact.", "Nova's of the other session."]
    assert whys(bundle) == {"s-2:4": "scope", "s-2:5": "scope", "s-2:6": "scope"}


# --- the rules of recall ----------------------------------------------------------------------------------------------


def test_the_same_words_are_shown_once_and_the_sessions_own_stays():
    found = [
        elsewhere("The cut-over to the new provider is on a Sunday night.", 1),
        elsewhere("The cut over to the new provider, is on a sunday night!", 2, session="s-3"),
        elsewhere("the cut-over to the new provider is on a Sunday night", 3, session=SESSION, source="session"),
        elsewhere("The cut-over to the new provider is not on a Sunday night.", 4),
    ]
    bundle = gather(view(user()), found, LARGE)
    assert [one.id for one in bundle.relevant_history] == ["s-1:3", "s-2:4"]
    assert whys(bundle) == {"s-2:1": "duplicate", "s-3:2": "duplicate"}
    assert {one.like for one in bundle.dropped if one.why_not == "duplicate"} == {"s-1:3"}


def test_what_the_session_shows_itself_is_not_recalled_and_takes_no_place():
    settings = RecallSettings(user=Recall(nearest=1))
    found = [elsewhere("Hello.", 1), elsewhere("Something else.", 2)]
    bundle = gather(view(user("Hello.")), found, LARGE, settings)
    assert said(bundle) == ["Hello."]
    assert recalled(bundle) == ["Something else."]
    assert [(one.id, one.like) for one in bundle.dropped if one.why_not == "duplicate"] == [("s-2:1", "s-1:1")]


def test_what_was_left_out_may_come_back_by_being_recalled_labelled():
    entries = numbered(user("We decided on the red paint."), *(user(words(40, f"w{n}")) for n in range(30)))
    old = replace(entries[0], source="session", rank=1, relevance=1.0, reason="shares “paint”")
    settings = RecallSettings(user=Recall(recent=5))
    bundle = gather(EntriesView(SESSION, entries, NOVA), [old], Budget(window=600), settings)
    assert "We decided on the red paint." not in said(bundle)
    assert [(one.session, one.reason) for one in bundle.relevant_history] == [(SESSION, "shares “paint”")]


def test_excluded_items_are_gone_from_the_next_prompt():
    found = [elsewhere("Of another one.", 1)]
    bundle = gather(view(user("Secret."), user("Well?"), excluded=frozenset({"s-1:1", "s-2:1"})), found, LARGE)
    assert (said(bundle), recalled(bundle)) == (["Well?"], [])
    assert whys(bundle) == {"s-1:1": "excluded", "s-2:1": "excluded"}


# --- reading from the end ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"role": "user", "makes": ("c1",)},
        {"role": "tool"},
        {"role": "user", "answers": "c1"},
        {"role": "summary"},
        {"role": "user", "covers": ("s-1:1",)},
    ],
    ids=str,
)
def test_an_entry_that_no_conversation_has_cannot_be_made(wrong):
    with pytest.raises(ValueError, match="entry x"):
        Entry(id="x", session="s-1", seq=1, time="", text="x", tokens=1, **wrong)


def test_a_result_whose_call_is_excluded_is_left_out_and_named():
    entries = numbered(user("Hello."), calling("c1"), result("c1"), user("Well?"))
    seen = EntriesView(SESSION, entries, NOVA, frozenset({"s-1:2"}))
    bundle = gather(seen, [], LARGE)
    assert [one.role for one in bundle.current_conversation] == ["user", "user"]
    assert whys(bundle) == {"s-1:2": "excluded", "s-1:3": "unpaired"}


# --- a session's own view ---------------------------------------------------------------------------------------------

CHAT = [
    say.MessageGiven(role="user", text="Which paint?"),
    say.MessageGiven(role="assistant", text="Red lasts longest."),
    say.MessageGiven(role="user", text="And for wood?"),
]


def test_a_view_holds_what_people_said_and_the_agents_own_replies_to_nobodys_task():
    state = fold(told(created(), *CHAT[:1], started(1), finished(1, text="{}"), *CHAT[1:2], agent=NOVA))
    texts = [one.text for one in SessionView(state, NOVA).newest_first()]
    assert texts == ["Red lasts longest.", "Which paint?", GOAL]
    assert [one.text for one in SessionView(state, "aniza").newest_first()] == ["Which paint?", GOAL]
    assert [one.text for one in SessionView(state, "planner").newest_first()] == ["Which paint?", GOAL]
    assert [one.text for one in SessionView(state).newest_first()] == texts


@pytest.mark.parametrize("excluded", [False, True])
def test_a_summary_stands_for_what_came_before_unless_that_was_excluded_since(excluded):
    state = fold(told(created(), *CHAT))
    first, second = list(SessionView(state).newest_first())[:1:-1]
    summary = Summary(
        id="summary:1", text="Paint.", by="rule", covers=(first.id, second.id), seq=second.seq, time=second.time
    )
    marks = ((f"{state.session} {second.id}", "excluded", None),) if excluded else ()
    seen = SessionView(replace(state, condensed=((NOVA, summary),), marks=marks), NOVA)
    texts = said(gather(seen, [], LARGE))
    assert texts == [first.text, *texts[1:]] if excluded else texts[0] == "Paint."
    assert "Which paint?" not in texts
    assert texts[-1] == "And for wood?"
