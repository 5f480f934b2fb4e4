"""What positions add to a model's tokens, and how rotary positions turn its queries and keys.

Tables, sums and scores are those of the model's own modules; where a model has other positions, the
table of another kind is made by the same modules and said not to be the model's.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np
import torch
from torch import Tensor

from model_core.errors import RecipeError
from model_core.models.insides import Turning
from model_core.models.own import OwnModel
from model_core.models.protocol import Model
from model_core.studies.checks import check_head, check_place
from model_core.studies.path import added_of
from model_core.transformer.passes import Keep, nothing
from model_core.transformer.positions import AddedPositions, RotaryPositions
from model_core.transformer.taps import keeping
from model_core.values.config import ModelConfig
from model_core.values.trace import Side, Site, Tokens, copied, frozen
from model_core.values.verdict import Verdict, verdict

PositionKind = Literal["sinusoidal", "learned", "rotary", "relative", "none"]
KINDS: tuple[PositionKind, ...] = ("sinusoidal", "learned", "rotary", "none")  # of any size
MOST_POSITIONS = 256  # of a table; a longer one is cut, and says how long it is
MOST_DIMENSIONS = 1024
MOST_PAIRS = 32  # of sines and cosines that are picked from a wide table
_MOST_FIRST = 6  # numbers that the first position may have
_STEPS = "D/2"  # in which the frequencies of Vaswani et al. fall
MOST_DISTANCES = 32  # positions at which one query and one key are placed


@dataclass(frozen=True, eq=False)
class TableStudy:
    """What a model adds to its tokens, or, where it turns them instead, what it turns them by."""

    kind: PositionKind
    own: bool  # the model's; otherwise what a model of its sizes would have
    positions: int  # of the whole table
    dimensions: int
    table_PD: np.ndarray  # rotary: (P, E), cosine and sine of each angle; none: (0, 0)
    wavelengths_D: np.ndarray  # in positions; empty where there are none
    pairs: tuple[int, ...]  # of dimensions that turn, evenly by the logarithm of the wavelength
    similarity_PP: np.ndarray  # cosine of the angle between two rows
    products_PP: np.ndarray  # dot product of two rows
    distances_PP: np.ndarray  # length of their difference
    halves: bool = False  # a pair is dimensions n and n + D / 2, else 2n and 2n + 1
    first: int = 0  # the number by which the waves count the first position
    steps: str = "D/2"  # pair n has the frequency 10000^(-n / steps)
    # Of relative positions the rows are distances, each with its bucket, and the columns heads.
    distances: tuple[int, ...] = ()
    buckets: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class SumStudy:
    """What enters the first layer for each token: embedding + position = sum, in float32."""

    tokens: Tokens
    # Scaled, where the model scales it; with what tells two sentences apart, where something does.
    embedding_TD: np.ndarray
    position_TD: np.ndarray
    sum_TD: np.ndarray  # before the norm, where one stands between it and the first layer

    @property
    def adds_up(self) -> Verdict:
        """Whether it is the sum: dropout that stays on makes it another."""
        apart = float(np.abs(self.embedding_TD + self.position_TD - self.sum_TD).max())
        return verdict(apart, True, float(np.abs(self.sum_TD).max()))


@dataclass(frozen=True, eq=False)
class RotationStudy:
    """One head's queries and keys before and after rotary positions turn them."""

    own: bool  # the model turns them so; otherwise it is what rotary positions would do
    frequencies_N: np.ndarray  # radians for each position; one for each pair of dimensions
    pairs: tuple[tuple[int, int], ...]  # the two dimensions of each
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

    @property
    def verdict(self) -> Verdict:
        """What may be said of placed scores of equal distance."""
        size = float(np.abs(self.placed_scores_PP).max())
        return verdict(self.spread, self.distance_only, size)


