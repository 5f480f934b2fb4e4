"""hkproj/pytorch-transformer, and the tutorials that follow it."""

from collections.abc import Mapping
from typing import Any

from model_core.checkpoints.imports.layout import Layout, Parts, linears
from model_core.values.special import Special


def _further(parts: Parts, _: Mapping[str, Any]) -> dict[str, Any]:
    """The norm had one gain and one bias first, later one of each per dimension."""
    gain = parts.get("encoder.norm.weight")
    return {"norm": "scalar" if gain is not None and gain.numel() == 1 else "sample"}


def _norms(theirs: str, ours: str) -> dict[str, str]:
    return {f"{theirs}.alpha": f"{ours}.weight", f"{theirs}.bias": f"{ours}.bias"}


_LAYER = "{stack}.layers.{n}"
_PROJECTIONS = {"w_q": "query", "w_k": "key", "w_v": "value", "w_o": "output"}
HKPROJ = Layout(
    name="hkproj",
    about="hkproj/pytorch-transformer: pre-norm with the sample deviation, masks of -1e9.",
    fields={
        "src_embed.embedding.weight": "source.embedding.weight",
        "tgt_embed.embedding.weight": "target.embedding.weight",
        "src_pos.pe": "source.table.weight",
        "tgt_pos.pe": "target.table.weight",
        **linears(f"{_LAYER}.self_attention_block", "{stack}.{n}.self", _PROJECTIONS),
        **linears(
            "decoder.layers.{n}.{cross|source}_attention_block", "decoder.{n}.cross", _PROJECTIONS
        ),
        **linears(
            f"{_LAYER}.feed_forward_block",
            "{stack}.{n}.feed_forward",
            {"linear_1": "inner", "linear_2": "outer"},
        ),
        **_norms(f"{_LAYER}.residual_connections.0.norm", "{stack}.{n}.self.norm"),
        **_norms("encoder.layers.{n}.residual_connections.1.norm", "encoder.{n}.feed_forward.norm"),
        **_norms("decoder.layers.{n}.residual_connections.1.norm", "decoder.{n}.cross.norm"),
        **_norms("decoder.layers.{n}.residual_connections.2.norm", "decoder.{n}.feed_forward.norm"),
        **_norms("{stack}.norm", "{stack}.norm"),
        "projection_layer.proj.{rest}": "logits.{rest}",
    },
    settings={"norm_place": "pre", "norm_eps": 1e-6, "hidden_score": "-1e9"},
    special=Special(pad=1, start=2, end=3, unknown=0),
    source_start=True,
    further=_further,
)
