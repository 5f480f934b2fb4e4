"""The tutorial without biases in attention, whose cross-attention and joining are its own.

It joins heads without transposing them back, takes the queries of cross-attention from the source
and the values from the target, and hides no pads. Its embedding is a product with one-hot rows,
which is the same as looking a row up.
"""

from model_core.checkpoints.imports.layout import Layout, linears

_LAYER = "{stack}.layers.{n}"
_PROJECTIONS = {"q_mat": "query", "k_mat": "key", "v_mat": "value", "concat_mat": "output"}
NO_BIAS = Layout(
    name="no-bias",
    about="Post-norm, no biases in attention, heads joined as they lie, its own cross-attention.",
    fields={
        "{input|source|src}_embedding.weight": "source.embedding.weight",
        "{output|target|tgt}_embedding.weight": "target.embedding.weight",
        "{in|input|source|src}_position_encoder.PositionEncoding": "source.table.weight",
        "{out|output|target|tgt}_position_encoder.PositionEncoding": "target.table.weight",
        "position_encoder.PositionEncoding": "both.table.weight",
        **linears("encoder.layers.{n}.attention", "encoder.{n}.self", _PROJECTIONS),
        **linears("decoder.layers.{n}.mask_attention", "decoder.{n}.self", _PROJECTIONS),
        **linears("decoder.layers.{n}.attention", "decoder.{n}.cross", _PROJECTIONS),
        **linears(
            f"{_LAYER}.feed_forward",
            "{stack}.{n}.feed_forward",
            {"net.0": "inner", "net.2": "outer"},
        ),
        **linears(_LAYER, "{stack}.{n}", {"add_norm_1.layer_norm": "self.norm"}),
        **linears(
            "encoder.layers.{n}", "encoder.{n}", {"add_norm_2.layer_norm": "feed_forward.norm"}
        ),
        **linears(
            "decoder.layers.{n}",
            "decoder.{n}",
            {"add_norm_2.layer_norm": "cross.norm", "add_norm_3.layer_norm": "feed_forward.norm"},
        ),
        "{linear|projection|fc}.{rest}": "logits.{rest}",
    },
    settings={
        "scale_embedding": False,
        "hidden_score": "-1e9",
        "pad_mask": False,
        "joined": "as_they_lie",
        "cross_queries": "source",
    },
)
