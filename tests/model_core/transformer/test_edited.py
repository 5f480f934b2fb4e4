"""Every edit against a model that was changed by hand: columns of zeros, another table, a mask."""

import copy
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from model_core.errors import RecipeError
from model_core.transformer.edited import edited
from model_core.transformer.masks import causal_mask, mask_from
from model_core.transformer.taps import keeping
from model_core.transformer.transformer import Transformer
from model_core.values.edits import KINDS, possible, read_edits
from tests.variants import SOURCE, TARGET, ids, variant_model

EXACT = {"rtol": 0, "atol": 1e-12}
BATCH = ids(SOURCE, [6, 7, 2]), ids(TARGET, [1, 9, 33])
norms = pytest.mark.parametrize("variant", ["paper", "pre-norm"])


def logits(model, batch=BATCH, **given):
    return model(*batch, **given).logits_BTV.detach()


def assert_same(model, edits, changed, batch=BATCH):
    """The edits make of the model what somebody made by hand, and no mere copy of it."""
    result = logits(edited(model, read_edits(edits)), batch)
    torch.testing.assert_close(result, logits(changed, batch), **EXACT)
    assert not torch.allclose(result, logits(model, batch))


def by_hand(model) -> Transformer:
    return copy.deepcopy(model)


def columns(attention, head):
    return slice(head * attention.E, (head + 1) * attention.E)


@norms
@pytest.mark.parametrize(
    ("place", "part"),
    [
        ("encoder.1.2", lambda model: (model.encoder[0].self_attention, 1)),
        ("decoder.3.4", lambda model: (model.decoder[2].self_attention, 3)),
        ("cross.2.1", lambda model: (model.decoder[1].cross_attention, 0)),
    ],
)
def test_a_head_that_is_off_adds_what_columns_of_zeros_add(variant, place, part):
    model = variant_model(variant)
    changed = by_hand(model)
    attention, head = part(changed)
    with torch.no_grad():
        attention.output.weight[:, columns(attention, head)] = 0
    assert_same(model, [f"head-off:{place}"], changed)


def test_a_head_s_mean_is_a_constant_in_the_output_s_bias():
    model = variant_model("paper")
    means = {"cross": torch.randn(3, 4, 6, generator=torch.Generator().manual_seed(1)).double()}
    changed = by_hand(model)
    attention = changed.decoder[1].cross_attention
    with torch.no_grad():
        own = attention.output.weight[:, columns(attention, 2)]
        attention.output.bias += own @ means["cross"][1, 2]
        own.zero_()
    result = logits(edited(model, read_edits(["head-mean:cross.2.3"]), means))
    torch.testing.assert_close(result, logits(changed), **EXACT)
    with pytest.raises(RecipeError, match="head-mean"):
        edited(model, read_edits(["head-mean:cross.2.3"]))


@norms
@pytest.mark.parametrize(
    ("place", "last"),
    [
        ("encoder.2.self", lambda model: model.encoder[1].self_attention.output),
        ("decoder.1.self", lambda model: model.decoder[0].self_attention.output),
        ("decoder.2.cross", lambda model: model.decoder[1].cross_attention.output),
        ("decoder.3.feed_forward", lambda model: model.decoder[2].feed_forward.outer),
    ],
)
def test_a_sub_layer_that_is_off_puts_out_zeros(variant, place, last):
    model = variant_model(variant)
    changed = by_hand(model)
    with torch.no_grad():
        last(changed).weight.zero_()
        last(changed).bias.zero_()
    assert_same(model, [f"sublayer-off:{place}"], changed)


def test_a_hidden_token_is_read_as_if_it_were_a_pad():
    model = variant_model("paper")
    source, target = BATCH
    padded = source.clone()
    padded[:, 1] = model.config.pad_id
    result = edited(model, read_edits(["hide:2"]))(source, target)
    torch.testing.assert_close(result.logits_BTV, logits(model, (padded, target)), **EXACT)
    for record in result.records("encoder") + result.records("cross"):
        assert not record.mask.allowed_BQK[..., 1].any()
        assert (record.weights_BHQK[..., 1] == 0).all()


