from math import erf

import numpy as np
import pytest
import torch

from model_core.decoding.cache import NO_CACHE, Cache
from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.studies.head import study_head
from model_core.studies.path import study_path
from model_core.transformer.taps import keeping
from model_core.values.edits import read_edits
from model_core.values.recipe import Choice, Recipe
from tests.model_core.studies.sentences import traced
from tests.variants import FEW, VARIANTS

SITES = ("encoder", "decoder", "cross")
# The target is longer than the source; pads, so that something is masked in every site but one.
RECIPE = Recipe("tiny", "cat on", tuple(Choice(token) for token in range(5, 19)), pads=2)
CLOSE = {"rtol": 1e-10, "atol": 1e-10}


@pytest.fixture(scope="module", params=VARIANTS)
def variant(request):
    return traced(RECIPE, **VARIANTS[request.param])


def cells(own, decoding):
    """Studies of two rows at each site, of the first and last head and layer."""
    config = own.config
    for site in SITES:
        encoder = site == "encoder"
        layers = config.encoder_layers if encoder else config.decoder_layers
        heads = config.encoder_heads if encoder else config.decoder_heads
        last = len(decoding.source if encoder else decoding.steps) - 1
        for layer, head, query in ((0, heads - 1, last), (layers - 1, 0, 1)):
            yield study_head(own, decoding, site, layer, head, query)


@pytest.fixture(scope="module")
def studies(variant):
    return tuple(cells(*variant))


def test_what_was_kept_of_other_cells_changes_no_number():
    own, decoding = traced(RECIPE)
    cache = Cache(4)
    for site in SITES:
        kept, fresh = (
            study_head(own, decoding, site, 1, 0, 2, memory) for memory in (cache, NO_CACHE)
        )
        assert np.array_equal(kept.scores_K, fresh.scores_K)
        assert np.array_equal(kept.norm.left_D, fresh.norm.left_D)
    for side in ("source", "target"):
        kept, fresh = (study_path(own, decoding, side, 1, memory) for memory in (cache, NO_CACHE))
        assert np.array_equal(kept.output_D, fresh.output_D)
        assert (kept.logits_V is None) == (fresh.logits_V is None) == (side == "source")


@pytest.mark.parametrize("side", ["source", "target"])
def test_what_leaves_a_sub_layer_enters_the_next(variant, side):
    own, decoding = variant
    config = own.config
    way = study_path(own, decoding, side, 1)
    depth = 2 * config.encoder_layers if side == "source" else 3 * config.decoder_layers
    assert len(way.sublayers) == depth
    stream_D = way.sum_D
    for sublayer in way.sublayers:
        assert np.array_equal(sublayer.entered_D, stream_D)
        assert np.array_equal(sublayer.sum_D, sublayer.entered_D + sublayer.made_D)
        pre = config.norm_place == "pre"
        assert np.array_equal(sublayer.passed_D, sublayer.sum_D) == pre
        assert np.array_equal(sublayer.read_D, sublayer.entered_D) != pre
        stream_D = sublayer.passed_D
    assert np.array_equal(way.output_D, stream_D) != config.final_norm
    if way.position_D is not None:
        assert np.array_equal(way.sum_D, way.embedding_D + way.position_D)
    else:
        assert config.positions in ("rotary", "none")
        assert np.array_equal(way.sum_D, way.embedding_D)


def test_the_way_of_a_target_token_ends_in_the_full_softmax(variant):
    own, decoding = variant
    way = study_path(own, decoding, "target", 2)
    assert np.exp(way.log_probabilities_V).sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(
        way.log_probabilities_V, decoding.steps[2].log_probabilities_V, **CLOSE
    )
    head = own.transformer.logits
    logits_V = head(torch.from_numpy(way.output_D.copy())).detach().numpy()
    np.testing.assert_allclose(way.logits_V, logits_V, **CLOSE)
    assert study_path(own, decoding, "source", 0).logits_V is None


