import sys
from dataclasses import replace

import numpy as np
import pytest

from model_core.decoding.tracer import Tracer
from model_core.studies.batch import SPARE_PADS, translate_batch
from model_core.studies.masks import study_masks
from model_core.studies.steps import study_passes
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe
from tests.answered import answered, floats
from tests.made_up import MadeUp
from viz_app.figures.look import Look
from viz_app.rooms.masks import ROOM, MasksView
from viz_app.rooms.masks.answer import first_batch
from viz_app.server.service import Service

SENTENCES = ["The old cat.", "roof", "Le chat dort."]
REQUEST = {
    "room": "masks",
    "recipe": {"model": "tiny", "source": SENTENCES[0]},
    "sentences": SENTENCES,
    "shown": 1,
    "site": "encoder",
    "view": "masks",
}


@pytest.fixture(scope="module")
def service(models_of):
    return Service(models_of(max_positions=20))


def ask(service, **changes):
    return answered(service, REQUEST | changes)


def in_shape(text, answer):
    entry = answer["batch"][answer["shown"]] if answer["view"] == "masks" else answer
    sides = {"encoder": ("source", "source"), "decoder": ("fed", "fed"), "cross": ("fed", "source")}
    Q, K = (len(entry[side]["ids"]) for side in sides[answer["site"]])
    return floats(text, answer["layers"], answer["heads"], Q, K)


def as_rows(mask_QK):
    return ["".join(str(int(allowed)) for allowed in row) for row in mask_QK]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize(
    "breaks",
    [
        [],
        ["no-pad-mask", "causal-mask:none"],
        ["pads-rows", "causal-mask:behind", "finite-mask"],
    ],
    ids=str,
)
def test_the_answer_is_the_study_to_the_last_bit(service, site, breaks):
    answer = ask(service, site=site, breaks=breaks)
    assert answer["breaks"] == breaks
    tracer = service.library.tracer("tiny")
    batch = translate_batch(tracer, tuple(SENTENCES), spare=SPARE_PADS)
    study = study_masks(tracer.model, batch, 1, site, read_edits(breaks))
    np.testing.assert_array_equal(in_shape(answer["scores"], answer), np.stack(study.broken.scores))
    np.testing.assert_array_equal(
        in_shape(answer["weights"], answer), np.stack(study.broken.weights)
    )
    assert answer["masks"]["combined"] == as_rows(study.broken.allowed_QK)
    assert answer["own"]["combined"] == as_rows(study.intact.allowed_QK)
    assert answer["masks"]["pad"] == as_rows(study.broken.pad_QK)
    assert (answer["masks"]["causal"] is None) == (site != "decoder")
    assert answer["empty"] == np.flatnonzero(study.broken.empty_Q).tolist()
    assert answer["uniform"] == np.flatnonzero(study.broken.uniform_Q).tolist()
    assert answer["hidden_score"] == (-1e9 if "finite-mask" in breaks else None)
    for told, change in zip(answer["changes"], study.changes, strict=True):
        assert told["distance"] == pytest.approx(change.distance_T.tolist())
        assert tuple(told["broken"]["ids"]) == change.best_after


@pytest.mark.parametrize("site", ["decoder", "cross"])
def test_passes_are_the_study_to_the_last_bit(service, site):
    answer = ask(service, site=site, view="passes")
    tracer = service.library.tracer("tiny")
    batch = translate_batch(tracer, tuple(SENTENCES), spare=SPARE_PADS)
    passes = study_passes(tracer.model, tracer.evaluate(batch.recipes[1]), site)
    np.testing.assert_array_equal(in_shape(answer["once"], answer), np.stack(passes.once))
    np.testing.assert_array_equal(in_shape(answer["stepped"], answer), np.stack(passes.stepped))
    assert answer["allowed"] == as_rows(passes.allowed_QK)
    assert answer["predicted"]["ids"][:-1] == answer["fed"]["ids"][1:][: len(passes.predicted) - 1]
    assert answer["apart"]["weights"] == passes.weights_apart < 1e-5


@pytest.mark.parametrize("view", ["masks", "passes"])
def test_every_sentence_says_which_of_its_tokens_make_a_word(service, view):
    answer = ask(service, view=view, site="decoder", sentences=["roof", "The old catcat."])
    for entry in answer["batch"] + ([answer] if view == "passes" else []):
        for side in ("source", "fed"):
            tokens = entry[side]
            places = [place for word in tokens["words"] for place in word]
            assert places == list(range(len(tokens["ids"])))
    assert any(len(word) > 1 for word in answer["batch"][1]["source"]["words"])


def test_leaks_are_means_over_the_rows_that_are_no_pads(service):
    answer = ask(service, breaks=["no-pad-mask"])
    kinds = answer["batch"][1]["source"]["kinds"]
    pads = np.array([kind == "pad" for kind in kinds])
    weights_LHQK = in_shape(answer["weights"], answer)
    means_LH = weights_LHQK[:, :, ~pads][..., pads].sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(answer["leaks"]["on_pads"], means_LH, rtol=1e-5)
    assert not np.any(answer["leaks"]["on_future"])


