"""The numbers that a page saves by itself, without a server: those that the server saves."""

import csv
import io
import json
import math

import numpy as np
import pytest

from model_core.values.recipe import Recipe
from tests.javascript.running import run_module
from viz_app.figures.look import Look
from viz_app.files.content import fill, written
from viz_app.files.file_request import FileRequest
from viz_app.files.making import name_of
from viz_app.files.picture import picture, picture_of
from viz_app.files.standalone import initial_state, options_of
from viz_app.rooms import HOME, ROOMS, pictures

SENTENCE = "My brother bought a new red car."
# Everything that a page offers to save, made by the modules that make it in the page.
SCRIPT = """
import { fileHere } from "./viz_app/stage/keep/data.js";
import { exportPictures, isHere } from "./viz_app/stage/keep/kept.js";
import { keptOf } from "./viz_app/stage/keep/views.js";
import { openDecoding } from "./viz_app/stage/run/decoding.js";
import { openPage } from "./viz_app/stage/run/page.js";
import { translateKeep } from "./viz_app/rooms/translate/keep.js";

const { names, pages } = given;
const rooms = [{ name: "translate", keep: translateKeep }];
for (const name of names) rooms.push((await import(`./viz_app/rooms/${name}/${name}.js`)).room);
const nothing = () => {};
console.log(JSON.stringify(pages.map((options) => {
  const page = openPage(options, { rooms, canAsk: false, language: "en", changed: nothing });
  const { state } = openDecoding(page, null, options, { arrived: nothing, runChanged: nothing });
  const { room, choices } = options.view;
  const kept = choices && { ...options.usual, ...choices }; // a room says both
  const pictures = exportPictures(state, keptOf(rooms, { room, choices: kept })[room]);
  return pictures.filter(({ picture }) => isHere(picture, state))
    .map((wanted) => ["json", "csv"].map((format) => {
      const { name, text } = fileHere({ ...wanted, format }, state, options.computes);
      return [name, text];
    }));
})));
"""
# The pages: each room as it opens, and what it shows instead. A history is of another model.
OPENED = (
    *("cross", "encoder", "decoder"),
    *("scores", "passes"),
    *("positions", "sum", "order", "rotary"),
    *("head", "way", "spread", "norms"),
    *("measures", "here"),
    *("beam", "compare", "training"),
)


@pytest.fixture(scope="module")
def library(bundled):
    return bundled.library


def recipe_of(library, model, text):
    return library.extend(Recipe(model, text), None)[0]


def saved(library, *pages):
    """By picture and format, what each page of a recipe and a picture saves: its name and text."""
    opened = [
        options_of(library, library.run(recipe), initial_state(library, recipe, of), "auto", None)
        | {"usual": {name: said for name, said in vars(of.view).items() if said is not None}}
        for recipe, of in pages
    ]
    names = [room.name for room in ROOMS if room is not HOME]
    return run_module(SCRIPT, {"names": names, "pages": opened})


def page_of(library, name):
    """A recipe, and a picture that a page of it opens on."""
    if name == "training":
        return recipe_of(library, "reverse-leak", "abc123"), picture(name, "cross", note=4)
    recipe = recipe_of(library, "en-fr", SENTENCE)
    if pictures()[name] is HOME:
        return recipe, picture(name)
    site = "decoder" if name in ("scores", "passes") else "cross"
    marked = {"row": 3, "column": 20} if name == "positions" else {}  # a page marks one itself
    return recipe, picture(name, site=site, sentences=(SENTENCE, "=1+1"), **marked)


def test_every_picture_is_saved_with_the_numbers_and_the_name_that_the_server_gives_it(library):
    pages = [page_of(library, name) for name in OPENED]
    found = set()
    for (recipe, of), files in zip(pages, saved(library, *pages), strict=True):
        names = set()
        for (name, text), (_, rows) in files:
            stored = json.loads(text)
            shown = picture_of(stored["picture"], stored["view"])
            names.add(shown.name)
            assert name == name_of(FileRequest(recipe, shown, "json"))
            content = fill(library, recipe, shown)
            theirs = json.loads(written(content, "json", Look()))
            assert_same_tables(stored, theirs, pictures()[shown.name] is HOME)
            assert_same_rows(rows, written(content, "csv", Look()), stored)
        assert of.name in names
        found |= names
    assert found == set(pictures())


def numbers(values) -> np.ndarray:
    return np.array(values, dtype=float)


def assert_same_tables(stored: dict, theirs: dict, may_lack_scores: bool) -> None:
    for part in ("format", "model", "recipe", "text"):
        assert stored[part] == theirs[part]
    assert stored["tables"].keys() == theirs["tables"].keys()
    for table, ours in stored["tables"].items():
        server = theirs["tables"][table]
        assert ours["axes"] == server["axes"]
        for array, values in ours["values"].items():
            if "best" in array:
                assert values == server["values"][array]
            else:
                np.testing.assert_allclose(
                    numbers(values), numbers(server["values"][array]), atol=1e-9
                )
        missing = server["values"].keys() - ours["values"].keys()
        assert all(name.startswith("scores_") for name in missing)
        assert may_lack_scores or not missing


def assert_same_rows(ours: str, theirs: bytes, stored: dict) -> None:
    rows, their_rows = (
        list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
        for text in (ours, theirs.decode())
    )
    lengths = [[one["length"] for one in table["axes"]] for table in stored["tables"].values()]
    assert len(rows) == len(their_rows) == sum(map(math.prod, lengths))
    for column in rows[0].keys() - {"stage_token", "table"}:
        said, wanted = ([row[column] for row in of] for of in (rows, their_rows))
        try:
            pair = [[float(cell or "nan") for cell in of] for of in (said, wanted)]
        except ValueError:
            assert said == wanted
        else:
            np.testing.assert_allclose(*pair, rtol=1e-6, atol=1e-9)


def test_pieces_on_the_screen_are_pieces_in_the_data(library):
    recipe = recipe_of(library, "en-fr", SENTENCE)
    views = [picture(view, "cross", spelled=True) for view in ("cross", "scores")]
    for ((_, text), _), *_ in saved(library, *((recipe, view) for view in views)):
        (table,) = json.loads(text)["tables"].values()
        assert all(any("▁" in token for token in axis["tokens"]) for axis in table["axes"])


def test_no_spreadsheet_runs_what_a_sentence_says(library):
    hostile = "<img src=x onerror=alert(1)></script>"
    recipe = recipe_of(library, "en-fr", hostile)
    batch = picture("scores", sentences=(hostile, "=1+1 +cmd"), shown=2, site="encoder")
    (((_, (_, text)), *_),) = saved(library, (recipe, batch))
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    tokens = {row["query_token"] for row in rows}
    assert any(token.startswith("'") for token in tokens)
    assert not any(token.startswith(("=", "+", "-", "@")) for token in tokens)
