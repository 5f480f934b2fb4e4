from dataclasses import replace

import pytest
import torch

from model_core.errors import CorpusError
from model_core.training.loss import (
    alignment_loss,
    disagreement,
    learning_rate,
    smoothed_cross_entropy,
)
from model_core.values.config import TrainConfig


def test_the_rate_rises_on_a_line_and_falls_with_the_inverse_root() -> None:
    config = TrainConfig(learning_rate=1e-3, warmup=100)
    assert learning_rate(1, config) == pytest.approx(1e-5)
    assert learning_rate(50, config) == pytest.approx(5e-4)
    assert learning_rate(100, config) == pytest.approx(1e-3)
    assert learning_rate(400, config) == pytest.approx(5e-4)


def test_without_a_warm_up_the_rate_is_full_until_it_falls_as_with_one() -> None:
    with_one = TrainConfig(learning_rate=1e-3, warmup=100)
    without, half = (replace(with_one, warmup_from=share) for share in (1.0, 0.5))
    assert {learning_rate(update, without) for update in (1, 50, 100)} == {1e-3}
    assert learning_rate(50, half) == pytest.approx(7.5e-4)
    for update in (100, 101, 400):
        assert learning_rate(update, without) == learning_rate(update, with_one)


def test_the_schedule_is_the_papers_where_the_peak_is_the_papers() -> None:
    width, warmup = 512, 4000
    config = TrainConfig(learning_rate=(width * warmup) ** -0.5, warmup=warmup)
    for update in (1, 100, 4000, 100_000):
        paper = width**-0.5 * min(update**-0.5, update * warmup**-1.5)
        assert learning_rate(update, config) == pytest.approx(paper)


def test_a_cooldown_ends_just_above_zero_and_changes_nothing_before_it() -> None:
    without = TrainConfig(updates=1000, warmup=100)
    config = replace(without, cooldown=200)
    assert learning_rate(800, config) == learning_rate(800, without)
    assert learning_rate(1000, config) == pytest.approx(learning_rate(1000, without) / 200)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_the_loss_and_its_gradient_are_the_closed_form(smoothing: float) -> None:
    torch.manual_seed(0)
    N, V = 7, 11
    logits_NV = torch.randn(N, V, dtype=torch.float64, requires_grad=True)
    target_N = torch.randint(1, V, (N,))
    loss, nats = smoothed_cross_entropy(logits_NV, target_N, smoothing, pad_id=0)
    (3 * loss).backward()

    wanted_NV = torch.full((N, V), smoothing / V, dtype=torch.float64)
    wanted_NV[torch.arange(N), target_N] += 1 - smoothing
    log_p_NV = logits_NV.detach().log_softmax(dim=-1)
    assert loss.item() == pytest.approx(-(wanted_NV * log_p_NV).sum().item() / N, rel=1e-12)
    assert nats.item() == pytest.approx(
        -log_p_NV[torch.arange(N), target_N].mean().item(), rel=1e-12
    )
    expected_NV = 3 * (log_p_NV.exp() - wanted_NV) / N
    torch.testing.assert_close(logits_NV.grad, expected_NV, rtol=1e-12, atol=1e-15)


def test_the_loss_and_its_gradient_are_torchs_without_the_pads() -> None:
    torch.manual_seed(0)
    logits_NV = torch.randn(300, 8000, requires_grad=True)
    target_N = torch.randint(0, 8000, (300,))
    target_N[::5] = 0  # pads
    loss, _ = smoothed_cross_entropy(logits_NV, target_N, 0.1, pad_id=0)
    (grad_NV,) = torch.autograd.grad(loss, logits_NV)
    reference = torch.nn.functional.cross_entropy(
        logits_NV, target_N, label_smoothing=0.1, ignore_index=0
    )
    (reference_NV,) = torch.autograd.grad(reference, logits_NV)
    torch.testing.assert_close(loss, reference)
    torch.testing.assert_close(grad_NV, reference_NV, rtol=1e-4, atol=1e-9)
    assert not grad_NV[::5].any()


def test_bfloat16_logits_give_a_float32_loss() -> None:
    logits_NV = torch.randn(5, 9).bfloat16().requires_grad_()
    loss, nats = smoothed_cross_entropy(logits_NV, torch.arange(5), 0.1, pad_id=8)
    assert loss.dtype == nats.dtype == torch.float32
    loss.backward()
    assert logits_NV.grad is not None and logits_NV.grad.dtype == torch.bfloat16


