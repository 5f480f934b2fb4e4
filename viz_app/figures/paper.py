"""A sheet on which the parts of a picture are laid out in pixels, and which becomes one figure.

Plotly places axes by fractions of the sheet. Here every part says where it stands, counted from
the top left, and the sheet grows to hold what it is given.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from viz_app.figures.labels import width_of
from viz_app.figures.look import FONTS, SLIDE, Look, colour_scale

Span = tuple[float, float, float, float]
Axes = dict[str, str]  # what a trace needs to stand on a pair of axes: their names
BLANK = "\u2007"  # as wide as a digit: a title breaks as if one stood there, and has none
_MOST_LINES = {"slide": 2, "column": 4}  # of what is said under the title; or it is left out


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, from the top left corner of the sheet."""

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


class Paper:
    """Collects parts; `figure` gives the whole."""

    def __init__(self, look: Look, title: str, subtitle: str = ""):
        self.look = look
        self.type = look.type_size
        self.margin = 1.1 * self.type
        self.width = look.paper_width
        # Bold is wider.
        title = wrapped(title, 1.38 * self.type, self.inner_width).replace(BLANK, "")
        self.title = title if look.title else ""
        self.subtitle = said_under(look, subtitle) if look.title else ""
        self.height = SLIDE[1] if look.size == "slide" else 0.0
        self.bottom = 0.0  # of what is drawn
        self._traces: list[Any] = []
        self._axes: list[tuple[Box, dict[str, Any], dict[str, Any]]] = []
        self._layout: dict[str, Any] = {}
        self._annotations: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._bars = 0
        if self.subtitle:
            lines = 2.0 + 1.2 * self.subtitle.count("<br>")
            self.text(self.margin, self.top - lines * self.type, self.subtitle, 0.9, "quiet")

    @property
    def top(self) -> float:
        """Where the first part may begin: under the title and the lines below it."""
        lines = (2.2 + 1.8 * self.title.count("<br>")) if self.title else 0
        lines += (2.0 + 1.2 * self.subtitle.count("<br>")) if self.subtitle else 0
        return self.margin * 0.6 + lines * self.type

    @property
    def inner_width(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    def axes(self, box: Box, x: dict[str, Any], y: dict[str, Any]) -> Axes:
        """A new pair of axes in a box."""
        self._axes.append((box, x, y))
        n = len(self._axes)
        self.grow(box.right + 0.5 * self.margin, box.bottom + 0.6 * self.margin)
        return {"xaxis": f"x{n}" if n > 1 else "x", "yaxis": f"y{n}" if n > 1 else "y"}

    def grow(self, right: float, bottom: float) -> None:
        """Make room for what ends there."""
        self.width, self.height = max(self.width, right), max(self.height, bottom)
        self.bottom = max(self.bottom, bottom)

    def add(self, trace: Any) -> None:
        """A trace that names its axes."""
        self._traces.append(trace)

    def path(self, path: str, line: dict[str, Any], axes: Axes, opacity: float) -> None:
        """A path as SVG has it, in the units of the axes."""
        places = {"xref": axes["xaxis"], "yref": axes["yaxis"], "layer": "above"}
        self._shapes.append(
            {"type": "path", "path": path, "line": line, "opacity": opacity} | places
        )

    def lines(
        self, x: Sequence[Any], y: Sequence[Any], line: dict[str, Any], axes: Axes, **more: Any
    ) -> None:
        """A line through the points, broken where they are None."""
        style = {"mode": "lines", "line": line, "hoverinfo": "skip"} | more
        self.add(trace("scatter", x=x, y=y, **style, **axes))

    def signs(
        self, x: list[int], y: list[int], text: list[str], font: dict[str, Any], axes: Axes
    ) -> None:
        """Short texts at points of the axes."""
        style = {"mode": "text", "textfont": font, "hoverinfo": "skip", "cliponaxis": False}
        self.add(trace("scatter", x=x, y=y, text=text, **style, **axes))

    def bars(self, values: list[float], colour: Any, axes: Axes, **more: Any) -> None:
        """A bar across for each row of the axes."""
        marker = {"color": colour, "line": {"width": 0}}
        rows = {"orientation": "h", "y": list(range(len(values))), "x": values, "width": 0.66}
        self.add(trace("bar", **(rows | {"marker": marker} | more), **axes))

    def frame(
        self, parts: Sequence[Span], axes: Axes, colour: str = "mask", width: float = 0.8
    ) -> None:
        """The edges of rectangles (x0, y0, x1, y1) in the units of the axes."""
        x = [at for x0, _, x1, _ in parts for at in (x0, x1, x1, x0, x0, None)]
        y = [at for _, y0, _, y1 in parts for at in (y0, y0, y1, y1, y0, None)]
        self.lines(x, y, {"color": self.look[colour], "width": width}, axes, cliponaxis=False)

    def line_key(self, box: Box, line: dict[str, Any], name: str, **more: Any) -> None:
        """A short line in a box, and beside it what it stands for."""
        axes = self.axes(box, quiet_axis([0, 1]), quiet_axis([-1, 1]))
        self.lines([0, 1], [0, 0], line, axes, **more)
        self.text(box.right + 0.4 * self.type, box.top, name, 0.8, "quiet")

    def text(
        self,
        left: float,
        top: float,
        text: str,
        size: float = 1.0,
        colour: str = "ink",
        anchor: str = "left",
        **more: Any,
    ) -> None:
        """A text whose first line's top is at `top`; `size` is a factor of the ordinary type."""
        place = {"xref": "paper", "yref": "paper", "x": left, "y": top}
        place |= {"xanchor": anchor, "yanchor": "top", "align": anchor, "borderpad": 0}
        font = {"size": self.look.sized(size), "color": self.look[colour]}
        note = {"text": text, "font": font, "showarrow": False}
        self._annotations.append(place | note | more)

    def bar(
        self, box: Box, title: str, scale: tuple[str, ...], low: float, high: float, **more: Any
    ) -> str:
        """A printed colour scale whose bar is in the box; gives the name of its colour axis."""
        if title:
            self.text(box.left, box.top, title, 0.85)
            self.grow(box.left + width_of(title, self.look.sized(0.85)), box.bottom)
            box = Box(box.left, box.top + 1.6 * self.type, box.width, box.height - 1.6 * self.type)
        self._bars += 1
        name = f"coloraxis{self._bars}" if self._bars > 1 else "coloraxis"
        quiet, count = self.look["quiet"], 6 if box.height > 7 * self.type else 3
        place = {"x": box.left, "y": box.top, "xanchor": "left", "yanchor": "top"}
        size = {"len": box.height, "lenmode": "pixels", "thickness": box.width}
        edge = {"outlinewidth": 0.5, "outlinecolor": quiet, "xpad": 0, "ypad": 0}
        ticks = {"ticks": "outside", "ticklen": self.type / 5, "tickcolor": quiet, "nticks": count}
        ticks |= {"tickfont": {"size": self.look.sized(0.8)}, "exponentformat": "power"}
        ends = {"cmin": low, "cmax": high, "colorscale": colour_scale(scale)}
        self._layout[name] = ends | {"colorbar": place | size | edge | ticks | more}
        marker = {"color": [low], "coloraxis": name}
        # A trace of nothing: Plotly draws a bar only for a trace.
        self.lines([None], [None], {}, {}, mode="markers", marker=marker)
        if box.height > box.width:  # half of the lowest number stands below
            self.grow(box.right + 2.6 * self.type, box.bottom + 0.6 * self.type)
        return name

    def flat_bar(self, box: Box, scale: tuple[str, ...], low: float, high: float) -> None:
        """A printed colour scale, its ends and 0 named under it, within the box."""
        ends = {at: f"{at:.3g}".replace("-", "\u2212") for at in (low, high)}
        room = max(width_of(end, self.look.sized(0.8)) for end in ends.values())
        # Half of a name stands beyond each end; 0 is named where its own has room beside both.
        if min(-low, high) / (high - low) * (box.width - room) > room:
            ends[0.0] = "0"
        bar = Box(box.left + room / 2, box.top, box.width - room, box.height)
        lying = {"orientation": "h", "len": bar.width, "thickness": bar.height, "ticklen": 2}
        places = {"tickvals": list(ends), "ticktext": list(ends.values())}
        self.bar(bar, "", scale, low, high, tickmode="array", tickangle=0, **places, **lying)
        self.grow(box.right, box.bottom + 1.4 * self.type)

    def swatch(self, left: float, top: float, text: str, falling: bool = False) -> None:
        """A small hatched square and what it stands for."""
        side = 0.9 * self.type
        box = Box(left, top, side, side)
        axes = self.axes(box, quiet_axis([0, 1]), quiet_axis([1, 0]))
        colour = self.look["ink" if falling else "mask"]
        self.hatch([(0, 0, 1, 1)], box, (0, 0, 1, 1), colour, axes, falling)
        self.text(left + 1.4 * side, top - 0.15 * self.type, text, 0.8, "quiet")
        self.grow(left + 1.4 * side + width_of(text, 0.8 * self.type), top + 1.6 * side)

    def hatch(
        self,
        parts: Sequence[Span],
        box: Box,
        span: Span,
        colour: str,
        axes: Axes,
        falling: bool = False,
        pitch: float | None = None,
    ) -> None:
        """Slanted lines over parts of a box, as lines: not every reader of SVG knows patterns.

        Parts and `span`, which the box shows, are (x0, y0, x1, y1) in units of the axes; `pitch` is
        the distance of two lines in pixels.
        """
        pitch = pitch or 0.5 * self.type
        right, down = box.width / (span[2] - span[0]), box.height / (span[3] - span[1])
        x: list[float | None] = []
        y: list[float | None] = []
        for part in parts:
            x0, y0 = (part[0] - span[0]) * right, (part[1] - span[1]) * down
            x1, y1 = (part[2] - span[0]) * right, (part[3] - span[1]) * down
            for a, b in _slanted((x0, y0, x1, y1), pitch, falling):
                x += [a[0] / right + span[0], b[0] / right + span[0], None]
                y += [a[1] / down + span[1], b[1] / down + span[1], None]
        self.lines(x, y, {"color": colour, "width": 0.06 * self.type}, axes)

    def figure(self) -> go.Figure:
        """The picture."""
        W, H = self.width, self.height
        layout = dict(self._layout)
        for n, (box, x, y) in enumerate(self._axes, start=1):
            number = str(n) if n > 1 else ""
            across = [box.left / W, min(1, box.right / W)]
            down = [max(0, 1 - box.bottom / H), 1 - box.top / H]
            layout[f"xaxis{number}"] = x | {"domain": across, "anchor": f"y{number}"}
            layout[f"yaxis{number}"] = y | {"domain": down, "anchor": f"x{number}"}
        for name, value in layout.items():
            if name.startswith("coloraxis"):
                bar = value["colorbar"]
                place = {"x": bar["x"] / W, "y": 1 - bar["y"] / H}
                layout[name] = value | {"colorbar": bar | place}
        annotations = [
            note | {"x": note["x"] / W, "y": 1 - note["y"] / H} if note["xref"] == "paper" else note
            for note in self._annotations
        ]
        title: dict[str, Any] = {
            "text": self.title,
            "x": self.margin / W,
            # Further lines of a title grow upwards, whatever its anchor.
            "y": 1 - (0.75 * self.margin + 1.65 * self.type * self.title.count("<br>")) / H,
            "xanchor": "left",
            "yanchor": "top",
            "font": {"size": 1.25 * self.type, "weight": 600},
        }
        layout |= {"title": title, "annotations": annotations, "shapes": self._shapes}
        layout |= {"width": round(W), "height": round(H), "autosize": False}
        layout |= {
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "autoexpand": False},
            "showlegend": False,
        }
        layout |= {"barmode": "overlay", "bargap": 0, "hovermode": "closest"}
        layout |= {"paper_bgcolor": self.look["paper"], "plot_bgcolor": "rgba(0,0,0,0)"}
        layout["font"] = {"family": FONTS, "size": self.type, "color": self.look["ink"]}
        # Checking every value takes twenty times as long as drawing it here; a test checks all.
        return go.Figure(data=self._traces, layout=layout, _validate=False)


