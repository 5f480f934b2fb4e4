"""Each kind of sheet as Plotly traces on axes of its own."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from viz_app.figures.canvas import CLEAR, Axes, Box, Canvas
from viz_app.figures.labels import said, stacked, widest, width_of
from viz_app.figures.look import Look, colour_at
from viz_app.values.sheets import Arrows, Bars, Curves, Map, Points
from viz_app.values.tables import Axis

LEAST = 0.02  # a thinner line could not be seen; the data has every weight
_KEY = (0.1, 0.5, 1.0)  # weights whose lines the legend shows
# Okabe and Ito's colours without yellow, which paper swallows; each with a line of its own.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_CIRCLE = np.linspace(0, 2 * math.pi, 49)
_RADIUS, CAPTION = 0.44, 0.42  # of a circle in a cell one wide, and the room of what it says


Spec = dict[str, Any]


def labels_along(axis: Axis, look: Look) -> list[str]:
    """What the places of an axis are called; none where they are numbered."""
    return [said(label, look) for label in axis.labels or ()]


def quiet_axis(span: Sequence[float], **more: Any) -> dict[str, Any]:
    """An axis that shows nothing of itself unless told."""
    shown = dict.fromkeys(("showgrid", "zeroline", "showline", "showticklabels"), False)
    return {"range": list(span), **shown, "ticks": ""} | more


def number_axis(look: Look, span: Sequence[float], title: str = "", **more: Any) -> dict[str, Any]:
    """An axis of numbers with light lines."""
    grid = {"showgrid": True, "gridcolor": look["hair"], "zeroline": True}
    ticks = {"zerolinecolor": look["mask"], "tickfont": {"size": look.sized(0.8)}, "nticks": 6}
    return {"range": list(span), "title": _title(look, title)} | grid | ticks | more


def _title(look: Look, text: str) -> dict[str, Any]:
    size = look.type_size
    font = {"size": look.sized(0.9), "color": look["quiet"]}
    return {"text": text, "standoff": 0.35 * size, "font": font}


def labelled_axis(
    look: Look, axis: Axis, label: float, pitch: float, is_named: bool, drawn: int | None = None
) -> dict[str, Any]:
    """An axis of places; where they have labels these stand at whole numbers from 0.

    Plotly would merge equal labels, so the places are numbers. Of plain texts that do not fit some
    are written. What is not `drawn` yet keeps its room and has no label.
    """
    labels = labels_along(axis, look)
    start = 0 if labels else axis.start
    shown = {"tickfont": {"size": label, "color": look["ink"]}, "showticklabels": is_named}
    shown["ticklabelstandoff"] = max(1, round(0.25 * label))
    ends = quiet_axis([start - 0.5, start + axis.length - 0.5]) | shown
    if not labels:
        return ends | {"nticks": 8, "tickformat": "d"}
    labels = [text if drawn is None or at < drawn else "" for at, text in enumerate(labels)]
    every = 1
    if all(isinstance(one, str) for one in axis.labels or ()):
        every = max(1, math.ceil((widest(labels, label) + 0.5 * label) / pitch))
    return ends | {
        "tickmode": "array",
        "tickvals": list(range(0, axis.length, every)),
        "ticktext": labels[::every],
    }


def draw_map(
    canvas: Canvas, sheet: Map, box: Box, label: float, angle: int | None, is_named: bool
) -> None:
    """The cells as a heat map; with what is hatched, printed, marked and outlined on them.

    `angle` is that of the labels of the columns; None: they have none.
    """
    look = canvas.look
    R, C = sheet.values_RC.shape
    across, down = box.width / C, box.height / R
    x = labelled_axis(look, sheet.columns, label, across, angle is not None)
    standing = stacked(x.get("ticktext", ())) if angle == -90 else None
    x |= {"side": "top", "tickangle": 0 if standing else angle or 0}
    x |= {"ticktext": standing} if standing else {}
    x |= {} if angle is None else {"title": _title(look, said(sheet.columns.title, look))}
    y = labelled_axis(look, sheet.rows, label, math.inf, is_named and not sheet.bare, sheet.drawn)
    y["range"] = y["range"][::-1]
    frame = {"showline": True, "mirror": True, "linecolor": look["mask"], "linewidth": 0.8}
    axes = canvas.axes(box, x | frame, y | frame)
    columns, rows = (0 if one.labels else one.start for one in (sheet.columns, sheet.rows))
    values_RC = sheet.shown_RC
    texts = _printed(canvas, sheet, values_RC, (across, down))
    canvas.add(
        "heatmap",
        axes,
        z=values_RC,
        x0=columns,
        y0=rows,
        coloraxis=canvas.colours(sheet.scale),
        hoverongaps=False,
        xgap=min(1.0, across / 16),
        ygap=min(1.0, down / 16),
        name=said(sheet.title or sheet.scale.unit, look),
        hovertemplate=f"{look.word(sheet.reads)}<extra></extra>",
        **texts,
    )
    drawn_R = np.arange(R) < (R if sheet.drawn is None else sheet.drawn)
    below_RC = values_RC < 0 if look.marks_negative else None
    for mask_RC, is_below in ((sheet.hidden_RC, False), (below_RC, True)):
        runs = [] if mask_RC is None else _runs(mask_RC & drawn_R[:, None], rows, columns)
        if runs:
            canvas.hatch(runs, axes, is_below)
    if sheet.marks:
        at_y, at_x, signs = map(list, zip(*sheet.marks, strict=True))
        font = {"size": look.sized(0.8), "color": look["ink"], "weight": 700}
        canvas.signs(at_x, at_y, signs, axes, textfont=font)
    if sheet.outlined is not None:
        ends = {"x0": -0.5, "x1": C - 0.5, "y0": sheet.outlined - 0.5, "y1": sheet.outlined + 0.5}
        line = {"color": look["accent"], "width": look.type_size / 9}
        canvas.shape(axes, "rect", line=line, **ends)


def _runs(mask_RC: np.ndarray, rows: int, columns: int) -> list[tuple[float, float, float]]:
    """The row, the beginning and the end of every run of cells."""
    found: list[tuple[float, float, float]] = []
    for at, mask_C in enumerate(mask_RC):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], mask_C.astype(int), [0]))))
        pairs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
        found += [(rows + at, columns + a - 0.5, columns + b - 0.5) for a, b in pairs]
    return found


def _printed(
    canvas: Canvas, sheet: Map, values_RC: np.ndarray, cell: tuple[float, float]
) -> dict[str, Any]:
    """The numbers in the cells, as on the page without the 0 before the point, where they fit."""
    size, digits = canvas.look.sized(0.62), sheet.digits
    if digits is None or cell[1] < 1.1 * size:
        return {}
    text_RC = [
        ["" if not abs(value) >= sheet.least else _number(value, digits) for value in row]
        for row in values_RC.tolist()
    ]
    if widest([text for row in text_RC for text in row], size) > 0.96 * cell[0]:
        return {}
    return {"text": text_RC, "texttemplate": "%{text}", "textfont": {"size": size}}


def _number(value: float, digits: str) -> str:
    text = format(value, digits)
    text = text if float(text) else text.lstrip("-")
    return re.sub(r"^(-?)0(?=[.])", r"\1", text).replace("-", "\u2212")


def draw_lines(canvas: Canvas, sheet: Map, box: Box, label: float) -> None:
    """A map as curves from its rows to its columns: the wider, the larger the number."""
    look, size = canvas.look, canvas.look.type_size
    R, C = sheet.values_RC.shape
    most, axes = max(R, C), Axes()
    for side, axis, drawn in (("right", sheet.columns, None), ("left", sheet.rows, sheet.drawn)):
        y = labelled_axis(look, axis, label, math.inf, True, drawn)
        axes = canvas.axes(box, quiet_axis([0, 1]), y | {"side": side, "range": [most - 0.5, -0.5]})
        canvas.lines([None], [None], axes)
    titles = (
        (box.left - 0.5 * size, sheet.rows, "right"),
        (box.right + 0.5 * size, sheet.columns, "left"),
    )
    for left, axis, anchor in titles:
        text = said(axis.title, look)
        wide = width_of(text, look.sized(0.85))
        left = max(left, 1.1 * size + wide) if anchor == "right" else left
        left = min(left, canvas.width - 1.1 * size - wide) if anchor == "left" else left
        canvas.text(left, box.top - 1.6 * size, text, 0.85, "quiet", xanchor=anchor)
    strongest = min(0.5 * size, 0.75 * max(box.height / most, 8))
    ink = colour_at(look.sequential, 0.78)
    shares_RC = np.nan_to_num(sheet.shown_RC) / sheet.scale.high
    order = sorted(range(R), key=lambda row: row == sheet.outlined)  # the outlined one lies on top
    for row, column in ((r, c) for r in order for c in range(C) if shares_RC[r, c] >= LEAST):
        share, is_outlined = float(shares_RC[row, column]), row == sheet.outlined
        strength = 1 if sheet.outlined is None or is_outlined else 0.38
        line = {"color": look["accent"] if is_outlined else ink}
        line["width"] = size / 30 + strongest * share
        path = f"M 0,{row} C 0.45,{row} 0.55,{column} 1,{column}"  # from edge to edge
        opacity = min(1, strength * (0.08 + 0.92 * share))
        canvas.shape(axes, "path", path=path, line=line, opacity=opacity)
    canvas.key_title = said(sheet.scale.unit, look)
    for share in _KEY:
        line = {"color": ink, "width": size / 30 + strongest * share}
        key = f"{share * sheet.scale.high:.3g}"
        opacity = 0.08 + 0.92 * share
        nothing = {"x": [None], "y": [None], "mode": "lines"}
        canvas.add("scatter", axes, key, line=line, opacity=opacity, **nothing)


def bar_texts(sheet: Bars, look: Look) -> list[str]:
    """What stands beside each bar: what is said of it, or its number."""
    if sheet.said is not None:
        return [said(text, look) for text in sheet.said]
    hidden_N = np.isnan(sheet.values_N)
    hidden_N = hidden_N if sheet.hidden_N is None else hidden_N | sheet.hidden_N
    pairs = zip(sheet.values_N.tolist(), hidden_N.tolist(), strict=True)
    return ["" if no else f"{value:.2f}".replace("-", "\u2212") for value, no in pairs]


def bar_rooms(sheet: Bars, look: Look, size: float) -> tuple[float, float]:
    """The pixels that the texts take left of the bars, which go below 0, and right of them."""
    texts, below_N = bar_texts(sheet, look), np.nan_to_num(sheet.values_N) < 0
    sides = [
        [text for text, is_below in zip(texts, below_N, strict=True) if is_below == left]
        for left in (True, False)
    ]
    left, right = (widest(one, size) + size if one else 0.0 for one in sides)
    return left, right


def _ends(sheet: Bars) -> tuple[float, float]:
    """Where the numbers begin and end, 0 among them."""
    values_N = np.nan_to_num(sheet.values_N)
    high = max(float(values_N.max(initial=0)), sheet.most or 0.0)
    return float(values_N.min(initial=0)), high or 1.0


def draw_upright(canvas: Canvas, sheet: Bars, box: Box, label: float) -> None:
    """Upright bars, from left to right."""
    look, places = canvas.look, sheet.places
    low, high = _ends(sheet)
    x = labelled_axis(look, places, label, box.width / places.length, True)
    x["title"] = _title(look, said(places.title, look))
    y = number_axis(look, [low, 1.05 * high], said(sheet.amount, look))
    first = 0 if places.labels else places.start
    shown: Spec = {"marker": {"color": look["ink"]}, "width": 0.8}
    shown["hovertemplate"] = "%{x}: %{y:.3f}<extra></extra>"
    at_N = list(range(first, first + places.length))
    canvas.add("bar", canvas.axes(box, x, y), x=at_N, y=sheet.values_N.tolist(), **shown)


def draw_bars(
    canvas: Canvas, sheet: Bars, box: Box, label: float, is_named: bool, is_aligned: bool
) -> None:
    """A bar across for each row, and what is said beside its end."""
    look = canvas.look
    values_N = np.nan_to_num(sheet.values_N)
    plain = colour_at(look.sequential, 0.6)
    colours = [look["accent"] if at == sheet.taken else plain for at in range(len(values_N))]
    low, high = _ends(sheet)
    amount = said(sheet.amount, look)
    places = labelled_axis(look, sheet.places, label, math.inf, is_named)
    first = 0 if sheet.places.labels else sheet.places.start
    at_N = list(range(first, first + len(values_N)))
    # Beside the ends of the bars is room for their texts.
    type_size = min(look.sized(0.8), max(8, 0.8 * box.height / len(values_N)))
    texts = bar_texts(sheet, look)
    left, right = (room / box.width for room in bar_rooms(sheet, look, type_size))
    whole = (high - low) / max(0.2, 1 - left - right)
    span = [low - left * whole, high + right * whole]
    end = sheet.most or float(f"{high:.1g}")
    ticks = [0, end] if end / whole * box.width > 2.4 * type_size else [0]
    x = number_axis(look, span, "" if is_aligned else amount, tickvals=ticks, tickangle=0)
    x |= {"tickmode": "array", "tickfont": {"size": type_size}}
    axes = canvas.axes(box, x, places | {"range": places["range"][::-1]})
    if sheet.hidden_N is not None and sheet.hidden_N.any():
        hidden = [(at, span[0], span[1]) for at in np.flatnonzero(sheet.hidden_N).tolist()]
        canvas.hatch(hidden, axes, False)
    told: Spec = {"text": texts, "textposition": "outside", "textangle": 0, "constraintext": "none"}
    told |= {"textfont": {"size": type_size}, "cliponaxis": False}
    lying: Spec = {"orientation": "h", "y": at_N, "width": 0.7}
    spoken = {"hovertemplate": "%{y}: %{x:.3f}<extra></extra>"}
    if sheet.outlined_N is None:
        canvas.add(
            "bar", axes, x=values_N.tolist(), marker={"color": colours}, **lying, **told, **spoken
        )
        return
    edge = {"color": CLEAR, "line": {"color": look["ink"], "width": 1}}
    # The texts stand behind the longer bar of the two.
    longer = np.maximum(values_N, sheet.outlined_N).tolist()
    canvas.add("bar", axes, x=longer, marker={"color": CLEAR}, hoverinfo="skip", **lying, **told)
    canvas.add("bar", axes, x=values_N.tolist(), marker={"color": colours}, **lying, **spoken)
    canvas.add("bar", axes, x=list(sheet.outlined_N), marker=edge, **lying, **spoken)


def draw_curves(canvas: Canvas, sheet: Curves, box: Box) -> None:
    """Lines with dots at the places that are known."""
    look, width = canvas.look, canvas.look.type_size / 9
    numbers_N = np.concatenate([line.y_N for line in sheet.lines] or [np.zeros(1)])
    low, high = float(numbers_N.min(initial=0)), float(numbers_N.max(initial=0))
    limit = 1.08 * (max(-low, high) or 1.0)  # a wave goes as far on either side
    up = [-limit if low < 0 else 0.0, limit if high > 0 else 0.0]
    places_N = sheet.lines[0].x_N if sheet.lines else np.zeros(1)
    ends = [float(places_N[0]), float(max(places_N[-1], places_N[0] + 1))]
    x, y = (said(text, look) for text in (sheet.across, sheet.up))
    axes = canvas.axes(box, number_axis(look, ends, x), number_axis(look, up, y))
    for at, one in enumerate(sheet.lines):
        line: Spec = {"color": _curve_colour(look, at), "dash": _DASHES[at % len(_DASHES)]}
        line["width"] = width
        name = said(one.name, look)
        x_N, y_N = one.fine or (one.x_N, one.y_N)
        canvas.lines(x_N.tolist(), y_N.tolist(), axes, line=line, key=name)
        dots: Spec = {"mode": "markers", "marker": {"color": line["color"], "size": 2.2 * width}}
        known: Spec = {
            "x": one.x_N.tolist(),
            "y": one.y_N.tolist(),
            "name": name,
            "legendgroup": name,
        }
        canvas.add("scatter", axes, **known, **dots)


def _curve_colour(look: Look, at: int) -> str:
    if look.palette == "grey":
        return colour_at(look.sequential, (1, 0.6, 0.8, 0.45)[at % 4])
    return _COLOURS[at % len(_COLOURS)]


def draw_points(canvas: Canvas, sheet: Points, box: Box) -> None:
    """Points, each kind with its sign; names where nothing else stands, the highest first."""
    look, size = canvas.look, canvas.look.type_size
    spans = []
    for which in ("x_N", "y_N"):
        numbers_N = np.concatenate([getattr(one, which) for one in sheet.clouds] or [np.zeros(1)])
        low, high = float(numbers_N.min()), float(numbers_N.max())
        air = 0.06 * (high - low or 1.0)
        spans.append((low - air, high + 2 * air))  # over the highest stands its name
    x, y = (
        number_axis(look, span, said(title, look))
        for span, title in zip(spans, (sheet.across, sheet.up), strict=True)
    )
    axes = canvas.axes(box, x, y)
    font = {"size": look.sized(0.7), "color": look["quiet"]}
    told = free_names(sheet, spans, box, look)
    for at, one in enumerate(sheet.clouds):
        colour = colour_at(look.sequential, 0.35 + 0.3 * at)
        marker = {"symbol": one.sign, "size": 0.6 * size, "color": colour}
        names = {"text": told[at], "textposition": "top center", "textfont": font}
        spoken = "%{customdata}: %{x:.3f}, %{y:.3f}<extra></extra>"
        places: Spec = {"x": one.x_N.tolist(), "y": one.y_N.tolist(), "customdata": list(one.names)}
        dots: Spec = {"mode": "markers+text", "marker": marker, "cliponaxis": False}
        key = said(one.name, look)
        canvas.add("scatter", axes, key, hovertemplate=f"{key} {spoken}", **places, **dots, **names)


def free_names(
    sheet: Points, spans: Sequence[tuple[float, float]], box: Box, look: Look
) -> list[list[str]]:
    """The name of each point where nothing else stands over it; the others have none."""
    size, sign = look.sized(0.7), 0.3 * look.type_size
    (x0, x1), (y0, y1) = spans
    across, down = box.width / (x1 - x0), box.height / (y1 - y0)
    points = [
        (kind, at, (float(x) - x0) * across, (y1 - float(y)) * down)
        for kind, one in enumerate(sheet.clouds)
        for at, (x, y) in enumerate(zip(one.x_N, one.y_N, strict=True))
    ]
    taken = [((kind, at), x - sign, y - sign, x + sign, y + sign) for kind, at, x, y in points]
    told = [[""] * len(one.names) for one in sheet.clouds]
    for kind, at, x, y in sorted(points, key=lambda one: one[3]):
        name = sheet.clouds[kind].names[at]
        half = 0.5 * width_of(name, size)
        left, top, right, bottom = x - half, y - sign - 1.2 * size, x + half, y - sign
        if not any(
            of != (kind, at) and left < c and a < right and top < d and b < bottom
            for of, a, b, c, d in taken
        ):
            taken.append(((kind, at), left, top, right, bottom))
            told[kind][at] = name
    return told


def circles_beside(count: int, width: float, height: float) -> int:
    """How many circles stand beside one another, where they are as large as a room lets them."""

    def cell(across: int) -> float:
        return min(width / across, height / (math.ceil(count / across) * (1 + CAPTION)))

    return max(range(1, count + 1), key=cell)


def draw_arrows(canvas: Canvas, sheet: Arrows, box: Box) -> None:
    """A circle for each pair of numbers, with its arrows as they were before and are now."""
    look, thin = canvas.look, canvas.look.type_size / 18
    count = len(sheet.said)
    beside = circles_beside(count, box.width, box.height)
    below, tall = math.ceil(count / beside), 1 + CAPTION
    cell = min(box.width / beside, box.height / (below * tall))
    box = replace(box, width=beside * cell, height=below * tall * cell)
    axes = canvas.axes(box, quiet_axis([0, beside]), quiet_axis([below * tall, 0]))
    middles_P2 = np.array([(at % beside + 0.5, at // beside * tall + 0.5) for at in range(count)])
    for at, (x, y) in enumerate(middles_P2.tolist()):
        is_outlined = at == sheet.outlined
        line: Spec = {"color": look["select" if is_outlined else "quiet"]}
        line["width"] = (2 if is_outlined else 0.5) * thin
        round_x, round_y = x + _RADIUS * np.cos(_CIRCLE), y + _RADIUS * np.sin(_CIRCLE)
        canvas.lines(round_x.tolist(), round_y.tolist(), axes, line=line)
    every_P2 = [*sheet.turned_P2, *sheet.before_P2]
    longest_P = np.max([np.hypot(*one_P2.T) for one_P2 in every_P2], axis=0)
    scale_P1 = (_RADIUS / np.where(longest_P > 0, longest_P, 1))[:, None]

    def draw(vectors_P2: np.ndarray, **more: Any) -> None:
        xs, ys = _from(middles_P2, vectors_P2 * scale_P1)
        canvas.lines(xs, ys, axes, cliponaxis=False, **more)

    for before_P2 in sheet.before_P2:
        draw(before_P2, line={"color": look["quiet"], "width": thin, "dash": "dot"})
    key_colour = colour_at(look.sequential, 0.6)
    for at, (name, turned_P2) in enumerate(zip(sheet.names, sheet.turned_P2, strict=True)):
        colour, width = (look["select"], 2.6 * thin) if at == 0 else (key_colour, 1.4 * thin)
        sizes = [0, 1.6 * width + 2, 0] * count
        marker = {"symbol": "circle-open" if at else "circle", "size": sizes, "color": colour}
        ends: Spec = {"mode": "lines+markers", "marker": marker, "line": {"color": colour}}
        ends["line"]["width"] = width
        draw(turned_P2, key=said(name, look), **ends)
    factor = min(0.62, 0.16 * cell / look.type_size)
    for (x, y), text in zip(middles_P2.tolist(), sheet.said, strict=True):
        left, top = box.left + x * cell, box.top + (y + 0.48) * cell
        told = said(text, look).replace("; ", "<br>")
        canvas.text(left, top, told, factor, "quiet", xanchor="center", align="center")


def _from(middles_P2: np.ndarray, vectors_P2: np.ndarray) -> tuple[list[Any], list[Any]]:
    """Lines from the middles; y of a vector points up."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (x, y), (a, b) in zip(middles_P2.tolist(), vectors_P2.tolist(), strict=True):
        xs += [x, x + a, None]
        ys += [y, y - b, None]
    return xs, ys
