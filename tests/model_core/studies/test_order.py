import numpy as np
import pytest
import torch

from model_core.decoding.cache import NO_CACHE, Cache
from model_core.decoding.tracer import Tracer
from model_core.models.own import OwnModel
from model_core.studies import order as study_order
from model_core.studies.full_pass import sentence_pass
from model_core.studies.order import effect, first_to_change, translation
from model_core.values.edits import read_edits
from model_core.values.recipe import Choice, Recipe
from tests.model_core.studies.sentences import ORDER, TARGET, of_variant, own_model, sentence
from tests.variants import WHOLE, few_variants


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ("head-off:encoder.1.2", None),
        ("sublayer-off:encoder.1.self", None),
        ("hide:2", "place"),
        ("zero-value:1", "place"),
        ("zero-value:1.encoder.1.2", "place"),
        ("no-scale", None),
        ("no-embedding-scale", None),
        ("no-positions", None),
        ("no-pad-mask", None),
        ("causal-mask:none", None),
        ("finite-mask", None),
        ("no-transpose", "joined"),
        ("no-split-transpose", "joined"),
        ("dropout:3", "dropout"),
        ("encoder-layer:1", None),
    ],
)
def test_an_edited_model_is_called_blind_to_order_where_it_is(tiny, edit, reason):
    edits = read_edits([edit])
    model = own_model(tiny, dropout_attention=0.2).edited(edits)
    order = [3, 2, 0, 1, 5, 4, 6]
    study = effect(model, sentence(pads=1), TARGET, order, positions=False, edits=edits)
    assert study.reason == reason
    largest = max(change.largest for change in study.comparison.weights)
    assert (largest < 1e-10) == (reason is None)
    assert study.of_predictions == ("proven" if reason is None else "differs")
    (encoder,) = {study.verdict_of(change) for change in study.comparison.weights[1:2]}
    assert encoder == ("proven" if reason is None else "differs")


@pytest.mark.parametrize("edit", ["hide:2", "zero-value:2"])
def test_where_the_word_that_an_edit_names_stays_order_has_no_effect(tiny, edit):
    edits = read_edits([edit])
    model = own_model(tiny).edited(edits)
    study = effect(model, sentence(), TARGET, [3, 1, 0, 2, 5, 4], positions=False, edits=edits)
    assert study.reason is None and max(c.largest for c in study.comparison.weights) < 1e-10


@pytest.mark.parametrize("variant", WHOLE)
def test_where_rows_hold_what_stood_elsewhere_nothing_is_called_unchangeable(tiny, variant):
    model = own_model(tiny, **WHOLE[variant])
    source = sentence((5, 17, 40, 8, 33, 17, 9, 2))
    study = effect(model, source, TARGET, [7, 0, 2, 1, 4, 3, 6, 5], positions=False)
    assert max(change.largest for change in study.comparison.weights) > 1e-3
    encoder = (
        set() if {"joined", "split"} & WHOLE[variant].keys() else {("encoder", 0), ("encoder", 1)}
    )
    assert study.cannot_change == {("decoder", 0), *encoder} and study.of_predictions == "differs"
    assert {study.verdict_of(c) for c in study.comparison.weights if c.site == "encoder"} == {
        "proven" if encoder else "differs"
    }


def test_equal_tokens_tie_under_hard_attention_and_nothing_else_is_called_unchangeable(tiny):
    model = own_model(tiny, attention="hard")
    study = effect(model, sentence((5, 17, 5, 5, 33, 2)), TARGET, ORDER, positions=False)
    assert max(change.largest for change in study.comparison.weights) == 1
    # Equal tokens have equal values too.
    assert study.comparison.predictions.largest_T.max() < 1e-10
    assert study.cannot_change == {("decoder", 0)} and study.reason == "tied"


@few_variants
def test_what_cannot_change_is_the_same(tiny, variant):
    model = of_variant(tiny, variant)
    rows = [0, 4, 2, 9, 4, 5]
    for changed in (rows, None):
        study = effect(model, sentence(pads=0), TARGET, ORDER, changed)
        for change in study.comparison.weights:
            if (change.site, change.layer) in study.cannot_change:
                assert change.largest < 1e-10
        first = [c for c in study.comparison.weights if c.site == "decoder" and c.layer == 0]
        assert ("decoder", 0) in study.cannot_change and first[0].largest == 0


def test_pads_move_with_the_rest_and_get_no_weight(tiny):
    source = sentence(pads=2)
    order = [7, 3, 0, 6, 1, 2, 5, 4]
    study = effect(own_model(tiny), source, TARGET, order, positions=False)
    assert max(change.largest for change in study.comparison.weights) < 1e-10
    pads = [kind == "pad" for kind in study.after.source.kinds]
    assert pads == [True, False, False, True, False, False, False, False]
    assert not study.after.weights_LHQK("encoder")[..., pads].any()
    assert not study.after.weights_LHQK("cross")[..., pads].any()


