"""What a training update minimises and how far it steps: the losses and the learning rate."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from model_core.errors import CorpusError
from model_core.values.config import TrainConfig

_ROWS = 128  # of logits at a time: 4 MB for a vocabulary of 8,000 in float32
_LEAST_WEIGHT = 1e-6  # a smaller weight counts as this one, so that no loss is infinite


def learning_rate(update: int, config: TrainConfig) -> float:
    """The rate of update 1, 2, ...: a line up to `warmup`, then the inverse square root.

    Without a warm-up, which begins at 1, all updates after `warmup` have the rate that they have
    with it.

    Vaswani et al. 2017, section 5.3. Departs from the paper twice: the peak is given, not derived
    from the width, and over the last `cooldown` updates the rate falls to zero on a line.
    """
    begin = config.warmup_from
    rise = begin + (1 - begin) * update / config.warmup
    shape = rise if update < config.warmup else math.sqrt(config.warmup / update)
    if config.cooldown:
        shape *= min(1.0, (config.updates - update + 1) / config.cooldown)
    return config.learning_rate * shape


def smoothed_cross_entropy(
    logits_NV: Tensor, target_N: Tensor, smoothing: float, pad_id: int
) -> tuple[Tensor, Tensor]:
    """The loss to minimise, and the same without smoothing, which has no gradient.

    Both are means over the tokens that are no pads, in nats. The smoothed target has 1 - smoothing
    on the true token and smoothing / V on every token (Szegedy et al. 2016). Computed in float32 at
    least. Raises CorpusError for pads alone.
    """
    _check_some(target_N, pad_id)
    loss, nats = _SmoothedCrossEntropy.apply(logits_NV, target_N, smoothing, pad_id)
    return loss, nats


class _SmoothedCrossEntropy(torch.autograd.Function):
    """`smoothed_cross_entropy`, some rows at a time: what is written on the way stays in the cache.

    The gradient is made when it is asked for, and rounded once to the precision of the logits.
    """

    @staticmethod
    def forward(
        ctx: Any, logits_NV: Tensor, target_N: Tensor, smoothing: float, pad_id: int
    ) -> tuple[Tensor, Tensor]:
        wide = torch.promote_types(logits_NV.dtype, torch.float32)
        said_N = target_N != pad_id
        share_N1 = (said_N.to(wide) / said_N.sum()).unsqueeze(1)
        sums_2 = share_N1.new_zeros(2)
        for rows in _parts(len(target_N)):
            log_p_RV = logits_NV[rows].log_softmax(dim=-1, dtype=wide)
            log_p_R1 = log_p_RV.gather(1, target_N[rows].unsqueeze(1))
            both_R2 = torch.cat([log_p_R1, log_p_RV.mean(dim=-1, keepdim=True)], dim=1)
            sums_2 -= (both_R2 * share_N1[rows]).sum(dim=0)
        ctx.save_for_backward(logits_NV, target_N, share_N1)
        ctx.smoothing = smoothing
        nats, evenly = sums_2.unbind()
        ctx.mark_non_differentiable(nats)
        return (1 - smoothing) * nats + smoothing * evenly, nats

    @staticmethod
    def backward(ctx: Any, slope: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        logits_NV, target_N, share_N1 = ctx.saved_tensors
        gradient_NV = torch.empty_like(logits_NV)
        for rows in _parts(len(target_N)):
            target_R1 = target_N[rows].unsqueeze(1)
            p_RV = logits_NV[rows].softmax(dim=-1, dtype=share_N1.dtype)
            p_RV -= ctx.smoothing / p_RV.shape[-1]
            p_RV.scatter_add_(1, target_R1, p_RV.new_full(target_R1.shape, ctx.smoothing - 1))
            gradient_NV[rows] = p_RV.mul_(share_N1[rows] * slope)
        return gradient_NV, None, None, None


def _parts(rows: int) -> Iterator[slice]:
    return (slice(begin, begin + _ROWS) for begin in range(0, rows, _ROWS))


def alignment_loss(weights_BHTS: Tensor, links_BT: Tensor) -> Tensor:
    """How little one cross-attention sub-layer's first two heads read the linked source tokens.

    The mean over linked tokens of -log of the weight on the linked source position, in nats (Garg
    et al. 2019, equation 3). `links_BT` has the source position of the token that each row
    writes, -1 for none. Departs from the paper, where one head learns.
    """
    taught_BHTS = weights_BHTS[:, :2]
    link_BHT = links_BT.unsqueeze(1).expand(taught_BHTS.shape[:-1])
    linked = link_BHT >= 0
    weight_N = taught_BHTS[linked].gather(1, link_BHT[linked].unsqueeze(1))
    return -weight_N.float().clamp_min(_LEAST_WEIGHT).log().sum() / linked.sum().clamp_min(1)


def disagreement(logits_MV: Tensor, target_M: Tensor, pad_id: int) -> Tensor:
    """How far apart two readings of the same tokens are, with dropout of their own.

    `logits_MV` has one reading after the other, in the same order. Half the sum of both
    Kullback-Leibler divergences, the mean over the tokens that are no pads, in nats (R-Drop, Liang
    et al. 2021). Beside the mean loss of both readings, a weight w is the paper's alpha of 2 w.
    Raises CorpusError for pads alone.
    """
    _check_some(target_M, pad_id)
    log_p_NV, log_q_NV = _log_probabilities(logits_MV).chunk(2)
    apart_N = ((log_p_NV.exp() - log_q_NV.exp()) * (log_p_NV - log_q_NV)).sum(dim=-1) / 2
    return apart_N[target_M[: len(apart_N)] != pad_id].mean()


def _check_some(target_N: Tensor, pad_id: int) -> None:
    if bool((target_N == pad_id).all()):
        raise CorpusError("A batch of pads alone has no loss. Leave empty pairs out of batches.")


def _log_probabilities(logits_NV: Tensor) -> Tensor:
    """In float32 at least."""
    return logits_NV.to(torch.promote_types(logits_NV.dtype, torch.float32)).log_softmax(dim=-1)
