"""One cell of one head from the inside, and the path of one token through the whole model.

Everything comes from one pass over all tokens of a decoding, from its tap and its records; nothing
is computed a second way. What no layer keeps (the products behind a score, a head's share
of the output) is made from those very numbers, and adds up to the model's own within rounding.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import Cache
from model_core.errors import RecipeError
from model_core.models.insides import Insides
from model_core.models.own import OwnModel
from model_core.models.protocol import Model
from model_core.studies.places import require
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.passes import FullPass
from model_core.transformer.taps import keeping
from model_core.transformer.transformer import Transformer
from model_core.values.config import ModelConfig
from model_core.values.trace import SIDES, Decoding, Side, Site, Tokens, copied, frozen


@dataclass(frozen=True, eq=False)
class SubLayer:
    """One position's path through one sub-layer and the residual connection around it."""

    name: str  # as a tap is given it: "decoder.2.cross"
    entered_D: np.ndarray  # the residual stream
    read_D: np.ndarray  # what the sub-layer reads: the stream, or its norm where that stands before
    made_D: np.ndarray
    sum_D: np.ndarray  # entered + made
    passed_D: np.ndarray  # the sum, or its norm where that stands after
    hidden_F: np.ndarray | None = None  # of a feed-forward, its units after the activation


@dataclass(frozen=True, eq=False)
class NormStudy:
    """left = gain x (entered - mean) / spread + bias, for one position."""

    kind: Literal["layer", "sample", "scalar", "rms"]
    eps: float
    entered_D: np.ndarray
    mean: float
    spread: float  # the standard deviation, its eps included
    gain_D: np.ndarray  # one number for all dimensions where the norm is scalar; so the bias
    bias_D: np.ndarray
    left_D: np.ndarray


@dataclass(frozen=True, eq=False)
class HeadStudy:
    """One query of one head: what its scores, weights and output are made of.

    score of key k = sum over e of factor_KE[k, e] x other_KE[k, e], over `divisor`. The factors
    are q and k (dot, scaled_dot), q W and k (bilinear), a and tanh(q + k) (additive).
    """

    facts: Mapping[str, Any]  # of the model
    site: Site
    layer: int  # counted from 0, as heads and query
    head: int
    key_head: int  # the head of keys and values that this head of queries reads
    key_heads: int
    query: int
    queries: Tokens
    keys: Tokens
    read_KD: np.ndarray  # what the keys and values are made of; of cross-attention the memory
    q_E: np.ndarray
    k_KE: np.ndarray
    v_KE: np.ndarray
    factor_KE: np.ndarray
    other_KE: np.ndarray
    products_KE: np.ndarray
    sums_K: np.ndarray  # of the products, added up one after the other
    divisor: float  # sqrt(E) where the similarity is scaled, or sqrt(D), else 1
    scores_K: np.ndarray  # the model's own, before bias and mask
    bias_K: np.ndarray | None  # added to the scores; None where nothing is
    logits_K: np.ndarray  # what the softmax reads: score + bias
    allowed_K: np.ndarray
    exponentials_K: np.ndarray  # exp(logit - greatest allowed logit); 0 where masked
    weights_K: np.ndarray  # the model's own
    unscaled_scores_K: np.ndarray | None  # before the division; None where there is none
    unscaled_weights_K: np.ndarray | None  # what the model would make of those
    weighted_KE: np.ndarray  # weight x value
    context_E: np.ndarray  # the weighted sum of the values
    shares_HD: np.ndarray  # what each head adds to the sub-layer's output
    output_bias_D: np.ndarray
    sublayer: SubLayer
    norm: NormStudy


