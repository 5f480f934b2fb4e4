"""The endpoints as an OpenAPI document, made from their signatures and docstrings."""

import inspect
from collections.abc import Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from viz_app.server.endpoints import SENTENCE, Endpoint, sources_of
from viz_app.version import VERSION

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_ERROR = {
    "type": "object",
    "required": ["error", "detail"],
    "properties": {
        "detail": {"type": "string", "description": "What went wrong, and the remedy."},
        "error": {
            "type": "object",
            "required": ["kind", "message", "code", "values"],
            "properties": {
                **{name: {"type": "string"} for name in ("kind", "message", "code")},
                "values": {"type": "object"},
            },
        },
    },
}


def described(endpoints: Sequence[Endpoint], above: str) -> dict[str, Any]:
    """The document; `above` is the path below which the endpoints are."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Attention Visualiser", "version": VERSION},
        "servers": [{"url": above or "/"}],
        "paths": {f"/api/{one.__name__}": {"post": _operation(one)} for one in endpoints},
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    hints = get_type_hints(endpoint)
    fields = {
        name: _schema(hints[name]) | _shown(name, parameter.default)
        for name, parameter in inspect.signature(endpoint).parameters.items()
    }
    body: dict[str, Any] = {"type": "object", "properties": fields, "additionalProperties": False}
    if sources := sources_of(fields):
        body["oneOf"] = [{"required": [one]} for one in sources]
    return {
        "operationId": endpoint.__name__,
        "description": inspect.getdoc(endpoint),
        "requestBody": {"required": bool(sources), "content": _json(body)},
        "responses": {
            "200": {"description": "The answer.", "content": _json(_schema(hints["return"]))},
            "default": {"description": "What went wrong.", "content": _json(_ERROR)},
        },
    }


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _shown(name: str, default: Any) -> dict[str, Any]:
    if name == "text":  # which has to be given
        return {"examples": [SENTENCE]}
    return {} if default is None else {"default": default}


def _schema(hint: Any) -> dict[str, Any]:
    """The JSON Schema of a type."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return {}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(part) for part in parts]}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is list:
        return {"type": "array", "items": _schema(parts[0])}
    if is_typeddict(hint):
        fields = {name: _schema(one) for name, one in get_type_hints(hint).items()}
        required = [name for name in fields if name in hint.__required_keys__]
        return {"type": "object", "properties": fields, "required": required}
    return {"type": "object", "additionalProperties": _schema(parts[1])}
