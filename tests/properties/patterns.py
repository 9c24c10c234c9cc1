"""Finds every pattern of the package, and texts that would make a bad one slow.

A pattern is found where the source writes it, or in what a module holds. One that is put together while the program
runs is seen as a call whose pattern has no value in its module: ``unnamed`` says where, so that none hides.
"""

from __future__ import annotations

import ast
import pkgutil
import re
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from inspect import getsource
from re import _constants as op
from re import _parser
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import workbench
from workbench.domain.text.patterns import LazyPattern, lazy_pattern

_BUILDERS = frozenset({"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
_REPEATED = frozenset({"sub", "subn", "split", "findall", "finditer"})
"""What goes on behind each match."""


class Found(NamedTuple):
    """A pattern, and how it is used."""

    where: str
    pattern: re.Pattern[Any]
    operation: str
    """``match``, ``fullmatch``, ``search``, or ``finditer`` for all that goes on behind a match."""


class Inventory(NamedTuple):
    """All patterns of the package."""

    found: tuple[Found, ...]
    unnamed: frozenset[str]
    """Where a pattern is put together that no module holds, as ``module.function``."""
    faults: tuple[str, ...]
    """Imports by which a pattern could hide."""


def inventory(left_out: tuple[str, ...] = ()) -> Inventory:
    """Return the patterns of all modules but those under these names."""
    names = [module.name for module in pkgutil.walk_packages(workbench.__path__, "workbench.")]
    chosen = [
        name for name in names if not name.startswith(left_out) and not name.endswith(("__main__", "text.patterns"))
    ]
    readers = [_Reader(import_module(name)) for name in chosen]
    public: dict[str, set[str]] = defaultdict(set)
    for reader in readers:
        for name, used in reader.uses.items():
            public[name] |= used
    found = {
        (where, pattern, operation)
        for reader in readers
        for where, pattern, used in reader.patterns()
        for operation in _operations(used or (public[where.rpartition(".")[2]] if "._" not in where else set()))
    }
    return Inventory(
        tuple(Found(*each) for each in sorted(found, key=lambda each: (each[0], str(each[1].pattern), each[2]))),
        frozenset(name for reader in readers for name in reader.unnamed),
        tuple(fault for reader in readers for fault in reader.faults),
    )


def _operations(used: set[str]) -> Iterator[str]:
    """Yield how a pattern is tried: what goes on behind a match takes no less time than one search does."""
    if "fullmatch" in used:
        yield "fullmatch"
    if not used or used & _REPEATED:
        yield "finditer"
    elif one := used & {"match", "search"}:
        yield max(one)


class _Reader(ast.NodeVisitor):
    """Reads the source of one module."""

    def __init__(self, module: ModuleType) -> None:
        self.module, self.path = module, [module.__name__]
        self.literal: list[tuple[str, re.Pattern[Any], set[str]]] = []
        self.uses: dict[str, set[str]] = defaultdict(set)
        """How what has a name is used."""
        self.unnamed: set[str] = set()
        self.faults: list[str] = []
        self._target = ""
        self.visit(ast.parse(getsource(module)))

    def patterns(self) -> Iterator[tuple[str, re.Pattern[Any], set[str]]]:
        yield from self.literal
        for name, value in vars(self.module).items():
            is_foreign = isinstance(value, type | FunctionType) and value.__module__ != self.module.__name__
            if not is_foreign and not name.startswith("__"):
                for pattern in held_in(value):
                    yield f"{self.module.__name__}.{name}", pattern, self.uses[name]

    def visit_Import(self, node: ast.Import) -> None:
        if any(one.name in {"re", "regex"} and (one.asname or one.name != "re") for one in node.names):
            self.faults.append(f"{self.path[0]} imports re by another name")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module == "re":
            self.faults.append(f"{self.path[0]} imports from re")

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.path.append(node.name)
        self.generic_visit(node)
        self.path.pop()

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef  # noqa: N815  # as ast names them

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        before = self._target
        if len(self.path) == 1:
            named = targets[0].elts[0] if isinstance(targets[0], ast.Tuple) else targets[0]
            self._target = _name_of(named)
        self.generic_visit(node)
        self._target = before

    visit_AnnAssign = visit_Assign  # noqa: N815

    def visit_Call(self, node: ast.Call) -> None:
        if _is_builder(node.func):
            self._pattern(node)
            for part in [*node.args, *node.keywords]:
                self.visit(part)
            return
        if isinstance(node.func, ast.Attribute) and node.func.attr in _BUILDERS:
            name = _name_of(node.func.value)
            goes_on = node.func.attr == "search" and len(node.args) > 1
            self.uses[name].add("finditer" if goes_on else node.func.attr)
        for keyword in node.keywords:
            if keyword.arg == "pattern" and isinstance(keyword.value, ast.Constant):  # what msgspec checks
                self.literal.append((".".join(self.path), re.compile(keyword.value.value), {"search"}))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if _is_builder(node):  # named, and not called: map(re.compile, ...)
            self._held()
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if _is_builder(node):
            self._held()

    def _pattern(self, node: ast.Call) -> None:
        """Keep the pattern that a call names, where its module knows what it is."""
        flags = [part.value for part in node.keywords if part.arg == "flags"]
        function = node.func.attr if isinstance(node.func, ast.Attribute) else "compile"
        if not flags and (len(node.args) > 1 and function == "compile"):
            flags = [node.args[1]]
        try:
            value, flag = self._value(node.args[0]), self._value(flags[0]) if flags else 0
        except NameError:
            self._held()
            return
        if function != "compile":
            self.literal.append((".".join(self.path), re.compile(value, flag), {function}))
        elif not self._target:
            self.literal.append((".".join(self.path), re.compile(value, flag), set()))

    def _value(self, node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), self.path[0], "eval"), dict(vars(self.module)))

    def _held(self) -> None:
        """Trust what a module holds by a name; else say where a pattern is put together."""
        if not self._target or not list(held_in(vars(self.module)[self._target])):
            self.unnamed.add(".".join(self.path))


