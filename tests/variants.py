"""Every architecture that the configuration can describe, small, and what the tests ask of each."""

import itertools
from typing import Any

import numpy as np
import pytest
import torch

from model_core.transformer.attention import AttentionRecord, MultiHeadAttention
from model_core.transformer.passes import DecoderPass, FullPass
from model_core.transformer.transformer import Transformer
from tests.tiny import tiny_model

VARIANTS: dict[str, dict[str, Any]] = {
    "paper": {},
    "pre-norm": {"norm_place": "pre", "final_norm": True},
    "scalar-norm": {"norm": "scalar", "norm_eps": 1e-6, "norm_place": "pre", "final_norm": True},
    "scalar-post-norm": {"norm": "scalar", "norm_eps": 1e-6},
    "convolution": {"feed_forward": "convolution", "activation": "gelu"},
    "joined-heads": {"output_projection": False},
    "no-bias": {"attention_bias": False, "output_bias": False},
    "unscaled": {"scale_embedding": False, "logits_bias": True},
    "head-width": {"head_width": 10},
    "rotary": {"positions": "rotary"},
    "learned": {"positions": "learned"},
    "no-positions": {"positions": "none"},
    "dot": {"similarity": "dot"},
    "additive": {"similarity": "additive"},
    "bilinear": {"similarity": "bilinear"},
    "hard": {"attention": "hard"},
    "hard-bilinear-rotary": {"attention": "hard", "similarity": "bilinear", "positions": "rotary"},
    "tied-target": {"tied": "target"},
    "tied-all": {"tied": "all"},
    "deep-encoder": {"encoder_layers": 6, "decoder_layers": 3},
    "deep-decoder": {"encoder_layers": 3, "decoder_layers": 6},
    "many-encoder-heads": {"encoder_heads": 8, "decoder_heads": 1},
    # What tutorials do otherwise.
    "sample-norm": {"norm": "sample", "norm_eps": 1e-6, "norm_place": "pre", "final_norm": True},
    "stored-table": {"position_table": "stored"},
    "backward-rotary": {"positions": "rotary", "rotation": "backward"},
    "divided-by-width": {"divisor": "model"},
    "finite-mask": {"hidden_score": "-1e9"},
}
# Those whose earlier rows change with every token, so that a target is never stepped through twice
# the same.
WHOLE: dict[str, dict[str, Any]] = {
    "as-they-lie": {"joined": "as_they_lie"},
    "split-as-they-lie": {"split": "as_they_lie"},
    "queries-from-the-source": {"cross_queries": "source"},
    "both": {"joined": "as_they_lie", "cross_queries": "source", "pad_mask": False},
}
every_variant = pytest.mark.parametrize("variant", VARIANTS)
# Those that stand for the others where what they share is asked: each goes another way through it.
FEW = ("paper", "pre-norm", "joined-heads", "rotary", "additive", "hard", "finite-mask")
few_variants = pytest.mark.parametrize("variant", FEW)

PAD = 0
SOURCE = [5, 17, 40, 8, 2]
TARGET = [1, 9, 33, 120, 7, 7, 250, 64]  # longer than the source


def variant_model(variant: str, **changes: Any) -> Transformer:
    """A tiny float64 model of this variant, in evaluation mode."""
    return tiny_model(3, **VARIANTS[variant] | changes).double()


def ids(*rows: list[int]) -> torch.Tensor:
    """Rows of token ids as one batch, filled with pads to the longest."""
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])


def stepped(model: Transformer, source_BS: torch.Tensor, target_BT: torch.Tensor, *cuts: int):
    """The passes of a target fed in parts that end at `cuts`; by default one token at a time."""
    encoded, past, passes = model.encode(source_BS), None, []
    T = target_BT.shape[1]
    bounds = [0, *cuts, T] if cuts else list(range(T + 1))
    for first, last in itertools.pairwise(bounds):
        passes.append(model.decode(target_BT[:, first:last], encoded, past))
        past = passes[-1].past
    return passes


def all_records(passed: DecoderPass | FullPass) -> tuple[AttentionRecord, ...]:
    """Those of the decoder: self-attention of all layers, then cross-attention."""
    if isinstance(passed, FullPass):
        return (*passed.records("decoder"), *passed.records("cross"))
    return passed.self_records + passed.cross_records


def replayed_scores(
    attention: MultiHeadAttention, q_BHQE: np.ndarray, k_BHKE: np.ndarray
) -> np.ndarray:
    """The scores by the formulas of the papers, one pair of positions at a time."""
    B, H, Q, _ = q_BHQE.shape
    K = k_BHKE.shape[2]
    scores_BHQK = np.zeros((B, H, Q, K))
    for b, h, i, j in np.ndindex(B, H, Q, K):
        q, k = q_BHQE[b, h, i], k_BHKE[b, h, j]
        if attention.similarity == "additive":
            a = attention.additive_HE[h].detach().numpy()
            scores_BHQK[b, h, i, j] = np.sum(a * np.tanh(q + k))
        elif attention.similarity == "bilinear":
            scores_BHQK[b, h, i, j] = q @ attention.bilinear_HEE[h].detach().numpy() @ k
        elif attention.similarity == "dot":
            scores_BHQK[b, h, i, j] = q @ k
        else:
            scores_BHQK[b, h, i, j] = q @ k / attention.divisor
    return scores_BHQK


def replayed_weights(
    attention: MultiHeadAttention, scores_BHQK: np.ndarray, allowed_BQK: np.ndarray
) -> np.ndarray:
    """The weights of each row from its allowed scores alone; zeros where there are none."""
    B, H, Q, K = scores_BHQK.shape
    allowed_BQK = np.broadcast_to(allowed_BQK, (B, Q, K))
    weights_BHQK = np.zeros_like(scores_BHQK)
    for b, h, i in np.ndindex(B, H, Q):
        keys = np.flatnonzero(allowed_BQK[b, i])
        if len(keys) == 0:
            continue
        row = scores_BHQK[b, h, i, keys]
        if attention.hard:
            weights_BHQK[b, h, i, keys[row.argmax()]] = 1.0
        else:
            weights_BHQK[b, h, i, keys] = np.exp(row - row.max()) / np.exp(row - row.max()).sum()
    return weights_BHQK