@pytest.mark.parametrize("variant", [*FEW, "dot", "bilinear", "deep-decoder"])
def test_in_float32_the_printed_sum_is_within_rounding_of_the_score(variant):
    own, decoding = traced(RECIPE, double=False, **VARIANTS[variant])
    for study in cells(own, decoding):
        assert study.products_KE.dtype == study.sums_K.dtype == np.float32
        size_K = np.abs(study.products_KE).sum(axis=1)
        off_K = np.abs(study.sums_K / np.float32(study.divisor) - study.scores_K)
        E = study.products_KE.shape[1]
        assert (off_K <= E * np.finfo(np.float32).eps * size_K).all()
        trace = decoding.trace(study.site, study.layer)
        # A weight moves by at most half of what the scores are rounded by, one row to the next.
        atol = E * np.finfo(np.float32).eps * np.abs(study.scores_K).max() + 2e-6
        np.testing.assert_allclose(
            study.weights_K, trace.weights_HQK[study.head, study.query], atol=atol
        )


def test_the_factors_of_each_similarity_are_those_of_its_formula():
    for similarity in ("scaled_dot", "dot", "additive", "bilinear"):
        own, decoding = traced(RECIPE, similarity=similarity)
        study = study_head(own, decoding, "cross", 1, 2, 3)
        attention = own.transformer.decoder[1].cross_attention
        q_E, k_KE = study.q_E, study.k_KE
        if similarity == "additive":
            factor_E = attention.additive_HE[2].detach().numpy()
            other_KE = np.tanh(q_E + k_KE)
        elif similarity == "bilinear":
            factor_E, other_KE = q_E @ attention.bilinear_HEE[2].detach().numpy(), k_KE
        else:
            factor_E, other_KE = q_E, k_KE
        np.testing.assert_allclose(study.factor_KE, np.tile(factor_E, (len(k_KE), 1)), **CLOSE)
        np.testing.assert_allclose(study.other_KE, other_KE, **CLOSE)
        assert study.divisor == (np.sqrt(len(q_E)) if similarity == "scaled_dot" else 1)


def test_a_later_token_changes_nothing_behind_an_earlier_cell():
    own, decoding = traced(RECIPE)
    other = Recipe("tiny", RECIPE.source, (*RECIPE.target[:6], Choice(77)), pads=2)
    changed = Tracer(own, Cache(0)).evaluate(other)
    for site in ("decoder", "cross"):
        was = study_head(own, decoding, site, 2, 1, 4)
        now = study_head(own, changed, site, 2, 1, 4)
        np.testing.assert_allclose(now.sublayer.passed_D, was.sublayer.passed_D, **CLOSE)
        np.testing.assert_allclose(now.context_E, was.context_E, **CLOSE)


def test_arrays_are_read_only_copies():
    own, decoding = traced(RECIPE)
    study = study_head(own, decoding, "decoder", 0, 0, 0)
    way = study_path(own, decoding, "target", 0)
    holders = (study, study.sublayer, study.norm, way, *way.sublayers)
    arrays = [a for h in holders for a in vars(h).values() if isinstance(a, np.ndarray)]
    assert len(arrays) > 30
    for array in arrays:
        assert array.flags.owndata and not array.flags.writeable


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (("side", 0, 0, 0), "There is no site 'side'; there are encoder, decoder, cross."),
        (("encoder", 2, 0, 0), "There is no layer 3 of the encoder; there are 1 to 2."),
        (("cross", -1, 0, 0), "There is no layer 0 of the decoder; there are 1 to 3."),
        (("encoder", 0, 2, 0), "There is no head 3; there are 1 to 2."),
        (("decoder", 0, 0, 15), "There is no query 16; there are 1 to 15."),
    ],
)
def test_what_there_is_not_is_named(where, words):
    own, decoding = traced(RECIPE)
    with pytest.raises(RecipeError) as refused:
        study_head(own, decoding, *where)
    assert str(refused.value) == words


def test_a_token_that_was_not_fed_in_has_no_way():
    own, decoding = traced(RECIPE)
    for side, position in (("target", 15), ("source", -1), ("middle", 0)):
        with pytest.raises(RecipeError, match="There is no"):
            study_path(own, decoding, side, position)


