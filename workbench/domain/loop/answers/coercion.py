"""A typed value from JSON that a model wrote: lenient in form, strict in meaning.

    "S1, s2" ─▶ ("S1", "S2")     "High" ─▶ "high"     3 ─▶ "3"     null ─▶ the default     {"type": "Step"} ─▶ a step
    a field that cannot be read ─┬ it has a default ─▶ that, with a note
                                 └ it is needed     ─▶ its item is left out of its list, with a note

What is bad costs the smallest part that can be spared; whoever asked is told what that was.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

import msgspec
from msgspec import inspect as kinds

from workbench.domain.text.patterns import lazy_pattern

T = TypeVar("T")

_NUMBER = lazy_pattern(r"\s*+(-?\d{1,15}(?:[.,]\d{1,15})?)\s*+(?:(?:working )?days?|d)?\s*+", re.IGNORECASE)
_ID = lazy_pattern(r"([a-z])[\s_-]?(\d{1,9})", re.IGNORECASE | re.ASCII)
_BETWEEN_IDS = lazy_pattern(r"[\s,;]+")
_LIST_MARK = lazy_pattern(r"(?:[-*•]|\d{1,3}[.)])\s+")
_MOST_MONEY = Decimal(10**15)
_FINEST_MONEY = -20
"""The smallest power of ten of an amount: what a sum of floats has at its end, and no more."""
_NOTHING = frozenset({"", "null", "none", "n/a"})
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}
_UNREMARKABLE = frozenset({"type", "task", "schema"})
"""Fields that say what an object is: if nobody asked, they are passed over."""


class Unfit(Exception):
    """A value that cannot be made what is asked for."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place} {reason}".strip())
        self.place = place
        self.reason = reason


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the types beyond what they say themselves."""

    ids: Mapping[tuple[str, str], str]
    """Letters that an id may begin with, by class and field."""
    numbered: Collection[tuple[str, str]]
    """Fields among them that get a new id where theirs is none: "" stands for it until then."""
    aliases: Mapping[tuple[str, str], str]
    """Field by class and another name of it, in small letters and digits alone."""
    is_sound: Mapping[type, Callable[[Any], bool]]
    """What a value of a class has to fulfil."""
    completed: Mapping[type, Callable[[dict[str, Any]], dict[str, Any]]]
    """What gives an object of a class the fields that may be left out, though its type needs them."""
    ranges: Mapping[tuple[str, str], tuple[float, float]]
    """Least and greatest number, by class and field."""
    most_characters: int
    most_in_a_list: int
    most_in: Mapping[tuple[str, str], int]
    """The same if it is fewer, by class and field."""


class Coercion:
    """Makes typed values of JSON, and notes what was left out on the way."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.notes: list[str] = []
        """What was left out or shortened, each in a sentence."""
        self.reshaped = 0
        """Values that were put into the form that was asked for, with nothing lost."""

    def read(self, kind: type[T], value: Any, place: str = "") -> T:
        """Return a JSON value as a struct. Raises Unfit."""
        read: T = self._struct(_info(kind), value, place)
        return read

    # --- objects ------------------------------------------------------------------------------------------------------

    def _struct(self, kind: kinds.StructType, value: Any, place: str) -> Any:
        if not isinstance(value, dict):
            value = _as_object(kind, value, place)
            self.reshaped += 1
        given, unknown = self._fields_by_name(kind, value)
        given = self._wrapped(kind, given, value)
        if (complete := self._rules.completed.get(kind.cls)) is not None:
            given = complete(given)
        read = {}
        for field in kind.fields:
            if field.name not in given:
                if field.required:
                    raise Unfit(place, f"has no `{field.name}`" if place else f"`{field.name}` is missing")
                continue
            try:
                read[field.name] = self._field(kind, field, given[field.name], place)
            except Unfit as unfit:
                if field.required:
                    raise
                self._leave_out(unfit)
        if unknown and given:
            self.notes.append(
                f"{_place_with_id(place, value)} has more than was asked for, left out: {', '.join(unknown)}."
            )
        made = kind.cls(**{name: part for name, part in read.items() if part is not msgspec.UNSET})
        is_sound = self._rules.is_sound.get(kind.cls)
        if is_sound is not None and not is_sound(made):
            raise Unfit(place, "is no usable value")
        return made

    def _fields_by_name(self, kind: kinds.StructType, value: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """Return what an object says by field, and the names of what no field is for."""
        owner = kind.cls.__name__
        fields = {plain(field.name): field.name for field in kind.fields}
        given: dict[str, Any] = {}
        unknown: list[str] = []
        for name, part in value.items():
            folded = plain(str(name))
            field = fields.get(folded) or self._rules.aliases.get((owner, folded))
            if field is None:
                unknown += [str(name)[:40]] if folded not in _UNREMARKABLE else []
            else:
                given.setdefault(field, part)
        return given, unknown

    def _wrapped(self, kind: kinds.StructType, given: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
        """Put an object into the one field that is needed, if it is what belongs there."""
        needed = [field for field in kind.fields if field.required]
        if len(needed) != 1 or needed[0].name in given or not isinstance(needed[0].type, kinds.StructType):
            return given
        inner, _ = self._fields_by_name(needed[0].type, value)
        if not all(field.name in inner for field in needed[0].type.fields if field.required):
            return given
        self.reshaped += 1
        return {**given, needed[0].name: {name: part for name, part in value.items() if name not in given}}

    def _field(self, owner: kinds.StructType, field: kinds.Field, value: Any, place: str) -> Any:
        where = f"{place}.{field.name}" if place else field.name
        is_optional = isinstance(field.type, kinds.UnionType) and field.type.includes_none
        if value is None and not field.required and not is_optional:
            return msgspec.UNSET  # the default
        key = (owner.cls.__name__, field.name)
        if field.default == "" and key in self._rules.ids and str(value).strip().lower() in _NOTHING:
            return msgspec.UNSET
        read = self._convert(field.type, value, where, key)
        if field.required and read == () and value not in ([], (), None):
            raise Unfit(where, f"holds nothing usable: {self.notes[-1]}" if self.notes else "holds nothing usable")
        return read

    def _leave_out(self, unfit: Unfit) -> None:
        self.notes.append(f"{unfit.place} was left out: it {unfit.reason}.")

    # --- values -------------------------------------------------------------------------------------------------------

    def _convert(self, kind: kinds.Type, value: Any, place: str, field: tuple[str, str]) -> Any:
        match kind:
            case kinds.UnionType():
                return self._union(kind, value, place, field)
            case kinds.StructType():
                return self._struct(kind, value, place)
            case kinds.VarTupleType():
                return self._list(kind.item_type, value, place, field)
            case kinds.LiteralType():
                return self._literal(kind, value, place)
            case kinds.StrType():
                return self._id(value, place, field) if field in self._rules.ids else self._text(value, place)
            case kinds.BoolType():
                return self._truth(value, place)
            case kinds.IntType():
                return int(self._number(value, place, field))
            case kinds.DecimalType():
                return self._decimal(value, place)
            case kinds.DictType():
                return self._texts(value, place)
            case _:
                return float(self._number(value, place, field))

    def _union(self, kind: kinds.UnionType, value: Any, place: str, field: tuple[str, str]) -> Any:
        others = [other for other in kind.types if not isinstance(other, kinds.NoneType)]
        if kind.includes_none and (value is None or (isinstance(value, str) and value.strip().lower() in _NOTHING)):
            return None
        if len(others) == 1:
            return self._convert(others[0], value, place, field)
        if not isinstance(value, dict):
            raise Unfit(place, "is no object")
        structs = [other for other in others if isinstance(other, kinds.StructType)]
        return self._struct(_kind_of(structs, value, self._rules), value, _place_with_id(place, value))

    def _list(self, kind: kinds.Type, value: Any, place: str, field: tuple[str, str]) -> tuple[Any, ...]:
        parts = _parts(kind, value, is_ids=field in self._rules.ids)
        self.reshaped += parts is not value
        parts = list(parts)
        read: list[Any] = []
        most = self._rules.most_in.get(field, self._rules.most_in_a_list)
        for number, part in enumerate(parts[:most]):
            try:
                read.append(self._convert(kind, part, f"{place}[{number}]", field))
            except Unfit as unfit:
                self._leave_out(unfit)
        if len(parts) > most:
            self.notes.append(f"{place} has {len(parts):,} entries; the first {most:,} were read.")
        return tuple(read)

    def _text(self, value: Any, place: str) -> str:
        if isinstance(value, list) and all(isinstance(line, str | int | float) for line in value):
            value = "\n".join(str(line) for line in value)
            self.reshaped += 1
        elif isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
            self.reshaped += 1
        if not isinstance(value, str):
            raise Unfit(place, "is no text")
        most = self._rules.most_characters
        if len(value) <= most:
            return value
        self.notes.append(f"{place} has {len(value):,} characters; the first {most:,} were read.")
        return value[: most - 1] + "…"

    def _texts(self, value: Any, place: str) -> dict[str, str]:
        """Return texts by what they are called."""
        if not isinstance(value, dict):
            raise Unfit(place, "is no object")
        return {self._text(name, place): self._text(text, f"{place}.{str(name)[:40]}") for name, text in value.items()}

    def _id(self, value: Any, place: str, field: tuple[str, str]) -> str:
        text = self._text(value, place).strip()
        if text.endswith("…"):
            raise Unfit(place, "is cut off")
        name = as_id(text, self._rules.ids[field])
        if not name and field not in self._rules.numbered:
            raise Unfit(place, "is no id")
        self.reshaped += name != value
        return name

    def _literal(self, kind: kinds.LiteralType, value: Any, place: str) -> Any:
        if value in kind.values:
            return value
        known = {plain(str(allowed)): allowed for allowed in kind.values}
        folded = plain(str(value))
        if folded not in known:
            raise Unfit(place, f"is none of {', '.join(map(str, kind.values))}")
        self.reshaped += 1
        return known[folded]

    def _truth(self, value: Any, place: str) -> bool:
        if isinstance(value, bool):
            return value
        truth = _TRUTH.get(str(value).strip().lower())
        if truth is None:
            raise Unfit(place, "is neither true nor false")
        self.reshaped += 1
        return truth

    def _number(self, value: Any, place: str, field: tuple[str, str]) -> float:
        if isinstance(value, str) and (match := _NUMBER.fullmatch(value)) is not None:
            value = float(match[1].replace(",", "."))
            self.reshaped += 1
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
            raise Unfit(place, "is no number")
        least, most = self._rules.ranges.get(field, (-math.inf, math.inf))
        if not least <= value <= most:
            raise Unfit(place, f"is not from {least:,} to {most:,}")
        return value

    def _decimal(self, value: Any, place: str) -> Decimal:
        try:
            read = Decimal(str(value)) if not isinstance(value, bool) else Decimal("NaN")
        except InvalidOperation as error:
            raise Unfit(place, "is no number") from error
        _, _, exponent = read.as_tuple()
        is_near = isinstance(exponent, int) and exponent >= _FINEST_MONEY and read.adjusted() <= _MOST_MONEY.adjusted()
        if not is_near or abs(read) > _MOST_MONEY:  # arithmetic with what is not near overflows
            raise Unfit(place, "is no amount")
        return read


# --- what values are like ---------------------------------------------------------------------------------------------


_infos: dict[type[Any], kinds.StructType] = {}
"""What was found out about each type: it takes as long as reading a reply."""


def _info(kind: type[Any]) -> kinds.StructType:
    info = _infos.get(kind) or kinds.type_info(kind)
    if not isinstance(info, kinds.StructType):
        raise TypeError(f"{kind} is no struct")
    return _infos.setdefault(kind, info)


def as_id(text: str, letters: str) -> str:
    """Return a text as the id that it is, of one of these letters if it is a number alone; "" if it is none."""
    match = _ID.fullmatch(f"{letters}{text}" if text.isdecimal() and len(letters) == 1 else text)
    return f"{match[1].upper()}{match[2]}" if match is not None else ""


def plain(name: str) -> str:
    """Return a name by its letters and digits alone, lower-case: ``notBefore`` and ``not_before`` are the same."""
    return "".join(sign for sign in name if sign.isalnum()).lower()


def _place_with_id(place: str, value: dict[str, Any]) -> str:
    """Return a place with the id of what is there."""
    name = value.get("id")
    named = f"{place} ({name[:20]})" if isinstance(name, str) and name and place else place
    return named or "The reply"


def _as_object(kind: kinds.StructType, value: Any, place: str) -> dict[str, Any]:
    """Return what numbers say as an object of numbers: one for all its fields, or a list with one for each."""
    names = [field.name for field in kind.fields]
    if all(isinstance(field.type, kinds.FloatType) for field in kind.fields):
        if isinstance(value, list) and len(value) == len(names):
            return dict(zip(names, value, strict=True))
        if isinstance(value, int | float | str):
            return dict.fromkeys(names, value)
    raise Unfit(place, "is no object")


def _kind_of(structs: Sequence[kinds.StructType], value: dict[str, Any], rules: Rules) -> kinds.StructType:
    """Return which kind an object is: by its type, else by the letter of its id, else by the fields that it has."""
    type_ = plain(str(value.get("type", "")))
    letter = str(value.get("id", ""))[:1].upper()
    for kind in structs:
        if plain(str(kind.tag)) == type_:
            return kind
    for kind in structs:
        if letter and rules.ids.get((kind.cls.__name__, "id")) == letter:
            return kind
    given = set(map(plain, map(str, value)))
    return max(structs, key=lambda kind: len(given & {plain(field.name) for field in kind.fields}))


def _parts(kind: kinds.Type, value: Any, *, is_ids: bool) -> Iterable[Any]:
    """Return what should have been a list as one."""
    match value:
        case list():
            return value
        case None:
            return ()
        case str() if is_ids:
            return tuple(part for part in _BETWEEN_IDS.split(value) if part)
        case str() if isinstance(kind, kinds.StrType):
            return tuple(_LIST_MARK.sub("", line.strip(), count=1) for line in value.splitlines() if line.strip())
        case dict() if value and all(isinstance(part, dict) for part in value.values()):
            return tuple({"id": name, **part} for name, part in value.items())
        case _:
            return (value,)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False
