import dataclasses
import math

import numpy as np
import pytest
import torch

from model_core import study_order
from model_core.errors import RecipeError
from model_core.positions import sinusoidal_table
from model_core.recent import Recent
from model_core.store import Checkpoint
from model_core.study_order import effect, repositioned, translation, without_positions
from model_core.study_positions import KINDS, position_sum, position_table, rotation
from model_core.trace import Tokens
from tests.tiny import tiny_model
from tests.variants import VARIANTS, every_variant

IDS = (5, 17, 40, 8, 33, 2)
TARGET = [1, 9, 33, 120]
ORDER = [3, 1, 0, 5, 2, 4]


def sentence(ids=IDS, pads=0):
    ids = (*ids, *(0,) * pads)
    kinds = tuple("pad" if i == 0 else "text" for i in ids)
    texts = tuple(map(str, ids))
    return Tokens(ids, texts, texts, kinds, (None,) * len(ids))


def checkpoint(tiny, double=True, **changes):
    """The tiny checkpoint's tokenizers around another tiny model."""
    model = tiny_model(3, **changes)
    return dataclasses.replace(tiny, model=model.double() if double else model)


def of_variant(tiny, variant) -> Checkpoint:
    return checkpoint(tiny, **VARIANTS[variant])


# the table


def test_the_table_is_what_the_model_adds(tiny):
    model = checkpoint(tiny, double=False)
    table = position_table(model, "sinusoidal")
    assert table.own and table.table_PD.shape == (24, 24)
    assert np.array_equal(table.table_PD, sinusoidal_table(24, 24).numpy())


def test_each_dimension_repeats_after_its_wavelength(tiny):
    table = position_table(checkpoint(tiny), "sinusoidal")
    for d, wavelength in enumerate(table.wavelengths_D):
        wave = math.sin if d % 2 == 0 else math.cos
        for p in range(table.positions):
            expected = wave(2 * math.pi * p / wavelength)
            assert table.table_PD[p, d] == pytest.approx(expected, abs=1e-6)


def test_how_alike_two_sinusoidal_positions_are_depends_on_their_distance_alone(tiny):
    similarity_PP = position_table(checkpoint(tiny), "sinusoidal").similarity_PP
    assert np.allclose(np.diag(similarity_PP), 1)
    for distance in range(1, 24):
        assert np.ptp(np.diag(similarity_PP, distance)) < 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("own", KINDS)
def test_a_table_says_whether_it_is_the_models_own(tiny, own, kind):
    table = position_table(checkpoint(tiny, double=False, positions=own), kind)
    assert table.kind == kind and table.own == (own == kind)
    assert (table.table_PD.size == 0) == (kind == "none")
    assert (table.wavelengths_D.size == 0) == (kind in ("learned", "none"))


def test_a_learned_table_is_the_trained_one_of_its_side(tiny):
    model = checkpoint(tiny, double=False, positions="learned")
    for side in ("source", "target"):
        added = getattr(model.model, f"{side}_positions")
        table_PD = position_table(model, "learned", side).table_PD
        assert np.array_equal(table_PD, added.table_PD.detach().numpy())


def test_a_table_for_comparison_disturbs_no_random_numbers_and_no_model(tiny):
    before = torch.random.get_rng_state()
    first = position_table(tiny, "learned").table_PD
    assert torch.equal(torch.random.get_rng_state(), before)
    assert np.array_equal(first, position_table(tiny, "learned").table_PD)
    assert tiny.config.positions == "sinusoidal"


def test_rotary_positions_of_an_odd_head_are_refused_with_a_remedy(tiny):
    odd = checkpoint(tiny, head_width=5)
    with pytest.raises(RecipeError, match=r"heads have 5.*even head width"):
        position_table(odd, "rotary")


# the sum


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scaled", [True, False])
def test_embedding_plus_position_is_the_sum_to_the_last_bit(tiny, kind, side, scaled):
    model = checkpoint(tiny, double=False, positions=kind, scale_embedding=scaled)
    study = position_sum(model, sentence(), TARGET, side)
    assert study.sum_TD.dtype == np.float32
    assert np.array_equal(study.embedding_TD + study.position_TD, study.sum_TD)
    assert study.position_TD.any() == (kind in ("sinusoidal", "learned"))
    ids = IDS if side == "source" else TARGET
    assert study.tokens.ids == tuple(ids)
    embedding = getattr(model.model, f"{side}_embedding")(torch.tensor(ids))
    scale = math.sqrt(24) if scaled else 1
    assert np.allclose(study.embedding_TD, embedding.detach().numpy() * scale)


# order


@every_variant
def test_without_positions_the_encoder_attends_the_same_whatever_the_order(tiny, variant):
    study = effect(of_variant(tiny, variant), sentence(), TARGET, ORDER, positions=False)
    assert max(change.largest for change in study.changes) < 1e-10
    assert study.predictions_T.max() < 1e-10
    soft = VARIANTS[variant].get("attention") != "hard"
    assert study.predictions_provably_same == soft
    if soft:
        assert all(change.provably_none for change in study.changes)


