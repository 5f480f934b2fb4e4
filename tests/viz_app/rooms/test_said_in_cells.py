"""A map of the page and its Plotly figure say the same: numbers, hidden cells, what is printed."""

import numpy as np
import pytest

from model_core.values.recipe import Recipe
from tests.answered import answered
from tests.javascript.running import run_module
from tests.tiny import tiny_checkpoint
from viz_app.figures.maps import printed_in
from viz_app.files.content import fill
from viz_app.files.picture import picture
from viz_app.server.service import Service

SCRIPT = """
import { saidInCell } from "./viz_app/stage/draw/numbers.js";
import { singlesFromBase64 } from "./viz_app/stage/run/wire.js";
import { sheetOf } from "./viz_app/rooms/compare/drawn/maps.js";
import { sheetsOf } from "./viz_app/rooms/masks/maps/sheets.js";

const { answer, names, shape: [R, C], place } = given;
const held = { ...answer };
for (const name of ["a", "b", "difference", "scores", "weights", "once", "stepped"]) {
  if (typeof answer[name] === "string") held[name] = singlesFromBase64(answer[name]);
}
const axes = { rows: Array(R), columns: Array(C) };
const t = Object.assign((key) => key, { has: () => false, raw: (key) => key });
held.view = "once" in held ? "passes" : "masks";
const all = "a" in held ? null : sheetsOf(held, axes, place, R, t);
console.log(JSON.stringify(names.map((name) => {
  const frame = all ? all.find((one) => one.name === name) : sheetOf(held, name, C);
  return Array.from({ length: R }, (_, r) => Array.from({ length: C }, (_, c) => ({
    value: frame.value(r, c), hidden: frame.hidden(r, c), said: saidInCell(frame, r, c) })));
})));
"""
COMPARED = ("a", "b", "difference")
PICTURES = [
    *(("compare", "compare", COMPARED, {"numbers": one}) for one in ("weights", "scores", "norms")),
    ("scores", "masks", ("scores", "masked", "weights"), {"view": "masks"}),
    ("passes", "masks", ("once", "stepped"), {"view": "passes", "step": 24}),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny")
    tiny_checkpoint(root / "twin", seed=7)
    return Service(root)


def number(text):
    """A text in a cell as a number; one that is not printed is none."""
    return None if text == "" else float(text.replace("\u2212", "-").replace("+", ""))


@pytest.mark.parametrize(("name", "room", "names", "choices"), PICTURES)
def test_a_map_says_the_same_on_the_page_and_in_plotly(service, name, room, names, choices):
    library = service.library
    recipe, _ = library.extend(Recipe("tiny", "The old cat."), 6)
    place = {"site": "decoder", "layer": 0, "head": 0}
    more = {"b": Recipe("twin", "The cat.").to_json()} if room == "compare" else {}
    asked = {"room": room, "recipe": recipe.to_json()} | place | choices | more
    answer = answered(service, asked)
    counted = {"site": "decoder", "layer": 1, "head": 1}
    shown = picture(name, **counted, **{k: v for k, v in choices.items() if k != "view"}, **more)
    content = fill(library, recipe, shown)
    sheets = content.picture.room.sheets(name, content.answer).panels[0][: len(names)]
    given = {"answer": answer, "names": names, "shape": sheets[0].values_RC.shape, "place": place}
    said = 0
    for sheet, cells in zip(sheets, run_module(SCRIPT, given), strict=True):
        hidden_RC = np.array([[cell["hidden"] for cell in row] for row in cells])
        value_RC = np.array([[cell["value"] for cell in row] for row in cells], float)
        assert np.array_equal(np.isnan(sheet.shown_RC), hidden_RC | np.isnan(value_RC))
        both = ~np.isnan(sheet.shown_RC)
        np.testing.assert_allclose(value_RC[both], sheet.shown_RC[both], atol=1e-6)
        printed = [[number(cell["said"]) for cell in row] for row in cells]
        assert [[number(text) for text in row] for row in printed_in(sheet)] == printed
        said += sum(one is not None for row in printed for one in row)
    assert said > 0