@pytest.mark.parametrize("slope", [0.1, 1 / 3, 2.6015625 - 2**-9])
def test_the_gradient_of_bfloat16_logits_is_rounded_once_after_it_is_weighed(slope: float) -> None:
    torch.manual_seed(0)
    logits_MV, target_M = torch.randn(8, 50).bfloat16().requires_grad_(), torch.arange(1, 9)
    wide_MV = logits_MV.detach().float().requires_grad_()
    for loss in (
        lambda x_MV: smoothed_cross_entropy(x_MV, target_M, 0.1, pad_id=0)[0],
        lambda x_MV: disagreement(x_MV, target_M, pad_id=0),
    ):
        (found_MV,) = torch.autograd.grad(slope * loss(logits_MV), logits_MV)
        (wanted_MV,) = torch.autograd.grad(slope * loss(wide_MV), wide_MV)
        assert found_MV.dtype == torch.bfloat16 and torch.equal(found_MV, wanted_MV.bfloat16())


def test_a_batch_of_pads_alone_is_refused_by_name() -> None:
    logits_NV, pads_N = torch.randn(4, 9), torch.zeros(4, dtype=torch.long)
    with pytest.raises(CorpusError, match="pads alone has no loss"):
        smoothed_cross_entropy(logits_NV, pads_N, 0.1, pad_id=0)
    with pytest.raises(CorpusError, match="pads alone has no loss"):
        disagreement(logits_NV, pads_N, pad_id=0)


# Guidance


def test_the_alignment_loss_is_that_of_two_heads_where_a_token_is_written() -> None:
    torch.manual_seed(0)
    B, H, T, S = 2, 3, 4, 5
    scores_BHTS = torch.randn(B, H, T, S, dtype=torch.float64, requires_grad=True)
    links_BT = torch.tensor([[3, -1, 0, -1], [2, 2, 4, -1]])
    alignment_loss(scores_BHTS.softmax(-1), links_BT).backward()
    weights_BHTS = scores_BHTS.detach().softmax(-1)
    nats = []
    for b in range(B):
        for t in range(T):
            link = int(links_BT[b, t])
            if link >= 0:
                nats += [-weights_BHTS[b, head, t, link].log().item() for head in (0, 1)]
    loss = alignment_loss(weights_BHTS, links_BT)
    assert loss.item() == pytest.approx(sum(nats) / len(nats), rel=1e-6)
    grad_BHTS = scores_BHTS.grad
    assert grad_BHTS is not None
    assert not grad_BHTS[:, 2].any() and grad_BHTS[0, 0, 0].any() and grad_BHTS[0, 1, 0].any()
    assert not grad_BHTS[0, :, 1].any() and not grad_BHTS[:, :, 3].any()


def test_the_alignment_loss_of_nothing_linked_is_nothing_and_of_no_weight_is_finite() -> None:
    weights_BHTS = torch.zeros(1, 1, 2, 3)
    assert alignment_loss(weights_BHTS, torch.full((1, 2), -1)).item() == 0
    assert alignment_loss(weights_BHTS, torch.tensor([[0, 1]])).isfinite()


# Two readings that should agree


def test_the_disagreement_and_its_gradient_are_autograds() -> None:
    torch.manual_seed(0)
    logits_NV = torch.randn(600, 3000, dtype=torch.float64, requires_grad=True)
    target_N = torch.randint(1, 3000, (300,))
    target_N[::7] = 0  # pads
    found = disagreement(logits_NV, torch.cat([target_N, target_N]), pad_id=0)
    (grad_NV,) = torch.autograd.grad(3 * found, logits_NV)

    first, second = (logits_NV.view(2, 300, 3000)[:, target_N != 0]).log_softmax(dim=-1)
    both = [
        torch.nn.functional.kl_div(a, b, reduction="batchmean", log_target=True)
        for a, b in ((first, second), (second, first))
    ]
    reference = (both[0] + both[1]) / 2
    (reference_NV,) = torch.autograd.grad(3 * reference, logits_NV)
    torch.testing.assert_close(found, reference, rtol=1e-12, atol=0)
    torch.testing.assert_close(grad_NV, reference_NV, rtol=1e-9, atol=1e-15)
    assert not grad_NV.view(2, 300, 3000)[:, ::7].any()


def test_equal_readings_do_not_disagree() -> None:
    logits_NV = torch.randn(5, 9).bfloat16().repeat(2, 1).requires_grad_()
    found = disagreement(logits_NV, torch.arange(10) % 5, pad_id=8)
    found.backward()
    assert found.item() == 0 and found.dtype == torch.float32
    assert logits_NV.grad is not None and not logits_NV.grad.any()
