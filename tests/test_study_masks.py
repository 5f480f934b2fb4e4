import functools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

import model_core.study_masks as study_masks_module
from model_core.errors import RecipeError, SourceTooLong
from model_core.masks import causal_mask, pad_mask
from model_core.recent import Recent
from model_core.recipe import Recipe
from model_core.store import Checkpoint
from model_core.study_masks import (
    FINITE,
    Breaks,
    make_batch,
    study_masks,
    study_passes,
)
from model_core.trace import SITES
from model_core.tracer import Tracer
from tests.tiny import tiny_checkpoint
from tests.variants import every_variant, variant_model

SENTENCES = ("The old cat.", "roof", "Le chat dort sur le toit.")
SHORT = 1  # the sentence with most pads


@pytest.fixture(scope="module")
def tracer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    return Tracer(tiny_checkpoint(folder, max_positions=20))


@pytest.fixture(scope="module")
def batch(tracer):
    return uneven(tracer, make_batch(tracer, SENTENCES))


def uneven(tracer, batch):
    """The batch with targets of unequal length: an untrained model goes on to its limit."""
    labels = tracer.checkpoint.target_tokenizer
    pad, T = tracer.checkpoint.config.pad_id, 9
    lengths = (9, 5, 7)
    return replace(
        batch,
        fed=tuple(
            tokens[:length] + labels.tokens([pad] * (T - length))
            for tokens, length in zip(batch.fed, lengths, strict=True)
        ),
    )


def study(tracer, batch, site, shown=SHORT, **breaks):
    return study_masks(tracer.checkpoint, batch, shown, site, Breaks(**breaks))


@functools.cache  # what it has decoded serves several tests
def variant_tracer(tracer, variant):
    """A tracer of a float64 model of this variant, with the tiny tokenizer."""
    checkpoint = tracer.checkpoint
    size = checkpoint.source_tokenizer.size
    model = variant_model(variant, source_vocabulary=size, target_vocabulary=size, max_positions=20)
    tokenizer = checkpoint.source_tokenizer
    return Tracer(Checkpoint("variant", model, tokenizer, tokenizer, {}, ""))


def test_a_batch_is_padded_to_its_longest_on_both_sides(tracer):
    batch = make_batch(tracer, SENTENCES)
    for sentence, source, decoding in zip(SENTENCES, batch.sources, batch.decodings, strict=True):
        alone = tracer.checkpoint.source_tokenizer.encode(sentence)
        assert source.ids[: len(alone)] == alone.ids == decoding.source.ids
        assert set(source.kinds[len(alone) :]) <= {"pad"}
    assert len({len(source) for source in batch.sources}) == 1
    assert len({len(tokens) for tokens in batch.fed + batch.predicted}) == 1
    assert {tokens.ids[0] for tokens in batch.fed} == {tracer.checkpoint.config.start_id}


def test_what_is_predicted_is_what_is_fed_in_one_place_on(tracer):
    batch = make_batch(tracer, SENTENCES)
    for fed, predicted, decoding in zip(batch.fed, batch.predicted, batch.decodings, strict=True):
        T = len(decoding.steps)
        assert predicted.ids[: T - 1] == fed.ids[1:T]


def test_the_first_sentence_keeps_the_tokens_that_were_chosen_for_it(tracer):
    greedy, _ = tracer.extend(Recipe("tiny", SENTENCES[0]), None)
    other = 4 + (greedy.target_ids[0] - 3) % 6  # any piece but the greedy one
    chosen, _ = tracer.extend(Recipe("tiny", SENTENCES[0], pads=2), 1, force=other)
    batch = make_batch(tracer, SENTENCES, chosen)
    done = batch.recipes[0]
    assert done.target[0] == chosen.target[0] and done.target[0].how == "forced"
    assert batch.fed[0].ids[1] == batch.predicted[0].ids[0] == other
    assert done.pads == 0 and done == tracer.extend(replace(chosen, pads=0), None)[0]
    elsewhere = make_batch(tracer, SENTENCES[1:], chosen)
    assert elsewhere.recipes == make_batch(tracer, SENTENCES[1:]).recipes == batch.recipes[1:]


@pytest.mark.parametrize("site", SITES)
def test_what_was_kept_of_other_breaks_changes_no_number(tracer, batch, site):
    recent = Recent(8)
    for breaks in (Breaks(pads="none"), Breaks(), Breaks(causal="ahead"), Breaks(fill="finite")):
        kept, fresh = (
            study_masks(tracer.checkpoint, batch, 0, site, breaks, memory)
            for memory in (recent, None)
        )
        for found, wanted in ((kept.broken, fresh.broken), (kept.intact, fresh.intact)):
            assert np.array_equal(found.scores_LHQK, wanted.scores_LHQK)
            assert np.array_equal(found.weights_LHQK, wanted.weights_LHQK)
        for found, wanted in zip(kept.changes, fresh.changes, strict=True):
            assert np.array_equal(found.distance_T, wanted.distance_T)