def test_the_run_before_is_what_the_decoder_does_step_by_step(tiny):
    recipe = Recipe("tiny", "The old cat sleeps.", tuple(Choice(i) for i in TARGET[1:]))
    decoding = Tracer(OwnModel(tiny)).evaluate(recipe)
    order = list(range(len(decoding.source)))
    study = effect(OwnModel(tiny), decoding.source, TARGET, order)
    for layer, trace in enumerate(decoding.encoder):
        assert np.array_equal(study.before.weights["encoder"][layer], trace.weights_HQK)
    for site in ("decoder", "cross"):
        for layer, weights_HQK in enumerate(study.before.weights_LHQK(site)):
            expected_HQK = decoding.trace(site, layer).weights_HQK
            np.testing.assert_allclose(weights_HQK, expected_HQK, atol=1e-6)
    for step, log_probabilities_V in zip(
        decoding.steps, study.before.log_probabilities_TV, strict=True
    ):
        np.testing.assert_allclose(log_probabilities_V, step.log_probabilities_V, atol=1e-5)


@pytest.mark.parametrize("variant", ["paper", "rotary", "learned", "no-positions", "hard"])
def test_what_was_kept_of_other_orders_changes_no_number(tiny, variant):
    model, cache = of_variant(tiny, variant), Cache(16)
    typed = sentence()
    for positions in (True, False):
        for rows in (None, [1, 1, 2, 3, 4, 5]):
            for order in (range(6), ORDER):
                kept, fresh = (
                    effect(model, typed, TARGET, order, rows, positions, cache=memory)
                    for memory in (cache, NO_CACHE)
                )
                assert kept.comparison.weights == fresh.comparison.weights
                now, then = (one.comparison.predictions for one in (kept, fresh))
                assert np.array_equal(now.largest_T, then.largest_T)
                now, then = (
                    translation(model, typed, order, rows, positions, memory, most_steps=6)
                    for memory in (cache, NO_CACHE)
                )
                assert now == then


@pytest.mark.parametrize("positions", [True, False])
def test_what_is_asked_again_is_not_run_again(tiny, positions, monkeypatch):
    model, cache, runs = own_model(tiny), Cache(16), []
    monkeypatch.setattr(
        study_order, "sentence_pass", lambda *asked: runs.append(1) or sentence_pass(*asked)
    )
    for order, runs_so_far in ((ORDER, 2), (ORDER, 2), (range(6), 2), (ORDER[::-1], 3)):
        effect(model, sentence(), TARGET, order, positions=positions, cache=cache)
        assert len(runs) == runs_so_far


def test_nothing_changed_is_no_difference_at_all(tiny):
    source = sentence()
    study = effect(own_model(tiny), source, TARGET, list(range(6)), list(range(6)))
    assert study.reason is None and study.of_predictions == "proven"
    assert max(change.largest for change in study.comparison.weights) == 0


def test_float64_leaves_less_than_float32(tiny):
    single, double = (
        effect(OwnModel(tiny), sentence(), TARGET, ORDER, positions=False, double=double)
        for double in (False, True)
    )
    assert 0 < max(c.largest for c in single.comparison.weights) < 1e-5
    assert max(c.largest for c in double.comparison.weights) < 1e-13
    assert tiny.model.logits.weight.dtype == torch.float32


def test_a_translation_with_positions_is_the_decoders(tiny):
    from model_core.decoding.tracer import Tracer
    from model_core.values.recipe import Recipe

    tracer = Tracer(OwnModel(tiny))
    _, decoding = tracer.extend(Recipe("tiny", "The cat."), 12)
    text = translation(OwnModel(tiny), decoding.source, list(range(len(decoding.source)))).text
    assert decoding.finished is None and len(decoding.steps) == 13
    assert text.startswith(tracer.text(decoding)) and tracer.text(decoding)


@pytest.mark.parametrize("positions", ["sinusoidal", "none"])
def test_the_first_order_that_changes_a_translation_is_found_as_by_writing_all(tiny, positions):
    model, source = own_model(tiny, positions=positions), sentence()
    places = list(range(len(source)))
    typed = translation(model, source, places)
    reversed_ = [*places[-2::-1], places[-1]]
    orders = [places, [1, 0, *places[2:]], [0, 2, 1, *places[3:]], reversed_]
    texts = [translation(model, source, order).written.ids for order in orders]
    changing = [at for at, ids in enumerate(texts) if ids != typed.written.ids]
    assert first_to_change(model, source, orders, typed) == min(changing, default=None)
    assert (changing == []) == (positions == "none")
    assert first_to_change(model, source, [], typed) is None


def test_what_leaves_the_tokens_is_not_run_and_what_makes_the_same_of_them_once(tiny, monkeypatch):
    model, ran = own_model(tiny, positions="none"), []  # of which no order changes anything
    run = OwnModel.full_pass
    monkeypatch.setattr(
        OwnModel,
        "full_pass",
        lambda own, sources, fed: ran.extend(sources) or run(own, sources, fed),
    )
    source = sentence((5, 5, 9, 2))
    typed = translation(model, source, range(4))
    every = [[1, 0, 2, 3], [2, 1, 0, 3], [2, 0, 1, 3], [0, 2, 1, 3]]
    assert first_to_change(model, source, every, typed) is None
    assert ran == [(9, 5, 5, 2), (5, 9, 5, 2)]
