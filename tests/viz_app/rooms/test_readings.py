"""Readings in every door: tables, pictures, links, the questions of the page, and pages alone."""

import io
import json
import re
import zipfile
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from PIL import Image

from model_core.decoding.library import Library
from model_core.errors import RecipeError
from model_core.studies.hiding import hide_words
from model_core.studies.readings import cross_rollout, mean_of_heads, mean_of_layers, value_norms
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe
from model_core.values.words import words_of
from tests.answered import floats
from viz_app import show
from viz_app.figures.look import LOOK
from viz_app.files.content import fill
from viz_app.files.file_request import FileRequest
from viz_app.files.making import prepared
from viz_app.files.picture import picture, picture_of
from viz_app.links.link import read_link, write_link
from viz_app.rooms.translate.answer import to_page
from viz_app.rooms.translate.view import Reading, TranslateView

LAYER, HEAD = 2, 3  # counted from 0


@pytest.fixture(scope="module")
def decoded(models_of):
    library = Library(models_of(seed=3))
    edits = read_edits(["hide:2", "head-off:cross.1.1"])
    recipe, decoding = library.extend(Recipe("tiny", "The old cat.", pads=1, edits=edits), 6)
    return library, recipe, decoding


def expected(library, recipe, decoding):
    """The numbers of each reading of one head of cross-attention."""
    model = library.tracer(recipe.model, recipe.edits).model
    cross, encoder = (
        np.stack([decoding.trace(site, n).weights_HQK for n in range(decoding.layers(site))])
        for site in ("cross", "encoder")
    )
    norms_LHK = value_norms(model, decoding, "cross", recipe.edits)
    words = words_of(decoding.source)
    changes_QS = np.zeros(cross.shape[2:], np.float32)
    for at, word in enumerate(words):
        changes_QS[:-1, word] = hide_words(model, decoding, words).changes_TW[:, at, None]
    return {
        "weights": cross[LAYER, HEAD],
        "norms": cross[LAYER, HEAD] * norms_LHK[LAYER, HEAD],
        "rollout": cross_rollout(cross, LAYER, encoder),
        "mean": mean_of_heads(cross, LAYER),
        "mean_all": mean_of_layers(cross),
        "hidden": changes_QS,
    }


@pytest.mark.parametrize("reading", get_args(Reading))
def test_a_reading_is_in_the_table_the_picture_and_the_link(decoded, reading):
    library, recipe, _ = decoded
    numbers_QK = expected(*decoded)[reading]
    shown = picture("cross", layer=LAYER + 1, head=HEAD + 1, reading=reading, by="pieces")
    content = fill(library, recipe, shown)
    (table,) = content.tables
    assert np.array_equal(list(table.values.values())[-1], numbers_QK)
    figure = content.figure(LOOK)
    titles = {
        fill(library, recipe, picture("cross", reading=one)).figure(LOOK).layout.title.text
        for one in get_args(Reading)
    }
    assert len(titles) == len(get_args(Reading))
    cells = next(one for one in figure.data if one.type == "heatmap")
    known_QK = np.where(table.values["allowed_QK"], numbers_QK, np.nan)
    np.testing.assert_allclose(np.array(cells.z), known_QK)
    link = write_link(recipe, {"site": "cross", **content.picture.view.to_json()})
    assert read_link(link)[1].get("reading", "weights") == reading


def test_the_page_is_answered_what_it_cannot_make_itself(decoded):
    library, recipe, decoding = decoded
    tracer = library.tracer(recipe.model, recipe.edits)
    known = expected(*decoded)

    def numbers(name, layer=None):
        view = TranslateView(reading=name, site="cross", layer=layer)
        answer = to_page(tracer, recipe, view).to_json()
        packed = answer.get("norms", answer.get("values"))
        return floats(packed), answer

    norms, _ = numbers("norms")
    norms_LHK = norms.reshape(3, 4, -1)
    assert np.array_equal(
        decoding.trace("cross", LAYER).weights_HQK[HEAD] * norms_LHK[LAYER, HEAD], known["norms"]
    )
    assert not norms_LHK[0, 0].any()  # the head that is off
    changes, answer = numbers("hidden")
    assert np.array_equal(changes.reshape(known["hidden"].shape), known["hidden"])
    assert answer["words"] == list(map(list, words_of(decoding.source)))
    for name in ("rollout", "mean", "mean_all"):
        made, _ = numbers(name, LAYER)
        assert np.array_equal(made.reshape(known[name].shape), known[name])


def test_where_nothing_is_written_yet_every_hidden_word_changes_nothing(decoded):
    library, recipe, _ = decoded
    begun = replace(recipe, target=())
    tracer = library.tracer(begun.model, begun.edits)
    view = TranslateView(reading="hidden", site="cross")
    answer = to_page(tracer, begun, view).to_json()
    values = floats(answer["values"])
    steps, source = tracer.evaluate(begun).steps, tracer.evaluate(begun).source
    assert len(values) == len(steps) * len(source) and not values.any()


def test_characters_that_may_be_a_word_are_hidden_together(bundled):
    library = bundled.library
    recipe, decoding = library.extend(Recipe("zh-en", "图书馆。"), 4)
    tracer = library.tracer("zh-en")
    answer = to_page(tracer, recipe, TranslateView(reading="hidden", site="cross")).to_json()
    assert answer["runs"] == [[0, 1], [0, 1, 2], [1, 2]]
    values_QR = floats(answer["run_values"]).reshape(-1, 3)
    alone = hide_words(tracer.model, decoding, [(0, 1, 2)]).changes_TW[:, 0]
    np.testing.assert_allclose(values_QR[: len(alone), 1], alone, rtol=1e-4, atol=1e-5)
    assert len(values_QR) == len(decoding.steps) and not values_QR[len(alone) :].any()


