"""Bars, curves, points and arrows."""

import math
from typing import Any

import numpy as np

from viz_app.figures.axes import number_axis, over, places_axis, quiet_axis, titled
from viz_app.figures.canvas import CLEAR, TYPE, Box, Canvas, Spec
from viz_app.figures.labels import room_of, said, spelled
from viz_app.figures.look import Look, colour_at
from viz_app.values.sheets import Arrows, Bars, Curves, Points

# Okabe and Ito's colours without yellow, which paper swallows; each with a line of its own.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_CIRCLE = np.linspace(0, 2 * math.pi, 49)
_RADIUS, _CAPTION = 0.44, 0.4  # of a circle in a cell one wide, and the room of what it says
BESIDE = 8  # circles
_LETTER = 14  # pixels that a label takes along its axis at least


def draw_upright(canvas: Canvas, sheet: Bars, box: Box) -> None:
    """Upright bars, from left to right."""
    look, places = canvas.look, sheet.places
    x = places_axis(look, places) | {"title": titled(look, said(places.title, look))}
    pitch = box.width / places.length
    if places.labels and pitch < _LETTER:  # some are left out, so that no two touch
        every = math.ceil((room_of(x["ticktext"]) + 6) / pitch)
        x |= {name: x[name][::every] for name in ("tickvals", "ticktext")} | {"tickangle": 0}
    first = 0 if places.labels else places.start
    shown: Spec = {"marker": {"color": look["ink"]}, "width": 0.8}
    shown["hovertemplate"] = "%{x}: %{y:.3f}<extra></extra>"
    at_N = list(range(first, first + places.length))
    axes = canvas.axes(box, x, number_axis(look, said(sheet.amount, look)))
    canvas.add("bar", axes, x=at_N, y=sheet.values_N.tolist(), **shown)


def draw_bars(canvas: Canvas, sheet: Bars, box: Box, is_named: bool) -> None:
    """A bar across for each row, and what is said beside its end."""
    look, values_N = canvas.look, np.nan_to_num(sheet.values_N)
    texts = _texts(sheet, look)
    low, high = float(values_N.min(initial=0)), max(float(values_N.max(initial=0)), sheet.most or 0)
    # Beside the ends of the bars is room for their texts.
    part = min(0.6, (room_of(texts) + 10) / box.width)
    air = ((high or 1.0) - low) * part / (1 - part)
    span = (low - air * (low < 0), (high or 1.0) + air)
    y = places_axis(look, sheet.places, is_named)
    first = 0 if sheet.places.labels else sheet.places.start
    x = number_axis(look, range=list(span), side="top", nticks=3, tickangle=0)
    x["title"] = over(sheet, look, said(sheet.amount, look))
    axes = canvas.axes(box, x, y | {"range": y["range"][::-1]})
    if sheet.hidden_N is not None and sheet.hidden_N.any():
        hidden = [(first + at, span[0], span[1]) for at in np.flatnonzero(sheet.hidden_N).tolist()]
        canvas.hatch(hidden, axes, False)
    plain = colour_at(look.sequential, 0.6)
    colours = [look["accent"] if at == sheet.taken else plain for at in range(len(values_N))]
    written: Spec = {
        "text": texts,
        "textposition": "outside",
        "textangle": 0,
        "constraintext": "none",
    }
    written |= {"textfont": {"size": TYPE["label"]}, "cliponaxis": False}
    lying: Spec = {"orientation": "h", "y": list(range(first, first + len(values_N))), "width": 0.7}
    filled: Spec = {"x": values_N.tolist(), "marker": {"color": colours}}
    filled["hovertemplate"] = "%{y}: %{x:.3f}<extra></extra>"
    if sheet.outlined_N is None:
        canvas.add("bar", axes, **filled, **lying, **written)
        return
    # The texts stand behind the longer bar of the two.
    longer: Spec = {"x": np.maximum(values_N, sheet.outlined_N).tolist(), "hoverinfo": "skip"}
    canvas.add("bar", axes, **longer, marker={"color": CLEAR}, **lying, **written)
    canvas.add("bar", axes, **filled, **lying)
    edge = {"color": CLEAR, "line": {"color": look["ink"], "width": 1}}
    outlined = filled | {"x": list(sheet.outlined_N), "marker": edge}
    canvas.add("bar", axes, **outlined, **lying)


def _texts(sheet: Bars, look: Look) -> list[str]:
    """What stands beside each bar: what is said of it, or its number."""
    if sheet.said is not None:
        return [said(text, look) for text in sheet.said]
    hidden_N = np.isnan(sheet.values_N)
    hidden_N = hidden_N if sheet.hidden_N is None else hidden_N | sheet.hidden_N
    pairs = zip(sheet.values_N.tolist(), hidden_N.tolist(), strict=True)
    return ["" if no else spelled(value) for value, no in pairs]


