"""The table of architectures that can be opened: where each has its attention, and what is its own.

A path names the attention modules of a site below the model's body (`base_model`), {} being the
layer. Adding an architecture is adding a row, if its attention goes through transformers'
`AttentionInterface` and computes softmax(scale q k + bias + mask).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from model_core.values.anatomy import ModelKind, Positions
from model_core.values.trace import STACKS, Side, Site


@dataclass(frozen=True)
class Stack:
    """Where one side's stack has its parts beside attention, below the body or below a layer."""

    embedding: str
    feed_forward: str  # its last projection, below a layer; so the norm around it
    feed_forward_norm: str
    positions: str = ""  # what makes the vectors that are added; "" where none are
    turns: str = ""  # what makes the angles by which queries and keys are rotated
    segments: str = ""  # what makes those that tell two sentences apart
    embedding_norm: str = ""
    final_norm: str = ""


@dataclass(frozen=True)
class Family:
    """What must be known of one architecture beyond its own configuration."""

    kind: ModelKind
    positions: Positions
    paths: Mapping[Site, str]
    # Of each site, below its layer: what projects the joined heads, and the norm around it all.
    outputs: Mapping[Site, str] = field(default_factory=dict)
    norms: Mapping[Site, str] = field(default_factory=dict)
    stacks: Mapping[Side, Stack] = field(default_factory=dict)
    # What makes logits of the last vectors, one module after the other, below the whole model.
    head: tuple[str, ...] = ("lm_head",)
    pre: bool = True  # the norm stands before the sub-layer, or behind the sum
    # The softmax runs in float32 whatever the weights are, and what it gives is rounded back.
    softmax_in_float32: bool = False
    # Rows of the table of positions that no token can have: RoBERTa begins to count at 2.
    positions_lost: int = 0
    # Settings that make the architecture compute something else: name, and the value it must have.
    must_be: Mapping[str, Any] = field(default_factory=dict)
    # Where it drops while it learns, by the ends of taps' names, each with the setting of its rate.
    dropout: Mapping[str, str] = field(default_factory=dict)


def _bart_stacks(embedding_norm: str = "", final_norm: str = "") -> dict[Side, Stack]:
    stacks: dict[Side, Stack] = {}
    for side, stack in STACKS.items():
        stacks[side] = Stack(
            f"{stack}.embed_tokens",
            "fc2",
            "final_layer_norm",
            positions=f"{stack}.embed_positions",
            embedding_norm=embedding_norm and f"{stack}.{embedding_norm}",
            final_norm=final_norm and f"{stack}.{final_norm}",
        )
    return stacks


