import functools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from model_core.decoding.cache import NO_CACHE, Cache
from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.own import OwnModel
from model_core.studies.batch import translate_batch
from model_core.studies.masks import study_masks
from model_core.transformer.masks import causal_mask, pad_mask
from model_core.values.edits import CAUSAL_BREAKS, read_edits
from model_core.values.trace import SITES
from tests.model_core.studies.sentences import SENTENCES, SHORT, own_model, uneven, variant_tracer
from tests.variants import FEW, WHOLE

OPEN, FINITE_MASK = ["no-pad-mask"], ["finite-mask"]


@pytest.fixture(scope="module", params=FEW)
def of_variant(tracer, request):
    """A tracer of a model of each variant, and what it makes of a batch."""
    tracer = variant_tracer(tracer, request.param)
    return tracer, uneven(tracer, translate_batch(tracer, SENTENCES))


@functools.cache
def edited_batch(tracer, edit):
    """A tracer of the model with an edit, and what it makes of a batch."""
    edits = read_edits([edit])
    model = own_model(tracer.model.checkpoint, max_positions=20).edited(edits)
    other = Tracer(model, edits=edits)
    return other, uneven(other, translate_batch(other, SENTENCES))


def masked_scores(found):
    """The scores of all layers as the softmax reads them."""
    return np.where(found.allowed_QK, np.stack(found.scores), np.float32(found.hidden_score))


def study(tracer, batch, site, *breaks, shown=SHORT):
    return study_masks(tracer.model, batch, shown, site, read_edits(breaks))


@pytest.mark.parametrize("site", SITES)
def test_what_was_kept_of_other_breaks_changes_no_number(tracer, batch, site):
    cache = Cache(8)
    for breaks in map(read_edits, (OPEN, [], ["causal-mask:ahead"], FINITE_MASK)):
        kept, fresh = (
            study_masks(tracer.model, batch, 0, site, breaks, memory)
            for memory in (cache, NO_CACHE)
        )
        for found, wanted in ((kept.broken, fresh.broken), (kept.intact, fresh.intact)):
            assert np.array_equal(np.stack(found.scores), np.stack(wanted.scores))
            assert np.array_equal(np.stack(found.weights), np.stack(wanted.weights))
        for found, wanted in zip(kept.changes, fresh.changes, strict=True):
            assert np.array_equal(found.distance_T, wanted.distance_T)


def test_the_own_masks_are_run_once_for_every_break_of_a_batch(tracer, batch, monkeypatch):
    cache, runs, run = Cache(8), [], OwnModel.full_pass

    def counted(model, *asked, **more):
        runs.append(getattr(model.transformer, "edits", ()))
        return run(model, *asked, **more)

    monkeypatch.setattr(OwnModel, "full_pass", counted)
    for breaks in ([], OPEN, OPEN, FINITE_MASK):
        study_masks(tracer.model, batch, 0, "encoder", read_edits(breaks), cache)
    assert [list(map(str, edits)) for edits in runs] == [[], OPEN, FINITE_MASK]
    runs.clear()
    study_masks(tracer.model, batch, 0, "encoder", cache=Cache(0))  # and kept by nothing
    assert runs == [()]


@pytest.mark.parametrize("site", SITES)
def test_the_masks_shown_are_those_the_model_made_for_itself(tracer, batch, site):
    config = tracer.model.config
    for shown in range(len(batch)):
        intact = study(tracer, batch, site, shown=shown).broken
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


def test_nothing_leaks_through_the_models_own_masks(of_variant):
    tracer, batch = of_variant
    cache = Cache(1)  # one pass serves every sentence and site
    for site in SITES:
        for shown in range(len(batch)):
            found = study_masks(tracer.model, batch, shown, site, cache=cache).broken
            assert not found.on_pads_LHQ.any() and not found.on_future_LHQ.any()
            assert not found.empty_Q.any() and not found.uniform_Q.any()
            assert not np.stack(found.weights)[..., ~found.allowed_QK].any()
            np.testing.assert_allclose(np.stack(found.weights).sum(axis=-1), 1)


def test_a_finite_score_changes_nothing_where_no_row_is_empty(of_variant):
    tracer, batch = of_variant
    if "finite-mask" not in tracer.anatomy.edits:
        return
    for site in SITES:
        found = study(tracer, batch, site, *FINITE_MASK)
        np.testing.assert_array_equal(
            np.stack(found.broken.weights), np.stack(found.intact.weights)
        )
        np.testing.assert_array_equal(found.broken.allowed_QK, found.intact.allowed_QK)
        assert not any(change.distance_T.any() or change.changed for change in found.changes)


