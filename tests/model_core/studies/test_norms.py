"""Both norms on one batch, against torch's own layers and the model's own norm."""

import numpy as np
import pytest
import torch

from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.own import OwnModel
from model_core.studies.batch import translate_batch
from model_core.studies.norms import study_norms
from model_core.transformer.taps import keeping
from tests.model_core.studies.sentences import SENTENCES
from tests.tiny import tiny_checkpoint

PLACES = [("encoder", 0), ("encoder", 1), ("decoder", 2), ("cross", 1)]


def studied(folder, site, layer, **changes):
    checkpoint = tiny_checkpoint(folder, 3, **changes)
    own = OwnModel(checkpoint)
    tracer = Tracer(own, Cache(0))
    batch = translate_batch(tracer, SENTENCES)
    return own, batch, study_norms(own, batch, site, layer)


@pytest.mark.parametrize(("site", "layer"), PLACES)
def test_layer_norm_takes_the_features_of_a_token_and_batch_norm_a_feature_of_all(
    tmp_path, site, layer
):
    _, _, study = studied(tmp_path / "tiny", site, layer)
    x_ND = torch.from_numpy(study.entered_ND.copy()).double()
    D = x_ND.shape[1]
    layered_ND = torch.nn.functional.layer_norm(x_ND, (D,))
    np.testing.assert_allclose(study.layered.left_ND, layered_ND, atol=1e-12)
    real_N = torch.from_numpy(~study.is_pad_N)
    assert site != "encoder" or 0 < real_N.sum() < len(real_N)  # their lengths differ
    T = len(study.tokens[0])
    for averaged, rows_N in (
        (study.whole, real_N),
        (study.padded, torch.ones_like(real_N)),
        (study.alone, real_N & (torch.arange(len(x_ND)) < T)),
    ):
        norm = torch.nn.BatchNorm1d(D, affine=False).double().train()
        assert averaged.count == rows_N.sum()
        expected_ND = norm(x_ND[rows_N]).numpy()
        got_ND = averaged.left_ND[rows_N.numpy()[: len(averaged.left_ND)]]
        np.testing.assert_allclose(got_ND, expected_ND, atol=1e-10)
    assert study.layered.count == D and study.single == pytest.approx(np.sqrt(1e-5))


@pytest.mark.parametrize("place", ["pre", "post"])
@pytest.mark.parametrize(("site", "layer"), PLACES)
def test_the_models_own_norm_is_the_layer_norm_with_its_gain_and_bias(tmp_path, site, layer, place):
    own, batch, study = studied(tmp_path / "tiny", site, layer, norm_place=place)
    values = {}
    own.full_pass(
        [one.ids for one in batch.sources], [one.ids for one in batch.fed], tap=keeping(values)
    )
    stack = "encoder" if site == "encoder" else "decoder"
    kind = "cross" if site == "cross" else "self"
    tapped = values[f"{stack}.{layer + 1}.{kind}.{'read' if place == 'pre' else 'passed'}"]
    around = "around_cross" if site == "cross" else "around_self"
    norm = getattr(getattr(own.transformer, stack)[layer], around).norm
    made_ND = study.layered.left_ND * norm.weight.numpy(force=True) + norm.bias.numpy(force=True)
    np.testing.assert_allclose(made_ND, tapped.flatten(0, 1).numpy(force=True), atol=1e-4)


def test_what_batch_norm_makes_of_a_sentence_depends_on_its_batch_and_layer_norm_does_not(tmp_path):
    own, _, study = studied(tmp_path / "tiny", "encoder", 1)
    tracer = Tracer(own, Cache(0))
    alone = study_norms(own, translate_batch(tracer, SENTENCES[:1]), "encoder", 1)
    T = len(alone.entered_ND)
    np.testing.assert_allclose(study.layered.left_ND[:T], alone.layered.left_ND, atol=1e-4)
    assert np.abs(study.whole.left_ND[:T] - alone.whole.left_ND).max() > 0.1
    np.testing.assert_allclose(study.alone.left_ND[:T], alone.whole.left_ND, atol=1e-4)


def test_a_layer_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(RecipeError, match="There is no"):
        studied(tmp_path / "tiny", "encoder", 9)
