"""Programs of a project that a server's command names: where they are run, and the digest of what they hold.

    command = ["python", "tools/server.py"] ─▶ ["python", "/…/tools/server.py"], run outside of the project
                                            └▶ {"mcp.tickets: tools/server.py": digest of tools/}

A person accepts what a program does now, not its name: the next pull may bring another one. What stands beside a
program can be imported by it, so the digest is of its whole folder. Nothing is run inside the project, where a module
or a script of it could take the place of an installed one. ``{project}`` in a person's own settings is the project's
folder as data, for servers that read it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from workbench.named_files import read_named_file

PROJECT = "{project}"
MOST_FILES, MOST_BYTES = 2_000, 50_000_000
"""Files beside a program, and bytes of them together, that are read before it is run."""
_PASSED_OVER = frozenset({".git", ".workbench", "__pycache__"})
"""Folders that no program is run from."""
_SCRIPTS = frozenset({
    ".bash", ".bat", ".cjs", ".cmd", ".exe", ".jar", ".js", ".lua", ".mjs", ".mts", ".php", ".pl", ".ps1", ".py",
    ".pyz", ".rb", ".sh", ".ts", ".wasm", ".whl", ".zsh",
})  # fmt: skip
NO_PYCACHE = "/dev/null/pycache"
"""``PYTHONPYCACHEPREFIX`` that nobody can create: compiled modules of the project, which are not in the digest, are
neither read nor written."""


class Unaccountable(OSError):
    """Why it cannot be told what a program holds, as part of a sentence."""

    def __init__(self, why: str) -> None:
        super().__init__(0, why)


def placed(command: Sequence[str], project: Path | None) -> list[str]:
    """Return a command with the paths of the project made absolute: it is run elsewhere."""
    if project is None:
        return list(command)
    program, *arguments = [part.replace(PROJECT, str(project)) for part in command]
    is_path = "/" in program
    return [_placed(program, project) if is_path else program, *(_placed(one, project) for one in arguments)]


def _placed(part: str, project: Path) -> str:
    option, equals, value = part.partition("=") if part.startswith("-") else ("", "", part)
    is_there = bool(value) and "\0" not in value and len(value) < 1_000 and os.path.lexists(project / value)
    return f"{option}{equals}{project / value if is_there else value}"


def program_digests(server: str, command: Sequence[str], project: Path | None, *, is_own: bool) -> dict[str, str]:
    """Return the files and folders of the project that a command names, each with the digest of what it would run.

    ``is_own``: the command stands in the person's own settings, where ``{project}``, folders and files of data are no
    programs. Reads them all: for a worker thread. Raises Unaccountable, and OSError for what cannot be read.
    """
    if project is None:
        return {}
    given = [part for part in command if not (is_own and PROJECT in part)]
    digests: dict[str, str] = {}
    for part in placed(given, project) if given else ():
        value = part.partition("=")[2] if part.startswith("-") else part
        path = Path(os.path.normpath(value)) if value.startswith("/") else None
        inside = None if path is None else _inside(path, project)
        if inside is not None and inside.exists() and (not is_own or _is_program(inside)):
            digests[f"mcp.{server}: {inside.relative_to(project.resolve()).as_posix()}"] = _digest(inside)
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


def _digest(program: Path) -> str:
    """Return the digest of the folder of a program, or of a folder: every name, and all that stands in the files."""
    if ".workbench" in program.parts:
        raise Unaccountable("its program stands in .workbench")
    folder = program if program.is_dir() else program.parent
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
        folders[:] = sorted(name for name in folders if name not in _PASSED_OVER)
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        yield from (Path(place) / name for name in sorted([*files, *links]))