@pytest.mark.parametrize("place", ["3", "3.cross.3.2"])
def test_a_value_of_zero_leaves_the_weights_and_adds_nothing(place):
    model = variant_model("paper", decoder_layers=3, encoder_layers=1)
    own, values = model(*BATCH), {}
    result = edited(model, read_edits([f"zero-value:{place}"]))(*BATCH, tap=keeping(values))
    zeroed = own.records("cross")[2].v_BHKE.clone()
    heads = slice(None) if place == "3" else 1
    if place == "3":  # in the encoder's only layer, and in the first of cross-attention
        v_BHKE = own.records("encoder")[0].v_BHKE.clone()
        v_BHKE[:, :, 2] = 0
        made_BHQE = own.records("encoder")[0].weights_BHQK @ v_BHKE
        torch.testing.assert_close(values["encoder.1.self.heads"], made_BHQE, **EXACT)
        assert (values["decoder.1.cross.values"][:, :, 2] == 0).all()
        return
    zeroed[:, heads, 2] = 0
    made_BHQE = own.records("cross")[2].weights_BHQK @ zeroed

    def tap(name, value):
        return made_BHQE if name == "decoder.3.cross.heads" else value

    torch.testing.assert_close(result.logits_BTV, logits(model, tap=tap), **EXACT)
    assert torch.equal(
        result.records("cross")[2].weights_BHQK, own.records("cross")[2].weights_BHQK
    )


def test_without_the_scale_queries_are_as_if_they_were_longer():
    model = variant_model("paper")
    changed = by_hand(model)
    with torch.no_grad():
        for layer in (*changed.encoder, *changed.decoder):
            for name in ("self_attention", "cross_attention"):
                if attention := getattr(layer, name, None):
                    inner = attention.H * attention.E
                    attention.projection.weight[:inner] *= math.sqrt(attention.E)
                    attention.projection.bias[:inner] *= math.sqrt(attention.E)
    assert_same(model, ["no-scale"], changed)


def test_without_their_scale_embeddings_are_shorter():
    model = variant_model("paper")
    changed = by_hand(model)
    with torch.no_grad():
        for side in (changed.source_embedding, changed.target_embedding):
            side.weight /= math.sqrt(model.config.width)
    assert_same(model, ["no-embedding-scale"], changed)


@pytest.mark.parametrize("variant", ["paper", "learned"])
def test_without_positions_the_table_is_zero(variant):
    model = variant_model(variant)
    changed = by_hand(model)
    with torch.no_grad():
        changed.source_positions.table_PD.zero_()
        changed.target_positions.table_PD.zero_()
    assert_same(model, ["no-positions"], changed)


def test_without_the_pad_mask_pads_are_read():
    model = variant_model("paper")
    source, target = BATCH
    everything = mask_from("none", torch.ones(2, 1, source.shape[1], dtype=torch.bool))
    encoded = model.encode(source, everything)
    decoded = model.decode(target, encoded, mask=causal_mask(target.shape[1]))
    result = logits(edited(model, read_edits(["no-pad-mask"])))
    torch.testing.assert_close(result, decoded.logits_BTV, **EXACT)


def test_where_rows_of_pads_are_hidden_their_columns_are_read():
    model = variant_model("paper")
    source, target = BATCH
    S, T = source.shape[1], target.shape[1]
    of_source, of_target = ((ids_BT != 0)[:, :, None] for ids_BT in BATCH)
    encoded = model.encode(source, mask_from("rows", of_source.expand(-1, -1, S)))
    encoded = replace(encoded, mask=mask_from("rows", of_target.expand(-1, -1, S)))
    own = mask_from("rows", of_target & torch.ones(T, T, dtype=torch.bool).tril())
    result = edited(model, read_edits(["pads-rows"]))(source, target)
    wanted = model.decode(target, encoded, mask=own)
    torch.testing.assert_close(result.logits_BTV, wanted.logits_BTV, **EXACT)
    for site, real_BQ1 in (("encoder", of_source), ("decoder", of_target), ("cross", of_target)):
        weights_BHQK = result.records(site)[0].weights_BHQK
        empty_BHQ = (weights_BHQK == 0).all(dim=-1)
        assert torch.equal(empty_BHQ, ~real_BQ1.transpose(1, 2).expand_as(empty_BHQ))


