"""What the parts of a figure are collected on: axes by their place in pixels, traces and texts.

Plotly places axes by fractions of the figure. Here every part says where it stands, counted from
the top left, and the figure grows to hold what it is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from viz_app.figures.labels import width_of
from viz_app.figures.look import FONTS, Look, colour_at, colour_scale
from viz_app.values.sheets import Scale

Axes = dict[str, str]  # what a trace needs to stand on a pair of axes: their names
CLEAR = "rgba(0,0,0,0)"


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, from the top left corner of the figure."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


@dataclass(eq=False)
class Canvas:
    """Collects parts; `figure` gives the whole."""

    look: Look
    width: float = 0.0
    height: float = 0.0
    key: list[str] = field(default_factory=list)  # what the legend says
    key_title: str = ""
    _traces: list[dict[str, Any]] = field(default_factory=list)
    _axes: list[tuple[Box, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    _scales: dict[Scale, str] = field(default_factory=dict)
    _bars: dict[str, tuple[Box, str]] = field(default_factory=dict)
    _notes: list[dict[str, Any]] = field(default_factory=list)
    _shapes: list[dict[str, Any]] = field(default_factory=list)

    def axes(self, box: Box, x: dict[str, Any], y: dict[str, Any]) -> Axes:
        """A new pair of axes in a box."""
        self._axes.append((box, x, y))
        self.grow(box.right, box.bottom)
        number = str(len(self._axes)) if len(self._axes) > 1 else ""
        return {"xaxis": f"x{number}", "yaxis": f"y{number}"}

    def grow(self, right: float, bottom: float) -> None:
        """Make room for what ends there."""
        size = self.look.type_size
        self.width, self.height = (
            max(self.width, right + 0.5 * size),
            max(self.height, bottom + 0.6 * size),
        )

    def add(self, kind: str, axes: Axes, key: str = "", **values: Any) -> None:
        """A trace on axes; the legend says what it is by a `key` that is not there yet."""
        is_new = bool(key) and key not in self.key
        self.key += [key] if is_new else []
        named = {"name": key, "legendgroup": key} if key else {}
        self._traces.append({"type": kind, "showlegend": is_new} | named | values | axes)

    def lines(self, x: Sequence[Any], y: Sequence[Any], axes: Axes, **more: Any) -> None:
        """A line through the points, broken where they are None."""
        style: dict[str, Any] = {"mode": "lines", "hoverinfo": "skip", "x": x, "y": y}
        self.add("scatter", axes, **(style | more))

    def signs(
        self, x: Sequence[Any], y: Sequence[Any], text: Sequence[str], axes: Axes, **more: Any
    ) -> None:
        """Short texts at points of the axes."""
        style: dict[str, Any] = {"mode": "text", "hoverinfo": "skip", "cliponaxis": False}
        self.add("scatter", axes, x=x, y=y, text=text, **(style | more))

    def shape(self, axes: Axes, kind: str, **values: Any) -> None:
        """A path, or a rectangle, in the units of the axes."""
        places = {"xref": axes["xaxis"], "yref": axes["yaxis"], "layer": "above"}
        self._shapes.append({"type": kind} | places | values)

    def text(
        self,
        left: float,
        top: float,
        text: str,
        size: float = 1.0,
        colour: str = "ink",
        **more: Any,
    ) -> None:
        """A text whose first line's top is at `top`; `size` is a factor of the ordinary type."""
        place = {"xref": "paper", "yref": "paper", "x": left, "y": top, "align": "left"}
        place |= {"xanchor": "left", "yanchor": "top", "borderpad": 0, "showarrow": False}
        font = {"size": self.look.sized(size), "color": self.look[colour]}
        self._notes.append(place | {"text": text, "font": font} | more)

    def colours(self, scale: Scale) -> str:
        """The name of the colour axis of a scale."""
        known = len(self._scales)
        return self._scales.setdefault(scale, f"coloraxis{known + 1 if known else ''}")

    def print_scale(self, scale: Scale, box: Box, title: str) -> None:
        """Print a scale in a box: upright, or level where the box is wider than high."""
        self._bars[self.colours(scale)] = (box, title)
        size = self.look.type_size
        if box.height > box.width:
            beside = max(3.4 * size, width_of(title, self.look.sized(0.85)))
            self.grow(box.left + beside, box.bottom + 0.6 * size)
        else:
            self.grow(box.right, box.bottom + 1.6 * size)

    def hatch(self, spans: Sequence[tuple[float, float, float]], axes: Axes, below: bool) -> None:
        """Hatch parts of rows: (row, beginning, end) each, in the units of the axes.

        `below`: numbers below 0, which fall the other way, in the ink; else what is masked.
        """
        rows, begins, ends = map(list, zip(*spans, strict=True))
        colour = self.look["ink" if below else "mask"]
        solid, size = 0.12 if below else 0.16, max(4, 0.4 * self.look.type_size)
        slants = {"shape": "\\" if below else "/", "fgcolor": colour, "bgcolor": CLEAR}
        pattern = slants | {"size": size, "solidity": solid}
        marker = {"color": CLEAR, "pattern": pattern, "line": {"width": 0}}
        places = {"y": rows, "base": begins, "width": 1.0, "orientation": "h"}
        lengths = [end - begin for begin, end in zip(begins, ends, strict=True)]
        key = self.look.word("figure_below" if below else "masked")
        self.add("bar", axes, key, x=lengths, marker=marker, hoverinfo="skip", **places)

    def figure(self, title: dict[str, Any], key_top: float, **layout: Any) -> go.Figure:
        """The figure with a title, and the legend below `key_top`."""
        W, H, size, look = self.width, self.height, self.look.type_size, self.look
        for at, (box, x, y) in enumerate(self._axes, start=1):
            number = str(at) if at > 1 else ""
            across = [box.left / W, min(1, box.right / W)]
            down = [max(0, 1 - box.bottom / H), 1 - box.top / H]
            layout[f"xaxis{number}"] = x | {"domain": across, "anchor": f"y{number}"}
            layout[f"yaxis{number}"] = y | {"domain": down, "anchor": f"x{number}"}
        for scale, name in self._scales.items():
            layout[name] = {"cmin": scale.low, "cmax": scale.high, "showscale": name in self._bars}
            layout[name]["colorscale"] = colour_scale(colours_of(scale, look))
            if name in self._bars:
                layout[name]["colorbar"] = self._bar(*self._bars[name])
        for note in self._notes:
            if note["xref"] == "paper":
                note |= {"x": note["x"] / W, "y": 1 - note["y"] / H}
        font = {"family": FONTS, "size": size, "color": look["ink"]}
        quiet = {"size": look.sized(0.8), "color": look["quiet"]}
        legend = {"orientation": "h", "x": 1.1 * size / W, "y": max(0, 1 - key_top / H)}
        legend |= {"yanchor": "top", "xanchor": "left", "font": quiet, "bgcolor": CLEAR}
        legend |= {"title": {"text": self.key_title, "font": quiet, "side": "left"}}
        legend |= {"itemsizing": "trace", "traceorder": "normal"}
        layout |= {
            "annotations": self._notes,
            "shapes": self._shapes,
            "title": title | {"font": {"size": 1.25 * size, "weight": 600}, "x": 1.1 * size / W},
            "width": round(W),
            "height": round(H),
            "autosize": False,
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "autoexpand": False},
            "showlegend": bool(self.key),
            "legend": legend,
            "barmode": "overlay",
            "bargap": 0,
            "hovermode": "closest",
            "paper_bgcolor": look["paper"],
            "plot_bgcolor": CLEAR,
            "font": font,
        }
        # Checking every value takes twenty times as long as making it here; a test checks all.
        return go.Figure(data=self._traces, layout=layout, _validate=False)

    def _bar(self, box: Box, title: str) -> dict[str, Any]:
        size, look = self.look.type_size, self.look
        is_level = box.width > box.height
        quiet = {"ticks": "outside", "ticklen": size / 5, "tickcolor": look["quiet"]}
        quiet |= {"outlinewidth": 0.5, "outlinecolor": look["quiet"], "exponentformat": "power"}
        return quiet | {
            "x": box.left / self.width,
            "y": 1 - box.top / self.height,
            "xanchor": "left",
            "yanchor": "top",
            "xpad": 0,
            "ypad": 0,
            "len": box.width if is_level else box.height,
            "thickness": box.height if is_level else box.width,
            "lenmode": "pixels",
            "orientation": "h" if is_level else "v",
            "nticks": 3 if max(box.width, box.height) < 7 * size else 6,
            "tickfont": {"size": look.sized(0.8)},
            # The line below keeps it off the highest number.
            "title": {"text": f"{title}<br> ", "font": {"size": look.sized(0.85)}, "side": "top"},
        }


def colours_of(scale: Scale, look: Look) -> tuple[str, ...]:
    """The colours of a scale from its low end to its high one."""
    if scale.low >= 0 and not scale.signed:
        return look.sequential
    limit, count = max(-scale.low, scale.high), len(look.diverging)
    ends = (0.5 + 0.5 * end / limit for end in (scale.low, scale.high))
    low, high = ends
    return tuple(
        colour_at(look.diverging, low + (high - low) * at / (count - 1)) for at in range(count)
    )
