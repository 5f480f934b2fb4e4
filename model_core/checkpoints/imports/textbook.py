"""The article that writes attention as a loop over heads, with four similarities.

It gives the code of a head and of the loop; for the rest, the names that are usual beside them.
A head has WQ, WK and WV, and with a similarity of its own also W (bilinear), or W, U and v
(additive).
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from model_core.checkpoints.imports.layout import Layout, Parts, linears
from model_core.errors import CheckpointBroken

_LAYER = "{stack}.layers.{n}"
_ENCODER, _DECODER = "encoder.layers.{n}", "decoder.layers.{n}"
_HEAD = {"WQ": "query.{h}", "WK": "key.{h}", "WV": "value.{h}"}
_OF_OWN = {"W": "W.{h}", "U": "U.{h}", "v": "v.{h}"}
_MASKED = "{self_attention|masked_attention|attention}"


def _attention(theirs: str, ours: str) -> dict[str, str]:
    return {
        **linears(f"{theirs}.heads.{{h}}", ours, _HEAD | _OF_OWN),
        **{f"{theirs}.heads.{{h}}.{name}": f"{ours}.{name}.{{h}}.plain" for name in "WUv"},
        **linears(theirs, ours, {"output_linear": "output"}),
    }


def _further(parts: Parts, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The similarity, from what the heads have beside queries, keys and values.

    tanh(W q + U k) is summed with v, or as it is where there is none; W and U are part of our
    projections.
    """
    for name in [name for name in parts if name.endswith(".plain")]:  # used as x W, not as a layer
        parts[name.replace(".plain", ".weight")] = (
            parts.pop(name).mT if ".v." not in name else parts.pop(name)
        )
    heads = sorted(name for name in parts if ".W." in name and name.endswith(".weight"))
    if not heads:
        return {}
    if asked.get("positions") == "rotary" and any(".U." in name for name in parts):
        raise CheckpointBroken(
            "W and U after a rotation are not supported; there is no such model."
        )
    similarity = "additive" if any(".U." in name for name in parts) else "bilinear"
    for name in heads:
        site, h = name.removesuffix(".weight").split(".W.")
        W = parts.pop(name)
        if similarity == "bilinear":
            parts[f"{site}.bilinear.{h}.weight"] = W.mT.unsqueeze(0)  # q W^T k: a linear layer
            continue
        try:
            _add_up(parts, site, h, W)
        except (KeyError, RuntimeError) as error:  # there is none, or it has another width
            message = f"W, U and v of {site}, head {h}, do not fit its queries and keys: {error}"
            raise CheckpointBroken(message) from error
    return {"similarity": similarity}


def _add_up(parts: Parts, site: str, h: str, W: Tensor) -> None:
    """Make W and U of a head part of its projections to queries and keys."""
    for which, own, matrix in (("query", "W", W), ("key", "U", parts.pop(f"{site}.U.{h}.weight"))):
        bias = parts.pop(f"{site}.{own}.{h}.bias", None)
        weight_name, bias_name = (f"{site}.{which}.{h}.{rest}" for rest in ("weight", "bias"))
        parts[weight_name] = matrix @ parts[weight_name]
        if bias_name in parts:
            turned = matrix @ parts[bias_name]
            parts[bias_name] = turned if bias is None else turned + bias
    v = parts.pop(f"{site}.v.{h}.weight", torch.ones(len(W), dtype=W.dtype))
    parts[f"{site}.additive.{h}.weight"] = v.reshape(1, -1)


TEXTBOOK = Layout(
    name="textbook",
    about="Attention as a loop over heads; four similarities, hard or soft, rotary or sines.",
    fields={
        "{source|src|encoder.source|encoder}{_embedding|.embedding|.token_embedding}.weight": (
            "source.embedding.weight"
        ),
        "{target|tgt|trg|decoder.target|decoder}{_embedding|.embedding|.token_embedding}.weight": (
            "target.embedding.weight"
        ),
        "{source_|src_|encoder.}{positions|positional_encoding}.pe": "source.table.weight",
        "{target_|tgt_|decoder.}{positions|positional_encoding}.pe": "target.table.weight",
        "{positions|positional_encoding}.pe": "both.table.weight",
        **_attention(f"{_ENCODER}.{_MASKED}", "encoder.{n}.self"),
        **_attention(f"{_DECODER}.{_MASKED}", "decoder.{n}.self"),
        **_attention(f"{_DECODER}.{{cross_attention|encoder_attention}}", "decoder.{n}.cross"),
        **linears(
            f"{_LAYER}.{{feed_forward|ffn}}",
            "{stack}.{n}.feed_forward",
            {"{linear_1|linear1|0}": "inner", "{linear_2|linear2|2}": "outer"},
        ),
        **linears(_LAYER, "{stack}.{n}", {"layer_norm_1": "self.norm"}),
        **linears(_ENCODER, "encoder.{n}", {"layer_norm_2": "feed_forward.norm"}),
        **linears(
            _DECODER,
            "decoder.{n}",
            {"layer_norm_2": "cross.norm", "layer_norm_3": "feed_forward.norm"},
        ),
        "{output|projection|linear|fc}.{rest}": "logits.{rest}",
    },
    settings={"scale_embedding": False, "divisor": "model", "rotation": "backward"},
    further=_further,
)
