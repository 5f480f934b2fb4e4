"""The lengths of vectors on the path through a model, against the path of one token."""

import numpy as np
import pytest

from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.models.own import OwnModel
from model_core.studies.path import path_lengths, study_path
from model_core.values.recipe import Choice, Recipe
from tests.tiny import tiny_checkpoint

RECIPE = Recipe("tiny", "cat on", tuple(Choice(token) for token in range(5, 9)), pads=2)


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("changes", [{}, {"norm_place": "pre", "final_norm": True}])
def test_every_length_is_that_of_the_vector_of_its_stage(tmp_path, side, changes):
    own = OwnModel(tiny_checkpoint(tmp_path / "tiny", 3, **changes))
    decoding = Tracer(own, Cache(0)).evaluate(RECIPE)
    lengths = path_lengths(own, decoding, side)
    for position in (0, 1, 3):
        way = study_path(own, decoding, side, position)
        expected = [
            ("embedding", way.embedding_D),
            ("sum", way.sum_D),
            *((one.name, one.passed_D) for one in way.sublayers),
            *([("output", way.output_D)] if changes else []),
        ]
        assert lengths.names == tuple(name for name, _ in expected)
        np.testing.assert_allclose(
            lengths.stream_ST[:, position], [np.linalg.norm(one) for _, one in expected], rtol=1e-5
        )
        made = lengths.made_ST[2 : 2 + len(way.sublayers), position]
        np.testing.assert_allclose(
            made, [np.linalg.norm(one.made_D) for one in way.sublayers], rtol=1e-5
        )
    assert np.isnan(lengths.made_ST[:2]).all()
