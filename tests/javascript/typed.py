"""The types of answers, read: as TypeScript, and whether a JSON value is one of them."""

import ast
import inspect
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import numpy as np

from model_core.studies import assembly, head, path, spread, without
from model_core.values.trace import Site, Tokens
from viz_app.values.wire import Flags, Floats, Mask, TokensJson

_PLAIN = {bool: "boolean", int: "number", float: "number", str: "string", NoneType: "null"}
# What a type names only where types are checked, since it comes with torch.
_LATER = {
    name: one
    for module in (assembly, head, path, spread, without)
    for name, one in vars(module).items()
}


def declared(roots: Mapping[Any, Sequence[Any]]) -> dict[str, str]:
    """The declarations of these types and of all that they name, by name; what others each is too.

    What a type inherits of another one it is said to extend. A type that is private to a module, or
    a data class, is written where it is used, unless that is in several places.
    """
    uses = _uses(roots)
    apart = [one for one, count in uses.items() if count > 1 or not _is_within(one)]
    names = Counter(map(_name, apart))
    if twice := [name for name, count in names.items() if count > 1]:
        raise TypeError(f"{twice[0]} is the name of two types")
    return {_name(one): _extending(one, apart, roots.get(one, ())) for one in apart}


def _uses(roots: Mapping[Any, Sequence[Any]]) -> Counter[Any]:
    """In how many places each type is named; a root in one more."""
    uses = Counter(dict.fromkeys(roots, 1))
    waiting = list(roots)
    for one in waiting:
        named = _own_fields(one, _bases(one)).values()
        bases = (*_bases(one), *roots.get(one, ()))
        for each in (*bases, *(each for hint in named for each in _records(hint))):
            if each not in uses:
                waiting.append(each)
            uses[each] += 1
    return uses


def _records(hint: Any) -> Iterator[Any]:
    """The types of records that a type names."""
    hint = _plain(hint)
    if _is_record(hint):
        yield hint
    else:
        yield from (each for part in get_args(hint) for each in _records(part))


def _is_within(record: Any) -> bool:
    """Whether a type has no name beyond its module, or none that goes onto the wire."""
    return is_dataclass(record) or record.__name__.startswith("_")


def _bases(record: Any) -> list[Any]:
    """The types that a type inherits from, of which Python 3.11 keeps only the fields."""
    if is_dataclass(record):
        return []
    (said,) = ast.parse(inspect.getsource(record)).body
    assert isinstance(said, ast.ClassDef)
    named = vars(sys.modules[record.__module__])
    found = [named.get(base.id) for base in said.bases if isinstance(base, ast.Name)]
    return [one for one in found if _is_record(one)]