def test_equal_tokens_tie_under_hard_attention_and_nothing_is_called_provable(tiny):
    model = checkpoint(tiny, attention="hard")
    study = effect(model, sentence((5, 17, 5, 5, 33, 2)), TARGET, ORDER, positions=False)
    assert max(change.largest for change in study.changes) == 1
    assert study.predictions_T.max() < 1e-10  # equal tokens have equal values too
    proven = [(c.site, c.layer) for c in study.changes if c.provably_none]
    assert proven == [("decoder", 0)] and not study.predictions_provably_same


@every_variant
def test_with_positions_order_matters(tiny, variant):
    model = of_variant(tiny, variant)
    study = effect(model, sentence(), TARGET, ORDER)
    largest = max(change.largest for change in study.changes)
    if model.config.positions == "none":
        assert largest < 1e-10 and study.predictions_provably_same
    else:
        assert largest > 1e-3 and not study.predictions_provably_same


@every_variant
def test_what_is_called_provably_the_same_is_the_same(tiny, variant):
    model = of_variant(tiny, variant)
    rows = [0, 4, 2, 9, 4, 5]
    for changed in (rows, None):
        study = effect(model, sentence(pads=0), TARGET, ORDER, changed)
        for change in study.changes:
            if change.provably_none:
                assert change.largest < 1e-10
        first = [c for c in study.changes if c.site == "decoder" and c.layer == 0]
        assert first[0].provably_none and first[0].largest == 0


def test_pads_move_with_the_rest_and_get_no_weight(tiny):
    source = sentence(pads=2)
    order = [7, 3, 0, 6, 1, 2, 5, 4]
    study = effect(checkpoint(tiny), source, TARGET, order, positions=False)
    assert max(change.largest for change in study.changes) < 1e-10
    pads = [kind == "pad" for kind in study.after.source.kinds]
    assert pads == [True, False, False, True, False, False, False, False]
    assert not study.after.encoder_LHSS[..., pads].any()
    assert not study.after.cross_LHTS[..., pads].any()


@every_variant
def test_words_and_positions_moved_together_change_nothing(tiny, variant):
    """A token that keeps its position may stand anywhere: order is what positions say it is."""
    model = of_variant(tiny, variant)
    study = effect(model, sentence(), TARGET, ORDER, rows=ORDER)
    assert max(change.largest for change in study.changes) < 1e-10


def test_the_run_before_is_what_the_decoder_does_step_by_step(tiny):
    from model_core.recipe import Choice, Recipe
    from model_core.tracer import Tracer

    recipe = Recipe("tiny", "The old cat sleeps.", tuple(Choice(i) for i in TARGET[1:]))
    decoding = Tracer(tiny).evaluate(recipe)
    order = list(range(len(decoding.source)))
    study = effect(tiny, decoding.source, TARGET, order)
    for layer, trace in enumerate(decoding.encoder):
        assert np.array_equal(study.before.encoder_LHSS[layer], trace.weights_HQK)
    for site in ("decoder", "cross"):
        for layer, weights_HQK in enumerate(study.before.weights_LHQK(site)):
            expected_HQK = decoding.trace(site, layer).weights_HQK
            np.testing.assert_allclose(weights_HQK, expected_HQK, atol=1e-6)
    for step, log_probabilities_V in zip(
        decoding.steps, study.before.log_probabilities_TV, strict=True
    ):
        np.testing.assert_allclose(log_probabilities_V, step.log_probabilities_V, atol=1e-5)


@every_variant
def test_what_was_kept_of_other_orders_changes_no_number(tiny, variant):
    model, recent = of_variant(tiny, variant), Recent(16)
    typed = sentence()
    for positions in (True, False):
        for rows in (None, [1, 1, 2, 3, 4, 5]):
            for order in (range(6), ORDER):
                kept, fresh = (
                    effect(model, typed, TARGET, order, rows, positions, recent=memory)
                    for memory in (recent, None)
                )
                assert kept.changes == fresh.changes
                assert np.array_equal(kept.predictions_T, fresh.predictions_T)
                assert translation(
                    model, typed, order, rows, positions, recent=recent
                ) == translation(model, typed, order, rows, positions)


@pytest.mark.parametrize("positions", [True, False])
def test_what_is_asked_again_is_not_run_again(tiny, positions, monkeypatch):
    model, recent, runs = checkpoint(tiny), Recent(16), []
    run = study_order._run
    monkeypatch.setattr(study_order, "_run", lambda *asked: runs.append(1) or run(*asked))
    for order, runs_so_far in ((ORDER, 2), (ORDER, 2), (range(6), 2), (ORDER[::-1], 3)):
        effect(model, sentence(), TARGET, order, positions=positions, recent=recent)
        assert len(runs) == runs_so_far


def test_nothing_changed_is_no_difference_at_all(tiny):
    source = sentence()
    study = effect(checkpoint(tiny), source, TARGET, list(range(6)), list(range(6)))
    assert study.predictions_provably_same
    assert max(change.largest for change in study.changes) == 0


