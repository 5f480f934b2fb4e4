import re

from model_core.values.edits import KINDS, MAX_EDITS, Edit, read_edit
from model_core.values.recipe import Recipe
from tests.refusals import refusal

SPELLED = {
    "head-off:cross.2.5": Edit("head-off", site="cross", layer=1, head=4),
    "head-mean:encoder.1.1": Edit("head-mean", site="encoder", layer=0, head=0),
    "sublayer-off:decoder.3.feed_forward": Edit(
        "sublayer-off", site="decoder", layer=2, part="feed_forward"
    ),
    "hide:3": Edit("hide", token=2),
    "zero-value:3": Edit("zero-value", token=2),
    "zero-value:3.cross.2.5": Edit("zero-value", site="cross", layer=1, head=4, token=2),
    "no-scale": Edit("no-scale"),
    "no-embedding-scale": Edit("no-embedding-scale"),
    "no-positions": Edit("no-positions"),
    "no-pad-mask": Edit("no-pad-mask"),
    "pads-rows": Edit("pads-rows"),
    "causal-mask:ahead": Edit("causal-mask", causal="ahead"),
    "finite-mask": Edit("finite-mask"),
    "no-transpose": Edit("no-transpose"),
    "no-split-transpose": Edit("no-split-transpose"),
    "dropout:0": Edit("dropout", seed=0),
    "encoder-layer:2": Edit("encoder-layer", layer=1),
}


def test_every_kind_is_read_and_spelled_the_same():
    assert {edit.kind for edit in SPELLED.values()} == set(KINDS)
    for text, edit in SPELLED.items():
        assert read_edit(text) == edit
        assert str(edit) == text


def test_what_is_no_edit_is_refused_by_name():
    for text in (
        "",
        "nothing",
        "head-off",
        "head-off:cross.2",
        "head-off:cross.0.1",
        "head-off:cross.1.1.1",
        "head-off:memory.1.1",
        "head-off:cross.1.٣",
        "head-off:cross.1.99999999999999999999",
        "sublayer-off:encoder.1.cross",
        "hide:",
        "hide:-1",
        "hide:1e3",
        "zero-value:1.decoder.1.1",
        "no-scale:1",
        "causal-mask:sideways",
        "dropout:x",
        "<script>alert(1)</script>",
        None,
        7,
        ["hide:1"],
    ):
        told = refusal(read_edit, text)
        assert re.search(r"There is no edit|cannot be read", str(told)), text
    for edits in ("hide:1", {"hide": 1}, ["hide:1"] * (MAX_EDITS + 1), [3]):
        refusal(Recipe.from_json, {"model": "m", "source": "", "edits": edits})


def test_a_recipe_carries_its_edits_in_one_order_and_each_once():
    texts = ["no-scale", "hide:3", "no-scale", "head-off:cross.2.5"]
    recipe = Recipe("m", "text", edits=texts)
    assert list(map(str, recipe.edits)) == ["head-off:cross.2.5", "hide:3", "no-scale"]
    assert recipe == Recipe("m", "text", edits=tuple(reversed(texts)))
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert recipe.to_json()["edits"] == ["head-off:cross.2.5", "hide:3", "no-scale"]
