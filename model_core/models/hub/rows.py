"""What a pass recorded, as the rows and traces of a decoding; arrays are float32."""

from collections.abc import Mapping

import numpy as np
from torch import Tensor

from model_core.transformer.attention import AttentionRecord
from model_core.values.trace import (
    AttentionRow,
    AttentionTrace,
    DecodeStep,
    Site,
    Tokens,
    copied,
    frozen,
)


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


def step_of(
    logits_BTV: Tensor,
    records: Mapping[Site, tuple[AttentionRecord, ...]],
    place: int,
    index: int,
) -> DecodeStep:
    """One token of a pass: `place` among the tokens fed in then, `index` among all."""
    return DecodeStep(
        index=index,
        log_probabilities_V=copied(logits_BTV[0, place].log_softmax(dim=-1)),
        decoder_rows=tuple(_grown(record, place, index) for record in records["decoder"]),
        cross_rows=tuple(_row(record, place) for record in records.get("cross", ())),
    )


def _grown(record: AttentionRecord, place: int, index: int) -> AttentionRow:
    """The row of self-attention, with its own key and value, and without later keys."""
    return _row(
        record,
        place,
        index + 1,
        k_HE=_array(record.k_BHKE[0, :, index]),
        v_HE=_array(record.v_BHKE[0, :, index]),
    )


def _row(
    record: AttentionRecord,
    place: int,
    keys: int | None = None,
    k_HE: np.ndarray | None = None,
    v_HE: np.ndarray | None = None,
) -> AttentionRow:
    allowed_QK, bias = record.mask.allowed_BQK[0], record.bias_BHQK
    return AttentionRow(
        q_HE=_array(record.q_BHQE[0, :, place]),
        k_HE=k_HE,
        v_HE=v_HE,
        scores_HK=_array(record.scores_BHQK[0, :, place, :keys]),
        mask_K=copied(allowed_QK[place if len(allowed_QK) > 1 else 0, :keys]),
        weights_HK=_array(record.weights_BHQK[0, :, place, :keys]),
        bias_HK=None if bias is None else _array(bias[0, :, place, :keys]),
    )


def _array(tensor: Tensor) -> np.ndarray:
    return frozen(tensor.float().numpy(force=True))
