r"""What a terminal sends, read so that no byte of it ends the application and nothing that is pasted acts as a key.

    bytes ──UTF-8, what is no text becomes U+FFFD──▶ PasteCleaner ─▶ Textual's parser ─▶ keys, mouse, pastes
                                     ESC [200~ cleaned here ESC [201~

Textual decodes strictly: one byte of Latin-1 would end its input thread, and the application with it. And it reads on
for sequences inside a paste: what follows an ESC there is lost, or taken for keys, Enter and ^Q among them. Terminals
are asked to keep ESC out of pastes; not all of them do.
"""

from __future__ import annotations

from codecs import getincrementaldecoder

from textual.drivers import linux_driver

from workbench.domain.text.cleaning import StreamCleaner

_BEGIN, _END = "\x1b[200~", "\x1b[201~"


class PasteCleaner:
    """Cleans what stands between the brackets of a paste, in a stream that comes in pieces of any size."""

    def __init__(self) -> None:
        self._cleaner: StreamCleaner | None = None  # of the paste that is under way; None outside of pastes
        self._before = ""  # the last characters outside of a paste, already passed on: a bracket may come in two pieces
        self._held = ""  # what may be the beginning of the closing bracket

    def feed(self, piece: str) -> str:
        """Return what can be passed on after one more piece; outside of pastes that is all of it, at once."""
        passed: list[str] = []
        while piece:
            piece = self._outside(piece, passed) if self._cleaner is None else self._inside(piece, passed)
        return "".join(passed)

    def _outside(self, piece: str, passed: list[str]) -> str:
        known = len(self._before)
        seen = self._before + piece
        at = seen.find(_BEGIN)
        if at < 0:
            self._before = seen[1 - len(_BEGIN) :]
            passed.append(piece)
            return ""
        end = at + len(_BEGIN) - known
        self._before = ""
        self._cleaner = StreamCleaner()
        passed.append(piece[:end])
        return piece[end:]

    def _inside(self, piece: str, passed: list[str]) -> str:
        if self._cleaner is None:
            raise AssertionError  # it is called inside of a paste only
        text, self._held = self._held + piece, ""
        at = text.find(_END)
        if at < 0:
            end = len(text) - _length_of_beginning(text)
            self._held = text[end:]
            passed.append(self._cleaner.feed(text[:end]))
            return ""
        passed += (self._cleaner.feed(text[:at]), self._cleaner.finish(), _END)
        self._cleaner = None
        return text[at + len(_END) :]


def _length_of_beginning(text: str) -> int:
    """Return how many characters at the end of a text may be the beginning of the closing bracket."""
    return next((length for length in range(len(_END) - 1, 0, -1) if text.endswith(_END[:length])), 0)


class _Decoder:
    """Takes the place of the strict decoder that Textual's reader would use."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")
        self._pastes = PasteCleaner()

    def decode(self, read: bytes, *, final: bool = False) -> str:
        """Return what is certain of the text after more bytes."""
        return self._pastes.feed(self._decoder.decode(read, final=final))


class TerminalInput(linux_driver.LinuxDriver):
    """The terminal, with a reader that no byte and no defect ends silently."""

    def run_input_thread(self) -> None:
        """Read what the terminal sends."""
        vars(linux_driver)["getincrementaldecoder"] = lambda _encoding: _Decoder  # by this name its reader looks it up
        super().run_input_thread()

    def _run_input_thread(self) -> None:
        """Read until the end; a defect ends the application as any other does, with its report."""
        try:
            self.run_input_thread()
        except Exception as error:  # noqa: BLE001 - the edge of a thread: the application reports it
            self._app.call_later(self._app._handle_exception, error)  # noqa: SLF001 - Textual's one way to say so
