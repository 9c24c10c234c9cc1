"""The house stands as drawn: layers, a pure domain, and start-up that loads only what it needs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent


def tool(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a tool that reads the code, without coverage's tracing: it runs none of it."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_PROCESS")}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=580
    )


def test_import_contracts_hold() -> None:
    done = tool("-c", "import sys; from importlinter.cli import lint_imports_command as run; sys.exit(run())")
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_import_leads_in_a_circle() -> None:
    """Imports inside functions and for types count too."""
    graph = grimp.build_graph("workbench", cache_dir=None)
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()


def test_no_folder_has_more_than_twenty_modules() -> None:
    full = {
        str(folder): sum(1 for _ in folder.glob("*.py"))
        for folder in (ROOT / "workbench").rglob("*")
        if folder.is_dir()
    }
    assert {folder: count for folder, count in full.items() if count > 20} == {}


def test_ruff_finds_nothing() -> None:
    done = tool("-m", "ruff", "check", "--no-cache", ".")
    assert done.returncode == 0, done.stdout


def test_code_is_formatted() -> None:
    done = tool("-m", "ruff", "format", "--no-cache", "--check", ".")
    assert done.returncode == 0, done.stdout


@pytest.mark.first
def test_types_are_strict_and_sound() -> None:
    done = tool("-m", "mypy")
    assert done.returncode == 0, done.stdout


HEAVY = (
    "textual", "rich", "pydantic_ai", "pydantic", "openai", "anthropic", "google.genai", "tinydb", "asyncio",
    "msgspec", "numpy", "redis", "markdown_it", "holidays", "lark", "xllamacpp", "huggingface_hub",
)  # fmt: skip
LIST_HEAVY = (
    "numpy", "textual", "pydantic_ai", "pydantic", "openai", "anthropic", "google.genai", "tinydb", "asyncio",
    "redis", "markdown_it", "holidays", "lark", "xllamacpp", "huggingface_hub",
)  # fmt: skip
RUN_HEAVY = (
    "textual", "pydantic_ai", "pydantic", "openai", "anthropic", "google.genai", "tinydb", "redis",
    "holidays", "lark", "xllamacpp", "huggingface_hub",
)  # fmt: skip


def loaded(argv: list[str], cwd: Path) -> set[str]:
    """Run a command in a clean interpreter and return what it imported."""
    script = (
        "import sys\nfrom workbench.__main__ import main\nsys.argv = ['workbench', *sys.argv[1:]]\nmain()\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *argv], cwd=cwd, capture_output=True, text=True, check=True, timeout=240
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("argv", "forbidden"),
    [
        (["--version"], (*HEAVY, "argparse", "workbench.domain")),
        (["--help"], HEAVY),
        (["run", "--help"], HEAVY),
        (["sessions", "list", "--json"], LIST_HEAVY),
        (["run", "Paint the fence by May", "--approve", "all"], RUN_HEAVY),
    ],
    ids=["version", "help", "run help", "list", "run"],
)
def test_a_command_loads_only_what_it_needs(argv: list[str], forbidden: tuple[str, ...], tmp_path: Path) -> None:
    assert loaded(argv, tmp_path).isdisjoint(forbidden)


def test_templates_are_loaded_by_who_uses_them_alone(tmp_path: Path) -> None:
    assert "workbench.templates" not in loaded(["sessions", "list", "--json"], tmp_path)
    few = loaded(["template", "list", "--json"], tmp_path)
    assert "workbench.templates.catalogue" in few
    assert few.isdisjoint(RUN_HEAVY)


def test_the_library_is_imported_when_it_is_first_used() -> None:
    script = "import sys, workbench; before = 'workbench.bootstrap' in sys.modules; workbench.Workspace; print(before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=240)
    assert done.stdout.strip() == "False"


def test_top_level_is_as_the_user_laid_it_out() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    top = {path.split("/")[0] for path in tracked.splitlines()}
    allowed = {
        "pyproject.toml", "workbench", "tests", "themes", "sessions", "README.md", "LICENSE", "CHANGELOG.md", "docs",
    }  # fmt: skip
    assert {name for name in top if not name.startswith(".")} <= allowed


def test_mypy_checks_the_fields_that_replace_sets(tmp_path: Path) -> None:
    file = tmp_path / "misspelt.py"
    file.write_text(
        "import msgspec\n\nclass Plan(msgspec.Struct):\n    version: int\n\n"
        "msgspec.structs.replace(Plan(1), versoin=2)\n"
    )
    done = tool("-m", "mypy", str(file))
    assert 'Unexpected keyword argument "versoin"' in " ".join(done.stdout.split())


OPENS_FILES = {
    "named_files.py": "the one place for files that a person names",
    "storage/files/opening.py": "the one place for everything else",
    "storage/writing.py": "the one place where files are written for a person: exports and templates",
    "storage/files/watching/bell.py": "sockets in the person's own runtime folder, which is checked to be theirs alone",
    "storage/importing.py": "a temporary folder of its own",
    "storage/redis/link.py": "scripts of the package",
    "models/local/files.py": "the person's own folder of models",
    "models/local/server.py": "locks, logs and the token in that folder",
    "bootstrap/models.py": "asks how large a model is that the person names",
    "planning/sources/project_files.py": "lists the project by folders that named_files.py opened",
    "planning/asking/roles.py": "prompts of the package",
    "planning/sources/secret_detection.py": "a table of the package",
    "planning/trust/programs.py": "lists the folder of a program that a person's settings name",
    "templates/catalogue.py": "templates of the package",
    "export/plan_page.py": "a style sheet of the package",
    "export/editor.py": "a temporary file for the person's editor",
    "bootstrap/templates.py": "lists the person's own folder of templates",
    "bootstrap/reviews.py": "lists the folder that a person's agent writes plans to",
    "bootstrap/__init__.py": "sample sessions of the package",
    "tui/settings/themes.py": "lists the person's own folder of themes",
    "tui/settings/preferences.py": "asks whether the person's settings exist",
    "cli/commands.py": "a table of the package",
    "cli/application/web_server.py": "a page of the package",
    "cli/set_up/migrate.py": "asks whether the folder that the person names exists",
    "cli/options.py": "asks whether the folder that the person names exists",
    "cli/failure.py": "a temporary file for a report",
    "cli/set_up/doctor/kept.py": "a temporary file, to see whether the folder can be written to",
}
"""Modules that call the system's functions on files themselves, each with its reason. None of them opens what stands in
a workspace: that goes through ``storage/files/opening.py``, which follows no link there and waits for no pipe."""

_OF_OS = {
    "chmod", "link", "listdir", "lstat", "makedirs", "mkdir", "open", "readlink", "remove", "rename", "replace",
    "rmdir", "scandir", "stat", "symlink", "truncate", "unlink", "utime", "walk",
}  # fmt: skip
_OF_SHUTIL = {"copy", "copy2", "copyfile", "copytree", "move", "rmtree"}
_OF_PATHS = {
    "chmod", "exists", "glob", "hardlink_to", "is_dir", "is_file", "is_symlink", "iterdir", "lstat", "mkdir", "open",
    "read_bytes", "read_text", "readlink", "rglob", "rmdir", "stat", "symlink_to", "touch", "unlink", "write_bytes",
    "write_text",
}  # fmt: skip
_ANY = _OF_OS | _OF_SHUTIL | _OF_PATHS
_OTHER_OBJECTS = {"Workspace", "driving", "_files", "files"}
"""Names of objects that have a method of such a name and are no paths; ``files`` is a ``Files``."""


def direct_calls(source: ast.Module) -> Iterator[str]:
    """Yield the calls by which a module opens, lists, changes or looks at files itself."""
    for called in (node.func for node in ast.walk(source) if isinstance(node, ast.Call)):
        if isinstance(called, ast.Name) and called.id in {"open", "TemporaryDirectory"}:
            yield called.id
        elif isinstance(called, ast.Attribute) and (called.attr in _ANY or isinstance(called.value, ast.Name)):
            of = ast.unparse(called.value)
            known = {"os": _OF_OS, "shutil": _OF_SHUTIL}.get(of, _OF_PATHS)
            if of == "tempfile" or (called.attr in known and of.rpartition(".")[2] not in _OTHER_OBJECTS):
                yield f"{of}.{called.attr}"


@pytest.fixture(scope="module")
def modules() -> dict[str, ast.Module]:
    package = ROOT / "workbench"
    return {path.relative_to(package).as_posix(): ast.parse(path.read_text()) for path in package.rglob("*.py")}


def test_files_are_opened_in_one_place(modules: dict[str, ast.Module]) -> None:
    found = {name: sorted(set(direct_calls(source))) for name, source in modules.items()}
    assert {name: calls for name, calls in found.items() if calls and name not in OPENS_FILES} == {}
    assert [name for name in OPENS_FILES if not found.get(name)] == []
    assert "os.open" in found["storage/files/opening.py"]


WRITES_FILES = {
    "storage/files/opening.py:Files": "looks each name up in the open folder, and follows no link in a workspace",
    "storage/writing.py:_write_to_device": "a device or pipe outside of every project, that a person names",
    "storage/writing.py:make_folder": "by the open folder, without links below a workspace's folder",
    "storage/writing.py:_write": "by the open folder, over nothing that was not agreed to",
    "storage/files/watching/bell.py:Bell": "the person's own runtime folder",
    "storage/files/watching/bell.py:_Socket": "a socket in that folder",
    "storage/files/watching/bell.py:_send": "a socket in that folder, whose process is dead",
    "storage/importing.py:_sound_part": "a temporary folder of its own",
    "models/local/files.py:fetch": "the person's own folder of models",
    "models/local/files.py:remove": "that folder",
    "models/local/server.py:LocalServer": "locks and logs in that folder",
    "models/local/server.py:main": "locks in that folder",
    "models/local/server.py:_serve": "address and token in that folder, for their owner alone",
    "named_files.py:unnamed_file": "a temporary file without a name",
    "export/editor.py:_written": "a temporary file for the person's editor",
    "export/editor.py:edit_text": "that file",
    "export/editor.py:_edit": "that file",
    "cli/failure.py:_report": "a temporary file for a report",
    "cli/set_up/doctor/kept.py:place": "a temporary file without a name",
}
"""The few functions and classes that create, write or remove files themselves, each with where."""
_CHANGES = {
    "os": {"chmod", "link", "makedirs", "mkdir", "remove", "rename", "replace", "rmdir", "symlink", "truncate",
           "unlink", "utime"},
    "shutil": _OF_SHUTIL,
}  # fmt: skip
_CHANGES_OF_PATHS = {
    "chmod", "hardlink_to", "mkdir", "rmdir", "symlink_to", "touch", "unlink", "write_bytes", "write_text",
}  # fmt: skip
_READING_ONLY = {"os.O_RDONLY", "os.O_NOFOLLOW", "FOLDER", "PASSED", "_READING"}
"""Flags of files that are only read."""


def writing_functions(source: ast.Module) -> Iterator[str]:
    """Yield the functions and classes, at the top of a module, that open files for writing or change folders."""
    for part in source.body:
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            calls = (node for node in ast.walk(part) if isinstance(node, ast.Call))
            if any(map(_writes, calls)):
                yield part.name


def _writes(call: ast.Call) -> bool:
    if (
        isinstance(call.func, ast.Attribute)
        and call.func.attr not in _ANY
        and not isinstance(call.func.value, ast.Name)
    ):
        return False
    of, _, name = ast.unparse(call.func).rpartition(".")
    if of == "tempfile" or name == "TemporaryDirectory":
        return name != "gettempdir"
    if of == "os" and name == "open":
        return not set(ast.unparse(call.args[1]).split(" | ")) <= _READING_ONLY
    is_path = bool(of) and of.rpartition(".")[2] not in _OTHER_OBJECTS
    if name == "open" and (is_path or not of):
        return any(isinstance(mode, ast.Constant) and set(str(mode.value)) & set("wax+") for mode in call.args)
    return name in _CHANGES.get(of, _CHANGES_OF_PATHS if is_path else ())


def test_files_are_written_by_a_few_functions(modules: dict[str, ast.Module]) -> None:
    found = {f"{name}:{one}" for name, source in modules.items() for one in writing_functions(source)}
    assert found == set(WRITES_FILES)


def test_a_function_that_writes_is_noticed() -> None:
    writing = ("open(a, 'w')", "a.write_text(b)", "os.open(a, os.O_RDWR)", "os.open(a, x)", "a.mkdir()",
               "shutil.move(a, b)", "os.replace(a, b)", "a.open('ab')", "tempfile.mkstemp()")  # fmt: skip
    for line in writing:
        assert list(writing_functions(ast.parse(f"def act():\n    {line}"))) == ["act"], line
    for line in ("open(a)", "a.read_text()", "os.open(a, os.O_RDONLY)", "files.unlink(a)", "text.replace(a, b)"):
        assert list(writing_functions(ast.parse(f"def act():\n    {line}"))) == [], line


def test_a_call_on_a_file_is_noticed() -> None:
    source = (
        "open(a)\nos.unlink(a)\n(folder / a).read_bytes()\nself.path.open()\nshutil.copyfile(a, b)\nfiles.open(a, 0)"
    )
    assert list(direct_calls(ast.parse(source))) == [
        "open",
        "os.unlink",
        "folder / a.read_bytes",
        "self.path.open",
        "shutil.copyfile",
    ]
