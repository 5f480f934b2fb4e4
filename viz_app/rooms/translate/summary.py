"""All heads of a large decoding as small pictures and a few numbers; the rows of one head in full.

A picture is only painted, so 8 bits do; every number that is written comes from float32 rows, which
the page asks for when a head is looked at. The measures are those of stage/run/habits.js.
"""

import base64
import unicodedata
from typing import Any

import numpy as np

from model_core.values.anatomy import Anatomy, SiteAnatomy
from model_core.values.trace import Decoding, Tokens
from viz_app.rooms.room import packed

MOST_AT_ONCE = 2**20  # bytes of rows that the page gets with a decoding; more it asks for by heads
SIDE = 48  # cells of a small picture, at most, each way
PLACES = {
    "encoder": ("previous", "itself", "next", "first", "end", "marks"),
    "decoder": ("previous", "itself", "start", "marks"),
    "cross": ("diagonal", "first", "end", "marks"),
}


def is_large(decoding: Decoding, anatomy: Anatomy) -> bool:
    """Whether all rows of all heads are too many to be sent with a decoding."""
    S, T = len(decoding.source), len(_fed(decoding))
    length = {"source": S, "target": T}
    cells = sum(
        one.layers * one.heads * length[one.rows] * length[one.columns] // (2 if one.causal else 1)
        for one in anatomy.sites
    )
    return 4 * cells > MOST_AT_ONCE


def summary(site: SiteAnatomy, decoding: Decoding) -> dict[str, Any]:
    """The pictures of a site, (L, H, h, w) of 8 bits, and its measures, (L, H, 2 + places).

    A cell is the largest weight of those that it stands for. The measures are the mean entropy in
    bits, the mean largest weight, and what part of a head's attention each place gets.
    """
    queries, keys = _sides(site, decoding)
    columns = _columns(site, queries, keys)
    cells, measures = [], []
    for layer in range(site.layers):
        weights_HQK = weights_of(site, decoding, layer)
        small_Hhw = _reduced(_reduced(weights_HQK, 1), 2)
        cells.append(np.rint(255 * small_Hhw).clip(0, 255).astype(np.uint8))
        measures.append(_measured(weights_HQK, *columns))
    cells_LHhw = np.stack(cells)
    return {
        "small": packed_bytes(cells_LHhw),
        "shape": list(cells_LHhw.shape),
        "measures": packed(np.stack(measures)),
    }


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


def _sides(site: SiteAnatomy, decoding: Decoding) -> tuple[Tokens, Tokens]:
    sides = {"source": decoding.source, "target": _fed(decoding)}
    return sides[site.rows], sides[site.columns]


def _fed(decoding: Decoding) -> Tokens:
    """The tokens of the target that have rows."""
    return decoding.target if decoding.whole else decoding.target[: len(decoding.steps)]


def _reduced(array: np.ndarray, axis: int) -> np.ndarray:
    """The largest of neighbours along an axis, so that at most SIDE are left."""
    length = array.shape[axis]
    if length <= SIDE:
        return array
    starts = np.arange(SIDE) * length // SIDE
    return np.asarray(np.maximum.reduceat(array, starts, axis=axis))


def _columns(
    site: SiteAnatomy, queries: Tokens, keys: Tokens
) -> tuple[np.ndarray, np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """Which rows count, which of them have a choice, and the cells of each place."""
    Q, K = len(queries), len(keys)
    open_QK = np.tile(np.array([kind != "pad" for kind in keys.kinds]), (Q, 1))
    if site.causal:
        open_QK &= np.tri(Q, K, dtype=bool)
    counts_Q = np.array([kind != "pad" or site.rows == "target" for kind in queries.kinds])
    choice_Q = counts_Q & (open_QK.sum(axis=1) > 1)
    specials = [at for at, kind in enumerate(keys.kinds) if kind == "special"]
    last = specials[-1] if specials else -1
    slope = (last if last > 0 else K - 1) / max(1, Q - 1)
    rows_Q1, columns_K = np.arange(Q)[:, None], np.arange(K)
    marks_K = np.array([_is_mark(keys, at) for at in range(K)])
    places = {
        "previous": columns_K == rows_Q1 - 1,
        "itself": columns_K == rows_Q1,
        "next": columns_K == rows_Q1 + 1,
        "first": columns_K == 0 * rows_Q1,
        "start": columns_K == 0 * rows_Q1,
        "end": (columns_K == last) & (last > 0) & (rows_Q1 >= 0),
        "marks": marks_K & (rows_Q1 >= 0),
        "diagonal": np.abs(columns_K - slope * rows_Q1) <= 1,
    }
    allowed_QK = open_QK & choice_Q[:, None]
    cells = [np.nonzero(places[name] & allowed_QK) for name in PLACES[site.site]]
    return counts_Q, choice_Q, [(rows, columns) for rows, columns in cells]


def _measured(
    weights_HQK: np.ndarray,
    counts_Q: np.ndarray,
    choice_Q: np.ndarray,
    cells: list[tuple[np.ndarray, np.ndarray]],
) -> np.ndarray:
    """The measures (H, 2 + places) of a layer."""
    logs_HQK = np.log2(weights_HQK, out=np.zeros_like(weights_HQK), where=weights_HQK > 0)
    bits_HQ = -np.einsum("hqk,hqk->hq", weights_HQK, logs_HQK)
    entropy_H = bits_HQ[:, counts_Q].sum(axis=1) / max(1, int(counts_Q.sum()))
    largest_H = weights_HQK.max(axis=2)[:, choice_Q].sum(axis=1) / max(1, int(choice_Q.sum()))
    shares = [
        weights_HQK[:, rows, columns].sum(axis=1) / max(1, len(np.unique(rows)))
        for rows, columns in cells
    ]
    return np.stack([entropy_H, largest_H, *shares], axis=1).astype(np.float32)


def _is_mark(tokens: Tokens, at: int) -> bool:
    """Whether a token is punctuation and nothing else."""
    text = tokens.texts[at].strip()
    marks = all(unicodedata.category(letter).startswith("P") for letter in text)
    return tokens.kinds[at] == "text" and text != "" and marks
