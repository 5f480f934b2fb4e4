"""Functions that take what a view lets people choose: said in its fields, seen in their signatures.

help(), gradio's page of the endpoints and the OpenAPI document read signatures; so every parameter
is there by its name, its type and its default.
"""

import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from viz_app.values.view import Option, View

Made = TypeVar("Made")
Parameters = Mapping[str, Parameter]


def parameters_of(cls: type, names: Iterable[str]) -> dict[str, Parameter]:
    """Fields of a dataclass as parameters: name, type and default."""
    hints = get_type_hints(cls)
    return {name: _parameter(name, getattr(cls, name), hints[name]) for name in names}


def options_of(view: type[View]) -> dict[str, Parameter]:
    """What people can choose in a view, as parameters; one that they leave out is as by default."""
    hints, found = get_type_hints(view), {}
    for name, kind in view.options().items():
        option = kind.note(Option) or Option()
        several = len(option.names) > 1  # each is one number of the field
        usual = None if several else option.default or view.usual(kind.name)
        found[name] = _parameter(name, usual, int | None if several else hints[kind.name])
    return found


def open_ones(parameters: Parameters) -> dict[str, Parameter]:
    """The same, each left open by default."""
    return {name: _parameter(name, None, one.annotation | None) for name, one in parameters.items()}


def _parameter(name: str, default: Any, annotation: Any) -> Parameter:
    if default is not None and get_origin(annotation) in (Union, UnionType):
        # gradio quotes the default of a text in its examples, but not of a text or nothing
        parts = (one for one in get_args(annotation) if one is not NoneType)
        annotation = functools.reduce(operator.or_, parts)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def takes(
    parameters: Parameters, order: Sequence[str] = ()
) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Gives a function these parameters in place of its `**`, less those that it names itself.

    Where an `order` names the first of them, all may be given without their names too.
    """

    def taking(function: Callable[..., Made]) -> Callable[..., Made]:
        own = inspect.signature(function)
        named = {n: p for n, p in own.parameters.items() if p.kind is not Parameter.VAR_KEYWORD}
        every = named | {name: one for name, one in parameters.items() if name not in named}
        if order:
            names = dict.fromkeys((*order, *every))
            kind = Parameter.POSITIONAL_OR_KEYWORD
            every = {name: every[name].replace(kind=kind) for name in names}
        signature = own.replace(parameters=list(every.values()))

        @functools.wraps(function)
        def taken(*values: Any, **more: Any) -> Made:
            bound = signature.bind(*values, **more)
            bound.apply_defaults()
            return function(**bound.arguments)

        hints = {name: one.annotation for name, one in signature.parameters.items()}
        taken.__annotations__ = hints | {"return": own.return_annotation}
        taken.__signature__ = signature  # type: ignore[attr-defined]
        return taken

    return taking