def test_queries_keys_and_values_are_made_of_what_is_shown_as_read(variant, studies):
    own, _ = variant
    for study in studies:
        site = study.site
        stack = own.transformer.encoder if site == "encoder" else own.transformer.decoder
        layer = stack[study.layer]
        attention = layer.cross_attention if site == "cross" else layer.self_attention
        weight, bias = (
            None if one is None else one.detach().numpy()
            for one in (attention.projection.weight, attention.projection.bias)
        )
        E, inner = attention.E, attention.H * attention.E
        turned = own.config.positions == "rotary" and site != "cross"

        def projected(read_D, part, head=study.head, E=E, inner=inner, w=weight, b=bias):
            rows = slice(part * inner + head * E, part * inner + (head + 1) * E)
            return read_D @ w[rows].T + (0 if b is None else b[rows])

        np.testing.assert_allclose(projected(study.read_KD, 2), study.v_KE, **CLOSE)
        q_E, k_KE = projected(study.sublayer.read_D, 0), projected(study.read_KD, 1)
        for found, wanted in ((study.q_E, q_E), (study.k_KE, k_KE)):
            if turned:  # a rotation keeps lengths
                found, wanted = (np.linalg.norm(one, axis=-1) for one in (found, wanted))
            # The table of rotations is float32.
            np.testing.assert_allclose(found, wanted, **{"rtol": 1e-6} if turned else CLOSE)


def test_without_the_scale_the_scores_are_products_and_so_the_weights(variant, studies):
    config = variant[0].config
    for study in studies:
        if config.similarity != "scaled_dot":
            assert study.unscaled_scores_K is None and study.unscaled_weights_K is None
            continue
        scores_K = study.k_KE @ study.q_E
        np.testing.assert_allclose(study.unscaled_scores_K, scores_K, **CLOSE)
        hidden_K = np.where(study.allowed_K, scores_K, -np.inf)
        powers_K = np.exp(hidden_K - hidden_K.max())
        softmax_K = powers_K / powers_K.sum()
        if config.attention == "hard":
            softmax_K = np.eye(len(scores_K))[hidden_K.argmax()]
        np.testing.assert_allclose(study.unscaled_weights_K, softmax_K, **CLOSE)


@pytest.mark.parametrize("side", ["source", "target"])
def test_the_hidden_units_are_those_of_the_feed_forward_alone(variant, side):
    own, decoding = variant
    config, model = own.config, own.transformer
    stack = model.encoder if side == "source" else model.decoder
    for sublayer in study_path(own, decoding, side, 1).sublayers:
        _, number, kind = sublayer.name.split(".")
        assert (sublayer.hidden_F is not None) == (kind == "feed_forward")
        if sublayer.hidden_F is None:
            continue
        inner, outer = (
            [one.detach().numpy().reshape(len(one), -1) for one in (part.weight, part.bias)]
            for part in (
                stack[int(number) - 1].feed_forward.inner,
                stack[int(number) - 1].feed_forward.outer,
            )
        )
        before_F = inner[0] @ sublayer.read_D + inner[1][:, 0]
        if config.activation == "relu":
            after_F = np.maximum(before_F, 0)
        else:
            after_F = before_F * (1 + np.array([erf(x / 2**0.5) for x in before_F])) / 2
        np.testing.assert_allclose(sublayer.hidden_F, after_F, **CLOSE)
        assert len(sublayer.hidden_F) == config.feed_forward_width
        made_D = outer[0] @ sublayer.hidden_F + outer[1][:, 0]
        np.testing.assert_allclose(made_D, sublayer.made_D, **CLOSE)


def test_the_lens_projects_the_stream_of_every_stage(variant):
    own, decoding = variant
    config, model = own.config, own.transformer
    way = study_path(own, decoding, "target", 2)
    streams = [way.embedding_D, *([] if way.position_D is None else [way.sum_D])]
    streams += [sublayer.passed_D for sublayer in way.sublayers]
    weight_VD = model.logits.weight.detach().numpy()
    bias_V = 0 if model.logits.bias is None else model.logits.bias.detach().numpy()
    wanted, wanted_logits = [], []
    for x_D in streams:
        if config.final_norm:
            centred_D = x_D - x_D.mean()
            norm = model.decoder_norm
            if config.norm != "layer":
                gain, bias = norm.gain, norm.bias
                spread = x_D.std(ddof=1) + config.norm_eps
            else:
                gain, bias = norm.weight, norm.bias
                spread = np.sqrt(x_D.var() + config.norm_eps)
            x_D = gain.detach().numpy() * centred_D / spread + bias.detach().numpy()
        logits_V = weight_VD @ x_D + bias_V
        wanted_logits.append(logits_V)
        wanted.append(logits_V - np.logaddexp.reduce(logits_V))
    wanted += [wanted[-1]] * config.final_norm
    wanted_logits += [wanted_logits[-1]] * config.final_norm
    np.testing.assert_allclose(way.lens_logits_SV, wanted_logits, **CLOSE)
    np.testing.assert_allclose(way.lens_SV, wanted, **CLOSE)
    assert np.array_equal(way.lens_SV[-1], way.log_probabilities_V)
    assert study_path(own, decoding, "source", 1).lens_SV is None


