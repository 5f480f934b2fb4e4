"""What positions add, and what changes when the order of the words or the positions do.

Everything goes through the model itself: a copy that shares all weights gets other positions, or
none, and is run as the model is run. No layer is computed a second time in another way.
"""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Literal, cast

import numpy as np
import torch
from torch import Tensor, nn

from model_core.attention import MultiHeadAttention
from model_core.config import ModelConfig
from model_core.decoding import advance, choose, start
from model_core.errors import RecipeError
from model_core.positions import AddedPositions, RotaryPositions
from model_core.recipe import Strategy
from model_core.store import Checkpoint
from model_core.trace import SITES, Site, Tokens, frozen
from model_core.transformer import Transformer

Kind = Literal["sinusoidal", "learned", "rotary", "none"]
KINDS: tuple[Kind, ...] = ("sinusoidal", "learned", "rotary", "none")
Side = Literal["source", "target"]
MOST_POSITIONS = 256  # of a table; a longer one is cut, and says how long it is
MOST_DIMENSIONS = 1024
MOST_DISTANCES = 32  # positions at which one query and one key are placed


@dataclass(frozen=True, eq=False)
class PositionTable:
    """What a model adds to its tokens, or, where it turns them instead, what it turns them by."""

    kind: Kind
    own: bool  # the model's; otherwise what a model of its sizes would have
    positions: int  # of the whole table
    dimensions: int
    table_PD: np.ndarray  # rotary: (P, E), cosine and sine of each angle; none: (0, 0)
    wavelengths_D: np.ndarray  # in positions; empty where there are none
    similarity_PP: np.ndarray  # cosine of the angle between two rows


@dataclass(frozen=True, eq=False)
class PositionSum:
    """What enters the first layer for each token: embedding + position = sum, in float32."""

    tokens: Tokens
    embedding_TD: np.ndarray  # scaled, where the model scales it
    position_TD: np.ndarray
    sum_TD: np.ndarray


@dataclass(frozen=True, eq=False)
class Run:
    """All attention of one pass, and the prediction after each target token."""

    source: Tokens
    encoder_LHSS: np.ndarray
    decoder_LHTT: np.ndarray
    cross_LHTS: np.ndarray
    log_probabilities_TV: np.ndarray  # nats

    def weights_LHQK(self, site: Site) -> np.ndarray:
        """The weights of one site."""
        arrays = {
            "encoder": self.encoder_LHSS,
            "decoder": self.decoder_LHTT,
            "cross": self.cross_LHTS,
        }
        return arrays[site]


@dataclass(frozen=True)
class Change:
    """By how much one sub-layer's weights differ once each token is back in its old place."""

    site: Site
    layer: int  # counted from 0
    largest: float
    provably_none: bool  # must be the same up to rounding, whatever the weights are


@dataclass(frozen=True, eq=False)
class Effect:
    """One sentence as it was, and with its tokens or their positions changed."""

    before: Run
    after: Run
    put_back: Run  # `after`, its rows and columns in the order of `before`
    changes: tuple[Change, ...]
    # The largest difference between two probabilities of the same token, after each target token.
    predictions_T: np.ndarray
    predictions_provably_same: bool


@dataclass(frozen=True, eq=False)
class Rotation:
    """One head's queries and keys before and after rotary positions turn them."""

    own: bool  # the model turns them so; otherwise it is what rotary positions would do
    frequencies_E: np.ndarray  # radians for each position; one for each pair of dimensions
    queries: Tokens
    q_QE: np.ndarray
    k_QE: np.ndarray
    turned_q_QE: np.ndarray
    turned_k_QE: np.ndarray
    scores_QQ: np.ndarray  # of the vectors that are not turned
    turned_scores_QQ: np.ndarray
    placed_scores_PP: np.ndarray  # the chosen query at each position, the chosen key at each
    spread: float  # largest difference between two placed scores of equal distance
    distance_only: bool  # whether this similarity promises that the spread is only rounding


