"""All heads of a large decoding as small pictures and a few numbers; the rows of one head in full.

A picture is only painted, so 8 bits do; every number that is written comes from float32 rows, which
the page asks for when a head is looked at.
"""

import base64
from itertools import pairwise
from typing import TypedDict

import numpy as np

from model_core.values.anatomy import Anatomy, SiteAnatomy
from model_core.values.habits import rows_of
from model_core.values.trace import DecodeStep, Decoding
from viz_app.values.wire import Packed, packed

MOST_AT_ONCE = 2**20  # bytes of rows that the page gets with a decoding; more it asks for by heads
SIDE = 48  # cells of a small picture, at most, each way


def is_large(decoding: Decoding, anatomy: Anatomy) -> bool:
    """Whether all rows of all heads are too many to be sent with a decoding."""
    S, T = len(decoding.source), len(decoding.fed)
    length = {"source": S, "target": T}
    cells = sum(
        one.layers * one.heads * length[one.rows] * length[one.columns] // (2 if one.causal else 1)
        for one in anatomy.sites
    )
    return 4 * cells > MOST_AT_ONCE


class Summary(TypedDict):
    """The pictures of a site, (L, H, h, w) of 8 bits, and its measures, (L, H, 2 + places)."""

    small: str
    shape: list[int]
    measures: Packed


def summary(site: SiteAnatomy, decoding: Decoding) -> Summary:
    """What is said of all heads at once.

    A cell is the largest weight of those that it stands for. The measures are the mean entropy in
    bits, the mean largest weight, and what part of a head's attention each place gets.
    """
    mask_QK = seen_by_steps(site, decoding)
    rows = rows_of(site, decoding.side(site.rows), decoding.side(site.columns), mask_QK)
    totals = np.maximum(rows.totals, 1)
    cells, measures = [], []
    for layer in range(site.layers):
        weights_HQK = weights_of(site, decoding, layer)
        cells.append(np.rint(255 * _small(weights_HQK)).clip(0, 255).astype(np.uint8))
        measures.append((rows.sums(weights_HQK) / totals).astype(np.float32))
    cells_LHhw = np.stack(cells)
    return {
        "small": packed_bytes(cells_LHhw),
        "shape": list(cells_LHhw.shape),
        "measures": packed(np.stack(measures)),
    }


def unseen_before(step: DecodeStep) -> list[list[tuple[int, int]]]:
    """Which tokens before a step it may not attend to, by the masks that were used.

    Runs of places, from and up to: of every layer, or once where all layers are alike; empty where
    none hides any.
    """
    if all(row.mask_K.all() for row in step.decoder_rows):
        return []
    layers = [_runs(~row.mask_K) for row in step.decoder_rows]
    return layers[:1] if all(one == layers[0] for one in layers) else layers


def seen_by_steps(site: SiteAnatomy, decoding: Decoding) -> np.ndarray | None:
    """Which tokens (T, T) a step may attend to in some layer; None where it may to all before."""
    if not (site.causal and any(unseen_before(step) for step in decoding.steps[-1:])):
        return None
    T = len(decoding.steps)
    seen_TT = np.zeros((T, T), bool)
    for at, step in enumerate(decoding.steps):
        for row in step.decoder_rows:
            seen_TT[at, : len(row.mask_K)] |= row.mask_K
    return seen_TT


def _runs(hidden_K: np.ndarray) -> list[tuple[int, int]]:
    if not hidden_K.any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate([[False], hidden_K, [False]]))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def weights_of(site: SiteAnatomy, decoding: Decoding, layer: int) -> np.ndarray:
    """The weights (H, Q, K) of a layer; what a row does not have is 0."""
    if site.rows == "source" or decoding.whole:
        return decoding.trace(site.site, layer).weights_HQK
    of_source = site.columns == "source"
    rows = [(s.cross_rows if of_source else s.decoder_rows)[layer] for s in decoding.steps]
    K = len(decoding.source) if of_source else len(rows)
    weights_HQK = np.zeros((site.heads, len(rows), K), np.float32)
    for t, row in enumerate(rows):
        weights_HQK[:, t, : row.weights_HK.shape[-1]] = row.weights_HK
    return weights_HQK


def head_rows(site: SiteAnatomy, decoding: Decoding, layer: int, head: int) -> np.ndarray:
    """All rows of one head, one after the other; a causal row as far as its own position."""
    weights_QK = weights_of(site, decoding, layer)[head]
    if not site.causal:
        return weights_QK.ravel()
    return weights_QK[np.tri(len(weights_QK), dtype=bool)]


def packed_bytes(array: np.ndarray) -> str:
    """Numbers of 8 bits as base64."""
    return base64.b64encode(array.tobytes()).decode("ascii")


def _small(weights_HQK: np.ndarray) -> np.ndarray:
    """The largest of neighbours, so that at most SIDE are left each way."""
    _, Q, K = weights_HQK.shape
    if Q > SIDE:
        ends = np.arange(SIDE + 1) * Q // SIDE
        parts = [weights_HQK[:, a:b].max(axis=1) for a, b in pairwise(ends)]
        weights_HQK = np.stack(parts, axis=1)
    if K > SIDE:
        weights_HQK = np.maximum.reduceat(weights_HQK, np.arange(SIDE) * K // SIDE, axis=2)
    return weights_HQK