EDITED = {
    # What the edit changes of the links: the heads that are replaced, and the verdicts that differ.
    "head-off:cross.2.3": ({2}, set()),
    "head-mean:cross.2.3": ({2}, set()),
    "sublayer-off:decoder.2.cross": (set(), {"output"}),
    "zero-value:1": (set(), set()),
    "zero-value:1.cross.2.3": (set(), set()),
    "dropout:3": (set(), {"dropped", "output"}),
    "no-scale": (set(), set()),
    "encoder-layer:1": (set(), set()),
    "hide:1": (set(), set()),
}


@pytest.mark.parametrize("edit", EDITED)
def test_the_links_of_an_edited_model_add_up_or_say_what_stands_in_their_place(edit):
    changes = {"dropout_residual": 0.3, "dropout_attention": 0.3}
    own, _ = traced(RECIPE, **changes)
    means = {site: np.ones((3, 4, 6)) for site in SITES}
    model = own.edited(read_edits([edit]), means if "mean" in edit else None)
    decoding = Tracer(model, Cache(0)).evaluate(RECIPE)
    values = {}
    model.full_pass([decoding.source.ids], [decoding.fed.ids], tap=keeping(values))
    replaced, differ = EDITED[edit]
    for head in (0, 2):
        study = study_head(model, decoding, "cross", 1, head, 4)
        tapped = {
            name: values[f"decoder.2.cross.{name}"][0] for name in ("heads", "values", "made")
        }
        assert np.array_equal(study.context_E, tapped["heads"][head, 4])
        assert np.array_equal(study.v_KE, tapped["values"][head])
        assert np.array_equal(study.sublayer.made_D, tapped["made"][4])
        np.testing.assert_allclose(study.weighted_KE.sum(axis=0), study.summed_E, **CLOSE)
        np.testing.assert_allclose(
            study.weighted_KE, study.dropped_K[:, None] * study.v_KE, **CLOSE
        )
        assert set(np.flatnonzero(study.replaced_H)) == replaced
        assert np.allclose(study.summed_E, study.context_E) == (head not in replaced)
        made_D = study.shares_HD.sum(axis=0) + study.output_bias_D
        np.testing.assert_allclose(made_D, study.output_D, **CLOSE)
        assert np.allclose(study.output_D, study.sublayer.made_D) == ("output" not in differ)
        assert {name for name, said in study.verdicts.items() if said == "differs"} == differ
        assert (study.dropped_K == study.weights_K).all() == ("dropped" not in differ)
        zeroed = edit.startswith("zero-value") and (head == 2 or "cross" not in edit)
        assert study.zeroed_K.tolist() == [zeroed, *[False] * (len(study.keys) - 1)]
        assert not study.v_KE[study.zeroed_K].any()
    if replaced:
        assert (study.shares_HD[2] == 0).all() == edit.startswith("head-off")


def test_a_row_that_may_see_nothing_is_even_under_a_finite_score_and_says_so():
    own, decoding = traced(RECIPE, hidden_score="-1e9")
    everything = [f"hide:{place + 1}" for place in range(len(decoding.source))]
    model = own.edited(read_edits(everything))
    study = study_head(model, Tracer(model, Cache(0)).evaluate(RECIPE), "cross", 1, 0, 4)
    K = len(study.keys)
    assert not study.allowed_K.any() and study.hidden_score == -1e9
    np.testing.assert_allclose(study.weights_K, np.full(K, 1 / K), **CLOSE)
    np.testing.assert_allclose(study.exponentials_K, np.ones(K), **CLOSE)
    assert study.verdicts["hidden"] == "differs" and study.verdicts["weights"] == "proven"


def test_the_sum_that_enters_the_first_layer_is_called_one_where_it_is():
    own, decoding = traced(RECIPE, dropout_embedding=0.3)
    assert study_path(own, decoding, "target", 2).adds_up == "proven"
    dropped = own.edited(read_edits(["dropout:3"]))
    way = study_path(dropped, decoding, "target", 2)
    assert not np.allclose(way.embedding_D + way.position_D, way.sum_D)
    assert way.adds_up == "differs"