@torch.inference_mode()
def position_table(checkpoint: Checkpoint, kind: Kind, side: Side = "source") -> PositionTable:
    """The model's own table where `kind` is its kind, else one that a model of its sizes has.

    A learned table that is not the model's own is what training starts from.
    """
    model, config = checkpoint.model, checkpoint.config
    own = kind == config.positions
    if kind == "rotary":
        E = config.width_of_head(config.encoder_heads)
        _check_even(E)
        turns = RotaryPositions(config.max_positions, E)
        table_PD = torch.stack([turns.cos_PE, turns.sin_PE], dim=-1).flatten(-2)
    elif kind == "none":
        table_PD = torch.zeros(0, 0)
    else:
        added = model.source_positions if side == "source" else model.target_positions
        if not own:
            if kind == "sinusoidal" and config.width % 2:
                raise RecipeError(
                    f"Sinusoidal positions need an even width; this model has {config.width}. "
                    "Choose another kind.",
                    "odd_width",
                    n=config.width,
                )
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(0)
                added = AddedPositions(_with_positions(config, kind))
        P, D = config.max_positions, config.width
        # What is added to nothing is the table itself.
        table_PD = added(torch.zeros(1, P, D))[0]
    P, D = table_PD.shape
    cut_PD = table_PD[:MOST_POSITIONS, :MOST_DIMENSIONS]
    return PositionTable(
        kind=kind,
        own=own,
        positions=P,
        dimensions=D,
        table_PD=_array(cut_PD),
        wavelengths_D=frozen(_wavelengths(kind, D)[:MOST_DIMENSIONS]),
        similarity_PP=_cosines(table_PD[:MOST_POSITIONS]),
    )


@torch.inference_mode()
def position_sum(
    checkpoint: Checkpoint, source: Tokens, target_ids: Sequence[int], side: Side
) -> PositionSum:
    """Embedding, position and sum of every token of one side, as the model computes them.

    `target_ids` begin with the start token.
    """
    model, seen = checkpoint.model, {}

    def watch(name: str, value: Tensor) -> None:
        if name in (f"{side}.embedding", f"{side}.sum"):
            seen[name] = value[0]

    encoded = model.encode(torch.tensor([source.ids]), watch=watch)
    tokens = source
    if side == "target":
        model.decode(torch.tensor([list(target_ids)]), encoded, watch=watch)
        tokens = checkpoint.target_tokenizer.tokens(list(target_ids))
    embedding_TD, sum_TD = seen[f"{side}.embedding"], seen[f"{side}.sum"]
    added = model.source_positions if side == "source" else model.target_positions
    position_TD = added(torch.zeros_like(embedding_TD).unsqueeze(0))[0]
    return PositionSum(tokens, _array(embedding_TD), _array(position_TD), _array(sum_TD))


def without_positions(model: Transformer) -> Transformer:
    """A copy that shares every weight and neither adds positions nor turns by them."""
    bare = _sharing(model)
    bare.config = _with_positions(model.config, "none")
    bare.source_positions = AddedPositions(bare.config)
    bare.target_positions = AddedPositions(bare.config)
    for layer in chain(bare.encoder, bare.decoder):
        cast(MultiHeadAttention, layer.self_attention).rotary = None
    return bare


def repositioned(model: Transformer, rows: Sequence[int]) -> Transformer:
    """A copy that shares every weight and takes its source token t for one at position rows[t]."""
    moved = _sharing(model)
    index_S = torch.tensor(list(rows))
    added = moved.source_positions
    if added.table_PD is not None:
        table_SD = added.table_PD[index_S]
        own = isinstance(added.table_PD, nn.Parameter)
        added.table_PD = nn.Parameter(table_SD) if own else table_SD
    for layer in moved.encoder:
        rotary = cast(MultiHeadAttention, layer.self_attention).rotary
        if rotary is not None:
            rotary.cos_PE, rotary.sin_PE = rotary.cos_PE[index_S], rotary.sin_PE[index_S]
    return moved


