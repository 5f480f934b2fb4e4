"""The table of architectures that can be opened: where each has its attention, and what is its own.

A path names the attention modules of a site below the model's body (`base_model`), {} being the
layer. Adding an architecture is adding a row, if its attention goes through transformers'
`AttentionInterface` and computes softmax(scale q k + bias + mask).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from model_core.values.anatomy import Kind, Positions
from model_core.values.trace import Site


@dataclass(frozen=True)
class Family:
    """What must be known of one architecture beyond its own configuration."""

    kind: Kind
    positions: Positions
    paths: Mapping[Site, str]
    # The softmax runs in float32 whatever the weights are, and what it gives is rounded back.
    softmax_in_float32: bool = False
    # Rows of the table of positions that no token can have: RoBERTa begins to count at 2.
    positions_lost: int = 0
    # Settings that make the architecture compute something else: name, and the value it must have.
    must_be: Mapping[str, Any] = field(default_factory=dict)


_BART = Family(
    "encoder-decoder",
    "learned",
    {
        "encoder": "encoder.layers.{}.self_attn",
        "decoder": "decoder.layers.{}.self_attn",
        "cross": "decoder.layers.{}.encoder_attn",
    },
)
_SINUSOIDAL = replace(_BART, positions="sinusoidal")
_T5 = Family(
    "encoder-decoder",
    "relative",
    {
        "encoder": "encoder.block.{}.layer.0.SelfAttention",
        "decoder": "decoder.block.{}.layer.0.SelfAttention",
        "cross": "decoder.block.{}.layer.1.EncDecAttention",
    },
)
_BERT = Family(
    "encoder",
    "learned",
    {"encoder": "encoder.layer.{}.attention.self"},
    must_be={"is_decoder": False, "add_cross_attention": False},
)
_ROBERTA = replace(_BERT, positions_lost=2)
_GPT2 = Family(
    "decoder",
    "learned",
    {"decoder": "h.{}.attn"},
    must_be={"reorder_and_upcast_attn": False, "add_cross_attention": False},
)
_LLAMA = Family("decoder", "rotary", {"decoder": "layers.{}.self_attn"}, softmax_in_float32=True)

FAMILIES: Mapping[str, Family] = {
    "marian": _SINUSOIDAL,
    "bart": _BART,
    "mbart": _BART,
    "m2m_100": _SINUSOIDAL,  # NLLB too
    "pegasus": _SINUSOIDAL,
    "t5": _T5,
    "mt5": _T5,
    "bert": _BERT,
    "roberta": _ROBERTA,
    "xlm-roberta": _ROBERTA,
    "camembert": _ROBERTA,
    "distilbert": replace(_BERT, paths={"encoder": "transformer.layer.{}.attention"}, must_be={}),
    "gpt2": _GPT2,
    "llama": _LLAMA,
    "mistral": _LLAMA,
    "qwen2": _LLAMA,
    "qwen3": _LLAMA,
}
