"""Readings of weights against independent computations of the same, from x, W and the mask."""

import numpy as np
import pytest
from torch import nn

from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.studies.hiding import hide_words
from model_core.studies.readings import (
    cross_rollout,
    mean_of_heads,
    mean_of_layers,
    rollout,
    value_norms,
)
from model_core.values.edits import layer_read, read_edits
from model_core.values.recipe import Choice, Recipe
from tests.made_up import MadeUp
from tests.model_core.studies.sentences import usual_model
from tests.variants import VARIANTS

SITES = ("encoder", "decoder", "cross")
TOKENS = tuple(Choice(token) for token in range(5, 12))
EDITS = ["hide:2", "head-off:cross.2.3", "sublayer-off:encoder.1.self", "zero-value:1"]
USED = ("paper", "pre-norm", "joined-heads", "no-bias", "rotary", "hard", "finite-mask")


def decoded(edits=(), double=True, **changes):
    tracer = Tracer(usual_model(double, **changes), Cache(most_bytes=2**24))
    recipe = Recipe("tiny", "cat on", TOKENS, pads=2, edits=read_edits(edits))
    tracer = tracer.edited(recipe.edits)
    return tracer.model, tracer.evaluate(recipe), recipe.edits


def weights_of(decoding, site):
    layers = range(decoding.layers(site))
    return np.stack([decoding.trace(site, layer).weights_HQK for layer in layers])


def attention_of(model, site, layer):
    stack = model.transformer.encoder if site == "encoder" else model.transformer.decoder
    block = stack[layer]
    return block.cross_attention if site == "cross" else block.self_attention


def vectors_of(model, decoding, site, layer):
    """f(x_j) of every head, (H, K, D), from x_j, W_V, b_V and W_O alone."""
    source, fed = decoding.source.ids, decoding.target.ids[: len(decoding.steps)]
    read = {}
    name = "encoder.memory" if site == "cross" else f"{site}.{layer + 1}.self.read"

    def tap(given, value):
        if given == name:
            read["x"] = value[0].detach().numpy()
        return value

    model.full_pass([source], [fed], tap=tap)
    attention = attention_of(model, site, layer)
    H, E = attention.H, attention.E
    weight, bias = attention.projection.weight.detach(), attention.projection.bias
    values_KC = read["x"] @ weight[2 * H * E :].numpy().T
    if bias is not None:
        values_KC = values_KC + bias.detach()[2 * H * E :].numpy()
    made = []
    for head in range(H):
        v_KE = values_KC[:, head * E : (head + 1) * E]
        if isinstance(attention.output, nn.Linear):
            v_KE = v_KE @ attention.output.weight.detach().numpy()[:, head * E : (head + 1) * E].T
        made.append(v_KE)
    return np.stack(made)


@pytest.mark.parametrize("variant", USED)
@pytest.mark.parametrize("double", [True, False], ids=["float64", "float32"])
def test_weight_times_norm_is_the_length_of_what_a_token_adds(variant, double):
    model, decoding, _ = decoded(double=double, **VARIANTS[variant])
    for site in SITES:
        norms_LHK = value_norms(model, decoding, site)
        for layer, norms_HK in enumerate(norms_LHK):
            weights_HQK = decoding.trace(site, layer).weights_HQK
            added_HQKD = weights_HQK[..., None] * vectors_of(model, decoding, site, layer)[:, None]
            lengths_HQK = np.sqrt((added_HQKD.astype(float) ** 2).sum(axis=-1))
            close = 1e-12 if double else 1e-6
            shown_HQK = weights_HQK * norms_HK[:, None]
            np.testing.assert_allclose(shown_HQK, lengths_HQK, rtol=close, atol=close)


def test_what_an_edit_switches_off_adds_nothing():
    model, decoding, edits = decoded(EDITS)
    encoder, cross = (value_norms(model, decoding, site, edits) for site in ("encoder", "cross"))
    assert not encoder[0].any()  # the sub-layer
    assert encoder[1][:, 1:].all()
    assert not encoder[1][:, 0].any()  # the value of the first token
    assert not cross[1, 2].any()  # the head
    assert cross[1, 1, 1:].all()
    assert not cross[:, :, 0].any()
    own = vectors_of(model, decoding, "cross", 0)
    np.testing.assert_allclose(cross[0][:, 1:], np.linalg.norm(own, axis=-1)[:, 1:], rtol=1e-12)