@torch.inference_mode()
def effect(
    checkpoint: Checkpoint,
    source: Tokens,
    target_ids: Sequence[int],
    order: Sequence[int],
    rows: Sequence[int] | None = None,
    positions: bool = True,
    double: bool = False,
) -> Effect:
    """The same sentence twice: as it is, and with token order[t] standing at place t.

    Place t has position rows[t], by default t. Without `positions` both runs have none. `double`
    computes in float64, where rounding is nine digits smaller.
    """
    model = checkpoint.model if positions else without_positions(checkpoint.model)
    if double:
        model = copy.deepcopy(model).double()
    moved = model if rows is None or not positions else repositioned(model, rows)
    before = _run(model, source, target_ids)
    after = _run(moved, _taken(source, order), target_ids)
    put_back = _put_back(after, source, order)
    places = list(range(len(source)))
    untouched = list(order) == places and (rows is None or list(rows) == places)
    nowhere = untouched or model.config.positions == "none"
    changes = []
    for site in SITES:
        pairs = zip(before.weights_LHQK(site), put_back.weights_LHQK(site), strict=True)
        for layer, (was_HQK, is_HQK) in enumerate(pairs):
            # The decoder's first self-attention has read nothing of the source.
            none = nowhere or (site == "decoder" and layer == 0)
            changes.append(Change(site, layer, float(np.abs(was_HQK - is_HQK).max()), none))
    was_TV, is_TV = (np.exp(run.log_probabilities_TV) for run in (before, after))
    predictions_T = frozen(np.abs(was_TV - is_TV).max(axis=-1))
    return Effect(before, after, put_back, tuple(changes), predictions_T, nowhere)


def translation(
    checkpoint: Checkpoint,
    source: Tokens,
    order: Sequence[int],
    rows: Sequence[int] | None = None,
    positions: bool = True,
) -> str:
    """The greedy translation of the sentence with its tokens, or their positions, changed."""
    model = checkpoint.model if positions else without_positions(checkpoint.model)
    if rows is not None and positions:
        model = repositioned(model, rows)
    config, labels = model.config, checkpoint.target_tokenizer
    state = start(model, _taken(source, order), labels)
    # Far longer than the source it is only repeating itself.
    while state.decoding.finished is None and len(state.decoding.steps) < 2 * len(source) + 8:
        token, how = choose(state.decoding.step, Strategy(), (config.pad_id, config.start_id))
        state = advance(model, state, labels, token, how)
    return labels.decode(state.decoding.target.ids)


@torch.inference_mode()
def rotation(
    checkpoint: Checkpoint,
    source: Tokens,
    target_ids: Sequence[int],
    site: Site,
    layer: int,
    head: int,
    query: int,
    key: int,
) -> Rotation:
    """What rotary positions do to one head of self-attention, and the score by distance alone.

    The scores are made by the model's own similarity. They depend on the distance alone where that
    is the dot product of query and key, scaled or not (Su et al. 2021, equation 16).
    """
    model, config = checkpoint.model, checkpoint.config
    encoded = model.encode(torch.tensor([source.ids]))
    if site == "encoder":
        record, block = encoded.records[layer], model.encoder[layer]
        tokens = source
    else:
        passed = model.decode(torch.tensor([list(target_ids)]), encoded)
        record, block = passed.self_records[layer], model.decoder[layer]
        tokens = checkpoint.target_tokenizer.tokens(list(target_ids))
    attention = cast(MultiHeadAttention, block.self_attention)
    _check_even(attention.E)
    turns = attention.rotary or RotaryPositions(config.max_positions, attention.E)
    own = attention.rotary is not None
    q_BHQE, k_BHQE = record.q_BHQE, record.k_BHKE
    if own:  # the record's are turned already
        turned_q_BHQE, turned_k_BHQE = q_BHQE, k_BHQE
        back = copy.deepcopy(turns)
        back.sin_PE = -back.sin_PE
        q_BHQE, k_BHQE = back(q_BHQE), back(k_BHQE)
    else:
        turned_q_BHQE, turned_k_BHQE = turns(q_BHQE), turns(k_BHQE)
    P = min(MOST_DISTANCES, config.max_positions)
    placed_scores_PP = attention.scores(
        turns(q_BHQE[:, :, query : query + 1].expand(-1, -1, P, -1)),
        turns(k_BHQE[:, :, key : key + 1].expand(-1, -1, P, -1)),
    )[0, head]
    diagonals = [placed_scores_PP.diagonal(offset) for offset in range(1 - P, P)]
    return Rotation(
        own=own,
        frequencies_E=frozen(2 * math.pi / _wavelengths("rotary", attention.E)[::2]),
        queries=tokens,
        q_QE=_array(q_BHQE[0, head]),
        k_QE=_array(k_BHQE[0, head]),
        turned_q_QE=_array(turned_q_BHQE[0, head]),
        turned_k_QE=_array(turned_k_BHQE[0, head]),
        scores_QQ=_array(attention.scores(q_BHQE, k_BHQE)[0, head]),
        turned_scores_QQ=_array(attention.scores(turned_q_BHQE, turned_k_BHQE)[0, head]),
        placed_scores_PP=_array(placed_scores_PP),
        spread=max(float(line.max() - line.min()) for line in diagonals),
        distance_only=attention.similarity in ("scaled_dot", "dot"),
    )


