"""A file is the same whichever way it is asked for: command line, notebook, endpoint."""

import re
from dataclasses import replace

import pytest

from model_core.decoding.library import Library
from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from viz_app import show
from viz_app.commands.export import run
from viz_app.figures.look import LOOKS, Look
from viz_app.files.content import fill
from viz_app.files.file_request import OF_PACK, parted
from viz_app.files.picture import picture
from viz_app.server.endpoints import endpoints
from viz_app.server.service import Service

TEXT = "The cat sleeps."
LOOKED = {
    "size": "column",
    "theme": "dark",
    "palette": "grey",
    "language": "zh",
    "title": False,
    "width": 77,
    "scale": 3,
}
OTHERS = {"reading": "norms", "head": 2}


@pytest.fixture
def drawn(monkeypatch):
    """What the browser is given to draw: figure and scale."""
    drawn = []

    def draw(drawing, format, scale):
        drawn.append((drawing, scale))
        return b"<svg></svg>"

    monkeypatch.setattr("viz_app.files.chromium.CHROMIUM.draw", draw)
    return drawn


def words(choices):
    """Choices as the command line has them."""
    for name, value in choices.items():
        if value is False:
            yield f"--no-{name}"
        else:
            yield from (f"--{name}", *map(str, value if isinstance(value, list) else [value]))


def every_way(models, tmp_path, choices, ending):
    """Asks for the file in all three ways."""
    text = ("--text", TEXT, "-o", str(tmp_path / f"a.{ending}"))
    assert run(["--model", "tiny", *words(choices), *text], models) == 0
    show(models / "tiny", TEXT).save(tmp_path / f"b.{ending}", "cross", **choices)
    file = next(one for one in endpoints(Service(models)) if one.__name__ == "file")
    file(TEXT, "cross", ending, model="tiny", choices=choices)
    named = {name: choices[name] for name in choices if name not in OF_PACK}
    file(TEXT, "cross", ending, model="tiny", choices=dict.fromkeys(()), **named)


def test_every_choice_of_a_look_draws_the_same_in_every_way(models, tmp_path, drawn):
    assert LOOKED.keys() == {*LOOKS} and not LOOKED.items() & vars(Look()).items()
    every_way(models, tmp_path, OTHERS | LOOKED, "svg")
    library = Library(models)
    recipe, _ = library.extend(Recipe("tiny", TEXT), None)
    content = fill(library, recipe, picture("cross", **OTHERS))
    assert drawn == [(content.drawing(Look(**LOOKED)), LOOKED["scale"])] * 4
    for name in LOOKED.keys() - {"scale"}:  # each of them makes another picture
        usual = Look(size="column") if name == "width" else Look()
        changed = replace(usual, **{name: LOOKED[name]})
        assert content.drawing(changed) != content.drawing(usual), name


def test_a_lesson_pack_has_the_pictures_that_are_named_in_every_way(models, tmp_path, drawn):
    every_way(models, tmp_path, {"sites": ["encoder"], "layers": [1, 2], "heads": [2]}, "zip")
    assert len(drawn) == 3 * 3 + 5  # without a choice: the layer on the screen, its four heads


def test_without_a_choice_a_pack_is_the_attention_and_the_layer_that_are_shown(
    models, tmp_path, drawn
):
    shown = show(models / "tiny", TEXT)
    for view in (picture("decoder", layer=1), picture("heads", "decoder", 1), picture("decoder")):
        drawn.clear()
        shown.save(tmp_path / "a.zip", view)
        views = [drawing.options["view"] for drawing, _ in drawn]
        layer = 2 if view.view.layer is None else 0
        assert len(views) == 5 and all(one["site"] == "decoder" for one in views)
        heads = [drawing.options["view"] for drawing, _ in drawn if drawing.name == "decoder"]
        assert [one["layer"] for one in heads] == [layer] * 4


def test_choices_go_to_the_look_the_pack_or_the_picture():
    assert parted({"size": "column", "layers": [1], "layer": 2}) == (
        {"size": "column"},
        {"layers": [1]},
        {"layer": 2},
    )


def test_what_a_picture_does_not_know_is_named_with_what_it_does(models, tmp_path):
    file = next(one for one in endpoints(Service(models)) if one.__name__ == "file")
    for attempt in (
        lambda: show(models / "tiny", TEXT).save(tmp_path / "a.svg", "cross", colour="red"),
        lambda: file(TEXT, choices={"colour": "red"}),
        lambda: file(TEXT, choices={"name": "red"}),
    ):
        with pytest.raises(RecipeError, match=r"does not know (colour|name)") as error:
            attempt()
        assert {*LOOKS, "reading", "layer", "query"} <= set(re.findall(r"\w+", str(error.value)))


@pytest.mark.parametrize("view", ["order", "scores", "compare", "curves", "cross"])
def test_a_program_that_says_something_else_is_told_what_is_wrong(models, view):
    file = next(one for one in endpoints(Service(models)) if one.__name__ == "file")
    for name in ("order", "b", "sentences", "dimensions", "step", "layers", "width"):
        for value in (5, "x", True, [None], {"a": 1}, [[1]]):
            try:
                file(TEXT, view, "csv", choices={name: value})
            except RecipeError as error:
                assert str(error).endswith(".")