def _is_builder(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id == lazy_pattern.__name__
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "re"
        and node.attr in _BUILDERS
    )


def _name_of(node: ast.expr) -> str:
    """Return the last name of what a method is called on: X of X, x.X and X[1]."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def held_in(value: Any, depth: int = 5) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns in a value: in containers, in our own objects and classes, and in what functions keep."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LazyPattern):
        yield re.compile(*value.given)
    elif depth and not isinstance(value, str | bytes | int | float | ModuleType):
        for part in _parts(value):
            yield from held_in(part, depth - 1)


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from value.keys()
        yield from value.values()
    elif isinstance(value, tuple | list | set | frozenset):
        yield from value
    elif isinstance(value, FunctionType):
        yield from value.__defaults__ or ()
        yield from (value.__kwdefaults__ or {}).values()
        yield from (cell.cell_contents for cell in value.__closure__ or ())
    elif isinstance(value, type) and value.__module__.startswith("workbench"):
        yield from (part for name, part in vars(value).items() if not name.startswith("__"))
    elif type(value).__module__.startswith("workbench"):
        slots = [name for base in type(value).__mro__ for name in getattr(base, "__slots__", ())]
        names = {*slots, *getattr(value, "__dict__", ())}
        yield from (getattr(value, name, None) for name in names if not name.startswith("__"))


# --- texts ------------------------------------------------------------------------------------------------------------

_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_LONG = 12
"""Repeats that may be longer are pumped."""
_CHARACTERS = 'a 0\nA-_,.\t:"<é'
_CATEGORIES = {
    op.CATEGORY_DIGIT: str.isdigit,
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_WORD: lambda sign: sign.isalnum() or sign == "_",
}
_CATEGORIES |= {
    negated: (lambda sign, holds=_CATEGORIES[plain]: not holds(sign))
    for plain, negated in (
        (op.CATEGORY_DIGIT, op.CATEGORY_NOT_DIGIT),
        (op.CATEGORY_SPACE, op.CATEGORY_NOT_SPACE),
        (op.CATEGORY_WORD, op.CATEGORY_NOT_WORD),
    )
}


class Text(NamedTuple):
    """A text that can be made of any length."""

    before: str
    pumped: str
    after: str

    def of(self, size: int) -> str:
        return self.before + self.pumped * max(1, size // len(self.pumped)) + self.after


def texts_against(pattern: re.Pattern[Any], *, many: bool) -> list[Text]:
    """Return texts on which a pattern may begin often, or go back far, and does not match at the end."""
    flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    tree = list(_parser.parse(pattern.pattern, flags))
    repeats = list(_long_repeats(tree, "", ""))
    if not repeats:
        return []  # so much at each place, and no more
    pairs: dict[tuple[str, str], None] = {}
    for before, body, after in repeats:
        for one in _witnesses([body], 8 if many else 3):
            for pumped in (one, before + one, before + one + " ", before + one + after[:-1], *((one + " ",) * many)):
                pairs[before, pumped] = pairs["", pumped] = None
    for whole in _witnesses(tree, 6 if many else 2):
        pairs["", whole[:-1]] = pairs["", whole[:-1] + " "] = None
    for sign in (*_CHARACTERS, "\n ", "a, ", "<!-- ") if many else ("a", " ", "0", "\n", "A-", "\n ", "\\", "[", "`"):
        pairs["", sign] = None
    afters = ("\x00", ".", "\n", "!", "") if many else ("\x00",)
    return [Text(before, pumped, after) for before, pumped in pairs if pumped for after in afters]


def _long_repeats(items: list[Any], before: str, after: str) -> Iterator[tuple[str, Any, str]]:
    """Yield each long repeat's body, with what may stand before and behind it."""
    for number, (kind, value) in enumerate(items):
        ahead = before + _witness(items[:number], 0)
        behind = _witness(items[number + 1 :], 0) + after
        if kind in _REPEATS:
            _, most, body = value
            if most >= _LONG:
                yield ahead, (op.SUBPATTERN, (None, 0, 0, body)), behind
        for part in _within(kind, value):
            yield from _long_repeats(part, ahead, behind)


