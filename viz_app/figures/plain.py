"""Tables as plain Plotly figures: heat maps with axes and colour bars, to be styled further.

Kept pictures are drawn cell by cell on paper.py; these are what a Plotly user expects to get.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model_core.values.trace import SITES
from viz_app.figures.labels import visible
from viz_app.figures.look import Look, colour_scale, escaped
from viz_app.figures.maps import signed_scale
from viz_app.figures.panels import ends_of
from viz_app.values.tables import Axis, Table

_SHARE = (
    "weight",
    "once",
    "stepped",
    "before",
    "after",
    "rollout",
    "mean",
    "distance",
)  # arrays from 0 to 1 begin with these


def is_map(table: Table) -> bool:
    """Whether a table has rows and columns, and so is a map or several."""
    return len(table.axes) in (2, 4)


def plain_figure(tables: Sequence[Table], look: Look, title: str) -> go.Figure:
    """A heat map of each array over two axes; over four, one per layer and head."""
    maps = [one for table in tables for one in _maps(table)]
    columns = tables[0].axes[1].length if len(tables[0].axes) == 4 else len(maps)
    figure = make_subplots(
        rows=-(-len(maps) // columns),
        cols=columns,
        subplot_titles=[name if len(maps) > 1 else "" for name, *_ in maps],
    )
    for at, (name, values_RC, down, across) in enumerate(maps):
        row, column = at // columns + 1, at % columns + 1
        is_share = name in ("a", "b") or name.startswith(_SHARE) or len(tables[0].axes) == 4
        is_long = name == "norm"  # a length: from 0 up
        low, high = (0.0, 1.0) if is_share else ends_of(values_RC)
        scale = look.sequential if is_share or is_long else signed_scale(look, low, high)
        figure.add_trace(
            go.Heatmap(
                z=values_RC,
                name=name,
                colorscale=colour_scale(scale),
                zmin=low,
                zmax=high,
                showscale=at == 0 or not is_share,
                colorbar={"title": {"text": escaped(name)}},
            ),
            row,
            column,
        )
        figure.update_xaxes(_axis(across), row=row, col=column)
        figure.update_yaxes(_axis(down) | {"autorange": "reversed"}, row=row, col=column)
    figure.update_layout(
        title={"text": title},
        paper_bgcolor=look["paper"],
        plot_bgcolor=look["paper"],
        font={"color": look["ink"]},
    )
    return figure


def _maps(table: Table) -> list[tuple[str, np.ndarray, Axis, Axis]]:
    """Name, numbers, rows and columns of each map; cells that no query may read are empty."""
    arrays = {name.rpartition("_")[0] or name: array for name, array in table.values.items()}
    allowed: Any = arrays.pop("allowed", True)
    if len(table.axes) == 4:
        weights = np.where(allowed, arrays["weights"], np.nan)
        return [
            (f"layer {layer + 1}, head {head + 1}", weights[layer, head], *table.axes[2:])
            for layer in range(table.axes[0].length)
            for head in range(table.axes[1].length)
        ]
    down, across = table.axes
    if table.name in SITES:
        shown = list(arrays)[-1]  # the picture shows these
        return [(shown, np.where(allowed, arrays[shown].astype(float), np.nan), down, across)]
    return [
        (name, np.where(allowed, array, np.nan) if name == "weights" else array, down, across)
        for name, array in ((name, array.astype(float)) for name, array in arrays.items())
    ]


def _axis(axis: Axis) -> dict[str, Any]:
    """Integer ticks with escaped texts: Plotly merges equal labels and reads tags in them."""
    told: dict[str, Any] = {"title": {"text": axis.name.replace("_", " ")}}
    if axis.tokens is not None:
        texts = [escaped(visible(token)) for token in axis.tokens]
        told |= {"tickmode": "array", "tickvals": list(range(axis.length)), "ticktext": texts}
    return told
