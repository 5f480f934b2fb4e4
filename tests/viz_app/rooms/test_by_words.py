"""Words in place of tokens in every door: tables, pictures, the notebook, endpoints, terminals."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest

from model_core.__main__ import main
from model_core.errors import RecipeError
from model_core.folders import CHECKPOINTS
from model_core.studies.hiding import hide_words
from model_core.values.edits import read_edits
from model_core.values.recipe import Choice, Recipe
from model_core.values.trace import SITES
from viz_app import show
from viz_app.commands.export import run
from viz_app.figures.look import LOOK
from viz_app.files.content import fill, written
from viz_app.files.picture import picture
from viz_app.server.endpoints import endpoints

LAYER, HEAD = 2, 4  # counted from 0
SOURCE, TARGET = "The kittens sleep.", "Les chatons s'endorment aujourd'hui."
# The tokens of each word, by hand; of the target the steps that write and that read them.
COLUMNS = ([0], [1, 2, 3, 4], [5], [6], [7])  # The k.it.t.ens sleep . end
WRITES = ([0], [1, 2], [3, 4, 5, 6, 7], [8, 9, 10], [11], [12])  # Les chat.ons s.'.end.or.ment ...
READS = ([0], [1], [2, 3], [4, 5, 6, 7, 8], [9, 10, 11], [12])  # start Les ... .
NAMES = ("Les", "chatons", "s'endorment", "aujourd'hui", ".", "</s>")


@pytest.fixture(scope="module")
def decoded(bundled):
    library = bundled.library
    ids = library.tracer("en-fr").model.target(TARGET, ()).ids
    target = tuple(Choice(one, "forced") for one in ids)
    recipe, decoding = library.extend(Recipe("en-fr", SOURCE, target), 0)
    return library, recipe, decoding


def by_hand(values_QK, rows, columns, of_rows=np.mean):
    """The sum over the columns of each word, the mean over its rows."""
    values_QK = np.asarray(values_QK, np.float64)
    return np.array(
        [[of_rows(values_QK[row][:, column].sum(-1)) for column in columns] for row in rows]
    )


def groups(site, rows):
    of_rows = READS if rows == "fed" else WRITES
    return {
        "encoder": (COLUMNS, COLUMNS),
        "decoder": (of_rows, READS),
        "cross": (of_rows, COLUMNS),
    }[site]


def table_of(decoded, name, **choices):
    library, recipe, _ = decoded
    shown = picture(name, layer=LAYER + 1, head=HEAD + 1, **choices)
    content = fill(library, recipe, shown)
    return content, content.tables[0]


def cells_of(figure):
    return next(np.array(one.z, float) for one in figure.data if one.type == "heatmap")


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("rows", ["fed", "predicted"])
@pytest.mark.parametrize("reading", ["weights", "norms", "rollout", "mean", "mean_all"])
def test_a_table_and_a_picture_are_the_sums_of_those_of_tokens(decoded, site, rows, reading):
    choices = {"reading": reading, "rows": rows}
    _, tokens = table_of(decoded, site, by="pieces", **choices)
    content, table = table_of(decoded, site, by="words", **choices)
    name = list(tokens.values)[-1]
    expected = by_hand(tokens.values[name], *groups(site, rows))
    np.testing.assert_allclose(table.values[name], expected, rtol=1e-5, atol=1e-7)
    allowed = by_hand(tokens.values["allowed_QK"], *groups(site, rows)) > 0
    assert np.array_equal(table.values["allowed_QK"], allowed)
    assert "scores_QK" not in table.values and "value_norm_QK" not in table.values
    figure = content.figure(LOOK)
    known = np.where(allowed, expected, np.nan)
    np.testing.assert_allclose(cells_of(figure), known, rtol=1e-5, atol=1e-7)
    if site != "encoder":
        named = NAMES if rows == "predicted" else ("<s>", *NAMES[:-1])
        assert table.axes[0].tokens == named
    assert table.axes[1].tokens[1 + (site == "decoder")] in ("kittens", "chatons")


@pytest.mark.parametrize("reading", ["weights", "norms"])
def test_all_heads_are_between_words_too(decoded, reading):
    _, tokens = table_of(decoded, "heads", site="cross", reading=reading)
    content, table = table_of(decoded, "heads", site="cross", reading=reading, by="words")
    name = list(tokens.values)[-1]
    maps = [one for one in content.figure(LOOK).data if one.type == "heatmap"]
    L, H = tokens.values[name].shape[:2]
    assert len(maps) == L * H
    for at, one in enumerate(maps):
        place = divmod(at, H)
        expected = by_hand(tokens.values[name][place], WRITES, COLUMNS)
        np.testing.assert_allclose(table.values[name][place], expected, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(np.array(one.z, float), expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("rows", ["fed", "predicted"])
def test_a_word_is_hidden_as_a_whole_and_its_own_change_is_that_of_the_word(decoded, rows):
    """Against the log-probability of each whole word with each whole word hidden by edits."""
    library, recipe, decoding = decoded
    content, table = table_of(decoded, "cross", by="words", reading="hidden", rows=rows)

    def written(edits=()):
        seen = library.extend(replace(recipe, edits=read_edits(edits)), 0)[1]
        nats = np.array(seen.log_probabilities, np.float64)
        return np.array([nats[steps].sum() for steps in WRITES])

    whole = written()
    for column, places in enumerate(COLUMNS):
        changes = written([f"hide:{place + 1}" for place in places]) - whole
        np.testing.assert_allclose(table.values["change_QK"][:, column], changes, atol=2e-3)
    assert table.axes[0].tokens == NAMES  # whichever token names a row
    np.testing.assert_array_equal(cells_of(content.figure(LOOK)), table.values["change_QK"])
    # It is not the sum over the tokens of the hidden word, each hidden alone.
    alone = hide_words(library.tracer("en-fr").model, decoding, [[place] for place in COLUMNS[1]])
    added = alone.changes_TW.sum(1)
    summed = np.array([added[steps].sum() for steps in WRITES])
    assert not np.allclose(summed, table.values["change_QK"][:, 1], atol=0.1)


def test_pictures_are_between_words_and_numbers_between_tokens_unless_it_is_said(decoded):
    library, recipe, decoding = decoded
    content = fill(library, recipe, picture("cross"))
    S, T = len(decoding.source), len(decoding.steps)
    assert cells_of(content.figure(LOOK)).shape == (len(WRITES), len(COLUMNS))
    assert content.tables[0].values["weights_QK"].shape == (T, S)
    assert content.tables[0].axes[0].tokens[:2] == ("<s>", "Les")
    stored = json.loads(written(content, "json", LOOK))
    assert "by" not in stored["view"]
    pieces = fill(library, recipe, picture("cross", by="pieces"))
    assert cells_of(pieces.figure(LOOK)).shape == (T, S)


@pytest.mark.parametrize(
    ("choices", "is_by_words"),
    [
        ({}, True),
        ({"rows": "fed", "reading": "mean"}, True),
        ({"step": 3}, True),
        ({"step": 3, "stepping": True}, False),
        ({"spelled": True}, False),
        ({"reading": "norms"}, False),
    ],
)
def test_a_picture_of_which_nothing_is_said_is_as_on_the_page(decoded, choices, is_by_words):
    library, recipe, decoding = decoded
    tokens = len(decoding.steps), len(decoding.source)
    cells = cells_of(fill(library, recipe, picture("cross", **choices)).figure(LOOK))
    assert cells.shape == ((len(WRITES), len(COLUMNS)) if is_by_words else tokens)
    begun = replace(recipe, target=recipe.target[:4])
    cells = cells_of(fill(library, begun, picture("cross", **choices)).figure(LOOK))
    assert cells.shape == (5, len(decoding.source))


def test_words_are_as_the_tokenizer_spells_them_where_that_is_asked(decoded):
    _, table = table_of(decoded, "cross", by="words", rows="predicted", spelled=True)
    assert table.axes[0].tokens[1] == "▁chat ons" and table.axes[1].tokens[4] == "</s>"


@pytest.mark.parametrize("name", ["cross", "lines", "decoder"])
def test_rows_after_a_step_are_empty_and_its_word_is_what_it_wrote_so_far(decoded, name):
    library, recipe, decoding = decoded
    choices = {"layer": LAYER + 1, "head": HEAD + 1, "step": 5, "by": "words"}
    figure = fill(library, recipe, picture(name, **choices, stepping=True)).figure(LOOK)
    whole = fill(library, recipe, picture(name, **choices)).figure(LOOK)
    if name == "lines":
        assert 0 < len(figure.layout.shapes) < len(whole.layout.shapes)
        return
    assert list(figure.layout.yaxis.ticktext) == ["Les", "chatons", "s'", "", "", ""]
    cells = cells_of(figure)
    assert np.isfinite(cells).any(1).tolist() == [True] * 3 + [False] * 3
    trace = decoding.trace(picture(name).view.site, LAYER)
    columns = groups(name, "predicted")[1]
    written_so_far = (*WRITES[:2], [3, 4])
    expected = by_hand(trace.weights_HQK[HEAD], written_so_far, columns)
    allowed = by_hand(trace.mask_QK, written_so_far, columns) > 0
    np.testing.assert_allclose(cells[:3], np.where(allowed, expected, np.nan), rtol=1e-5)
    (outlined,) = (one for one in whole.layout.shapes if one.line.color == LOOK["accent"])
    assert (outlined.y0, outlined.y1) == (1.5, 2.5)  # the word that step 5 writes


def test_the_notebook_gives_a_trace_between_words(decoded):
    _, recipe, _ = decoded
    cat = show("en-fr", SOURCE, target=TARGET)
    tokens, words = cat.trace("cross", 3), cat.trace("cross", 3, by="words")
    for head, weights_QK in enumerate(words.weights_HQK):
        expected = by_hand(tokens.weights_HQK[head], WRITES, COLUMNS)
        np.testing.assert_allclose(weights_QK, expected, rtol=1e-5, atol=1e-7)
    assert words.queries.texts == NAMES and words.is_bare
    read = cat.trace("cross", 3, by="words", rows="fed")
    np.testing.assert_allclose(
        read.weights_HQK[0], by_hand(tokens.weights_HQK[0], READS, COLUMNS), rtol=1e-5, atol=1e-7
    )
    assert cat.recipe == recipe
    for wrong in ({"by": "letters"}, {"by": "words", "rows": "both"}):
        with pytest.raises(RecipeError, match="choose one of"):
            cat.trace("cross", 3, **wrong)


def test_the_endpoints_give_words_where_they_are_asked_for_them(bundled, decoded):
    _, recipe, decoding = decoded
    asked = {one.__name__: one for one in endpoints(bundled)}
    said = recipe.to_json()
    usual = asked["trace"](recipe=said, site="cross", layer=3)
    assert np.array_equal(usual["weights_HQK"], decoding.trace("cross", 2).weights_HQK)
    answer = asked["trace"](recipe=said, site="cross", layer=3, by="words")
    assert (answer["rows"], answer["columns"]) == (list(WRITES), list(COLUMNS))
    assert answer["queries"] == list(NAMES) and "scores_HQK" not in answer
    weights_QK = decoding.trace("cross", 2).weights_HQK[0]
    np.testing.assert_allclose(
        answer["weights_HQK"][0], by_hand(weights_QK, WRITES, COLUMNS), rtol=1e-5, atol=1e-7
    )
    with pytest.raises(RecipeError, match="by is 'letters'"):
        asked["trace"](recipe=said, by="letters")


def test_the_commands_write_words_where_they_are_told_to(decoded, tmp_path):
    _, recipe, decoding = decoded
    (tmp_path / "recipe.json").write_text(json.dumps(recipe.to_json()))
    out = tmp_path / "a.npz"
    place = ["--view", "cross", "--layer", "3", "--head", "5", "-o", str(out)]
    words = ["--by", "words", "--rows", "predicted"]
    assert run(["--recipe", str(tmp_path / "recipe.json"), *place, *words], CHECKPOINTS) == 0
    weights_QK = decoding.trace("cross", LAYER).weights_HQK[HEAD]
    with np.load(io.BytesIO(out.read_bytes())) as stored:
        found = stored["cross.weights_QK"]
        labels = json.loads(str(stored["labels"]))
    np.testing.assert_allclose(found, by_hand(weights_QK, WRITES, COLUMNS), rtol=1e-5, atol=1e-7)
    assert labels["view"]["by"] == "words"
    assert labels["axes"]["cross"][0]["tokens"] == list(NAMES)
    out = tmp_path / "b.json"
    assert main(["trace", "en-fr", "--text", SOURCE, "--by", "words", "-o", str(out)]) == 0
    stored = json.loads(out.read_text(encoding="utf-8"))
    own = show("en-fr", SOURCE)
    for site in SITES:
        said = stored["words"][site]
        trace = own.trace(site, 2)
        rows = [row for word in said["rows"] for row in word]
        assert rows == list(range(len(trace.queries)))
        np.testing.assert_allclose(
            stored["arrays"][f"{site}.2.weights_HQK"][1],
            by_hand(trace.weights_HQK[1], said["rows"], said["columns"]),
            rtol=1e-5,
            atol=1e-7,
        )
    assert not any(name.endswith("scores_HQK") for name in stored["arrays"])