def either(hint: Any) -> tuple[Any, ...]:
    """The types of which a value is one."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def misfits(value: Any, hint: Any, at: str = "", others: Sequence[Any] = ()) -> list[str]:
    """Where a JSON value is not of a type: a field that is unknown, missing or something else.

    `others` are types that it is of besides.
    """
    hint = _plain(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return []
    if origin in (Union, UnionType):
        every = [misfits(value, part, at) for part in parts]
        return min(every, key=len)
    if origin is Literal:
        return [] if value in parts else [f"{at}: {value!r}"]
    if hint in _PLAIN:
        kinds = (int, float) if hint is float else (hint,)
        return [] if type(value) in kinds else [f"{at}: {value!r} is no {hint.__name__}"]
    if _is_record(hint):
        fields, optional = _fields(hint)
        fields |= {name: one for other in others for name, one in _fields(other)[0].items()}
        if not isinstance(value, dict):
            return [f"{at}: {value!r:.40} is no {_name(hint)}"]
        unknown, missing = set(value) - set(fields), set(fields) - set(value) - optional
        return [
            *(f"{at}.{name} is unknown" for name in unknown),
            *(f"{at}.{name} is missing" for name in missing),
            *(
                one
                for name in fields.keys() & value.keys()
                for one in misfits(value[name], fields[name], f"{at}.{name}")
            ),
        ]
    if origin in (dict, Mapping):
        return _all(value, dict, lambda: value.items(), parts[1], at)
    if origin is tuple and parts[-1] is not ...:
        if not isinstance(value, list) or len(value) != len(parts):
            return [f"{at}: {value!r:.40} is not {len(parts)} values"]
        pairs = enumerate(zip(value, parts, strict=True))
        return [one for i, pair in pairs for one in misfits(*pair, f"{at}.{i}")]
    return _all(value, list, lambda: enumerate(value), parts[0], at)


def _all(value: Any, kind: type, items: Any, hint: Any, at: str) -> list[str]:
    if not isinstance(value, kind):
        return [f"{at}: {value!r:.40} is no {kind.__name__}"]
    return [one for name, each in items() for one in misfits(each, hint, f"{at}.{name}")]


def _plain(hint: Any) -> Any:
    """What a type is once it is packed."""
    if hint == Flags:
        return list[bool]
    if hint == Mask:
        return list[str]
    if hint == Tokens:
        return TokensJson
    if hint == Floats or hint is np.ndarray:
        return str
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _is_record(hint: Any) -> bool:
    return is_typeddict(hint) or is_dataclass(hint)


def _fields(record: Any) -> tuple[dict[str, Any], frozenset[str]]:
    """The types of a record's fields by name, and which of them may be missing."""
    hints = get_type_hints(record, localns=_LATER, include_extras=True)
    hints = {
        name: get_args(one)[0] if get_origin(one) in (NotRequired, Required) else one
        for name, one in hints.items()
    }
    return hints, getattr(record, "__optional_keys__", frozenset())


def _name(record: Any) -> str:
    name: str = record.__name__
    return name.removeprefix("_").removesuffix("Json")


def _own_fields(record: Any, bases: Iterable[Any]) -> dict[str, Any]:
    """The fields of a record that none of these has."""
    inherited = {name for base in bases for name in _fields(base)[0]}
    return {name: one for name, one in _fields(record)[0].items() if name not in inherited}


def _extending(record: Any, apart: Collection[Any], others: Sequence[Any]) -> str:
    """What stands after the name of a type that is declared."""
    bases = [one for one in (*_bases(record), *others) if one in apart]
    extends = f"extends {', '.join(map(_name, bases))} " if bases else ""
    return extends + _body(record, "", apart, bases)


def _body(record: Any, indent: str, apart: Collection[Any], bases: Sequence[Any] = ()) -> str:
    inner = f"{indent}  "
    _, optional = _fields(record)
    lines = [
        f"{inner}{name}{'?' if name in optional else ''}: {_written(one, inner, apart)};"
        for name, one in _own_fields(record, bases).items()
    ]
    return "{\n" + "\n".join(lines) + f"\n{indent}}}"


def _written(hint: Any, indent: str, apart: Collection[Any]) -> str:
    """A type as TypeScript, where those that are declared apart have a name."""

    def inside(one: Any) -> str:
        return _written(one, indent, apart)

    if get_origin(hint) is Annotated:
        return str(hint.__metadata__[0])
    if hint is np.ndarray:
        return str(Floats.__metadata__[0])
    hint = _plain(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return "any"
    if hint == Site:
        return "Site"
    if origin in (Union, UnionType):
        return _either(map(inside, parts))
    if origin is Literal:
        return _either(map(json.dumps, parts))
    if hint in _PLAIN:
        return _PLAIN[hint]
    if _is_record(hint):
        return _name(hint) if hint in apart else _body(hint, indent, apart)
    if origin in (dict, Mapping):
        each = f"Record<{inside(parts[0])}, {inside(parts[1])}>"
        return each if parts[0] is str else f"Partial<{each}>"
    if origin is tuple and parts[-1] is not ...:
        return f"[{', '.join(map(inside, parts))}]"
    if origin not in (list, tuple, Sequence):
        raise TypeError(f"{hint} is no type of an answer")
    item = inside(parts[0])
    return f"({item})[]" if " | " in item and not item.startswith("{") else f"{item}[]"


def _either(kinds: Iterable[str]) -> str:
    """One of several, each said once; null comes last."""
    found = sorted(dict.fromkeys(kinds), key=lambda one: one == "null")
    return " | ".join(found)
