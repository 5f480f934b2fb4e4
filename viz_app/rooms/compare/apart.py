"""How far two runs are apart, on the axes that both share."""

from typing import Any, TypedDict

import numpy as np

from model_core.decoding.run import Run
from model_core.values.trace import AttentionTrace, Tokens
from viz_app.rooms.compare.aligned import Pair, aligned, common
from viz_app.rooms.compare.view import CompareView

_MOST = 2**24  # weights of all heads that are compared; beyond only those of the two heads are


class AlikeHead(TypedDict):
    """The head of B whose rows are nearest to A's."""

    layer: int
    head: int
    distance: float | None


class FarthestCell(TypedDict):
    """A cell of both, and A - B there."""

    row: int
    column: int
    difference: float


def usual(*traces: AttentionTrace) -> str:
    """How tokens are paired: by text, where at least half of them then have a counterpart."""
    rows, columns = pairs_of(traces, "text")
    found = len(common(rows)[0]) + len(common(columns)[0])
    least = sum(min(len(x), len(y)) for x, y in zip(*map(_sides, traces), strict=True))
    return "text" if 2 * found >= least else "position"


def _sides(trace: AttentionTrace) -> tuple[Tokens, Tokens]:
    return trace.queries, trace.keys


def pairs_of(traces: tuple[AttentionTrace, ...], how: str) -> tuple[list[Pair], list[Pair]]:
    """The axes that both share: rows, columns."""
    (a_rows, a_columns), (b_rows, b_columns) = map(_sides, traces)
    return aligned(a_rows, b_rows, how), aligned(a_columns, b_columns, how)


def spread(values_QK: np.ndarray, rows: list[Pair], columns: list[Pair], which: int) -> np.ndarray:
    """An array of A (0) or B (1) on the common axes, (R, C); NaN where it has no such token."""
    spread_RC = np.full((len(rows), len(columns)), np.nan, np.float32)
    at_rows = [(at, pair[which]) for at, pair in enumerate(rows) if pair[which] is not None]
    at_columns = [(at, pair[which]) for at, pair in enumerate(columns) if pair[which] is not None]
    if at_rows and at_columns:
        to_Q, from_Q = zip(*at_rows, strict=True)
        to_K, from_K = zip(*at_columns, strict=True)
        spread_RC[np.ix_(to_Q, to_K)] = values_QK[np.ix_(from_Q, from_K)]
    return spread_RC


def distance(a_RC: np.ndarray, b_RC: np.ndarray, rows: list[Pair]) -> np.ndarray:
    """Half of the sum of |A - B| of each row that both have, (R); else NaN.

    What a row gives to a token without counterpart lies elsewhere, all of it.
    """
    apart_RC = np.abs(np.nan_to_num(a_RC.astype(np.float64)) - np.nan_to_num(b_RC))
    is_both_R = np.array([None not in pair for pair in rows], bool)
    return np.where(is_both_R, apart_RC.sum(axis=1) / 2, np.nan)


def most(difference_RC: np.ndarray) -> FarthestCell | None:
    """Where they differ most; None where no cell has a counterpart."""
    if not np.isfinite(difference_RC).any():
        return None
    row, column = divmod(int(np.nanargmax(np.abs(difference_RC))), difference_RC.shape[1])
    return {"row": row, "column": column, "difference": float(difference_RC[row, column])}


def _mean_distance(a_HQK: np.ndarray, b_HQK: np.ndarray, *pairs: list[Pair]) -> np.ndarray:
    """`distance` of the heads of two layers, meant over the rows that both have: (H)."""
    (rows_a, rows_b), (keys_a, keys_b) = map(common, pairs)
    if not rows_a:
        return np.full(max(len(a_HQK), len(b_HQK)), np.nan)
    a_HRK, b_HRK = a_HQK[:, rows_a].astype(np.float64), b_HQK[:, rows_b].astype(np.float64)
    here_HR = np.abs(a_HRK[..., keys_a] - b_HRK[..., keys_b]).sum(axis=2)
    alone_HR = sum(
        np.delete(one_HRK, keys, axis=2).sum(axis=2)
        for one_HRK, keys in ((a_HRK, keys_a), (b_HRK, keys_b))
    )
    mean_H: np.ndarray = (here_HR + alone_HR).mean(axis=1) / 2
    return mean_H


def heads_apart(
    a: Run, b: Run, site: Any, rows: list[Pair], columns: list[Pair]
) -> np.ndarray | None:
    """How far heads at the same place are apart, (L, H).

    None where there are not as many, or where no row of one has a counterpart.
    """
    of_a, of_b = (run.tracer.anatomy.site(site) for run in (a, b))
    cells = of_a.layers * of_a.heads * len(rows) * len(columns)
    are_as_many = (of_a.layers, of_a.heads) == (of_b.layers, of_b.heads)
    if not are_as_many or cells > _MOST or not common(rows)[0]:
        return None
    layers = [
        (a.decoding.trace(site, layer).weights_HQK, b.decoding.trace(site, layer).weights_HQK)
        for layer in range(of_a.layers)
    ]
    far_LH = [_mean_distance(mine, its, rows, columns) for mine, its in layers]
    return np.array(far_LH, np.float32)


def most_alike(a: Run, b: Run, view: CompareView) -> AlikeHead:
    """The head of B most like A's."""
    site: Any = view.site
    mine = a.decoding.trace(site, view.layer or 0)
    mine_HQK = mine.weights_HQK[view.head or 0][None]
    far_LH = []
    for layer in range(b.tracer.anatomy.site(site).layers):
        its = b.decoding.trace(site, layer)
        how: Any = view.align or usual(mine, its)
        far_LH.append(_mean_distance(mine_HQK, its.weights_HQK, *pairs_of((mine, its), how)))
    nearest = int(np.argmin(np.nan_to_num(np.array(far_LH), nan=2)))
    layer, head = divmod(nearest, len(far_LH[0]))
    far = float(far_LH[layer][head])
    return {"layer": layer, "head": head, "distance": None if np.isnan(far) else far}