@pytest.mark.parametrize(("how", "last"), [("none", 99), ("ahead", 1), ("behind", -1)])
def test_a_broken_causal_mask_sees_what_it_says(how, last):
    model = variant_model("paper")
    source, target = ids(SOURCE), ids(TARGET)
    allowed_QK = torch.ones(8, 8, dtype=torch.bool).tril(diagonal=last)
    wanted = model.decode(target, model.encode(source), mask=mask_from(how, allowed_QK[None]))
    broken = edited(model, read_edits([f"causal-mask:{how}"]))
    torch.testing.assert_close(logits(broken, (source, target)), wanted.logits_BTV, **EXACT)


@pytest.mark.parametrize(
    ("edit", "switch"),
    [
        ("finite-mask", {"hidden_score": "-1e9"}),
        ("no-transpose", {"joined": "as_they_lie"}),
        ("no-split-transpose", {"split": "as_they_lie"}),
    ],
)
def test_a_switch_of_the_configuration_is_the_model_that_was_built_so(edit, switch):
    model = variant_model("paper")
    built = variant_model("paper", **switch)
    built.load_state_dict(model.state_dict())
    result = logits(edited(model, read_edits([edit])))
    torch.testing.assert_close(result, logits(built), **EXACT)


@norms
def test_the_encoder_read_early_is_a_shorter_encoder(variant):
    model = variant_model(variant)
    changed = by_hand(model)
    changed.encoder = changed.encoder[:1]
    assert_same(model, ["encoder-layer:1"], changed)


def test_dropout_that_is_on_keeps_its_rate_and_scales_what_it_keeps():
    model = variant_model("paper", dropout_residual=0.25, dropout_embedding=0.0)
    plain, dropped = {}, {}
    model(*BATCH, tap=keeping(plain))
    edited(model, read_edits(["dropout:3"]))(*BATCH, tap=keeping(dropped))
    name = "encoder.1.self.made"
    ratio = dropped[name] / plain[name]
    kept = ratio != 0
    torch.testing.assert_close(ratio[kept], torch.full_like(ratio[kept], 1 / 0.75), **EXACT)
    assert 0.6 < kept.double().mean() < 0.9
    other = {}
    edited(model, read_edits(["dropout:4"]))(*BATCH, tap=keeping(other))
    assert not torch.equal(other[name], dropped[name])


def test_edits_add_up_and_leave_the_model_alone():
    model = variant_model("paper")
    before = logits(model)
    assert edited(model, ()) is model
    both = read_edits(["no-scale", "head-off:cross.2.3"])
    changed = by_hand(edited(model, read_edits(["no-scale"])))
    attention = changed.decoder[1].cross_attention
    with torch.no_grad():
        attention.output.weight[:, columns(attention, 2)] = 0
    torch.testing.assert_close(logits(edited(model, both)), logits(changed), **EXACT)
    assert torch.equal(logits(model), before)
    shared = {id(tensor) for tensor in edited(model, both).parameters()}
    assert shared <= {id(tensor) for tensor in model.parameters()}


def test_what_changes_nothing_is_refused_by_name():
    assert set(possible(variant_model("paper").config)) == {*KINDS} - {"head-mean"}
    for variant, kind in [
        ("dot", "no-scale"),
        ("no-positions", "no-positions"),
        ("unscaled", "no-embedding-scale"),
        ("rotary", "no-transpose"),
        ("rotary", "no-split-transpose"),
    ]:
        with pytest.raises(RecipeError, match=f"The edit {kind} changes nothing"):
            edited(variant_model(variant), read_edits([kind]))


def test_a_token_beyond_a_sentence_of_the_batch_is_nobody():
    model = variant_model("paper")
    far = edited(model, read_edits(["hide:9", "zero-value:9"]))
    np.testing.assert_array_equal(logits(far), logits(model))
