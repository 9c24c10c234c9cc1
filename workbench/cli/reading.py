"""Texts that a command is given as a file, or on standard input.

FILE or - ─▶ bytes ─▶ not too many? UTF-8? ─▶ text      else refused: nothing is kept that nobody wrote
                      a file of another program, in the encoding that it tells
"""

from __future__ import annotations

import errno
import sys

from workbench.domain.errors import UsageError
from workbench.domain.loop.limits import MOST_OF_A_FILE
from workbench.domain.text.encodings import decoded
from workbench.named_files import read_named_file

STANDARD_INPUT = "-"
_NOT_READ = {
    "mpp": "a file of MS Project", "pod": "a file of ProjectLibre", "xls": "an old workbook of Excel",
    "ods": "a sheet of LibreOffice", "numbers": "a sheet of Numbers", "docx": "a document of Word",
    "odt": "a document of LibreOffice", "pdf": "a PDF",
}  # fmt: skip
"""Files that hold no text, by the end of their names."""


def given_text(argument: str, most: int) -> str:
    """Return a text that is an argument, or is read from standard input for ``-``. Raises as ``read_text`` does."""
    return read_text(STANDARD_INPUT, most) if argument == STANDARD_INPUT else argument


def read_text(
    source: str, most: int, *, kind: str = "text file", too_large: UsageError | None = None, any_encoding: bool = False
) -> str:
    """Return the text of a file, or of standard input for ``-``.

    Raises UsageError for one that cannot be read, has more than ``most`` bytes, or is not UTF-8; ``kind`` is what the
    file should be, and ``too_large`` what is raised instead of the words for any text. ``any_encoding``: a file that
    another program wrote may be UTF-16 or Windows-1252, where a mark or its content says so.
    """
    named = "What came from standard input" if source == STANDARD_INPUT else source
    large = too_large or UsageError(f"{named} is larger than {most:,} bytes.", "Give a shorter text.")
    return _decode(_read_up_to(source, most, kind, large), named, any_encoding=any_encoding)


def _read_up_to(source: str, most: int, kind: str, large: UsageError) -> bytes:
    try:
        data = _read_bytes(source, most)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise large from error
        raise UsageError(f"{source} cannot be read: {error.strerror}.", f"Name a {kind} that exists.") from error
    if len(data) > most:
        raise large
    return data


def read_as_it_is(source: str, most: int) -> str:
    """Return a text as ``read_text`` does, byte for byte: a mark in front stays."""
    named = "What came from standard input" if source == STANDARD_INPUT else source
    large = UsageError(f"{named} is larger than {most:,} bytes.", "Give a shorter text.")
    return decoded_text(_read_up_to(source, most, "text file", large), named, "utf-8")


def _decode(data: bytes, named: str, *, any_encoding: bool) -> str:
    if any_encoding and (text := decoded(data)) is not None:
        return text
    return decoded_text(data, named)


def decoded_text(data: bytes, named: str, encoding: str = "utf-8-sig") -> str:
    """Return bytes as text. Raises UsageError for what is not UTF-8; ``named`` says whose they are."""
    try:
        return data.decode(encoding)  # some editors put a mark in front, which is not part of the text
    except UnicodeDecodeError:
        raise UsageError(f"{named} is not UTF-8 text.", "Save it as UTF-8.") from None


def read_plan_file(source: str) -> str:
    """Return the text of a plan's file, of whatever program, as ``read_text`` does."""
    named = "What came from standard input" if source == STANDARD_INPUT else source
    large = UsageError(f"{named} is larger than {MOST_OF_A_FILE:,} bytes.", "Give a part of it.")
    if (kind := _NOT_READ.get(named.rpartition(".")[2].casefold())) is not None:
        raise UsageError(
            f"{named} is {kind}, from which no plan can be read.", "Save it there as XML, CSV or Markdown."
        )
    data = _read_up_to(source, MOST_OF_A_FILE, "plan", large)
    if data.startswith(b"PK"):
        from workbench.workbooks import workbook_text  # few files are workbooks

        return workbook_text(data, named)
    return _decode(data, named, any_encoding=True)


def _read_bytes(source: str, most: int) -> bytes:
    if source == STANDARD_INPUT:
        return sys.stdin.buffer.read(most + 1)
    return read_named_file(source, most)
