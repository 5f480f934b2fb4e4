"""Which head and cell a view shows: the chosen one, checked, or one that shows something."""

from typing import TYPE_CHECKING

import numpy as np

from model_core.studies.checks import check_head
from model_core.values.habits import entropy
from model_core.values.trace import COLUMNS, ROWS, AttentionTrace, Decoding, Site

if TYPE_CHECKING:
    from model_core.models.protocol import Model


def placed(model: "Model", site: str, layer: int | None, head: int | None) -> tuple[int, int]:
    """Layer and head of a site, from 0; RecipeError where the model has no such head.

    What was left open is as the page opens: the head that the model opens on, else the first head
    of the last layer.
    """
    found, opens = model.anatomy.site(site), model.opens_on
    is_opened = opens["site"] == site
    first, usual = (opens["layer"], opens["head"]) if is_opened else (found.layers - 1, 0)
    layer = first if layer is None else layer
    if head is None:
        head = usual if layer == first else 0
    check_head(found, layer, head)
    return layer, head


def sharpest(decoding: Decoding, site: Site) -> tuple[int, int]:
    """Layer and head of a site, from 0, whose rows have the least entropy in the mean."""
    weights_LHQK = np.stack([trace.weights_HQK for trace in decoding.traces(site)])
    bits_LH = entropy(weights_LHQK).mean(-1)
    layer, head = divmod(int(bits_LH.argmin()), bits_LH.shape[1])
    return layer, head


def best_cells(trace: AttentionTrace) -> list[tuple[int, int]]:
    """Query and key of each head's largest weight among words; a word's on itself does not count.

    Where no two words meet, the largest weight of all.
    """
    words_Q, words_K = (
        np.array([kind == "text" for kind in tokens.kinds])
        for tokens in (trace.queries, trace.keys)
    )
    allowed_QK = words_Q[:, None] & words_K & trace.mask_QK
    if ROWS[trace.site] == COLUMNS[trace.site]:
        allowed_QK &= ~np.eye(len(words_Q), dtype=bool)
    if not allowed_QK.any():
        allowed_QK = np.ones_like(allowed_QK)
    flat_H = np.where(allowed_QK, trace.weights_HQK, -1).reshape(len(trace.weights_HQK), -1)
    return [divmod(int(cell), len(words_K)) for cell in flat_H.argmax(axis=1)]
