"""What the parts of a figure are collected on: traces, axes, shapes and colour scales."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from viz_app.figures.labels import said
from viz_app.figures.look import FONTS, Look, colour_at, colour_scale
from viz_app.values.sheets import Scale

Spec = dict[str, Any]
Axes = dict[str, str]  # what a trace needs to stand on a pair of axes: their names
TYPE = {"size": 13, "label": 12, "small": 11, "title": 20}  # CSS pixels
CLEAR = "rgba(0,0,0,0)"


@dataclass(frozen=True)
class Box:
    """Where a sheet stands: parts of the plot, from the left and from the foot, and its pixels."""

    across: tuple[float, float]
    down: tuple[float, float]
    width: float
    height: float


@dataclass(eq=False)
class Canvas:
    """Collects parts; `figure` gives the whole."""

    look: Look
    key_title: str = ""
    _key: set[str] = field(default_factory=set)  # what the legend says
    _traces: list[Spec] = field(default_factory=list)
    _axes: list[tuple[Box, Spec, Spec]] = field(default_factory=list)
    _scales: dict[Scale, str] = field(default_factory=dict)
    _printed: list[Scale] = field(default_factory=list)  # with a colour bar
    _shapes: list[Spec] = field(default_factory=list)

    def axes(self, box: Box, x: Spec, y: Spec, is_square: bool = False) -> Axes:
        """A new pair of axes in a box; `is_square`: one is as long on both."""
        number = str(len(self._axes) + 1) if self._axes else ""
        if is_square:
            x |= {"constrain": "domain"}
            y |= {"constrain": "domain", "scaleanchor": f"x{number}"}
        self._axes.append((box, x, y))
        return {"xaxis": f"x{number}", "yaxis": f"y{number}"}

    def add(self, kind: str, axes: Axes, key: str = "", **values: Any) -> None:
        """A trace on axes; the legend says what it is by a `key` that is not there yet."""
        is_new = bool(key) and key not in self._key
        self._key.add(key)
        named = {"name": key, "legendgroup": key} if key else {}
        self._traces.append({"type": kind, "showlegend": is_new} | named | values | axes)

    def lines(self, x: Sequence[Any], y: Sequence[Any], axes: Axes, **more: Any) -> None:
        """A line through the points, broken where they are None."""
        style: Spec = {"mode": "lines", "hoverinfo": "skip", "x": x, "y": y}
        self.add("scatter", axes, **(style | more))

    def signs(
        self, x: Sequence[Any], y: Sequence[Any], text: Sequence[str], axes: Axes, **more: Any
    ) -> None:
        """Short texts at points of the axes."""
        style: Spec = {"mode": "text", "hoverinfo": "skip", "cliponaxis": False}
        self.add("scatter", axes, x=x, y=y, text=text, **(style | more))

    def shape(self, axes: Axes, kind: str, **values: Any) -> None:
        """A path, or a rectangle, in the units of the axes."""
        places = {"xref": axes["xaxis"], "yref": axes["yaxis"], "layer": "above"}
        self._shapes.append({"type": kind} | places | values)

    def colours(self, scale: Scale, printed: bool) -> str:
        """The name of the colour axis of a scale; a scale is `printed` once, as a colour bar."""
        if printed and scale not in self._printed:
            self._printed.append(scale)
        known = len(self._scales)
        return self._scales.setdefault(scale, f"coloraxis{known + 1 if known else ''}")

    def hatch(self, spans: Sequence[tuple[float, float, float]], axes: Axes, below: bool) -> None:
        """Hatch parts of rows: (row, beginning, end) each, in the units of the axes.

        `below`: numbers below 0, which fall the other way, in the ink; else what is masked.
        """
        rows, begins, ends = map(list, zip(*spans, strict=True))
        colour = self.look["ink" if below else "mask"]
        slants = {"shape": "\\" if below else "/", "fgcolor": colour, "bgcolor": CLEAR}
        pattern = slants | {"size": 6, "solidity": 0.22}
        marker = {"color": CLEAR, "pattern": pattern, "line": {"width": 0}}
        places = {"y": rows, "base": begins, "width": 1.0, "orientation": "h"}
        lengths = [end - begin for begin, end in zip(begins, ends, strict=True)]
        key = self.look.word("figure_below" if below else "masked")
        self.add("bar", axes, key, x=lengths, marker=marker, hoverinfo="skip", **places)

    def figure(self, **layout: Any) -> go.Figure:
        """The figure, its colour bars below one another on the right, its legend at the foot."""
        look = self.look
        for at, (box, x, y) in enumerate(self._axes, start=1):
            number = str(at) if at > 1 else ""
            layout[f"xaxis{number}"] = x | {"domain": list(box.across), "anchor": f"y{number}"}
            layout[f"yaxis{number}"] = y | {"domain": list(box.down), "anchor": f"x{number}"}
        for scale, name in self._scales.items():
            layout[name] = {"cmin": scale.low, "cmax": scale.high, "showscale": False}
            layout[name]["colorscale"] = colour_scale(colours_of(scale, look))
        for at, scale in enumerate(self._printed):
            layout[self._scales[scale]] |= {"showscale": True, "colorbar": self._bar(scale, at)}
        legend = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
        legend |= {"bgcolor": CLEAR, "itemsizing": "trace", "traceorder": "normal"}
        legend |= {"title": {"text": self.key_title, "side": "left"}}
        return go.Figure(
            data=self._traces,
            layout={
                "font": {"family": FONTS, "size": TYPE["size"], "color": look["ink"]},
                "paper_bgcolor": look["paper"],
                "plot_bgcolor": look["paper"],
                "legend": legend,
                "showlegend": any(trace["showlegend"] for trace in self._traces),
                "shapes": self._shapes,
                "barmode": "overlay",
                **layout,
            },
            # Checking every value takes twenty times as long as making it here; a test checks all.
            _validate=False,
        )

    def _bar(self, scale: Scale, at: int) -> Spec:
        part, quiet = 1 / len(self._printed), self.look["quiet"]
        place = {"x": 1.02, "y": 1 - at * part, "yanchor": "top", "len": part, "thickness": 16}
        ticks = {"ticks": "outside", "tickcolor": quiet, "nticks": 6, "exponentformat": "power"}
        title = {"text": said(scale.unit, self.look), "side": "right"}
        return place | ticks | {"title": title, "outlinewidth": 0.5, "outlinecolor": quiet}


def colours_of(scale: Scale, look: Look) -> tuple[str, ...]:
    """The colours of a scale from its low end to its high one."""
    if not scale.is_signed:
        return look.sequential
    limit, count = max(-scale.low, scale.high), len(look.diverging)
    low, high = (0.5 + 0.5 * end / limit for end in (scale.low, scale.high))
    return tuple(
        colour_at(look.diverging, low + (high - low) * at / (count - 1)) for at in range(count)
    )
