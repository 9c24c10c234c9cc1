"""What a draft is for: only what a person does changes it, however long they pause."""

from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.loop.gates import Note
from workbench.tui.session.drafting import Drafting, Place

HEADING = Place("risks", 0, "“Risks”")
STEP = Place("steps", 3, "S3")


def typed(drafting: Drafting, gate: str, *, stands: bool = True) -> Drafting:
    return drafting.typed(stands=stands, gate=gate)


def test_a_draft_belongs_to_the_gate_it_was_begun_at():
    assert typed(Drafting(), "g1").belongs_to("g1")


def test_a_draft_begun_before_a_gate_does_not_belong_to_it():
    begun = typed(typed(Drafting(), ""), "g1")
    assert not begun.belongs_to("g1")
    assert begun.reviewed("g1").belongs_to("g1")


def test_a_draft_for_one_gate_does_not_belong_to_the_next():
    assert not typed(typed(Drafting(), "g1"), "g2").belongs_to("g2")


def test_an_emptied_draft_begins_anew():
    assert typed(typed(typed(Drafting(), "g1"), "g2", stands=False), "g2").belongs_to("g2")


@given(st.lists(st.sampled_from(["", "g1", "g2"]), min_size=2, max_size=8))
def test_typing_on_never_moves_a_draft_to_another_gate(gates):
    drafting = Drafting()
    for gate in gates:
        drafting = typed(drafting, gate)
    assert drafting.gate == gates[0]


def test_a_note_puts_the_reply_aside_and_brings_it_back():
    reply = typed(Drafting(), "g1")
    noted = reply.for_note(HEADING, "g1", "be quick").noted("too few")
    assert (noted.purpose, noted.gate, noted.kept) == ("reply", "g1", "")
    assert [one.as_note() for one in noted.notes] == [Note(section="risks", text="too few")]


def test_a_note_begun_while_another_is_written_keeps_the_first_reply():
    noting = typed(Drafting(), "g1").for_note(HEADING, "g1", "be quick").for_note(STEP, "g1", "half a note")
    assert (noting.place, noting.kept) == (STEP, "be quick")


def test_leaving_a_reason_gives_the_reply_back():
    reply = typed(Drafting(), "")
    assert reply.for_reason("g1", "be quick").back().gate == ""
    assert Drafting().for_reason("g1", "").back() == Drafting()


def test_a_note_on_a_line_says_which():
    noted = Drafting().for_note(STEP, "g1", "").noted("two weeks")
    assert noted.notes[0].as_note() == Note(section="steps", text="S3: two weeks")


def test_notes_are_taken_back_by_their_place():
    noted = Drafting().for_note(STEP, "g1", "").noted("one").for_note(HEADING, "g1", "").noted("two")
    assert [one.text for one in noted.without("steps", 3).notes] == ["two"]
    assert noted.without("steps", 4) == noted
