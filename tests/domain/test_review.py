"""Lines of a reviewed plan from one version to the next, and what becomes of notes on them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Script, begin
from tests.pace import took
from workbench.domain.review.answer import editable, place_of, wishes
from workbench.domain.review.lines import compared
from workbench.domain.review.page import page_of
from workbench.domain.session.state import LineNote
from workbench.domain.text.outline import document
from workbench.planning.beside_the_loop.reviewing import submit, write_notes

COPY, SWITCH = "## Copy\n- Copy the data\n- Test the copy", "## Switch\n- Switch over\n- Tell everybody\n- Celebrate"
OLD = f"# Move\n\n{COPY}\n\n{SWITCH}"


def became(old: str, new: str) -> str:
    """The lines with words, one letter each: same, moved, changed, Changed and moved, added, removed."""
    lines = compared(document(old), document(new))
    letters = (
        (line.became[0].upper() if line.is_moved and line.became == "changed" else line.became[0]) for line in lines
    )
    texts = [(document(new).lines[line.new - 1] if line.new else "removed") for line in lines]
    return "".join(letter for letter, text in zip(letters, texts, strict=True) if text.strip())


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (OLD, "ssssssss"),
        (OLD.replace("the data", "all the data"), "sscsssss"),
        (OLD.replace("- Test the copy\n", ""), "sssrssss"),
        (OLD.replace("- Celebrate", "- Celebrate\n- Go home"), "ssssssssa"),
        (f"# Move\n\n{SWITCH}\n\n{COPY}", "sssssmmm"),
        (f"# Move\n\n{SWITCH}\n\n{COPY}".replace("the data", "all data"), "sssssmCm"),
        ("Something else", "rrrrrrrra"),
        ("", "rrrrrrrr"),
    ],
    ids=["same", "word", "gone", "more", "section moved", "section moved and changed", "else", "empty"],
)  # fmt: skip
def test_lines_are_matched(new: str, expected: str) -> None:
    assert became(OLD, new) == expected


BUY, CABLE = "- Twelve access points\n- One spare\n- Order soon", "- Pull cables\n- Test each\n- Label them"
INDEXES, SESSIONS = "- Drop the old one\n- Add another", "- One per request\n- None in tasks\n- Close them"
PODS = "- Deploy to one pod\n- Watch for {}\n- Deploy to all pods"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (f"## Phase 2: Buy\n{BUY}\n## Phase 3: Cable\n{CABLE}\n- Tidy up",
         f"## Phase 2: Cable\n{CABLE}\n- Tidy up\n## Phase 3: Buy\n{BUY}", "1c5 2s6 3s7 4s8 5s9 6c1 7s2 8s3 9s4"),
        (f"# A\n## 1 P\n- p\n- q\n## 2 Q\n### 2.2 Indexes\n{INDEXES}\n### 2.3 Sessions\n{SESSIONS}",
         f"# A\n## 1 P\n- p\n- q\n### 1.4 Indexes\n{INDEXES}\n## 2 Q\n### 2.2 Sessions\n{SESSIONS}",
         "1s1 2s2 3s3 4s4 5c6 6s7 7s8 8s5 9c9 10s10 11s11 12s12"),
        (f"## Europe\n{PODS.format('one hour')}\n## Asia\n{PODS.format('one hour')}",
         f"## Asia\n{PODS.format('two hours')}\n## Europe\n{PODS.format('one hour')}",
         "1s5 2s6 3c7 4s8 5s1 6s2 7s3 8s4"),
        (f"## Goal\n{BUY}\n## End\n- b", f"## Purpose\n{BUY}\n## End\n- b", "1c1 2s2 3s3 4s4 5s5 6s6"),
        (f"## Phase 1\n{BUY}", f"## Phase 1\n{CABLE}\n## Phase 2\n{BUY}", "1a0 2a0 3a0 4a0 5c1 6s2 7s3 8s4"),
        (f"## A\n{BUY}\n## B\n- b\n## C\n{CABLE}", f"## C\n{CABLE}\n## A\n{BUY}",
         "0r5 0r6 1s7 2s8 3s9 4s10 5s1 6s2 7s3 8s4"),
        (f"- x\n- p\n- q\n- gone\n{CABLE}", f"- x\n{CABLE}\n- p\n- q", "1s1 0r4 2s5 3s6 4s7 5s2 6s3"),
        (f"- x\n## P\n- p\n- gone\n- q\n## Q\n{CABLE}\n- z", f"- x\n## Q\n{CABLE}\n- z\n## P\n- p\n- q",
         "1s1 2s6 3s7 4s8 5s9 6s10 7s2 8s3 0r4 9s5"),
    ],
    ids=["renumbered", "below another", "alike", "renamed", "number alone", "beside", "behind", "within"],
)  # fmt: skip
def test_sections_are_matched_before_lines(old: str, new: str, expected: str) -> None:
    lines = compared(document(old), document(new))
    assert " ".join(f"{one.new}{one.became[0].replace('m', 's')}{one.old}" for one in lines) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [("a b c d e f\ng h i j k l", "a b c d\ne f g h\ni j k l", ["s", "s", "s"]),
     ("a b c d e f\ng h i j k l", "a b c d\ne f X h\ni j k l", ["s", "c e f g h", "s"]),
     ("a b c d e f\ng h i j k l", "- a b c d\n- e f g h\n  i j k l", ["c a b c d", "c e f g h", "s"]),
     ("a b c d\ne f", "a b c d\nw x y z v u\ne f", ["s", "a", "s"]),
     ("```\na b\nc d\n```", "```\na\nb c d\n```", ["s", "c a b", "c c d", "s"])],
    ids=["same", "word", "list", "more", "code"],
)  # fmt: skip
def test_words_are_compared_where_a_paragraph_was_wrapped_anew(old: str, new: str, expected: list[str]) -> None:
    lines = compared(document(old), document(new))
    assert [one.became[0] + f" {one.was}" * (one.became in ("changed", "removed")) for one in lines] == expected


NESTED = "- a\n  - b\n    - c\n  - d\n    ```\n    x:\n      y\n    ```"
WIDER = "- a\n    - b\n        - c\n    - d\n      ```\n      x:\n        y\n      ```"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("1. a\n2. b\n   1) c", "1. z\n2. a\n3. b\n   1) x\n   2) c", "sss"),
        ("1. a", "1) a", "c"),
        ("```\n1. 4.0 alpha\n```", "```\n3. 4.0 alpha\n```", "scs"),
        ("text\n\n    1. 4.0 alpha", "text\n\n    3. 4.0 alpha", "sc"),
        ("Merged in May\n30. After that none", "Merged in May\n23. After that none", "sc"),
        ("## 3. Hotfix\n- a", "## 7. Hotfix\n- a", "cs"),
        ("- Version 3. of it", "- Version 4. of it", "c"),
        ("Merged\nwith `a  b` and more", "Merged\nwith `a b` and more", "sc"),
        ("Run  this and\nthen the rest of it", "Run this and\nthen the rest of it", "ss"),
        ("May\n30. After it", "May\n\n30. After it", "ss"),
        (NESTED, WIDER, "ssssssss"),
        (NESTED, WIDER.replace("        - c", "    - c"), "ss<sssss"),
        ("- a\n  - b\n  - c", "- a\n    - b\n- c", "ss<"),
        (NESTED, NESTED.replace("  - d", "      - d"), "sss>ssss"),
        (NESTED, NESTED.replace("      y", "       y"), "ssssss>s"),
        ("9. a\n   - b", "10. a\n   - b", "ss"),
        ("- a\n\n  b", "- a\n\nb", "s<"),
        ("- a b c d\n  e f g", "- a b\n  c d\n  e f g", "ss"),
        ("| a | b |\n|---|:--|\n| `x  y` | b |", "|a   |  b|\n|------|:---|\n|`x  y`|b  |", "sss"),
        ("| a | b |\n|---|:--|\n| `x  y` | -- |", "|a   |  b|\n|------|--:|\n|`x y`|-  |", "scc"),
    ],
)  # fmt: skip
def test_what_says_nothing_is_no_change_and_all_else_is(old: str, new: str, expected: str) -> None:
    lines = compared(document(old), document(new))
    told = ["<" if line.deeper < 0 else ">" if line.deeper else line.became[0] for line in lines]
    assert "".join(one for one, line in zip(told, lines, strict=True) if line.old) == expected
    assert [line.became for line in compared(document(old), document(old))] == ["same"] * len(old.split("\n"))


KINDS = ["# A", "## B", "- one two three", "- one two four", "x", "x y z", "z x y", "", "```"]
TEXTS = st.lists(st.sampled_from(KINDS)).map("\n".join)


@given(TEXTS, TEXTS)
def test_each_line_stands_there_once_and_nothing_differs_from_itself(old: str, new: str) -> None:
    before, after = document(old), document(new)
    lines = compared(before, after)
    assert [line.new for line in lines if line.new] == list(range(1, len(after.lines) + 1))
    olds = sorted(line.old for line in lines if line.old)
    assert len(set(olds)) == len(olds)
    olds = {old for line in lines for old in (line.old, *line.also) if old}
    assert olds == {n for n, line in enumerate(before.lines, 1) if line.strip()}
    assert {line.became for line in compared(after, after)} <= {"same"}
    same = [line for line in lines if line.became in ("same", "moved") and line.old]
    assert all(line.was == after.lines[line.new - 1] for line in same)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("## A\n- a\n## B\n- b\n- c\n## C\n- d", "## A\n- a\n- b\n## B\n- c\n## C\n- d", {"- b": "B"}),
        ("## A\n- a\n## B\n- b\n- c", "## A\n- a\n- b\n- c", {"- b": "B", "- c": "B"}),
        ("## In scope\n- web\n- iOS\n## Out of scope\n- print", "## Out of scope\n- web\n- iOS\n## In scope\n- print",
         {"## In scope": "", "- web": "In scope", "- iOS": "In scope", "- print": "Out of scope"}),
        ("- before\n  - test\n- after\n  - mail\n  - close", "- before\n  - test\n  - mail\n- after\n  - close",
         {"  - mail": "after"}),
        ("- a\n  - b\n  - c", "- a\n  - b\n- new\n  - c", {"  - c": "a"}),
        ("1. a\n\n   why\n2. b", "1. a\n2. b\n\n   why", {"   why": "a"}),
        ("# A\n## B\n### b\nx\n## C\n### c\ny", "# A\n## B\n## C\n### b\nx\n### c\ny", {"### b": "B", "x": ""}),
        ("Why\n---\nSo\n\nHow\n---\n- a", "## Why\nSo\n## How\n- a", {}),
        ("## Test\n- a\n## B\n- b", "# New\n## Checks of it\n- a\n## B\n- b", {}),
        ("- a\n  - c\n- b", "- something else\n  - c\n- b", {}),
        ("- a\n- b\n- c", "- a\n  - b\n- c", {}),
    ],
    ids=["section", "heading gone", "headings changed places", "item", "new item", "text of an item", "heading",
         "other headings", "renamed", "item renamed", "deeper"],
)  # fmt: skip
def test_a_line_in_another_section_or_item_moved(old: str, new: str, expected: dict[str, str]) -> None:
    lines = document(new).lines
    assert {
        lines[one.new - 1]: one.was_in for one in compared(document(old), document(new)) if one.is_moved
    } == expected


PHASE = "- Move the code\n- Run the tests\n- Watch errors for 24 hours\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (f"## A\n{PHASE}## B\n{PHASE}## C\n- Delete it\n",
         f"## A\n{PHASE.replace('24', '48')}## B\n{PHASE}## C\n- Delete it\n- Watch errors for 24 hours\n",
         "1s1 2s2 3s3 4c4 5s5 6s6 7s7 8s8 9s9 10s10 0a11"),
        ("## A\n- Watch errors for 24 hours\n## C\n- Delete it\n",
         "## A\n- Watch errors for 48 hours\n## C\n- Delete it\n- Watch errors for 24 hours\n",
         "1s1 0a2 3s3 4s4 2m5"),
        ("## A\nx\n```\ncode\n```\n## B\ny", "## A\nx\n## B\ny\n```\nelse\n```", "1s1 2s2 3r 4r 5r 6s3 7s4 0a5"),
    ],
    ids=["often", "once", "fences"],
)  # fmt: skip
def test_the_same_words_elsewhere_are_another_line_where_they_stand_often(old: str, new: str, expected: str) -> None:
    lines = (one for one in compared(document(old), document(new)) if one.new or one.was.strip())
    told = " ".join(f"{one.old}{one.became[0]}{one.new or ''}" for one in lines)
    assert told.split(" ")[: len(expected.split(" "))] == expected.split(" ")


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [(4, 4, ("changed", 7, 7)), (5, 5, ("removed", 0, 0)), (8, 9, ("unchanged", 4, 5)), (3, 5, ("changed", 6, 7)),
     (0, 0, ("unchanged", 0, 0)), (10, 10, ("removed", 0, 0))],
)  # fmt: skip
def test_a_note_follows_its_lines_and_is_never_done(first: int, last: int, expected: tuple[str, int, int]) -> None:
    new = "# Move\n\n## Switch\n- Switch over\n- Tell everybody\n## Copy\n- Copy all of the data"
    note = LineNote(id="N1", version=1, first=first, last=last, text="Why?", time="")
    place = place_of(note, compared(document(OLD), document(new)))
    assert (place.became, place.first, place.last) == expected


def test_a_note_on_a_line_that_went_to_another_section_says_that_it_moved() -> None:
    note = LineNote(id="N1", version=1, first=4, last=4, text="Why?", time="")
    place = place_of(note, compared(document("## A\n- a\n## B\n- b\n- c"), document("## A\n- a\n- b\n## B\n- c")))
    assert (place.became, place.first, place.last) == ("moved", 3, 3)


def test_paragraphs_that_were_wrapped_anew_are_found_where_others_moved_around_them() -> None:
    one = "We keep a bucket for each key, and change it\nby a script, so that no two servers give\nthe token twice."
    two = "Answers say how many are left, and when more\ncome; one too many gets 429."
    anew = "We keep a bucket for each key,\nand change it by a script, so that\nno three servers give the\ntoken twice."
    moved = "Answers say how many are left,\nand when more come; one too many gets 429."
    old, new = document(f"## A\n{one}\n\n{two}\n\n## B\nx"), document(f"## A\n{anew}\n\n## B\nx\n\n{moved}")
    lines = [line for line in compared(old, new) if line.became != "same"]
    assert [(line.became, line.new, line.was_in) for line in lines] == [
        ("changed", 4, ""), ("moved", 10, "A"), ("moved", 11, "A")
    ]  # fmt: skip
    assert lines[0].was == "no two servers give the"


def test_a_note_on_a_removed_line_stands_below_it() -> None:
    log = begin("Review", script=Script())._session
    submit(log, OLD, "", waits=False)
    for first in (3, 9):
        write_notes(log, 1, [(first, first + 1, "Why?")])
    submit(log, "# Move\n- Celebrate", "", waits=False)
    state = log.state
    below = page_of(state, 2, 1).below  # the old line 4 is gone, and line 10 is the new line 2
    assert {line: note.id for line, ((note, _),) in below.items()} == {-4: "N1", 2: "N2"}


def test_headings_in_code_are_none_and_sections_end_before_the_next_of_their_level() -> None:
    of = document("# A\n```\n# no\n```\n## B #\ntext\n## C\n# D")
    assert [(one.title, one.line, one.last) for one in of.headings] == [
        ("A", 1, 7),
        ("B", 5, 6),
        ("C", 7, 7),
        ("D", 8, 8),
    ]
    assert of.title == "A"
    assert of.section_at(6) == of.headings[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("".join(f"## P{n // 30}\n- step {n} of it\n" for n in range(1500)),
         "".join(f"## P{n // 30}\n- step {n} of this, changed\n" for n in range(1500))),
        ("x\n" * 3000, "x\ny\n" * 1500),
        ("x " * 500_000, "y " * 500_000),
    ],
    ids=["rewritten", "alike", "endless"],
)  # fmt: skip
def test_long_versions_are_compared_at_once(old: str, new: str) -> None:
    before, after = document(old), document(new)
    assert took(lambda: compared(before, after), within=0.5) < 0.5


@given(*[st.lists(st.sampled_from(["# Move", "- Copy", "- Test", "", "\x1b[31m- Switch", "- Tell"]), max_size=12)] * 2)
def test_notes_of_an_edit_say_how_to_make_it(before: list[str], after: list[str]) -> None:
    old = document("\n".join(before))
    lines = editable(old).splitlines()
    edited = "\n".join(after)
    notes = list(wishes(old, edited))
    for first, last, words in reversed(notes):
        written = words.partition("\n\n")[2].splitlines()
        lines[last if words.startswith("Add") else first - 1 : last] = written
    with_words = [line for line in document(edited).lines if line.strip()]
    assert [line for line in lines if line.strip()] == with_words
    assert all("".join(old.lines[first - 1 : last]).strip() for first, last, _ in notes if first)