@pytest.mark.parametrize("reading", ["norms", "hidden", "rollout"])
def test_a_page_without_a_server_holds_the_reading_it_opens_on(decoded, reading):
    library, _, _ = decoded
    showing = show(library.root / "tiny", "The old cat.", reading=reading)
    found = re.search(r'id="options">(.*?)</script>', showing.html, re.S)
    options = json.loads(found[1])
    assert options["view"]["reading"] == reading
    sites = [one["asked"]["site"] for one in options["answers"]]
    assert sites == {"norms": ["encoder", "decoder", "cross"], "hidden": ["cross"]}.get(reading, [])


def test_words_are_hidden_for_cross_attention_alone(decoded):
    library, recipe, _ = decoded
    with pytest.raises(RecipeError, match="choose it"):
        fill(library, recipe, picture_of("encoder", {"reading": "hidden"}))


class Drawing:
    """A browser that keeps the drawings that it is given, and draws none of them."""

    def __init__(self):
        self.drawings = []

    def draw(self, drawing, ending, scale=1):
        self.drawings.append(drawing)
        file = io.BytesIO()
        Image.new("RGB", (40, 40), (len(self.drawings), 0, 0)).save(file, "PNG")
        return file.getvalue()


def wanted(recipe, ending, reading, name="cross"):
    place = {"site": "cross", "layer": LAYER + 1, "head": HEAD + 1}
    shown = picture(name, **place, reading=reading, by="pieces")
    return FileRequest(
        recipe, shown, ending, sites=("cross",), layers=(LAYER + 1,), heads=(HEAD + 1,)
    )


@pytest.mark.parametrize("name", ["cross", "lines"])
@pytest.mark.parametrize("reading", [one for one in get_args(Reading) if one != "weights"])
def test_an_animation_and_lines_have_the_reading_or_refuse_it_by_name(decoded, reading, name):
    library, recipe, decoding = decoded
    if (reading, name) == ("hidden", "lines"):
        with pytest.raises(RecipeError, match="below 0"):
            wanted(recipe, "gif", reading, name)
        return
    chromium = Drawing()
    prepared(library, wanted(recipe, "gif", reading, name), chromium)()
    steps = len(decoding.steps)
    seen = [one.options["view"] for one in chromium.drawings]
    assert [view["at"] for view in seen] == list(range(steps))
    assert {view["reading"] for view in seen} == {reading}
    assert {one.name for one in chromium.drawings} == {name}
    if name == "cross":
        figure = fill(library, recipe, wanted(recipe, "png", reading, name).picture).figure(LOOK)
        z_QK = np.array(next(one for one in figure.data if one.type == "heatmap").z)
        drawn_QK = np.isfinite(z_QK)
        assert drawn_QK.any()
        np.testing.assert_allclose(z_QK[drawn_QK], expected(*decoded)[reading][drawn_QK])


def test_the_widest_line_is_the_largest_number_of_a_reading(decoded):
    library, recipe, _ = decoded
    figure = fill(library, recipe, wanted(recipe, "png", "norms", "lines").picture).figure(LOOK)
    widths = [one.line.width for one in figure.layout.shapes if one.type == "path"]
    values = expected(*decoded)["norms"]
    drawn = values[values >= 0.02 * values.max()]
    assert len(widths) == len(drawn)
    shares = sorted(drawn / values.max())
    assert np.corrcoef(sorted(widths), shares)[0, 1] > 0.999


def test_all_heads_are_drawn_by_the_norms_and_by_no_reading_that_is_of_no_head(decoded):
    library, recipe, decoding = decoded
    content = fill(library, recipe, picture("heads", site="cross", reading="norms"))
    (table,) = content.tables
    model = library.tracer(recipe.model, recipe.edits).model
    norms_LHK = value_norms(model, decoding, "cross", recipe.edits)
    assert np.array_equal(
        table.values["norm_LHQK"], table.values["weights_LHQK"] * norms_LHK[:, :, None]
    )
    plain = fill(library, recipe, picture("heads", site="cross"))
    assert "norm_LHQK" not in plain.tables[0].values
    assert content.figure(LOOK).layout.title.text != plain.figure(LOOK).layout.title.text
    for reading in ("rollout", "mean", "mean_all", "hidden"):
        with pytest.raises(RecipeError, match=f"“{reading}” is one map") as caught:
            picture("heads", site="cross", reading=reading)
        assert caught.value.code == "reading_heads"


@pytest.mark.parametrize(
    ("reading", "name"),
    [
        ("weights", None),
        ("norms", "layer-3-head-4-norms"),
        ("rollout", "layer-3-rollout"),
        ("mean", "layer-3-mean"),
        ("mean_all", "mean_all"),
        ("hidden", "hidden"),
    ],
)
def test_a_lesson_pack_has_the_pictures_and_the_page_of_a_reading(decoded, reading, name):
    library, recipe, _ = decoded
    chromium = Drawing()
    content = prepared(library, wanted(recipe, "zip", reading), chromium)()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        pictures = [one for one in archive.namelist() if one.startswith("pictures/")]
        page = archive.read("lesson.html").decode()
        readme = archive.read("README.txt").decode()
    usual = ["pictures/cross/all-heads.png", "pictures/cross/layer-3-head-4.png"]
    others = [] if name is None else [f"pictures/cross/{name}.png"]
    assert pictures == usual + others and all(one in readme for one in others)
    options = json.loads(re.search(r'id="options">(.*?)</script>', page, re.S)[1])
    assert options["view"].get("reading", "weights") == reading
