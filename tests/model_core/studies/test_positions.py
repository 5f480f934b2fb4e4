import dataclasses
import math

import numpy as np
import pytest
import torch

from model_core.errors import RecipeError
from model_core.models.own import OwnModel
from model_core.studies.order import effect
from model_core.studies.positions import KINDS, position_sum, position_table, rotation
from model_core.transformer.positions import sinusoidal_table
from tests.model_core.studies.sentences import IDS, ORDER, TARGET, own_model, sentence

# the table


def test_the_table_is_what_the_model_adds(tiny):
    model = own_model(tiny, double=False)
    table = position_table(model, "sinusoidal")
    assert table.own and table.table_PD.shape == (24, 24)
    assert np.array_equal(table.table_PD, sinusoidal_table(24, 24).numpy())


def test_each_dimension_repeats_after_its_wavelength(tiny):
    table = position_table(own_model(tiny), "sinusoidal")
    for d, wavelength in enumerate(table.wavelengths_D):
        wave = math.sin if d % 2 == 0 else math.cos
        for p in range(table.positions):
            expected = wave(2 * math.pi * p / wavelength)
            assert table.table_PD[p, d] == pytest.approx(expected, abs=1e-6)


def test_how_alike_two_sinusoidal_positions_are_depends_on_their_distance_alone(tiny):
    similarity_PP = position_table(own_model(tiny), "sinusoidal").similarity_PP
    assert np.allclose(np.diag(similarity_PP), 1)
    for distance in range(1, 24):
        assert np.ptp(np.diag(similarity_PP, distance)) < 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("own", KINDS)
def test_a_table_says_whether_it_is_the_models_own(tiny, own, kind):
    table = position_table(own_model(tiny, double=False, positions=own), kind)
    assert table.kind == kind and table.own == (own == kind)
    assert (table.table_PD.size == 0) == (kind == "none")
    assert (table.wavelengths_D.size == 0) == (kind in ("learned", "none"))


def test_a_learned_table_is_the_trained_one_of_its_side(tiny):
    model = own_model(tiny, double=False, positions="learned")
    for side in ("source", "target"):
        added = getattr(model.transformer, f"{side}_positions")
        table_PD = position_table(model, "learned", side).table_PD
        assert np.array_equal(table_PD, added.table_PD.detach().numpy())


def test_a_table_for_comparison_disturbs_no_random_numbers_and_no_model(tiny):
    before = torch.random.get_rng_state()
    first = position_table(OwnModel(tiny), "learned").table_PD
    assert torch.equal(torch.random.get_rng_state(), before)
    assert np.array_equal(first, position_table(OwnModel(tiny), "learned").table_PD)
    assert tiny.config.positions == "sinusoidal"


def test_rotary_positions_of_an_odd_head_are_refused_with_a_remedy(tiny):
    odd = own_model(tiny, head_width=5)
    with pytest.raises(RecipeError, match=r"heads have 5.*even head width"):
        position_table(odd, "rotary")


@pytest.mark.parametrize("kind", ["sinusoidal", "learned", "rotary"])
def test_two_positions_are_compared_as_numpy_compares_them(tiny, kind):
    table = position_table(own_model(tiny, double=False), kind)
    rows_PD = table.table_PD.astype(np.float64)
    for a, b in ((0, 0), (3, 8), (23, 1)):
        x, y = rows_PD[a], rows_PD[b]
        assert table.products_PP[a, b] == pytest.approx(sum(x * y), rel=1e-6)
        assert table.distances_PP[a, b] == pytest.approx(math.dist(x, y), rel=1e-6)
        cosine = sum(x * y) / math.hypot(*x) / math.hypot(*y)
        assert table.similarity_PP[a, b] == pytest.approx(cosine, rel=1e-6)


def test_a_shift_turns_every_pair_of_a_sinusoidal_table(tiny):
    table = position_table(own_model(tiny, double=False), "sinusoidal")
    for pair in range(12):
        points = table.table_PD[:, 2 * pair + 1] + 1j * table.table_PD[:, 2 * pair]
        turn = np.exp(5j * 10000 ** (-2 * pair / 24))
        np.testing.assert_allclose(points[5:], points[:-5] * turn, atol=1e-6)


@pytest.mark.parametrize(("width", "drawn"), [(24, 12), (64, 32), (256, 32)])
def test_pairs_are_picked_evenly_by_the_logarithm_of_their_wavelength(tiny, width, drawn):
    table = position_table(own_model(tiny, double=False, width=width), "sinusoidal")
    assert len(table.pairs) == drawn and table.pairs[0] == 0
    last = 2 * table.pairs[-1]
    assert last == width - 2 if width <= 64 else table.wavelengths_D[last] <= 8 * table.positions
    steps = np.diff(np.log(table.wavelengths_D[[2 * pair for pair in table.pairs]]))
    one_pair = np.log(table.wavelengths_D[2] / table.wavelengths_D[0])
    assert np.ptp(steps) <= one_pair * 1.001  # as even as whole pairs can be


