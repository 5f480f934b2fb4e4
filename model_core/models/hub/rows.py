"""What a pass recorded, as the rows and traces of a decoding; arrays are float32."""

from collections.abc import Mapping, Sequence

import numpy as np
from torch import Tensor

from model_core.transformer.attention import AttentionRecord
from model_core.values.trace import AttentionRow, AttentionTrace, DecodeStep, Site, Tokens, copied


def encoder_trace(layer: int, record: AttentionRecord, source: Tokens) -> AttentionTrace:
    """The whole record of one layer of an encoder that read one sentence."""
    K = len(source)
    bias = record.bias_BHQK
    return AttentionTrace(
        site="encoder",
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
    records: Mapping[Site, tuple[AttentionRecord, ...]],
    new: int,
    length: int,
    greedy: int | None,
) -> tuple[DecodeStep, ...]:
    """The last `new` tokens that a pass read, which end a target of this length.

    `greedy` is what follows by the model's own settings. Each array is taken over once for all of
    them: a row shares its query, key and value with them.
    """
    rows, at = slice(-new, None), range(length - new, length)
    log_probabilities_TV = copied(logits_BTV[0, rows].log_softmax(dim=-1))
    decoder = [_rows(record, rows, at, grows=True) for record in records["decoder"]]
    cross = [_rows(record, rows, at, grows=False) for record in records.get("cross", ())]
    return tuple(
        DecodeStep(
            index=place,
            log_probabilities_V=log_probabilities_TV[n],
            decoder_rows=tuple(layer[n] for layer in decoder),
            cross_rows=tuple(layer[n] for layer in cross),
            greedy=greedy if n == new - 1 else None,
        )
        for n, place in enumerate(at)
    )


def _rows(record: AttentionRecord, rows: slice, at: range, grows: bool) -> list[AttentionRow]:
    """The rows of one layer; those that grow have their own key and value, and no later keys."""
    own = slice(at.start, at.stop)
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