@torch.inference_mode()
def position_table(model: Model, kind: PositionKind, side: Side = "source") -> TableStudy:
    """The model's own table where `kind` is its kind, else one that a model of its sizes has.

    A learned table that is not the model's own is what training starts from. Raises RecipeError
    for a kind that only the models that have it can show.
    """
    own = kind == model.facts["positions"]
    if kind == "relative" and not own:
        raise RecipeError(
            "Relative positions are those of a model that has them. Choose another kind.",
            "no_table",
        )
    bias = model.bias(side) if kind == "relative" else None
    frequencies = model.frequencies() if own else None
    table_PD = bias.bias_RH.cpu().float() if bias else _table(model, kind, side, frequencies)
    P, D = table_PD.shape
    cut_PD = table_PD[:MOST_POSITIONS, :MOST_DIMENSIONS]
    whole_PD = table_PD[:MOST_POSITIONS].detach().double()  # compared over all dimensions
    wavelengths_D, first, steps = _wavelengths(kind, D), 0, _STEPS
    halves = own and not isinstance(model, OwnModel) and kind in ("sinusoidal", "rotary")
    if halves and frequencies is None:
        frequencies, first, steps = _waves_of(table_PD)
    if halves and (frequencies is None or D > MOST_DIMENSIONS):  # no waves, or too wide to draw
        halves, wavelengths_D = False, frozen(np.empty(0))
    elif frequencies is not None:
        lengths_N = 2 * torch.pi / frequencies.abs()
        wavelengths_D = (lengths_N.repeat(2) if halves else lengths_N.repeat_interleave(2)).numpy(
            force=True
        )
    wavelengths_D = wavelengths_D[:MOST_DIMENSIONS]
    pairs_N = wavelengths_D[: D // 2] if halves else wavelengths_D[::2]
    return TableStudy(
        kind=kind,
        own=own,
        positions=P,
        dimensions=D,
        table_PD=copied(cut_PD),
        wavelengths_D=frozen(wavelengths_D),
        pairs=_spread_pairs(pairs_N, P),
        similarity_PP=_cosines(whole_PD),
        products_PP=copied((whole_PD @ whole_PD.T).float()),
        distances_PP=copied(
            torch.cdist(whole_PD, whole_PD, compute_mode="donot_use_mm_for_euclid_dist").float()
        ),
        halves=halves,
        first=first,
        steps=steps,
        distances=() if bias is None else bias.distances,
        buckets=() if bias is None else bias.buckets,
    )


def _table(model: Model, kind: PositionKind, side: Side, turns_by: Tensor | None) -> Tensor:
    """The whole table (P, D): the model's own, else one that our modules make of its sizes.

    `turns_by` are the angles, from place to place, by which the model itself turns its vectors.
    """
    if kind == "none" or kind == "relative":
        return torch.zeros(0, 0)
    config = model.config if isinstance(model, OwnModel) else _sizes(model)
    if turns_by is not None and not isinstance(model, OwnModel):
        angles_PE = torch.outer(torch.arange(config.max_positions).double(), turns_by.cpu())
        return torch.cat([angles_PE.cos(), angles_PE.sin()], dim=-1).float()
    if kind == "rotary":
        E = config.width_of_head(config.encoder_heads)
        _check_even(E)
        turns = RotaryPositions(config.max_positions, E, config.rotation)
        return torch.stack([turns.cos_PE, turns.sin_PE], dim=-1).flatten(-2)
    if kind == model.facts["positions"]:
        return cast(Tensor, model.table(side)).cpu()
    if kind == "sinusoidal" and config.width % 2:
        message = (
            f"Sinusoidal positions need an even width; this model has {config.width}. "
            "Choose another kind."
        )
        raise RecipeError(message, "odd_width", n=config.width)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return cast(Tensor, AddedPositions(replace(config, positions=kind)).table_PD)


def _waves_of(table_PD: Tensor) -> tuple[Tensor | None, int, str]:
    """How a table of sines, then cosines, was made: its frequencies, (N,), None where no known
    formula makes it; the first position that it counts, and in how many steps they fall.

    Frequencies are those of Vaswani et al. 2017, which reach 1/10000 only behind the last pair, or
    those of fairseq, which reach it there and count the first position from behind the pad.
    """
    D = table_PD.shape[1]
    if D % 2 or D < 4:
        return None, 0, _STEPS
    N = D // 2
    few_PD = table_PD[:16].double()
    for steps, name in ((N, _STEPS), (N - 1, "D/2 − 1")):
        frequencies_N = 10000.0 ** (-torch.arange(N, dtype=torch.float64) / steps)
        for first in range(_MOST_FIRST):
            places = torch.arange(first, first + len(few_PD), dtype=torch.float64)
            angles = torch.outer(places, frequencies_N)
            if torch.allclose(torch.cat([angles.sin(), angles.cos()], -1), few_PD, atol=1e-4):
                return frequencies_N, first, name
    return None, 0, _STEPS


@torch.inference_mode()
def position_sum(model: Model, source: Tokens, target_ids: Sequence[int], side: Side) -> SumStudy:
    """Embedding, position and sum of every token of one side, as the model computes them.

    `target_ids` begin with the start token.
    """
    values = dict[str, Tensor]()
    names = [f"{side}.{part}" for part in ("embedding", "segment", "position", "sum")]
    model.full_pass([source.ids], [target_ids], tap=keeping(values, names), keep=nothing)
    tokens = source if side == "source" else model.labels(target_ids)
    embedding_TD, sum_TD = values[f"{side}.embedding"][0], values[f"{side}.sum"][0]
    added_TD = added_of(model, values, side)
    position_TD = torch.zeros_like(embedding_TD) if added_TD is None else added_TD
    if f"{side}.segment" in values:
        embedding_TD = embedding_TD + values[f"{side}.segment"][0]
    if model.facts.get("embedding_norm"):
        sum_TD = embedding_TD + position_TD
    return SumStudy(tokens, copied(embedding_TD), copied(position_TD), copied(sum_TD))


@torch.inference_mode()
def rotation(
    model: Model,
    source: Tokens,
    target_ids: Sequence[int],
    site: Site,
    layer: int,
    head: int,
    query: int,
    key: int,
) -> RotationStudy:
    """What rotary positions do to one head of self-attention, and the score by distance alone.

    The scores are made by the model's own similarity. They depend on the distance alone where that
    is the dot product of query and key, scaled or not (Su et al. 2021, equation 16). Raises
    RecipeError for a site, layer, head, query or key there is not.
    """
    found = model.anatomy.site(site)
    if site == "cross":
        raise RecipeError(
            "Only self-attention turns its queries and keys: the encoder's, the decoder's."
        )
    tokens = source if found.rows == "source" else model.labels(target_ids)
    check_head(found, layer, head)
    check_place(query, len(tokens), "query")
    check_place(key, len(tokens), "key")
    insides = model.insides(site, layer)
    keep: Keep = lambda at, number, one: one if (at, number) == (site, layer) else None  # noqa: E731
    record = model.full_pass([source.ids], [tuple(target_ids)], keep=keep).records(site)[layer]
    q_BHQE, k_BHQE = record.q_BHQE, record.k_BHKE
    P = min(MOST_DISTANCES, model.anatomy.max_positions)
    own = insides.turning(max(P, len(tokens)))
    turning = own or _usual_turning(q_BHQE, max(P, len(tokens)))
    turned_q_BHQE, turned_k_BHQE = q_BHQE, k_BHQE  # the record's are turned already
    if own:
        q_BHQE, k_BHQE = turning.back(q_BHQE), turning.back(k_BHQE)
    else:
        turned_q_BHQE, turned_k_BHQE = turning(q_BHQE), turning(k_BHQE)
    placed_scores_PP = insides.scores(
        turning(q_BHQE[:, :, query : query + 1].expand(-1, -1, P, -1)),
        turning(k_BHQE[:, :, key : key + 1].expand(-1, -1, P, -1)),
    )[0, head]
    diagonals = [placed_scores_PP.diagonal(offset) for offset in range(1 - P, P)]
    key_head = head // (found.heads // found.key_heads)
    return RotationStudy(
        own=own is not None,
        frequencies_N=copied(turning.frequencies_N),
        pairs=tuple(zip(turning.firsts, turning.seconds, strict=True)),
        queries=tokens,
        q_QE=copied(q_BHQE[0, head]),
        k_QE=copied(k_BHQE[0, key_head]),
        turned_q_QE=copied(turned_q_BHQE[0, head]),
        turned_k_QE=copied(turned_k_BHQE[0, key_head]),
        scores_QQ=copied(insides.scores(q_BHQE, k_BHQE)[0, head]),
        turned_scores_QQ=copied(insides.scores(turned_q_BHQE, turned_k_BHQE)[0, head]),
        placed_scores_PP=copied(placed_scores_PP),
        spread=max(float(line.max() - line.min()) for line in diagonals),
        distance_only=model.facts["similarity"] in ("scaled_dot", "dot"),
    )


def _usual_turning(q_BHQE: Tensor, P: int) -> Turning:
    """What rotary positions would do to a model that has none."""
    E = q_BHQE.shape[-1]
    _check_even(E)
    return Turning.of_neighbours(RotaryPositions(P, E).to(q_BHQE.device), P)


def _sizes(model: Model) -> ModelConfig:
    """A configuration of the model's sizes, for the tables that other kinds of positions have."""
    D, H = model.facts["width"], model.anatomy.sites[0].heads
    return ModelConfig(
        width=D,
        encoder_heads=H,
        decoder_heads=H,
        head_width=max(1, D // H),
        max_positions=model.anatomy.max_positions,
        positions="none",
    )


def _wavelengths(kind: PositionKind, D: int) -> np.ndarray:
    """Positions until a dimension repeats: 2 pi 10000^(2i / D) for dimensions 2i and 2i + 1."""
    if kind not in ("sinusoidal", "rotary"):
        return frozen(np.empty(0))
    pairs = np.repeat(np.arange(0, D, 2), 2)
    return frozen(2 * math.pi * 10000.0 ** (pairs / D))


def _spread_pairs(wavelengths_N: np.ndarray, P: int) -> tuple[int, ...]:
    """At most MOST_PAIRS pairs; the wavelength grows by one factor from one to the next.

    Of more, those that do not even turn by an eighth within P positions are left out.
    """
    count = len(wavelengths_N)
    if count > MOST_PAIRS:
        count = max(MOST_PAIRS, int(np.searchsorted(wavelengths_N, 8 * P)))
    picked = np.linspace(0, max(0, count - 1), min(count, MOST_PAIRS))
    return tuple(np.rint(picked).astype(int).tolist())


def _cosines(table_PD: Tensor) -> np.ndarray:
    """The cosine of the angle between any two rows; 0 where a row is all 0."""
    unit_PD = table_PD / table_PD.norm(dim=-1, keepdim=True).clamp_min(1e-12)
    return copied((unit_PD @ unit_PD.T).float())


def _check_even(E: int) -> None:
    if E % 2:
        message = (
            f"Rotary positions turn pairs of dimensions; this model's heads have {E}. "
            "Choose a model with an even head width."
        )
        raise RecipeError(message, "odd_heads", n=E)
