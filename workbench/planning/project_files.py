"""Files of the project that a person names, read once into what a session keeps of them.

    --context NAME, @name ─▶ in the project? nobody's secret? not ignored? text? ─┬▶ passages: path, lines, hash, text
                                folder ─▶ a map: names, sizes, headings, symbols ─┤
                                                                                  └▶ why not, in a sentence

Nothing is read that nobody named: files in a folder are looked into for its map alone, and a pattern names what
it matches. Links are followed within the project.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath

from msgspec.structs import replace
from pathspec import GitIgnoreSpec
from pathspec.pattern import Pattern

from workbench.domain.errors import UsageError
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean, clean_name, shorten
from workbench.named_files import read_named_file

MOST_BYTES = 1_000_000
"""Of a file."""
MOST_OF_A_FILE = 60_000
"""Characters of a file's lines that a session keeps: about 15,000 tokens."""
MOST_AT_ONCE = 200_000
"""Characters of all that is named at once."""
MOST_FILES = 50
"""Files that a pattern may name."""
MOST_ENTRIES = 20_000
"""Files and folders that are looked at for a map or a pattern."""
MOST_FOLDERS = 40
"""Folders within each other that are looked into."""
MOST_STARS = 3
"""Of a name in a pattern of .gitignore, and folders of any depth in one."""
PASSAGE = 4_000
"""Characters of lines that stand in a prompt, or not, together."""
MOST_OF_A_MAP = 8_000
_MOST_OF_A_LINE = 1_000
_MOST_OF_A_NAME = 200
_MORE = 60
"""Characters that say how many files more there are."""

_LOOKED_INTO = 200_000
"""Bytes of a .gitignore, and of a file that is looked into for a map."""
_OUTLINES = (8, 3, 0)
"""Headings and symbols of each file in a map; as many as there is room for."""

_OWN = frozenset({".workbench", ".git"})
_SECRET = GitIgnoreSpec.from_lines(
    [
        ".env", ".env.*", "!.env.example", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", "credentials*",
        "secret.*", "secrets.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.kdbx", "*.ovpn", "id_rsa*", "id_dsa*",
        "id_ecdsa*", "id_ed25519*", ".ssh/", ".aws/", ".gnupg/", ".kube/",
    ]
)  # fmt: skip
"""Names under which people keep passwords and keys."""
_PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z ]{0,40}PRIVATE KEY")
_OUTLINE = re.compile(
    r"#{1,6} .+|(?:export |pub |public |async |abstract |default )*"
    r"(?:class|def|func|function|fn|struct|enum|trait|interface|module|type) \w+"
)
_MENTION = re.compile(r"""(?<![^\s(\["'“„])@(?:"([^"\n]{1,400})"|([^\s"@]{1,400}))""")
_IS_PATH = re.compile(r"/|\.\w{1,8}$")
_STARS = re.compile(r"\*+")
_IS_PATTERN = re.compile(r"[*?\[]")
_AFTER = ".,;:!?)]}'”“"
"""What stands behind a path in a sentence."""


class _NotRead(Exception):
    """Why something is not read, in a sentence."""