def _within(kind: Any, value: Any) -> list[list[Any]]:
    """Return the sequences within an item."""
    if kind in _REPEATS:
        return [list(value[2])]
    if kind is op.BRANCH:
        return [list(branch) for branch in value[1]]
    if kind is op.SUBPATTERN:
        return [list(value[-1])]
    if kind is op.ATOMIC_GROUP:
        return [list(value)]
    if kind in {op.ASSERT, op.ASSERT_NOT}:
        return [list(value[1])]
    return [list(part) for part in value[1:] if part] if kind is op.GROUPREF_EXISTS else []


def _witnesses(items: list[Any], most: int) -> list[str]:
    return list(dict.fromkeys(_witness(items, variant) for variant in range(most)))


def _witness(items: list[Any], variant: int) -> str:
    """Return a text that matches a sequence, or nearly; others for other variants."""
    return "".join(_one(kind, value, variant) for kind, value in items)


def _one(kind: Any, value: Any, variant: int) -> str:
    match kind:
        case op.LITERAL:
            return chr(value)
        case op.NOT_LITERAL | op.ANY | op.IN:
            signs = _signs(kind, value)
            return signs[variant % len(signs)]
        case op.BRANCH:
            return _witness(list(value[1][variant % len(value[1])]), variant)
        case op.MAX_REPEAT | op.MIN_REPEAT | op.POSSESSIVE_REPEAT:
            return _witness(list(value[2]), variant) * min(value[0] or int(variant % 2 and value[1] > 1), 60)
        case op.ASSERT if value[0] > 0:
            return ""
        case op.ASSERT_NOT | op.AT | op.GROUPREF:
            return ""
        case _:
            return "".join(_witness(part, variant) for part in _within(kind, value))


def _signs(kind: Any, value: Any) -> str:
    """Return characters that an item matches."""
    if kind is op.ANY:
        return "a 0"
    if kind is op.NOT_LITERAL:
        return "".join(sign for sign in _CHARACTERS if ord(sign) != value)
    own = [chr(part[1] if part[0] is op.LITERAL else part[1][0]) for part in value if part[0] in {op.LITERAL, op.RANGE}]
    is_negated = value[0][0] is op.NEGATE
    signs = [sign for sign in (*_CHARACTERS, *own[:12]) if _holds(value, sign) is not is_negated]
    return "".join(dict.fromkeys(signs)) or "\u3042"


def _holds(parts: list[Any], sign: str) -> bool:
    return any(
        (kind is op.LITERAL and chr(value) == sign)
        or (kind is op.RANGE and value[0] <= ord(sign) <= value[1])
        or (kind is op.CATEGORY and _CATEGORIES[value](sign))
        for kind, value in parts
    )


# --- times ------------------------------------------------------------------------------------------------------------


class TooSlow(Exception):
    """A match took longer than it may."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow after so much time of the processor: matching looks for signals."""

    def ring(_number: int, _frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def operation_of(found: Found) -> Callable[[str], object]:
    """Return a function that does with a text what is done with a pattern."""
    pattern = found.pattern
    if found.operation == "finditer":

        def act(text: Any) -> object:
            return sum(1 for _ in pattern.finditer(text))
    else:
        act = getattr(pattern, found.operation)
    return (lambda text: act(text.encode())) if isinstance(pattern.pattern, bytes) else act


def seconds_of(act: Callable[[str], object], text: str, times: int = 1) -> float:
    """Return the least time of the processor that it takes."""
    taken = []
    for _ in range(times):
        begun = time.thread_time()
        act(text)
        taken.append(time.thread_time() - begun)
    return min(taken)


def growth(act: Callable[[str], object], text: Text, *, size: int, largest: int) -> float:
    """Return by how much more time twice the text takes, the mean of two doublings; infinity past the limit.

    0 where the time cannot be measured: the size is raised until it can be, or four times it would pass ``largest``.
    """
    try:
        with time_limit(_LIMIT):
            while (once := seconds_of(act, text.of(size))) < _MEASURABLE:
                size *= 2
                if size * 4 > largest:
                    return 0
            twice = seconds_of(act, text.of(size * 2))
            if twice <= once * _PLAINLY_LINEAR:
                return twice / once
            once, again = (seconds_of(act, text.of(size * factor), 3) for factor in (1, 4))
    except TooSlow:
        return float("inf")
    return float((again / once) ** 0.5)


MOST_GROWTH = 2.6
"""By how much more time twice the text may take: 2 is linear, 4 is quadratic."""
_PLAINLY_LINEAR = 2.2
_MEASURABLE = 0.001
_LIMIT = 1.0
"""Seconds of the processor."""