def test_cross_attention_has_targets_for_rows_and_sources_for_columns(tracer, batch):
    found = study(tracer, batch, "cross").broken
    assert found.queries is batch.fed[SHORT] and found.keys is batch.sources[SHORT]
    assert np.stack(found.weights).shape == (3, 4, len(found.queries), len(found.keys))
    assert len(found.queries) != len(found.keys)


def test_scores_after_the_mask_are_those_before_or_the_hidden_score(tracer, batch):
    for breaks, hidden in (([], -math.inf), (FINITE_MASK, -1e9)):
        found = study(tracer, batch, "decoder", *breaks).broken
        after_LHQK = masked_scores(found)
        np.testing.assert_array_equal(
            after_LHQK[..., found.allowed_QK], np.stack(found.scores)[..., found.allowed_QK]
        )
        assert (after_LHQK[..., ~found.allowed_QK] == hidden).all()
        assert np.isfinite(np.stack(found.scores)).all()


@pytest.mark.parametrize(
    "breaks", [[], ["causal-mask:none"], ["pads-rows"], ["causal-mask:ahead"]], ids=str
)
def test_weights_are_the_softmax_of_the_scores_after_the_mask(tracer, batch, breaks):
    found = study(tracer, batch, "decoder", *breaks).broken
    rows = ~found.empty_Q
    scores = torch.from_numpy(masked_scores(found)[:, :, rows].copy())
    np.testing.assert_allclose(np.stack(found.weights)[:, :, rows], scores.softmax(-1), atol=1e-6)


def test_without_a_causal_mask_the_future_is_read(tracer, batch):
    found = study(tracer, batch, "decoder", "causal-mask:none").broken
    real = np.array([kind != "pad" for kind in found.queries.kinds])
    T = int(real.sum())
    weights_LHQK = np.stack(found.weights)[..., :T, :T]
    by_hand_LHQ = np.triu(weights_LHQK, k=1).sum(axis=-1)
    np.testing.assert_allclose(found.on_future_LHQ[..., :T], by_hand_LHQ, rtol=1e-5)
    assert (found.on_future_LHQ[..., : T - 1] > 0).all()
    assert not found.on_future_LHQ[..., T - 1].any()  # the last token has no future
    assert not found.on_pads_LHQ.any()


def test_a_causal_mask_one_ahead_shows_each_token_the_next_and_no_more(tracer, batch):
    found = study(tracer, batch, "decoder", "causal-mask:ahead").broken
    opened_QK = found.causal_QK & ~study(tracer, batch, "decoder").broken.causal_QK
    np.testing.assert_array_equal(opened_QK, np.eye(len(found.keys), k=1, dtype=bool))


def test_a_causal_mask_one_behind_empties_the_first_row(tracer, batch):
    found = study(tracer, batch, "decoder", "causal-mask:behind").broken
    assert np.flatnonzero(found.empty_Q).tolist() == [0]
    assert not np.stack(found.weights)[:, :, 0].any() and not found.uniform_Q.any()
    assert np.isfinite(np.stack(found.weights)).all()


def test_minus_a_billion_makes_an_empty_row_uniform(tracer, batch):
    found = study(tracer, batch, "decoder", "causal-mask:behind", "finite-mask").broken
    assert np.flatnonzero(found.uniform_Q).tolist() == [0]
    np.testing.assert_allclose(np.stack(found.weights)[:, :, 0], 1 / len(found.keys), rtol=1e-6)
    assert (found.on_pads_LHQ[:, :, 0] > 0).all() and (found.on_future_LHQ[:, :, 0] > 0).all()


def test_hard_attention_leaves_an_empty_row_empty_whatever_the_hidden_score(tracer):
    tracer = variant_tracer(tracer, "hard")
    batch = translate_batch(tracer, SENTENCES)
    found = study(tracer, batch, "decoder", "causal-mask:behind", "finite-mask").broken
    assert not np.stack(found.weights)[:, :, 0].any() and not found.uniform_Q.any()


@pytest.mark.parametrize("site", ["encoder", "cross"])
def test_without_a_pad_mask_pads_are_read(tracer, batch, site):
    found = study(tracer, batch, site, "no-pad-mask").broken
    S = found.keys.kinds.index("pad")
    np.testing.assert_allclose(
        found.on_pads_LHQ, np.stack(found.weights)[..., S:].sum(axis=-1), rtol=1e-5
    )
    assert (found.on_pads_LHQ > 0).all()


def test_the_causal_mask_alone_hides_pads_from_real_target_tokens(tracer, batch):
    found = study(tracer, batch, "decoder", "no-pad-mask").broken
    T = found.queries.kinds.index("pad")
    assert not found.on_pads_LHQ[..., :T].any() and found.on_pads_LHQ[..., T:].all()