@pytest.mark.parametrize("double", [True, False], ids=["float64", "float32"])
def test_averages_and_rollout_are_those_of_the_papers(double):
    _, decoding, _ = decoded(["hide:2"], double)
    close = {"rtol": 0, "atol": 1e-12 if double else 1e-6}
    for site in SITES:
        weights_LHQK = weights_of(decoding, site)
        L, H, Q, K = weights_LHQK.shape
        mean_QK = sum(weights_LHQK[1, h] for h in range(H)) / H
        np.testing.assert_allclose(mean_of_heads(weights_LHQK, 1), mean_QK, **close)
        all_QK = sum(weights_LHQK[a, h] for a in range(L) for h in range(H)) / (L * H)
        np.testing.assert_allclose(mean_of_layers(weights_LHQK), all_QK, **close)
        if site == "cross":
            continue
        flow_QK = np.zeros((Q, K))  # by paths, one token at a time
        for i in range(Q):
            reached_K = np.eye(Q)[i]
            for layer in reversed(range(2)):
                step_QK = 0.5 * weights_LHQK[layer].mean(axis=0) + 0.5 * np.eye(Q)
                step_QK /= step_QK.sum(axis=1, keepdims=True)
                reached_K = np.array([sum(reached_K * step_QK[:, k]) for k in range(Q)])
            flow_QK[i] = reached_K
        np.testing.assert_allclose(rollout(weights_LHQK, 1), flow_QK, **close)
        np.testing.assert_allclose(rollout(weights_LHQK, 1).sum(axis=1), 1, **close)
    cross, encoder = weights_of(decoding, "cross"), weights_of(decoding, "encoder")
    carried_QS = cross[1].mean(axis=0) @ rollout(encoder, len(encoder) - 1)
    np.testing.assert_allclose(cross_rollout(cross, 1, encoder), carried_QS, **close)
    early_QS = cross[1].mean(axis=0) @ rollout(encoder, 0)
    read = layer_read(read_edits(["encoder-layer:1"]))
    np.testing.assert_allclose(cross_rollout(cross, 1, encoder, read), early_QS, **close)


def masked(model, decoding, word):
    """The log-probabilities of the translation, stepped by a model that hides the word's tokens."""
    edits = (*model.transformer.edits,) if hasattr(model.transformer, "edits") else ()
    hidden = model.edited((*edits, *read_edits([f"hide:{token + 1}" for token in word])))
    state = hidden.start(decoding.source)
    for token in decoding.target.ids[1:-1]:
        state = hidden.advance(state, token)
    steps = state.decoding.steps
    return [
        step.log_probabilities_V[token]
        for step, token in zip(steps, decoding.target.ids[1:], strict=True)
    ]


@pytest.mark.parametrize("edits", [(), EDITS, ("encoder-layer:1", "no-pad-mask")], ids=str)
def test_a_hidden_word_changes_what_an_independently_masked_model_says(edits):
    model, decoding, _ = decoded(edits)
    words = [[0], [1, 2], [3], [len(decoding.source) - 1]]
    found = hide_words(model, decoding, words)
    known_T = [
        step.log_probabilities_V[token]
        for step, token in zip(decoding.steps[:-1], decoding.target.ids[1:], strict=True)
    ]
    np.testing.assert_allclose(found.log_probabilities_T, known_T, rtol=0, atol=1e-12)
    for at, word in enumerate(words):
        here_T = masked(model, decoding, word)
        np.testing.assert_allclose(found.hidden_TW[:, at], here_T, rtol=0, atol=1e-12)
    assert np.abs(found.changes_TW).max() > 0.01
    if "no-pad-mask" not in edits:
        assert not found.changes_TW[:, -1].any()  # a pad, which nobody sees


def test_many_words_are_hidden_in_several_passes(monkeypatch):
    model, decoding, _ = decoded()
    words = [[at] for at in range(len(decoding.source))]
    at_once = hide_words(model, decoding, words)
    monkeypatch.setattr("model_core.studies.full_pass.MOST_LOGITS", 1)
    one_by_one = hide_words(model, decoding, words)
    np.testing.assert_allclose(at_once.hidden_TW, one_by_one.hidden_TW, rtol=0, atol=1e-12)


def test_a_reading_that_a_model_cannot_have_is_refused():
    model, decoding, _ = decoded(["causal-mask:none"])
    for study in (
        lambda: value_norms(model, decoding, "cross"),
        lambda: hide_words(model, decoding, [[0]]),
    ):
        with pytest.raises(RecipeError, match="every token changes"):
            study()
    alone = MadeUp("decoder")
    with pytest.raises(RecipeError, match="no source"):
        hide_words(alone, alone.start(alone.source("the cat")).decoding, [[0]])
