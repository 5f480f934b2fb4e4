"""Values as Plotly figures, for what is kept. Pure: nothing is written or shown here.

Tokens are escaped and stand on integer ticks: Plotly reads "</s>" as HTML and merges equal labels.
"""

import html

import numpy as np
import plotly.graph_objects as go

from model_core.errors import RecipeError
from model_core.trace import AttentionTrace, Tokens

_SCALE = ["#f7f7f4", "#a0bde2", "#637ec8", "#393f9d", "#18114d"]
_NAMES = {
    "encoder": ("Encoder self-attention", "source", "source"),
    "decoder": ("Decoder self-attention", "target, fed in", "target, fed in"),
    "cross": ("Cross-attention", "target, fed in", "source"),
}


def attention_figure(trace: AttentionTrace, head: int) -> go.Figure:
    """One head, counted from 1, as a heat map: rows are queries, columns keys, masked cells empty.

    The colour scale is always 0 to 1. Raises RecipeError when the layer has no such head.
    """
    heads = len(trace.weights_HQK)
    if not 1 <= head <= heads:
        raise RecipeError(f"There is no head {head}; this layer has heads 1 to {heads}.")
    name, rows, columns = _NAMES[trace.site]
    weights_QK = np.where(trace.mask_QK, trace.weights_HQK[head - 1], np.nan)
    figure = go.Figure(
        go.Heatmap(
            z=weights_QK,
            zmin=0,
            zmax=1,
            colorscale=_SCALE,
            colorbar={"title": "weight"},
            customdata=_pairs(trace),
            hovertemplate="%{z:.3f} of what %{customdata[0]} reads comes from %{customdata[1]}"
            "<extra></extra>",
            hoverongaps=False,
        )
    )
    figure.update_layout(
        title=f"{name}, layer {trace.layer + 1}, head {head}",
        font={"family": "system-ui, sans-serif"},
        plot_bgcolor="#e9e7e0",  # shows through where a cell is masked
        xaxis=_axis(f"keys: {columns}", trace.keys),
        yaxis=_axis(f"queries: {rows}", trace.queries) | {"autorange": "reversed"},
    )
    return figure


def _axis(title: str, tokens: Tokens) -> dict[str, object]:
    return {
        "title": title,
        "tickmode": "array",
        "tickvals": list(range(len(tokens))),
        "ticktext": [html.escape(text) for text in tokens.texts],
        "showgrid": False,
        "zeroline": False,
    }


def _pairs(trace: AttentionTrace) -> list[list[tuple[str, str]]]:
    """For each cell the escaped query and key."""
    keys = [html.escape(text) for text in trace.keys.texts]
    return [[(html.escape(query), key) for key in keys] for query in trace.queries.texts]