def _with_positions(config: ModelConfig, kind: Kind) -> ModelConfig:
    return replace(config, positions=kind)


def _sharing(model: Transformer) -> Transformer:
    """A copy of the modules around the very same tensors."""
    tensors = chain(model.parameters(), model.buffers())
    return copy.deepcopy(model, {id(tensor): tensor for tensor in tensors})


def _run(model: Transformer, source: Tokens, target_ids: Sequence[int]) -> Run:
    encoded = model.encode(torch.tensor([source.ids]))
    passed = model.decode(torch.tensor([list(target_ids)]), encoded)
    layers = (encoded.records, passed.self_records, passed.cross_records)
    encoder_LHSS, decoder_LHTT, cross_LHTS = (
        _array(torch.stack([record.weights_BHQK[0] for record in records])) for records in layers
    )
    log_probabilities_TV = _array(passed.logits_BTV[0].log_softmax(dim=-1))
    return Run(source, encoder_LHSS, decoder_LHTT, cross_LHTS, log_probabilities_TV)


def _put_back(run: Run, source: Tokens, order: Sequence[int]) -> Run:
    place = np.argsort(np.array(order))
    return Run(
        source=source,
        encoder_LHSS=frozen(run.encoder_LHSS[:, :, place][..., place]),
        decoder_LHTT=run.decoder_LHTT,
        cross_LHTS=frozen(run.cross_LHTS[..., place]),
        log_probabilities_TV=run.log_probabilities_TV,
    )


def _taken(tokens: Tokens, order: Sequence[int]) -> Tokens:
    lists = (getattr(tokens, field.name) for field in fields(Tokens))
    return Tokens(*(tuple(values[i] for i in order) for values in lists))


def _wavelengths(kind: Kind, D: int) -> np.ndarray:
    """Positions until a dimension repeats: 2 pi 10000^(2i / D) for dimensions 2i and 2i + 1."""
    if kind not in ("sinusoidal", "rotary"):
        return frozen(np.empty(0))
    pairs = np.repeat(np.arange(0, D, 2), 2)
    return frozen(2 * math.pi * 10000.0 ** (pairs / D))


def _cosines(table_PD: Tensor) -> np.ndarray:
    """The cosine of the angle between any two rows; 0 where a row is all 0."""
    length_P1 = table_PD.double().norm(dim=-1, keepdim=True)
    unit_PD = table_PD.double() / length_P1.clamp_min(1e-12)
    return _array((unit_PD @ unit_PD.T).float())


def _check_even(E: int) -> None:
    if E % 2:
        raise RecipeError(
            f"Rotary positions turn pairs of dimensions; this model's heads have {E}. "
            "Choose a model with an even head width.",
            "odd_heads",
            n=E,
        )


def _array(tensor: Tensor) -> np.ndarray:
    return frozen(tensor.numpy(force=True))