def test_the_own_masks_are_run_once_for_every_break_of_a_batch(tracer, batch, monkeypatch):
    recent, runs, run = Recent(8), [], study_masks_module._run
    monkeypatch.setattr(
        study_masks_module, "_run", lambda *asked: runs.append(asked[2]) or run(*asked)
    )
    for breaks in (Breaks(), Breaks(pads="none"), Breaks(pads="none"), Breaks(fill="finite")):
        study_masks(tracer.checkpoint, batch, 0, "encoder", breaks, recent)
    assert runs == [Breaks(), Breaks(pads="none"), Breaks(fill="finite")]


@pytest.mark.parametrize("sentences", [(), ("a",) * 7])
def test_a_batch_takes_one_to_six_sentences(tracer, sentences):
    with pytest.raises(RecipeError, match="1 to 6"):
        make_batch(tracer, sentences)


def test_a_sentence_that_is_too_long_is_named(tracer):
    with pytest.raises(SourceTooLong, match=r"Sentence 2: .*Shorten it"):
        make_batch(tracer, ("cat", "cat " * 40))


@pytest.mark.parametrize("site", SITES)
def test_the_masks_shown_are_those_the_model_made_for_itself(tracer, batch, site):
    config = tracer.checkpoint.config
    for shown in range(len(batch)):
        intact = study(tracer, batch, site, shown).broken
        keys_BK = torch.tensor([intact.keys.ids])
        pads_QK = pad_mask(keys_BK, config.pad_id).allowed_BQK[0].expand(len(intact.queries), -1)
        np.testing.assert_array_equal(intact.pad_QK, pads_QK)
        if site == "decoder":
            causal_QK = causal_mask(len(intact.keys)).allowed_BQK[0]
            np.testing.assert_array_equal(intact.causal_QK, causal_QK)
            np.testing.assert_array_equal(intact.allowed_QK, (causal_QK & pads_QK))
        else:
            assert intact.causal_QK is None
            np.testing.assert_array_equal(intact.allowed_QK, pads_QK)


@every_variant
@pytest.mark.parametrize("site", SITES)
def test_nothing_leaks_through_the_models_own_masks(tracer, variant, site):
    tracer = variant_tracer(tracer, variant)
    batch = uneven(tracer, make_batch(tracer, SENTENCES))
    for shown in range(len(batch)):
        found = study_masks(tracer.checkpoint, batch, shown, site).broken
        assert not found.on_pads_LHQ.any() and not found.on_future_LHQ.any()
        assert not found.empty_Q.any() and not found.uniform_Q.any()
        assert not found.weights_LHQK[..., ~found.allowed_QK].any()
        np.testing.assert_allclose(found.weights_LHQK.sum(axis=-1), 1)


@every_variant
def test_built_masks_that_break_nothing_change_nothing(tracer, variant):
    """-1e9 builds every mask by hand, and no row is empty: all as the model's own."""
    tracer = variant_tracer(tracer, variant)
    batch = uneven(tracer, make_batch(tracer, SENTENCES))
    for site in SITES:
        found = study_masks(tracer.checkpoint, batch, SHORT, site, Breaks(fill="finite"))
        np.testing.assert_array_equal(found.broken.weights_LHQK, found.intact.weights_LHQK)
        np.testing.assert_array_equal(found.broken.allowed_QK, found.intact.allowed_QK)
        assert not any(change.distance_T.any() or change.changed for change in found.changes)


@every_variant
def test_one_sentence_of_a_batch_reads_what_it_reads_alone(tracer, variant):
    tracer = variant_tracer(tracer, variant)
    batch = uneven(tracer, make_batch(tracer, SENTENCES))
    S = batch.sources[SHORT].kinds.index("pad")
    T = batch.fed[SHORT].kinds.index("pad")
    alone = tracer.checkpoint.model(
        torch.tensor([batch.sources[SHORT].ids[:S]]), torch.tensor([batch.fed[SHORT].ids[:T]])
    )
    cross = study_masks(tracer.checkpoint, batch, SHORT, "cross").intact
    decoder = study_masks(tracer.checkpoint, batch, SHORT, "decoder").intact
    for layer, record in enumerate(alone.cross_records):
        weights_HQK = record.weights_BHQK[0].detach()
        np.testing.assert_allclose(cross.weights_LHQK[layer, :, :T, :S], weights_HQK, atol=1e-12)
    for layer, record in enumerate(alone.self_records):
        weights_HQK = record.weights_BHQK[0].detach()
        np.testing.assert_allclose(decoder.weights_LHQK[layer, :, :T, :T], weights_HQK, atol=1e-12)