# the sum


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scaled", [True, False])
def test_embedding_plus_position_is_the_sum_to_the_last_bit(tiny, kind, side, scaled):
    model = own_model(tiny, double=False, positions=kind, scale_embedding=scaled)
    study = position_sum(model, sentence(), TARGET, side)
    assert study.sum_TD.dtype == np.float32
    assert np.array_equal(study.embedding_TD + study.position_TD, study.sum_TD)
    assert study.position_TD.any() == (kind in ("sinusoidal", "learned"))
    ids = IDS if side == "source" else TARGET
    assert study.tokens.ids == tuple(ids)
    embedding = getattr(model.transformer, f"{side}_embedding")(torch.tensor(ids))
    scale = math.sqrt(24) if scaled else 1
    assert np.allclose(study.embedding_TD, embedding.detach().numpy() * scale)


# rotation


@pytest.mark.parametrize("site", ["encoder", "decoder"])
@pytest.mark.parametrize("own", [True, False])
def test_each_pair_turns_by_position_times_frequency_and_keeps_its_length(tiny, site, own):
    model = own_model(tiny, positions="rotary" if own else "sinusoidal")
    study = rotation(model, sentence(), TARGET, site, 1, 1, 2, 0)
    assert study.own == own
    for before_QE, after_QE in (
        (study.q_QE, study.turned_q_QE),
        (study.k_QE, study.turned_k_QE),
    ):
        before = before_QE[:, 0::2] + 1j * before_QE[:, 1::2]
        after = after_QE[:, 0::2] + 1j * after_QE[:, 1::2]
        angles = np.outer(np.arange(len(before)), study.frequencies_N)
        np.testing.assert_allclose(after, before * np.exp(1j * angles), atol=1e-5)


def test_rotary_vectors_of_a_rotary_model_are_its_record(tiny):
    model = own_model(tiny, positions="rotary")
    study = rotation(model, sentence(), TARGET, "encoder", 1, 0, 0, 0)
    record = model.transformer.encode(torch.tensor([IDS])).records[1]
    assert np.array_equal(study.turned_q_QE, record.q_BHQE[0, 0].detach().numpy())
    assert np.array_equal(study.turned_scores_QQ, record.scores_BHQK[0, 0].detach().numpy())


@pytest.mark.parametrize("similarity", ["scaled_dot", "dot", "additive", "bilinear"])
def test_the_score_depends_on_distance_alone_where_that_is_promised(tiny, similarity):
    model = own_model(tiny, similarity=similarity)
    if similarity == "bilinear":  # which starts as the dot product
        attention = model.transformer.encoder[0].self_attention
        with torch.no_grad():
            attention.bilinear_HEE += torch.randn_like(attention.bilinear_HEE)
    study = rotation(model, sentence(), TARGET, "encoder", 0, 0, 2, 4)
    assert study.distance_only == (similarity in ("scaled_dot", "dot"))
    assert (study.spread < 1e-4) == study.distance_only
    # Both at position 0 nothing is turned.
    assert study.placed_scores_PP[0, 0] == pytest.approx(study.scores_QQ[2, 4])


def test_placed_where_they_stand_they_have_the_turned_score(tiny):
    study = rotation(own_model(tiny), sentence(), TARGET, "encoder", 0, 1, 4, 1)
    assert study.placed_scores_PP[4, 1] == pytest.approx(study.turned_scores_QQ[4, 1])


def test_every_array_is_a_copy_that_nobody_can_change(tiny):
    studies = (
        position_table(OwnModel(tiny), "sinusoidal"),
        position_sum(OwnModel(tiny), sentence(), TARGET, "source"),
        effect(OwnModel(tiny), sentence(), TARGET, ORDER).put_back,
        rotation(OwnModel(tiny), sentence(), TARGET, "encoder", 0, 0, 0, 0),
    )
    for study in studies:
        for field in dataclasses.fields(study):
            value = getattr(study, field.name)
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable and value.flags.owndata


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (("cross", 0, 0, 0, 0), "self-attention"),
        (("nowhere", 0, 0, 0, 0), "no site 'nowhere'"),
        (("decoder", 3, 0, 0, 0), "no layer 4 of the decoder; there are 1 to 3"),
        (("encoder", 0, 2, 0, 0), "no head 3"),
        (("encoder", 0, -1, 0, 0), "no head 0"),
        (("decoder", 0, 0, 4, 0), "no query 5; there are 1 to 4"),
        (("encoder", 0, 0, 0, 6), "no key 7; there are 1 to 6"),
    ],
)
def test_a_rotation_that_there_is_not_is_named(tiny, place, message):
    with pytest.raises(RecipeError, match=message):
        rotation(own_model(tiny), sentence(), TARGET, *place)