def trace(kind: str, **values: Any) -> dict[str, Any]:
    """A trace as Plotly knows them: bar, scatter, heatmap."""
    return {"type": kind, "showlegend": False} | values


def said_under(look: Look, text: str) -> str:
    """What is said under a title, on its lines: whole, or else what stands before a colon alone."""
    if "<br>" in text:  # on its lines already
        return text
    room = look.paper_width - 2.2 * look.type_size
    lines = wrapped(text, look.sized(0.9), room)
    if lines.count("<br>") < _MOST_LINES[look.size]:
        return lines
    return text.partition(": ")[0]


def wrapped(text: str, size: float, room: float) -> str:
    """The text on as many lines as it needs."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return "<br>".join(lines)


def quiet_axis(span: Sequence[float], **more: Any) -> dict[str, Any]:
    """An axis that shows nothing of itself unless told."""
    hidden = ("showgrid", "zeroline", "showline", "showticklabels")
    return {
        "range": list(span),
        **dict.fromkeys(hidden, False),
        "ticks": "",
        "fixedrange": True,
    } | more


def axis_title(look: Look, text: str) -> dict[str, Any]:
    """The title of an axis in quiet type."""
    size = look.type_size
    font = {"size": 0.9 * size, "color": look["quiet"]}
    return {"text": text, "standoff": 0.35 * size, "font": font}


def row_axis(look: Look, labels: Sequence[str], label: float, **more: Any) -> dict[str, Any]:
    """An axis down with a label of this size at each row, the first at the top."""
    named = {"showticklabels": True, "tickmode": "array", "tickvals": list(range(len(labels)))}
    named |= {"ticktext": list(labels), "tickfont": {"size": label}}
    named["ticklabelstandoff"] = round(0.4 * look.type_size)
    return quiet_axis([len(labels) - 0.5, -0.5]) | named | more


def number_axis(look: Look, span: Sequence[float], title: str = "", **more: Any) -> dict[str, Any]:
    """An axis of numbers with light lines."""
    grid = {"showgrid": True, "gridcolor": look["hair"], "gridwidth": 1}
    zero = {"zeroline": True, "zerolinecolor": look["mask"], "zerolinewidth": 1}
    ticks = {"tickfont": {"size": 0.85 * look.type_size}, "nticks": 6}
    return {"range": list(span), "title": axis_title(look, title)} | grid | zero | ticks | more


def _slanted(
    part: Span, pitch: float, falling: bool
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """The ends of the slanted lines inside a rectangle, in pixels; lines of neighbours meet."""
    x0, y0, x1, y1 = part
    turn = -1.0 if falling else 1.0  # x + turn * y is the same all along a line
    corners = (x0 + turn * y0, x1 + turn * y0, x0 + turn * y1, x1 + turn * y1)
    found = []
    level = math.ceil(min(corners) / pitch) * pitch
    while level <= max(corners):
        ends = sorted(level - turn * y for y in (y0, y1))
        low, high = max(x0, ends[0]), min(x1, ends[1])
        if high > low:
            found.append(((low, (level - low) * turn), (high, (level - high) * turn)))
        level += pitch
    return found