def test_cross_attention_has_targets_for_rows_and_sources_for_columns(tracer, batch):
    found = study(tracer, batch, "cross").broken
    assert found.queries is batch.fed[SHORT] and found.keys is batch.sources[SHORT]
    assert found.weights_LHQK.shape == (3, 4, len(found.queries), len(found.keys))
    assert len(found.queries) != len(found.keys)


def test_scores_after_the_mask_are_those_before_or_the_hidden_score(tracer, batch):
    for fill, hidden in (("infinite", -math.inf), ("finite", FINITE)):
        found = study(tracer, batch, "decoder", fill=fill).broken
        after_LHQK = found.masked_scores_LHQK
        np.testing.assert_array_equal(
            after_LHQK[..., found.allowed_QK], found.scores_LHQK[..., found.allowed_QK]
        )
        assert (after_LHQK[..., ~found.allowed_QK] == hidden).all()
        assert np.isfinite(found.scores_LHQK).all()


@pytest.mark.parametrize("breaks", [{}, {"causal": "none"}, {"pads": "rows"}, {"causal": "ahead"}])
def test_weights_are_the_softmax_of_the_scores_after_the_mask(tracer, batch, breaks):
    found = study(tracer, batch, "decoder", **breaks).broken
    rows = ~found.empty_Q
    scores = torch.from_numpy(found.masked_scores_LHQK[:, :, rows].copy())
    np.testing.assert_allclose(found.weights_LHQK[:, :, rows], scores.softmax(-1), atol=1e-6)


def test_without_a_causal_mask_the_future_is_read(tracer, batch):
    found = study(tracer, batch, "decoder", causal="none").broken
    real = np.array([kind != "pad" for kind in found.queries.kinds])
    T = int(real.sum())
    weights_LHQK = found.weights_LHQK[..., :T, :T]
    by_hand_LHQ = np.triu(weights_LHQK, k=1).sum(axis=-1)
    np.testing.assert_allclose(found.on_future_LHQ[..., :T], by_hand_LHQ, rtol=1e-5)
    assert (found.on_future_LHQ[..., : T - 1] > 0).all()
    assert not found.on_future_LHQ[..., T - 1].any()  # the last token has no future
    assert not found.on_pads_LHQ.any()


def test_a_causal_mask_one_ahead_shows_each_token_the_next_and_no_more(tracer, batch):
    found = study(tracer, batch, "decoder", causal="ahead").broken
    opened_QK = found.causal_QK & ~study(tracer, batch, "decoder").broken.causal_QK
    np.testing.assert_array_equal(opened_QK, np.eye(len(found.keys), k=1, dtype=bool))


def test_a_causal_mask_one_behind_empties_the_first_row(tracer, batch):
    found = study(tracer, batch, "decoder", causal="behind").broken
    assert np.flatnonzero(found.empty_Q).tolist() == [0]
    assert not found.weights_LHQK[:, :, 0].any() and not found.uniform_Q.any()
    assert np.isfinite(found.weights_LHQK).all()


def test_minus_a_billion_makes_an_empty_row_uniform(tracer, batch):
    found = study(tracer, batch, "decoder", causal="behind", fill="finite").broken
    assert np.flatnonzero(found.uniform_Q).tolist() == [0]
    np.testing.assert_allclose(found.weights_LHQK[:, :, 0], 1 / len(found.keys), rtol=1e-6)
    assert (found.on_pads_LHQ[:, :, 0] > 0).all() and (found.on_future_LHQ[:, :, 0] > 0).all()


def test_hard_attention_leaves_an_empty_row_empty_whatever_the_hidden_score(tracer):
    tracer = variant_tracer(tracer, "hard")
    batch = make_batch(tracer, SENTENCES)
    breaks = Breaks(causal="behind", fill="finite")
    found = study_masks(tracer.checkpoint, batch, SHORT, "decoder", breaks).broken
    assert not found.weights_LHQK[:, :, 0].any() and not found.uniform_Q.any()


@pytest.mark.parametrize("site", ["encoder", "cross"])
def test_without_a_pad_mask_pads_are_read(tracer, batch, site):
    found = study(tracer, batch, site, pads="none").broken
    S = found.keys.kinds.index("pad")
    np.testing.assert_allclose(
        found.on_pads_LHQ, found.weights_LHQK[..., S:].sum(axis=-1), rtol=1e-5
    )
    assert (found.on_pads_LHQ > 0).all()


def test_the_causal_mask_alone_hides_pads_from_real_target_tokens(tracer, batch):
    found = study(tracer, batch, "decoder", pads="none").broken
    T = found.queries.kinds.index("pad")
    assert not found.on_pads_LHQ[..., :T].any() and found.on_pads_LHQ[..., T:].all()


