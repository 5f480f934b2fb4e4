"""Two runs side by side: every number is a model's own."""

import numpy as np
import pytest

from model_core.decoding.run import Run
from model_core.studies.path import path_lengths
from model_core.studies.readings import value_norms
from model_core.values.recipe import Recipe
from tests.answered import floats
from tests.viz_app.rooms.compare.asking import B, ask
from viz_app.rooms.compare.apart import heads_apart


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("align", ["text", "position"])
def test_every_weight_is_the_models_own_and_what_is_missing_is_no_number(
    service, recipe, site, align
):
    answer = ask(
        service,
        recipe,
        b=B,
        site=site,
        layer=1,
        head=1,
        other_layer=0,
        other_head=0,
        align=align,
    )
    library = service.library
    own = library.extend(Recipe.from_json(recipe), 0)[1].trace(site, 1).weights_HQK[1]
    its = library.extend(Recipe.from_json(B), None)[1].trace(site, 0).weights_HQK[0]
    expected = {"a": own, "b": its}
    for run, weights_QK in expected.items():
        of = "ab".index(run)
        seen = 0
        for row, rows in enumerate(answer["row_pairs"]):
            for column, columns in enumerate(answer["column_pairs"]):
                value = answer[run][row, column]
                if rows[of] is None or columns[of] is None:
                    assert np.isnan(value)
                else:
                    assert value == weights_QK[rows[of], columns[of]]
                    seen += 1
        assert seen == weights_QK.size
    missing = np.isnan(answer["a"]) | np.isnan(answer["b"])
    assert missing.any() or site == "decoder"  # the sources have other lengths
    np.testing.assert_array_equal(np.isnan(answer["difference"]), missing)
    apart = (answer["a"] - answer["b"])[~missing]
    np.testing.assert_array_equal(answer["difference"][~missing], apart)
    most = answer["most"]
    assert abs(most["difference"]) == np.abs(apart).max()
    assert answer["difference"][most["row"], most["column"]] == np.float32(most["difference"])


def test_the_distance_of_two_rows_is_total_variation(service, recipe):
    answer = ask(service, recipe, b=B, site="cross")
    for (i, j), row_a, row_b, far in zip(
        answer["row_pairs"], answer["a"], answer["b"], answer["row_distance"], strict=True
    ):
        if i is None or j is None:
            assert far is None
            continue
        # By the definition: the most that any set of keys can differ by.
        a, b = np.nan_to_num(row_a.astype(float)), np.nan_to_num(row_b.astype(float))
        assert far == pytest.approx(np.maximum(a - b, 0).sum(), abs=1e-6)
        assert 0 <= far <= 1 + 1e-6


def test_where_no_row_has_a_counterpart_no_heads_are_compared(service, recipe):
    wanted = Recipe.from_json(recipe)
    tracer = service.library.tracer("tiny")
    run = Run(tracer, *tracer.extend(wanted, 0))
    columns = [(at, at) for at in range(len(run.decoding.source))]
    assert heads_apart(run, run, "encoder", [(0, 0)], columns).max() == 0
    assert heads_apart(run, run, "encoder", [(0, None), (None, 0)], columns) is None


def test_a_run_beside_itself_differs_nowhere(service, recipe):
    answer = ask(service, recipe, b=recipe, site="decoder")
    assert not np.nan_to_num(answer["difference"]).any()
    assert answer["parting"] is None and set(answer["row_distance"]) == {0.0}
    heads = floats(answer["heads"])
    assert not heads.any() and answer["alike"]["distance"] == 0


def test_of_another_model_the_head_most_like_is_shown(service, recipe):
    for site in ("encoder", "decoder", "cross"):
        answer = ask(service, recipe, b=B, site=site)
        alike = {name: answer["alike"][name] for name in ("layer", "head")}
        assert answer["places"][1].items() >= alike.items()


