"""Files of the project that a person names, read once into what a session keeps of them.

    --context NAME, @name ─▶ in the project? nobody's secret? not ignored? text? ─┬▶ passages: path, lines, hash, text
                                folder ─▶ a map: names, sizes, headings, symbols ─┤
                                                                                  └▶ why not, in a sentence

Nothing is read that nobody named: files in a folder are looked into for its map alone, and a pattern names what it
matches. ``searched`` looks into all of them, for a person who allowed research (research.py). Links are followed
within the project; what they lead to is judged by its path and opened by that path alone, folder by folder, without any
link: whatever is changed meanwhile, nothing else is read than what was judged.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from workbench.domain.errors import UsageError
from workbench.domain.session import events as say
from workbench.domain.session.named_files import OUTLINE
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean, clean_name, shorten
from workbench.domain.text.patterns import lazy_pattern
from workbench.named_files import UnusableFile, opened_below, read_descriptor, read_named_file, require_regular
from workbench.planning.sources.ignore_rules import MOST_POSITIONS, IgnoreRules, TooManyPatterns, global_ignore_file

MOST_BYTES, MOST_LOOKED_INTO = 1_000_000, 200_000
"""Of a file that is read; of a .gitignore, and of one that is looked into for a map."""
MOST_OF_A_FILE, MOST_OF_A_MAP, MOST_AT_ONCE = 60_000, 8_000, 200_000
"""Characters that a session keeps; 60,000 are about 15,000 tokens."""
MOST_FILES, MOST_ENTRIES, MOST_FOLDERS = 50, 20_000, 40
"""Files that a pattern may name; what is looked at for it, or for a map; folders within each other."""
PASSAGE = 4_000
"""Characters of lines that are in a prompt, or not, together."""
_MOST_OF_A_LINE, _MOST_OF_A_NAME = 1_000, 200
MOST_SEARCHED, MOST_SEARCHED_BYTES = 4_000, 12_000_000
"""Files that a search looks into, and bytes of them together; each has ``MOST_LOOKED_INTO`` at most."""
SHORT_PASSAGE = 1_200
"""Characters of lines that a search finds together."""
_OUTLINES = (8, 3)
"""Headings and symbols of each file in a map; as many as there is room for."""

_OWN = frozenset({".workbench", ".git"})
_BARE = ("HEAD", "objects", "refs")
"""What is in the folder of a repository of Git."""
_NOT_WRITTEN = IgnoreRules(
    ["*.lock", "*-lock.*", "*.min.*", "*.map", "*.svg", "node_modules/", ".venv/", "venv/", "__pycache__/", "vendor/"]
)
"""What no person writes, and no search looks into."""
_MENTION = lazy_pattern(r"""(?<![^\s(\["'“„])@(?:"([^"\n]{1,400})"|([^\s"@]{1,400}))""")
_IS_PATH, _IS_PATTERN = lazy_pattern(r"/|\.\w{1,8}$"), lazy_pattern(r"[*?\[]")
_AFTER = ".,;:!?)]}'”“"
"""What is after a path in a sentence."""


_ROOT = PurePosixPath()
_NO_PROJECT = "it belongs to the workbench, or to Git"
_TOO_MANY = "{} has more patterns than can be matched quickly"
_YOUR_OWN = "your own ignore file of Git"
_NONE_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EINVAL, errno.ENXIO})


def _refused(why: str) -> OSError:
    return OSError(errno.EPERM, why)


class _LeftOut(OSError):
    """What is left out although nobody ignores it: a search says so."""

    def __init__(self, why: str) -> None:
        super().__init__(errno.EPERM, why)


class _Found(NamedTuple):
    path: PurePosixPath
    is_link: bool
    left_out: OSError | None = None
    """Why it is not read, if it may be secret."""


class _Folder(NamedTuple):
    """What holds for all that is in a folder."""

    left_out: OSError | None = None
    """Why nothing of it is read."""
    rules: IgnoreRules | None = None
    """What its own .gitignore says."""


class ProjectFiles:
    """The files of a project that a person may name."""

    def __init__(self, project: Path) -> None:
        """``project`` is the folder that .workbench is in; links on the way to it belong to nobody in it."""
        self.project = project.resolve()
        self._base = f"{self.project}/".replace("//", "/")
        self._everywhere: tuple[tuple[str, IgnoreRules], ...] = ()
        self._folders: dict[PurePosixPath, _Folder] = {}

    def named(self, names: Iterable[str], *, to: str = "") -> tuple[say.FileRead, ...]:
        """Return the passages of files, and maps of folders, by path or pattern; of what was not read, why."""
        return _within_limits((one for name in dict.fromkeys(names) for one in self._read_named(name)), to)

    def required(self, names: Iterable[str]) -> tuple[say.FileRead, ...]:
        """Return what ``named`` does. Raises UsageError for a name of which nothing can be read."""
        by_name = [self._read_named(name) for name in dict.fromkeys(names)]
        for first, *more in by_name:
            if first.why_not and all(one.why_not for one in more):
                raise UsageError(f"{first.path} is not read: {first.why_not}", "Name another file, or leave it out.")
        return _within_limits((one for read in by_name for one in read), "")

    def mentioned(self, text: str, *, to: str = "") -> tuple[say.FileRead, ...]:
        """Return what the ``@path`` of a text name; what is not a path, and no file, is a word like others."""
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

        What is left out because it may be secret is told as one that was not read. Who calls this has a person's word.
        """
        files, room = 0, MOST_SEARCHED_BYTES
        for path, is_link, left_out in self._walk(_ROOT):
            if is_link or _fits(_NOT_WRITTEN, path):
                continue
            try:
                if left_out is not None:
                    raise left_out
                with self._open(path) as descriptor:
                    data = _bytes_of(descriptor, path, MOST_LOOKED_INTO)
                read = tuple(_passages(path, data, SHORT_PASSAGE))
            except _LeftOut as error:
                yield (say.FileRead(path=_shown_path(path), why_not=f"{error.strerror}."),)
                continue
            except (OSError, ValueError):
                continue  # no text, or nothing that may be read
            files, room = files + 1, room - len(data)
            if files > MOST_SEARCHED or room < 0:
                return
            yield read

    def _is_there(self, name: str) -> bool:
        try:
            return os.path.lexists(self._resolve(name))
        except (OSError, ValueError):
            return False

    def _read_named(self, name: str) -> list[say.FileRead]:
        shown, why_not = clean_name(name, _MOST_OF_A_NAME), "that is no path of a file"
        try:
            path = self._resolve(name)
            shown = _shown_path(self._relative(path))
            if _IS_PATTERN.search(name) and not os.path.lexists(path):
                return list(self._matching(path))
            real = self._as_listed(self._inside(path))
            with self._open(real) as descriptor:
                is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
                self._require(real, is_folder=is_folder)
                return list(self._map(real) if is_folder else _passages(real, _bytes_of(descriptor, real, MOST_BYTES)))
        except OSError as error:
            why_not = error.strerror or why_not if error.errno != errno.ELOOP else "it is a link that leads nowhere"
        except (ValueError, RuntimeError):  # no text of a path, or a link that leads to itself
            pass
        return [say.FileRead(path=shown, why_not=f"{why_not}.")]

    def _resolve(self, name: str) -> Path:
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
        spelt = [Path(unicodedata.normalize(form, str(path))) for form in ("NFC", "NFD") for path in inside]
        return next((path for path in (*inside, *spelt) if os.path.lexists(path)), inside[0])

    def _inside(self, path: Path) -> PurePosixPath:
        """Return where a path leads below the project, links followed. Raises OSError."""
        if not os.path.lexists(path):
            raise _refused("there is no such file")
        real = path.resolve()
        if not real.is_relative_to(self.project):
            raise _refused("it is a link that leads out of the project")
        relative = self._relative(real)
        if not _OWN.isdisjoint(part.lower() for part in relative.parts):  # not even opened: see fcntl(2) on closing
            raise _refused(_NO_PROJECT)
        return relative

    def _as_listed(self, path: PurePosixPath) -> PurePosixPath:
        """Return a path by the names that its folders list: where capitals make no other file, rules would miss it."""
        listed = _ROOT
        for name in path.parts:
            with self._open(listed) as folder:
                names = os.listdir(folder)  # noqa: PTH208  # an open folder has no Path
                alike = [] if name in names else [one for one in names if _folded(one) == _folded(name)]
                listed /= next((one for one in alike if _is_one(folder, one, name)), name)
        return listed

    def _open(self, path: PurePosixPath) -> AbstractContextManager[int]:
        """Open what has a path, which has no link in it: what is read is what was judged by its path."""
        return opened_below(self._base, path.parts)

    def _relative(self, path: Path) -> PurePosixPath:
        return PurePosixPath(path.relative_to(self.project).as_posix())

    def _matching(self, pattern: Path) -> Iterator[say.FileRead]:
        rules = _rules_of([f"/{self._relative(pattern)}"], "it is too long")
        found = [path for path, _, left_out in self._walk(_ROOT) if _fits(rules, path)]
        if not found:
            raise _refused("no file of the project has such a name")
        for path in found[:MOST_FILES]:
            yield from self._read_named(str(self.project / path))
        if len(found) > MOST_FILES:
            why_not = f"{len(found):,} files have such names; the first {MOST_FILES} were read."
            yield say.FileRead(path=_shown_path(self._relative(pattern)), why_not=why_not)

    def _walk(self, folder: PurePosixPath) -> Iterator[_Found]:
        """Yield the files below a folder that nobody ignores, in order; links to folders are not followed.

        What is left out is among them, with the reason: a folder instead of all that is in it.
        """
        left, waiting = MOST_ENTRIES, [folder]
        while waiting:
            at = waiting.pop()
            left_out = self._folder(at).left_out
            if left_out is not None:
                if isinstance(left_out, _LeftOut):
                    yield _Found(at, False, left_out)
                continue
            folders, files = self._list_folder(at)
            left -= len(folders) + len(files)
            if left < 0:
                return
            told = ((file, self._why_left_out(file.path)) for file in files)
            yield from (one._replace(left_out=why) for one, why in told if why is None or isinstance(why, _LeftOut))
            if len(at.parts) < MOST_FOLDERS:
                waiting += reversed(folders)

    def _list_folder(self, folder: PurePosixPath) -> tuple[list[PurePosixPath], list[_Found]]:
        """Return the folders and the files in a folder, sorted; none if it cannot be listed."""
        folders, files = [], []
        try:
            with self._open(folder) as descriptor, os.scandir(descriptor) as entries:
                for entry in islice(entries, MOST_ENTRIES + 1):
                    is_link = entry.is_symlink()
                    if not entry.is_dir():
                        files.append(_Found(folder / entry.name, is_link))
                    elif not is_link:
                        folders.append(folder / entry.name)
        except OSError:
            return [], []
        return sorted(folders), sorted(files)

    def _map(self, folder: PurePosixPath) -> Iterator[say.FileRead]:
        """Yield a folder as its files, each with its size and as much of its outline as there is room for."""
        files = [path for path, is_link, left_out in self._walk(folder) if not is_link and left_out is None]
        if not files:
            raise _refused("there is no file in it")
        names = [clean_name(path.relative_to(folder).as_posix(), _MOST_OF_A_NAME) for path in files]
        first = f"{len(files):,} files, as far as there is room:"
        lines = [first, *(f"{name} · {self._size(path):,} bytes" for name, path in zip(names, files, strict=True))]
        if sum(map(len, lines)) + len(lines) <= MOST_OF_A_MAP:  # else no outline has room, and none is read
            bare = lines[1:]
            outlines = [self._outline(path) for path in files]
            for most in _OUTLINES:
                pairs = zip(bare, outlines, strict=True)
                fuller = [first, *(" · ".join((line, *outline[:most])) for line, outline in pairs)]
                if sum(map(len, fuller)) + len(fuller) <= MOST_OF_A_MAP:
                    lines = fuller
                    break
        whole = say.FileRead(path=_shown_path(folder), sha256=sha256("\n".join(lines).encode()).hexdigest())
        yield from passages(whole, lines, MOST_OF_A_MAP)

    def _size(self, path: PurePosixPath) -> int:
        try:
            with self._open(path) as descriptor:
                return os.fstat(descriptor).st_size
        except OSError:
            return 0

    def _outline(self, path: PurePosixPath) -> tuple[str, ...]:
        """Return the headings and symbols of a file; none if it is not read."""
        try:
            with self._open(path) as descriptor:
                lines = _text_of(_bytes_of(descriptor, path, MOST_LOOKED_INTO)).split("\n")
        except OSError:
            return ()
        matches = (match[0] for line in lines if (match := OUTLINE.match(line[:_MOST_OF_A_LINE])))
        return tuple(shorten(one, 80) for one in islice(matches, _OUTLINES[0]))

    def _require(self, path: PurePosixPath, *, is_folder: bool) -> None:
        """Raise why a file or folder is not read, if it, or a folder that it is in, is left out."""
        for folder in (*reversed(path.parents), *((path,) if is_folder else ())):
            if (left_out := self._folder(folder).left_out) is not None:
                raise left_out
        if not is_folder and (left_out := self._why_left_out(path)) is not None:
            raise left_out

    def _why_left_out(self, path: PurePosixPath, *, is_folder: bool = False) -> OSError | None:
        """Return why a path in a folder that is not left out is so itself."""
        if path.name.lower() in _OWN:
            return _refused(_NO_PROJECT)
        if by := self._ignored_by(path, is_folder=is_folder):
            return _refused(f"it is left out by {by}")
        from workbench.planning.sources.secret_detection import secret_folder, secret_name  # most goals name no file

        secret = secret_folder(path) if is_folder else secret_name(path)
        return _LeftOut(secret) if secret else None

    def _ignored_by(self, path: PurePosixPath, *, is_folder: bool) -> str:
        """Return which file has a pattern that leaves out a path; "" if none does.

        Each of those for the whole project only leaves out more: no other's ``!`` brings back what it leaves out.
        """
        by = (name for name, rules in self._everywhere if rules.says(_normalized(path), is_folder=is_folder))
        if name := next(by, ""):
            return name
        rules = ((parent, found) for parent in path.parents if (found := self._folder(parent).rules) is not None)
        told = (found.says(_normalized(path.relative_to(one)), is_folder=is_folder) for one, found in rules)
        return ".gitignore" if next((one for one in told if one is not None), False) else ""

    def _folder(self, path: PurePosixPath) -> _Folder:
        """Return what holds in a folder; of those above it, it was told before."""
        if path not in self._folders:
            try:
                self._folders[path] = self._judged(path)
            except OSError as error:
                self._folders[path] = _Folder(error)
        return self._folders[path]

    def _judged(self, path: PurePosixPath) -> _Folder:
        """Return what holds in a folder. Raises OSError if nothing of it is read."""
        if path != _ROOT:
            if (above := self._folder(path.parent).left_out) is not None:
                raise above
            if (left_out := self._why_left_out(path, is_folder=True)) is not None:
                raise left_out
        else:
            self._everywhere = tuple(self._rules_for_all())
        with self._open(path) as descriptor:
            if all(_is_in(descriptor, name) for name in _BARE):
                raise _refused(_NO_PROJECT)
        rules = self._rules_in(path / ".gitignore")
        above_it = (found.size for parent in path.parents if (found := self._folder(parent).rules) is not None)
        if rules is not None and sum(above_it) + rules.size > MOST_POSITIONS:
            raise _LeftOut(_TOO_MANY.format(_shown_path(path / ".gitignore")))
        return _Folder(rules=rules)

    def _rules_for_all(self) -> Iterator[tuple[str, IgnoreRules]]:
        """Yield what the folder's Git, and the person's own, ignores. Raises OSError if that cannot be told."""
        rules = self._rules_in(PurePosixPath(".git/info/exclude"))
        if rules is not None:
            yield ".git/info/exclude", rules
        try:
            data = read_named_file(global_ignore_file(), MOST_LOOKED_INTO)
        except UnusableFile as error:
            raise _LeftOut(_TOO_MANY.format(_YOUR_OWN)) from error
        except OSError:
            return  # there is none
        yield _YOUR_OWN, _rules_of(_lines(data), _TOO_MANY.format(_YOUR_OWN))

    def _rules_in(self, path: PurePosixPath) -> IgnoreRules | None:
        """Return the patterns of a file in the project. Raises OSError if they cannot be told.

        A link is none of Git's own, nor is what is not a regular file.
        """
        try:
            with self._open(path) as descriptor:
                data = read_descriptor(descriptor, path, MOST_LOOKED_INTO)
        except OSError as error:
            if error.errno in _NONE_THERE:
                return None
            why = _TOO_MANY if error.errno == errno.EFBIG else "{} cannot be read"
            raise _LeftOut(why.format(_shown_path(path))) from error
        return _rules_of(_lines(data), _TOO_MANY.format(_shown_path(path)))


def fresh(state: SessionState, read: Iterable[say.FileRead]) -> tuple[say.FileRead, ...]:
    """Return what of a reading says something new: what a session has as it is now is not kept twice."""
    known = {file.read for file in state.named_files}
    return tuple(one for one in read if one not in known)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8-sig", errors="surrogateescape").split("\n")


def _rules_of(lines: Iterable[str], why_not: str) -> IgnoreRules:
    try:
        return IgnoreRules(unicodedata.normalize("NFC", line) for line in lines)
    except TooManyPatterns:
        raise _LeftOut(why_not) from None


def _fits(rules: IgnoreRules, path: PurePosixPath) -> bool:
    """Tell whether a file, or a folder that it is in, fits."""
    return any(rules.says(_normalized(one), is_folder=one != path) for one in (path, *path.parents) if one.name)


def _is_in(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True


def _normalized(path: PurePosixPath) -> str:
    """Return a path as patterns are written, in the form that people type, whichever the system lists."""
    return unicodedata.normalize("NFC", str(path))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFD", name).casefold()


def _is_one(folder: int, name: str, other: str) -> bool:
    one, two = (os.stat(each, dir_fd=folder, follow_symlinks=False) for each in (name, other))
    return os.path.samestat(one, two)


def _shown_path(path: PurePosixPath) -> str:
    return clean_name(str(path), _MOST_OF_A_NAME)


def _bytes_of(descriptor: int, path: PurePosixPath, most: int) -> bytes:
    """Return the content of an open file. Raises OSError."""
    if (size := require_regular(descriptor, path).st_size) > most:
        raise _refused(f"it has {size:,} bytes; {most:,} are the most")
    return read_descriptor(descriptor, path, most)


def _passages(path: PurePosixPath, data: bytes, passage: int = PASSAGE) -> Iterator[say.FileRead]:
    """Yield the passages of a file. Raises OSError."""
    lines = _text_of(data).removesuffix("\n").split("\n")
    whole = say.FileRead(path=_shown_path(path), sha256=sha256(data).hexdigest(), size=len(data), lines=len(lines))
    told = [f"{number}\t{shorten(line, _MOST_OF_A_LINE)}" for number, line in enumerate(lines, start=1)]
    yield from passages(whole, told, MOST_OF_A_FILE, passage)


def _within_limits(read: Iterable[say.FileRead], to: str) -> tuple[say.FileRead, ...]:
    """Return what there is room for of a reading, each once, for the agent in whose message it was named."""
    room, kept = MOST_AT_ONCE, {}
    for one in read:
        room -= len(one.text)
        beyond = say.FileRead(path=one.path, why_not=f"{MOST_AT_ONCE:,} characters at once are the most.")
        said = one if room >= 0 or one.why_not else beyond
        kept[said.path, said.first] = replace(said, to=to)
    return tuple(kept.values())


def _text_of(data: bytes) -> str:
    """Return a file's text, clean. Raises OSError for what is none, and for what holds a secret."""
    try:
        text = "" if b"\0" in data else data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = ""
    if not text.strip():
        raise _refused("it is no text (UTF-8)" if data.strip() else "it is empty")
    from workbench.planning.sources.secret_detection import secret_content

    if why := secret_content(text):
        raise _LeftOut(why)
    return clean(text)


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
