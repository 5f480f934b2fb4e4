"""The tutorial that splits and concatenates heads and has no projection after that.

It gives the names of attention and feed-forward; for the rest, those that are usual beside them.
"""

from model_core.checkpoints.imports.layout import Layout, linears

_SOURCE = "{source|src|encoder.source|encoder.src|encoder}"
_TARGET = "{target|tgt|trg|decoder.target|decoder.tgt|decoder}"
_LAYER = "{stack}.layers.{n}"
_PROJECTIONS = {"{W_q|w_q}": "query", "{W_k|w_k}": "key", "{W_v|w_v}": "value"}
_HIDDEN = {"{W_1|w_1|ffn.0}": "inner", "{W_2|w_2|ffn.3}": "outer"}
JOINED_HEADS = Layout(
    name="joined-heads",
    about="Post-norm; the heads are concatenated and not projected again.",
    fields={
        f"{_SOURCE}{{_embedding|_embed|.embedding}}.weight": "source.embedding.weight",
        f"{_TARGET}{{_embedding|_embed|.embedding}}.weight": "target.embedding.weight",
        f"{_SOURCE}{{_pos|.pos|_positional_encoding|.positional_encoding}}.pe": (
            "source.table.weight"
        ),
        f"{_TARGET}{{_pos|.pos|_positional_encoding|.positional_encoding}}.pe": (
            "target.table.weight"
        ),
        "positional_encoding.pe": "both.table.weight",
        **linears(
            f"{_LAYER}.{{self_attn|self_attention|attention|mha}}", "{stack}.{n}.self", _PROJECTIONS
        ),
        **linears(
            "decoder.layers.{n}.{cross_attn|cross_attention|multihead_attn|src_attn}",
            "decoder.{n}.cross",
            _PROJECTIONS,
        ),
        **linears(
            f"{_LAYER}.{{feed_forward|ffn|position_wise_feed_forward}}",
            "{stack}.{n}.feed_forward",
            _HIDDEN,
        ),
        **linears(_LAYER, "{stack}.{n}", {"{norm1|norm_1|layer_norm1|layer_norm_1}": "self.norm"}),
        **linears(
            "encoder.layers.{n}",
            "encoder.{n}",
            {"{norm2|norm_2|layer_norm2|layer_norm_2}": "feed_forward.norm"},
        ),
        **linears(
            "decoder.layers.{n}",
            "decoder.{n}",
            {
                "{norm2|norm_2|layer_norm2|layer_norm_2}": "cross.norm",
                "{norm3|norm_3|layer_norm3|layer_norm_3}": "feed_forward.norm",
            },
        ),
        "{stack}.norm.{rest}": "{stack}.norm.{rest}",
        "{fc_out|out|linear|generator|projection|output_projection}.{rest}": "logits.{rest}",
    },
    settings={"output_projection": False},
)
