import itertools
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
import torch
from torch import nn

from model_core.transformer.layers import FeedForward, SampleNorm
from model_core.transformer.masks import causal_mask
from model_core.values.config import ModelConfig
from tests.tiny import tiny_config, tiny_model
from tests.variants import (
    SOURCE,
    TARGET,
    VARIANTS,
    WHOLE,
    all_records,
    every_variant,
    ids,
    stepped,
    variant_model,
)

EXACT = {"rtol": 0, "atol": 1e-12}


def theirs_with_our_weights(model):
    """torch's encoder and decoder with the weights of ours, final norms included."""
    config = model.config

    def settings(heads):
        return {
            "d_model": config.width,
            "nhead": heads,
            "dim_feedforward": config.feed_forward_width,
            "dropout": 0.0,
            "batch_first": True,
            "norm_first": config.norm_place == "pre",
            "dtype": torch.float64,
        }

    layer = nn.TransformerEncoderLayer(**settings(config.encoder_heads))
    encoder = nn.TransformerEncoder(
        layer,
        config.encoder_layers,
        nn.LayerNorm(config.width, dtype=torch.float64),
        enable_nested_tensor=False,
    )
    layer = nn.TransformerDecoderLayer(**settings(config.decoder_heads))
    decoder = nn.TransformerDecoder(
        layer, config.decoder_layers, nn.LayerNorm(config.width, dtype=torch.float64)
    )
    theirs = nn.Transformer(
        config.width, custom_encoder=encoder, custom_decoder=decoder, batch_first=True
    )
    with torch.no_grad():
        encoder.norm.load_state_dict(model.encoder_norm.state_dict())
        decoder.norm.load_state_dict(model.decoder_norm.state_dict())
        for ours, copy in [
            *zip(model.encoder, encoder.layers, strict=True),
            *zip(model.decoder, decoder.layers, strict=True),
        ]:
            attentions = [(ours.self_attention, copy.self_attn)]
            norms = [(ours.around_self, copy.norm1)]
            if hasattr(ours, "cross_attention"):
                attentions.append((ours.cross_attention, copy.multihead_attn))
                norms += [(ours.around_cross, copy.norm2), (ours.around_feed_forward, copy.norm3)]
            else:
                norms.append((ours.around_feed_forward, copy.norm2))
            for attention, other in attentions:
                other.in_proj_weight.copy_(attention.projection.weight)
                other.in_proj_bias.copy_(attention.projection.bias)
                other.out_proj.load_state_dict(attention.output.state_dict())
            for residual, norm in norms:
                norm.load_state_dict(residual.norm.state_dict())
            copy.linear1.load_state_dict(ours.feed_forward.inner.state_dict())
            copy.linear2.load_state_dict(ours.feed_forward.outer.state_dict())
    return theirs.train()  # torch's evaluation mode has a fused path that shows no weights


def recorded_weights(theirs):
    """The weights per head of every attention of torch's, in the order of the calls."""
    weights = []

    def ask_for_weights(module, arguments, settings):
        return arguments, settings | {"need_weights": True, "average_attn_weights": False}

    def keep(module, arguments, settings, output):
        weights.append(output[1])

    for module in theirs.modules():
        if isinstance(module, nn.MultiheadAttention):
            module.register_forward_pre_hook(ask_for_weights, with_kwargs=True)
            module.register_forward_hook(keep, with_kwargs=True)
    return weights


@pytest.mark.parametrize("norm_place", ["post", "pre"])
@pytest.mark.parametrize("depths", [(2, 3), (6, 3), (3, 6)])
def test_outputs_and_weights_are_those_of_torch_with_the_same_weights(norm_place, depths):
    model = tiny_model(
        norm_place=norm_place,
        final_norm=True,
        encoder_layers=depths[0],
        decoder_layers=depths[1],
        encoder_heads=8,
        decoder_heads=3,
    ).double()
    theirs = theirs_with_our_weights(model)
    weights = recorded_weights(theirs)
    source_BS, target_BT = ids(SOURCE, SOURCE[:3]), ids(TARGET, TARGET[:5])
    embedded_BSD = model.source_embedding(source_BS) * 24**0.5
    embedded_BTD = model.target_embedding(target_BT) * 24**0.5
    wanted_BTD = theirs(
        model.source_positions(embedded_BSD),
        model.target_positions(embedded_BTD),
        tgt_mask=~causal_mask(8).allowed_BQK[0],
        src_key_padding_mask=source_BS == 0,
        memory_key_padding_mask=source_BS == 0,
        tgt_key_padding_mask=target_BT == 0,
    )
    encoded = model.encode(source_BS)
    passed = model.decode(target_BT, encoded)
    torch.testing.assert_close(passed.logits_BTV, model.logits(wanted_BTD), **EXACT)
    decoder = zip(passed.self_records, passed.cross_records, strict=True)
    records = [*encoded.records, *itertools.chain(*decoder)]
    assert len(weights) == depths[0] + 2 * depths[1]
    for record, wanted_BHQK in zip(records, weights, strict=True):
        torch.testing.assert_close(record.weights_BHQK, wanted_BHQK, **EXACT)


