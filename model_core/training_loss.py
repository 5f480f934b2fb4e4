"""What a training update minimises and how far it steps: the losses and the learning rate."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function

from model_core.config import TrainConfig

_LEAST_WEIGHT = 1e-6  # a smaller weight counts as this one, so that no loss is infinite
_CELLS = 2**19  # logits looked at together; float32, they fit into a core's cache


def learning_rate(update: int, config: TrainConfig) -> float:
    """The rate of update 1, 2, ...: a line up to `warmup`, then the inverse square root.

    Vaswani et al. 2017, section 5.3. Departs from the paper twice: the peak is given, not derived
    from the width, and over the last `cooldown` updates the rate falls to zero on a line.
    """
    shape = min(update / config.warmup, math.sqrt(config.warmup / update))
    if config.cooldown:
        shape *= min(1.0, (config.updates - update + 1) / config.cooldown)
    return config.learning_rate * shape


def smoothed_cross_entropy(
    logits_NV: Tensor, target_N: Tensor, smoothing: float, pad_id: int
) -> tuple[Tensor, Tensor]:
    """The loss to minimise, and the same without smoothing, which has no gradient.

    Both are means over the tokens that are no pads, in nats. The smoothed target has 1 - smoothing
    on the true token and smoothing / V on every token (Szegedy et al. 2016). Computed in float32 at
    least.
    """
    return _SmoothedCrossEntropy.apply(logits_NV, target_N, smoothing, pad_id)


def alignment_loss(weights_BHTS: Tensor, links_BT: Tensor) -> Tensor:
    """How little one cross-attention sub-layer's first two heads read the linked source tokens.

    The mean over linked tokens of -log of the weight on the linked source position, in nats (Garg
    et al. 2019, equation 3). `links_BT` has the source position of the token that each row
    predicts, -1 for none. Departs from the paper: head 1 learns the link of the token that its row
    predicts, head 2, where there is one, that of the token fed in.
    """
    readings = [weights_BHTS[:, 0]]
    links = [links_BT]
    if weights_BHTS.shape[1] > 1:
        readings.append(weights_BHTS[:, 1, 1:])  # what row t + 1 is fed is what row t predicts
        links.append(links_BT[:, :-1])
    read = torch.cat([weights_BTS.flatten(0, 1) for weights_BTS in readings])
    link = torch.cat([part.flatten() for part in links])
    linked = link >= 0
    weight_N = read[linked].gather(1, link[linked].unsqueeze(1))
    return -weight_N.float().clamp_min(_LEAST_WEIGHT).log().sum() / linked.sum().clamp_min(1)


def disagreement(logits_MV: Tensor, target_M: Tensor, pad_id: int) -> Tensor:
    """How far apart two readings of the same tokens are, with dropout of their own.

    `logits_MV` has one reading after the other, in the same order. Half the sum of both
    Kullback-Leibler divergences, the mean over the tokens that are no pads, in nats (R-Drop, Liang
    et al. 2021). Beside the mean loss of both readings, a weight w is the paper's alpha of 2 w.
    """
    return _Disagreement.apply(logits_MV, target_M, pad_id)


class _WithGradient(Function):
    """A loss whose `forward` looks at a few rows at a time and leaves their gradient too.

    On a CPU, while they are in the cache: that is twice as fast as torch's cross_entropy for
    bfloat16 logits, as no float32 copy of all logits is made.
    """

    @staticmethod
    def backward(ctx: Any, slope: Tensor, *_: Tensor) -> tuple[Tensor | None, ...]:
        (grad_NV,) = ctx.saved_tensors
        # In float32 even where the gradient is bfloat16, and rounded once.
        return grad_NV.mul_(slope), *(None for _ in ctx.needs_input_grad[1:])


class _SmoothedCrossEntropy(_WithGradient):
    @staticmethod
    def forward(
        ctx: Any, logits_NV: Tensor, target_N: Tensor, smoothing: float, pad_id: int
    ) -> tuple[Tensor, Tensor]:
        V = logits_NV.shape[1]
        share_N1 = _share(target_N, pad_id, logits_NV)
        grad_NV = torch.empty_like(logits_NV) if ctx.needs_input_grad[0] else None
        loss, nats = share_N1.new_zeros(2)
        for part in _parts(len(logits_NV), logits_NV):
            x_NV = logits_NV[part].to(share_N1.dtype, copy=True)
            true_N1 = target_N[part].unsqueeze(1)
            norm_N1 = x_NV.logsumexp(dim=-1, keepdim=True)
            true_nats_N1 = norm_N1 - x_NV.gather(1, true_N1)
            mean_nats_N1 = norm_N1 - x_NV.mean(dim=-1, keepdim=True)
            smooth_N1 = (1 - smoothing) * true_nats_N1 + smoothing * mean_nats_N1
            nats += true_nats_N1.squeeze(1) @ share_N1[part].squeeze(1)
            loss += smooth_N1.squeeze(1) @ share_N1[part].squeeze(1)
            if grad_NV is not None:
                p_NV = x_NV.sub_(norm_N1).exp_().sub_(smoothing / V)
                p_NV.scatter_add_(1, true_N1, torch.full_like(norm_N1, smoothing - 1))
                grad_NV[part] = p_NV.mul_(share_N1[part])
        ctx.save_for_backward(grad_NV)
        ctx.mark_non_differentiable(nats)
        return loss, nats


class _Disagreement(_WithGradient):
    @staticmethod
    def forward(ctx: Any, logits_MV: Tensor, target_M: Tensor, pad_id: int) -> Tensor:
        N = len(logits_MV) // 2  # M = 2 N: one reading after the other
        share_N1 = _share(target_M[:N], pad_id, logits_MV)
        grad_MV = torch.empty_like(logits_MV) if ctx.needs_input_grad[0] else None
        total = share_N1.new_zeros(())
        for part in _parts(N, logits_MV):
            other = slice(N + part.start, N + part.stop)
            log_p_NV = logits_MV[part].to(share_N1.dtype).log_softmax(dim=-1)
            log_q_NV = logits_MV[other].to(share_N1.dtype).log_softmax(dim=-1)
            p_NV, q_NV = log_p_NV.exp(), log_q_NV.exp()
            ratio_NV, apart_NV = log_p_NV.sub_(log_q_NV), p_NV - q_NV
            total += 0.5 * ((apart_NV * ratio_NV).sum(dim=-1) @ share_N1[part].squeeze(1))
            if grad_MV is None:
                continue
            for place, own_NV, sign in ((part, p_NV, 1), (other, q_NV, -1)):
                mean_N1 = (own_NV * ratio_NV).sum(dim=-1, keepdim=True)
                own_NV.mul_(ratio_NV - mean_N1).add_(apart_NV)
                grad_MV[place] = own_NV.mul_(0.5 * sign * share_N1[part])
        ctx.save_for_backward(grad_MV)
        return total


def _share(target_N: Tensor, pad_id: int, logits_NV: Tensor) -> Tensor:
    """The share of each row in the mean over the tokens that are no pads; float32 at least."""
    counts_N1 = (target_N != pad_id).unsqueeze(1)
    return counts_N1.to(torch.promote_types(logits_NV.dtype, torch.float32)) / counts_N1.sum()


def _parts(N: int, logits_NV: Tensor) -> Iterator[slice]:
    """Rows to look at together, all of them in turn."""
    rows = max(1, _CELLS // logits_NV.shape[1]) if logits_NV.device.type == "cpu" else N
    for first in range(0, N, rows):
        yield slice(first, min(first + rows, N))
