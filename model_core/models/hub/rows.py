"""What a pass recorded, as the rows and traces of a decoding; arrays are float32."""

from collections.abc import Mapping

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
    allowed_QK, bias = record.mask.allowed_BQK[0].numpy(force=True), record.bias_BHQK
    if len(allowed_QK) > 1:  # else all rows share one
        allowed_QK = allowed_QK[rows]
    whole = [
        None if one is None else one[0, :, rows].float().numpy(force=True)
        for one in (record.scores_BHQK, record.weights_BHQK, bias)
    ]
    made = []
    for n, place in enumerate(at):
        keys = place + 1 if grows else None
        scores_HK, weights_HK, bias_HK = (
            None if one_HTK is None else _owned(one_HTK[:, n, :keys]) for one_HTK in whole
        )
        assert scores_HK is not None and weights_HK is not None
        made.append(
            AttentionRow(
                q_HE=q_HTE[:, n],
                k_HE=None if k_HTE is None else k_HTE[:, n],
                v_HE=None if v_HTE is None else v_HTE[:, n],
                scores_HK=scores_HK,
                mask_K=_owned(allowed_QK[n if len(allowed_QK) > 1 else 0, :keys]),
                weights_HK=weights_HK,
                bias_HK=bias_HK,
            )
        )
    return made


def _owned(view: np.ndarray) -> np.ndarray:
    """A read-only copy: a view would keep what later keys have too."""
    owned = view.copy()
    owned.setflags(write=False)
    return owned