@every_variant
def test_a_target_in_three_parts_equals_the_full_pass(variant):
    model = variant_model(variant)
    source_BS, target_BT = ids(SOURCE, SOURCE[:3]), ids(TARGET, [*TARGET[:3], 0, 0, 9, 9, 9])
    full = model(source_BS, target_BT)
    passes = stepped(model, source_BS, target_BT, 1, 4)
    logits_BTV = torch.cat([passed.logits_BTV for passed in passes], dim=1)
    torch.testing.assert_close(logits_BTV, full.logits_BTV, **EXACT)
    first = 0
    for passed in passes:
        last = first + passed.logits_BTV.shape[1]
        for record, whole in zip(all_records(passed), all_records(full), strict=True):
            K = record.k_BHKE.shape[2]
            rows = slice(first, last)
            for name in ("q_BHQE", "scores_BHQK", "weights_BHQK"):
                step, row = getattr(record, name), getattr(whole, name)[:, :, rows]
                width = K if name != "q_BHQE" else None
                torch.testing.assert_close(step, row[..., :width], **EXACT)
            assert (whole.weights_BHQK[:, :, rows, K:] == 0).all()
            torch.testing.assert_close(record.k_BHKE, whole.k_BHKE[:, :, :K], **EXACT)
            torch.testing.assert_close(record.v_BHKE, whole.v_BHKE[:, :, :K], **EXACT)
            mask_BQK = record.mask.allowed_BQK.expand(2, last - first, K)
            whole_BQK = whole.mask.allowed_BQK.expand(2, len(TARGET), -1)
            assert torch.equal(mask_BQK, whole_BQK[:, rows, :K])
        first = last


def test_cross_attention_has_target_rows_and_source_columns():
    model = tiny_model(encoder_heads=2, decoder_heads=6)
    for source, target in ((SOURCE, TARGET), (SOURCE * 3, TARGET[:2])):
        passed = model(ids(source), ids(target))
        for record in passed.records("cross"):
            assert record.weights_BHQK.shape == (1, 6, len(target), len(source))
        for record in passed.records("decoder"):
            assert record.weights_BHQK.shape == (1, 6, len(target), len(target))


def test_a_source_of_pads_alone_gets_zeros_and_finite_gradients():
    model = variant_model("paper").train()
    passed = model(ids([0, 0, 0]), ids(TARGET))
    for record in passed.records("cross"):
        assert (record.weights_BHQK == 0).all()
    passed.logits_BTV.square().sum().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


@every_variant
def test_rows_recorded_while_training_sum_to_one_and_every_parameter_learns(variant):
    dropouts = {f"dropout_{name}": 0.4 for name in ("attention", "feed_forward", "residual")}
    model = variant_model(variant, **dropouts).train()
    encoded = model.encode(ids(SOURCE))
    passed = model.decode(ids(TARGET), encoded)
    for record in encoded.records + all_records(passed):
        sums_BHQ = record.weights_BHQK.sum(-1)
        torch.testing.assert_close(sums_BHQ, torch.ones_like(sums_BHQ), **EXACT)
    passed.logits_BTV.square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.isfinite().all(), name


def test_more_tokens_than_positions_are_refused():
    model = tiny_model(max_positions=6)
    encoded = model.encode(ids([5, 6, 7, 8, 9, 2]))
    with pytest.raises(ValueError, match="7 positions; this model has 6"):
        model.encode(ids([5, 6, 7, 8, 9, 10, 2]))
    past = model.decode(ids(TARGET[:5]), encoded).past
    with pytest.raises(ValueError, match="7 positions"):
        model.decode(ids(TARGET[5:7]), encoded, past)


def test_a_convolution_of_width_one_is_a_linear_layer():
    linear = FeedForward(tiny_config()).double()
    convolution = FeedForward(tiny_config(feed_forward="convolution")).double()
    with torch.no_grad():
        for name in ("inner", "outer"):
            one, other = getattr(convolution, name), getattr(linear, name)
            one.weight.copy_(other.weight.unsqueeze(-1))
            one.bias.copy_(other.bias)
    x_BTD = torch.randn(2, 5, 24, dtype=torch.float64)
    torch.testing.assert_close(convolution(x_BTD), linear(x_BTD), **EXACT)


@pytest.mark.parametrize("size", [1, 7])
def test_the_sample_norm_is_the_formula_of_the_tutorials(size):
    norm = SampleNorm(size, eps=0.1).double()
    with torch.no_grad():
        norm.gain.copy_(torch.linspace(1.5, -2, size))
        norm.bias.copy_(torch.linspace(-0.25, 3, size))
    gain, bias = ((parameter.tolist() * 7)[:7] for parameter in (norm.gain, norm.bias))
    x_BTD = torch.randn(2, 3, 7, dtype=torch.float64)
    for b in range(2):
        for t in range(3):
            x = x_BTD[b, t].tolist()
            mean = sum(x) / 7
            std = (sum((value - mean) ** 2 for value in x) / 6) ** 0.5
            wanted = [gain[d] * (value - mean) / (std + 0.1) + bias[d] for d, value in enumerate(x)]
            assert norm(x_BTD)[b, t].tolist() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("tied", "shared"), [("none", 3), ("target", 2), ("all", 1)])
def test_tied_embeddings_are_one_parameter(tied, shared):
    model = tiny_model(tied=tied)
    weights = (model.source_embedding.weight, model.target_embedding.weight, model.logits.weight)
    assert len({id(weight) for weight in weights}) == shared


def test_one_seed_gives_one_model():
    one, other = tiny_model(seed=4).state_dict(), tiny_model(seed=4).state_dict()
    assert all(torch.equal(tensor, other[name]) for name, tensor in one.items())
    assert not torch.equal(one["logits.weight"], tiny_model(seed=5).state_dict()["logits.weight"])


def test_the_variants_cover_every_choice_of_the_configuration():
    for name, hint in get_type_hints(ModelConfig).items():
        if get_origin(hint) is Literal:
            every = (VARIANTS | WHOLE).values()
            tried = {getattr(tiny_config(**changes), name) for changes in every}
            assert tried == set(get_args(hint)), name