@dataclass(frozen=True, eq=False)
class TokenPath:
    """One token from its embedding to the end of its stack, and for a target token to the logits.

    Probabilities are of the full softmax.
    """

    config: ModelConfig
    side: Side
    position: int
    tokens: Tokens
    embedding_D: np.ndarray  # scaled where the model scales
    position_D: np.ndarray | None  # None where nothing is added
    sum_D: np.ndarray
    sublayers: tuple[SubLayer, ...]
    output_D: np.ndarray  # of the encoder or the decoder, its final norm included
    # The logits if the model stopped after the embedding, the sum with positions where they are
    # added, each sub-layer, and the final norm where there is one.
    lens_logits_SV: np.ndarray | None
    lens_SV: np.ndarray | None  # their log-probabilities, nats; the last are the model's own
    logits_V: np.ndarray | None  # None for a source token, which ends as memory
    log_probabilities_V: np.ndarray | None  # nats


@dataclass(frozen=True, eq=False)
class Tapped:
    """One pass over all tokens of a decoding, and every intermediate result by its name."""

    passed: FullPass
    values: dict[str, Tensor]


@torch.inference_mode()
def study_head(
    model: Model,
    decoding: Decoding,
    site: str,
    layer: int,
    head: int,
    query: int,
    cache: Cache | None = None,
) -> HeadStudy:
    """What is behind every cell of one row of one head; layer, head and query count from 0.

    `cache` keeps the pass of a sentence, which serves every cell. Raises RecipeError for a site,
    layer, head or query there is not.
    """
    found = model.anatomy.site(site)
    stack = "encoder" if found.rows == "source" else "decoder"
    require(layer, found.layers, f"layer of the {stack}")
    require(head, found.heads, "head")
    insides = model.insides(found.site, layer)
    source, target = decoding.source, decoding.target[: len(decoding.steps)]
    queries = source if found.rows == "source" else target
    keys = source if found.columns == "source" else target
    require(query, len(queries), "query")
    tapped = tapped_pass(model, decoding, cache)
    record = of_all_heads(tapped.passed.records(found.site)[layer])
    # Of one query and head alone a product may be rounded otherwise than in the model's own.
    scaled = model.facts["similarity"] == "scaled_dot"
    unscaled_BHQK = record.q_BHQE @ record.k_BHKE.mT if scaled else None
    name = f"{stack}.{layer + 1}.{'cross' if found.site == 'cross' else 'self'}"
    sublayer = _sublayer(tapped.values, stack, name, query)

    allowed_K = record.mask.allowed_BQK[0].expand(len(queries), -1)[query]
    scores_K = record.scores_BHQK[0, head, query]
    bias_K = None if record.bias_BHQK is None else record.bias_BHQK[0, head, query]
    logits_K = scores_K if bias_K is None else scores_K + bias_K
    factor_KE, other_KE = insides.factors(record, head, query)
    products_KE = copied(factor_KE * other_KE)
    context_HQE = (record.weights_BHQK @ record.v_BHKE)[0]
    weighted_KE = record.weights_BHQK[0, head, query, :, None] * record.v_BHKE[0, head]
    return HeadStudy(
        facts=model.facts,
        site=found.site,
        layer=layer,
        head=head,
        key_head=head // (found.heads // found.key_heads),
        key_heads=found.key_heads,
        query=query,
        queries=queries,
        keys=keys,
        read_KD=copied(_read(tapped.values, found.site, name)[0]),
        q_E=copied(record.q_BHQE[0, head, query]),
        k_KE=copied(record.k_BHKE[0, head]),
        v_KE=copied(record.v_BHKE[0, head]),
        factor_KE=copied(factor_KE),
        other_KE=copied(other_KE),
        products_KE=products_KE,
        sums_K=frozen(np.cumsum(products_KE, axis=-1)[:, -1]),
        divisor=insides.divisor,
        scores_K=copied(scores_K),
        bias_K=None if bias_K is None else copied(bias_K),
        logits_K=copied(logits_K),
        allowed_K=copied(allowed_K),
        exponentials_K=copied(_exponentials(logits_K, allowed_K)),
        weights_K=copied(record.weights_BHQK[0, head, query]),
        unscaled_scores_K=_cell_row(unscaled_BHQK, head, query),
        unscaled_weights_K=_cell_row(
            None if unscaled_BHQK is None else insides.weights(unscaled_BHQK, record),
            head,
            query,
        ),
        weighted_KE=copied(weighted_KE),
        context_E=copied(context_HQE[head, query]),
        shares_HD=copied(insides.shares(context_HQE[:, query])),
        output_bias_D=copied(insides.output_bias(len(sublayer.made_D))),
        sublayer=sublayer,
        norm=_norm_study(insides, sublayer),
    )


