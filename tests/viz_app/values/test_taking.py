"""Functions that take what views let people choose, against the views and the command line."""

import inspect
from dataclasses import dataclass
from typing import Annotated, Literal, get_type_hints

import pytest

from tests.conftest import CHECKPOINTS
from viz_app import show
from viz_app.commands.export import parser
from viz_app.rooms import HomeView
from viz_app.server.answers.described import described
from viz_app.server.endpoints import endpoints
from viz_app.values.taking import open_ones, options_of, takes
from viz_app.values.view import Option, Pair, Place, View


@dataclass(frozen=True)
class Made(View):
    """A view of a test."""

    shade: Annotated[Literal["dark", "light"] | None, Option(help="how")] = "dark"
    cell: Annotated[Pair, Option(("across", "down"), counts_from=1)] = None
    shown: Annotated[Place, Option(("which",), default=3)] = None
    unnamed: Place = None


@takes(options_of(Made), ("shade", "text"))
def draw(text: str = "a", **said) -> dict:
    """Draws."""
    return {"text": text} | said


def test_a_choice_that_a_view_gains_is_a_parameter_with_its_type_and_its_default():
    parameters = inspect.signature(draw).parameters
    assert list(parameters)[:2] == ["shade", "text"] and "unnamed" not in parameters
    left_open = dict.fromkeys(("site", "layer", "head", "across", "down"))
    said = {"shade": "dark", "text": "a", "spelled": False, "which": 3}
    assert {name: one.default for name, one in parameters.items()} == left_open | said
    hints = get_type_hints(draw)
    assert hints["shade"] == Literal["dark", "light"] and hints["which"] is int
    assert hints["down"] == hints["layer"] == int | None and hints["return"] is dict
    assert draw.__doc__ == "Draws." and draw.__name__ == "draw"
    made = draw("light", layer=2)
    assert (made["shade"], made["text"], made["layer"], made["which"]) == ("light", "a", 2, 3)
    with pytest.raises(TypeError, match="colour"):
        draw(colour="red")


def test_what_is_left_open_is_none_and_a_function_keeps_what_it_names_itself():
    @takes(open_ones(options_of(Made)))
    def told(*, shade: str = "own", **said) -> dict:
        return {"shade": shade} | said

    assert told() == dict.fromkeys(options_of(Made)) | {"shade": "own"}
    assert inspect.signature(told).parameters["spelled"].annotation == bool | None


def test_every_choice_of_the_page_can_be_made_in_a_program_and_on_the_command_line(bundled):
    """What the view of Translate says is in `show`, in /file, in its description, in `export`."""
    asked = {one.__name__: one for one in endpoints(bundled)}
    said = described(list(asked.values()), "")["paths"]["/api/file"]["post"]["requestBody"]
    properties = said["content"]["application/json"]["schema"]["properties"]
    parsed = vars(parser(CHECKPOINTS).parse_args(["--text", "a", "-o", "x.csv"]))
    for name in HomeView.options():
        assert name in inspect.signature(show).parameters
        assert name in inspect.signature(asked["file"]).parameters
        assert name in properties and name in parsed
    assert {"enum": ["words", "pieces"]} in properties["by"]["anyOf"]