def test_float64_leaves_less_than_float32(tiny):
    single, double = (
        effect(tiny, sentence(), TARGET, ORDER, positions=False, double=double)
        for double in (False, True)
    )
    assert 0 < max(c.largest for c in single.changes) < 1e-5
    assert max(c.largest for c in double.changes) < 1e-13
    assert tiny.model.logits.weight.dtype == torch.float32


@every_variant
def test_a_copy_with_other_positions_shares_every_weight_and_leaves_the_model_alone(variant):
    model = tiny_model(3, **VARIANTS[variant])
    before = model(torch.tensor([IDS]), torch.tensor([TARGET])).logits_BTV
    for other in (without_positions(model), repositioned(model, [3, 3, 3, 0, 1, 2])):
        shared = {parameter.data_ptr() for parameter in model.parameters()}
        own = [p for p in other.parameters() if p.data_ptr() not in shared]
        assert len(own) == (model.config.positions == "learned" and other.config == model.config)
    assert torch.equal(model(torch.tensor([IDS]), torch.tensor([TARGET])).logits_BTV, before)


def test_a_model_without_positions_is_its_own_copy():
    model = tiny_model(3, positions="none")
    ids = torch.tensor([IDS]), torch.tensor([TARGET])
    assert torch.equal(without_positions(model)(*ids).logits_BTV, model(*ids).logits_BTV)


def test_without_positions_every_order_translates_the_same(tiny):
    source = sentence()
    typed, moved = (
        translation(checkpoint(tiny), source, order, positions=False)
        for order in (list(range(6)), ORDER)
    )
    assert typed == moved


def test_a_translation_with_positions_is_the_decoders(tiny):
    from model_core.recipe import Recipe
    from model_core.tracer import Tracer

    tracer = Tracer(tiny)
    _, decoding = tracer.extend(Recipe("tiny", "The cat."), 12)
    text = translation(tiny, decoding.source, list(range(len(decoding.source)))).text
    assert decoding.finished is None and len(decoding.steps) == 13
    assert text.startswith(tracer.text(decoding)) and tracer.text(decoding)


# rotation


@pytest.mark.parametrize("site", ["encoder", "decoder"])
@pytest.mark.parametrize("own", [True, False])
def test_each_pair_turns_by_position_times_frequency_and_keeps_its_length(tiny, site, own):
    model = checkpoint(tiny, positions="rotary" if own else "sinusoidal")
    study = rotation(model, sentence(), TARGET, site, 1, 1, 2, 0)
    assert study.own == own
    for before_QE, after_QE in (
        (study.q_QE, study.turned_q_QE),
        (study.k_QE, study.turned_k_QE),
    ):
        before = before_QE[:, 0::2] + 1j * before_QE[:, 1::2]
        after = after_QE[:, 0::2] + 1j * after_QE[:, 1::2]
        angles = np.outer(np.arange(len(before)), study.frequencies_E)
        np.testing.assert_allclose(after, before * np.exp(1j * angles), atol=1e-5)


def test_rotary_vectors_of_a_rotary_model_are_its_record(tiny):
    model = checkpoint(tiny, positions="rotary")
    study = rotation(model, sentence(), TARGET, "encoder", 1, 0, 0, 0)
    record = model.model.encode(torch.tensor([IDS])).records[1]
    assert np.array_equal(study.turned_q_QE, record.q_BHQE[0, 0].detach().numpy())
    assert np.array_equal(study.turned_scores_QQ, record.scores_BHQK[0, 0].detach().numpy())


@pytest.mark.parametrize("similarity", ["scaled_dot", "dot", "additive", "bilinear"])
def test_the_score_depends_on_distance_alone_where_that_is_promised(tiny, similarity):
    model = checkpoint(tiny, similarity=similarity)
    if similarity == "bilinear":  # which starts as the dot product
        attention = model.model.encoder[0].self_attention
        with torch.no_grad():
            attention.bilinear_HEE += torch.randn_like(attention.bilinear_HEE)
    study = rotation(model, sentence(), TARGET, "encoder", 0, 0, 2, 4)
    assert study.distance_only == (similarity in ("scaled_dot", "dot"))
    assert (study.spread < 1e-4) == study.distance_only
    # Both at position 0 nothing is turned.
    assert study.placed_scores_PP[0, 0] == pytest.approx(study.scores_QQ[2, 4])


def test_placed_where_they_stand_they_have_the_turned_score(tiny):
    study = rotation(checkpoint(tiny), sentence(), TARGET, "encoder", 0, 1, 4, 1)
    assert study.placed_scores_PP[4, 1] == pytest.approx(study.turned_scores_QQ[4, 1])


def test_every_array_is_a_copy_that_nobody_can_change(tiny):
    studies = (
        position_table(tiny, "sinusoidal"),
        position_sum(tiny, sentence(), TARGET, "source"),
        effect(tiny, sentence(), TARGET, ORDER).put_back,
        rotation(tiny, sentence(), TARGET, "encoder", 0, 0, 0, 0),
    )
    for study in studies:
        for field in dataclasses.fields(study):
            value = getattr(study, field.name)
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable and value.flags.owndata