def draw_curves(canvas: Canvas, sheet: Curves, box: Box) -> None:
    """Lines with dots at the places that are known."""
    look = canvas.look
    x, y = (number_axis(look, said(text, look)) for text in (sheet.across, sheet.up))
    if sheet.is_logarithmic:
        x |= _powers(sheet)
    axes = canvas.axes(box, x, y)

    def places(x_N: np.ndarray) -> list[float]:
        placed_N: list[float] = (np.log10(1 + x_N) if sheet.is_logarithmic else x_N).tolist()
        return placed_N

    for x_N, y_N in sheet.behind:
        quiet = {"color": look["mask"], "width": 1}
        canvas.lines(places(x_N), y_N.tolist(), axes, line=quiet)
    for at, one in enumerate(sheet.lines):
        line: Spec = {"color": _curve_colour(look, at), "dash": _DASHES[at % len(_DASHES)]}
        name = said(one.name, look)
        x_N, y_N = one.fine or (one.x_N, one.y_N)
        canvas.lines(places(x_N), y_N.tolist(), axes, line=line | {"width": 2}, key=name)
        known: Spec = {"x": places(one.x_N), "y": one.y_N.tolist(), "name": name}
        known["customdata"] = one.x_N.tolist()
        dots: Spec = {"mode": "markers", "marker": {"color": line["color"], "size": 5}}
        spoken = f"{name}<br>%{{customdata}}: %{{y:.3f}}<extra></extra>"
        canvas.add("scatter", axes, legendgroup=name, hovertemplate=spoken, **known, **dots)


def _powers(sheet: Curves) -> Spec:
    """Where 0 and the powers of ten stand on a logarithmic axis, as on the page."""
    most = max(float(one.x_N.max(initial=1)) for one in sheet.lines)
    numbers = [0, *(10**power for power in range(int(math.log10(max(1, most))) + 1))]
    return {
        "tickvals": [math.log10(1 + number) for number in numbers],
        "ticktext": [f"{number:,}" for number in numbers],
    }


def _curve_colour(look: Look, at: int) -> str:
    if look.palette == "grey":
        return colour_at(look.sequential, (1, 0.6, 0.8, 0.45)[at % 4])
    return _COLOURS[at % len(_COLOURS)]


def draw_points(canvas: Canvas, sheet: Points, box: Box) -> None:
    """Points, each kind with its sign; each says its name on hover, and has it as its text."""
    look = canvas.look
    x, y = (number_axis(look, said(text, look)) for text in (sheet.across, sheet.up))
    axes = canvas.axes(box, x, y)
    for at, one in enumerate(sheet.clouds):
        colour = colour_at(look.sequential, 0.35 + 0.3 * at)
        marker = {"symbol": one.sign, "size": 11, "color": colour}
        key, names = said(one.name, look), [said(name, look) for name in one.names]
        places: Spec = {"x": one.x_N.tolist(), "y": one.y_N.tolist(), "text": names}
        spoken = f"{key} %{{text}}: %{{x:.3f}}, %{{y:.3f}}<extra></extra>"
        dots: Spec = {"mode": "markers", "marker": marker, "textposition": "top center"}
        canvas.add("scatter", axes, key, hovertemplate=spoken, **places, **dots)


def draw_arrows(canvas: Canvas, sheet: Arrows, box: Box) -> None:
    """A circle for each pair of numbers, with its arrows as they were before and are now."""
    look, count, tall = canvas.look, len(sheet.said), 1 + _CAPTION
    beside = min(count, BESIDE)
    x = quiet_axis([0, beside], side="top", title=over(sheet, look))
    y = quiet_axis([math.ceil(count / beside) * tall, 0])
    axes = canvas.axes(box, x, y, is_square=True)
    middles_P2 = np.array([(at % beside + 0.5, at // beside * tall + 0.5) for at in range(count)])
    for at, (left, top) in enumerate(middles_P2.tolist()):
        is_outlined = at == sheet.outlined
        line: Spec = {"color": look["accent" if is_outlined else "quiet"]}
        line["width"] = 2 if is_outlined else 0.5
        round_x, round_y = left + _RADIUS * np.cos(_CIRCLE), top + _RADIUS * np.sin(_CIRCLE)
        canvas.lines(round_x.tolist(), round_y.tolist(), axes, line=line)
    every_P2 = [*sheet.turned_P2, *sheet.before_P2]
    longest_P = np.max([np.hypot(*one_P2.T) for one_P2 in every_P2], axis=0)
    scale_P1 = (_RADIUS / np.where(longest_P > 0, longest_P, 1))[:, None]

    def draw(vectors_P2: np.ndarray, **more: Any) -> None:
        xs, ys = _from(middles_P2, vectors_P2 * scale_P1)
        canvas.lines(xs, ys, axes, cliponaxis=False, **more)

    for before_P2 in sheet.before_P2:
        draw(before_P2, line={"color": look["quiet"], "width": 1, "dash": "dot"})
    key_colour = colour_at(look.sequential, 0.6)
    for at, (name, turned_P2) in enumerate(zip(sheet.names, sheet.turned_P2, strict=True)):
        colour, width = (look["accent"], 2.6) if at == 0 else (key_colour, 1.4)
        marker: Spec = {"symbol": "circle-open" if at else "circle", "color": colour}
        marker["size"] = [0, 1.6 * width + 2, 0] * count
        ends: Spec = {"mode": "lines+markers", "marker": marker}
        ends["line"] = {"color": colour, "width": width}
        draw(turned_P2, key=said(name, look), **ends)
    x_P, y_P = (middles_P2 + np.array([0, _RADIUS])).T.tolist()
    texts = [said(text, look).replace("; ", "<br>") for text in sheet.said]
    font = {"size": TYPE["small"], "color": look["quiet"]}
    canvas.signs(x_P, y_P, texts, axes, textposition="bottom center", textfont=font)


def _from(middles_P2: np.ndarray, vectors_P2: np.ndarray) -> tuple[list[Any], list[Any]]:
    """Lines from the middles; y of a vector points up."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (x, y), (a, b) in zip(middles_P2.tolist(), vectors_P2.tolist(), strict=True):
        xs += [x, x + a, None]
        ys += [y, y - b, None]
    return xs, ys
