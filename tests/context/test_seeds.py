"""The seeds' scenarios, with their names: what failed there is what is tested here."""

import pytest
from tests.builders import SESSION as OURS
from tests.builders import created, told
from tests.context.conversations import (
    NO_RECALL,
    NOVA,
    SESSION,
    EntriesView,
    calling,
    elsewhere,
    numbered,
    reply,
    result,
    user,
)
from workbench.context.entry import from_history
from workbench.context.fit import Budget
from workbench.context.gather import gather
from workbench.context.view import SessionView
from workbench.domain.log.ids import agent_id
from workbench.domain.session import events as say
from workbench.domain.session.context import RecallSettings
from workbench.domain.session.session import apply, fold

LARGE = Budget(window=100_000)


def texts(entries):
    return [one.text for one in entries]


# --- 001: session isolation -------------------------------------------------------------------------------------------

HELLO_2 = elsewhere("Hello session 2", session="session-2")


@pytest.mark.parametrize("recall", [RecallSettings(), NO_RECALL], ids=["with recall", "without"])
def test_001_what_did_i_say_sees_this_session_and_the_other_only_under_its_label(recall):
    """Create session 1 and 2, say hello in each, go back to session 1 and ask: What did I say?"""
    said = numbered(user("Hello session 1"), user("What did I say?"))
    bundle = gather(EntriesView(SESSION, said, NOVA), [HELLO_2], LARGE, recall)
    assert texts(bundle.current_conversation) == ["Hello session 1", "What did I say?"]
    assert {one.source for one in bundle.current_conversation} == {"session"}
    recalled = [(one.text, one.session, one.source) for one in bundle.relevant_history]
    assert recalled == ([] if recall is NO_RECALL else [("Hello session 2", "session-2", "semantic")])


def test_001_the_combined_list_says_which_is_which_and_the_session_wins():
    said = numbered(user("I'm doing some testing"), user("just running some tests"))
    found = [elsewhere("what about now?", 1), elsewhere("just running some tests", 2)]
    both = gather(EntriesView(SESSION, said, NOVA), found, LARGE).chat_history
    assert [(one.text, one.source) for one in both] == [
        ("I'm doing some testing", "session"),
        ("just running some tests", "session"),
        ("what about now?", "semantic"),
    ]


def test_001_of_each_kind_the_last_twenty_are_there_and_the_ten_nearest():
    said = numbered(*(one for n in range(300) for one in (user(f"Question {n}?"), reply(f"Answer {n}."))))
    found = [elsewhere(f"Elsewhere {word}.", n) for n, word in enumerate("abcdefghijklmno", start=1)]
    budget = Budget(window=20 * sum(one.tokens for one in said[-2:]) + 600)
    bundle = gather(EntriesView(SESSION, said, NOVA), found, budget)
    assert set(texts(said[-40:])) <= set(texts(bundle.current_conversation))
    assert texts(bundle.relevant_history) == [f"Elsewhere {word}." for word in "abcdefghij"]


# --- 002: context loss ------------------------------------------------------------------------------------------------


def test_002_every_input_event_extends_the_history():
    """After the first user message it has 1 item, after the reply 2, after a tool result 3; the next turn has all."""
    turns = [
        user("What does the printer cost?"),
        calling("c1", text="I look it up."),
        result("c1", "300 euros"),
        reply("It costs 300 euros."),
        user("And the other one?"),
    ]
    for count in range(1, len(turns) + 1):
        said = numbered(*turns[:count])
        bundle = gather(EntriesView(SESSION, said, NOVA), [], LARGE)
        assert bundle.current_conversation == said
        assert len(bundle.current_conversation) == count


def test_002_the_history_is_the_fold_of_the_log_at_every_event():
    """The same of a session's own events: what is shown is read from the one history, nowhere else."""
    said = ["300 euros.", "And the other one?", "200 euros."]
    bodies = [say.MessageGiven(role="user" if n % 2 else "assistant", text=text) for n, text in enumerate(said)]
    state, counts = None, []
    for event in told(created(), *bodies):
        state = apply(state, event)
        shown = gather(SessionView(state), [], LARGE).current_conversation
        assert shown == tuple(from_history(message, OURS) for message in state.history)
        counts.append(len(shown))
    assert counts == [1, 2, 3, 4]


# --- 003: agents in one conversation ----------------------------------------------------------------------------------

ANIZA = "aniza"


def conversation(*said):
    """A session's view-to-be: who speaks, and what; agents by name, the person as ``you``."""
    events = told(created())
    for agent, text in said:
        by_person = agent == "you"
        body = say.MessageGiven(role="user" if by_person else "assistant", text=text)
        events = told(body, after=events, agent=None if by_person else agent)
    return fold(events)


def test_003_the_five_steps():
    # 1. Start a conversation with Nova. 2. Ask her several questions.
    said = [
        ("you", "Tell me about AI in solar panels."),
        (NOVA, "Inspection is done by drones."),
        ("you", "Who builds them?"),
        (NOVA, "Mostly two firms."),
    ]
    # 3. Switch to Aniza in the same conversation.
    said += [("you", "What are the NZIA requirements?")]
    aniza = gather(SessionView(conversation(*said), ANIZA), [], LARGE)
    # 4. She sees what the person said, and does not see Nova's replies.
    asked = [text for who, text in said if who == "you"]
    assert texts(aniza.current_conversation)[1:] == asked
    # 5. Switch back to Nova: she has all that she had.
    said += [(ANIZA, "Forty per cent by 2030."), ("you", "And the drones?")]
    nova = gather(SessionView(conversation(*said), NOVA), [], LARGE)
    assert texts(nova.current_conversation)[1:] == [text for who, text in said if who != ANIZA]


def test_003_names_meet_as_slugs_and_not_by_prefix():
    said = [("you", "Hello."), (str(agent_id("nzia_policy")), "By policy."), ("nzia", "By name.")]
    shown = gather(SessionView(conversation(*said), "nzia"), [], LARGE).current_conversation
    assert texts(shown)[1:] == ["Hello.", "By name."]