@pytest.mark.parametrize("sentences", [SENTENCES, ["alone"]])
def test_the_page_opens_on_the_sentence_of_the_recipe_and_pads_are_added_to_it(service, sentences):
    answer = ask(service, shown=None, sentences=sentences)
    assert answer["shown"] == 0
    for one in answer["batch"]:
        assert one["source"]["kinds"][-SPARE_PADS:] == SPARE_PADS * ["pad"]


@pytest.mark.parametrize("breaks", ["no-pad-mask", "pads-rows"])
def test_where_pads_are_let_in_the_page_opens_where_they_can_do_harm(service, breaks):
    sentences = ["the old black cat", "a", "the cat"]
    answer = ask(service, breaks=[breaks], site=None, shown=None, sentences=sentences)
    assert (answer["site"], answer["shown"]) == ("cross", 0)
    assert "pad" in answer["batch"][0]["source"]["kinds"]


def test_a_sentence_that_fills_the_model_gets_no_pads(service):
    model = service.library.tracer("tiny").model
    most = model.anatomy.max_positions
    longest = next("x" * n for n in range(1, 99) if len(model.source("x" * n)) == most)
    answer = ask(service, sentences=[longest, "a"], shown=0)
    assert len(answer["batch"][0]["source"]["ids"]) == most
    assert "pad" not in answer["batch"][0]["source"]["kinds"]


def test_what_is_left_open_is_chosen_as_the_page_opens(service):
    open_ = ask(service, sentences=None, shown=None, site=None)
    assert [one["text"] for one in open_["batch"]] == [SENTENCES[0]]
    assert open_["site"] == "decoder" and open_["shown"] == 0
    assert set(ROOM.views) == set(open_["tables"]) | {"passes"}


def test_the_maps_of_an_answer_stand_in_an_equation_as_in_the_room(service):
    tracer = service.library.tracer("tiny")
    recipe = Recipe("tiny", SENTENCES[0])
    signs = {
        ("masks", "decoder"): ["∧", "="],
        ("masks", "cross"): ["="],
        ("scores", "cross"): ["+ mask =", "softmax →"],
        ("passes", "cross"): ["−", "="],
    }
    for (name, site), wanted in signs.items():
        view = MasksView(view="passes" if name == "passes" else "masks", site=site)
        answer = ROOM.answer(tracer, recipe, replace(view, sentences=tuple(SENTENCES)))
        axes = list(ROOM.figure(name, answer, Look(), "").select_xaxes())
        for axis, sign in zip(axes[1:], wanted, strict=True):
            assert f">{sign} " in axis.title.text


@pytest.mark.parametrize("name", ["masks", "scores", "broken"])
def test_a_picture_of_an_edited_model_names_the_edits(service, name):
    recipe = Recipe("tiny", SENTENCES[0], edits=read_edits(["hide:2"]))
    tracer = service.library.tracer("tiny").edited(recipe.edits)
    answer = ROOM.answer(tracer, recipe, MasksView(sentences=tuple(SENTENCES), site="encoder"))
    told = str(ROOM.figure(name, answer, Look(), "").to_dict())
    assert "edits hide:2" in told


@pytest.mark.parametrize("drawing", ["masks", "passes"])
def test_of_a_large_batch_the_page_gets_the_head_that_it_looks_at(monkeypatch, drawing):
    """And of a small one all of them."""
    tracer = Tracer(MadeUp("encoder-decoder"))
    recipe = Recipe(tracer.model.name, "the old cat")
    view = MasksView(view=drawing, site="cross", layer=1, head=2)
    names = ("scores", "weights") if drawing == "masks" else ("once", "stepped")
    whole = ROOM.to_page(tracer, recipe, view)
    assert whole["one"] is None
    monkeypatch.setattr(sys.modules["viz_app.rooms.masks.answer"], "MOST_AT_ONCE", 0)
    one = ROOM.to_page(tracer, recipe, view)
    assert one["one"] == {"layer": 1, "head": 2}
    for name in names:
        assert one[name].ndim == 2
        assert np.array_equal(one[name], whole[name][1, 2], equal_nan=True)
    picture = {"masks": "scores", "passes": "passes"}[drawing]
    for two, four in zip(one.table(picture), whole.table(picture), strict=True):
        for name, array in two.values.items():
            assert np.array_equal(array, four.values[name], equal_nan=True)


def test_the_first_batch_of_a_model_without_examples_is_what_its_text_begins_with():
    model = MadeUp("decoder")
    assert first_batch("a b c d e f", model) == ("a b c d e f", "a b c d", "a b")
    assert first_batch("b a", model) == ("b a", "b ", "b")  # too few words: letters
    long = "a " * 120  # each sentence more makes every pass longer
    assert first_batch(long, model) == (long, " ".join(["a"] * 40))
