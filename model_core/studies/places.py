"""Which layer, head and token a study is asked for; a RecipeError names what there is instead."""

from torch import nn

from model_core.errors import RecipeError
from model_core.transformer.attention import MultiHeadAttention
from model_core.transformer.layers import DecoderLayer, EncoderLayer, Residual
from model_core.transformer.transformer import Transformer
from model_core.values.trace import SITES, Site


def attention_at(
    model: Transformer, site: Site, layer: int, head: int
) -> tuple[MultiHeadAttention, Residual]:
    """The attention of a site in a layer, and the residual connection around it."""
    known_site(site)
    stack = "encoder" if site == "encoder" else "decoder"
    layers: nn.ModuleList = model.encoder if site == "encoder" else model.decoder
    require(layer, len(layers), f"layer of the {stack}")
    block = layers[layer]
    if site == "cross":
        assert isinstance(block, DecoderLayer)
        attention, around = block.cross_attention, block.around_cross
    else:
        assert isinstance(block, EncoderLayer | DecoderLayer)
        attention, around = block.self_attention, block.around_self
    require(head, attention.H, "head")
    return attention, around


def known_site(site: str) -> Site:
    """The site itself, or a RecipeError that lists those there are."""
    if site not in SITES:
        raise RecipeError(f"There is no site {site!r}; there are {', '.join(SITES)}.")
    return site


def require(index: int, count: int, what: str) -> None:
    """Raise where there is no such layer, head, sentence or token; `index` counts from 0."""
    if not 0 <= index < count:
        raise RecipeError(f"There is no {what} {index + 1}; there are 1 to {count}.", "place")
