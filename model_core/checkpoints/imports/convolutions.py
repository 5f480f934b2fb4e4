"""Checkpoints of a common PyTorch tutorial whose feed-forward layers are convolutions of width 1.

Its names: W_Q, W_K, W_V, fc and layer_norm in every attention, ff1 and ff2 in the feed-forward.
"""

from model_core.checkpoints.imports.layout import Layout, linears

_PROJECTIONS = {"W_Q": "query", "W_K": "key", "W_V": "value", "fc": "output", "layer_norm": "norm"}
CONVOLUTIONS = Layout(
    name="convolutions",
    about="Post-norm, width-1 convolutions as feed-forward, unscaled embedding, masks of -1e9.",
    fields={
        "encoder.source_embedding.weight": "source.embedding.weight",
        "decoder.target_embedding.weight": "target.embedding.weight",
        "encoder.positional_embedding.pe": "source.table.weight",
        "decoder.positional_embedding.pe": "target.table.weight",
        **linears("encoder.layers.{n}.encoder_self_attn", "encoder.{n}.self", _PROJECTIONS),
        **linears("decoder.layers.{n}.decoder_self_attn", "decoder.{n}.self", _PROJECTIONS),
        **linears("decoder.layers.{n}.encoder_decoder_attn", "decoder.{n}.cross", _PROJECTIONS),
        **linears(
            "{stack}.layers.{n}.ffn",
            "{stack}.{n}.feed_forward",
            {"ff1": "inner", "ff2": "outer", "layer_norm": "norm"},
        ),
        "projection.{rest}": "logits.{rest}",
    },
    settings={"scale_embedding": False, "hidden_score": "-1e9"},
)