def test_candidates_have_the_probability_that_each_run_gives_them(service, recipe):
    answer = ask(service, recipe, b=B)
    runs = [
        service.library.extend(Recipe.from_json(one), count)[1]
        for one, count in ((recipe, 0), (B, None))
    ]
    tracer = service.library.tracer("tiny")
    pieces = tracer.labels(range(tracer.anatomy.target_vocabulary)).pieces
    for step in answer["steps"]:
        for candidate in step["candidates"]:
            token = pieces.index(candidate["piece"])  # both read by one tokenizer
            for run, name in enumerate("ab"):
                at = step[name]
                known = None if at is None else np.exp(runs[run].steps[at].log_probabilities_V)
                assert candidate[name] == (
                    None if known is None else pytest.approx(float(known[token]))
                )
    parting = answer["parting"]
    first = next(
        at
        for at, (x, y) in enumerate(
            zip(runs[0].target.ids[1:], runs[1].target.ids[1:], strict=False)
        )
        if x != y
    )
    assert parting["a"] == parting["b"] == first


@pytest.mark.parametrize("site", ["encoder", "cross"])
def test_the_paths_are_the_lengths_that_each_model_has(service, recipe, site):
    answer = ask(service, recipe, b=B, site=site, numbers="path")
    side = "source" if site == "encoder" else "target"
    assert [path["norm_place"] for path in answer["paths"]] == ["post", "pre"]
    for run, path in zip(answer["runs"], answer["paths"], strict=True):
        tracer = service.library.tracer(run["recipe"]["model"])
        decoding = tracer.evaluate(Recipe.from_json(run["recipe"]))
        lengths = path_lengths(tracer.model, decoding, side)
        assert path["names"] == list(lengths.names)
        for name in ("stream_ST", "made_ST"):
            numbers = floats(path[name])
            np.testing.assert_array_equal(numbers, getattr(lengths, name).ravel())
    assert answer["paths"][1]["names"][-1] == "output" != answer["paths"][0]["names"][-1]
    assert ask(service, recipe, b=B, site=site)["paths"] is None


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_the_vectors_make_the_scores_that_each_head_has(service, recipe, site):
    view = {"b": B, "site": site, "layer": 1, "head": 1, "other_layer": 0, "other_head": 0}
    answer = ask(service, recipe, numbers="vectors", **view)
    assert "vectors" in answer["offer"] and answer["vectors"] is not None
    for run, place, sent in zip(answer["runs"], answer["places"], answer["vectors"], strict=True):
        tracer = service.library.tracer(run["recipe"]["model"])
        decoding = tracer.evaluate(Recipe.from_json(run["recipe"]))
        trace = decoding.trace(site, place["layer"])
        Q, K = trace.mask_QK.shape
        one = {name: floats(of) for name, of in sent.items()}
        products_QK = one["q_QE"].reshape(Q, -1) @ one["k_KE"].reshape(K, -1).T
        scores_QK = products_QK / np.sqrt(one["q_QE"].size // Q)
        own_QK = trace.scores_HQK[place["head"]]
        seen = trace.mask_QK
        np.testing.assert_allclose(scores_QK[seen], own_QK[seen], atol=1e-5)
        sizes_QK = one["q_length_Q"][:, None] * one["k_length_K"]
        np.testing.assert_allclose(
            sizes_QK * one["cosine_QK"].reshape(Q, K), products_QK, atol=1e-5
        )
    assert ask(service, recipe, **view)["vectors"] is None


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("numbers", ["scores", "norms"])
def test_scores_and_lengths_are_the_models_own_and_distances_stay_those_of_weights(
    service, recipe, site, numbers
):
    view = {"b": B, "site": site, "feed": "a", "layer": 1, "head": 1}
    answer = ask(service, recipe, numbers=numbers, **view)
    assert answer["numbers"] == numbers and numbers in answer["offer"]
    plain = ask(service, recipe, **view)
    assert answer["row_distance"] == plain["row_distance"] and answer["heads"] == plain["heads"]
    decoding = service.library.extend(Recipe.from_json(recipe), 0)[1]
    trace = decoding.trace(site, 1)
    if numbers == "scores":
        wanted = np.where(trace.mask_QK, trace.scores_HQK[1], np.nan)
    else:
        norms_LHK = value_norms(service.library.tracer("tiny").model, decoding, site)
        wanted = trace.weights_HQK[1] * norms_LHK[1, 1]
    own = [at for at, pair in enumerate(answer["column_pairs"]) if pair[0] is not None]
    rows = [at for at, pair in enumerate(answer["row_pairs"]) if pair[0] is not None]
    np.testing.assert_array_equal(answer["a"][np.ix_(rows, own)], wanted)
