"""Files of the project that a person names, read once into what a session keeps of them.

    --context NAME, @name ─▶ in the project? nobody's secret? not ignored? text? ─┬▶ passages: path, lines, hash, text
                                folder ─▶ a map: names, sizes, headings, symbols ─┤
                                                                                  └▶ why not, in a sentence

Nothing is read that nobody named: files in a folder are looked into for its map alone, and a pattern names what it
matches. ``searched`` looks into all of them, for a person who allowed research (research.py). Links are followed
within the project.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath

from msgspec.structs import replace
from pathspec import GitIgnoreSpec

from workbench.domain.errors import UsageError
from workbench.domain.session import events as say
from workbench.domain.session.named_files import OUTLINE
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean, clean_name, shorten
from workbench.named_files import read_named_file

MOST_BYTES, MOST_LOOKED_INTO = 1_000_000, 200_000
"""Of a file that is read; of a .gitignore, and of one that is looked into for a map."""
MOST_OF_A_FILE, MOST_OF_A_MAP, MOST_AT_ONCE = 60_000, 8_000, 200_000
"""Characters that a session keeps; 60,000 are about 15,000 tokens."""
MOST_FILES, MOST_ENTRIES, MOST_FOLDERS = 50, 20_000, 40
"""Files that a pattern may name; what is looked at for it, or for a map; folders within each other."""
MOST_STARS = 3
"""Of a name in a pattern of .gitignore, and folders of any depth in one."""
PASSAGE = 4_000
"""Characters of lines that stand in a prompt, or not, together."""
_MOST_OF_A_LINE, _MOST_OF_A_NAME = 1_000, 200
MOST_SEARCHED, MOST_SEARCHED_BYTES = 4_000, 12_000_000
"""Files that a search looks into, and bytes of them together; each has ``MOST_LOOKED_INTO`` at most."""
SHORT_PASSAGE = 1_200
"""Characters of lines that a search finds together."""
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
_NOT_WRITTEN = GitIgnoreSpec.from_lines(
    ["*.lock", "*-lock.*", "*.min.*", "*.map", "*.svg", "node_modules/", ".venv/", "venv/", "__pycache__/", "vendor/"]
)
"""What no person writes, and no search looks into."""
_PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z ]{0,40}PRIVATE KEY")
_MENTION = re.compile(r"""(?<![^\s(\["'“„])@(?:"([^"\n]{1,400})"|([^\s"@]{1,400}))""")
_IS_PATH, _IS_PATTERN, _STARS = re.compile(r"/|\.\w{1,8}$"), re.compile(r"[*?\[]"), re.compile(r"\*+")
_AFTER = ".,;:!?)]}'”“"
"""What stands behind a path in a sentence."""


def _refused(why: str) -> OSError:
    return OSError(errno.EPERM, why)


class ProjectFiles:
    """The files of a project that a person may name."""

    def __init__(self, project: Path) -> None:
        """``project`` is the folder that .workbench is in; links on the way to it belong to nobody in it."""
        self.project = project.resolve()
        self._ignoring: dict[PurePosixPath, GitIgnoreSpec | None] = {}

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
        written = ((match[1] or match[2], bool(match[1])) for match in _MENTION.finditer(text))
        names = (
            (one if is_quoted or self._is_there(one) else one.rstrip(_AFTER), is_quoted) for one, is_quoted in written
        )
        return self.named(
            (one for one, is_quoted in names if one and (is_quoted or _IS_PATH.search(one) or self._is_there(one))),
            to=to,
        )

    def searched(self) -> Iterator[tuple[say.FileRead, ...]]:
        """Yield the short passages of each text file of the project that nobody ignores, file by file, in order.

        Who calls this has a person's word for it.
        """
        files, room = 0, MOST_SEARCHED_BYTES
        for path in self._walk(self.project):
            if path.is_symlink() or _NOT_WRITTEN.match_file(str(self._relative(path))):
                continue
            try:
                data = self._bytes_of(path, MOST_LOOKED_INTO)
                read = tuple(self._parted(path, data, SHORT_PASSAGE))
            except (OSError, ValueError):
                continue  # no text, or nothing that may be read
            files, room = files + 1, room - len(data)
            if files > MOST_SEARCHED or room < 0:
                return
            yield read

    def _is_there(self, name: str) -> bool:
        try:
            return os.path.lexists(self._placed(name))
        except (OSError, ValueError):
            return False

    def _named(self, name: str) -> list[say.FileRead]:
        shown, why_not = clean_name(name, _MOST_OF_A_NAME), "that is no path of a file"
        try:
            path = self._placed(name)
            shown = self._shown(path)
            if _IS_PATTERN.search(name) and not os.path.lexists(path):
                return list(self._matching(path))
            real = self._inside(path)
            return list(self._map(real) if real.is_dir() else self._file(real))
        except OSError as error:
            why_not = error.strerror or why_not
        except (ValueError, RuntimeError):  # no text of a path, or a link that leads to itself
            pass
        return [say.FileRead(path=shown, why_not=f"{why_not}.")]

    def _placed(self, name: str) -> Path:
        """Return the path that a name stands for: from where the person stands, else from the project. Raises OSError.

        The links on the way to the project are followed, those within it are not yet.
        """
        here = Path.cwd()
        bases = [here, self.project] if here.is_relative_to(self.project) else [self.project]
        given = (
            [Path(name).parent.resolve() / Path(name).name] if name.startswith("/") else [base / name for base in bases]
        )
        inside = [path for one in given if (path := Path(os.path.normpath(one))).is_relative_to(self.project)]
        if not inside:
            raise _refused("it is outside of the project")
        return next((path for path in inside if os.path.lexists(path)), inside[0])

    def _inside(self, path: Path) -> Path:
        """Return where a path leads, links followed. Raises OSError."""
        if not os.path.lexists(path):
            raise _refused("there is no such file")
        real = path.resolve()
        if not real.is_relative_to(self.project):
            raise _refused("it is a link that leads out of the project")
        if not _OWN.isdisjoint(part.lower() for part in self._relative(real).parts):
            raise _refused("it belongs to the workbench, or to Git")
        if self._is_ignored(real):
            raise _refused("it is left out by .gitignore")
        return real

    def _relative(self, path: Path) -> PurePosixPath:
        return PurePosixPath(path.relative_to(self.project).as_posix())

    def _shown(self, path: Path) -> str:
        return clean_name(str(self._relative(path)), _MOST_OF_A_NAME)

    def _file(self, real: Path) -> Iterator[say.FileRead]:
        """Yield the passages of a file. Raises OSError."""
        yield from self._parted(real, self._bytes_of(real, MOST_BYTES))

    def _parted(self, real: Path, data: bytes, passage: int = PASSAGE) -> Iterator[say.FileRead]:
        lines = _text_of(data).removesuffix("\n").split("\n")
        whole = say.FileRead(path=self._shown(real), sha256=sha256(data).hexdigest(), size=len(data), lines=len(lines))
        told = [f"{number}\t{shorten(line, _MOST_OF_A_LINE)}" for number, line in enumerate(lines, start=1)]
        yield from passages(whole, told, MOST_OF_A_FILE, passage)

    def _bytes_of(self, real: Path, most: int) -> bytes:
        if _SECRET.match_file(str(self._relative(real)).lower()):
            raise _refused("by its name it holds keys or passwords")
        if (size := real.stat().st_size) > most:
            raise _refused(f"it has {size:,} bytes; {most:,} are the most")
        return read_named_file(real, most)

    def _matching(self, pattern: Path) -> Iterator[say.FileRead]:
        spec = GitIgnoreSpec.from_lines([f"/{self._relative(pattern)}"])
        found = [path for path in self._walk(self.project) if spec.match_file(str(self._relative(path)))]
        if not found:
            raise _refused("no file of the project has such a name")
        for path in found[:MOST_FILES]:
            yield from self._named(str(path))
        if len(found) > MOST_FILES:
            why_not = f"{len(found):,} files have such names; the first {MOST_FILES} were read."
            yield say.FileRead(path=self._shown(pattern), why_not=why_not)

    def _walk(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a folder that nobody ignores, in order; links to folders are not followed."""
        left = MOST_ENTRIES
        for place, folders, files in os.walk(folder):
            at, left = Path(place), left - len(folders) - len(files)
            is_deep = left < 0 or len(self._relative(at).parts) >= MOST_FOLDERS
            folders[:] = sorted(
                one for one in folders if not (is_deep or one in _OWN or self._says_so(at / one, is_folder=True))
            )
            yield from (at / one for one in sorted(files) if left >= 0 and not self._says_so(at / one))

    def _map(self, folder: Path) -> Iterator[say.FileRead]:
        """Yield a folder as its files, each with its size and as much of its outline as there is room for."""
        found = (path for path in self._walk(folder) if not path.is_symlink())
        files = [
            (path, self._outline(path)) for path in found if not _SECRET.match_file(str(self._relative(path)).lower())
        ]
        if not files:
            raise _refused("there is no file in it")
        lines: list[str] = []
        for most in _OUTLINES:
            lines = [f"{len(files):,} files, as far as there is room:"]
            for path, outline in files:
                name = clean_name(path.relative_to(folder).as_posix(), _MOST_OF_A_NAME)
                lines.append(" · ".join((name, f"{path.stat().st_size:,} bytes", *outline[:most])))
            if sum(map(len, lines)) + len(lines) <= MOST_OF_A_MAP:
                break
        whole = say.FileRead(path=self._shown(folder), sha256=sha256("\n".join(lines).encode()).hexdigest())
        yield from passages(whole, lines, MOST_OF_A_MAP)

    def _outline(self, path: Path) -> tuple[str, ...]:
        try:
            lines = _text_of(self._bytes_of(path, MOST_LOOKED_INTO)).split("\n")
        except OSError:
            return ()
        matches = (match[0] for line in lines if (match := OUTLINE.match(line[:_MOST_OF_A_LINE])))
        return tuple(shorten(one, 80) for one in islice(matches, _OUTLINES[0]))

    def _is_ignored(self, path: Path) -> bool:
        """Tell whether a .gitignore leaves out a path, or a folder that it is in."""
        above = [self.project / one for one in self._relative(path).parents if one.name]
        return any(self._says_so(one, is_folder=True) for one in above) or self._says_so(path, is_folder=path.is_dir())

    def _says_so(self, path: Path, *, is_folder: bool = False) -> bool:
        """Tell whether the .gitignore nearest to a path leaves that out, of those that know it."""
        relative = self._relative(path)
        name = f"{relative}/" if is_folder else str(relative)
        specs = ((one, spec) for one in relative.parents if (spec := self._spec_of(one)) is not None)
        told = (spec.check_file(name.removeprefix(f"{one}/")).include for one, spec in specs)
        return next((one for one in told if one is not None), False)

    def _spec_of(self, folder: PurePosixPath) -> GitIgnoreSpec | None:
        """Return what a folder's .gitignore says; a line that is no pattern says nothing."""
        if folder not in self._ignoring:
            file = self.project / folder / ".gitignore"
            try:
                data = b"" if file.is_symlink() else read_named_file(file, MOST_LOOKED_INTO)
            except OSError:
                data = b""
            lines = data.decode(errors="replace").splitlines()
            self._ignoring[folder] = GitIgnoreSpec.from_lines(filter(_is_usable, lines)) if lines else None
        return self._ignoring[folder]


def fresh(state: SessionState, read: Iterable[say.FileRead]) -> tuple[say.FileRead, ...]:
    """Return what of a reading says something new: what a session has as it is now is not kept twice."""
    known = {one.read for one in state.named_files}
    return tuple(one for one in read if one not in known)


def _is_usable(line: str) -> bool:
    """Tell whether a line is a pattern, and none that is matched in every way to part a long name."""
    if max(line.count("**/"), *(len(_STARS.findall(part)) for part in line.split("/"))) > MOST_STARS:
        return False
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _kept(read: Iterable[say.FileRead], to: str) -> tuple[say.FileRead, ...]:
    """Return what there is room for of a reading, each once, for the agent in whose message it was named."""
    room, kept = MOST_AT_ONCE, {}
    for one in read:
        room -= len(one.text)
        beyond = say.FileRead(path=one.path, why_not=f"{MOST_AT_ONCE:,} characters at once are the most.")
        said = one if room >= 0 or one.why_not else beyond
        kept[said.path, said.first] = replace(said, to=to)
    return tuple(kept.values())


def _text_of(data: bytes) -> str:
    """Return a file's text, clean. Raises OSError."""
    if _PRIVATE_KEY.search(data):
        raise _refused("it holds a private key")
    try:
        text = "" if b"\0" in data else clean(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        text = ""
    if not text.strip():
        raise _refused("it is no text (UTF-8)" if data.strip() else "it is empty")
    return text


def passages(whole: say.FileRead, lines: Sequence[str], room: int, passage: int = PASSAGE) -> Iterator[say.FileRead]:
    """Yield lines in passages, as far as there is room."""
    at = 0
    while at < len(lines) and len(lines[at]) < room:
        end, length = at, 0
        while end < len(lines) and (end == at or length + len(lines[end]) < min(passage, room)):
            length += len(lines[end]) + 1
            end += 1
        yield replace(whole, first=at + 1, last=end, text="\n".join(lines[at:end]))
        at, room = end, room - length