@dataclass
class ProjectFiles:
    """The files of a project that a person may name."""

    project: Path
    """The folder that .workbench is in."""
    _ignoring: dict[PurePosixPath, GitIgnoreSpec | None] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Follow the links on the way to the project, which belong to nobody in it."""
        self.project = self.project.resolve()

    # --- what is named ------------------------------------------------------------------------------------------------

    def named(self, names: Iterable[str], *, to: str = "") -> tuple[say.FileRead, ...]:
        """Return the passages of files, and maps of folders, by path or pattern; of what was not read, why."""
        return _kept((one for name in dict.fromkeys(names) for one in self._named(name)), to)

    def required(self, names: Iterable[str]) -> tuple[say.FileRead, ...]:
        """Return what ``named`` does. Raises UsageError for a name of which nothing can be read."""
        by_name = [self._named(name) for name in dict.fromkeys(names)]
        for first, *more in by_name:
            if first.why_not and all(one.why_not for one in more):
                raise UsageError(f"{first.path} is not read: {first.why_not}", "Name another file, or leave it out.")
        return _kept((one for read in by_name for one in read), "")

    def mentioned(self, text: str, *, to: str = "") -> tuple[say.FileRead, ...]:
        """Return what the ``@path`` of a text name; what is no path, and no file, is a word like others."""
        names = []
        for match in _MENTION.finditer(text):
            name = match[1] or next(
                (one for one in _readings(match[2]) if self._is_there(one)), match[2].rstrip(_AFTER)
            )
            if name and (match[1] or self._is_there(name) or _IS_PATH.search(name)):
                names.append(name)
        return self.named(names, to=to)

    def _is_there(self, name: str) -> bool:
        try:
            return os.path.lexists(self._placed(name))
        except (_NotRead, OSError, ValueError):
            return False

    def _named(self, name: str) -> list[say.FileRead]:
        shown = clean_name(name, _MOST_OF_A_NAME)
        try:
            path = self._placed(name)
            shown = _shown(self._relative(path))
            if _IS_PATTERN.search(name) and not os.path.lexists(path):
                return list(self._matching(path, shown))
            real = self._inside(path)
            return list(self._map(real) if real.is_dir() else self._file(real))
        except _NotRead as error:
            return [say.FileRead(path=shown, why_not=str(error))]
        except OSError as error:
            return [say.FileRead(path=shown, why_not=f"it cannot be read: {error.strerror or 'no such file'}.")]
        except (ValueError, RuntimeError):
            return [say.FileRead(path=shown, why_not="that is no path of a file.")]

    def _placed(self, name: str) -> Path:
        """Return the path that a name stands for: from where the person stands, else from the project. Raises _NotRead.

        The links on the way to the project are followed, those within it are not yet.
        """
        here = Path.cwd()
        bases = [here, self.project] if here.resolve().is_relative_to(self.project) else [self.project]
        paths = [Path(os.path.normpath(base / name)) for base in bases]
        if name.startswith("/"):
            paths = [Path(os.path.normpath(Path(name).parent.resolve() / Path(name).name)), *paths]
        inside = [path for path in paths if path.is_relative_to(self.project)]
        if not inside:
            raise _NotRead(f"it is outside of the project {clean_name(str(self.project), _MOST_OF_A_NAME)}.")
        return next((path for path in inside if os.path.lexists(path)), inside[0])

    def _inside(self, path: Path) -> Path:
        """Return where a path leads, links followed. Raises _NotRead."""
        if not os.path.lexists(path):
            raise _NotRead("there is no such file.")
        real = path.resolve()
        if not real.is_relative_to(self.project):
            raise _NotRead("it is a link that leads out of the project.")
        if not _OWN.isdisjoint(self._relative(real).parts):
            raise _NotRead("it belongs to the workbench, or to Git.")
        if self._is_ignored(self._relative(real), is_folder=real.is_dir()):
            raise _NotRead("it is left out by .gitignore.")
        return real

    def _relative(self, real: Path) -> PurePosixPath:
        return PurePosixPath(real.relative_to(self.project).as_posix())

    # --- a file -------------------------------------------------------------------------------------------------------

    def _file(self, real: Path) -> Iterator[say.FileRead]:
        """Yield the passages of a file. Raises _NotRead, OSError."""
        relative = self._relative(real)
        data = self._bytes_of(real, relative, MOST_BYTES)
        text = _text_of(data)
        lines = text.removesuffix("\n").split("\n")
        whole = say.FileRead(path=_shown(relative), sha256=sha256(data).hexdigest(), size=len(data), lines=len(lines))
        yield from _passages(whole, [f"{n}\t{shorten(line, _MOST_OF_A_LINE)}" for n, line in enumerate(lines, start=1)])

    def _bytes_of(self, real: Path, relative: PurePosixPath, most: int) -> bytes:
        if _SECRET.match_file(relative.as_posix()):
            raise _NotRead("by its name it holds keys or passwords.")
        size = real.stat().st_size
        if size > most:
            raise _NotRead(f"it has {size:,} bytes; {most:,} are the most.")
        return read_named_file(real, most)

    # --- folders and patterns -----------------------------------------------------------------------------------------

    def _matching(self, pattern: Path, shown: str) -> Iterator[say.FileRead]:
        spec = GitIgnoreSpec.from_lines([f"/{self._relative(pattern)}"])
        found = [path for path in self._walk(self.project) if spec.match_file(self._relative(path).as_posix())]
        if not found:
            raise _NotRead("no file of the project has such a name.")
        for path in found[:MOST_FILES]:
            yield from self._named(str(path))
        if len(found) > MOST_FILES:
            why_not = f"{len(found):,} files have such names; the first {MOST_FILES} were read."
            yield say.FileRead(path=shown, why_not=why_not)

    def _walk(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a folder that nobody ignores, in order; links to folders are not followed."""
        left = MOST_ENTRIES
        for place, folders, files in os.walk(folder):
            if len(self._relative(Path(place)).parts) >= MOST_FOLDERS:
                folders.clear()
            folders[:] = sorted(one for one in folders if not self._is_left_out(Path(place, one), is_folder=True))
            left -= len(folders) + len(files)
            if left < 0:
                return
            yield from (path for one in sorted(files) if not self._is_left_out(path := Path(place, one)))

    def _is_left_out(self, path: Path, *, is_folder: bool = False) -> bool:
        return path.name in _OWN or self._is_ignored(self._relative(path), is_folder=is_folder)

    def _map(self, folder: Path) -> Iterator[say.FileRead]:
        """Yield a folder as its files, each with its size and as much of its outline as there is room for."""
        relative = self._relative(folder)
        files = [(path, self._outline(path)) for path in self._walk(folder) if not path.is_symlink()]
        files = [(path, outline) for path, outline in files if not _SECRET.match_file(self._relative(path).as_posix())]
        if not files:
            raise _NotRead("there is no file in it.")
        lines: list[str] = []
        for most in _OUTLINES:
            lines = [_entry(path.relative_to(folder), outline[:most], path) for path, outline in files]
            if sum(map(len, lines)) + len(lines) <= MOST_OF_A_MAP:
                break
        kept, room = 0, MOST_OF_A_MAP - _MORE
        while kept < len(lines) and len(lines[kept]) < room:
            room -= len(lines[kept]) + 1
            kept += 1
        left = len(lines) - kept
        lines = [*lines[:kept], f"… and {left:,} more files"] if left else lines
        whole = say.FileRead(path=_shown(relative), sha256=sha256("\n".join(lines).encode()).hexdigest())
        yield from _passages(whole, lines)

    def _outline(self, path: Path) -> tuple[str, ...]:
        try:
            text = _text_of(self._bytes_of(path, self._relative(path), _LOOKED_INTO))
        except (_NotRead, OSError):
            return ()
        found = (match[0] for line in text.split("\n") if (match := _OUTLINE.match(line[:_MOST_OF_A_LINE])))
        return tuple(shorten(one, 80) for one, _ in zip(found, range(_OUTLINES[0]), strict=False))

    # --- .gitignore ---------------------------------------------------------------------------------------------------

    def _is_ignored(self, relative: PurePosixPath, *, is_folder: bool = False) -> bool:
        """Tell whether a .gitignore of the project leaves out a path, or a folder that it is in."""
        folders = [one for one in relative.parents if one != PurePosixPath()]
        paths = [*(f"{one}/" for one in reversed(folders)), f"{relative}/" if is_folder else str(relative)]
        return relative != PurePosixPath() and any(self._says_so(path) for path in paths)

    def _says_so(self, path: str) -> bool:
        """Tell what the .gitignore nearest to a path that knows it says."""
        for folder in PurePosixPath(path).parents:
            spec = self._spec_of(folder)
            told = spec.check_file(path.removeprefix(f"{folder}/")).include if spec is not None else None
            if told is not None:
                return told
        return False

    def _spec_of(self, folder: PurePosixPath) -> GitIgnoreSpec | None:
        if folder not in self._ignoring:
            self._ignoring[folder] = self._read_spec(self.project / folder / ".gitignore")
        return self._ignoring[folder]

    @staticmethod
    def _read_spec(file: Path) -> GitIgnoreSpec | None:
        """Return what a .gitignore says; a line that is no pattern, or takes for ever to match, says nothing."""
        try:
            if file.is_symlink():
                return None
            lines = read_named_file(file, _LOOKED_INTO).decode(errors="replace").splitlines()
        except OSError:
            return None
        patterns: list[Pattern] = []
        for line in lines:
            if _is_endless(line):
                continue
            try:
                patterns += GitIgnoreSpec.from_lines([line]).patterns
            except ValueError:
                continue
        return GitIgnoreSpec(patterns)


