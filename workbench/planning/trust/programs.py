"""Programs of a project that a server's command names: the paths that are run, and digests of the files.

    command = ["python", "tools/server.py"] ─▶ ["python", "/…/tools/server.py"], run outside of the project
                                            └▶ {"mcp.tickets: tools/server.py": digest of tools/}

A program without a path is looked up in the folders of PATH that are outside of the project, then in those inside: what
is found there is a program of the project as if it were named. A server's own PATH has only the folders outside.

A person accepts what a program does now, not its name: the next pull may bring another one. What is beside a
program can be imported by it, so the digest is of its whole folder. Nothing is run inside the project, where a module
or a script of it could take the place of an installed one. ``{project}`` is the project's folder: in a person's own
settings it is data for an installed server that reads it.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from workbench.domain.text.patterns import lazy_pattern
from workbench.named_files import read_named_file

PROJECT = "{project}"
MOST_FILES, MOST_BYTES = 2_000, 50_000_000
"""Files beside a program, and bytes of them together, that are read before it is run."""
_LONGEST = 1_000
_OPTION = lazy_pattern(r"-{0,2}[A-Za-z_][\w.-]{0,60}")
"""What may be before = in an option or a variable."""
_RUNS_WHAT_IT_IS_GIVEN = lazy_pattern(
    r"(?:python|pypy|node|deno|bun|ruby|perl|php|lua|java|dotnet|pwsh|powershell|[a-z]*sh|env|npm|pnpm|yarn|uv|poetry"
    r"|pipenv|make|cargo|go|cmd|busybox|xargs|nice|nohup|setsid|time|timeout|sudo|doas|exec|wine)[\d.]*(?:\.exe)?",
    re.IGNORECASE,
)
"""Programs that run what they are given, folders too."""
_SCRIPTS = frozenset({
    ".bash", ".bat", ".cjs", ".cmd", ".exe", ".jar", ".js", ".lua", ".mjs", ".mts", ".php", ".pl", ".ps1", ".py",
    ".pyz", ".rb", ".sh", ".ts", ".wasm", ".whl", ".zsh",
})  # fmt: skip
NO_PYCACHE = "/dev/null/pycache"
"""``PYTHONPYCACHEPREFIX`` that nobody can create: compiled modules of the project, which are not in the digest, are
neither read nor written, if it heeds that."""


class Unaccountable(OSError):
    """Why it cannot be told what a program holds, as part of a sentence."""

    def __init__(self, why: str) -> None:
        super().__init__(0, why)


def placed(command: Sequence[str], project: Path | None) -> list[str]:
    """Return a command with the paths of the project made absolute: it is run elsewhere."""
    if project is None:
        return list(command)
    return [_Part(part, project, is_first=place == 0).placed for place, part in enumerate(command)]


def path_outside(project: Path | None) -> str:
    """Return PATH without the folders of a project, and without relative ones."""
    return _search_path(project, is_inside=False)


def _search_path(project: Path | None, *, is_inside: bool) -> str:
    folders = [one for one in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(one).is_absolute()]
    return os.pathsep.join(one for one in folders if _touches(Path(os.path.normpath(one)), project) is is_inside)


def _touches(folder: Path, project: Path | None) -> bool:
    """Tell whether a folder is in the project, by its own path or by where it leads."""
    if project is None:
        return False
    places = (folder, folder.resolve())
    return any(place.is_relative_to(root) for place in places for root in (project.absolute(), project.resolve()))


def _looked_up(program: str, project: Path) -> str:
    """Return the absolute path of a program without a path; the name itself if there is none."""
    paths = (_search_path(project, is_inside=is_inside) for is_inside in (False, True))
    return next((found for path in paths if (found := shutil.which(program, path=path))), program)


class _Part:
    """A part of a command: the program, an argument, or an option or a variable with a value."""

    def __init__(self, part: str, project: Path, *, is_first: bool = False) -> None:
        given = part.replace(PROJECT, str(project))
        name, equals, value = given.partition("=")
        has_name = bool(equals) and _OPTION.fullmatch(name) is not None
        self.front, self.value = (name + equals, value) if has_name else ("", given)
        self.names_project = str(project) in given
        if is_first and "/" not in self.value:
            self.value = _looked_up(self.value, project)
        is_path = bool(self.value) and "\0" not in self.value and len(self.value) < _LONGEST
        is_there = is_path and os.path.lexists(project / self.value)
        self.path = project / self.value if is_there and not (is_first and "/" not in self.value) else None
        self.is_absolute = Path(self.value).is_absolute() and os.pathsep not in self.value

    @property
    def placed(self) -> str:
        """The part as it is given to the system."""
        return f"{self.front}{self.value if self.path is None else self.path}"


def program_digests(server: str, command: Sequence[str], project: Path | None, *, is_own: bool) -> dict[str, str]:
    """Return the files and folders of the project that a command names, each with the digest of what it would run.

    ``is_own``: the command is in the person's own settings; there, folders and files of data that an installed
    server is given are no programs. Reads them all: for a worker thread. Raises Unaccountable, and OSError for what
    cannot be read.
    """
    if project is None or not command:
        return {}
    digests: dict[str, str] = {}
    takes_programs = not is_own or _RUNS_WHAT_IT_IS_GIVEN.fullmatch(Path(command[0]).name) is not None
    for place, part in enumerate(_Part(one, project, is_first=n == 0) for n, one in enumerate(command)):
        inside = None if part.path is None else _inside(Path(os.path.normpath(part.path)), project)
        if inside is None:
            if part.names_project and part.path is None and not part.is_absolute:
                raise Unaccountable("it names the project within an argument: name its program by a path of its own")
        elif takes_programs or place == 0 or _is_program(inside):
            digests[f"mcp.{server}: {inside.relative_to(project.resolve()).as_posix()}"] = _digest(inside, project)
    return digests


def _is_program(path: Path) -> bool:
    """Tell whether a path that a person named is one of a program, and not of data that it works on."""
    return path.is_file() and (path.suffix.lower() in _SCRIPTS or os.access(path, os.X_OK))


def _inside(path: Path, project: Path) -> Path | None:
    """Return where a path leads, if that is in the project or the path itself is."""
    real, project = path.resolve(), project.resolve()
    if real.is_relative_to(project):
        return real
    if path.is_relative_to(project):
        raise Unaccountable("its program is a link that leads out of the project")
    return None


def _digest(program: Path, project: Path) -> str:
    """Return the digest of the folder of a program, or of a folder: every name, and all that is in the files."""
    if ".workbench" in program.parts:
        raise Unaccountable("its program stands in .workbench")
    folder = program if program.is_dir() else program.parent
    if folder == project.resolve():
        raise Unaccountable("its program is the project, or stands at its top: give it a folder of its own")
    digest, files, left = sha256(program.relative_to(folder).as_posix().encode()), 0, MOST_BYTES
    for path in _walk(folder):
        files, entry = files + 1, path.lstat()
        digest.update(b"\0" + os.fsencode(path.relative_to(folder)) + b"\0")
        if stat.S_ISLNK(entry.st_mode):
            digest.update(os.fsencode(path.readlink()))
            entry = _target(path)
        left -= entry.st_size if stat.S_ISREG(entry.st_mode) else 0
        if files > MOST_FILES or left < 0:
            raise Unaccountable("its program stands among too many files: give it a folder of its own")
        if stat.S_ISREG(entry.st_mode):
            digest.update(sha256(read_named_file(path, MOST_BYTES)).digest())
    return digest.hexdigest()[:32]


def _target(link: Path) -> os.stat_result:
    try:
        entry = link.stat()
    except OSError:
        return link.lstat()  # it leads nowhere
    if stat.S_ISDIR(entry.st_mode):
        raise Unaccountable("a link to a folder stands beside its program")
    return entry


def _walk(folder: Path) -> Iterator[Path]:
    """Yield all files and links below a folder, in order."""
    for place, folders, files in os.walk(folder):
        folders.sort()
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        yield from (Path(place) / name for name in sorted([*files, *links]))
