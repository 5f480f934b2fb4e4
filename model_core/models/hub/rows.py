"""Rows of ids as a pass reads them; what it recorded as rows and traces, in float32."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedModel

from model_core.models.hub.words import Words
from model_core.transformer.attention import AttentionRecord
from model_core.values.trace import AttentionRow, AttentionTrace, DecodeStep, Site, Tokens, copied


def padded(
    rows: Sequence[Sequence[int]], words: Words, device: torch.device, start: int
) -> tuple[Tensor, Tensor]:
    """Rows of ids as one tensor, and which of them are no pads; the first `start` never are."""
    longest = max(map(len, rows))
    ids_BT = torch.tensor([[*row, *[words.pad or 0] * (longest - len(row))] for row in rows])
    places_T = torch.arange(longest)
    allowed_BT = places_T < torch.tensor([[len(row)] for row in rows])
    if words.pad is not None and words.pad not in words.ends:  # an end that is a pad too is read
        allowed_BT = allowed_BT & ((ids_BT != words.pad) | (places_T < start))
    return ids_BT.to(device), allowed_BT.long().to(device)


def types_of(
    ids_BS: Tensor, allowed_BS: Tensor, words: Words, network: PreTrainedModel
) -> dict[str, Tensor]:
    """Which of two sentences a token is of: the second is what stands behind a separator."""
    if getattr(network.config, "type_vocab_size", 1) < 2 or words.separator is None:
        return {}
    ends_BS = (ids_BS == words.separator).long()
    behind_BS = (ends_BS.cumsum(dim=1) - ends_BS > 0) & (allowed_BS > 0)
    return {"token_type_ids": behind_BS.long()}


def encoder_trace(
    source: Tokens, site: Site, layer: int, record: AttentionRecord
) -> AttentionTrace:
    """The whole record of one layer of an encoder that read one sentence."""
    K = len(source)
    bias = record.bias_BHQK
    return AttentionTrace(
        site=site,
        layer=layer,
        queries=source,
        keys=source,
        q_HQE=copied(record.q_BHQE[0].float()),
        k_HKE=copied(record.k_BHKE[0].float()),
        v_HKE=copied(record.v_BHKE[0].float()),
        scores_HQK=copied(record.scores_BHQK[0].float()),
        mask_QK=copied(record.mask.allowed_BQK[0].expand(K, -1)),
        weights_HQK=copied(record.weights_BHQK[0].float()),
        bias_HQK=None if bias is None else copied(bias[0].float()),
    )


def steps_of(
    logits_BTV: Tensor,
    decoder: Sequence[Sequence[AttentionRow]],
    cross: Sequence[Sequence[AttentionRow]],
    at: range,
    greedy: int | None,
) -> tuple[DecodeStep, ...]:
    """The last tokens that a pass read, which stand at these places, with their rows by layer.

    `greedy` is what follows by the model's own settings.
    """
    # What is made here is kept whole: of a long vocabulary a copy would be much.
    log_probabilities_TV = logits_BTV[0, -len(at) :].log_softmax(dim=-1).numpy(force=True)
    log_probabilities_TV.setflags(write=False)
    return tuple(
        DecodeStep(
            index=place,
            log_probabilities_V=log_probabilities_TV[n],
            decoder_rows=tuple(layer[n] for layer in decoder),
            cross_rows=tuple(layer[n] for layer in cross),
            greedy=greedy if n == len(at) - 1 else None,
        )
        for n, place in enumerate(at)
    )


def rows_of(at: range, site: Site, _: int, record: AttentionRecord) -> list[AttentionRow]:
    """The rows of one layer at these places, the last of its record.

    Those of a decoder have their own key and value, and no later keys. Each array is taken over
    once for all of them: a row shares its query, key and value with them.
    """
    grows, rows, own = site == "decoder", slice(-len(at), None), slice(at.start, at.stop)
    q_HTE = copied(record.q_BHQE[0, :, rows].float())
    k_HTE, v_HTE = (
        copied(both[0, :, own].float()) if grows else None
        for both in (record.k_BHKE, record.v_BHKE)
    )
    allowed_QK, bias_BHQK = record.mask.allowed_BQK[0].numpy(force=True), record.bias_BHQK
    if len(allowed_QK) > 1:  # else all rows share one
        allowed_QK = allowed_QK[rows]
    allowed_QK = np.broadcast_to(allowed_QK, (len(at), allowed_QK.shape[1]))
    keys = [place + 1 if grows else allowed_QK.shape[1] for place in at]
    scores, weights = (
        _cut(one[0, :, rows].float().numpy(force=True), keys)
        for one in (record.scores_BHQK, record.weights_BHQK)
    )
    bias = (
        None if bias_BHQK is None else _cut(bias_BHQK[0, :, rows].float().numpy(force=True), keys)
    )
    masks = _cut(allowed_QK[None], keys)
    return [
        AttentionRow(
            q_HE=q_HTE[:, n],
            k_HE=None if k_HTE is None else k_HTE[:, n],
            v_HE=None if v_HTE is None else v_HTE[:, n],
            scores_HK=scores[n],
            mask_K=masks[n][0],
            weights_HK=weights[n],
            bias_HK=None if bias is None else bias[n],
        )
        for n in range(len(at))
    ]


def _cut(whole_HTK: np.ndarray, keys: Sequence[int]) -> list[np.ndarray]:
    """The rows (H, K), each with as many keys as it saw, one behind the other in one memory.

    They live and die together; a view would keep what later keys have too.
    """
    ends = np.cumsum([0, *keys]) * len(whole_HTK)
    flat = np.empty(ends[-1], whole_HTK.dtype)
    cut = [flat[a:b].reshape(-1, K) for a, b, K in zip(ends, ends[1:], keys, strict=False)]
    for n, row_HK in enumerate(cut):
        row_HK[:] = whole_HTK[:, n, : row_HK.shape[1]]
        row_HK.setflags(write=False)
    return cut