@pytest.mark.parametrize("site", SITES)
def test_a_pad_mask_on_the_wrong_axis_empties_the_rows_of_pads_and_hides_no_column(
    tracer, batch, site
):
    found = study(tracer, batch, site, "pads-rows").broken
    pads_Q = np.array([kind == "pad" for kind in found.queries.kinds])
    np.testing.assert_array_equal(found.empty_Q, pads_Q)
    assert not np.stack(found.weights)[:, :, pads_Q].any()
    np.testing.assert_array_equal(found.pad_QK, np.tile(~pads_Q[:, None], len(found.keys)))
    if site != "decoder":  # there, the causal mask hides them still
        assert (found.on_pads_LHQ[..., ~pads_Q] > 0).all()


def test_the_longest_sentence_does_not_miss_the_pad_mask(tracer, batch):
    longest = [("pad" in tokens.kinds) for tokens in batch.sources].index(False)
    found = study(tracer, batch, "encoder", "no-pad-mask", shown=longest)
    np.testing.assert_array_equal(np.stack(found.broken.weights), np.stack(found.intact.weights))


def test_the_distance_is_that_of_the_two_full_softmaxes(tracer, batch):
    model = tracer.model.transformer
    source_BS = torch.tensor([tokens.ids for tokens in batch.sources])
    target_BT = torch.tensor([tokens.ids for tokens in batch.fed])
    encoded = model.encode(source_BS)
    T = target_BT.shape[1]
    everything = replace(causal_mask(T), allowed_BQK=(target_BT != 0)[:, None].expand(-1, T, -1))
    own_BTV = model.decode(target_BT, encoded).logits_BTV.softmax(-1).detach().numpy()
    open_BTV = (
        model.decode(target_BT, encoded, mask=everything).logits_BTV.softmax(-1).detach().numpy()
    )
    changes = study(tracer, batch, "decoder", "causal-mask:none").changes
    for b, change in enumerate(changes):
        length = sum(kind != "pad" for kind in batch.fed[b].kinds)
        assert len(change.distance_T) == length
        apart_T = np.abs(own_BTV - open_BTV)[b, :length].sum(axis=-1) / 2
        np.testing.assert_allclose(change.distance_T, apart_T, atol=1e-5)
        assert change.best_before == tuple(own_BTV[b, :length].argmax(-1))
        assert change.best_after == tuple(open_BTV[b, :length].argmax(-1))
        changed = sum(a != b for a, b in zip(change.best_before, change.best_after, strict=True))
        assert change.changed == changed


def test_the_encoder_runs_once_for_all_breaks_of_the_causal_mask(tracer, batch, monkeypatch):
    model, runs = tracer.model.transformer, []
    encode = model.encode
    monkeypatch.setattr(model, "encode", lambda *given: runs.append(given) or encode(*given))
    cache = Cache(8)
    for how in CAUSAL_BREAKS:
        breaks = read_edits([f"causal-mask:{how}"])
        found = study_masks(tracer.model, batch, 0, "encoder", breaks, cache)
        for kept, own in zip(found.broken.weights, found.intact.weights, strict=True):
            np.testing.assert_array_equal(kept, own)
    assert len(runs) == 1
    breaks = read_edits(["causal-mask:none", "no-pad-mask"])
    study_masks(tracer.model, batch, 0, "encoder", breaks, cache)
    assert len(runs) == 2


@pytest.mark.parametrize("breaks", ["finite-mask", "no-pad-mask"])
def test_a_break_of_what_a_model_does_not_have_is_refused_by_name(tracer, batch, breaks):
    other = tracer_with(tracer, pad_mask=False, hidden_score="-1e9")
    with pytest.raises(RecipeError, match=f"The edit {breaks} changes nothing"):
        study(other, batch, "encoder", breaks)


def test_a_break_takes_the_place_of_an_edit_of_its_kind(tracer):
    edits = read_edits(["causal-mask:none", "no-pad-mask", "no-scale"])
    other = Tracer(own_model(tracer.model.checkpoint, max_positions=20), edits=edits)
    batch = uneven(other, translate_batch(other, SENTENCES))
    found = study(other, batch, "decoder", "causal-mask:ahead")
    T = len(found.broken.keys)
    np.testing.assert_array_equal(found.broken.allowed_QK, np.tri(T, k=1, dtype=bool))
    assert found.intact.allowed_QK.all()


def test_arrays_are_read_only(tracer, batch):
    found = study(tracer, batch, "decoder").broken
    for array in (found.pad_QK, found.allowed_QK, *found.scores, *found.weights):
        assert not array.flags.writeable


def tracer_with(tracer, **changes):
    return Tracer(own_model(tracer.model.checkpoint, max_positions=20, **changes))


