"""torch.nn.Transformer with embeddings before and a projection after it."""

from model_core.checkpoints.imports.layout import Layout, linears
from model_core.values.special import Special

_LAYER = "{within}{stack}.layers.{n}"
_DECODER = "{within}decoder.layers.{n}"
_SOURCE = "{src|source|src_tok|source_tok|encoder|input}"
_TARGET = "{tgt|trg|target|tgt_tok|target_tok|decoder|output}"


def _attention(theirs: str, ours: str) -> dict[str, str]:
    return {
        f"{theirs}.in_proj_weight": f"{ours}.projection.weight",
        f"{theirs}.in_proj_bias": f"{ours}.projection.bias",
        f"{theirs}.out_proj.{{rest}}": f"{ours}.output.{{rest}}",
    }


TORCH = Layout(
    name="torch",
    about="torch.nn.Transformer with embeddings, sinusoidal positions and a projection.",
    fields={
        f"{_SOURCE}{{_emb|_embed|_embedding}}{{.embedding|}}.weight": "source.embedding.weight",
        f"{_TARGET}{{_emb|_embed|_embedding}}{{.embedding|}}.weight": "target.embedding.weight",
        "{src|source}.weight": "source.embedding.weight",
        "{tgt|trg|target}.weight": "target.embedding.weight",
        "{positional_encoding|pos_encoder|pos_enc|positional}.{pos_embedding|pe}": (
            "both.table.weight"
        ),
        "{src|source}_{pos|positional_encoding}.{pos_embedding|pe}": "source.table.weight",
        "{tgt|target}_{pos|positional_encoding}.{pos_embedding|pe}": "target.table.weight",
        **_attention(f"{_LAYER}.self_attn", "{stack}.{n}.self"),
        **_attention(f"{_DECODER}.multihead_attn", "decoder.{n}.cross"),
        **linears(
            _LAYER,
            "{stack}.{n}",
            {
                "linear1": "feed_forward.inner",
                "linear2": "feed_forward.outer",
                "norm1": "self.norm",
            },
        ),
        **linears(
            "{within}encoder.layers.{n}",
            "encoder.{n}",
            {"norm2": "feed_forward.norm"},
        ),
        **linears(_DECODER, "decoder.{n}", {"norm2": "cross.norm", "norm3": "feed_forward.norm"}),
        "{within}{stack}.norm.{rest}": "{stack}.norm.{rest}",
        "{generator|fc_out|fc|out|linear|projection|output_projection}.{rest}": "logits.{rest}",
    },
    special=Special(pad=1, start=2, end=3, unknown=0),
    source_start=True,
)
