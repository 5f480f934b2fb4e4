"""A figure as a printer needs it: cells and hatching as shapes of their own, not as images.

Plotly writes a heat map into an SVG or a PDF as an image, and hatching as a pattern, which not
every reader of SVG knows.
"""

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_app.figures.look import Look, colour_at

MOST_VECTORS = 12_000  # cells of a map; more of them are one image
Spec = dict[str, Any]


def printed(figure: go.Figure, look: Look) -> go.Figure:
    """The same figure with bars for the cells of its maps, and lines for what is hatched."""
    layout = figure.layout.to_plotly_json()
    data: list[Spec] = []
    for trace in (one.to_plotly_json() for one in figure.data):
        if trace["type"] == "heatmap":
            data += _cells(trace, layout, look)
        elif "pattern" in trace.get("marker", {}):
            data += _slanted(trace, layout)
        else:
            data.append(trace)
    return go.Figure(data=data, layout=layout, _validate=False)


def _cells(trace: Spec, layout: Spec, look: Look) -> list[Spec]:
    z_RC = np.array(trace["z"], float)
    (x_span, width), (y_span, height) = (_side(trace[name], layout) for name in ("xaxis", "yaxis"))
    if z_RC.size > MOST_VECTORS or min(width / abs(x_span), height / abs(y_span)) < 1:
        return [trace]  # a bar of less than a pixel is not drawn at all
    rows, columns = np.nonzero(np.isfinite(z_RC))
    values_N = z_RC[rows, columns]
    axes = {name: trace[name] for name in ("xaxis", "yaxis")}
    edge = {"width": trace["xgap"], "color": look["paper"]}
    places = {"x": (columns + trace["x0"]).tolist(), "base": (rows + trace["y0"] - 0.5).tolist()}
    cells = {"type": "bar", "y": [1.0] * len(rows), "width": 1.0, "showlegend": False, **places}
    marker = {"color": values_N.tolist(), "coloraxis": trace["coloraxis"], "line": edge}
    made = [cells | axes | {"marker": marker, "name": trace["name"]}]
    if "text" in trace:
        texts = [trace["text"][row][column] for row, column in zip(rows, columns, strict=True)]
        colours = layout[trace["coloraxis"]]
        scale = tuple(colour for _, colour in colours["colorscale"])
        shares_N = (values_N - colours["cmin"]) / (colours["cmax"] - colours["cmin"])
        inks = [look.on(colour_at(scale, share)) for share in shares_N.tolist()]
        font = trace["textfont"] | {"color": inks}
        lettered = {"type": "scatter", "mode": "text", "text": texts, "textfont": font}
        middles = {"x": places["x"], "y": (rows + trace["y0"]).tolist(), "showlegend": False}
        made.append(lettered | middles | axes)
    return made


def _slanted(trace: Spec, layout: Spec) -> list[Spec]:
    """Slanted lines over parts of rows; those of neighbours meet."""
    pattern = trace["marker"]["pattern"]
    (x_span, width), (y_span, height) = (_side(trace[name], layout) for name in ("xaxis", "yaxis"))
    right, down = width / abs(x_span), height / abs(y_span)  # pixels per unit
    turn = -1.0 if pattern["shape"] == "\\" else 1.0  # x + turn * y is the same all along a line
    pitch = 1.25 * pattern["size"]
    x: list[float | None] = []
    y: list[float | None] = []
    for row, begin, length in zip(trace["y"], trace["base"], trace["x"], strict=True):
        x0, x1 = begin * right, (begin + length) * right
        y0, y1 = (row - 0.5) * down, (row + 0.5) * down
        corners = (x0 + turn * y0, x1 + turn * y0, x0 + turn * y1, x1 + turn * y1)
        for step in range(math.ceil(min(corners) / pitch), int(max(corners) // pitch) + 1):
            level = step * pitch
            ends = sorted(level - turn * at for at in (y0, y1))
            low, high = max(x0, ends[0]), min(x1, ends[1])
            if high > low:
                x += [low / right, high / right, None]
                y += [(level - low) * turn / down, (level - high) * turn / down, None]
    colour = pattern["fgcolor"]
    line = {"color": colour, "width": 0.12 * pattern["size"]}
    lines = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": line, "hoverinfo": "skip"}
    lines |= {name: trace[name] for name in ("xaxis", "yaxis")} | {"showlegend": False}
    if not trace["showlegend"]:
        return [lines]
    sign = "line-nw-open" if turn < 0 else "line-ne-open"
    marker = {"symbol": sign, "size": 1.6 * pattern["size"], "color": colour}
    kept = {name: trace[name] for name in ("name", "xaxis", "yaxis", "showlegend")}
    return [lines, kept | {"type": "scatter", "x": [None], "mode": "markers", "marker": marker}]


def _side(name: str, layout: Spec) -> tuple[float, float]:
    """What an axis spans, in its own units and in pixels."""
    axis = layout[f"{name[0]}axis{name[1:]}"]
    whole = layout["width" if name[0] == "x" else "height"]
    low, high = axis["range"]
    return high - low, whole * (axis["domain"][1] - axis["domain"][0])