def of_all_heads(record: AttentionRecord) -> AttentionRecord:
    """The record with a key and a value for every head of queries, as each reads them."""
    shared = record.q_BHQE.shape[1] // record.k_BHKE.shape[1]
    if shared == 1:
        return record
    k_BHKE, v_BHKE = (
        of_BGKE.repeat_interleave(shared, dim=1) for of_BGKE in (record.k_BHKE, record.v_BHKE)
    )
    return replace(record, k_BHKE=k_BHKE, v_BHKE=v_BHKE)


def _read(values: Mapping[str, Tensor], site: Site, name: str) -> Tensor:
    """What the keys and the values are made of."""
    if site != "cross":
        return values[f"{name}.read"]
    own = values.get("encoder.memory")
    return values[f"{name}.memory"] if own is None else own


def _sublayer(values: dict[str, Tensor], stack: str, name: str, position: int) -> SubLayer:
    """One sub-layer, at one position."""
    if f"{name}.entered" not in values and f"{name}.passed" in values and "source.sum" in values:
        return next(s for s in _sublayers(values, stack, position) if s.name == name)
    read_BTD, made_BTD = values[f"{name}.read"], values[f"{name}.made"]
    entered_BTD = values.get(f"{name}.entered", read_BTD)
    sum_BTD = entered_BTD + made_BTD
    return SubLayer(
        name=name,
        entered_D=copied(entered_BTD[0, position]),
        read_D=copied(read_BTD[0, position]),
        made_D=copied(made_BTD[0, position]),
        sum_D=copied(sum_BTD[0, position]),
        passed_D=copied(values.get(f"{name}.passed", sum_BTD)[0, position]),
    )


@torch.inference_mode()
def study_path(
    model: Model,
    decoding: Decoding,
    side: str,
    position: int,
    cache: Cache | None = None,
) -> TokenPath:
    """The path of the token at a position of the source or of the target tokens fed in.

    `cache` is that of `study_head`. Raises RecipeError for a side or position there is not.
    """
    if side not in SIDES:
        raise RecipeError(f"There is no side {side!r}; there are {', '.join(SIDES)}.")
    if not isinstance(model, OwnModel):
        raise RecipeError(
            "The way of a token is followed in models of this project only. Look at one cell.",
            "way",
        )
    of_source, transformer = side == "source", model.transformer
    tokens = decoding.source if of_source else decoding.target[: len(decoding.steps)]
    require(position, len(tokens), f"position of the {side}")
    tapped = tapped_pass(model, decoding, cache)
    table_PD = (
        transformer.source_positions if of_source else transformer.target_positions
    ).table_PD
    stack = "encoder" if of_source else "decoder"
    output_BTD = tapped.values["encoder.memory" if of_source else "decoder.output"]
    logits_V = None if of_source else tapped.passed.logits_BTV[0, position]
    lens_logits_SV = (
        None if of_source else _lens(transformer, tapped, position, table_PD is not None)
    )
    return TokenPath(
        config=model.config,
        side="source" if of_source else "target",
        position=position,
        tokens=tokens,
        embedding_D=copied(tapped.values[f"{side}.embedding"][0, position]),
        position_D=None if table_PD is None else copied(table_PD[position]),
        sum_D=copied(tapped.values[f"{side}.sum"][0, position]),
        sublayers=_sublayers(tapped.values, stack, position),
        output_D=copied(output_BTD[0, position]),
        lens_logits_SV=None if lens_logits_SV is None else copied(lens_logits_SV),
        lens_SV=None if lens_logits_SV is None else copied(lens_logits_SV.log_softmax(dim=-1)),
        logits_V=None if logits_V is None else copied(logits_V),
        log_probabilities_V=None if logits_V is None else copied(logits_V.log_softmax(dim=-1)),
    )


