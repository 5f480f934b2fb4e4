"""What was recorded of one sentence, as the traces and rows of a decoding: read-only copies."""

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from model_core.transformer.attention import AttentionRecord
from model_core.values.trace import AttentionRow, AttentionTrace, DecodeStep, Site, Tokens, copied


def encoder_trace(
    source: Tokens, site: Site, layer: int, record: AttentionRecord
) -> AttentionTrace:
    """The whole record of one layer of an encoder that read one sentence."""
    bias_BHQK = record.bias_BHQK
    return AttentionTrace(
        site=site,
        layer=layer,
        queries=source,
        keys=source,
        q_HQE=copied(record.q_BHQE[0]),
        k_HKE=copied(record.k_BHKE[0]),
        v_HKE=copied(record.v_BHKE[0]),
        scores_HQK=copied(record.scores_BHQK[0]),
        mask_QK=copied(record.mask.allowed_BQK[0].expand(len(source), -1)),
        weights_HQK=copied(record.weights_BHQK[0]),
        bias_HQK=None if bias_BHQK is None else copied(bias_BHQK[0]),
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
    return tuple(
        DecodeStep(
            index=place,
            # Row by row: of a long vocabulary all rows at once would be much.
            log_probabilities_V=copied(logits_BTV[0, n - len(at)].log_softmax(dim=-1)),
            decoder_rows=tuple(layer[n] for layer in decoder),
            cross_rows=tuple(layer[n] for layer in cross),
            greedy=greedy if place == at[-1] else None,
        )
        for n, place in enumerate(at)
    )


def rows_of(at: range, site: Site, record: AttentionRecord) -> list[AttentionRow]:
    """The rows of one layer at these places, the last queries of its record.

    Those of a decoder have their own key and value, and no later keys.
    """
    T, grows = len(at), site == "decoder"
    q_HTE, scores_HTK, weights_HTK = (
        _read(each, each.shape[-2] - T, T)
        for each in (record.q_BHQE, record.scores_BHQK, record.weights_BHQK)
    )
    bias_BHQK, allowed_BQK = record.bias_BHQK, record.mask.allowed_BQK
    bias_HTK = None if bias_BHQK is None else _read(bias_BHQK, bias_BHQK.shape[-2] - T, T)
    shared = allowed_BQK.shape[1] == 1  # one row for all queries
    allowed_TK = _read(allowed_BQK, 0 if shared else allowed_BQK.shape[1] - T, 1 if shared else T)
    k_HTE, v_HTE = (
        _read(each, at.start, T) if grows else None for each in (record.k_BHKE, record.v_BHKE)
    )
    rows = []
    for n, place in enumerate(at):
        seen = slice(place + 1 if grows else None)
        rows.append(
            AttentionRow(
                q_HE=_owned(q_HTE[:, n]),
                k_HE=None if k_HTE is None else _owned(k_HTE[:, n]),
                v_HE=None if v_HTE is None else _owned(v_HTE[:, n]),
                scores_HK=_owned(scores_HTK[:, n, seen]),
                mask_K=_owned(allowed_TK[0 if shared else n, seen]),
                weights_HK=_owned(weights_HTK[:, n, seen]),
                bias_HK=None if bias_HTK is None else _owned(bias_HTK[:, n, seen]),
            )
        )
    return rows


def _read(tensor_BXRY: Tensor, first: int, count: int) -> np.ndarray:
    """Some rows of the only sentence, the rows being the last dimension but one."""
    rows: np.ndarray = tensor_BXRY.narrow(-2, first, count).numpy(force=True)[0]
    return rows


def _owned(view: np.ndarray) -> np.ndarray:
    """A read-only copy: a view would keep all that it is a view of."""
    array = view.copy()  # 30 times a step: `frozen` would look first
    array.setflags(write=False)
    return array
