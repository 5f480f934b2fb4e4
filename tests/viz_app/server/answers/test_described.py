"""The OpenAPI document: what it says of the endpoints is so."""

import inspect
import json

import pytest

from tests.serving import ask, serve
from viz_app.server.endpoints import endpoints

JSON = {"content-type": "application/json"}
KINDS = {"object": dict, "array": list, "string": str, "null": type(None)}
KINDS |= {"integer": int, "number": (int, float), "boolean": bool}


@pytest.fixture(scope="module")
def served(library):
    with serve(library.root) as (address, service):
        yield address, endpoints(service), json.loads(ask(address, "/openapi.json")[2])


def content(part):
    return part["content"]["application/json"]["schema"]


def fits(value, schema):
    """Whether a value is what the schema says, as far as those of this document go."""
    if "anyOf" in schema:
        return any(fits(value, one) for one in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    if "type" not in schema:
        return True
    if not isinstance(value, KINDS[schema["type"]]):
        return False
    if schema["type"] == "array":
        return all(fits(one, schema["items"]) for one in value)
    parts, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    return schema["type"] != "object" or (
        all(one in value for one in schema.get("required", []))
        and all(fits(one, parts.get(name, others)) for name, one in value.items())
    )


def test_every_endpoint_is_described_with_all_of_its_parameters(served):
    _, known, document = served
    assert document["openapi"] == "3.1.0"
    assert set(document["paths"]) == {f"/api/{one.__name__}" for one in known}
    for one in known:
        said = document["paths"][f"/api/{one.__name__}"]["post"]
        assert said["description"] == inspect.getdoc(one)
        assert list(content(said["requestBody"])["properties"]) == list(
            inspect.signature(one).parameters
        )


def test_the_examples_and_defaults_are_answered_as_it_says(served):
    address, _, document = served
    for path, said in document["paths"].items():
        schema = content(said["post"]["requestBody"])
        parts = schema["properties"].items()
        given = {name: part["default"] for name, part in parts if "default" in part}
        given |= {name: part["examples"][0] for name, part in parts if "examples" in part}
        assert fits(given, schema)
        status, _, text = ask(address, path, "POST", json.dumps(given), JSON)
        assert status == 200 and fits(json.loads(text), content(said["post"]["responses"]["200"]))
        if given:
            assert not fits({}, {**schema, "required": schema["oneOf"][0]["required"]})
            status, _, text = ask(address, path, "POST", "{}", JSON)
            assert status == 400
            assert fits(json.loads(text), content(said["post"]["responses"]["default"]))


def test_it_says_where_the_app_is(models):
    with serve(models) as (address, _):
        (place,) = json.loads(ask(address, "/openapi.json")[2])["servers"]
    assert place == {"url": "/"}


def test_gradios_address_of_it_gives_the_same(served):
    address = served[0]
    assert ask(address, "/gradio_api/openapi.json")[2] == ask(address, "/openapi.json")[2]