def tapped_pass(model: Model, decoding: Decoding, cache: Cache | None) -> Tapped:
    """The pass over all tokens of a decoding, kept in the cache that the rooms share."""
    source, fed = decoding.source.ids, decoding.target.ids[: len(decoding.steps)]

    def run() -> Tapped:
        values: dict[str, Tensor] = {}
        return Tapped(model.full_pass([source], [fed], tap=keeping(values)), values)

    return run() if cache is None else cache.of(("pass", source, fed), run)


def _sublayers(values: dict[str, Tensor], stack: str, position: int) -> tuple[SubLayer, ...]:
    """Every sub-layer of a stack in its order, at one position."""
    entered_BTD = values["source.sum" if stack == "encoder" else "target.sum"]
    found = []
    for name in [
        name for name in values if name.startswith(f"{stack}.") and name.endswith(".read")
    ]:
        name = name.removesuffix(".read")
        made_BTD, passed_BTD = values[f"{name}.made"], values[f"{name}.passed"]
        hidden_BTF = values.get(f"{name}.hidden")
        found.append(
            SubLayer(
                name=name,
                entered_D=copied(entered_BTD[0, position]),
                read_D=copied(values[f"{name}.read"][0, position]),
                made_D=copied(made_BTD[0, position]),
                sum_D=copied(entered_BTD[0, position] + made_BTD[0, position]),
                passed_D=copied(passed_BTD[0, position]),
                hidden_F=None if hidden_BTF is None else copied(hidden_BTF[0, position]),
            )
        )
        entered_BTD = passed_BTD
    return tuple(found)


def _lens(model: Transformer, tapped: Tapped, position: int, placed: bool) -> Tensor:
    """The logits (S, V) if the decoder stopped after each stage: the "logit lens".

    The final norm, where the model has one, and the output projection are applied to the residual
    stream of a stage (nostalgebraist 2020, "interpreting GPT: the logit lens").
    """
    values = tapped.values
    names = ["target.embedding", *(["target.sum"] if placed else [])]
    names += [n for n in values if n.startswith("decoder.") and n.endswith(".passed")]
    stream_SD = torch.stack([values[name][0, position] for name in names])
    logits_SV = model.logits(model.decoder_norm(stream_SD))
    own_V = tapped.passed.logits_BTV[0, position]
    if model.config.final_norm:  # which comes after the last sub-layer, a stage of its own
        logits_SV = torch.cat([logits_SV[:-1], own_V.expand(2, -1)])
    else:
        logits_SV[-1] = own_V
    return logits_SV


def _cell_row(of_BHQK: Tensor | None, head: int, query: int) -> np.ndarray | None:
    return None if of_BHQK is None else copied(of_BHQK[0, head, query])


def _exponentials(scores_K: Tensor, allowed_K: Tensor) -> Tensor:
    """What the softmax divides by its sum: 0 at masked keys, 1 at the greatest score."""
    if not bool(allowed_K.any()):
        return torch.zeros_like(scores_K)
    allowed_scores_K = scores_K.masked_fill(~allowed_K, -math.inf)
    return (allowed_scores_K - allowed_scores_K.max()).exp()


def _norm_study(insides: Insides, sublayer: SubLayer) -> NormStudy:
    entered_D, left_D = (
        (sublayer.entered_D, sublayer.read_D)
        if insides.pre
        else (sublayer.sum_D, sublayer.passed_D)
    )
    x_D, norm = torch.from_numpy(entered_D.copy()), insides.norm
    mean, spread = norm.mean_and_spread(x_D)
    return NormStudy(
        kind=norm.kind,
        eps=norm.eps,
        entered_D=entered_D,
        mean=mean,
        spread=spread,
        gain_D=copied(norm.gain_D.cpu().expand_as(x_D)),
        bias_D=copied(norm.bias_D.cpu().expand_as(x_D)),
        left_D=left_D,
    )