@pytest.mark.parametrize("site", SITES)
def test_a_model_that_hides_no_pads_and_writes_a_finite_score_is_shown_so(tracer, site):
    other = tracer_with(tracer, pad_mask=False, hidden_score="-1e9")
    batch = uneven(other, translate_batch(other, SENTENCES))
    intact = study(other, batch, site).broken
    assert intact.pad_QK.all() and intact.hidden_score == -1e9
    assert np.array_equal(intact.allowed_QK, intact.pad_QK & tril(intact, site))
    assert not (masked_scores(intact) == -np.inf).any()
    hiding = study(other, batch, site, "pads-rows").broken
    assert hiding.hidden_score == -1e9 and not hiding.pad_QK.all()


def tril(attention, site):
    shape = attention.pad_QK.shape
    return np.tri(*shape, dtype=bool) if site == "decoder" else np.ones(shape, dtype=bool)


@pytest.mark.parametrize("variant", WHOLE)
def test_a_model_that_reads_its_target_whole_has_masks_too(tracer, variant):
    other = tracer_with(tracer, **WHOLE[variant])
    batch = translate_batch(other, SENTENCES)
    for site in SITES:
        intact = study(other, batch, site, "causal-mask:none").intact
        assert np.stack(intact.weights).shape[-2:] == intact.allowed_QK.shape, site


@pytest.mark.parametrize(
    "breaks", [[], ["pads-rows"], ["causal-mask:ahead", "no-pad-mask"]], ids=str
)
@pytest.mark.parametrize(
    "edit",
    [
        "hide:2",
        "no-pad-mask",
        "pads-rows",
        "causal-mask:none",
        "causal-mask:ahead",
        "causal-mask:behind",
        "no-transpose",
        "no-split-transpose",
    ],
)
def test_the_masks_of_an_edited_model_are_those_it_used(tracer, edit, breaks):
    other, batch = edited_batch(tracer, edit)
    for site in SITES:
        found = study(other, batch, site, *breaks)
        for attention in (found.intact, found.broken):
            both_QK = attention.pad_QK
            if attention.causal_QK is not None:
                both_QK = both_QK & attention.causal_QK
            np.testing.assert_array_equal(both_QK, attention.allowed_QK)
            assert not np.stack(attention.weights)[..., ~attention.allowed_QK].any()
        pads_K = np.array([kind == "pad" for kind in found.intact.keys.kinds])
        hidden_K = pads_K & (edit != "no-pad-mask")
        if edit == "hide:2" and site != "decoder":
            hidden_K[1] = True
            assert not found.broken.allowed_QK[:, 1].any()  # whatever is broken beside it
        hidden_QK = np.tile(hidden_K, both_QK[:, :1].shape)
        if edit == "pads-rows":  # those of its queries instead
            pads_Q = np.array([kind == "pad" for kind in found.intact.queries.kinds])
            hidden_QK = np.tile(pads_Q[:, None], hidden_K.shape)
        np.testing.assert_array_equal(~found.intact.pad_QK, hidden_QK)
        if site == "decoder":
            T = len(pads_K)
            reach = {"none": T, "ahead": 1, "behind": -1}.get(edit.rpartition(":")[2], 0)
            np.testing.assert_array_equal(found.intact.causal_QK, np.tri(T, k=reach, dtype=bool))


@pytest.mark.parametrize("breaks", ["no-pad-mask", "pads-rows", "causal-mask:ahead"])
def test_a_target_shorter_than_a_source_that_asks_has_broken_masks_too(tracer, breaks):
    other = tracer_with(tracer, cross_queries="source")
    batch = uneven(other, translate_batch(other, SENTENCES))
    assert len(batch.fed[0]) < len(batch.sources[0])
    for site in SITES:
        found = study(other, batch, site, breaks).broken
        assert np.stack(found.weights).shape[-2:] == found.allowed_QK.shape


@pytest.mark.parametrize(
    ("causal", "last"), [("none", 99), ("ahead", 1), ("intact", 0), ("behind", -1)]
)
def test_a_causal_mask_is_the_same_band_where_every_sentence_has_pads(tracer, causal, last):
    batch = translate_batch(tracer, SENTENCES[:1])
    pads = tracer.labels([tracer.anatomy.special.pad] * 2)
    batch = replace(batch, fed=(batch.fed[0][:6] + pads,))
    breaks = () if causal == "intact" else read_edits([f"causal-mask:{causal}"])
    found = study_masks(tracer.model, batch, 0, "decoder", breaks).broken
    T = len(found.keys)
    assert found.causal_QK is not None
    np.testing.assert_array_equal(found.causal_QK, np.tri(T, T, min(last, T), dtype=bool))
