"""Words that change places and queries that are turned by hand, against the library's passes."""

import numpy as np
import pytest
import torch

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.hub.families import FAMILIES
from model_core.studies.order import effect, translation
from model_core.studies.positions import rotation
from model_core.values.recipe import Recipe
from tests.model_core.models.hub.test_model import TEXTS, model_of

TEXT = "the cat sleeps on a warm roof ."
ROTARY = [name for name, family in FAMILIES.items() if family.positions == "rotary"]
COUNTED = [name for name in FAMILIES if name in {*ROTARY, "gpt2", "bert"}]  # by `position_ids`


def read(model, text=TEXT):
    """A text as the model reads it, what is fed in beside it, and another order of its words."""
    source = model.source(text)
    fed = model.start(source).decoding.target.ids
    order = [2, 5, 0, 1, 4, 3, *range(6, len(source))]
    return source, fed, order


@pytest.mark.parametrize("name", COUNTED)
def test_words_at_other_positions_are_read_as_the_library_reads_them(name):
    own, model = model_of(name)
    source, fed, order = read(model)
    rows = [3, 1, 9, 3, 12, 5, *range(6, len(source))]
    study = effect(model, source, fed, order, rows)
    ids = torch.tensor([[source.ids[place] for place in order]])
    with torch.inference_mode():
        wanted = own(ids, position_ids=torch.tensor([rows]), output_attentions=True)
    (site,) = (one.site for one in model.anatomy.sites)
    place = np.argsort(order)
    for layer, weights_BHQK in enumerate(wanted.attentions):
        found_HQK = study.after.weights[site][layer]
        np.testing.assert_allclose(found_HQK, weights_BHQK[0], atol=1e-5)
        back_HQK = study.put_back.weights[site][layer]
        assert np.array_equal(back_HQK, found_HQK[:, place][..., place])
        seen_QK = study.after.allowed[site][layer]
        assert not found_HQK[:, ~seen_QK].any()
    logits_TV = wanted.logits[0].log_softmax(-1).numpy()
    np.testing.assert_allclose(study.after.log_probabilities_TV, logits_TV, atol=1e-4)


@pytest.mark.parametrize("name", [*ROTARY, "gpt2"])
def test_what_follows_a_prompt_whose_words_moved_is_what_the_library_would_write(name):
    own, model = model_of(name)
    source, _, order = read(model)
    S, rows = len(source), [4, 1, 6, 0, 2, 5, *range(6, len(source))]
    ids, written = [source.ids[place] for place in order], []
    for _ in range(5):
        places = [*rows, *range(S, S + len(written))]
        with torch.no_grad():
            placed = {"position_ids": torch.tensor([places])}
            logits_V = own(torch.tensor([[*ids, *written]]), **placed).logits[0, -1]
        logits_V[list(model.anatomy.special.never)] = -torch.inf
        written.append(int(logits_V.argmax()))
        if written[-1] == model.anatomy.special.end:
            break
    found = translation(model, source, order, rows, most_steps=5)
    assert found.text == model.text(written)
    assert (
        translation(model, source, list(range(S)), most_steps=4).text
        == Tracer(model)
        .text(Tracer(model, most_steps=4).extend(Recipe(name, TEXT), None)[1])
        .removeprefix(model.text(source.ids))
        .strip()
    )


@pytest.mark.parametrize("name", ROTARY)
def test_turned_queries_and_keys_are_the_librarys_and_so_are_those_before(name):
    own, model = model_of(name)
    source, fed, _ = read(model)
    layer, head, (query, key) = 1, 3, (6, 2)
    study = rotation(model, source, fed, "decoder", layer, head, query, key)
    record = model.full_pass([source.ids], [fed]).records("decoder")[layer]
    group = head // (record.q_BHQE.shape[1] // record.k_BHKE.shape[1])
    assert study.own and study.distance_only and study.spread < 1e-4
    assert np.array_equal(study.turned_q_QE, record.q_BHQE[0, head])
    assert np.array_equal(study.turned_k_QE, record.k_BHKE[0, group])
    np.testing.assert_allclose(study.turned_scores_QQ, record.scores_BHQK[0, head], atol=1e-5)
    attention = own.model.layers[layer].self_attn
    with torch.inference_mode():
        kept = {}
        hook = attention.register_forward_pre_hook(
            lambda _, args, kwargs: kept.update(x=kwargs["hidden_states"]), with_kwargs=True
        )
        own(torch.tensor([fed]))
        hook.remove()
        E = study.q_QE.shape[1]
        for side, place, found_QE in (("q", head, study.q_QE), ("k", group, study.k_QE)):
            made = getattr(attention, f"{side}_proj")(kept["x"]).unflatten(-1, (-1, E))
            made = getattr(attention, f"{side}_norm", torch.nn.Identity())(made)
            np.testing.assert_allclose(found_QE, made[0, :, place], atol=1e-5)
    np.testing.assert_allclose(
        study.placed_scores_PP[query, key], record.scores_BHQK[0, head, query, key], atol=1e-5
    )
    frequencies = own.model.rotary_emb.inv_freq
    np.testing.assert_allclose(study.frequencies_N, frequencies, rtol=1e-5)
    assert study.pairs == tuple((n, n + E // 2) for n in range(E // 2))


@pytest.mark.parametrize("name", ["marian", "t5", "bert", "gpt2"])
def test_a_model_that_turns_nothing_is_shown_what_turning_would_do(name):
    _, model = model_of(name)
    source, fed, _ = read(model, TEXTS[0])
    (site, *_) = (one.site for one in model.anatomy.sites)
    study = rotation(model, source, fed, site, 1, 1, 2, 0)
    record = model.full_pass([source.ids], [fed]).records(site)[1]
    assert not study.own and study.spread < 1e-3
    assert np.array_equal(study.q_QE, record.q_BHQE[0, 1])
    np.testing.assert_allclose(study.scores_QQ, record.scores_BHQK[0, 1], atol=1e-4, rtol=1e-4)
    with pytest.raises(
        RecipeError, match="self-attention" if model.anatomy.has("cross") else "no site"
    ):
        rotation(model, source, fed, "cross", 1, 1, 2, 0)