def fresh(state: SessionState, read: Iterable[say.FileRead]) -> tuple[say.FileRead, ...]:
    """Return what of a reading says something new: what a session has as it is now is not kept twice."""
    known = {one.read for one in state.named_files}
    return tuple(one for one in read if one not in known)


def _is_endless(pattern: str) -> bool:
    """Tell whether a regular expression tries each way to part a long name for a pattern: none that people write."""
    return pattern.count("**/") > MOST_STARS or any(
        len(_STARS.findall(part)) > MOST_STARS for part in pattern.split("/")
    )


def _kept(read: Iterable[say.FileRead], to: str) -> tuple[say.FileRead, ...]:
    """Return what there is room for of a reading, each once, for the agent in whose message it was named."""
    room, kept = MOST_AT_ONCE, {}
    for one in read:
        room -= len(one.text)
        beyond = say.FileRead(path=one.path, why_not=f"{MOST_AT_ONCE:,} characters at once are the most.")
        said = one if room >= 0 or one.why_not else beyond
        kept[said.path, said.first] = replace(said, to=to)
    return tuple(kept.values())


def _readings(written: str) -> Iterator[str]:
    """Yield what a path in a sentence may be: with all that stands behind it, and with ever less of it."""
    while written:
        yield written
        if written[-1] not in _AFTER:
            return
        written = written[:-1]


