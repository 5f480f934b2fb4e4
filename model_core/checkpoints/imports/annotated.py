"""harvardnlp/annotated-transformer."""

from model_core.checkpoints.imports.layout import Layout, linears
from model_core.values.special import Special


def _norms(theirs: str, ours: str) -> dict[str, str]:
    return {f"{theirs}.a_2": f"{ours}.weight", f"{theirs}.b_2": f"{ours}.bias"}


_LAYER = "{stack}.layers.{n}"
_PROJECTIONS = {
    "linears.0": "query",
    "linears.1": "key",
    "linears.2": "value",
    "linears.3": "output",
}
ANNOTATED = Layout(
    name="annotated",
    about="harvardnlp/annotated-transformer: pre-norm with the sample deviation, masks of -1e9.",
    fields={
        "src_embed.0.lut.weight": "source.embedding.weight",
        "tgt_embed.0.lut.weight": "target.embedding.weight",
        "src_embed.1.pe": "source.table.weight",
        "tgt_embed.1.pe": "target.table.weight",
        **linears(f"{_LAYER}.self_attn", "{stack}.{n}.self", _PROJECTIONS),
        **linears("decoder.layers.{n}.src_attn", "decoder.{n}.cross", _PROJECTIONS),
        **linears(
            f"{_LAYER}.feed_forward", "{stack}.{n}.feed_forward", {"w_1": "inner", "w_2": "outer"}
        ),
        **_norms(f"{_LAYER}.sublayer.0.norm", "{stack}.{n}.self.norm"),
        **_norms("encoder.layers.{n}.sublayer.1.norm", "encoder.{n}.feed_forward.norm"),
        **_norms("decoder.layers.{n}.sublayer.1.norm", "decoder.{n}.cross.norm"),
        **_norms("decoder.layers.{n}.sublayer.2.norm", "decoder.{n}.feed_forward.norm"),
        **_norms("{stack}.norm", "{stack}.norm"),
        "generator.proj.{rest}": "logits.{rest}",
    },
    settings={"norm_place": "pre", "norm": "sample", "norm_eps": 1e-6, "hidden_score": "-1e9"},
    special=Special(pad=2, start=0, end=1, unknown=3),
    source_start=True,
)
