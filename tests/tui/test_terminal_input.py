"""What a terminal sends: pastes are cleaned before anything can act in them, however the bytes are cut into pieces."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.acting import wait_at_checkpoint
from tests.tui.hostile import IN_A_FILE, unsafe, unseen
from tests.tui.real_terminal import real_terminal
from textual._xterm_parser import XTermParser
from textual.events import Key, MouseDown, Paste
from workbench.bootstrap import Workspace
from workbench.domain.text.cleaning import clean
from workbench.tui.keys import let_alt_reach_digits
from workbench.tui.terminal.browser_input import BrowserInput
from workbench.tui.terminal.terminal_input import Decoder, PasteCleaner

BEGIN, END = "\x1b[200~", "\x1b[201~"
KEYS_BEHIND_AN_ESCAPE = "\x1b" + "x" * 40 + "\r\x11\x1bq"
"""Textual takes the rest for keys: Enter, ^Q."""


def events(sent: bytes, *cuts: int) -> list[object]:
    """Return what Textual makes of bytes that come cut into pieces."""
    decoder, parser = Decoder(), XTermParser()
    places = [0, *sorted(cut % (len(sent) + 1) for cut in cuts), len(sent)]
    found: list[object] = []
    for start, end in pairwise(places):
        piece = decoder.decode(sent[start:end])
        if piece:
            found += parser.feed(piece)
    return found


@given(st.lists(st.integers(min_value=0), max_size=6))
def test_a_hostile_paste_is_one_paste_and_no_key(cuts: list[int]) -> None:
    sent = f"a{BEGIN}{IN_A_FILE.text}{KEYS_BEHIND_AN_ESCAPE}{END}b"
    first, paste, last = events(sent.encode(), *cuts)
    assert isinstance(first, Key)
    assert isinstance(last, Key)
    assert (first.key, last.key) == ("a", "b")
    assert isinstance(paste, Paste)
    assert paste.text == clean(IN_A_FILE.text + KEYS_BEHIND_AN_ESCAPE)
    assert unseen(IN_A_FILE, paste.text) == []
    assert unsafe(paste.text.replace("\n", "")) == []


@given(st.text(st.sampled_from("ab\x1b[201~\r\n\u0301")), st.lists(st.integers(min_value=0), max_size=6))
def test_a_paste_is_cleaned_alike_however_it_comes(pasted: str, cuts: list[int]) -> None:
    pasted = pasted.replace(END, "")
    sent = f"{BEGIN}{pasted}{END}"
    whole = PasteCleaner().feed(sent)
    cleaner = PasteCleaner()
    places = [0, *sorted(cut % (len(sent) + 1) for cut in cuts), len(sent)]
    assert "".join(cleaner.feed(sent[start:end]) for start, end in pairwise(places)) == whole
    assert (
        whole == f"{BEGIN}{clean(sent[len(BEGIN) : sent.index(END, len(BEGIN))])}{sent[sent.index(END, len(BEGIN)) :]}"
    )


@pytest.mark.parametrize("sent", ["\x1b", "\x1b[", "\x1b[20", "q", "\x1bOP", "\x1b[<0;5;5M"])
def test_what_is_no_paste_is_passed_on_at_once(sent: str) -> None:
    assert PasteCleaner().feed(sent) == sent


ENDLESS = {
    "parameters": ("\x1b[", "1;", "m"),
    "a title": ("\x1b]0;", "q\r", "\x07"),
    "a device's words": ("\x1bP", "q\r", "\x1b\\"),
    "a paste": (BEGIN, "q\r", END),
}


@pytest.mark.parametrize("of", ENDLESS)
@pytest.mark.parametrize("has_end", [True, False])
def test_what_has_no_end_is_dropped_told_once_and_keys_are_answered(of: str, has_end: bool) -> None:
    head, unit, end = ENDLESS[of]
    told: list[str] = []
    moment = 0.0
    cleaner, parser = PasteCleaner(told.append, lambda: moment), XTermParser()
    found: list[object] = []
    for piece in (head + unit * 2_000, *[unit * 2_000] * 500, *([end] if has_end else [])):
        if passed := cleaner.feed(piece):
            found += parser.feed(passed)
    moment += 2
    found += parser.feed(cleaner.feed("x"))
    *before, key = found
    assert isinstance(key, Key)
    assert key.key == "x"
    assert len(told) == 1
    if of == "a paste":
        (paste,) = before
        assert isinstance(paste, Paste)
        assert len(paste.text) == 200_000
    else:
        assert before == []


def test_much_that_is_typed_at_once_is_a_paste_where_that_is_said() -> None:
    for most, kinds in ((inf, {Key}), (200, {Paste})):
        decoder = Decoder(most_typed=most)
        assert {type(one) for one in XTermParser().feed(decoder.decode(b"word " * 60))} == kinds
        assert decoder.decode(b"\x11") == "\x11"


def test_the_mouse_and_two_pastes() -> None:
    sent = f"{BEGIN}one{END}\x1b[<0;5;6M{BEGIN}two\x07{END}".encode()
    one, mouse, two = events(sent)
    assert isinstance(one, Paste)
    assert isinstance(mouse, MouseDown)
    assert isinstance(two, Paste)
    assert (one.text, two.text) == ("one", "two␇")


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    (paste,) = events(BEGIN.encode() + b"a\xff\x9b5mb\xc3" + END.encode(), 8, 9)
    assert isinstance(paste, Paste)
    assert paste.text == "a\ufffd\ufffd5mb\ufffd"


@pytest.mark.parametrize("digit", range(10))
def test_alt_and_a_digit_is_a_key_in_every_terminal(digit: int) -> None:
    let_alt_reach_digits()
    for sent in (f"\x1b{digit}", f"\x1b[{ord(str(digit))};3u"):
        (key,) = events(sent.encode())
        assert isinstance(key, Key)
        assert (key.key, key.is_printable) == (f"alt+{digit}", False)


class BusyApp:
    """An application that catches up while it is looked at."""

    def __init__(self, *waiting: int) -> None:
        self.waiting = list(waiting)
        self.screen_stack: list[Any] = []
        self.taken: list[object] = []

    @property
    def message_queue_size(self) -> int:
        return self.waiting.pop(0)

    async def _post_message(self, message: object) -> None:
        self.taken.append(message)

    def post_message(self, message: object) -> None:
        self.taken.append(message)


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A standard input that can be waited for."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as pipe, os.fdopen(writing, "w"):
        monkeypatch.setattr(sys, "__stdin__", pipe)
        yield


@pytest.mark.usefixtures("stdin")
async def test_no_more_is_read_while_the_application_is_behind() -> None:
    app = BusyApp(9_000, 9_000, 3)
    driver = BrowserInput(cast("Any", app))
    await asyncio.to_thread(driver.process_message, Key("a", "a"))
    assert not app.waiting
    app.waiting = [9_000, 9_000, 3]
    await asyncio.to_thread(driver.on_meta, "resize", {"width": 80, "height": 24})
    assert not app.waiting
    app.waiting = [9_000, 9_000]
    driver.exit_event.set()  # whoever leaves waits for nothing
    await asyncio.to_thread(driver.on_meta, "focus", {})
    assert len(app.waiting) == 1
    await asyncio.sleep(0)  # what was handed over from the thread
    assert len(app.taken) == 3


def test_alt_and_digits_go_to_views_and_a_digit_in_one_packet_with_a_key_acts_behind_it(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "user" / "config.toml"))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    session = asyncio.run(wait_at_checkpoint(workspace))
    with real_terminal(sys.executable, "-m", "workbench", "open", session, cwd=tmp_path, size=(80, 24)) as terminal:
        terminal.sees("1 Plan v1", "^Y answer", "feedback: what should change?")
        terminal.child.send("\x1b3")
        terminal.sees("3 History", without=["£", "› 3"])
        terminal.child.send("\x1b5")
        terminal.sees("5 Shared context", without=["∞", "› 5"])
        terminal.child.send("\x0c4")  # ^L and 4
        terminal.sees("4 Context of", without=["› 4"])
        terminal.press("ctrl+q")
        terminal.ended()
