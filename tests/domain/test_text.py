"""Cleaning of untrusted text: nothing that a terminal obeys is left, and nothing is lost silently."""

import unicodedata

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.text.cleaning import MAX_MARKS, StreamCleaner, clean, clean_json, clean_name, shorten

nasty = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "\r\n\t\x1b\x07\x7f\x9b\u200b\u200c\u200d\u202e\u2066\ufeff\ufe0f\u0301\u0e47\U000e0041a é字👨"
        ),
        st.characters(categories=["Cs", "Cf", "Cc", "Mn"]),
    )
)
floods = st.builds(
    lambda base, mark, n, end: base + mark * n + end,
    nasty,
    st.sampled_from("\u0301\u0e47\u200d"),
    st.integers(0, 40),
    nasty,
)
texts = nasty | floods


@given(texts)
def test_no_control_character_is_left_and_cleaning_twice_changes_nothing(text):
    cleaned = clean(text)

    assert {c for c in cleaned if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")} <= {"\t", "\n"}
    assert clean(cleaned) == cleaned


@given(texts)
def test_clean_text_is_free_of_invisible_characters_except_joiners_and_selectors_that_carry_meaning(text):
    formatting = {c for c in clean(text) if unicodedata.category(c) == "Cf"}
    visible = {c for c in formatting if "ARABIC" in unicodedata.name(c, "") or "SYRIAC" in unicodedata.name(c, "")}

    assert {c for c in formatting - visible if not _egyptian_or_number_sign(c)} <= {"\u200c", "\u200d"}


def _egyptian_or_number_sign(character):
    """Format characters that draw something: hieroglyph joiners, Kaithi number signs."""
    name = unicodedata.name(character, "")
    return name.startswith(("EGYPTIAN", "KAITHI"))


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E) | st.sampled_from("\t\n")))
def test_printable_ascii_is_unchanged(text):
    assert clean(text) == text


@given(st.lists(texts, max_size=6))
def test_a_stream_is_cleaned_like_the_whole(pieces):
    cleaner = StreamCleaner()

    streamed = "".join([cleaner.feed(piece) for piece in pieces] + [cleaner.finish()])

    assert streamed == clean("".join(pieces))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("\x1b[31mred", "␛[31mred"),
        ("é\x9b31m \x7f", "é⟨U+009B⟩31m ␡"),
        ("one\r\ntwo\rthree\n\tfour", "one\ntwo\nthree\n\tfour"),
        ("ä\r\nb\rc", "ä\nb\nc"),
        ("user\u202egnp.exe", "user⟨U+202E⟩gnp.exe"),
        ("pay\u200bpal", "pay⟨U+200B⟩pal"),
        ("git\u2800push", "git⟨U+2800⟩push"),
        ("\ufeff{}", "⟨U+FEFF⟩{}"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("line\u2028sep", "line⟨U+2028⟩sep"),
        ("half \ud83d", "half ⟨U+D83D⟩"),
        ("flag \U0001f3f4\U000e0067", "flag \U0001f3f4⟨U+E0067⟩"),
        ("a" + "\u0301" * 100, "a" + "\u0301" * MAX_MARKS + "⟨+92 marks⟩"),
        (" \ufe0f", " ⟨U+FE0F⟩"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f⟨U+FE0F⟩"),
    ],
)
def test_what_cannot_stand_is_made_visible(text, expected):
    assert clean(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "list[int]",
        "[@click=app.quit]Click[/]",
        "[/x] <b> &amp; `code` \\x1b",
        "**Plan** · 30 June — “ready”",
        "naïve café, Việt Nam, नमस्ते, สวัสดีครับ, 計画を立てる, 계획",
        "می\u200cخواهم",
        "র\u200d্যাব",
        "👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 #\ufe0f\u20e3",
    ],
)
def test_ordinary_writing_is_the_identical_text(text):
    assert clean(text) == text


def test_a_control_character_written_in_json_is_cleaned_after_decoding():
    decoded = msgspec.json.decode(b'{"a\\u001b": ["\\u009b1m", 1, null, true, {"b": "\\u202e"}]}')

    assert clean_json(decoded) == {"a␛": ["⟨U+009B⟩1m", 1, None, True, {"b": "⟨U+202E⟩"}]}


@given(texts, st.integers(1, 50))
def test_a_name_is_one_clean_line_of_bounded_length(text, length):
    name = clean_name(text, length)

    assert len(name) <= length
    assert name == " ".join(name.split())
    assert clean_name(name, length) == name


@given(texts.map(clean), st.integers(1, 50))
def test_shortening_shows_the_cut_and_parts_no_letter_from_its_marks(text, length):
    short = shorten(text, length)

    assert len(short) <= length
    assert clean(short) == short
    if short != text:
        kept = short.removesuffix("…")
        assert short.endswith("…")
        assert text.startswith(kept)
        assert unicodedata.category((text + " ")[len(kept)])[0] != "M" or not kept


def test_shortening_leaves_short_text_alone():
    assert shorten("abc", 3) == "abc"
    assert shorten("abcd", 3) == "ab…"
    assert shorten("a\u0301bcd", 2) == "…"


def test_a_long_run_of_marks_is_not_held_back_forever():
    cleaner = StreamCleaner()

    pieces = [cleaner.feed("\u0301" * 100) for _ in range(30)]

    assert any(pieces)
    assert len(cleaner.finish()) < 1100


@given(texts)
def test_json_that_is_cleaned_before_it_is_decoded_is_json_still(text):
    encoded = msgspec.json.encode({"a": text.encode(errors="replace").decode()}).decode()

    assert clean_json(msgspec.json.decode(clean(encoded)))["a"] == clean_json(msgspec.json.decode(encoded))["a"]