def _text_of(data: bytes) -> str:
    """Return a file's text, clean. Raises _NotRead."""
    if _PRIVATE_KEY.search(data):
        raise _NotRead("it holds a private key.")
    try:
        text = clean(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _NotRead("it is no text (UTF-8).") from None
    if b"\0" in data:
        raise _NotRead("it is no text (UTF-8).")
    if not text.strip():
        raise _NotRead("it is empty.")
    return text


def _shown(relative: PurePosixPath) -> str:
    return clean_name(str(relative), _MOST_OF_A_NAME)


def _entry(relative: Path, outline: Sequence[str], path: Path) -> str:
    named = f"{_shown(PurePosixPath(relative.as_posix()))} · {path.stat().st_size:,} bytes"
    return f"{named} · {'; '.join(outline)}" if outline else named


def _passages(whole: say.FileRead, lines: Sequence[str]) -> Iterator[say.FileRead]:
    """Yield lines in passages, as far as a session keeps them."""
    room, at = MOST_OF_A_FILE, 0
    while at < len(lines) and room > 0:
        end, length = at, 0
        while end < len(lines) and (end == at or length + len(lines[end]) <= min(PASSAGE, room)):
            length += len(lines[end]) + 1
            end += 1
        yield replace(whole, first=at + 1, last=end, text="\n".join(lines[at:end]))
        room -= length
        at = end