@pytest.mark.parametrize("site", SITES)
def test_a_pad_mask_on_the_wrong_axis_empties_the_rows_of_pads_and_hides_no_column(
    tracer, batch, site
):
    found = study(tracer, batch, site, pads="rows").broken
    pads_Q = np.array([kind == "pad" for kind in found.queries.kinds])
    np.testing.assert_array_equal(found.empty_Q, pads_Q)
    assert not found.weights_LHQK[:, :, pads_Q].any()
    np.testing.assert_array_equal(found.pad_QK, np.tile(~pads_Q[:, None], len(found.keys)))
    if site != "decoder":  # there, the causal mask hides them still
        assert (found.on_pads_LHQ[..., ~pads_Q] > 0).all()


def test_the_longest_sentence_does_not_miss_the_pad_mask(tracer, batch):
    longest = [("pad" in tokens.kinds) for tokens in batch.sources].index(False)
    found = study_masks(tracer.checkpoint, batch, longest, "encoder", Breaks(pads="none"))
    np.testing.assert_array_equal(found.broken.weights_LHQK, found.intact.weights_LHQK)


def test_the_distance_is_that_of_the_two_full_softmaxes(tracer, batch):
    model = tracer.checkpoint.model
    source_BS = torch.tensor([tokens.ids for tokens in batch.sources])
    target_BT = torch.tensor([tokens.ids for tokens in batch.fed])
    encoded = model.encode(source_BS)
    T = target_BT.shape[1]
    everything = replace(causal_mask(T), allowed_BQK=(target_BT != 0)[:, None].expand(-1, T, -1))
    own_BTV = model.decode(target_BT, encoded).logits_BTV.softmax(-1).detach().numpy()
    open_BTV = (
        model.decode(target_BT, encoded, mask=everything).logits_BTV.softmax(-1).detach().numpy()
    )
    changes = study(tracer, batch, "decoder", causal="none").changes
    for b, change in enumerate(changes):
        length = sum(kind != "pad" for kind in batch.fed[b].kinds)
        assert len(change.distance_T) == length
        apart_T = np.abs(own_BTV - open_BTV)[b, :length].sum(axis=-1) / 2
        np.testing.assert_allclose(change.distance_T, apart_T, atol=1e-5)
        assert change.intact_best == tuple(own_BTV[b, :length].argmax(-1))
        assert change.broken_best == tuple(open_BTV[b, :length].argmax(-1))
        changed = sum(a != b for a, b in zip(change.intact_best, change.broken_best, strict=True))
        assert change.changed == changed


@every_variant
@pytest.mark.parametrize("site", ["decoder", "cross"])
def test_one_pass_and_many_steps_are_equal_in_float64(tracer, variant, site):
    tracer = variant_tracer(tracer, variant)
    batch = make_batch(tracer, SENTENCES)
    for shown in range(len(batch)):
        passes = study_passes(tracer.checkpoint, batch, shown, site)
        np.testing.assert_allclose(passes.once_LHQK, passes.stepped_LHQK, atol=1e-12)
        assert max(passes.scores_apart, passes.log_probabilities_apart) < 1e-9
        assert passes.weights_apart < 1e-12
        np.testing.assert_allclose(
            passes.once_probability_T, passes.stepped_probability_T, atol=1e-12
        )


def test_the_largest_difference_is_over_every_layer_of_both_attentions(tracer, batch):
    shown = [study_passes(tracer.checkpoint, batch, 0, site) for site in ("decoder", "cross")]
    largest = max(float(np.abs(p.once_LHQK - p.stepped_LHQK).max()) for p in shown)
    assert {p.weights_apart for p in shown} == {largest}


def test_the_probabilities_beside_the_passes_are_those_of_the_predicted_tokens(tracer):
    batch = make_batch(tracer, SENTENCES)
    passes = study_passes(tracer.checkpoint, batch, 0, "decoder")
    decoding = batch.decodings[0]
    for t, token in enumerate(passes.predicted.ids):
        expected = math.exp(decoding.steps[t].log_probabilities_V[token])
        assert passes.stepped_probability_T[t] == pytest.approx(expected)


def test_the_encoder_has_no_steps_to_compare(tracer, batch):
    with pytest.raises(RecipeError, match="decoder or cross"):
        study_passes(tracer.checkpoint, batch, 0, "encoder")


@pytest.mark.parametrize(
    "values", [{"causal": "no"}, {"pads": "ahead"}, {"fill": "-inf"}, {"fill": ""}]
)
def test_an_unknown_break_is_an_error_that_names_the_known(values):
    with pytest.raises(RecipeError, match="choose one of"):
        Breaks(**values)


def test_arrays_are_read_only_copies(tracer, batch):
    found = study(tracer, batch, "decoder").broken
    for array in (found.pad_QK, found.allowed_QK, found.scores_LHQK, found.weights_LHQK):
        assert array.flags.owndata and not array.flags.writeable
