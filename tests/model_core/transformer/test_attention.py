import dataclasses

import numpy as np
import pytest
import torch
from torch import nn

from model_core.transformer.attention import (
    MultiHeadAttention,
    masked_argmax,
    masked_softmax,
)
from model_core.transformer.key_values import KeyValues
from model_core.transformer.masks import causal_mask, mask_from, pad_mask
from tests.tiny import tiny_config
from tests.variants import VARIANTS, every_variant, replayed_scores, replayed_weights


def attention_of(variant, **changes):
    torch.manual_seed(5)
    config = tiny_config(**VARIANTS[variant] | changes)
    rotary = config.positions == "rotary"
    made = MultiHeadAttention(config, config.decoder_heads, rotary)
    for name, parameter in made.named_parameters():
        if name != "projection.weight":
            nn.init.normal_(parameter)
    return made.double().eval()


def padded_inputs(Q=6):
    """Vectors of two sentences, and a mask that is causal and hides two pads of the second."""
    x_BTD = torch.randn(2, Q, 24, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    ids_BK = torch.ones(2, Q, dtype=torch.long)
    ids_BK[1, Q - 2 :] = 0
    return x_BTD, causal_mask(Q) & pad_mask(ids_BK, 0)


@every_variant
def test_a_record_replays_from_its_own_queries_keys_and_values(variant):
    attention = attention_of(variant)
    x_BTD, mask = padded_inputs()
    output_BTD, record, _ = attention.attend_self(x_BTD, mask, KeyValues())
    q, k, v, scores, weights = (
        tensor.detach().numpy()
        for tensor in (
            record.q_BHQE,
            record.k_BHKE,
            record.v_BHKE,
            record.scores_BHQK,
            record.weights_BHQK,
        )
    )
    again = replayed_scores(attention, q, k)
    np.testing.assert_allclose(scores, again, rtol=0, atol=1e-12)
    again = replayed_weights(attention, again, mask.allowed_BQK.numpy())
    np.testing.assert_allclose(weights, again, rtol=0, atol=1e-12)
    joined_BQC = np.concatenate(list((again @ v).transpose(1, 0, 2, 3)), axis=-1)
    if isinstance(attention.output, nn.Linear):
        joined_BQC = joined_BQC @ attention.output.weight.detach().numpy().T
        if attention.output.bias is not None:
            joined_BQC = joined_BQC + attention.output.bias.detach().numpy()
    np.testing.assert_allclose(output_BTD.detach().numpy(), joined_BQC, rtol=0, atol=1e-12)


def test_queries_keys_and_values_are_the_projections_of_their_inputs():
    attention = attention_of("paper")
    x_BTD, _ = padded_inputs()
    memory_BSD = x_BTD.flip(1)[:, :4]
    everyone = mask_from("all", torch.ones(1, 1, 4, dtype=torch.bool))
    _, record = attention.attend_cross(x_BTD, everyone, attention.keys_values(memory_BSD))
    rows, H, E = attention.projection.weight.split(24), attention.H, attention.E
    biases = attention.projection.bias.split(24)
    for got, x, W, b in zip(
        (record.q_BHQE, record.k_BHKE, record.v_BHKE),
        (x_BTD, memory_BSD, memory_BSD),
        rows,
        biases,
        strict=True,
    ):
        for h in range(H):
            part = slice(h * E, (h + 1) * E)
            torch.testing.assert_close(got[:, h], x @ W[part].T + b[part], rtol=0, atol=1e-12)
    assert record.weights_BHQK.shape == (2, H, 6, 4)  # queries are rows, keys are columns


def test_vectors_that_are_split_as_they_lie_are_cut_row_after_row():
    attention = attention_of("paper", split="as_they_lie")
    x_BTD, mask = padded_inputs()
    _, record, _ = attention.attend_self(x_BTD, mask, KeyValues())
    rows, biases = attention.projection.weight.split(24), attention.projection.bias.split(24)
    for got, W, b in zip((record.q_BHQE, record.k_BHKE, record.v_BHKE), rows, biases, strict=True):
        numbers = (x_BTD @ W.T + b).detach().numpy()
        for sentence, lying in enumerate(numbers):
            in_memory = iter(np.ravel(lying))
            for row in got[sentence].detach().numpy().reshape(-1, attention.E):
                wanted = [next(in_memory) for _ in row]
                np.testing.assert_allclose(row, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_outputs_and_weights_of_every_head_are_those_of_torch(bias):
    attention = attention_of("paper", attention_bias=bias, output_bias=bias)
    theirs = nn.MultiheadAttention(24, 4, bias=bias, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(attention.projection.weight)
        theirs.out_proj.weight.copy_(attention.output.weight)
        if bias:
            theirs.in_proj_bias.copy_(attention.projection.bias)
            theirs.out_proj.bias.copy_(attention.output.bias)
    x_BTD, mask = padded_inputs()
    output_BTD, record, _ = attention.attend_self(x_BTD, mask, KeyValues())
    hidden_BHQK = ~mask.allowed_BQK.repeat_interleave(4, dim=0)
    wanted_BTD, weights_BHQK = theirs(
        x_BTD, x_BTD, x_BTD, attn_mask=hidden_BHQK, average_attn_weights=False
    )
    torch.testing.assert_close(output_BTD, wanted_BTD, rtol=0, atol=1e-12)
    torch.testing.assert_close(record.weights_BHQK, weights_BHQK, rtol=0, atol=1e-12)


@pytest.mark.parametrize("function", [masked_softmax, masked_argmax])
def test_masked_cells_are_exactly_zero_and_other_rows_sum_to_one(function):
    torch.manual_seed(0)
    allowed_BQK = torch.rand(3, 7, 5) < 0.5
    allowed_BQK[1, 2] = False
    scores_BHQK = torch.randn(3, 2, 7, 5, dtype=torch.float64) * 50
    weights_BHQK = function(scores_BHQK, mask_from("any", allowed_BQK))
    hidden_BHQK = ~allowed_BQK.unsqueeze(1).expand_as(weights_BHQK)
    assert (weights_BHQK[hidden_BHQK] == 0).all()
    sums_BHQ = weights_BHQK.sum(-1)
    wanted_BHQ = allowed_BQK.any(-1).unsqueeze(1).expand_as(sums_BHQ).double()
    torch.testing.assert_close(sums_BHQ, wanted_BHQ, rtol=0, atol=1e-12)


@pytest.mark.parametrize("variant", ["paper", "hard", "additive"])
def test_a_row_without_an_allowed_key_is_zeros_and_has_a_finite_gradient(variant):
    attention = attention_of(variant).train()
    x_BTD, _ = padded_inputs()
    allowed_BQK = torch.ones(2, 6, 6, dtype=torch.bool)
    allowed_BQK[0, 3] = False
    x_BTD.requires_grad_()
    output_BTD, record, _ = attention.attend_self(
        x_BTD, mask_from("hole", allowed_BQK), KeyValues()
    )
    assert (record.weights_BHQK[0, :, 3] == 0).all()
    torch.testing.assert_close(output_BTD[0, 3], attention.output.bias, rtol=0, atol=0)
    (gradient_BTD,) = torch.autograd.grad(output_BTD.square().sum(), x_BTD)
    assert gradient_BTD.isfinite().all()


def test_hidden_keys_lose_to_allowed_ones_however_low_these_score():
    scores_BHQK = torch.tensor([[[[-1e30, -1e30, 5.0]]]])
    mask = mask_from("last", torch.tensor([[[True, True, False]]]))
    assert masked_softmax(scores_BHQK, mask).tolist() == [[[[0.5, 0.5, 0]]]]
    holed = mask_from("hole", torch.tensor([[[True, True, False]], [[False, False, False]]]))
    weights_BHQK = masked_softmax(scores_BHQK.expand(2, 1, 1, 3), holed)
    assert weights_BHQK[:, 0, 0].tolist() == [[0.5, 0.5, 0], [0, 0, 0]]


def test_a_mask_without_holes_takes_no_other_path_than_one_with():
    scores_BHQK = torch.randn(2, 2, 4, 4, dtype=torch.float64)
    plain = causal_mask(4)
    holed_BQK = torch.cat([plain.allowed_BQK, plain.allowed_BQK])
    holed_BQK[1, 0] = False
    both = masked_softmax(scores_BHQK, mask_from("hole", holed_BQK))
    assert torch.equal(masked_softmax(scores_BHQK, plain)[0], both[0])


def test_hard_attention_takes_the_first_of_equal_scores():
    scores_BHQK = torch.tensor([[[[1.0, 3.0, 3.0, 9.0]]]])
    mask = mask_from("last", torch.tensor([[[True, True, True, False]]]))
    assert masked_argmax(scores_BHQK, mask).tolist() == [[[[0, 1, 0, 0]]]]


def test_hard_attention_trains_with_the_gradient_of_soft_attention():
    hard, soft = attention_of("hard").train(), attention_of("paper").train()
    _, mask = padded_inputs()
    scores_BHQK = torch.randn(2, 4, 6, 6, dtype=torch.float64, requires_grad=True)
    pull_BHQK = torch.randn(2, 4, 6, 6, dtype=torch.float64)
    weights_BHQK = hard.weights(scores_BHQK, mask)
    assert torch.equal(weights_BHQK, masked_argmax(scores_BHQK, mask))
    gradients = [
        torch.autograd.grad((kind.weights(scores_BHQK, mask) * pull_BHQK).sum(), scores_BHQK)[0]
        for kind in (hard, soft)
    ]
    assert torch.equal(*gradients)


def test_weights_are_recorded_before_dropout():
    attention = attention_of("paper", dropout_attention=0.5).train()
    x_BTD, mask = padded_inputs()
    torch.manual_seed(0)
    output_BTD, record, _ = attention.attend_self(x_BTD, mask, KeyValues())
    torch.testing.assert_close(record.weights_BHQK.sum(-1), torch.ones(2, 4, 6).double())
    calm_BTD, calm, _ = attention.eval().attend_self(x_BTD, mask, KeyValues())
    assert torch.equal(record.weights_BHQK, calm.weights_BHQK)
    assert not torch.allclose(output_BTD, calm_BTD)


def test_a_finite_fill_turns_an_empty_row_uniform_which_is_why_ours_is_infinite():
    scores_BHQK = torch.tensor([[[[0.3, -1.2, 2.0]]]], dtype=torch.float64)
    nothing = mask_from("nothing", torch.zeros(1, 1, 3, dtype=torch.bool))
    tutorial = dataclasses.replace(nothing, hidden_score=-1e9)
    assert torch.equal(masked_softmax(scores_BHQK, nothing), torch.zeros_like(scores_BHQK))
    uniform = torch.full_like(scores_BHQK, 1 / 3)
    torch.testing.assert_close(masked_softmax(scores_BHQK, tutorial), uniform)