_BART = Family(
    "encoder-decoder",
    "learned",
    {
        "encoder": "encoder.layers.{}.self_attn",
        "decoder": "decoder.layers.{}.self_attn",
        "cross": "decoder.layers.{}.encoder_attn",
    },
    {
        "encoder": "self_attn.out_proj",
        "decoder": "self_attn.out_proj",
        "cross": "encoder_attn.out_proj",
    },
    {
        "encoder": "self_attn_layer_norm",
        "decoder": "self_attn_layer_norm",
        "cross": "encoder_attn_layer_norm",
    },
    _bart_stacks("layernorm_embedding"),
    pre=False,
    dropout={
        "sum": "dropout",
        "dropped": "attention_dropout",
        "hidden": "activation_dropout",
        "made": "dropout",
    },
)
_SINUSOIDAL_BEFORE = replace(
    _BART, positions="sinusoidal", pre=True, stacks=_bart_stacks(final_norm="layer_norm")
)
_T5 = Family(
    "encoder-decoder",
    "relative",
    {
        "encoder": "encoder.block.{}.layer.0.SelfAttention",
        "decoder": "decoder.block.{}.layer.0.SelfAttention",
        "cross": "decoder.block.{}.layer.1.EncDecAttention",
    },
    {
        "encoder": "layer.0.SelfAttention.o",
        "decoder": "layer.0.SelfAttention.o",
        "cross": "layer.1.EncDecAttention.o",
    },
    {
        "encoder": "layer.0.layer_norm",
        "decoder": "layer.0.layer_norm",
        "cross": "layer.1.layer_norm",
    },
    {
        "source": Stack(
            "encoder.embed_tokens",
            "layer.1.DenseReluDense.wo",
            "layer.1.layer_norm",
            final_norm="encoder.final_layer_norm",
        ),
        "target": Stack(
            "decoder.embed_tokens",
            "layer.2.DenseReluDense.wo",
            "layer.2.layer_norm",
            final_norm="decoder.final_layer_norm",
        ),
    },
    dropout=dict.fromkeys(
        ("sum", "dropped", "hidden", "made", "encoder.memory", "decoder.output"), "dropout_rate"
    ),
)
_BERT = Family(
    "encoder",
    "learned",
    {"encoder": "encoder.layer.{}.attention.self"},
    {"encoder": "attention.output.dense"},
    {"encoder": "attention.output.LayerNorm"},
    {
        "source": Stack(
            "embeddings.word_embeddings",
            "output.dense",
            "output.LayerNorm",
            positions="embeddings.position_embeddings",
            segments="embeddings.token_type_embeddings",
            embedding_norm="embeddings.LayerNorm",
        )
    },
    ("cls",),
    pre=False,
    must_be={"is_decoder": False, "add_cross_attention": False},
    dropout={
        "sum": "hidden_dropout_prob",
        "dropped": "attention_probs_dropout_prob",
        "made": "hidden_dropout_prob",
    },
)
_ROBERTA = replace(_BERT, head=("lm_head",), positions_lost=2)
_GPT2 = Family(
    "decoder",
    "learned",
    {"decoder": "h.{}.attn"},
    {"decoder": "attn.c_proj"},
    {"decoder": "ln_1"},
    {"target": Stack("wte", "mlp.c_proj", "ln_2", positions="wpe", final_norm="ln_f")},
    must_be={
        "reorder_and_upcast_attn": False,
        "add_cross_attention": False,
        "scale_attn_by_inverse_layer_idx": False,
    },
    dropout={"sum": "embd_pdrop", "dropped": "attn_pdrop", "made": "resid_pdrop"},
)
_LLAMA = Family(
    "decoder",
    "rotary",
    {"decoder": "layers.{}.self_attn"},
    {"decoder": "self_attn.o_proj"},
    {"decoder": "input_layernorm"},
    {
        "target": Stack(
            "embed_tokens",
            "mlp.down_proj",
            "post_attention_layernorm",
            turns="rotary_emb",
            final_norm="norm",
        )
    },
    softmax_in_float32=True,
    dropout={"dropped": "attention_dropout"},
)

FAMILIES: Mapping[str, Family] = {
    "marian": replace(_BART, positions="sinusoidal", stacks=_bart_stacks()),
    "bart": _BART,
    "mbart": replace(_BART, pre=True, stacks=_bart_stacks("layernorm_embedding", "layer_norm")),
    "m2m_100": _SINUSOIDAL_BEFORE,  # NLLB too
    "pegasus": _SINUSOIDAL_BEFORE,
    "t5": _T5,
    "mt5": _T5,
    "bert": _BERT,
    "roberta": _ROBERTA,
    "xlm-roberta": _ROBERTA,
    "camembert": _ROBERTA,
    "distilbert": replace(
        _BERT,
        paths={"encoder": "transformer.layer.{}.attention"},
        outputs={"encoder": "attention.out_lin"},
        norms={"encoder": "sa_layer_norm"},
        stacks={
            "source": Stack(
                "embeddings.word_embeddings",
                "ffn.lin2",
                "output_layer_norm",
                positions="embeddings.position_embeddings",
                embedding_norm="embeddings.LayerNorm",
            )
        },
        head=("vocab_transform", "activation", "vocab_layer_norm", "vocab_projector"),
        must_be={},
        dropout={"sum": "dropout", "dropped": "attention_dropout", "feed_forward.made": "dropout"},
    ),
    "gpt2": _GPT2,
    "llama": _LLAMA,
    "mistral": _LLAMA,
    "qwen2": _LLAMA,
    "qwen3": _LLAMA,
}
